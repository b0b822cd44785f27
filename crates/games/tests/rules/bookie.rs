//! Bookie Chess: what can be dealt and how often, the code, the points.

mod chance;
mod code;
mod deal;
mod options;
mod score;
mod sets;

use std::sync::OnceLock;

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{board::Position, variants::bookie};

/// A hundred thousand boards, dealt once for all tests that look at many.
fn boards() -> &'static [Position] {
    static BOARDS: OnceLock<Vec<Position>> = OnceLock::new();
    BOARDS.get_or_init(|| {
        let mut rng = StdRng::seed_from_u64(1);
        (0..100_000).map(|_| bookie::generate(&mut rng).unwrap()).collect()
    })
}
