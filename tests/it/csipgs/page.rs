//! The page of rules: its examples are played as they stand there, its prices are the prices, and its switches are the options.
//!
//! An example is a form that starts the same game on the site. Each of its lines begins that game anew, says what its
//! `data-say` elements hold, and finds what its `data-at` elements show at the given place of the game as everybody sees it.

use num_rational::Ratio;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use zorkmid::{
    board::Betza,
    game::Game,
    rules::{
        Actor, Range,
        csipgs::price::{Catalogue, Exact, bill},
    },
    variants::{self, Variant},
};

use super::game;

fn csipgs() -> &'static Variant {
    variants::find("csipgs").unwrap()
}

fn page() -> String {
    csipgs().rules.unwrap()()
}

fn attribute<'t>(attributes: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

/// The elements that have an attribute: its value, the rest of the tag, and the text inside.
fn elements<'t>(page: &'t str, name: &str) -> Vec<(&'t str, &'t str, String)> {
    page.split('<')
        .filter_map(|piece| {
            let (tag, inner) = piece.split_once('>')?;
            let plain = inner.replace("&lt;", "<").replace("&gt;", ">");
            Some((attribute(tag, name)?, tag, plain))
        })
        .collect()
}

/// An exact number from a decimal.
fn decimal(text: &str) -> Exact {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    Ratio::new(format!("{whole}{places}").parse().unwrap(), 10i128.pow(places.len() as u32))
}

/// The game that a form starts.
fn started(form: &str) -> Box<dyn Game> {
    let value = |key: &str| {
        let field = form.split("<input ").find(|field| attribute(field, "name") == Some(key))?;
        attribute(field, "value").map(str::to_owned)
    };
    assert_eq!(value("variant").as_deref(), Some("csipgs"));
    let options = (csipgs().settings)().iter().filter_map(|setting| {
        let text = value(&format!("option-{}", setting.key))?;
        let value = match setting.range {
            Range::Flag => json!(text == "true"),
            Range::Whole(..) => json!(text.parse::<i64>().unwrap()),
            Range::Word(_) | Range::Text(_) => json!(text),
        };
        Some((setting.key.to_owned(), value))
    });
    let options: Map<String, Value> = options.collect();
    assert_eq!(options.len() + 2, form.matches("<input ").count(), "every field is an option: {form}");
    game(Value::Object(options))
}

/// Plays the examples of a page; returns how many numbers they showed.
fn run(page: &str) -> usize {
    let mut count = 0;
    for form in page.split("<form class=\"notice example\"").skip(1) {
        let form = form.split("</form>").next().unwrap();
        for line in form.split("<li class=\"line\">").skip(1) {
            let mut game = started(form);
            for piece in line.split('<') {
                let Some((tag, text)) = piece.split_once('>') else { continue };
                let text = text.replace("&lt;", "<").replace("&gt;", ">");
                if let Some(who) = attribute(tag, "data-say") {
                    let said = game.act(Actor::Seat(who.parse().unwrap()), &text, 0);
                    assert_eq!(said.is_err(), tag.contains("data-refused"), "{text}: {said:?} in {line}");
                } else if let Some(path) = attribute(tag, "data-at") {
                    let seen = game.json(None);
                    assert_eq!(seen.pointer(path), Some(&json!(text)), "{path} in {line}");
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
fn the_examples_are_played_as_they_stand_there() {
    assert!(run(&page()) >= 18);
}

#[test]
fn a_wrong_example_is_found() {
    let page = page();
    for (right, wrong) in [
        (">147/50</b>", ">148/50</b>"),
        ("<code data-say=\"two\" data-refused>buy N", "<code data-say=\"two\">buy N"),
        ("<code data-say=\"one\">transfer R e2", "<code data-say=\"one\">transfer R e4"),
    ] {
        let spoilt = page.replacen(right, wrong, 1);
        assert_ne!(page, spoilt);
        assert!(std::panic::catch_unwind(|| run(&spoilt)).is_err(), "{right} became {wrong}");
    }
}

#[test]
fn the_price_table_is_the_prices() {
    let page = page();
    let priced = |text: &str| {
        bill(&text.parse::<Betza>().unwrap_or_else(|error| panic!("{text}: {error}")), &Catalogue::default())
    };
    let mut atoms = BTreeSet::new();
    for (texts, _, shown) in elements(&page, "data-base") {
        for text in texts.split(' ') {
            assert_eq!(priced(text).items[0].base, decimal(&shown), "{text}");
            assert!(atoms.insert(text.to_owned()), "{text} stands there twice");
        }
    }
    assert_eq!(atoms.len(), 11, "every atom: {atoms:?}");
    let factors = elements(&page, "data-factor");
    assert!(factors.len() >= 20);
    for (texts, _, shown) in factors {
        for text in texts.split(' ') {
            assert_eq!(priced(text).items[0].factor, decimal(&shown), "{text}");
        }
    }
    let whole = priced("royal-relay-doublemove-F").factors;
    let shown: Vec<_> =
        elements(&page, "data-whole").into_iter().map(|(name, _, shown)| (name, decimal(&shown))).collect();
    assert_eq!(whole, shown);
    let examples = elements(&page, "data-example");
    assert!(examples.len() >= 12);
    for (text, ..) in examples {
        let row = page.split(&format!("<tr data-example=\"{text}\">")).nth(1).unwrap().split("</tr>").next().unwrap();
        let amounts: Vec<&str> =
            row.split("<td class=\"amount\">").skip(1).map(|cell| cell.split('<').next().unwrap()).collect();
        let exact = priced(text).exact;
        assert!(amounts[0].starts_with(&exact.to_string()), "{text}: {amounts:?}");
        assert_eq!(amounts[1], exact.ceil().to_string(), "{text}");
    }
}

#[test]
fn every_reading_names_its_switch_and_every_switch_is_named() {
    let page = page();
    let readings = page.split("<ul class=\"readings\">").nth(1).unwrap().split("</ul>").next().unwrap();
    let mut named = BTreeSet::new();
    for reading in readings.split("<li>").skip(1) {
        let aside = reading.split("<span class=\"aside\">").nth(1).unwrap();
        if !aside.starts_with(" Fixed.") {
            named.extend(aside.split("<code>").skip(1).map(|code| code.split('<').next().unwrap().to_owned()));
        }
    }
    let options: BTreeSet<String> = (csipgs().settings)().iter().map(|setting| setting.key.to_owned()).collect();
    assert_eq!(named, options);
}
