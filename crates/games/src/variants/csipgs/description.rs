//! Descriptions of the variant: its presets, and for programs the grammar of actions and the actions possible now.

use super::{
    action::{Action, Spelling},
    army::{KnownArmy, home_ranks, is_second_rank},
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
        words: "Sets up sixteen pieces, one on each square of the first two ranks, within the budget and limits of view.army.",
    },
    ActionForm {
        phases: &["place"],
        text: "place {piece} {square}",
        words: "Places one of the sixteen pieces on an empty square of the first two ranks.",
    },
    ActionForm { phases: &["action"], text: "{move}", words: "Moves a piece. There is no promotion." },
    ActionForm { phases: &["action"], text: "{move} {move}", words: "Moves a piece twice, if it may move twice." },
    ActionForm { phases: &["action"], text: "buy {piece}", words: "Buys one of your designs for your reserve." },
    ActionForm {
        phases: &["action"],
        text: "transfer {piece} {square}",
        words: "Places a piece from your reserve on an empty square next to one of your royal pieces that is not attacked.",
    },
    ActionForm {
        phases: &["design"],
        text: "buy {piece}",
        words: "Buys one of your designs, in games with purchases in the design phase.",
    },
    ActionForm { phases: &["design"], text: "keep", words: "Keeps your designs." },
    ActionForm {
        phases: &["design"],
        text: "design {1..6} {piece}",
        words: "Replaces the design in this slot with the piece.",
    },
    ActionForm {
        phases: &["design"],
        text: "invent {name} {definition}",
        words: "Invents an atom or a modifier, in games with inventions. Both players then estimate it, and the turn ends.",
    },
    ActionForm {
        phases: &["estimate"],
        text: "estimate {least..1000.000}",
        words: "Cost of the atom, or factor of the modifier. The word estimate may be left out.",
    },
];

impl State {
    /// Texts and patterns of a seat's possible actions that are not among the choices of its view.
    pub(super) fn besides(&self, options: &Csipgs, seat: Seat) -> Vec<String> {
        match self.phase {
            Phase::Armies => {
                let color = seat.color();
                let known = KnownArmy::all(options, self.army_limits(), self.board.size(), color);
                let known = known.into_iter().filter(|army| army.refused.is_none());
                let mut armies: Vec<String> = known.map(|army| format!("army {}", army.pairs)).collect();
                armies.push(Action::Army(self.cheapest_army(options, color)).to_string());
                armies.push("army {placing 16..16}".to_owned());
                armies
            }
            Phase::Place => {
                let squares = home_ranks(self.board.size(), self.mover) & !self.position.occupied();
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
                let least = self.minimum_estimate(options, invention).and_then(|(_, cost)| Estimate::at_least(cost));
                let thousandths = least.map_or(1, |least| least.0);
                vec![format!("estimate {{{}.{:03}..1000.000}}", thousandths / 1000, thousandths % 1000)]
            }
        }
    }

    /// Purchases that the mover can make now, one per distinct design.
    pub(super) fn sales(&self, options: &Csipgs) -> Vec<Action> {
        let designs = &self.side().designs;
        let sold = designs.iter().enumerate().filter(|(index, piece_type)| {
            !designs[..*index].contains(piece_type) && self.check_sale(options, piece_type).is_ok()
        });
        sold.map(|(_, piece_type)| Action::Buy(Spelling::known(&piece_type.text))).collect()
    }

    /// A cheapest army piece for a square.
    pub(super) fn cheapest(&self, color: Color, square: Square) -> Spelling {
        Spelling::known(&self.army_limits().cheapest[usize::from(is_second_rank(self.board.size(), color, square))].0)
    }

    /// An army of the cheapest pieces, with a king on its first rank if the budget allows.
    fn cheapest_army(&self, options: &Csipgs, color: Color) -> Vec<(Spelling, Square)> {
        let size = self.board.size();
        let army: Vec<_> = home_ranks(size, color).map(|square| (self.cheapest(color, square), square)).collect();
        let crowned = (0..army.len()).filter(|index| !is_second_rank(size, color, army[*index].1)).map(|index| {
            let mut crowned = army.clone();
            crowned[index].0 = Spelling::known("royal-WF");
            crowned
        });
        let legal = |army: &Vec<_>| self.check_army(options, Seat::of(color), &Action::Army(army.clone())).is_ok();
        crowned.into_iter().find(legal).unwrap_or(army)
    }
}

/// Description of each preset.
pub(super) const WAYS: &[PresetDescription] = &[
    way(
        "standard",
        "One zorkmid per turn, and prices in whole zorkmids.",
        &["income_tenths", "white_tenths", "black_tenths", "quantum"],
    ),
    way("balanced I", "Black starts with one zorkmid, because White moves first.", &["white_tenths", "black_tenths"]),
    way(
        "balanced II",
        "Black starts with half a zorkmid, and prices are rounded up to halves.",
        &["white_tenths", "black_tenths", "quantum"],
    ),
    way("weak power", "Two zorkmids per turn instead of one.", &["income_tenths"]),
    way("standard power", "Four zorkmids per turn instead of one.", &["income_tenths"]),
    way(
        "strong power",
        "Seven zorkmids per turn, and you buy pieces in the design phase.",
        &["income_tenths", "buy_in_design"],
    ),
    way(
        "super power",
        "Ten zorkmids per turn, and you buy pieces in the design phase.",
        &["income_tenths", "buy_in_design"],
    ),
    way("progressive", "Each turn brings one zorkmid more than the turn before.", &["progressive", "income_tenths"]),
    way(
        "drawless",
        "No draws by agreement or claim. In a long game incomes grow, royal pieces are no longer sold, and designs may move twice.",
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
    way("configurable", "You may invent new atoms and modifiers of the notation.", &["inventions"]),
    way("dutch", "Prices are in tenths of a zorkmid, with little rounding.", &["quantum"]),
    way(
        "army",
        "Both players first set up sixteen pieces in secret, within a budget.",
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
    way("small", "Six files and ranks instead of eight, so the kings start closer together.", &["files", "ranks"]),
];

const fn way(preset: &'static str, words: &'static str, options: &'static [&'static str]) -> PresetDescription {
    PresetDescription { preset, words, options }
}
