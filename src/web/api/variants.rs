//! Endpoints for the variants and their options, and for bots by other developers.

use super::create_game::in_field;
use crate::{
    bots::Bot,
    play::{MOST_GAMES, Name, Program, Repertoire, TimeBudget},
    registry::{VARIANTS, Variant, words},
    rules::{OptionRange, OptionSpec},
    web::{
        App, Error,
        compression::ConstantBody,
        extract,
        openapi::{self, Problem},
        private,
        seat_auth::{owner, proof},
    },
};
use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use utoipa::ToSchema;

fn option(setting: &OptionSpec, default: Option<&Value>) -> Value {
    let (kind, more) = match setting.range {
        OptionRange::Flag => ("bool", json!({})),
        OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
            let (least, most) = setting.range.bounds().unwrap_or_default();
            let mut more = json!({"min": least, "max": most});
            if setting.range.is_money() {
                more["unit"] = "tenths of a zorkmid".into();
            }
            if let Some((none, words)) = setting.range.none() {
                more["none"] = json!({"value": none, "words": words});
            }
            ("integer", more)
        }
        OptionRange::Word(_) | OptionRange::Game(_) => {
            let values: Vec<Value> =
                words(setting.range).iter().map(|(word, meaning)| json!({"value": word, "words": meaning})).collect();
            ("text", json!({"values": values}))
        }
        OptionRange::Position(example) => ("text", json!({"example": example, "format": "fen"})),
        OptionRange::Text(example) => ("text", json!({"example": example})),
    };
    let mut option = json!({"key": setting.key, "words": setting.words, "type": kind, "default": default});
    if let (Some(option), Value::Object(more)) = (option.as_object_mut(), more) {
        option.extend(more);
    }
    option
}

fn variant(variant: &Variant) -> Value {
    let defaults = variant.defaults();
    let options: Vec<Value> =
        (variant.settings)().iter().map(|setting| option(setting, defaults.get(setting.key))).collect();
    let words = |name: &str| (variant.ways)().iter().find(|way| way.preset == name).map(|way| way.words);
    let preset = |(name, options)| json!({"name": name, "options": options, "words": words(name)});
    let presets: Vec<Value> = (variant.presets)().into_iter().map(preset).collect();
    json!({"key": variant.key, "title": variant.title, "summary": variant.summary, "uci": variant.uci_name, "options": options, "presets": presets, "phrases": (variant.phrases)()})
}

/// Lists the variants with their options, presets and action grammar, and the site's bots.
#[utoipa::path(
    get,
    path = "/api/variants",
    operation_id = "list_variants",
    tag = "games",
    responses(
        (status = 200, description = "The variants", body = Object),
    )
)]
pub async fn variants() -> Response {
    static LIST: LazyLock<ConstantBody> = LazyLock::new(|| {
        let bot = |bot: &Bot| json!({"name": format!("bot:{}", bot.name()), "words": bot.words()});
        let bots: Vec<Value> = Bot::ALL.iter().map(bot).collect();
        let variants: Vec<Value> = VARIANTS.iter().map(variant).collect();
        ConstantBody::new("application/json", json!({"variants": variants, "bots": bots}).to_string())
    });
    LIST.clone().into_response()
}

/// A bot to register.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBot {
    /// Permanent name. In games the bot is called `bot NAME`.
    #[schema(example = "Frobozz")]
    name: String,
    /// Keys of the variants that it plays; all if empty.
    #[serde(default)]
    variants: Vec<String>,
    /// Time controls that it plays: `untimed`, `sitting` (minutes on the clock) and `days`; all if empty.
    #[serde(default)]
    paces: Vec<String>,
    /// Maximum number of simultaneous games, 1 to 50; 4 by default.
    games: Option<u32>,
}

/// A bot by another developer.
#[derive(Serialize, ToSchema)]
pub struct BotAnswer {
    /// Name of the bot.
    name: String,
    /// Value of `opponent` in `POST /api/games` for a game against it.
    opponent: String,
    /// Keys of the variants that it plays.
    variants: Vec<String>,
    /// Time controls that it plays.
    #[schema(value_type = Vec<String>)]
    paces: Vec<TimeBudget>,
    /// Maximum number of simultaneous games.
    games: u32,
    /// Number of games in progress.
    playing: i64,
    /// True if it is listening and has room for another game.
    free: bool,
}

/// Bots by other developers that are listening.
#[derive(Serialize, ToSchema)]
pub struct BotsAnswer {
    /// Bots, sorted by name.
    bots: Vec<BotAnswer>,
}

impl BotAnswer {
    /// A bot as the API describes it.
    pub(super) fn of(program: Program) -> BotAnswer {
        BotAnswer {
            opponent: format!("program:{}", program.name),
            free: program.free(),
            name: program.name,
            variants: program.repertoire.variants,
            paces: program.repertoire.paces,
            games: program.repertoire.games,
            playing: program.playing,
        }
    }
}

/// Lists the bots by other developers that are listening now.
#[utoipa::path(
    get,
    path = "/api/bots",
    operation_id = "list_bots",
    tag = "bots",
    responses((status = 200, description = "The bots", body = BotsAnswer))
)]
pub async fn list(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let bots = app.play.programs().await?.into_iter().map(BotAnswer::of).collect();
    Ok(private(Json(BotsAnswer { bots }).into_response()))
}

/// Registers the bot of your key, or changes what it plays. While it listens to `/api/stream`, players can choose it as an opponent.
/// Their games start at once; the bot may `abort` a game before its first move.
#[utoipa::path(
    post,
    path = "/api/bots",
    operation_id = "register_bot",
    tag = "bots",
    request_body = NewBot,
    responses(
        (status = 200, description = "The bot", body = BotAnswer),
        (status = 422, description = "Invalid or taken name, or unknown variant or time control", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
        openapi::KeyErrors,
    ),
    security(("key" = []))
)]
pub async fn register(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Json(new): extract::Json<NewBot>,
) -> Result<Response, Error> {
    owner(&app, &headers).await?;
    let key = proof(&headers)?;
    let name: Name = new.name.parse().map_err(in_field("name"))?;
    let paces: Result<Vec<TimeBudget>, _> = new.paces.iter().map(|pace| pace.parse()).collect();
    let paces = paces.map_err(in_field("paces"))?;
    let games = new.games.unwrap_or(4);
    let field = if (1..=MOST_GAMES).contains(&games) { "variants" } else { "games" };
    let repertoire = Repertoire::new(new.variants, paces, games);
    let repertoire = repertoire.map_err(in_field(field))?;
    app.play.register(&key, &name, &repertoire).await.map_err(|error| Error::from(error).field("name"))?;
    let program = app.play.program_of(&key).await?.ok_or_else(|| Error::broken("registered bot not found"))?;
    Ok(private(Json(BotAnswer::of(program)).into_response()))
}
