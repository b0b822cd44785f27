//! Proves a file of endgame values from the file alone. The move generator and the loop are independent: they share nothing with the board or the
//! solver, so that they detect faults there.
//!
//! For every position of every material in the file, the proof checks exactly that
//!
//! 1. its value x is (A + B) / 2. A is the largest value after a white move and B the smallest after a black move; the capture of the black king
//!    counts as 1 and of the white king as 0. So α ≤ x ≤ β.
//! 2. its white label is 1 + min(m, n). Here m is the smallest label after a white move of value A, and n the largest label after any black move. The
//!    black label follows the same rule with colours reversed. Labels fall along such moves to 0, where the game is over. So α = x by Proposition 2
//!    of U. Larsson and J. Wästlund, “Endgames in bidding chess”, and x = β with colours reversed.
//! 3. the zugzwang flag is set where A < B, and the quiescent flag where A = B.
//!
//! Each class represents its images under the symmetries of the board: the left-right mirror with pawns, all symmetries without.

mod bounds;
mod file;
mod five_piece;
mod four_piece;
mod placement;

use std::collections::HashSet;

use file::{Cell, Class, File, NONE, PAWN, PIECES, Placed};

pub use five_piece::{VerifiedFive, prove_five};
pub use four_piece::{VerifiedFour, prove_four};

const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Number of a value, and the labels of White and of Black.
type Reached = (usize, [u32; 2]);

/// Result of a move.
#[derive(Clone, Copy)]
enum MoveResult {
    WhiteWins,
    BlackWins,
    Placed(Placed),
}

/// Result of a successful proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// Files and ranks of the board.
    pub board: (u8, u8),
    /// Materials, such as `KRvK`.
    pub materials: Vec<String>,
    /// Number of classes: the lines of the file.
    pub classes: usize,
    /// Number of positions in these classes.
    pub positions: usize,
    /// Number of distinct values.
    pub values: usize,
}

/// Proves a file in either format. Errors in the binary format name the line of the equivalent text.
///
/// # Errors
/// The first fault, with its line or record.
pub fn prove(bytes: &[u8]) -> Result<Verified, String> {
    if file::is_binary(bytes) {
        return proved(&file::lines(bytes)?);
    }
    let text = std::str::from_utf8(bytes);
    proved(text.map_err(|_| "this is neither the text nor the binary form of a file of endgame values".to_owned())?)
}

fn proved(text: &str) -> Result<Verified, String> {
    let file = File::read(text)?;
    let mut held = HashSet::new();
    for (at, class) in file.classes.iter().enumerate() {
        file.check(class, &mut held).map_err(|why| format!("line {}: {why}", at + 2))?;
    }
    let kinds: Vec<usize> =
        (0..PIECES.len()).filter(|kind| file.classes.iter().any(|class| class.placed.kind == *kind)).collect();
    let mut positions = 0;
    for kind in &kinds {
        positions += file.covered(*kind)?;
    }
    let name = |kind: &usize| format!("K{}vK", PIECES[*kind]).replace('.', "");
    Ok(Verified {
        board: (file.width as u8, file.height as u8),
        materials: kinds.iter().map(name).collect(),
        classes: file.classes.len(),
        positions,
        values: file.classes.iter().map(|class| class.value).collect::<HashSet<_>>().len(),
    })
}

impl File {
    fn inside(&self, (x, y): Cell) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    /// All moves of White.
    fn white_moves(&self, at: Placed) -> Vec<MoveResult> {
        let mut found = Vec::new();
        let mut add = |next: Placed, to: Cell| {
            found.push(if to == at.black { MoveResult::WhiteWins } else { MoveResult::Placed(next) });
        };
        let king_goes = STRAIGHT.iter().chain(&SLANTED).map(|(dx, dy)| (at.white.0 + dx, at.white.1 + dy));
        for to in king_goes.filter(|to| self.inside(*to) && (at.kind == 0 || *to != at.piece)) {
            add(Placed { white: to, piece: if at.kind == 0 { to } else { at.piece }, ..at }, to);
        }
        let (x, y) = at.piece;
        let rays: Vec<Cell> = match PIECES[at.kind] {
            'B' => SLANTED.to_vec(),
            'R' => STRAIGHT.to_vec(),
            'Q' => STRAIGHT.into_iter().chain(SLANTED).collect(),
            _ => Vec::new(),
        };
        for (dx, dy) in rays {
            for step in 1..8 {
                let to = (x + step * dx, y + step * dy);
                if !self.inside(to) || to == at.white {
                    break;
                }
                add(Placed { piece: to, ..at }, to);
                if to == at.black {
                    break;
                }
            }
        }
        if PIECES[at.kind] == 'N' {
            for to in
                LEAPS.map(|(dx, dy)| (x + dx, y + dy)).into_iter().filter(|to| self.inside(*to) && *to != at.white)
            {
                add(Placed { piece: to, ..at }, to);
            }
        }
        if at.kind == PAWN {
            let free = |to: Cell| to != at.white && to != at.black;
            let (one, two) = ((x, y + 1), (x, y + 2));
            let mut goes: Vec<Cell> =
                [(x - 1, y + 1), (x + 1, y + 1)].into_iter().filter(|to| *to == at.black).collect();
            if free(one) {
                goes.push(one);
                if y == 1 && self.inside(two) && free(two) {
                    goes.push(two);
                }
            }
            for to in goes {
                match to.1 == self.height - 1 {
                    true => (1..PAWN).for_each(|kind| add(Placed { kind, piece: to, ..at }, to)),
                    false => add(Placed { piece: to, ..at }, to),
                }
            }
        }
        found
    }

