//! The form of a game to begin: what can be filled in, what was filled in, and what is wrong with it.

use super::import;
use crate::{
    bots::Bot,
    game::{Clock, Clocks},
    play::{Begin, Name, Opponent, Wish},
    rules::{Range, Seat, Setting},
    variants::Variant,
    web::{extract::Pairs, words},
};
use askama::Template;
use serde_json::{Map, Value};
use std::str::FromStr;

/// The form with what was typed.
#[derive(Template)]
#[template(path = "new.html")]
pub(super) struct NewGameForm {
    variant: &'static Variant,
    typed: Pairs,
    wrong: Vec<(String, String)>,
}

/// One option as a field of the form.
struct Field {
    name: String,
    words: &'static str,
    kind: Control,
    value: String,
}

/// The control with which an option is filled in.
enum Control {
    Check,
    Number(i64, i64),
    Choice(&'static [(&'static str, &'static str)]),
    Text(&'static str),
    /// A position, or a game that ends in one.
    Position(&'static str),
}

impl NewGameForm {
    pub(super) fn new(variant: &'static Variant, typed: Pairs) -> NewGameForm {
        NewGameForm { variant, typed, wrong: Vec::new() }
    }

    /// The game that the form asks for, unless something is wrong with it.
    pub(super) fn read(&mut self) -> Option<Begin> {
        let options = self.options();
        let seat = self.parsed("seat", Wish::Seat(Seat::One));
        let opponent = self.parsed("opponent", Opponent::Link);
        let clocks = self.clocks();
        let name = match Name::optional(self.value("name")) {
            Ok(name) => name,
            Err(refusal) => self.slip("name", refusal.why),
        };
        if self.wrong.is_empty()
            && let Err(refusal) = self.variant.begin(&options, Clocks::new([None; 2]))
        {
            self.refuse(refusal.why, refusal.at);
        }
        self.wrong.is_empty().then(|| Begin {
            variant: self.variant.key.to_owned(),
            options,
            seat,
            clocks,
            opponent,
            name,
        })
    }

    /// Notes what the rules say against all of it. Where the rules point at a character, they speak of the position.
    pub(super) fn refuse(&mut self, why: String, at: Option<usize>) {
        let position = "option-fen";
        match at {
            Some(at) if !self.value(position).is_empty() => {
                self.slip::<()>(position, format!("character {}: {why}", at + 1));
            }
            Some(_) | None => self.slip::<()>("", why),
        }
    }

    /// The options that were filled in.
    fn options(&mut self) -> Map<String, Value> {
        let mut options = Map::new();
        for setting in (self.variant.settings)() {
            let name = format!("option-{}", setting.key);
            let Some(text) = self.given(&name) else {
                if let Some(value) = self.preset().and_then(|preset| preset.get(setting.key).cloned()) {
                    options.insert(setting.key.to_owned(), value);
                }
                continue;
            };
            let value = match setting.range {
                Range::Flag => Value::Bool(text == "true"),
                Range::Whole(least, most) => match text.trim().parse::<i64>() {
                    Ok(number) => number.into(),
                    Err(_) => self.slip(&name, format!("write a whole number from {least} to {most}")),
                },
                Range::Position(_) => match import::fen(self.variant, text) {
                    Ok(fen) => fen.into(),
                    Err(refusal) => {
                        let place = refusal.at.map_or(String::new(), |at| format!("character {}: ", at + 1));
                        self.slip(&name, format!("{place}{}", refusal.why))
                    }
                },
                Range::Word(_) | Range::Text(_) => text.trim().into(),
            };
            let alone = Map::from_iter([(setting.key.to_owned(), value.clone())]);
            match self.variant.options(&alone) {
                Ok(_) => {
                    options.insert(setting.key.to_owned(), value);
                }
                Err(refusal) if self.slips(&name).is_empty() => self.slip(&name, refusal.why),
                Err(_) => {}
            }
        }
        options
    }

    fn clocks(&mut self) -> [Option<Clock>; 2] {
        let kind = self.value("clock").to_owned();
        match kind.as_str() {
            "" | "none" => [None; 2],
            "days" => {
                let days = self.whole("days", 1, 30);
                let other = self.other("days-two", days, 1, 30);
                [days, other].map(|days| Some(Clock::Days { days }))
            }
            "fischer" => {
                let (initial, increment) = (self.whole("minutes", 1, 1_440), self.whole("increment", 0, 3_600));
                let other = self.other("minutes-two", initial, 1, 1_440);
                let gain = self.other("increment-two", increment, 0, 3_600);
                [(initial, increment), (other, gain)]
                    .map(|(minutes, increment)| Some(Clock::Fischer { initial: minutes * 60, increment }))
            }
            _ => self.slip("clock", "choose one of the clocks".to_owned()),
        }
    }

    fn whole(&mut self, name: &str, least: u32, most: u32) -> u32 {
        match self.value(name).parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => number,
            Ok(_) | Err(_) => self.slip(name, format!("write a whole number from {least} to {most}")),
        }
    }

    /// A number that may be left out where it is the same for both.
    fn other(&mut self, name: &str, same: u32, least: u32, most: u32) -> u32 {
        if self.value(name).is_empty() { same } else { self.whole(name, least, most) }
    }

    fn parsed<T: FromStr<Err = crate::rules::Refusal> + Copy>(&mut self, name: &str, usual: T) -> T {
        match self.value(name) {
            "" => usual,
            text => match text.parse() {
                Ok(value) => value,
                Err(refusal) => {
                    self.wrong.push((name.to_owned(), refusal.why));
                    usual
                }
            },
        }
    }

    fn slip<T: Default>(&mut self, name: &str, why: String) -> T {
        self.wrong.push((name.to_owned(), why));
        T::default()
    }

    /// The fault of a field; empty if there is none. The form as a whole is the field without a name.
    fn slips(&self, name: &str) -> &str {
        self.wrong.iter().find(|(field, _)| field == name).map_or("", |(_, why)| why)
    }

    /// The last field of a name that was sent.
    fn given(&self, name: &str) -> Option<&str> {
        self.typed.iter().rev().find(|(field, _)| field == name).map(|(_, text)| text.as_str())
    }

    fn value(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default().trim()
    }

    /// The text that a field shows: what was typed, or something usual.
    fn shown<'a>(&'a self, name: &str, usual: &'a str) -> &'a str {
        self.given(name).unwrap_or(usual)
    }

    fn chosen(&self, name: &str, value: &str, usual: &str) -> bool {
        self.shown(name, usual) == value
    }

    /// The record of options that the form begins with.
    fn preset(&self) -> Option<Map<String, Value>> {
        let wanted = self.given("preset")?;
        let found = (self.variant.presets)().into_iter().find(|(name, _)| *name == wanted)?;
        found.1.as_object().cloned()
    }

    fn presets(&self) -> Vec<&'static str> {
        (self.variant.presets)().into_iter().map(|(name, _)| name).collect()
    }

    fn is_preset(&self, name: &str) -> bool {
        self.given("preset").map_or(self.presets().first() == Some(&name), |chosen| chosen == name)
    }

    fn fields(&self) -> Vec<Field> {
        let record = self.preset().unwrap_or_else(|| self.variant.defaults());
        (self.variant.settings)().iter().map(|setting| self.field(setting, record.get(setting.key))).collect()
    }

    fn field(&self, setting: &'static Setting, usual: Option<&Value>) -> Field {
        let name = format!("option-{}", setting.key);
        let usual =
            usual.map_or(String::new(), |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        let value = self.given(&name).map_or(usual, str::to_owned);
        let kind = match setting.range {
            Range::Flag => Control::Check,
            Range::Whole(least, most) => Control::Number(least, most),
            Range::Word(words) => Control::Choice(words),
            Range::Position(example) => Control::Position(example),
            Range::Text(example) => Control::Text(example),
        };
        Field { name, words: setting.words, kind, value }
    }

    /// The names of the chairs in this variant.
    fn sides(&self) -> [&'static str; 2] {
        match self.variant.begin(&Map::new(), Clocks::new([None; 2])) {
            Ok(game) => Seat::BOTH.map(|seat| words::side(&game.diagram(None), seat)),
            Err(_) => ["First player", "Second player"],
        }
    }

    fn bots(&self) -> [Bot; 2] {
        Bot::ALL
    }

    fn unequal(&self) -> bool {
        ["days-two", "minutes-two", "increment-two"].into_iter().any(|name| !self.value(name).is_empty())
    }
}
