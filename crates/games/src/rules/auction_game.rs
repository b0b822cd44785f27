//! Games in which a coin or an auction decides who moves: chess, and variants whose rules do not need alternating turns.
//!
//! A royal king can be captured and check has no meaning. Larsson & Wästlund, “Endgames in bidding chess”, §1, state this for
//! chess; for the other variants it is our reading.

use std::{borrow::Cow, fmt, sync::LazyLock};

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema},
};

use super::{Refusal, Support, VariantInfo, chesslike::ChessLike};
use crate::{
    board::{Board, Color, Position, RoyalRule, Squares},
    registry::VARIANTS,
};

/// A chess variant as played at auction.
pub struct AuctionGame {
    info: VariantInfo,
    board: Board,
    start: &'static str,
    dealt: bool,
    goal: Squares,
    orthodox: bool,
}

static GAMES: LazyLock<Vec<AuctionGame>> =
    LazyLock::new(|| VARIANTS.iter().filter_map(|variant| variant.at_auction()).collect());

impl AuctionGame {
    /// The auction version of a variant, or `None` if it is not played that way.
    pub(super) fn of<T: ChessLike>() -> Option<AuctionGame> {
        if T::INFO.auction != Support::Yes {
            return None;
        }
        let capturing = |board: &Board| {
            let mut board = board.clone();
            if board.royalty == RoyalRule::Check {
                board.royalty = RoyalRule::Capture;
            }
            if let Some(castling) = &mut board.castling {
                castling.safe = false;
            }
            board
        };
        let board = capturing(T::board());
        let goal = T::goal();
        let mut orthodox = capturing(Board::orthodox());
        orthodox.castling.clone_from(&board.castling);
        let orthodox = board == orthodox && goal.is_empty();
        Some(AuctionGame { info: T::INFO, board, start: T::START, dealt: T::default().dealt(), goal, orthodox })
    }
}

/// The game played on the board of an auction game.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Base(&'static AuctionGame);

impl Base {
    /// All such games, in the order of the list of variants.
    pub fn all() -> impl Iterator<Item = Base> {
        GAMES.iter().map(Base)
    }

    /// The game with this key, if it can be played at auction.
    pub fn find(key: &str) -> Option<Base> {
        Base::all().find(|base| base.name() == key)
    }

    /// Ordinary chess.
    pub fn chess() -> Base {
        Base::find("chess").expect("chess is in the list")
    }

    /// Key of the variant.
    pub fn name(self) -> &'static str {
        self.0.info.key
    }

    /// Facts about the variant.
    pub fn info(self) -> &'static VariantInfo {
        &self.0.info
    }

    /// Pieces and rule layers, with kings that can be captured and may castle through attacked squares.
    pub fn board(self) -> &'static Board {
        &self.0.board
    }

    /// Usual starting position, as FEN. See [`Self::dealt`].
    pub fn start(self) -> &'static str {
        self.0.start
    }

    /// Whether chance draws the starting position.
    pub fn dealt(self) -> bool {
        self.0.dealt
    }

    /// Squares that win the game for a king that reaches them.
    pub fn goal(self) -> Squares {
        self.0.goal
    }

    /// Whether pieces and aim are those of chess, so that the endgame tables apply.
    pub fn is_orthodox(self) -> bool {
        self.0.orthodox
    }

    /// Whether a player wins by losing all pieces.
    pub fn loses(self) -> bool {
        self.board().royalty == RoyalRule::Ordinary
    }

    /// The side that has won in this position, with the reason.
    pub fn winner(self, position: &Position) -> Option<(Color, &'static str)> {
        let board = self.board();
        for color in Color::BOTH {
            let horde = board.horde == Some(color);
            if position.of(color).is_empty() && (horde || self.loses()) {
                return Some(if horde { (!color, "the horde is captured") } else { (color, "nothing left to lose") });
            }
            let kings = board.royals(position, color);
            if kings.is_empty() && !horde && !self.loses() {
                return Some((!color, "king captured"));
            }
            if !(kings & self.goal()).is_empty() {
                return Some((color, "king on the hill"));
            }
        }
        None
    }
}

impl Default for Base {
    fn default() -> Base {
        Base::chess()
    }
}

impl PartialEq for Base {
    fn eq(&self, other: &Base) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Base {}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Base> for String {
    fn from(base: Base) -> String {
        base.name().to_owned()
    }
}

impl TryFrom<String> for Base {
    type Error = Refusal;

    fn try_from(key: String) -> Result<Base, Refusal> {
        Base::find(&key).ok_or_else(|| Refusal::new(format!("“{key:.40}” cannot be played at auction")))
    }
}

impl PartialSchema for Base {
    fn schema() -> RefOr<schema::Schema> {
        let keys: Vec<&str> = Base::all().map(Base::name).collect();
        schema::ObjectBuilder::new()
            .schema_type(schema::Type::String)
            .description(Some("Key of the variant played on the board"))
            .enum_values(Some(keys))
            .into()
    }
}

impl ToSchema for Base {
    fn name() -> Cow<'static, str> {
        Cow::from("Base")
    }
}
