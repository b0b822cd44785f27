//! Cost of a piece: its exact value, its breakdown by terms, and its price in coins.
//!
//! Bodlaender's csipgs page with Kurnia's overview gives the costs of atoms and modifiers. Other sets of directions are
//! priced by our reading, noted at each number.

use num_rational::Ratio;

pub use super::inventions::{Catalogue, Exact};
use crate::{
    board::{Atom, Betza, Class, Definition, Mode, ModifiedAtom, Vectors},
    text_enum,
};

text_enum! {
    /// Smallest coin: whole zorkmids, halves as in Balanced csipgs II, or tenths as in Dutch csipgs.
    #[derive(utoipa::ToSchema)]
    pub enum Quantum {
        Whole = "1": "a zorkmid",
        Half = "1/2": "half a zorkmid",
        Tenth = "1/10": "a tenth of a zorkmid",
    }
}

impl Quantum {
    /// All coins.
    pub const ALL: [Quantum; 3] = [Quantum::Whole, Quantum::Half, Quantum::Tenth];

    /// Value in tenths of a zorkmid.
    pub const fn tenths(self) -> i64 {
        match self {
            Quantum::Whole => 10,
            Quantum::Half => 5,
            Quantum::Tenth => 1,
        }
    }

    /// `1`, `1/2` or `1/10`.
    pub const fn text(self) -> &'static str {
        match self {
            Quantum::Whole => "1",
            Quantum::Half => "1/2",
            Quantum::Tenth => "1/10",
        }
    }

    /// Price in tenths: the exact cost, rounded up once to a multiple of the smallest coin. Costs beyond `i64` get the
    /// price `i64::MAX`.
    pub fn price(self, exact: Exact) -> i64 {
        let coins = (exact * 10 / i128::from(self.tenths())).ceil().to_integer();
        i64::try_from(coins * i128::from(self.tenths())).unwrap_or(i64::MAX)
    }
}

/// Cost of one term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Term as written.
    pub text: String,
    /// Cost of its atom with all directions.
    pub base: Exact,
    /// Combined factor of its modifiers.
    pub factor: Exact,
    /// Base times factor.
    pub exact: Exact,
}

/// Cost of a piece, term by term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PriceBreakdown {
    /// Costs of the terms.
    pub items: Vec<Item>,
    /// Factors of the whole piece, with their names.
    pub factors: Vec<(&'static str, Exact)>,
    /// Exact cost: the sum of the terms times the factors.
    pub exact: Exact,
}

/// Exact cost of a piece.
pub fn exact(piece: &Betza, catalogue: &Catalogue) -> Exact {
    let sum: Exact = piece.terms.iter().map(|term| base(term.atom, catalogue) * factor(term, catalogue)).sum();
    factors(piece).into_iter().fold(sum, |cost, (_, factor)| cost * factor)
}

/// Cost of a piece, term by term.
pub fn breakdown(piece: &Betza, catalogue: &Catalogue) -> PriceBreakdown {
    let items = piece
        .terms
        .iter()
        .map(|term| {
            let (base, factor) = (base(term.atom, catalogue), factor(term, catalogue));
            Item { text: term.to_string(), base, factor, exact: base * factor }
        })
        .collect();
    PriceBreakdown { items, factors: factors(piece), exact: exact(piece, catalogue) }
}

/// Factor of `relay-`.
pub(super) const RELAY: Exact = Ratio::new_raw(2, 1);
/// Factor of `doublemove-`.
pub(super) const DOUBLEMOVE: Exact = Ratio::new_raw(6, 1);

/// Factors of the whole piece. Those of relay and doublemove are the overview's unofficial ones.
fn factors(piece: &Betza) -> Vec<(&'static str, Exact)> {
    [
        ("colourbound", piece.colourbound(), Ratio::new(9, 10)),
        ("royal", piece.royal, Ratio::from(4)),
        ("relay", piece.relay, RELAY),
        ("doublemove", piece.doublemove, DOUBLEMOVE),
    ]
    .into_iter()
    .filter_map(|(name, has, factor)| has.then_some((name, factor)))
    .collect()
}

/// Cost of an atom with all its directions.
fn base(atom: Atom, catalogue: &Catalogue) -> Exact {
    match atom {
        Atom::W | Atom::D | Atom::H | Atom::F | Atom::A | Atom::G => Ratio::new(3, 2),
        Atom::R => Ratio::from(5),
        Atom::B | Atom::L => Ratio::new(33, 10),
        Atom::N => Ratio::from(3),
        Atom::NN => Ratio::new(11, 2),
        Atom::Invented { name, .. } => catalogue.cost(name),
    }
}

/// Atoms and earlier inventions that do the same as a definition, each with its cost.
pub(super) fn equivalents(definition: Definition, catalogue: &Catalogue) -> impl Iterator<Item = (String, Exact)> {
    let atoms = Atom::ALL.into_iter().filter(move |atom| match definition {
        Definition::Leaper(m, n) => atom.leap() == (m, n) && !atom.rides(),
        Definition::Rider(m, n) => atom.leap() == (m, n) && atom.rides(),
        // A leap to an adjacent square has nothing that could block it.
        Definition::Lame(m, 1) => atom.leap() == (m, 1) && !atom.rides(),
        _ => false,
    });
    let known = catalogue.entries().filter(move |(known, _)| known.definition == definition);
    let known = known.map(|(known, cost)| (format!("<{}>", known.name), cost.exact()));
    atoms.map(|atom| (atom.to_string(), base(atom, catalogue))).chain(known)
}

