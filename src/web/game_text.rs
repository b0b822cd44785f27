//! Texts of the game page: sides, turns, results and clocks.

use super::frame::Frame;
use crate::{
    game::{Clock, ClockView, deal_summary},
    play::GameSnapshot,
    registry,
    rules::{Deal, DealEnd, Diagram, LEFT, MoneyHistory, OptionRange, OptionSpec, Outcome, Seat, TIME, diagram::Pair},
    variants::{bookie::amount, csipgs::price::decimal},
};
use serde_json::Value;

/// Colour of a seat once it is decided, otherwise the seat's title.
pub fn side(diagram: &Diagram, seat: Seat) -> &'static str {
    Pair::title(diagram.colors.as_ref(), seat)
}

/// Player's name if known, otherwise the side.
pub fn player(frame: &Frame, seat: Seat) -> &str {
    match frame.named[seat.index()] {
        true => &frame.names[seat.index()],
        false if is_over_match(frame) => Pair::title(None, seat),
        false => side(&frame.diagram, seat),
    }
}

/// Whether the game was a match of several deals and is over. The colours of its last deal say nothing about its result.
fn is_over_match(frame: &Frame) -> bool {
    frame.outcome.is_some() && frame.diagram.deals.len() > 1
}

/// Colour of a seat; before colours are decided, the player's name.
pub fn called(frame: &Frame, seat: Seat) -> &str {
    match frame.diagram.colors {
        Some(_) => side(&frame.diagram, seat),
        None => player(frame, seat),
    }
}

/// Player's name if known, otherwise their side in the deal.
pub fn deal_player(frame: &Frame, deal: &Deal, seat: Seat) -> String {
    match frame.named[seat.index()] {
        true => frame.names[seat.index()].clone(),
        false => Pair::title(deal.colors.as_ref(), seat).to_owned(),
    }
}

/// Result of a deal in a few words.
pub fn result(frame: &Frame, deal: &Deal) -> String {
    match &deal.end {
        None => String::new(),
        Some(DealEnd { void: true, reason, .. }) => format!("no stakes: {reason}"),
        Some(DealEnd { winner: Some(seat), drawn: true, reason, .. }) => {
            format!("a draw, won by {}: {reason}", deal_player(frame, deal, *seat))
        }
        Some(DealEnd { winner: Some(seat), reason: LEFT, .. }) => {
            format!("{} left the game", deal_player(frame, deal, !*seat))
        }
        Some(DealEnd { winner: Some(seat), reason: TIME, .. }) => {
            format!("{} lost on time", deal_player(frame, deal, !*seat))
        }
        Some(DealEnd { winner: Some(seat), reason, .. }) => {
            format!("{} won: {reason}", deal_player(frame, deal, *seat))
        }
        Some(DealEnd { winner: None, reason, .. }) => format!("draw: {reason}"),
    }
}

/// Result of a deal as a sentence without its full stop.
pub fn closed(frame: &Frame, deal: &Deal) -> String {
    let names = Seat::BOTH.map(|seat| deal_player(frame, deal, seat));
    deal.end.as_ref().map_or_else(String::new, |end| deal_summary(end, &names))
}

/// Verb for a phase, to follow “to”; the phase's own name if that is a verb.
pub fn deed(phase: &str) -> &str {
    match phase {
        "action" | "turn" => "play",
        "army" => "set up an army",
        "estimate" => "estimate",
        "place" => "place a piece",
        "purchase" => "buy or design",
        "response" => "answer",
        "stakes" => "decide",
        own => own,
    }
}

