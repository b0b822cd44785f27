//! The home page: the forms that begin a game, this browser's games, all variants in groups, and games to watch.

use super::{
    App, Error, PublicOrigin,
    cookies::Seats,
    game_text,
    link_preview::Preview,
    lobby::Lobby,
    page as render, private,
    puzzles::{Daily, Days},
};
use crate::{
    play::GameSnapshot,
    registry::{VARIANTS, Variant},
    rules::Seat,
    variants::bookie,
};
use askama::Template;
use axum::{extract::State, response::Response};
use std::sync::Arc;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    preview: Preview,
    /// Form that begins a game, and the lists of the lobby.
    lobby: [String; 2],
    /// Running games of this browser, and finished ones.
    own: [Vec<Own>; 2],
    groups: [Group; 3],
    daily: Daily,
}

/// A game in which this browser has a seat.
struct Own {
    id: String,
    title: &'static str,
    against: String,
    stands: String,
    asked: bool,
    over: bool,
}

/// Variants with a common idea.
struct Group {
    /// Fragment of the address.
    id: &'static str,
    title: &'static str,
    variants: Vec<&'static Variant>,
}

/// Variants of bids and bets.
const BIDS: [&str; 5] = ["bookie", "bidding", "random-turn", "handicap", "random-variant"];
/// Variants with pieces to design, or moves and positions to guess.
const DESIGN: [&str; 4] = ["csipgs", "designed-chess", "clairvoyant", "fog-of-war"];

/// All variants in groups.
fn groups() -> [Group; 3] {
    let group = |id, title, of: fn(&str) -> bool| Group {
        id,
        title,
        variants: VARIANTS.iter().filter(|variant| of(variant.key)).collect(),
    };
    [
        group("bids", "Bids and bets", |key| BIDS.contains(&key)),
        group("design", "Design and guess", |key| DESIGN.contains(&key)),
        group("classics", "Classics", |key| !BIDS.contains(&key) && !DESIGN.contains(&key)),
    ]
}

/// A position that Bookie Chess can deal, with pieces worth 39 and 41; its preview shows it without kings.
const EXAMPLE: &str = "3k4/2n1R2b/1N4q1/4r3/2B5/6R1/7N/K7 w - - 0 1";
/// Maximum number of the browser's games to show.
const OWN: usize = 12;
/// Maximum number of seats to search; a browser may hold both seats of a game.
const HELD: u32 = 2 * OWN as u32;

/// `GET /`
pub async fn page(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    days: Days,
) -> Result<Response, Error> {
    let position = bookie::board().parse_fen(EXAMPLE).map_err(Error::broken)?;
    let words = "Chess variants played for stakes: sealed bids on a position, guesses at the next move, purses that buy pieces. No account, and it works without scripts";
    let fen = bookie::board().fen(&bookie::officers(&position));
    let home = Home {
        preview: Preview::of_position(&base, "/", "/diagram/bookie.png", &fen, "Zorkmid: chess for stakes", words),
        lobby: Lobby::brief(&app, &seats).await?.parts()?,
        own: own(&app, &seats).await?,
        groups: groups(),
        daily: Daily::of(&app, &days),
    };
    Ok(private(render(&home)?))
}

/// Games of this browser: running ones, those that await a move first, and finished ones.
async fn own(app: &App, seats: &Seats) -> Result<[Vec<Own>; 2], Error> {
    let mut games: Vec<(String, Vec<Seat>)> = Vec::new();
    for held in seats.newest(app, HELD).await? {
        let Ok(seat) = held.seat.parse() else { continue };
        let full = games.len() >= OWN;
        match games.last_mut() {
            Some((id, both)) if *id == held.game.id => both.push(seat),
            Some(_) | None if !full => games.push((held.game.id, vec![seat])),
            Some(_) | None => break,
        }
    }
    let mut own = Vec::new();
    for (id, held) in games {
        let table = app.play.look(&id).await?;
        own.push(entry(&table, &held, app.play.now()));
    }
    own.sort_by_key(|game| !game.asked);
    let (over, running) = own.into_iter().partition(|game| game.over);
    Ok([running, over])
}

/// Time left for the seat that is to move, with a separator.
fn time_left(table: &GameSnapshot, held: &[Seat], now: i64) -> String {
    let deadline = held.iter().filter_map(|seat| table.game.clocks().deadline(*seat)).min();
    deadline.map_or_else(String::new, |due| format!(" · {} left", game_text::time_left((due - now).max(0))))
}

fn entry(table: &GameSnapshot, held: &[Seat], now: i64) -> Own {
    let both = held.len() == 2;
    let asked = table.game.awaits().iter().any(|seat| held.contains(seat));
    let stands = match table.game.outcome() {
        Some(outcome) => match outcome.winner() {
            Some(_) if both => format!("over: {}", outcome.reason()),
            Some(seat) if held.contains(&seat) => format!("won: {}", outcome.reason()),
            Some(_) => format!("lost: {}", outcome.reason()),
            None => format!("drawn or void: {}", outcome.reason()),
        },
        None if Seat::BOTH.into_iter().any(|seat| !table.taken(seat)) => "waiting for opponent".to_owned(),
        None if both => "pass and play".to_owned(),
        None if asked => format!("your turn{}", time_left(table, held, now)),
        None => "opponent’s turn".to_owned(),
    };
    let against = held.first().filter(|_| !both).map_or("both seats".to_owned(), |seat| table.name(!*seat));
    Own {
        id: table.id().to_owned(),
        title: table.game.title(),
        against,
        stands,
        asked,
        over: table.game.outcome().is_some(),
    }
}
