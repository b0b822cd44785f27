//! Games that another game contains: the variants for which players can bid a handicap. A wrapper looks them up in the list of variants and uses
//! only the interface of [`AnyGame`].

use std::{
    borrow::Cow,
    fmt::{self, Debug},
    ops::{Deref, DerefMut},
    str::FromStr,
};

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema},
};

use crate::{
    board::{Board, Position},
    registry::{VARIANTS, Variant},
    rules::{
        ActionForm, Diagram, Refusal, RulesVersion, Support, VariantInfo,
        any_game::{AnyAction, AnyGame, GameView},
    },
};

/// Grammar of the actions of these games.
pub(super) const MOVES: [ActionForm; 3] = [
    ActionForm { phases: &["move"], text: "{move}", words: "Makes a move." },
    ActionForm {
        phases: &["move"],
        text: "{drop}",
        words: "Drops a captured piece on an empty square, in variants with drops.",
    },
    ActionForm {
        phases: &["move"],
        text: "{move} {square}",
        words: "Duck chess: makes a move, then puts the duck on that square.",
    },
];

/// A variant that another game can contain.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Nested(&'static Variant);

impl Nested {
    /// All of them, in the order of the list of variants.
    pub fn all() -> impl Iterator<Item = Nested> {
        VARIANTS.iter().filter(|variant| variant.handicap == Support::Yes).map(Nested)
    }

    /// Starts a game from a position as FEN; empty for the usual one.
    ///
    /// # Errors
    /// Describes the fault of the position.
    pub fn start(self, version: RulesVersion, fen: &str) -> Result<NestedGame, Refusal> {
        self.0.start(version, fen).map(NestedGame)
    }
}

impl Deref for Nested {
    type Target = VariantInfo;

    fn deref(&self) -> &VariantInfo {
        &self.0.info
    }
}

impl PartialEq for Nested {
    fn eq(&self, other: &Nested) -> bool {
        self.key == other.key
    }
}

impl Eq for Nested {}

impl Debug for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

impl fmt::Display for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

impl FromStr for Nested {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Nested, Refusal> {
        Nested::all().find(|game| game.key == text).ok_or_else(|| {
            let known: Vec<&str> = Nested::all().map(|game| game.key).collect();
            Refusal::at(0, format!("“{text:.40}” is not one of these games: {}", known.join(", ")))
        })
    }
}

impl From<Nested> for String {
    fn from(game: Nested) -> String {
        game.key.to_owned()
    }
}

impl TryFrom<String> for Nested {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Nested, Refusal> {
        text.parse()
    }
}

/// Parses an action of any of these games. If none of them can read the text, the error is that of the first game.
impl FromStr for AnyAction {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<AnyAction, Refusal> {
        let mut first = None;
        for game in Nested::all() {
            match game.0.parse(text) {
                Ok(action) => return Ok(action),
                Err(wrong) => {
                    first.get_or_insert(wrong);
                }
            }
        }
        Err(first.unwrap_or_else(|| Refusal::new("no variant can be played inside another game")))
    }
}

/// One of these games in progress.
#[derive(Debug)]
pub struct NestedGame(Box<dyn AnyGame>);

impl Clone for NestedGame {
    fn clone(&self) -> NestedGame {
        NestedGame(self.0.clone())
    }
}

impl PartialEq for NestedGame {
    fn eq(&self, other: &NestedGame) -> bool {
        self.0.is_same(&*other.0)
    }
}

impl From<Box<dyn AnyGame>> for NestedGame {
    fn from(game: Box<dyn AnyGame>) -> NestedGame {
        NestedGame(game)
    }
}

impl Deref for NestedGame {
    type Target = dyn AnyGame;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for NestedGame {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

/// View to show before the contained game begins.
pub(super) fn empty_board() -> GameView {
    let diagram = Diagram { fen: None, ..Diagram::of(Board::orthodox(), &Position::EMPTY) };
    GameView { key: None, view: Box::new(EmptyBoard { diagram }) }
}

/// Schema of the part that all these views have in common. The full views are described with their variants.
impl PartialSchema for GameView {
    fn schema() -> RefOr<schema::Schema> {
        EmptyBoard::schema()
    }
}

impl ToSchema for GameView {
    fn name() -> Cow<'static, str> {
        Cow::from("GameWithinView")
    }

    fn schemas(named: &mut Vec<(String, RefOr<schema::Schema>)>) {
        EmptyBoard::schemas(named);
    }
}

/// The empty board before a game begins.
#[derive(PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = BareBoard)]
struct EmptyBoard {
    diagram: Diagram,
}

impl AsRef<Diagram> for EmptyBoard {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl AsMut<Diagram> for EmptyBoard {
    fn as_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }
}
