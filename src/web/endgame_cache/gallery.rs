//! The gallery of remarkable positions and the charts of the tables, rendered once when the tables are ready.

use super::{
    bar_chart::{self, Chart},
    format::{Amount, WALLS, name, path, title, wall_bounds},
};
use crate::{
    board::{Color, Size},
    richman::{Answer, Classes, Material, Question, Setup, Survey, Table, Tables, read, rules},
};
use askama::Template;

/// Positions of the figures of Larsson and Wästlund, “Endgames in bidding chess”, with the reason to show each.
const FIGURES: [(&str, &str, &str); 18] = [
    (
        "Figure 1",
        "3k3R/8/3K4/8/8/8/8/8",
        "Checkmate in ordinary chess, three quarters here. If White wins the next toss, the rook takes the king. Black’s best move is a step next to the white king, where one more toss decides.",
    ),
    (
        "Figure 2",
        "3k4/8/8/8/8/8/8/4K3",
        "Two bare kings are not a draw here. Any advantage in money, however small, is enough to win.",
    ),
    (
        "Figure 3, left",
        "8/8/8/8/k7/5K2/6B1/8",
        "White’s bishop helps only if White gets the next three moves. Once the black king is on a dark square, the bishop is a ghost.",
    ),
    (
        "Figure 3, right",
        "2k5/8/8/8/8/8/1P6/K7",
        "The pawn is worth one sixty-fourth above a half. Five white moves in a row take the king; a black move before that blocks the pawn.",
    ),
    (
        "Figure 4",
        "k7/8/8/8/8/8/8/K6R",
        "The black king runs down the file for six moves and loses if White gets two moves in a row: 1 − 3⁶ / (2 · 4⁶).",
    ),
    ("Figure 5", "8/K1k5/P7/8/8/8/8/8", "The white king is cornered by its own pawn. Neither side can improve."),
    ("Figure 5, king on a8", "K7/2k5/P7/8/8/8/8/8", "The same corner with the king one square higher, also quiescent."),
    ("Figure 5, pawn on a7", "K7/P1k5/8/8/8/8/8/8", "A pawn one step from promotion, worth nothing."),
    (
        "Figure 5, black king on c8",
        "K1k5/P7/8/8/8/8/8/8",
        "The last cornered king. The value is again exactly one half.",
    ),
    (
        "Figure 6",
        "8/8/2k5/4R3/8/8/8/3K4",
        "The simplest value whose denominator is not a power of two. With best play, some sequence of tosses never ends the game.",
    ),
    (
        "Figure 7",
        "4N3/8/8/8/8/8/8/k2K4",
        "The most complex endgame of three pieces. Its denominator has 138 digits, more than any other.",
    ),
    (
        "Figure 8",
        "8/8/8/8/3k4/8/8/K2N4",
        "A zugzwang: neither side wants to move, so the right bid is negative. White’s best move offers the knight on c3.",
    ),
    (
        "Figure 9, left",
        "8/3P4/4k3/8/8/8/2K5/8",
        "Promote to a knight! The knight is worth 205/256, a queen only 3279/4096.",
    ),
    (
        "Figure 9, right",
        "8/4P3/5k2/8/8/8/3K4/8",
        "One file further right, a queen is better again: 3285/4096. The knight is still worth 205/256.",
    ),
    (
        "Figure 11",
        "2k/3/3/K1N",
        "The board of 3 × 4 has quiescent positions that are not even. White is better and cannot improve.",
    ),
    (
        "§14, three by eight",
        "3/N2/3/1k1/3/3/3/1K1",
        "A value with an odd denominator, 819 = 3² · 7 · 13. No value on the 8 × 8 board has one.",
    ),
    (
        "§14, four by four",
        "3k/4/4/K2N",
        "A zugzwang with three equally good moves, all of which lose value. If White won every toss, the pieces would move back and forth forever.",
    ),
    (
        "§14, the way back",
        "3k/4/4/1K1N",
        "The position after one of these moves. White’s best next move is to go back.",
    ),
];

/// The reason to show a wall of pawns.
const WALLED: &str = "Sometimes neither side can force a win. The paper describes such pawn walls; the board is ours. A king can break through only by a square that a pawn attacks, such as d4, onto a guarded pawn, such as e5. So a player with more than a quarter of the money need not lose.";

/// A value, or an upper bound of α and a lower bound of β.
enum StatedValue {
    Exact(Amount),
    Between(&'static str, &'static str),
}

/// A position with its explanation.
struct GalleryItem {
    title: String,
    why: String,
    link: String,
    picture: Picture,
    value: StatedValue,
    note: &'static str,
}

/// A small diagram of a position.
pub(in crate::web) struct Picture {
    pub(in crate::web) width: u8,
    pub(in crate::web) height: u8,
    /// The dark squares as an SVG path: a dashed line along every rank.
    pub(in crate::web) dark: String,
    /// The pieces: symbol, column from the left and row from the top.
    pub(in crate::web) units: Vec<(String, u8, u8)>,
    /// The pieces in words.
    pub(in crate::web) said: String,
}

#[derive(Template)]
#[template(path = "endgames_gallery.html")]
struct Gallery {
    figures: Vec<GalleryItem>,
    zugzwangs: Vec<GalleryItem>,
    largest: Vec<GalleryItem>,
    values: Vec<Chart>,
    bits: Vec<Chart>,
    spreads: Vec<[String; 5]>,
}

