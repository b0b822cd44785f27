//! The heat map: the value of a position with one of its pieces on every other square. With four pieces it shows α, β or their gap.

pub mod data;

use super::{editor, mechanism_query::PaymentForm};
use crate::{
    board::{Color, Piece, Position, Square, Squares, orthodox::KING},
    richman::{self, FourFiles, FourShares, Fraction, Interval, Mechanism, Question, Table, WrongFile, rules},
    web::{
        App, Error,
        board_view::DrawnPiece,
        endgame_cache::{
            format::{decimal, path},
            log_unusable,
        },
        extract::{Pairs, parameter},
    },
};

/// Number of shades.
const SHADES: f64 = 10.0;

/// A board with a value on every square.
#[derive(Clone, Debug)]
pub(super) struct Heat {
    /// The piece on the map, such as `white knight`.
    pub(super) name: String,
    /// Letters of the files.
    pub(super) files: Vec<char>,
    /// The rows, from the top.
    pub(super) ranks: Vec<(u8, Vec<HeatSquare>)>,
    /// Labels of the smallest and the largest value.
    pub(super) range: Option<(String, String)>,
    /// Meaning of the numbers.
    pub(super) said: &'static str,
    /// With four pieces, the measures to choose from: sign, address, and whether it is shown.
    pub(super) measures: Vec<(&'static str, String, bool)>,
    /// Address of the numbers in the API.
    pub(super) numbers: String,
}

#[derive(Clone, Debug)]
pub(super) struct HeatSquare {
    pub(super) square: String,
    pub(super) dark: bool,
    /// Another piece on the square.
    pub(super) unit: Option<DrawnPiece>,
    /// The value with the piece on this square; `None` if it cannot be there.
    pub(super) warmth: Option<SquareHeat>,
}

/// The value of a position with the piece on one square.
#[derive(Clone, Debug)]
pub(super) struct SquareHeat {
    /// From 0, the smallest value on the map, to 10, the largest.
    pub(super) shade: u8,
    /// The value with three decimals, or a gap in percent with two.
    pub(super) label: String,
    /// Address of the position's page.
    pub(super) link: String,
    /// Whether the piece is on this square now.
    pub(super) here: bool,
}

/// The map of a piece, if the tables of three pieces cover its positions.
pub(super) fn map(table: &Table, question: &Question, piece: Piece, paid: &PaymentForm) -> Option<Heat> {
    let all = values_of_three(table, question, piece, paid.mechanism)?;
    let said = match paid.mechanism {
        Some(_) => "The share of the money below which Black loses",
        None => "The value",
    };
    let worth = |tried: &HeatValue| {
        let share = tried.share.as_ref().map(|share| share.lo.parse().unwrap_or_default());
        share.or(tried.value.as_ref().map(|value| value.approx)).unwrap_or_default()
    };
    let map = MapLayout { question, piece, kept: paid.kept().into(), said, short };
    Some(Heat { measures: Vec::new(), ..map.drawn(&all, worth)? })
}

/// The map of one of four pieces, from the values found around it.
pub(super) fn map_of_four(
    around: &ValuesBySquare,
    question: &Question,
    piece: Piece,
    measure: Measure,
) -> Option<Heat> {
    let worth = |tried: &HeatValue| tried.four.as_ref().map(|shares| measure.of(shares)).unwrap_or_default();
    let (said, short): (_, fn(f64) -> String) = match measure {
        Measure::Alpha => ("α, the share of the money below which Black loses,", short),
        Measure::Beta => ("β, the share of the money above which Black wins,", short),
        Measure::Gap => ("β − α in percent of the money", percent),
    };
    let map = MapLayout { question, piece, kept: vec![("of", measure.name())], said, short };
    let board = rules(question.size);
    let letter = editor::letter(board, piece).to_string();
    let link = |other: Measure| path(&question.fen(), &[("heat", &letter), ("of", other.name())]);
    let measures = Measure::ALL.map(|other| (other.sign(), link(other), other == measure));
    Some(Heat { measures: measures.into(), ..map.drawn(around, worth)? })
}

/// A map before it is drawn: the piece, the parameters kept in its links, and the format of its numbers.
struct MapLayout<'q> {
    question: &'q Question,
    piece: Piece,
    kept: Vec<(&'q str, &'q str)>,
    said: &'static str,
    short: fn(f64) -> String,
}

