//! The board in letters, for whoever reads the page as text.

use super::{Cell, Figure, Mark};
use crate::board::Color;

impl Figure {
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
