//! An engine of the operator's that speaks UCI, as an opponent of its own name. It sits down as programs of others do: it is listed while it is there,
//! and plays the variants that it says it knows.

mod uci_process;

use self::uci_process::{Engine, UciPosition};
use crate::{
    game::PlayerCommand,
    play::{Error, GameSnapshot, KeyEvent, KeyListener, Name, Play, Repertoire, courtesy},
    rules::{Refusal, Seat},
};
use futures_util::{FutureExt, future::BoxFuture};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// The games that an engine plays at once, one move after the other.
const GAMES: u32 = 8;
/// The times that an engine is asked about one move, and started again between, before a level of the site answers in its place.
const TRIES: usize = 2;

/// The engine that an operator brings.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// An engine that speaks UCI, as Stockfish: it becomes an opponent for the variants that it knows.
    #[arg(long, env = "ZORKMID_UCI", value_name = "PROGRAM")]
    uci: Option<PathBuf>,
    /// The name that the engine plays under; without it its own, up to the number of its version.
    #[arg(long, env = "ZORKMID_UCI_NAME", value_name = "NAME", requires = "uci")]
    uci_name: Option<Name>,
    /// The time that the engine has for a move, in milliseconds; less when its clock runs out. Five seconds beyond it is stopped and started again.
    #[arg(long, env = "ZORKMID_UCI_TIME", value_name = "MILLISECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(10..=10_000), requires = "uci")]
    uci_time: u32,
}

impl Options {
    /// Starts the engine, if there is one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub async fn start(self) -> Result<Option<UciOpponent>, String> {
        let Some(path) = self.uci else { return Ok(None) };
        let wrong = |why: String| format!("the engine {}: {why}", path.display());
        let engine = Engine::start(&path).await.map_err(wrong)?;
        if engine.variants().is_empty() {
            return Err(wrong("plays no variant of this site".to_owned()));
        }
        let name = match self.uci_name {
            Some(name) => name,
            None => called(engine.named()).map_err(|refusal| {
                wrong(format!("“{}” cannot be its name: {}; give it one with --uci-name", engine.named(), refusal.why))
            })?,
        };
        Ok(Some(UciOpponent { engine, name, time: Duration::from_millis(self.uci_time.into()) }))
    }
}

/// The name of an engine without its version, so that it keeps its games when it is replaced by a newer one.
fn called(named: &str) -> Result<Name, Refusal> {
    let version = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> = named.split_whitespace().take_while(|word| !version(word)).collect();
    words.join(" ").parse()
}

/// An engine at the tables.
pub struct UciOpponent {
    engine: Engine,
    name: Name,
    time: Duration,
}

impl UciOpponent {
    /// The name that it plays under.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Sits down: from now on others may choose it.
    ///
    /// # Errors
    /// Refused if another program has its name.
    pub fn register(self, play: &Play) -> BoxFuture<'_, Result<RegisteredOpponent, Error>> {
        async move {
            let key = play.house_key(&self.name).await?;
            let variants = self.engine.variants().iter().map(|key| (*key).to_owned()).collect();
            play.register(&key, &self.name, &Repertoire::new(variants, Vec::new(), GAMES)?).await?;
            let owner = play.owner(&key).await?.ok_or_else(|| Error::Broken("the engine's key is gone".to_owned()))?;
            Ok(RegisteredOpponent { listener: play.follow_key(owner).await?, play: play.clone(), guest: self })
        }
        .boxed()
    }
}

/// An engine that may be chosen.
pub struct RegisteredOpponent {
    listener: KeyListener,
    play: Play,
    guest: UciOpponent,
}

impl RegisteredOpponent {
    /// Plays until it is to stop.
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
                    tracing::warn!(variant = table.game.key(), %error, "an engine could not answer");
                }
            }
        }
        .boxed()
    }

    /// Answers what is asked or offered.
    async fn answer(&mut self, news: KeyEvent, table: &Arc<GameSnapshot>, seat: Seat) -> Result<(), Error> {
        // It may have taken its time over another game.
        let table = self.play.look(table.id()).await?;
        let said = match news {
            // Whoever wants to plays again.
            KeyEvent::End => table.game.can(seat, PlayerCommand::Rematch).then(|| "rematch".to_owned()),
            KeyEvent::Game | KeyEvent::Turn | KeyEvent::Offer => match courtesy(&table.game, seat) {
                Some(word) => Some(word.to_owned()),
                None if table.game.awaits().contains(&seat) => self.choose(&table, seat).await,
                None => None,
            },
        };
        let Some(text) = said else { return Ok(()) };
        match self.play.act(table.id(), seat, Some(table.game.ply()), &text, None).await {
            // Whoever has moved on meanwhile asks again.
            Ok(_) | Err(Error::Stale { .. }) => Ok(()),
            Err(Error::Refused(refusal)) if news != KeyEvent::End => {
                tracing::error!(variant = table.game.key(), text, %refusal, "an engine was refused");
                self.stand_in(&table, seat).await
            }
            Err(error) => Err(error),
        }
    }

    /// What the engine chooses; where it cannot, a level of the site.
    async fn choose(&mut self, table: &Arc<GameSnapshot>, seat: Seat) -> Option<String> {
        let Some(question) = UciPosition::of(table, seat, self.guest.time, self.play.now()) else {
            return self.play.stand_in(table, seat).await;
        };
        for _ in 0..TRIES {
            match self.guest.engine.choose(&question).await {
                Ok(chosen) => return Some(chosen),
                Err(why) => tracing::error!(engine = self.guest.name(), why, "an engine is started again"),
            }
        }
        self.play.stand_in(table, seat).await
    }

    async fn stand_in(&mut self, table: &Arc<GameSnapshot>, seat: Seat) -> Result<(), Error> {
        let Some(text) = self.play.stand_in(table, seat).await else { return Ok(()) };
        self.play.act(table.id(), seat, Some(table.game.ply()), &text, None).await.map(drop)
    }
}
