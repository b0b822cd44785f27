//! The play on the board of bidding chess and of random-turn chess (Larsson & Wästlund, “Endgames in bidding chess”, §1 and §2): either
//! side may have the move, twice running too, nobody minds check, and whoever captures the king has won; or whoever wins in another
//! game that is played so. Who gets the move, and at what price, it does not know.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use super::chess960::Array;
use crate::{
    board::{Board, Color, Position, Special, Uci, pgn::Pgn},
    rules::{
        Choice, Diagram, End, Entry, Outcome, Place, Refusal, Seat, TIME, VariantInfo, auction_game::Base,
        chesslike::Deal, endings, move_history::MoveHistory, start_position,
    },
};

/// So many turns without a capture or a pawn move make a draw unless an option says otherwise (our reading of a gap). A hundred
/// would be too few: two bare kings are a game that somebody wins, but it can take long.
pub const QUIET: i64 = 400;

/// Ordinary pieces; attacks on the king do not matter, not even to castling (our reading of a gap, as it is usual where kings are
/// captured).
pub static BOARD: LazyLock<Board> = LazyLock::new(|| Base::chess().board().clone());

/// The tag of a record that names the game on the board, if that is not chess.
const TAG: &str = "Base";

/// The decision of the player who has the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveOrPass {
    /// A move.
    Move(Uci),
    /// Nothing, because there is no move (our reading of a gap).
    Pass,
}

impl fmt::Display for MoveOrPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveOrPass::Move(uci) => uci.fmt(f),
            MoveOrPass::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for MoveOrPass {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text {
            "pass" => Ok(MoveOrPass::Pass),
            uci => Ok(MoveOrPass::Move(uci.parse()?)),
        }
    }
}

/// Reads a text as the start of a game: kings may touch and be attacked, but nobody has won yet. Empty for the usual position. The count of
/// quiet plies begins anew.
pub fn start(base: Base, fen: &str) -> Result<Position, Refusal> {
    let mut position = start_position::start_from(base.board(), if fen.is_empty() { base.start() } else { fen })?;
    position.halfmove = 0;
    match base.winner(&position) {
        Some((color, how)) => Err(Refusal::new(format!("{} has won in this position: {how}", color.name()))),
        None => Ok(position),
    }
}

/// The last position of a game in portable notation, as FEN. Where a side moved twice running, the other's `--` stands between.
pub fn last_position(game: &Pgn) -> Result<String, Refusal> {
    let base = game.tag(TAG).map_or(Some(Base::chess()), Base::find);
    let base =
        base.ok_or_else(|| Refusal::new(format!("the tag {TAG} of this game names none that is played here")))?;
    let board = base.board();
    let after = |position: Position, text: &str| match text {
        "--" => Ok(turned(position, !position.turn)),
        san => Ok(board.after(&position, board.parse_san(&position, san)?)),
    };
    let begun = board.parse_fen(start_position::fen(base.start(), game)?);
    let begun = begun.map_err(|wrong| start_position::in_tag(Refusal::new(wrong.to_string())))?;
    Ok(board.fen(&start_position::replay(begun, game, |position| position.turn, after)?))
}

/// A game in which the king is captured: the moves so far and the sheet that they stand on.
#[derive(Clone, PartialEq, Debug)]
pub struct KingCapture {
    /// The game on the board.
    pub base: Base,
    /// Chance has still to lay out the position to begin from.
    pub undealt: bool,
    /// The moves and where they led. The side to move is the opponent of whoever moved last, until somebody has won the move.
    pub course: MoveHistory,
    /// All that happened, in order.
    pub sheet: Vec<Entry>,
    /// The number of steps of the game that this took.
    pub steps: usize,
    /// The colour that had the last turn; at the start the side that is not to move is deemed to have had it.
    pub last: Color,
    /// The outcome of the game, once it has one.
    pub outcome: Option<Outcome>,
}

impl KingCapture {
    /// A game from a position that [`start`] read; `undealt` if chance is to lay out another first.
    pub fn new(base: Base, start: Position, undealt: bool) -> KingCapture {
        let course = MoveHistory::new(base.board(), start);
        KingCapture { base, undealt, course, sheet: Vec::new(), steps: 0, last: !start.turn, outcome: None }
    }

