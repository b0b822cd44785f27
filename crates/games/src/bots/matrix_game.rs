//! Approximate equilibria of games in which one side chooses a turn and the other guesses it at the same time. Uses regret
//! matching (Hart & Mas-Colell), with later rounds weighted more.

/// A turn: its value to the mover, and the correct guesses with the payment from the mover to the guesser.
pub(super) struct Row {
    /// Value if no guess is correct.
    pub(super) worth: f64,
    /// Index and payment of each correct guess.
    pub(super) right: Vec<(usize, f64)>,
}

/// Number of rounds.
const ROUNDS: usize = 400;

/// Mixed strategies of both sides.
pub(super) struct MixedStrategy {
    /// Probability of each turn.
    pub(super) turns: Vec<f64>,
    /// Probability of each guess.
    pub(super) guesses: Vec<f64>,
}

/// Computes the strategies for these turns and this number of guesses.
pub(super) fn equilibrium(rows: &[Row], guesses: usize) -> MixedStrategy {
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

/// Numbers as shares of their sum; equal shares if the sum is zero.
fn shares(numbers: &[f64]) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    if sum > 0.0 {
        numbers.iter().map(|number| number / sum).collect()
    } else {
        vec![1.0 / numbers.len().max(1) as f64; numbers.len()]
    }
}
