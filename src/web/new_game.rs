//! Beginning a game: the form of a variant's options, made from the list of them, and what is done with it. What was typed stays, and
//! what is wrong with it is said beside it. A game may begin from a FEN or from the end of a game in portable notation.

mod form;

use super::{
    App, Error,
    client_address::ClientNetwork,
    cookies::Seats,
    extract::{Form, Pairs, Path, Query},
    page as render, private,
};
use crate::{
    board::pgn::Pgn,
    play::{self, Opponent, Program},
    registry::{self, Variant},
    rules::{OptionRange, OptionSpec, Refusal},
};
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use form::NewGameForm;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;

fn named(key: &str) -> Result<&'static Variant, Error> {
    registry::named(key).map_err(|refusal| play::Error::Unknown(refusal.why).into())
}

/// `GET /new/{variant}`: the form; its fields may stand in the query, and `preset` names a record of options. `choose` changes to
/// another one, and what was typed beside the options stays.
pub async fn form(
    State(app): State<Arc<App>>,
    Path(key): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let variant = named(&key)?;
    let programs = programs(&app, variant).await?;
    app.play.pools().games.run(move || Ok(private(render(&NewGameForm::new(variant, query, programs))?))).await?
}

/// The names of the programs of others that play a variant and have room for a game.
async fn programs(app: &App, variant: &Variant) -> Result<Vec<String>, Error> {
    let programs = app.play.programs().await?.into_iter().filter(Program::free);
    let plays = |program: &Program| program.repertoire.variants.iter().any(|key| key == variant.key);
    Ok(programs.filter(plays).map(|program| program.name).collect())
}

/// `GET /games`: where the games can be chosen.
pub async fn choose() -> Redirect {
    Redirect::to("/#games")
}

/// `POST /games`: begins a game, keeps its seats in the browser and goes there. `choose` only changes the form, as there.
pub async fn begin(
    State(app): State<Arc<App>>,
    seats: Seats,
    from: ClientNetwork,
    Form(pairs): Form<Pairs>,
) -> Result<Response, Error> {
    if pairs.iter().any(|(name, _)| name == "choose") {
        return Ok(chosen(&pairs)?.into_response());
    }
    started(app, seats, from, pairs, None).await
}

/// The form with another way to play, and with all that was typed beside its options.
fn chosen(pairs: &Pairs) -> Result<Redirect, Error> {
    let key = pairs.iter().find(|(name, _)| name == "variant").map_or("", |(_, key)| key);
    let key = named(key)?.key;
    let escaped = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let typed = pairs.iter().filter(|(name, value)| name != "variant" && !value.is_empty());
    let fields: Vec<String> = typed.map(|(name, value)| format!("{name}={}", escaped(value))).collect();
    Ok(Redirect::to(&format!("/new/{key}?{}#ways", fields.join("&"))))
}

/// Begins the game that the fields of a form describe, lets the seats of whoever begins it say what they are known to be allowed, and
/// goes there.
pub(super) async fn started(
    app: Arc<App>,
    seats: Seats,
    from: ClientNetwork,
    pairs: Pairs,
    says: Option<[String; 2]>,
) -> Result<Response, Error> {
    let key = pairs.iter().find(|(name, _)| name == "variant").map(|(_, key)| key.clone()).unwrap_or_default();
    let variant = named(&key)?;
    let programs = programs(&app, variant).await?;
    let read = move || {
        let mut form = NewGameForm::new(variant, pairs, programs);
        match form.read(from) {
            Some(begin) => Ok(Ok((form, begin))),
            None => Ok::<_, Error>(Err(refused(&form)?)),
        }
    };
    let (mut form, mut begin) = match app.play.pools().games.run(read).await?? {
        Ok(read) => read,
        Err(refused) => return Ok(refused),
    };
    // A screen for two belongs to nobody's key.
    if begin.opponent != Opponent::Own {
        begin.owner = seats.owner(&app).await?;
    }
    match app.play.begin(begin).await {
        Ok(begun) => {
            for (seat, _) in &begun.seats {
                if let Some(says) = &says {
                    app.play.act(&begun.id, *seat, None, &says[seat.index()], None).await?;
                }
            }
            let there = Redirect::to(&format!("/games/{}", begun.id)).into_response();
            let tokens: Vec<_> = begun.seats.into_iter().map(|(_, token)| token).collect();
            Ok(private(seats.keep(there, &begun.id, &tokens, begun.invite.as_deref())))
        }
        Err(play::Error::Refused(Refusal { why, at })) => {
            form.refuse(why, at);
            app.play.pools().games.run(move || refused(&form)).await?
        }
        Err(other) => Err(other.into()),
    }
}

fn refused(form: &NewGameForm) -> Result<Response, Error> {
    Ok((StatusCode::UNPROCESSABLE_ENTITY, private(render(form)?)).into_response())
}

/// The FEN of a position that somebody pasted: a FEN is taken as it is, of a game of the variant in portable notation the last
/// position.
pub(super) fn fen(variant: &Variant, text: &str) -> Result<String, Refusal> {
    let text = text.trim();
    let word = text.split_whitespace().next().unwrap_or_default();
    let looks_like_fen = word.contains('/') && !word.starts_with('[') && !word.starts_with('{') || word.contains('_');
    if text.is_empty() || looks_like_fen {
        return Ok(text.to_owned());
    }
    let games = Pgn::read(text).map_err(|wrong| Refusal::at(wrong.at, wrong.to_string()))?;
    let [game] = games.as_slice() else {
        return Err(Refusal::new(format!("this text holds {} games: paste one", games.len())));
    };
    (variant.last_position)(game)
}

/// One option as a field of the form.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) words: &'static str,
    pub(super) control: Control,
    pub(super) value: String,
}

/// The control with which an option is filled in.
pub(super) enum Control {
    Check,
    /// A number, with what may be written.
    Number(String),
    Choice(Vec<(&'static str, &'static str)>),
    Text(&'static str),
    /// A position, or a game that ends in one.
    Position(&'static str),
}

/// Some fields that are folded together.
pub(super) struct Fold {
    pub(super) title: String,
    pub(super) fields: Vec<Field>,
    /// Set if something in it must be seen.
    pub(super) open: bool,
}

/// The name of an option's field.
pub(super) fn name(setting: &OptionSpec) -> String {
    format!("option-{}", setting.key)
}

impl Control {
    pub(super) fn of(range: OptionRange) -> Control {
        match range {
            OptionRange::Flag => Control::Check,
            OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
                Control::Number(range.allowed())
            }
            OptionRange::Word(_) | OptionRange::Game(_) => Control::Choice(registry::words(range)),
            OptionRange::Position(example) => Control::Position(example),
            OptionRange::Text(example) => Control::Text(example),
        }
    }
}