/// Factor of a term's modifiers on the cost of its atom. Move-only and capture-only terms have a factor of 3/5.
pub(super) fn factor(term: &ModifiedAtom, catalogue: &Catalogue) -> Exact {
    let mode = match term.mode {
        Mode::Both => Ratio::ONE,
        Mode::Moves | Mode::Captures => Ratio::new(3, 5),
    };
    let invented: Exact = term.bends.names().map(|name| catalogue.cost(name)).product();
    direction(term) * mode * invented
}

/// Direction factor of a term. It depends only on the set of selected steps, so spelling and order do not matter. It
/// grows with the set, is at most 1, and never exceeds the sum over a split of the set.
fn direction(term: &ModifiedAtom) -> Exact {
    if term.whole() {
        return Ratio::ONE;
    }
    let sum = match term.atom.class() {
        // f ½, b ⅕ and s ½ are given. Half of s for each side, and plain sums, are our reading.
        Class::Orthogonal => term
            .vectors
            .map(|step| match step {
                (0, forward) if forward > 0 => Ratio::new(1, 2),
                (0, _) => Ratio::new(1, 5),
                (_, _) => Ratio::new(1, 4),
            })
            .sum(),
        // f 7/10 and b 2/5 are given. Half of that for one diagonal, and plain sums, are our reading.
        Class::Diagonal => sum_of_steps(term.vectors, Ratio::new(7, 20), Ratio::new(1, 5)),
        Class::Knightwise => knightwise(term),
    };
    sum.min(Ratio::ONE)
}

/// Sum over forward steps and backward steps at their prices.
fn sum_of_steps(vectors: Vectors, forward: Exact, backward: Exact) -> Exact {
    vectors.map(|(_, dy)| if dy > 0 { forward } else { backward }).sum()
}

/// Direction factor of knightwise atoms. f 7/10, b 2/5, wide ½ and narrow ½ are given. A step costs its share of its
/// half. All wide steps together, or all narrow ones, may cost ½ instead, with the other steps added. Products such as
/// f·wide = 7/20 are also given and agree; the rest is our reading.
fn knightwise(term: &ModifiedAtom) -> Exact {
    let cost = |steps: &[(i8, i8)]| -> Exact {
        steps.iter().map(|(_, dy)| if *dy > 0 { Ratio::new(7, 40) } else { Ratio::new(1, 10) }).sum()
    };
    let (wide, narrow): (Vec<_>, Vec<_>) = term.vectors.partition(|(dx, dy)| dx.abs() > dy.abs());
    let half = Ratio::new(1, 2);
    let mut best = cost(&wide) + cost(&narrow);
    if wide.len() == 4 {
        best = best.min(half + cost(&narrow));
    }
    if narrow.len() == 4 {
        best = best.min(half + cost(&wide));
    }
    best
}

/// Formats a cost as a decimal, after its fraction if it is rounded: `1.08`, `7/3 ≈ 2.33`.
pub fn fraction(exact: &Exact) -> String {
    match short_decimal(exact) {
        (decimal, true) => decimal,
        (decimal, false) => format!("{exact} ≈ {decimal}"),
    }
}

/// Formats a cost as a decimal, where there is no room for the fraction: `1.08`, `≈2.33`.
pub fn decimal(exact: &Exact) -> String {
    match short_decimal(exact) {
        (decimal, true) => decimal,
        (decimal, false) => format!("≈{decimal}"),
    }
}

/// Formats an amount as an exact decimal, or with three places if it needs more than six: `1.00035`, `≈5.143`.
pub fn exact_decimal(exact: &Exact) -> String {
    let is_short = (exact * 1_000_000).is_integer();
    let places = if is_short { 6 } else { 3 };
    let unit = 10_i128.pow(places);
    let units = (exact * unit).round().to_integer();
    let decimal = format!("{}.{:0width$}", units / unit, units % unit, width = places as usize);
    match is_short {
        true => decimal.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => format!("≈{decimal}"),
    }
}

/// Cost as a decimal, and whether that is exact. An exact decimal has at most three places, a rounded one two.
fn short_decimal(exact: &Exact) -> (String, bool) {
    let is_short = (exact * 1000).is_integer();
    let places = if is_short { 3 } else { 2 };
    let unit = 10_i128.pow(places);
    let units = (exact * unit).round().to_integer();
    let decimal = format!("{}.{:0width$}", units / unit, units % unit, width = places as usize);
    (decimal.trim_end_matches('0').trim_end_matches('.').to_owned(), is_short)
}

/// Formats tenths of a zorkmid: `3`, `1.5`.
pub fn money(tenths: i64) -> String {
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// Formats tenths of a zorkmid with the unit: `1 zorkmid`, `1.5 zorkmids`.
pub fn zorkmids(tenths: i64) -> String {
    format!("{} zorkmid{}", money(tenths), if tenths == 10 { "" } else { "s" })
}

/// Worked example for the rules page.
pub struct Example {
    /// Piece in Betza notation.
    pub text: &'static str,
    /// Description of its moves.
    pub words: String,
    /// Exact cost.
    pub exact: String,
    /// Price in whole zorkmids.
    pub price: String,
    /// Parsed notation.
    pub piece: Betza,
}

/// Worked examples for the rules page.
pub fn examples() -> Vec<Example> {
    let texts = ["fcFfmW", "royal-WF", "B", "R", "BR", "N", "fR", "fhN", "FD", "mWcF", "WcN", "royal-fW"];
    let example = |text: &'static str| {
        let piece: Betza = text.parse().ok()?;
        let cost = exact(&piece, &Catalogue::default());
        Some(Example {
            text,
            words: piece.in_words(),
            exact: fraction(&cost),
            price: money(Quantum::Whole.price(cost)),
            piece,
        })
    };
    texts.into_iter().filter_map(example).collect()
}