/// Headline: whose turn it is, or the result.
pub fn headline(frame: &Frame) -> String {
    if let Some(outcome) = frame.outcome {
        return match outcome {
            Outcome::Win(seat, _) if frame.viewer == Some(seat) && !frame.both_seats => "You won".to_owned(),
            Outcome::Win(seat, _) if frame.viewer == Some(!seat) && !frame.both_seats => "You lost".to_owned(),
            Outcome::Win(seat, _) => format!("{} won", player(frame, seat)),
            Outcome::Draw(_) => "Draw".to_owned(),
            Outcome::Void(_) => "Game void".to_owned(),
        };
    }
    if frame.between {
        return format!("Deal {} is over", frame.diagram.deals.len().saturating_sub(1));
    }
    if !frame.current() {
        return format!("After move {} of {}", frame.ply, frame.last_ply);
    }
    let task = |seat: Seat| deed(frame.tasks[seat.index()]);
    let to = |seat: Seat| format!("{} to {}", player(frame, seat), task(seat));
    match (frame.viewer, frame.awaits.as_slice()) {
        (Some(seat), awaits) if awaits.contains(&seat) && frame.both_seats => to(seat),
        (Some(seat), awaits) if awaits.contains(&seat) && task(seat) == "move" => "Your turn".to_owned(),
        (Some(seat), awaits) if awaits.contains(&seat) => format!("Your turn to {}", task(seat)),
        (_, [seat]) => to(*seat),
        (_, []) => "One moment".to_owned(),
        (_, [one, two]) if task(*one) != task(*two) => format!("{}, {}", to(*one), to(*two)),
        (_, _) => format!("Both to {}", deed(frame.phase)),
    }
}

/// Why the game ended, to follow the result and a colon: `the black king was captured`.
pub fn reason(frame: &Frame, outcome: Outcome) -> String {
    let Outcome::Win(winner, reason) = outcome else { return outcome.reason().to_owned() };
    let king = |seat: Seat, deed: &str| match &frame.diagram.colors {
        Some(colors) => format!("the {} king {deed}", colors.of(seat).words().to_lowercase()),
        None => reason.to_owned(),
    };
    let loser = || match frame.viewer == Some(!winner) && !frame.both_seats {
        true => "you",
        false => player(frame, !winner),
    };
    match reason {
        "king captured" => king(!winner, "was captured"),
        "bare king" => king(!winner, "is bare"),
        "king exploded" => king(!winner, "exploded"),
        "king on the hill" => king(winner, "reached the hill"),
        "king on the last rank" => king(winner, "reached the last rank"),
        "horde captured" => "the horde was captured".to_owned(),
        LEFT => format!("{} left the game", loser()),
        TIME => format!("{} ran out of time", loser()),
        other => other.to_owned(),
    }
}

/// Result of the game as a sentence.
pub fn ending(frame: &Frame, outcome: Outcome) -> String {
    if is_over_match(frame) {
        return match_ending(frame, outcome);
    }
    let name = |seat: Seat| match (frame.named[seat.index()], side(&frame.diagram, seat)) {
        (true, side) => format!("{} ({side})", frame.names[seat.index()]),
        (false, side) => side.to_owned(),
    };
    match outcome {
        Outcome::Win(seat, LEFT) => format!("{} left the game.", name(!seat)),
        Outcome::Win(seat, TIME) => format!("{} lost on time.", name(!seat)),
        Outcome::Win(seat, _) => format!("{} wins against {}: {}.", name(seat), name(!seat), reason(frame, outcome)),
        Outcome::Draw(reason) => format!("Draw: {reason}."),
        Outcome::Void(reason) => format!("No result: {reason}."),
    }
}

/// Result of a match of several deals as a sentence, with its score.
fn match_ending(frame: &Frame, outcome: Outcome) -> String {
    let score = |seat: Seat| points(&frame.score[seat.index()]);
    match outcome {
        Outcome::Win(seat, reason) => {
            let (winner, loser) = (player(frame, seat), player(frame, !seat));
            let how = match reason {
                TIME => format!("{loser} lost on time"),
                LEFT => format!("{loser} left the game"),
                "more points" => format!("after {} deals", frame.diagram.deals.len()),
                other => other.to_owned(),
            };
            format!("{winner} wins the match {}–{}: {how}.", score(seat), score(!seat))
        }
        Outcome::Draw(reason) => format!("The match is drawn {}–{}: {reason}.", score(Seat::One), score(Seat::Two)),
        Outcome::Void(reason) => format!("No result: {reason}."),
    }
}

