//! The common part of every view: from it come the board, the spoken board, the images, the previews and the exports, so that
//! no channel needs to know a variant.

use std::{fmt::Display, sync::Arc};

use num_rational::Ratio;
use serde::{Serialize, Serializer};

use super::{
    Side,
    choice::{Choice, ChoiceKind, maybe_square, square},
    protocol::Seat,
};
use crate::board::{
    Betza, Board, BoardLocation, Color, PieceType, Position, Square,
    cube::{self, CubeCell},
};

/// Any game, as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct Diagram {
    /// Files of the board.
    pub width: u8,
    /// Ranks of the board.
    pub height: u8,
    /// Levels of the board, where there are several, one above the other.
    #[serde(skip_serializing_if = "flat")]
    #[schema(required = false)]
    pub levels: u8,
    /// The visible units, from a1 upwards.
    pub pieces: Vec<PieceView>,
    /// The pieces that each seat holds off the board.
    #[schema(inline)]
    pub reserves: Pair<Vec<HeldPiece>>,
    /// The pieces that each seat has captured, the most valuable first, where orthodox pieces move.
    #[serde(skip)]
    pub captured: Pair<Vec<HeldPiece>>,
    /// The money that each seat owns, exactly; nothing where the game has no money, an empty purse where the viewer may not know
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub purses: Option<Pair<Option<Amount>>>,
    /// From and to of the last move, and further squares that it touched.
    #[serde(serialize_with = "squares")]
    #[schema(value_type = Vec<String>)]
    pub last: Vec<BoardLocation>,
    /// The squares of royal pieces in check.
    #[serde(serialize_with = "squares")]
    #[schema(value_type = Vec<String>)]
    pub check: Vec<BoardLocation>,
    /// The square of the duck, which is nobody's, once it stands on the board.
    #[serde(serialize_with = "maybe_square", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub duck: Option<Square>,
    /// The squares that the viewer does not see.
    #[serde(serialize_with = "squares", skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, required = false)]
    pub fog: Vec<Square>,
    /// The colour each seat plays, once that is known.
    #[schema(inline)]
    pub colors: Option<Pair<Side>>,
    /// The score sheet so far, as the viewer may know it.
    #[schema(value_type = Vec<Entry>)]
    pub sheet: Arc<Vec<Entry>>,
    /// The deals of a match so far; nothing where a game is one whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<Deal>,
    /// The board at the end of the deal before, until something was said in the new one.
    #[serde(skip)]
    pub ended: Option<Box<Diagram>>,
    /// The sums that the seats owned from turn to turn, where the game is over and this viewer may know them all.
    #[serde(skip)]
    pub fortunes: Option<MoneyHistory>,
    /// The endgame tables may speak of this position: those of four pieces where the server has them.
    pub tables: bool,
    /// True if what the tables say may stand beside the board for this viewer.
    #[serde(skip)]
    pub panel: bool,
    /// The position as FEN, if one can be written and the viewer may know all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The choices that the viewer has now, if it is asked and all of them can be listed.
    #[serde(skip)]
    pub choices: Option<Vec<Choice>>,
    /// As much as there is of an action that the viewer puts together from parts; the choices are what may be added then.
    #[serde(skip)]
    pub draft: Option<String>,
    /// What could be added but for its price: whoever tries is told.
    #[serde(skip)]
    pub dear: Vec<Choice>,
    /// What the viewer has foretold of the turn that is played now.
    #[serde(skip)]
    pub foretold: Vec<Prediction>,
    /// What each unit does, where no notation of its moves says so.
    #[serde(skip)]
    pub deeds: Vec<PieceMoves>,
    /// The meanings of the pieces that were designed, so that not everybody knows them by a picture.
    #[serde(skip)]
    pub designs: Vec<Designed>,
    /// Tags of the record in portable game notation, beyond those that every game has.
    #[serde(skip)]
    pub tags: Vec<(&'static str, String)>,
}

/// The sums that both seats owned from turn to turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoneyHistory {
    /// The unit they are counted in, in the plural.
    pub unit: &'static str,
    /// The sums, the first before the first turn.
    pub turns: Vec<Pair<Amount>>,
}

/// Something that was foretold of a turn, as it lies on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// Where the unit stands that is to move; the same as `to` where no more is foretold than that, or something comes from elsewhere.
    pub from: Square,
    /// Where it is to come.
    pub to: Square,
    /// The piece that is to come from elsewhere: whose, and its name.
    pub piece: Option<(Side, &'static str)>,
    /// The amount that it earns, as far as that is known; nothing if it was wrong.
    pub amount: i64,
}

impl Diagram {
    /// The board with all units of a position visible, and nothing else yet.
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

    /// The cube with all units of a position visible, and what each of them does.
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

    /// A board of so many files, ranks and levels with some units, and nothing else yet.
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
            choices: None,
            draft: None,
            dear: Vec::new(),
            foretold: Vec::new(),
            deeds: Vec::new(),
            designs: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// The unit on a square.
    pub fn unit(&self, square: BoardLocation) -> Option<&PieceView> {
        self.pieces.iter().find(|unit| unit.square == square)
    }

