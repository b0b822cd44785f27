//! Words on the previews of links: every name is seen, and none goes beyond the card.

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use zorkmid::{
    board::{Board, Size},
    rules::Diagram,
    web::picture::{CARD, NOWHERE, card, png},
};

/// The preview of an empty board with some words below a title that is empty, as vectors.
fn drawn(words: &str) -> String {
    let board = Board::orthodox_of(Size::ORTHODOX);
    let diagram = Diagram::of(&board, &board.parse_fen("8/8/8/8/8/8/8/8").unwrap());
    card(&diagram, &NOWHERE, &["", words].map(str::to_owned))
}

/// The pixels of the line where the words stand, row by row, each with its column; the board is left out.
fn line(words: &str) -> Vec<(usize, PremultipliedColorU8)> {
    let picture = Pixmap::decode_png(&png(&drawn(words)).unwrap()).unwrap();
    let rows = picture.pixels().chunks(CARD.0 as usize).skip(185).take(60);
    rows.flat_map(|row| row.iter().copied().enumerate().skip(630)).collect()
}

/// Counts the pixels that are darker than the paper.
fn ink(words: &str) -> usize {
    line(words).iter().filter(|(column, pixel)| *column >= 650 && pixel.red() < 0xc0).count()
}

#[test]
fn every_name_leaves_ink() {
    assert_eq!(ink(""), 0);
    for name in ["Zoë", "Ægir", "Дмитрий", "Νίκος", "Łukasz & <Þóra>", "Nguyễn"] {
        assert!(ink(name) > 200, "{name}");
    }
    // Letters that the fonts lack are boxes, so that a name of them is seen to be there.
    for name in ["名", "שם", "اسم", "🐴"] {
        assert!(ink(name) > 30, "{name}");
    }
    assert_ne!(ink("Zoë"), ink("Zoe"));
}

#[test]
fn long_lines_stay_on_the_card() {
    let empty = line("");
    for (words, least) in [("W".repeat(60), 480), ("Щ".repeat(60), 480), ("a short one".to_owned(), 100)] {
        let drawn = drawn(&words);
        let text = drawn.split("<text ").find(|text| text.contains(&format!(">{words}<"))).unwrap();
        let size: f32 = text.split("font-size=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        assert!(size <= 34.0, "{words}: {size}");
        // The words begin at column 660 and have room for 490.
        let line = line(&words);
        let changed = line.iter().zip(&empty).filter(|(with, without)| with != without).map(|(with, _)| with.0);
        let (first, last) = changed.fold((usize::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
        assert!((658..=1150).contains(&first) && (658..=1150).contains(&last), "{words}: {first} to {last}");
        assert!(last - first >= least, "{words}: {first} to {last}");
    }
}