    /// The board.
    pub fn board(&self) -> &'static Board {
        self.base.board()
    }

    /// Begins from the array that chance laid out, with a line on the sheet.
    pub fn deal(&mut self, array: Array) {
        let position = array.position(self.board());
        let action = format!("{} {array}", Array::WORD);
        *self = KingCapture { steps: self.steps, ..KingCapture::new(self.base, position, false) };
        self.note(None, action.clone(), Some(action), String::new());
    }

    /// Gives a colour the move. Where everything is to be lost it has won if it has none.
    pub fn face(&mut self, mover: Color) {
        self.course.position.turn = mover;
        if self.base.loses() && !self.board().has_move(&self.course.position) {
            self.outcome = Some(Outcome::Win(Seat::of(mover), "no move left"));
        }
    }

    /// Checks whether the colour that has the move may do this.
    pub fn check(&self, action: MoveOrPass) -> Result<(), Refusal> {
        match action {
            MoveOrPass::Move(uci) => self.course.find(self.board(), uci).map(|_| ()),
            MoveOrPass::Pass if self.board().has_move(&self.course.position) => {
                Err(Refusal::at(0, "you have a move: only who has none may pass"))
            }
            MoveOrPass::Pass => Ok(()),
        }
    }

    /// Carries out what was checked as the last of `self.steps` steps, with what goes beside it on the sheet, and judges the
    /// position; `quiet` plies without a capture or a pawn move are a draw.
    pub fn act(&mut self, action: MoveOrPass, notes: String, quiet: i64) {
        let mover = self.course.position.turn;
        match action {
            MoveOrPass::Move(uci) => {
                let board = self.board();
                let mv = self.course.find(board, uci).expect("the move was checked");
                self.course.play(board, mv, self.steps);
                let entry = self.course.played.last().map(|played| played.entry(Seat::of(mover)));
                self.sheet.extend(entry.map(|entry| Entry { notes, ..entry }));
            }
            MoveOrPass::Pass => {
                let position = &mut self.course.position;
                position.halfmove = position.halfmove.saturating_add(1);
                position.fullmove = position.fullmove.saturating_add(u16::from(mover == Color::Black));
                position.turn = !mover;
                self.note(Some(mover), "pass".to_owned(), Some("pass".to_owned()), notes);
            }
        }
        self.last = mover;
        if let Some((winner, how)) = self.base.winner(&self.course.position) {
            self.outcome = Some(Outcome::Win(Seat::of(winner), how));
        } else if i64::from(self.course.position.halfmove) >= quiet {
            self.outcome = Some(Outcome::Draw("too many turns without a capture or a pawn move"));
        }
    }

    /// The meaning of a way to stop; `claim` says what this game makes of that.
    pub fn stopped(seat: Seat, end: End, claim: impl FnOnce() -> Result<Outcome, Refusal>) -> Result<Outcome, Refusal> {
        end.outcome(seat, claim, || Outcome::Win(!seat, TIME))
    }

    /// Writes a line on the sheet that is no move on the board; nobody’s for chance.
    pub fn note(&mut self, who: Option<Color>, text: String, action: Option<String>, notes: String) {
        self.sheet.push(Entry {
            ply: self.steps,
            seat: who.map(Seat::of),
            text,
            action,
            notes,
            told: None,
            deal: None,
            place: Place::After,
            about: None,
        });
    }

    /// Writes a throw of the coin on the sheet, with what it led to.
    pub fn toss(&mut self, color: Color, action: String, notes: String) {
        self.note(None, action.clone(), Some(action), notes);
        if let Some(entry) = self.sheet.last_mut() {
            entry.told = Some(format!("The coin names {}", if color == Color::White { "White" } else { "Black" }));
        }
    }

    /// Tells whether a colour could capture the king if it had the move.
    pub fn threatens(&self, color: Color) -> bool {
        let king = self.board().royals(&self.course.position, !color).only();
        king.is_some_and(|king| self.board().attacked(&self.course.position, color, king))
    }

    /// Lists what whoever has the move would consider: nothing but capturing the king if he can, else every move, else passing.
    pub fn sensible(&self) -> Vec<MoveOrPass> {
        let (board, position) = (self.board(), &self.course.position);
        let moves = board.moves(position);
        let kings = board.royals(position, !position.turn);
        let killing = moves.iter().filter(|mv| kings.has(mv.to) && mv.special != Special::Castle);
        let captures: Vec<MoveOrPass> = killing.map(|mv| MoveOrPass::Move(board.uci(*mv))).collect();
        if !captures.is_empty() {
            captures
        } else if moves.is_empty() {
            vec![MoveOrPass::Pass]
        } else {
            moves.into_iter().map(|mv| MoveOrPass::Move(board.uci(mv))).collect()
        }
    }

    /// A rough count of what White and Black have, in hundredths of a pawn; where everything is to be lost, of what the other has.
    pub fn standing(&self) -> [i64; 2] {
        let [white, black] = endings::count_material(self.board(), &self.course.position);
        if self.base.loses() { [black, white] } else { [white, black] }
    }

    /// All that whoever has the move may do.
    pub fn choices(&self) -> Vec<Choice> {
        let choices = self.course.choices(self.board());
        if choices.is_empty() { vec![Choice::word("pass")] } else { choices }
    }

    /// The part of the position that decides whether it has stood before: placement, castling rights, and the squares on which a
    /// pawn can be taken in passing.
    pub fn key(&self) -> Position {
        let mut key = self.course.position;
        if !key.en_passant.is_empty() {
            let passing = Color::BOTH.into_iter().flat_map(|turn| self.board().moves(&turned(key, turn)));
            key.en_passant = passing.filter(|mv| mv.special == Special::EnPassant).map(|mv| mv.to).collect();
        }
        (key.halfmove, key.fullmove) = (0, 1);
        turned(key, Color::White)
    }

    /// Tells whether endgame tables may speak of the position: of chess both kings and at most two more pieces, and nobody may castle.
    pub fn covered(&self) -> bool {
        let position = &self.course.position;
        let kings = Color::BOTH.into_iter().all(|color| !self.board().royals(position, color).is_empty());
        self.base.is_orthodox() && kings && position.occupied().len() <= 4 && position.rights.is_empty()
    }

    /// The diagram with the whole sheet. Its FEN names the opponent of whoever had the last turn as the side to move. `panel` says
    /// whether this viewer may look at the tables while the game goes on.
    pub fn diagram(&self, panel: bool) -> Diagram {
        let mut diagram = self.course.diagram(self.board(), Seat::of);
        diagram.sheet = Arc::new(self.sheet.clone());
        diagram.fen = Some(self.board().fen(&turned(self.course.position, !self.last)));
        diagram.tables = self.covered();
        diagram.panel = panel || self.outcome.is_some();
        diagram
    }

    /// The tags of a record of this variant.
    pub fn tags(&self, variant: &VariantInfo) -> Vec<(&'static str, String)> {
        let mut tags = variant.pgn_tags();
        if self.base != Base::chess() {
            tags.push((TAG, self.base.name().to_owned()));
        }
        let fen = self.board().fen(&self.course.start);
        if fen != self.base.start() {
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
