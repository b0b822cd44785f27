//! The part that all views share. Boards, text boards, images, previews and exports are made from it, without knowledge of the
//! variant.

use std::{fmt::Display, sync::Arc};

use num_rational::Ratio;
use serde::{Deserialize, Serialize, Serializer};

use super::{
    Side,
    choice::{Choice, ChoiceKind, maybe_square, square},
    protocol::Seat,
};
use crate::board::{
    Betza, Board, BoardLocation, Color, PieceType, Position, Square,
    cube::{self, CubeCell},
};

/// A game of any variant, as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct Diagram {
    /// Number of files.
    pub width: u8,
    /// Number of ranks.
    pub height: u8,
    /// Number of levels, one above the other. Omitted if there is only one.
    #[serde(skip_serializing_if = "flat")]
    #[schema(required = false)]
    pub levels: u8,
    /// Visible pieces, starting from a1.
    pub pieces: Vec<PieceView>,
    /// Pieces that each seat holds off the board.
    #[schema(inline)]
    pub reserves: Pair<Vec<HeldPiece>>,
    /// Pieces that each seat has captured, the most valuable first. Orthodox pieces only.
    #[serde(skip)]
    pub captured: Pair<Vec<HeldPiece>>,
    /// Exact money of each seat. `null` for a seat whose money the viewer may not know; omitted if the game has no money.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub purses: Option<Pair<Option<Amount>>>,
    /// From and to squares of the last move, and other squares that it changed.
    #[serde(serialize_with = "squares")]
    #[schema(value_type = Vec<String>)]
    pub last: Vec<BoardLocation>,
    /// Squares of royal pieces in check.
    #[serde(serialize_with = "squares")]
    #[schema(value_type = Vec<String>)]
    pub check: Vec<BoardLocation>,
    /// Square of the neutral duck, once it is on the board.
    #[serde(serialize_with = "maybe_square", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub duck: Option<Square>,
    /// Squares that the viewer cannot see.
    #[serde(serialize_with = "squares", skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, required = false)]
    pub fog: Vec<Square>,
    /// Colour of each seat, once it is known.
    #[schema(inline)]
    pub colors: Option<Pair<Side>>,
    /// Score sheet so far, as the viewer may know it.
    #[schema(value_type = Vec<Entry>)]
    pub sheet: Arc<Vec<Entry>>,
    /// Deals of a match so far. Omitted if the game has no deals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<Deal>,
    /// Board at the end of the previous deal, until the first action of the new one.
    #[serde(skip)]
    pub ended: Option<Box<Diagram>>,
    /// Money of both seats by turn, if the game is over and the viewer may know all of it.
    #[serde(skip)]
    pub fortunes: Option<MoneyHistory>,
    /// Whether endgame tables may cover the position. The server may lack the four-piece tables.
    pub tables: bool,
    /// Whether this viewer may see the endgame values next to the board.
    #[serde(skip)]
    pub panel: bool,
    /// Position as FEN, if it has a FEN and the viewer may know all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Text from which another game can start, where the FEN does not say everything.
    #[serde(skip)]
    pub whole_position: Option<String>,
    /// The viewer's choices, if the viewer is to act and all choices can be listed.
    #[serde(skip)]
    pub choices: Option<Vec<Choice>>,
    /// Action that usually follows each of these choices. A page sends it with the choice, unless the player wants to decide.
    #[serde(skip)]
    pub then: Option<&'static str>,
    /// Action that the viewer is building from parts. The choices are the possible next parts.
    #[serde(skip)]
    pub draft: Option<String>,
    /// Next parts that are too expensive or impossible, listed to explain the refusal. The label says which.
    #[serde(skip)]
    pub dear: Vec<Choice>,
    /// The viewer's guesses about the current turn.
    #[serde(skip)]
    pub foretold: Vec<Prediction>,
    /// Moves of each piece, on boards without a notation for them.
    #[serde(skip)]
    pub deeds: Vec<PieceMoves>,
    /// Designs of the designed pieces, which pictures alone do not explain, in the order in which they appeared.
    #[serde(skip)]
    pub designs: Vec<Designed>,
    /// PGN tags beyond the standard ones.
    #[serde(skip)]
    pub tags: Vec<(&'static str, String)>,
}

/// Money of both seats, turn by turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoneyHistory {
    /// Name of the unit, in the plural.
    pub unit: &'static str,
    /// Amounts after each turn; the first entry is the starting money.
    pub turns: Vec<Pair<Amount>>,
}

/// A guess about a turn, placed on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// Square of the piece that should move. Equal to `to` if the target is not guessed, or if the piece comes from off the
    /// board.
    pub from: Square,
    /// Target square.
    pub to: Square,
    /// Side and name of a piece from off the board.
    pub piece: Option<(Side, &'static str)>,
    /// Payment for the guess as far as it is known; 0 if the guess was wrong.
    pub amount: i64,
}

