//! Options of a game, and the presets.
//!
//! One record covers all of Bodlaender's variants, and every alternative that he gives in brackets.

use serde::{Deserialize, Serialize};

use super::{position_text, price::Quantum};
use crate::{
    rules::{
        OptionRange, OptionSpec, Refusal,
        settings::{FILES_SETTING, RANKS_SETTING},
    },
    text_enum,
};

/// Options of a game of csipgs chess. Money is in tenths of a zorkmid. For a number of turns, −1 means never.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Csipgs {
    /// Files of the board, 4 to 8.
    pub files: u8,
    /// Ranks of the board, 4 to 8.
    pub ranks: u8,
    /// Smallest coin. Prices are rounded up to multiples of it.
    pub quantum: Quantum,
    /// White's money before the first turn.
    pub white_tenths: i64,
    /// Black's money before the first turn.
    pub black_tenths: i64,
    /// Income per turn.
    pub income_tenths: i64,
    /// Whether each turn brings one zorkmid more than the opponent's turn before it.
    pub progressive: bool,
    /// Full turns (of both players) after which the income grows by one zorkmid.
    pub raise_after_turns: i64,
    /// Plies (turns of one player) between further raises. 21 plies are ten and a half turns.
    pub raise_every_plies: i64,
    /// Last full turn in which royal pieces can be bought.
    pub royals_until_turn: i64,
    /// Full turns after which designs may use `doublemove-`.
    pub doublemove_after_turn: i64,
    /// Whether designs may use `relay-`.
    pub relay: bool,
    /// The six starting designs, separated by spaces; empty for the standard ones.
    pub designs: String,
    /// Starting position with both sides' money, reserves and designs; empty for the usual start.
    pub fen: String,
    /// Whether pieces are bought in the design phase.
    pub buy_in_design: bool,
    /// Whether players may agree to a draw.
    pub draw_offers: bool,
    /// Whether players may claim draws by threefold repetition or the fifty-move rule.
    pub draw_claims: bool,
    /// Whether fivefold repetition and 75 moves are automatic draws.
    pub automatic_draws: bool,
    /// Whether players may invent atoms and modifiers.
    pub inventions: bool,
    /// How armies are set up, if at all.
    pub army: Army,
    /// Budget of an army.
    pub army_budget_tenths: i64,
    /// Whether an army may cost its whole budget, or must cost less.
    pub army_total: Total,
    /// Use of the unspent part of the budget.
    pub army_rest: Rest,
    /// Pieces allowed on the second rank.
    pub army_second_rank: SecondRank,
    /// Minimum cost of an army piece.
    pub army_least_tenths: i64,
    /// Maximum cost of an army piece; 0 for no limit.
    pub army_most_tenths: i64,
}

/// Maximum number of a side's pieces on the board and in reserve, and number of pieces in an army.
pub(super) const MOST_PIECES: usize = 16;
/// Number of files on which an army fills two ranks, as in the source.
const ARMY_FILES: u8 = 8;

/// Prefixes other than `royal-` that designs may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Prefixes {
    /// `relay-`.
    pub(super) relay: bool,
    /// `doublemove-`.
    pub(super) doublemove: bool,
}