impl MapLayout<'_> {
    fn drawn(self, around: &ValuesBySquare, worth: impl Fn(&HeatValue) -> f64) -> Option<Heat> {
        let MapLayout { question, piece, kept, said, short } = self;
        let (size, board) = (question.size, rules(question.size));
        let base = base(question, piece)?;
        let letter = editor::letter(board, piece).to_string();
        let kept: Vec<(&str, &str)> = std::iter::once(("heat", letter.as_str())).chain(kept).collect();
        let here = question.position.of_kind(piece.color, piece.kind).first();
        let known = || around.iter().filter_map(|(_, tried)| tried.as_ref().map(&worth));
        let (least, greatest) = (known().fold(1.0, f64::min), known().fold(0.0, f64::max));
        let span = (greatest - least).max(f64::MIN_POSITIVE);
        let cell = |file: u8, rank: u8| {
            let square = Square::new(file, rank);
            let tried = around.iter().find(|(other, _)| *other == square).and_then(|(_, tried)| tried.as_ref());
            let unit = base.piece(square);
            HeatSquare {
                square: square.to_string(),
                dark: square.dark(),
                unit: unit.map(|unit| DrawnPiece { color: unit.color, name: board.kind(unit.kind).name.clone() }),
                warmth: tried.map(|tried| SquareHeat {
                    shade: ((worth(tried) - least) / span * SHADES).round() as u8,
                    label: short(worth(tried)),
                    link: path(&tried.fen, &kept),
                    here: here == Some(square),
                }),
            }
        };
        let row = |rank: u8| (rank + 1, (0..size.width()).map(|file| cell(file, rank)).collect());
        let paid = kept.iter().filter(|(name, value)| !["heat", "of"].contains(name) && !value.is_empty());
        let paid = paid.map(|(name, value)| format!("&{name}={value}")).collect::<String>();
        Some(Heat {
            name: format!("{} {}", piece.color.name(), board.kind(piece.kind).name),
            files: (0..size.width()).map(|file| char::from(b'a' + file)).collect(),
            ranks: (0..size.height()).rev().map(row).collect(),
            range: (least <= greatest).then(|| (short(least), short(greatest))),
            said,
            measures: Vec::new(),
            numbers: format!("/api/richman/heat?fen={}&piece={letter}{paid}", question.fen()),
        })
    }
}

/// `.653`; `1` and `0` if exact to three decimals.
fn short(value: f64) -> String {
    match decimal(value, 3).as_str() {
        "0.000" => "0".to_owned(),
        "1.000" => "1".to_owned(),
        text => text.trim_start_matches('0').to_owned(),
    }
}

/// `3.12`; `0` if exact to two decimals.
fn percent(value: f64) -> String {
    match decimal(value * 100.0, 2).as_str() {
        "0.00" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// The number on a map of four pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::web::endgames) enum Measure {
    Alpha,
    Beta,
    Gap,
}

impl Measure {
    pub(super) const ALL: [Measure; 3] = [Measure::Alpha, Measure::Beta, Measure::Gap];

    /// Name in addresses.
    pub(in crate::web::endgames) fn name(self) -> &'static str {
        match self {
            Measure::Alpha => "alpha",
            Measure::Beta => "beta",
            Measure::Gap => "gap",
        }
    }

    /// Sign on the page.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Measure::Alpha => "α",
            Measure::Beta => "β",
            Measure::Gap => "β − α",
        }
    }

    /// Lower bound of the number.
    pub(super) fn of(self, shares: &FourShares) -> f64 {
        let Interval { lo, .. } = match self {
            Measure::Alpha => &shares.alpha,
            Measure::Beta => &shares.beta,
            Measure::Gap => &shares.gap,
        };
        lo.parse().unwrap_or_default()
    }

    /// The measure in a query; α by default.
    pub(in crate::web::endgames) fn measure_parameter(query: &Pairs) -> Result<Measure, Error> {
        let Some(text) = parameter(query, "of")?.filter(|text| !text.is_empty()) else { return Ok(Measure::Alpha) };
        let known = Measure::ALL.into_iter().find(|measure| measure.name() == text);
        known.ok_or_else(|| Error::malformed("The measure must be alpha, beta or gap (β − α).").field("of"))
    }
}

