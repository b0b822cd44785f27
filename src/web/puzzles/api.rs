//! Puzzles as JSON. Only the response to an answer contains the solution.

use super::{Filter, named, path, read_answer};
use crate::{
    puzzles::{AnswerForm, Difficulty, LetteredPiece, Puzzle, PuzzleKind, PuzzleTheme},
    richman::{Stacks, Table},
    rules::Side,
    store::Attempts,
    web::{
        App, Error, PublicOrigin,
        extract::{Json as Body, Pairs, Path, Query, parameter},
        openapi::{self, Problem},
    },
};
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A puzzle without its solution.
#[derive(Serialize, ToSchema)]
pub struct PuzzleQuestion {
    /// The kind: `least-bid`, `answer`, `paid-move`, `coin-move`, `promotion`, `zugzwang`, `mate`, `guess` or `design`.
    kind: PuzzleKind,
    /// The number within the kind.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295i64)]
    number: u32,
    /// The name of the kind.
    title: &'static str,
    /// The page of the puzzle.
    url: String,
    /// The task.
    task: String,
    /// The side to solve for.
    #[schema(value_type = Side)]
    side: &'static str,
    /// The position, or the positions to choose from. In endgames it is the placement alone, since no side is to move.
    fens: Vec<String>,
    /// The designed pieces on the board, by letter.
    pieces: Vec<PuzzlePiece>,
    /// The chips of both sides; null in a puzzle without chips.
    chips: Option<Stacks>,
    /// The zorkmids of both sides; null in a puzzle without purchases.
    zorkmids: Option<Stacks>,
    /// The opponent’s bid; null unless the task is to answer it.
    bid: Option<i64>,
    /// The form of an answer: `offered` for one of `answers`, `chips` for a whole number, `turn` for a turn of Clairvoyant Chess, `design` for a
    /// piece in Betza notation.
    form: AnswerForm,
    /// The answers to choose from; empty for the other forms.
    answers: Vec<OfferedAnswer>,
    /// How close the second best answer is, or how many answers there are to consider.
    difficulty: Difficulty,
    /// The number of attempts.
    tried: i64,
    /// The number of correct attempts.
    solved: i64,
}

/// A piece on the board of a puzzle.
#[derive(Serialize, ToSchema)]
pub struct PuzzlePiece {
    /// The letter in the FEN, as for White’s pieces.
    letter: String,
    /// The text in Betza notation.
    betza: String,
}

/// An answer to choose from.
#[derive(Serialize, ToSchema)]
pub struct OfferedAnswer {
    /// The answer.
    answer: String,
    /// The answer in words; a move in SAN.
    words: String,
}

impl PuzzleQuestion {
    fn new(base: &PublicOrigin, puzzle: Puzzle, attempts: Attempts) -> PuzzleQuestion {
        let (kind, number) = (puzzle.kind, puzzle.number);
        let answers = puzzle.offered.iter();
        let both = |[white, black]: [i64; 2]| Stacks { white, black };
        let piece = |piece: LetteredPiece| PuzzlePiece { letter: piece.letter, betza: piece.betza };
        PuzzleQuestion {
            kind,
            number,
            title: kind.title(),
            url: base.url(&path(kind, number)),
            task: puzzle.task(),
            side: puzzle.side.name(),
            fens: puzzle.scene.fens(),
            pieces: puzzle.scene.legend().into_iter().map(piece).collect(),
            chips: puzzle.scene.staked().map(|staked| both(staked.chips)),
            zorkmids: puzzle.scene.zorkmids().map(both),
            bid: puzzle.scene.staked().and_then(|staked| staked.bid),
            form: kind.form(),
            answers: answers
                .map(|offered| OfferedAnswer { answer: offered.text.clone(), words: offered.words.clone() })
                .collect(),
            difficulty: puzzle.difficulty,
            tried: attempts.tried,
            solved: attempts.solved,
        }
    }

    async fn asked(app: &App, base: &PublicOrigin, kind: PuzzleKind, number: u32) -> Result<Response, Error> {
        let (puzzle, attempts) = app.puzzle(kind, number).await?;
        Ok(([(header::CACHE_CONTROL, "no-store")], Json(PuzzleQuestion::new(base, puzzle, attempts))).into_response())
    }
}

/// Returns the daily puzzle.
#[utoipa::path(
    get,
    path = "/api/puzzle/daily",
    operation_id = "daily_puzzle",
    tag = "puzzles",
    responses((status = 200, description = "The puzzle, without its solution", body = PuzzleQuestion), openapi::PathErrors)
)]
pub async fn daily(State(app): State<Arc<App>>, base: PublicOrigin) -> Result<Response, Error> {
    let today = app.day();
    PuzzleQuestion::asked(&app, &base, PuzzleKind::of_day(today), today).await
}

