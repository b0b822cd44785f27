//! Applying actions to a game. Chance answers an action at once, and everything is committed before any viewer sees it.

use std::{str::FromStr, sync::Arc};

use super::{Error, GameSnapshot, IdempotencyKey, Play, bot_players, game_cache::LoadedGame};
use crate::{
    game::{LONGEST, Live, PlayerCommand, RecordLine},
    registry,
    rules::{Actor, Outcome, Refusal, Seat, Turn},
    store::{Append, Appended, GameEnd, NewLine, Receipt, StoreError},
};

/// The result of an action.
#[derive(Clone)]
pub struct ActionResult {
    /// The game after the action.
    pub table: Arc<GameSnapshot>,
    /// True if an earlier request with the same key had applied the action already.
    pub repeated: bool,
}

/// Maximum length of an action in bytes.
const LONGEST_ACTION: usize = 2_048;
/// Maximum number of offers, answers and changed sealed choices per seat between two steps.
const MAX_NON_STEPS: usize = 32;
/// Number of record lines after which a game accepts no more offers or takebacks. The game ends at a third of this number of steps.
const MOST_LINES: usize = 3 * LONGEST;

impl Play {
    /// Applies an action of a seat. `ply` is the ply that the client acted at; `key` makes a repeated request count once.
    ///
    /// # Errors
    /// `Stale` if the game is at another ply; `Refused` by the rules; `Key` if the key was used for another action.
    pub async fn act(
        &self,
        id: &str,
        seat: Seat,
        ply: Option<usize>,
        text: &str,
        key: Option<&IdempotencyKey>,
    ) -> Result<ActionResult, Error> {
        if text.len() > LONGEST_ACTION {
            return Err(
                Refusal::at(LONGEST_ACTION, format!("an action may have at most {LONGEST_ACTION} bytes")).into()
            );
        }
        let loaded = self.loaded(id).await?;
        let writing = loaded.writing.lock().await;
        // A refusal may come from an outdated snapshot, because another process has written to the game. In that case, try again on the current one.
        let acted = loop {
            let before = loaded.table().version();
            match self.act_once(&loaded, seat, ply, text, key).await {
                Err(error @ (Error::Stale { .. } | Error::Refused(_))) => {
                    let moved = loaded.table().version() > before || self.reload_if_outdated(&loaded).await?;
                    if !moved {
                        return Err(error);
                    }
                }
                acted => break acted?,
            }
        };
        drop(writing);
        self.wake_bots(&acted.table);
        self.wake_conditional_moves(&acted.table);
        if acted.table.lacks_rematch() {
            return Ok(ActionResult { table: self.rematch(&loaded).await?, ..acted });
        }
        Ok(acted)
    }

    /// Applies an action to the game as this process has it in memory. Fails with `Stale` if `ply` is not the current ply.
    async fn act_once(
        &self,
        loaded: &LoadedGame,
        seat: Seat,
        ply: Option<usize>,
        text: &str,
        key: Option<&IdempotencyKey>,
    ) -> Result<ActionResult, Error> {
        let now = self.check_clock(loaded).await?;
        let table = loaded.table();
        let asked = ply.map_or_else(|| text.to_owned(), |ply| format!("{ply} {text}"));
        let receipt =
            key.map(|key| Receipt { seat: seat.name().to_owned(), key: key.as_str().to_owned(), outcome: asked });
        let said = match ply {
            Some(ply) if ply != table.game.ply() => Err(Error::Stale { ply: table.game.ply() }),
            Some(_) | None => self.apply_action(&table, Actor::Seat(seat), text, now).map_err(Error::from),
        };
        match said {
            Ok((game, lines)) => self.write(loaded, game, lines, receipt).await,
            Err(error) => match receipt {
                // A repeated request fails here because its first copy has changed the game; the stored key identifies it.
                Some(receipt) if self.was_applied(table.id(), &receipt).await? => {
                    Ok(ActionResult { table, repeated: true })
                }
                Some(_) | None => Err(error),
            },
        }
    }

    /// Applies an action of the server: `begin`, `forfeit SEAT`, `expire`.
    pub async fn apply_server_action(&self, id: &str, text: &str) -> Result<Arc<GameSnapshot>, Error> {
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        let (game, lines) = self.apply_action(&loaded.table(), Actor::Server, text, self.now())?;
        Ok(self.write(&loaded, game, lines, None).await?.table)
    }

