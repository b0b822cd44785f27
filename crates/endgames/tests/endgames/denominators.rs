//! The paper's claims about denominators (§§9–10).

use dashu_int::UBig;
use dashu_ratio::RBig;
use zorkmid_endgames::Material;

use super::{ask, orthodox, value};

fn values(material: Material) -> Vec<RBig> {
    let table = orthodox();
    let layers = table.index().layers().iter().filter(|layer| layer.material == material);
    layers.flat_map(|layer| layer.ids.clone()).map(|id| table.value_of(id).clone()).collect()
}

fn largest(values: &[RBig]) -> UBig {
    values.iter().map(|value| value.denominator()).max().unwrap().clone()
}

fn divided(values: &[RBig], by: u32) -> bool {
    values.iter().any(|value| (value.denominator() % by) == 0)
}

#[test]
fn bishop_queen_and_rook() {
    let bishop = values(Material::Bishop);
    let mut found: Vec<u64> = bishop.iter().map(|value| value.denominator().try_into().unwrap()).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, [2, 4, 8, 16], "only a captured king has a denominator of 1");

    let queen = values(Material::Queen);
    assert_eq!(largest(&queen), UBig::ONE << 28);
    assert!([3, 5, 17].iter().all(|prime| divided(&queen, *prime)));

    let rook = values(Material::Rook);
    assert_eq!(largest(&rook), UBig::from(229_627_505_902_878_720u64));
    assert_eq!(largest(&rook), UBig::from(27u32 * 5 * 7 * 13 * 17) << 40);
    assert!(divided(&rook, 251));
}

#[test]
fn the_most_complex_position() {
    let answer = ask("4N3/8/8/8/8/8/8/k2K4");
    let most = value(&answer).denominator().clone();
    let shown = answer.value.unwrap();
    assert_eq!((shown.num.len(), shown.den.len()), (138, 138));
    assert_eq!(format!("{:.10}", shown.approx), "0.5894104617");
    for material in Material::ALL {
        let largest = largest(&values(material));
        assert!(largest <= most && (largest < most || material == Material::Knight), "{material}");
    }
    let factors = [
        "81",
        "125",
        "49",
        "17",
        "211",
        "487",
        "63587",
        "68891",
        "1894603",
        "42481581776421430245997",
        "240980537473228976453730945188262261414394247399",
    ];
    let product = factors.iter().fold(UBig::ONE << 131, |product, factor| product * factor.parse::<UBig>().unwrap());
    assert_eq!(most, product);
}
