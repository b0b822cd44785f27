//! Inventions to choose from a list, with example pieces and usual estimates.

use crate::{
    board::{Betza, Definition, Invention, Name},
    variants::csipgs::{inventions::Estimate, options::Csipgs, state::State},
};

/// An invention to choose from a list.
#[derive(PartialEq, Debug)]
pub struct Idea {
    /// Name and definition.
    pub invention: Invention,
    /// Short description of the moves.
    pub words: &'static str,
    /// A piece that uses the invention.
    pub example: Betza,
    /// Usual cost of an atom or factor of a modifier, at least the minimum of this game.
    pub estimate: Estimate,
}

/// Name, definition, usual estimate in thousandths, short description, and example with `*` for the invention.
const KINDS: [(&str, Definition, u32, &str, &str); 15] = [
    ("Zebra", Definition::Leaper(2, 3), 3_000, "leaps 3 and 2 squares", "*"),
    ("Giraffe", Definition::Leaper(1, 4), 3_000, "leaps 4 and 1 squares", "*"),
    ("Train", Definition::Rider(0, 2), 3_500, "repeats leaps of 2", "*"),
    ("Caravan", Definition::Rider(1, 3), 5_000, "repeats leaps of 3 and 1", "*"),
    ("Horse", Definition::Lame(1, 2), 2_400, "knight that cannot jump", "*"),
    ("Gryphon", Definition::Bent((1, 1), (0, 1)), 8_000, "one step as bishop, then as rook", "*"),
    ("Manticore", Definition::Bent((0, 1), (1, 1)), 7_000, "one step as rook, then as bishop", "*"),
    ("Run", Definition::Runner, 2_500, "runner: the leap repeats", "*D"),
    ("Lame", Definition::Lamed, 800, "lame: the leap cannot jump", "*N"),
    ("Three", Definition::Range(3), 800, "the ride has at most 3 steps", "*R"),
    ("Cannon", Definition::Hopper, 600, "the ride hops over one piece", "*R"),
    ("Grass", Definition::Grasshopper, 400, "hops just behind a piece", "*R*B"),
    ("Fresh", Definition::Initial, 300, "only as its first move", "W*D"),
    ("Charosh", Definition::Relay, 2_000, "lends the move to guarded pieces", "*N"),
    ("Twice", Definition::Doublemove, 6_000, "may move twice in a turn", "*W"),
];

impl State {
    /// One idea of each kind that the game does not have yet, under names that are free.
    pub(super) fn ideas(&self, options: &Csipgs) -> Vec<Idea> {
        let known = self.catalogue.inventions();
        let fresh =
            KINDS.into_iter().filter(|(_, definition, ..)| known.iter().all(|one| one.definition != *definition));
        let idea = |(name, definition, estimate, words, example): (&str, Definition, u32, &'static str, &str)| {
            let names = std::iter::once(name.to_owned()).chain(('a'..='z').map(|letter| format!("{name}{letter}")));
            let mut names = names.filter_map(|name| name.parse::<Name>().ok());
            let name = names.find(|name| known.iter().all(|one| one.name != *name))?;
            let invention = Invention { name, definition };
            let example = Betza::read(&example.replace('*', &format!("<{name}>")), &[invention]).ok()?;
            Some(Idea { invention, words, example, estimate: Estimate(estimate).max(self.least(options, invention)) })
        };
        fresh.filter_map(idea).collect()
    }

    /// Estimate that is proposed for an invention: the usual one, or else the minimum.
    pub(super) fn proposed_estimate(&self, options: &Csipgs, invention: Invention) -> Estimate {
        let usual = KINDS.into_iter().find(|(_, definition, ..)| *definition == invention.definition);
        usual.map_or(Estimate(1_000), |(.., estimate, _, _)| Estimate(estimate)).max(self.least(options, invention))
    }

    fn least(&self, options: &Csipgs, invention: Invention) -> Estimate {
        let least = self.minimum_estimate(options, invention);
        least.and_then(|(_, cost)| Estimate::at_least(cost)).unwrap_or(Estimate(1))
    }
}
