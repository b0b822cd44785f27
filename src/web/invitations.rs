//! Joining a game: private seat links, invitations by link or code, and open games of the lobby.
//! Viewing a page never takes a seat; only a button does.

use super::{
    App, Error, PublicOrigin,
    cookies::Seats,
    extract::{Form, Path},
    game_text,
    link_preview::Preview,
    page as render, private, seek,
};
use crate::{
    play::{self, GameSnapshot, JoinRequest, Name, Token},
    rules::Seat,
};
use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use std::sync::Arc;

/// `GET /seat/{token}`: the private link of a seat, or of both seats of one screen. The browser stores the tokens.
pub async fn seat(State(app): State<Arc<App>>, seats: Seats, Path(text): Path<String>) -> Result<Response, Error> {
    // The token is secret, so no error repeats it.
    let unknown =
        || Error::unknown("This private link does not belong to a seat. Check that you copied the whole link.");
    let tokens: Vec<Token> =
        text.split('.').take(2).map(str::parse).collect::<Result<_, _>>().map_err(|_| unknown())?;
    let digests: Vec<_> = tokens.iter().map(Token::digest).collect();
    let held = app.play.store().seats_held(&digests, None, 2).await.map_err(play::Error::from)?;
    let game = held.into_iter().next().ok_or_else(unknown)?.game.id;
    let table = app.play.look(&game).await?;
    // A key is not a seat link, because it may hold many seats.
    let tokens: Vec<Token> = tokens.into_iter().filter(|token| table.seat_of_token(token).is_some()).collect();
    if tokens.is_empty() {
        return Err(unknown());
    }
    let there = Redirect::to(&format!("/games/{game}")).into_response();
    Ok(private(seats.keep(&app, there, &game, &tokens, None).await))
}

#[derive(Template)]
#[template(path = "seat.html")]
struct CodeForm {
    typed: String,
    wrong: String,
}

/// `GET /seat`: form for an invitation code.
pub async fn form() -> Result<Response, Error> {
    render(&CodeForm { typed: String::new(), wrong: String::new() })
}

/// Form with an invitation code.
#[derive(Deserialize)]
pub struct Code {
    #[serde(default)]
    code: String,
}

/// Normalizes a code that was read aloud or copied by hand.
fn clean(code: &str) -> String {
    code.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect::<String>().to_lowercase()
}

/// `POST /seat`: redirects to the invitation of a code.
pub async fn look_up(State(app): State<Arc<App>>, Form(form): Form<Code>) -> Result<Response, Error> {
    let code = clean(&form.code);
    // A whole link is accepted too.
    let code = code.rsplit('/').next().unwrap_or_default();
    let wrong = match app.play.invitation(code).await {
        Ok(_) => return Ok(private(Redirect::to(&format!("/invite/{code}")).into_response())),
        Err(_) if code.is_empty() => "enter the code from your invitation".to_owned(),
        Err(error @ (play::Error::Unknown(_) | play::Error::Refused(_))) => error.to_string(),
        Err(other) => return Err(other.into()),
    };
    let page = render(&CodeForm { typed: form.code, wrong })?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, private(page)).into_response())
}

#[derive(Template)]
#[template(path = "invite.html")]
struct Invitation {
    key: &'static str,
    title: &'static str,
    summary: &'static str,
    host: String,
    side: &'static str,
    times: Vec<String>,
    agreed: Vec<String>,
    address: String,
    code: String,
    game: String,
    preview: Preview,
    good: bool,
    /// Whether the game is over.
    over: bool,
    /// Whether this browser already has a seat in the game.
    own: bool,
    typed: String,
    wrong: String,
}

fn invitation(
    table: &GameSnapshot,
    seats: &Seats,
    base: &PublicOrigin,
    seat: Seat,
    code: &str,
    good: bool,
) -> Invitation {
    let bids = game_text::known_bids(table);
    Invitation {
        preview: Preview::of_invitation(table, base, seat, code),
        key: table.game.key(),
        title: table.game.title(),
        summary: match bids {
            Some(_) => "Both bids are made. Play the position out for the stakes.",
            None => table.variant().summary,
        },
        host: table.name(!seat),
        side: game_text::side(&table.game.diagram(None), seat),
        times: game_text::invited_times(table),
        agreed: game_text::options(table).into_iter().chain(bids).collect(),
        address: format!("/invite/{code}"),
        code: code.to_owned(),
        game: format!("/games/{}", table.id()),
        good,
        over: table.game.outcome().is_some(),
        own: !seats.at(table).is_empty(),
        typed: seats.name().map_or(String::new(), |name| name.as_str().to_owned()),
        wrong: String::new(),
    }
}

/// `GET /invite/{code}`: shows an invitation.
pub async fn page(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    Path(code): Path<String>,
) -> Result<Response, Error> {
    let code = clean(&code);
    let (table, seat, good) = app.play.invitation(&code).await?;
    Ok(private(render(&invitation(&table, &seats, &base, seat, &code, good))?))
}

/// Form of a player who joins.
#[derive(Deserialize)]
pub struct Guest {
    #[serde(default)]
    name: String,
}

/// `POST /invite/{code}`: takes the seat. Each invitation works once.
pub async fn claim(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    Path(code): Path<String>,
    Form(guest): Form<Guest>,
) -> Result<Response, Error> {
    let code = clean(&code);
    let (table, seat, good) = app.play.invitation(&code).await?;
    let refuse = |good, wrong: String| -> Result<Response, Error> {
        let page =
            Invitation { typed: guest.name.clone(), wrong, ..invitation(&table, &seats, &base, seat, &code, good) };
        Ok((StatusCode::UNPROCESSABLE_ENTITY, private(render(&page)?)).into_response())
    };
    let name = match Name::optional(&guest.name) {
        Ok(name) => name,
        Err(refusal) => return refuse(good, refusal.why),
    };
    match app.play.join(&code, JoinRequest { name: name.clone(), owner: seats.owner(&app).await?, key: None }).await {
        Ok(joined) => {
            let there = Redirect::to(&format!("/games/{}", joined.id)).into_response();
            let there = seats.keep_name(there, name.as_ref());
            Ok(private(seats.keep(&app, there, &joined.id, &[joined.token], None).await))
        }
        Err(play::Error::Refused(refusal)) => refuse(false, refusal.why),
        Err(other) => Err(other.into()),
    }
}

/// `POST /games/{id}/join`: takes the free seat of an open game.
pub async fn join(
    State(app): State<Arc<App>>,
    seats: Seats,
    Path(id): Path<String>,
    Form(guest): Form<Guest>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    if !seats.at(&table).is_empty() {
        return Ok(private(Redirect::to(&format!("/games/{id}")).into_response()));
    }
    let name =
        Name::optional(&guest.name).map_err(|refusal| Error::from(play::Error::Refused(refusal)).field("name"))?;
    let wanted = JoinRequest { name: name.clone(), owner: seats.owner(&app).await?, key: None };
    let joined = app.play.join_open(&id, wanted).await?;
    let mut there = Redirect::to(&format!("/games/{}", joined.id)).into_response();
    if name.is_some() {
        there = seats.keep_name(there, name.as_ref());
    }
    let response = private(seats.keep(&app, there, &joined.id, &[joined.token], None).await);
    Ok(seek::replace(&app, &seats, response, &joined.id).await?)
}
