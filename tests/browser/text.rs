//! Every variant played to its end in text browsers, with links and buttons alone. These browsers support neither scripts nor styles nor the
//! `form` attribute of fields.

use super::{
    Site,
    often::is_whole,
    terminal::{BROWSERS, Reader, Terminal},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use zorkmid::registry::VARIANTS;

/// An action on a page.
#[derive(Clone, Copy)]
enum Step {
    /// Activates a link or a button.
    Press(&'static str),
    /// Types a text in the field after a label.
    Write(&'static str, &'static str),
    /// Activates a link or a button for White or for Black, depending on the side to move.
    Mover([&'static str; 2], [&'static str; 2]),
    /// Several actions.
    All(&'static [Step]),
}
use Step::{All, Mover, Press, Write};

/// A variant, its form fields, the actions, and a text of the last page.
type Game = (&'static str, &'static [(&'static str, &'static str)], &'static [Step], &'static str);

/// Each king is next to an opposing rook.
const OPEN: &str = "k7/R7/8/8/8/8/r7/K7 w - - 0 1";
/// A king in the corner, one move before mate.
const CORNER: &str = "7k/8/6K1/8/8/7p/8/R7 w - - 0 1";
const MATE: &[Step] = &[Press("a1, white rook"), Press("a8, can be reached")];
/// Fool's mate.
const QUICKEST: &[Step] = &[
    Press("f2, white pawn"),
    Press("f3, can be reached"),
    Press("e7, black pawn"),
    Press("e5, can be reached"),
    Press("g2, white pawn"),
    Press("g4, can be reached"),
    Press("d8, black queen"),
    Press("h4, can be reached"),
];
const CHANCE: &str = "How likely is White to win, in percent?";

/// A complete game of each variant.
const GAMES: &[Game] = &[
    ("chess", &[], QUICKEST, "Black wins against White: checkmate"),
    (
        "three-check",
        &[("option-fen", "4k3/8/8/8/8/8/8/4K2R w - - 1+3 0 1")],
        &[Press("h1, white rook"), Press("h8, can be reached")],
        "White wins against Black: third check",
    ),
    (
        "king-of-the-hill",
        &[("option-fen", "7k/8/8/8/8/4K3/8/8 w - - 0 1")],
        &[Press("e3, white king"), Press("e4, can be reached")],
        "White wins against Black: the white king reached the hill",
    ),
    (
        "crazyhouse",
        &[("option-fen", "6rk/6pp/8/8/8/8/8/6K1[N] w - - 0 1")],
        &[Press("Drop a knight"), Press("f7, can be reached")],
        "White wins against Black: checkmate",
    ),
    (
        "antichess",
        &[("option-fen", "8/8/8/8/8/1p6/P7/8 w - - 0 1")],
        &[Press("a2, white pawn"), Press("b3, black pawn")],
        "Black wins against White: nothing left to lose",
    ),
    (
        "atomic",
        &[("option-fen", "3qkb2/5p2/8/6N1/8/8/8/4K3 w - - 0 1")],
        &[Press("g5, white knight"), Press("f7, black pawn")],
        "White wins against Black: the black king exploded",
    ),
    (
        "fog-of-war",
        &[("option-fen", "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")],
        &[Press("I am White"), Press("e1, white rook"), Press("e8, black king")],
        "White wins against Black: the black king was captured",
    ),
    (
        "duck",
        &[("option-fen", "4k3/8/4*3/8/8/8/8/4Q1K1 w - - 0 1")],
        &[
            Press("g1, white king"),
            Press("g2, can be reached"),
            Press("a1, can be reached"),
            Press("e8, black king"),
            Press("e7, can be reached"),
            Press("a2, can be reached"),
            Press("e1, white queen"),
            Press("e7, black king"),
        ],
        "White wins against Black: the black king was captured",
    ),
    (
        "horde",
        &[("option-fen", "8/8/8/8/8/8/p7/R3K3 w - - 0 1")],
        &[Press("a1, white rook"), Press("a2, black pawn")],
        "White wins against Black: the horde was captured",
    ),
    (
        "racing-kings",
        &[("option-fen", "8/K7/8/8/8/8/k7/8 w - - 0 1")],
        &[Press("a7, white king"), Press("a8, can be reached")],
        "White wins against Black: the white king reached the last rank",
    ),
    (
        "raumschach",
        &[("option-fen", "5/5/5/5/K4|5/5/5/5/5|5/5/5/5/5|5/1Q3/4Q/5/5|4k/5/5/5/5 w - - 0 1")],
        &[Press("Db4, white queen"), Press("Ec5, can be reached")],
        "White wins against Black: checkmate",
    ),
    (
        "minichess",
        &[("option-fen", "4k/5/3K1/5/R4 w - - 0 1")],
        &[Press("a1, white rook"), Press("a5, can be reached")],
        "White wins against Black: checkmate",
    ),
    ("chess960", &[("option-fen", CORNER)], MATE, "White wins against Black: checkmate"),
    ("shatranj", &[("option-fen", CORNER)], MATE, "White wins against Black: checkmate"),
    ("old-chess", &[("option-fen", CORNER)], MATE, "White wins against Black: checkmate"),
    (
        "lrs",
        &[("option-fen", OPEN)],
        &[Press("a7, white rook"), Press("a8, black king")],
        "White wins against Black: the black king was captured",
    ),
    (
        "designed-chess",
        &[("option-fen", "7k/8/6K1/8/8/8/8/A7 w - - 0 1 A=RN")],
        &[Press("a1, white chancellor"), Press("a8, can be reached")],
        "White wins against Black: checkmate",
    ),
    (
        "handicap",
        &[],
        &[
            Write("moves first?", "90"),
            Press("Seal bid"),
            Press("I am Second player"),
            Write("moves first?", "80"),
            Press("Seal bid"),
            All(QUICKEST),
        ],
        "Black wins against White: checkmate",
    ),
    (
        "random-variant",
        &[("preset", "weighted")],
        &[
            Write("Chess", "9"),
            Press("Seal weights"),
            Press("I am Black"),
            Write("Chess", "1"),
            Press("Seal weights"),
            All(QUICKEST),
        ],
        "Black wins against White: checkmate",
    ),
    (
        "random-turn",
        &[("option-fen", OPEN)],
        &[Mover(["a7, white rook", "a8, black king"], ["a2, black rook", "a1, white king"])],
        "king was captured",
    ),
    (
        "bidding",
        &[("option-fen", OPEN)],
        &[
            Write("Your bid for the next move", "3"),
            Press("Bid"),
            Press("Accept"),
            Press("a2, black rook"),
            Press("a1, white king"),
        ],
        "Black wins against White: the white king was captured",
    ),
    (
        "bookie",
        &[("option-double", "2")],
        &[
            Write(CHANCE, "60"),
            Press("Seal bid"),
            Press("I am Second player"),
            Write(CHANCE, "40"),
            Press("Seal bid"),
            Press("Concede"),
            Press("I am Black"),
            Press("Play on"),
        ],
        "conceded",
    ),
    (
        "csipgs",
        &[("preset", "army")],
        &[
            // A designed piece appears off the board, before a known army is chosen.
            Press("1 forward: nothing"),
            Press("Add piece"),
            Press("Chess pieces"),
            Press("Seal army"),
            Press("I am Black"),
            Press("Chess pieces"),
            Press("Seal army"),
            Press("f2, white pawn"),
            Press("f3, can be reached"),
            Press("e7, black pawn"),
            Press("e6, can be reached"),
            Press("g2, white pawn"),
            Press("g3, can be reached"),
            Press("a7, black pawn"),
            Press("a6, can be reached"),
            Press("g3, white pawn"),
            Press("g4, can be reached"),
            Press("d8, black queen"),
            Press("h4, can be reached"),
        ],
        "Black wins against White: checkmate",
    ),
    (
        "clairvoyant",
        &[("option-fen", "7k/p4K1p/7P/8/8/8/8/1R6 w - - 0 1"), ("option-money_one", "14")],
        &[
            Press("I am White"),
            // A turn in parts, one of which is changed.
            Press("Build a turn"),
            Press("b1, white rook"),
            Press("b7, can be reached"),
            Press("Undo"),
            Press("b1, white rook"),
            Press("b8, can be reached"),
            Press("Play turn"),
            // A guess sheet with two guesses. The correct one is removed.
            Press("I am Black"),
            Press("b1, white rook"),
            Press("b8, can be reached"),
            Press("f7, white king"),
            Press("f8, can be reached"),
            Press("×Remove guess 1"),
            Press("Seal sheet"),
        ],
        "White wins against Black: checkmate",
    ),
];

/// Opens the form of a new pass-and-play game, and begins it.
async fn begin(site: &Site, reader: Reader, key: &str, fields: &[(&str, &str)]) -> Option<Terminal> {
    let mut address = format!("{}/new/{key}?opponent=self", &**site);
    for (name, value) in fields {
        address += &format!("&{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
    }
    let terminal = Terminal::open(reader, &address).await?;
    terminal.press("Begin").await;
    Some(terminal)
}

/// Performs an action on a page.
async fn act(terminal: &Terminal, step: &Step) {
    match step {
        Press(label) => terminal.press(label).await,
        Write(label, text) => terminal.write(label, text).await,
        Mover(white, black) => {
            let labels = if terminal.title().starts_with("White to move") { white } else { black };
            for label in labels {
                terminal.press(label).await;
            }
        }
        All(steps) => {
            for step in *steps {
                Box::pin(act(terminal, step)).await;
            }
        }
    }
}

/// The complete game of a variant.
fn way_to_the_end(variant: &str) -> &'static Game {
    GAMES.iter().find(|(key, ..)| *key == variant).unwrap_or_else(|| panic!("no way to the end of {variant}"))
}

#[test]
fn every_variant_has_a_complete_game() {
    for variant in VARIANTS {
        way_to_the_end(variant.key);
    }
}

/// Plays each variant to its end. In a short run, the two browsers share a third of the variants.
async fn every_variant_in(reader: Reader) {
    let site = Site::new();
    let (first, step) = match (is_whole(), reader) {
        (true, _) => (0, 1),
        (false, Reader::Lynx) => (0, 6),
        (false, Reader::W3m) => (3, 6),
    };
    for variant in VARIANTS.iter().skip(first).step_by(step) {
        let (key, fields, steps, end) = way_to_the_end(variant.key);
        let Some(terminal) = begin(&site, reader, key, fields).await else { return };
        for step in *steps {
            act(&terminal, step).await;
        }
        terminal.says(end).await;
        // The page keeps its title, whatever SVG images it contains.
        let title = format!("{} · Zorkmid", variant.title);
        assert!(terminal.title().ends_with(&title), "{reader:?}: “{}” and not “{title}”", terminal.title());
    }
}

#[tokio::test]
async fn every_variant_is_played_to_its_end_in_lynx() {
    every_variant_in(Reader::Lynx).await;
}

#[tokio::test]
async fn every_variant_is_played_to_its_end_in_w3m() {
    every_variant_in(Reader::W3m).await;
}

#[tokio::test]
async fn board_is_shown_and_resignation_asks_for_confirmation() {
    let site = Site::new();
    for reader in BROWSERS {
        let Some(terminal) = begin(&site, reader, "chess", &[]).await else { return };
        for row in ["8 r n b q k b n r", "2 P P P P P P P P", "1 R N B Q K B N R", "  a b c d e f g h"] {
            assert!(
                terminal.text().lines().any(|line| line.trim_end().ends_with(row)),
                "{reader:?}: {}",
                terminal.text()
            );
        }
        terminal.press("Resign…").await;
        terminal.says("Resign? You cannot undo this.").await;
        terminal.press("Keep playing").await;
        assert!(!terminal.text().contains("Resign?"));
        terminal.press("Resign…").await;
        terminal.press("Resign").await;
        terminal.says("Black wins against White: resignation").await;
    }
}
