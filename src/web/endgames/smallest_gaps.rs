//! The fewest pieces with α < β on boards of every size: a page, and lists to download.

use askama::Template;
use axum::{
    body::Bytes,
    http::{HeaderMap, header},
    response::Response,
};

use crate::{
    richman,
    web::{
        Error,
        cache_policy::{CachePolicy, tag},
        endgame_cache::{
            format::path,
            gallery::{Picture, picture},
        },
        extract::Path,
        page as render,
    },
};

/// The fewest pieces with α < β on each board.
const FEWEST: &str = include_str!("../../../docs/smallest/boards/fewest.csv");
/// Boards with more pieces than the fewest.
const FURTHER: &str = include_str!("../../../docs/smallest/boards/further.csv");

/// Files to download: all classes of a board, a proof for one of them, and its checker.
const FILES: [(&str, &str); 15] = [
    ("3x3.csv", include_str!("../../../docs/smallest/classes/3x3.csv")),
    ("3x4.csv", include_str!("../../../docs/smallest/classes/3x4.csv")),
    ("4x3.csv", include_str!("../../../docs/smallest/classes/4x3.csv")),
    ("4x4.csv", include_str!("../../../docs/smallest/classes/4x4.csv")),
    ("3x5.csv", include_str!("../../../docs/smallest/classes/3x5.csv")),
    ("5x3.csv", include_str!("../../../docs/smallest/classes/5x3.csv")),
    ("3x6.csv", include_str!("../../../docs/smallest/classes/3x6.csv")),
    ("6x3.csv", include_str!("../../../docs/smallest/classes/6x3.csv")),
    ("3x3-proof.csv", include_str!("../../../docs/smallest/3x3.csv")),
    ("3x4-proof.csv", include_str!("../../../docs/smallest/3x4.csv")),
    ("4x3-proof.csv", include_str!("../../../docs/smallest/4x3.csv")),
    ("4x4-proof.csv", include_str!("../../../docs/smallest/4x4.csv")),
    ("3x5-proof.csv", include_str!("../../../docs/smallest/3x5.csv")),
    ("3x6-proof.csv", include_str!("../../../docs/smallest/3x6.csv")),
    ("smallest.py", include_str!("../../../examples/smallest.py")),
];

struct SmallBoard {
    /// Files and ranks, such as `3×4`.
    name: &'static str,
    pieces: &'static str,
    /// Number of classes with α < β; a lower bound unless `decided`.
    apart: &'static str,
    /// Whether α = β is decided in every class, also with fewer pieces.
    decided: bool,
    classes: &'static str,
    /// Address of the list of all classes, if there is one.
    list: Option<String>,
    example: ProvedGap,
}

struct ProvedGap {
    link: String,
    picture: Picture,
    alpha: &'static str,
    beta: &'static str,
    /// Address of a proof, and its number of inequalities.
    proof: Option<(String, usize)>,
}

fn file(name: &str) -> Option<&'static str> {
    FILES.into_iter().find(|(known, _)| *known == name).map(|(_, text)| text)
}

impl SmallBoard {
    /// Parses a row of a table; `None` if it is invalid. The number of undecided classes may follow.
    fn read(row: &'static str) -> Option<SmallBoard> {
        let cells: Vec<&str> = row.split(',').collect();
        let [name, pieces, apart, classes, fen, alpha, beta, ref undecided @ ..] = cells[..] else { return None };
        let plain = name.replace('×', "x");
        let question = richman::read(fen).ok()?;
        let address = |name: &str| format!("/endgames/smallest/{name}");
        let list = format!("{plain}.csv");
        let proof = format!("{plain}-proof.csv");
        // Each number is one inequality. A line has one or two of them after its position.
        let count = |text: &str| {
            text.lines().skip(1).flat_map(|line| line.split(',').skip(1)).filter(|it| !it.is_empty()).count()
        };
        Some(SmallBoard {
            name,
            pieces,
            apart,
            decided: undecided == ["0"],
            classes,
            list: file(&list).map(|_| address(&list)),
            example: ProvedGap {
                link: path(fen, &[]),
                picture: picture(&question),
                alpha,
                beta,
                proof: file(&proof).map(|text| (address(&proof), count(text))),
            },
        })
    }
}

#[derive(Template)]
#[template(path = "endgames_smallest.html")]
struct SmallestPage {
    rows: Vec<SmallBoard>,
    /// The rows with more pieces than the fewest.
    beyond: Vec<SmallBoard>,
}

/// `GET /endgames/smallest`: the boards, each with a position of the largest gap.
pub async fn page() -> Result<Response, Error> {
    let read = |table: &'static str| table.lines().skip(1).filter_map(SmallBoard::read).collect();
    render(&SmallestPage { rows: read(FEWEST), beyond: read(FURTHER) })
}

/// `GET /endgames/smallest/{name}`: a list of classes, a proof, or its checker.
pub async fn classes(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Error> {
    let text =
        file(&name).ok_or_else(|| Error::unknown("There is no such file. See /endgames/smallest for the files."))?;
    let kind = if name.ends_with(".py") { "text/x-python; charset=utf-8" } else { "text/csv; charset=utf-8" };
    let fields = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    let kept = CachePolicy { tag: tag(&[text]), control: header::HeaderValue::from_static("public, max-age=86400") };
    Ok(kept.answer_ready(&headers, (fields, Bytes::from_static(text.as_bytes()))))
}
