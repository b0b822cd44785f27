//! Export of a table for other programs, as CSV or in binary form, with one record per class of positions. Order and bytes depend only on the board
//! and the material.

use std::{
    cmp::Ordering,
    io::{self, Write},
};

use super::{move_graph::rules, position_classes::Classes, position_index::Material, table::Table};
use crate::board::{Color, Square};

/// Column names: the placement; the value as a fraction in lowest terms; the labels of White and of Black; 1 or 0 for a zugzwang; 1 or 0 for a
/// quiescent position.
pub const COLUMNS: &str = "fen,num,den,white_label,black_label,zugzwang,quiescent";

/// Materials that a file must contain to be provable by itself: the given one and all that it can turn into, or every material for `None`.
fn required_materials(material: Option<Material>) -> Vec<Material> {
    Material::ALL
        .into_iter()
        .filter(|other| match material {
            None | Some(Material::Pawn) => true,
            Some(material) => *other == material || *other == Material::Bare,
        })
        .collect()
}

/// Writes a material and all that it can turn into, or the whole table, as CSV.
///
/// # Errors
/// Returns the errors of the writer.
pub fn export(table: &Table, material: Option<Material>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{COLUMNS}")?;
    let (wanted, board) = (required_materials(material), rules(table.size()));
    let mut done = Ok(());
    table.for_each_position(&mut |setup, value, worth| {
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

/// First bytes of a binary table.
const MAGIC: &[u8; 8] = b"ZORKMID1";

/// Writes the same classes in the binary form that `docs/research.md` describes.
///
/// # Errors
/// Returns the errors of the writer.
pub fn export_binary(classes: &Classes, material: Option<Material>, out: &mut dyn Write) -> io::Result<()> {
    const UNUSED: u32 = u32::MAX;
    let (wanted, table) = (required_materials(material), classes.table());
    let written: Vec<_> = classes.all().filter(|(_, setup)| wanted.contains(&setup.material)).collect();
    // Values are numbered in the order in which the classes use them.
    let mut numbers = vec![UNUSED; table.distinct()];
    let mut values = Vec::new();
    for (id, _) in &written {
        let value = table.value_id(*id);
        let number = &mut numbers[value as usize];
        if *number == UNUSED {
            *number = values.len() as u32;
            values.push(value);
        }
    }
    let size = table.size();
    out.write_all(MAGIC)?;
    out.write_all(&[size.width(), size.height(), 0, 0])?;
    out.write_all(&(values.len() as u32).to_le_bytes())?;
    out.write_all(&(written.len() as u32).to_le_bytes())?;
    let digest = table.digest().as_bytes().chunks(2).filter_map(|pair| std::str::from_utf8(pair).ok());
    let digest: Vec<u8> = digest.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
    out.write_all(&digest)?;
    for value in values {
        let value = table.values().get(value);
        // No value is negative, and the longest has a few hundred bytes.
        let num = value.numerator().clone().into_parts().1;
        for part in [num.to_le_bytes(), value.denominator().to_le_bytes()] {
            out.write_all(&(part.len() as u16).to_le_bytes())?;
            out.write_all(&part)?;
        }
    }
    for (id, setup) in written {
        let place = |square: Square| square.index() as u8;
        let mood = classes.bid_sign(id);
        out.write_all(&[setup.material as u8, place(setup.king), place(setup.bare), place(setup.piece)])?;
        out.write_all(&numbers[table.value_id(id) as usize].to_le_bytes())?;
        for player in Color::BOTH {
            out.write_all(&table.label_of(id, player).to_le_bytes())?;
        }
        out.write_all(&[u8::from(mood.is_lt()) | u8::from(mood.is_eq()) << 1, 0, 0, 0])?;
    }
    Ok(())
}
