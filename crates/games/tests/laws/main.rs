//! Laws that hold for every variant, without knowledge of any of them. The trials are generated from the registry, one for each
//! variant and law, so that a new variant is tested at once.
#![allow(clippy::disallowed_methods, reason = "tests read what the test command tells them")]

mod again;
mod bots;
mod files;
mod grammar;
mod held;
mod judged;
mod random_games;
mod records;
mod spelling;
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

/// Random games for each variant, divided among its presets.
const GAMES: usize = 32;
/// Random games of the toy variant.
const FEW: usize = 60;

/// A trial that fails when it panics.
fn test(name: String, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        run();
        Ok(())
    })
}

/// One trial for each law. The first one plays the random games for all of them.
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

/// All other trials of one variant.
fn of(variant: &'static Variant) -> Vec<Trial> {
    let key = variant.key;
    let mut trials = Vec::new();
    trials.push(test(format!("{key}::options_are_described"), move || options_are_described(variant)));
    trials.push(test(format!("{key}::listed_actions_suffice"), move || grammar::listed_actions_suffice(variant)));
    trials.push(test(format!("{key}::record_files_keep_every_option"), move || {
        files::keep_every_option(variant, often(GAMES))
    }));
    trials.push(test(format!("{key}::levels_finish_games"), move || bots::levels_finish_games(variant)));
    let judged = move || judged::is_reviewed_after_the_end(variant);
    trials.push(test(format!("{key}::is_reviewed_after_the_end"), judged));
    let same = move || bots::the_same_chance_gives_the_same_choice(variant);
    trials.push(test(format!("{key}::the_same_chance_gives_the_same_choice"), same));
    if again::is_asked(variant) {
        trials
            .push(test(format!("{key}::written_games_can_be_read"), move || again::written_games_can_be_read(variant)));
    }
    for (number, (preset, options)) in (variant.presets)().into_iter().enumerate() {
        let name = format!("{key}::has_the_record_{}", records::name(variant, preset));
        trials.push(test(name, move || records::is_kept(variant, preset, &options, number as u64)));
    }
    trials
}

/// Tests that a law detects a planted fault.
fn planted(name: &str, variant: Variant, law: Law, games: usize) -> Trial {
    test(format!("planted::{name}"), move || {
        assert!(broken(&variant, &[law], games).contains_key(&law), "the planted fault went unnoticed");
    })
}

/// Tests that a variant with misleading action lists is detected.
fn misled(name: &str, variant: Variant) -> Trial {
    test(format!("planted::{name}"), move || {
        let played = held::held(|| grammar::listed_actions_suffice(&variant));
        assert!(played.is_err(), "the planted fault went unnoticed");
    })
}

/// Tests that the toy obeys the laws and its faulty copies do not.
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
        planted("drops_signs", Variant::of::<toy::Toy<{ toy::DROPS_SIGNS }>>(), Law::Spelling, FEW),
        planted("anyone_is_chance", Variant::of::<toy::Toy<{ toy::ANYONE_IS_CHANCE }>>(), Law::Turns, FEW),
        planted("tells_secret", Variant::of::<toy::Toy<{ toy::TELLS_SECRET }>>(), Law::Secrecy, FEW),
        planted("recalls_nothing", Variant::of::<toy::Toy<{ toy::RECALLS_NOTHING }>>(), Law::Files, FEW),
        test("toy::listed_actions_suffice".to_owned(), || {
            grammar::listed_actions_suffice(&Variant::of::<toy::Toy<{ toy::HONEST }>>());
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
    // Plays the games of different variants in parallel; trials that only read the results come later.
    let mut trials: Vec<Trial> = laws.iter_mut().filter_map(Vec::pop).collect();
    trials.extend(VARIANTS.iter().flat_map(of));
    trials.extend(laws.into_iter().flatten());
    trials.extend(toys());
    trials.extend(
        records::names().into_iter().map(|name| test(format!("records::{name}"), move || records::replays(&name))),
    );
    trials.push(test("records::old_records_keep_their_prices".to_owned(), records::old_records_keep_their_prices));
    trials.push(test(
        "records::old_records_draw_from_the_old_variants".to_owned(),
        records::old_records_draw_from_the_old_variants,
    ));
    trials.push(test("records::typical_by_its_text".to_owned(), records::the_most_typical_game_matches_its_record));
    trials.push(test("files::commands".to_owned(), files::commands_survive_a_round_trip));
    trials.push(test("again::the_date_tag_is_the_start_day".to_owned(), again::the_date_tag_is_the_start_day));
    trials.push(test("bots::gambler".to_owned(), bots::the_gambler_beats_the_random_bot));
    trials.push(test("bots::steady".to_owned(), bots::steady_beats_newcomer_in_random_turn_chess));
    trials.push(test("bots::tenth".to_owned(), bots::steady_beats_constant_bids_of_a_tenth));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
