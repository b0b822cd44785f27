//! Long run of bot games on two processes and one PostgreSQL database. Measures the growth of memory.
//! `ZORKMID_TEST_POSTGRES=postgres://… cargo bench --bench measure -- soak [MINUTES [GAMES]]`; 45 and 2,000 by default.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::process::Process;

/// Number of simultaneous games.
const ABREAST: usize = 16;
/// Plies after which the player resigns.
const LONGEST: u64 = 120;
/// Consecutive refusals after which the player resigns.
const STUBBORN: u32 = 5;

/// Counts of requests by result.
#[derive(Default)]
struct Counts {
    games: AtomicU64,
    actions: AtomicU64,
    late: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
}

pub(crate) fn run(options: &[String]) {
    let number = |at: usize, usual: u64| options.get(at).map_or(usual, |text| text.parse().expect("a number"));
    let (minutes, games) = (number(0, 45), number(1, 2_000));
    let Ok(url) = std::env::var("ZORKMID_TEST_POSTGRES") else {
        println!("not measured: ZORKMID_TEST_POSTGRES is not set");
        return;
    };
    tokio::runtime::Runtime::new().expect("threads").block_on(soak(&url, minutes, games));
}

async fn soak(url: &str, minutes: u64, games: u64) {
    let mut db = sqlx::PgConnection::connect(url).await.expect("PostgreSQL");
    let schema = format!("soak_{}", std::process::id());
    db.execute(AssertSqlSafe(format!("CREATE SCHEMA {schema}"))).await.expect("a schema");
    let join = if url.contains('?') { '&' } else { '?' };
    let database = format!("{url}{join}options[search_path]={schema}");
    let folder = tempfile::tempdir().expect("a folder");
    let processes = Arc::new([0, 1].map(|n: u8| Process::on(Some(&database), &folder.path().join(n.to_string()))));
    let (counts, began) = (Arc::new(Counts::default()), Instant::now());
    let time = Duration::from_secs(60 * minutes);
    // The first ten of 45 minutes fill the caches. After that, memory should not grow.
    let warm = time * 10 / 45;
    let mut players = tokio::task::JoinSet::new();
    for player in 0..ABREAST as u64 {
        let (processes, counts) = (processes.clone(), counts.clone());
        players.spawn(async move {
            let client = reqwest::Client::new();
            let mut rng = StdRng::seed_from_u64(player);
            let mut number = player;
            while number < games && began.elapsed() < time {
                // Spreads the games over the time.
                let due = time.mul_f64(number as f64 / games as f64);
                tokio::time::sleep(due.saturating_sub(began.elapsed())).await;
                play(&client, &processes, &counts, number, &mut rng).await;
                number += ABREAST as u64;
            }
        });
    }
    let mut before = None;
    println!("{:>7} {:>6} {:>8} {:>10} {:>10}", "minute", "games", "actions", "one, KiB", "two, KiB");
    loop {
        let memory = [processes[0].memory(), processes[1].memory()];
        let (minute, count) = (began.elapsed().as_secs_f64() / 60.0, |count: &AtomicU64| count.load(Ordering::Relaxed));
        println!(
            "{minute:>7.1} {:>6} {:>8} {:>10} {:>10}",
            count(&counts.games),
            count(&counts.actions),
            memory[0],
            memory[1]
        );
        if before.is_none() && began.elapsed() >= warm {
            before = Some(memory);
        }
        if began.elapsed() >= time {
            let before = before.unwrap_or(memory);
            let growth = |n: usize| (memory[n] as f64 / before[n] as f64 - 1.0) * 100.0;
            println!(
                "growth after the first {:.1} minutes: {:+.1} %, {:+.1} %",
                warm.as_secs_f64() / 60.0,
                growth(0),
                growth(1)
            );
            break;
        }
        tokio::time::sleep((time / 45).min(time.saturating_sub(began.elapsed()))).await;
    }
    players.join_all().await;
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    println!(
        "{} games, {} actions; {} late, {} refused, {} failed",
        count(&counts.games),
        count(&counts.actions),
        count(&counts.late),
        count(&counts.refused),
        count(&counts.failed)
    );
    drop(processes);
    db.execute(AssertSqlSafe(format!("DROP SCHEMA {schema} CASCADE"))).await.expect("a dropped schema");
}

/// Fills the blanks of a listed action with numbers. `None` if it has blanks of another kind.
fn filled(text: &str, rng: &mut StdRng) -> Option<String> {
    let mut parts = text.split('{');
    let mut said = parts.next()?.to_owned();
    for part in parts {
        let (blank, rest) = part.split_once('}')?;
        let (least, most) = blank.split_once("..")?;
        let (least, most): (i64, i64) = (least.parse().ok()?, most.parse().ok()?);
        said += &format!("{}{rest}", rng.random_range(least..=most.max(least)));
    }
    Some(said)
}

/// Plays random listed actions against a bot. Each request goes to either process.
async fn play(client: &reqwest::Client, processes: &[Process; 2], counts: &Counts, number: u64, rng: &mut StdRng) {
    let variants = zorkmid::registry::VARIANTS;
    let variant = &variants[number as usize % variants.len()];
    let bot = ["bot:random", "bot:newcomer"][number as usize / variants.len() % 2];
    let (presets, seat) = ((variant.presets)(), ["one", "two"][number as usize % 2]);
    let options = presets.choose(rng).map(|(_, options)| options.clone()).unwrap_or_default();
    let game = json!({"variant": variant.key, "opponent": bot, "seat": seat, "options": options});
    let at = |rng: &mut StdRng| &processes[usize::from(rng.random::<bool>())].address;
    let begun: Value = match client.post(format!("{}/api/games", at(rng))).json(&game).send().await {
        Ok(answer) if answer.status() == 201 => answer.json().await.expect("JSON"),
        Ok(_) | Err(_) => {
            counts.failed.fetch_add(1, Ordering::Relaxed);
            return;
        }
    };
    let (id, token) =
        (begun["id"].as_str().unwrap_or_default(), begun["seats"][0]["token"].as_str().unwrap_or_default());
    let (mut waited, mut refused) = (0, 0);
    loop {
        let look = client.get(format!("{}/api/games/{id}", at(rng))).bearer_auth(token).send().await;
        let Ok(seen) = look.and_then(reqwest::Response::error_for_status) else {
            counts.failed.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let seen: Value = seen.json().await.expect("JSON");
        if !seen["outcome"].is_null() {
            counts.games.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let asked = seen["turn"]["awaits"].as_array().is_some_and(|awaits| awaits.iter().any(|own| own == seat));
        if !asked && waited < 3_000 {
            waited += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        }
        let listed = seen["actions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let ply = seen["ply"].as_u64().unwrap_or_default();
        let sayable: Vec<String> = listed.iter().filter_map(|text| filled(text.as_str()?, rng)).collect();
        let action = match sayable.choose(rng) {
            Some(action) if ply < LONGEST && asked && refused < STUBBORN => action,
            Some(_) | None => "resign",
        };
        waited = 0;
        let said = json!({"ply": ply, "action": action});
        let answer = client.post(format!("{}/api/games/{id}/actions", at(rng))).bearer_auth(token).json(&said).send();
        let count = match answer.await.map(|answer| answer.status().as_u16()) {
            Ok(200) => {
                refused = 0;
                &counts.actions
            }
            Ok(409) => &counts.late,
            Ok(422) => {
                refused += 1;
                &counts.refused
            }
            Ok(_) | Err(_) => &counts.failed,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}
