//! Values of orthodox pieces, their squares, and the pawn structure.

use crate::board::{Color, Square, Squares};

/// Values in the opening and in the endgame, in hundredths of a pawn.
pub(super) type Stages = [i32; 2];

/// Evaluation weights of the orthodox army. Piece types are in the order of [`crate::board::orthodox`]. Ranks count from the side's
/// own edge, files from the nearer one.
pub(super) struct Values {
    /// Each piece type except the king.
    pub(super) worth: [Stages; 5],
    /// Piece-square tables by type: rank by rank, each from the edge to the centre.
    pub(super) squares: [[Stages; 32]; 6],
    /// Number of squares that an officer reaches and no enemy pawn guards, from knight to queen.
    pub(super) mobility: [&'static [Stages]; 4],
    /// Passed pawn, by rank.
    pub(super) passed: [Stages; 8],
    /// Passed pawn with a piece on the square in front of it, for each rank beyond the second.
    pub(super) blocked: Stages,
    /// Passed pawn, for each rank beyond the second and each step of its side's king, and of the enemy king, to the square in front
    /// of it.
    pub(super) escort: [Stages; 2],
    /// Passed pawn with a path that the opponent neither attacks nor occupies, by rank.
    pub(super) free: [Stages; 8],
    /// Pawn guarded by a pawn, by rank.
    pub(super) guarded: [Stages; 8],
    /// Pawn next to another pawn, by rank.
    pub(super) phalanx: [Stages; 8],
    /// Pawn without own pawns on adjacent files.
    pub(super) isolated: Stages,
    /// Pawn behind another own pawn.
    pub(super) doubled: Stages,
    /// Pawn behind its neighbours that cannot advance safely.
    pub(super) backward: Stages,
    /// Bishop pair.
    pub(super) bishops: Stages,
    /// Each own pawn on squares of a bishop's colour.
    pub(super) bad_bishop: Stages,
    /// Knight, and bishop, that is guarded by a pawn and cannot be driven away by enemy pawns.
    pub(super) outpost: [Stages; 2],
    /// Rook on a half-open file, and on an open file.
    pub(super) open_file: [Stages; 2],
    /// Nearest own pawn in front of the king, on its file and the adjacent ones: none, one rank away, two, or more.
    pub(super) shelter: [Stages; 4],
    /// Nearest enemy pawn there: none, or by its distance in ranks.
    pub(super) storm: [Stages; 6],
    /// Attack on the enemy king, by half its weight, while the attacker has a queen.
    pub(super) danger: [Stages; 18],
    /// Attack on the enemy king without a queen.
    pub(super) siege: [Stages; 10],
    /// Pawn's attack on a minor piece, and on a rook or queen.
    pub(super) pawn_threat: [Stages; 2],
    /// Minor piece's attack on a rook, and on a queen; rook's attack on a queen.
    pub(super) threat: [Stages; 3],
    /// Enemy pawn, and enemy officer, that is attacked and unguarded.
    pub(super) loose: [Stages; 2],
    /// Enemy officer that a pawn push could attack.
    pub(super) push_threat: Stages,
    /// Being to move.
    pub(super) tempo: Stages,
}

/// Weights fitted to a stronger engine's evaluations of 270,000 positions from games of this program.
#[rustfmt::skip]
pub(super) const VALUES: Values = Values {
    worth: [[102, 117], [377, 323], [398, 340], [463, 599], [993, 1130]],
    squares: [
        [
            [-12, 1], [4, -3], [6, 0], [6, 3],
            [-29, -11], [-3, -16], [-13, -6], [-21, -3],
            [-24, -24], [-14, -30], [-18, -20], [-18, -16],
            [-24, -19], [-18, -25], [2, -27], [10, -31],
            [-11, -9], [5, -24], [5, -16], [13, -25],
            [7, 12], [16, 12], [19, 15], [13, 12],
            [24, 64], [36, 67], [32, 65], [40, 74],
            [-12, 1], [4, -3], [6, 0], [6, 3],
        ],
        [
            [-49, -24], [-24, -12], [-13, -8], [0, -2],
            [-28, -19], [-1, -7], [5, -2], [16, -2],
            [-29, -5], [7, 5], [9, 11], [22, 19],
            [-3, 14], [12, 20], [34, 29], [36, 36],
            [7, 1], [28, 14], [36, 21], [44, 27],
            [25, -20], [46, -8], [56, -5], [70, 2],
            [-54, -12], [-27, 1], [-18, 5], [-6, 11],
            [-91, -48], [-58, -31], [-49, -25], [-40, -22],
        ],
        [
            [-6, -13], [-1, -2], [-9, -1], [-8, -6],
            [21, -30], [27, -18], [28, -17], [15, -20],
            [-3, 1], [10, 11], [15, 12], [2, 14],
            [9, -4], [16, 7], [17, 12], [21, 10],
            [3, -5], [27, 10], [16, 11], [15, 9],
            [-2, -1], [5, 11], [9, 15], [6, 11],
            [-40, -4], [-34, 9], [-33, 8], [-37, 6],
            [-22, -17], [-17, -4], [-17, 0], [-22, -4],
        ],
        [
            [3, -27], [2, -24], [26, -28], [30, -36],
            [-31, -7], [-26, -6], [-4, -7], [-5, -13],
            [-9, -16], [-9, -16], [14, -15], [12, -23],
            [-20, 11], [-20, 10], [2, 5], [3, 5],
            [-12, 11], [-9, 8], [15, 4], [11, 1],
            [0, 20], [1, 19], [23, 13], [20, 10],
            [-4, 23], [-4, 16], [21, 17], [18, 12],
            [3, 17], [0, 15], [22, 11], [22, 9],
        ],
        [
            [6, -89], [4, -60], [4, -52], [18, -101],
            [19, -67], [9, -40], [16, -36], [25, -78],
            [-6, -22], [-5, 4], [-8, 17], [0, -31],
            [-7, 10], [-22, 39], [-17, 46], [-11, 0],
            [-11, 46], [-19, 76], [-21, 80], [-14, 36],
            [17, -19], [14, 11], [19, 19], [27, -27],
            [-10, 15], [-33, 39], [-20, 51], [-4, 7],
            [-2, 2], [-11, 32], [-1, 43], [13, 1],
        ],
        [
            [29, -67], [45, -56], [7, -40], [7, -48],
            [14, -25], [24, -18], [-5, -2], [-9, -6],
            [-19, -18], [5, -6], [-28, 14], [-37, 12],
            [-50, -4], [-28, 6], [-63, 23], [-68, 24],
            [16, -10], [40, 5], [4, 26], [0, 24],
            [27, 2], [51, 13], [15, 30], [10, 28],
            [3, 9], [25, 16], [-8, 36], [-14, 33],
            [3, -17], [25, -8], [-10, 10], [-15, 6],
        ],
    ],
    mobility: [
        &[
            [-5, -33], [14, -35], [26, -23], [32, -3], [43, -2], [51, 3], [59, 7],
            [65, 0], [79, -2],
        ],
        &[
            [-12, -43], [4, -28], [18, -16], [28, 4], [36, 14], [42, 20], [47, 23],
            [52, 28], [59, 24], [66, 24], [76, 26], [87, 29], [95, 35], [103, 36],
        ],
        &[
            [2, -35], [16, -29], [21, -19], [33, 2], [36, 13], [43, 20], [51, 20],
            [56, 22], [62, 27], [67, 30], [78, 31], [86, 31], [95, 37], [102, 39],
            [109, 35],
        ],
        &[
            [0, -5], [9, -2], [15, 1], [22, 8], [30, 11], [37, 15], [43, 17],
            [52, 20], [56, 22], [64, 29], [69, 28], [75, 36], [80, 37], [85, 38],
            [93, 44], [100, 45], [105, 45], [115, 48], [122, 50], [135, 58], [141, 61],
            [146, 62], [155, 66], [161, 69], [168, 72], [175, 75], [182, 78], [189, 81],
        ],
    ],
    passed: [[0, 0], [-4, 9], [-17, 3], [-10, 26], [0, 51], [23, 80], [44, 80], [0, 0]],
    blocked: [-4, -9],
    escort: [[3, -5], [-4, 10]],
    free: [[0, 0], [-1, -2], [-3, 0], [2, 7], [6, 27], [20, 53], [34, 95], [0, 0]],
    guarded: [[0, 0], [0, 0], [21, 2], [13, 11], [19, 16], [13, 36], [4, 11], [0, 0]],
    phalanx: [[0, 0], [9, -8], [10, -1], [8, 12], [14, 35], [11, 27], [15, 58], [0, 0]],
    isolated: [-3, -12],
    doubled: [-9, -16],
    backward: [-6, -20],
    bishops: [46, 56],
    bad_bishop: [-2, -7],
    outpost: [[29, 8], [50, 6]],
    open_file: [[22, 16], [63, -10]],
    shelter: [[-21, 4], [20, -2], [5, 4], [6, -7]],
    storm: [[-2, 6], [-14, 2], [-19, -5], [4, -1], [9, 1], [11, -4]],
    danger: [
        [-29, -17], [-30, 1], [-27, -1], [-17, 9], [-4, 14], [-11, 10],
        [13, 19], [38, 25], [60, 32], [71, 29], [84, 31], [106, 34],
        [125, 36], [151, 40], [176, 42], [176, 42], [176, 42], [176, 42],
    ],
    siege: [
        [2, -4], [1, 1], [-2, 10], [1, 10], [8, 10], [15, 14],
        [17, 15], [22, 18], [26, 22], [39, 33],
    ],
    pawn_threat: [[98, -1], [79, -18]],
    threat: [[68, 23], [75, 0], [97, -22]],
    loose: [[23, 36], [31, 32]],
    push_threat: [25, 9],
    tempo: [43, 17],
};

/// The squares of the a-file.
const EDGE: u64 = 0x0101_0101_0101_0101;

/// Squares guarded by a side's pawns.
pub(super) fn pawns_guard(color: Color, pawns: Squares) -> Squares {
    let (left, right) = (pawns.0 & !EDGE, pawns.0 & !(EDGE << 7));
    Squares(match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// The squares of a file and of the adjacent files.
pub(super) fn files_about(file: u8) -> Squares {
    beside(file) | file_of(file)
}

/// The squares of a file.
pub(super) fn file_of(file: u8) -> Squares {
    Squares(EDGE << file)
}

fn beside(file: u8) -> Squares {
    let left = if file > 0 { EDGE << (file - 1) } else { 0 };
    let right = if file < 7 { EDGE << (file + 1) } else { 0 };
    Squares(left | right)
}

/// The squares of all ranks in front of a rank, as seen by a side.
pub(super) fn ranks_before(color: Color, rank: u8) -> Squares {
    Squares(match color {
        Color::White if rank == 7 => 0,
        Color::White => u64::MAX << (8 * (rank + 1)),
        Color::Black => (1 << (8 * rank)) - 1,
    })
}

/// Distance between two squares in king steps.
pub(super) fn steps(from: Square, to: Square) -> i32 {
    i32::from(from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())))
}

/// Evaluation of one side's pawn structure.
#[derive(Clone, Copy, Default)]
pub(super) struct PawnStructure {
    /// Value of the structure without piece-square values.
    pub(super) worth: Stages,
    /// Passed pawns.
    pub(super) passed: Squares,
}

impl PawnStructure {
    /// Evaluates the pawns of a side.
    pub(super) fn of(values: &Values, color: Color, own: Squares, hostile: Squares) -> PawnStructure {
        let mut shape = PawnStructure::default();
        let guards = pawns_guard(color, own);
        let threats = pawns_guard(!color, hostile);
        let mut add = |pair: Stages| shape.worth = [shape.worth[0] + pair[0], shape.worth[1] + pair[1]];
        for square in own {
            let (file, rank) = (square.file(), square.rank());
            let before = ranks_before(color, rank);
            let height = usize::from(if color == Color::White { rank } else { 7 - rank });
            let neighbours = own & beside(file);
            let leads = (own & file_of(file) & before).is_empty();
            if leads && (hostile & files_about(file) & before).is_empty() {
                add(values.passed[height]);
                shape.passed |= square.set();
            }
            if !leads {
                add(values.doubled);
            }
            if neighbours.is_empty() {
                add(values.isolated);
            } else if guards.has(square) {
                add(values.guarded[height]);
            } else if !(neighbours & Squares::rank(rank)).is_empty() {
                add(values.phalanx[height]);
            } else if (neighbours & !before).is_empty() && threats.has(ahead(color, square)) {
                add(values.backward);
            }
        }
        shape
    }
}

/// The square in front of a pawn.
pub(super) fn ahead(color: Color, square: Square) -> Square {
    Square::at(if color == Color::White { square.index() + 8 } else { square.index() - 8 })
}
