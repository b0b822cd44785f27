//! Solving and proving tables of four pieces: `solve --pieces 4` and `verify FILE`; and a process that solves them beside a server.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Write},
    path::Path,
    process::{self, Child, Command, Stdio},
    thread,
};

use super::{bar, solved};
use crate::{
    board::Size,
    richman::{self, FourFile, FourTable, FourWork, Pair, ProvedFour, Table, WrongFile, file_of},
    store::private_folder,
};

/// Why a table was not solved, with the file that is at fault.
pub(super) fn fault(path: &Path, why: impl ToString) -> String {
    format!("{}: {}", path.display(), why.to_string())
}

/// Writes a table to a file that has its name only once it is whole.
pub(super) fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let unfinished = path.with_extension(format!("{}.unfinished", process::id()));
    let mut out = BufWriter::new(File::create(&unfinished)?);
    write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?;
    fs::rename(&unfinished, path)
}

/// Solves a pair, or finds that its file is there and whole, and gives a line about it.
pub(super) fn one(pair: Pair, folder: &Path, three: &Table) -> Result<String, String> {
    let path = file_of(folder, pair);
    match FourFile::open(&path) {
        Ok(_) => return Ok(format!("{pair}: was there already")),
        Err(WrongFile::Unread(why)) if why.kind() == io::ErrorKind::NotFound => {}
        Err(wrong) => eprintln!("{}, and is solved anew", fault(&path, wrong)),
    }
    let shown = bar(&format!("solving {pair}"));
    // Where it cannot be told the work is only not seen by others.
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
    let apart = table.wide.iter().filter(|wide| wide.alpha < wide.beta).count();
    Ok(format!("{pair}: {positions} positions, α < β in {apart}, {rounds} rounds"))
}

/// Solves pairs into a folder, each after those that it needs, and gives a line about each.
pub(super) fn solve(wanted: Option<Pair>, folder: &Path) -> Result<String, String> {
    private_folder(folder).map_err(|why| fault(folder, why))?;
    let needed = |pair: &Pair| wanted.is_none_or(|wanted| wanted.needs().any(|other| other == *pair));
    let three = solved(Size::ORTHODOX)?;
    let mut count = 0;
    for pair in Pair::all().filter(needed) {
        eprintln!("{}", one(pair, folder, &three)?);
        count += 1;
    }
    Ok(format!("{count} tables of four pieces are in {}", folder.display()))
}

/// A multiple of 2⁻⁶³ as it is told.
pub(super) fn width(number: u64) -> f64 {
    number as f64 / f64::from(1_u32 << 31) / f64::from(1_u32 << 31) / 2.0
}

/// Proves a file, and says what was proved.
pub(super) fn prove(path: &Path) -> Result<String, String> {
    let three = solved(Size::ORTHODOX)?;
    let ProvedFour { material, positions, apart, widest } = richman::prove_four(path, &three)?;
    let width = width(widest);
    Ok(format!(
        "{}: proved. Of the {positions} positions of {material} up to symmetry, α < β in {apart}; where α and β are near each other both lie in bounds \
         at most {width:.1e} apart",
        path.display()
    ))
}

/// A process that solves all tables of four pieces that are not there yet, and yields to everybody else. What it has done and what went wrong it says
/// where this process complains. It ends when this is let go, or with whoever holds it.
pub struct Beside(Child);

impl Beside {
    /// Begins.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(data: &Path) -> io::Result<Beside> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["solve", "--pieces", "4", "--until-let-go", "--data"]).arg(data);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        #[cfg(target_os = "linux")]
        {
            let pid = rustix::process::Pid::from_raw(child.id().cast_signed());
            // Where it is refused the process is only less polite.
            let _ = rustix::process::setpriority_process(pid, 19);
        }
        Ok(Beside(child))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Whatever it was writing is left unfinished under another name.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Ends this process when whoever has started it closes its input, or is gone.
pub(super) fn end_when_let_go() {
    thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        process::exit(0);
    });
}
