//! Cached answers about single positions, and bulk requests. A bulk request has one FEN on each line, and its response one answer on each
//! line. Both are streamed, so a request holds at most a few hundred lines in memory.

use super::chip_query::ChipsAnswer;
use crate::{
    richman::{self, Classes, Question, TableCoverage, rules},
    web::{
        App, Error, Kind,
        app_state::Allowance,
        cache_policy::{CachePolicy, tag, weak},
        endgame_cache::{Endgames, RenderedAnswer, log_unusable},
        request_limits::LINES_TYPE,
    },
};
use axum::{
    body::{Body, BodyDataStream, Bytes},
    http::{HeaderMap, HeaderValue, Uri, header},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use std::{convert::Infallible, net::IpAddr, sync::Arc};

/// Most lines in one request.
const LINES: usize = 100_000;
/// Number of bytes read before they are answered.
const BATCH: usize = 32 << 10;
/// Longest line in bytes.
const LONGEST: usize = 1 << 10;
/// Most board sizes in one request: the cache holds no more.
const BOARDS: usize = 3;
/// Number of lines that the rate limit counts as one request.
const LINES_PER_REQUEST: usize = 5000;

/// An answer changes only with its table, and a table changes only with a new release.
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
/// A table of four or five pieces may be added at any time.
const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A bulk request in progress.
struct LineStream {
    app: Arc<App>,
    from: IpAddr,
    body: BodyDataStream,
    /// Bytes received and not yet answered.
    unanswered: Vec<u8>,
    /// Number of lines answered.
    lines: usize,
    /// Number of lines charged to the rate limit.
    paid: usize,
    boards: Vec<Arc<Classes>>,
    finished: bool,
}

/// Answers a bulk request line by line.
pub(super) fn stream_answers(app: Arc<App>, from: IpAddr, body: Body) -> Response {
    let bulk = LineStream {
        app,
        from,
        body: body.into_data_stream(),
        unanswered: Vec::new(),
        lines: 0,
        // The rate limit has already counted the request itself.
        paid: LINES_PER_REQUEST,
        boards: Vec::new(),
        finished: false,
    };
    let lines = stream::unfold(bulk, async |mut bulk| {
        let batch = bulk.next().await?;
        Some((Ok::<_, Infallible>(batch), bulk))
    });
    ([(header::CONTENT_TYPE, LINES_TYPE), (header::CACHE_CONTROL, "no-store")], Body::from_stream(lines))
        .into_response()
}

/// Writes a problem document on one line, with the number of the line it refers to.
fn problem(error: Error, line: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(error.with("line", line).problem().to_string().as_bytes());
    out.push(b'\n');
}

/// Parses one line; `None` if it is empty.
fn read(line: &[u8]) -> Option<Result<Question, Error>> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return None;
    }
    if line.len() > LONGEST {
        return Some(Err(Error::malformed(format!("The line is longer than {LONGEST} bytes."))));
    }
    let text = std::str::from_utf8(line).map_err(|_| Error::malformed("The line is not valid UTF-8."));
    Some(text.and_then(|text| Ok(richman::read(text)?)))
}

impl LineStream {
    /// Answers the next lines; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if self.finished {
            return None;
        }
        let mut out = Vec::new();
        let mut ended = false;
        while self.unanswered.len() < BATCH && !ended {
            match self.body.next().await {
                Some(Ok(more)) => self.unanswered.extend_from_slice(&more),
                Some(Err(_)) => {
                    let why = "The body is incomplete, too slow or longer than 8 MiB. All lines before this one have been answered.";
                    problem(Error::malformed(why), self.lines + 1, &mut out);
                    (self.finished, ended) = (true, true);
                }
                None => (self.finished, ended) = (true, true),
            }
        }
        let rest = match self.unanswered.iter().rposition(|byte| *byte == b'\n') {
            _ if self.finished => Vec::new(),
            Some(last) => self.unanswered.split_off(last + 1),
            None => {
                // One line is longer than the whole buffer.
                self.finished = true;
                Vec::new()
            }
        };
        let text = std::mem::replace(&mut self.unanswered, rest);
        match self.batch(text).await {
            Ok(mut answers) => {
                answers.append(&mut out);
                Some(Bytes::from(answers))
            }
            Err(error) => {
                self.finished = true;
                problem(error, self.lines + 1, &mut out);
                Some(Bytes::from(out))
            }
        }
    }

    /// Waits until the rate limit has admitted this number of lines from the client's address.
    async fn pay(&mut self, lines: usize) {
        let Some(rate) = &self.app.rate else { return };
        while self.paid < lines {
            match rate.check(self.from) {
                Allowance::Left(_) => self.paid += LINES_PER_REQUEST,
                Allowance::Later(wait) => tokio::time::sleep(wait).await,
            }
        }
    }

    /// Answers complete lines and skips empty ones.
    async fn batch(&mut self, text: Vec<u8>) -> Result<Vec<u8>, Error> {
        let parse = move || text.split(|byte| *byte == b'\n').filter_map(read).collect::<Vec<_>>();
        let mut questions = self.app.play.pools().lookups.run(parse).await?;
        let room = LINES.saturating_sub(self.lines);
        let many = questions.len() > room;
        questions.truncate(room);
        self.pay(self.lines + questions.len()).await;
        for question in questions.iter().flatten() {
            let Some(size) = question.required_size() else { continue };
            let known = self.boards.iter().any(|classes| classes.table().size() == size);
            if !known && self.boards.len() < BOARDS {
                self.boards.push(self.app.endgames.classes(size).await?);
            }
            let board = self.boards.iter().find(|classes| classes.table().size() == size);
            if let Some(classes) = board.filter(|_| question.is_of_small_board()) {
                self.app.endgames.solve_small_board(classes.table()).await?;
            }
        }
        let of_files = questions.iter().flatten().any(Question::is_of_files);
        let table = if of_files { Some(self.app.endgames.ready()?) } else { None };
        let (first, boards, endgames) = (self.lines + 1, self.boards.clone(), self.app.endgames.clone());
        self.lines += questions.len();
        let answer = move || {
            let mut out = Vec::with_capacity(questions.len() * 400);
            for (at, question) in questions.into_iter().enumerate() {
                let summary = |question: Question| {
                    let tables = endgames.tables();
                    let bounded =
                        table.as_ref().map(|table| question.bounded_summary(table, tables.four(), tables.five()));
                    bounded.and_then(log_unusable).or_else(|| question.answer_summary(&boards))
                };
                match question.map(summary) {
                    Ok(Some(brief)) if serde_json::to_writer(&mut out, &brief).is_ok() => out.push(b'\n'),
                    Ok(_) => {
                        let why = format!(
                            "A request may use at most {BOARDS} board sizes. Send this position in another request."
                        );
                        problem(Error::refused(why), first + at, &mut out);
                    }
                    Err(error) => problem(error, first + at, &mut out),
                }
            }
            out
        };
        let mut out = self.app.play.pools().lookups.run(answer).await?;
        if many {
            self.finished = true;
            let why = format!("A request may have at most {LINES} positions. Send the rest in another request.");
            problem(Error::new(Kind::LongBody, why), self.lines + 1, &mut out);
        }
        Ok(out)
    }
}

