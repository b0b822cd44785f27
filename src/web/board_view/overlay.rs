//! Arrows and rings over a board, and the board as text.

use super::{Cell, DrawnPiece, Figure, Mark, Rank};
use crate::board::{Color, Square};

/// A move that is shown as an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Where it begins.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// Whose move it is.
    pub color: Color,
}

/// An arrow or a ring over the board, in hundredths of a square from the corner of the first one that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The middle of the square where it begins.
    pub from: [usize; 2],
    /// The middle of the square where it ends.
    pub to: [usize; 2],
    /// The unit that is to come there from elsewhere.
    pub unit: Option<DrawnPiece>,
    /// The amount beside it, with how often it was said.
    pub said: String,
    /// Set if it was wrong.
    pub missed: bool,
    /// Whose move it is, of a move that is only shown.
    pub mover: Option<Color>,
}

impl Pointer {
    /// Tells whether it says of a square alone, so that it is a ring.
    pub fn ring(&self) -> bool {
        self.from == self.to
    }

    /// The place of the amount: on the middle of an arrow, at the foot of a ring.
    pub fn label(&self) -> [usize; 2] {
        let [[a, b], [x, y]] = [self.from, self.to];
        if self.ring() { [x, y + 44] } else { [(a + x) / 2, (b + y) / 2 + 12] }
    }

    /// The path of an arrow, as SVG has it.
    pub fn path(&self) -> String {
        let [[a, b], [x, y]] = [self.from, self.to];
        format!("M{a} {b}L{x} {y}")
    }

    /// The path of an arrow with its head, from beside the unit to before the middle of the square where it ends.
    pub fn headed(&self) -> String {
        let [[a, b], [x, y]] = [self.from, self.to].map(|place| place.map(|along| along as f64));
        let length = (x - a).hypot(y - b).max(1.0);
        let (u, v) = ((x - a) / length, (y - b) / length);
        let [from, to, wing] = [34.0, length - 14.0, 22.0];
        let point =
            |along: f64, aside: f64| format!("{:.0} {:.0}", a + u * along - v * aside, b + v * along + u * aside);
        let (back, tip) = (to - wing, point(to, 0.0));
        format!("M{}L{tip}M{}L{tip}L{}", point(from, 0.0), point(back, wing), point(back, -wing))
    }
}

impl Figure {
    /// The arrows and rings of what was foretold, and then the moves that are shown, each once, on the side of the board that is shown.
    pub fn pointers(&self) -> Vec<Pointer> {
        let middle = |square: Square| {
            let name = square.to_string();
            let at = |rank: &Rank| rank.cells.iter().position(|cell| cell.square == name);
            self.ranks.iter().enumerate().find_map(|(y, rank)| Some([100 * at(rank)? + 50, 100 * y + 50]))
        };
        let mut pointers = Vec::new();
        for (number, foretold) in self.foretold.iter().enumerate() {
            if self.foretold[..number].contains(foretold) {
                continue;
            }
            let (Some(from), Some(to)) = (middle(foretold.from), middle(foretold.to)) else { continue };
            let times = self.foretold.iter().filter(|other| *other == foretold).count();
            let said = if times > 1 { format!("{times}×{}", foretold.amount) } else { foretold.amount.to_string() };
            let unit = foretold.piece.map(|(side, name)| DrawnPiece { color: side.into(), name: name.to_owned() });
            pointers.push(Pointer { from, to, unit, said, missed: foretold.amount == 0, mover: None });
        }
        for (number, arrow) in self.arrows.iter().enumerate() {
            if self.arrows[..number].contains(arrow) {
                continue;
            }
            let (Some(from), Some(to)) = (middle(arrow.from), middle(arrow.to)) else { continue };
            let mover = Some(arrow.color);
            pointers.push(Pointer { from, to, unit: None, said: String::new(), missed: false, mover });
        }
        pointers
    }

    /// Draws the board in letters of one width, from the side that the figure shows: capitals are White's, an N is a knight. A kind
    /// without a letter has its name, behind `+` if it is White's and `-` if it is Black's.
    pub fn text(&self) -> String {
        let cells = self.ranks.iter().flat_map(|rank| &rank.cells).map(letters);
        let width = cells.map(|letters| letters.chars().count()).max().unwrap_or(1);
        let mut text = String::new();
        for ranks in self.levels() {
            if !text.is_empty() {
                text.push('\n');
            }
            if let Some(level) = ranks.first().and_then(|rank| rank.level) {
                text.push_str(&format!("Level {level}\n"));
            }
            for rank in ranks {
                text.push_str(&rank.number.to_string());
                for cell in &rank.cells {
                    text.push_str(&format!(" {:>width$}", letters(cell)));
                }
                text.push('\n');
            }
            text.push(' ');
            for file in &self.files {
                text.push_str(&format!(" {file:>width$}"));
            }
        }
        text
    }
}

/// The unit on a square; a star for the duck, a point if there is nothing, a question mark if it is hidden.
fn letters(cell: &Cell) -> String {
    if cell.duck {
        return "*".to_owned();
    }
    let Some(unit) = &cell.unit else {
        return if cell.marks.contains(&Mark::Fog) { "?" } else { "." }.to_owned();
    };
    match (unit.drawn(), unit.color) {
        (true, color) => {
            let letter = if unit.name == "knight" { "n" } else { &unit.name[..1] };
            if color == Color::White { letter.to_ascii_uppercase() } else { letter.to_owned() }
        }
        (false, Color::White) => format!("+{}", unit.name),
        (false, Color::Black) => format!("-{}", unit.name),
    }
}
