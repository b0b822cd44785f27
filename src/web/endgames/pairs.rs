//! The tables of four pieces: how far each is, and where α and β differ in it; a page for people, and numbers for programs.

mod cores;

use std::sync::Arc;

use askama::Template;
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    files,
    page::{at_work, wait},
    patience::{PATIENCE, patiently},
};
use crate::{
    board::Size,
    richman::{self, Core, Enclosure, FourFile, FourShares, Pair, State as Stage, Status, Table, rules},
    web::{
        App, Error, Kind, page as render,
        values::{Endgames, address::path, usable},
    },
};

use cores::ShownCore;

/// The cores that are shown of a table.
const CORES: usize = 2;

/// A position of four pieces, and what is known of it.
#[derive(Clone, Serialize, ToSchema)]
pub struct Apart {
    /// Its placement.
    pub(super) fen: String,
    /// Bounds of α.
    pub(super) alpha: Enclosure,
    /// Bounds of β.
    pub(super) beta: Enclosure,
    /// Bounds of β − α.
    pub(super) gap: Enclosure,
}

impl Apart {
    /// Of a position and what is known of it.
    pub(super) fn new(fen: String, FourShares { alpha, beta, gap }: FourShares) -> Apart {
        Apart { fen, alpha, beta, gap }
    }

    /// What is read of a position; nothing where no file tells of it.
    fn read(endgames: &Endgames, fen: String) -> Option<Apart> {
        let shares = richman::read(&fen).ok()?.shares_of_four(endgames.tables().four());
        Some(Apart::new(fen, usable(shares)?))
    }
}

/// What is known of a table of four pieces.
#[derive(Serialize, ToSchema)]
pub struct FourNumbers {
    /// The positions in which α < β, up to the symmetries of the board.
    apart: usize,
    /// One of them in which they are farthest from each other; null if there is none.
    farthest: Option<Apart>,
    /// The address of the file.
    file: String,
    /// Its bytes.
    bytes: u64,
    /// Its SHA-256, in hexadecimal.
    sha256: String,
}

impl FourNumbers {
    fn new(endgames: &Endgames, file: &FourFile) -> FourNumbers {
        let board = rules(Size::ORTHODOX);
        let fen = |quad: richman::Quad| board.placement_fen(&quad.position(board, file.pair));
        FourNumbers {
            apart: file.apart,
            farthest: file.farthest.and_then(|(quad, _)| Apart::read(endgames, fen(quad))),
            file: files::address_of_four(file.pair),
            bytes: file.bytes().len() as u64,
            sha256: file.digest(),
        }
    }
}

/// A table of four pieces, and how far it is.
#[derive(Serialize, ToSchema)]
pub struct FourTold {
    #[serde(flatten)]
    status: Status,
    /// What is known of it once it is ready.
    table: Option<FourNumbers>,
}

/// All tables of four pieces.
#[derive(Serialize, ToSchema)]
pub struct AllFour {
    /// Each after those that it needs.
    tables: Vec<FourTold>,
}

impl AllFour {
    /// Reads what the folder holds; a file that cannot be used is as good as none.
    fn read(endgames: &Endgames) -> AllFour {
        let told = |status: Status| {
            let file = status.material.parse().ok().filter(|_| status.state == Stage::Ready);
            let file = file.and_then(|pair: Pair| usable(endgames.tables().four().open(pair)));
            let status = match (&file, status.state) {
                (None, Stage::Ready) => Status { state: Stage::Waiting, progress: 0.0, ..status },
                (_, Stage::Ready | Stage::Computing | Stage::Waiting) => status,
            };
            FourTold { status, table: file.map(|file| FourNumbers::new(endgames, &file)) }
        };
        AllFour { tables: endgames.tables().status_of_four().into_iter().map(told).collect() }
    }
}

/// Says how far the tables of four pieces on the ordinary board are, and of each that is ready how many positions have α < β, one in which they are
/// farthest apart, and where its file and the SHA-256 of that are.
#[utoipa::path(
    get,
    path = "/api/richman/four",
    operation_id = "list_four_tables",
    tag = "endgames",
    responses(
        (status = 200, description = "All thirty tables with their state and their progress from 0 to 1", body = AllFour),
    )
)]
pub async fn tables(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let endgames = app.endgames.clone();
    let told = app.play.pools().lookups.run(move || AllFour::read(&endgames)).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(told)).into_response())
}

#[derive(Template)]
#[template(path = "endgames_pairs.html")]
struct FourPage {
    /// The tables that this server has.
    rows: Vec<PairRow>,
    /// Those that are being solved, with how much of each is done in percent.
    solving: Vec<(String, String)>,
    /// The materials that it has no table of.
    missing: Vec<String>,
    cores: Vec<ShownCore>,
}

/// A table.
struct PairRow {
    material: String,
    apart: usize,
    /// The position with the largest gap: its address, α, β and β − α.
    farthest: Option<(String, [String; 3])>,
    /// Set if its cores are on the page.
    shown: bool,
    file: String,
    size: String,
    digest: String,
}

impl FourPage {
    fn read(endgames: &Endgames, table: &Table) -> FourPage {
        let AllFour { tables } = AllFour::read(endgames);
        let mut page = FourPage { rows: Vec::new(), solving: Vec::new(), missing: Vec::new(), cores: Vec::new() };
        for FourTold { status, table: told } in tables {
            match (status.state, told) {
                (Stage::Computing, _) => {
                    page.solving.push((status.material, format!("{:.0}", status.progress * 100.0)));
                }
                (Stage::Waiting | Stage::Ready, None) => page.missing.push(status.material),
                (Stage::Waiting | Stage::Ready, Some(told)) => {
                    let cores = status.material.parse().ok().filter(|_| told.apart > 0).map(|pair: Pair| {
                        let cores = usable(endgames.tables().four().cores(table, pair));
                        let shown = |(number, core): (usize, &Core)| ShownCore::new(pair, number, core);
                        let first = cores.iter().flat_map(|cores| cores.iter()).take(CORES);
                        first.enumerate().filter_map(shown).collect::<Vec<_>>()
                    });
                    let cores = cores.unwrap_or_default();
                    page.rows.push(PairRow::new(status.material, told, !cores.is_empty()));
                    page.cores.extend(cores);
                }
            }
        }
        page
    }
}

impl PairRow {
    fn new(material: String, told: FourNumbers, shown: bool) -> PairRow {
        let number = |of: &Enclosure| format!("{:.6}", of.lo.parse::<f64>().unwrap_or_default());
        let farthest =
            told.farthest.map(|apart| (path(&apart.fen, &[]), [&apart.alpha, &apart.beta, &apart.gap].map(number)));
        PairRow {
            material,
            apart: told.apart,
            farthest,
            shown,
            file: told.file,
            size: format!("{:.0}\u{a0}MB", told.bytes as f64 / 1e6),
            digest: told.sha256,
        }
    }
}

/// `GET /endgames/four`: the tables of four pieces, where α and β differ, and where that comes from.
pub async fn page(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let Ok(table) = app.endgames.ready() else { return wait(&app) };
    let endgames = app.endgames.clone();
    let pools = app.play.pools().clone();
    match patiently(PATIENCE, async move { Ok(pools.lookups.run(move || FourPage::read(&endgames, &table)).await?) })
        .await
    {
        Ok(page) => Ok(render(&page)?.into_response()),
        Err(error) if matches!(error.kind(), Kind::Busy { .. }) => at_work(),
        Err(error) => Err(error),
    }
}
