//! What holds for every variant. Nothing here knows any of them: the tests are made when they run, one for each variant and each law,
//! from the list that the program itself offers, so that a new line in that list is under all laws.
#![allow(clippy::disallowed_methods, reason = "tests read what the test command tells them")]

mod again;
mod bots;
mod files;
mod grammar;
mod held;
mod judged;
mod random_games;
mod records;
mod toy;

#[path = "../../../../tests/support/often.rs"]
mod often;

use std::{
    process::ExitCode,
    sync::{Arc, OnceLock},
};

use libtest_mimic::{Arguments, Trial};
use often::often;
use random_games::{Broken, Law, broken, options_are_described};
use zorkmid_games::registry::{VARIANTS, Variant};

/// Random games for each variant, shared among the presets.
const GAMES: usize = 32;
/// Random games of the toy.
const FEW: usize = 60;

/// A test that fails when it panics.
fn test(name: String, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        run();
        Ok(())
    })
}

/// One test for each law. The first that runs plays the random games for all of them.
fn under_all_laws(variant: &'static Variant) -> Vec<Trial> {
    let played: Arc<OnceLock<Broken>> = Arc::default();
    let trial = |law: Law| {
        let played = played.clone();
        test(format!("{}::{}", variant.key, law.name()), move || {
            let broken = played.get_or_init(|| broken(variant, &Law::ALL, often(GAMES)));
            if let Some(how) = broken.get(&law) {
                panic!("{how}");
            }
        })
    };
    Law::ALL.into_iter().map(trial).collect()
}

/// All else that one variant is held to.
fn of(variant: &'static Variant) -> Vec<Trial> {
    let key = variant.key;
    let mut trials = Vec::new();
    trials.push(test(format!("{key}::options_are_described"), move || options_are_described(variant)));
    trials.push(test(format!("{key}::what_is_listed_is_enough"), move || grammar::what_is_listed_is_enough(variant)));
    trials
        .push(test(format!("{key}::files_hold_every_option"), move || files::hold_every_option(variant, often(GAMES))));
    trials.push(test(format!("{key}::levels_come_to_an_end"), move || bots::levels_come_to_an_end(variant)));
    let judged = move || judged::is_looked_back_at_when_it_is_over(variant);
    trials.push(test(format!("{key}::is_looked_back_at_when_it_is_over"), judged));
    let same = move || bots::the_same_chance_gives_the_same_choice(variant);
    trials.push(test(format!("{key}::the_same_chance_gives_the_same_choice"), same));
    if again::is_asked(variant) {
        trials.push(test(format!("{key}::what_is_written_is_read"), move || again::what_is_written_is_read(variant)));
    }
    for (number, (preset, options)) in (variant.presets)().into_iter().enumerate() {
        let name = format!("{key}::has_the_record_{}", records::name(variant, preset));
        trials.push(test(name, move || records::is_kept(variant, preset, &options, number as u64)));
    }
    trials
}

/// A planted fault is found by the law that forbids it.
fn planted(name: &str, variant: Variant, law: Law, games: usize) -> Trial {
    test(format!("planted::{name}"), move || {
        assert!(broken(&variant, &[law], games).contains_key(&law), "the planted fault went unnoticed");
    })
}

/// A variant whose listed actions mislead is found out.
fn misled(name: &str, variant: Variant) -> Trial {
    test(format!("planted::{name}"), move || {
        let played = held::held(|| grammar::what_is_listed_is_enough(&variant));
        assert!(played.is_err(), "the planted fault went unnoticed");
    })
}

/// The toy obeys the laws, and its faulty copies do not: the laws can fail.
fn toys() -> Vec<Trial> {
    let honest = |law: Law| {
        test(format!("toy::{}", law.name()), move || {
            let broken = broken(&Variant::of::<toy::Toy<{ toy::HONEST }>>(), &[law], FEW);
            assert!(broken.is_empty(), "{broken:?}");
        })
    };
    let mut trials: Vec<Trial> = Law::ALL.into_iter().map(honest).collect();
    trials.extend([
        planted("shows_secret", Variant::of::<toy::Toy<{ toy::SHOWS_SECRET }>>(), Law::Redealing, FEW),
        planted("counts_secret", Variant::of::<toy::Toy<{ toy::COUNTS_SECRET }>>(), Law::Redealing, FEW),
        planted("never_ends", Variant::of::<toy::Toy<{ toy::NEVER_ENDS }>>(), Law::Ending, 1),
        planted("forgets_candidates", Variant::of::<toy::Toy<{ toy::FORGETS_CANDIDATES }>>(), Law::Turns, FEW),
        planted("loose_text", Variant::of::<toy::Toy<{ toy::LOOSE_TEXT }>>(), Law::Text, FEW),
        planted("anyone_is_chance", Variant::of::<toy::Toy<{ toy::ANYONE_IS_CHANCE }>>(), Law::Turns, FEW),
        planted("tells_secret", Variant::of::<toy::Toy<{ toy::TELLS_SECRET }>>(), Law::Secrecy, FEW),
        planted("recalls_nothing", Variant::of::<toy::Toy<{ toy::RECALLS_NOTHING }>>(), Law::Files, FEW),
        test("toy::what_is_listed_is_enough".to_owned(), || {
            grammar::what_is_listed_is_enough(&Variant::of::<toy::Toy<{ toy::HONEST }>>());
        }),
        misled("lists_nothing", Variant::of::<toy::Toy<{ toy::LISTS_NOTHING }>>()),
        misled("lists_too_much", Variant::of::<toy::Toy<{ toy::LISTS_TOO_MUCH }>>()),
        misled("speaks_otherwise", Variant::of::<toy::Toy<{ toy::SPEAKS_OTHERWISE }>>()),
        planted("denies_secret", Variant::of::<toy::Toy<{ toy::DENIES_SECRET }>>(), Law::Answers, FEW),
    ]);
    trials
}

fn main() -> ExitCode {
    held::hold_panics();
    let mut laws: Vec<Vec<Trial>> = VARIANTS.iter().map(under_all_laws).collect();
    // The games of different variants are played side by side: tests that only read what was found come after.
    let mut trials: Vec<Trial> = laws.iter_mut().filter_map(Vec::pop).collect();
    trials.extend(VARIANTS.iter().flat_map(of));
    trials.extend(laws.into_iter().flatten());
    trials.extend(toys());
    trials.extend(
        records::names().into_iter().map(|name| test(format!("records::{name}"), move || records::replays(&name))),
    );
    trials.push(test("records::an_old_record_keeps_its_prices".to_owned(), records::an_old_record_keeps_its_prices));
    trials.push(test("records::an_old_urn_gets_no_new_games".to_owned(), records::an_old_urn_gets_no_new_games));
    trials.push(test("records::typical_by_its_text".to_owned(), records::the_most_typical_game_is_played_by_its_text));
    trials.push(test("files::commands".to_owned(), files::commands_are_read_as_they_are_written));
    trials.push(test("again::days_have_their_dates".to_owned(), again::days_have_their_dates));
    trials.push(test("bots::gambler".to_owned(), bots::a_gambler_beats_a_bot_that_plays_anything));
    trials.push(test("bots::steady".to_owned(), bots::a_steady_bot_beats_a_newcomer_by_the_toss_of_a_coin));
    trials.push(test("bots::tenth".to_owned(), bots::a_steady_bot_is_not_ruined_by_bids_of_a_tenth));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
