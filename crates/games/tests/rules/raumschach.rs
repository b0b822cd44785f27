//! Raumschach: moves against a slow generator that checks every pair of cells, and results and notation.

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid_games::{
    board::{
        Color,
        cube::{CubeCell, CubeKind, CubeMove, CubePiece, CubePosition, START},
        pgn::Pgn,
    },
    rules::{Actor, Describe, Outcome, Seat},
    variants::raumschach::Raumschach,
};

use crate::{
    kin::{begin, fen},
    often::often,
};

const GAME: &str = "raumschach";
/// Number of random positions.
const POSITIONS: usize = 20;

/// Pieces with their cells, and no other state.
type Units = Vec<(CubeCell, CubePiece)>;

/// Offset in files, ranks and levels from one cell to another, as seen by `color`.
fn way(from: CubeCell, to: CubeCell, color: Color) -> [i32; 3] {
    let sign = if color == Color::White { 1 } else { -1 };
    let along = |one: u8, other: u8| i32::from(other) - i32::from(one);
    [along(from.file(), to.file()), sign * along(from.rank(), to.rank()), sign * along(from.level(), to.level())]
}

fn at(units: &Units, cell: CubeCell) -> Option<CubePiece> {
    units.iter().find(|(on, _)| *on == cell).map(|(_, piece)| *piece)
}

/// Whether all cells between two cells on a line are empty.
fn clear(units: &Units, from: CubeCell, to: CubeCell) -> bool {
    let between = |cell: &CubeCell| {
        let [one, other, whole] =
            [way(from, *cell, Color::White), way(*cell, to, Color::White), way(from, to, Color::White)];
        let far = |way: [i32; 3]| way.iter().map(|along| along.abs()).max().unwrap();
        // A cell is between two others if both partial offsets have the direction of the whole offset.
        let same = |part: [i32; 3]| (0..3).all(|axis| part[axis] * far(whole) == whole[axis] * far(part));
        far(one) > 0 && far(other) > 0 && same(one) && same(other) && far(one) + far(other) == far(whole)
    };
    CubeCell::all().filter(between).all(|cell| at(units, cell).is_none())
}

/// Whether a piece can move from one cell to another, ignoring checks.
fn goes(units: &Units, from: CubeCell, piece: CubePiece, to: CubeCell) -> bool {
    let taken = at(units, to);
    if from == to || taken.is_some_and(|other| other.color == piece.color) {
        return false;
    }
    let way = way(from, to, piece.color);
    let mut far = way.map(i32::abs);
    far.sort_unstable();
    let [least, middle, most] = far;
    let axes = far.iter().filter(|along| **along > 0).count();
    let straight = (least == 0 || least == most) && (middle == 0 || middle == most);
    match piece.kind {
        CubeKind::Knight => far == [0, 1, 2],
        CubeKind::King => most == 1,
        CubeKind::Rook => axes == 1 && clear(units, from, to),
        CubeKind::Bishop => axes == 2 && straight && clear(units, from, to),
        CubeKind::Unicorn => axes == 3 && straight && clear(units, from, to),
        CubeKind::Queen => straight && clear(units, from, to),
        CubeKind::Pawn if taken.is_none() => way == [0, 1, 0] || way == [0, 0, 1],
        CubeKind::Pawn => way == [0, 1, 1] || way[0].abs() == 1 && (way[1..] == [1, 0] || way[1..] == [0, 1]),
    }
}

fn attacked(units: &Units, by: Color, cell: CubeCell) -> bool {
    units.iter().any(|(from, piece)| piece.color == by && goes(units, *from, *piece, cell))
}

fn after(units: &Units, mv: CubeMove) -> Units {
    let mut piece = at(units, mv.from).unwrap();
    piece.kind = mv.promotion.unwrap_or(piece.kind);
    let mut units: Units = units.iter().filter(|(cell, _)| *cell != mv.from && *cell != mv.to).copied().collect();
    units.push((mv.to, piece));
    units
}

