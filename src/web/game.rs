//! The game page for players and spectators, at the current and every earlier position, and its forms.
//!
//! Everything shown comes from the viewer's own view of the game, so that the page cannot reveal hidden information.

mod analysis;
pub mod conditional_moves;
mod figure;
mod move_list;
mod page;
mod selection;
mod snapshots;
mod table_panel;
mod viewpoint;

pub use figure::BoardFigure;
pub use page::GamePage;
pub(super) use page::game_fragment;
pub use snapshots::moments;
pub use viewpoint::{LookQuery, PageViewer, Viewpoint};

use super::{
    App, Error,
    chat::{PresenceView, check_claim},
    client_address::PublicOrigin,
    cookies::Seats,
    extract::{Form, Path},
    page as render, private, rematches,
    share::qr,
};
use crate::{
    game::PlayerCommand,
    play::{self, GameSnapshot, JoinRequest},
    registry,
    rules::{Diagram, Refusal, Seat},
};
use analysis::Lookback;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use page::Notice;
use std::sync::Arc;
use table_panel::Panel;

/// `GET /games/{id}`: the game at its current position.
pub async fn show(
    State(app): State<Arc<App>>,
    seats: Seats,
    PageViewer { table, look, query: asked }: PageViewer,
) -> Result<Response, Error> {
    let panel = Panel::current(&app.play, &table, &look).await;
    let asker = look.viewer.filter(|_| asked.hint && !look.curtain);
    let hint = match asker.filter(|seat| table.may_have_hint(*seat).is_ok()) {
        Some(seat) => Some(app.play.hint(&table, seat).await?),
        None => None,
    };
    let now = app.play.now();
    let held: Vec<Seat> = look.held.iter().map(|(seat, _)| *seat).collect();
    held.iter().for_each(|seat| app.streams.see(table.id(), *seat));
    let company = PresenceView::of(&app, &table, &held);
    let lookback = Lookback::load(&app.play, &table).await;
    let (shown, dropped) = (table.clone(), seats.dropped());
    let session = rematches::score(&app.play, &table, &look).await;
    let work = move || {
        render(
            &GamePage::new(&shown, look, now)
                .with_panel(panel)
                .with_analysis(lookback)
                .with_session(session)
                .with_presence(company, now)
                .with_hint(hint)
                .with_dropped_seats(dropped),
        )
    };
    let page = seats.forget_dropped(app.play.pools().games.run(work).await??);
    let free = Seat::BOTH.into_iter().any(|seat| !table.taken(seat));
    Ok(private(if free { page } else { seats.forget_invitation(page, table.id()) }))
}

/// `GET /games/{id}/ply/{n}`: the game after `n` plies.
pub async fn past(
    State(app): State<Arc<App>>,
    PageViewer { table, look, .. }: PageViewer,
    Path((_, ply)): Path<(String, usize)>,
) -> Result<Response, Error> {
    let last = table.game.ply();
    if ply > last {
        let why = format!("The game has {last} moves so far. Choose a number from 0 to {last} instead of {ply}.");
        return Err(Error::unknown(why));
    }
    let panel = Panel::past(&app, &table, &look, ply).await?;
    let lookback = Lookback::load(&app.play, &table).await;
    let now = app.play.now();
    let work = move || {
        let page =
            GamePage::past(&table, ply, look, now).ok_or_else(|| Error::broken("step missing from the game record"))?;
        Ok(private(render(&page.with_panel(panel).with_analysis(lookback))?))
    };
    app.play.pools().games.run(work).await?
}

/// Fields of a form on the game page.
#[derive(Debug, Default)]
struct GameForm {
    /// The non-empty fields `action` and `draft`, joined by spaces, or the field `whole` if present.
    action: String,
    /// Ply that the page showed.
    ply: Option<usize>,
    /// Action to submit after this one, if the same seat is still to move; empty for none.
    then: String,
    /// Whether the form only asks for another page.
    asks: bool,
    asked: LookQuery,
}

