//! The designer form: a piece as a text and as a map to click, with its price term by term. It is part of the piece designer and of the page
//! of a game with designed pieces. Every submit shows the same page with the new piece.

use super::{
    board_query, escaped, middle,
    movement_grid::{self, By, MapRow, Symmetry, Toggle},
    piece_report::{PieceError, PieceReport},
    read_place,
};
use crate::{
    board::{Betza, Color, Invention, Mode, Size, Square},
    rules::diagram::Designed,
    variants::csipgs::{
        self, piece_names,
        price::{self, Catalogue, Quantum},
    },
    web::{
        board_view::DrawnPiece,
        frame::{Frame, Sketch},
        silhouette::{self, ChosenIcons},
    },
};
use askama::Template;
use std::sync::{Arc, LazyLock};

/// Start of the value of the undo button; the former text follows.
const UNDO: &str = "undo:";

/// The pieces of the catalogue in the order of their names: the best known name and the text.
static KNOWN: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let entries = piece_names::all().iter();
    let mut known: Vec<(&str, String)> = entries.map(|entry| (entry.names[0], entry.piece.to_string())).collect();
    known.sort_by_key(|(name, _)| name.to_lowercase());
    known
});

/// The notation of a typed piece. Besides a notation, the text may be the name of an invented atom or of a piece of the catalogue, in any
/// case, or the first letter of an invented atom's name, if that is no notation by itself.
pub(in crate::web) fn notation(text: &str, inventions: &[Invention]) -> String {
    let names = |name: &str| name.eq_ignore_ascii_case(text);
    let mut atoms = inventions.iter().filter(|known| known.definition.is_atom()).map(|known| known.name.to_string());
    let starts = |name: &String| text.len() == 1 && name.starts_with(text) && Betza::read(text, inventions).is_err();
    if let Some(name) = atoms.clone().find(|name| names(name)).or_else(|| atoms.find(starts)) {
        return format!("<{name}>");
    }
    let known = piece_names::all().iter().find(|entry| entry.names.iter().any(|name| names(name)));
    known.map_or_else(|| text.to_owned(), |entry| entry.piece.to_string())
}

/// The designer on the page of a game or puzzle.
#[derive(Template)]
#[template(path = "designer_beside.html", blocks = ["form", "answer", "deeds"])]
struct Beside<'d> {
    designer: &'d Designer,
}

/// A piece being designed.
pub struct Designer {
    /// Path of the page.
    pub(super) action: String,
    /// Other fields of the page's query, kept by every submit.
    pub(super) kept: Vec<(&'static str, String)>,
    /// The piece's text, as typed or as changed by a click.
    pub text: String,
    /// The text before the last change, if it is known.
    before: Option<String>,
    /// Size of the board.
    size: Size,
    /// Square of the piece.
    pub(super) from: Square,
    /// The square, as typed.
    pub(super) place: String,
    /// The kind of step that a click changes.
    pub(super) by: By,
    /// What a click puts on a square.
    pub(super) mode: Mode,
    /// The squares that a click sets.
    pub(super) symmetry: Symmetry,
    /// The piece, if the text is valid.
    pub(super) shown: Option<PieceReport>,
    /// Error in the text.
    pub(super) wrong: Option<PieceError>,
    /// Reason to refuse a click or a square; empty if it is valid.
    pub(super) refused: String,
    /// The map.
    pub(super) rows: Vec<MapRow>,
    /// The buttons of the map.
    pub(super) lines: Vec<Toggle>,
    /// The saved designs with their drawings, the newest first.
    pub(super) saved: Vec<(String, Arc<str>)>,
    /// The silhouette, if the page can change it.
    pub(super) icon: Option<&'static str>,
    /// The smallest coin, if the page has a field for it.
    coin: Option<Quantum>,
    /// When the player can afford the piece, and whether the game allows it; empty outside games.
    pub(super) purse: String,
}

impl Designer {
    /// Reads the text and applies a click. An invalid text or click changes nothing and is reported. A `free` text may use the notation of
    /// other programs, which has no price.
    pub(super) fn new(
        drawn: &Sketch,
        (size, place): (Size, &str),
        catalogue: &Catalogue,
        quantum: Quantum,
        free: bool,
    ) -> Designer {
        let mut refused = String::new();
        let by = By::read(&drawn.by).unwrap_or_else(|| {
            refused = By::NEITHER.to_owned();
            By::default()
        });
        let mode = movement_grid::read_mode(&drawn.mode).unwrap_or_else(|| {
            refused = movement_grid::NO_MODE.to_owned();
            Mode::Both
        });
        let symmetry = Symmetry::read(&drawn.mirror).unwrap_or_else(|| {
            refused = Symmetry::UNKNOWN.to_owned();
            Symmetry::default()
        });
        let from = read_place(place, size).unwrap_or_else(|why| {
            refused = why;
            middle(size)
        });
        let undone = drawn.press.strip_prefix(UNDO);
        let chosen = if drawn.known.is_empty() { drawn.piece.trim() } else { &drawn.known };
        let text = undone.unwrap_or(chosen);
        let mut text = notation(text, catalogue.inventions());
        let parse = if free { Betza::read_free } else { Betza::read_noted };
        let read = |text: &str| (!text.is_empty()).then(|| parse(text, catalogue.inventions()));
        let mut piece = read(&text);
        // A click needs a valid piece. An invalid text must be corrected first.
        if !drawn.press.is_empty() && undone.is_none() && !matches!(piece, Some(Err(_))) {
            let known = piece.as_ref().and_then(|read| read.as_ref().ok()).map(|(piece, _)| piece);
            match movement_grid::pressed(known, &drawn.press, (by, symmetry, mode)) {
                Some(made) => {
                    text = made.map_or(String::new(), |piece| piece.to_string());
                    piece = read(&text);
                }
                None => refused = by.nowhere().to_owned(),
            }
        }
        let (shown, wrong, known) = match piece {
            None => (None, None, None),
            Some(Ok((piece, notes))) => {
                (Some(PieceReport::new(&piece, notes, catalogue, (size, from), quantum)), None, Some(piece))
            }
            Some(Err(error)) => (None, Some(PieceError::new(&text, &error)), None),
        };
        Designer {
            action: String::new(),
            kept: Vec::new(),
            place: if place.is_empty() { from.to_string() } else { place.to_owned() },
            rows: movement_grid::rows(known.as_ref()),
            lines: movement_grid::lines(known.as_ref()),
            purse: String::new(),
            coin: None,
            icon: None,
            saved: drawn
                .saved
                .iter()
                .filter_map(|text| Some((text.clone(), super::drawing(&text.parse().ok()?, Color::White))))
                .collect(),
            before: drawn.before.clone().filter(|before| undone.is_none() && *before != text),
            text,
            size,
            from,
            by,
            mode,
            symmetry,
            shown,
            wrong,
            refused,
        }
    }

