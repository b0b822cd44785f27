//! Text on link previews: every name is visible, and none exceeds the card.

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use zorkmid::{
    board::{
        Board, Size,
        cube::{CubePosition, START},
    },
    rules::Diagram,
    web::{
        png::render,
        position_picture::{CARD, NOWHERE, card, svg},
    },
};

/// Preview of an empty board with an empty title and a line of text, as SVG layers.
fn drawn(words: &str) -> Vec<String> {
    let board = Board::orthodox_of(Size::ORTHODOX);
    let diagram = Diagram::of(&board, &board.parse_fen("8/8/8/8/8/8/8/8").unwrap());
    card(&diagram, &NOWHERE, &["", words].map(str::to_owned))
}

/// Pixels of the line of text, row by row, each with its column, without the board.
fn line(words: &str) -> Vec<(usize, PremultipliedColorU8)> {
    let picture = Pixmap::decode_png(&render(&drawn(words)).unwrap()).unwrap();
    let rows = picture.pixels().chunks(CARD.0 as usize).skip(185).take(60);
    rows.flat_map(|row| row.iter().copied().enumerate().skip(630)).collect()
}

/// Counts the pixels that are darker than the paper.
fn ink(words: &str) -> usize {
    line(words).iter().filter(|(column, pixel)| *column >= 650 && pixel.red() < 0xc0).count()
}

#[test]
fn every_name_is_visible() {
    assert_eq!(ink(""), 0);
    for name in ["Zoë", "Ægir", "Дмитрий", "Νίκος", "Łukasz & <Þóra>", "Nguyễn"] {
        assert!(ink(name) > 200, "{name}");
    }
    // Letters missing from the fonts appear as boxes, so that such a name is visible.
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
        // The text begins at column 660 and may be 490 wide.
        let line = line(&words);
        let changed = line.iter().zip(&empty).filter(|(with, without)| with != without).map(|(with, _)| with.0);
        let (first, last) = changed.fold((usize::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
        assert!((658..=1150).contains(&first) && (658..=1150).contains(&last), "{words}: {first} to {last}");
        assert!(last - first >= least, "{words}: {first} to {last}");
    }
}

#[test]
fn five_levels_are_in_a_row_with_letters_and_text_below() {
    let diagram = Diagram::of_cube(&CubePosition::parse(START).unwrap());
    let row = svg(&diagram, &NOWHERE);
    assert_eq!(row.matches("<use ").count(), 40);
    let places: Vec<&str> =
        row.split("<g transform=\"translate(").skip(1).map(|level| level.split(' ').next().unwrap()).collect();
    // Squares, files and ranks are separate layers.
    assert_eq!(places, ["0", "265", "530", "795", "1060"].repeat(3));
    for level in 'A'..='E' {
        assert_eq!(row.matches(&format!(">{level}</text>")).count(), 1, "{level}");
    }
    // The last of six lines ends before the name of the site in the corner.
    let lines = ["Raumschach", "White to move", "", "White: Zoë", "Black: Ægir", &"W".repeat(60)].map(str::to_owned);
    let whole = card(&diagram, &NOWHERE, &lines);
    let without = card(&diagram, &NOWHERE, &lines[..5]);
    let [whole, without] = [whole, without].map(|drawn| Pixmap::decode_png(&render(&drawn).unwrap()).unwrap());
    let changed = whole.pixels().iter().zip(without.pixels()).enumerate().filter(|(_, (one, other))| one != other);
    let columns: Vec<usize> = changed.map(|(at, _)| at % CARD.0 as usize).collect();
    assert!(columns.len() > 500 && columns.iter().all(|column| (15..=645).contains(column)), "{}", columns.len());
}
