//! The rows of games that are asked for at the same moment, in one statement, for PostgreSQL, where each statement costs a round trip.
//! Every answer was read after its question was asked.

use super::{GameRow, StoreError, again::again, reader};
use sqlx::AnyPool;
use std::collections::HashMap;
use tokio::sync::{mpsc, oneshot};

/// Games in one statement, at most.
const MOST: usize = 256;

type Answer = Result<Option<GameRow>, StoreError>;
type GameRequest = (String, oneshot::Sender<Answer>);

/// The task that reads.
pub(super) struct Lookup {
    questions: mpsc::UnboundedSender<GameRequest>,
}

impl Lookup {
    pub(super) fn new(pool: AnyPool) -> Lookup {
        let (questions, queue) = mpsc::unbounded_channel();
        tokio::spawn(serve(pool, queue));
        Lookup { questions }
    }

    pub(super) async fn game(&self, id: &str) -> Answer {
        let (reply, answer) = oneshot::channel();
        self.questions.send((id.to_owned(), reply)).map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }
}

async fn serve(pool: AnyPool, mut queue: mpsc::UnboundedReceiver<GameRequest>) {
    let mut questions = Vec::with_capacity(MOST);
    while queue.recv_many(&mut questions, MOST).await > 0 {
        let ids: Vec<&str> = questions.iter().map(|(id, _)| id.as_str()).collect();
        let rows = match ids.len() {
            1 => Err(None),
            _ => again(&pool, || reader::games(&pool, &ids)).await.map_err(Some),
        };
        match rows {
            Ok(rows) => {
                let rows: HashMap<&str, &GameRow> = rows.iter().map(|row| (row.id.as_str(), row)).collect();
                for (id, reply) in questions.drain(..) {
                    // An error says that the caller has gone away; so below.
                    let _ = reply.send(Ok(rows.get(id.as_str()).copied().cloned()));
                }
            }
            Err(Some(why @ (StoreError::Busy | StoreError::Away(_) | StoreError::Closed))) => {
                questions.drain(..).for_each(|(_, reply)| drop(reply.send(Err(why.clone()))));
            }
            // One id may hold a character that the database refuses: the others are still answered.
            Err(_) => {
                for (id, reply) in questions.drain(..) {
                    let _ = reply.send(again(&pool, || reader::game(&pool, &id)).await);
                }
            }
        }
    }
}
