//! The position of a game as a QR code.

use super::look::{Look, LookQuery, Onlooker};
use crate::{
    play::LiveGame,
    web::{App, Error, private, qr::qr},
};
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// `GET /games/{id}/fen.svg`: the position that the page shows as a QR code, as the same eyes see it; `ply` names an earlier one.
pub async fn fen(State(app): State<Arc<App>>, Onlooker { table, look, asked }: Onlooker) -> Result<Response, Error> {
    app.play.pools().games.run(move || position_code(&table, &look, &asked)).await?
}

fn position_code(table: &LiveGame, look: &Look, asked: &LookQuery) -> Result<Response, Error> {
    let viewer = look.viewer.filter(|_| !look.curtain);
    let fen = match asked.ply.filter(|ply| *ply < table.game.ply()) {
        // Of an earlier moment whoever holds both seats sees what anybody sees.
        Some(ply) => table.game.past(ply).and_then(|game| game.diagram(viewer.filter(|_| !look.both())).fen),
        None => table.game.diagram(viewer).fen,
    };
    let fen = fen.ok_or_else(|| Error::unknown("There is no FEN of this moment that you may know."))?;
    let drawn = qr(&fen).ok_or_else(|| Error::refused("This FEN is too long for a QR code."))?.svg();
    Ok(private(([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response()))
}
