//! Positions as text: a FEN, and in braces the letters of the pieces, then each side's money, reserve and six designs, as in
//! `4k3/8/8/8/8/8/8/4K3 w - - 0 1 {K=royal-WF;w 3.5|N N|B BR WFfN N R royal-WF;b 0}`. An empty reserve and the standard designs can be
//! left out. The word `design` after the sides starts the game in the design phase. The move number of the FEN gives the turn, and the
//! money includes its income.

use std::sync::Arc;

use super::{
    options::{Army, Csipgs, MOST_PIECES},
    piece_design::{self, PieceDesign},
    price::{Catalogue, Exact},
    state::{Holdings, Log, Phase, State},
};
use crate::{
    board::{Board, Color, PieceType, Size},
    rules::{OptionRange, Refusal},
};

/// The usual start, as text.
pub(super) const EXAMPLE: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 {K=royal-WF;w 1;b 0}";

/// Letter of a side.
const fn letter(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}

/// Money of a side.
const MONEY: OptionRange = OptionRange::Money(0, 1_000_000);

/// A part of the text that begins at byte `at`.
#[derive(Clone, Copy)]
struct Part<'t> {
    at: usize,
    text: &'t str,
}

impl<'t> Part<'t> {
    /// The parts between separators.
    fn split(self, separator: char) -> impl Iterator<Item = Part<'t>> {
        let mut at = self.at;
        self.text.split(separator).map(move |text| {
            let part = Part { at, text };
            at += text.len() + separator.len_utf8();
            part
        })
    }

    /// The words of the part.
    fn words(self) -> impl Iterator<Item = Part<'t>> {
        self.split(' ').filter(|word| !word.text.is_empty())
    }

    fn refuse(self, why: impl Into<String>) -> Refusal {
        Refusal::at(self.at, why)
    }

    /// The piece type that the part names.
    fn piece_type(self, options: &Csipgs, size: Size) -> Result<Arc<PieceDesign>, Refusal> {
        // Earlier turns may have allowed other prefixes than the current one.
        let allowed = options.prefixes(i64::MAX);
        let (piece, exact) = piece_design::read(self.text, self.at, &Catalogue::default(), allowed)?;
        Ok(Arc::new(PieceDesign::new(piece, exact, size)))
    }

    /// The kind of the board that an entry such as `K=royal-WF` describes.
    fn kind(self, options: &Csipgs, size: Size) -> Result<(Arc<PieceDesign>, PieceType), Refusal> {
        let wrong = || self.refuse("expected a letter and its piece, as in K=royal-WF");
        let (letter, text) = self.text.split_once('=').ok_or_else(wrong)?;
        let mut marks = letter.chars();
        let first = marks.next().filter(char::is_ascii_uppercase).ok_or_else(wrong)?;
        if marks.clone().any(|mark| mark != '\'') {
            return Err(wrong());
        }
        let design = Part { at: self.at + letter.len() + 1, text }.piece_type(options, size)?;
        let kind = design.kind_as(first, marks.count());
        Ok((design, kind))
    }

    /// Money, reserve and designs of a side, such as `w 3.5|N N|B BR fcFfmW N R royal-WF`.
    fn holdings(self, color: Color, options: &Csipgs, size: Size) -> Result<Holdings, Refusal> {
        let name = letter(color);
        let parts: Vec<Part> = self.split('|').collect();
        let (money, reserve, designs) = match *parts.as_slice() {
            [money] => (money, None, None),
            [money, reserve] => (money, Some(reserve), None),
            [money, reserve, designs] => (money, Some(reserve), Some(designs)),
            _ => {
                return Err(self.refuse(format!("expected {name} 3.5|RESERVE|DESIGNS, with spaces between the pieces")));
            }
        };
        let words: Vec<Part> = money.words().collect();
        let treasury = match words.as_slice() {
            [side, amount] if side.text == name => MONEY.read(amount.text),
            _ => None,
        };
        let (least, most) = MONEY.bounds().unwrap_or_default();
        let treasury = treasury.filter(|tenths| (least..=most).contains(tenths));
        let treasury =
            treasury.ok_or_else(|| money.refuse(format!("expected {name} and its money, {}", MONEY.allowed())))?;
        let read = |list: Part| list.words().map(|word| word.piece_type(options, size)).collect::<Result<Vec<_>, _>>();
        let reserve = reserve.map_or(Ok(Vec::new()), read)?;
        let designs = match designs {
            None => piece_design::standard(size),
            Some(list) => read(list)?
                .try_into()
                .map_err(|found: Vec<_>| list.refuse(format!("expected six designs, but these are {}", found.len())))?,
        };
        Ok(Holdings { treasury, reserve, designs, spent: Exact::ZERO })
    }
}

