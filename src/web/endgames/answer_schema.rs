//! JSON Schema of the answers about positions, built from their types.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::{api::Outcomes, chip_query::ChipsAnswer};
use crate::{
    richman::{Answer, AnswerSummary},
    web::{
        cache_policy::{CachePolicy, tag},
        openapi::Problem,
    },
};

/// Later releases may add fields.
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Texts of fields, by the name of the field in any object.
const PATTERNS: [(&str, &str); 5] = [
    ("num", "^-?[0-9]+$"),
    ("den", "^[1-9][0-9]*$"),
    ("lo", r"^-?[0-9]+\.[0-9]+$"),
    ("hi", r"^-?[0-9]+\.[0-9]+$"),
    ("table", "^[0-9a-f]{64}$"),
];

static SCHEMA: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(schema().to_string()));

/// What the category of an answer implies for its other fields.
fn by_category() -> Value {
    let none = json!({"type": "null"});
    let some = json!({"type": "object"});
    let number =
        json!({"properties": {"num": {"type": "string"}, "den": {"type": "string"}, "approx": {"type": "number"}}});
    let when = |category: &str, then: Value| json!({"if": {"properties": {"category": {"const": category}}}, "then": {"properties": then}});
    json!([
        when(
            "exact",
            json!({
                "reason": none, "terminal": none, "value": some, "alpha": number, "beta": number, "bid": some, "sharp": {"const": true}
            })
        ),
        when(
            "interval",
            json!({"reason": none, "terminal": none, "value": none, "alpha": some, "beta": some, "bid": some})
        ),
        when(
            "unknown",
            json!({
                "reason": {"type": "string"}, "terminal": none, "value": none, "alpha": none, "beta": none, "bid": none, "sharp": none,
                "zugzwang": none, "quiescent": none, "certificate": none, "white_label": none, "black_label": none,
                "white": {"maxItems": 0}, "black": {"maxItems": 0}
            })
        ),
        when(
            "terminal",
            json!({
                "reason": none, "terminal": {"type": "string"}, "value": some, "alpha": number, "beta": number, "sharp": {"const": true},
                "certificate": none, "white": {"maxItems": 0}, "black": {"maxItems": 0}
            })
        ),
    ])
}

/// Requires every property of an object and adds the patterns. The types describe optional values, which are always written as null.
fn complete(schema: &mut Value) {
    let parts = schema.get_mut("allOf").and_then(Value::as_array_mut);
    parts.into_iter().flatten().for_each(complete);
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, pattern) in PATTERNS {
        if let Some(Value::Object(property)) = properties.get_mut(name) {
            property.insert("pattern".to_owned(), json!(pattern));
        }
    }
    let names: Vec<String> = properties.keys().cloned().collect();
    schema["required"] = json!(names);
}

fn schema() -> Value {
    fn add<T: ToSchema + PartialSchema>(named: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        named.push((T::name().into_owned(), T::schema()));
        T::schemas(named);
    }
    let mut named = Vec::new();
    add::<Outcomes>(&mut named);
    add::<AnswerSummary>(&mut named);
    let mut parts: Map<String, Value> =
        named.into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect();
    for (name, part) in &mut parts {
        // A problem omits the fields that it does not need.
        if *name != Problem::name() {
            complete(part);
        }
    }
    for name in [Answer::name(), AnswerSummary::name()] {
        parts[&*name]["allOf"] = by_category();
    }
    let shapes = [ChipsAnswer::name(), AnswerSummary::name(), Outcomes::name(), Problem::name()];
    let text = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answers of /api/richman",
        "description": "A single position has a ChipsAnswer, a line of a bulk response an AnswerSummary, and several positions Outcomes. A position that cannot be read has a Problem. Later releases may add fields.",
        "anyOf": shapes.map(|name| json!({"$ref": format!("#/components/schemas/{name}")})),
        "$defs": parts,
    });
    // The types refer to each other by their place in the OpenAPI description.
    fn moved(value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(text.replace("#/components/schemas/", "#/$defs/")),
            Value::Array(items) => items.into_iter().map(moved).collect(),
            Value::Object(members) => members.into_iter().map(|(name, value)| (name, moved(value))).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }
    moved(text)
}

/// Returns the JSON Schema (draft 2020-12) of the answers about positions: of one, of several, and of a line in a bulk response.
#[utoipa::path(
    get,
    path = "/api/richman/schema.json",
    operation_id = "read_answer_schema",
    tag = "endgames",
    responses(
        (status = 200, description = "The schema", body = Value, content_type = "application/schema+json"),
        (status = 304, description = "The client already has this schema (If-None-Match)"),
    )
)]
pub async fn read(headers: HeaderMap) -> Response {
    let kept = CachePolicy { tag: tag(&[&*SCHEMA]), control: DAY };
    kept.answer_ready(&headers, ([(header::CONTENT_TYPE, "application/schema+json")], SCHEMA.clone()))
}
