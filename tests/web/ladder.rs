//! Bot matches on the command line: the documented commands work, and results add up.

use serde_json::Value;
use zorkmid::bots::MatchScore;

const BOTS: &str = include_str!("../../docs/bots.md");

/// Output of the program, or its error output.
fn zorkmid(arguments: &[&str]) -> Result<String, String> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn results_add_up_and_are_reproducible() {
    let ask =
        ["ladder", "king-of-the-hill", "casual", "random", "--games", "4", "--seed", "3", "--think", "60000", "--json"];
    let told: Value = serde_json::from_str(&zorkmid(&ask).unwrap()).unwrap();
    let count = |name: &str| told[name].as_u64().unwrap();
    assert_eq!(count("won") + count("drawn") + count("lost"), 4, "{told}");
    let share = (count("won") as f64 + count("drawn") as f64 / 2.0) / 4.0;
    assert_eq!(told["share"].as_f64(), Some(share));
    let [low, high] = [0, 1].map(|end| told["interval"][end].as_f64().unwrap());
    assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{told}");
    assert!(share > 0.5, "a bot that searches beats one that does not: {told}");
    // The bots are limited by positions, so load on the machine does not change the games.
    assert_eq!(serde_json::from_str::<Value>(&zorkmid(&ask).unwrap()).unwrap(), told);
}

#[test]
fn documented_commands_are_accepted() {
    let commands: Vec<Vec<&str>> =
        BOTS.lines().filter_map(|line| line.strip_prefix("zorkmid ")).map(|line| line.split(' ').collect()).collect();
    assert!(commands.len() >= 2);
    for mut command in commands {
        // Two games without thinking time, instead of a whole evening.
        command.extend(["--games", "2", "--think", "1", "--longest", "20"]);
        let at = command.iter().position(|word| *word == "--games").unwrap();
        command.drain(at..at + 2);
        if let Some(at) = command[..command.len() - 4].iter().position(|word| *word == "--think") {
            command.drain(at..at + 2);
        }
        let told = zorkmid(&command).unwrap();
        assert!(told.contains("2 games of 1 ms a choice"), "{command:?}: {told}");
    }
}

#[test]
fn invalid_arguments_are_reported() {
    for (arguments, said) in [
        (["ladder", "checkers", "deep", "keen"], "there is no variant “checkers”"),
        (["ladder", "chess", "oracle", "keen"], "there is no bot “oracle”"),
    ] {
        let complaint = zorkmid(&arguments).unwrap_err();
        assert!(complaint.contains(said), "{complaint}");
    }
}

#[test]
fn interval_without_draws_is_wilsons() {
    // Published Wilson intervals for 8 of 10, 15 of 20 and 10 of 10.
    for (won, lost, told) in [(8, 2, [0.490, 0.943]), (15, 5, [0.531, 0.888]), (10, 0, [0.722, 1.0])] {
        let interval = MatchScore { won, drawn: 0, lost }.interval();
        let off = interval.iter().zip(told).map(|(end, told)| (end - told).abs()).fold(0.0, f64::max);
        assert!(off < 0.0006, "{won} won, {lost} lost: {interval:?}, not {told:?}");
    }
}

#[test]
fn draws_narrow_the_interval_and_keep_its_coverage() {
    let wide = |won, drawn, lost| {
        let [low, high] = MatchScore { won, drawn, lost }.interval();
        high - low
    };
    assert!(wide(6, 28, 6) < wide(13, 14, 13) && wide(13, 14, 13) < wide(20, 0, 20));
    assert!(wide(0, 40, 0) > 0.0, "forty draws leave some uncertainty");
    // All possible results of a number of games, with their probabilities.
    let games = 40;
    for (drawn, kept) in [(0.0, 0.5), (0.3, 0.7), (0.5, 0.5), (0.7, 0.7), (0.8, 0.9), (0.9, 0.8)] {
        let each = [(1.0 - drawn) * kept, drawn, (1.0 - drawn) * (1.0 - kept)];
        let share = each[0] + each[1] / 2.0;
        let [mut below, mut above] = [0.0; 2];
        for won in 0..=games {
            for lost in 0..=games - won {
                let [low, high] = MatchScore { won, drawn: games - won - lost, lost }.interval();
                let came = probability([won, games - won - lost, lost], each);
                below += if share < low { came } else { 0.0 };
                above += if share > high { came } else { 0.0 };
            }
        }
        assert!(below < 0.035 && below + above < 0.075, "{drawn} drawn, {kept} of the others won: {below}, {above}");
    }
}

/// Multinomial probability of these counts.
fn probability(counts: [u32; 3], each: [f64; 3]) -> f64 {
    let (mut left, mut likely) = (counts.iter().sum::<u32>(), 1.0);
    for (count, each) in counts.into_iter().zip(each) {
        for number in 1..=count {
            likely *= each * f64::from(left) / f64::from(number);
            left -= 1;
        }
    }
    likely
}
