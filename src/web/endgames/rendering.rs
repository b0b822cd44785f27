//! Answers about positions as they are sent: put together at once, kept from before, or written anew.

use crate::{
    richman::{self, Question, Standing, rules},
    web::{
        App, Error,
        endgames::chips::ChipsAnswer,
        kept::{Kept, tag, weak},
        values::{Endgames, Rendered},
    },
};
use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, Uri, header},
    response::Response,
};
use std::sync::Arc;

/// A position's answer is the same until the table changes, which only a new version of the server can do.
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The answer to an address that asks for a position of the ordinary board as it is usually written and for nothing else, as most do; or for one whose
/// answer is kept. Of four pieces it is put together from files that have been opened before, and kept: what of them has left memory since is read here,
/// some dozens of pages for each answer at worst.
pub(super) fn at_once(app: &App, uri: &Uri) -> Option<Result<Rendered, Error>> {
    let (fen, printer) = (uri.query()?.strip_prefix("fen=")?, app.endgames.printer()?);
    if let Some(json) = printer.print_fen(fen) {
        return Some(rendered(json, fen, printer.digest()));
    }
    if let Some(kept) = app.endgames.kept(fen) {
        return Some(Ok(kept));
    }
    let (json, digest) = printer.print_four_fen(fen)?;
    let rendered = rendered(json, fen, digest);
    if let Ok(rendered) = &rendered {
        app.endgames.keep(fen.to_owned(), rendered.clone());
    }
    Some(rendered)
}

/// The text that distinguishes a question from all others with another answer.
pub(super) fn key(question: &Question) -> String {
    let mut key = rules(question.size).placement_fen(&question.position);
    if let Standing::Beyond(reason) = &question.standing {
        key.push(' ');
        key.push_str(reason);
    }
    key
}

/// Sends what was rendered, or says that the client has it.
pub(super) fn send(headers: &HeaderMap, rendered: Rendered) -> Response {
    let Rendered { body, tag } = rendered;
    Kept { tag, control: DAY }.answer_at_once(headers, ([(header::CONTENT_TYPE, JSON)], body))
}

impl Endgames {
    /// The answer to a FEN: put together where that is quick, else written anew, or kept from when it was last asked in the same letters.
    pub(super) async fn rendered(self: &Arc<Self>, fen: &str) -> Result<Rendered, Error> {
        let question = richman::read(fen)?;
        if let Some(printer) = self.printer()
            && let Some(json) = printer.print(&question)
        {
            return rendered(json, &question.fen(), printer.digest());
        }
        if let Some(rendered) = self.kept(fen) {
            return Ok(rendered);
        }
        if self.has_opened(&question).await?
            && let Some(printer) = self.printer()
            && let Some((json, digest)) = printer.print_four(&question)
        {
            return rendered(json, &question.fen(), digest);
        }
        let rendered = match self.of_files(&question).await? {
            Some(known) => {
                let body = Bytes::from(serde_json::to_vec(&ChipsAnswer::from(known)).map_err(Error::broken)?);
                Rendered { tag: tag(&[env!("CARGO_PKG_VERSION"), &String::from_utf8_lossy(&body)]), body }
            }
            // A table of four pieces or of five may come later.
            None if question.is_of_files() => return self.written(&question).await,
            None => self.written(&question).await?,
        };
        self.keep(fen.to_owned(), rendered.clone());
        Ok(rendered)
    }

    /// The answer to a question of which no table of four pieces tells, written anew.
    async fn written(self: &Arc<Self>, question: &Question) -> Result<Rendered, Error> {
        if let Some(answer) = question.without_table() {
            let body = Bytes::from(serde_json::to_vec(&answer).map_err(Error::broken)?);
            return Ok(Rendered { body, tag: tag(&[env!("CARGO_PKG_VERSION"), &key(question)]) });
        }
        let table = self.table(question.size).await?;
        let json = serde_json::to_vec(&question.answer(&table)).map_err(Error::broken)?;
        rendered(json.into(), &question.fen(), table.digest())
    }
}

/// An answer as it is sent. The digest of the table and the position name it as they are.
fn rendered(body: Bytes, fen: &str, digest: &str) -> Result<Rendered, Error> {
    Ok(Rendered { body, tag: weak(&[&digest[..32], ".", fen])? })
}
