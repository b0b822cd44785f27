//! The operator's UCI engine as a named opponent. It uses the same registration as external bots: it is listed while it is online, and
//! plays the variants that it supports.

mod uci_process;

use self::uci_process::{Engine, UciPosition};
use crate::{
    game::PlayerCommand,
    play::{
        DeclineReason, Error, GameSnapshot, KeyEvent, KeyListener, Name, Owner, Play, Repertoire, Token, offer_reply,
    },
    rules::{Refusal, Seat},
};
use futures_util::{FutureExt, future::BoxFuture};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// Number of games that an engine plays at once. It chooses one move at a time.
const GAMES: u32 = 8;
/// Attempts per move, with a restart between them, before one of the site's bots moves instead.
const TRIES: usize = 2;

/// Options of the operator's engine.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// A UCI engine such as Stockfish. It becomes an opponent in the variants that it supports.
    #[arg(long, env = "ZORKMID_UCI", value_name = "PROGRAM")]
    uci: Option<PathBuf>,
    /// Name of the engine as an opponent; by default its own name without the version.
    #[arg(long, env = "ZORKMID_UCI_NAME", value_name = "NAME", requires = "uci")]
    uci_name: Option<Name>,
    /// Time of the engine per move, in milliseconds; less if its clock is short. An engine that exceeds it by five seconds is restarted.
    #[arg(long, env = "ZORKMID_UCI_TIME", value_name = "MILLISECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(10..=10_000), requires = "uci")]
    uci_time: u32,
}

impl Options {
    /// Starts the engine, if one is configured.
    ///
    /// # Errors
    /// If the engine cannot be started, supports no variant, or has no usable name.
    pub async fn start(self) -> Result<Option<UciOpponent>, String> {
        let Some(path) = self.uci else { return Ok(None) };
        let wrong = |why: String| format!("the engine {}: {why}", path.display());
        let engine = Engine::start(&path).await.map_err(wrong)?;
        if engine.variants().is_empty() {
            return Err(wrong("supports no variant of this site".to_owned()));
        }
        let name = match self.uci_name {
            Some(name) => name,
            None => name_without_version(engine.named()).map_err(|refusal| {
                wrong(format!("“{}” is not a valid name: {}; set one with --uci-name", engine.named(), refusal.why))
            })?,
        };
        Ok(Some(UciOpponent { engine, name, time: Duration::from_millis(self.uci_time.into()) }))
    }
}

/// Name of an engine without its version, so that a newer version keeps the name and its games.
fn name_without_version(named: &str) -> Result<Name, Refusal> {
    let version = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> = named.split_whitespace().take_while(|word| !version(word)).collect();
    words.join(" ").parse()
}

/// A started engine that is not registered yet.
pub struct UciOpponent {
    engine: Engine,
    name: Name,
    time: Duration,
}

impl UciOpponent {
    /// Name of the opponent.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Registers the engine, so that players can choose it.
    ///
    /// # Errors
    /// Refused if another bot has the same name.
    pub fn register(self, play: &Play) -> BoxFuture<'_, Result<RegisteredOpponent, Error>> {
        async move {
            let key = play.house_key(&self.name).await?;
            let variants = self.engine.variants().iter().map(|key| (*key).to_owned()).collect();
            play.register(&key, &self.name, &Repertoire::new(variants, Vec::new(), GAMES)?).await?;
            let owner = play.owner(&key).await?.ok_or_else(|| Error::Broken("the engine's key is gone".to_owned()))?;
            let listener = play.follow_key(owner.clone()).await?;
            Ok(RegisteredOpponent { listener, play: play.clone(), owner, key, guest: self })
        }
        .boxed()
    }
}

/// A registered engine, which players can choose.
pub struct RegisteredOpponent {
    listener: KeyListener,
    play: Play,
    owner: Owner,
    key: Token,
    guest: UciOpponent,
}

impl RegisteredOpponent {
    /// Plays until `stop` is cancelled.
    pub fn play(mut self, stop: CancellationToken) -> BoxFuture<'static, ()> {
        async move {
            loop {
                let (news, table, seat) = tokio::select! {
                    () = stop.cancelled() => return,
                    news = self.listener.next() => match news {
                        Some(news) => news,
                        None => return,
                    },
                };
                if let Err(error) = self.answer(news, &table, seat).await {
                    tracing::warn!(variant = table.game.key(), %error, "engine failed to answer");
                }
            }
        }
        .boxed()
    }

    /// Answers one event: a challenge, a turn, an offer or the end of a game.
    async fn answer(&mut self, news: KeyEvent, table: &Arc<GameSnapshot>, seat: Seat) -> Result<(), Error> {
        // The snapshot may be old, since the engine may have been busy with another game.
        let table = self.play.look(table.id()).await?;
        let said = match news {
            KeyEvent::Challenge => return self.answer_challenge(table.id()).await,
            KeyEvent::Joined => None,
            // Always offers or accepts a rematch.
            KeyEvent::End => table.game.can(seat, PlayerCommand::Rematch).then(|| "rematch".to_owned()),
            KeyEvent::Game | KeyEvent::Turn | KeyEvent::Offer => match offer_reply(&table.game, seat) {
                Some(word) => Some(word),
                None if table.game.awaits().contains(&seat) => self.choose(&table, seat).await,
                None => None,
            },
        };
        let Some(text) = said else { return Ok(()) };
        match self.play.act(table.id(), seat, Some(table.game.ply()), &text, None).await {
            // A stale action is dropped: the game has changed, and a new event follows.
            Ok(_) | Err(Error::Stale { .. }) => Ok(()),
            Err(Error::Refused(refusal)) if news != KeyEvent::End => {
                tracing::error!(variant = table.game.key(), text, %refusal, "engine action refused");
                self.stand_in(&table, seat).await
            }
            Err(error) => Err(error),
        }
    }

    /// Accepts a challenge if there is room for another game.
    async fn answer_challenge(&mut self, id: &str) -> Result<(), Error> {
        match self.play.program_of(&self.key).await?.is_some_and(|program| program.free()) {
            true => self.play.accept_challenge(id, &self.owner).await.map(drop),
            false => self.play.decline_challenge(id, &self.owner, DeclineReason::Later).await,
        }
    }

    /// The engine's choice, or that of one of the site's bots if the engine fails.
    async fn choose(&mut self, table: &Arc<GameSnapshot>, seat: Seat) -> Option<String> {
        let Some(question) = UciPosition::of(table, seat, self.guest.time, self.play.now()) else {
            return self.play.fallback_action(table, seat).await;
        };
        for _ in 0..TRIES {
            match self.guest.engine.choose(&question).await {
                Ok(chosen) => return Some(chosen),
                Err(why) => tracing::error!(engine = self.guest.name(), why, "engine failed, restarting"),
            }
        }
        self.play.fallback_action(table, seat).await
    }

    async fn stand_in(&mut self, table: &Arc<GameSnapshot>, seat: Seat) -> Result<(), Error> {
        let Some(text) = self.play.fallback_action(table, seat).await else { return Ok(()) };
        self.play.act(table.id(), seat, Some(table.game.ply()), &text, None).await.map(drop)
    }
}
