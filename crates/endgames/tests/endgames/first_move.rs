//! A player who always makes the first listed move wins whenever the share of the money is above the threshold, and every game ends.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid_endgames::{
    Answer, Choice, FourFiles,
    board::{Color, Position, Size, Square},
    read, rules,
};

use super::{ask, often::often, orthodox};

/// Answer for a position, with the files of four pieces.
fn answer(files: Option<&FourFiles>, fen: &str) -> Answer {
    let known = files.and_then(|files| read(fen).unwrap().of_four(&orthodox(), files).unwrap());
    known.map_or_else(|| ask(fen), |(answer, _)| answer)
}

/// The bound that concerns a player: White's of α, Black's of β.
fn bound(player: Color, alpha: &str, beta: &str) -> f64 {
    if player == Color::White { alpha } else { beta }.parse().unwrap()
}

fn after(player: Color, choice: &Choice) -> f64 {
    bound(player, &choice.alpha.lo, &choice.beta.hi)
}

fn here(player: Color, answer: &Answer) -> f64 {
    bound(player, &answer.alpha.as_ref().unwrap().lo, &answer.beta.as_ref().unwrap().hi)
}

/// Makes a move and returns the placement after it.
fn moved(fen: &str, mover: Color, uci: &str) -> String {
    let board = rules(Size::ORTHODOX);
    let mut from: Position = read(fen).unwrap().position;
    from.turn = mover;
    let mv = board.find(&from, uci.parse().unwrap()).unwrap();
    board.placement_fen(&board.after(&from, mv))
}

/// Plays a game. The player bids half the difference of the best moves and an eighth of the surplus. An opponent with more money than that outbids
/// in a third of the cases and makes the best move or any. Returns the winner.
fn play(files: Option<&FourFiles>, fen: &str, player: Color, chance: &mut StdRng) -> &'static str {
    let mut fen = fen.to_owned();
    let sign = if player == Color::White { 1.0 } else { -1.0 };
    let mut black = here(player, &answer(files, &fen)) - 0.01 * sign;
    for _ in 0..400 {
        let answer = answer(files, &fen);
        if let Some(winner) = answer.terminal {
            return winner;
        }
        let surplus = (here(player, &answer) - black) * sign;
        assert!(surplus > 0.0, "{fen}: {surplus}");
        let most = answer.white.iter().map(|choice| after(player, choice)).fold(0.0, f64::max);
        let least = answer.black.iter().map(|choice| after(player, choice)).fold(1.0, f64::min);
        let bid = (most - least) / 2.0 + surplus / 8.0;
        let [own, theirs] = if player == Color::White { [1.0 - black, black] } else { [black, 1.0 - black] };
        let bid = bid.min(own);
        let mover = if theirs > bid && chance.random_range(0..3) == 0 { !player } else { player };
        let moves = if mover == Color::White { &answer.white } else { &answer.black };
        let any = mover != player && chance.random();
        let mv = if any { &moves[chance.random_range(0..moves.len())] } else { &moves[0] };
        black += if mover == Color::White { bid } else { -bid };
        fen = moved(&fen, mover, &mv.uci);
    }
    panic!("the game does not end: {fen}");
}

/// A random position with the given pieces.
fn drawn(pieces: &str, chance: &mut StdRng) -> String {
    let board = rules(Size::ORTHODOX);
    loop {
        let mut rows = [[None; 8]; 8];
        for letter in pieces.chars() {
            let square = Square::at(chance.random_range(0..64));
            rows[usize::from(square.rank())][usize::from(square.file())] = Some(letter);
        }
        let row = |row: &[Option<char>; 8]| row.map(|letter| letter.unwrap_or('1')).iter().collect::<String>();
        let fen = rows.iter().map(row).collect::<Vec<_>>().join("/");
        if rows.iter().flatten().flatten().count() == pieces.len()
            && let Ok(question) = read(&fen)
        {
            return board.placement_fen(&question.position);
        }
    }
}

/// Plays random games from positions in which the player can have a share that is one percent above the threshold.
fn wins(files: Option<&FourFiles>, pieces: &str, games: usize, seed: u64) {
    let mut chance = StdRng::seed_from_u64(seed);
    for number in 0..games {
        let fen = drawn(pieces, &mut chance);
        let player = if number % 2 == 0 { Color::White } else { Color::Black };
        let threshold = here(player, &answer(files, &fen));
        if (0.02..0.98).contains(&threshold) {
            assert_eq!(play(files, &fen, player, &mut chance), player.name(), "{fen}");
        }
    }
}

#[test]
fn the_first_move_wins_with_three_pieces() {
    for (seed, pieces) in ["Kk", "KkN", "KkB", "KkR", "KkQ", "KkP", "Kkn", "Kkr"].into_iter().enumerate() {
        wins(None, pieces, often(10), seed as u64);
    }
}

#[test]
fn the_first_move_wins_with_four_pieces() {
    let (folder, _) = super::four::rook_and_bishop();
    let files = FourFiles::new(folder.path().to_owned());
    wins(Some(&files), "KkRB", often(20), 8);
    wins(Some(&files), "Kkrb", often(20), 9);
}

#[test]
fn a_king_that_always_moves_captures() {
    let mut fen = "k7/8/8/8/8/8/8/7K".to_owned();
    for _ in 0..60 {
        let answer = ask(&fen);
        if answer.terminal.is_some() {
            return;
        }
        assert_eq!(answer.white[0].best, Some(true));
        fen = moved(&fen, Color::White, &answer.white[0].uci);
    }
    panic!("no capture: {fen}");
}
