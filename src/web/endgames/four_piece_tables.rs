//! The tables of four pieces: their progress, and the positions where α and β differ, as a page and as JSON.

use super::{
    PAGE_TIMEOUT, downloads,
    page::{at_work, wait},
    run_within,
};
use crate::{
    board::Size,
    richman::{
        self, Core, FourFile, FourPieceMaterial, FourShares, Interval, State as Stage, Status, Table, WaitingMoves,
        rules,
    },
    web::{
        App, Error, Kind,
        endgame_cache::{
            Endgames,
            format::path,
            gallery::{Picture, picture},
            log_unusable,
        },
        page as render,
    },
};
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Number of cores shown for each table.
const CORES: usize = 2;

/// A position of four pieces with its bounds.
#[derive(Clone, Serialize, ToSchema)]
pub struct GapPosition {
    /// Its placement.
    pub(super) fen: String,
    /// Bounds of α.
    pub(super) alpha: Interval,
    /// Bounds of β.
    pub(super) beta: Interval,
    /// Bounds of β − α.
    pub(super) gap: Interval,
}

impl GapPosition {
    pub(super) fn new(fen: String, FourShares { alpha, beta, gap }: FourShares) -> GapPosition {
        GapPosition { fen, alpha, beta, gap }
    }

    /// Reads the bounds of a position; `None` if no file covers it.
    fn read(endgames: &Endgames, fen: String) -> Option<GapPosition> {
        let shares = richman::read(&fen).ok()?.shares_of_four(endgames.tables().four());
        Some(GapPosition::new(fen, log_unusable(shares)?))
    }
}

/// Facts about a table of four pieces.
#[derive(Serialize, ToSchema)]
pub struct FourPieceTableFacts {
    /// Number of places of the file with α < β. Two mirror images with White's king on a diagonal, or two orders of like pieces, are two places.
    apart: usize,
    /// Number of places in which it is open whether α = β; null if this server has only bounds. If it is not 0, `apart` may be too small.
    open: Option<usize>,
    /// A position with the largest gap; null if there is none.
    farthest: Option<GapPosition>,
    /// The address of the file.
    file: String,
    /// Size of the file in bytes.
    bytes: u64,
    /// Its SHA-256, in hexadecimal.
    sha256: String,
}

impl FourPieceTableFacts {
    fn new(endgames: &Endgames, file: &FourFile) -> FourPieceTableFacts {
        let board = rules(Size::ORTHODOX);
        let fen = |quad: richman::FourPiecePosition| board.placement_fen(&quad.position(board, file.pair));
        let decisions = file.decisions();
        FourPieceTableFacts {
            apart: decisions.map_or(file.apart, |decisions| decisions.apart),
            open: decisions.map(|decisions| decisions.open),
            farthest: file.farthest.and_then(|(quad, _)| GapPosition::read(endgames, fen(quad))),
            file: downloads::address_of_four(file.pair),
            bytes: file.bytes().len() as u64,
            sha256: file.digest(),
        }
    }
}

/// A table of four pieces and its progress.
#[derive(Serialize, ToSchema)]
pub struct FourPieceTable {
    #[serde(flatten)]
    status: Status,
    /// Facts about the table once it is ready; null before.
    table: Option<FourPieceTableFacts>,
}

/// All tables of four pieces.
#[derive(Serialize, ToSchema)]
pub struct FourPieceTables {
    /// The tables; each comes after those that it depends on.
    tables: Vec<FourPieceTable>,
}

impl FourPieceTables {
    /// Reads the data folder. A file that cannot be used counts as missing.
    fn read(endgames: &Endgames) -> FourPieceTables {
        let told = |status: Status| {
            let file = status.material.parse().ok().filter(|_| status.state == Stage::Ready);
            let file = file.and_then(|pair: FourPieceMaterial| log_unusable(endgames.tables().four().open(pair)));
            let status = match (&file, status.state) {
                (None, Stage::Ready) => Status { state: Stage::Waiting, progress: 0.0, ..status },
                (_, Stage::Ready | Stage::Computing | Stage::Waiting) => status,
            };
            FourPieceTable { status, table: file.map(|file| FourPieceTableFacts::new(endgames, &file)) }
        };
        FourPieceTables { tables: endgames.tables().status_of_four().into_iter().map(told).collect() }
    }
}

