//! The pieces and rules that Fairy-Stockfish has by name.

/// The pieces by name, each with its moves in Fairy-Stockfish's notation (the list at the head of its own variants.ini).
const PIECES: [(&str, &str); 44] = [
    ("pawn", "fmWfcF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("hawk", "ADGH"),
    ("musketeerElephant", "FWDA"),
    ("unicorn", "NC"),
    ("musketeerCannon", "FWDsN"),
    ("spider", "B2ND"),
    ("leopard", "F2N"),
    ("fortress", "B3vND"),
    ("king", "K"),
];

/// The pieces that a variant has which is based on chess, with their letters.
pub(super) const CHESS: [(&str, char); 6] =
    [("pawn", 'P'), ("knight", 'N'), ("bishop", 'B'), ("rook", 'R'), ("queen", 'Q'), ("king", 'K')];

/// The moves of a piece by its name.
pub(super) fn moves(name: &str) -> Option<&'static str> {
    PIECES.iter().find(|(known, _)| *known == name).map(|(_, moves)| *moves)
}

/// Settings that change no rule: how programs show and value pieces.
const LOOKS: [&str; 5] = ["pieceToCharTable", "pieceValueEg", "pieceValueMg", "pocketSize", "variantTemplate"];

/// Settings that csipgs chess keeps to, each with the values that say so.
const KEPT: [(&str, &[&str]); 10] = [
    ("castling", &["false"]),
    ("checking", &["true"]),
    ("checkmateValue", &["loss"]),
    ("chess960", &["false"]),
    ("doubleStep", &["false"]),
    ("nFoldRule", &["3"]),
    ("nMoveRule", &["50"]),
    ("pieceDrops", &["false"]),
    ("promotionPieceTypes", &["-"]),
    ("stalemateValue", &["loss"]),
];

/// Tells whether a setting says nothing that csipgs chess does otherwise.
pub(super) fn agrees(key: &str, value: &str) -> bool {
    LOOKS.contains(&key) || KEPT.iter().any(|(known, values)| *known == key && values.contains(&value))
}
