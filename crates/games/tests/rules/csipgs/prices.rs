//! Prices of pieces.

use num_rational::Ratio;
use proptest::prelude::*;
use zorkmid_games::{
    board::{Atom, Betza, Mode, ModifiedAtom, Modifiers},
    variants::csipgs::price::{Catalogue, Exact, Quantum, breakdown, decimal, exact, fraction},
};

fn cost(text: &str) -> Exact {
    exact(&text.parse::<Betza>().unwrap_or_else(|error| panic!("{text}: {error}")), &Catalogue::default())
}

/// Text, exact price as a fraction, and price in whole zorkmids.
const PRICES: &[(&str, i128, i128, i64)] = &[
    ("fcFfmW", 27, 25, 2),
    ("WF", 3, 1, 3),
    ("royal-WF", 12, 1, 12),
    ("B", 297, 100, 3),
    ("R", 5, 1, 5),
    ("BR", 83, 10, 9),
    ("Q", 83, 10, 9),
    ("N", 3, 1, 3),
    ("fR", 5, 2, 3),
    ("fhN", 21, 10, 3),
    ("fN", 21, 10, 3),
    ("sN", 3, 2, 2),
    ("vN", 3, 2, 2),
    ("ffN", 21, 20, 2),
    ("L", 297, 100, 3),
    ("FD", 27, 10, 3),
    ("mWcF", 9, 5, 2),
    ("WcN", 33, 10, 4),
    ("royal-fW", 3, 1, 3),
    ("F", 27, 20, 2),
    ("bR", 1, 1, 1),
    ("sR", 5, 2, 3),
    ("fsR", 5, 1, 5),
    ("WD", 3, 1, 3),
    ("doublemove-N", 18, 1, 18),
    ("relay-N", 6, 1, 6),
    ("NN", 11, 2, 6),
    ("H", 3, 2, 2),
    ("W", 3, 2, 2),
    ("fbW", 21, 20, 2),
    ("sbW", 21, 20, 2),
    ("flW", 9, 8, 2),
    ("fblW", 57, 40, 2),
    ("flF", 189, 400, 1),
    ("lF", 297, 400, 1),
    ("flfrblF", 243, 200, 2),
    ("blbrflF", 81, 80, 2),
    ("fhffN", 21, 10, 3),
    ("bsN", 3, 5, 1),
    ("fsN", 21, 20, 2),
    ("fmWfcW", 9, 10, 1),
    ("fW", 3, 4, 1),
    ("royal-doublemove-mfW", 54, 5, 11),
];

#[test]
fn prices_match_the_list() {
    for (text, numer, denom, price) in PRICES {
        assert_eq!(cost(text), Ratio::new(*numer, *denom), "{text}");
        assert_eq!(Quantum::Whole.price(cost(text)), price * 10, "{text}");
    }
}

#[test]
fn prices_round_to_the_smallest_coin() {
    for (text, half, tenth) in [("B", 30, 30), ("fcFfmW", 15, 11), ("BR", 85, 83), ("W", 15, 15), ("WcN", 35, 33)] {
        assert_eq!(Quantum::Half.price(cost(text)), half, "{text}");
        assert_eq!(Quantum::Tenth.price(cost(text)), tenth, "{text}");
    }
    assert_eq!(Quantum::Tenth.price(Ratio::new(232, 100)), 24);
}

#[test]
fn prices_are_written_as_short_decimals() {
    for (exact, text) in [
        ((1272, 25), "50.88"),
        ((3, 1), "3"),
        ((7, 3), "7/3 ≈ 2.33"),
        ((6237, 20_000), "6237/20000 ≈ 0.31"),
        ((1999, 1000), "1.999"),
        ((19_999, 10_000), "19999/10000 ≈ 2"),
    ] {
        let exact = Exact::new(exact.0, exact.1);
        assert_eq!(fraction(&exact), text);
        let rounded = text.rsplit(' ').next().unwrap();
        assert_eq!(decimal(&exact), if text == rounded { rounded.to_owned() } else { format!("≈{rounded}") });
    }
}

#[test]
fn itemised_prices_add_up() {
    for (text, ..) in PRICES {
        let bill = breakdown(&text.parse().unwrap(), &Catalogue::default());
        let sum: Exact = bill.items.iter().map(|item| item.base * item.factor).sum();
        assert_eq!(bill.items.iter().map(|item| item.exact).sum::<Exact>(), sum);
        assert_eq!(bill.factors.iter().fold(sum, |cost, (_, factor)| cost * factor), bill.exact, "{text}");
        assert_eq!(bill.exact, cost(text));
    }
}

/// The terms of every set of steps of an atom, by direction letters.
fn sets(atom: Atom) -> Vec<ModifiedAtom> {
    let singles: &[&str] = match atom.vectors().len() {
        8 => &["lf", "rf", "fl", "fr", "bl", "br", "lb", "rb"],
        _ if atom.leap().0 == 0 => &["f", "b", "l", "r"],
        _ => &["fl", "fr", "bl", "br"],
    };
    (1u32..1 << singles.len())
        .map(|set| {
            let text: String = (0..singles.len()).filter(|i| set >> i & 1 == 1).map(|i| singles[i]).collect();
            format!("{text}{}", atom.text()).parse::<Betza>().unwrap().terms[0]
        })
        .collect()
}

