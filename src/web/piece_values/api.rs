//! The measured value of a piece as JSON.

use super::{App, Error, PieceAsked, Priced, Query};
use crate::{
    bots::{ValueEstimate, ruler},
    web::{
        designer::api::Fraction,
        extract::Json as Body,
        openapi::{self, Problem},
    },
};
use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The value of a piece, measured in games between bots, and its price.
#[derive(Serialize, ToSchema)]
pub struct MeasuredPiece {
    /// The canonical text of the piece.
    #[schema(example = "WFfhN")]
    piece: String,
    /// The price before rounding, in zorkmids; a knight costs 3.
    exact: Fraction,
    /// The measured value in knights; null before the first pair of games.
    worth: Option<f64>,
    /// The 95 % confidence interval of the value; null before the first pair of games.
    interval: Option<[f64; 2]>,
    /// The number of pairs of games in which the army with the piece scored 0, 1, 2, 3 and 4 half points.
    pairs: [u32; 5],
    /// The number of pairs in a complete measurement.
    most: u32,
    /// State of the measurement.
    state: MeasurementState,
}

/// State of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MeasurementState {
    /// No pair of games has been played.
    Unmeasured,
    /// Games are being played.
    Measuring,
    /// Interrupted until the server restarts or a client posts again.
    Waiting,
    /// The measurement is complete.
    Measured,
}

/// A piece to measure.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceToMeasure {
    /// The piece in Betza notation.
    #[schema(example = "WFfhN")]
    piece: String,
    /// The inventions in the text, such as `Horse lame(1,2) 2.4`; none by default.
    with: Option<String>,
}

async fn measured(app: &App, asked: &PieceAsked) -> Result<MeasuredPiece, Error> {
    let Priced { piece, exact } = asked.priced()?;
    let progress = app.play.measured(&piece).await?;
    let played = progress.pairs.played();
    let gauge = (played > 0).then(|| progress.pairs.gauge(&ruler()));
    Ok(MeasuredPiece {
        piece: piece.to_string(),
        exact: exact.into(),
        worth: gauge.map(|gauge| gauge.worth),
        interval: gauge.map(|ValueEstimate { low, high, .. }| [low, high]),
        pairs: progress.pairs.0,
        most: progress.most,
        state: match (played, progress.running) {
            (_, true) => MeasurementState::Measuring,
            (0, false) => MeasurementState::Unmeasured,
            (played, false) if played < progress.most => MeasurementState::Waiting,
            (_, false) => MeasurementState::Measured,
        },
    })
}

/// Returns the measured value of a piece, as far as it is known. Starts no measurement.
#[utoipa::path(
    get,
    path = "/api/worth",
    operation_id = "look_up_worth",
    tag = "pieces",
    params(
        ("piece" = String, Query, description = "piece in Betza notation, such as WFfhN", example = "WFfhN"),
        ("with" = Option<String>, Query, description = "inventions, such as `Horse lame(1,2) 2.4`; none by default"),
    ),
    responses(
        (status = 200, description = "The piece", body = MeasuredPiece),
        openapi::PieceErrors,
    )
)]
pub async fn worth(State(app): State<Arc<App>>, Query(asked): Query<PieceAsked>) -> Result<Response, Error> {
    Ok(Json(measured(&app, &asked).await?).into_response())
}

/// Starts the measurement of a piece in the background, and returns its progress. Completed measurements are kept.
#[utoipa::path(
    post,
    path = "/api/worth",
    operation_id = "measure_worth",
    tag = "pieces",
    request_body = PieceToMeasure,
    responses(
        (status = 202, description = "The progress of the measurement", body = MeasuredPiece),
        (status = 422, description = "The rules do not allow the piece to be measured", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
    )
)]
pub async fn measure(State(app): State<Arc<App>>, Body(wanted): Body<PieceToMeasure>) -> Result<Response, Error> {
    let asked = PieceAsked { piece: Some(wanted.piece), with: wanted.with };
    app.play.measure(&asked.priced()?.piece).await?;
    Ok((StatusCode::ACCEPTED, Json(measured(&app, &asked).await?)).into_response())
}
