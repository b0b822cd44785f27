//! `zorkmid perft`: the leaves of the move tree.

use std::fmt::Write;

use crate::board::{Board, FenError, cube, shape};

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
pub struct Perft {
    /// The position, in quotes or with _ for the spaces; boards up to 8×8, or the cube of Raumschach with bars between its levels.
    fen: String,
    /// The depth in plies.
    depth: u32,
    /// Also prints the leaves under every first move.
    #[arg(long)]
    divide: bool,
}

impl Perft {
    /// The count, with the seconds that it took by the clock `now`, in milliseconds.
    ///
    /// # Errors
    /// What is wrong with the position.
    pub fn run(&self, now: fn() -> i64) -> Result<String, String> {
        let wrong = |why| format!("this FEN cannot be read: {why}");
        let begun = now();
        let (nodes, mut text) = if self.fen.contains('|') {
            self.cube(&cube::CubePosition::parse(&self.fen).map_err(wrong)?)
        } else {
            self.flat().map_err(wrong)?
        };
        let seconds = (now() - begun).max(1) as f64 / 1000.0;
        let _ = write!(text, "nodes {nodes}\nseconds {seconds:.3}\nnodes per second {:.0}", nodes as f64 / seconds);
        Ok(text)
    }

    /// The count, and the lines that are printed before it.
    fn flat(&self) -> Result<(u64, String), FenError> {
        let board = Board::orthodox_of(shape(&self.fen)?);
        let position = board.parse_fen(&self.fen)?;
        let (mut nodes, mut text) = (0, String::new());
        if self.divide && self.depth > 0 {
            for mv in board.moves(&position) {
                let below = board.perft(&board.after(&position, mv), self.depth - 1);
                let _ = writeln!(text, "{}: {below}", board.uci(mv));
                nodes += below;
            }
        } else {
            nodes = board.perft(&position, self.depth);
        }
        Ok((nodes, text))
    }

    /// The same in the cube.
    fn cube(&self, position: &cube::CubePosition) -> (u64, String) {
        let (mut nodes, mut text) = (0, String::new());
        if self.divide && self.depth > 0 {
            for mv in position.moves() {
                let below = position.after(mv).perft(self.depth - 1);
                let _ = writeln!(text, "{mv}: {below}");
                nodes += below;
            }
        } else {
            nodes = position.perft(self.depth);
        }
        (nodes, text)
    }
}