fn legal(units: &Units, us: Color) -> Vec<CubeMove> {
    let mut moves = Vec::new();
    for (from, piece) in units.iter().filter(|(_, piece)| piece.color == us) {
        for to in CubeCell::all().filter(|to| goes(units, *from, *piece, *to)) {
            let edge = if us == Color::White { (4, 4) } else { (0, 0) };
            let becomes = piece.kind == CubeKind::Pawn && (to.level(), to.rank()) == edge;
            let kinds = [CubeKind::Queen, CubeKind::Rook, CubeKind::Knight, CubeKind::Bishop, CubeKind::Unicorn];
            let promotions: Vec<Option<CubeKind>> = if becomes { kinds.map(Some).to_vec() } else { vec![None] };
            for promotion in promotions {
                let mv = CubeMove { from: *from, to, promotion };
                let next = after(units, mv);
                let (king, _) = next
                    .iter()
                    .find(|(_, piece)| *piece == CubePiece { kind: CubeKind::King, color: us })
                    .copied()
                    .unwrap();
                if !attacked(&next, !us, king) {
                    moves.push(mv);
                }
            }
        }
    }
    moves
}

fn slow(units: &Units, us: Color, depth: u32) -> u64 {
    let moves = legal(units, us);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|mv| slow(&after(units, mv), !us, depth - 1)).sum()
}

fn sorted(moves: Vec<CubeMove>) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(CubeMove::to_string).collect();
    texts.sort();
    texts
}

/// The position after some random moves, or at the end of the game.
fn wandered(seed: u64, plies: usize) -> CubePosition {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut position = CubePosition::parse(START).unwrap();
    for _ in 0..plies {
        let moves = position.moves();
        // Prefers captures on every other move, so that boards empty and pawns advance.
        let captures = position.captures();
        let few = if position.fullmove.is_multiple_of(2) && !captures.is_empty() { &captures } else { &moves };
        let Some(mv) = few.choose(&mut rng) else { break };
        position = position.after(*mv);
    }
    position
}

#[test]
fn first_moves_match_a_hand_count() {
    // Of the ten pawns, five can only step forward from level A, and five can step or climb from level B: 15. Each knight has 6
    // leaps. The bishops have 6 and 7 moves, with captures on Ea4 and Ed4. The unicorns have 4 and 3, and each can capture a pawn
    // or a piece far up. The queen has 3 moves straight up, 7 through edges and 4 through corners. Rooks and king cannot move.
    let position = CubePosition::parse(START).unwrap();
    let count = |kind: CubeKind| {
        position
            .moves()
            .into_iter()
            .filter(|mv| position.piece(mv.from).is_some_and(|piece| piece.kind == kind))
            .count()
    };
    let counts = CubeKind::ALL.map(count);
    assert_eq!(counts, [15, 12, 6 + 7, 4 + 3, 0, 3 + 7 + 4, 0]);
    assert_eq!(position.perft(1), 61);
}

#[test]
fn moves_match_a_slow_generator() {
    let mut promotions = 0;
    let mut checks = 0;
    for seed in 0..often(POSITIONS) as u64 {
        let position = wandered(seed, 10 + 9 * seed as usize);
        let units: Units = position.pieces().collect();
        let moves = position.moves();
        assert_eq!(sorted(moves.clone()), sorted(legal(&units, position.turn)), "{}", position.fen());
        let takes = |mv: &CubeMove| position.piece(mv.to).is_some() || mv.promotion.is_some();
        let loud: Vec<CubeMove> = moves.iter().copied().filter(takes).collect();
        assert_eq!(sorted(position.captures()), sorted(loud), "{}", position.fen());
        promotions += moves.iter().filter(|mv| mv.promotion.is_some()).count();
        checks += usize::from(position.in_check(position.turn));
        for color in Color::BOTH {
            for cell in CubeCell::all().filter(|cell| at(&units, *cell).is_none_or(|piece| piece.color != color)) {
                // A pawn attacks only occupied cells, so a piece is put on the target.
                let mut with = units.clone();
                if at(&units, cell).is_none() {
                    with.push((cell, CubePiece { kind: CubeKind::Knight, color: !color }));
                }
                let fen = position.fen();
                assert_eq!(position.attacked(color, cell), attacked(&with, color, cell), "{color:?} {cell} {fen}");
            }
        }
        assert_eq!(CubePosition::parse(&position.fen()), Ok(position), "{}", position.fen());
    }
    assert!(!crate::often::is_whole() || promotions > 0 && checks > 0, "{promotions} promotions, {checks} checks");
}

