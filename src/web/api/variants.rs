//! The list of variants with their options, for programs and for forms of other sites.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::{
    bots::Bot,
    registry::{VARIANTS, Variant, words},
    rules::{Range, Setting},
};

fn option(setting: &Setting, default: Option<&Value>) -> Value {
    let (kind, more) = match setting.range {
        Range::Flag => ("bool", json!({})),
        Range::Whole(..) | Range::Money(..) | Range::Cap(_) | Range::Turns(_) => {
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
        Range::Word(_) | Range::Game(_) => {
            let values: Vec<Value> =
                words(setting.range).iter().map(|(word, meaning)| json!({"value": word, "words": meaning})).collect();
            ("text", json!({"values": values}))
        }
        Range::Position(example) => ("text", json!({"example": example, "format": "fen"})),
        Range::Text(example) => ("text", json!({"example": example})),
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

/// Lists the variants with their options and presets and the grammar of their actions, and the bots.
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
    // Nothing in it changes while the program runs.
    static LIST: LazyLock<Bytes> = LazyLock::new(|| {
        let bot = |bot: &Bot| json!({"name": format!("bot:{}", bot.name()), "words": bot.words()});
        let bots: Vec<Value> = Bot::ALL.iter().map(bot).collect();
        let variants: Vec<Value> = VARIANTS.iter().map(variant).collect();
        json!({"variants": variants, "bots": bots}).to_string().into()
    });
    ([(header::CONTENT_TYPE, "application/json")], LIST.clone()).into_response()
}
