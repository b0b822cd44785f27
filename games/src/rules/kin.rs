//! Chess and its kin, as far as they begin with two armies and nothing to be agreed on: games that another game lets be played. Here are
//! which they are, and one of them in progress, its rules forgotten. Their actions come and go as texts, which are their only encoding.

mod game;
mod key;

use std::{borrow::Cow, str::FromStr};

use num_rational::Ratio;
use rand::Rng;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema},
};

use super::{
    Actor, Diagram, End, Phrase, Prospect, Refusal, Rules, Seat, Step, Turn, Viewer, antichess::Antichess,
    chess::Chess, chess960::Chess960, crazyhouse::Crazyhouse, duck::DuckChess, fog_of_war::FogOfWar, hill::Hill,
    horde::Horde, lrs::Lrs, minichess::Minichess, old_chess::OldChess, racing_kings::RacingKings, shatranj::Shatranj,
    three_check::ThreeCheck,
};
use crate::board::{Board, Position};
pub use game::{KinAction, KinGame};

/// What is said in these games.
pub(super) const MOVES: [Phrase; 3] = [
    Phrase { phases: &["move"], text: "{move}", words: "A unit moves." },
    Phrase {
        phases: &["move"],
        text: "{drop}",
        words: "A captured piece comes to an empty square, where the game on the board knows that.",
    },
    Phrase {
        phases: &["move"],
        text: "{move} {square}",
        words: "Duck chess: a unit moves, and the duck comes to that square.",
    },
];

/// A board on which nobody plays yet.
#[derive(PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = BareBoard)]
pub struct Bare {
    diagram: Diagram,
}

impl Bare {
    /// An empty board.
    pub fn empty() -> Bare {
        Bare { diagram: Diagram { fen: None, ..Diagram::of(Board::orthodox(), &Position::EMPTY) } }
    }
}

/// Described as what all of these views have; the views themselves are described where each game is.
impl PartialSchema for KinView {
    fn schema() -> RefOr<schema::Schema> {
        Bare::schema()
    }
}

impl ToSchema for KinView {
    fn name() -> Cow<'static, str> {
        Cow::from("GameWithinView")
    }

    fn schemas(named: &mut Vec<(String, RefOr<schema::Schema>)>) {
        Bare::schemas(named);
    }
}

