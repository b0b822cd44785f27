//! Endpoints for the variants and their options, and for bots by other developers.

use super::create_game::in_field;
use crate::{
    bots::Bot,
    play::{MOST_GAMES, Name, Program, Repertoire, TimeBudget},
    registry::{VARIANTS, Variant, words},
    rules::{ActionForm, GamePhase, OptionRange, OptionSpec},
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
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use utoipa::ToSchema;

/// The variants and the bots of the site.
#[derive(Serialize, ToSchema)]
pub struct VariantsAnswer {
    /// Variants, in the order of the site.
    variants: Vec<VariantAnswer>,
    /// Bots of the site, weakest first.
    bots: Vec<SiteBot>,
}

/// A bot of the site.
#[derive(Serialize, ToSchema)]
pub struct SiteBot {
    /// Value of `opponent` in `POST /api/games`.
    #[schema(example = "bot:casual")]
    name: String,
    /// Description of its strength.
    words: &'static str,
}

/// A variant.
#[derive(Serialize, ToSchema)]
pub struct VariantAnswer {
    /// Key, for `variant` in `POST /api/games`.
    key: &'static str,
    /// Title.
    title: &'static str,
    /// The variant in one sentence.
    summary: &'static str,
    /// Name for UCI engines; null if there is none.
    uci: Option<&'static str>,
    /// Options.
    options: Vec<OptionAnswer>,
    /// Named sets of options.
    presets: Vec<PresetAnswer>,
    /// Forms of actions.
    #[schema(value_type = Vec<ActionFormInWords>)]
    phrases: &'static [ActionForm],
}

/// Type of an option's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptionType {
    /// True or false.
    Bool,
    /// A whole number.
    Integer,
    /// A text.
    Text,
}

/// An option of a variant.
#[derive(Serialize, ToSchema)]
pub struct OptionAnswer {
    /// Key, for `options` in `POST /api/games`.
    key: &'static str,
    /// Description.
    words: &'static str,
    /// Type of the value.
    r#type: OptionType,
    /// Default value.
    #[schema(value_type = Option<Value>)]
    default: Option<Value>,
    /// Least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    /// Greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
    /// Unit of the number, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    /// Number that means “none”, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    none: Option<OptionNumber>,
    /// Allowed texts, if only some are.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<OptionText>>,
    /// A text that the option could have.
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<&'static str>,
    /// `fen` for the text of a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
}

/// A number with a special meaning.
#[derive(Serialize, ToSchema)]
pub struct OptionNumber {
    /// The number.
    value: i64,
    /// Its meaning.
    words: &'static str,
}

/// An allowed text.
#[derive(Serialize, ToSchema)]
pub struct OptionText {
    /// The text.
    value: &'static str,
    /// Its meaning.
    words: &'static str,
}

/// A named set of options.
#[derive(Serialize, ToSchema)]
pub struct PresetAnswer {
    /// Name.
    name: &'static str,
    /// Values of the options.
    #[schema(value_type = Object)]
    options: Value,
    /// The differences in one sentence; null if there is only one preset.
    words: Option<&'static str>,
}

/// A form of actions.
#[derive(Serialize, ToSchema)]
#[schema(as = ActionForm)]
pub struct ActionFormInWords {
    /// Phases in which the form can be used.
    phases: Vec<GamePhase>,
    /// Text with blanks in braces.
    #[schema(example = "bid {0..40}")]
    text: String,
    /// Meaning.
    words: String,
}

impl OptionAnswer {
    fn of(setting: &OptionSpec, default: Option<&Value>) -> OptionAnswer {
        let mut answer = OptionAnswer {
            key: setting.key,
            words: setting.words,
            r#type: OptionType::Text,
            default: default.cloned(),
            min: None,
            max: None,
            unit: None,
            none: None,
            values: None,
            example: None,
            format: None,
        };
        match setting.range {
            OptionRange::Flag => answer.r#type = OptionType::Bool,
            OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
                answer.r#type = OptionType::Integer;
                (answer.min, answer.max) = setting.range.bounds().unzip();
                answer.unit = setting.range.is_money().then_some("tenths of a zorkmid");
                answer.none = setting.range.none().map(|(value, words)| OptionNumber { value, words });
            }
            OptionRange::Word(_) | OptionRange::Game(_) => {
                let texts = words(setting.range).into_iter().map(|(value, words)| OptionText { value, words });
                answer.values = Some(texts.collect());
            }
            OptionRange::Position(example) => (answer.example, answer.format) = (Some(example), Some("fen")),
            OptionRange::Text(example) => answer.example = Some(example),
        }
        answer
    }
}

impl VariantAnswer {
    fn of(variant: &Variant) -> VariantAnswer {
        let defaults = variant.defaults();
        let options = (variant.settings)();
        let words = |name: &str| (variant.ways)().iter().find(|way| way.preset == name).map(|way| way.words);
        let presets = (variant.presets)().into_iter();
        VariantAnswer {
            key: variant.key,
            title: variant.title,
            summary: variant.summary,
            uci: variant.uci_name,
            options: options.iter().map(|setting| OptionAnswer::of(setting, defaults.get(setting.key))).collect(),
            presets: presets.map(|(name, options)| PresetAnswer { name, options, words: words(name) }).collect(),
            phrases: (variant.phrases)(),
        }
    }
}

/// Lists the variants with their options, presets and action grammar, and the site's bots.
#[utoipa::path(
    get,
    path = "/api/variants",
    operation_id = "list_variants",
    tag = "games",
    responses(
        (status = 200, description = "The variants", body = VariantsAnswer),
    )
)]
pub async fn variants() -> Response {
    static LIST: LazyLock<ConstantBody> = LazyLock::new(|| {
        let bot = |bot: &Bot| SiteBot { name: format!("bot:{}", bot.name()), words: bot.words() };
        let answer = VariantsAnswer {
            variants: VARIANTS.iter().map(VariantAnswer::of).collect(),
            bots: Bot::ALL.iter().map(bot).collect(),
        };
        ConstantBody::new("application/json", serde_json::to_vec(&answer).unwrap_or_default())
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
    #[schema(value_type = Vec<TimeBudget>)]
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
