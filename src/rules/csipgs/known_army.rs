//! Armies that people know, to begin an army of one's own from: the pieces of chess, and two of Ralph Betza's armies for "Chess with
//! Different Armies", in so far as Betza notation with the atoms of this game can say them.

use super::{
    army_limits::ArmyLimits,
    options::Csipgs,
    price::{self, Catalogue, Exact, decimal},
};
use crate::board::{Betza, Color, Size, Square};

/// The pieces of a first rank from the a-file on, and of the second.
const ARMIES: [(&str, [&str; 8], &str); 3] = [
    ("The pieces of chess", ["R", "N", "B", "BR", "royal-WF", "B", "N", "R"], PAWN),
    ("Colorbound Clobberers", ["BD", "WA", "FAD", "BN", "royal-WF", "FAD", "WA", "BD"], PAWN),
    ("Nutty Knights", ["fsRbWbF", "FvN", "fhNbsWbF", "fhNfsRbWbF", "royal-WF", "fhNbsWbF", "FvN", "fsRbWbF"], PAWN),
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

impl KnownArmy {
    /// All of them, as a side of a game sets them up.
    pub(super) fn all(options: &Csipgs, limits: &ArmyLimits, size: Size, color: Color) -> Vec<KnownArmy> {
        ARMIES.iter().map(|army| KnownArmy::of(army, options, limits, (size, color))).collect()
    }

    fn of(
        (name, officers, pawn): &(&'static str, [&str; 8], &str),
        options: &Csipgs,
        limits: &ArmyLimits,
        (size, color): (Size, Color),
    ) -> KnownArmy {
        let files = || (0..).zip(officers);
        let back = files().map(|(file, officer)| (file, 0, *officer));
        let pawns = files().map(|(file, _)| (file, 1, *pawn));
        let (mut pairs, mut total, mut wrong) = (Vec::new(), Exact::ZERO, None);
        for (file, rank, text) in back.chain(pawns) {
            let square = Square::new(file, size.rank_of(color, rank));
            let piece: Betza = text.parse().expect("armies that people know are pieces");
            let cost = price::exact(&piece, &Catalogue::default());
            let judged = limits.judge(options, &piece, cost, rank == 1);
            wrong = wrong.or(judged.err().map(|why| format!("{text} {why}")));
            total += cost;
            pairs.push(format!("{text} {square}"));
        }
        let dear = (!limits.within(options, total)).then(|| format!("the budget is {}", decimal(&limits.budget)));
        KnownArmy { name, pairs: pairs.join(" "), cost: decimal(&total), refused: wrong.or(dear) }
    }
}
