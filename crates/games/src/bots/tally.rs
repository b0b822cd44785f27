//! Results of games between two players as counts, and what they say about who is stronger: an estimate with its interval, in floating
//! point, never a score.

use super::pairs::WIDTH;
use crate::rules::{Outcome, Seat};

/// Games from the side of one of the two who played them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games that it won.
    pub won: u32,
    /// Games that nobody won, those that were broken off among them.
    pub drawn: u32,
    /// Games that it lost.
    pub lost: u32,
}

impl Tally {
    /// Counts a game that it played in this seat; one without an outcome was broken off.
    pub fn count(&mut self, outcome: Option<Outcome>, seat: Seat) {
        match outcome.and_then(Outcome::winner) {
            Some(winner) if winner == seat => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The share of the games that it won, from 0 to 1; draws are counted half. There is none before the first game.
    pub fn share(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games())
    }

    /// The ends of the interval that holds the true share 95 times of a hundred. It is Wilson's (“Probable inference, the law of succession, and
    /// statistical inference”, 1927), which does not shrink to nothing where all games came out alike, with as many games as would tell as much
    /// if none were drawn. Games in pairs make it narrower still, so that it says rather too little.
    pub fn interval(&self) -> [f64; 2] {
        let (n, p, z) = (self.weight(), self.share(), WIDTH * WIDTH);
        let middle = (p + z / (2.0 * n)) / (1.0 + z / n);
        let half = WIDTH * (p * (1.0 - p) / n + z / (4.0 * n * n)).sqrt() / (1.0 + z / n);
        [middle - half, middle + half]
    }

    /// The number of games without draws that would tell as much: a drawn game strays less from the share than one that is won or lost. The
    /// variance is that of the three results with one game won and one lost added, so that nothing becomes certain where all were drawn.
    fn weight(&self) -> f64 {
        let [won, drawn, lost] = [self.won + 1, self.drawn, self.lost + 1].map(f64::from);
        let all = won + drawn + lost;
        let share = (won + drawn / 2.0) / all;
        let variance = (won + drawn / 4.0) / all - share * share;
        f64::from(self.games()) * share * (1.0 - share) / variance
    }
}
