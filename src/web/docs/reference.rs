//! The reference: all operations and types of the OpenAPI description in words. A page has the operations of one topic, or types in the order
//! of their names.

use super::{Entry, Page, rendered};
use askama::Template;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Pages of operations: path, title, tag, and the operations. An empty list has the tag's operations that no other page has.
const TOPICS: [(&str, &str, &str, &[&str]); 13] = [
    ("games", "Creating and joining games", "games", &[]),
    ("playing", "Reading games and acting", "games", &["look_at_game", "act_in_game", "follow_game", "hint"]),
    (
        "records",
        "Records and analysis of games",
        "games",
        &["write_game_as_json", "write_game_as_pgn", "write_games", "review_game"],
    ),
    ("lobby", "Finding opponents", "lobby", &[]),
    ("keys", "Keys and their games", "keys", &[]),
    ("notices", "Subscribing to notifications", "keys", &["list_notices", "begin_notice", "end_notice"]),
    ("bots", "Registering bots", "bots", &[]),
    ("challenges", "Answering challenges", "challenges", &[]),
    ("puzzles", "Solving puzzles", "puzzles", &[]),
    ("bookie", "Dealing Bookie positions", "bookie", &[]),
    ("pieces", "Pricing and measuring pieces", "pieces", &[]),
    (
        "endgames",
        "Evaluating endgames",
        "endgames",
        &["value_endgame", "value_endgames", "find_mainline", "list_tables"],
    ),
    ("endgame-tables", "Searching endgame tables", "endgames", &[]),
];
/// Maximum number of words on a page without code, unless one operation or type has more.
const WORDS: usize = 1_300;
/// Start of a link to a type. The page is filled in once every type has one.
const TYPE_LINK: &str = "href=\"type:";

/// A parameter, or a field of a type.
#[derive(PartialEq, Eq)]
struct Field {
    name: String,
    /// `path`, `query` or `header`; empty for a field.
    place: String,
    kind: String,
    required: bool,
    words: String,
}

/// An answer that is not one of the shared errors.
struct AnswerInWords {
    status: String,
    contents: Vec<(String, String)>,
    words: String,
}

#[derive(Template)]
#[template(path = "docs/operation.html")]
struct Operation {
    id: String,
    method: String,
    path: String,
    summary: String,
    paragraphs: Vec<String>,
    access: &'static str,
    parameters: Vec<Field>,
    bodies: Vec<(String, String)>,
    body_required: bool,
    answers: Vec<AnswerInWords>,
    /// Status and name of each shared error.
    errors: Vec<(String, String)>,
}

/// One of the forms of a type. Most types have a single form.
struct Form {
    kind: String,
    words: String,
    fields: Vec<Field>,
}

#[derive(Template)]
#[template(path = "docs/type.html")]
struct Type {
    name: String,
    words: String,
    forms: Vec<Form>,
}

/// Every topic with its path, title and pages, and the types at the end.
pub(super) fn groups(description: &Value) -> Vec<(&'static str, &'static str, Vec<Page>)> {
    let api = Api { schemas: &description["components"]["schemas"] };
    let listed: BTreeSet<&str> = TOPICS.iter().flat_map(|(.., operations)| operations.iter().copied()).collect();
    let mut groups: Vec<(&str, &str, Vec<NamedText>)> = Vec::new();
    for (path, title, tag, operations) in TOPICS {
        let mut blocks = Vec::new();
        for (address, methods) in members(&description["paths"]) {
            for (method, operation) in members(methods).filter(|(_, operation)| operation["tags"][0] == tag) {
                let id = operation["operationId"].as_str().unwrap_or_default();
                if operations.contains(&id) || operations.is_empty() && !listed.contains(id) {
                    blocks.push((id, rendered(&operation_in_words(address, method, operation))));
                }
            }
        }
        groups.push((path, title, divided(blocks)));
    }
    let types = members(api.schemas).map(|(name, _)| (name, rendered(&api.type_in_words(name))));
    groups.push(("types", "Types", divided(types.collect())));
    let path = |group: &str, number: usize| match number {
        0 => format!("/docs/reference/{group}"),
        more => format!("/docs/reference/{group}-{}", more + 1),
    };
    let mut homes = BTreeMap::new();
    for (group, _, texts) in &groups {
        for (number, text) in texts.iter().enumerate() {
            let ids = text.text.split("<h2 id=\"").skip(1).filter_map(|rest| rest.split('"').next());
            homes.extend(ids.map(|id| (id.to_owned(), path(group, number))));
        }
    }
    let page = |group: &str, title: &str, number: usize, several: bool, text: &NamedText| {
        let title = if several { format!("{title}: {} to {}", text.first, text.last) } else { title.to_owned() };
        let entry = Entry {
            path: path(group, number),
            about: format!("The API in detail: {}.", title.to_lowercase()),
            title,
            nested: true,
        };
        Page::new(entry, &with_homes(&text.text, &homes))
    };
    let group = |(group, title, texts): (&'static str, &'static str, Vec<NamedText>)| {
        let several = texts.len() > 1;
        let pages = texts.iter().enumerate().map(|(number, text)| page(group, title, number, several, text));
        (group, title, pages.collect())
    };
    groups.into_iter().map(group).collect()
}