    /// All moves of Black.
    fn black_moves(&self, at: Placed) -> Vec<MoveResult> {
        let goes = STRAIGHT.iter().chain(&SLANTED).map(|(dx, dy)| (at.black.0 + dx, at.black.1 + dy));
        let after = |to: Cell| match to {
            to if to == at.white => MoveResult::BlackWins,
            to if at.kind != 0 && to == at.piece => {
                MoveResult::Placed(Placed { kind: 0, piece: at.white, black: to, ..at })
            }
            to => MoveResult::Placed(Placed { black: to, ..at }),
        };
        goes.filter(|to| self.inside(*to)).map(after).collect()
    }

    /// Results of a side's moves: the number of the value and both labels. A side without a move stays in the position.
    fn reached(&self, placed: Placed, moves: Vec<MoveResult>) -> Result<Vec<Reached>, String> {
        let moves = if moves.is_empty() { vec![MoveResult::Placed(placed)] } else { moves };
        let reached = |after| match after {
            MoveResult::WhiteWins => Ok((self.ends[1], [0; 2])),
            MoveResult::BlackWins => Ok((self.ends[0], [0; 2])),
            MoveResult::Placed(next) => match self.classed[self.place(next)] {
                NONE => Err(format!("the file lacks a position after a move: {}", describe(next))),
                at => {
                    let class = &self.classes[at as usize];
                    Ok((class.value, class.labels))
                }
            },
        };
        moves.into_iter().map(reached).collect()
    }

    /// Checks a class. `held` contains the equations that have already been verified.
    fn check(&self, class: &Class, held: &mut HashSet<[usize; 3]>) -> Result<(), String> {
        let white = self.reached(class.placed, self.white_moves(class.placed))?;
        let black = self.reached(class.placed, self.black_moves(class.placed))?;
        let most = white.iter().map(|(value, _)| *value).max().unwrap_or_default();
        let least = black.iter().map(|(value, _)| *value).min().unwrap_or_default();
        if held.insert([class.value, most, least]) {
            let [value, most, least] = [class.value, most, least].map(|at| &self.values[at]);
            if value + value != most + least {
                return Err(format!("the value is not the mean of {most} and {least}"));
            }
        }
        let label = |good: &[Reached], best: usize, all: &[Reached], player: usize| {
            let keeps = good.iter().filter(|(value, _)| *value == best).map(|(_, labels)| labels[player]).min();
            let forced = all.iter().map(|(_, labels)| labels[player]).max();
            1 + keeps.unwrap_or_default().min(forced.unwrap_or_default())
        };
        for (name, own, player) in
            [("white", label(&white, most, &black, 0), 0), ("black", label(&black, least, &white, 1), 1)]
        {
            if class.labels[player] != own {
                return Err(format!("the {name} label is {} but should be {own}", class.labels[player]));
            }
        }
        let flags = [most < least, most == least];
        if class.flags == flags { Ok(()) } else { Err("the zugzwang or quiescent flag is wrong".to_owned()) }
    }

    /// Counts the positions of a material, all of which must be in the file.
    fn covered(&self, kind: usize) -> Result<usize, String> {
        let cells = || (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let mut positions = 0;
        for piece in cells() {
            for white in cells() {
                for black in cells() {
                    let placed = Placed { kind, piece, white, black };
                    if self.stands(placed) {
                        positions += 1;
                        if self.classed[self.place(placed)] == NONE {
                            return Err(format!("a position is missing: {}", describe(placed)));
                        }
                    }
                }
            }
        }
        Ok(positions)
    }
}

/// Text of a position: `K a1, N d1, k d4`.
fn describe(placed: Placed) -> String {
    let cell = |(x, y): Cell| format!("{}{}", char::from(b'a' + x as u8), y + 1);
    let piece =
        if placed.kind == 0 { String::new() } else { format!(", {} {}", PIECES[placed.kind], cell(placed.piece)) };
    format!("K {}{piece}, k {}", cell(placed.white), cell(placed.black))
}
