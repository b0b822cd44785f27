//! View of a game: the drawn variant with the odds, and the game that is played.

use std::sync::Arc;

use serde::Serialize;

use super::{Action, State, Weights};
use crate::{
    rules::{Diagram, Entry, Rules, Seat, any_game::GameView, diagram::Pair},
    variants::nested_game::{Nested, empty_board},
};

/// A variant in the pool, with its weight.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = WeightedVariant)]
pub struct WeightedGame {
    /// The variant's key.
    pub game: &'static str,
    /// The variant's title, for pages only.
    #[serde(skip)]
    pub title: &'static str,
    /// The weight.
    pub weight: u64,
}

impl WeightedGame {
    fn of((game, weight): (Nested, u64)) -> WeightedGame {
        WeightedGame { game: game.key, title: game.title, weight }
    }
}

/// View of a game with a randomly chosen variant. The fields of the drawn game's own view are merged into it.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    /// View of the drawn game.
    #[serde(flatten)]
    pub sight: GameView,
    /// Key of the drawn variant.
    pub game: Option<&'static str>,
    /// The variants in the pool; a variant's chance is its weight divided by the sum of all weights.
    pub odds: Vec<WeightedGame>,
    /// The variants to which each player gave a weight, once the weights are open.
    #[schema(inline)]
    pub wishes: Option<Pair<Vec<WeightedGame>>>,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        self.sight.diagram()
    }
}

impl AsMut<Diagram> for View {
    fn as_mut(&mut self) -> &mut Diagram {
        self.sight.diagram_mut()
    }
}

impl View {
    /// Wraps the view of the drawn game.
    pub(super) fn of(state: &State, odds: Vec<(Nested, u64)>, sight: Option<GameView>) -> View {
        let mut sight = sight.unwrap_or_else(empty_board);
        let diagram = sight.diagram_mut();
        let mut sheet = draw_entries(state);
        sheet.extend(diagram.sheet.iter().map(|entry| Entry { ply: entry.ply + state.before, ..entry.clone() }));
        diagram.sheet = Arc::new(sheet);
        diagram.tags.retain(|(name, _)| *name != "Match");
        diagram.tags.push(("Match", super::RandomVariant::INFO.key.to_owned()));
        let lots =
            |wishes: &Weights| wishes.weights().map(|(game, weight)| WeightedGame::of((game, weight.into()))).collect();
        View {
            sight,
            game: state.play.as_ref().map(|(game, _)| game.key),
            odds: odds.into_iter().map(WeightedGame::of).collect(),
            wishes: state.wishes.as_ref().map(|wishes| wishes.each_ref().map(lots).into()),
        }
    }

    /// The drawn variant, once there is one.
    pub fn named(&self) -> Option<&WeightedGame> {
        self.odds.iter().find(|lot| self.drew(lot))
    }

    /// Whether a variant is the drawn one.
    pub fn drew(&self, lot: &WeightedGame) -> bool {
        self.game == Some(lot.game)
    }

    /// Sum of all weights.
    pub fn chances(&self) -> u64 {
        self.odds.iter().map(|lot| lot.weight).sum()
    }

    /// The weight that a player gave a variant.
    pub fn wish(&self, seat: &Seat, game: &str) -> u64 {
        let lots = self.wishes.iter().flat_map(|wishes| wishes.of(*seat));
        lots.filter(|lot| lot.game == game).map(|lot| lot.weight).sum()
    }
}

/// Lines of the move list up to the draw.
fn draw_entries(state: &State) -> Vec<Entry> {
    let line = |ply: usize, seat: Option<Seat>, action: Action, told: String| Entry {
        told: Some(told),
        action: Some(action.to_string()),
        ..Entry::new(ply, seat, action.to_string())
    };
    let wishes = state.wishes.iter().flatten().zip(Seat::BOTH).map(|(wishes, seat)| {
        let all: Vec<String> = wishes.weights().map(|(game, weight)| format!("{} {weight}", game.title)).collect();
        let told = if all.is_empty() { "no preference".to_owned() } else { format!("weighs {}", all.join(", ")) };
        line(1, Some(seat), Action::Weigh(wishes.clone()), told)
    });
    let named = state
        .play
        .as_ref()
        .map(|(game, _)| line(state.before, None, Action::Name(*game), format!("{} is drawn", game.title)));
    wishes.chain(named).collect()
}
