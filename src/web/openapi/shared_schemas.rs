//! Schemas that several places of the description share. A client generated from the description then has one type for each.

use crate::registry::{VARIANTS, Variant};
use crate::web::game_text::capitalized;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Schema of a game, which depends on the variant.
const GAME: &str = "GameAnswer";
/// Start of a reference to a schema.
const SCHEMAS: &str = "#/components/schemas/";

type Schemas = Map<String, Value>;

/// A reference to a schema.
fn reference(name: &str) -> Value {
    json!({"$ref": format!("{SCHEMAS}{name}")})
}

/// Adds a game schema for every kind of view, and makes the general game schema a choice of these by `variant`.
pub(super) fn add_games(schemas: &mut Schemas) {
    let Some(common) = schemas.get(GAME).cloned() else { return };
    let mut families: Vec<(Value, Vec<&Variant>)> = Vec::new();
    for variant in VARIANTS {
        let (view, named) = (variant.view)();
        let json = |schema| serde_json::to_value(schema).unwrap_or_default();
        schemas.extend(named.into_iter().map(|(name, schema)| (name, json(schema))));
        let mut view = json(view);
        simplify(&mut view);
        match families.iter_mut().find(|(known, _)| *known == view) {
            Some((_, variants)) => variants.push(variant),
            None => families.push((view, vec![variant])),
        }
    }
    let mut choice = json!({"oneOf": [], "discriminator": {"propertyName": "variant", "mapping": {}}});
    choice["description"] = common["description"].clone();
    for (view, variants) in families {
        let title = variants.iter().find(|variant| variant.key == "chess").unwrap_or(&variants[0]).title;
        let stem: String = title.split(|letter: char| !letter.is_alphanumeric()).map(capitalized).collect();
        let keys: Vec<&str> = variants.iter().map(|variant| variant.key).collect();
        let titles: Vec<&str> = variants.iter().map(|variant| variant.title).collect();
        let (game_name, view_name) = (format!("{stem}Game"), format!("{stem}View"));
        let mut game = common.clone();
        game["properties"]["variant"] = match keys.as_slice() {
            [key] => json!({"type": "string", "const": key, "description": "Key of the variant."}),
            keys => json!({"type": "string", "enum": keys, "description": "Key of the variant."}),
        };
        game["properties"]["view"] = reference(&view_name);
        game["description"] = format!("A game of {}.", titles.join(", ")).into();
        if let Some(forms) = choice["oneOf"].as_array_mut() {
            forms.push(reference(&game_name));
        }
        for key in keys {
            choice["discriminator"]["mapping"][key] = format!("{SCHEMAS}{game_name}").into();
        }
        schemas.insert(view_name, view);
        schemas.insert(game_name, game);
    }
    schemas.insert(GAME.to_owned(), choice);
}

/// Replaces equal schemas in several places by references to one schema.
pub(super) fn share(schemas: &mut Schemas) {
    schemas.values_mut().for_each(simplify);
    let shapes = schemas.iter().filter_map(|(name, schema)| Some((shape(schema)?, name.clone()))).collect();
    let mut shared = Shared { shapes, new: Schemas::new() };
    schemas.values_mut().for_each(|schema| shared.share_parts(schema, ""));
    for (name, schema) in shared.new {
        schemas.entry(name).or_insert(schema);
    }
}

/// Removes the schemas to which nothing refers, directly or through other schemas.
pub(super) fn remove_unused(api: &mut Value) {
    loop {
        let text = api.to_string();
        let used: BTreeSet<&str> = text.split(SCHEMAS).skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let Some(schemas) = api["components"]["schemas"].as_object_mut() else { return };
        let before = schemas.len();
        schemas.retain(|name, _| used.contains(name.as_str()));
        if schemas.len() == before {
            return;
        }
    }
}

/// Merges the parts of an object that has no parts with names, and turns an enum of one value into a constant.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(simplify),
        Value::Object(members) => members.values_mut().for_each(simplify),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    }
    if let Some([value]) = schema["enum"].as_array().map(Vec::as_slice) {
        let value = value.clone();
        if let Some(members) = schema.as_object_mut() {
            members.remove("enum");
            members.insert("const".to_owned(), value);
        }
    }
    let Some(parts) = schema["allOf"].as_array() else { return };
    // A part without a form only describes the others.
    let has = |part: &Value, keys: &[&str]| keys.iter().any(|key| part.get(key).is_some());
    let parts: Vec<Value> =
        parts.iter().filter(|part| has(part, &["$ref", "properties", "oneOf", "anyOf"])).cloned().collect();
    let named = parts.iter().any(|part| !has(part, &["properties"]));
    let merged = match parts.as_slice() {
        [] => json!({"type": "object"}),
        [only] => only.clone(),
        _ if named => return,
        several => several.iter().fold(json!({"type": "object"}), |mut merged, part| {
            for (name, field) in part["properties"].as_object().into_iter().flatten() {
                merged["properties"][name] = field.clone();
            }
            let required = |schema: &Value| schema["required"].as_array().cloned().unwrap_or_default();
            merged["required"] = [required(&merged), required(part)].concat().into();
            merged
        }),
    };
    let description = match &schema["description"] {
        Value::Null => schema["allOf"].as_array().and_then(|parts| parts.iter().rev().find_map(described)),
        own => Some(own.clone()),
    };
    *schema = merged;
    if let Some(description) = description {
        schema["description"] = description;
    }
}

