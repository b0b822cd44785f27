//! Commands in the remarks of a game on paper, as programs exchange them: what was said beside the moves, word for word.
//!
//! `[%say one bid 40]` is something that was said, in its place among the moves; `[%sealed two]` something that is not open yet.
//! `[%at 1700000000000]` is the time, in milliseconds since the epoch, of all that follows until the next. `[%said]` right behind a
//! move tells that its words stand before it, so that its text is for people only.

use std::fmt;

use crate::rules::Actor;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Somebody said this.
    Say(Actor, String),
    /// Somebody said something that is not open.
    Sealed(Actor),
    /// The time of what follows, in milliseconds since the epoch.
    At(i64),
    /// The move before it has been said.
    Said,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Say(actor, text) => write!(f, "[%say {actor} {text}]"),
            Command::Sealed(actor) => write!(f, "[%sealed {actor}]"),
            Command::At(time) => write!(f, "[%at {time}]"),
            Command::Said => f.write_str("[%said]"),
        }
    }
}

impl Command {
    /// The commands in a remark, in order; those of other programs are passed over.
    pub fn read(remark: &str) -> Vec<Command> {
        remark.split("[%").skip(1).filter_map(|rest| rest.split_once(']').and_then(|(inside, _)| one(inside))).collect()
    }
}

fn one(inside: &str) -> Option<Command> {
    let (word, rest) = inside.split_once(' ').unwrap_or((inside, ""));
    match word {
        "say" => rest.split_once(' ').and_then(|(who, text)| Some(Command::Say(who.parse().ok()?, text.to_owned()))),
        "sealed" => rest.parse().ok().map(Command::Sealed),
        "at" => rest.parse().ok().map(Command::At),
        "said" => Some(Command::Said),
        _ => None,
    }
}
