//! The new game form: its fields, the input and the errors.

use super::{Control, Field, Fold};
use crate::{
    bots::Bot,
    game::{Clock, Clocks},
    play::{Begin, Name, Opponent, SeatPreference},
    registry::Variant,
    rules::{OptionRange, OptionSpec, PresetDescription, Seat},
    web::{client_address::ClientNetwork, extract::Pairs, game_text, time_controls},
};
use askama::Template;
use serde_json::{Map, Value};
use std::str::FromStr;

/// Field for the days until a claim.
const CLAIM_DAYS: &str = "claim-days";

/// The form with its input.
#[derive(Template)]
#[template(path = "new.html")]
pub(super) struct NewGameForm {
    variant: &'static Variant,
    typed: Pairs,
    wrong: Vec<(String, String)>,
    /// Names of the bots by other developers to choose from.
    programs: Vec<String>,
}

impl NewGameForm {
    pub(super) fn new(variant: &'static Variant, mut typed: Pairs, programs: Vec<String>) -> NewGameForm {
        if let Some(at) = typed.iter().position(|(name, _)| name == "choose") {
            // Choosing another preset replaces all options except a typed position.
            let (_, chosen) = typed.swap_remove(at);
            let position = |name: &str| {
                let settings = (variant.settings)().iter();
                settings
                    .filter(|setting| matches!(setting.range, OptionRange::Position(_)))
                    .any(|setting| super::name(setting) == name)
            };
            typed.retain(|(name, _)| name != "preset" && (!name.starts_with("option-") || position(name)));
            typed.push(("preset".to_owned(), chosen));
        }
        NewGameForm { variant, typed, wrong: Vec::new(), programs }
    }