fn described(schema: &Value) -> Option<Value> {
    schema.get("description").cloned()
}

/// Text that is equal for enums and objects that can share a schema.
fn shape(schema: &Value) -> Option<String> {
    (schema["enum"].is_array() || schema["properties"].is_object()).then(|| bare(schema).to_string())
}

/// Schemas that can be shared.
struct Shared {
    /// Names by shape.
    shapes: BTreeMap<String, String>,
    /// New schemas.
    new: Schemas,
}

impl Shared {
    /// Shares the parts of a schema in the field `field`.
    fn share_parts(&mut self, schema: &mut Value, field: &str) {
        let Value::Object(members) = schema else { return };
        for (key, value) in members {
            match (key.as_str(), value) {
                ("properties", Value::Object(fields)) => {
                    for (name, schema) in fields {
                        let field = if matches!(name.as_str(), "one" | "two") { field } else { name.as_str() };
                        self.share_part(schema, field);
                    }
                }
                ("items", schema) => self.share_part(schema, field),
                ("oneOf" | "anyOf" | "allOf", Value::Array(forms)) => {
                    forms.iter_mut().for_each(|schema| self.share_part(schema, field));
                }
                _ => {}
            }
        }
    }

    fn share_part(&mut self, schema: &mut Value, field: &str) {
        self.share_parts(schema, field);
        let Some(name) = self.name(schema, field) else { return };
        let mut shared = reference(&name);
        if let Some(description) = described(schema) {
            shared["description"] = description;
        }
        *schema = shared;
    }

    /// Name of the schema that a part can share. Adds the schema if there is none yet.
    fn name(&mut self, schema: &Value, field: &str) -> Option<String> {
        if field == "options" && schema["type"] == "object" && schema.get("properties").is_none() {
            let options = json!({"type": "object", "additionalProperties": true, "description": "Options by key."});
            self.new.entry("GameOptions").or_insert(options);
            return Some("GameOptions".to_owned());
        }
        let shape = shape(schema)?;
        if let Some(name) = self.shapes.get(&shape) {
            return Some(name.clone());
        }
        let fields = schema["properties"].as_object()?;
        let (name, new) = match (fields.get("one"), fields.get("two"), fields.len()) {
            (Some(one), Some(two), 2) if bare(one) == bare(two) => {
                let pair = json!({
                    "type": "object",
                    "description": "A value for each seat.",
                    "required": ["one", "two"],
                    "properties": {"one": bare(one), "two": bare(two)},
                });
                (format!("{}Pair", label(one)?), pair)
            }
            // Items of lists get the name of the list.
            _ if field.ends_with('s') => (capitalized(field.trim_end_matches('s')), schema.clone()),
            _ => return None,
        };
        // Two schemas of different shapes never share a name.
        if self.shapes.values().any(|known| *known == name) {
            return None;
        }
        self.shapes.insert(shape, name.clone());
        self.new.entry(name.as_str()).or_insert(new);
        Some(name)
    }
}

/// A schema without descriptions and ranges.
fn bare(schema: &Value) -> Value {
    let dropped = ["description", "format", "minimum", "example"];
    match schema {
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, value)| value.is_object() || !dropped.contains(&key.as_str()));
            kept.map(|(key, value)| (key.clone(), bare(value))).collect()
        }
        Value::Array(items) => items.iter().map(bare).collect(),
        other => other.clone(),
    }
}

/// Short name of a value's type.
fn label(schema: &Value) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        return Some(name.trim_start_matches(SCHEMAS).to_owned());
    }
    if let Some(forms) = schema["oneOf"].as_array() {
        let mut forms = forms.iter().filter(|form| form["type"] != "null");
        return Some(format!("Optional{}", label(forms.next().filter(|_| forms.next().is_none())?)?));
    }
    let named = |kind: &str| match kind {
        "integer" | "number" => Some("Number".to_owned()),
        "string" => Some("Text".to_owned()),
        "boolean" => Some("Flag".to_owned()),
        "array" => Some(format!("{}List", label(&schema["items"])?)),
        _ => None,
    };
    match &schema["type"] {
        Value::String(kind) => named(kind),
        Value::Array(kinds) => {
            let kind = kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null")?;
            Some(format!("Optional{}", named(kind)?))
        }
        _ => None,
    }
}
