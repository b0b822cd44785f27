//! Board play shared by bidding chess and random-turn chess (Larsson & Wästlund, “Endgames in bidding chess”, §1 and §2). Either side may get the
//! next move, also twice in a row. There is no check, and capturing the king wins. Some other variants can be played in the same way. Who gets the
//! move, and at what price, is left to the caller.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use super::chess960::Array;
use crate::{
    board::{Board, Color, Position, Special, Uci, pgn::Pgn},
    rules::{
        Choice, Diagram, End, Entry, Outcome, Refusal, RulesVersion, Seat, TIME, VariantInfo, auction_game::Base,
        chesslike::Deal, endings, move_history::MoveHistory, start_position,
    },
};

/// Default number of plies without a capture or a pawn move that make a draw (our reading of a gap). A hundred would be too few: even two bare
/// kings are a decisive game, and it can take long.
pub const DEFAULT_NO_PROGRESS: i64 = 400;

/// The orthodox board with capturable kings. Attacks on the king do not matter, not even for castling (our reading of a gap, as usual where kings
/// are captured).
pub static BOARD: LazyLock<Board> = LazyLock::new(|| Base::chess().board().clone());

/// PGN tag that names the variant on the board, if it is not chess.
const TAG: &str = "Base";

/// The decision of the player who has the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveOrPass {
    /// A move.
    Move(Uci),
    /// No move, because none is possible (our reading of a gap).
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

/// Reads a FEN as the start of a game; an empty text means the usual position. Kings may touch or be attacked, but the game must not be over.
pub fn start(version: RulesVersion, base: Base, fen: &str) -> Result<Position, Refusal> {
    let position = start_position::start_from(base.board(), if fen.is_empty() { base.start() } else { fen })?;
    start_position::check_castling(version, base.board(), &position)?;
    match base.winner(&position) {
        Some((color, how)) => Err(Refusal::new(format!("{} has already won in this position: {how}", color.name()))),
        None => Ok(position),
    }
}

/// The last position of a PGN game, as FEN. Where one side moved twice in a row, the record has `--` for the opponent's turn.
pub fn last_position(game: &Pgn) -> Result<String, Refusal> {
    let base = game.tag(TAG).map_or(Some(Base::chess()), Base::find);
    let base = base.ok_or_else(|| Refusal::new(format!("the tag {TAG} of this game names an unknown variant")))?;
    let board = base.board();
    let after = |position: Position, text: &str| match text {
        "--" => Ok(with_turn(position, !position.turn)),
        san => Ok(board.after(&position, board.parse_san(&position, san)?)),
    };
    let begun = board.parse_fen(start_position::fen(base.start(), game)?);
    let begun = begun.map_err(|wrong| start_position::in_tag(Refusal::new(wrong.to_string())))?;
    Ok(board.fen(&start_position::replay(begun, game, |position| position.turn, after)?))
}

/// A game in which the king is captured: the moves and the move list.
#[derive(Clone, PartialEq, Debug)]
pub struct KingCapture {
    /// The variant on the board.
    pub base: Base,
    /// Chance has not dealt the starting position yet.
    pub undealt: bool,
    /// The moves so far and the current position. Until a player wins the next move, the side to move is the opponent of the last mover.
    pub history: MoveHistory,
    /// The move list, with every other event of the game.
    pub entries: Vec<Arc<Entry>>,
    /// Number of steps of the game applied.
    pub steps: usize,
    /// The colour that moved last. At the start, the side that is not to move counts as the last mover.
    pub last: Color,
    /// The outcome, once the game is over.
    pub outcome: Option<Outcome>,
}

impl KingCapture {
    /// Starts a game from a position read by [`start`]; `undealt` if chance has to deal another one first.
    pub fn new(base: Base, start: Position, undealt: bool) -> KingCapture {
        let course = MoveHistory::new(base.board(), start);
        KingCapture { base, undealt, history: course, entries: Vec::new(), steps: 0, last: !start.turn, outcome: None }
    }

