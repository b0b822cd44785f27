//! The grammar of actions, for whoever writes programs: the phrases of each variant, and the blanks that stand in them between braces.
//! It is told in the documents of the API; a game says beside its choices which phrases fit now, with their bounds.

use serde::Serialize;

/// One way to say something in a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ActionForm {
    /// The phases in which it is said, as [`Rules::phase`](super::Rules::phase) has them.
    pub phases: &'static [&'static str],
    /// The text, with blanks between braces: `bid {least..most}`.
    pub text: &'static str,
    /// Its meaning.
    pub words: &'static str,
}

/// A blank: what may stand in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placeholder {
    /// Its name between the braces.
    pub name: &'static str,
    /// Some texts that fill it.
    pub examples: &'static [&'static str],
    /// How it is filled.
    pub words: &'static str,
}

/// All blanks that have names. A blank without one is a number between two bounds.
pub static BLANKS: [Placeholder; 11] = [
    Placeholder {
        name: "move",
        examples: &["e2e4", "e7e8q", "e1g1"],
        words: "From square to square, and the small letter of the piece that a pawn becomes. A king castles to the square where he ends, or onto his rook.",
    },
    Placeholder {
        name: "drop",
        examples: &["N@f3", "P@e4"],
        words: "One of the letters P N B R Q, an @ and an empty square. Pawns are not dropped on the first or last rank.",
    },
    Placeholder {
        name: "cells",
        examples: &["Ab2Bb2", "Ec4Ec5q"],
        words: "From cell to cell of a cube, each by its level’s capital letter, its file’s letter and its rank’s number, and the small letter of the piece that a pawn becomes.",
    },
    Placeholder { name: "square", examples: &["d2", "e7"], words: "The file’s letter and the rank’s number." },
    Placeholder {
        name: "piece",
        examples: &["WF", "WFfhN", "fsRbF"],
        words: "A piece in Betza’s notation, as GET /api/betza reads it, of at most 64 characters and without spaces; an invention stands in it between angle brackets, as in W<Horse>.",
    },
    Placeholder { name: "placing", examples: &["royal-WF e1", "WF e2"], words: "A piece, a space and its square." },
    Placeholder {
        name: "part",
        examples: &["e2e4", "N@f5"],
        words: "A move, or one of the letters P N B R Q K, an @ and a square: a bought piece is dropped there. Drops come before moves.",
    },
    Placeholder {
        name: "guess",
        examples: &["e2", "g1f3", "$N", "$N@f5", "extra"],
        words: "A unit’s square: it moves; two squares: it moves there; $ and a letter of P N B R Q: such a piece is bought, with @ and a square: and dropped there; extra: a move is bought.",
    },
    Placeholder {
        name: "wish",
        examples: &["chess 3", "duck 1", "racing-kings 9"],
        words: "The key of a game that may be drawn, a space and its weight, 0 to 9; each game once.",
    },
    Placeholder { name: "name", examples: &["Horse", "Leap"], words: "A capital letter and one to eleven small ones." },
    Placeholder {
        name: "definition",
        examples: &[
            "leaper(1,4)",
            "rider(1,3)",
            "lame(1,2)",
            "bent(1,1,0,1)",
            "runner",
            "lamed",
            "range(3)",
            "hopper",
            "grasshopper",
            "initial",
            "relay",
            "doublemove",
        ],
        words: "One of these words; the digits in brackets are leaps (m,n) with 0 ≤ m ≤ n ≤ 7 and n at least 1, those of range 1 to 7.",
    },
];

/// The only phrase of a game in which all that is said are moves.
pub(crate) static MOVES: [ActionForm; 1] = [ActionForm { phases: &["move"], text: "{move}", words: "A unit moves." }];

/// The phrases of a game in which captured pieces are dropped.
pub(crate) static DROPS: [ActionForm; 2] = [
    ActionForm { phases: &["move"], text: "{move}", words: "A unit moves." },
    ActionForm { phases: &["move"], text: "{drop}", words: "A captured piece comes to an empty square." },
];
