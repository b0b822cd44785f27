//! Number of piece sets, and their exact odds.

use num_rational::Ratio;
use zorkmid_games::{
    board::Color,
    variants::bookie::{PieceSet, SETS, board, check_officers},
};

#[test]
fn there_are_123_sets_of_1_to_8_pieces() {
    // An independent count from the rule.
    let mut expected = Vec::new();
    for counts in (0..625).map(|n| [n % 5, n / 5 % 5, n / 25 % 5, n / 125].map(|count| count as u8)) {
        let [n, b, r, q] = counts.map(u32::from);
        if (12..=53).contains(&(6 * n + 7 * b + 10 * r + 18 * q)) {
            expected.push(counts);
        }
    }
    assert_eq!(expected.len(), 123);
    expected.sort();
    let mut sets: Vec<[u8; 4]> = SETS.iter().map(|set| set.counts()).collect();
    sets.sort();
    assert_eq!(sets, expected);
    let by_size = (0..10).map(|size| SETS.iter().filter(|set| set.size() == size).count());
    assert_eq!(by_size.collect::<Vec<_>>(), [0, 1, 10, 19, 30, 30, 24, 8, 1, 0]);
    assert!(SETS.iter().all(|set| set.counts()[3] <= 2));
}

#[test]
fn every_value_but_15_occurs() {
    let missing: Vec<u32> = (12..=53).filter(|value| SETS.iter().all(|set| set.value() != *value)).collect();
    assert_eq!(missing, [15]);
    assert!(SETS.is_sorted_by_key(|set| set.value()));
}

#[test]
fn a_set_has_4_to_27_replies_and_there_are_2128_pairs() {
    let replies: Vec<usize> = SETS.iter().map(|set| set.replies().len()).collect();
    assert_eq!(replies.iter().sum::<usize>(), 2128);
    assert_eq!((replies.iter().min(), replies.iter().max()), (Some(&4), Some(&27)));
    for white in SETS {
        let value = white.value();
        let expected = SETS.iter().filter(|set| (value..=(value + 4).min(53)).contains(&set.value()));
        assert!(expected.eq(white.replies()));
        assert!(white.replies().contains(&white));
    }
}

#[test]
fn the_odds_are_exact() {
    let each = Ratio::new(1i128, 123);
    let mut equal = Ratio::ZERO;
    let mut values = [Ratio::<i128>::ZERO; 2];
    let mut differences = [Ratio::<i128>::ZERO; 5];
    for white in SETS {
        let reply = each / white.replies().len() as i128;
        equal += reply;
        values[0] += each * i128::from(white.value());
        for black in white.replies() {
            values[1] += reply * i128::from(black.value());
            differences[(black.value() - white.value()) as usize] += reply;
        }
    }
    assert_eq!(equal, Ratio::new(11_016_985_423, 149_675_034_600));
    assert_eq!(values[0], Ratio::new(4732, 123));
    let rounded = |ratio: Ratio<i128>, places: i128| (ratio * places).round().to_integer();
    assert_eq!(rounded(values[1], 100), 4031);
    assert_eq!(differences.map(|odds| rounded(odds, 10_000)), [2527, 1984, 1895, 1752, 1842]);
}

#[test]
fn a_board_reports_its_sets_and_their_errors() {
    let read = |placement: &str| board().parse_fen(placement).unwrap();
    let fits = read("qk6/8/8/8/8/8/8/RBK5");
    assert_eq!(PieceSet::of(&fits, Color::White).map(PieceSet::counts), Ok([0, 1, 1, 0]));
    assert_eq!(check_officers(&fits).map(|sets| sets.map(PieceSet::value)), Ok([17, 18]));
    for (placement, why) in [
        ("nnb5/8/8/8/8/8/8/NNNNN3", "white has 5 knights; the limit is 4"),
        ("qqq5/8/8/8/8/8/8/QQRN4", "black’s pieces are worth 54; the range is 12 to 53"),
        ("nn6/8/8/8/8/8/8/R7", "white’s pieces are worth 10; the range is 12 to 53"),
        (
            "nb6/8/8/8/8/8/8/BB6",
            "white’s pieces are worth 14 and black’s 13; black’s must be worth the same or up to 4 more",
        ),
        (
            "nnb5/8/8/8/8/8/8/BB6",
            "white’s pieces are worth 14 and black’s 19; black’s must be worth the same or up to 4 more",
        ),
    ] {
        assert_eq!(check_officers(&read(placement)).unwrap_err().to_string(), why, "{placement}");
    }
}