/// Declares the games: everything that is asked of one is asked of its rules.
macro_rules! kin {
    ($($kin:ident = $rules:ty,)*) => {
        /// A game that another one lets be played.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub enum Kin {
            $(#[doc = concat!("See [`", stringify!($rules), "`].")] $kin,)*
        }

        impl Kin {
            /// All of them, in the order in which they are offered.
            pub const ALL: &'static [Kin] = &[$(Kin::$kin,)*];

            /// Their keys, each with the game in words.
            pub const WORDS: &'static [(&'static str, &'static str)] =
                &[$((<$rules as Rules>::KEY, <$rules as Rules>::TITLE),)*];

            /// The game in addresses and in texts.
            pub const fn key(self) -> &'static str {
                match self { $(Kin::$kin => <$rules as Rules>::KEY,)* }
            }

            /// The game in words.
            pub const fn title(self) -> &'static str {
                match self { $(Kin::$kin => <$rules as Rules>::TITLE,)* }
            }

            /// One sentence for somebody who has never heard of it.
            pub const fn summary(self) -> &'static str {
                match self { $(Kin::$kin => <$rules as Rules>::SUMMARY,)* }
            }
        }

        /// One of these games in progress.
        #[derive(Clone, PartialEq, Debug)]
        pub enum KinState {
            $(#[doc = concat!("See [`", stringify!($rules), "`].")] $kin(Box<KinGame<$rules>>),)*
        }

        /// One of these games as one viewer may see it.
        #[derive(PartialEq, Debug, Serialize)]
        #[serde(untagged)]
        pub enum KinView {
            /// Nothing is played yet.
            Bare(Bare),
            $(#[doc = concat!("See [`", stringify!($rules), "`].")] $kin(<$rules as Rules>::View),)*
        }

        impl KinState {
            /// A game that nothing has happened in, from a position as FEN; empty for the usual one.
            pub fn new(kin: Kin, fen: &str) -> Result<KinState, Refusal> {
                Ok(match kin {
                    $(Kin::$kin => {
                        let mut rules = <$rules>::default();
                        fen.clone_into(&mut rules.fen);
                        KinState::$kin(Box::new(KinGame::new(rules)?))
                    })*
                })
            }

            /// See [`Rules::turn`].
            pub fn turn(&self) -> Turn {
                match self { $(KinState::$kin(inner) => inner.rules.turn(&inner.state),)* }
            }

            /// See [`Rules::phase`].
            pub fn phase(&self) -> &'static str {
                match self { $(KinState::$kin(inner) => inner.rules.phase(&inner.state),)* }
            }

            /// See [`Rules::check`].
            pub fn check(&self, actor: Actor, said: &KinAction) -> Result<(), Refusal> {
                match self { $(KinState::$kin(inner) => inner.check(actor, said),)* }
            }

            /// See [`Rules::besides`].
            pub fn besides(&self, seat: Seat) -> Vec<String> {
                match self { $(KinState::$kin(inner) => inner.rules.besides(&inner.state, seat),)* }
            }

            /// See [`Rules::apply`].
            pub fn apply(&mut self, step: Step<KinAction>) {
                match self { $(KinState::$kin(inner) => inner.apply(step),)* }
            }

            /// See [`Rules::check_end`].
            pub fn check_end(&self, seat: Seat, end: End) -> Result<(), Refusal> {
                match self { $(KinState::$kin(inner) => inner.rules.check_end(&inner.state, seat, end),)* }
            }

            /// See [`Rules::score`].
            pub fn score(&self) -> [Ratio<i64>; 2] {
                match self { $(KinState::$kin(inner) => inner.rules.score(&inner.state),)* }
            }

            /// See [`Rules::view`].
            pub fn view(&self, viewer: Viewer) -> KinView {
                match self { $(KinState::$kin(inner) => KinView::$kin(inner.rules.view(&inner.state, viewer)),)* }
            }

            /// See [`Rules::draft`].
            pub fn draft(&self, seat: Seat, text: &str) -> Option<KinView> {
                match self {
                    $(KinState::$kin(inner) => inner.rules.draft(&inner.state, seat, text).map(KinView::$kin),)*
                }
            }

            /// See [`Rules::heard`]; the step is counted in this game alone.
            pub fn heard(&self, step: usize, actor: Actor, said: &KinAction, viewer: Viewer) -> Option<KinAction> {
                match self { $(KinState::$kin(inner) => inner.heard(step, actor, said, viewer),)* }
            }

            /// See [`Rules::find`].
            pub fn find(&self, text: &str) -> Option<KinAction> {
                match self { $(KinState::$kin(inner) => inner.find(text),)* }
            }

            /// See [`Rules::hides`].
            pub fn hides(&self) -> bool {
                match self { $(KinState::$kin(inner) => inner.rules.hides(&inner.state),)* }
            }

            /// See [`Rules::open`].
            pub fn open(&mut self) {
                match self { $(KinState::$kin(inner) => inner.rules.open(&mut inner.state),)* }
            }

            /// See [`Rules::redeal`].
            pub fn redealt(&self, seat: Seat, rng: &mut dyn Rng) -> KinState {
                match self { $(KinState::$kin(inner) => KinState::$kin(Box::new(inner.redealt(seat, rng))),)* }
            }

            /// See [`Rules::draw`].
            pub fn draw(&self, rng: &mut dyn Rng) -> KinAction {
                match self { $(KinState::$kin(inner) => KinAction::of(&inner.rules.draw(&inner.state, rng)),)* }
            }

            /// See [`Rules::candidates`].
            pub fn candidates(&self, seat: Seat, rng: &mut dyn Rng) -> Vec<KinAction> {
                match self { $(KinState::$kin(inner) => inner.candidates(seat, rng),)* }
            }

            /// See [`Rules::standing`].
            pub fn standing(&self) -> [i64; 2] {
                match self { $(KinState::$kin(inner) => inner.rules.standing(&inner.state),)* }
            }

            /// See [`Rules::prospect`].
            pub fn prospect(&self, seat: Seat) -> Option<Prospect> {
                match self { $(KinState::$kin(inner) => inner.rules.prospect(&inner.state, seat),)* }
            }

            /// See [`Rules::returnable`].
            pub fn returnable(&self) -> bool {
                match self { $(KinState::$kin(inner) => inner.rules.returnable(&inner.state),)* }
            }
        }

        impl FromStr for KinAction {
            type Err = Refusal;

            /// Reads what is well formed in any of the games; what is wrong everywhere is told as in the first.
            fn from_str(text: &str) -> Result<KinAction, Refusal> {
                let read: [Result<KinAction, Refusal>; Kin::ALL.len()] =
                    [$(text.parse::<<$rules as Rules>::Action>().map(|action| KinAction::of(&action)),)*];
                let [first, ..] = &read;
                let wrong = first.clone();
                read.into_iter().find_map(Result::ok).map_or(wrong, Ok)
            }
        }

        impl AsRef<Diagram> for KinView {
            fn as_ref(&self) -> &Diagram {
                match self {
                    KinView::Bare(bare) => &bare.diagram,
                    $(KinView::$kin(view) => view.as_ref(),)*
                }
            }
        }

        impl AsMut<Diagram> for KinView {
            fn as_mut(&mut self) -> &mut Diagram {
                match self {
                    KinView::Bare(bare) => &mut bare.diagram,
                    $(KinView::$kin(view) => view.as_mut(),)*
                }
            }
        }
    };
}

kin! {
    Chess = Chess,
    ThreeCheck = ThreeCheck,
    Hill = Hill,
    Crazyhouse = Crazyhouse,
    Antichess = Antichess,
    Horde = Horde,
    RacingKings = RacingKings,
    Minichess = Minichess,
    Chess960 = Chess960,
    FogOfWar = FogOfWar,
    Duck = DuckChess,
    Shatranj = Shatranj,
    OldChess = OldChess,
    Lrs = Lrs,
}
