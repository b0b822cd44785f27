//! A word about each of Bodlaender's variants, and which options belong to it.

use crate::rules::Way;

/// A word about each preset.
pub(super) const WAYS: &[Way] = &[
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

const fn way(preset: &'static str, words: &'static str, options: &'static [&'static str]) -> Way {
    Way { preset, words, options }
}