/// The value of a position with the piece on one square.
#[derive(Clone, Debug)]
pub(in crate::web::endgames) struct HeatValue {
    /// White's chance to win, with three pieces.
    pub(super) value: Option<Fraction>,
    /// Bounds of the threshold under another bidding mechanism, if the query names one.
    pub(super) share: Option<Interval>,
    /// Both thresholds, with four pieces.
    pub(super) four: Option<FourShares>,
    pub(super) fen: String,
}

/// The piece on every square of the board; `None` where it cannot be.
pub(in crate::web::endgames) type ValuesBySquare = Vec<(Square, Option<HeatValue>)>;

/// Pieces that the map can try: those on the board, and with bare kings any other.
pub(in crate::web::endgames) fn candidates(question: &Question) -> Vec<Piece> {
    let pieces = Color::BOTH.into_iter().flat_map(|color| (0..=KING).rev().map(move |kind| Piece { color, kind }));
    pieces.filter(|piece| base(question, *piece).is_some()).collect()
}

/// The position without the piece, if the tables cover the positions with it. Of several equal pieces, the first from a1 on is removed.
pub(super) fn base(question: &Question, piece: Piece) -> Option<Position> {
    let mut base = question.position;
    let stood = base.of_kind(piece.color, piece.kind).first();
    if let Some(square) = stood {
        base.remove(square);
    }
    base.en_passant = Squares::EMPTY;
    if question.is_of_four() {
        return stood.map(|_| base);
    }
    let kings = Color::BOTH.map(|color| base.of_kind(color, KING).len());
    let wanted = Color::BOTH.map(|color| usize::from(piece != Piece { color, kind: KING }));
    let others = base.occupied().len().checked_sub(kings[0] + kings[1])?;
    let room = if piece.kind == KING { 1 } else { 0 };
    (kings.map(|count| count as usize) == wanted && others as usize <= room).then_some(base)
}

/// One question for every square with the piece on it; `None` where it cannot be. No questions at all if no table covers them.
fn questions(question: &Question, piece: Piece) -> Option<impl Iterator<Item = (Square, Option<Question>)>> {
    let board = rules(question.size);
    let base = base(question, piece)?;
    let ask = move |square: Square| {
        if base.piece(square).is_some() || !editor::may_stand(board, piece, square) {
            return None;
        }
        let mut position = base;
        position.put(board, square, piece);
        richman::read(&board.placement_fen(&position)).ok()
    };
    Some(question.size.squares().map(move |square| (square, ask(square))))
}

/// The piece on every square, if the tables of three pieces cover the positions.
pub(super) fn values_of_three(
    table: &Table,
    question: &Question,
    piece: Piece,
    mechanism: Option<Mechanism>,
) -> Option<ValuesBySquare> {
    let tried = |asked: Question| {
        let share = mechanism.and_then(|mechanism| asked.share(table, mechanism));
        Some(HeatValue { value: Some(asked.value(table)?), share, four: None, fen: asked.fen() })
    };
    Some(questions(question, piece)?.map(|(square, asked)| (square, asked.and_then(tried))).collect())
}

/// The piece on every square with four pieces, and the SHA-256 of their table.
fn read_four(
    files: &FourFiles,
    question: &Question,
    piece: Piece,
) -> Result<Option<(ValuesBySquare, String)>, WrongFile> {
    let file = question.pair().map(|pair| files.open(pair)).transpose()?.flatten();
    let (Some(file), Some(questions)) = (file, questions(question, piece)) else { return Ok(None) };
    let mut around = Vec::new();
    for (square, asked) in questions {
        let four = asked.as_ref().map(|asked| asked.shares_of_four(files)).transpose()?.flatten();
        let tried = asked.filter(|_| four.is_some()).map(|asked| (asked, four));
        around
            .push((square, tried.map(|(asked, four)| HeatValue { value: None, share: None, four, fen: asked.fen() })));
    }
    Ok(Some((around, file.digest())))
}

/// The piece on every square with four pieces, and the SHA-256 of their table; `None` if this server has no such table. Reads files outside the
/// async threads.
pub(in crate::web::endgames) async fn values_of_four(
    app: &App,
    question: &Question,
    piece: Piece,
) -> Result<Option<(ValuesBySquare, String)>, Error> {
    let (endgames, question) = (app.endgames.clone(), question.clone());
    let work = move || read_four(endgames.tables().four(), &question, piece);
    Ok(log_unusable(app.play.pools().lookups.run(work).await?))
}
