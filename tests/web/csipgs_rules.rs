//! Rules page of csipgs: its prices and options match the program. Its examples are tested with those of other rules pages.

use num_rational::Ratio;
use std::collections::BTreeSet;
use zorkmid::{
    board::Betza,
    registry::{self, Variant},
    variants::csipgs::price::{Catalogue, Exact, breakdown},
    web::variant_pages,
};

fn csipgs() -> &'static Variant {
    registry::find("csipgs").unwrap()
}

fn page() -> String {
    let book = variant_pages::rulebook("csipgs").unwrap();
    [book.rules, book.notation].into_iter().flatten().map(|page| page("")).collect()
}

fn attribute<'t>(attributes: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

/// Elements with an attribute: its value, the rest of the tag, and the text inside.
fn elements<'t>(page: &'t str, name: &str) -> Vec<(&'t str, &'t str, String)> {
    page.split('<')
        .filter_map(|piece| {
            let (tag, inner) = piece.split_once('>')?;
            let plain = inner.replace("&lt;", "<").replace("&gt;", ">");
            Some((attribute(tag, name)?, tag, plain))
        })
        .collect()
}

/// Parses a decimal as an exact number.
fn decimal(text: &str) -> Exact {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    Ratio::new(format!("{whole}{places}").parse().unwrap(), 10i128.pow(places.len() as u32))
}

#[test]
fn price_table_matches_the_prices() {
    let page = page();
    let priced = |text: &str| {
        breakdown(&text.parse::<Betza>().unwrap_or_else(|error| panic!("{text}: {error}")), &Catalogue::default())
    };
    let mut atoms = BTreeSet::new();
    for (texts, _, shown) in elements(&page, "data-base") {
        for text in texts.split(' ') {
            assert_eq!(priced(text).items[0].base, decimal(&shown), "{text}");
            assert!(atoms.insert(text.to_owned()), "{text} is listed twice");
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
        // A fraction, or a decimal that ends.
        assert!(amounts[0].starts_with(&exact.to_string()) || decimal(amounts[0]) == exact, "{text}: {amounts:?}");
        assert_eq!(amounts[1], exact.ceil().to_string(), "{text}");
    }
}

#[test]
fn readings_name_every_option() {
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
