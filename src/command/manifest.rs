//! Compares endgame tables with a list of their SHA-256 sums, for `verify --manifest`. Solving is reproducible bit by bit, so a table solved
//! here has the same sum as anywhere else.

use std::{fs, io, path::Path};

use sha2::{Digest, Sha256};

use super::{Extent, solve::fault, solved};
use crate::richman::{self, Classes};

/// Compares every table of a list in the format of `sha256sum`. Boards such as `3x4.bin` are solved. Files of four pieces are read from
/// `folder`; those that are not there are counted.
///
/// # Errors
/// The names of the tables that differ, or the line that cannot be read.
pub(super) fn compare(path: &Path, folder: &Path) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|why| fault(path, why))?;
    let (mut equal, mut missing, mut different) = (0, 0, Vec::new());
    for (at, line) in text.lines().enumerate() {
        let wrong = |why: &str| fault(path, format!("line {}: {why}", at + 1));
        let (expected, name) = line.split_once("  ").ok_or_else(|| wrong("not a SHA-256 and a name"))?;
        let found = match name.split_once('.') {
            Some((board, "bin")) => Some(of_board(board.parse().map_err(|why: String| wrong(&why))?)?),
            Some((_, "four")) => of_file(&folder.join(name))?,
            _ => return Err(wrong("not the name of a table: the names end with .bin or .four")),
        };
        match found {
            None => missing += 1,
            Some(found) if found == expected => equal += 1,
            Some(_) => different.push(name),
        }
    }
    if !different.is_empty() {
        return Err(fault(path, format!("{} differ: {}", different.len(), different.join(", "))));
    }
    Ok(match missing {
        0 => format!("{equal} tables have the sums of {}", path.display()),
        _ => format!(
            "{equal} tables have the sums of {}; {missing} files of four pieces are not in {}",
            path.display(),
            folder.display()
        ),
    })
}

/// Sum of the file `8x8.bin` of a board, which is solved first.
fn of_board(Extent(size): Extent) -> Result<String, String> {
    let (classes, mut bytes) = (Classes::new(solved(size)?.into()), Vec::new());
    richman::export_binary(&classes, None, &mut bytes).map_err(|why| why.to_string())?;
    Ok(sum(&bytes))
}

/// Sum of a file; `None` if there is none.
fn of_file(path: &Path) -> Result<Option<String>, String> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(sum(&bytes))),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(fault(path, why)),
    }
}

/// SHA-256 in hexadecimal.
fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
