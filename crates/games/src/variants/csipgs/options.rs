//! The options of a game and the named variants: every one of Bodlaender's variants is a value of one record, and so is every
//! alternative that he puts in brackets.

use serde::{Deserialize, Serialize};

use super::price::Quantum;
use crate::{
    rules::{
        OptionRange, OptionSpec, Refusal,
        settings::{FILES_SETTING, RANKS_SETTING},
    },
    text_enum,
};

/// The options of a game of csipgs chess. Money is in tenths of a zorkmid; −1 turns mean never.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Csipgs {
    /// The number of files of the board, 4 to 8.
    pub files: u8,
    /// The number of its ranks, 4 to 8.
    pub ranks: u8,
    /// The smallest coin: prices are rounded up to multiples of it.
    pub quantum: Quantum,
    /// White's money before the first turn.
    pub white_tenths: i64,
    /// Black's money before the first turn.
    pub black_tenths: i64,
    /// The income of a player every turn.
    pub income_tenths: i64,
    /// Each turn brings one zorkmid more than the other player's turn before it.
    pub progressive: bool,
    /// After so many turns of both players the income grows by one.
    pub raise_after_turns: i64,
    /// And again every so many plies (a turn of one player): 21 are ten and a half turns.
    pub raise_every_plies: i64,
    /// After so many turns royal pieces may no longer be bought.
    pub royals_until_turn: i64,
    /// After so many turns designs may use doublemove-.
    pub doublemove_after_turn: i64,
    /// Designs may use relay-.
    pub relay: bool,
    /// The six designs that both begin with, parted by spaces; nothing for the usual ones.
    pub designs: String,
    /// Pieces are bought in the design phase.
    pub buy_in_design: bool,
    /// Players may agree on a draw.
    pub draw_offers: bool,
    /// Draws may be claimed: threefold repetition, and 50 moves.
    pub draw_claims: bool,
    /// The fivefold repetition and 75 moves draw by themselves.
    pub automatic_draws: bool,
    /// Atoms and modifiers may be invented.
    pub inventions: bool,
    /// The way armies are set up, if they are.
    pub army: Army,
    /// The budget of an army.
    pub army_budget_tenths: i64,
    /// The bound that the budget sets: less than all of it, or all of it.
    pub army_total: Total,
    /// The fate of what an army did not cost.
    pub army_rest: Rest,
    /// The pieces that may stand on the second rank.
    pub army_second_rank: SecondRank,
    /// The least that a piece of an army may cost.
    pub army_least_tenths: i64,
    /// The most that a piece of an army may cost; 0 for no limit.
    pub army_most_tenths: i64,
}

/// The most pieces of a side, on the board and in reserve, and the pieces of an army.
pub(super) const MOST_PIECES: usize = 16;
/// The files of a board on which an army fills two ranks, as the source has it.
const ARMY_FILES: u8 = 8;

/// The prefixes beside `royal-` that designs may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Prefixes {
    /// `relay-`.
    pub(super) relay: bool,
    /// `doublemove-`.
    pub(super) doublemove: bool,
}

text_enum! {
    /// The way armies are set up before the first turn, if they are.
    #[derive(utoipa::ToSchema)]
    pub enum Army {
        None = "none": "a king each, all else is bought",
        Secret = "secret": "both set up sixteen pieces in secret",
        Alternate = "alternate": "both set up sixteen pieces in turns, White first",
    }
}
text_enum! {
    /// The most that an army may cost, against its budget.
    #[derive(utoipa::ToSchema)]
    pub enum Total {
        Below = "below": "less than the budget",
        AtMost = "at_most": "at most the budget",
    }
}
text_enum! {
    /// The fate of the money that an army did not cost.
    #[derive(utoipa::ToSchema)]
    pub enum Rest {
        Lost = "lost": "it is lost",
        Kept = "kept": "it is kept",
        Half = "half": "half of it is kept, in whole zorkmids",
    }
}
text_enum! {
    /// The pieces that may stand on the second rank of an army.
    #[derive(utoipa::ToSchema)]
    pub enum SecondRank {
        Cheap = "cheap": "pieces that cost at most two zorkmids",
        Forward = "forward": "pieces that only move and capture forwards",
    }
}

impl Default for Csipgs {
    fn default() -> Self {
        Csipgs {
            files: 8,
            ranks: 8,
            quantum: Quantum::Whole,
            white_tenths: 0,
            black_tenths: 0,
            income_tenths: 10,
            progressive: false,
            raise_after_turns: -1,
            raise_every_plies: 21,
            royals_until_turn: -1,
            doublemove_after_turn: -1,
            relay: false,
            designs: String::new(),
            buy_in_design: false,
            draw_offers: true,
            draw_claims: true,
            automatic_draws: false,
            inventions: false,
            army: Army::None,
            army_budget_tenths: 520,
            army_total: Total::Below,
            army_rest: Rest::Lost,
            army_second_rank: SecondRank::Cheap,
            army_least_tenths: 0,
            army_most_tenths: 0,
        }
    }
}

