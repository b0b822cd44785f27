//! Acting in a game: what a player, the clock or the operator says is checked, chance answers, and all of it is in the record
//! before anybody is told.

use std::sync::Arc;

use super::{Error, GameSnapshot, Play, bot_players, game_cache::LoadedGame};
use crate::{
    game::{LONGEST, Live, PlayerCommand, RecordLine},
    registry,
    rules::{Actor, Outcome, Refusal, Seat, Turn},
    store::{Append, Appended, GameEnd, NewLine, Receipt, StoreError},
};

/// An action carried out, now or before.
#[derive(Clone)]
pub struct ActionResult {
    /// The game afterwards.
    pub table: Arc<GameSnapshot>,
    /// Set if the request had been carried out before, and nothing happened now.
    pub repeated: bool,
}

/// The longest text that is read as an action, in bytes.
const LONGEST_ACTION: usize = 2_048;
/// The most that a seat may say between two steps that is no step itself: offers, answers, changes of a sealed choice.
const MOST_TALK: usize = 32;
/// When so many lines have been said in a game, offers and takebacks are over; it comes to its end before as many steps.
const MOST_LINES: usize = 3 * LONGEST;
/// The longest key of a request, in bytes.
const LONGEST_KEY: usize = 255;

impl Play {
    /// A seat says something. `ply` is where it believes the game to stand; `key` makes a repeated request count once.
    pub async fn act(
        &self,
        id: &str,
        seat: Seat,
        ply: Option<usize>,
        text: &str,
        key: Option<&str>,
    ) -> Result<ActionResult, Error> {
        if text.len() > LONGEST_ACTION {
            return Err(
                Refusal::at(LONGEST_ACTION, format!("an action has at most {LONGEST_ACTION} characters")).into()
            );
        }
        if key.is_some_and(|key| key.is_empty() || key.len() > LONGEST_KEY || key.chars().any(char::is_control)) {
            return Err(Error::Key(format!("an Idempotency-Key has 1 to {LONGEST_KEY} characters that can be seen")));
        }
        let loaded = self.loaded(id).await?;
        let writing = loaded.writing.lock().await;
        // Whoever is told no because another process was faster is asked again where the game stands now.
        let acted = loop {
            let before = loaded.table().version();
            match self.act_once(&loaded, seat, ply, text, key).await {
                Err(error @ (Error::Stale { .. } | Error::Refused(_))) => {
                    let moved = loaded.table().version() > before || self.fell_behind(&loaded).await?;
                    if !moved {
                        return Err(error);
                    }
                }
                acted => break acted?,
            }
        };
        drop(writing);
        self.wake_bots(&acted.table);
        if acted.table.lacks_rematch() {
            return Ok(ActionResult { table: self.rematch(&loaded).await?, ..acted });
        }
        Ok(acted)
    }

    /// What a seat says to the game as this process knows it; `Stale` with the ply at which the game stands if it stands further.
    async fn act_once(
        &self,
        loaded: &LoadedGame,
        seat: Seat,
        ply: Option<usize>,
        text: &str,
        key: Option<&str>,
    ) -> Result<ActionResult, Error> {
        let now = self.flag(loaded).await?;
        let table = loaded.table();
        let asked = ply.map_or_else(|| text.to_owned(), |ply| format!("{ply} {text}"));
        let receipt = key.map(|key| Receipt { seat: seat.name().to_owned(), key: key.to_owned(), outcome: asked });
        let said = match ply {
            Some(ply) if ply != table.game.ply() => Err(Error::Stale { ply: table.game.ply() }),
            Some(_) | None => self.say(&table, Actor::Seat(seat), text, now).map_err(Error::from),
        };
        match said {
            Ok((game, lines)) => self.write(loaded, game, lines, receipt).await,
            Err(error) => match receipt {
                // The state has moved on since a request that is sent again was carried out: its key tells.
                Some(receipt) if self.used(table.id(), &receipt).await? => Ok(ActionResult { table, repeated: true }),
                Some(_) | None => Err(error),
            },
        }
    }

    /// The server says something: `begin`, `forfeit SEAT`.
    pub async fn declare(&self, id: &str, text: &str) -> Result<Arc<GameSnapshot>, Error> {
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        let (game, lines) = self.say(&loaded.table(), Actor::Server, text, self.now())?;
        Ok(self.write(&loaded, game, lines, None).await?.table)
    }

