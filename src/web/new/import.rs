//! A position to begin from, as a FEN or as the end of a game in portable notation.

use crate::{board::pgn::Pgn, rules::Refusal, variants::Variant};

/// The FEN of a position that somebody pasted: a FEN is taken as it is, of a game of the variant in portable notation the last
/// position.
pub(super) fn fen(variant: &Variant, text: &str) -> Result<String, Refusal> {
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
    (variant.last_position)(game)
}

#[cfg(test)]
mod tests {
    use crate::{rules::Refusal, variants};

    fn fen(text: &str) -> Result<String, Refusal> {
        super::fen(variants::find("chess").unwrap(), text)
    }

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
