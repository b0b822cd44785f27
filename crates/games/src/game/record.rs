//! Records of a game for other programs, as JSON and PGN. They contain only what a viewer may know, and can be replayed. No
//! knowledge of variants or storage.

mod import;
mod pgn_writer;

pub use import::{ImportedLine, Transcript};
pub use pgn_writer::Command;

use std::{collections::BTreeMap, sync::Arc};

use super::{ABORTED, Clock, DESERTED, FORFEIT, Live, TOO_LONG, TimeControl, VisibleLine, deal_summary};
use crate::{
    board::{
        Color,
        pgn::{Pgn, Termination},
    },
    rules::{Deal, Diagram, Entry, LEFT, Outcome, Place, RulesVersion, Seat, Side, TIME, Viewer, diagram::Pair},
};
use import::RULES_VERSION;
use pgn_writer::{PgnDraft, remarks};
use serde_json::{Map, Value, json};
use time::UtcDateTime;

/// Facts for the head of a record that are not part of the game.
#[derive(Clone, Debug)]
pub struct Heading {
    /// Address of the game.
    pub site: String,
    /// Start of the game, in milliseconds since the Unix epoch.
    pub begun: i64,
    /// Names of the players, seat one first.
    pub names: [String; 2],
    /// Clocks of both seats.
    pub clocks: [Option<Clock>; 2],
}

/// The game as a viewer may know it, as JSON: the agreement, all lines and the result. `time` is in milliseconds since the Unix
/// epoch. The `action` of a line that is hidden from the viewer is null.
pub fn json(game: &Live, viewer: Viewer, clocks: [Option<Clock>; 2]) -> Value {
    let line =
        |line: VisibleLine| json!(import::Line { actor: line.actor.to_string(), action: line.text, time: line.time });
    let outcome = game.outcome().map(|outcome| json!({"winner": outcome.winner(), "reason": outcome.reason()}));
    let score = game.score();
    json!({
        "variant": game.key(),
        "rules_version": game.version(),
        "options": game.options(),
        "clock": clocks,
        "clocks": Pair::from(clocks.map(|clock| clock.map(TimeControl::from))),
        "lines": game.lines(viewer).into_iter().map(line).collect::<Vec<_>>(),
        "ply": game.ply(),
        "outcome": outcome,
        "score": {"one": score[0].to_string(), "two": score[1].to_string()},
        "fen": game.diagram(viewer).fen,
    })
}

/// The game as a viewer may know it, as PGN (Edwards' standard of 1994). A match of several deals becomes several games.
///
/// The seven roster tags come first. Bids, payments and similar notes become comments on moves. A retracted turn is a comment on
/// the turn that replaced it. If a side moves twice in a row, a `--` of the other side separates the moves. Every line that is
/// not such a move appears in its place as a [`Command`].
pub fn pgn(game: &Live, viewer: Viewer, heading: &Heading) -> Vec<Pgn> {
    let mut diagram = game.diagram(viewer);
    let sheet = Arc::unwrap_or_clone(std::mem::take(&mut diagram.sheet));
    let dealt: BTreeMap<usize, usize> =
        sheet.iter().filter_map(|entry| Some((entry.ply, entry.deal?.checked_sub(1)?))).collect();
    let several = diagram.deals.len() > 1;
    let mut papers: Vec<PgnDraft> = (0..diagram.deals.len().max(1))
        .map(|number| {
            let own = sheet.iter().filter(|entry| entry.deal.is_none_or(|deal| deal == number + 1));
            let deal = diagram.deals.get(number);
            let tags = tags(game, heading, &diagram, deal.filter(|_| several).map(|deal| (number, deal)));
            written(tags, own, deal, diagram.colors.as_ref())
        })
        .collect();
    let controls = game.clocks().controls();
    weave(&mut papers, game, viewer, controls != [None; 2], &dealt);
    for paper in &mut papers {
        paper.clock(|step, seat| match controls[seat.index()]? {
            // Each move has its own days, so there is no remaining time to record.
            Clock::Days { .. } => None,
            Clock::Fischer { .. } => game.left(step, seat),
        });
    }
    papers.into_iter().map(|paper| paper.pgn).collect()
}

