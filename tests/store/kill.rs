//! Acknowledged appends survive SIGKILL. The child process is this test binary, running a single test.

use super::{often::often, *};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use zorkmid::store::Appended;

const ADDRESS: &str = "ZORKMID_TEST_APPEND_TO";
const GAMES: usize = 16;

/// Child process of the test below. Without an address in the environment, it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn child() {
    let Ok(address) = std::env::var(ADDRESS) else { return };
    let store = Store::open(&address).await.unwrap();
    let mut players = tokio::task::JoinSet::new();
    for n in 0..GAMES {
        let store = store.clone();
        players.spawn(async move {
            let id = format!("g{n}");
            let mut slot = store.game(&id).await.unwrap().unwrap().at;
            loop {
                let mut two = move_at(&id, slot, "e2e4");
                two.lines.push(two.lines[0].clone());
                let Appended::New { at, .. } = store.append(two).await.unwrap() else { panic!("no key was given") };
                // Writes whole lines directly to the pipe, so that the parent reads everything written before the kill.
                std::io::stderr().write_all(format!("ack {n} {slot}\n").as_bytes()).unwrap();
                slot = at;
            }
        });
    }
    players.join_all().await;
}

/// For a thousand kills on each database, set `ZORKMID_TRIES=20000`.
#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_append_survives_sigkill() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for n in 0..GAMES {
            store.create(new_game(&format!("g{n}"))).await.unwrap();
        }
        store.close().await;
        let mut acknowledged = [-1; GAMES];
        let mut known = [0; GAMES];
        let kills = often(5);
        for round in 0..kills {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["kill::child", "--exact", "--nocapture", "--test-threads=1"])
                .env(ADDRESS, &ground.address)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut acks = BufReader::new(child.stderr.take().unwrap()).lines();
            let mut seen = 0;
            // Reads the pipe to its end, because everything that the child wrote is an acknowledgement.
            while let Some(Ok(line)) = acks.next() {
                let words: Vec<&str> = line.split(' ').collect();
                if let ["ack", game, slot] = words[..] {
                    acknowledged[game.parse::<usize>().unwrap()] = slot.parse::<i64>().unwrap();
                    seen += 1;
                    if seen == 150 + 50 * (round % 5) {
                        child.kill().unwrap();
                    }
                }
            }
            child.wait().unwrap();
            assert!(seen >= 150, "the child exited early, after {seen}");
            let store = open(&ground).await;
            for (n, last) in acknowledged.iter().enumerate() {
                let id = format!("g{n}");
                let game = store.game(&id).await.unwrap().unwrap();
                let lines = store.lines(&id, known[n]).await.unwrap();
                let slots: Vec<i64> = lines.iter().map(|line| line.at).collect();
                assert!(game.at > *last, "round {round}: {id} has lost its line {last}");
                assert_eq!(slots, (known[n]..game.at).collect::<Vec<_>>(), "round {round}: {id} has a gap");
                assert_eq!(game.at % 2, 0, "round {round}: {id} has half an append");
                known[n] = game.at;
            }
            store.close().await;
        }
        let lines: i64 = known.iter().sum();
        eprintln!("{kills} kills, {lines} lines, none lost, doubled or halved on {}", ground.address);
    }
}
