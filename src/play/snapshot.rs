//! A game as it stood at one moment, with everything that lies around the board: the row, the chairs, the game itself.

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
    json_patch::Made,
};
use crate::{
    bots::Bot,
    game::{Clock, Clocks, Live, PlayerCommand, RecordLine},
    registry::{self, Variant},
    richman::WinnerChange,
    rules::{Refusal, RulesVersion, Seat, Viewer},
    store::{self, GameRecord},
};

/// The lines of a score sheet that are told at once.
const LINES: usize = 400;

/// One moment of a game. It never changes: what happens makes the next one.
pub struct GameSnapshot {
    /// The row.
    pub row: store::GameRow,
    /// The chairs, seat one's first.
    pub seats: Vec<store::SeatRow>,
    /// The game.
    pub game: Box<Live>,
    /// The id of its rematch.
    pub rematch: Option<String>,
    /// The line that tells anybody how the game stands, once somebody has asked.
    pub headline: OnceLock<String>,
    /// The rows of the score sheet as nobody, seat one and seat two see them on a page, from either side of the board, once somebody
    /// has looked.
    sheets: [[OnceLock<Arc<str>>; 2]; 3],
    /// The game as nobody, seat one and seat two see it, once somebody has asked: many may listen to one game.
    pub(super) texts: [OnceLock<Arc<str>>; 3],
    /// What has changed since nobody, seat one and seat two were told of the game the last time, once somebody was told so.
    patches: [OnceLock<Made>; 3],
    /// The word of the endgame tables about the moment, once somebody who may see it has asked.
    pub(super) panel: OnceCell<Option<TableAdvice>>,
    /// The hints that both seats have had at this moment.
    pub(super) hints: [OnceCell<Arc<Hint>>; 2],
    /// Where the win changed hands, once somebody has asked about a game that is over.
    pub(super) swings: OnceCell<Arc<[WinnerChange]>>,
    /// What the engine thinks of the game when it is over, once somebody has asked and it is known.
    pub(super) review: OnceLock<Arc<Review>>,
}

impl GameSnapshot {
    /// The place of the score sheet's rows as a viewer sees them on a page, with the board as it stands or turned round.
    pub fn sheet(&self, viewer: Viewer, turned: bool) -> &OnceLock<Arc<str>> {
        let of_viewer = viewer.map_or(0, |seat| seat.index() + 1);
        &self.sheets[of_viewer][usize::from(turned)]
    }