#[test]
fn more_steps_and_split_terms_never_cost_less() {
    let price = |term: ModifiedAtom| {
        let royal = Betza { royal: true, relay: false, doublemove: false, terms: vec![term] };
        // The parts of a colourbound whole are colourbound too, so the factor does not matter here.
        exact(&royal, &Catalogue::default())
    };
    for atom in Atom::ALL {
        let sets = sets(atom);
        for (i, one) in sets.iter().enumerate() {
            for (j, two) in sets.iter().enumerate() {
                let (a, b) = (i + 1, j + 1);
                if a & b == a {
                    assert!(price(*one) <= price(*two), "{one} costs more than {two}");
                }
                if a & b == 0 {
                    let whole = sets[(a | b) - 1];
                    assert!(price(*one) + price(*two) >= price(whole), "{one} and {two} cost less than {whole}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn more_terms_cost_more_unless_the_piece_leaves_its_colour(
        atoms in proptest::collection::vec((proptest::sample::select(Atom::ALL.to_vec()), 0usize..3), 1..11),
        royal in any::<bool>(),
    ) {
        let terms: Vec<ModifiedAtom> = atoms
            .into_iter()
            .map(|(atom, mode)| ModifiedAtom {
                atom,
                vectors: atom.vectors(),
                mode: [Mode::Both, Mode::Moves, Mode::Captures][mode],
                bends: Modifiers::default(),
            })
            .collect();
        let piece = |terms: &[ModifiedAtom]| Betza { royal, relay: false, doublemove: false, terms: terms.to_vec() };
        for most in 1..terms.len() {
            let less = exact(&piece(&terms[..most]), &Catalogue::default());
            let more = exact(&piece(&terms[..=most]), &Catalogue::default());
            prop_assert!(less < more);
            prop_assert!(Quantum::Tenth.price(less) <= Quantum::Half.price(less));
            prop_assert!(Quantum::Half.price(less) <= Quantum::Whole.price(less));
        }
    }

    #[test]
    fn any_piece_has_a_positive_price(text in "(royal-)?(relay-)?(doublemove-)?([mc]?[fb]?[WFDAHGNLRB]){1,12}") {
        if let Ok(piece) = text.parse::<Betza>() {
            let cost = exact(&piece, &Catalogue::default());
            prop_assert!(cost > Ratio::ZERO);
            prop_assert_eq!(breakdown(&piece, &Catalogue::default()).exact, cost);
            let price = Quantum::Whole.price(cost);
            prop_assert!(price % 10 == 0 && Ratio::new(i128::from(price), 10) >= cost && Ratio::new(i128::from(price) - 10, 10) < cost);
        }
    }

    #[test]
    fn fewer_steps_never_cost_more_and_split_terms_never_less(
        drawn in proptest::collection::vec((proptest::sample::select(Atom::ALL.to_vec()), 1u16..256, 1u16..256, 0usize..3), 1..7),
        royal in any::<bool>(),
        doublemove in any::<bool>(),
    ) {
        let of = |atom: Atom, set: u16, mode: usize| {
            let all: Vec<(i8, i8)> = atom.vectors().into_iter().collect();
            let chosen = |step| all.iter().position(|known| *known == step).is_some_and(|index| set >> index & 1 == 1);
            let vectors = atom.vectors().only(chosen);
            ModifiedAtom { atom, vectors, mode: [Mode::Both, Mode::Moves, Mode::Captures][mode], bends: Modifiers::default() }
        };
        let piece = |terms: Vec<ModifiedAtom>| Betza { royal, relay: false, doublemove, terms };
        let cost = |piece: &Betza| exact(piece, &Catalogue::default());
        let (mut whole, mut part, mut split) = (Vec::new(), Vec::new(), Vec::new());
        for (atom, one, two, mode) in drawn {
            let full = of(atom, one | two, mode);
            let (less, rest) = (of(atom, one, mode), of(atom, two & !one, mode));
            if less.vectors.is_empty() {
                continue;
            }
            whole.push(full);
            part.push(less);
            split.push(less);
            split.extend(Some(rest).filter(|rest| !rest.vectors.is_empty()));
        }
        prop_assume!(!whole.is_empty());
        prop_assert!(cost(&piece(part.clone())) <= cost(&piece(whole.clone())), "{} {}", piece(part), piece(whole));
        prop_assert!(cost(&piece(split.clone())) >= cost(&piece(whole.clone())), "{} {}", piece(split), piece(whole));
        // Moving and capturing in two terms cost at least as much as in one.
        let apart = |term: &ModifiedAtom| match term.mode {
            Mode::Both => vec![ModifiedAtom { mode: Mode::Moves, ..*term }, ModifiedAtom { mode: Mode::Captures, ..*term }],
            Mode::Moves | Mode::Captures => vec![*term],
        };
        let apart = piece(whole.iter().flat_map(apart).collect());
        prop_assert!(cost(&apart) >= cost(&piece(whole)));
    }
}
