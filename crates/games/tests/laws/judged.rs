//! Reviews of games: available only after the end, for every state, and always the same.

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    bots::Bot,
    game::Clocks,
    registry::Variant,
    rules::{Actor, Outcome, Seat, Turn},
};

/// Steps after which the game is resigned.
const STEPS: usize = 14;

/// Every state has a review after the end of the game and not before; some reviews have a winning chance.
pub(crate) fn is_reviewed_after_the_end(variant: &Variant) {
    let mut rng = StdRng::seed_from_u64(5);
    let mut game = variant.begin(&variant.defaults(), Clocks::new([None; 2])).unwrap();
    while game.ply() < STEPS && !matches!(game.turn(), Turn::Over(_)) {
        let (actor, word) = match (game.chance(&mut rng), game.awaits().first().copied()) {
            (Some(word), _) => (Actor::Chance, word),
            (None, Some(seat)) => (Actor::Seat(seat), game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap()),
            (None, None) => panic!("no actor is pending"),
        };
        game.act(actor, &word, 0).unwrap();
        if game.outcome().is_none() {
            assert_eq!(game.review_after(0), None, "{}: reviewed before its end", variant.key);
        }
    }
    while game.outcome().is_none() {
        // A match must be resigned deal by deal.
        let word =
            game.chance(&mut rng).map_or((Actor::Seat(Seat::One), "resign".to_owned()), |word| (Actor::Chance, word));
        let given_up = game.act(word.0, &word.1, 0).or_else(|_| game.act(Actor::Seat(Seat::One), "resign match", 0));
        given_up.unwrap_or_else(|refusal| panic!("{}: {refusal}", variant.key));
    }
    let judged: Vec<_> =
        (0..=game.ply()).map(|ply| game.review_after(ply).expect("every state has a review")).collect();
    assert_eq!(game.review_after(game.ply() + 1), None);
    assert!(judged.iter().flat_map(|moment| moment.chance).all(|chance| (0.0..=1.0).contains(&chance)), "{judged:?}");
    assert!(judged.iter().filter(|moment| moment.chance.is_some()).count() > 1, "{}: {judged:?}", variant.key);
    assert!(judged.iter().any(|moment| moment.better.iter().any(Option::is_some)), "{}: {judged:?}", variant.key);
    for (ply, moment) in judged.iter().enumerate().take(3) {
        assert_eq!(game.review_after(ply).as_ref(), Some(moment), "{}: the review is reproducible", variant.key);
    }
    for seat in Seat::BOTH {
        for moment in &judged {
            if let Some(better) = &moment.better[seat.index()] {
                assert_ne!(Some(&better.labelled.action), moment.of_seat(seat).map(|said| &said.action));
                assert!(better.lost.is_none_or(|lost| (0.0..=2.0).contains(&lost)), "{better:?}");
            }
        }
    }
    match game.outcome() {
        Some(Outcome::Win(winner, _)) => {
            let won = if winner == Seat::One { 1.0 } else { 0.0 };
            assert_eq!(judged.last().and_then(|last| last.chance), Some(won));
        }
        Some(Outcome::Draw(_) | Outcome::Void(_)) | None => {}
    }
}
