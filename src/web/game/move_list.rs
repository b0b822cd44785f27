//! The move list of a game, and the player strips above and below the board: name, clock, purse, reserve and captured pieces.

use crate::{
    board::{Color, MovementSummary},
    play::GameSnapshot,
    rules::{
        Deal, Diagram, Entry, Place, Seat, Side,
        diagram::{About, Amount, HeldPiece, Listing},
        protocol::COIN,
    },
    variants::csipgs::piece_names,
    web::{
        board_view::DrawnPiece,
        frame::Frame,
        game_text::{self, ClockFace},
        silhouette,
    },
};
use askama::Template;
use std::{ops::Range, sync::Arc};

/// Maximum number of rows on a page.
const ROWS: usize = 200;
/// The rows shown of a longer game start at multiples of this, so that the list does not move at every step.
const WINDOW_STEP: usize = 50;

/// One deal in the move list, or the whole list if the game has no deals.
struct Section<'e> {
    /// The deal with its number.
    deal: Option<(usize, &'e Deal)>,
    rows: Vec<SheetRow<'e>>,
    /// Whether its last row is shown.
    whole: bool,
}

/// One row of the move list.
enum SheetRow<'e> {
    /// Move number, White's move and Black's move.
    Moves(usize, [Option<&'e Entry>; 2]),
    /// Move number, with dots after it for Black, and a move with the guesses about it.
    Guessed(String, &'e Entry, &'e Listing),
    /// Any other entry.
    Other(&'e Entry),
}

impl SheetRow<'_> {
    /// Ply after the row's last entry.
    fn ply(&self) -> usize {
        match self {
            SheetRow::Moves(_, pair) => pair.iter().flatten().map(|entry| entry.ply).max().unwrap_or_default(),
            SheetRow::Guessed(_, entry, _) | SheetRow::Other(entry) => entry.ply,
        }
    }
}

/// Move list with links to every position.
#[derive(Template)]
#[template(path = "sheet.html")]
struct Sheet<'f> {
    sections: Vec<Section<'f>>,
    /// Ply of the row before the shown ones.
    earlier: Option<usize>,
    /// Ply of the row after the shown ones.
    later: Option<usize>,
    frame: &'f Frame,
    diagram: &'f Diagram,
    flip: bool,
}

impl Sheet<'_> {
    /// Address of the page after `ply` steps.
    fn moment(&self, ply: &usize) -> String {
        let flip = if self.flip { "?flip=1" } else { "" };
        format!("{}/ply/{ply}{flip}", self.frame.address)
    }

    /// Whether the board shows the position after this entry, or after the toss that gave the player this move.
    fn here(&self, entry: &Entry) -> bool {
        entry.ply == self.frame.ply || self.tossed(entry) && entry.ply == self.frame.ply + 1
    }

    /// Neighbours of an entry in the whole list.
    fn around(&self, entry: &Entry) -> [Option<&Entry>; 2] {
        let sheet = &self.diagram.sheet;
        let first = sheet.partition_point(|other| other.ply < entry.ply);
        let at = (first..sheet.len()).find(|at| std::ptr::eq(&sheet[*at], entry)).unwrap_or(first);
        [at.checked_sub(1).and_then(|before| sheet.get(before)), sheet.get(at + 1)]
    }

    /// Whether a coin toss gave the player this move. Then the toss has no row of its own.
    fn tossed(&self, entry: &Entry) -> bool {
        let [before, _] = self.around(entry);
        matches!(entry.place, Place::Move(_)) && before.is_some_and(is_plain_toss)
    }

    /// Whether two neighbours in the list share one note, such as a payment for the move. Equal notes with their own words are two facts.
    fn shared(before: &Entry, after: &Entry) -> bool {
        before.notes == after.notes && after.spoken_notes.is_none()
    }

    /// Notes of an entry. Notes that the next entry repeats, such as a payment for the move, appear only there.
    fn notes<'e>(&self, entry: &'e Entry) -> &'e str {
        if let Some(listing) = &entry.listing {
            return &listing.notes;
        }
        let [_, next] = self.around(entry);
        if next.is_some_and(|next| Self::shared(entry, next)) { "" } else { &entry.notes }
    }

    /// The event as players write it.
    fn event<'e>(&self, entry: &'e Entry) -> &'e str {
        entry.listing.as_ref().map_or(entry.said(), |listing| &listing.event)
    }

    /// Whether the board shows the position after `ply` steps.
    fn at(&self, ply: &usize) -> bool {
        *ply == self.frame.ply
    }

    /// Prefix with the player's name, for an entry that is not a move.
    fn who(&self, section: &Section<'_>, entry: &Entry) -> String {
        let name = |seat: Seat| match section.deal {
            Some((_, deal)) => game_text::deal_player(self.frame, deal, seat),
            None => game_text::side(self.diagram, seat).to_owned(),
        };
        entry.seat.map_or(String::new(), |seat| format!("{}: ", name(seat)))
    }

    /// An entry in words, for speech: `Black: knight f6. White pays 10`. It names colours, and a player only in a deal without colours. Notes
    /// that the previous entry has already are left out, so that an entry keeps its words as the game goes on.
    fn spoken(&self, section: &Section<'_>, entry: &Entry) -> String {
        let colors = section.deal.and_then(|(_, deal)| deal.colors.as_ref());
        let side = match (entry.place, entry.seat, colors) {
            (Place::Move(color), ..) => format!("{}: ", Side::from(color).words()),
            (Place::After | Place::Before, Some(seat), Some(colors)) => format!("{}: ", colors.of(seat).words()),
            (Place::After | Place::Before, ..) => self.who(section, entry),
        };
        let event = match (&entry.spoken, &entry.about) {
            (Some(spoken), _) => spoken.to_string(),
            (None, Some(About { before, name, after, .. })) => {
                [before, name, after].map(String::as_str).join(" ").trim().to_owned()
            }
            (None, None) => entry.said().to_owned(),
        };
        let notes = entry.spoken_notes.as_deref().unwrap_or(&entry.notes);
        let [before, _] = self.around(entry);
        let known = notes.is_empty() || before.is_some_and(|before| Self::shared(before, entry));
        if known { format!("{side}{event}") } else { format!("{side}{event}. {}", game_text::capitalized(notes)) }
    }

    /// Heading of a deal: its number and the players' colours.
    fn head(&self, section: &Section<'_>) -> String {
        let Some((number, deal)) = section.deal else { return String::new() };
        let head = if self.diagram.deals.len() > 1 || deal.colors.is_none() {
            format!("Deal {number}")
        } else {
            String::new()
        };
        let Some(colors) = &deal.colors else { return head };
        let named = |side: Side| {
            let seat = if colors.one == side { Seat::One } else { Seat::Two };
            self.frame.named[seat.index()].then(|| format!("{}: {}", side.words(), self.frame.names[seat.index()]))
        };
        let sides = [Side::White, Side::Black].into_iter().filter_map(named);
        Some(head).into_iter().filter(|head| !head.is_empty()).chain(sides).collect::<Vec<_>>().join(" · ")
    }

    /// Result of a deal.
    fn closed(&self, deal: &Deal) -> String {
        game_text::closed(self.frame, deal)
    }
}

