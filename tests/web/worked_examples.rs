//! Plays the worked examples of the rules pages and checks every number.
//!
//! An example is a form that starts the same game on the site. Each of its lines begins the game anew, plays the actions in its `data-say`
//! elements, and compares its `data-at` elements with the values at these paths in the public view of the game.

use std::sync::{Arc, LazyLock};

use dashu_ratio::RBig;
use serde_json::{Map, Value, json};
use zorkmid::{
    board::Size,
    game::{Clocks, Live},
    registry,
    richman::{Advice, NEVER_STOP, Table, Thresholds, advise, fraction},
    rules::{Actor, Endgame, OptionRange},
    web::variant_pages,
};

use crate::{
    examples::{attribute, examples},
    tables::tables,
};

static TABLE: LazyLock<Arc<Table>> = LazyLock::new(|| tables().solve(Size::ORTHODOX).unwrap());
static LEVELS: LazyLock<Thresholds> = LazyLock::new(|| Thresholds::solve(&TABLE, 1, true));

/// Advice of the tables about a covered state.
fn consult(moment: &Endgame) -> Advice {
    advise(&TABLE, Some(&LEVELS), moment, NEVER_STOP).expect("a covered position")
}

fn start(fields: &[(String, String)]) -> Box<Live> {
    let given = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let variant = registry::find(given("variant").unwrap()).unwrap();
    let options = (variant.settings)().iter().filter_map(|setting| {
        let text = given(&format!("option-{}", setting.key))?;
        let value = match setting.range {
            OptionRange::Flag => json!(text == "true"),
            OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
                json!(setting.range.read(text).unwrap())
            }
            OptionRange::Word(_) | OptionRange::Game(_) | OptionRange::Position(_) | OptionRange::Text(_) => {
                json!(text)
            }
        };
        Some((setting.key.to_owned(), value))
    });
    let options: Map<String, Value> = options.collect();
    assert_eq!(options.len() + 2, fields.len(), "every field is an option: {fields:?}");
    variant.begin(&options, Clocks::new([None; 2])).unwrap()
}

/// Public view of a game, with the tables' advice.
fn seen(game: &Live) -> Value {
    let mut seen = game.json(None);
    if let Some(moment) = game.endgame() {
        seen["panel"] = json!(consult(&moment));
    }
    seen
}

fn exact(text: &str) -> Option<RBig> {
    match (text.split_once('/'), text.split_once('.')) {
        (Some((num, den)), _) => fraction(num, den),
        (None, Some((whole, part))) => fraction(&format!("{whole}{part}"), &format!("1{}", "0".repeat(part.len()))),
        (None, None) => fraction(text, "1"),
    }
}

/// Whether a text shows a value: literally, as an equal number, as a fraction, or as a list of moves.
fn shows(value: &Value, shown: &str) -> bool {
    match value {
        Value::String(text) => text == shown || exact(text).is_some_and(|number| exact(shown) == Some(number)),
        Value::Number(number) => exact(&number.to_string()) == exact(shown) && exact(shown).is_some(),
        Value::Object(parts) => {
            let part = |name: &str| parts.get(name).and_then(Value::as_str);
            let own = part("num").zip(part("den")).and_then(|(num, den)| fraction(num, den));
            own.is_some() && own == exact(shown)
        }
        Value::Array(moves) => {
            let named: Vec<&str> = moves.iter().filter_map(|mv| mv["san"].as_str()).collect();
            shown.replace(" and ", ", ").split(", ").eq(named)
        }
        Value::Null | Value::Bool(_) => false,
    }
}

/// Plays an example. Returns the number of values checked.
fn run(fields: &[(String, String)], form: &str) -> usize {
    let mut count = 0;
    for line in form.split(" class=\"line\">").skip(1) {
        let line = line.split("</li>").next().and_then(|line| line.split("</p>").next()).unwrap();
        let mut game = start(fields);
        let mut rest = line;
        while let Some(at) = [rest.find("<code data-say"), rest.find("<b data-at")].into_iter().flatten().min() {
            rest = &rest[at..];
            let (attributes, inner) = rest.split_once('>').unwrap();
            let text = &inner.split('<').next().unwrap().replace("&lt;", "<").replace("&gt;", ">");
            if let Some(who) = attribute(attributes, "data-say") {
                if attributes.contains("data-refused") {
                    let refused = game.copy().act(who.parse().unwrap(), text, 0);
                    assert!(refused.is_err(), "{who} {text} was accepted");
                } else {
                    let actor: Actor = who.parse().unwrap();
                    game.act(actor, text, 0).unwrap_or_else(|refusal| panic!("{line}\n{text}: {refusal}"));
                }
            } else {
                let path = attribute(attributes, "data-at").unwrap();
                let seen = seen(&game);
                let value = seen.pointer(path).unwrap_or_else(|| panic!("{path} is missing in {seen}"));
                let shown = attribute(attributes, "data-means").unwrap_or(text);
                assert!(shows(value, shown), "the page shows {text} at {path}, and the game {value}: {line}");
                count += 1;
            }
            rest = inner;
        }
    }
    count
}

fn page(key: &str) -> String {
    let book = variant_pages::rulebook(key).unwrap();
    let rules = match book.rules {
        Some(rules) => rules(""),
        // The Bookie page has a form, and therefore its own handler.
        None => include_str!("../../templates/bookie_rules.html").to_owned(),
    };
    rules + &book.notation.map_or(String::new(), |notation| notation(""))
}

#[test]
fn numbers_on_rules_pages_are_right() {
    let least = |key: &str| match key {
        "bidding" => 33,
        "clairvoyant" => 20,
        "csipgs" => 18,
        "bookie" => 10,
        "random-turn" => 4,
        "chess" | "lrs" => 2,
        "three-check" | "king-of-the-hill" | "crazyhouse" | "antichess" | "horde" | "racing-kings" | "minichess"
        | "chess960" | "atomic" | "raumschach" | "shatranj" | "old-chess" => 1,
        _ => 0,
    };
    for variant in registry::VARIANTS {
        let key = variant.key;
        let examples = examples(&page(key));
        let shown: usize = examples.iter().map(|(fields, form)| run(fields, form)).sum();
        assert!(shown >= least(key), "{key} shows {shown} numbers in {} examples", examples.len());
    }
}

#[test]
fn wrong_number_on_a_page_is_found() {
    let (fields, form) = examples(&page("bidding")).swap_remove(0);
    run(&fields, &form);
    for (right, wrong) in [(">50</b>", ">51</b>"), ("bid 10", "bid 11"), ("data-means=\"two\"", "data-means=\"one\"")] {
        assert!(form.contains(right), "{right}");
        let spoilt = form.replacen(right, wrong, 1);
        assert!(std::panic::catch_unwind(|| run(&fields, &spoilt)).is_err(), "{right} became {wrong}");
    }
}
