//! Chess in which some pieces are designed ones, to try them out: the laws of chess on boards of four to eight files and ranks, from a
//! position whose legend says what its letters mean. Everything that FIDE's laws say of pieces in general holds of designed ones too.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::csipgs::piece_names;
use crate::{
    board::{Betza, BetzaError, Board, FenError, MovementSummary, PieceType, Position, Size, Squares, orthodox, shape},
    rules::{
        PgnTag, PresetDescription, Refusal, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally, Start},
        search_problem::Aim,
        settings::board_size,
        start_position,
    },
};

/// The options of a game of chess with designed pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DesignedChess {
    /// The position to begin from, a FEN with a legend behind it, as `… w KQkq - 0 1 A=FvN`; empty for the usual one.
    pub fen: String,
}

/// The letters that a legend may give a meaning: not those of the orthodox pieces, and not the O of castling.
pub const LETTERS: &str = "ACDEFGHIJLMSTUVWXYZ";
/// The most designs in a legend.
const MOST: usize = 8;
/// So many ranks and files has a board with a double step of pawns, and with castling.
const WHOLE: u8 = 8;

/// A position of the preset on five files and ranks, as Gardner's minichess has it.
const FIVE: &str = "rabqk/ppppp/5/PPPPP/RABQK w - - 0 1 A=FD";
/// Almost chess (Ralph Betza, as Fairy-Stockfish has it): rook and knight in one in the place of the queen.
const ALMOST: &str = "rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1 C=RN";
/// Amazon chess: queen and knight in one in the place of the queen.
const AMAZON: &str = "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1 A=RBN";

impl ChessLike for DesignedChess {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Designed Chess"),
        auction: Support::No(
            "its pieces are others in every game, and an auction is played with pieces that both know beforehand",
        ),
        handicap: Support::No(
            "its armies are others in every game, so that nobody knows beforehand what a unit of them is worth",
        ),
        ..VariantInfo::new(
            "designed-chess",
            "Chess with designed pieces",
            "Chess in which pieces of your own stand in the place of others, on boards of four to eight ranks.",
        )
    };
    const START: &'static str = "rabqkbar/pppppppp/8/8/8/8/PPPPPPPP/RABQKBAR w KQkq - 0 1 A=FvN";
    const START_WORDS: &'static str = "Start from this position (FEN), with the meaning of its letters behind it";
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "It is chess with other pieces. Press any piece, yours or the other side’s, to see what it does.",
        "A dot on a token is a move and a capture, a ring only a move, a cross only a capture.",
    ])];
    type Tally = NoTally;
    type Deal = NoDeal;

    fn presets() -> Vec<(&'static str, Self)> {
        let from = |fen: &str| DesignedChess { fen: fen.to_owned() };
        vec![("standard", Self::default()), ("five", from(FIVE)), ("almost", from(ALMOST)), ("amazon", from(AMAZON))]
    }

    fn ways() -> &'static [PresetDescription] {
        &[
            PresetDescription {
                preset: "standard",
                words: "Fibnifs in the place of knights; the workshop begins games with a piece of yours.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "five",
                words: "Five files and ranks, and kirins in the place of knights.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "almost",
                words: "Almost chess: in the place of the queen a piece that goes as a rook or a knight.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "amazon",
                words: "Amazon chess: in the place of the queen a piece that goes as a queen or a knight.",
                options: &["fen"],
            },
        ]
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn read(fen: &str) -> Result<Start<NoTally>, Refusal> {
        let (legend, fields): (Vec<&str>, Vec<&str>) =
            fen.split([' ', '_']).filter(|field| !field.is_empty()).partition(|field| field.contains('='));
        let place = |field: &str| field.as_ptr() as usize - fen.as_ptr() as usize;
        let text = fields.join(" ");
        let mut board = board(size(&text)?);
        if legend.len() > MOST {
            return Err(Refusal::at(place(legend[MOST]), format!("a legend has at most {MOST} designs")));
        }
        for entry in legend {
            let kind = design(entry, &board)
                .map_err(|wrong| Refusal { at: Some(place(entry) + wrong.at.unwrap_or(0)), ..wrong })?;
            board.add(kind);
        }
        let position = start_position::start_from(&board, &text)?;
        promote(&mut board, &position);
        Ok(Start { board: Cow::Owned(board), position, tally: NoTally {} })
    }

    fn written(board: &Board, position: &Position, _tally: &NoTally) -> String {
        let legend = board.kinds().iter().skip(Board::orthodox().kinds().len());
        legend.fold(board.fen(position), |fen, kind| format!("{fen} {}={}", kind.letter, kind.betza))
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Mate)
    }
}

