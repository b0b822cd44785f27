//! Placements of up to five pieces and their moves, used only by the proofs.

const AROUND: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A piece other than a king: its letter, whether it is White's, and its square.
pub(super) type Man = (u8, bool, i32);

/// Two kings and up to `MEN` other pieces. Squares are numbered rank by rank from 0 (a1).
#[derive(Clone, Copy)]
pub(super) struct Placement<const MEN: usize> {
    /// Files and ranks of the board. With pawns the board is 8x8.
    pub(super) board: [i32; 2],
    pub(super) white: i32,
    pub(super) black: i32,
    pub(super) men: [Option<Man>; MEN],
    /// Set if a pawn has just made a double step and may be captured en passant: whether it is White's.
    pub(super) stepped: Option<bool>,
}

/// Result of a move.
pub(super) enum After<const MEN: usize> {
    Taken,
    Placed(Placement<MEN>),
}

/// The 8x8 board.
pub(super) const ORTHODOX: [i32; 2] = [8, 8];

/// Number of the king as a mover. Differs from the indexes of the other pieces.
const KING: usize = usize::MAX;

impl<const MEN: usize> Placement<MEN> {
    pub(super) fn stands(&self) -> bool {
        let mut squares = vec![self.white, self.black];
        for (letter, _, square) in self.men.iter().flatten() {
            if *letter == b'P' && !(8..56).contains(square) {
                return false;
            }
            squares.push(*square);
        }
        let behind = |man: &Man| if man.1 { [man.2 - 8, man.2 - 16] } else { [man.2 + 8, man.2 + 16] };
        let stepped = self.men.iter().flatten().filter(|man| self.stepped == Some(man.1));
        let passed: Vec<i32> = stepped.flat_map(behind).collect();
        // The squares behind a pawn after its double step are empty.
        squares.iter().all(|square| !passed.contains(square))
            && (0..squares.len()).all(|one| (0..one).all(|other| squares[one] != squares[other]))
    }

    /// Whether the piece on a square is White's; `None` for an empty square.
    fn on(&self, square: i32) -> Option<bool> {
        match square {
            _ if square == self.white => Some(true),
            _ if square == self.black => Some(false),
            _ => self.men.iter().flatten().find(|man| man.2 == square).map(|man| man.1),
        }
    }

    /// The placement after a piece moves and captures any piece on its target.
    fn moved(&self, mover: usize, to: i32, became: Option<u8>, white: bool) -> After<MEN> {
        if to == if white { self.black } else { self.white } {
            return After::Taken;
        }
        let mut next = Placement { stepped: None, ..*self };
        for man in &mut next.men {
            if man.is_some_and(|man| man.2 == to) {
                *man = None;
            }
        }
        match (mover, white) {
            (KING, true) => next.white = to,
            (KING, false) => next.black = to,
            _ => {
                if let Some(man) = &mut next.men[mover] {
                    (man.0, man.2) = (became.unwrap_or(man.0), to);
                }
            }
        }
        After::Placed(next)
    }

    /// All moves of a side.
    pub(super) fn moves(&self, white: bool) -> Vec<After<MEN>> {
        let mut found = Vec::new();
        let step = |from: i32, (x, y): (i32, i32)| {
            let [files, ranks] = self.board;
            let (file, rank) = (from % files + x, from / files + y);
            ((0..files).contains(&file) && (0..ranks).contains(&rank)).then_some(rank * files + file)
        };
        let open = |to: &i32| self.on(*to) != Some(white);
        let king = if white { self.white } else { self.black };
        for to in AROUND.into_iter().filter_map(|by| step(king, by)).filter(open) {
            found.push(self.moved(KING, to, None, white));
        }
        for (mover, man) in self.men.iter().enumerate() {
            let Some((letter, _, from)) = man.filter(|man| man.1 == white) else { continue };
            match letter {
                b'N' => {
                    for to in LEAPS.into_iter().filter_map(|by| step(from, by)).filter(open) {
                        found.push(self.moved(mover, to, None, white));
                    }
                }
                b'P' => {
                    let ahead = if white { 1 } else { -1 };
                    let mut goes: Vec<i32> = [-1, 1].into_iter().filter_map(|x| step(from, (x, ahead))).collect();
                    goes.retain(|to| self.on(*to) == Some(!white));
                    let free = |to: &i32| self.on(*to).is_none();
                    if let Some(one) = step(from, (0, ahead)).filter(free) {
                        goes.push(one);
                        let home = if white { 1 } else { 6 };
                        goes.extend(step(one, (0, ahead)).filter(|to| from / 8 == home && free(to)));
                    }
                    let enemy = self.men.iter().flatten().find(|man| man.1 != white && man.0 == b'P').map(|man| man.2);
                    if let Some(enemy) = enemy.filter(|_| self.stepped == Some(!white)) {
                        let to = enemy + 8 * ahead;
                        if let After::Placed(mut next) = self.moved(mover, to, None, white) {
                            for man in next.men.iter_mut().filter(|man| man.is_some_and(|man| man.2 == enemy)) {
                                *man = None;
                            }
                            found.push(After::Placed(next));
                        }
                    }
                    for to in goes {
                        let beside = enemy.is_some_and(|enemy| enemy / 8 == to / 8 && (enemy - to).abs() == 1);
                        match (1..7).contains(&(to / 8)) {
                            true if (to - from).abs() == 16 && beside => {
                                if let After::Placed(next) = self.moved(mover, to, None, white) {
                                    found.push(After::Placed(Placement { stepped: Some(white), ..next }));
                                }
                            }
                            true => found.push(self.moved(mover, to, None, white)),
                            false => found.extend(b"QRBN".map(|kind| self.moved(mover, to, Some(kind), white))),
                        }
                    }
                }
                _ => {
                    let straight = |(x, y): (i32, i32)| x == 0 || y == 0;
                    let allowed = |by: &(i32, i32)| letter == b'Q' || straight(*by) == (letter == b'R');
                    for by in AROUND.into_iter().filter(allowed) {
                        let mut at = from;
                        while let Some(to) = step(at, by).filter(open) {
                            found.push(self.moved(mover, to, None, white));
                            if self.on(to).is_some() {
                                break;
                            }
                            at = to;
                        }
                    }
                }
            }
        }
        found
    }

    /// Text of the placement: `K a1, k d5, R c3, B h8`.
    pub(super) fn describe(&self) -> String {
        let files = self.board[0];
        let square = |square: i32| format!("{}{}", char::from(b'a' + (square % files) as u8), square / files + 1);
        let men = self.men.iter().flatten().map(|(letter, white, at)| {
            let letter = if *white { *letter } else { letter.to_ascii_lowercase() };
            format!(", {} {}", char::from(letter), square(*at))
        });
        format!("K {}, k {}{}", square(self.white), square(self.black), men.collect::<String>())
    }

    /// The placement on the 8x8 board with ranks and colours reversed.
    pub(super) fn reversed(&self) -> Placement<MEN> {
        let men = self.men.map(|man| man.map(|(letter, white, square)| (letter, !white, square ^ 56)));
        Placement {
            board: self.board,
            white: self.black ^ 56,
            black: self.white ^ 56,
            men,
            stepped: self.stepped.map(|white| !white),
        }
    }
}
