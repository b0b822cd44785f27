//! Playtests of a piece: it replaces other pieces for both sides, and a game starts against a bot, against a friend or on one screen.

use crate::{
    board::{Betza, BetzaError},
    web::{
        App, Error,
        client_address::ClientNetwork,
        cookies::Seats,
        extract::{Form, Pairs},
        new_game,
    },
};
use axum::{extract::State, response::Response};
use std::sync::Arc;

/// The piece's letter in the FEN.
const LETTER: char = 'A';

/// A board and the pieces on its first rank.
pub(super) struct Layout {
    pub(super) name: &'static str,
    pub(super) words: &'static str,
    row: &'static str,
    ranks: usize,
}

pub(super) const LAYOUTS: [Layout; 6] = [
    Layout { name: "8x8", words: "8 × 8, as in chess", row: "RNBQKBNR", ranks: 8 },
    Layout { name: "8x6", words: "8 × 6, as in chess", row: "RNBQKBNR", ranks: 6 },
    Layout { name: "7x7", words: "7 × 7, without queens", row: "RNBKBNR", ranks: 7 },
    Layout { name: "6x6", words: "6 × 6, without bishops (Los Alamos)", row: "RNQKNR", ranks: 6 },
    Layout { name: "5x5", words: "5 × 5 (Gardner)", row: "RNBQK", ranks: 5 },
    Layout { name: "4x5", words: "4 × 5, rooks and queens only (Silverman)", row: "RQKR", ranks: 5 },
];

/// The pieces that the new piece can replace, with their letters. The last choice names squares instead.
pub(super) const PLACES: [(&str, &str, Option<char>); 7] = [
    ("knights", "the knights", Some('N')),
    ("bishops", "the bishops", Some('B')),
    ("rooks", "the rooks", Some('R')),
    ("queens", "the queens", Some('Q')),
    ("pawns", "the pawns", Some('P')),
    ("kings", "the kings (the piece is royal)", Some('K')),
    ("squares", "the squares named below", None),
];

/// The value of a form field that occurs once.
fn value<'f>(form: &'f Pairs, name: &str) -> &'f str {
    form.iter().rev().find(|(field, _)| field == name).map_or("", |(_, text)| text.trim())
}

/// White's first two ranks with the piece in its place.
fn ranks(layout: &Layout, place: Option<char>, squares: &str) -> Result<[Vec<char>; 2], Error> {
    let row: Vec<char> = layout.row.chars().collect();
    let mut ranks = [row.clone(), vec!['P'; row.len()]];
    let mut taken = 0;
    match place {
        Some(letter) => {
            for square in ranks.iter_mut().flatten().filter(|square| **square == letter) {
                *square = LETTER;
                taken += 1;
            }
            if taken == 0 {
                let why = "This board has no such piece. Choose another place or another board.";
                return Err(Error::malformed(why).field("place"));
            }
        }
        None => {
            for name in squares.split([' ', ',']).filter(|name| !name.is_empty()) {
                let found = name.as_bytes();
                let square = match found {
                    [file @ b'a'..=b'h', rank @ (b'1' | b'2')] => {
                        ranks[usize::from(rank - b'1')].get_mut(usize::from(file - b'a'))
                    }
                    _ => None,
                };
                let why =
                    || format!("“{name:.8}” is not a square of White’s first two ranks. Write squares such as b1 g1.");
                *square.ok_or_else(|| Error::malformed(why()).field("squares"))? = LETTER;
                taken += 1;
            }
            if taken == 0 {
                return Err(
                    Error::malformed("The squares are missing. Name squares of White, such as b1 g1.").field("squares")
                );
            }
        }
    }
    Ok(ranks)
}

/// The starting position: the piece in its place for both sides, and the legend.
fn position(layout: &Layout, ranks: &[Vec<char>; 2], piece: &Betza) -> String {
    let [first, second] = ranks.each_ref().map(|rank| rank.iter().collect::<String>());
    let empty = vec![layout.row.len().to_string(); layout.ranks - 4].join("/");
    let between = if empty.is_empty() { String::new() } else { format!("{empty}/") };
    let (black, pawns) = (first.to_lowercase(), second.to_lowercase());
    // Castling needs the king and a rook on their orthodox squares and eight files.
    let mut rights = String::new();
    if layout.row.len() == 8 && first.chars().nth(4) == Some('K') {
        for (file, letter) in [(7, 'K'), (0, 'Q')] {
            if first.chars().nth(file) == Some('R') {
                rights.push(letter);
            }
        }
        rights += &rights.to_lowercase();
    }
    let rights = if rights.is_empty() { "-" } else { &rights };
    format!("{black}/{pawns}/{between}{second}/{first} w {rights} - 0 1 {LETTER}={piece}")
}

/// Starts a game of csipgs in which both sides have these designs, with the board and the opponent of the form.
pub(super) async fn csipgs(
    app: Arc<App>,
    seats: Seats,
    from: ClientNetwork,
    designs: &str,
    form: &Pairs,
) -> Result<Response, Error> {
    let opponent = value(form, "opponent");
    let mut pairs =
        vec![("variant", "csipgs"), ("preset", "standard power"), ("option-designs", designs), ("opponent", opponent)];
    let sides = [("option-files", value(form, "files")), ("option-ranks", value(form, "ranks"))];
    pairs.extend(sides.into_iter().filter(|(_, side)| !side.is_empty()));
    let pairs: Pairs = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    new_game::create_game(app, seats, from, pairs, None).await
}

/// `POST /betza/play`: starts a game with the piece, and redirects to it.
pub async fn play(
    State(app): State<Arc<App>>,
    seats: Seats,
    from: ClientNetwork,
    Form(form): Form<Pairs>,
) -> Result<Response, Error> {
    let wrong = |wrong: BetzaError| Error::malformed(format!("{wrong}.")).field("piece").at(wrong.at);
    let text = value(&form, "piece");
    let opponent = ("opponent".to_owned(), value(&form, "opponent").to_owned());
    let field = |name: &str, value: String| (name.to_owned(), value);
    if value(&form, "game") == "csipgs" {
        let piece: Betza = text.parse().map_err(wrong)?;
        return csipgs(app, seats, from, &format!("B BR fcFfmW {piece} R royal-WF"), &form).await;
    }
    let (mut piece, _) = Betza::read_free(text, &[]).map_err(wrong)?;
    let known = PLACES.into_iter().find(|(name, ..)| *name == value(&form, "place"));
    let (.., letter) =
        known.ok_or_else(|| Error::malformed("The place is unknown. Choose one from the list.").field("place"))?;
    let layout = LAYOUTS.iter().find(|layout| layout.name == value(&form, "board"));
    let layout =
        layout.ok_or_else(|| Error::malformed("The board is unknown. Choose one from the list.").field("board"))?;
    let ranks = ranks(layout, letter, value(&form, "squares"))?;
    // The piece is royal if it replaces the kings.
    piece.royal = !ranks.iter().flatten().any(|square| *square == 'K');
    let fen = position(layout, &ranks, &piece);
    let pairs = vec![field("variant", "designed-chess".to_owned()), field("option-fen", fen), opponent];
    new_game::create_game(app, seats, from, pairs, None).await
}
