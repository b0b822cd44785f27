//! The new game form: built from a variant's list of options. An invalid form is shown again with the input and the errors. A game can
//! start from a FEN or from the final position of a PGN.

mod form;

use super::{
    App, Error,
    client_address::ClientNetwork,
    cookies::Seats,
    extract::{Form, Pairs, Path, Query},
    page as render, private, seek,
    time_controls::{self, TimeControl},
};
use crate::{
    play::{self, GameSnapshot, Opponent, Program},
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
use serde_json::Value;
use std::sync::Arc;

fn named(key: &str) -> Result<&'static Variant, Error> {
    registry::find_or_refuse(key).map_err(|refusal| play::Error::Unknown(refusal.why).into())
}

/// `GET /new/{variant}`: the form. Its fields can be in the query, and `preset` names a preset of options. `choose` switches to another
/// preset and keeps all fields other than the options.
pub async fn form(
    State(app): State<Arc<App>>,
    seats: Seats,
    Path(key): Path<String>,
    Query(mut query): Query<Pairs>,
) -> Result<Response, Error> {
    let variant = named(&key)?;
    let programs = programs(&app, variant).await?;
    add_name(&mut query, &seats);
    add_choices(&mut query, &seats);
    app.play.pools().games.run(move || Ok(private(render(&NewGameForm::new(variant, query, programs))?))).await?
}

/// Adds the name of the browser's player, unless a name was given.
pub(super) fn add_name(pairs: &mut Pairs, seats: &Seats) {
    if let Some(name) = seats.name().filter(|_| pairs.iter().all(|(field, _)| field != "name")) {
        pairs.push(("name".to_owned(), name.as_str().to_owned()));
    }
}

/// Names of the bots by other developers that play the variant and have room for a game.
async fn programs(app: &App, variant: &Variant) -> Result<Vec<String>, Error> {
    let programs = app.play.programs().await?.into_iter().filter(Program::free);
    let plays = |program: &Program| program.repertoire.variants.iter().any(|key| key == variant.key);
    Ok(programs.filter(plays).map(|program| program.name).collect())
}

/// `GET /games`: redirects to the list of variants.
pub async fn choose() -> Redirect {
    Redirect::to("/#games")
}

/// `POST /games`: creates a game, stores its seats in the browser and redirects to it. `choose` only switches the preset.
pub async fn begin(
    State(app): State<Arc<App>>,
    seats: Seats,
    from: ClientNetwork,
    Form(pairs): Form<Pairs>,
) -> Result<Response, Error> {
    if pairs.iter().any(|(name, _)| name == "choose") {
        return Ok(chosen(&pairs)?.into_response());
    }
    let chosen =
        CHOICES.map(|name| pairs.iter().rev().find(|(field, _)| field == name).map(|(_, value)| value.clone()));
    let response = create_game(app, seats.clone(), from, pairs, None).await?;
    Ok(match chosen {
        [Some(opponent), Some(clock), Some(seat)]
            if response.status() == StatusCode::SEE_OTHER
                && !opponent.starts_with("program:")
                && time_controls::find(&clock).is_some() =>
        {
            seats.keep_chosen(response, [&opponent, &clock, &seat])
        }
        _ => response,
    })
}

/// Fields that a browser remembers for its next game.
const CHOICES: [&str; 3] = ["opponent", "clock", "seat"];

/// Adds the opponent, time control and seat of the browser's last new game, unless they were given.
fn add_choices(pairs: &mut Pairs, seats: &Seats) {
    let given = |pairs: &Pairs, name: &str| pairs.iter().any(|(field, _)| field == name);
    let timed = time_controls::TIMES.iter().any(|(name, ..)| given(pairs, name));
    for (name, value) in CHOICES.into_iter().zip(seats.chosen().into_iter().flatten()) {
        let set = given(pairs, name) || (timed && name == "clock");
        if !set {
            pairs.push((name.to_owned(), value.to_owned()));
        }
    }
}

/// Redirects to the form with a time control.
pub(super) fn address(variant: &Variant, pace: &TimeControl) -> Response {
    let clock = utf8_percent_encode(pace.name, NON_ALPHANUMERIC);
    Redirect::to(&format!("/new/{}?clock={clock}", variant.key)).into_response()
}

/// Address of the form with another preset, keeping all fields other than the options.
fn chosen(pairs: &Pairs) -> Result<Redirect, Error> {
    let key = pairs.iter().find(|(name, _)| name == "variant").map_or("", |(_, key)| key);
    let key = named(key)?.key;
    let typed = pairs.iter().filter(|(name, value)| name != "variant" && !value.is_empty());
    Ok(Redirect::to(&format!("/new/{key}?{}#ways", query(typed))))
}

