//! The options of a variant as fields of a form: those that belong to the chosen way of playing apart from all others.

use crate::{
    registry,
    rules::{Range, Setting},
};

/// One option as a field of the form.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) words: &'static str,
    pub(super) control: Control,
    pub(super) value: String,
}

/// The control with which an option is filled in.
pub(super) enum Control {
    Check,
    /// A number, with what may be written.
    Number(String),
    Choice(Vec<(&'static str, &'static str)>),
    Text(&'static str),
    /// A position, or a game that ends in one.
    Position(&'static str),
}

/// Some fields that are folded together.
pub(super) struct Fold {
    pub(super) title: String,
    pub(super) fields: Vec<Field>,
    /// Set if something in it must be seen.
    pub(super) open: bool,
}

/// The name of an option's field.
pub(super) fn name(setting: &Setting) -> String {
    format!("option-{}", setting.key)
}

impl Control {
    pub(super) fn of(range: Range) -> Control {
        match range {
            Range::Flag => Control::Check,
            Range::Whole(..) | Range::Money(..) | Range::Cap(_) | Range::Turns(_) => Control::Number(range.allowed()),
            Range::Word(_) | Range::Game(_) => Control::Choice(registry::words(range)),
            Range::Position(example) => Control::Position(example),
            Range::Text(example) => Control::Text(example),
        }
    }
}
