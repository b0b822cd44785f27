//! The account of two people who have played game after game: points and purses game by game, whatever was played.

use super::{App, Error, extract::Path, game_text, page as render, responses::ASK_AGAIN};
use crate::{
    play::GameSnapshot,
    rules::{
        Outcome, Seat,
        diagram::{Amount, Pair},
    },
};
use askama::Template;
use axum::{extract::State, http::header, response::Response};
use num_rational::Ratio;
use std::sync::Arc;

/// The page of a session.
#[derive(Template)]
#[template(path = "session.html")]
struct Session {
    /// The two players, the one first who had seat one in the first game.
    names: [String; 2],
    rows: Vec<Row>,
    /// The points of both, as players write them.
    points: [String; 2],
    /// The points before the first game and after each that is over.
    running: Vec<Pair<Amount>>,
    /// The sums that both ended their games with, by unit.
    sums: Vec<Sums>,
    /// The latest game.
    latest: String,
}

/// One game of a session.
struct Row {
    id: String,
    title: &'static str,
    /// The sides that the two players had.
    sides: [&'static str; 2],
    /// The end in words; how it stands while it goes on.
    ended: String,
    /// The points of both once it is over.
    points: Option<[String; 2]>,
    /// What both owned at the end, where they own sums.
    sums: Option<Sums>,
}

/// What both players own, in a unit of its own.
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
        let names = [Seat::One, Seat::Two].map(|player| {
            let named = games.iter().enumerate().rev().find(|(number, game)| game.named(seat(player, *number)));
            named.map_or_else(|| Pair::title(None, player).to_owned(), |(number, game)| game.name(seat(player, number)))
        });
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
        // Turned round as often, a seat tells its player.
        let name = |taken: Seat| &names[seat(taken, number).index()];
        Row {
            id: game.id().to_owned(),
            title: game.game.title(),
            sides: by_player(number, Seat::BOTH.map(|seat| game_text::side(&diagram, seat))),
            ended: match outcome {
                Some(Outcome::Win(seat, reason)) => format!("{} won: {reason}", name(seat)),
                Some(Outcome::Draw(reason)) => format!("a draw: {reason}"),
                Some(Outcome::Void(reason)) => format!("nobody won: {reason}"),
                None => "is being played".to_owned(),
            },
            points: outcome.map(|outcome| by_player(number, outcome.points()).map(|points| Amount(points).to_string())),
            sums,
        }
    }
}

/// The seat of a player in a game of the session, counted from 0: the seats change from each to the next.
fn seat(player: Seat, number: usize) -> Seat {
    if number.is_multiple_of(2) { player } else { !player }
}

/// What belongs to the seats of a game, in the order of the players.
fn by_player<T>(number: usize, [one, two]: [T; 2]) -> [T; 2] {
    match seat(Seat::One, number) {
        Seat::One => [one, two],
        Seat::Two => [two, one],
    }
}

/// `GET /games/{id}/session`: the account of the games that were played one after the other, of which this is one.
pub async fn page(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Error> {
    let games = app.play.session(&id).await?;
    let mut response = render(&Session::of(&games))?;
    response.headers_mut().insert(header::CACHE_CONTROL, ASK_AGAIN);
    Ok(response)
}