/// Returns a random puzzle.
#[utoipa::path(
    get,
    path = "/api/puzzle/next",
    operation_id = "next_puzzle",
    tag = "puzzles",
    params(
        ("kind" = Option<PuzzleKind>, Query, description = "kind of puzzle; any kind by default", example = "least-bid"),
        ("theme" = Option<PuzzleTheme>, Query, description = "theme, which can give part of the solution away", example = "knight"),
        ("difficulty" = Option<Difficulty>, Query, description = "difficulty; any difficulty by default", example = "easy"),
    ),
    responses(
        (status = 200, description = "The puzzle, without its solution", body = PuzzleQuestion),
        (status = 404, description = "No such puzzle was found", body = Problem, content_type = "application/problem+json"),
        openapi::PathErrors,
    )
)]
pub async fn next(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let filter = Filter::read(&query)?;
    let drawn = app.play.puzzle();
    let kind = match parameter(&query, "kind")? {
        None => {
            let kinds: Vec<PuzzleKind> = PuzzleKind::ALL.into_iter().filter(|kind| filter.allows(*kind)).collect();
            kinds[app.play.puzzle() as usize % kinds.len()]
        }
        Some(key) => key.parse().map_err(|wrong: crate::rules::Refusal| Error::malformed(wrong.why).field("kind"))?,
    };
    let number = match kind.numbers() {
        Some(numbers) if filter.is_empty() => numbers[drawn as usize % numbers.len()],
        numbers => app.drawn(kind, filter).await?.ok_or_else(|| {
            let none = match numbers {
                Some(numbers) => {
                    format!(
                        "None of the {} puzzles of the kind {} has this theme and difficulty",
                        numbers.len(),
                        kind.key()
                    )
                }
                None => format!("No puzzle of the kind {} with this theme and difficulty was found", kind.key()),
            };
            Error::unknown(format!("{none}. Choose another kind, theme or difficulty."))
        })?,
    };
    PuzzleQuestion::asked(&app, &base, kind, number).await
}

/// Returns a puzzle.
#[utoipa::path(
    get,
    path = "/api/puzzle/{kind}/{number}",
    operation_id = "puzzle",
    tag = "puzzles",
    params(
        ("kind" = PuzzleKind, Path, description = "kind of puzzle", example = "least-bid"),
        ("number" = i64, Path, description = "number within the kind", example = 7, minimum = 0, maximum = 4_294_967_295i64),
    ),
    responses(
        (status = 200, description = "The puzzle, without its solution", body = PuzzleQuestion),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn puzzle(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    place: Path<(String, String)>,
) -> Result<Response, Error> {
    let (kind, number) = named(place)?;
    PuzzleQuestion::asked(&app, &base, kind, number).await
}

/// An answer to a puzzle.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAnswer {
    /// A number of chips, one of the offered answers, a turn or a design, according to `form`.
    #[schema(example = "12")]
    answer: String,
}

/// A graded answer.
#[derive(Serialize, ToSchema)]
pub struct GradedAnswer {
    /// Whether the answer is right.
    right: bool,
    /// The only right answer.
    solution: String,
    /// The explanation of the solution, and at the end that of a wrong answer.
    reasons: Vec<GradedReason>,
    /// The themes.
    themes: Vec<PuzzleTheme>,
}

/// A line of the explanation.
#[derive(Serialize, ToSchema)]
pub struct GradedReason {
    /// A possible choice.
    what: String,
    /// Its consequence.
    then: String,
}

fn graded(puzzle: Puzzle, answer: &str, right: bool, table: &Table) -> GradedAnswer {
    let own = if right { None } else { puzzle.outcome(&read_answer(puzzle.kind, answer), table) };
    let own = own.filter(|own| puzzle.reasons.iter().all(|reason| reason.what != own.what));
    let themes = puzzle.themes().collect();
    let reasons = puzzle.reasons.into_iter().chain(own);
    let reasons = reasons.map(|reason| GradedReason { what: reason.what, then: reason.then }).collect();
    GradedAnswer { right, solution: puzzle.solution, reasons, themes }
}

/// Grades an answer to a puzzle and counts it.
#[utoipa::path(
    post,
    path = "/api/puzzle/{kind}/{number}",
    operation_id = "answer_puzzle",
    tag = "puzzles",
    params(
        ("kind" = PuzzleKind, Path, description = "kind of puzzle", example = "least-bid"),
        ("number" = i64, Path, description = "number within the kind", example = 7, minimum = 0, maximum = 4_294_967_295i64),
    ),
    request_body = PuzzleAnswer,
    responses(
        (status = 200, description = "The graded answer, and the solution", body = GradedAnswer),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
    )
)]
pub async fn answer(
    State(app): State<Arc<App>>,
    place: Path<(String, String)>,
    Body(given): Body<PuzzleAnswer>,
) -> Result<Response, Error> {
    let (kind, number) = named(place)?;
    let (puzzle, _) = app.puzzle(kind, number).await?;
    let right = app.grade(&puzzle, &given.answer).await?;
    let table = app.endgames.ready()?;
    let work = move || graded(puzzle, &given.answer, right, &table);
    let graded = app.play.pools().lookups.run(work).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(graded)).into_response())
}