    /// The moment that a record tells.
    pub fn of(record: GameRecord) -> Result<GameSnapshot, Error> {
        let broken = |why: String| Error::Broken(format!("the record of game {}: {why}", record.game.id));
        let variant = registry::find(&record.game.variant)
            .ok_or_else(|| broken(format!("no variant {}", record.game.variant)))?;
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
            sheets: Default::default(),
            texts: Default::default(),
            patches: Default::default(),
            panel: OnceCell::new(),
            hints: Default::default(),
            swings: OnceCell::new(),
            review: OnceLock::new(),
        })
    }

    /// The game's id.
    pub fn id(&self) -> &str {
        &self.row.id
    }

    /// The variant.
    pub fn variant(&self) -> &'static Variant {
        registry::find(self.game.key()).expect("the game was made by the list of variants")
    }

    /// The options record of the game.
    pub fn options(&self) -> Map<String, Value> {
        serde_json::from_str(&self.row.options).unwrap_or_default()
    }

    /// The time controls that were agreed on.
    pub fn controls(&self) -> [Option<Clock>; 2] {
        self.row.clock.as_deref().and_then(|clock| serde_json::from_str(clock).ok()).unwrap_or([None; 2])
    }

    /// A chair.
    pub fn chair(&self, seat: Seat) -> Option<&store::SeatRow> {
        self.seats.iter().find(|chair| chair.seat == seat.name())
    }

    /// The seat that a token proves: its own, or one that belongs to it as a key.
    pub fn seat(&self, token: &Token) -> Viewer {
        self.proved(token).or_else(|| self.owned(&token.digest()))
    }

    /// The seat whose own proof a token is.
    pub fn proved(&self, token: &Token) -> Viewer {
        let digest = token.digest();
        let chair = self.seats.iter().find(|chair| chair.token.as_ref() == Some(&digest))?;
        chair.seat.parse().ok()
    }

    /// The seat that belongs to a key.
    pub(super) fn owned(&self, key: &store::Digest) -> Viewer {
        let chair = self.seats.iter().find(|chair| chair.owner.as_ref() == Some(key))?;
        chair.seat.parse().ok()
    }

    /// The name of somebody else's program that plays a seat.
    pub fn program(&self, seat: Seat) -> Option<&str> {
        self.chair(seat)?.name.as_deref().and_then(client_bots::unmarked)
    }

    /// Tells whether somebody sits there, or a bot.
    pub fn taken(&self, seat: Seat) -> bool {
        self.chair(seat).is_some_and(|chair| chair.claimed.is_some())
    }

    /// Tells whether both seats are taken.
    pub fn complete(&self) -> bool {
        Seat::BOTH.into_iter().all(|seat| self.taken(seat))
    }

    /// Tells whether there are clocks that have not begun to run.
    pub fn clocks_wait(&self) -> bool {
        self.game.clocks().controls() != [None; 2] && !self.game.clocks().begun() && self.game.outcome().is_none()
    }

    /// The seat to which somebody has come since the game was offered; news for the player beside them until that player has moved.
    pub fn arrived(&self, beside: Seat) -> Option<Seat> {
        let came = self.chair(!beside).is_some_and(|chair| chair.invite.is_some() && chair.claimed.is_some());
        let early = self.game.can(beside, PlayerCommand::Abort) && !self.game.can(beside, PlayerCommand::Takeback);
        (came && early).then_some(!beside)
    }

    /// The name by which the player of a seat is called.
    pub fn name(&self, seat: Seat) -> String {
        let given = self.chair(seat).and_then(|chair| chair.name.clone());
        given.unwrap_or_else(|| match (self.bot(seat), self.taken(seat)) {
            (Some(bot), _) => format!("bot {}", bot.name()),
            (None, true) => "Anonymous".to_owned(),
            (None, false) => "nobody yet".to_owned(),
        })
    }

    /// Tells whether there is a name for whoever sits in a seat.
    pub fn named(&self, seat: Seat) -> bool {
        self.bot(seat).is_some() || self.chair(seat).is_some_and(|chair| chair.name.is_some())
    }

    /// The opponent of whoever began the game.
    pub fn opponent(&self) -> Opponent {
        Opponent::from_str(&self.row.opponent).unwrap_or(Opponent::Link)
    }

    /// The bot that plays a seat.
    pub fn bot(&self, seat: Seat) -> Option<Bot> {
        let silent = self
            .chair(seat)
            .is_some_and(|chair| chair.token.is_none() && chair.invite.is_none() && chair.claimed.is_some());
        self.opponent().bot().filter(|_| silent)
    }

    /// The number of times the game has changed, as the record counts.
    pub(super) fn version(&self) -> i64 {
        self.row.version
    }

    /// The number of times the game has changed for whoever holds these seats: that the other side has put another choice in the place of
    /// a sealed one, they never learn.
    pub fn told(&self, held: &[Seat]) -> i64 {
        let hidden = Seat::BOTH.into_iter().filter(|seat| !held.contains(seat)).map(|seat| self.game.resealed(seat));
        self.row.version - hidden.sum::<usize>() as i64
    }

    /// Tells whether both sides want a rematch that has not been begun.
    pub(super) fn lacks_rematch(&self) -> bool {
        self.rematch.is_none() && self.game.offers().rematch == [true; 2]
    }

    /// All that a viewer may see, for programs.
    pub fn json(&self, viewer: Viewer) -> Value {
        self.json_before(viewer, usize::MAX)
    }

    /// The same with lines of the score sheet that stand before one of them, counted from 0: at most [`LINES`], the last of them. Of long
    /// games this is a page; `earlier` of the diagram says how many lines there are before those on it.
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
        json["version"] = self.told(viewer.as_slice()).into();
        json["seat"] = json!(viewer);
        let player = |seat: Seat| json!({"name": self.name(seat), "taken": self.taken(seat), "bot": self.bot(seat).map(Bot::name).or(self.program(seat))});
        json["players"] = json!({"one": player(Seat::One), "two": player(Seat::Two)});
        json["rematch"] = json!(self.rematch);
        let code = |id: &String| viewer.and_then(|seat| self.rematch_code(seat, id));
        json["rematch_invite"] = json!(self.rematch.as_ref().and_then(code));
        json
    }

    /// What has changed between what a viewer was told and the text of this moment, as JSON: the `version`, and the `changes` as a JSON
    /// Patch.
    pub fn patch(&self, viewer: Viewer, since: Arc<str>, now: &str) -> Option<Arc<str>> {
        let kept = &self.patches[viewer.map_or(0, |seat| 1 + seat.index())];
        if let Some(patch) = kept.get().and_then(|made| made.for_reader_of(&since)) {
            return Some(patch);
        }
        let made = Made::new(since, now)?;
        let patch = made.patch.clone();
        // Of readers who were told something else, the first are those with whom most have heard the same.
        let _ = kept.set(made);
        Some(patch)
    }

    /// Tells whether what the endgame tables say may stand beside the board for this viewer: whoever plays may see it if both have
    /// agreed to that, and everybody when the game is over.
    pub fn advised(&self, viewer: Viewer) -> bool {
        self.game.outcome().is_some() || self.game.diagram(viewer).panel
    }

    /// Tells whether they say anything to this viewer: of the chances where a coin decides they tell everybody.
    pub fn counselled(&self, viewer: Viewer) -> bool {
        self.advised(viewer) || self.game.endgame().is_some_and(|moment| moment.chips.is_none())
    }

    /// This moment's row, chairs and rematch around another state of the game.
    pub(super) fn next(&self, game: Box<Live>, at: i64, version: i64) -> GameSnapshot {
        let row = store::GameRow { at, version, ply: game.ply() as i64, ..self.row.clone() };
        GameSnapshot {
            row,
            seats: self.seats.clone(),
            game,
            rematch: self.rematch.clone(),
            headline: OnceLock::new(),
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