/// Money of both players at the start and at the end, in games with money.
pub fn fortunes(frame: &Frame, fortunes: &MoneyHistory) -> String {
    let (Some(first), Some(last)) = (fortunes.turns.first(), fortunes.turns.last()) else { return String::new() };
    // Money that equals the score is already shown there.
    if Seat::BOTH.iter().all(|seat| last.of(*seat).to_string() == frame.score[seat.index()]) {
        return String::new();
    }
    let one = |seat: Seat| {
        let (began, ended) = (amount(&first.of(seat).0), amount(&last.of(seat).0));
        let unit = if began == "1" { fortunes.unit.trim_end_matches('s') } else { fortunes.unit };
        format!("{} began with {began} {unit} and ended with {ended}", player(frame, seat))
    };
    format!("{}. {}.", one(Seat::One), one(Seat::Two))
}

/// Points as players write them: `17.5`, or a fraction with no finite decimal form.
pub fn points(exact: &str) -> String {
    exact.parse().map_or_else(|_| exact.to_owned(), |exact| amount(&exact))
}

/// An exact number as HTML: a short decimal, or a rounded one with the fraction as its title.
pub fn exact(number: impl std::fmt::Display) -> String {
    let number = number.to_string();
    match number.parse().map(|exact| decimal(&exact)) {
        Ok(rounded) if rounded.starts_with('≈') => format!("<span title=\"{number}\">{rounded}</span>"),
        Ok(short) => short,
        Err(_) => number,
    }
}

/// Prices by case, such as `3/7/11`, in words: the first price, then each other price with its condition. Prices that are equal in several
/// cases come without conditions.
pub fn by_case(prices: &str, conditions: &impl AsRef<[&'static str]>) -> String {
    let conditions = conditions.as_ref();
    let mut prices = prices.split('/');
    let first = prices.next().unwrap_or_default();
    let others: Vec<&str> = prices.collect();
    let each = others.iter().enumerate().map(|(at, price)| match conditions.get(at) {
        Some(condition) if others.len() == conditions.len() => format!(", or {price} if {condition}"),
        _ => format!(" or {price}"),
    });
    first.to_owned() + &each.collect::<String>()
}

/// Time control in words.
pub fn clock(clock: Option<Clock>) -> String {
    match clock {
        None => "no clock".to_owned(),
        Some(Clock::Days { days: 1 }) => "1 day per move".to_owned(),
        Some(Clock::Days { days }) => format!("{days} days per move"),
        Some(Clock::Fischer { initial, increment }) => {
            let (minutes, seconds) = (initial / 60, initial % 60);
            let time = match (minutes, seconds) {
                (0, seconds) => format!("{seconds} s"),
                (minutes, 0) => format!("{minutes} min"),
                (minutes, seconds) => format!("{minutes} min {seconds} s"),
            };
            format!("{time} + {increment} s per move ({})", Clock::Fischer { initial, increment }.name())
        }
    }
}

/// Time controls of both players in words.
pub fn clocks(clocks: [Option<Clock>; 2]) -> String {
    let [one, two] = clocks.map(clock);
    if one == two { one } else { format!("{one} against {two}") }
}

/// Times of a game as its invitation states them. With a time handicap, the players bid for the time of the game itself.
pub fn invited_times(table: &GameSnapshot) -> Vec<String> {
    let (options, clocks) = (table.options(), clocks(table.controls()));
    let number = |key: &str| options.get(key).and_then(Value::as_i64);
    match (options.get("slips").and_then(Value::as_str), number("seconds"), number("increment")) {
        (Some("seconds"), Some(seconds), Some(increment)) => vec![
            format!("Time to bid: {clocks}"),
            format!("Time to play: the lower bid against {seconds} s, + {increment} s per move"),
        ],
        _ => vec![format!("Time: {clocks}")],
    }
}

/// The bids of a Bookie deal that begins with both of them open.
pub fn known_bids(table: &GameSnapshot) -> Option<String> {
    let diagram = table.game.diagram(None);
    let tags = &diagram.deals.last()?.tags;
    let bid = |owner: &str| tags.iter().find(|(name, _)| *name == owner).map(|(_, bid)| bid);
    let (white, black) = (bid("WhiteOwnerBidOnWhite")?, bid("BlackOwnerBidOnWhite")?);
    Some(format!("Bids on White: {white} by White, {black} by Black"))
}

/// Time shown on a clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockFace {
    /// Time left, such as `4:05` or `2 d 3 h`.
    pub text: String,
    /// Whether the clock is running.
    pub running: bool,
    /// Whether little time is left.
    pub low: bool,
    /// Milliseconds until the clock runs out. Before a resting clock starts, this is more than its time.
    pub left: i64,
    /// Time on the clock in milliseconds when it last started or stopped.
    pub most: i64,
    /// Milliseconds below which the time is low.
    pub low_below: i64,
    /// Time at which the clock runs out, in milliseconds since the epoch, while it runs.
    pub deadline: Option<i64>,
}

