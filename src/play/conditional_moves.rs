//! Conditional moves of correspondence games: a player prepares replies to moves of the opponent, and the server plays them. Only their
//! owner sees them. A reply is written after the opponent's action, as an action of its own, so that the answer to the opponent's request
//! is the same with and without it.

use super::{Error, GameSnapshot, Opponent, Play};
use crate::{
    game::{Clock, LabelledAction, Live, PlayerCommand},
    rules::{Actor, Refusal, Seat, Turn},
    store::{ConditionalMovesRow, ConditionalMovesUpdate},
};
use std::{collections::HashMap, sync::Arc};

/// Maximum number of half-moves in all conditional lines of a seat together.
pub const MOST_CONDITIONAL_MOVES: usize = 100;
/// Number of games per batch.
const BATCH: u32 = 100;

/// Conditional moves of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionalMoves {
    /// Ply at which the lines begin.
    pub ply: usize,
    /// Lines of a move of the opponent, the player's reply, and so on.
    pub lines: Vec<Vec<LabelledAction>>,
}

/// Whether the game waits for a move of a seat, with no secrets.
fn awaits_move(game: &Live, seat: Seat) -> bool {
    let open = Seat::BOTH.into_iter().all(|seat| !game.hides(seat));
    game.turn() == Turn::One(seat) && game.phase() == "move" && open
}

/// Reads a line and checks its moves, the opponent's first.
fn read_line(start: &Live, seat: Seat, texts: &[String]) -> Result<Vec<LabelledAction>, Refusal> {
    let mut game = start.copy();
    let mut line = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        let mover = if number % 2 == 0 { !seat } else { seat };
        let wrong = |why: &str| {
            let line = texts.join(" ");
            Refusal::new(format!("the line “{line:.80}” is not possible at half-move {}: {why}", number + 1))
        };
        if !awaits_move(&game, mover) {
            return Err(wrong("the game is over by then, or does not wait for that player"));
        }
        if PlayerCommand::read(text).is_some() {
            return Err(wrong(&format!("“{text:.20}” is not a move")));
        }
        let time = game.last_line_time().unwrap_or_default();
        let mut before = game.copy();
        let action = game.act(Actor::Seat(mover), text, time).map_err(|refusal| wrong(&refusal.why))?.text;
        let notation = game.diagram(Some(seat)).sheet.last().map(|entry| entry.text.clone()).unwrap_or_default();
        let readable = before.act(Actor::Seat(mover), &notation, time).is_ok_and(|line| line.text == action);
        let label = if readable { notation } else { action.clone() };
        line.push(LabelledAction { action, label });
    }
    Ok(line)
}

/// Reads lines. Drops repetitions and lines that others continue.
///
/// # Errors
/// If a move is illegal, a line ends with a move of the opponent, two lines have different replies to the same moves, or there are more
/// than [`MOST_CONDITIONAL_MOVES`] half-moves.
fn read_lines(start: &Live, seat: Seat, texts: &[Vec<String>]) -> Result<Vec<Vec<LabelledAction>>, Refusal> {
    if texts.iter().map(Vec::len).sum::<usize>() > MOST_CONDITIONAL_MOVES {
        return Err(Refusal::new(format!(
            "the conditional lines may have at most {MOST_CONDITIONAL_MOVES} half-moves together: shorten or remove some"
        )));
    }
    let mut lines: Vec<Vec<LabelledAction>> = Vec::new();
    let mut replies: HashMap<Vec<String>, LabelledAction> = HashMap::new();
    for texts in texts.iter().filter(|texts| !texts.is_empty()) {
        let line = read_line(start, seat, texts)?;
        if line.len() % 2 == 1 {
            let text = texts.join(" ");
            return Err(Refusal::new(format!(
                "the line “{text:.80}” ends with a move of your opponent and lacks your reply: add it, or remove the last move"
            )));
        }
        let actions: Vec<String> = line.iter().map(|said| said.action.clone()).collect();
        for at in (1..line.len()).step_by(2) {
            let reply = replies.entry(actions[..at].to_vec()).or_insert_with(|| line[at].clone());
            if reply.action != actions[at] {
                let [before, one, two] = [&line[at - 1], &*reply, &line[at]].map(|said| &said.label);
                return Err(Refusal::new(format!("there are two replies to {before}: {one} and {two}. Keep one")));
            }
        }
        lines.push(line);
    }
    let all = lines.clone();
    let mut number = 0;
    lines.retain(|line| {
        number += 1;
        let longer = |other: &Vec<LabelledAction>| other.len() > line.len() && other.starts_with(line);
        !all.iter().any(longer) && !all[..number - 1].contains(line)
    });
    Ok(lines)
}