/// Whether an entry is a coin toss without further consequences.
fn is_plain_toss(entry: &Entry) -> bool {
    entry.seat.is_none() && entry.notes.is_empty() && entry.text.split(' ').next() == Some(COIN)
}

/// Range of rows to show around the current row `here`.
fn window(rows: usize, here: usize) -> Range<usize> {
    let last = rows.saturating_sub(ROWS);
    let first = (here.saturating_sub(WINDOW_STEP) / WINDOW_STEP * WINDOW_STEP).min(last);
    first..(first + ROWS).min(rows)
}

/// Keeps only the rows to show. Returns the plies of the rows before and after them.
fn keep_window(sections: &mut Vec<Section<'_>>, ply: usize) -> [Option<usize>; 2] {
    let plies: Vec<usize> = sections.iter().flat_map(|section| &section.rows).map(SheetRow::ply).collect();
    let here = plies.iter().rposition(|at| *at <= ply).unwrap_or_default();
    let shown = window(plies.len(), here);
    let mut first = 0;
    for section in &mut *sections {
        let rows = section.rows.len();
        section.whole = (shown.start..=shown.end).contains(&(first + rows));
        let mut number = first..;
        section.rows.retain(|_| number.next().is_some_and(|number| shown.contains(&number)));
        first += rows;
    }
    if shown.len() < plies.len() {
        sections.retain(|section| !section.rows.is_empty());
    }
    [shown.start.checked_sub(1), Some(shown.end)].map(|row| plies.get(row?).copied())
}

/// Renders the rows of the move list that the frame's viewer may see, around the position of the frame.
pub(super) fn rows(table: &GameSnapshot, frame: &Frame, flip: bool) -> Arc<str> {
    let mut diagram = table.game.diagram(frame.viewer);
    silhouette::choose(&mut diagram.designs, &frame.sketch.icons);
    let mut sections = match diagram.deals.as_slice() {
        [] => vec![Section { deal: None, rows: paired(diagram.sheet.iter()), whole: true }],
        deals => {
            let of = |number: usize| diagram.sheet.iter().filter(move |entry| entry.deal == Some(number));
            let numbered = (1..).zip(deals);
            let section =
                |(number, deal)| Section { deal: Some((number, deal)), rows: paired(of(number)), whole: true };
            numbered.map(section).collect()
        }
    };
    let [earlier, later] = keep_window(&mut sections, frame.ply);
    let sheet = Sheet { sections, earlier, later, frame, diagram: &diagram, flip };
    sheet.render().expect("rendering to a string cannot fail").into()
}