    /// The board of the variant.
    pub fn board(&self) -> &'static Board {
        self.base.board()
    }

    /// Starts from the array that chance dealt, and adds a line to the move list.
    pub fn deal(&mut self, array: Array) {
        let position = array.position(self.board());
        let action = format!("{} {array}", Array::WORD);
        *self = KingCapture { steps: self.steps, ..KingCapture::new(self.base, position, false) };
        self.note(None, action.clone(), Some(action), String::new());
    }

    /// Gives a colour the move. In variants won by losing every piece, that colour wins if it has no move.
    pub fn give_move(&mut self, mover: Color) {
        self.history.position.turn = mover;
        if self.base.loses() && !self.board().has_move(&self.history.position) {
            self.outcome = Some(Outcome::Win(Seat::of(mover), "no move left"));
        }
    }

    /// Checks whether the colour to move may do this.
    pub fn check(&self, action: MoveOrPass) -> Result<(), Refusal> {
        match action {
            MoveOrPass::Move(uci) => self.history.find(self.board(), uci).map(|_| ()),
            MoveOrPass::Pass if self.board().has_move(&self.history.position) => {
                Err(Refusal::at(0, "you have a legal move: you may pass only without one"))
            }
            MoveOrPass::Pass => Ok(()),
        }
    }

    /// Applies a checked action as step number `self.steps`, adds it to the move list with `notes`, and tests whether the game is over. The game is
    /// drawn after `quiet` plies without a capture or a pawn move.
    pub fn act(&mut self, action: MoveOrPass, notes: String, quiet: i64) {
        let mover = self.history.position.turn;
        match action {
            MoveOrPass::Move(uci) => {
                let board = self.board();
                let mv = self.history.find(board, uci).expect("moves are checked before they are played");
                self.history.play(board, mv, self.steps);
                let entry = self.history.played.last().map(|played| played.entry(Seat::of(mover)));
                self.entries.extend(entry.map(|entry| Arc::new(Entry { notes, ..entry })));
            }
            MoveOrPass::Pass => {
                let position = &mut self.history.position;
                position.halfmove = position.halfmove.saturating_add(1);
                position.fullmove = position.fullmove.saturating_add(u16::from(mover == Color::Black));
                position.turn = !mover;
                self.note(Some(mover), "pass".to_owned(), Some("pass".to_owned()), notes);
            }
        }
        self.last = mover;
        if let Some((winner, how)) = self.base.winner(&self.history.position) {
            self.outcome = Some(Outcome::Win(Seat::of(winner), how));
        } else if i64::from(self.history.position.halfmove) >= quiet {
            self.outcome = Some(Outcome::Draw("too many turns without a capture or a pawn move"));
        }
    }

    /// The outcome when `seat` stops the game this way; `claim` decides about claimed draws.
    pub fn stopped(seat: Seat, end: End, claim: impl FnOnce() -> Result<Outcome, Refusal>) -> Result<Outcome, Refusal> {
        end.outcome(seat, claim, || Outcome::Win(!seat, TIME))
    }

    /// Adds a line to the move list that is not a move on the board. Chance events have no colour.
    pub fn note(&mut self, who: Option<Color>, text: String, action: Option<String>, notes: String) {
        self.entries.push(Arc::new(Entry { action, notes, ..Entry::new(self.steps, who.map(Seat::of), text) }));
    }

    /// Adds a coin toss to the move list, with its consequences as `notes`.
    pub fn toss(&mut self, color: Color, action: String, notes: String) {
        self.note(None, action.clone(), Some(action), notes);
        if let Some(entry) = self.entries.last_mut().map(Arc::make_mut) {
            entry.told = Some(format!("{} wins the toss", if color == Color::White { "White" } else { "Black" }));
        }
    }

    /// Whether a colour could capture the king if it had the move.
    pub fn threatens(&self, color: Color) -> bool {
        let king = self.board().royals(&self.history.position, !color).only();
        king.is_some_and(|king| self.board().attacked(&self.history.position, color, king))
    }

    /// Reasonable actions of the side to move: only king captures if there are any, otherwise every move, otherwise passing.
    pub fn candidates(&self) -> Vec<MoveOrPass> {
        let (board, position) = (self.board(), &self.history.position);
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

    /// Rough material count of White and Black in centipawns. In variants won by losing every piece, the counts are swapped.
    pub fn standing(&self) -> [i64; 2] {
        let [white, black] = endings::count_material(self.board(), &self.history.position);
        if self.base.loses() { [black, white] } else { [white, black] }
    }

    /// All actions of the side to move.
    pub fn choices(&self) -> Vec<Choice> {
        let choices = self.history.choices(self.board());
        if choices.is_empty() { vec![Choice::word("pass")] } else { choices }
    }

    /// The part of the position that counts for repetition: placement, castling rights, and the squares where an en passant capture is possible.
    pub fn repetition_key(&self) -> Position {
        let mut key = self.history.position;
        if !key.en_passant.is_empty() {
            let passing = Color::BOTH.into_iter().flat_map(|turn| self.board().moves(&with_turn(key, turn)));
            key.en_passant = passing.filter(|mv| mv.special == Special::EnPassant).map(|mv| mv.to).collect();
        }
        (key.halfmove, key.fullmove) = (0, 1);
        with_turn(key, Color::White)
    }

    /// Whether endgame tables cover the position: chess with both kings, at most two more pieces and no castling rights.
    pub fn in_endgame_tables(&self) -> bool {
        let position = &self.history.position;
        let kings = Color::BOTH.into_iter().all(|color| !self.board().royals(position, color).is_empty());
        self.base.is_orthodox() && kings && position.occupied().len() <= 4 && position.rights.is_empty()
    }

    /// The diagram with the whole move list. Its FEN has the opponent of the last mover as the side to move. `panel` allows this viewer to use the
    /// endgame tables during the game.
    pub fn diagram(&self, panel: bool) -> Diagram {
        let mut diagram = self.history.diagram(self.board(), Seat::of);
        diagram.sheet = Arc::new(self.entries.iter().map(|entry| (**entry).clone()).collect());
        diagram.fen = Some(self.board().fen(&with_turn(self.history.position, !self.last)));
        diagram.tables = self.in_endgame_tables();
        diagram.panel = panel || self.outcome.is_some();
        diagram
    }

    /// PGN tags of a record of this variant.
    pub fn tags(&self, variant: &VariantInfo) -> Vec<(&'static str, String)> {
        let mut tags = variant.pgn_tags();
        if self.base != Base::chess() {
            tags.push((TAG, self.base.name().to_owned()));
        }
        let fen = self.board().fen(&self.history.start);
        if fen != self.base.start() {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]);
        }
        tags
    }
}

/// The position with another side to move.
fn with_turn(mut position: Position, turn: Color) -> Position {
    position.turn = turn;
    position
}
