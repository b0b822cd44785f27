//! Material with which the horde can still mate, by the classification that lichess and python-chess use.

use crate::board::{Color, Position, Square, orthodox};

/// Number of pieces of each kind, with bishops by the colour of their squares.
#[derive(Clone, Copy)]
struct Count {
    pawns: u32,
    knights: u32,
    rooks: u32,
    queens: u32,
    /// Bishops on light and on dark squares.
    bishops: [u32; 2],
}

impl Count {
    fn of(position: &Position, color: Color) -> Count {
        let count = |kind: u8| position.of_kind(color, kind).len();
        let bishops = position.of_kind(color, orthodox::BISHOP);
        let dark = bishops.filter(|square: &Square| square.dark()).count() as u32;
        Count {
            pawns: count(orthodox::PAWN),
            knights: count(orthodox::KNIGHT),
            rooks: count(orthodox::ROOK),
            queens: count(orthodox::QUEEN),
            bishops: [bishops.len() - dark, dark],
        }
    }

    /// Number of pieces of the horde, with at most two bishops on each colour: two cover all squares around the king.
    fn size(&self) -> u32 {
        let [light, dark] = self.bishops;
        self.pawns + self.knights + self.rooks + self.queens + light.min(2) + dark.min(2)
    }
}

/// Whether the horde can mate by some series of legal moves.
pub(super) fn can_mate(position: &Position, color: Color) -> bool {
    let (horde, army) = (Count::of(position, color), Count::of(position, !color));
    let pieces = position.of(!color).len();
    let size = horde.size();
    // Index of the square colour of the horde's bishops, if they are all on one.
    let shade = usize::from(horde.bishops[0] == 0);
    let (same, opposite) = (army.bishops[shade], army.bishops[1 - shade]);
    let rook_and_bishop = size == 2 && horde.rooks == 1 && horde.bishops != [0, 0];
    match size {
        0 => false,
        4.. => true,
        2.. if rook_and_bishop => pieces - same > 1,
        2.. if horde.pawns + horde.rooks + horde.queens > 0 => true,
        1 => lone_piece_can_mate(&horde, &army, pieces, opposite),
        2 if pieces == 1 => false,
        2 if horde.knights == 2 => army.pawns + army.knights + army.bishops[0] + army.bishops[1] > 0,
        2 if horde.bishops == [1, 1] => {
            let majors = army.rooks + army.queens;
            army.pawns + army.bishops[0] + army.bishops[1] > 0 || army.knights > 0 && majors > 0
        }
        2 if horde.knights == 1 => army.pawns + opposite > 0 || pieces - same >= 3,
        2 => army.pawns + army.knights + opposite >= 2,
        // Three minor pieces.
        _ if horde.knights >= 2 || !horde.bishops.contains(&0) => true,
        _ => pieces > 1,
    }
}

/// [`can_mate`] for a horde of one piece. `opposite`: bishops of the army on the other square colour than the horde's bishop.
fn lone_piece_can_mate(horde: &Count, army: &Count, pieces: u32, opposite: u32) -> bool {
    let Count { pawns, knights, rooks, bishops: [light, dark], .. } = *army;
    let queen = pawns > 0 || rooks > 0 || light >= 2 || dark >= 2;
    // A knight needs four pieces of the army, among them two that can be in the way: two knights, two pawns, or two kinds.
    let kinds = [rooks, knights, light + dark, pawns].into_iter().filter(|count| *count > 0).count();
    let knight = pieces >= 4
        && (knights >= 2 || pawns >= 2 || kinds >= 2)
        && [light, dark].into_iter().all(|bishops| bishops < 2 || pieces - bishops >= 3);
    if horde.queens > 0 {
        queen
    } else if horde.pawns > 0 {
        queen || knight
    } else if horde.rooks > 0 {
        let kinds = [rooks, knights, pawns].into_iter().filter(|count| *count > 0).count();
        pawns >= 2 || kinds >= 2
    } else if horde.knights > 0 {
        knight
    } else {
        opposite >= 2 || opposite > 0 && pawns > 0 || pawns >= 2
    }
}
