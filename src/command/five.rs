//! Solving and proving one table of five pieces: `solve --pieces 5` and `verify FILE`. What it costs is told before it begins.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use super::{
    bar,
    four::{self, fault, save, width},
    solved,
};
use crate::{
    board::Size,
    richman::{
        self, Aside, FiveCost, FiveFile, FourTable, ProvedFive, SmallTables, Trio, WrongFile, file_of, file_of_five,
    },
    store::private_folder,
};

/// The greatest small board, in squares.
const SMALL: u8 = 16;

/// Where a table is made.
pub(super) struct Destination<'f> {
    pub(super) size: Size,
    pub(super) folder: &'f Path,
}

/// What a table costs, and what is computed before it.
fn told(trio: Trio, Destination { size, folder }: &Destination<'_>) -> String {
    let FiveCost { positions, memory, disk, moves, seconds } = FiveCost::of(trio, *size);
    let gigabytes = |bytes: u64| format!("{:.2} GB", bytes as f64 / 1e9);
    let minutes = seconds.map(|seconds| (seconds / 60.0).ceil());
    let first = if *size == Size::ORTHODOX {
        let (there, missing): (Vec<_>, Vec<_>) =
            trio.needs().into_iter().partition(|pair| file_of(folder, *pair).exists());
        let list = |pairs: &[richman::Pair]| pairs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut text = format!("captures lead to tables of four pieces: {}", list(&trio.needs()));
        if !missing.is_empty() {
            text +=
                &format!("; {} will be solved first, which takes up to a minute of a processor each", list(&missing));
        }
        if !there.is_empty() {
            text += &format!("; {} will be read", list(&there));
        }
        text
    } else {
        "captures lead to positions of four pieces, which are solved first".to_owned()
    };
    format!(
        "{trio} on {size}: {positions} positions with {moves} moves\n\
         memory: {} at most, {} if α < β everywhere\n\
         disk: {}, {} if α < β everywhere\n\
         time: {} to {} minutes of one processor about, shared by all there are; the proof by `verify` takes about as long again\n\
         {first}",
        gigabytes(memory[0]),
        gigabytes(memory[1]),
        gigabytes(disk[0]),
        gigabytes(disk[1]),
        minutes[0],
        minutes[1],
    )
}

/// Asks whether to begin, where somebody can answer.
fn agreed() -> Result<(), String> {
    let unasked = || Err("nothing was begun: say --yes if that is what you want".to_owned());
    if !io::stdin().is_terminal() {
        return unasked();
    }
    eprint!("Begin? [y/N] ");
    let _ = io::stderr().flush();
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer) {
        Ok(_) if answer.trim().eq_ignore_ascii_case("y") || answer.trim().eq_ignore_ascii_case("yes") => Ok(()),
        Ok(_) | Err(_) => unasked(),
    }
}

/// Solves a trio, and gives the number of positions, of those with α < β, and of rounds.
fn made(trio: Trio, Destination { size, folder }: &Destination<'_>, path: &Path) -> Result<[usize; 3], String> {
    let mut small = SmallTables::new(*size);
    let aside = if *size == Size::ORTHODOX {
        let three = solved(*size)?;
        let mut tables = Vec::new();
        for pair in trio.needs() {
            eprintln!("{}", four::one(pair, folder, &three)?);
            let beside = file_of(folder, pair);
            tables.push(FourTable::read(&beside).map_err(|wrong| fault(&beside, wrong))?);
        }
        Aside::Tables(tables)
    } else {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        while small.pieces() < 4 {
            small.grow(threads, &|_| ()).map_err(|restless| restless.to_string())?;
        }
        Aside::Small(&small)
    };
    let shown = bar(&format!("solving {trio}"));
    let (mut rounds, mut positions) = (0, 0);
    let table = richman::solve_five(trio, *size, &aside, &mut |progress| {
        (rounds, positions) = (progress.round, progress.positions);
        shown.set_length(progress.positions as u64);
        shown.set_position((progress.positions - progress.open) as u64);
    });
    shown.finish_and_clear();
    save(path, |out| table.write(out)).map_err(|why| fault(path, why))?;
    Ok([positions, table.columns.wide.iter().filter(|wide| wide.alpha < wide.beta).count(), rounds])
}

/// Tells what a table costs, asks unless that was agreed to before, and makes it; what it needs comes first, and is kept.
pub(super) fn solve(trio: Trio, place: &Destination<'_>, yes: bool) -> Result<String, String> {
    let Destination { size, folder } = place;
    if *size != Size::ORTHODOX && size.width() * size.height() > SMALL {
        return Err(format!("five pieces are solved on the ordinary board and on boards of up to {SMALL} squares"));
    }
    let path = file_of_five(folder, trio, *size);
    match FiveFile::open(&path) {
        Ok(file) => return Ok(format!("{trio}: was there already, with α < β in {} positions", file.apart)),
        Err(WrongFile::Unread(why)) if why.kind() == io::ErrorKind::NotFound => {}
        Err(wrong) => eprintln!("{}, and would be solved anew", fault(&path, wrong)),
    }
    eprintln!("{}", told(trio, place));
    if !yes {
        agreed()?;
    }
    private_folder(folder).map_err(|why| fault(folder, why))?;
    let [positions, apart, rounds] = made(trio, place, &path)?;
    Ok(format!("{trio}: {positions} positions, α < β in {apart}, {rounds} rounds; it is in {}", path.display()))
}

/// Proves a file, and says what was proved.
pub(super) fn prove(path: &Path) -> Result<String, String> {
    let ProvedFive { material, size, positions, apart, open, widest } = richman::prove_five(path, None)?;
    let open = if open > 0 { format!("; in {open} the bounds neither meet nor part") } else { String::new() };
    Ok(format!(
        "{}: proved. Of the {positions} positions of {material} on {size} up to symmetry and the order of like pieces, α < β in {apart}{open}; where α and \
         β are near each other both lie in bounds at most {:.1e} apart",
        path.display(),
        width(widest),
    ))
}
