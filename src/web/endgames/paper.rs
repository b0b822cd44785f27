//! The paper's claims beside what this server says, on one page.

use std::sync::Arc;

use askama::Template;
use axum::{
    body::Bytes,
    extract::State,
    response::{Html, IntoResponse, Response},
};

use crate::{
    board::Size,
    web::{
        App, Error,
        kept::tag,
        values::{
            Rendered,
            claims::{self, Numbered},
        },
    },
};

#[derive(Template)]
#[template(path = "endgames_paper.html")]
struct ClaimsPage {
    rows: Vec<Numbered>,
}

/// The name under which the page is kept.
const NAME: &str = "the claims";

/// `GET /endgames/paper`: worked out at the first look, and kept.
pub async fn page(State(app): State<Arc<App>>) -> Result<Response, Error> {
    if let Some(kept) = app.endgames.kept(NAME) {
        return Ok(Html(kept.body).into_response());
    }
    let classes = app.endgames.classes(Size::ORTHODOX).await?;
    let own = app.endgames.clone();
    let work = move || claims::all(own.tables(), &classes);
    let rows = app.play.pools().batch.run(work).await?.map_err(Error::broken)?;
    let text = ClaimsPage { rows }.render().map_err(Error::broken)?;
    let rendered = Rendered { body: Bytes::from(text), tag: tag(&[NAME, env!("CARGO_PKG_VERSION")]) };
    app.endgames.keep(NAME.to_owned(), rendered.clone());
    Ok(Html(rendered.body).into_response())
}
