//! A position to begin from, as a FEN or as the end of a game in portable notation.

use crate::{board::pgn::Pgn, registry::Variant, rules::Refusal};

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
