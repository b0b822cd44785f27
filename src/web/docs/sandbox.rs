//! The sandbox: every operation that only reads, as a form and as a command.

use super::reference::{items, members, text, words};
use serde_json::Value;

/// A parameter of a path or query.
pub(super) struct Parameter {
    pub(super) name: String,
    /// `path` or `query`.
    pub(super) place: String,
    pub(super) required: bool,
    /// Description, which a script shows below the field; empty if there is none.
    pub(super) about: String,
    /// Value in the command and, at first, in the form.
    pub(super) value: String,
}

/// An operation that only reads.
pub(super) struct Operation {
    pub(super) path: String,
    /// Summary, as HTML.
    pub(super) summary: String,
    pub(super) parameters: Vec<Parameter>,
    /// Whether it answers with a text that ends, unlike a stream or a download.
    pub(super) finite: bool,
    /// The request as a command of a shell.
    pub(super) command: String,
}

/// All operations that only read, in the order of the description.
pub(super) fn operations(description: &Value) -> Vec<Operation> {
    let reading = members(&description["paths"]).filter_map(|(path, methods)| Some((path, methods.get("get")?)));
    reading.map(|(path, operation)| Operation::new(path, operation)).collect()
}

impl Operation {
    fn new(path: &str, operation: &Value) -> Operation {
        let sent = items(&operation["parameters"]).filter(|parameter| parameter["in"] != "header");
        let parameters: Vec<Parameter> = sent.map(Parameter::new).collect();
        let answers: Vec<&str> = members(&operation["responses"]["200"]["content"]).map(|(media, _)| media).collect();
        let stream = answers.contains(&"text/event-stream");
        let download = answers.contains(&"application/octet-stream");
        let place = parameters.iter().filter(|parameter| parameter.place == "path");
        let place = place.fold(path.to_owned(), |path, parameter| {
            path.replace(&format!("{{{}}}", parameter.name), &parameter.value)
        });
        let query = parameters.iter().filter(|parameter| parameter.place == "query" && !parameter.value.is_empty());
        let query = query.map(|parameter| {
            let value = percent_encoding::utf8_percent_encode(&parameter.value, percent_encoding::NON_ALPHANUMERIC);
            format!("{}={value}", parameter.name)
        });
        let query = query.collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        let flag = if stream { "-N " } else { "" };
        Operation {
            path: path.to_owned(),
            summary: words(&operation["summary"]),
            finite: !stream && !download,
            command: format!("curl {flag}\"$ZORKMID{place}{mark}{query}\""),
            parameters,
        }
    }
}

impl Parameter {
    fn new(parameter: &Value) -> Parameter {
        let required = parameter["required"] == true;
        let value = match &parameter["example"] {
            _ if !required => String::new(),
            Value::String(example) => example.clone(),
            Value::Null if parameter["name"] == "id" => "k3v9m2xq".to_owned(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let about = text(&parameter["description"]).replace('`', "");
        Parameter { name: text(&parameter["name"]), place: text(&parameter["in"]), required, about, value }
    }
}