/// Time shown on a clock at `now`.
pub fn face(view: ClockView, now: i64) -> ClockFace {
    let left = view.deadline.map_or(view.remaining, |deadline| deadline - now).max(0);
    let text = time_left(left.min(view.remaining));
    let low_below = match view.control {
        Clock::Days { .. } => 3_600_000,
        Clock::Fischer { initial, .. } => 30_000.min(i64::from(initial) * 100),
    };
    let running = view.deadline.is_some();
    ClockFace {
        text,
        running,
        low: running && left < low_below,
        left,
        most: view.remaining,
        low_below,
        deadline: view.deadline,
    }
}

/// Milliseconds as a clock shows them: `4:05`, or `2 d 3 h`.
pub fn time_left(milliseconds: i64) -> String {
    let seconds = milliseconds / 1_000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, seconds / 3_600) {
        (0, 0) => format!("{minutes}:{:02}", seconds % 60),
        (0, hours) => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
        (days, _) => format!("{days} d {hours} h"),
    }
}

/// Length in bytes up to which a typed option is shown. Longer ones are codes and tables.
const READABLE: usize = 40;

/// Name of a preset as players read it: `Balanced II`, `White`, `Develin–Payne`.
pub fn preset(name: &str) -> String {
    match name {
        // Two people, unlike other names with a hyphen.
        "develin-payne" => "Develin–Payne".to_owned(),
        name => capitalized(name).replace('_', " "),
    }
}

/// A text whose first letter is a capital.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Settings that differ from the default, each as a sentence without its full stop: the preset's, or one for every changed option.
pub fn options(table: &GameSnapshot) -> Vec<String> {
    let (variant, options) = (table.variant(), table.options());
    let defaults = variant.defaults();
    let changed = (variant.settings)().iter().filter(|setting| options.get(setting.key) != defaults.get(setting.key));
    let facts: Vec<String> = changed.filter_map(|setting| fact(setting, options.get(setting.key)?)).collect();
    let named = (variant.presets)().into_iter().find(|(_, preset)| preset.as_object() == Some(&options));
    let named = named.filter(|_| !facts.is_empty()).map(|(name, _)| format!("Preset: {}", preset(name)));
    named.into_iter().chain(facts).collect()
}

/// An option's value as a sentence without its full stop.
fn fact(setting: &OptionSpec, value: &Value) -> Option<String> {
    // A note in brackets is for the form only.
    let words = setting.words.split(" (").next().unwrap_or_default();
    Some(match setting.range {
        OptionRange::Flag if value.as_bool() == Some(true) => words.to_owned(),
        OptionRange::Flag => format!("{words}: no"),
        OptionRange::Word(_) | OptionRange::Game(_) => {
            let all = registry::words(setting.range);
            let word = all.iter().find(|(word, _)| value.as_str() == Some(word));
            format!("{words}: {}", word.map_or("", |(_, meaning)| meaning))
        }
        range @ (OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) | OptionRange::Whole(..)) => {
            let number = value.as_i64()?;
            match range.none() {
                Some((none, without)) if number == none => format!("{words}: {without}"),
                Some(_) | None if range.is_money() => {
                    let zorkmids = if number == 10 { "zorkmid" } else { "zorkmids" };
                    format!("{words}: {} {zorkmids}", range.written(number))
                }
                Some(_) | None => format!("{words}: {}", range.written(number)),
            }
        }
        // The board shows the position.
        OptionRange::Position(_) => "Custom starting position".to_owned(),
        OptionRange::Text(_) => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match text.len() > READABLE {
                true => words.split([':', ',']).next().unwrap_or_default().to_owned(),
                false => format!("{words}: {text}"),
            }
        }
    })
}

/// A game in one line: variant and players.
pub fn title(table: &GameSnapshot) -> String {
    format!("{}: {} against {}", table.game.title(), table.name(Seat::One), table.name(Seat::Two))
}