text_enum! {
    /// How armies are set up before the first turn, if at all.
    #[derive(utoipa::ToSchema)]
    pub enum Army {
        None = "none": "a king each, and everything else is bought",
        Secret = "secret": "both players set up sixteen pieces in secret",
        Alternate = "alternate": "both players place sixteen pieces alternately, White first",
    }
}
text_enum! {
    /// Limit that the budget sets on the cost of an army.
    #[derive(utoipa::ToSchema)]
    pub enum Total {
        Below = "below": "less than the budget",
        AtMost = "at_most": "at most the budget",
    }
}
text_enum! {
    /// Use of the unspent part of an army's budget.
    #[derive(utoipa::ToSchema)]
    pub enum Rest {
        Lost = "lost": "lost",
        Kept = "kept": "kept",
        Half = "half": "half kept, in whole zorkmids",
    }
}
text_enum! {
    /// Pieces allowed on the second rank of an army.
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
            fen: String::new(),
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
    /// Presets: Bodlaender's variants with the base game first, and our own variant on a small board. Bodlaender does
    /// not specify which power games buy in the design phase. We read it as the two strongest.
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

    /// Descriptions of the options.
    pub(super) const SETTINGS: &'static [OptionSpec] = &[
        FILES_SETTING,
        RANKS_SETTING,
        setting("quantum", "Smallest coin (prices are rounded up to it)", OptionRange::Word(Quantum::WORDS)),
        setting("income_tenths", "Income per turn", OptionRange::Money(0, 1_000)),
        setting("white_tenths", "White’s money at the start", OptionRange::Money(0, 10_000)),
        setting("black_tenths", "Black’s money at the start", OptionRange::Money(0, 10_000)),
        setting("progressive", "Each turn brings one zorkmid more than the turn before", OptionRange::Flag),
        setting("raise_after_turns", "Income grows by one zorkmid after turn", OptionRange::Turns(5_000)),
        setting("raise_every_plies", "Half-turns between further raises", OptionRange::Whole(1, 5_000)),
        setting("royals_until_turn", "No royal pieces for sale after turn", OptionRange::Turns(5_000)),
        setting("doublemove_after_turn", "Designs may use doublemove- after turn", OptionRange::Turns(5_000)),
        setting("relay", "Designs may use relay-", OptionRange::Flag),
        setting("designs", "The six starting designs", OptionRange::Text("B BR fcFfmW N R royal-WF")),
        setting(
            "fen",
            "Start from this position (FEN with money and designs)",
            OptionRange::Position(position_text::EXAMPLE),
        ),
        setting("buy_in_design", "Pieces are bought in the design phase", OptionRange::Flag),
        setting("draw_offers", "Players may agree to a draw", OptionRange::Flag),
        setting("draw_claims", "Players may claim a draw by threefold repetition or 50 moves", OptionRange::Flag),
        setting("automatic_draws", "Fivefold repetition and 75 moves are automatic draws", OptionRange::Flag),
        setting("inventions", "Players may invent atoms and modifiers", OptionRange::Flag),
        setting("army", "How the game starts", OptionRange::Word(Army::WORDS)),
        setting("army_budget_tenths", "Army: budget", OptionRange::Money(1, 100_000)),
        setting("army_total", "Army: total cost", OptionRange::Word(Total::WORDS)),
        setting("army_rest", "Army: unspent money", OptionRange::Word(Rest::WORDS)),
        setting("army_second_rank", "Army: second rank", OptionRange::Word(SecondRank::WORDS)),
        setting("army_least_tenths", "Army: minimum cost of a piece", OptionRange::Money(0, 10_000)),
        setting("army_most_tenths", "Army: maximum cost of a piece", OptionRange::Cap(100_000)),
    ];

    /// Income on a turn, in tenths. Turns count from 1 over both players.
    pub fn income(&self, turn: i64) -> i64 {
        let progress = if self.progressive { 10 * (turn - 1) } else { 0 };
        let raised = if is_past(self.raise_after_turns, turn) {
            10 * (1 + (turn - 2 * self.raise_after_turns - 1) / self.raise_every_plies)
        } else {
            0
        };
        self.income_tenths + progress + raised
    }

    /// Whether royal pieces can be bought on a turn.
    pub fn royals_sold(&self, turn: i64) -> bool {
        !is_past(self.royals_until_turn, turn)
    }

    /// Whether designs may use `doublemove-` on a turn.
    pub fn doublemove(&self, turn: i64) -> bool {
        is_past(self.doublemove_after_turn, turn)
    }

    /// Prefixes that designs may use on a turn.
    pub(super) fn prefixes(&self, turn: i64) -> Prefixes {
        Prefixes { relay: self.relay, doublemove: self.doublemove(turn) }
    }

    /// Checks the combination of options, except for the limits on armies.
    pub(super) fn check_combination(&self) -> Result<(), Refusal> {
        if self.army != Army::None && self.files != ARMY_FILES {
            return Err(Refusal::new(format!(
                "an army is {MOST_PIECES} pieces on two ranks, which takes {ARMY_FILES} files: set files to {ARMY_FILES}, or army to none"
            )));
        }
        if self.army_most_tenths != 0 && self.army_most_tenths < self.army_least_tenths {
            return Err(Refusal::new("the maximum cost of an army piece is below the minimum: raise army_most_tenths"));
        }
        Ok(())
    }
}

const fn setting(key: &'static str, words: &'static str, range: OptionRange) -> OptionSpec {
    OptionSpec { key, words, range }
}

/// Whether `turn`, counted over both players, comes after a number of full turns. −1 turns never pass.
fn is_past(turns: i64, turn: i64) -> bool {
    turns >= 0 && turn > 2 * turns
}
