//! Statistics and search on the table of the 8×8 board.

use dashu_ratio::RBig;
use zorkmid_endgames::{
    Classes, Finding, Fraction, Material, SearchCriteria, Survey,
    board::{Color, Size},
    read, rules,
};

use super::{orthodox, table};
use crate::published::recoloured;

#[test]
fn every_position_is_counted_once() {
    let table = orthodox();
    let survey = Survey::of(&Classes::new(table.clone()));
    assert_eq!(survey.spreads.iter().map(|spread| spread.material).collect::<Vec<_>>(), Material::ALL);
    for spread in &survey.spreads {
        let layers = table.index().layers().iter().filter(|layer| layer.material == spread.material);
        assert_eq!(spread.classes, layers.map(|layer| layer.ids.len()).sum::<usize>());
        assert_eq!(spread.values.iter().sum::<usize>(), spread.classes);
        assert_eq!(spread.bits.iter().sum::<usize>(), spread.classes);
    }
    let quiescent: usize = survey.spreads.iter().map(|spread| spread.quiescent).sum();
    assert_eq!(quiescent, 462 + 4689 + 4 + 14_220, "the paper's four categories");
    // Bare kings are worth exactly a half; even adjacent kings are.
    assert_eq!(survey.spreads[0].values[10], survey.spreads[0].classes);
    assert_eq!(survey.spreads[0].bits, [0, 0, survey.spreads[0].classes]);
}

#[test]
fn largest_denominators_and_zugzwangs() {
    let table = orthodox();
    let survey = Survey::of(&Classes::new(table.clone()));
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
        let fen = rules(table.size())
            .placement_fen(&setup.position(rules(table.size()), zorkmid_endgames::board::Color::White));
        assert_eq!(super::ask(&fen).zugzwang, Some(true), "{fen}");
    }
}

#[test]
fn material_statistics_match_the_classes() {
    for (width, height) in [(3, 3), (4, 3), (4, 4), (8, 8)] {
        let classes = Classes::new(table(Size::new(width, height).unwrap()));
        let table = classes.table();
        for spread in Survey::of(&classes).spreads {
            let all: Vec<_> = classes.all().filter(|(_, setup)| setup.material == spread.material).collect();
            let values = || all.iter().map(|(id, _)| table.value_of(*id));
            assert_eq!(spread.classes, all.len());
            assert_eq!(table.value(spread.range[0]), values().min().unwrap(), "{} {}", table.size(), spread.material);
            assert_eq!(table.value(spread.range[1]), values().max().unwrap());
            assert_eq!(spread.distinct, values().collect::<std::collections::HashSet<_>>().len());
            let bids = || all.iter().map(|(id, _)| classes.bid(*id));
            assert_eq!(classes.bid(spread.bids[0].0), bids().min().unwrap());
            assert_eq!(classes.bid(spread.bids[1].0), bids().max().unwrap());
            for player in Color::BOTH {
                let longest = all.iter().map(|(id, _)| table.label_of(*id, player)).max().unwrap();
                assert_eq!(table.label(spread.longest[player.index()], player), longest);
            }
            let (first, count) = spread.frequent[0];
            assert_eq!(values().filter(|value| *value == table.value(first)).count(), count);
            assert!(spread.frequent.is_sorted_by(|a, b| a.1 >= b.1));
            // Each placement is an image of exactly one class.
            let squares = usize::from(width) * usize::from(height);
            let pawns = (usize::from(height) - 2) * usize::from(width);
            let positions = match spread.material {
                Material::Bare => squares * (squares - 1),
                Material::Pawn => pawns * (squares - 1) * (squares - 2),
                Material::Knight | Material::Bishop | Material::Rook | Material::Queen => {
                    squares * (squares - 1) * (squares - 2)
                }
            };
            assert_eq!(spread.positions, positions);
        }
    }
}

