//! The score sheet of a game as a table's rows.

use crate::{
    board::Color,
    game::Frame,
    play::LiveGame,
    rules::{Diagram, Entry, Place},
    web::words,
};
use askama::Template;
use std::sync::Arc;

/// One row of the score sheet.
enum SheetRow<'e> {
    /// White's move and Black's.
    Moves(usize, [Option<&'e Entry>; 2]),
    /// Anything else.
    Other(&'e Entry),
}

/// The rows, with links to every moment.
#[derive(Template)]
#[template(path = "sheet.html")]
struct Sheet<'f> {
    rows: Vec<SheetRow<'f>>,
    frame: &'f Frame,
    diagram: &'f Diagram,
    flip: bool,
}

impl Sheet<'_> {
    /// The page of a moment.
    fn moment(&self, ply: &usize) -> String {
        let flip = if self.flip { "?flip=1" } else { "" };
        format!("{}/ply/{ply}{flip}", self.frame.address)
    }

    /// Tells whether the board shows the moment after this line of the score sheet.
    fn here(&self, entry: &Entry) -> bool {
        entry.ply == self.frame.ply
    }

    /// Names the side that did what is no move on the board.
    fn who(&self, entry: &Entry) -> String {
        entry.seat.map_or(String::new(), |seat| format!("{}: ", words::side(self.diagram, seat)))
    }
}

/// The rows of the whole game's sheet, as the frame's viewer may know it, beside the moment that the frame shows.
pub(super) fn rows(table: &LiveGame, frame: &Frame, flip: bool) -> Arc<str> {
    let diagram = table.game.diagram(frame.viewer);
    let sheet = Sheet { rows: paired(&diagram.sheet), frame, diagram: &diagram, flip };
    sheet.render().expect("writing to a string does not fail").into()
}

/// The score sheet with White's and Black's moves side by side. Black's answer has the number of White's move, whatever was said or
/// undone between them.
fn paired(entries: &[Entry]) -> Vec<SheetRow<'_>> {
    let mut rows: Vec<SheetRow<'_>> = Vec::new();
    let (mut number, mut answered) = (0, true);
    for entry in entries {
        let Place::Move(mover) = entry.place else {
            rows.push(SheetRow::Other(entry));
            continue;
        };
        let answers = mover == Color::Black && !answered;
        answered = mover == Color::Black;
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