/// Returns the state of the tables of four pieces on the 8×8 board. A finished table comes with the number of positions with
/// α < β, a position with the largest gap, and the address and SHA-256 of its file.
#[utoipa::path(
    get,
    path = "/api/richman/four",
    operation_id = "list_four_tables",
    tag = "endgames",
    responses(
        (status = 200, description = "All thirty tables with their state and their progress from 0 to 1", body = FourPieceTables),
    )
)]
pub async fn tables(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let endgames = app.endgames.clone();
    let told = app.play.pools().lookups.run(move || FourPieceTables::read(&endgames)).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(told)).into_response())
}

#[derive(Template)]
#[template(path = "endgames_pairs.html")]
struct FourPage {
    /// The tables of this server.
    rows: Vec<PairRow>,
    /// Tables being solved, with the progress in percent.
    solving: Vec<(String, String)>,
    /// Materials without a table.
    missing: Vec<String>,
    cores: Vec<ShownCore>,
}

struct PairRow {
    material: String,
    apart: usize,
    open: Option<usize>,
    /// The position with the largest gap: its address, α, β and β − α.
    farthest: Option<(String, [String; 3])>,
    /// Whether its cores are on the page.
    shown: bool,
    file: String,
    size: String,
    digest: String,
}

impl FourPage {
    fn read(endgames: &Endgames, table: &Table) -> FourPage {
        let FourPieceTables { tables } = FourPieceTables::read(endgames);
        let mut page = FourPage { rows: Vec::new(), solving: Vec::new(), missing: Vec::new(), cores: Vec::new() };
        for FourPieceTable { status, table: told } in tables {
            match (status.state, told) {
                (Stage::Computing, _) => {
                    page.solving.push((status.material, format!("{:.0}", status.progress * 100.0)));
                }
                (Stage::Waiting | Stage::Ready, None) => page.missing.push(status.material),
                (Stage::Waiting | Stage::Ready, Some(told)) => {
                    let cores =
                        status.material.parse().ok().filter(|_| told.apart > 0).map(|pair: FourPieceMaterial| {
                            let cores = log_unusable(endgames.tables().four().cores(table, pair));
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
    fn new(material: String, told: FourPieceTableFacts, shown: bool) -> PairRow {
        let number = |of: &Interval| format!("{:.6}", of.lo.parse::<f64>().unwrap_or_default());
        let small = |of: &Interval| {
            let gap = of.lo.parse::<f64>().unwrap_or_default();
            if gap < 1e-6 { format!("{gap:.1e}") } else { format!("{gap:.6}") }
        };
        let farthest = told
            .farthest
            .map(|apart| (path(&apart.fen, &[]), [number(&apart.alpha), number(&apart.beta), small(&apart.gap)]));
        PairRow {
            material,
            apart: told.apart,
            open: told.open,
            farthest,
            shown,
            file: told.file,
            size: format!("{:.0}\u{a0}MB", told.bytes as f64 / 1e6),
            digest: told.sha256,
        }
    }
}

/// `GET /endgames/four`: the tables of four pieces, the positions where α and β differ, and the reasons.
pub async fn page(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let Ok(table) = app.endgames.ready() else { return wait(&app) };
    let endgames = app.endgames.clone();
    let pools = app.play.pools().clone();
    match run_within(
        PAGE_TIMEOUT,
        async move { Ok(pools.lookups.run(move || FourPage::read(&endgames, &table)).await?) },
    )
    .await
    {
        Ok(page) => Ok(render(&page)?.into_response()),
        Err(error) if matches!(error.kind(), Kind::Busy { .. }) => at_work(),
        Err(error) => Err(error),
    }
}

/// A core as the page shows it.
pub(super) struct ShownCore {
    /// Anchor on the page: the material, on its first core.
    pub(super) anchor: Option<String>,
    pub(super) title: String,
    pub(super) link: String,
    pub(super) picture: Picture,
    pub(super) alpha: String,
    pub(super) beta: String,
    /// The waiting moves of White and of Black, with the cost of other moves, and an explanation.
    pub(super) words: [String; 3],
    pub(super) play: Option<GapExample>,
}

/// A game of bidding chess that starts with Black's share of the chips between α and β.
pub(super) struct GapExample {
    pub(super) fen: String,
    pub(super) chips: [i64; 2],
}

impl GapExample {
    /// Uses the smallest total with a share between the thresholds; `None` if a game cannot have that many chips.
    fn new(placement: &str, core: &Core) -> Option<GapExample> {
        let between = |total: i64| {
            let black = (core.alpha * i128::from(total)).div_euclid(1 << 63) + 1;
            let fits = black << 63 < core.beta * i128::from(total);
            let black = i64::try_from(black).ok().filter(|_| fits)?;
            Some([total - black, black])
        };
        let chips = [200, 2000, 20_000, 200_000].into_iter().find_map(between)?;
        Some(GapExample { fen: format!("{placement} w - - 0 1"), chips })
    }

    /// The position as a part of an address.
    pub(super) fn escaped(&self) -> String {
        self.fen.replace(' ', "%20")
    }
}

/// Formats a multiple of 2⁻⁶³ with the decimals of the page.
fn share(bound: i128) -> String {
    format!("{:.6}", bound as f64 / (1_u64 << 63) as f64)
}

/// A list of names, shortened if it is long.
fn named(names: &[String]) -> String {
    const MOST: usize = 4;
    match names {
        [one] => one.clone(),
        [first @ .., last] if names.len() <= MOST => format!("{} or {last}", first.join(", ")),
        many => format!("{} or {} more", many[..MOST.min(many.len())].join(", "), many.len().saturating_sub(MOST)),
    }
}

/// A side's options in a core, as a sentence.
fn waiting_sentence(name: &str, waiting: &WaitingMoves, [alpha, beta]: [&str; 2]) -> String {
    let kept = format!("{name} can wait with {}", named(&waiting.kept));
    match waiting.others {
        None => format!("{kept} and has no other move."),
        Some(others) => {
            let [low, high] = others.map(share);
            let most = if name == "White" { "at most" } else { "at least" };
            let changes = match (low == alpha, high == beta) {
                (false, false) => format!("α is {most} {low} and β {most} {high}"),
                (true, false) => format!("β is {most} {high}"),
                (false, true) => format!("α is {most} {low}"),
                (true, true) => "α or β changes by less than the digits shown".to_owned(),
            };
            format!("{kept}. After any other move, {changes}.")
        }
    }
}

impl ShownCore {
    /// Describes the core with the given number.
    pub(super) fn new(pair: FourPieceMaterial, number: usize, core: &Core) -> Option<ShownCore> {
        let board = rules(Size::ORTHODOX);
        let fen = board.placement_fen(&core.position);
        let question = richman::read(&fen).ok()?;
        let (alpha, beta) = (share(core.alpha), share(core.beta));
        let [white, black] = &core.waits;
        let many = match core.positions {
            1 => "Waiting moves lead back to the same position, up to symmetry".to_owned(),
            many => format!("Waiting moves lead only between {many} positions"),
        };
        let why = format!(
            "{many}, with the same α and β. No other move is better. So the move is worth nothing, and neither player pays for it."
        );
        Some(ShownCore {
            anchor: (number == 0).then(|| pair.to_string()),
            title: if core.pair == pair {
                pair.to_string()
            } else {
                format!("{pair}, after promotion to {}", core.pair)
            },
            link: path(&fen, &[]),
            picture: picture(&question),
            words: [
                waiting_sentence("White", white, [&alpha, &beta]),
                waiting_sentence("Black", black, [&alpha, &beta]),
                why,
            ],
            alpha,
            beta,
            play: GapExample::new(&fen, core),
        })
    }
}
