//! Games in which one side chooses a turn and the other guesses it at the same time: how often each should be chosen so that nobody
//! gains by knowing the other's habits. By regret matching (Hart & Mas-Colell), with the later rounds counted more.

/// A turn: what it is worth to the side that plays it, and which guesses it makes right, with what the guesser then gains and the
/// mover loses.
pub(super) struct Row {
    /// The worth if nobody guesses it.
    pub(super) worth: f64,
    /// The guesses, by number, with their gain.
    pub(super) right: Vec<(usize, f64)>,
}

/// The rounds that are played.
const ROUNDS: usize = 400;

/// How often turns are played and guesses made, as shares.
pub(super) struct MixedStrategy {
    /// The turns.
    pub(super) turns: Vec<f64>,
    /// The guesses, by number.
    pub(super) guesses: Vec<f64>,
}

/// Finds how often each turn is played and each of so many guesses made.
pub(super) fn habits(rows: &[Row], guesses: usize) -> MixedStrategy {
    let mut regrets = (vec![0.0; rows.len()], vec![0.0; guesses]);
    let mut played = (vec![0.0; rows.len()], vec![0.0; guesses]);
    for round in 1..=ROUNDS {
        let play = shares(&regrets.0);
        let guess = shares(&regrets.1);
        let worth: Vec<f64> = rows
            .iter()
            .map(|row| row.worth - row.right.iter().map(|(number, gain)| gain * guess[*number]).sum::<f64>())
            .collect();
        let mut gains = vec![0.0; guesses];
        for (row, share) in rows.iter().zip(&play) {
            for (number, gain) in &row.right {
                gains[*number] += share * gain;
            }
        }
        for (played, shares) in [(&mut played.0, &play), (&mut played.1, &guess)] {
            for (sum, share) in played.iter_mut().zip(shares) {
                *sum += round as f64 * share;
            }
        }
        for (regrets, share, value) in [(&mut regrets.0, &play, &worth), (&mut regrets.1, &guess, &gains)] {
            let mean: f64 = share.iter().zip(value).map(|(share, value)| share * value).sum();
            for (regret, value) in regrets.iter_mut().zip(value) {
                *regret = f64::max(0.0, *regret + value - mean);
            }
        }
    }
    MixedStrategy { turns: shares(&played.0), guesses: shares(&played.1) }
}

/// Numbers as shares of their sum; all alike if they are nothing.
fn shares(numbers: &[f64]) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    if sum > 0.0 {
        numbers.iter().map(|number| number / sum).collect()
    } else {
        vec![1.0 / numbers.len().max(1) as f64; numbers.len()]
    }
}
