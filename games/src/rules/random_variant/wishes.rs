//! What a player wishes to play, as a weight for each game, and what the wishes of both come to.

use std::{fmt, str::FromStr};

use crate::rules::{kin::Kin, refusal::Refusal};

/// The greatest weight that a player gives a game.
pub const MOST: u8 = 9;

/// How wishes are written.
const WRITTEN: &str = "write weigh and games, each with its weight from 0 to 9, as in weigh chess 3 duck 1";

/// The weights that a player gives the games, 0 to [`MOST`], in the order of [`Kin::ALL`]. Written are those above 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wishes([u8; Kin::ALL.len()]);

impl Wishes {
    /// The same with another weight for a game.
    pub fn with(mut self, kin: Kin, weight: u8) -> Wishes {
        self.0[kin as usize] = weight.min(MOST);
        self
    }

    /// The weight of a game.
    pub fn of(&self, kin: Kin) -> u8 {
        self.0[kin as usize]
    }

    /// The games that weigh something, each with its weight.
    pub fn weights(&self) -> impl Iterator<Item = (Kin, u8)> + '_ {
        Kin::ALL.iter().map(|kin| (*kin, self.of(*kin))).filter(|(_, weight)| *weight > 0)
    }

    /// All weights together.
    fn sum(&self) -> u64 {
        self.0.iter().copied().map(u64::from).sum()
    }
}

impl fmt::Display for Wishes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("weigh")?;
        self.weights().try_for_each(|(kin, weight)| write!(f, " {kin} {weight}"))
    }
}

/// Reads games with their weights; a game without one weighs nothing.
impl FromStr for Wishes {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Wishes, Refusal> {
        let mut at = 0;
        let mut words = text.split(' ').map(|word| {
            let place = at;
            at += word.len() + 1;
            (place, word)
        });
        if words.next().is_none_or(|(_, word)| word != "weigh") {
            return Err(Refusal::at(0, WRITTEN));
        }
        let mut wishes = Wishes::default();
        let mut named: Vec<Kin> = Vec::new();
        let mut weighed = true;
        for (place, word) in words {
            match (word.parse::<Kin>(), named.last()) {
                (Ok(kin), _) if named.contains(&kin) => {
                    return Err(Refusal::at(place, format!("{kin} is weighed twice: name each game once")));
                }
                (Ok(kin), _) => {
                    named.push(kin);
                    weighed = false;
                }
                (Err(_), Some(kin)) if !weighed => {
                    let digit = Some(word).filter(|word| word.len() == 1).and_then(|word| word.parse().ok());
                    wishes = wishes.with(*kin, digit.ok_or_else(|| Refusal::at(place, WRITTEN))?);
                    weighed = true;
                }
                (Err(wrong), _) => return Err(Refusal::at(place, wrong.why)),
            }
        }
        Ok(wishes)
    }
}

/// How many chances each game of an urn has, in whole numbers without a common divisor. Each player’s wishes count for half, however
/// many points they come to; who wishes nothing leaves it to the other, and without any wish all games are as likely.
pub fn odds(urn: impl Iterator<Item = Kin>, wishes: Option<[Wishes; 2]>) -> Vec<(Kin, u64)> {
    let [one, two] = wishes.unwrap_or_default();
    let weight = |kin: Kin| match (one.sum(), two.sum()) {
        (0, 0) => 1,
        (0, _) => u64::from(two.of(kin)),
        (_, 0) => u64::from(one.of(kin)),
        (first, second) => u64::from(one.of(kin)) * second + u64::from(two.of(kin)) * first,
    };
    let all: Vec<(Kin, u64)> = urn.map(|kin| (kin, weight(kin))).collect();
    let divisor = all.iter().fold(0, |divisor, (_, weight)| gcd(divisor, *weight)).max(1);
    all.into_iter().map(|(kin, weight)| (kin, weight / divisor)).collect()
}

/// The greatest common divisor.
fn gcd(one: u64, two: u64) -> u64 {
    if two == 0 { one } else { gcd(two, one % two) }
}