impl GameForm {
    fn read(pairs: Vec<(String, String)>) -> Result<GameForm, Error> {
        let mut said = GameForm::default();
        said.asked.draft = viewpoint::read_draft(&pairs);
        said.asks = viewpoint::only_requests_page(&pairs);
        // The words before a draft precede its parts, wherever the fields are on the page.
        for wanted in ["action", "draft"] {
            for (_, value) in pairs.iter().filter(|(name, _)| name == wanted) {
                viewpoint::join(&mut said.action, value);
            }
        }
        let is_command = PlayerCommand::read(&said.action).is_some();
        for (name, value) in pairs {
            match name.as_str() {
                // An offer or its answer leaves the draft of a turn as it is.
                "drafted" if is_command => said.asked.draft = Some(value),
                "ply" => {
                    let ply = value.parse().map_err(|_| {
                        Error::malformed(format!("The ply must be a whole number, not “{value}”.")).field("ply")
                    })?;
                    (said.ply, said.asked.ply) = (Some(ply), Some(ply));
                }
                "whole" => said.action = value,
                "then" => said.then = value,
                "design" => said.asked.designing = value == "1",
                "from" => said.asked.from = Some(value),
                "about" => said.asked.about = Some(value),
                "seat" => {
                    let seat = value.parse().map_err(|refusal: Refusal| Error::malformed(refusal.why).field("seat"))?;
                    said.asked.seat = Some(seat);
                }
                "flip" => said.asked.flip = Some(value),
                "deal" => said.asked.deal = value.parse().ok(),
                name => said.asked.set_sketch_field(name, value),
            }
        }
        Ok(said)
    }
}

/// Whether a command takes effect only if both players submit it. A browser with both seats submits it for both.
fn needs_both_players(word: PlayerCommand) -> bool {
    match word {
        PlayerCommand::Draw | PlayerCommand::Takeback | PlayerCommand::Continue | PlayerCommand::Rematch => true,
        PlayerCommand::Resign
        | PlayerCommand::ResignMatch
        | PlayerCommand::Accept(_)
        | PlayerCommand::Decline
        | PlayerCommand::Withdraw
        | PlayerCommand::Abort
        | PlayerCommand::Claim
        | PlayerCommand::ClaimVictory
        | PlayerCommand::CallDraw => false,
    }
}

