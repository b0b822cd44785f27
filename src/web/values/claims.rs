//! The numeric claims of Larsson and Wästlund, “Endgames in bidding chess”, each with what the tables say, and where to ask for it.

mod whole;

use super::{
    address::path,
    amount::decimal,
    walls::{WALLS, between},
};
use crate::{
    board::{Color, Size},
    richman::{Answer, Choice, Classes, Fraction, Tables, read},
};

/// One claim.
pub(in crate::web) struct Numbered {
    /// Where it stands in the paper.
    pub(in crate::web) place: &'static str,
    /// What it is about.
    pub(in crate::web) about: String,
    /// What the paper says.
    pub(in crate::web) paper: String,
    /// What the tables say; nothing where they say nothing about it.
    pub(in crate::web) ours: Option<String>,
    /// Where to ask for it.
    pub(in crate::web) link: String,
}

/// The claims as they are put together.
struct Claims<'t> {
    tables: &'t Tables,
    rows: Vec<Numbered>,
}

/// A fraction as the paper prints it; long ones by their first digits and their length.
fn written(value: &Fraction) -> String {
    match (&*value.den, value.den.len()) {
        ("1", _) => value.num.to_string(),
        (_, 0..40) => format!("{}/{}", value.num, value.den),
        (_, digits) => format!("{}, a fraction of {digits} digits", decimal(value.approx, 10)),
    }
}

impl Claims<'_> {
    fn answer(&self, fen: &str) -> Result<Answer, String> {
        let question = read(fen).map_err(|wrong| wrong.to_string())?;
        let table = self.tables.solve(question.size).map_err(|unsolved| unsolved.to_string())?;
        Ok(question.answer(&table))
    }

    fn row(&mut self, place: &'static str, about: &str, paper: &str, ours: Option<String>, link: String) {
        self.rows.push(Numbered { place, about: about.to_owned(), paper: paper.to_owned(), ours, link });
    }

    /// The value of a position.
    fn value(&mut self, place: &'static str, fen: &str, paper: &str) -> Result<(), String> {
        let answer = self.answer(fen)?;
        let kind = match (answer.zugzwang, answer.quiescent) {
            (Some(true), _) => ", a zugzwang",
            (_, Some(true)) => ", quiescent",
            _ => "",
        };
        let ours = answer.value.as_ref().map(|value| written(value) + kind);
        self.row(place, "the value", paper, ours, path(fen, &[]));
        Ok(())
    }

    /// The best moves of a side.
    fn best(&mut self, place: &'static str, fen: &str, side: Color, paper: &str) -> Result<(), String> {
        let answer = self.answer(fen)?;
        let moves = match side {
            Color::White => &answer.white,
            Color::Black => &answer.black,
        };
        let best: Vec<&str> = moves.iter().filter(|choice| choice.best).map(|choice| choice.san.as_str()).collect();
        let about = format!("{}'s best moves", if side == Color::White { "White" } else { "Black" });
        self.row(place, &about, paper, Some(best.join(", ")), path(fen, &[]));
        Ok(())
    }

    /// The value after a move.
    fn after(&mut self, place: &'static str, fen: &str, san: &str, paper: &str) -> Result<(), String> {
        let answer = self.answer(fen)?;
        let found = |choice: &&Choice| choice.san == san;
        let choice = answer.white.iter().chain(&answer.black).find(found);
        let ours = choice.map(|choice| written(&choice.value));
        self.row(place, &format!("the value after {san}"), paper, ours, path(fen, &[]));
        Ok(())
    }
}

/// All claims. `classes` are those of the ordinary board; three small boards are solved besides.
pub(in crate::web) fn all(tables: &Tables, classes: &Classes) -> Result<Vec<Numbered>, String> {
    let mut claims = Claims { tables, rows: Vec::new() };
    positions(&mut claims)?;
    whole::claims(&mut claims, classes);
    boards(&mut claims)?;
    Ok(claims.rows)
}

