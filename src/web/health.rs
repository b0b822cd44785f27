//! Probes: whether the process lives, and whether it wants requests.

use super::{App, Error, Kind};
use axum::{Json, extract::State};
use serde::Serialize;
use std::sync::Arc;

/// The answer to a probe: `{"status": "ok"}`.
#[derive(Serialize)]
pub struct Health {
    status: &'static str,
}

/// `GET /healthz`: the process answers.
pub async fn alive() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// `GET /readyz`: requests are welcome; 503 before the endgame tables can answer, while the record cannot be written, and
/// once the server is stopping.
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, Error> {
    if app.closing.is_cancelled() {
        return Err(Error::new(Kind::Busy { retry_after: 5 }, "The server is stopping."));
    }
    app.endgames.ready()?;
    app.probe.ask(&app.play).await?;
    Ok(Json(Health { status: "ready" }))
}
