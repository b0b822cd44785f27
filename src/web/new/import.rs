//! A position to begin from, as a FEN or as the end of a game in portable notation.

use crate::{
    board::{Board, START, pgn::Pgn},
    rules::Refusal,
};

/// The FEN of a position that somebody pasted: a FEN is taken as it is, of a game in portable notation the last position.
pub(super) fn fen(text: &str) -> Result<String, Refusal> {
    let text = text.trim();
    let word = text.split_whitespace().next().unwrap_or_default();
    let looks_like_fen = word.contains('/') && !word.starts_with('[') && !word.starts_with('{') || word.contains('_');
    if text.is_empty() || looks_like_fen {
        return Ok(text.to_owned());
    }
    let games = Pgn::read(text).map_err(|wrong| Refusal::at(wrong.at, wrong.to_string()))?;
    let [game] = games.as_slice() else {
        return Err(Refusal::new(format!("this text holds {} games: paste one", games.len())));
    };
    let board = Board::orthodox();
    let start = game.tag("FEN").unwrap_or(START);
    let mut position =
        board.parse_fen(start).map_err(|wrong| Refusal::new(format!("the tag FEN of this game: {wrong}")))?;
    if game.moves.is_empty() && game.tag("FEN").is_none() {
        return Err(Refusal::at(0, "this is neither a FEN nor a game: there is no move in it"));
    }
    for (index, written) in game.moves.iter().enumerate() {
        let mv = board.parse_san(&position, &written.text).map_err(|wrong| {
            let place = format!("move {} of {}, “{}”", index / 2 + 1, position.turn.name(), written.text);
            Refusal::at(written.at + wrong.at, format!("{place}: {}", wrong.why))
        })?;
        position = board.after(&position, mv);
    }
    Ok(board.fen(&position))
}

#[cfg(test)]
mod tests {
    use super::fen;

    #[test]
    fn a_game_leads_to_its_last_position() {
        let end = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(fen("[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1").unwrap(), end);
        assert_eq!(fen("1.f3 e5 2.g4 Qh4#").unwrap(), end);
        assert_eq!(fen(&format!(" {end}\n")).unwrap(), end);
        assert_eq!(fen("").unwrap(), "");
    }

    #[test]
    fn a_wrong_move_is_pointed_at() {
        let refusal = fen("1. f3 e5 2. g4 Qh5#").unwrap_err();
        assert!(refusal.at.is_some_and(|at| at >= 15), "{refusal:?}");
        assert!(refusal.why.starts_with("move 2 of black, “Qh5#”"), "{refusal:?}");
        for wrong in ["hello", "1. e4 (", "e4 e5 *\n\ne4 e5 *", "[FEN \"8/8\"]\n\n1. e4"] {
            fen(wrong).unwrap_err();
        }
    }
}
