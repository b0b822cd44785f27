//! Solves and proves endgame tables of four and five pieces, for `solve` and `verify`. Also starts a process that solves them next to a server.

use super::{bar, solved};
use crate::{
    board::Size,
    richman::{
        self, CaptureBounds, FiveCost, FiveFile, FivePieceMaterial, FourFile, FourFiles, FourPieceMaterial, FourTable,
        FourWork, SmallTables, Table, VerifiedFive, VerifiedFour, WrongFile, decisions_file_of, file_of, file_of_five,
    },
    store::private_folder,
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, IsTerminal, Read, Write},
    path::Path,
    process::{self, Child, Command, Stdio},
    thread,
};

/// Largest small board, in squares.
const SMALL: u8 = 16;

/// An error about a file.
pub(super) fn fault(path: &Path, why: impl ToString) -> String {
    format!("{}: {}", path.display(), why.to_string())
}

/// Writes a table to a temporary file and renames it when complete.
pub(super) fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let unfinished = path.with_extension(format!("{}.unfinished", process::id()));
    let mut out = BufWriter::new(File::create(&unfinished)?);
    write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?;
    fs::rename(&unfinished, path)
}

/// Solves a table and decides where α = β, unless both files already exist and are valid. Returns a one-line report.
pub(super) fn solve_one(pair: FourPieceMaterial, folder: &Path, three: &Table) -> Result<String, String> {
    let path = file_of(folder, pair);
    let solved = match FourFile::open(&path) {
        Ok(file) => Some(file),
        Err(WrongFile::Unread(why)) if why.kind() == io::ErrorKind::NotFound => None,
        Err(wrong) => {
            eprintln!("{}; solving it again", fault(&path, wrong));
            None
        }
    };
    if solved.as_ref().is_some_and(|file| file.decisions().is_some()) {
        return Ok(format!("{pair}: already solved"));
    }
    let (file, work) = match solved {
        Some(file) => (file, None),
        None => {
            let work = solve_bounds(pair, folder, three)?;
            (FourFile::open(&path).map_err(|wrong| fault(&path, wrong))?, Some(work))
        }
    };
    let [apart, open] = decide(&file, folder, three)?;
    let apart = apart_report(apart, open);
    Ok(match work {
        Some([positions, rounds]) => format!("{pair}: {positions} positions, {apart}, {rounds} rounds"),
        None => format!("{pair}: bounds already solved, {apart}"),
    })
}

/// Number of positions with α < β: exact if none is undecided.
fn apart_report(apart: usize, open: usize) -> String {
    match open {
        0 => format!("α < β in {apart}"),
        open => format!("α < β in at least {apart}, undecided in {open}"),
    }
}

/// Solves the bounds of a table. Returns the numbers of positions and of rounds.
fn solve_bounds(pair: FourPieceMaterial, folder: &Path, three: &Table) -> Result<[usize; 2], String> {
    let path = file_of(folder, pair);
    let shown = bar(&format!("solving {pair}"));
    // Without the progress file, other processes cannot see this work. It is not needed otherwise.
    let mut work = FourWork::begin(folder, pair).ok();
    let (mut rounds, mut positions) = (0, 0);
    let table = richman::solve_four(
        pair,
        three,
        &mut |other| {
            let beside = file_of(folder, other);
            FourTable::read(&beside).map_err(|wrong| fault(&beside, wrong))
        },
        &mut |progress| {
            (rounds, positions) = (progress.round, progress.positions);
            let _ = work.as_mut().map(|work| work.note(progress));
            shown.set_length(progress.positions as u64);
            shown.set_position((progress.positions - progress.open) as u64);
        },
    )?;
    shown.finish_and_clear();
    save(&path, |out| table.write(out)).map_err(|why| fault(&path, why))?;
    Ok([positions, rounds])
}

/// Decides where α = β in a table and writes the decisions. Returns the numbers of positions with α < β and of undecided ones.
fn decide(file: &FourFile, folder: &Path, three: &Table) -> Result<[usize; 2], String> {
    let path = decisions_file_of(&file_of(folder, file.pair));
    let decisions = richman::decide_four(file.pair, three, &FourFiles::new(folder.to_owned()))
        .map_err(|wrong| fault(&path, wrong))?;
    save(&path, |out| decisions.write(&file.sum, out)).map_err(|why| fault(&path, why))?;
    Ok([decisions.apart, decisions.open])
}

/// Solves tables into a folder, each after those it needs, and reports each. `None` means all of them.
pub(super) fn solve_four(wanted: Option<FourPieceMaterial>, folder: &Path) -> Result<String, String> {
    private_folder(folder).map_err(|why| fault(folder, why))?;
    let needed = |pair: &FourPieceMaterial| wanted.is_none_or(|wanted| wanted.needs().any(|other| other == *pair));
    let three = solved(Size::ORTHODOX)?;
    let mut count = 0;
    for pair in FourPieceMaterial::all().filter(needed) {
        eprintln!("{}", solve_one(pair, folder, &three)?);
        count += 1;
    }
    Ok(format!("{count} tables of four pieces are in {}", folder.display()))
}

/// A multiple of 2⁻⁶³ as a floating-point number.
pub(super) fn width(number: u64) -> f64 {
    number as f64 / f64::from(1_u32 << 31) / f64::from(1_u32 << 31) / 2.0
}

/// Proves a file and returns the statement proved.
pub(super) fn prove_four(path: &Path) -> Result<String, String> {
    let three = solved(Size::ORTHODOX)?;
    let VerifiedFour { material, positions, apart, widest } = richman::prove_four(path, &three)?;
    let width = width(widest);
    Ok(format!(
        "{}: proved. Of the {positions} positions of {material} in the file, α < β in at least {apart}. Where the bounds of α and β are narrow, they are \
         at most {width:.1e} apart, and prove α = β only if they are equal",
        path.display()
    ))
}

