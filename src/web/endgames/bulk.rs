//! Very many positions at once: a FEN on every line of the body, and the answer to it on the same line of what comes back. Both are streamed, so
//! no request takes more room than a few hundred lines.

use std::{convert::Infallible, net::IpAddr, sync::Arc};

use axum::{
    body::{Body, BodyDataStream, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};

use crate::{
    richman::{self, Classes, Question},
    web::{App, Error, Kind, limit::LINES_TYPE, rate::Allowance},
};

/// The most lines that one request may bring.
const LINES: usize = 100_000;
/// The bytes that are read before they are answered.
const BATCH: usize = 32 << 10;
/// The longest line that is read.
const LONGEST: usize = 1 << 10;
/// So many boards of different sizes are looked up for one request: no more are kept at hand.
const BOARDS: usize = 3;
/// So many lines count as one request.
const COST: usize = 5000;

/// A request that is being answered.
struct LineStream {
    app: Arc<App>,
    from: IpAddr,
    body: BodyDataStream,
    /// What has arrived and is not answered yet.
    waiting: Vec<u8>,
    /// The lines that were answered.
    lines: usize,
    /// How many of them are paid for.
    paid: usize,
    boards: Vec<Arc<Classes>>,
    over: bool,
}

/// Answers line by line.
pub(super) fn answered(app: Arc<App>, from: IpAddr, body: Body) -> Response {
    let bulk = LineStream {
        app,
        from,
        body: body.into_data_stream(),
        waiting: Vec::new(),
        lines: 0,
        // The request itself has been counted.
        paid: COST,
        boards: Vec::new(),
        over: false,
    };
    let lines = stream::unfold(bulk, async |mut bulk| {
        let batch = bulk.next().await?;
        Some((Ok::<_, Infallible>(batch), bulk))
    });
    ([(header::CONTENT_TYPE, LINES_TYPE), (header::CACHE_CONTROL, "no-store")], Body::from_stream(lines))
        .into_response()
}

/// A problem document on a line of its own, with the number of the line that it is about.
fn problem(error: Error, line: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(error.with("line", line).problem().to_string().as_bytes());
    out.push(b'\n');
}

/// One line: what was asked, or why it cannot be read; nothing for an empty one.
fn read(line: &[u8]) -> Option<Result<Question, Error>> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return None;
    }
    if line.len() > LONGEST {
        return Some(Err(Error::malformed(format!("A line has at most {LONGEST} bytes."))));
    }
    let text = std::str::from_utf8(line).map_err(|_| Error::malformed("The line is no UTF-8."));
    Some(text.and_then(|text| Ok(richman::read(text)?)))
}

impl LineStream {
    /// The answers to the next lines; nothing when all have been answered.
    async fn next(&mut self) -> Option<Bytes> {
        if self.over {
            return None;
        }
        let mut out = Vec::new();
        let mut ended = false;
        while self.waiting.len() < BATCH && !ended {
            match self.body.next().await {
                Some(Ok(more)) => self.waiting.extend_from_slice(&more),
                Some(Err(_)) => {
                    let why = "The body did not arrive whole and in time, or is longer than 8 MiB; the lines before have been answered.";
                    problem(Error::malformed(why), self.lines + 1, &mut out);
                    (self.over, ended) = (true, true);
                }
                None => (self.over, ended) = (true, true),
            }
        }
        let rest = match self.waiting.iter().rposition(|byte| *byte == b'\n') {
            _ if self.over => Vec::new(),
            Some(last) => self.waiting.split_off(last + 1),
            None => {
                // A line that is longer than everything that is read at once.
                self.over = true;
                Vec::new()
            }
        };
        let text = std::mem::replace(&mut self.waiting, rest);
        match self.batch(text).await {
            Ok(mut answers) => {
                answers.append(&mut out);
                Some(Bytes::from(answers))
            }
            Err(error) => {
                self.over = true;
                problem(error, self.lines + 1, &mut out);
                Some(Bytes::from(out))
            }
        }
    }

    /// Waits until so many lines are paid for as requests of this address.
    async fn pay(&mut self, lines: usize) {
        let Some(rate) = &self.app.rate else { return };
        while self.paid < lines {
            match rate.check(self.from) {
                Allowance::Left(_) => self.paid += COST,
                Allowance::Later(wait) => tokio::time::sleep(wait).await,
            }
        }
    }

    /// The answers to whole lines, an empty one left out.
    async fn batch(&mut self, text: Vec<u8>) -> Result<Vec<u8>, Error> {
        let parse = move || text.split(|byte| *byte == b'\n').filter_map(read).collect::<Vec<_>>();
        let mut questions = self.app.play.pools().lookups.run(parse).await?;
        let room = LINES.saturating_sub(self.lines);
        let many = questions.len() > room;
        questions.truncate(room);
        self.pay(self.lines + questions.len()).await;
        for size in questions.iter().flatten().filter_map(Question::needs) {
            let known = self.boards.iter().any(|classes| classes.table().size() == size);
            if !known && self.boards.len() < BOARDS {
                self.boards.push(self.app.endgames.classes(size).await?);
            }
        }
        let (first, boards) = (self.lines + 1, self.boards.clone());
        self.lines += questions.len();
        let answer = move || {
            let mut out = Vec::with_capacity(questions.len() * 400);
            for (at, question) in questions.into_iter().enumerate() {
                match question.map(|question| question.brief(&boards)) {
                    Ok(Some(brief)) if serde_json::to_writer(&mut out, &brief).is_ok() => out.push(b'\n'),
                    Ok(_) => {
                        let why = format!("One request asks about at most {BOARDS} sizes of boards.");
                        problem(Error::refused(why), first + at, &mut out);
                    }
                    Err(error) => problem(error, first + at, &mut out),
                }
            }
            out
        };
        let mut out = self.app.play.pools().lookups.run(answer).await?;
        if many {
            self.over = true;
            let why = format!("One request asks about at most {LINES} positions; those after them are not answered.");
            problem(Error::new(Kind::LongBody, why), self.lines + 1, &mut out);
        }
        Ok(out)
    }
}
