//! The home page: a button for every variant, the lobby, and this browser's games.

use super::{
    App, Error, PublicOrigin,
    board_view::Figure,
    cookies::Seats,
    game_text,
    link_preview::Preview,
    lobby::Lobby,
    page as render, private,
    puzzles::{Daily, Days},
};
use crate::{
    bots::Bot,
    play::{self, GameSnapshot, Token},
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
    figure: Figure,
    variants: &'static [Variant],
    bot: Bot,
    /// Form that finds an opponent, and the lists of the lobby.
    lobby: [String; 2],
    own: Vec<Own>,
    daily: Daily,
}

/// A game in which this browser has a seat.
struct Own {
    id: String,
    title: &'static str,
    against: String,
    stands: String,
    asked: bool,
}

/// A position that Bookie Chess can deal, with pieces worth 39 and 41; the page shows it without kings.
const EXAMPLE: &str = "3k4/2n1R2b/1N4q1/4r3/2B5/6R1/7N/K7 w - - 0 1";
/// Maximum number of the browser's games to show.
const OWN: usize = 12;
/// Maximum number of seats to search; a browser may hold both seats of a game.
const HELD: u32 = 2 * OWN as u32;

/// Decorative piece in the corner of a card. White pieces are visible on all backgrounds.
pub fn emblem(place: &usize) -> &'static str {
    ["white-queen", "white-king", "white-pawn", "white-rook", "white-knight", "white-bishop"][place % 6]
}

/// `GET /`
pub async fn page(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    days: Days,
) -> Result<Response, Error> {
    let position = bookie::board().parse_fen(EXAMPLE).map_err(Error::broken)?;
    let officers = bookie::officers(&position);
    let words = "Chess variants played for stakes: sealed bids on a position, guesses at the next move, purses that buy pieces. No account, and it works without scripts";
    let fen = bookie::board().fen(&officers);
    let home = Home {
        preview: Preview::of_position(&base, "/", "/diagram/bookie.png", &fen, "Zorkmid: chess for stakes", words),
        figure: Figure::of(bookie::board(), &officers),
        variants: VARIANTS,
        bot: Bot::USUAL,
        lobby: Lobby::now(&app).await?.parts()?,
        own: own(&app, &seats).await?,
        daily: Daily::of(&app, &days),
    };
    Ok(private(render(&home)?))
}

async fn own(app: &App, seats: &Seats) -> Result<Vec<Own>, Error> {
    let digests: Vec<_> = seats.all().iter().map(Token::digest).collect();
    let mut games: Vec<(String, Vec<Seat>)> = Vec::new();
    for held in app.play.store().seats_held(&digests, HELD).await.map_err(play::Error::from)? {
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
    Ok(own)
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
    Own { id: table.id().to_owned(), title: table.game.title(), against, stands, asked }
}
