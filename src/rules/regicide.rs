//! The board of bidding chess and of random-turn chess (Larsson & Wästlund, “Endgames in bidding chess”, §1 and §2): either side may
//! have the move, twice running too, nobody minds check, and whoever captures the king has won. Who gets the move, and at what
//! price, it does not know.

use std::{fmt, str::FromStr, sync::LazyLock};

use super::{
    Choice, Diagram, Entry, Outcome, Place, Refusal,
    chess::seat_of,
    course::{self, Course},
};
use crate::board::{Board, Color, Position, Royalty, START, Special, Uci, pgn::Pgn};

/// So many turns without a capture or a pawn move make a draw unless an option says otherwise (our reading of a gap). A hundred
/// would be too few: two bare kings are a game that somebody wins, but it can take long.
pub const QUIET: i64 = 400;

/// Ordinary pieces; attacks on the king do not matter, not even to castling (our reading of a gap, as it is usual where kings are
/// captured).
pub static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.royalty = Royalty::Capture;
    if let Some(castling) = &mut board.castling {
        castling.safe = false;
    }
    board
});

/// What the player who has the move does with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// A move.
    Move(Uci),
    /// Nothing, because there is no move (our reading of a gap).
    Pass,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Move(uci) => uci.fmt(f),
            Deed::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Deed {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text {
            "pass" => Ok(Deed::Pass),
            uci => Ok(Deed::Move(uci.parse()?)),
        }
    }
}

/// Checks a text as the start of a game: one king each; they may touch and be attacked. Empty for the usual position.
pub fn check_start(fen: &str) -> Result<(), Refusal> {
    if fen.is_empty() { Ok(()) } else { course::start_from(&BOARD, fen).map(|_| ()) }
}

/// The last position of a game in portable notation, as FEN. Where a side moved twice running, the other's `--` stands between.
pub fn last_position(game: &Pgn) -> Result<String, Refusal> {
    let last = course::replay(course::beginning(START, game)?, game, |mut position, text| {
        if text == "--" {
            position.turn = !position.turn;
            return Ok(position);
        }
        Ok(BOARD.after(&position, BOARD.parse_san(&position, text)?))
    })?;
    Ok(BOARD.fen(&last))
}

/// A hunt for the king: the moves so far and the sheet that they stand on.
#[derive(Clone, PartialEq, Debug)]
pub struct Hunt {
    /// The moves and where they led. The side to move is the opponent of whoever moved last, until somebody has won the move.
    pub course: Course,
    /// All that happened, in order.
    pub sheet: Vec<Entry>,
    /// How many steps of the game that took.
    pub steps: usize,
    /// Who had the last turn; at the start the side that is not to move is deemed to have had it.
    pub last: Color,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

impl Hunt {
    /// A hunt from a position that [`check_start`] accepts. Its count of quiet plies begins anew.
    pub fn new(fen: &str) -> Hunt {
        let mut start = BOARD.parse_fen(if fen.is_empty() { START } else { fen }).expect("options were validated");
        start.halfmove = 0;
        let course = Course::new(&BOARD, start);
        Hunt { course, sheet: Vec::new(), steps: 0, last: !start.turn, outcome: None }
    }

    /// Gives a colour the move.
    pub fn face(&mut self, mover: Color) {
        self.course.position.turn = mover;
    }

    /// Whether the colour that has the move may do this.
    pub fn check(&self, deed: Deed) -> Result<(), Refusal> {
        match deed {
            Deed::Move(uci) => self.course.find(&BOARD, uci).map(|_| ()),
            Deed::Pass if BOARD.has_move(&self.course.position) => {
                Err(Refusal::at(0, "you have a move: only who has none may pass"))
            }
            Deed::Pass => Ok(()),
        }
    }

