//! What the paper says of whole tables of the ordinary board.

use std::collections::BTreeSet;

use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::RBig;

use super::Claims;
use crate::{
    board::{Color, Size},
    richman::{Classes, Id, Material, Setup, WON},
};

/// A class of the ordinary board with its number.
type Numbers = (Id, Setup);

/// Whether a class with a pawn has the black king in front of it on its file.
fn blocked(setup: Setup) -> bool {
    setup.bare.file() == setup.piece.file() && setup.bare.rank() > setup.piece.rank()
}

/// The largest labels of White and Black among classes, as the paper writes them.
fn labels(classes: &Classes, among: &[Numbers]) -> String {
    let most = |player| among.iter().map(|(id, _)| classes.table().label_of(*id, player)).max().unwrap_or_default();
    format!("T_{} and T′_{}", most(Color::White), most(Color::Black))
}

/// The quiescent classes of a material.
fn quiescent(classes: &Classes, material: Material) -> Vec<Numbers> {
    classes.all().filter(|(id, setup)| setup.material == material && classes.mood(*id).is_eq()).collect()
}

/// The largest denominator of a material, and whether some denominator is divisible by each of some primes.
fn denominators(classes: &Classes, material: Material, primes: &[u32]) -> (UBig, Vec<u32>) {
    let table = classes.table();
    let all = || {
        classes.all().filter(|(_, setup)| setup.material == material).map(|(id, _)| table.value_of(id).denominator())
    };
    let dividing = |prime: &u32| all().any(|denominator| (denominator % *prime) == 0);
    (all().max().cloned().unwrap_or(UBig::ONE), primes.iter().copied().filter(dividing).collect())
}

/// Whether a rook or a bishop is ever better than a queen that a pawn has just become.
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

/// What is said of whole tables of the ordinary board.
pub(super) fn claims(claims: &mut Claims, classes: &Classes) {
    let (table, statistics) = (classes.table(), "/endgames/statistics".to_owned());
    let search = |more: &str| format!("/endgames/search?board=8x8&{more}");
    table_thresholds(claims);
    let count = classes.all().count();
    let sharp = format!("α = β in all {count} classes, or the table would not answer");
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
    claims.row("§9", "the least denominator that is no power of two", "320", simplest, search("denominator=320"));
    let (queen, odd) = denominators(classes, Material::Queen, &[3, 5, 17]);
    claims.row("§9", "queen, the largest denominator", "2^28 = 268435456", Some(power(&queen)), statistics.clone());
    claims.row("§9", "queen, some denominators divisible by", "3, 5, 17", Some(listed(&odd)), statistics.clone());
    let (rook, odd) = denominators(classes, Material::Rook, &[251]);
    claims.row("§9", "rook, the largest denominator", "229627505902878720", Some(rook.to_string()), statistics.clone());
    claims.row("§9", "rook, some denominators divisible by", "251", Some(listed(&odd)), statistics.clone());
    let bishops = classes.all().filter(|(_, setup)| setup.material == Material::Bishop).map(|(id, _)| id);
    // A captured king counts a whole number, which no position with both kings has.
    let bishops: BTreeSet<&UBig> = bishops.chain([WON]).map(|id| table.value_of(id).denominator()).collect();
    let bishops: Vec<String> = bishops.iter().map(ToString::to_string).collect();
    claims.row(
        "§9",
        "bishop, all denominators, captured kings among them",
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

/// What the paper's own method needs: more than a request may take.
fn table_thresholds(claims: &mut Claims) {
    let link = "/endgames?fen=8/8/8/8/k7/5K2/6B1/8&n=60";
    claims.row("§7", "β_1000 − α_1000", "below 10^−91 everywhere", None, link.to_owned());
    for (about, paper) in [
        ("bishop, simplest fractions right from", "n = 30"),
        ("queen", "n = 156"),
        ("rook", "n = 331"),
        ("all three-piece positions", "n = 2644"),
    ] {
        claims.row("§7", about, paper, None, link.to_owned());
    }
}

/// The number of quiescent classes of the materials that should have none.
fn quiescent_elsewhere(classes: &Classes) -> usize {
    [Material::Knight, Material::Rook, Material::Queen].into_iter().map(|one| quiescent(classes, one).len()).sum()
}

/// A power of two as the paper writes it, or any other number.
fn power(number: &UBig) -> String {
    let exponent = number.bit_len().saturating_sub(1);
    if *number == UBig::ONE << exponent { format!("2^{exponent} = {number}") } else { number.to_string() }
}

fn listed(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
