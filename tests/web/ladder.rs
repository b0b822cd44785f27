//! Bots against each other at the command line: what the documents say can be typed, and what comes of it adds up.

use serde_json::Value;

const BOTS: &str = include_str!("../../docs/bots.md");

/// What the program says, or what it complains of.
fn zorkmid(arguments: &[&str]) -> Result<String, String> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn results_add_up_and_come_again() {
    let ask =
        ["ladder", "king-of-the-hill", "casual", "random", "--games", "4", "--seed", "3", "--think", "60000", "--json"];
    let told: Value = serde_json::from_str(&zorkmid(&ask).unwrap()).unwrap();
    let count = |name: &str| told[name].as_u64().unwrap();
    assert_eq!(count("won") + count("drawn") + count("lost"), 4, "{told}");
    let share = (count("won") as f64 + count("drawn") as f64 / 2.0) / 4.0;
    assert_eq!(told["share"].as_f64(), Some(share));
    let [low, high] = [0, 1].map(|end| told["interval"][end].as_f64().unwrap());
    assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{told}");
    assert!(share > 0.5, "whoever looks ahead beats whoever does not: {told}");
    // The bots count positions: whatever the machine does meanwhile, the same games are played.
    assert_eq!(serde_json::from_str::<Value>(&zorkmid(&ask).unwrap()).unwrap(), told);
}

#[test]
fn the_documented_commands_are_understood() {
    let commands: Vec<Vec<&str>> =
        BOTS.lines().filter_map(|line| line.strip_prefix("zorkmid ")).map(|line| line.split(' ').collect()).collect();
    assert!(commands.len() >= 2);
    for mut command in commands {
        // Two games at no thought at all, instead of an evening.
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
fn wrong_words_are_told() {
    for (arguments, said) in [
        (["ladder", "checkers", "deep", "keen"], "there is no variant “checkers”"),
        (["ladder", "chess", "oracle", "keen"], "there is no bot “oracle”"),
    ] {
        let complaint = zorkmid(&arguments).unwrap_err();
        assert!(complaint.contains(said), "{complaint}");
    }
}