/// `POST /games/{id}`: submits an action.
pub async fn act(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    Path(id): Path<String>,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response, Error> {
    let said = GameForm::read(pairs)?;
    let table = app.play.look(&id).await?;
    let look = Viewpoint::of(&table, &seats, base, &said.asked);
    if said.asks {
        return Ok(private(Redirect::to(&look.requested_page()).into_response()));
    }
    let Some(seat) = look.acting_seat(&table, said.asked.seat) else {
        let why = match look.held.is_empty() {
            true => "only the players can act, and this browser holds neither seat: open your private seat link first",
            false => "this browser does not hold that seat: open its private seat link first",
        };
        return render_with_error(&app, &table, look, Refusal::new(why).into(), said.action).await;
    };
    // With both seats in one browser, a takeback undoes the last action. If players alternate, that was the opponent's.
    let task = table.game.task(seat);
    let others = look.both()
        && PlayerCommand::read(&said.action) == Some(PlayerCommand::Takeback)
        && table.game.last_actor() != Some(seat)
        && table.game.can(!seat, PlayerCommand::Takeback);
    let seat = if others { !seat } else { seat };
    let acted = match check_claim(&app, &table, seat, &said.action) {
        Ok(()) => app.play.act(&id, seat, said.ply, &said.action, None).await,
        Err(refused) => Err(refused),
    };
    match acted {
        Ok(mut acted) => {
            if look.both() && PlayerCommand::read(&said.action).is_some_and(needs_both_players) {
                acted = app.play.act(&id, !seat, None, &said.action, None).await?;
            }
            // The second player to ask for a rematch goes straight to it.
            if let (Some(rematch), Some(PlayerCommand::Rematch)) =
                (&acted.table.rematch, PlayerCommand::read(&said.action))
            {
                return join_rematch(&app, &seats, &acted.table, rematch).await;
            }
            let is_command = PlayerCommand::read(&said.action).is_some();
            let follows = !said.then.is_empty() && !is_command && acted.table.game.may_act(seat);
            let table = match follows {
                // If the second action is not possible now, the player decides.
                true => app.play.act(&id, seat, None, &said.then, None).await.map_or(acted.table, |then| then.table),
                false => acted.table,
            };
            let next = private(Redirect::to(&look.after(&table, seat, is_command)).into_response());
            let variant = registry::find(table.game.key()).filter(|_| !is_command);
            Ok(match variant {
                Some(variant) => seats.learn(next, variant, task),
                None => next,
            })
        }
        Err(error @ (play::Error::Stale { .. } | play::Error::Refused(_))) => {
            let table = app.play.look(&id).await?;
            let draft = look.draft.clone().filter(|_| look.ply == table.game.ply());
            let look = Viewpoint { viewer: look.viewer.map(|_| seat), curtain: false, draft, ..look };
            render_with_error(&app, &table, look, error, said.action).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The current game page with the error, and with the typed text still in its field.
async fn render_with_error(
    app: &App,
    table: &Arc<GameSnapshot>,
    look: Viewpoint,
    error: play::Error,
    typed: String,
) -> Result<Response, Error> {
    let (status, words, quotes) = match &error {
        play::Error::Stale { .. } => (
            StatusCode::CONFLICT,
            "The game has moved on since you loaded the page. Nothing was changed. Here is the current position."
                .to_owned(),
            false,
        ),
        play::Error::Refused(Refusal { why, at: Some(at) }) if typed.is_char_boundary(*at) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            match why.starts_with(&format!("“{typed}”")) {
                true => format!("{why}."),
                false => format!("“{typed}”, character {}: {why}.", typed[..*at].chars().count() + 1),
            },
            true,
        ),
        play::Error::Refused(Refusal { why, .. }) => (StatusCode::UNPROCESSABLE_ENTITY, format!("{why}."), false),
        play::Error::Unknown(_)
        | play::Error::Key(_)
        | play::Error::Busy
        | play::Error::Often { .. }
        | play::Error::Full(_)
        | play::Error::Away(_)
        | play::Error::Broken(_) => {
            return Err(error.into());
        }
    };
    // Input for another position is not offered again.
    let refused = if status == StatusCode::CONFLICT { String::new() } else { typed.clone() };
    let look = Viewpoint { refused, refusal: words.clone(), ..look };
    let panel = Panel::current(&app.play, table, &look).await;
    let notice = Notice { words, stale: status == StatusCode::CONFLICT, quotes };
    let lookback = Lookback::load(&app.play, table).await;
    let session = rematches::score(&app.play, table, &look).await;
    let (table, now) = (table.clone(), app.play.now());
    let work = move || {
        let page = GamePage::new(&table, look, now).with_panel(panel).with_analysis(lookback).with_session(session);
        let page = page.with_notice(notice, typed);
        Ok((status, private(render(&page)?)).into_response())
    };
    app.play.pools().games.run(work).await?
}

/// `POST /games/{id}/rematch`: a player of the finished game joins the rematch.
pub async fn rematch(State(app): State<Arc<App>>, seats: Seats, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let next = table.rematch.clone().ok_or_else(|| {
        Error::refused("There is no rematch yet. Offer one on the game page and wait for your opponent to accept.")
    })?;
    join_rematch(&app, &seats, &table, &next).await
}

/// Takes the browser's seats in the rematch and redirects there.
async fn join_rematch(app: &App, seats: &Seats, table: &GameSnapshot, next: &str) -> Result<Response, Error> {
    let mut tokens = Vec::new();
    let held = seats.at(table);
    let owner = if held.len() == 1 { seats.owner(app).await? } else { None };
    for (seat, _) in held {
        let name = table.chair(seat).and_then(|chair| chair.name.as_deref()).and_then(|name| name.parse().ok());
        if let Some(code) = table.rematch_code(seat, next) {
            match app.play.join(&code, JoinRequest { name, owner: owner.clone(), key: None }).await {
                Ok(joined) => tokens.push(joined.token),
                // The seat is already taken by this player, who has its cookie or link.
                Err(play::Error::Refused(_)) => {}
                Err(other) => return Err(other.into()),
            }
        }
    }
    let there = Redirect::to(&format!("/games/{next}")).into_response();
    Ok(private(if tokens.is_empty() { there } else { seats.keep(app, there, next, &tokens, None).await }))
}

/// `GET /games/{id}/fen.svg`: the position on the page as a QR code, as the viewer sees it; `ply` selects an earlier one.
pub async fn fen(
    State(app): State<Arc<App>>,
    PageViewer { table, look, query: asked }: PageViewer,
) -> Result<Response, Error> {
    app.play.pools().games.run(move || position_code(&table, &look, &asked)).await?
}

fn position_code(table: &GameSnapshot, look: &Viewpoint, asked: &LookQuery) -> Result<Response, Error> {
    let viewer = look.viewer.filter(|_| !look.curtain);
    let diagram = match asked.ply.filter(|ply| *ply < table.game.ply()) {
        // At an earlier position a browser with both seats sees the spectators' view.
        Some(ply) => table.game.past(ply).map(|game| game.diagram(viewer.filter(|_| !look.both()))),
        None => Some(table.game.diagram(viewer)),
    };
    let fen = diagram.as_ref().and_then(Diagram::start_text);
    let fen = fen.ok_or_else(|| Error::unknown("No FEN is available to you at this position."))?;
    let drawn = qr(fen).ok_or_else(|| Error::refused("This FEN is too long for a QR code."))?.svg();
    Ok(private(([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response()))
}
