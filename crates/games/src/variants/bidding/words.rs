//! What is said to beginners of bidding chess, and the grammar of what its players say.

use crate::rules::{Lesson, Phrase};

/// Two lines on each task.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        task: "bid",
        lines: [
            "Bid chips for the next move: the more you bid, the likelier it is yours, and whoever gets it pays.",
            "Take the king to win, or what else wins in this game; chips left over are worth nothing.",
        ],
    },
    Lesson {
        task: "answer",
        lines: [
            "The other side has named a price for the next move.",
            "Either you let it move for that, or you move for the same yourself.",
        ],
    },
    Lesson { task: "tie", lines: ["Both have bid the same, and you decide who moves.", "Whoever moves pays."] },
    Lesson {
        task: "move",
        lines: [
            "You have won the move: press a piece, then its square. The rules of check do not bind: take the king to win, or what else wins in this game.",
            "Then both bid again, so the same side may move several times.",
        ],
    },
];

/// All that is said.
pub(super) const PHRASES: &[Phrase] = &[
    Phrase {
        phases: &["bid"],
        text: "bid {least..most}",
        words: "Bids so many chips for the next move; below zero whoever moves is paid for it. The word may be left out.",
    },
    Phrase { phases: &["answer"], text: "accept", words: "Takes the chips that were bid, and lets the bidder move." },
    Phrase { phases: &["answer"], text: "reject", words: "Pays as many, and moves." },
    Phrase { phases: &["tie"], text: "take", words: "Pays what both bid, moves, and gives the marker away." },
    Phrase { phases: &["tie"], text: "give", words: "Lets the other pay and move, and keeps the marker." },
    Phrase { phases: &["move"], text: "{move}", words: "A unit moves." },
    Phrase {
        phases: &["move"],
        text: "{drop}",
        words: "Drops a captured piece, where the game on the board knows that.",
    },
    Phrase { phases: &["move"], text: "pass", words: "Does nothing, if no unit can move." },
];
