//! Chess variants against Fairy-Stockfish: legal moves in random games, and perft counts of positions drawn by `oracle/lines.py`.

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid_games::{
    board::{Board, Position},
    game::Clocks,
    registry,
    rules::{
        Actor, RulesVersion,
        auction_game::Base,
        chesslike::{ChessLike, Start},
        move_history::MoveHistory,
    },
    variants::{
        antichess::Antichess,
        atomic::Atomic,
        chess960::Chess960,
        crazyhouse::Crazyhouse,
        designed_chess::DesignedChess,
        horde::Horde,
        king_capture::{self, BOARD},
        king_of_the_hill::Hill,
        lrs::Lrs,
        minichess::Minichess,
        old_chess::OldChess,
        racing_kings::RacingKings,
        shatranj::Shatranj,
        three_check::ThreeCheck,
    },
};

use crate::{often::often, pyffish};

/// A variant in both programs.
struct Known {
    key: &'static str,
    options: Value,
    /// Name in Fairy-Stockfish, with a configuration if it is not built in.
    name: &'static str,
    config: &'static str,
    chess960: bool,
    /// Whether Fairy-Stockfish has only the mirror image, with colours and ranks reversed.
    mirrored: bool,
    /// Perft of a position to a depth.
    lines: fn(&str, u32) -> u64,
}

/// Results that follow from the position. Draws by move count or claim do not.
const ENDS: &[&str] = &[
    "checkmate",
    "stalemate",
    "nothing left to lose",
    "no move left",
    "horde captured",
    "king on the last rank",
    "both kings on the last rank",
    "king captured",
    "king exploded",
    "third check",
    "king on the hill",
];

/// Fairy-Stockfish configuration of the boards with four files.
const FOUR: &str = "[four:chess]\nmaxRank = 4\nmaxFile = 4\npromotionPieceTypes = qr\npromotionRegionWhite = *4\n\
                    promotionRegionBlack = *1\ndoubleStep = false\ncastling = false\nstartFen = rqkr/pppp/PPPP/RQKR w - - 0 1\n";
const NARROW: &str = "[narrow:chess]\nmaxRank = 8\nmaxFile = 4\npromotionPieceTypes = rbn\npromotionRegionWhite = *8\n\
                      promotionRegionBlack = *1\ndoubleStep = false\ncastling = false\n\
                      startFen = kbnr/pppp/4/4/4/4/PPPP/KBNR w - - 0 1\n";

/// Fairy-Stockfish configuration of old chess.
const OLD: &str = "[old:chess]\ncastling = false\nenPassantRegion = -\n";

/// Fairy-Stockfish configuration of LRS chess.
const LRS: &str = "[lrs:chess]\ncastling = false\nenPassantRegion = -\npromotionPieceTypes = q\nking = -\ncommoner = k\n\
                   extinctionValue = loss\nextinctionPieceTypes = k\n";

/// Fairy-Stockfish configuration of chess with king capture. Fog does not change the moves.
const KINGS: &str =
    "[kings:chess]\nking = -\ncommoner = k\ncastlingKingPiece = k\nextinctionValue = loss\nextinctionPieceTypes = k\n";

fn known() -> Vec<Known> {
    let usual =
        |key, name, lines| Known { key, options: json!({}), name, config: "", chess960: false, mirrored: false, lines };
    let small =
        |fen: &str, name| Known { options: json!({"fen": fen}), ..usual("minichess", name, lines::<Minichess>) };
    let designed = |fen: &str, name| Known {
        options: json!({"fen": fen}),
        ..usual("designed-chess", name, lines::<DesignedChess>)
    };
    vec![
        usual("three-check", "3check", lines::<ThreeCheck>),
        usual("king-of-the-hill", "kingofthehill", lines::<Hill>),
        Known { config: LRS, ..usual("lrs", "lrs", lines::<Lrs>) },
        usual("antichess", "antichess", lines::<Antichess>),
        usual("crazyhouse", "crazyhouse", lines::<Crazyhouse>),
        usual("racing-kings", "racingkings", lines::<RacingKings>),
        usual("atomic", "atomic", lines::<Atomic>),
        Known { options: json!({"horde_side": "white"}), ..usual("horde", "horde", lines::<Horde>) },
        usual("shatranj", "shatranj", lines::<Shatranj>),
        Known { config: OLD, ..usual("old-chess", "old", lines::<OldChess>) },
        usual("minichess", "gardner", lines::<Minichess>),
        small("rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1", "losalamos"),
        Known { config: FOUR, ..small("rqkr/pppp/PPPP/RQKR w - - 0 1", "four") },
        Known { config: NARROW, ..small("kbnr/pppp/4/4/4/4/PPPP/KBNR w - - 0 1", "narrow") },
        Known { chess960: true, ..usual("chess960", "chess", lines::<Chess960>) },
        designed("rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1 C=RN", "almost"),
        designed("rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1 A=RBN", "amazon"),
        Known { config: KINGS, ..usual("fog-of-war", "kings", lines_to_the_king) },
        Known { mirrored: true, ..usual("horde", "horde", lines::<Horde>) },
    ]
}

fn lines<T: ChessLike>(fen: &str, depth: u32) -> u64 {
    let Start { board, position, tally } = T::read(fen).unwrap();
    below::<T>(&board, &MoveHistory::new(&board, position), &tally, depth)
}