/// Query string of form fields.
fn query<'f>(fields: impl Iterator<Item = &'f (String, String)>) -> String {
    let escaped = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    fields.map(|(name, value)| format!("{name}={}", escaped(value))).collect::<Vec<_>>().join("&")
}

/// Redirects to the form with the opponent, clocks and options of a game.
pub(super) fn again(table: &GameSnapshot) -> Response {
    let variant = table.variant();
    let options = variant.options_again(table.options());
    let opponent = match table.opponent() {
        Opponent::Challenge(name) => Opponent::Program(name),
        other => other,
    };
    let mut fields = vec![("opponent".to_owned(), opponent.to_string())];
    fields.extend(time_controls::fields(table.controls()).into_iter().map(|(name, value)| (name.to_owned(), value)));
    let settings = (variant.settings)().iter();
    fields.extend(settings.filter_map(|setting| Some((name(setting), written(setting, options.get(setting.key)?)))));
    Redirect::to(&format!("/new/{}?{}", variant.key, query(fields.iter()))).into_response()
}

/// Value of an option as its field shows it.
fn written(setting: &OptionSpec, value: &Value) -> String {
    match value {
        Value::Number(number) => setting.range.written(number.as_i64().unwrap_or_default()),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Creates the game that a form describes and redirects to it. `says` are first actions to submit for both seats.
pub(super) async fn create_game(
    app: Arc<App>,
    seats: Seats,
    from: ClientNetwork,
    mut pairs: Pairs,
    says: Option<[String; 2]>,
) -> Result<Response, Error> {
    add_name(&mut pairs, &seats);
    let key = pairs.iter().find(|(name, _)| name == "variant").map(|(_, key)| key.clone()).unwrap_or_default();
    let variant = named(&key)?;
    let programs = programs(&app, variant).await?;
    let bids = bids(&pairs);
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
    // A game with both seats on one screen belongs to no key.
    if begin.opponent != Opponent::Own {
        begin.owner = seats.owner(&app).await?;
    }
    // The player who joins an open game makes the second bid.
    let may_bid = variant.key == "bookie"
        && begin.options.get("code").and_then(Value::as_str).is_some_and(|code| !code.is_empty())
        && matches!(begin.opponent, Opponent::Link | Opponent::Bot(_) | Opponent::Own);
    if bids.is_some() && !may_bid {
        let why = "bids can be given only for a known Bookie position, on one screen, with a friend or against a bot";
        form.refuse(why.to_owned(), None);
        return app.play.pools().games.run(move || refused(&form)).await?;
    }
    let (open, name) = (begin.opponent == Opponent::Open, begin.name.clone());
    match app.play.begin_after(begin, bids).await {
        Ok(begun) => {
            for (seat, _) in &begun.seats {
                if let Some(says) = &says {
                    app.play.act(&begun.id, *seat, None, &says[seat.index()], None).await?;
                }
            }
            let there = Redirect::to(&format!("/games/{}", begun.id)).into_response();
            let tokens: Vec<_> = begun.seats.into_iter().map(|(_, token)| token).collect();
            let response = private(seats.keep(&app, there, &begun.id, &tokens, begun.invite.as_deref()).await);
            let response = seats.keep_name(response, name.as_ref());
            match open {
                true => Ok(seek::begin(&app, &seats, response, &begun.id).await?),
                false => Ok(response),
            }
        }
        Err(play::Error::Refused(Refusal { why, at })) => {
            form.refuse(why, at);
            app.play.pools().games.run(move || refused(&form)).await?
        }
        Err(other) => Err(other.into()),
    }
}

/// Bids with which a Bookie match begins, because the players made them at a table.
fn bids(pairs: &Pairs) -> Option<[String; 2]> {
    let bid = |field: &str| pairs.iter().find(|(name, _)| name == field).map(|(_, bid)| format!("bid {bid}"));
    Some([bid("bid-one")?, bid("bid-two")?])
}

fn refused(form: &NewGameForm) -> Result<Response, Error> {
    Ok((StatusCode::UNPROCESSABLE_ENTITY, private(render(form)?)).into_response())
}

/// One option as a form field.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) words: &'static str,
    pub(super) control: Control,
    pub(super) value: String,
}

/// Form control of an option.
pub(super) enum Control {
    Check,
    /// A number, with its allowed values in words.
    Number(String),
    Choice(Vec<(&'static str, &'static str)>),
    Text(&'static str),
    /// A position, or a PGN that ends in one.
    Position(&'static str),
}

/// A group of fields that folds away.
pub(super) struct Fold {
    pub(super) title: String,
    pub(super) fields: Vec<Field>,
    /// Whether the group is unfolded because of a changed or wrong field.
    pub(super) open: bool,
}

/// Name of an option's field.
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
