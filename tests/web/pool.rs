//! Pools for work of more than a millisecond, and limits of CPU time per address.

use super::{PATIENCE, app, get, patient};
use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, Ordering},
        mpsc,
    },
    time::Duration,
};
use zorkmid::{
    play::{Error, Pools, on_behalf_of},
    web::{Options, router},
};

const MANY: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const ONE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));
/// Maximum waiting jobs of one address in the batch pool.
const SHARE: usize = 4;

fn pools() -> Arc<Pools> {
    app(patient()).play.pools().clone()
}

#[tokio::test]
async fn jobs_of_one_address_delay_no_other_address() {
    let pools = pools();
    let done: Arc<Mutex<Vec<IpAddr>>> = Arc::default();
    let (go, wait) = mpsc::channel::<()>();
    let mut wait = Some(wait);
    let mut ask = |from: IpAddr| {
        let (pools, done, wait) = (pools.clone(), done.clone(), wait.take());
        let work = move || {
            if let Some(wait) = wait {
                wait.recv_timeout(PATIENCE).unwrap();
            }
            done.lock().unwrap().push(from);
        };
        tokio::spawn(on_behalf_of(Some(from), async move { pools.batch.run(work).await }))
    };
    let mut asked = vec![ask(MANY)];
    tokio::task::yield_now().await;
    super::until("the first job runs", async || pools.batch.waiting() == 0).await;
    asked.extend((0..SHARE).map(|_| ask(MANY)));
    tokio::task::yield_now().await;
    let refused = ask(MANY).await.unwrap();
    assert!(matches!(refused, Err(Error::Often { .. })), "{refused:?}");
    asked.push(ask(ONE));
    super::until("the other address has its turn or waits for it", async || {
        pools.batch.waiting() == SHARE + 1 || done.lock().unwrap().contains(&ONE)
    })
    .await;
    go.send(()).unwrap();
    for worked in asked {
        worked.await.unwrap().unwrap();
    }
    let done = done.lock().unwrap().clone();
    let place = done.iter().position(|from| *from == ONE);
    assert!(done.len() == SHARE + 2 && place.is_some_and(|place| place <= 2), "{done:?}");
}

#[tokio::test]
async fn panicking_job_frees_its_thread() {
    let pools = pools();
    for _ in 0..40 {
        let broken = pools.batch.run(|| panic!("planted")).await;
        assert!(matches!(broken, Err(Error::Broken(_))));
    }
    assert_eq!(pools.batch.run(|| 7).await.unwrap(), 7);
}

#[tokio::test]
async fn games_wait_neither_for_lookups_nor_for_batch_work() {
    let pools = pools();
    let (go, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let held: Vec<_> = (0..64)
        .map(|number| {
            let (pools, wait, batch) = (pools.clone(), wait.clone(), number % 2 == 0);
            let work = move || wait.lock().unwrap().recv_timeout(PATIENCE).unwrap();
            let from = IpAddr::from([192, 0, 2, number]);
            tokio::spawn(on_behalf_of(Some(from), async move {
                if batch { pools.batch.run(work).await } else { pools.lookups.run(work).await }
            }))
        })
        .collect();
    tokio::task::yield_now().await;
    assert_eq!(pools.games.run(|| 7).await.unwrap(), 7);
    for held in held {
        go.send(()).unwrap();
        held.abort();
    }
}

#[tokio::test]
async fn job_stops_when_its_client_disconnects() {
    let pools = pools();
    let (begun, stopped) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let running = {
        let (pools, begun, stopped) = (pools.clone(), begun.clone(), stopped.clone());
        let work = move |stop: &dyn Fn() -> bool| {
            begun.store(true, Ordering::Relaxed);
            while !stop() {
                std::thread::sleep(Duration::from_millis(1));
            }
            stopped.store(true, Ordering::Relaxed);
        };
        tokio::spawn(async move { pools.batch.run_costly(Duration::ZERO, work).await })
    };
    super::until("the job runs", async || begun.load(Ordering::Relaxed)).await;
    let never = Arc::new(AtomicBool::new(false));
    let waiting = {
        let (pools, never) = (pools.clone(), never.clone());
        tokio::spawn(async move { pools.batch.run(move || never.store(true, Ordering::Relaxed)).await })
    };
    super::until("the second job waits", async || pools.batch.waiting() == 1).await;
    waiting.abort();
    let _ = waiting.await;
    running.abort();
    super::until("the job has stopped", async || stopped.load(Ordering::Relaxed)).await;
    pools.batch.run(|| ()).await.unwrap();
    assert!(!never.load(Ordering::Relaxed), "a job ran after its client disconnected");
}

#[tokio::test]
async fn address_without_cpu_time_is_refused_until_it_recovers() {
    let time = Arc::new(AtomicI64::new(super::now()));
    let clock = time.clone();
    let chance = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(7);
    let play = zorkmid::play::Play::new(chance, super::store(), move || clock.load(Ordering::Relaxed));
    let app = zorkmid::web::App::new(Options { cpu: 200, ..patient() }, play, super::tables::tables());
    let site = router(app.clone());
    let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
    // Up to thirty seconds may be used at once. The estimate is charged before the work.
    let pools = app.play.pools().clone();
    let (go, wait) = mpsc::channel::<()>();
    let begun = Arc::new(AtomicBool::new(false));
    let held = tokio::spawn(on_behalf_of(Some(local), {
        let (pools, begun) = (pools.clone(), begun.clone());
        let work = move |_: &dyn Fn() -> bool| {
            begun.store(true, Ordering::Relaxed);
            wait.recv().is_ok()
        };
        async move { pools.batch.run_costly(Duration::from_secs(7), work).await }
    }));
    super::until("the job runs", async || begun.load(Ordering::Relaxed)).await;
    let refused = get(&site, "/api/variants").await;
    let problem = refused.problem(429);
    assert!(problem["detail"].as_str().unwrap().contains("CPU time"), "{problem}");
    let seconds: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=6).contains(&seconds), "{seconds}");
    assert_eq!(get(&site, "/healthz").await.status, 200);
    time.fetch_add(seconds * 1000, Ordering::Relaxed);
    assert_eq!(get(&site, "/api/variants").await.status, 200);
    // The unused part of an estimate is refunded.
    go.send(()).unwrap();
    held.await.unwrap().unwrap();
    assert_eq!(get(&site, "/api/variants").await.status, 200);
    // Use beyond the estimate is charged too.
    let burn = || {
        let used = || rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        let begun = used();
        while (used() - begun).tv_nsec < 100_000_000 {
            std::hint::black_box(0);
        }
    };
    app.play.budget().set_rate(1);
    on_behalf_of(Some(local), pools.lookups.run(burn)).await.unwrap();
    assert_eq!(get(&site, "/").await.status, 429);
}
