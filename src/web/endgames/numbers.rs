//! Numbers about a board under one address, as JSON or as comma-separated values.

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::{
    board::Size,
    richman::covers,
    web::{
        Error,
        kept::{Kept, tag},
        values::Rendered,
    },
};

/// The numbers follow from the table, but a later release may tell more of them.
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The form in which numbers are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Json,
    Csv,
}

impl Form {
    fn media(self) -> &'static str {
        match self {
            Form::Json => "application/json",
            Form::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// A board as it stands in addresses: `8x8`.
pub(super) fn board(size: Size) -> String {
    format!("{}x{}", size.width(), size.height())
}

/// The board of a name, if the tables cover it and it is written as we write it.
pub(super) fn sized(text: &str) -> Option<Size> {
    let (width, height) = text.split_once('x')?;
    let size = Size::new(width.parse().ok()?, height.parse().ok()?).filter(|size| covers(*size))?;
    (board(size) == text).then_some(size)
}

/// The board and the form of a name: `8x8`, `8x8.csv`.
pub(super) fn named(text: &str) -> Result<(Size, Form), Error> {
    let (stem, form) = text.strip_suffix(".csv").map_or((text, Form::Json), |stem| (stem, Form::Csv));
    let size = sized(stem).ok_or_else(|| {
        Error::unknown("There are no such numbers. Write files and ranks from 3 to 8, as in 8x8 for JSON or 3x4.csv.")
    })?;
    Ok((size, form))
}

/// What is the same for as long as the table is, in one of the forms. `name` tells it from all else that is made of the table.
pub(super) fn rendered(
    form: Form,
    json: &impl Serialize,
    csv: impl FnOnce() -> String,
    (digest, name): (&str, &str),
) -> Result<Rendered, Error> {
    let body = match form {
        Form::Json => Bytes::from(serde_json::to_vec(json).map_err(Error::broken)?),
        Form::Csv => Bytes::from(csv()),
    };
    Ok(Rendered { body, tag: tag(&[digest, name, env!("CARGO_PKG_VERSION")]) })
}

/// Sends numbers, or says that the client has them.
pub(super) async fn send(headers: &HeaderMap, form: Form, rendered: Rendered) -> Result<Response, Error> {
    let Rendered { body, tag } = rendered;
    let whole = async { Ok(([(header::CONTENT_TYPE, form.media())], body).into_response()) };
    Kept { tag, control: DAY }.answer(headers, whole).await
}
