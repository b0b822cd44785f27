//! The pages of puzzles. A puzzle's page shows the solution only if the query has an answer.

use super::{
    Daily, Days, Filter, Score,
    line::{self, LineStep},
    named, path,
    puzzle_board::{self, Hand, PieceForSale},
    read_answer, score_name,
};
use crate::{
    puzzles::{AnswerForm, Difficulty, LetteredPiece, Puzzle, PuzzleKind, PuzzleTheme, Reason, points},
    richman::Table,
    store::Attempts,
    web::{
        App, Error, PublicOrigin,
        board_view::Figure,
        designer::form::Designer,
        extract::{Form, Pairs, Path, Query, parameter},
        frame::Sketch,
        link_preview::Preview,
        page as render, private,
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;

#[derive(Template)]
#[template(path = "puzzles.html")]
struct ListPage {
    daily: Daily,
    filter: Filter,
    /// The kind of which no puzzle fits the filter.
    missing: Option<PuzzleKind>,
    preview: Preview,
}

#[derive(Template)]
#[template(path = "puzzle.html")]
struct PuzzlePage {
    puzzle: Puzzle,
    boards: Vec<Figure>,
    /// Both sides' chips or zorkmids, after the moves on the board.
    stacks: Option<[(&'static str, i64); 2]>,
    attempts: Attempts,
    here: String,
    /// The answer in the query, and whether it is right.
    given: Option<(String, bool)>,
    /// Number of tries so far, with the answer in the query.
    tries: usize,
    /// The filter that the next puzzle must fit.
    filter: Filter,
    /// The hint, if the query asks for it.
    hint: Option<String>,
    /// Whether the puzzle has a hint.
    hints: bool,
    /// Points for the right answer, and the score in this browser.
    points: Option<(usize, Score)>,
    /// Whether to show the solution.
    solved: bool,
    /// The themes of the puzzle, shown with the solution.
    themes: Vec<PuzzleTheme>,
    /// Address of this page with the solution.
    solution: String,
    /// The line of the solution; empty until the solution is shown.
    line: Vec<LineStep>,
    /// Number of moves of the line on the board.
    step: usize,
    /// Address of this page, to which a number of moves is appended.
    replay: String,
    /// Address of the next puzzle of the kind, if there is one.
    next: Option<String>,
    /// Error in the answer, unless the piece designer shows it.
    wrong: Option<String>,
    /// The answer, as typed.
    text: String,
    /// Length of the streak, on the page of the daily puzzle.
    daily: Option<u32>,
    /// The piece in hand, and the unfinished turn.
    hand: Hand,
    /// The pieces that can be bought.
    sold: Vec<PieceForSale>,
    /// The designer in which the solver builds the answer.
    designer: Option<Designer>,
    /// The designed pieces on the board.
    legend: Vec<LetteredPiece>,
    /// The consequence of a wrong answer.
    outcome: Option<Reason>,
    /// Addresses of the positions on the endgame page, shown after an answer.
    links: Vec<String>,
    preview: Preview,
}

impl PuzzlePage {
    /// Whether there is no answer, error or hint to show.
    fn is_fresh(&self) -> bool {
        self.given.is_none() && self.wrong.is_none() && self.hint.is_none()
    }

    /// Whether the answer just given is this one, and wrong.
    fn refutes(&self, text: &str) -> bool {
        self.given.as_ref().is_some_and(|(given, right)| given == text && !right)
    }
}

/// Address of a position on the endgame page, with the chips if the puzzle has a bidder.
fn endgame_address(puzzle: &Puzzle, fen: &str) -> String {
    let bidder = match puzzle.kind {
        PuzzleKind::LeastBid => puzzle.side,
        PuzzleKind::Answer => !puzzle.side,
        PuzzleKind::PaidMove
        | PuzzleKind::CoinMove
        | PuzzleKind::Promotion
        | PuzzleKind::Zugzwang
        | PuzzleKind::Mate
        | PuzzleKind::Guess
        | PuzzleKind::Design => {
            return format!("/endgames?fen={fen}");
        }
    };
    let [white, black] = puzzle.scene.staked().map_or([0; 2], |staked| staked.chips);
    format!("/endgames?fen={fen}&chips={white}:{black}&bids={}", bidder.name())
}

/// `GET /puzzles`: the list of kinds, or of those that have puzzles of a `theme`.
pub async fn list(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    days: Days,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    Ok(private(render(&ListPage::of(&app, &base, &days, Filter::read(&query)?))?))
}

impl ListPage {
    fn of(app: &App, base: &PublicOrigin, days: &Days, filter: Filter) -> ListPage {
        let words = "Chess puzzles for stakes with exact solutions: the smallest winning bid, the best move for its price, mates to buy, guesses that pay";
        let preview = Preview::of_page(base, "/puzzles", "/diagram.png?fen=8/3P4/4k3/8/8/8/2K5/8", "Puzzles", words);
        ListPage { daily: Daily::of(app, days), filter, missing: None, preview }
    }
}

/// `GET /puzzles/{kind}`: redirects to a random puzzle of the kind, or to the first one if it has few. The query may have a `theme` and a
/// `difficulty`. If no puzzle fits, the list says so.
pub async fn fresh(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    days: Days,
    Path(kind): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let kind = kind.parse::<PuzzleKind>().map_err(|wrong| Error::unknown(wrong.why))?;
    let filter = Filter::read(&query)?;
    let Some(number) = app.drawn(kind, filter).await? else {
        let page = render(&ListPage { missing: Some(kind), ..ListPage::of(&app, &base, &days, filter) })?;
        return Ok((StatusCode::NOT_FOUND, private(page)).into_response());
    };
    let to = format!("{}{}", path(kind, number), filter.pairs().replacen('&', "?", 1));
    Ok(private(Redirect::to(&to).into_response()))
}

/// Address of the puzzle after this one: a random one, or the next of a kind with few. `None` after the last.
fn next(kind: PuzzleKind, number: u32, filter: Filter) -> Option<String> {
    let Some(numbers) = kind.numbers() else { return Some(filter.address(kind)) };
    let following = numbers.iter().skip_while(|known| **known != number).nth(1);
    let first = numbers.first().filter(|_| !numbers.contains(&number));
    following.or(first).map(|number| path(kind, *number))
}

/// What a query or form says about the attempt so far.
#[derive(Clone, Copy)]
pub(super) struct AttemptSoFar {
    /// Number of tries.
    pub(super) tries: usize,
    /// Whether the hint was shown.
    hinted: bool,
    /// The filter that the next puzzle must fit.
    filter: Filter,
}

impl AttemptSoFar {
    pub(super) fn read(pairs: &Pairs) -> Result<AttemptSoFar, Error> {
        let tries = parameter(pairs, "tries")?.and_then(|text| text.parse().ok()).unwrap_or_default();
        Ok(AttemptSoFar { tries, hinted: parameter(pairs, "hint")?.is_some(), filter: Filter::read(pairs)? })
    }

    /// After another try. An address does not mention the first one.
    pub(super) fn after_try(self) -> AttemptSoFar {
        AttemptSoFar { tries: if self.tries > 0 { self.tries.saturating_add(1) } else { 0 }, ..self }
    }

    /// As the end of a query.
    pub(super) fn pairs(self) -> String {
        let tries = if self.tries > 0 { format!("&tries={}", self.tries) } else { String::new() };
        let hint = if self.hinted { "&hint=1" } else { "" };
        format!("{tries}{hint}{}", self.filter.pairs())
    }

    /// As fields of a form; those that say nothing are empty.
    fn fields(self) -> Vec<(&'static str, String)> {
        let tries = if self.tries > 0 { self.tries.to_string() } else { String::new() };
        let hint = if self.hinted { "1".to_owned() } else { String::new() };
        let theme = self.filter.theme.map_or("", PuzzleTheme::key).to_owned();
        let difficulty = self.filter.difficulty.map_or("", Difficulty::key).to_owned();
        vec![("tries", tries), ("hint", hint), ("theme", theme), ("difficulty", difficulty)]
    }
}

/// `GET /puzzles/{kind}/{number}`: a puzzle. The query may have `from` (the piece in hand), `turn` (an unfinished turn), `answer`,
/// `tries`, `hint`, `step` (moves of the solution's line on the board) and the fields of the piece designer.
pub async fn show(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    days: Days,
    score: Score,
    place: Path<(String, String)>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let (kind, number) = named(place)?;
    let told = |name| parameter(&query, name).map(|text| text.unwrap_or_default().to_owned());
    let hand = Hand { from: told("from")?, turn: told("turn")? };
    let sketch = Sketch {
        piece: told("piece")?,
        press: told("press")?,
        by: told("by")?,
        mode: told("mode")?,
        mirror: told("mirror")?,
        known: told("known")?,
        before: parameter(&query, "before")?.map(str::to_owned),
        ..Sketch::default()
    };
    let text = read_answer(kind, parameter(&query, "answer")?.unwrap_or_default());
    let so_far = AttemptSoFar::read(&query)?;
    let step = parameter(&query, "step")?.and_then(|text| text.parse().ok()).unwrap_or_default();
    let table = app.endgames.ready()?;
    let (puzzle, attempts) = app.puzzle(kind, number).await?;
    let daily = app.is_daily(kind, number).then(|| days.in_a_row(app.day()));
    let replay = Replay { table, step };
    let work = move || posed(&base, puzzle, attempts, (hand, sketch), (text, so_far), (daily, score), &replay);
    app.play.pools().lookups.run(work).await?
}

/// The moves of the solution's line that a query asks for.
struct Replay {
    table: Arc<Table>,
    /// Number of moves.
    step: usize,
}

fn posed(
    base: &PublicOrigin,
    puzzle: Puzzle,
    attempts: Attempts,
    (hand, mut sketch): (Hand, Sketch),
    (text, AttemptSoFar { tries, hinted, filter }): (String, AttemptSoFar),
    (daily, score): (Option<u32>, Score),
    replay: &Replay,
) -> Result<Response, Error> {
    let (kind, number) = (puzzle.kind, puzzle.number);
    let (given, wrong) = match (&*text, puzzle.grade(&text)) {
        ("", _) => (None, None),
        (_, Ok(right)) => (Some((text.clone(), right)), None),
        (_, Err(wrong)) => (None, Some(wrong.why)),
    };
    let fens = puzzle.scene.fens();
    let here = path(kind, number);
    // Links without a number of tries lead to the first one.
    let tries = if given.is_some() { tries.max(1) } else { tries };
    let solved = given.as_ref().is_some_and(|(_, right)| *right || tries >= puzzle.most_tries());
    let right = given.as_ref().is_some_and(|(_, right)| *right);
    // A shared link to an answer scores nothing in the browser that opens it.
    let counted = right && score.has_counted(&score_name(kind, number));
    let points = counted.then(|| (points(tries - 1, hinted), score));
    let designer = (kind.form() == AnswerForm::Design && !solved).then(|| {
        if !text.is_empty() {
            sketch.piece.clone_from(&text);
        }
        let so_far = AttemptSoFar { tries, hinted, filter };
        Designer::of_puzzle(&sketch, here.clone(), so_far.fields(), wrong.as_deref())
    });
    // An address holds the piece, not the click that made it.
    if let Some(designer) = designer.as_ref().filter(|designer| !designer.is_invalid() && designer.text != sketch.piece)
    {
        return Ok(private(Redirect::to(&designer.current_address()).into_response()));
    }
    let invalid = wrong.is_some() || designer.as_ref().is_some_and(Designer::is_invalid);
    let status = if invalid { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let hint = puzzle.hint();
    let line = if solved { line::of(&puzzle, &replay.table) } else { Vec::new() };
    let step = replay.step.min(line.len());
    let shown = step.checked_sub(1).and_then(|at| line.get(at));
    let stacks = shown.map_or_else(|| puzzle_board::stacks(&puzzle), |played| played.stacks);
    let (boards, sold) = match (solved, shown) {
        (_, Some(played)) => (vec![played.figure.clone()], Vec::new()),
        (true, None) => (puzzle_board::solved(&puzzle), Vec::new()),
        (false, None) => puzzle_board::unsolved(&puzzle, &hand),
    };
    let answered = |so_far: AttemptSoFar| {
        format!("{here}?answer={}{}", utf8_percent_encode(&text, NON_ALPHANUMERIC), so_far.pairs())
    };
    let endgames = puzzle.scene.questions().iter().map(|question| endgame_address(&puzzle, &question.fen()));
    let page = PuzzlePage {
        boards,
        sold,
        designer,
        legend: puzzle.scene.legend(),
        outcome: given.as_ref().filter(|(_, right)| !right).and_then(|(text, _)| puzzle.outcome(text, &replay.table)),
        stacks: stacks.map(puzzle_board::labelled),
        attempts,
        given,
        tries,
        filter,
        hints: hint.is_some(),
        hint: hint.filter(|_| hinted && !solved),
        points,
        solved,
        themes: puzzle.themes().collect(),
        solution: answered(AttemptSoFar { tries: puzzle.most_tries(), hinted, filter }),
        replay: answered(AttemptSoFar { tries, hinted, filter }),
        line,
        step,
        next: next(kind, number, filter),
        wrong: wrong.filter(|_| kind.form() != AnswerForm::Design),
        text: if text.is_empty() { hand.turn.clone() } else { text },
        hand,
        daily,
        links: endgames.collect(),
        preview: match (kind.form(), fens.first()) {
            // Designed pieces have no picture that readers would recognize.
            (AnswerForm::Design, _) | (_, None) => {
                Preview::of_page(base, &here, "/rules/csipgs/image.png", kind.title(), &puzzle.task())
            }
            (AnswerForm::Chips | AnswerForm::Offered | AnswerForm::Turn, Some(fen)) => {
                Preview::of_position(base, &here, "/diagram.png", fen, kind.title(), &puzzle.task())
            }
        },
        here,
        puzzle,
    };
    Ok(private((status, render(&page)?).into_response()))
}

/// `POST /puzzles/{kind}/{number}`: counts an answer and redirects to the result. A click on a piece picks it up.
pub async fn answer(
    State(app): State<Arc<App>>,
    days: Days,
    score: Score,
    place: Path<(String, String)>,
    Form(fields): Form<Pairs>,
) -> Result<Response, Error> {
    let (kind, number) = named(place)?;
    let here = path(kind, number);
    let so_far = AttemptSoFar::read(&fields)?;
    let go = |name: &str, value: &str, so_far: AttemptSoFar| {
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
        Redirect::to(&format!("{here}?{name}={value}{}", so_far.pairs())).into_response()
    };
    let turn = parameter(&fields, "turn")?;
    if let Some(from) = parameter(&fields, "from")? {
        let before = parameter(&fields, "before")?.filter(|before| !before.is_empty());
        let before = before.map(|before| format!("&turn={}", utf8_percent_encode(before, NON_ALPHANUMERIC)));
        let from = utf8_percent_encode(from, NON_ALPHANUMERIC);
        let to = format!("{here}?from={from}{}{}", before.unwrap_or_default(), so_far.pairs());
        return Ok(private(Redirect::to(&to).into_response()));
    }
    if let Some(turn) = turn {
        return Ok(private(go("turn", turn, so_far)));
    }
    let text = parameter(&fields, "piece")?.or(parameter(&fields, "answer")?).unwrap_or_default();
    let text = &*read_answer(kind, text);
    let (puzzle, _) = app.puzzle(kind, number).await?;
    // An invalid answer is reported on the page, and is no try.
    let valid = puzzle.grade(text).is_ok();
    let response = go("answer", text, if valid { so_far.after_try() } else { so_far });
    let solved = valid && app.grade(&puzzle, text).await?;
    let name = score_name(kind, number);
    let response = if solved { score.keep(response, points(so_far.tries, so_far.hinted), &name) } else { response };
    let response = if solved && app.is_daily(kind, number) { days.keep(response, app.day()) } else { response };
    Ok(private(response))
}
