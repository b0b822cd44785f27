//! Bookie Chess: legal deals and their frequencies, the position code, and the score.

mod chance;
mod code;
mod deal;
mod options;
mod score;
mod sets;

use std::sync::OnceLock;

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{board::Position, variants::bookie};

/// A hundred thousand boards, shared by all tests that need many.
fn boards() -> &'static [Position] {
    static BOARDS: OnceLock<Vec<Position>> = OnceLock::new();
    BOARDS.get_or_init(|| {
        let mut rng = StdRng::seed_from_u64(1);
        (0..100_000).map(|_| bookie::generate(&mut rng).unwrap()).collect()
    })
}