    /// Applies an action to a copy of the game, followed by any chance events. The clocks start with the first choice that is made while
    /// both seats are taken, so a player's time never runs merely because the opponent has joined.
    fn apply_action(
        &self,
        table: &GameSnapshot,
        actor: Actor,
        text: &str,
        now: i64,
    ) -> Result<(Box<Live>, Vec<RecordLine>), Refusal> {
        if let Some(key) = PlayerCommand::named(text.trim()) {
            registry::find_or_refuse(key)?;
        }
        let mut game = table.game.copy();
        let mut lines = vec![game.act(actor, text, now)?];
        if let Actor::Seat(seat) = actor
            && game.extra_lines(seat) > table.game.extra_lines(seat)
            && (table.game.extra_lines(seat) >= MAX_NON_STEPS || table.game.line_count() >= MOST_LINES)
        {
            let why = "there have been too many offers and changed choices; make your move first";
            return Err(Refusal::new(why));
        }
        let chose = matches!(actor, Actor::Seat(_)) && PlayerCommand::read(&lines[0].text).is_none();
        if chose && table.clocks_wait() && table.complete() && game.outcome().is_none() {
            lines.push(game.act(Actor::Server, "begin", now)?);
        }
        lines.extend(self.play_chance(&mut game)?);
        if game.ply() > table.game.ply() && game.may_rest() {
            lines.push(game.act(Actor::Server, "rest", now)?);
        }
        Ok((game, lines))
    }

    /// Applies chance events until the game waits for a player.
    pub(super) fn play_chance(&self, game: &mut Live) -> Result<Vec<RecordLine>, Refusal> {
        let mut lines = Vec::new();
        while game.turn() == Turn::Chance && lines.len() < LONGEST {
            let word = self.draw(|chance| game.chance(chance)).unwrap_or_default();
            lines.push(game.act(Actor::Chance, &word, self.now())?);
        }
        Ok(lines)
    }

    /// Commits lines to the record and then publishes the resulting game. The caller holds the loaded game’s `writing` lock.
    pub(super) async fn write(
        &self,
        loaded: &LoadedGame,
        game: Box<Live>,
        lines: Vec<RecordLine>,
        receipt: Option<Receipt>,
    ) -> Result<ActionResult, Error> {
        let table = loaded.table();
        let entries: Vec<NewLine> = lines.iter().map(new_line).collect();
        let append = Append {
            game: table.id().to_owned(),
            at: table.row.at,
            lines: entries,
            ply: game.ply() as i64,
            due: game.clocks().next_deadline().map(|(due, _)| due),
            bot: bot_players::asked(&game, |seat| table.bot(seat)).map(|_| self.bot_turn()),
            // A later line, such as the offer of a rematch, does not end the game again.
            over: game
                .outcome()
                .filter(|_| table.game.outcome().is_none())
                .map(|outcome| GameEnd { result: result(outcome), time: self.now() }),
            receipt,
        };
        let asked = append.receipt.as_ref().map(|receipt| receipt.outcome.clone());
        match self.inner.store.append(append).await {
            Ok(Appended::New { at, version }) => {
                // Another process has written between the snapshot and these lines, so the game must be read again.
                let next = match version == table.version() + 1 {
                    true => table.next(game, at, version),
                    false => self.read(table.id()).await?,
                };
                Ok(ActionResult { table: loaded.put(next), repeated: false })
            }
            Ok(Appended::Repeated { outcome, .. }) => {
                check_same_request(asked.as_deref(), &outcome)?;
                Ok(ActionResult { table, repeated: true })
            }
            Err(StoreError::Conflict { .. }) => {
                let table = loaded.put(self.read(table.id()).await?);
                Err(Error::Stale { ply: table.game.ply() })
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Returns whether a request's key has been used for the same request. Fails if it was used for a different one.
    async fn was_applied(&self, game: &str, receipt: &Receipt) -> Result<bool, Error> {
        match self.inner.store.receipt(game, &receipt.seat, &receipt.key).await? {
            Some(outcome) => check_same_request(Some(&receipt.outcome), &outcome).map(|()| true),
            None => Ok(false),
        }
    }
}

/// Checks that a repeated key belongs to the same request as before.
fn check_same_request(asked: Option<&str>, done: &str) -> Result<(), Error> {
    if asked == Some(done) {
        return Ok(());
    }
    let why = "this Idempotency-Key was used for another action, so nothing was done; use a new key for each action";
    Err(Error::Key(why.to_owned()))
}

/// Converts a record line for the store.
pub(super) fn new_line(line: &RecordLine) -> NewLine {
    NewLine { actor: line.actor.to_string(), text: line.text.clone(), time: line.time }
}

/// Result of a finished game, as its row has it.
pub(super) struct RecordedResult {
    pub(super) winner: Option<Seat>,
    /// The game does not count.
    pub(super) void: bool,
    pub(super) reason: String,
}

impl FromStr for RecordedResult {
    type Err = Error;

    /// Reads what [`result`] has written.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (how, reason) =
            text.split_once(": ").ok_or_else(|| Error::Broken(format!("“{text}” is not the result of a game")))?;
        let winner = how.strip_suffix(" wins").map(str::parse).transpose()?;
        Ok(RecordedResult { winner, void: how == "void", reason: reason.to_owned() })
    }
}

/// Formats an outcome for the row of the game.
pub(super) fn result(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(seat, reason) => format!("{seat} wins: {reason}"),
        Outcome::Draw(reason) => format!("draw: {reason}"),
        Outcome::Void(reason) => format!("void: {reason}"),
    }
}