/// The stored lines that the game has followed so far, and the number of their half-moves that were played. `None` if there are none.
fn followed(game: &Live, row: &ConditionalMovesRow) -> Option<(usize, Vec<Vec<String>>)> {
    let begin = usize::try_from(row.ply).ok()?;
    if game.outcome().is_some() || game.ply() < begin || i64::try_from(game.retracted()) != Ok(row.takebacks) {
        return None;
    }
    let steps = game.lines(None).into_iter().filter(|line| line.step.is_some_and(|step| step > begin));
    let played: Vec<String> = steps.filter_map(|line| line.text).collect();
    let mut lines: Vec<Vec<String>> = serde_json::from_str(&row.lines).ok()?;
    lines.retain(|line| line.len() > played.len() && line.starts_with(&played));
    (!lines.is_empty()).then_some((played.len(), lines))
}

impl GameSnapshot {
    /// Whether two players play without clocks or with days per move.
    fn is_correspondence(&self) -> bool {
        let people = match self.opponent() {
            Opponent::Link | Opponent::Open | Opponent::Program(_) | Opponent::Challenge(_) => true,
            Opponent::Bot(_) | Opponent::Own => false,
        };
        people && self.controls().iter().all(|clock| matches!(clock, None | Some(Clock::Days { .. })))
    }

    /// Whether the players of this game can have conditional moves at some turn.
    pub fn has_conditional_moves(&self) -> bool {
        let moves_only = (self.variant().phrases)().iter().all(|form| form.phases == ["move"]);
        let open = Seat::BOTH.into_iter().all(|seat| !self.game.hides(seat));
        self.is_correspondence() && moves_only && open && self.game.outcome().is_none()
    }

    /// Checks that a player may store conditional moves now.
    ///
    /// # Errors
    /// Refused with the reason.
    pub fn may_have_conditional_moves(&self, seat: Seat) -> Result<(), Refusal> {
        let refuse = |why: &str| Err(Refusal::new(why));
        if self.game.outcome().is_some() {
            return refuse("the game is over");
        }
        if !self.is_correspondence() {
            return refuse(
                "conditional moves are for correspondence games against an opponent: with days per move, or without clocks",
            );
        }
        if !self.complete() {
            return refuse("conditional moves are possible once your opponent has joined");
        }
        if self.game.awaits().contains(&seat) {
            return refuse("it is your turn: conditional moves are possible while your opponent is to move");
        }
        // In some variants chance or an auction decides who moves next.
        let mut then = self.game.copy();
        let moves = self.game.diagram(Some(!seat)).choices.unwrap_or_default();
        let tried = moves.iter().find_map(|choice| then.act(Actor::Seat(!seat), &choice.action, 0).ok());
        let alternate = tried.is_none() || then.outcome().is_some() || then.turn() == Turn::One(seat);
        let follows = awaits_move(&self.game, !seat) && alternate;
        match follows {
            true => Ok(()),
            false => {
                refuse("conditional moves are only for turns of alternate moves, without secrets, bids and chance")
            }
        }
    }
}

impl Play {
    /// Conditional moves that a seat has stored and the game has followed so far; empty if there are none.
    ///
    /// # Errors
    /// As [`Pool::run`](super::Pool::run), or if the database cannot be read.
    pub async fn conditional_moves(&self, table: &Arc<GameSnapshot>, seat: Seat) -> Result<ConditionalMoves, Error> {
        let rows = self.inner.store.conditional_moves(table.id()).await?;
        let row = rows.into_iter().find(|row| row.seat == seat.name());
        let table = table.clone();
        let work = move || {
            let now = ConditionalMoves { ply: table.game.ply(), lines: Vec::new() };
            let Some((played, lines)) = row.and_then(|row| followed(&table.game, &row)) else { return now };
            let rest: Vec<Vec<String>> = lines.into_iter().map(|line| line[played..].to_vec()).collect();
            let read = read_lines(&table.game, seat, &rest);
            read.map_or(now.clone(), |lines| ConditionalMoves { lines, ..now })
        };
        self.inner.pools.games.run(work).await
    }