    /// Carries out what was checked as the last of `self.steps` steps, with what goes beside it on the sheet, and judges the
    /// position; `quiet` plies without a capture or a pawn move are a draw.
    pub fn act(&mut self, deed: Deed, notes: String, quiet: i64) {
        let mover = self.course.position.turn;
        match deed {
            Deed::Move(uci) => {
                let mv = self.course.find(&BOARD, uci).expect("the move was checked");
                self.course.play(&BOARD, mv, self.steps);
                let entry = self.course.played.last().map(|played| played.entry(seat_of(mover)));
                self.sheet.extend(entry.map(|entry| Entry { notes, ..entry }));
            }
            Deed::Pass => {
                let position = &mut self.course.position;
                position.halfmove = position.halfmove.saturating_add(1);
                position.fullmove = position.fullmove.saturating_add(u16::from(mover == Color::Black));
                position.turn = !mover;
                self.note(Some(mover), "pass".to_owned(), Some("pass".to_owned()), notes);
            }
        }
        self.last = mover;
        if BOARD.royals(&self.course.position, !mover).is_empty() {
            self.outcome = Some(Outcome::Win(seat_of(mover), "king captured"));
        } else if i64::from(self.course.position.halfmove) >= quiet {
            self.outcome = Some(Outcome::Draw("too many turns without a capture or a pawn move"));
        }
    }

    /// Writes a line on the sheet that is no move on the board; nobody’s for chance.
    pub fn note(&mut self, who: Option<Color>, text: String, action: Option<String>, notes: String) {
        self.sheet.push(Entry { ply: self.steps, seat: who.map(seat_of), text, action, notes, place: Place::After });
    }

    /// Whether a colour could capture the king if it had the move.
    pub fn threatens(&self, color: Color) -> bool {
        let king = BOARD.royals(&self.course.position, !color).only();
        king.is_some_and(|king| BOARD.attacked(&self.course.position, color, king))
    }

    /// What whoever has the move would consider: nothing but capturing the king if he can, else every move, else passing.
    pub fn sensible(&self) -> Vec<Deed> {
        let position = &self.course.position;
        let moves = BOARD.moves(position);
        let kings = BOARD.royals(position, !position.turn);
        let killing = moves.iter().filter(|mv| kings.has(mv.to) && mv.special != Special::Castle);
        let deeds: Vec<Deed> = killing.map(|mv| Deed::Move(BOARD.uci(*mv))).collect();
        if !deeds.is_empty() {
            deeds
        } else if moves.is_empty() {
            vec![Deed::Pass]
        } else {
            moves.into_iter().map(|mv| Deed::Move(BOARD.uci(mv))).collect()
        }
    }

    /// All that whoever has the move may do.
    pub fn choices(&self) -> Vec<Choice> {
        let choices = self.course.choices(&BOARD);
        if choices.is_empty() { vec![Choice::word("pass")] } else { choices }
    }

    /// What of the position decides whether it has stood before: placement, castling rights, and the squares on which a pawn can be
    /// taken in passing.
    pub fn key(&self) -> Position {
        let mut key = self.course.position;
        if !key.en_passant.is_empty() {
            let passing = Color::BOTH.into_iter().flat_map(|turn| BOARD.moves(&turned(key, turn)));
            key.en_passant = passing.filter(|mv| mv.special == Special::EnPassant).map(|mv| mv.to).collect();
        }
        (key.halfmove, key.fullmove) = (0, 1);
        turned(key, Color::White)
    }

    /// Whether the endgame tables speak of the position: both kings and at most one more piece, and nobody may castle.
    pub fn covered(&self) -> bool {
        let position = &self.course.position;
        let kings = Color::BOTH.into_iter().all(|color| !BOARD.royals(position, color).is_empty());
        kings && position.occupied().len() <= 3 && position.castling.is_empty()
    }

    /// The diagram with the whole sheet. Its FEN names the opponent of whoever had the last turn as the side to move. `panel` says
    /// whether this viewer may look at the tables while the game goes on.
    pub fn diagram(&self, panel: bool) -> Diagram {
        let mut diagram = self.course.diagram(&BOARD, seat_of);
        diagram.sheet = self.sheet.clone();
        diagram.fen = Some(BOARD.fen(&turned(self.course.position, !self.last)));
        diagram.tables = self.covered();
        diagram.panel = panel || self.outcome.is_some();
        diagram
    }

    /// The tags of a record that did not begin from the usual position.
    pub fn tags(&self, variant: &str) -> Vec<(&'static str, String)> {
        let mut tags = vec![("Variant", variant.to_owned())];
        let fen = BOARD.fen(&self.course.start);
        if fen != START {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]);
        }
        tags
    }
}

/// A position with this side to move.
fn turned(mut position: Position, turn: Color) -> Position {
    position.turn = turn;
    position
}
