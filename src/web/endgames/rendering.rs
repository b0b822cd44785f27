//! Bodies of answers about positions. The last ones are kept.

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

/// The kept answer to a request that names a FEN and nothing else, as most do.
pub(super) fn kept(app: &App, uri: &Uri) -> Option<Rendered> {
    app.endgames.kept(uri.query()?.strip_prefix("fen=")?)
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
    /// The answer to a FEN.
    pub(super) async fn rendered(self: &Arc<Self>, fen: &str) -> Result<Rendered, Error> {
        if let Some(rendered) = self.kept(fen) {
            return Ok(rendered);
        }
        let question = richman::read(fen)?;
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

    /// The answer to a question that no file of four or five pieces answers.
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
