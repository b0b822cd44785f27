//! Arrows and rings on a board, and the board as text.

use super::{Cell, DrawnPiece, Figure, Mark, Rank};
use crate::board::{Color, Square};

/// A move shown as an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Start square.
    pub from: Square,
    /// Target square.
    pub to: Square,
    /// Side that moves.
    pub color: Color,
}

/// An arrow or ring on the board, in hundredths of a square from the top left corner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// Centre of the start square.
    pub from: [usize; 2],
    /// Centre of the target square.
    pub to: [usize; 2],
    /// Piece that is dropped on the target square.
    pub unit: Option<DrawnPiece>,
    /// Amount of a prediction, with the number of equal predictions.
    pub said: String,
    /// Whether the prediction was wrong.
    pub missed: bool,
    /// Side that moves; `None` for a prediction.
    pub mover: Option<Color>,
}

impl Pointer {
    /// Whether it concerns a single square and is drawn as a ring.
    pub fn ring(&self) -> bool {
        self.from == self.to
    }

    /// Position of the amount: at the middle of an arrow or at the bottom of a ring.
    pub fn label(&self) -> [usize; 2] {
        let [[a, b], [x, y]] = [self.from, self.to];
        if self.ring() { [x, y + 44] } else { [(a + x) / 2, (b + y) / 2 + 12] }
    }

    /// SVG path of an arrow.
    pub fn path(&self) -> String {
        let [[a, b], [x, y]] = [self.from, self.to];
        format!("M{a} {b}L{x} {y}")
    }

    /// SVG path of an arrow with its head, from the edge of the piece to just before the target's centre.
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
    /// Predictions and then arrows, each once, in the board's orientation.
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

    /// The board in monospaced letters, in its orientation. Capitals are White's, N is a knight. A piece type without a letter shows its name
    /// after `+` for White or `-` for Black.
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

/// Letter of a square: the piece, `*` for the duck, `.` if empty, `?` if hidden.
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