    /// The meaning of a designed piece's text; nothing for a piece that everybody knows.
    pub fn design(&self, betza: &str) -> Option<&Betza> {
        self.designs.iter().find(|design| design.betza == betza).map(|design| &*design.piece)
    }

    /// Tells whether one of the things that the viewer may do now brings a piece from elsewhere.
    pub fn drops(&self) -> bool {
        self.choices.iter().flatten().any(|choice| matches!(choice.kind, ChoiceKind::Drop { .. }))
    }

    /// Tells whether one of the things that the viewer may do now is this word.
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

/// An exact amount, written as a whole number or a fraction: `12`, `1/2`.
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

/// Something for each of the two seats.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct Pair<T> {
    /// Seat one's.
    pub one: T,
    /// Seat two's.
    pub two: T,
}

impl<T> Pair<T> {
    /// A seat's part.
    pub fn of(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }
}

impl Pair<Side> {
    /// The name of a seat on the board: its colour once that is known, else its chair.
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

/// A unit on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct PieceView {
    /// Where it stands.
    #[serde(serialize_with = "square")]
    #[schema(value_type = String)]
    pub square: BoardLocation,
    /// Whose it is.
    pub color: Side,
    /// Its name in words.
    pub name: String,
    /// Its moves, in Betza notation; empty on a board of levels, which that notation knows nothing of.
    pub betza: String,
}

/// The things that a unit does, on a board where no notation says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceMoves {
    /// Where it stands.
    pub square: BoardLocation,
    /// Where it may go without capturing.
    pub moves: Vec<BoardLocation>,
    /// Where it captures what stands there.
    pub captures: Vec<BoardLocation>,
    /// Its moves in words.
    pub words: &'static str,
}

/// A designed piece: inventions give the same text another meaning in another game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Designed {
    /// The piece's text.
    pub betza: String,
    /// Its way of moving.
    pub piece: Arc<Betza>,
}

/// A piece off the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = HeldPieces)]
pub struct HeldPiece {
    /// Its name in words.
    pub name: String,
    /// Its moves, in Betza notation.
    pub betza: String,
    /// The number of them.
    pub count: u32,
}

impl HeldPiece {
    /// So many pieces of a kind.
    pub fn new(kind: &PieceType, count: u32) -> HeldPiece {
        HeldPiece { name: kind.name.clone(), betza: kind.betza.clone(), count }
    }
}

/// One line of the score sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = SheetLine)]
pub struct Entry {
    /// The number of steps applied when this had happened.
    pub ply: usize,
    /// The seat that did it; nobody for chance.
    pub seat: Option<Seat>,
    /// The event, as a player writes it: `Nf3`.
    pub text: String,
    /// The same in words, where players do not write it.
    #[serde(skip)]
    pub told: Option<String>,
    /// The action's own text, if the viewer may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The notes beside it: bids, payments, draws.
    pub notes: String,
    /// The number of the deal to which it belongs, from 1, in a game that has deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<usize>,
    /// Where it stands in a record of moves alone.
    #[serde(skip)]
    pub place: Place,
    /// The designed piece that it is about, to be shown in the place of its text.
    #[serde(skip)]
    pub about: Option<About>,
}

impl Entry {
    /// The event as an account tells it.
    pub fn said(&self) -> &str {
        self.told.as_deref().unwrap_or(&self.text)
    }
}

/// A line of a score sheet about a designed piece, for people: what is said before it, the piece, and what is said after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The words before the piece: `buys`.
    pub before: String,
    /// The piece's name, or its text if nobody has named it.
    pub name: String,
    /// Its meaning.
    pub piece: Arc<Betza>,
    /// Whose it is.
    pub color: Color,
    /// The words after it: `on e3`.
    pub after: String,
}

/// Where a line of the score sheet stands in a record that holds moves alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is a move of this colour.
    Move(Color),
    /// It goes beside the move before it.
    After,
    /// It goes beside the move after it: what was tried and undone, beside what stands instead.
    Before,
}

/// One deal of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct Deal {
    /// The colour that each seat played in it, once that was known.
    #[schema(inline)]
    pub colors: Option<Pair<Side>>,
    /// How it ended, once it has.
    pub end: Option<DealEnd>,
    /// Tags of its record in portable game notation, beyond those that every game has.
    #[serde(skip)]
    pub tags: Vec<(&'static str, String)>,
}

/// The end of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct DealEnd {
    /// The number of steps applied when it had ended.
    pub ply: usize,
    /// The seat that won it.
    pub winner: Option<Seat>,
    /// True if there were no stakes yet, so that nobody won, lost or drew.
    pub void: bool,
    /// Why.
    pub reason: &'static str,
    /// The points that it brought both seats.
    #[schema(inline)]
    pub points: Pair<Amount>,
}