    /// Lets somebody speak, and chance after it as long as it is asked. The first choice that is made while both seats are taken
    /// starts the clocks: nobody's time runs because somebody sat down.
    fn say(
        &self,
        table: &GameSnapshot,
        actor: Actor,
        text: &str,
        now: i64,
    ) -> Result<(Box<Live>, Vec<RecordLine>), Refusal> {
        if let Some(key) = PlayerCommand::named(text.trim()) {
            registry::named(key)?;
        }
        let mut game = table.game.copy();
        let mut lines = vec![game.act(actor, text, now)?];
        if let Actor::Seat(seat) = actor
            && game.talk(seat) > table.game.talk(seat)
            && (table.game.talk(seat) >= MOST_TALK || table.game.said() >= MOST_LINES)
        {
            let why =
                "so much has been said here that no more is kept: make your move, and there is room for offers again";
            return Err(Refusal::new(why));
        }
        let chose = matches!(actor, Actor::Seat(_)) && PlayerCommand::read(&lines[0].text).is_none();
        if chose && table.clocks_wait() && table.complete() && game.outcome().is_none() {
            lines.push(game.act(Actor::Server, "begin", now)?);
        }
        lines.extend(self.chance(&mut game)?);
        Ok((game, lines))
    }

    /// Lets chance speak as long as it is asked.
    pub(super) fn chance(&self, game: &mut Live) -> Result<Vec<RecordLine>, Refusal> {
        let mut lines = Vec::new();
        while game.turn() == Turn::Chance && lines.len() < LONGEST {
            let word = self.draw(|chance| game.chance(chance)).unwrap_or_default();
            lines.push(game.act(Actor::Chance, &word, self.now())?);
        }
        Ok(lines)
    }

    /// Puts lines into the record, and then the game that they lead to before everybody. The loaded game’s `writing` is held.
    pub(super) async fn write(
        &self,
        loaded: &LoadedGame,
        game: Box<Live>,
        lines: Vec<RecordLine>,
        receipt: Option<Receipt>,
    ) -> Result<ActionResult, Error> {
        let table = loaded.table();
        let entries: Vec<NewLine> = lines.iter().map(entry).collect();
        let append = Append {
            game: table.id().to_owned(),
            at: table.row.at,
            lines: entries,
            ply: game.ply() as i64,
            due: game.clocks().due().map(|(due, _)| due),
            bot: bot_players::asked(&game, |seat| table.bot(seat)).map(|_| self.bot_turn()),
            over: game.outcome().map(|outcome| GameEnd { result: result(outcome), time: self.now() }),
            receipt,
        };
        let asked = append.receipt.as_ref().map(|receipt| receipt.outcome.clone());
        match self.inner.store.append(append).await {
            Ok(Appended::New { at, version }) => {
                // If another process has changed the game besides, this one learns of both.
                let next = match version == table.version() + 1 {
                    true => table.next(game, at, version),
                    false => self.read(table.id()).await?,
                };
                Ok(ActionResult { table: loaded.put(next), repeated: false })
            }
            Ok(Appended::Repeated { outcome, .. }) => {
                same(asked.as_deref(), &outcome)?;
                Ok(ActionResult { table, repeated: true })
            }
            Err(StoreError::Conflict { .. }) => {
                let table = loaded.put(self.read(table.id()).await?);
                Err(Error::Stale { ply: table.game.ply() })
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Tells whether a request's key has been used for the same request; refused if it was used for another.
    async fn used(&self, game: &str, receipt: &Receipt) -> Result<bool, Error> {
        match self.inner.store.receipt(game, &receipt.seat, &receipt.key).await? {
            Some(outcome) => same(Some(&receipt.outcome), &outcome).map(|()| true),
            None => Ok(false),
        }
    }
}

/// Tells whether a request whose key was used is the one that it was used for.
fn same(asked: Option<&str>, done: &str) -> Result<(), Error> {
    if asked == Some(done) {
        return Ok(());
    }
    let why = "this Idempotency-Key was used for another action of yours; nothing was done: give each action a key of its own";
    Err(Error::Key(why.to_owned()))
}

/// A line as the record keeps it.
pub(super) fn entry(line: &RecordLine) -> NewLine {
    NewLine { actor: line.actor.to_string(), text: line.text.clone(), time: line.time }
}

/// Writes how a game ended, as its row keeps it.
pub(super) fn result(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(seat, reason) => format!("{seat} wins: {reason}"),
        Outcome::Draw(reason) => format!("draw: {reason}"),
        Outcome::Void(reason) => format!("void: {reason}"),
    }
}