/// What is said of single positions of the ordinary board.
fn positions(claims: &mut Claims) -> Result<(), String> {
    let (white, black) = (Color::White, Color::Black);
    claims.value("Figure 1", "3k3R/8/3K4/8/8/8/8/8", "3/4")?;
    claims.best("Figure 1", "3k3R/8/3K4/8/8/8/8/8", black, "Kc7, Kd7, Ke7")?;
    claims.value("Figure 2", "3k4/8/8/8/8/8/8/4K3", "1/2, quiescent")?;
    claims.value("Figure 3, left", "8/8/8/8/k7/5K2/6B1/8", "9/16")?;
    claims.value("Figure 3, right", "2k5/8/8/8/8/8/1P6/K7", "33/64")?;
    claims.value("Figure 4", "k7/8/8/8/8/8/8/K6R", "7463/8192")?;
    claims.best("Figure 4", "k7/8/8/8/8/8/8/K6R", white, "Rh8")?;
    claims.best("Figure 4", "k7/8/8/8/8/8/8/K6R", black, "Ka7, Kb7")?;
    claims.value("Figure 5", "8/K1k5/P7/8/8/8/8/8", "1/2, quiescent")?;
    claims.value("Figure 6", "8/8/2k5/4R3/8/8/8/3K4", "249/320")?;
    claims.value("Figure 7", "4N3/8/8/8/8/8/8/k2K4", "0.5894104617, a fraction of 138 digits")?;
    claims.value("Figure 8", "8/8/8/8/3k4/8/8/K2N4", "21073/32256, a zugzwang")?;
    claims.after("Figure 8", "8/8/8/8/3k4/8/8/K2N4", "Nc3", "10489/16128")?;
    claims.after("Figure 8", "8/8/8/8/3k4/8/8/K2N4", "Kc4", "21/32")?;
    claims.best("Figure 8", "8/8/8/8/3k4/8/8/K2N4", white, "Nc3")?;
    claims.best("Figure 8", "8/8/8/8/3k4/8/8/K2N4", black, "Kc4")?;
    for (place, fen, queen, knight, paper) in [
        ("Figure 9, left", "8/3P4/4k3/8/8/8/2K5/8", "d8=Q", "d8=N", ["205/256", "3279/4096", "d8=N"]),
        ("Figure 9, right", "8/4P3/5k2/8/8/8/3K4/8", "e8=Q", "e8=N", ["205/256", "3285/4096", "e8=Q"]),
    ] {
        claims.after(place, fen, knight, paper[0])?;
        claims.after(place, fen, queen, paper[1])?;
        claims.best(place, fen, white, paper[2])?;
    }
    let known =
        between(WALLS).map(|(alpha, beta)| format!("α ≤ {alpha} and β ≥ {beta}, by an argument and by no table"));
    claims.row("Figure 10", "walls of pawns", "α ≤ 1/4 and β ≥ 3/4", known, path(WALLS, &[]));
    Ok(())
}

/// What is said of other boards.
fn boards(claims: &mut Claims) -> Result<(), String> {
    claims.value("Figure 11", "2k/3/3/K1N", "5/8, quiescent")?;
    claims.value("§14, three by eight", "3/N2/3/1k1/3/3/3/1K1", "653/819")?;
    claims.value("§14, four by four", "3k/4/4/K2N", "31/48, a zugzwang")?;
    claims.best("§14, four by four", "3k/4/4/K2N", Color::White, "Ka2, Kb1, Nb2")?;
    claims.after("§14, four by four", "3k/4/4/K2N", "Ka2", "61/96")?;
    claims.best("§14, the way back", "3k/4/4/1K1N", Color::White, "Ka1")?;
    let mut classes = 0;
    for (width, height) in [(3, 4), (3, 8), (4, 4)] {
        let size = Size::new(width, height).ok_or("a board")?;
        let table = claims.tables.solve(size).map_err(|unsolved| unsolved.to_string())?;
        classes += table.index().layers().iter().map(|layer| layer.ids.len()).sum::<usize>();
    }
    let ours =
        format!("none among {classes} classes of 3×4, 3×8 and 4×4; every other board is proved when it is asked for");
    let link = "/endgames/statistics?board=3x4".to_owned();
    claims.row("§14", "α < β with three pieces on smaller boards", "none", Some(ours), link);
    Ok(())
}
