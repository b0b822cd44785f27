//! A table as a file for other programs: lines of comma-separated values, one for each class of positions, in an order and with bytes that depend
//! on the board and the material alone.

use std::{
    cmp::Ordering,
    io::{self, Write},
};

use super::{graph::rules, material::Material, table::Table};
use crate::board::Color;

/// The names of the columns: the placement; the value as a fraction in lowest terms; the labels of White and of Black; whether nobody
/// wants to move (1 or 0), and whether the move is worth nothing.
pub const COLUMNS: &str = "fen,num,den,white_label,black_label,zugzwang,quiescent";

/// The materials that have to stand in a file so that it can be proved by itself: one, and all that it can turn into; all of them for none.
fn closed(material: Option<Material>) -> Vec<Material> {
    Material::ALL
        .into_iter()
        .filter(|other| match material {
            None | Some(Material::Pawn) => true,
            Some(material) => *other == material || *other == Material::Bare,
        })
        .collect()
}

/// Writes the values of a material and of all that it can turn into, or of the whole table.
///
/// # Errors
/// As the writer.
pub fn export(table: &Table, material: Option<Material>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{COLUMNS}")?;
    let (wanted, board) = (closed(material), rules(table.size()));
    let mut done = Ok(());
    table.every(&mut |setup, value, worth| {
        if done.is_err() || !wanted.contains(&setup.material) {
            return;
        }
        let [white, black] = Color::BOTH.map(|player| table.label(setup, player));
        let fen = board.placement_fen(&setup.position(board, Color::White));
        let [zugzwang, quiescent] = [Ordering::Less, Ordering::Equal].map(|kind| u8::from(worth == kind));
        let (num, den) = (value.numerator(), value.denominator());
        done = writeln!(out, "{fen},{num},{den},{white},{black},{zugzwang},{quiescent}");
    });
    done
}