impl Csipgs {
    /// Bodlaender's variants by name, the base game first, and our own on a small board. Which of the power games buy in the design phase he does not delimit:
    /// the two stronger ones, as we read it.
    pub fn named() -> Vec<(&'static str, Csipgs)> {
        let base = Csipgs::default;
        let power = |income_tenths, buy_in_design| Csipgs { income_tenths, buy_in_design, ..base() };
        vec![
            ("standard", base()),
            ("balanced I", Csipgs { black_tenths: 10, ..base() }),
            ("balanced II", Csipgs { quantum: Quantum::Half, black_tenths: 5, ..base() }),
            ("weak power", power(20, false)),
            ("standard power", power(40, false)),
            ("strong power", power(70, true)),
            ("super power", power(100, true)),
            ("progressive", Csipgs { progressive: true, ..base() }),
            (
                "drawless",
                Csipgs {
                    raise_after_turns: 50,
                    royals_until_turn: 80,
                    doublemove_after_turn: 110,
                    draw_offers: false,
                    draw_claims: false,
                    ..base()
                },
            ),
            ("configurable", Csipgs { inventions: true, ..base() }),
            ("dutch", Csipgs { quantum: Quantum::Tenth, ..base() }),
            ("army", Csipgs { army: Army::Secret, ..base() }),
            ("small", Csipgs { files: 6, ranks: 6, ..base() }),
        ]
    }

    /// The options in words.
    pub(super) const SETTINGS: &'static [OptionSpec] = &[
        FILES_SETTING,
        RANKS_SETTING,
        setting("quantum", "Smallest coin, to which prices are rounded up", OptionRange::Word(Quantum::WORDS)),
        setting("income_tenths", "Income per turn", OptionRange::Money(0, 1_000)),
        setting("white_tenths", "White’s money at the start", OptionRange::Money(0, 10_000)),
        setting("black_tenths", "Black’s money at the start", OptionRange::Money(0, 10_000)),
        setting("progressive", "Every turn brings one zorkmid more than the turn before", OptionRange::Flag),
        setting("raise_after_turns", "Income grows by one zorkmid after so many turns", OptionRange::Turns(5_000)),
        setting(
            "raise_every_plies",
            "And again every so many half turns; 21 are ten and a half turns",
            OptionRange::Whole(1, 5_000),
        ),
        setting("royals_until_turn", "No royal piece may be bought after so many turns", OptionRange::Turns(5_000)),
        setting("doublemove_after_turn", "Designs may use doublemove- after so many turns", OptionRange::Turns(5_000)),
        setting("relay", "Designs may use relay-", OptionRange::Flag),
        setting("designs", "The six designs that both begin with", OptionRange::Text("B BR fcFfmW N R royal-WF")),
        setting("buy_in_design", "Pieces are bought in the design phase", OptionRange::Flag),
        setting("draw_offers", "Players may agree on a draw", OptionRange::Flag),
        setting("draw_claims", "Threefold repetition and 50 moves may be claimed as a draw", OptionRange::Flag),
        setting("automatic_draws", "Fivefold repetition and 75 moves are a draw at once", OptionRange::Flag),
        setting("inventions", "Atoms and modifiers may be invented", OptionRange::Flag),
        setting("army", "How the game begins", OptionRange::Word(Army::WORDS)),
        setting("army_budget_tenths", "Army: what it may cost", OptionRange::Money(1, 100_000)),
        setting("army_total", "Army: it costs", OptionRange::Word(Total::WORDS)),
        setting("army_rest", "Army: of the money not spent", OptionRange::Word(Rest::WORDS)),
        setting("army_second_rank", "Army: on the second rank stand", OptionRange::Word(SecondRank::WORDS)),
        setting("army_least_tenths", "Army: the least that a piece costs", OptionRange::Money(0, 10_000)),
        setting("army_most_tenths", "Army: the most that a piece costs", OptionRange::Cap(100_000)),
    ];

    /// The income on the turn of a number, counted from 1 over both players, in tenths.
    pub fn income(&self, turn: i64) -> i64 {
        let progress = if self.progressive { 10 * (turn - 1) } else { 0 };
        let raised = if past(self.raise_after_turns, turn) {
            10 * (1 + (turn - 2 * self.raise_after_turns - 1) / self.raise_every_plies)
        } else {
            0
        };
        self.income_tenths + progress + raised
    }

    /// Tells whether royal pieces may be bought on a turn.
    pub fn royals_sold(&self, turn: i64) -> bool {
        !past(self.royals_until_turn, turn)
    }

    /// Tells whether designs may use doublemove- on a turn.
    pub fn doublemove(&self, turn: i64) -> bool {
        past(self.doublemove_after_turn, turn)
    }

    /// The prefixes that designs may use on a turn.
    pub(super) fn prefixes(&self, turn: i64) -> Prefixes {
        Prefixes { relay: self.relay, doublemove: self.doublemove(turn) }
    }

    /// Checks the combination of options, but for the limits of armies.
    pub(super) fn sensible(&self) -> Result<(), Refusal> {
        if self.army != Army::None && self.files != ARMY_FILES {
            return Err(Refusal::new(format!(
                "an army is {MOST_PIECES} pieces on two ranks, which takes {ARMY_FILES} files: set files to {ARMY_FILES}, or army to none"
            )));
        }
        if self.army_most_tenths != 0 && self.army_most_tenths < self.army_least_tenths {
            return Err(Refusal::new(
                "the most that a piece of an army may cost is less than the least: raise army_most_tenths",
            ));
        }
        Ok(())
    }
}

const fn setting(key: &'static str, words: &'static str, range: OptionRange) -> OptionSpec {
    OptionSpec { key, words, range }
}

/// Tells whether a turn counted over both players comes after so many turns of each; −1 turns never pass.
fn past(turns: i64, turn: i64) -> bool {
    turns >= 0 && turn > 2 * turns
}