    /// The game that the form describes, or `None` if the form has errors.
    pub(super) fn read(&mut self, ClientNetwork(from): ClientNetwork) -> Option<Begin> {
        let options = self.options();
        let seat = self.parsed("seat", SeatPreference::Seat(Seat::One));
        let opponent = self.parsed("opponent", Opponent::Link);
        let clocks = self.clocks();
        let claim_days = self.claim_days();
        let name = match Name::optional(self.value("name")) {
            Ok(name) => name,
            Err(refusal) => self.add_error("name", refusal.why),
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
            claim_days,
            opponent,
            name,
            key: None,
            from: Some(from),
            owner: None,
        })
    }

    /// Records an error from the rules. If it points at a character, it concerns the position.
    pub(super) fn refuse(&mut self, why: String, at: Option<usize>) {
        let position = "option-fen";
        match at {
            Some(at) if !self.value(position).is_empty() => {
                self.add_error::<()>(position, format!("character {}: {why}", at + 1));
            }
            Some(_) | None => self.add_error::<()>("", why),
        }
    }

    /// Options from the form.
    fn options(&mut self) -> Map<String, Value> {
        let mut options = Map::new();
        for setting in (self.variant.settings)() {
            let name = super::name(setting);
            let Some(text) = self.given(&name) else {
                if let Some(value) = self.preset().and_then(|preset| preset.get(setting.key).cloned()) {
                    options.insert(setting.key.to_owned(), value);
                }
                continue;
            };
            let value = match setting.range {
                OptionRange::Flag => Value::Bool(text == "true"),
                OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
                    let (least, most) = setting.range.bounds().unwrap_or_default();
                    match setting.range.read(text).filter(|number| (least..=most).contains(number)) {
                        Some(number) => number.into(),
                        None => self.add_error(&name, format!("enter a number: {}", setting.range.allowed())),
                    }
                }
                OptionRange::Position(_) => match self.variant.read_position(text) {
                    Ok(fen) => fen.into(),
                    Err(refusal) => {
                        let place = refusal.at.map_or(String::new(), |at| format!("character {}: ", at + 1));
                        self.add_error(&name, format!("{place}{}", refusal.why))
                    }
                },
                OptionRange::Word(_) | OptionRange::Game(_) | OptionRange::Text(_) => text.trim().into(),
            };
            let alone = Map::from_iter([(setting.key.to_owned(), value.clone())]);
            match self.variant.options(&alone) {
                Ok(_) => {
                    options.insert(setting.key.to_owned(), value);
                }
                Err(refusal) if self.slips(&name).is_empty() => self.add_error(&name, refusal.why),
                Err(_) => {}
            }
        }
        options
    }

    fn clocks(&mut self) -> [Option<Clock>; 2] {
        let read = time_controls::read(|name| self.value(name));
        read.unwrap_or_else(|faults| {
            self.wrong.extend(faults.into_iter().map(|(name, why)| (name.to_owned(), why)));
            [None; 2]
        })
    }

    /// Days without an action after which a game without a clock can be claimed.
    fn claim_days(&mut self) -> Option<u32> {
        let text = self.value(CLAIM_DAYS);
        match text.parse() {
            _ if text.is_empty() => None,
            Ok(days) if (1..=365).contains(&days) => Some(days),
            Ok(_) | Err(_) => self.add_error(CLAIM_DAYS, "enter a whole number from 1 to 365".to_owned()),
        }
    }

    fn parsed<T: FromStr<Err = crate::rules::Refusal>>(&mut self, name: &str, usual: T) -> T {
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

    fn add_error<T: Default>(&mut self, name: &str, why: String) -> T {
        self.wrong.push((name.to_owned(), why));
        T::default()
    }

    /// Error of a field, or empty. The empty name means the whole form.
    fn slips(&self, name: &str) -> &str {
        self.wrong.iter().find(|(field, _)| field == name).map_or("", |(_, why)| why)
    }

    /// Last value sent for a field.
    fn given(&self, name: &str) -> Option<&str> {
        self.typed.iter().rev().find(|(field, _)| field == name).map(|(_, text)| text.as_str())
    }

    fn value(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default().trim()
    }

    /// Value that a field shows: the input or the default.
    fn shown<'a>(&'a self, name: &str, usual: &'a str) -> &'a str {
        self.given(name).unwrap_or(usual)
    }

    fn chosen(&self, name: &str, value: &str, usual: &str) -> bool {
        self.shown(name, usual) == value
    }

    /// Name of the selected preset.
    fn way(&self) -> &'static str {
        let presets = (self.variant.presets)();
        let named = presets.iter().find(|(name, _)| self.given("preset") == Some(name));
        named.or(presets.first()).map_or("", |(name, _)| name)
    }

    /// Presets to choose from.
    fn ways(&self) -> &'static [PresetDescription] {
        (self.variant.ways)()
    }

    /// Options of the selected preset.
    fn preset(&self) -> Option<Map<String, Value>> {
        let found = (self.variant.presets)().into_iter().find(|(name, _)| *name == self.way())?;
        found.1.as_object().cloned()
    }

    /// Options in groups, those of the selected preset first.
    fn folds(&self) -> Vec<Fold> {
        let record = self.preset().unwrap_or_else(|| self.variant.defaults());
        let own = self.ways().iter().find(|way| way.preset == self.way()).map_or(&[][..], |way| way.options);
        let (belonging, other): (Vec<&OptionSpec>, Vec<&OptionSpec>) =
            (self.variant.settings)().iter().partition(|setting| own.contains(&setting.key));
        let rest = if belonging.is_empty() { "Options" } else { "All other options" };
        [(format!("Options of “{}”", game_text::preset(self.way())), belonging), (rest.to_owned(), other)]
            .into_iter()
            .filter(|(_, settings)| !settings.is_empty())
            .map(|(title, settings)| {
                let fields = settings.into_iter().map(|setting| self.field(setting, record.get(setting.key)));
                let (fields, changed): (Vec<Field>, Vec<bool>) = fields.unzip();
                let wrong = fields.iter().any(|field| !self.slips(&field.name).is_empty());
                Fold { title, fields, open: wrong || changed.contains(&true) }
            })
            .collect()
    }

    /// An option as a field, and whether its value differs from the default.
    fn field(&self, setting: &OptionSpec, usual: Option<&Value>) -> (Field, bool) {
        let name = super::name(setting);
        let usual = usual.map_or_else(String::new, |value| super::written(setting, value));
        let given = self.given(&name).map(str::to_owned);
        let changed = given.as_ref().is_some_and(|given| given.trim() != usual);
        let field =
            Field { name, words: setting.words, control: Control::of(setting.range), value: given.unwrap_or(usual) };
        (field, changed)
    }

    /// Names of the seats in this variant.
    fn sides(&self) -> [&'static str; 2] {
        match self.variant.begin(&Map::new(), Clocks::new([None; 2])) {
            Ok(game) => Seat::BOTH.map(|seat| game_text::side(&game.diagram(None), seat)),
            Err(_) => ["First player", "Second player"],
        }
    }

    /// Seats to choose from, with their values and labels.
    fn seats(&self) -> [(&'static str, &'static str); 3] {
        let [one, two] = self.sides();
        [("random", "Random"), ("one", one), ("two", two)]
    }

    /// Bots from the weakest to the strongest. `gambler` is no level and comes last.
    fn bots(&self) -> impl Iterator<Item = Bot> {
        [Bot::Random].into_iter().chain(Bot::LEVELS).chain([Bot::Gambler])
    }

    /// Strength of a bot, to follow its name.
    fn strength(&self, bot: &Bot) -> String {
        match bot.level() {
            Some(level) => format!("level {level}"),
            None if *bot == Bot::Random => "weakest".to_owned(),
            None => "stronger than random".to_owned(),
        }
    }

    /// Value of the selected time control: `other` if times are typed.
    fn pace(&self) -> &str {
        let typed = time_controls::TIMES.iter().any(|(name, ..)| !self.value(name).is_empty());
        match (self.value("clock"), typed) {
            ("" | "none", false) => "none",
            ("" | "none" | "days" | "fischer", _) => "other",
            (chosen, _) => chosen,
        }
    }

    /// Whether a time is wrong, so that its fields must be visible.
    fn times_wrong(&self) -> bool {
        !self.slips("clock").is_empty() || time_controls::TIMES.iter().any(|(name, ..)| !self.slips(name).is_empty())
    }

    fn unequal(&self) -> bool {
        ["days-two", "minutes-two", "increment-two"].into_iter().any(|name| !self.value(name).is_empty())
    }
}