/// Perft. Of the tallies, only check counts end these games.
fn below<T: ChessLike>(board: &Board, course: &MoveHistory, tally: &T::Tally, depth: u32) -> u64 {
    if T::ending(T::ENDINGS, board, course, tally).is_some_and(|ending| ENDS.contains(&ending.reason)) {
        return 0;
    }
    let moves = board.moves(&course.position);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |mv| {
        let course = MoveHistory::new(board, board.after(&course.position, mv));
        let mut tally = tally.clone();
        T::count(&mut tally, &course);
        below::<T>(board, &course, &tally, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

/// Perft for games that end with the capture of a king.
fn lines_to_the_king(fen: &str, depth: u32) -> u64 {
    fn below(position: &Position, depth: u32) -> u64 {
        if BOARD.royals(position, position.turn).is_empty() {
            return 0;
        }
        let moves = BOARD.moves(position);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|mv| below(&BOARD.after(position, mv), depth - 1)).sum()
    }
    below(&king_capture::start(RulesVersion::CURRENT, Base::chess(), fen.trim()).unwrap(), depth)
}

/// The positions of random games, each with its legal moves.
fn moments(known: &Known, most: usize, rng: &mut StdRng) -> Vec<(String, Vec<String>)> {
    let mut moments = Vec::new();
    let variant = registry::find(known.key).unwrap();
    while moments.len() < most {
        let mut game = variant.begin(known.options.as_object().unwrap(), Clocks::new([None; 2])).unwrap();
        if let Some(word) = game.chance(rng) {
            game.act(Actor::Chance, &word, 0).unwrap();
        }
        let mut found = Vec::new();
        for _ in 0..200 {
            if game.outcome().is_some_and(|outcome| !ENDS.contains(&outcome.reason())) {
                break;
            }
            let seat = game.awaits().first().copied();
            let choices = game.diagram(seat).choices.unwrap_or_default();
            let moves = sorted(choices.into_iter().map(|choice| choice.action));
            let next = moves.choose(rng).cloned();
            found.push((game.ply(), moves));
            let (Some(seat), Some(next)) = (seat, next) else { break };
            game.act(Actor::Seat(seat), &next, 0).unwrap();
        }
        // Reveals hidden information by ending the game.
        if let Some(seat) = game.awaits().first() {
            game.act(Actor::Seat(*seat), "resign", 0).unwrap();
        }
        let fen = |ply| game.past(ply).unwrap().diagram(None).fen.unwrap();
        moments.extend(found.into_iter().map(|(ply, moves)| (fen(ply), moves)));
    }
    moments
}

fn sorted(moves: impl Iterator<Item = String>) -> Vec<String> {
    let mut moves: Vec<String> = moves.collect();
    moves.sort();
    moves
}

/// The mirror image of a position on a board with eight ranks.
fn mirror(fen: &str) -> String {
    let change = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> = fields[0].split('/').rev().map(|rank| rank.chars().map(change).collect()).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = fields[2].chars().map(change).collect();
    format!("{} {turn} {rights} {} {} {}", ranks.join("/"), mirrored(fields[3]), fields[4], fields[5])
}

/// The mirror image of a move or a square.
fn mirrored(text: &str) -> String {
    text.chars().map(|sign| sign.to_digit(10).map_or(sign, |rank| (b'0' + 9 - rank as u8) as char)).collect()
}

#[test]
fn random_games_match_fairy_stockfish() {
    let mut rng = StdRng::seed_from_u64(17);
    for known in known() {
        let moments = moments(&known, often(600), &mut rng);
        let turned = |(fen, moves): (String, Vec<String>)| {
            if known.mirrored { (mirror(&fen), sorted(moves.iter().map(|mv| mirrored(mv)))) } else { (fen, moves) }
        };
        let moments: Vec<(String, Vec<String>)> = moments.into_iter().map(turned).collect();
        // Removes the legend from the FEN fields.
        let fens: Vec<&str> = moments
            .iter()
            .map(|(fen, _)| fen.split_once(" A=").or(fen.split_once(" C=")))
            .zip(&moments)
            .map(|(cut, (fen, _))| cut.map_or(fen.as_str(), |(fields, _)| fields))
            .collect();
        let question = json!({"name": known.name, "config": known.config, "chess960": known.chess960, "fens": fens});
        let Some(answer) = pyffish::answer(include_str!("oracle/positions.py"), &question) else { return };
        let theirs: Vec<Vec<String>> = serde_json::from_value(answer).unwrap();
        assert_eq!(theirs.len(), moments.len());
        for ((fen, ours), theirs) in moments.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{} {fen}", known.key);
        }
    }
}

/// Positions of a game from `oracle/lines.txt`, the starting position first, each with a depth and its perft count. The depth is
/// at least `start` for the first position and at least four for the others.
pub(crate) fn counted(name: &str, start: u32) -> Vec<(&'static str, u32, u64)> {
    let own = |line: &'static str| {
        let [game, fen, depth, number] = line.split(';').collect::<Vec<_>>().try_into().unwrap();
        (game == name).then(|| (fen, depth.parse().unwrap(), number.parse().unwrap()))
    };
    let counted: Vec<(&str, u32, u64)> = include_str!("oracle/lines.txt").lines().filter_map(own).collect();
    assert!(counted.len() > 20, "{name}: oracle/lines.py counts lines from {} positions", counted.len());
    for (number, (fen, depth, _)) in counted.iter().enumerate() {
        let least = if number == 0 { start } else { 4 };
        assert!(*depth >= least, "{name} {fen}: oracle/lines.py counts lines of {depth} moves, not of {least}");
    }
    counted
}

#[test]
fn perft_matches_fairy_stockfish() {
    for known in known() {
        let legend = known.options["fen"].as_str().and_then(|fen| fen.split(' ').nth(6)).unwrap_or_default();
        let mut counted = counted(known.name, 5);
        counted.sort_by_key(|(.., number)| *number);
        for (fen, depth, number) in counted.iter().copied().take(often(counted.len())) {
            assert_eq!((known.lines)(&format!("{fen} {legend}"), depth), number, "{} {fen}", known.name);
        }
    }
}
