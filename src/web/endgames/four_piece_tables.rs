//! The tables of four pieces: how far each is, and where α and β differ in it; a page for people, and numbers for programs.

use super::{
    PATIENCE, downloads,
    page::{at_work, wait},
    patiently,
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
            usable,
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

/// The cores that are shown of a table.
const CORES: usize = 2;

/// A position of four pieces, and what is known of it.
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
    /// Of a position and what is known of it.
    pub(super) fn new(fen: String, FourShares { alpha, beta, gap }: FourShares) -> GapPosition {
        GapPosition { fen, alpha, beta, gap }
    }

    /// What is read of a position; nothing where no file tells of it.
    fn read(endgames: &Endgames, fen: String) -> Option<GapPosition> {
        let shares = richman::read(&fen).ok()?.shares_of_four(endgames.tables().four());
        Some(GapPosition::new(fen, usable(shares)?))
    }
}

/// What is known of a table of four pieces.
#[derive(Serialize, ToSchema)]
pub struct FourNumbers {
    /// The positions in which α < β, up to the symmetries of the board.
    apart: usize,
    /// One of them in which they are farthest from each other; null if there is none.
    farthest: Option<GapPosition>,
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
        let fen = |quad: richman::FourPiecePosition| board.placement_fen(&quad.position(board, file.pair));
        FourNumbers {
            apart: file.apart,
            farthest: file.farthest.and_then(|(quad, _)| GapPosition::read(endgames, fen(quad))),
            file: downloads::address_of_four(file.pair),
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
            let file = file.and_then(|pair: FourPieceMaterial| usable(endgames.tables().four().open(pair)));
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
                    let cores =
                        status.material.parse().ok().filter(|_| told.apart > 0).map(|pair: FourPieceMaterial| {
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
        let number = |of: &Interval| format!("{:.6}", of.lo.parse::<f64>().unwrap_or_default());
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

/// A core as the page shows it.
pub(super) struct ShownCore {
    /// Where the page links to: the material, for the first of its cores.
    pub(super) anchor: Option<String>,
    pub(super) title: String,
    pub(super) link: String,
    pub(super) picture: Picture,
    pub(super) alpha: String,
    pub(super) beta: String,
    /// Who waits how, and what any other move changes.
    pub(super) words: [String; 3],
    pub(super) play: Option<GapExample>,
}

/// A game of bidding chess that begins where Black's share of the chips lies between α and β.
pub(super) struct GapExample {
    pub(super) fen: String,
    pub(super) chips: [i64; 2],
}

impl GapExample {
    /// The least total of chips of which a share lies between the thresholds, if a game may have so many.
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

    /// The position as it stands in an address.
    pub(super) fn escaped(&self) -> String {
        self.fen.replace(' ', "%20")
    }
}

/// A multiple of 2⁻⁶³ with so many decimals as the page shows.
fn share(bound: i128) -> String {
    format!("{:.6}", bound as f64 / (1_u64 << 63) as f64)
}

/// Names in a row, of which some are left out where there are many.
fn named(names: &[String]) -> String {
    const MOST: usize = 4;
    match names {
        [one] => one.clone(),
        [first @ .., last] if names.len() <= MOST => format!("{} or {last}", first.join(", ")),
        many => format!("{} or {} more", many[..MOST.min(many.len())].join(", "), many.len().saturating_sub(MOST)),
    }
}

/// What a side can do in a core, in a sentence.
fn waits(name: &str, waiting: &WaitingMoves, [alpha, beta]: [&str; 2]) -> String {
    let kept = format!("{name} waits with {}", named(&waiting.kept));
    match waiting.others {
        None => format!("{kept}, and has no other move."),
        Some(others) => {
            let [low, high] = others.map(share);
            let most = if name == "White" { "at most" } else { "at least" };
            let changes = match (low == alpha, high == beta) {
                (false, false) => format!("α is {most} {low} and β {most} {high}"),
                (true, false) => format!("β is {most} {high}"),
                (false, true) => format!("α is {most} {low}"),
                (true, true) => "one of the two is worse by less than is shown here".to_owned(),
            };
            format!("{kept}; after any other move {changes}.")
        }
    }
}

impl ShownCore {
    /// Of a material's core, by its number.
    pub(super) fn new(pair: FourPieceMaterial, number: usize, core: &Core) -> Option<ShownCore> {
        let board = rules(Size::ORTHODOX);
        let fen = board.placement_fen(&core.position);
        let question = richman::read(&fen).ok()?;
        let (alpha, beta) = (share(core.alpha), share(core.beta));
        let [white, black] = &core.waits;
        let many = match core.positions {
            1 => "These moves lead to the same position again, up to symmetry".to_owned(),
            many => format!("By such moves {many} positions, up to symmetry, lead only to each other"),
        };
        let why = format!(
            "{many}, with the same α and β. So the move is worth nothing here and nobody pays for it, while any other one makes α or β worse for whoever makes it: both rather wait."
        );
        Some(ShownCore {
            anchor: (number == 0).then(|| pair.to_string()),
            title: if core.pair == pair { pair.to_string() } else { format!("{pair}, after promotion {}", core.pair) },
            link: path(&fen, &[]),
            picture: picture(&question),
            words: [waits("White", white, [&alpha, &beta]), waits("Black", black, [&alpha, &beta]), why],
            alpha,
            beta,
            play: GapExample::new(&fen, core),
        })
    }
}
