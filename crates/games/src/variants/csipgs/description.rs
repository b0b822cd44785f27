//! The variant in words: each of Bodlaender's variants with its options, and the grammar of actions with what of it fits now, for programs.

use super::{
    action::{Action, Spelling},
    army::{KnownArmy, home, second},
    inventions::Estimate,
    options::Csipgs,
    state::{Phase, State},
};
use crate::{
    board::{Color, Square},
    rules::{ActionForm, PresetDescription, Seat},
};

pub(super) const PHRASES: &[ActionForm] = &[
    ActionForm {
        phases: &["army"],
        text: "army {placing 16..16}",
        words: "Sixteen pieces, one on each square of the first two ranks, within the budget and the bounds of view.army.",
    },
    ActionForm {
        phases: &["place"],
        text: "place {piece} {square}",
        words: "One of the sixteen pieces, on an empty square of the first two ranks.",
    },
    ActionForm { phases: &["action"], text: "{move}", words: "A piece moves; nothing promotes." },
    ActionForm { phases: &["action"], text: "{move} {move}", words: "A piece that may move twice does so." },
    ActionForm { phases: &["action"], text: "buy {piece}", words: "One of your designs is bought for the reserve." },
    ActionForm {
        phases: &["action"],
        text: "transfer {piece} {square}",
        words: "A piece of the reserve comes to an empty square beside a royal piece that is not attacked.",
    },
    ActionForm {
        phases: &["design"],
        text: "buy {piece}",
        words: "One of your designs is bought, in games in which that has its place here.",
    },
    ActionForm { phases: &["design"], text: "keep", words: "The designs stay as they are." },
    ActionForm {
        phases: &["design"],
        text: "design {1..6} {piece}",
        words: "The piece replaces the design of this number.",
    },
    ActionForm {
        phases: &["design"],
        text: "invent {name} {definition}",
        words: "Invents an atom or a modifier, in games with inventions. Both estimate it, and the design phase ends.",
    },
    ActionForm {
        phases: &["estimate"],
        text: "estimate {least..1000.000}",
        words: "What the atom costs, or by what the modifier multiplies. The word may be left out.",
    },
];

impl State {
    /// Lists what a seat that is asked may say besides the choices of its view.
    pub(super) fn besides(&self, options: &Csipgs, seat: Seat) -> Vec<String> {
        match self.phase {
            Phase::Armies => {
                let color = seat.color();
                let known = KnownArmy::all(options, self.bounds(), self.board.size(), color);
                let known = known.into_iter().filter(|army| army.refused.is_none());
                let mut armies: Vec<String> = known.map(|army| format!("army {}", army.pairs)).collect();
                armies.push(Action::Army(self.cheapest_army(options, color)).to_string());
                armies.push("army {placing 16..16}".to_owned());
                armies
            }
            Phase::Place => {
                let squares = home(self.board.size(), self.mover) & !self.position.occupied();
                let placed = |square: Square| {
                    let royal = Action::Place(Spelling::known("royal-WF"), square);
                    let royal = Some(royal).filter(|action| self.check_place(options, action).is_ok());
                    royal.into_iter().chain([Action::Place(self.cheapest(self.mover, square), square)])
                };
                let mut places: Vec<String> = squares.flat_map(placed).map(|action| action.to_string()).collect();
                places.push("place {piece} {square}".to_owned());
                places
            }
            Phase::Action => Vec::new(),
            Phase::Design => {
                let mut words = vec![Action::Keep.to_string()];
                if options.buy_in_design {
                    words.extend(self.sales(options).iter().map(Action::to_string));
                }
                words.push("design {1..6} {piece}".to_owned());
                if options.inventions {
                    words.push("invent {name} {definition}".to_owned());
                }
                words
            }
            Phase::Estimate(invention) => {
                let least = self.least(options, invention).and_then(|(_, cost)| Estimate::at_least(cost));
                let thousandths = least.map_or(1, |least| least.0);
                vec![format!("estimate {{{}.{:03}..1000.000}}", thousandths / 1000, thousandths % 1000)]
            }
        }
    }

