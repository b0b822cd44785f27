//! The pool for what can take long: nobody waits behind much that one address asks for.

use super::PATIENCE;
use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex, mpsc},
};
use zorkmid::play::{Error, Pool};

const MANY: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const ONE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

#[tokio::test]
async fn whoever_asks_for_much_waits_behind_themselves() {
    let pool = Arc::new(Pool::new(1));
    let done: Arc<Mutex<Vec<IpAddr>>> = Arc::default();
    let (go, wait) = mpsc::channel::<()>();
    let mut wait = Some(wait);
    let mut ask = |from: IpAddr| {
        let (pool, done, wait) = (pool.clone(), done.clone(), wait.take());
        tokio::spawn(async move {
            let work = move || {
                if let Some(wait) = wait {
                    wait.recv_timeout(PATIENCE).unwrap();
                }
                done.lock().unwrap().push(from);
            };
            pool.run(Some(from), work).await
        })
    };
    let mut asked: Vec<_> = (0..256).map(|_| ask(MANY)).collect();
    // Everybody is in the line before anything is done.
    tokio::task::yield_now().await;
    let refused = ask(MANY).await.unwrap();
    assert!(matches!(refused, Err(Error::Busy)), "{refused:?}");
    asked.push(ask(ONE));
    tokio::task::yield_now().await;
    go.send(()).unwrap();
    for worked in asked {
        worked.await.unwrap().unwrap();
    }
    let done = done.lock().unwrap().clone();
    assert_eq!((done.len(), done.iter().position(|from| *from == ONE)), (257, Some(1)));
    // Whoever has waited long enough has room again.
    pool.run(Some(MANY), || ()).await.unwrap();
}

#[tokio::test]
async fn work_that_panics_gives_its_place_back() {
    let pool = Pool::new(1);
    for _ in 0..40 {
        let broken = pool.run(Some(ONE), || panic!("planted")).await;
        assert!(matches!(broken, Err(Error::Broken(_))));
    }
    assert_eq!(pool.run(Some(ONE), || 7).await.unwrap(), 7);
}