/// Text of a page, with the names of its first and last entry.
#[derive(Default)]
struct NamedText {
    first: String,
    last: String,
    text: String,
}

/// Fills in the pages of links to types.
fn with_homes(text: &str, homes: &BTreeMap<String, String>) -> String {
    let mut parts = text.split(TYPE_LINK);
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.split('"').next().unwrap_or_default();
        linked += &format!("href=\"{}#{part}", homes.get(name).map_or("/docs/reference", String::as_str));
    }
    linked
}

/// Divides named texts into pages.
fn divided(blocks: Vec<(&str, String)>) -> Vec<NamedText> {
    let mut pages: Vec<NamedText> = Vec::new();
    let mut filled = 0;
    for (name, block) in blocks {
        let words = block.split('<').filter_map(|part| part.split_once('>'));
        let words = words.filter(|(tag, _)| *tag != "code");
        let words: usize = words.map(|(_, text)| text.split_whitespace().count()).sum();
        if pages.is_empty() || filled + words > WORDS {
            pages.push(NamedText { first: name.to_owned(), ..NamedText::default() });
            filled = 0;
        }
        filled += words;
        if let Some(page) = pages.last_mut() {
            page.text.push_str(&block);
            name.clone_into(&mut page.last);
        }
    }
    pages
}

pub(super) fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

pub(super) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A description as HTML: `code` and paragraphs.
pub(super) fn words(value: &Value) -> String {
    let escaped = text(value).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let parts = escaped.split('`').enumerate();
    parts.map(|(number, part)| if number % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }).collect()
}

/// Name in a reference such as `#/components/schemas/Game`.
fn reference(value: &Value) -> Option<&str> {
    value["$ref"].as_str()?.rsplit('/').next()
}