/// Renders the gallery. Takes a large part of a second.
pub(super) fn render(tables: &Tables) -> Result<String, String> {
    let table = tables.solve(Size::ORTHODOX).map_err(|unsolved| unsolved.to_string())?;
    let survey = Survey::of(&Classes::new(table.clone()));
    let mut figures = Vec::new();
    for (title, fen, why) in FIGURES {
        // The paper discusses the walls in §13, before Figure 11 in §14.
        if title == "Figure 11" {
            figures.push(exhibit(tables, WALLS, "After Figure 10", WALLED.to_owned())?);
        }
        figures.push(exhibit(tables, fen, title, why.to_owned())?);
    }
    let mut zugzwangs = Vec::new();
    for (number, setup) in survey.zugzwangs.iter().enumerate() {
        let fen = fen(&table, *setup);
        let answer = read(&fen).map_err(|wrong| wrong.to_string())?.answer(&table);
        zugzwangs.push(exhibit(tables, &fen, &format!("Zugzwang {}", number + 1), zugzwang_reason(&answer))?);
    }
    let pieces = || survey.spreads.iter().filter(|spread| spread.material != Material::Bare);
    let mut largest = Vec::new();
    for spread in pieces() {
        let (value, name) = (table.value(spread.largest), name(spread.material));
        let den = value.denominator().to_string();
        let why = format!(
            "The largest denominator of all {} classes of positions with {name}: {}.",
            spread.classes,
            if den.len() > 20 { format!("a number of {} digits", den.len()) } else { den }
        );
        let title = format!("The most complex {}", title(spread.material).to_lowercase());
        largest.push(exhibit(tables, &fen(&table, spread.largest), &title, why)?);
    }
    let line = |spread: &crate::richman::Spread| {
        let longest = table.value(spread.largest).denominator().to_string().len();
        [
            title(spread.material).to_owned(),
            spread.material.name().to_owned(),
            spread.classes.to_string(),
            spread.quiescent.to_string(),
            longest.to_string(),
        ]
    };
    let gallery = Gallery {
        figures,
        zugzwangs,
        largest,
        values: pieces()
            .map(|spread| bar_chart::values(title(spread.material), name(spread.material), spread))
            .collect(),
        bits: pieces().map(|spread| bar_chart::bits(title(spread.material), name(spread.material), spread)).collect(),
        spreads: survey.spreads.iter().map(line).collect(),
    };
    gallery.render().map_err(|wrong| wrong.to_string())
}

fn fen(table: &Table, setup: Setup) -> String {
    let board = rules(table.size());
    board.placement_fen(&setup.position(board, Color::White))
}

/// Explains why neither side wants to move.
fn zugzwang_reason(answer: &Answer) -> String {
    let best = |choices: &[crate::richman::Choice]| {
        let names: Vec<&str> =
            choices.iter().filter(|choice| choice.best == Some(true)).map(|choice| choice.san.as_str()).collect();
        names.join(" or ")
    };
    let cost = answer.bid.as_ref().and_then(|bid| bid.approx).map_or(0.0, |bid| -bid * 100.0);
    format!(
        "Every move loses value for the player who makes it. White’s best move is {}, Black’s {}. Each player would pay {cost:.3} percent of all the money to make the opponent move.",
        best(&answer.white),
        best(&answer.black)
    )
}

fn exhibit(tables: &Tables, fen: &str, title: &str, why: String) -> Result<GalleryItem, String> {
    let question = read(fen).map_err(|wrong| wrong.to_string())?;
    let table = tables.solve(question.size).map_err(|unsolved| unsolved.to_string())?;
    let answer = question.answer(&table);
    let exact = || answer.value.as_ref().map(|value| StatedValue::Exact(Amount::from(value)));
    let wall_bounds = || wall_bounds(fen).map(|(alpha, beta)| StatedValue::Between(alpha, beta));
    let value = exact().or_else(wall_bounds).ok_or_else(|| format!("{fen} has no value"))?;
    let note = match (answer.zugzwang, answer.quiescent) {
        (Some(true), _) => "zugzwang",
        (_, Some(true)) => "quiescent",
        _ => "",
    };
    Ok(GalleryItem { title: title.to_owned(), why, link: path(fen, &[]), picture: picture(&question), value, note })
}

/// A small diagram of a position.
pub(in crate::web) fn picture(question: &Question) -> Picture {
    let board = rules(question.size);
    let (width, height) = (question.size.width(), question.size.height());
    let rows = (0..height).map(|row| {
        // The corner a1 is dark, so the first square of a row is dark if its rank is odd.
        let first = u8::from((height - 1 - row) % 2 == 1);
        format!("M{first} {row}.5h{}", width - first)
    });
    let units = question.position.pieces().map(|(square, piece)| {
        let symbol = format!("{}-{}", piece.color.name(), board.kind(piece.kind).name);
        (symbol, square.file(), height - 1 - square.rank())
    });
    let figure = crate::web::board_view::Figure::of(board, &question.position);
    Picture { width, height, dark: rows.collect(), units: units.collect(), said: figure.words.join(". ") }
}
