//! An immutable snapshot of a game: its row, its seats and the state of play, with caches of derived texts.

use std::{
    str::FromStr,
    sync::{Arc, OnceLock},
};

use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use super::{
    Error, Opponent, TableAdvice, Token,
    assessments::{Hint, Review},
    client_bots,
    json_patch::CachedPatch,
};
use crate::{
    bots::Bot,
    game::{Clock, Clocks, Live, PlayerCommand, RecordLine},
    registry::{self, Variant},
    richman::WinnerChange,
    rules::{Refusal, RulesVersion, Seat, Viewer},
    store::{self, GameRecord},
};

/// Maximum number of lines of the move list in one response.
const LINES: usize = 400;

/// A game at one version. Every change creates a new snapshot.
pub struct GameSnapshot {
    /// Row of the game in the database.
    pub row: store::GameRow,
    /// Rows of the seats, seat one first.
    pub seats: Vec<store::SeatRow>,
    /// State of play.
    pub game: Box<Live>,
    /// Id of the rematch.
    pub rematch: Option<String>,
    /// Cached one-line summary of the game for the public.
    pub headline: OnceLock<String>,
    /// Cached PGN for the spectators of a finished game, with the origin of its addresses.
    pub pgn: OnceLock<(String, Arc<str>)>,
    /// Cached rows of the move list, as HTML: for the public, seat one and seat two, each with the board unflipped and flipped.
    sheets: [[OnceLock<Arc<str>>; 2]; 3],
    /// Cached JSON views for the public, seat one and seat two, shared by all listeners.
    pub(super) texts: [OnceLock<Arc<str>>; 3],
    /// Cached patches from the previous JSON view, for the public, seat one and seat two.
    patches: [OnceLock<CachedPatch>; 3],
    /// Cached advice of the endgame tables.
    pub(super) panel: OnceCell<Option<TableAdvice>>,
    /// Cached hints for seat one and seat two.
    pub(super) hints: [OnceCell<Arc<Hint>>; 2],
    /// Cached list of the plies at which the winner changed, for a finished game.
    pub(super) swings: OnceCell<Arc<[WinnerChange]>>,
    /// Cached engine review, for a finished game.
    pub(super) review: OnceLock<Arc<Review>>,
}

impl GameSnapshot {
    /// Cache of the move list's rows for a viewer, with the board unflipped or flipped.
    pub fn sheet(&self, viewer: Viewer, turned: bool) -> &OnceLock<Arc<str>> {
        let of_viewer = viewer.map_or(0, |seat| seat.index() + 1);
        &self.sheets[of_viewer][usize::from(turned)]
    }

    /// Rebuilds a game from its record.
    ///
    /// # Errors
    /// `Broken` if the record cannot be read or replayed.
    pub fn of(record: GameRecord) -> Result<GameSnapshot, Error> {
        let broken =
            |why: String| Error::Broken(format!("the record of game {} cannot be replayed: {why}", record.game.id));
        let variant = registry::find(&record.game.variant)
            .ok_or_else(|| broken(format!("unknown variant {}", record.game.variant)))?;
        let version =
            RulesVersion::try_from(record.game.rules_version).map_err(|refusal| broken(refusal.to_string()))?;
        let options: Map<String, Value> =
            serde_json::from_str(&record.game.options).map_err(|error| broken(error.to_string()))?;
        let controls = record
            .game
            .clock
            .as_deref()
            .map_or(Ok([None; 2]), serde_json::from_str)
            .map_err(|error| broken(error.to_string()))?;
        let lines: Result<Vec<RecordLine>, Refusal> = record.lines.iter().map(line).collect();
        let lines = lines.map_err(|refusal| broken(refusal.to_string()))?;
        let game = variant
            .replay(version, &options, Clocks::new(controls), &lines)
            .map_err(|refusal| broken(refusal.to_string()))?;
        Ok(GameSnapshot {
            row: record.game,
            seats: record.seats,
            game,
            rematch: record.rematch,
            headline: OnceLock::new(),
            pgn: OnceLock::new(),
            sheets: Default::default(),
            texts: Default::default(),
            patches: Default::default(),
            panel: OnceCell::new(),
            hints: Default::default(),
            swings: OnceCell::new(),
            review: OnceLock::new(),
        })
    }