/// The size of the board of a position.
fn size(text: &str) -> Result<Size, Refusal> {
    let size = shape(text).map_err(|wrong: FenError| Refusal::at(wrong.at, wrong.to_string()))?;
    board_size(size.width(), size.height())
}

/// The orthodox pieces on a board. Pawns step twice where there are eight ranks, and kings castle where there are eight files (our
/// reading: the usual small boards know neither).
fn board(size: Size) -> Board {
    let mut board = Board::orthodox_of(size);
    if let Some(pawns) = board.pawns.as_mut().filter(|_| size.height() < WHOLE) {
        pawns.double_from = [Squares::EMPTY; 2];
        pawns.en_passant = false;
    }
    if size.width() < WHOLE {
        board.castling = None;
    }
    board
}

/// The kind that an entry of a legend describes, as `A=FvN`.
fn design(entry: &str, board: &Board) -> Result<PieceType, Refusal> {
    let (name, text) = entry.split_once('=').unwrap_or((entry, ""));
    let mut letters = name.chars();
    let (Some(letter), None) = (letters.next().filter(|letter| LETTERS.contains(*letter)), letters.next()) else {
        return Err(Refusal::at(0, format!("a design is named by one of the letters {LETTERS}, as in A=FvN")));
    };
    if board.kind_of(letter).is_some() {
        return Err(Refusal::at(0, format!("{letter} stands here twice: give every design a letter of its own")));
    }
    let piece: Betza = text.parse().map_err(|wrong: BetzaError| Refusal::at(2 + wrong.at, wrong.to_string()))?;
    if piece.relay || piece.doublemove {
        return Err(Refusal::at(
            2,
            "a piece here moves once in a turn and lends nothing: leave relay- and doublemove- out",
        ));
    }
    let powers = MovementSummary::of(&piece);
    let same = |kind: &&PieceType| kind.betza.parse::<Betza>().is_ok_and(|known| MovementSummary::of(&known) == powers);
    if let Some(known) = board.kinds().iter().find(same) {
        let name = &known.name;
        return Err(Refusal::at(2, format!("{text} moves as the {name}, which is written {}", known.letter)));
    }
    let canonical = piece.to_string();
    let name = piece_names::named(&powers).map_or(canonical.as_str(), |known| known.names[0]);
    Ok(PieceType::new(letter, name, &piece, board.size()))
}

/// Lets pawns become what a side begins with, but no royal piece and no pawn; designs of the legend count as if they stood there.
/// Where nothing of the kind is there, all that chess has (our reading).
fn promote(board: &mut Board, position: &Position) {
    let usual = [orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT];
    let stands = |kind: &u8| position.pieces().any(|(_, piece)| piece.kind == *kind);
    let designs = (Board::orthodox().kinds().len()..board.kinds().len()).map(|kind| kind as u8);
    let mut kinds: Vec<u8> = usual.into_iter().filter(stands).collect();
    kinds.extend(designs.filter(|kind| !board.kind(*kind).design.royal));
    if kinds.is_empty() {
        kinds.extend(usual);
    }
    if let Some(pawns) = &mut board.pawns {
        pawns.promotions = kinds;
    }
}
