//! Starting positions, from a FEN or a PGN game, and checks of them.

use super::{RulesVersion, protocol::Refusal};
use crate::board::{
    Board, Color, FenError, Position, SanError, Squares, orthodox,
    pgn::{NULL, Pgn},
};

/// The last position of a PGN game, as FEN. Starts from the game's `FEN` tag, or else from the `usual` position.
pub fn last_position(board: &Board, usual: &str, game: &Pgn) -> Result<String, Refusal> {
    let after = |position, text: &str| match text {
        NULL => Ok(board.after_null(&position)),
        san => Ok(board.after(&position, board.parse_san(&position, san)?)),
    };
    Ok(board.fen(&replay(start_position(usual, game)?, game, |position| position.turn, after)?))
}

/// Replays all moves of a PGN game. `mover` returns the side to move and `after` plays a move. Refusals point into the PGN.
pub fn replay<S>(
    start: S,
    game: &Pgn,
    mover: impl Fn(&S) -> Color,
    mut after: impl FnMut(S, &str) -> Result<S, SanError>,
) -> Result<S, Refusal> {
    game.moves.iter().enumerate().try_fold(start, |state, (index, written)| {
        let color = mover(&state);
        after(state, &written.text).map_err(|wrong| {
            let place = format!("move {} of {}, “{:.40}”", index / 2 + 1, color.name(), written.text);
            Refusal::at(written.at + wrong.at, format!("{place}: {}", wrong.why))
        })
    })
}

/// The starting position of a PGN game: its `FEN` tag, or else the `usual` one.
pub fn fen<'t>(usual: &'t str, game: &'t Pgn) -> Result<&'t str, Refusal> {
    if game.moves.is_empty() && game.tag("FEN").is_none() {
        return Err(Refusal::at(0, "this is neither a FEN nor a PGN game: it contains no moves"));
    }
    Ok(game.tag("FEN").unwrap_or(usual))
}

/// Starting position of a game with orthodox pieces.
pub fn start_position(usual: &str, game: &Pgn) -> Result<Position, Refusal> {
    Board::orthodox().parse_fen(fen(usual, game)?).map_err(|wrong| in_tag(Refusal::new(wrong.to_string())))
}

/// A refusal of the `FEN` tag. Offsets in the tag are not offsets in the PGN, so they are dropped.
pub fn in_tag(refusal: Refusal) -> Refusal {
    Refusal::new(format!("the tag FEN of this game: {}", refusal.why))
}

/// Most pieces of a side in variants without purchases, and most pawns among them.
const MOST: [(usize, &str); 2] = [(16, "pieces"), (8, "pawns")];

/// Most pieces and pawns of a horde, which starts with 36 pawns.
const HORDE: [(usize, &str); 2] = [(36, "pieces"), (36, "pawns")];

/// Refuses positions with more pieces than a normal game can have. They would only be expensive to analyse.
fn reachable(board: &Board, position: &Position) -> Result<(), Refusal> {
    if board.holdings {
        return conserved(position);
    }
    for color in [Color::White, Color::Black] {
        let most = if board.horde == Some(color) { HORDE } else { MOST };
        let own = || position.pieces().filter(|(_, piece)| piece.color == color);
        let found = [own().count(), own().filter(|(_, piece)| piece.kind == orthodox::PAWN).count()];
        for (found, (most, what)) in found.into_iter().zip(most) {
            if found > most {
                return Err(Refusal::new(format!(
                    "{} has {found} {what}, and no side has more than {most}",
                    color.name()
                )));
            }
        }
    }
    Ok(())
}

/// [`reachable`] for variants with drops: the sides share a fixed total of pieces.
fn conserved(position: &Position) -> Result<(), Refusal> {
    let count = |of: &dyn Fn(u8) -> bool| {
        let board = position
            .pieces()
            .filter(|(square, piece)| if position.promoted.has(*square) { of(orthodox::PAWN) } else { of(piece.kind) });
        let held = Color::BOTH.into_iter().flat_map(|color| position.holdings(color)).filter(|(kind, _)| of(*kind));
        board.count() + held.map(|(_, count)| usize::from(count)).sum::<usize>()
    };
    let found = [count(&|_| true), count(&|kind| kind == orthodox::PAWN)];
    for (found, (most, what)) in found.into_iter().zip(MOST) {
        if found > 2 * most {
            let why = format!("both sides have {found} {what} together, and there are never more than {}", 2 * most);
            return Err(Refusal::new(why));
        }
    }
    Ok(())
}

/// Refuses a start with castling rights for a king or rook that is not on its square in chess, except where castling is written as
/// in Chess960.
pub fn check_castling(version: RulesVersion, board: &Board, position: &Position) -> Result<(), Refusal> {
    let anywhere = board.castling.as_ref().is_none_or(|castling| castling.king_takes_rook);
    if anywhere || version < RulesVersion::THIRD || !board.castles_elsewhere(position) {
        return Ok(());
    }
    Err(Refusal::new(
        "castling rights need the king on the e-file and the rook on the a- or h-file: remove the right, or play Chess960",
    ))
}

/// A FEN error as a refusal.
pub fn refuse(error: FenError) -> Refusal {
    Refusal::at(error.at, error.to_string())
}

/// Parses a FEN as the start of an orthodox game and refuses unplayable positions.
pub fn start_from(board: &Board, fen: &str) -> Result<Position, Refusal> {
    playable(board, board.parse_fen(fen).map_err(refuse)?)
}

/// The position, if an orthodox game can start from it.
pub fn playable(board: &Board, position: Position) -> Result<Position, Refusal> {
    reachable(board, &position)?;
    board.validate(&position).map_err(refuse)?;
    let castling = position.rights & !(Squares::rank(0) | board.size().last_rank(Color::White));
    if castling.is_empty() {
        Ok(position)
    } else {
        Err(Refusal::new("castling rights need the rook on its own first rank"))
    }
}
