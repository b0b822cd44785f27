//! The numeric claims of Larsson and Wästlund, “Endgames in bidding chess”, each with the tables' answer and a link to check it.

use super::format::{WALLS, decimal, path, wall_bounds};
use crate::{
    board::{Color, Size},
    richman::{Answer, Choice, Classes, Fraction, Id, Material, Setup, Tables, WON, read},
};
use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::RBig;
use std::collections::BTreeSet;

pub(in crate::web) struct ClaimEntry {
    /// The place in the paper.
    pub(in crate::web) place: &'static str,
    /// The subject.
    pub(in crate::web) about: String,
    /// The claim.
    pub(in crate::web) paper: String,
    /// The tables' answer; `None` if they have none.
    pub(in crate::web) ours: Option<String>,
    /// Address that shows the answer.
    pub(in crate::web) link: String,
}

/// The claims while they are collected.
struct Claims<'t> {
    tables: &'t Tables,
    rows: Vec<ClaimEntry>,
}

/// A fraction as the paper prints it. A long one is shown as a decimal with the number of digits.
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
        self.rows.push(ClaimEntry { place, about: about.to_owned(), paper: paper.to_owned(), ours, link });
    }

    /// Adds a claim about the value of a position.
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

    /// Adds a claim about the best moves of a side.
    fn best(&mut self, place: &'static str, fen: &str, side: Color, paper: &str) -> Result<(), String> {
        let answer = self.answer(fen)?;
        let moves = match side {
            Color::White => &answer.white,
            Color::Black => &answer.black,
        };
        let best: Vec<&str> =
            moves.iter().filter(|choice| choice.best == Some(true)).map(|choice| choice.san.as_str()).collect();
        let about = format!("{}'s best moves", if side == Color::White { "White" } else { "Black" });
        self.row(place, &about, paper, Some(best.join(", ")), path(fen, &[]));
        Ok(())
    }

    /// Adds a claim about the value after a move.
    fn after(&mut self, place: &'static str, fen: &str, san: &str, paper: &str) -> Result<(), String> {
        let answer = self.answer(fen)?;
        let found = |choice: &&Choice| choice.san == san;
        let choice = answer.white.iter().chain(&answer.black).find(found);
        let ours = choice.and_then(|choice| choice.value.as_ref()).map(written);
        self.row(place, &format!("the value after {san}"), paper, ours, path(fen, &[]));
        Ok(())
    }
}

/// All claims. `classes` are those of the 8×8 board. Three small boards are solved as well.
pub(in crate::web) fn all(tables: &Tables, classes: &Classes) -> Result<Vec<ClaimEntry>, String> {
    let mut claims = Claims { tables, rows: Vec::new() };
    positions(&mut claims)?;
    table_claims(&mut claims, classes);
    boards(&mut claims)?;
    Ok(claims.rows)
}

/// Claims about positions on the 8×8 board.
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
        wall_bounds(WALLS).map(|(alpha, beta)| format!("α ≤ {alpha} and β ≥ {beta}, by argument, not by a table"));
    claims.row("Figure 10", "walls of pawns", "α ≤ 1/4 and β ≥ 3/4", known, path(WALLS, &[]));
    Ok(())
}

/// Claims about other boards.
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
    let ours = format!("none among {classes} classes of 3×4, 3×8 and 4×4; other boards are proved on request");
    let link = "/endgames/statistics?board=3x4".to_owned();
    claims.row("§14", "α < β with three pieces on smaller boards", "none", Some(ours), link);
    Ok(())
}

/// A class of the 8×8 board: its table index and its pieces.
type Numbers = (Id, Setup);

/// Whether the black king is in front of a pawn on its file.
fn blocked(setup: Setup) -> bool {
    setup.bare.file() == setup.piece.file() && setup.bare.rank() > setup.piece.rank()
}

/// The largest labels of White and Black among classes, in the paper's notation.
fn labels(classes: &Classes, among: &[Numbers]) -> String {
    let most = |player| among.iter().map(|(id, _)| classes.table().label_of(*id, player)).max().unwrap_or_default();
    format!("T_{} and T′_{}", most(Color::White), most(Color::Black))
}

/// The quiescent classes of a material.
fn quiescent(classes: &Classes, material: Material) -> Vec<Numbers> {
    classes.all().filter(|(id, setup)| setup.material == material && classes.bid_sign(*id).is_eq()).collect()
}

/// The largest denominator of a material, and the given primes that divide a denominator.
fn denominators(classes: &Classes, material: Material, primes: &[u32]) -> (UBig, Vec<u32>) {
    let table = classes.table();
    let all = || {
        classes.all().filter(|(_, setup)| setup.material == material).map(|(id, _)| table.value_of(id).denominator())
    };
    let dividing = |prime: &u32| all().any(|denominator| (denominator % *prime) == 0);
    (all().max().cloned().unwrap_or(UBig::ONE), primes.iter().copied().filter(dividing).collect())
}

/// The number of classes in which a rook or a bishop is better than a queen that has just been promoted.
fn lesser_promotions(classes: &Classes) -> usize {
    let (table, last) = (classes.table(), classes.table().size().height() - 1);
    let squares = || Size::ORTHODOX.squares();
    let mut better = 0;
    for piece in squares().filter(|square| square.rank() == last) {
        for king in squares().filter(|king| *king != piece) {
            for bare in squares().filter(|bare| *bare != piece && *bare != king) {
                let value = |material| table.value(Setup { material, king, bare, piece });
                let queen = value(Material::Queen);
                better +=
                    usize::from([Material::Rook, Material::Bishop].into_iter().any(|lesser| value(lesser) > queen));
            }
        }
    }
    better
}