/// The head of a game, or of one deal of a match.
fn tags(game: &Live, heading: &Heading, diagram: &Diagram, deal: Option<(usize, &Deal)>) -> Pgn {
    let colors = deal.map_or(&diagram.colors, |(_, deal)| &deal.colors);
    let sides = colors.as_ref().map(|Pair { one, two }| [*one, *two]);
    let player = |side: Side| {
        sides.and_then(|sides| sides.iter().position(|other| *other == side)).map_or("?", |seat| &heading.names[seat])
    };
    let result = match deal {
        None => termination(game.outcome(), sides),
        Some((_, deal)) => ended(deal, sides),
    };
    let mut tags: Vec<(&str, String)> = vec![
        ("Event", game.title().to_owned()),
        ("Site", heading.site.clone()),
        ("Date", date(heading.begun)),
        ("Round", deal.map_or_else(|| "-".to_owned(), |(number, _)| (number + 1).to_string())),
        ("White", player(Side::White).to_owned()),
        ("Black", player(Side::Black).to_owned()),
        ("Result", result.text().to_owned()),
        ("UTCDate", date(heading.begun)),
        ("UTCTime", clock_time(heading.begun)),
    ];
    tags.extend(deal.map_or(&diagram.tags, |(_, deal)| &deal.tags).iter().cloned());
    let agreed = agreed(game);
    // Without the `Options` tag, importers take the options from the `FEN` tag.
    if !agreed.is_empty() || tags.iter().any(|(name, _)| *name == "FEN") {
        tags.push(("Options", Value::Object(agreed).to_string()));
    }
    // Records without the tag have the first version.
    if game.version() != RulesVersion::FIRST {
        tags.push((RULES_VERSION, i64::from(game.version()).to_string()));
    }
    tags.push(("TimeControl", pgn_writer::clocks_text(heading.clocks).unwrap_or_else(|| "-".to_owned())));
    let reason = match deal {
        None => game.outcome().map(|outcome| outcome.reason()),
        Some((_, deal)) => deal.end.as_ref().map(|end| end.reason),
    };
    tags.push(("Termination", reason.map_or("unterminated", manner).to_owned()));
    tags.extend(reason.map(|reason| ("Ending", reason.to_owned())));
    let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Pgn { tags, result, ..Pgn::default() }
}

/// Value of the standard `Termination` tag for a reason.
fn manner(reason: &str) -> &'static str {
    match reason {
        TIME => "time forfeit",
        ABORTED | DESERTED | LEFT => "abandoned",
        FORFEIT => "rules infraction",
        TOO_LONG => "adjudication",
        _ => "normal",
    }
}

/// Options that differ from the defaults.
fn agreed(game: &Live) -> Map<String, Value> {
    let usual = game.usual();
    game.options().into_iter().filter(|(key, value)| usual.get(key) != Some(value)).collect()
}

/// The moves of a game, or of one deal of a match, with comments for people. `colors` are the seats' colours if they stay the
/// same throughout the game.
fn written<'e>(
    head: Pgn,
    sheet: impl Iterator<Item = &'e Entry>,
    deal: Option<&Deal>,
    colors: Option<&Pair<Side>>,
) -> PgnDraft {
    let colors = deal.map_or(colors, |deal| deal.colors.as_ref());
    // Notes that an entry before the move already shows are not repeated with the move.
    let mut settled = String::new();
    let black_begins = head.tag("FEN").is_some_and(|fen| fen.split_whitespace().nth(1) == Some("b"));
    let mut mover = if black_begins { Color::Black } else { Color::White };
    let mut paper = PgnDraft::headed(head);
    let mut early = Vec::new();
    for entry in sheet {
        match entry.place {
            Place::Move(color) => {
                if color != mover {
                    paper.push(0, None, "--".to_owned(), String::new());
                }
                mover = !color;
                early.extend(Some(&entry.notes).filter(|notes| **notes != settled).cloned());
                settled.clear();
                paper.push(entry.ply, entry.seat, entry.text.replace(' ', ""), remarks(std::mem::take(&mut early)));
            }
            Place::Before => early.push([&*entry.text, &*entry.notes].join(": ").trim_end_matches(": ").to_owned()),
            Place::After => {
                let who = entry.seat.map(|seat| format!("{}: ", Pair::title(colors, seat))).unwrap_or_default();
                settled.clone_from(&entry.notes);
                paper.add_comment(&mut early, remarks(vec![who + entry.said(), entry.notes.clone()]));
            }
        }
    }
    paper.add_comment(&mut early, deal.map_or_else(String::new, closed));
    // Comments without a following move go to the last move.
    match paper.pgn.moves.last_mut() {
        Some(last) => {
            early.insert(0, std::mem::take(&mut last.comment));
            last.comment = remarks(early);
        }
        None => paper.pgn.before = remarks(early),
    }
    paper
}