    /// Sets the page, and the fields that its query keeps.
    pub(super) fn within(mut self, action: String, kept: Vec<(&'static str, String)>) -> Designer {
        self.action = action;
        self.kept = kept.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        self
    }

    /// Adds a field for the smallest coin.
    pub(super) fn counting(self, coin: Quantum) -> Designer {
        Designer { coin: Some(coin), ..self }
    }

    /// Adds a choice of silhouettes, unless the piece has a familiar picture or is too long to remember. `designs` are those of the game.
    pub(super) fn with_icons(mut self, designs: &[Designed], chosen: &ChosenIcons) -> Designer {
        let familiar = |name: &str| DrawnPiece { color: Color::White, name: name.to_owned() }.drawn();
        let shown = self.shown.as_ref().filter(|shown| !shown.names.split(", ").any(familiar));
        self.icon = shown.filter(|shown| silhouette::has_choice(&shown.canonical)).map(|shown| {
            let key = silhouette::key(&shown.piece);
            let own = chosen.iter().find(|(betza, _)| *betza == key).map(|(_, name)| *name);
            own.unwrap_or_else(|| silhouette::name(designs, &shown.piece))
        });
        self
    }

    /// The designer on the page of a puzzle, with exact prices. `wrong` is the reason why the piece is no answer.
    pub(in crate::web) fn of_puzzle(
        drawn: &Sketch,
        action: String,
        kept: Vec<(&'static str, String)>,
        wrong: Option<&str>,
    ) -> Designer {
        let designer = Designer::new(drawn, (Size::ORTHODOX, ""), &Catalogue::default(), Quantum::Whole, false);
        let mut designer = designer.within(action, kept);
        if let Some(shown) = &mut designer.shown {
            shown.price = shown.exact.clone();
        }
        if let (Some(why), None, true) = (wrong, &designer.wrong, designer.refused.is_empty()) {
            designer.refused = why.to_owned();
        }
        designer
    }

    /// Picture of the piece in the middle of the map: its icon, or its moves if it has none; empty without a piece.
    pub(super) fn drawn(&self) -> String {
        let moves = || self.shown.as_ref().map_or(String::new(), |shown| shown.token[0].to_string());
        self.icon.map_or_else(moves, silhouette::icon)
    }

    /// Whether the text or the click is invalid.
    pub(in crate::web) fn is_invalid(&self) -> bool {
        self.wrong.is_some() || !self.refused.is_empty()
    }

    /// The designer on the page of a game, for one viewer.
    pub fn beside(view: &csipgs::View, frame: &Frame) -> Designer {
        let catalogue: Catalogue = view.with.parse().unwrap_or_default();
        let quantum = super::read_quantum(view.quantum).unwrap_or(Quantum::Whole);
        let seat = frame.viewer.filter(|_| frame.both_seats).map_or(String::new(), |seat| seat.to_string());
        let deal = frame.deal.map_or(String::new(), |deal| deal.to_string());
        let mut kept = vec![("seat", seat), ("deal", deal)];
        if let Some(draft) = &frame.diagram.draft {
            kept.extend([("ply", frame.ply.to_string()), ("draft", draft.clone())]);
        }
        let size = Size::new(frame.diagram.width, frame.diagram.height).unwrap_or(Size::ORTHODOX);
        let mut designer =
            Designer::new(&frame.sketch, (size, ""), &catalogue, quantum, false).within(frame.address.clone(), kept);
        designer = designer.with_icons(&frame.diagram.designs, &frame.sketch.icons);
        // An army is paid from its own budget, at exact costs.
        let pays = view.army.is_none();
        if let (Some(shown), false) = (&mut designer.shown, pays) {
            shown.price = price::decimal(&price::exact(&shown.piece, &catalogue));
        }
        if let (Some(seat), Some(shown), true) = (frame.viewer, &designer.shown, pays) {
            designer.purse = match view.forbidden(&shown.piece) {
                Some(why) => format!("Not allowed in this game: {why}."),
                None => affordability(view.affordable(seat, quantum.price(price::exact(&shown.piece, &catalogue)))),
            };
        }
        designer
    }

    /// The text and the map, for the page of a game.
    pub fn form(&self) -> String {
        Beside { designer: self }.as_form().render().expect("rendering to a string cannot fail")
    }

    /// The text and the map, with a button that submits the piece as an answer.
    pub(in crate::web) fn answer_form(&self) -> String {
        Beside { designer: self }.as_answer().render().expect("rendering to a string cannot fail")
    }

    /// The piece's moves and price, and the saved designs, for the page of a game.
    pub fn deeds(&self) -> String {
        Beside { designer: self }.as_deeds().render().expect("rendering to a string cannot fail")
    }

    /// Whether the text is a piece that the game allows.
    pub fn allowed(&self, view: &csipgs::View) -> bool {
        self.shown.as_ref().is_some_and(|shown| view.forbidden(&shown.piece).is_none())
    }

    /// Whether the piece can be saved: it means the same outside this game, and is not saved yet.
    pub(super) fn savable(&self) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.priced)
            && !self.text.contains('<')
            && self.saved.iter().all(|(known, _)| *known != self.text)
    }