impl Diagram {
    /// A diagram with all pieces of a position visible, and no other content.
    pub fn of(board: &Board, position: &Position) -> Self {
        let pieces = position
            .pieces()
            .map(|(square, piece)| {
                let kind = board.kind(piece.kind);
                PieceView {
                    square: square.into(),
                    color: piece.color.into(),
                    name: kind.name.clone(),
                    betza: kind.betza.clone(),
                }
            })
            .collect();
        let checked = Color::BOTH
            .into_iter()
            .filter(|color| board.royalty == crate::board::RoyalRule::Check && board.in_check(position, *color));
        Diagram {
            check: BoardLocation::each(checked.flat_map(|color| board.royals(position, color))),
            duck: position.duck.only(),
            ..Diagram::plain([board.size().width(), board.size().height(), 1], pieces, board.fen(position))
        }
    }

    /// A diagram of a cube with all pieces and their moves.
    pub fn of_cube(position: &cube::CubePosition) -> Self {
        let unit = |(cell, piece): (CubeCell, cube::CubePiece)| PieceView {
            square: cell.into(),
            color: piece.color.into(),
            name: piece.kind.name().to_owned(),
            betza: String::new(),
        };
        let deeds = |(cell, piece): (CubeCell, cube::CubePiece)| {
            let [moves, captures] = position.reached(cell).map(BoardLocation::each);
            PieceMoves { square: cell.into(), moves, captures, words: piece.kind.words() }
        };
        let checked = Color::BOTH.into_iter().filter(|color| position.in_check(*color));
        Diagram {
            check: BoardLocation::each(checked.map(|color| position.king(color))),
            deeds: position.pieces().map(deeds).collect(),
            ..Diagram::plain([cube::SIDE; 3], position.pieces().map(unit).collect(), position.fen())
        }
    }

    /// The text from which another game can start at this position.
    pub fn start_text(&self) -> Option<&str> {
        self.whole_position.as_deref().or(self.fen.as_deref())
    }

    /// A diagram with pieces and a FEN only.
    fn plain([width, height, levels]: [u8; 3], pieces: Vec<PieceView>, fen: String) -> Self {
        Diagram {
            width,
            height,
            levels,
            pieces,
            reserves: Pair::default(),
            captured: Pair::default(),
            purses: None,
            last: Vec::new(),
            check: Vec::new(),
            duck: None,
            fog: Vec::new(),
            colors: Some(Pair { one: Side::White, two: Side::Black }),
            sheet: Arc::default(),
            deals: Vec::new(),
            ended: None,
            fortunes: None,
            tables: false,
            panel: false,
            fen: Some(fen),
            whole_position: None,
            choices: None,
            then: None,
            draft: None,
            dear: Vec::new(),
            foretold: Vec::new(),
            deeds: Vec::new(),
            designs: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// Whether the list of moves has a column for guesses.
    pub fn lists_guesses(&self) -> bool {
        self.sheet.iter().any(|entry| entry.listing.is_some())
    }

    /// The piece on a square.
    pub fn unit(&self, square: BoardLocation) -> Option<&PieceView> {
        self.pieces.iter().find(|unit| unit.square == square)
    }

    /// The design of a designed piece; `None` for a well-known piece.
    pub fn design(&self, betza: &str) -> Option<&Betza> {
        self.designs.iter().find(|design| design.betza == betza).map(|design| &*design.piece)
    }

    /// Whether a choice puts a piece from off the board onto a square.
    pub fn drops(&self) -> bool {
        self.choices.iter().flatten().any(|choice| matches!(choice.kind, ChoiceKind::Drop { .. }))
    }

    /// Whether a choice is this command.
    pub fn offers(&self, word: &str) -> bool {
        let is = |choice: &Choice| matches!(&choice.kind, ChoiceKind::Word { word: own } if own == word);
        self.choices.iter().flatten().any(is)
    }
}

fn squares<T: Display, S: Serializer>(squares: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(squares.iter().map(T::to_string))
}

fn flat(levels: &u8) -> bool {
    *levels == 1
}

/// Exact amount, written as a whole number or a fraction: `12`, `1/2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, utoipa::ToSchema)]
#[schema(value_type = String)]
pub struct Amount(pub Ratio<i64>);

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A value for each seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Pair<T> {
    /// Value of seat one.
    pub one: T,
    /// Value of seat two.
    pub two: T,
}

impl<T> Pair<T> {
    /// Value of a seat.
    pub fn of(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }
}

impl Pair<Side> {
    /// Name of a seat: its colour once that is known, otherwise its chair.
    pub fn title(colors: Option<&Pair<Side>>, seat: Seat) -> &'static str {
        match (colors, seat) {
            (Some(colors), seat) => colors.of(seat).words(),
            (None, Seat::One) => "First player",
            (None, Seat::Two) => "Second player",
        }
    }
}

impl<T> From<[T; 2]> for Pair<T> {
    fn from([one, two]: [T; 2]) -> Self {
        Pair { one, two }
    }
}

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct PieceView {
    /// Square of the piece.
    #[serde(serialize_with = "square")]
    #[schema(value_type = String)]
    pub square: BoardLocation,
    /// Side that owns the piece.
    pub color: Side,
    /// Name of the piece.
    pub name: String,
    /// Moves of the piece, in Betza notation. Empty on a board with levels, which Betza notation does not cover.
    pub betza: String,
}

/// Moves of a piece on a board without a notation for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceMoves {
    /// Square of the piece.
    pub square: BoardLocation,
    /// Squares that it can move to without capturing.
    pub moves: Vec<BoardLocation>,
    /// Squares of the pieces that it can capture.
    pub captures: Vec<BoardLocation>,
    /// Description of its moves.
    pub words: &'static str,
}

