//! The page about all tables of four pieces.

use super::page::{PATIENCE, at_work};
use crate::{
    board::Size,
    play::background,
    richman::{FourFile, Pair, Quad, rules},
    web::{App, Error, page as render, values::address::path},
};
use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

#[derive(Template)]
#[template(path = "endgames_pairs.html")]
struct FourPage {
    /// The tables that this server has.
    rows: Vec<PairRow>,
    /// The materials that it has no table of.
    missing: Vec<String>,
}

/// A table.
struct PairRow {
    material: String,
    apart: usize,
    /// The position with the largest gap: its address, α and β.
    farthest: Option<(String, String, String)>,
    digest: String,
}

impl PairRow {
    fn new(file: &FourFile) -> PairRow {
        let share = |bound: u64| format!("{:.6}", bound as f64 / (1_u64 << 63) as f64);
        let board = rules(Size::ORTHODOX);
        let link = |quad: Quad| path(&board.placement_fen(&quad.position(board, file.pair)), &[]);
        let farthest = file.farthest.map(|(quad, [alpha, beta])| (link(quad), share(alpha), share(beta)));
        PairRow { material: file.pair.to_string(), apart: file.apart, farthest, digest: file.digest.clone() }
    }
}

/// `GET /endgames/four`: the tables of four pieces, and where α and β differ.
pub async fn page(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let endgames = app.endgames.clone();
    let read = move || {
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        for pair in Pair::all() {
            match endgames.tables().four().open(pair) {
                Ok(Some(file)) => rows.push(PairRow::new(&file)),
                Ok(None) => missing.push(pair.to_string()),
                Err(wrong) => {
                    tracing::error!(%wrong, %pair, "a table of four pieces cannot be used");
                    missing.push(pair.to_string());
                }
            }
        }
        FourPage { rows, missing }
    };
    let told = background(read);
    match tokio::time::timeout(PATIENCE, told).await {
        Ok(page) => Ok(render(&page?)?.into_response()),
        Err(_) => at_work(),
    }
}