    /// The pieces of the catalogue: name and text.
    pub(super) fn known(&self) -> &'static [(&'static str, String)] {
        &KNOWN
    }

    /// The last valid text, which the next change can undo; `None` if there was none.
    pub(super) fn latest(&self) -> Option<&str> {
        if self.wrong.is_some() { self.before.as_deref() } else { Some(&self.text) }
    }

    /// The value of the undo button, if there is a change to undo.
    pub(super) fn undo(&self) -> Option<String> {
        self.before.as_ref().map(|before| format!("{UNDO}{before}"))
    }

    /// Address of the page with this piece and the text before it.
    pub(in crate::web) fn current_address(&self) -> String {
        let before = self.before.as_ref().map_or(String::new(), |before| format!("&before={}", escaped(before)));
        self.address(&self.text) + &before
    }

    /// Address of the page without a piece.
    pub fn without(&self) -> String {
        let kept: Vec<String> = self.kept.iter().map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        if kept.is_empty() { self.action.clone() } else { format!("{}?{}", self.action, kept.join("&")) }
    }

    /// Address of the page with another piece.
    pub fn address(&self, piece: &str) -> String {
        let mut address = format!("{}?piece={}", self.action, escaped(piece));
        if self.by != By::default() {
            address += &format!("&by={}", self.by.text());
        }
        if self.mode != Mode::Both {
            address += &format!("&mode={}", movement_grid::mode_text(self.mode));
        }
        if self.symmetry != Symmetry::default() {
            address += &format!("&mirror={}", self.symmetry.text());
        }
        if self.from != middle(self.size) {
            address += &format!("&from={}", self.from);
        }
        if self.coin.is_some() {
            address += &board_query(self.size);
        }
        if let Some(coin) = self.coin.filter(|coin| *coin != Quantum::Whole) {
            address += &format!("&quantum={}", escaped(coin.text()));
        }
        for (name, value) in &self.kept {
            address += &format!("&{name}={}", escaped(value));
        }
        address
    }
}

/// When a price can be paid, in words.
fn affordability(turns: Option<usize>) -> String {
    match turns {
        Some(0) => "You can afford it now.".to_owned(),
        Some(1) => "Affordable on your next turn.".to_owned(),
        Some(turns) => format!("Affordable in {turns} turns if you buy nothing until then."),
        None => "Not affordable for a long time.".to_owned(),
    }
}
