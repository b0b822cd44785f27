//! Mistakes in finished games as puzzles: find the choice that the review found better.

use super::{
    Score,
    page::AttemptSoFar,
    puzzle_board::{offer_moves, turned},
};
use crate::{
    play::{GameSnapshot, Lapse, ReviewState},
    puzzles::{AnswerChoice, most_tries, points, squares},
    rules::{Diagram, Refusal, Seat, Side, diagram::Pair},
    web::{
        App, Error,
        board_view::{Figure, Mark},
        extract::{Form, Pairs, Path, Query, parameter},
        page as render, private,
    },
};
use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;

/// Whether mistakes in games of a variant can be opened as puzzles.
pub(in crate::web) fn has_puzzles(variant: &str) -> bool {
    ["bidding", "bookie"].contains(&variant)
}

/// A mistake with the answers that its puzzle offers.
struct Missed {
    lapse: Lapse,
    diagram: Diagram,
    offered: Vec<AnswerChoice>,
    here: String,
    /// Address of the game after the mistake.
    game: String,
    /// Name in the cookie of the score.
    name: String,
}

#[derive(Template)]
#[template(path = "missed.html")]
struct MissedPage {
    missed: Missed,
    board: Figure,
    /// The mover's side, or the seat where seats have no colours.
    mover: &'static str,
    /// What the answers are: `bid`, `move` or `choice`.
    noun: &'static str,
    /// Both sides' money, where the mover knew it.
    purses: Vec<(&'static str, String)>,
    /// The answer in the query, and whether it is right.
    given: Option<(String, bool)>,
    tries: usize,
    most_tries: usize,
    /// Points for the right answer, and the score in this browser.
    points: Option<(usize, Score)>,
    solved: bool,
}

impl MissedPage {
    /// Whether the answer just given is this one, and wrong.
    fn refutes(&self, text: &str) -> bool {
        self.given.as_ref().is_some_and(|(given, right)| given == text && !right)
    }
}

impl Missed {
    /// The mistake that a path names.
    async fn find(app: &App, (id, ply, seat): (String, usize, String)) -> Result<Missed, Error> {
        let table = app.play.look(&id).await?;
        let none = || Error::unknown("The review of this game names no such mistake.");
        let seat = seat.parse::<Seat>().map_err(|_: Refusal| none())?;
        let ReviewState::Known(review) = app.play.review(&table).await? else { return Err(none()) };
        let lapse = review.worst.iter().find(|lapse| (lapse.ply, lapse.seat) == (ply, seat));
        let lapse = lapse.filter(|_| has_puzzles(table.game.key())).ok_or_else(none)?.clone();
        let work = move || Missed::of(&table, lapse);
        app.play.pools().games.run(work).await?.ok_or_else(none)
    }

    fn of(table: &GameSnapshot, lapse: Lapse) -> Option<Missed> {
        let diagram = table.game.decision(lapse.ply.checked_sub(1)?, lapse.seat)?;
        let offered = match (bid(&lapse.said), bid(&lapse.action)) {
            (Some(said), Some(better)) => bids(said, better, most_bid(&diagram, lapse.seat)),
            _ => choices(&diagram, &lapse),
        };
        let (id, ply, seat) = (table.id(), lapse.ply, lapse.seat);
        Some(Missed {
            diagram,
            offered,
            here: format!("/games/{id}/missed/{ply}/{seat}"),
            game: format!("/games/{id}/ply/{ply}"),
            name: format!("{id}.{ply}.{seat}"),
            lapse,
        })
    }

    /// Whether an answer is right. `None` for a text that is no answer.
    fn grade(&self, text: &str) -> Option<bool> {
        self.offered.iter().any(|offered| offered.text == text).then(|| self.lapse.action == text)
    }

