//! Words on the previews of links: every name is seen, and none goes beyond the card.

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use zorkmid::{
    board::{
        Board, Size,
        cube::{CubePosition, START},
    },
    rules::Diagram,
    web::position_picture::{CARD, NOWHERE, card, png, svg},
};

/// The preview of an empty board with some words below a title that is empty, as sheets of vectors.
fn drawn(words: &str) -> Vec<String> {
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
        let drawn = drawn(&words).concat();
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

#[test]
fn five_levels_stand_in_a_row_with_their_letters_and_the_words_below_them() {
    let diagram = Diagram::of_cube(&CubePosition::parse(START).unwrap());
    let row = svg(&diagram, &NOWHERE);
    assert_eq!(row.matches("<use ").count(), 40);
    let places: Vec<&str> =
        row.split("<g transform=\"translate(").skip(1).map(|level| level.split(' ').next().unwrap()).collect();
    // Squares, files and ranks are a layer each.
    assert_eq!(places, ["0", "265", "530", "795", "1060"].repeat(3));
    for level in 'A'..='E' {
        assert_eq!(row.matches(&format!(">{level}</text>")).count(), 1, "{level}");
    }
    // The last line of six ends before the corner where the name of the site stands.
    let lines = ["Raumschach", "White to move", "", "White: Zoë", "Black: Ægir", &"W".repeat(60)].map(str::to_owned);
    let whole = card(&diagram, &NOWHERE, &lines);
    let without = card(&diagram, &NOWHERE, &lines[..5]);
    let [whole, without] = [whole, without].map(|drawn| Pixmap::decode_png(&png(&drawn).unwrap()).unwrap());
    let changed = whole.pixels().iter().zip(without.pixels()).enumerate().filter(|(_, (one, other))| one != other);
    let columns: Vec<usize> = changed.map(|(at, _)| at % CARD.0 as usize).collect();
    assert!(columns.len() > 500 && columns.iter().all(|column| (15..=645).contains(column)), "{}", columns.len());
}
