//! Grammar of actions for client programs: the forms of each variant, with blanks in braces. The API documentation publishes it.
//! A game lists the forms that fit now, with their bounds.

use serde::Serialize;

use crate::{board::Square, text_enum};

text_enum! {
    /// Kind of action that a game waits for.
    #[derive(utoipa::ToSchema)]
    pub enum GamePhase {
        Move = "move": "a move",
        Bid = "bid": "a bid",
        Answer = "answer": "an answer to an open bid",
        Tie = "tie": "a choice after equal bids",
        Coin = "coin": "a coin toss, by chance",
        Officers = "officers": "knights, bishops, rooks and queens, by chance",
        Deal = "deal": "pawns and kings, by chance",
        Stakes = "stakes": "a decision to play for higher stakes or to concede",
        Guess = "guess": "a turn of the mover, and guesses of the opponent",
        Turn = "turn": "a turn without guesses",
        Response = "response": "an answer to a turn",
        Army = "army": "an army of each player, in secret",
        Place = "place": "a piece of an army",
        Action = "action": "a move, a purchase or a transfer",
        Design = "design": "a design, or none",
        Estimate = "estimate": "an estimate of an invention by each player",
        Weigh = "weigh": "the weights of both players for the variants",
        Draw = "draw": "a variant, by chance",
        Over = "over": "nothing: the game is over",
    }
}

/// One form of action in a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ActionForm {
    /// Names of the phases in which it applies, as in [`Rules::phase`](super::Rules::phase).
    pub phases: &'static [&'static str],
    /// Text with blanks in braces: `bid {least..most}`.
    pub text: &'static str,
    /// Description of the action.
    pub words: &'static str,
}

/// A named blank in an action form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placeholder {
    /// Name in the braces.
    pub name: &'static str,
    /// Some texts that fill it.
    pub examples: &'static [&'static str],
    /// How to fill it.
    pub words: &'static str,
}

/// Whether a text has the form of a move in algebraic notation, such as `Nbd7+`, `exd8=Q` or `O-O`.
pub(crate) fn is_algebraic(text: &str) -> bool {
    let body = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(body, "O-O" | "O-O-O" | "0-0" | "0-0-0") {
        return true;
    }
    let body = body.strip_suffix(|letter: char| letter.is_ascii_uppercase()).unwrap_or(body);
    let body = body.strip_suffix(['=', '/']).unwrap_or(body);
    let Some((from, to)) = body.len().checked_sub(2).and_then(|at| body.split_at_checked(at)) else { return false };
    let from = from.strip_suffix('x').unwrap_or(from);
    let from = from.strip_prefix(|letter: char| letter.is_ascii_uppercase()).unwrap_or(from);
    to.parse::<Square>().is_ok()
        && from.len() <= 2
        && from.bytes().all(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8'))
}

/// A form with its blanks filled: named blanks by their first example, numbers by the least.
pub(crate) fn example(form: &str) -> String {
    let fill = |blank: &str| {
        let name = blank.split(' ').next().unwrap_or_default();
        let known = BLANKS.iter().find(|known| known.name == name);
        known.map_or_else(|| name.split("..").next().unwrap_or_default(), |known| known.examples[0]).to_owned()
    };
    form.split(['{', '}'])
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 { fill(part) } else { part.to_owned() })
        .collect()
}

/// All named blanks. A blank without a name is a number between two bounds.
pub static BLANKS: [Placeholder; 11] = [
    Placeholder {
        name: "move",
        examples: &["e2e4", "e7e8q", "e1g1"],
        words: "The from and to squares, and a lowercase letter for a promotion. To castle, move the king to its final square or onto its rook. Except in csipgs chess, algebraic notation is accepted too, such as Nf3, exd8=Q or O-O.",
    },
    Placeholder {
        name: "drop",
        examples: &["N@f3", "P@e4"],
        words: "One of the letters P N B R Q, then @ and an empty square. Pawns cannot be dropped on the first or last rank.",
    },
    Placeholder {
        name: "cells",
        examples: &["Ab2Bb2", "Ec4Ec5q"],
        words: "The from and to cells of the cube, and a lowercase letter for a promotion. A cell is the level’s capital letter, the file’s letter and the rank’s number.",
    },
    Placeholder {
        name: "square",
        examples: &["d2", "e7"],
        words: "The letter of the file and the number of the rank.",
    },
    Placeholder {
        name: "piece",
        examples: &["WF", "WFfhN", "fsRbF"],
        words: "A piece in Betza notation, as GET /api/betza reads it: at most 64 characters, no spaces. Put the name of an invention in angle brackets, as in W<Horse>.",
    },
    Placeholder { name: "placing", examples: &["royal-WF e1", "WF e2"], words: "A piece, a space and a square." },
    Placeholder {
        name: "part",
        examples: &["e2e4", "N@f5"],
        words: "A move, or a drop of a bought piece: one of the letters P N B R Q K, then @ and a square. Drops come before moves.",
    },
    Placeholder {
        name: "guess",
        examples: &["e2", "g1f3", "$N", "$N@f5", "extra"],
        words: "A square: the piece on it moves. Two squares: it moves from the first to the second. $ and one of the letters P N B R Q: the piece is bought; with @ and a square, it is dropped there. The word extra: a move is bought.",
    },
    Placeholder {
        name: "wish",
        examples: &["chess 3", "duck 1", "racing-kings 9"],
        words: "The key of a variant that can be drawn, a space and its weight from 0 to 9. Name each variant once.",
    },
    Placeholder {
        name: "name",
        examples: &["Horse", "Leap"],
        words: "A capital letter and one to eleven lowercase letters.",
    },
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
        words: "One of these words. The numbers in brackets are leaps (m,n) with 0 ≤ m ≤ n ≤ 7 and n at least 1. The number of range is 1 to 7.",
    },
];

/// Forms of a game whose only actions are moves.
pub(crate) static MOVES: [ActionForm; 1] = [ActionForm { phases: &["move"], text: "{move}", words: "Moves a piece." }];

/// Forms of a game with drops.
pub(crate) static DROPS: [ActionForm; 2] = [
    ActionForm { phases: &["move"], text: "{move}", words: "Moves a piece." },
    ActionForm { phases: &["move"], text: "{drop}", words: "Drops a captured piece on an empty square." },
];
