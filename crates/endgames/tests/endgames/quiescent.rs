//! The quiescent positions of the 8×8 board and how soon they can be ended (§8), and the best promotion of a pawn (§12).

use std::{cmp::Ordering, collections::BTreeMap};

use zorkmid_endgames::{
    LOST, Material, Next, Setup, Table, WON,
    board::{Color, Size, Square},
    rules,
};

use super::{orthodox, read, value};

fn fen(setup: Setup) -> String {
    let board = rules(Size::ORTHODOX);
    board.placement_fen(&setup.position(board, Color::White))
}

/// White's best value compared with Black's: `Less` in a zugzwang, `Equal` in a quiescent position.
fn order(table: &Table, setup: Setup) -> Ordering {
    let board = rules(Size::ORTHODOX);
    let [white, black] = Color::BOTH.map(|mover| {
        let moves = board.moves(&setup.position(board, mover)).into_iter();
        moves.map(move |mv| match (setup.after(mover, mv), mover) {
            (Next::KingTaken, Color::White) => table.value_of(WON),
            (Next::KingTaken, Color::Black) => table.value_of(LOST),
            (Next::Setup(next), _) => table.value(next),
        })
    });
    white.max().cmp(&black.min())
}

/// Category in the paper, with the greatest labels of White and Black that the paper gives.
fn category(setup: Setup) -> Option<(&'static str, u16, u16)> {
    let Setup { material, king, bare, piece } = setup;
    let at = |square: Square| (square.file(), square.rank());
    let opposite = bare.dark() != piece.dark();
    let edge = |file: u8| if at(piece).0 >= 4 { 7 - file } else { file };
    match material {
        Material::Bare => Some(("bare kings", 7, 7)),
        Material::Bishop if opposite => Some(("ghost bishop", 7, 7)),
        Material::Pawn if at(piece).0 == at(bare).0 && at(bare).1 > at(piece).1 => Some(("blocked pawn", 7, 13)),
        Material::Pawn => {
            let places = (edge(at(king).0), at(king).1, edge(at(bare).0), at(bare).1, edge(at(piece).0), at(piece).1);
            let known = [(0, 6, 2, 6, 0, 5), (0, 7, 2, 6, 0, 5), (0, 7, 2, 6, 0, 6), (0, 7, 2, 7, 0, 6)];
            known.contains(&places).then_some(("cornered king", 2, 2))
        }
        Material::Bishop | Material::Knight | Material::Rook | Material::Queen => None,
    }
}

#[test]
fn the_four_categories() {
    let table = orthodox();
    let mut seen: BTreeMap<&str, (usize, u16, u16)> = BTreeMap::new();
    let (mut zugzwangs, mut highest) = (0, 0);
    for layer in table.index().layers() {
        for id in layer.ids.clone() {
            let setup = table.index().setup(layer, id);
            let labels = Color::BOTH.map(|color| table.label_of(id, color));
            highest = highest.max(labels[0]).max(labels[1]);
            let order = order(&table, setup);
            if order == Ordering::Greater {
                continue;
            }
            let answer = read(&fen(setup)).unwrap().answer(&table);
            assert_eq!(answer.zugzwang, Some(order == Ordering::Less));
            assert_eq!(answer.quiescent, Some(order == Ordering::Equal));
            if order == Ordering::Less {
                zugzwangs += 1;
                continue;
            }
            let place = fen(setup);
            let (name, white, black) = category(setup).unwrap_or_else(|| panic!("{place} is in no category"));
            assert!(labels[0] <= white && labels[1] <= black, "{place}: {labels:?}");
            assert_eq!(value(&answer), super::parse("1/2"), "{place}");
            let entry = seen.entry(name).or_default();
            *entry = (entry.0 + 1, entry.1.max(labels[0]), entry.2.max(labels[1]));
        }
    }
    let found: Vec<(&str, (usize, u16, u16))> = seen.into_iter().collect();
    let expected = [
        // Up to symmetry, two kings that do not touch have 462 placements. The four positions with a cornered king are counted without mirror
        // images.
        ("bare kings", (462, 7, 7)),
        ("blocked pawn", (4689, 7, 13)),
        ("cornered king", (4, 2, 2)),
        ("ghost bishop", (14_220, 7, 7)),
    ];
    assert_eq!(found, expected);
    assert_eq!(zugzwangs, 3, "figure 8 and two more positions");
    assert_eq!(highest, 16);
}

#[test]
fn a_rook_or_bishop_is_never_better_than_a_queen() {
    let table = orthodox();
    let layers = table.index().layers();
    let queens = layers.iter().find(|layer| layer.material == Material::Queen).unwrap();
    for id in queens.ids.clone() {
        let queen = table.index().setup(queens, id);
        for material in [Material::Rook, Material::Bishop] {
            assert!(table.value_of(id) >= table.value(Setup { material, ..queen }), "{queen:?}");
        }
    }
}
