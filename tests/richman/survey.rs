//! What is remarkable in the table of the ordinary board.

use zorkmid::richman::{Fraction, Material, Survey, rules};

use super::orthodox;

#[test]
fn every_position_is_counted_once() {
    let table = orthodox();
    let survey = Survey::of(&table);
    assert_eq!(survey.spreads.iter().map(|spread| spread.material).collect::<Vec<_>>(), Material::ALL);
    for spread in &survey.spreads {
        let layers = table.index().layers().iter().filter(|layer| layer.material == spread.material);
        assert_eq!(spread.positions, layers.map(|layer| layer.ids.len()).sum::<usize>());
        assert_eq!(spread.values.iter().sum::<usize>(), spread.positions);
        assert_eq!(spread.bits.iter().sum::<usize>(), spread.positions);
    }
    let quiescent: usize = survey.spreads.iter().map(|spread| spread.quiescent).sum();
    assert_eq!(quiescent, 462 + 4689 + 4 + 14_220, "as the paper's four categories count them");
    // Bare kings are worth a half, or touch each other, which is worth no more and no less.
    assert_eq!(survey.spreads[0].values[10], survey.spreads[0].positions);
    assert_eq!(survey.spreads[0].bits, [0, 0, survey.spreads[0].positions]);
}

#[test]
fn the_largest_denominators_and_the_zugzwangs() {
    let table = orthodox();
    let survey = Survey::of(&table);
    let den = |at: usize| Fraction::from(table.value(survey.spreads[at].largest)).den;
    assert_eq!(den(Material::Knight as usize).len(), 138);
    assert_eq!(den(Material::Bishop as usize), "16");
    assert_eq!(den(Material::Rook as usize), "229627505902878720");
    assert_eq!(den(Material::Queen as usize).to_string(), (1u64 << 28).to_string());
    let odd = |id: &u32| (table.value_of(*id).denominator() % 2u32) == 1;
    let layers = table.index().layers();
    assert_eq!(layers.iter().flat_map(|layer| layer.ids.clone()).find(odd), None, "as on the 3×8 board");
    assert_eq!(survey.zugzwangs.len(), 3);
    for setup in &survey.zugzwangs {
        let fen = rules(table.size()).placement_fen(&setup.position(rules(table.size()), zorkmid::board::Color::White));
        assert_eq!(super::ask(&fen).zugzwang, Some(true), "{fen}");
    }
}