#[test]
fn class_bid_equals_the_answer_bid() {
    let table = table(Size::new(4, 4).unwrap());
    let at_hand = [std::sync::Arc::new(Classes::new(table.clone()))];
    let classes = &at_hand[0];
    for (id, setup) in classes.all() {
        let answer = super::ask(&classes.fen(setup));
        assert_eq!(super::exact(&answer.bid.as_ref().unwrap().fraction().unwrap()), classes.bid(id), "{setup:?}");
        let found = classes.finding(id, setup);
        assert_eq!((Some(found.zugzwang), Some(found.quiescent)), (answer.zugzwang, answer.quiescent));
        let labels = answer.certificate.map(|proof| (proof.white_label, proof.black_label));
        assert_eq!(Some((found.white_label, found.black_label)), labels);
        let brief = read(&found.fen).unwrap().answer_summary(&at_hand).unwrap();
        assert_eq!((brief.value, brief.bid), (answer.value, answer.bid));
        let turned = read(&recoloured(&found.fen)).unwrap();
        let (brief, answer) = (turned.answer_summary(&at_hand).unwrap(), turned.answer(&table));
        assert_eq!((&brief.fen, brief.value, brief.bid), (&answer.fen, answer.value, answer.bid));
        let labels = answer.certificate.map(|proof| (proof.white_label, proof.black_label));
        assert_eq!(brief.white_label.zip(brief.black_label), labels);
    }
}

#[test]
fn search_finds_each_match_once() {
    let classes = Classes::new(table(Size::new(4, 4).unwrap()));
    let share = |text: &str| Some(super::parse(text));
    let fits = |sought: &SearchCriteria| {
        let (mut found, mut total) = (Vec::new(), None);
        let mut sought = sought.clone();
        loop {
            let page = sought.search(&classes, 7);
            assert!(total.is_none_or(|total| total == page.total));
            total = Some(page.total);
            found.extend(page.classes);
            match page.next {
                Some(next) => sought.after = Some(next),
                None => break,
            }
        }
        assert_eq!(Some(found.len()), total);
        found
    };
    let all = fits(&SearchCriteria::default());
    assert_eq!(all.len(), classes.all().count());
    let fraction = |of: &Fraction| super::exact(of);
    let is = |found: &[Finding], holds: &dyn Fn(&Finding) -> bool| {
        assert!(!found.is_empty());
        assert_eq!(found.to_vec(), all.iter().filter(|one| holds(one)).cloned().collect::<Vec<_>>());
    };
    is(&fits(&SearchCriteria { material: Some(Material::Rook), ..SearchCriteria::default() }), &|one| {
        one.material == "KRvK"
    });
    is(&fits(&SearchCriteria { zugzwang: Some(true), ..SearchCriteria::default() }), &|one| one.zugzwang);
    is(&fits(&SearchCriteria { quiescent: Some(false), ..SearchCriteria::default() }), &|one| !one.quiescent);
    is(&fits(&SearchCriteria { denominator: Some(48u32.into()), ..SearchCriteria::default() }), &|one| {
        one.value.den == "48"
    });
    let (least, greatest) = (super::parse("31/48"), super::parse("2/3"));
    is(&fits(&SearchCriteria { value: [share("31/48"), share("2/3")], ..SearchCriteria::default() }), &|one| {
        (&least..=&greatest).contains(&&fraction(&one.value))
    });
    // Both ends of a range are inclusive, also for bids that occur.
    let mut bids: Vec<RBig> = all.iter().map(|one| fraction(&one.bid)).collect();
    bids.sort();
    let (low, high) = (bids[1].clone(), bids[bids.len() / 3].clone());
    is(&fits(&SearchCriteria { bid: [Some(low.clone()), Some(high.clone())], ..SearchCriteria::default() }), &|one| {
        (&low..=&high).contains(&&fraction(&one.bid))
    });
    is(&fits(&SearchCriteria { certificate: [Some(4), Some(5)], ..SearchCriteria::default() }), &|one| {
        (4..=5).contains(&one.white_label.max(one.black_label))
    });
}