/// Reads the starting position in the options.
///
/// # Errors
/// Points at the first wrong character of the position.
pub(super) fn read(options: &Csipgs, size: Size) -> Result<State, Refusal> {
    if options.army != Army::None {
        return Err(Refusal::new("a game from a position has no armies to set up: set army to none, or leave out fen"));
    }
    let text = options.fen.trim_end();
    let open =
        text.find('{').ok_or_else(|| Refusal::at(text.len(), format!("expected a FEN and {{…}}, as in {EXAMPLE}")))?;
    let body = text[open + 1..].strip_suffix('}').ok_or_else(|| Refusal::at(text.len(), "expected } at the end"))?;
    let parts: Vec<Part> = Part { at: open + 1, text: body }.split(';').collect();
    let (legend, sides, phase) = match parts.as_slice() {
        [legend, white, black] => (legend, [white, black], Phase::Action),
        [legend, white, black, phase] if phase.text.trim() == "design" => (legend, [white, black], Phase::Design),
        _ => return Err(Refusal::at(open, format!("expected {{letters;w …;b …}}, as in {EXAMPLE}"))),
    };
    let (mut roster, mut kinds): (Vec<_>, Vec<PieceType>) = (Vec::new(), Vec::new());
    for entry in legend.words() {
        let (design, kind) = entry.kind(options, size)?;
        if kinds.len() == Board::MOST_KINDS || kinds.iter().any(|known| known.written() == kind.written()) {
            return Err(
                entry.refuse(format!("{} has a meaning already, or there are too many letters", kind.written()))
            );
        }
        roster.push(design);
        kinds.push(kind);
    }
    let board = Board::new(size, kinds);
    let position = board.parse_fen(&text[..open]).map_err(|wrong| Refusal::at(wrong.at, wrong.to_string()))?;
    let [white, black] = sides;
    let sides = [white.holdings(Color::White, options, size)?, black.holdings(Color::Black, options, size)?];
    let turn = 2 * i64::from(position.fullmove) - i64::from(position.turn == Color::White);
    let mut state = State {
        mover: position.turn,
        board: Arc::new(board),
        seen: Arc::new(roster.clone()),
        roster: Arc::new(roster),
        position,
        start_position: None,
        turn,
        phase,
        sides,
        catalogue: Arc::default(),
        steps: 0,
        sheet: Log::new(),
        keys: Log::new(),
        ledger: Log::new(),
        last: Vec::new(),
        limits: None,
        outcome: None,
    };
    for side in state.sides.clone() {
        side.reserve.iter().chain(&side.designs).for_each(|piece_type| state.see(piece_type));
    }
    for color in Color::BOTH {
        if state.board.royals(&state.position, color).is_empty() {
            return Err(Refusal::at(0, format!("{} needs a king or another royal piece on the board", color.name())));
        }
        let pieces = state.pieces(color);
        if pieces > MOST_PIECES {
            let why = format!("{} has {pieces} pieces, and no side has more than {MOST_PIECES}", color.name());
            return Err(Refusal::at(0, why));
        }
    }
    let passive = if phase == Phase::Action { !state.mover } else { state.mover };
    if state.board.in_check(&state.position, passive) {
        return Err(Refusal::at(0, format!("{} is in check, but {} is to act", passive.name(), state.mover.name())));
    }
    state.start_course();
    if phase == Phase::Action && state.outcome_at_start(options).is_some() {
        return Err(Refusal::at(0, "the game is over in this position: choose another one"));
    }
    Ok(state)
}

impl State {
    /// The position as text, from which another game can start. `None` during the set-up of armies and with inventions.
    pub(super) fn position_text(&self) -> Option<String> {
        let phase = match self.phase {
            Phase::Action => "",
            Phase::Design => ";design",
            Phase::Armies | Phase::Place | Phase::Estimate(_) => return None,
        };
        if self.catalogue.entries().next().is_some() {
            return None;
        }
        let used = |kind: usize| self.position.pieces().any(|(_, piece)| usize::from(piece.kind) == kind);
        let letters = self.board.kinds().iter().enumerate().filter(|(index, _)| used(*index));
        let letters: Vec<String> = letters.map(|(_, kind)| format!("{}={}", kind.written(), kind.betza)).collect();
        let list = |types: &[Arc<PieceDesign>]| {
            let texts: Vec<&str> = types.iter().map(|each| each.text.as_str()).collect();
            texts.join(" ")
        };
        let standard = piece_design::standard(self.board.size());
        let [white, black] = Color::BOTH.map(|color| {
            let side = &self.sides[color.index()];
            let (name, money, reserve) = (letter(color), MONEY.written(side.treasury), list(&side.reserve));
            match (side.designs == standard, reserve.as_str()) {
                (true, "") => format!("{name} {money}"),
                (true, reserve) => format!("{name} {money}|{reserve}"),
                (false, reserve) => format!("{name} {money}|{reserve}|{}", list(&side.designs)),
            }
        });
        Some(format!("{} {{{};{white};{black}{phase}}}", self.board.fen(&self.position), letters.join(" ")))
    }
}