/// The cached answer to the commonest request, whose query is a FEN and nothing else.
pub(super) fn cached_answer(app: &App, uri: &Uri) -> Option<RenderedAnswer> {
    app.endgames.kept(uri.query()?.strip_prefix("fen=")?)
}

/// Cache key of a question. Equal keys have equal answers.
pub(super) fn key(question: &Question) -> String {
    let mut key = rules(question.size).placement_fen(&question.position);
    if let Some(turn) = question.turn {
        key.push(' ');
        key.push_str(turn.name());
    }
    if let TableCoverage::Uncovered(reason) = &question.coverage {
        key.push(' ');
        key.push_str(reason);
    }
    key
}

/// Sends an answer, or 304 if the client has it.
pub(super) fn send(headers: &HeaderMap, rendered: RenderedAnswer) -> Response {
    let RenderedAnswer { body, tag, lasting } = rendered;
    let control = if lasting { DAY } else { NOT_KEPT };
    CachePolicy { tag, control }.answer_ready(headers, ([(header::CONTENT_TYPE, JSON)], body))
}

impl Endgames {
    /// The answer to a FEN, from the cache if it is there.
    pub(super) async fn rendered(self: &Arc<Self>, fen: &str) -> Result<RenderedAnswer, Error> {
        if let Some(rendered) = self.kept(fen) {
            return Ok(rendered);
        }
        let question = richman::read(fen)?;
        let rendered = match self.bounded(&question).await? {
            Some(known) => {
                let body = Bytes::from(serde_json::to_vec(&ChipsAnswer::from(known)).map_err(Error::broken)?);
                let tag = tag(&[env!("CARGO_PKG_VERSION"), &String::from_utf8_lossy(&body)]);
                RenderedAnswer { tag, body, lasting: true }
            }
            // Not cached: a table of four or five pieces may be added later.
            None if question.is_of_files() => return self.render_without_files(&question).await,
            None => self.render_without_files(&question).await?,
        };
        self.keep(fen.to_owned(), rendered.clone());
        Ok(rendered)
    }

    /// The answer to a question that no file of four or five pieces covers.
    async fn render_without_files(self: &Arc<Self>, question: &Question) -> Result<RenderedAnswer, Error> {
        if let Some(answer) = question.without_table() {
            let body = Bytes::from(serde_json::to_vec(&ChipsAnswer::from(answer)).map_err(Error::broken)?);
            let tag = tag(&[env!("CARGO_PKG_VERSION"), &key(question)]);
            return Ok(RenderedAnswer { body, tag, lasting: !question.is_of_files() });
        }
        let table = self.table(question.size).await?;
        let json = serde_json::to_vec(&ChipsAnswer::from(question.answer(&table))).map_err(Error::broken)?;
        rendered(json.into(), &key(question), table.digest())
    }
}

/// An answer with its ETag. The digest of the table and the position determine the body.
fn rendered(body: Bytes, fen: &str, digest: &str) -> Result<RenderedAnswer, Error> {
    Ok(RenderedAnswer { body, tag: weak(&[&digest[..32], ".v2.", &fen.replace(' ', "_")])?, lasting: true })
}