    /// An answer in game notation.
    fn said<'a>(&'a self, text: &'a str) -> &'a str {
        self.offered.iter().find(|offered| offered.text == text).map_or(text, |offered| &offered.words)
    }
}

/// Number of a bid such as `bid 40`.
fn bid(action: &str) -> Option<i64> {
    action.strip_prefix("bid ")?.parse().ok()
}

/// Highest bid of a seat: its money, or 100 percent.
fn most_bid(diagram: &Diagram, seat: Seat) -> i64 {
    let purse = diagram.purses.as_ref().and_then(|purses| purses.of(seat).as_ref());
    purse.map_or(100, |amount| amount.0.to_integer())
}

/// The bid made, the better one, and bids between and beyond them.
fn bids(said: i64, better: i64, most: i64) -> Vec<AnswerChoice> {
    let least = said.min(better).min(0);
    let apart = said - better;
    let mut bids = vec![said, better, better + apart / 2, better + apart * 3 / 4, better - apart / 2, better - apart];
    bids.retain(|bid| [said, better].contains(bid) || (least..=most).contains(bid));
    bids.sort_unstable();
    bids.dedup();
    let answer = |bid: i64| AnswerChoice { text: format!("bid {bid}"), words: format!("Bid {bid}") };
    bids.into_iter().map(answer).collect()
}

/// All choices of the moment.
fn choices(diagram: &Diagram, lapse: &Lapse) -> Vec<AnswerChoice> {
    let listed = diagram.choices.iter().flatten();
    let mut offered: Vec<AnswerChoice> =
        listed.map(|choice| AnswerChoice { text: choice.action.clone(), words: choice.label.clone() }).collect();
    if offered.iter().all(|offered| offered.text != lapse.action) {
        offered.push(AnswerChoice { text: lapse.action.clone(), words: lapse.better.clone() });
    }
    offered.sort_by(|a, b| a.words.cmp(&b.words));
    offered
}

/// `GET /games/{id}/missed/{ply}/{seat}`: the moment before a mistake. The query may have `from` (the piece in hand), `answer` and `tries`.
pub async fn show(
    State(app): State<Arc<App>>,
    score: Score,
    Path(place): Path<(String, usize, String)>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let missed = Missed::find(&app, place).await?;
    let text = parameter(&query, "answer")?.unwrap_or_default().to_owned();
    let from = parameter(&query, "from")?.unwrap_or_default().to_owned();
    let so_far = AttemptSoFar::read(&query)?;
    let given = missed.grade(&text).map(|right| (text, right));
    let tries = if given.is_some() { so_far.tries.max(1) } else { so_far.tries };
    let most_tries = most_tries(&missed.offered);
    let right = given.as_ref().is_some_and(|(_, right)| *right);
    let solved = given.is_some() && (right || tries >= most_tries);
    let seat = missed.lapse.seat;
    let side = missed.diagram.colors.as_ref().map(|colors| *colors.of(seat));
    let mut board = Figure::of_diagram(&missed.diagram);
    let moves = missed.offered.iter().any(|offered| squares(&offered.text).is_some());
    if moves && !solved {
        offer_moves(&mut board, &missed.offered, &from);
    }
    if let (true, true, Some((start, end))) = (moves, solved, squares(&missed.lapse.action)) {
        board.mark(start, Mark::Pointed);
        board.mark(end, Mark::Pointed);
    }
    let name = |seat: Seat| Pair::title(missed.diagram.colors.as_ref(), seat);
    let purse = |seat: Seat| {
        let amount = missed.diagram.purses.as_ref()?.of(seat).as_ref()?;
        Some((name(seat), amount.to_string()))
    };
    let page = MissedPage {
        board: turned(board, side.unwrap_or(Side::White).into()),
        mover: name(seat),
        noun: match bid(&missed.lapse.action) {
            Some(_) => "bid",
            None if moves => "move",
            None => "choice",
        },
        purses: Seat::BOTH.into_iter().filter_map(purse).collect(),
        points: (right && score.has_counted(&missed.name)).then(|| (points(tries - 1, false), score)),
        given,
        tries,
        most_tries,
        solved,
        missed,
    };
    Ok(private(render(&page)?.into_response()))
}

/// `POST /games/{id}/missed/{ply}/{seat}`: redirects to the result of an answer. A click on a piece picks it up.
pub async fn answer(
    State(app): State<Arc<App>>,
    score: Score,
    Path(place): Path<(String, usize, String)>,
    Form(fields): Form<Pairs>,
) -> Result<Response, Error> {
    let missed = Missed::find(&app, place).await?;
    let so_far = AttemptSoFar::read(&fields)?;
    let go = |name: &str, value: &str, so_far: AttemptSoFar| {
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
        Redirect::to(&format!("{}?{name}={value}{}", missed.here, so_far.pairs())).into_response()
    };
    if let Some(from) = parameter(&fields, "from")? {
        return Ok(private(go("from", from, so_far)));
    }
    let text = parameter(&fields, "answer")?.unwrap_or_default();
    let unknown =
        || Error::malformed("That is not one of the answers. Choose one that the page offers.").field("answer");
    let right = missed.grade(text).ok_or_else(unknown)?;
    let response = go("answer", text, so_far.after_try());
    Ok(private(if right { score.keep(response, points(so_far.tries, false), &missed.name) } else { response }))
}
