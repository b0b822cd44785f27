//! The cost of a piece: exactly, term by term, and in money. Bodlaender's csipgs page with Kurnia's overview gives the atoms and
//! the modifiers; what a set of directions costs between the ones it lists is our reading, said beside each number.

use num_rational::Ratio;

pub use super::inventions::{Catalogue, Exact};
use crate::{
    board::{Atom, Betza, Class, Definition, Mode, ModifiedAtom, Vectors},
    text_enum,
};

text_enum! {
    /// The smallest coin: whole zorkmids, halves as in Balanced csipgs II, or tenths as in Dutch csipgs.
    #[derive(utoipa::ToSchema)]
    pub enum Quantum {
        Whole = "1": "a zorkmid",
        Half = "1/2": "half a zorkmid",
        Tenth = "1/10": "a tenth of a zorkmid",
    }
}

impl Quantum {
    /// All of them.
    pub const ALL: [Quantum; 3] = [Quantum::Whole, Quantum::Half, Quantum::Tenth];

    /// In tenths of a zorkmid.
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

    /// The price, in tenths: the exact cost rounded up once, to a multiple of the smallest coin. What no treasury could ever hold
    /// costs as much as can be written.
    pub fn price(self, exact: Exact) -> i64 {
        let coins = (exact * 10 / i128::from(self.tenths())).ceil().to_integer();
        i64::try_from(coins * i128::from(self.tenths())).unwrap_or(i64::MAX)
    }
}

/// One term of a piece on the bill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The term as it is written.
    pub text: String,
    /// The cost of its atom whole.
    pub base: Exact,
    /// The factor that its modifiers make.
    pub factor: Exact,
    /// The product.
    pub exact: Exact,
}

/// The make-up of a piece's cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PriceBreakdown {
    /// The terms.
    pub items: Vec<Item>,
    /// The factors of the whole piece, with their names.
    pub factors: Vec<(&'static str, Exact)>,
    /// The sum of the terms times the factors.
    pub exact: Exact,
}

/// The exact cost of a piece.
pub fn exact(piece: &Betza, catalogue: &Catalogue) -> Exact {
    let sum: Exact = piece.terms.iter().map(|term| base(term.atom, catalogue) * factor(term, catalogue)).sum();
    factors(piece).into_iter().fold(sum, |cost, (_, factor)| cost * factor)
}

/// The cost of a piece, term by term.
pub fn bill(piece: &Betza, catalogue: &Catalogue) -> PriceBreakdown {
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

/// The factor of `relay-`.
pub(super) const RELAY: Exact = Ratio::new_raw(2, 1);
/// The factor of `doublemove-`.
pub(super) const DOUBLEMOVE: Exact = Ratio::new_raw(6, 1);

/// The factors of the whole piece. Relay and doublemove are the overview's unofficial ones.
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

/// The cost of an atom with all its directions.
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

/// What does the same as an invention would: atoms of the notation and earlier inventions, with what they cost.
pub(super) fn same(definition: Definition, catalogue: &Catalogue) -> impl Iterator<Item = (String, Exact)> {
    let atoms = Atom::ALL.into_iter().filter(move |atom| match definition {
        Definition::Leaper(m, n) => atom.leap() == (m, n) && !atom.rides(),
        Definition::Rider(m, n) => atom.leap() == (m, n) && atom.rides(),
        // Over one square nothing can stand in the way.
        Definition::Lame(m, 1) => atom.leap() == (m, 1) && !atom.rides(),
        _ => false,
    });
    let known = catalogue.entries().filter(move |(known, _)| known.definition == definition);
    let known = known.map(|(known, cost)| (format!("<{}>", known.name), cost.exact()));
    atoms.map(|atom| (atom.to_string(), base(atom, catalogue))).chain(known)
}

/// The factor that the modifiers of a term put on its atom's cost. To move only and to capture only cost 0.6 each.
pub(super) fn factor(term: &ModifiedAtom, catalogue: &Catalogue) -> Exact {
    let mode = match term.mode {
        Mode::Both => Ratio::ONE,
        Mode::Moves | Mode::Captures => Ratio::new(3, 5),
    };
    let invented: Exact = term.bends.names().map(|name| catalogue.cost(name)).product();
    direction(term) * mode * invented
}

/// The cost of the directions of a term, by the set of steps that they select, so that spelling and order do not matter. Never more
/// than the whole, never less than a part of it, and no sum of parts is cheaper than their union.
fn direction(term: &ModifiedAtom) -> Exact {
    if term.whole() {
        return Ratio::ONE;
    }
    let sum = match term.atom.class() {
        // f ½ and b ⅕ and s ½ are given; half of s for each side, and plain sums, are our reading.
        Class::Orthogonal => term
            .vectors
            .map(|step| match step {
                (0, forward) if forward > 0 => Ratio::new(1, 2),
                (0, _) => Ratio::new(1, 5),
                (_, _) => Ratio::new(1, 4),
            })
            .sum(),
        // f 7/10 and b 2/5 are given; half of that for one diagonal, and plain sums, are our reading.
        Class::Diagonal => halves(term.vectors, Ratio::new(7, 20), Ratio::new(1, 5)),
        Class::Knightwise => knightwise(term),
    };
    sum.min(Ratio::ONE)
}

/// Forward steps and backward steps at their prices.
fn halves(vectors: Vectors, forward: Exact, backward: Exact) -> Exact {
    vectors.map(|(_, dy)| if dy > 0 { forward } else { backward }).sum()
}

/// For the knight's kind f 7/10, b 2/5, wide ½ and narrow ½ are given. A step costs its share of its half; all of the wide or all
/// of the narrow steps may be had for ½ and the others added. That products such as f·wide = 7/20 come out right is given, the
/// rest is our reading.
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

/// A cost as a fraction, and as a decimal for the eye: `27/25 = 1.08`.
pub fn fraction(exact: &Exact) -> String {
    if exact.is_integer() {
        return exact.to_string();
    }
    let sign = if thousandths(exact).1 { "=" } else { "≈" };
    format!("{exact} {sign} {}", thousandths(exact).0)
}

/// A cost as a decimal for the eye, where there is no room for the fraction: `1.08`, `≈2.333`.
pub fn decimal(exact: &Exact) -> String {
    match thousandths(exact) {
        (decimal, true) => decimal,
        (decimal, false) => format!("≈{decimal}"),
    }
}

/// A cost as a decimal of at most three places, and whether that is exactly so.
fn thousandths(exact: &Exact) -> (String, bool) {
    let thousandths = (exact * 1000).round().to_integer();
    let decimal = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    (decimal.trim_end_matches('0').trim_end_matches('.').to_owned(), Ratio::new(thousandths, 1000) == *exact)
}

/// Tenths of a zorkmid as players write them: `3`, `1.5`.
pub fn money(tenths: i64) -> String {
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// A piece worked out for the page of rules.
pub struct Example {
    /// Its text.
    pub text: &'static str,
    /// Its description in words.
    pub words: String,
    /// Its exact cost.
    pub exact: String,
    /// Its price in whole zorkmids.
    pub price: String,
    /// The meaning of the text.
    pub piece: Betza,
}

/// Worked examples.
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