    /// Id of the game.
    pub fn id(&self) -> &str {
        &self.row.id
    }

    /// Variant of the game.
    pub fn variant(&self) -> &'static Variant {
        registry::find(self.game.key()).expect("games are created only from registered variants")
    }

    /// Options that were chosen for the game.
    pub fn options(&self) -> Map<String, Value> {
        serde_json::from_str(&self.row.options).unwrap_or_default()
    }

    /// Time controls of seat one and seat two.
    pub fn controls(&self) -> [Option<Clock>; 2] {
        self.row.clock.as_deref().and_then(|clock| serde_json::from_str(clock).ok()).unwrap_or([None; 2])
    }

    /// Returns whether both players have days per move.
    pub fn by_days(&self) -> bool {
        self.controls().iter().all(|clock| matches!(clock, Some(Clock::Days { .. })))
    }

    /// Row of a seat.
    pub fn chair(&self, seat: Seat) -> Option<&store::SeatRow> {
        self.seats.iter().find(|chair| chair.seat == seat.name())
    }

    /// Seat that a token gives access to: as its own token, or as the key that owns it.
    pub fn seat(&self, token: &Token) -> Viewer {
        self.seat_of_token(token).or_else(|| self.seat_of_key(&token.digest()))
    }

    /// Seat whose own token this is.
    pub fn seat_of_token(&self, token: &Token) -> Viewer {
        let digest = token.digest();
        let chair = self.seats.iter().find(|chair| chair.token.as_ref() == Some(&digest))?;
        chair.seat.parse().ok()
    }

    /// Seat that a key holds. A challenge gives no access to the seat before it is accepted.
    pub(super) fn seat_of_key(&self, key: &store::Digest) -> Viewer {
        self.seat_for_key(key).filter(|seat| self.taken(*seat))
    }

    /// Name of the client-run bot that plays a seat.
    pub fn program(&self, seat: Seat) -> Option<&str> {
        self.chair(seat)?.name.as_deref().and_then(client_bots::unmarked)
    }

    /// Returns whether a player or bot has taken a seat.
    pub fn taken(&self, seat: Seat) -> bool {
        self.chair(seat).is_some_and(|chair| chair.claimed.is_some())
    }

    /// Returns whether both seats are taken.
    pub fn complete(&self) -> bool {
        Seat::BOTH.into_iter().all(|seat| self.taken(seat))
    }

    /// Returns whether the game has clocks that have not started.
    pub fn clocks_wait(&self) -> bool {
        self.game.clocks().controls() != [None; 2] && !self.game.clocks().begun() && self.game.outcome().is_none()
    }

    /// Seat of an opponent who has just joined by invitation. Reported until the player in the given seat has moved.
    pub fn newly_joined(&self, beside: Seat) -> Option<Seat> {
        let came = self.chair(!beside).is_some_and(|chair| chair.invite.is_some() && chair.claimed.is_some());
        let early = self.game.can(beside, PlayerCommand::Abort) && !self.game.can(beside, PlayerCommand::Takeback);
        (came && early).then_some(!beside)
    }

    /// Display name of the player in a seat.
    pub fn name(&self, seat: Seat) -> String {
        let given = self.chair(seat).and_then(|chair| chair.name.clone());
        given.unwrap_or_else(|| match (self.bot(seat), self.taken(seat)) {
            (Some(bot), _) => format!("bot {}", bot.name()),
            (None, true) => "Anonymous".to_owned(),
            (None, false) => "Open seat".to_owned(),
        })
    }

    /// Returns whether the player in a seat has a name.
    pub fn named(&self, seat: Seat) -> bool {
        self.bot(seat).is_some() || self.chair(seat).is_some_and(|chair| chair.name.is_some())
    }

    /// Kind of opponent that the creator chose.
    pub fn opponent(&self) -> Opponent {
        Opponent::from_str(&self.row.opponent).unwrap_or(Opponent::Link)
    }

    /// Built-in bot that plays a seat.
    pub fn bot(&self, seat: Seat) -> Option<Bot> {
        let silent = self
            .chair(seat)
            .is_some_and(|chair| chair.token.is_none() && chair.invite.is_none() && chair.claimed.is_some());
        self.opponent().bot().filter(|_| silent)
    }

    /// Number of changes of the game in the database.
    pub(super) fn version(&self) -> i64 {
        self.row.version
    }

    /// Version of the game for the holder of these seats. It does not count an opponent's changes to a sealed choice, which would reveal
    /// them.
    pub fn visible_version(&self, held: &[Seat]) -> i64 {
        let hidden =
            Seat::BOTH.into_iter().filter(|seat| !held.contains(seat)).map(|seat| self.game.replaced_choices(seat));
        self.row.version - hidden.sum::<usize>() as i64
    }

    /// Returns whether both players want a rematch that does not exist yet.
    pub(super) fn lacks_rematch(&self) -> bool {
        self.rematch.is_none() && self.game.offers().rematch == [true; 2]
    }

    /// JSON view of the game for a viewer.
    pub fn json(&self, viewer: Viewer) -> Value {
        self.json_before(viewer, usize::MAX)
    }

    /// JSON view whose move list ends before line `before`, counted from 0. It has at most `LINES` lines, the last ones. `earlier` in the
    /// diagram is the number of lines before them.
    pub fn json_before(&self, viewer: Viewer, before: usize) -> Value {
        let mut json = self.game.json(viewer);
        let diagram = &mut json["view"]["diagram"];
        if let Some(sheet) = diagram["sheet"].as_array_mut() {
            sheet.truncate(before);
            let earlier = sheet.len().saturating_sub(LINES);
            sheet.drain(..earlier);
            diagram["earlier"] = earlier.into();
        }
        json["id"] = self.id().into();
        json["version"] = self.visible_version(viewer.as_slice()).into();
        json["seat"] = json!(viewer);
        let player = |seat: Seat| json!({"name": self.name(seat), "taken": self.taken(seat), "bot": self.bot(seat).map(Bot::name).or(self.program(seat))});
        json["players"] = json!({"one": player(Seat::One), "two": player(Seat::Two)});
        json["rematch"] = json!(self.rematch);
        let code = |id: &String| viewer.and_then(|seat| self.rematch_code(seat, id));
        json["rematch_invite"] = json!(self.rematch.as_ref().and_then(code));
        json
    }

    /// JSON of the changes since the view `since`: the new `version`, and `changes` as a JSON Patch.
    pub fn patch(&self, viewer: Viewer, since: Arc<str>, now: &str) -> Option<Arc<str>> {
        let kept = &self.patches[viewer.map_or(0, |seat| 1 + seat.index())];
        if let Some(patch) = kept.get().and_then(|made| made.for_reader_of(&since)) {
            return Some(patch);
        }
        let made = CachedPatch::new(since, now)?;
        let patch = made.patch.clone();
        // Listeners may have different earlier views. The first to arrive usually has the most common one, so its patch is kept.
        let _ = kept.set(made);
        Some(patch)
    }

    /// Returns whether a viewer may see the advice of the endgame tables: everyone after the game, and players during it if both have
    /// agreed.
    pub fn sees_advice(&self, viewer: Viewer) -> bool {
        self.game.outcome().is_some() || self.game.diagram(viewer).panel
    }

    /// Returns whether a viewer sees any table values. In games decided by coin tosses, everyone sees the chances.
    pub fn sees_table_values(&self, viewer: Viewer) -> bool {
        self.sees_advice(viewer) || self.game.endgame().is_some_and(|moment| moment.chips.is_none())
    }

    /// A snapshot with another state of play and the same row data, seats and rematch.
    pub(super) fn next(&self, game: Box<Live>, at: i64, version: i64) -> GameSnapshot {
        let row = store::GameRow { at, version, ply: game.ply() as i64, ..self.row.clone() };
        GameSnapshot {
            row,
            seats: self.seats.clone(),
            game,
            rematch: self.rematch.clone(),
            headline: OnceLock::new(),
            pgn: OnceLock::new(),
            sheets: Default::default(),
            texts: Default::default(),
            patches: Default::default(),
            panel: OnceCell::new(),
            hints: Default::default(),
            swings: OnceCell::new(),
            review: OnceLock::new(),
        }
    }
}

fn line(line: &store::LineRow) -> Result<RecordLine, Refusal> {
    Ok(RecordLine { actor: line.actor.parse()?, text: line.text.clone(), time: line.time })
}
