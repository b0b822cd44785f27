//! Unusual designs: every text of up to 64 characters is accepted or refused, and accepted designs can be bought, transferred,
//! shown and moved. Measures work, not time: `cargo bench -- designs` measures time.

use proptest::prelude::*;
use serde_json::json;
use zorkmid_games::{
    board::{Betza, Size},
    game::Live,
    variants::csipgs::price::{Catalogue, Quantum, breakdown, exact},
};

use super::{accepted, game, say};

/// Most different steps in a game: twelve terms of eight directions.
const STEPS: usize = 12 * 8;
/// On 64 squares a piece has at most 63 first steps and 63 second steps.
const CHOICES: usize = 16 * 63 * 64;

/// A text of up to 64 characters that is often a piece, or nearly one.
pub(super) fn text() -> impl Strategy<Value = String> {
    let cut = |text: String| text.chars().take(64).collect::<String>();
    prop_oneof![
        4 => "(royal-|doublemove-)?([mc]?(fh|ff|fs|bs|[fb])?[WFDAHGNLRBKQ]|<(Run|Two|Slow|Zebra|Twice|Hop|Gryphon|Fresh|Lend)>){1,20}".prop_map(cut),
        3 => "(royal-|doublemove-|royal-doublemove-)?([mc]?[WFDAHGNLRBKQ]){1,20}".prop_map(cut),
        2 => "[WFDAHGNLCKQRBfblrsvhmc<>a-zA-Z0-9-]{1,64}".prop_map(cut),
        1 => "\\PC{1,64}".prop_map(cut),
    ]
}

/// A game in which everything may be designed, with inventions made by both players.
pub(super) fn workshop() -> Box<Live> {
    let options = json!({"white_tenths": 10000, "black_tenths": 10000, "income_tenths": 1000, "inventions": true,
        "doublemove_after_turn": 0});
    let mut game = game(options);
    let inventions = [
        "Run runner",
        "Two range(2)",
        "Slow lamed",
        "Zebra leaper(2,3)",
        "Twice doublemove",
        "Horse lame(1,2)",
        "Hop hopper",
        "Gryphon bent(1,1,0,1)",
        "Fresh initial",
        "Lend relay",
    ];
    for (invention, home) in inventions.into_iter().zip(["e1e2", "e8e7", "e2e1", "e7e8"].into_iter().cycle()) {
        say(&mut game, &format!("{home}/invent {invention}/estimate 1000/estimate 6"));
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn designs_are_refused_or_playable(one in text(), two in text()) {
        let mut game = workshop();
        let home = |game: &Live, steps: [&str; 4]| {
            steps.into_iter().find(|step| accepted(game, step)).map(str::to_owned)
        };
        let mut designed = Vec::new();
        for text in [&one, &two] {
            let step = home(&game, ["e2e1", "e1e2", "e7e8", "e8e7"]);
            prop_assert!(step.is_some());
            say(&mut game, &step.unwrap());
            let seat = game.awaits()[0];
            match game.act(zorkmid_games::rules::Actor::Seat(seat), &format!("design 1 {text}"), 0) {
                Ok(line) => designed.push(Some(line.text.rsplit(' ').next().unwrap().to_owned())),
                Err(refusal) => {
                    prop_assert!(refusal.to_string().len() > 10);
                    prop_assert!(refusal.at.is_none_or(|at| at <= "design 1 ".len() + text.len()), "{text:?} {refusal}");
                    designed.push(None);
                    say(&mut game, "keep");
                }
            }
        }
        // Each player buys its design, transfers it, and moves it twice.
        for round in 0..4 {
            for piece in &designed {
                if game.outcome().is_some() {
                    return Ok(());
                }
                let view = game.json(Some(game.awaits()[0]));
                let actions: Vec<String> = serde_json::from_value(view["actions"].clone()).unwrap();
                prop_assert!(actions.len() <= CHOICES, "{}", actions.len());
                let wanted = piece.as_ref().map(|piece| match round {
                    0 => format!("buy {piece}"),
                    1 => format!("transfer {piece} "),
                    _ => String::new(),
                });
                let fits = |action: &&String| match &wanted {
                    Some(wanted) if !wanted.is_empty() => action.starts_with(wanted.as_str()),
                    Some(_) | None => action.as_bytes()[0] != b'e',
                };
                let choice = actions.iter().rev().find(fits).or(actions.last()).unwrap().clone();
                prop_assert!(accepted(&game, &choice), "{choice}");
                say(&mut game, &choice);
                if game.outcome().is_none() {
                    say(&mut game, "keep");
                }
            }
        }
    }

    #[test]
    fn the_work_for_a_design_is_bounded(text in text()) {
        if let Ok(piece) = text.parse::<Betza>() {
            prop_assert!(piece.terms.len() <= 2 * 64);
            prop_assert!(piece.steps().len() <= STEPS, "{text}: {}", piece.steps().len());
            let canonical = piece.to_string();
            prop_assert!(canonical.len() <= 3 * text.len() + 32, "{text}: {canonical}");
            let cost = exact(&piece, &Catalogue::default());
            prop_assert_eq!(breakdown(&piece, &Catalogue::default()).exact, cost);
            prop_assert!(Quantum::ALL.into_iter().all(|quantum| quantum.price(cost) > 0));
            let _ = piece.design(Size::ORTHODOX);
            prop_assert!(piece.in_words().len() < 40_000);
        }
    }
}