    /// The purchases that the mover may make now, of each design one.
    pub(super) fn sales(&self, options: &Csipgs) -> Vec<Action> {
        let designs = &self.side().designs;
        let sold = designs.iter().enumerate().filter(|(index, piece_type)| {
            !designs[..*index].contains(piece_type) && self.sold(options, piece_type).is_ok()
        });
        sold.map(|(_, piece_type)| Action::Buy(Spelling::known(&piece_type.text))).collect()
    }

    /// A cheapest piece of an army for a square.
    pub(super) fn cheapest(&self, color: Color, square: Square) -> Spelling {
        Spelling::known(&self.bounds().cheapest[usize::from(second(self.board.size(), color, square))].0)
    }

    /// An army of the cheapest pieces, with a king on its first rank if the budget has room for one.
    fn cheapest_army(&self, options: &Csipgs, color: Color) -> Vec<(Spelling, Square)> {
        let size = self.board.size();
        let army: Vec<_> = home(size, color).map(|square| (self.cheapest(color, square), square)).collect();
        let crowned = (0..army.len()).filter(|index| !second(size, color, army[*index].1)).map(|index| {
            let mut crowned = army.clone();
            crowned[index].0 = Spelling::known("royal-WF");
            crowned
        });
        let legal = |army: &Vec<_>| self.check_army(options, Seat::of(color), &Action::Army(army.clone())).is_ok();
        crowned.into_iter().find(legal).unwrap_or(army)
    }
}

/// A word about each preset.
pub(super) const WAYS: &[PresetDescription] = &[
    way(
        "standard",
        "One zorkmid a turn, and prices in whole zorkmids.",
        &["income_tenths", "white_tenths", "black_tenths", "quantum"],
    ),
    way("balanced I", "Black begins with one zorkmid, because White moves first.", &["white_tenths", "black_tenths"]),
    way(
        "balanced II",
        "Black begins with half a zorkmid, and prices are rounded up to halves.",
        &["white_tenths", "black_tenths", "quantum"],
    ),
    way("weak power", "Two zorkmids a turn instead of one.", &["income_tenths"]),
    way("standard power", "Four zorkmids a turn instead of one.", &["income_tenths"]),
    way(
        "strong power",
        "Seven zorkmids a turn, and pieces are bought while they are designed.",
        &["income_tenths", "buy_in_design"],
    ),
    way(
        "super power",
        "Ten zorkmids a turn, and pieces are bought while they are designed.",
        &["income_tenths", "buy_in_design"],
    ),
    way(
        "progressive",
        "Every turn brings one zorkmid more than the turn before it.",
        &["progressive", "income_tenths"],
    ),
    way(
        "drawless",
        "No draw is agreed or claimed; in a long game incomes grow, no more kings are sold, and pieces may move twice.",
        &[
            "draw_offers",
            "draw_claims",
            "automatic_draws",
            "raise_after_turns",
            "raise_every_plies",
            "royals_until_turn",
            "doublemove_after_turn",
        ],
    ),
    way("configurable", "New atoms and modifiers of the notation may be invented.", &["inventions"]),
    way("dutch", "Prices are in tenths of a zorkmid, so that hardly anything is rounded.", &["quantum"]),
    way(
        "army",
        "Both first set up an army of sixteen pieces in secret, for a budget.",
        &[
            "army",
            "army_budget_tenths",
            "army_total",
            "army_rest",
            "army_second_rank",
            "army_least_tenths",
            "army_most_tenths",
        ],
    ),
    way("small", "Six files and ranks instead of eight, so that the kings are nearer each other.", &["files", "ranks"]),
];

const fn way(preset: &'static str, words: &'static str, options: &'static [&'static str]) -> PresetDescription {
    PresetDescription { preset, words, options }
}