#[test]
fn perft_matches_a_slow_generator() {
    let start: Units = CubePosition::parse(START).unwrap().pieces().collect();
    for depth in 1..=3 {
        assert_eq!(CubePosition::parse(START).unwrap().perft(depth), slow(&start, Color::White, depth), "{depth}");
    }
    for seed in 0..often(POSITIONS) as u64 {
        let position = wandered(100 + seed, 6 + 12 * seed as usize);
        let units: Units = position.pieces().collect();
        let depth = if units.len() < 16 { 3 } else { 2 };
        assert_eq!(position.perft(depth), slow(&units, position.turn, depth), "{}", position.fen());
    }
}

#[test]
fn perft_of_the_start_is_known() {
    let position = CubePosition::parse(START).unwrap();
    assert_eq!([1, 2, 3].map(|depth| position.perft(depth)), [61, 3_615, 237_316]);
}

#[test]
fn moves_survive_a_round_trip() {
    for seed in 0..often(POSITIONS) as u64 {
        let position = wandered(200 + seed, 11 * seed as usize);
        for mv in position.moves() {
            let (said, san) = (mv.to_string(), position.san(mv));
            assert_eq!(said.parse(), Ok(mv), "{said}");
            assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {}", position.fen());
        }
    }
}

fn ended(moves: &str, from: &str) -> Option<Outcome> {
    let mut game = begin(GAME, from).unwrap();
    crate::kin::play(&mut game, moves);
    game.outcome()
}

#[test]
fn mate_wins_and_stalemate_draws() {
    let queens = "5/5/5/5/K4|5/5/5/5/5|5/5/5/5/5|5/1Q3/4Q/5/5|4k/5/5/5/5 w - - 0 1";
    assert_eq!(ended("QEc5#", queens), Some(Outcome::Win(Seat::One, "checkmate")));
    let stuck = "5/5/5/5/K4|5/5/5/5/5|3Q1/5/5/5/5|5/5/Q4/5/5|4k/5/5/5/5 w - - 0 1";
    assert_eq!(ended("QEa4", stuck), Some(Outcome::Draw("stalemate")));
}

#[test]
fn draws_follow_chess() {
    let fen = "4k/5/5/5/R4|5/5/5/5/5|5/5/5/5/5|5/5/5/5/5|5/5/5/5/4K w - - 0 1";
    let mut game = begin(GAME, fen).unwrap();
    for _ in 0..2 {
        assert!(!game.json(None)["view"]["claimable"].as_bool().unwrap());
        crate::kin::play(&mut game, "Aa1Ab1 Ae5Ad5 Ab1Aa1 Ad5Ae5");
    }
    assert!(game.json(None)["view"]["claimable"].as_bool().unwrap(), "this is the third occurrence");
    game.act(Actor::Seat(Seat::One), "claim", 0).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Draw("threefold repetition")));
    let mut game = begin(GAME, fen).unwrap();
    for _ in 0..4 {
        assert_eq!(game.outcome(), None);
        crate::kin::play(&mut game, "Aa1Ab1 Ae5Ad5 Ab1Aa1 Ad5Ae5");
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw("fivefold repetition")));
    assert_eq!(
        ended("Aa1Ab1", &fen.replace(" 0 1", " 149 90")),
        Some(Outcome::Draw("75 moves without a capture or a pawn move"))
    );
    assert!(begin(GAME, &fen.replace(" 0 1", " 100 90")).unwrap().json(None)["view"]["claimable"].as_bool().unwrap());
    let taken = "4k/4R/5/5/5|5/5/5/5/5|5/5/5/5/5|5/5/5/5/5|5/5/5/5/4K b - - 0 1";
    assert_eq!(ended("Ae5Ae4", taken), Some(Outcome::Draw("dead position")));
}

