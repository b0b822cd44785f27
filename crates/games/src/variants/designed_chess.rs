//! Chess with designed pieces, for trying them out: the laws of chess on boards of four to eight files and ranks.
//!
//! The starting position has a legend that gives the meaning of its letters. All FIDE rules about pieces in general
//! also apply to designed pieces.

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

/// Options of a game of chess with designed pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DesignedChess {
    /// Starting position (FEN) followed by a legend, as in `… w KQkq - 0 1 A=FvN`; empty for the standard one.
    pub fen: String,
}

/// Letters that a legend may define: not those of the orthodox pieces, and not the O of castling.
pub const LETTERS: &str = "ACDEFGHIJLMSTUVWXYZ";
/// Maximum number of designs in a legend.
const MOST: usize = 8;
/// Number of ranks that double steps of pawns need, and of files that castling needs.
const WHOLE: u8 = 8;

/// Starting position on five files and ranks, as in Gardner's minichess.
const FIVE: &str = "rabqk/ppppp/5/PPPPP/RABQK w - - 0 1 A=FD";
/// Almost Chess (Ralph Betza, as in Fairy-Stockfish): a chancellor replaces the queen.
const ALMOST: &str = "rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1 C=RN";
/// Amazon chess: an amazon, which moves as queen or knight, replaces the queen.
const AMAZON: &str = "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1 A=RBN";

impl ChessLike for DesignedChess {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Designed Chess"),
        auction: Support::No(
            "its pieces differ from game to game, and an auction needs pieces that both players know in advance",
        ),
        handicap: Support::No("its armies differ from game to game, so the value of a piece is not known in advance"),
        ..VariantInfo::new(
            "designed-chess",
            "Chess with designed pieces",
            "Replace chess pieces with your own designs, on boards of four to eight ranks.",
        )
    };
    const START: &'static str = "rabqkbar/pppppppp/8/8/8/8/PPPPPPPP/RABQKBAR w KQkq - 0 1 A=FvN";
    const START_WORDS: &'static str = "Start from this position (FEN), followed by the meaning of its letters";
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Chess with other pieces. Press any piece, yours or your opponent’s, to see its moves.",
        "Point at a piece, or hold it, for its map: a dot is a move or capture, a ring a move only, a cross a capture only.",
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
                words: "Fibnifs replace the knights. Start games with your own piece from the workshop.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "five",
                words: "Five files and ranks, and kirins replace the knights.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "almost",
                words: "Almost Chess: a piece that moves as a rook or a knight replaces the queen.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "amazon",
                words: "Amazon chess: a piece that moves as a queen or a knight replaces the queen.",
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
        set_promotions(&mut board, &position);
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

fn size(text: &str) -> Result<Size, Refusal> {
    let size = shape(text).map_err(|wrong: FenError| Refusal::at(wrong.at, wrong.to_string()))?;
    board_size(size.width(), size.height())
}

/// Board of a size with the orthodox pieces. Pawns step twice only on eight ranks, and kings castle only on eight files
/// (our reading: small boards usually have neither).
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

/// Parses a legend entry such as `A=FvN` into a piece type.
fn design(entry: &str, board: &Board) -> Result<PieceType, Refusal> {
    let (name, text) = entry.split_once('=').unwrap_or((entry, ""));
    let mut letters = name.chars();
    let (Some(letter), None) = (letters.next().filter(|letter| LETTERS.contains(*letter)), letters.next()) else {
        return Err(Refusal::at(0, format!("name a design with one of the letters {LETTERS}, as in A=FvN")));
    };
    if board.kind_of(letter).is_some() {
        return Err(Refusal::at(0, format!("the letter {letter} is used twice: give each design its own letter")));
    }
    let read = |text: &str| Betza::read_free(text, &[]).map(|(piece, _)| piece);
    let piece = read(text).map_err(|wrong: BetzaError| Refusal::at(2 + wrong.at, wrong.to_string()))?;
    if piece.relay || piece.doublemove {
        return Err(Refusal::at(2, "relay- and doublemove- are not allowed in this variant: remove them"));
    }
    let powers = MovementSummary::of(&piece);
    let same = |kind: &&PieceType| read(&kind.betza).is_ok_and(|known| MovementSummary::of(&known) == powers);
    if let Some(known) = board.kinds().iter().find(same) {
        let name = &known.name;
        return Err(Refusal::at(2, format!("{text} moves like the {name}: write {} instead", known.letter)));
    }
    let canonical = piece.to_string();
    let name = piece_names::named(&powers).map_or(canonical.as_str(), |known| known.names[0]);
    Ok(PieceType::new(letter, name, &piece, board.size()))
}

/// Sets the promotion pieces: the orthodox pieces of the starting position, and all non-royal designs of the legend.
/// Without either, the usual four of chess (our reading).
fn set_promotions(board: &mut Board, position: &Position) {
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