/// A designed piece. With inventions, the same text can mean different pieces in different games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Designed {
    /// Text of the piece.
    pub betza: String,
    /// Moves of the piece.
    pub piece: Arc<Betza>,
    /// Name of the picture that the viewer has chosen; `None` for the usual one.
    pub icon: Option<&'static str>,
}

/// A piece off the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = HeldPieces)]
pub struct HeldPiece {
    /// Name of the piece.
    pub name: String,
    /// Moves of the piece, in Betza notation.
    pub betza: String,
    /// Number of such pieces.
    pub count: u32,
}

impl HeldPiece {
    /// `count` pieces of one type.
    pub fn new(kind: &PieceType, count: u32) -> HeldPiece {
        HeldPiece { name: kind.name.clone(), betza: kind.betza.clone(), count }
    }
}

/// One line of the list of moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = MoveListEntry)]
pub struct Entry {
    /// Number of steps applied, including this one.
    pub ply: usize,
    /// Seat that acted; `null` for chance.
    pub seat: Option<Seat>,
    /// The event in player notation, such as `Nf3`.
    pub text: String,
    /// The event as people read it, if that differs from `text`.
    #[serde(skip)]
    pub told: Option<String>,
    /// The event in words, for speech. `None` if the list of moves shows words already.
    #[serde(skip)]
    pub spoken: Option<Arc<str>>,
    /// Text of the action, if the viewer may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Notes on the event: bids, payments, draws.
    pub notes: String,
    /// The notes in words, for speech. `None` if `notes` are words already.
    #[serde(skip)]
    pub spoken_notes: Option<String>,
    /// Number of the deal, from 1. Omitted if the game has no deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<usize>,
    /// Place in a record that holds moves only.
    #[serde(skip)]
    pub place: Place,
    /// Designed piece to show instead of its text.
    #[serde(skip)]
    pub about: Option<About>,
    /// The line in columns, where guesses have one.
    #[serde(skip)]
    pub listing: Option<Listing>,
}

/// A score-sheet line for people, in columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The event in the usual notation.
    pub event: String,
    /// The opponent’s guesses about it, with their earnings.
    pub guesses: String,
    /// All other notes.
    pub notes: String,
}

impl Entry {
    /// A line that is not a move, without action and notes.
    pub fn new(ply: usize, seat: Option<Seat>, text: String) -> Entry {
        Entry {
            ply,
            seat,
            text,
            told: None,
            spoken: None,
            action: None,
            notes: String::new(),
            spoken_notes: None,
            deal: None,
            place: Place::After,
            about: None,
            listing: None,
        }
    }

    /// The event as people read it.
    pub fn said(&self) -> &str {
        self.told.as_deref().unwrap_or(&self.text)
    }
}

/// A score-sheet line about a designed piece, for people: text, piece, text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// Text before the piece: `buys`.
    pub before: String,
    /// Name of the piece, or its Betza text if it has no name.
    pub name: String,
    /// Design of the piece.
    pub piece: Arc<Betza>,
    /// Side that owns the piece.
    pub color: Color,
    /// Text after the piece: `on e3`.
    pub after: String,
}

/// Place of a score-sheet line in a record that holds moves only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A move of this colour.
    Move(Color),
    /// A comment on the move before it.
    After,
    /// A comment on the move after it, such as a retracted attempt that the move replaces.
    Before,
}

/// One deal of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct Deal {
    /// Colour of each seat in this deal, once it is known.
    #[schema(inline)]
    pub colors: Option<Pair<Side>>,
    /// Result of the deal, once it is over.
    pub end: Option<DealEnd>,
    /// PGN tags of the deal beyond the standard ones.
    #[serde(skip)]
    pub tags: Vec<(&'static str, String)>,
}

/// Result of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct DealEnd {
    /// Number of steps applied at the end of the deal.
    pub ply: usize,
    /// Seat that won the deal.
    pub winner: Option<Seat>,
    /// True if the deal ended before there were stakes, so that it has no result.
    pub void: bool,
    /// True if the board was drawn or a draw was agreed, although a seat may have won by the options.
    #[serde(skip)]
    pub drawn: bool,
    /// Reason of the result.
    pub reason: &'static str,
    /// Points that each seat gained.
    #[schema(inline)]
    pub points: Pair<Amount>,
}
