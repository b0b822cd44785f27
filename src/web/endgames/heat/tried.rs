//! What a position is worth with one of its pieces on any other square: with three pieces the value, with four both thresholds.

use crate::{
    board::{Color, Piece, Position, Square, Squares, orthodox::KING},
    richman::{self, Enclosure, FourFiles, FourShares, Fraction, Mechanism, Question, Table, WrongFile, rules},
    web::{
        App, Error,
        endgames::edit,
        extract::{Pairs, parameter},
        values::usable,
    },
};

/// The number that a map of four pieces shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::web::endgames) enum Measure {
    Alpha,
    Beta,
    Gap,
}

impl Measure {
    pub(super) const ALL: [Measure; 3] = [Measure::Alpha, Measure::Beta, Measure::Gap];

    /// As it stands in addresses.
    pub(in crate::web::endgames) fn name(self) -> &'static str {
        match self {
            Measure::Alpha => "alpha",
            Measure::Beta => "beta",
            Measure::Gap => "gap",
        }
    }

    /// As people write it.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Measure::Alpha => "α",
            Measure::Beta => "β",
            Measure::Gap => "β − α",
        }
    }

    /// The lower bound of the number.
    pub(super) fn of(self, shares: &FourShares) -> f64 {
        let Enclosure { lo, .. } = match self {
            Measure::Alpha => &shares.alpha,
            Measure::Beta => &shares.beta,
            Measure::Gap => &shares.gap,
        };
        lo.parse().unwrap_or_default()
    }

    /// The number that a query asks for.
    pub(in crate::web::endgames) fn asked(query: &Pairs) -> Result<Measure, Error> {
        let Some(text) = parameter(query, "of")?.filter(|text| !text.is_empty()) else { return Ok(Measure::Alpha) };
        let known = Measure::ALL.into_iter().find(|measure| measure.name() == text);
        known.ok_or_else(|| Error::malformed("Write alpha, beta or gap, which is β − α.").field("of"))
    }
}

/// The worth of a position with a piece on one square.
#[derive(Clone, Debug)]
pub(in crate::web::endgames) struct Tried {
    /// White's chance to win, with three pieces.
    pub(super) value: Option<Fraction>,
    /// Bounds of the share of the money that decides under another mechanism, if one was asked about.
    pub(super) share: Option<Enclosure>,
    /// Both thresholds, with four pieces.
    pub(super) four: Option<FourShares>,
    /// The placement.
    pub(super) fen: String,
}

/// The piece on every square of the board; nothing where it cannot stand.
pub(in crate::web::endgames) type Around = Vec<(Square, Option<Tried>)>;

/// The pieces that can be tried: those on the board, and with bare kings any other.
pub(in crate::web::endgames) fn candidates(question: &Question) -> Vec<Piece> {
    let pieces = Color::BOTH.into_iter().flat_map(|color| (0..=KING).rev().map(move |kind| Piece { color, kind }));
    pieces.filter(|piece| base(question, *piece).is_some()).collect()
}

/// The position without the piece, if the tables cover what arises when it is put back. Of two like pieces it is the first from a1 on.
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

/// The questions about the piece on every square of the board; nothing where it cannot stand, and nothing at all where no table covers that.
fn questions(question: &Question, piece: Piece) -> Option<impl Iterator<Item = (Square, Option<Question>)>> {
    let board = rules(question.size);
    let base = base(question, piece)?;
    let ask = move |square: Square| {
        if base.piece(square).is_some() || !edit::may_stand(board, piece, square) {
            return None;
        }
        let mut position = base;
        position.put(board, square, piece);
        richman::read(&board.placement_fen(&position)).ok()
    };
    Some(question.size.squares().map(move |square| (square, ask(square))))
}

/// The piece tried on every square, if the tables of three pieces cover such positions.
pub(super) fn of_three(
    table: &Table,
    question: &Question,
    piece: Piece,
    mechanism: Option<Mechanism>,
) -> Option<Around> {
    let tried = |asked: Question| {
        let share = mechanism.and_then(|mechanism| asked.share(table, mechanism));
        Some(Tried { value: Some(asked.value(table)?), share, four: None, fen: asked.fen() })
    };
    Some(questions(question, piece)?.map(|(square, asked)| (square, asked.and_then(tried))).collect())
}

/// The same with four pieces, and the SHA-256 of their table.
fn read_four(files: &FourFiles, question: &Question, piece: Piece) -> Result<Option<(Around, String)>, WrongFile> {
    let file = question.pair().map(|pair| files.open(pair)).transpose()?.flatten();
    let (Some(file), Some(questions)) = (file, questions(question, piece)) else { return Ok(None) };
    let mut around = Vec::new();
    for (square, asked) in questions {
        let four = asked.as_ref().map(|asked| asked.shares_of_four(files)).transpose()?.flatten();
        let tried = asked.filter(|_| four.is_some()).map(|asked| (asked, four));
        around.push((square, tried.map(|(asked, four)| Tried { value: None, share: None, four, fen: asked.fen() })));
    }
    Ok(Some((around, file.digest())))
}

/// The piece tried on every square with four pieces, and the SHA-256 of their table; nothing where this server has none. It is read where it keeps nobody
/// else waiting.
pub(in crate::web::endgames) async fn of_four(
    app: &App,
    question: &Question,
    piece: Piece,
) -> Result<Option<(Around, String)>, Error> {
    let (endgames, question) = (app.endgames.clone(), question.clone());
    let work = move || read_four(endgames.tables().four(), &question, piece);
    Ok(usable(app.play.pools().lookups.run(work).await?))
}