/// A low-priority child process that solves all missing tables of four pieces. It reports to the standard error of this process. It ends when this
/// value is dropped or this process ends.
pub struct BackgroundSolver(Child);

impl BackgroundSolver {
    /// Starts the process.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(data: &Path) -> io::Result<BackgroundSolver> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["solve", "--pieces", "4", "--until-let-go", "--data"]).arg(data);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        #[cfg(target_os = "linux")]
        {
            let pid = rustix::process::Pid::from_raw(child.id().cast_signed());
            // The process also works at normal priority.
            let _ = rustix::process::setpriority_process(pid, 19);
        }
        Ok(BackgroundSolver(child))
    }
}

impl Drop for BackgroundSolver {
    fn drop(&mut self) {
        // A table in progress is in a temporary file, so killing the process is safe.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Ends this process when its parent closes standard input or dies.
pub(super) fn exit_when_stdin_closes() {
    thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        process::exit(0);
    });
}

/// Board size of a table and the folder of its file.
pub(super) struct Destination<'f> {
    pub(super) size: Size,
    pub(super) folder: &'f Path,
}

/// Cost of a table, and the tables that are solved before it.
fn cost_report(trio: FivePieceMaterial, Destination { size, folder }: &Destination<'_>) -> String {
    let FiveCost { positions, memory, disk, moves, seconds } = FiveCost::of(trio, *size);
    let gigabytes = |bytes: u64| format!("{:.2} GB", bytes as f64 / 1e9);
    let minutes = seconds.map(|seconds| (seconds / 60.0).ceil());
    let first = if *size == Size::ORTHODOX {
        let (there, missing): (Vec<_>, Vec<_>) =
            trio.needs().into_iter().partition(|pair| file_of(folder, *pair).exists());
        let list =
            |pairs: &[richman::FourPieceMaterial]| pairs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
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
         time: about {} to {} minutes of one processor, divided by the number of processors; `verify` takes about as long again\n\
         {first}",
        gigabytes(memory[0]),
        gigabytes(memory[1]),
        gigabytes(disk[0]),
        gigabytes(disk[1]),
        minutes[0],
        minutes[1],
    )
}

/// Asks for confirmation if standard input is a terminal.
fn confirm() -> Result<(), String> {
    let unasked = || Err("not started: add --yes to start without confirmation".to_owned());
    if !io::stdin().is_terminal() {
        return unasked();
    }
    eprint!("Start? [y/N] ");
    let _ = io::stderr().flush();
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer) {
        Ok(_) if answer.trim().eq_ignore_ascii_case("y") || answer.trim().eq_ignore_ascii_case("yes") => Ok(()),
        Ok(_) | Err(_) => unasked(),
    }
}

/// Solves five pieces. Returns the numbers of positions, of positions with α < β, and of rounds.
fn solve_trio(
    trio: FivePieceMaterial,
    Destination { size, folder }: &Destination<'_>,
    path: &Path,
) -> Result<[usize; 3], String> {
    let mut small = SmallTables::new(*size);
    let aside = if *size == Size::ORTHODOX {
        let three = solved(*size)?;
        let mut tables = Vec::new();
        for pair in trio.needs() {
            eprintln!("{}", solve_one(pair, folder, &three)?);
            let beside = file_of(folder, pair);
            tables.push(FourTable::read(&beside).map_err(|wrong| fault(&beside, wrong))?);
        }
        CaptureBounds::Tables(tables)
    } else {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        while small.pieces() < 4 {
            small.grow(threads, None, &|_| ()).map_err(|restless| restless.to_string())?;
        }
        CaptureBounds::Small(&small)
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

/// Shows the cost of a table, asks for confirmation unless `yes` is set, and solves the table. The tables it needs are solved first and kept.
pub(super) fn solve_five(trio: FivePieceMaterial, place: &Destination<'_>, yes: bool) -> Result<String, String> {
    let Destination { size, folder } = place;
    if *size != Size::ORTHODOX && size.width() * size.height() > SMALL {
        return Err(format!("five pieces are solved only on the 8x8 board and on boards of up to {SMALL} squares"));
    }
    let path = file_of_five(folder, trio, *size);
    match FiveFile::open(&path) {
        Ok(file) => return Ok(format!("{trio}: already solved, with α < β in at least {} positions", file.apart)),
        Err(WrongFile::Unread(why)) if why.kind() == io::ErrorKind::NotFound => {}
        Err(wrong) => eprintln!("{}; solving it again", fault(&path, wrong)),
    }
    eprintln!("{}", cost_report(trio, place));
    if !yes {
        confirm()?;
    }
    private_folder(folder).map_err(|why| fault(folder, why))?;
    let [positions, apart, rounds] = solve_trio(trio, place, &path)?;
    Ok(format!(
        "{trio}: {positions} positions, α < β in at least {apart}, {rounds} rounds; written to {}",
        path.display()
    ))
}

/// Proves a file and returns the statement proved.
pub(super) fn prove_five(path: &Path) -> Result<String, String> {
    let VerifiedFive { material, size, positions, apart, open, widest } = richman::prove_five(path, None)?;
    let open = if open > 0 { format!(", undecided in {open}") } else { String::new() };
    Ok(format!(
        "{}: proved. Of the {positions} positions of {material} on {size} in the file, α < β in at least {apart}{open}. Where the \
         bounds of α and β are narrow, they are at most {:.1e} apart, and prove α = β only if they are equal",
        path.display(),
        width(widest),
    ))
}
