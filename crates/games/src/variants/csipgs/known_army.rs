//! Armies that people know, to begin an army of one's own from: the pieces of chess, and two of Ralph Betza's armies for "Chess with
//! Different Armies", in so far as Betza notation with the atoms of this game can say them.

use super::{
    army::second,
    army_limits::ArmyLimits,
    options::Csipgs,
    price::{self, Catalogue, Exact, decimal},
};
use crate::board::{Betza, Color, Size, Square};

/// The pieces of a first rank from the a-file on; before each of them stands a pawn.
const ARMIES: [(&str, [&str; 8]); 3] = [
    ("The pieces of chess", ["R", "N", "B", "BR", "royal-WF", "B", "N", "R"]),
    ("Colorbound Clobberers", ["BD", "WA", "FAD", "BN", "royal-WF", "FAD", "WA", "BD"]),
    ("Nutty Knights", ["fsRbWbF", "FvN", "fhNbsWbF", "fhNfsRbWbF", "royal-WF", "fhNbsWbF", "FvN", "fsRbWbF"]),
];
const PAWN: &str = "fcFfmW";

/// An army that people know.
#[derive(PartialEq, Debug)]
pub struct KnownArmy {
    /// Its name.
    pub name: &'static str,
    /// Its pieces with their squares, as the action has them after its first word.
    pub pairs: String,
    /// Its cost before rounding.
    pub cost: String,
    /// The reason why this game does not take it, if that is so.
    pub refused: Option<String>,
}

/// The pieces of chess on a side's first two ranks, each with its square, the first rank first. They cost 50.88, so that they fit
/// the usual budget.
pub(super) fn ordinary(size: Size, color: Color) -> Vec<(&'static str, Square)> {
    let [(_, officers), ..] = &ARMIES;
    standing(officers, size, color)
}

fn standing(officers: &[&'static str; 8], size: Size, color: Color) -> Vec<(&'static str, Square)> {
    let on = |file, rank| Square::new(file, size.rank_of(color, rank));
    let back = (0..).zip(officers).map(|(file, officer)| (*officer, on(file, 0)));
    back.chain((0..8).map(|file| (PAWN, on(file, 1)))).collect()
}

/// Pieces with their squares, as the action has them after its first word.
pub(super) fn pairs(army: &[(&str, Square)]) -> String {
    army.iter().map(|(text, square)| format!("{text} {square}")).collect::<Vec<_>>().join(" ")
}

impl KnownArmy {
    /// All of them, as a side of a game sets them up.
    pub(super) fn all(options: &Csipgs, limits: &ArmyLimits, size: Size, color: Color) -> Vec<KnownArmy> {
        let army = |(name, officers): &(&'static str, [&'static str; 8])| {
            KnownArmy::of(name, &standing(officers, size, color), options, limits, (size, color))
        };
        ARMIES.iter().map(army).collect()
    }

    fn of(
        name: &'static str,
        army: &[(&str, Square)],
        options: &Csipgs,
        limits: &ArmyLimits,
        (size, color): (Size, Color),
    ) -> KnownArmy {
        let (mut total, mut wrong) = (Exact::ZERO, None);
        for (text, square) in army {
            let piece: Betza = text.parse().expect("armies that people know are pieces");
            let cost = price::exact(&piece, &Catalogue::default());
            let judged = limits.judge(options, &piece, cost, second(size, color, *square));
            wrong = wrong.or(judged.err().map(|why| format!("{text} {why}")));
            total += cost;
        }
        let dear = (!limits.within(options, total)).then(|| format!("the budget is {}", decimal(&limits.budget)));
        KnownArmy { name, pairs: pairs(army), cost: decimal(&total), refused: wrong.or(dear) }
    }
}
