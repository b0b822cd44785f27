//! What the pieces of the ordinary army are worth, and what their places and their company add.

/// A worth early and one late in the game, in hundredths of a pawn.
pub(super) type Stages = [i32; 2];

/// The worths by which a position of the ordinary army is estimated. Kinds are in the order of [`crate::board::orthodox`], ranks are
/// counted from the own side, files from the nearer edge.
pub(super) struct Values {
    /// A unit of each kind but the king.
    pub(super) worth: [Stages; 5],
    /// Standing on a rank, by kind.
    pub(super) ranks: [[Stages; 8]; 6],
    /// Standing on a file, by kind.
    pub(super) files: [[Stages; 4]; 6],
    /// Each square that an officer reaches and no hostile pawn guards, from the knight to the queen.
    pub(super) mobility: [Stages; 4],
    /// Reaching at most two such squares, in the same order.
    pub(super) cramped: [Stages; 4],
    /// A pawn that no pawn can stop, by rank.
    pub(super) passed: [Stages; 8],
    /// The same with somebody on the square before it, for every rank beyond the second.
    pub(super) blocked: Stages,
    /// The same, for every rank beyond the second and every step of its own king, and of the other one, to the square before it.
    pub(super) escort: [Stages; 2],
    /// A pawn that a pawn of its own guards, by rank.
    pub(super) guarded: [Stages; 8],
    /// A pawn with another one beside it, by rank.
    pub(super) phalanx: [Stages; 8],
    /// A pawn with none of its own on the files beside.
    pub(super) isolated: Stages,
    /// A pawn with another one before it.
    pub(super) doubled: Stages,
    /// A pawn that all its neighbours have left behind, before a square that a hostile pawn guards.
    pub(super) backward: Stages,
    /// Two bishops.
    pub(super) bishops: Stages,
    /// Each own pawn on squares of a bishop's colour.
    pub(super) bad_bishop: Stages,
    /// A knight, and a bishop, that a pawn guards where no hostile pawn can drive it away.
    pub(super) outpost: [Stages; 2],
    /// A rook on a file without own pawns, and without any.
    pub(super) open_file: [Stages; 2],
    /// The nearest own pawn before the king, on his file and those beside: none, one rank away, two, or more.
    pub(super) shelter: [Stages; 4],
    /// The nearest hostile pawn there: none, at most two ranks away, three, or more.
    pub(super) storm: [Stages; 4],
    /// An attack on the squares around the hostile king, by its weight, while the attacker has a queen.
    pub(super) danger: [Stages; 12],
    /// A pawn's attack on a knight or bishop, and on a rook or queen.
    pub(super) pawn_threat: [Stages; 2],
    /// A knight's or bishop's attack on a rook, and on a queen; a rook's on a queen.
    pub(super) threat: [Stages; 3],
    /// A hostile unit that is attacked and not guarded.
    pub(super) loose: Stages,
    /// Being to move.
    pub(super) tempo: Stages,
}

/// The worths as they were fitted to what a stronger program says of some ten thousand positions from games of this one.
pub(super) const VALUES: Values = Values {
    worth: [[102, 113], [374, 324], [396, 339], [445, 598], [1007, 1143]],
    ranks: [
        [[0, 0], [-27, -6], [-19, -19], [-6, -27], [8, -23], [16, 17], [27, 58], [0, 0]],
        [[-19, -9], [-1, -3], [7, 14], [16, 23], [22, 11], [58, -8], [-27, 2], [-56, -29]],
        [[-5, -8], [26, -20], [4, 7], [14, 7], [11, 9], [8, 13], [-38, 3], [-21, -10]],
        [[16, -24], [-17, 0], [0, -20], [-10, 8], [-4, 1], [5, 10], [1, 12], [8, 13]],
        [[4, -74], [19, -51], [-7, -8], [-13, 24], [-21, 59], [23, -5], [-5, 35], [0, 20]],
        [[17, -45], [6, -14], [-16, -3], [-51, 7], [16, 8], [26, 18], [2, 29], [1, 0]],
    ],
    files: [
        [[-13, 5], [5, -3], [5, -4], [3, 1]],
        [[-27, -13], [-2, 3], [9, 4], [20, 6]],
        [[-3, -12], [4, 2], [5, 5], [-5, 5]],
        [[-13, 1], [-9, 0], [11, 1], [11, -2]],
        [[6, -11], [-4, 16], [-4, 24], [3, -29]],
        [[-2, -6], [27, -9], [-9, 3], [-17, 11]],
    ],
    mobility: [[10, -3], [7, 2], [7, 3], [6, 4]],
    cramped: [[2, -28], [-7, -34], [4, -28], [0, -5]],
    passed: [[0, 0], [-6, 10], [-18, 9], [-23, 23], [9, 55], [23, 63], [35, 63], [0, 0]],
    blocked: [-3, -4],
    escort: [[1, -4], [-3, 10]],
    guarded: [[0, 0], [0, 0], [24, 6], [8, 13], [17, 18], [5, 31], [2, 6], [0, 0]],
    phalanx: [[0, 0], [15, -8], [18, 3], [10, 15], [2, 29], [8, 20], [13, 51], [0, 0]],
    isolated: [-4, -7],
    doubled: [-13, -17],
    backward: [-6, -22],
    bishops: [45, 49],
    bad_bishop: [-3, -4],
    outpost: [[36, 14], [64, 9]],
    open_file: [[25, 18], [62, -7]],
    shelter: [[-17, 5], [13, -3], [-2, 9], [17, -12]],
    storm: [[0, 0], [-11, -4], [-3, 5], [8, 2]],
    danger: [
        [-19, -59],
        [-27, -4],
        [-27, 23],
        [-8, -11],
        [-10, 15],
        [48, 42],
        [44, 24],
        [7, 10],
        [13, -4],
        [23, 7],
        [0, 0],
        [0, 0],
    ],
    pawn_threat: [[90, -9], [76, -20]],
    threat: [[64, 25], [66, -1], [97, -18]],
    loose: [24, 26],
    tempo: [66, 24],
};