fn operation_in_words(path: &str, method: &str, operation: &Value) -> Operation {
    let parameters = items(&operation["parameters"]).map(|parameter| Field {
        name: text(&parameter["name"]),
        place: text(&parameter["in"]),
        kind: kind(&parameter["schema"]),
        required: parameter["required"] == true,
        words: words(&parameter["description"]),
    });
    let contents = |value: &Value| -> Vec<(String, String)> {
        let content = members(&value["content"]).filter(|(media, _)| *media != "application/problem+json");
        content.map(|(media, content)| (media.to_owned(), kind(&content["schema"]))).collect()
    };
    let (shared, own): (Vec<_>, Vec<_>) =
        members(&operation["responses"]).partition(|(_, answer)| reference(answer).is_some());
    let answer = |(status, answer): &(&str, &Value)| AnswerInWords {
        status: (*status).to_owned(),
        contents: contents(answer),
        words: words(&answer["description"]),
    };
    let error = |(status, answer): &(&str, &Value)| Some(((*status).to_owned(), reference(answer)?.to_owned()));
    let schemes: BTreeSet<&str> = items(&operation["security"]).flat_map(members).map(|(name, _)| name).collect();
    let free = items(&operation["security"]).any(|scheme| scheme.as_object().is_some_and(serde_json::Map::is_empty));
    let access = match (free, schemes.contains("seat"), schemes.contains("key")) {
        (true, false, false) | (false, false, false) => "Needs no token.",
        (true, true, _) => "A seat’s token or a key is optional.",
        (true, false, true) => "A key is optional.",
        (false, true, _) => "Needs a seat’s token, or a key that holds the seat.",
        (false, false, true) => "Needs a key.",
    };
    Operation {
        id: text(&operation["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: words(&operation["summary"]),
        paragraphs: words(&operation["description"])
            .split("\n\n")
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect(),
        access,
        parameters: parameters.collect(),
        bodies: contents(&operation["requestBody"]),
        body_required: operation["requestBody"]["required"] == true,
        answers: own.iter().map(answer).collect(),
        errors: shared.iter().filter_map(error).collect(),
    }
}

/// Type of a value in words, as HTML.
fn kind(schema: &Value) -> String {
    if let Some(name) = reference(schema) {
        return format!("<a {TYPE_LINK}{name}\">{name}</a>");
    }
    let joined = |parts: &Value, by: &str| items(parts).map(kind).collect::<Vec<_>>().join(by);
    if schema["oneOf"].is_array() || schema["anyOf"].is_array() {
        return [joined(&schema["oneOf"], " or "), joined(&schema["anyOf"], " or ")].concat();
    }
    if let Some(value) = schema["const"].as_str() {
        return format!("<code>{value}</code>");
    }
    if schema["enum"].is_array() {
        let values = items(&schema["enum"]).map(|value| format!("<code>{}</code>", text(value)));
        return values.collect::<Vec<_>>().join(", ");
    }
    let named = |name: &Value| match name.as_str() {
        Some("array") => format!("list of {}", kind(&schema["items"])),
        Some("string") => "text".to_owned(),
        Some("integer") => "whole number".to_owned(),
        Some("number") => "number".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("null") => "null".to_owned(),
        Some("object") if schema["additionalProperties"].is_object() => {
            format!("object of {} by name", kind(&schema["additionalProperties"]))
        }
        Some(_) => "object".to_owned(),
        None if schema["allOf"].is_array() => "object".to_owned(),
        None => "any value".to_owned(),
    };
    match &schema["type"] {
        Value::Array(types) => types.iter().map(named).collect::<Vec<_>>().join(" or "),
        single => named(single),
    }
}

/// Adds the fields of an object. Fields of objects without a name of their own follow with a path such as `a.b` or `a[].b`.
fn add_fields(schema: &Value, prefix: &str, fields: &mut Vec<Field>) {
    for part in items(&schema["allOf"]) {
        match reference(part) {
            Some(name) => fields.push(Field {
                name: if prefix.is_empty() { "…".to_owned() } else { prefix.trim_end_matches('.').to_owned() },
                place: String::new(),
                kind: format!("all fields of {}", kind(&serde_json::json!({"$ref": format!("/{name}")}))),
                required: true,
                words: words(&part["description"]),
            }),
            None => add_fields(part, prefix, fields),
        }
    }
    for (name, field) in members(&schema["properties"]) {
        // A reference or list that may be null has its description inside.
        let some = items(&field["oneOf"]).find(|form| form["type"] != "null").unwrap_or(field);
        let described = if field["description"].is_string() { field } else { some };
        let name = format!("{prefix}{name}");
        let bare = |schema: &Value| schema["properties"].is_object() || schema["allOf"].is_array();
        fields.push(Field {
            name: name.clone(),
            place: String::new(),
            kind: kind(field),
            required: items(&schema["required"]).any(|required| required.as_str() == name.strip_prefix(prefix)),
            words: words(&described["description"]),
        });
        if bare(some) {
            add_fields(some, &format!("{name}."), fields);
        } else if bare(&some["items"]) {
            add_fields(&some["items"], &format!("{name}[]."), fields);
        }
    }
}

/// Types of the description.
struct Api<'a> {
    schemas: &'a Value,
}

impl<'a> Api<'a> {
    /// Choice of types by the value of a field, to which this type belongs.
    fn choice(&self, name: &str) -> Option<(&'a str, &'a Value)> {
        let belongs = |schema: &Value| items(&schema["oneOf"]).any(|form| reference(form) == Some(name));
        members(self.schemas).find(|(_, schema)| schema["discriminator"].is_object() && belongs(schema))
    }

    /// Fields that all types of a choice share.
    fn shared_fields(&self, choice: &Value) -> Vec<Field> {
        let forms = items(&choice["oneOf"]).filter_map(reference).map(|name| {
            let mut fields = Vec::new();
            add_fields(&self.schemas[name], "", &mut fields);
            fields
        });
        let shared =
            |one: Vec<Field>, other: Vec<Field>| one.into_iter().filter(|field| other.contains(field)).collect();
        forms.reduce(shared).unwrap_or_default()
    }

    fn type_in_words(&self, name: &str) -> Type {
        let schema = &self.schemas[name];
        let form = |schema: &Value| {
            let mut fields = Vec::new();
            add_fields(schema, "", &mut fields);
            Form { kind: kind(schema), words: words(&schema["description"]), fields }
        };
        let forms = if schema["discriminator"].is_object() {
            vec![Form { fields: self.shared_fields(schema), ..form(schema) }]
        } else if let Some((_, choice)) = self.choice(name) {
            let mut own = form(schema);
            let shared = self.shared_fields(choice);
            own.fields.retain(|field| !shared.contains(field));
            vec![own]
        } else if schema["oneOf"].is_array() {
            items(&schema["oneOf"]).map(form).collect()
        } else {
            vec![form(schema)]
        };
        Type { name: name.to_owned(), words: words(&schema["description"]), forms }
    }
}