/// Claims about whole tables of the 8×8 board.
fn table_claims(claims: &mut Claims, classes: &Classes) {
    let (table, statistics) = (classes.table(), "/endgames/statistics".to_owned());
    let search = |more: &str| format!("/endgames/search?board=8x8&{more}");
    table_thresholds(claims);
    let count = classes.all().count();
    let sharp = format!("α = β in all {count} classes, certified");
    claims.row("§8", "three pieces", "α = β for all three-piece endgames", Some(sharp), statistics.clone());
    let [bare, bishop, pawn] = [Material::Bare, Material::Bishop, Material::Pawn].map(|one| quiescent(classes, one));
    let all = quiescent_elsewhere(classes);
    let ghosts = bishop.iter().all(|(_, setup)| setup.bare.dark() != setup.piece.dark());
    let (walled, cornered): (Vec<Numbers>, Vec<Numbers>) = pawn.into_iter().partition(|(_, setup)| blocked(*setup));
    let corner: usize = cornered.iter().map(|(_, setup)| table.index().images(*setup)).sum();
    let kinds = format!(
        "{} bare kings, {} ghost bishops, {} blocked pawns, {} cornered kings and {all} others, by classes",
        bare.len(),
        if ghosts { bishop.len() } else { 0 },
        walled.len(),
        cornered.len()
    );
    claims.row("§8", "the quiescent positions", "four categories and no others", Some(kinds), search("quiescent=true"));
    claims.row(
        "§8",
        "cornered kings",
        "8 positions",
        Some(format!("{corner} positions")),
        search("quiescent=true&material=KPvK"),
    );
    for (about, paper, among) in [
        ("bare kings", "T_7 and T′_7", &bare),
        ("ghost bishops", "T_7 and T′_7", &bishop),
        ("cornered kings", "T_2 and T′_2", &cornered),
        ("blocked pawns", "T_7 and T′_13", &walled),
    ] {
        claims.row(
            "§8",
            &format!("the proof for {about}"),
            paper,
            Some(labels(classes, among)),
            search("quiescent=true"),
        );
    }
    let dyadic = |value: &RBig| {
        value.denominator().trailing_zeros().is_some_and(|zeros| *value.denominator() == UBig::ONE << zeros)
    };
    let values = classes.all().map(|(id, _)| table.value_of(id)).filter(|value| !dyadic(value));
    let simplest = values.map(RBig::denominator).min().map(ToString::to_string);
    claims.row("§9", "the smallest denominator that is not a power of two", "320", simplest, search("denominator=320"));
    let (queen, odd) = denominators(classes, Material::Queen, &[3, 5, 17]);
    claims.row("§9", "queen, the largest denominator", "2^28 = 268435456", Some(power(&queen)), statistics.clone());
    claims.row("§9", "queen, some denominators are divisible by", "3, 5, 17", Some(listed(&odd)), statistics.clone());
    let (rook, odd) = denominators(classes, Material::Rook, &[251]);
    claims.row("§9", "rook, the largest denominator", "229627505902878720", Some(rook.to_string()), statistics.clone());
    claims.row("§9", "rook, some denominators are divisible by", "251", Some(listed(&odd)), statistics.clone());
    let bishops = classes.all().filter(|(_, setup)| setup.material == Material::Bishop).map(|(id, _)| id);
    // A captured king has the denominator 1, which no position with both kings has.
    let bishops: BTreeSet<&UBig> = bishops.chain([WON]).map(|id| table.value_of(id).denominator()).collect();
    let bishops: Vec<String> = bishops.iter().map(ToString::to_string).collect();
    claims.row(
        "§9",
        "bishop, all denominators, including captured kings",
        "1, 2, 4, 8, 16",
        Some(bishops.join(", ")),
        statistics.clone(),
    );
    let (knight, _) = denominators(classes, Material::Knight, &[]);
    let (largest, _) = denominators(classes, Material::Pawn, &[]);
    let digits = knight.max(largest).to_string().len();
    claims.row("§10", "the largest denominator of all", "138 digits", Some(format!("{digits} digits")), statistics);
    let lesser = lesser_promotions(classes);
    let said =
        if lesser == 0 { "never, among all such positions".to_owned() } else { format!("in {lesser} positions") };
    claims.row(
        "§12",
        "a rook or a bishop better than a new queen",
        "never",
        Some(said),
        "/endgames/search?board=8x8&material=KPvK".to_owned(),
    );
}

/// Claims about the paper's own method. Checking them takes too long for a request.
fn table_thresholds(claims: &mut Claims) {
    let link = "/endgames?fen=8/8/8/8/k7/5K2/6B1/8&n=60";
    claims.row("§7", "β_1000 − α_1000", "below 10^−91 everywhere", None, link.to_owned());
    for (about, paper) in [
        ("bishop, simplest fraction correct from", "n = 30"),
        ("queen", "n = 156"),
        ("rook", "n = 331"),
        ("all three-piece positions", "n = 2644"),
    ] {
        claims.row("§7", about, paper, None, link.to_owned());
    }
}

/// The number of quiescent classes among materials that should have none.
fn quiescent_elsewhere(classes: &Classes) -> usize {
    [Material::Knight, Material::Rook, Material::Queen].into_iter().map(|one| quiescent(classes, one).len()).sum()
}

/// A power of two in the paper's notation, or any other number.
fn power(number: &UBig) -> String {
    let exponent = number.bit_len().saturating_sub(1);
    if *number == UBig::ONE << exponent { format!("2^{exponent} = {number}") } else { number.to_string() }
}

fn listed(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