/// Adds all lines in their places. `dealt` maps a step to its deal.
fn weave(papers: &mut [PgnDraft], game: &Live, viewer: Viewer, timed: bool, dealt: &BTreeMap<usize, usize>) {
    let moves = papers.iter().flat_map(|paper| paper.steps.iter().zip(&paper.pgn.moves));
    let texts: Vec<(usize, &str)> = moves.map(|(step, written)| (*step, written.text.as_str())).collect();
    let mut reads = game.parse_as_steps(&texts).into_iter();
    let reads: Vec<Vec<bool>> = papers.iter().map(|paper| reads.by_ref().take(paper.steps.len()).collect()).collect();
    let lines = game.lines(viewer);
    let last: BTreeMap<usize, usize> =
        lines.iter().enumerate().filter_map(|(index, line)| Some((line.step?, index))).collect();
    let mut at = 0;
    for (index, line) in lines.iter().enumerate() {
        let deal = line.step.and_then(|step| dealt.get(&step));
        at = deal.map_or(at, |deal| at.max(*deal)).min(papers.len() - 1);
        let whole = line.step.and_then(|step| last.get(&step)) == Some(&index);
        papers[at].write_line(line, timed, &reads[at], whole);
    }
}

/// The result of a deal in words; empty while it goes on.
fn closed(deal: &Deal) -> String {
    let names = Seat::BOTH.map(|seat| Pair::title(deal.colors.as_ref(), seat).to_owned());
    deal.end.as_ref().map_or_else(String::new, |end| deal_summary(end, &names))
}

fn termination(outcome: Option<Outcome>, sides: Option<[Side; 2]>) -> Termination {
    let side = |seat: Seat| sides.map(|sides| sides[seat.index()]);
    match outcome {
        Some(Outcome::Win(seat, _)) => match side(seat) {
            Some(Side::White) => Termination::White,
            Some(Side::Black) => Termination::Black,
            None => Termination::Open,
        },
        Some(Outcome::Draw(_)) => Termination::Draw,
        Some(Outcome::Void(_)) | None => Termination::Open,
    }
}

/// Result of one deal of a match.
fn ended(deal: &Deal, sides: Option<[Side; 2]>) -> Termination {
    let Some(end) = deal.end.as_ref().filter(|end| !end.void) else { return Termination::Open };
    let outcome = end.winner.map_or(Outcome::Draw(end.reason), |seat| Outcome::Win(seat, end.reason));
    termination(Some(outcome), sides)
}

/// Formats milliseconds since the Unix epoch in RFC 3339, in UTC. Years out of range give the epoch.
pub fn instant(milliseconds: i64) -> String {
    let moment = UtcDateTime::from_unix_timestamp(milliseconds.div_euclid(1_000)).unwrap_or(UtcDateTime::UNIX_EPOCH);
    format!(
        "{}T{}Z",
        date(moment.unix_timestamp() * 1_000).replace('.', "-"),
        clock_time(moment.unix_timestamp() * 1_000)
    )
}

/// Time of day such as `20:07:41`, in UTC, from milliseconds since the Unix epoch.
fn clock_time(milliseconds: i64) -> String {
    match UtcDateTime::from_unix_timestamp(milliseconds.div_euclid(1_000)) {
        Ok(moment) => format!("{:02}:{:02}:{:02}", moment.hour(), moment.minute(), moment.second()),
        Err(_) => "??:??:??".to_owned(),
    }
}

/// Date such as `1994.03.12`, in UTC, from milliseconds since the Unix epoch. Question marks if the year is out of range.
fn date(milliseconds: i64) -> String {
    match UtcDateTime::from_unix_timestamp(milliseconds.div_euclid(1_000)) {
        Ok(moment) => format!("{:04}.{:02}.{:02}", moment.year(), u8::from(moment.month()), moment.day()),
        Err(_) => "????.??.??".to_owned(),
    }
}