#[test]
fn pawns_promote_to_officers_on_the_far_edge_only() {
    let game = begin(GAME, "4k/5/5/5/5|5/5/5/5/5|5/5/5/5/5|P4/5/5/5/5|5/1P3/5/5/4K w - - 0 1").unwrap();
    let listed: Vec<String> = serde_json::from_value(game.json(Some(Seat::One))["actions"].clone()).unwrap();
    let pawns: Vec<&str> = listed.iter().map(String::as_str).filter(|text| !text.starts_with("Ee1")).collect();
    assert_eq!(
        pawns,
        ["q", "r", "n", "b", "u"]
            .into_iter()
            .flat_map(|to| [format!("Da5Ea5{to}"), format!("Eb4Eb5{to}")])
            .fold([Vec::new(), Vec::new()], |[mut one, mut two]: [Vec<String>; 2], text| {
                if text.starts_with('D') {
                    one.push(text)
                } else {
                    two.push(text)
                }
                [one, two]
            })
            .concat()
    );
    for (said, why) in [
        ("Da5Ea5", "choose a promotion for the pawn: write Da5Ea5q"),
        ("Da5Ea5k", "cannot promote to a king"),
        ("Aa1Ab1", "there is no piece on Aa1"),
        ("Ae5Ad5", "black’s, and white is to move"),
        ("Da5Da4", "the pawn on Da5 cannot go to Da4"),
        ("a5a4", "a move is written as two cells"),
        ("e2e4", "a move is written as two cells"),
        ("Da5Ea5é", "a move is written as two cells"),
    ] {
        let refusal = game.copy().act(Actor::Seat(Seat::One), said, 0).unwrap_err();
        assert!(refusal.why.contains(why), "{said}: {refusal:?}");
    }
}

#[test]
fn impossible_positions_are_refused_at_the_fault() {
    let bare = |first: &str| format!("{first}|5/5/5/5/5|5/5/5/5/5|5/5/5/5/5|5/5/5/5/4K w - - 0 1");
    for (fen, why) in [
        (String::from("x"), "write five levels"),
        (START.replacen('|', "/", 1), "write five levels"),
        (bare("4k/5/5/5"), "level A must have five ranks"),
        (bare("4k/5/5/5/6"), "“6” is not a piece"),
        (bare("4k/5/5/5/41R"), "more than five cells"),
        (bare("4k/5/5/5/4"), "rank 1 of level A has 4 cells"),
        (bare("5/5/5/5/5"), "each side must have one king, and black has 0"),
        (bare("3kk/5/5/5/5"), "each side must have one king, and black has 2"),
        (bare("4k/5/5/5/p4"), "a black pawn cannot be on Aa1"),
        (bare("R3k/5/5/5/5"), "the king on Ae5 can be captured"),
        (bare("4k/5/5/5/5").replace(" w ", " x "), "write w or b"),
        (bare("4k/5/5/5/5").replace("- -", "KQkq -"), "does not use this field; write -"),
        (bare("4k/5/5/5/5").replace(" 0 1", " 0 1 9"), "a seventh"),
        (bare("4k/5/5/5/5").replace(" 0 1", " 999 1"), "a number from 0 to 150"),
        ("P".repeat(300), "at most 256 characters"),
        (bare("4k/PPPPP/PPPPP/PPPPP/PPPPP"), "white has 21 pieces"),
    ] {
        let refusal = begin(GAME, &fen).err().unwrap_or_else(|| panic!("{fen} is read"));
        assert!(refusal.why.contains(why), "{fen}: {refusal:?}");
        assert!(refusal.at.is_some_and(|at| at <= fen.len()), "{fen}: {refusal:?}");
    }
}

#[test]
fn views_name_cells_and_levels() {
    let mut game = begin(GAME, "").unwrap();
    crate::kin::play(&mut game, "Bc2Cc2 Db4Cb4 BEa4");
    let diagram = &game.json(None)["view"]["diagram"];
    assert_eq!((&diagram["width"], &diagram["height"], &diagram["levels"]), (&json!(5), &json!(5), &json!(5)));
    assert_eq!(diagram["last"], json!(["Ba1", "Ea4"]));
    assert_eq!(diagram["pieces"].as_array().unwrap().len(), 39);
    assert_eq!(diagram["sheet"][2]["text"], "BxEa4");
    assert_eq!(diagram["pieces"][0], json!({"square": "Aa1", "color": "white", "name": "rook", "betza": ""}));
    let flat = begin("minichess", "").unwrap().json(None);
    assert_eq!(flat["view"]["diagram"].get("levels"), None::<&Value>);
    let seen: Vec<&str> = fen(&game).split('|').map(|_| "").collect();
    assert_eq!(seen.len(), 5);
}

#[test]
fn pgn_restores_the_last_position() {
    let mut game = begin(GAME, "").unwrap();
    crate::kin::play(&mut game, "Bc2Cc2 Db4Cb4 Ba1Ea4 Ea5Ea4");
    let text = "1. Cc2 Cb4 2. BxEa4 RxEa4 *";
    let read = Pgn::read(text).unwrap();
    assert_eq!(Raumschach::last_position(&read[0]).unwrap(), fen(&game));
}