    /// Stores conditional moves of a seat, in place of any earlier ones. `ply` is the ply at which the lines begin: the current one.
    ///
    /// # Errors
    /// `Stale` if the game is at another ply; `Refused` if a line is not possible, or the game has no conditional moves.
    pub async fn set_conditional_moves(
        &self,
        table: &Arc<GameSnapshot>,
        seat: Seat,
        ply: usize,
        texts: Vec<Vec<String>>,
    ) -> Result<ConditionalMoves, Error> {
        if ply != table.game.ply() {
            return Err(Error::Stale { ply: table.game.ply() });
        }
        let here = table.clone();
        let work = move || {
            here.may_have_conditional_moves(seat)?;
            read_lines(&here.game, seat, &texts)
        };
        let lines = self.inner.pools.games.run(work).await??;
        let actions: Vec<Vec<&str>> =
            lines.iter().map(|line| line.iter().map(|said| said.action.as_str()).collect()).collect();
        let (game, seat) = (table.id().to_owned(), seat.name().to_owned());
        let change = match serde_json::to_string(&actions) {
            Ok(lines) if !actions.is_empty() => ConditionalMovesUpdate::Set(ConditionalMovesRow {
                game,
                seat,
                ply: ply as i64,
                takebacks: table.game.retracted() as i64,
                lines,
            }),
            Ok(_) | Err(_) => ConditionalMovesUpdate::Clear { game, seat },
        };
        self.inner.store.update_conditional_moves(change).await?;
        // The opponent may have moved in the meantime.
        self.wake_conditional_moves(table);
        Ok(ConditionalMoves { ply, lines })
    }

    /// Deletes the conditional moves of a seat.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn clear_conditional_moves(&self, table: &GameSnapshot, seat: Seat) -> Result<(), Error> {
        let (game, seat) = (table.id().to_owned(), seat.name().to_owned());
        Ok(self.inner.store.update_conditional_moves(ConditionalMovesUpdate::Clear { game, seat }).await?)
    }

    /// Plays a conditional move in the background, if the game waits for one.
    pub(super) fn wake_conditional_moves(&self, table: &GameSnapshot) {
        if table.is_correspondence() {
            let (play, id) = (self.clone(), table.id().to_owned());
            tokio::spawn(async move {
                if let Err(error) = play.play_conditional_move(&id).await {
                    tracing::warn!(%error, "conditional move failed");
                }
            });
        }
    }

    /// Plays conditional moves that were not played because a server stopped, and deletes lines that no longer apply. Call periodically.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub async fn resume_conditional_moves(&self) -> Result<(), Error> {
        let mut last = String::new();
        loop {
            let games = self.inner.store.overtaken_conditional_moves(&last, BATCH).await?;
            for id in &games {
                match self.play_conditional_move(id).await {
                    Err(Error::Broken(why)) => self.mark_unreadable(id, &why),
                    Err(Error::Unknown(_)) | Ok(()) => {}
                    Err(other) => return Err(other),
                }
            }
            match games.into_iter().nth(BATCH as usize - 1) {
                Some(id) => last = id,
                None => return Ok(()),
            }
        }
    }

    /// Plays the conditional move that a game waits for, if there is one. Deletes lines that the game has left.
    async fn play_conditional_move(&self, id: &str) -> Result<(), Error> {
        let rows = self.inner.store.conditional_moves(id).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let table = self.look(id).await?;
        for row in rows {
            let reply = match (row.seat.parse::<Seat>(), followed(&table.game, &row)) {
                (Ok(seat), Some((played, lines))) if table.game.awaits().contains(&seat) => {
                    Some((seat, lines[0][played].clone()))
                }
                (Ok(_), Some(_)) => continue,
                (Ok(_) | Err(_), _) => None,
            };
            let ended = match reply {
                Some((seat, reply)) => match Box::pin(self.act(id, seat, Some(table.game.ply()), &reply, None)).await {
                    Ok(_) | Err(Error::Stale { .. }) => false,
                    Err(Error::Refused(_)) => true,
                    Err(other) => return Err(other),
                },
                None => true,
            };
            if ended {
                self.inner.store.update_conditional_moves(ConditionalMovesUpdate::End(row)).await?;
            }
        }
        Ok(())
    }
}