/// Move list with White's and Black's moves side by side. Black's reply gets the number of White's move, whatever other entries are
/// between them.
fn paired<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Vec<SheetRow<'e>> {
    let mut rows: Vec<SheetRow<'_>> = Vec::new();
    let (mut number, mut answered) = (0, true);
    let mut entries = entries.into_iter().peekable();
    while let Some(entry) = entries.next() {
        let moves = entries.peek().is_some_and(|next| matches!(next.place, Place::Move(_)));
        if moves && is_plain_toss(entry) {
            continue;
        }
        let Place::Move(mover) = entry.place else {
            rows.push(SheetRow::Other(entry));
            continue;
        };
        let answers = mover == Color::Black && !answered;
        answered = mover == Color::Black;
        if let Some(listing) = &entry.listing {
            number += usize::from(!answers);
            let dots = if mover == Color::Black { "…" } else { "." };
            rows.push(SheetRow::Guessed(format!("{number}{dots}"), entry, listing));
            continue;
        }
        if let (true, Some(SheetRow::Moves(_, [Some(_), black @ None]))) = (answers, rows.last_mut()) {
            *black = Some(entry);
            continue;
        }
        number += usize::from(!answers);
        let mut pair = [None, None];
        pair[mover.index()] = Some(entry);
        rows.push(SheetRow::Moves(number, pair));
    }
    rows
}

/// A player strip above or below the board.
pub(super) struct Bar {
    pub(super) seat: Seat,
    pub(super) name: String,
    pub(super) points: String,
    pub(super) side: &'static str,
    pub(super) color: Option<Side>,
    pub(super) awaited: bool,
    pub(super) you: bool,
    pub(super) face: Option<ClockFace>,
    /// Amount in the purse, as far as the viewer may see it.
    pub(super) purse: Option<String>,
    pub(super) reserve: Vec<HeldPiece>,
    /// Captured pieces of the opponent; `ahead` is the lead in pawns.
    pub(super) captured: Vec<CapturedPiece>,
    pub(super) ahead: Option<u32>,
}

/// A captured piece, with a drawing if the sprite has none.
#[derive(Clone)]
pub(super) struct CapturedPiece {
    pub(super) unit: DrawnPiece,
    pub(super) token: Option<Arc<str>>,
}

/// Strip of a seat at `now`.
pub(super) fn bar(frame: &Frame, seat: Seat, now: i64) -> Bar {
    let amount = |amount: &Option<Amount>| amount.as_ref().map_or_else(|| "hidden".to_owned(), Amount::to_string);
    let purse = frame.diagram.purses.as_ref().map(|purses| amount(purses.of(seat)));
    Bar {
        seat,
        name: frame.names[seat.index()].clone(),
        points: game_text::points(&frame.score[seat.index()]),
        // Before the colours are decided, the name is enough.
        side: match frame.named[seat.index()] && frame.diagram.colors.is_none() {
            true => "",
            false => game_text::side(&frame.diagram, seat),
        },
        color: frame.diagram.colors.as_ref().map(|colors| *colors.of(seat)),
        awaited: frame.awaits.contains(&seat) && !frame.between,
        you: frame.viewer == Some(seat) && !frame.both_seats,
        face: frame.clocks[seat.index()].map(|clock| game_text::face(clock, now)),
        purse,
        reserve: frame.diagram.reserves.of(seat).iter().map(|held| named(&frame.diagram, held)).collect(),
        captured: captured(frame, seat),
        // Designed pieces and pieces in a cube have no known value in pawns.
        ahead: worth(frame, seat)
            .checked_sub(worth(frame, !seat))
            .filter(|pawns| *pawns > 0 && frame.diagram.designs.is_empty() && frame.diagram.levels == 1),
    }
}

/// Pieces in hand under their best known name, as in the legend.
fn named(diagram: &Diagram, held: &HeldPiece) -> HeldPiece {
    let design = diagram.design(&held.betza).filter(|_| held.name == held.betza);
    let known = design.and_then(|piece| piece_names::named(&MovementSummary::of(piece)));
    let name = known.and_then(|known| known.names.first()).map_or_else(|| held.name.clone(), |name| (*name).to_owned());
    HeldPiece { name, ..held.clone() }
}

/// Pieces that a seat has captured, as drawn on the page.
fn captured(frame: &Frame, seat: Seat) -> Vec<CapturedPiece> {
    let color = frame.diagram.colors.as_ref().map_or(Side::Black, |colors| *colors.of(!seat));
    let drawn = |held: &HeldPiece| {
        let token = silhouette::of(&frame.diagram, &held.betza, color.into()).map(|[drawing, _]| drawing);
        let unit = DrawnPiece { color: color.into(), name: held.name.clone() };
        vec![CapturedPiece { unit, token }; held.count as usize]
    };
    frame.diagram.captured.of(seat).iter().flat_map(drawn).collect()
}

/// Value of the captured pieces in pawns, by the usual count for beginners.
fn worth(frame: &Frame, seat: Seat) -> u32 {
    let pawns = |name: &str| match name {
        "queen" => 9,
        "rook" => 5,
        "bishop" | "knight" => 3,
        _ => 1,
    };
    frame.diagram.captured.of(seat).iter().map(|held| pawns(&held.name) * held.count).sum()
}
