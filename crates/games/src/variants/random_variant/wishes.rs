//! The weights that a player gives to variants, and the odds that result from both players' weights.

use std::{fmt, str::FromStr};

use crate::{rules::Refusal, variants::nested_game::Nested};

/// Highest weight of a variant.
pub const MOST: u8 = 9;

/// Error message for malformed weights.
const WRITTEN: &str = "write weigh, then each variant with a weight from 0 to 9, as in weigh chess 3 duck 1";

/// Weights above 0, up to [`MOST`], in the order in which the player wrote them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Weights(Vec<(Nested, u8)>);

impl Weights {
    /// These weights with another one for a variant.
    pub fn with(&self, game: Nested, weight: u8) -> Weights {
        let others = self.weights().filter(|(known, _)| *known != game);
        Weights(others.chain([(game, weight.min(MOST))]).filter(|(_, weight)| *weight > 0).collect())
    }

    /// The weight of a variant.
    pub fn of(&self, game: Nested) -> u8 {
        self.0.iter().find(|(known, _)| *known == game).map_or(0, |(_, weight)| *weight)
    }

    /// The variants with a weight above 0.
    pub fn weights(&self) -> impl Iterator<Item = (Nested, u8)> + '_ {
        self.0.iter().copied()
    }

    /// Sum of all weights.
    fn sum(&self) -> u64 {
        self.0.iter().map(|(_, weight)| u64::from(*weight)).sum()
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("weigh")?;
        self.weights().try_for_each(|(game, weight)| write!(f, " {game} {weight}"))
    }
}

/// Parses variants with their weights. A variant without a weight gets 0.
impl FromStr for Weights {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Weights, Refusal> {
        let mut at = 0;
        let mut words = text.split(' ').map(|word| {
            let place = at;
            at += word.len() + 1;
            (place, word)
        });
        if words.next().is_none_or(|(_, word)| word != "weigh") {
            return Err(Refusal::at(0, WRITTEN));
        }
        let mut wishes = Weights::default();
        let mut named: Vec<Nested> = Vec::new();
        let mut weighed = true;
        for (place, word) in words {
            match (word.parse::<Nested>(), named.last()) {
                (Ok(game), _) if named.contains(&game) => {
                    return Err(Refusal::at(place, format!("{game} is weighted twice: name each variant once")));
                }
                (Ok(game), _) => {
                    named.push(game);
                    weighed = false;
                }
                (Err(_), Some(game)) if !weighed => {
                    let digit = Some(word).filter(|word| word.len() == 1).and_then(|word| word.parse().ok());
                    wishes = wishes.with(*game, digit.ok_or_else(|| Refusal::at(place, WRITTEN))?);
                    weighed = true;
                }
                (Err(wrong), _) => return Err(Refusal::at(place, wrong.why)),
            }
        }
        Ok(wishes)
    }
}

/// Weight of each variant in the draw, in whole numbers without a common divisor. The wishes of each player count for half, whatever their sum. If
/// one player submits none, the opponent's decide; without any, all variants are equally likely.
pub fn odds(urn: impl Iterator<Item = Nested>, wishes: Option<&[Weights; 2]>) -> Vec<(Nested, u64)> {
    let none = <[Weights; 2]>::default();
    let [one, two] = wishes.unwrap_or(&none);
    let weight = |game: Nested| match (one.sum(), two.sum()) {
        (0, 0) => 1,
        (0, _) => u64::from(two.of(game)),
        (_, 0) => u64::from(one.of(game)),
        (first, second) => u64::from(one.of(game)) * second + u64::from(two.of(game)) * first,
    };
    let all: Vec<(Nested, u64)> = urn.map(|game| (game, weight(game))).collect();
    let divisor = all.iter().fold(0, |divisor, (_, weight)| gcd(divisor, *weight)).max(1);
    all.into_iter().map(|(game, weight)| (game, weight / divisor)).collect()
}

fn gcd(one: u64, two: u64) -> u64 {
    if two == 0 { one } else { gcd(two, one % two) }
}
