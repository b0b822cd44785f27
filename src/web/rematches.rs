//! The score of two players over a series of rematches: points and money per game, in any variants.

use super::{App, Error, extract::Path, game::Viewpoint, game_text, page as render, responses::ASK_AGAIN};
use crate::{
    play::{GameSnapshot, Play},
    rules::{
        LEFT, Outcome, Seat, TIME,
        diagram::{Amount, Pair},
    },
};
use askama::Template;
use axum::{extract::State, http::header, response::Response};
use num_rational::Ratio;
use std::sync::Arc;

/// Page of a session, that is a series of rematches.
#[derive(Template)]
#[template(path = "session.html")]
struct Session {
    /// Names of the players; first the one who had seat one in the first game.
    names: [String; 2],
    rows: Vec<Row>,
    /// Total points, as players write them.
    points: [String; 2],
    /// Points before the first game and after each finished game.
    running: Vec<Pair<Amount>>,
    /// Sums of both players' final money, by unit.
    sums: Vec<Sums>,
    /// Id of the latest game.
    latest: String,
}

/// One game of a session.
struct Row {
    id: String,
    title: &'static str,
    /// Sides of the two players.
    sides: [&'static str; 2],
    /// Result, or the state of a running game.
    ended: String,
    /// Points of a finished game.
    points: Option<[String; 2]>,
    /// Final money, in games with money.
    sums: Option<Sums>,
}

/// Money of both players in one unit.
#[derive(Clone)]
struct Sums {
    unit: &'static str,
    both: [Ratio<i64>; 2],
}

impl Sums {
    fn amounts(&self) -> [String; 2] {
        self.both.map(|sum| Amount(sum).to_string())
    }
}

impl Session {
    fn of(games: &[Arc<GameSnapshot>]) -> Session {
        let names = names(games);
        let mut points = [Ratio::ZERO; 2];
        let mut running = vec![Pair::from(points.map(Amount))];
        let mut sums: Vec<Sums> = Vec::new();
        let mut rows = Vec::new();
        for (number, game) in games.iter().enumerate() {
            let row = Row::of(game, number, &names);
            if let Some(outcome) = game.game.outcome() {
                let gained = by_player(number, outcome.points());
                points = [points[0] + gained[0], points[1] + gained[1]];
                running.push(points.map(Amount).into());
            }
            if let Some(owned) = &row.sums {
                match sums.iter_mut().find(|sums| sums.unit == owned.unit) {
                    Some(sums) => sums.both = [sums.both[0] + owned.both[0], sums.both[1] + owned.both[1]],
                    None => sums.push(owned.clone()),
                }
            }
            rows.push(row);
        }
        let latest = games.last().map_or_else(String::new, |game| game.id().to_owned());
        Session { names, rows, points: points.map(|sum| Amount(sum).to_string()), running, sums, latest }
    }
}

impl Row {
    fn of(game: &GameSnapshot, number: usize, names: &[String; 2]) -> Row {
        let diagram = game.game.diagram(None);
        let outcome = game.game.outcome();
        let sums = diagram.fortunes.as_ref().filter(|_| outcome.is_some());
        let sums = sums.and_then(|fortunes| {
            let last = fortunes.turns.last()?;
            Some(Sums { unit: fortunes.unit, both: by_player(number, [last.one.0, last.two.0]) })
        });
        // The mapping between seats and players is its own inverse.
        let name = |taken: Seat| &names[seat(taken, number).index()];
        Row {
            id: game.id().to_owned(),
            title: game.game.title(),
            sides: by_player(number, Seat::BOTH.map(|seat| game_text::side(&diagram, seat))),
            ended: match outcome {
                Some(Outcome::Win(seat, LEFT)) => format!("{} left the game", name(!seat)),
                Some(Outcome::Win(seat, TIME)) => format!("{} lost on time", name(!seat)),
                Some(Outcome::Win(seat, reason)) => format!("{} won: {reason}", name(seat)),
                Some(Outcome::Draw(reason)) => format!("draw: {reason}"),
                Some(Outcome::Void(reason)) => format!("no result: {reason}"),
                None => "in progress".to_owned(),
            },
            points: outcome.map(|outcome| by_player(number, outcome.points()).map(|points| Amount(points).to_string())),
            sums,
        }
    }
}

/// Names of the players of a session.
fn names(games: &[Arc<GameSnapshot>]) -> [String; 2] {
    Seat::BOTH.map(|player| {
        let named = games.iter().enumerate().rev().find(|(number, game)| game.named(seat(player, *number)));
        named.map_or_else(|| Pair::title(None, player).to_owned(), |(number, game)| game.name(seat(player, number)))
    })
}

/// Points of the session that a finished game belongs to, the viewer's first: `You 3½, Anna 1½`. `None` without a session, while the
/// game is running, or if the other games cannot be read.
pub(super) async fn score(play: &Play, table: &GameSnapshot, look: &Viewpoint) -> Option<String> {
    let in_session = table.rematch.is_some() || table.row.rematch_of.is_some();
    table.game.outcome().filter(|_| in_session)?;
    let games = play.session(table.id()).await.ok()?;
    let here = games.iter().position(|game| game.id() == table.id())?;
    let mut points = [Ratio::ZERO; 2];
    for (number, outcome) in games.iter().enumerate().filter_map(|(number, game)| Some((number, game.game.outcome()?)))
    {
        let gained = by_player(number, outcome.points());
        points = [points[0] + gained[0], points[1] + gained[1]];
    }
    let mut names = names(&games);
    let you = look.viewer.filter(|_| !look.both()).map(|viewer| seat(viewer, here));
    if let Some(you) = you {
        "You".clone_into(&mut names[you.index()]);
    }
    let part = |player: Seat| format!("{} {}", names[player.index()], written(points[player.index()]));
    let first = you.unwrap_or(Seat::One);
    Some(format!("{}, {}", part(first), part(!first)))
}

/// A score as players write it, such as `3½`.
fn written(points: Ratio<i64>) -> String {
    match points.trunc().to_integer() {
        _ if points.fract() != Ratio::new(1, 2) => Amount(points).to_string(),
        0 => "½".to_owned(),
        whole => format!("{whole}½"),
    }
}

/// Seat of a player in game `number`, counted from 0: the players swap seats after each game.
fn seat(player: Seat, number: usize) -> Seat {
    if number.is_multiple_of(2) { player } else { !player }
}

/// Reorders a pair from seats to players.
fn by_player<T>(number: usize, [one, two]: [T; 2]) -> [T; 2] {
    match seat(Seat::One, number) {
        Seat::One => [one, two],
        Seat::Two => [two, one],
    }
}

/// `GET /games/{id}/session`: score of the series that this game belongs to.
pub async fn page(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Error> {
    let games = app.play.session(&id).await?;
    let mut response = render(&Session::of(&games))?;
    response.headers_mut().insert(header::CACHE_CONTROL, ASK_AGAIN);
    Ok(response)
}
