//! A game as it is written down for other programs and for paper: portable game notation, made from what a viewer may know.
//! It knows no variant and no storage.

use std::sync::Arc;

use super::{Game, told::told};
use crate::{
    board::{
        Color,
        pgn::{Pgn, Termination, Written},
    },
    rules::{Deal, Outcome, Place, Seat, Side, Viewer, diagram::Pair},
};
use time::UtcDateTime;

/// The facts in the head of a record that the game itself does not know.
#[derive(Clone, Debug)]
pub struct Heading {
    /// Where the game is found.
    pub site: String,
    /// When it was begun, in milliseconds since the epoch.
    pub begun: i64,
    /// The players' names, seat one's first.
    pub names: [String; 2],
    /// The clocks in the words of the standard, as `300+3`; nothing for an untimed game.
    pub control: Option<String>,
}

/// The game as a viewer may know it, in portable game notation (Edwards' standard of 1994): the seven tags of the roster first,
/// moves with what belongs to them as remarks; a turn that was undone is no move, but a remark beside the one that stands. Where a
/// side moves twice running, the other's `--` stands between.
pub fn pgn(game: &dyn Game, viewer: Viewer, heading: Heading) -> Pgn {
    let diagram = game.diagram(viewer);
    let outcome = game.outcome();
    let sides = diagram.colors.as_ref().map(|colors| [colors.one, colors.two]);
    let player = |side: Side| {
        sides.and_then(|sides| sides.iter().position(|other| *other == side)).map_or("?", |seat| &heading.names[seat])
    };
    let result = termination(outcome, sides);
    let mut tags: Vec<(&str, String)> = vec![
        ("Event", game.title().to_owned()),
        ("Site", heading.site.clone()),
        ("Date", date(heading.begun)),
        ("Round", "-".to_owned()),
        ("White", player(Side::White).to_owned()),
        ("Black", player(Side::Black).to_owned()),
        ("Result", result.text().to_owned()),
    ];
    tags.extend(diagram.tags);
    tags.push(("TimeControl", heading.control.unwrap_or_else(|| "-".to_owned())));
    if let Some(outcome) = outcome {
        tags.push(("Termination", outcome.reason().to_owned()));
    }
    let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>();

    let black_begins = tags.iter().any(|(name, value)| name == "FEN" && value.split_whitespace().nth(1) == Some("b"));
    let mut mover = if black_begins { Color::Black } else { Color::White };
    let mut moves: Vec<Written> = Vec::new();
    let mut early = Vec::new();
    let last = diagram.deals.len();
    let mut deals = diagram.deals.iter().enumerate().peekable();
    for entry in Arc::unwrap_or_clone(diagram.sheet) {
        while let Some((_, deal)) = deals.next_if(|(index, _)| entry.deal.is_some_and(|number| number > index + 1)) {
            beside(&mut moves, &mut early, closed(deal));
        }
        let deal = entry.deal.and_then(|number| diagram.deals.get(number.wrapping_sub(1)));
        match entry.place {
            // On the board of the last deal those before it are no moves.
            Place::Move(_) if entry.deal.is_some_and(|number| number < last) => {
                beside(&mut moves, &mut early, remarks(vec![entry.text, entry.notes]));
            }
            Place::Move(color) => {
                if color != mover {
                    moves.push(Written { text: "--".to_owned(), ..Written::default() });
                }
                mover = !color;
                early.push(entry.notes);
                let comment = remarks(std::mem::take(&mut early));
                moves.push(Written { text: entry.text, at: 0, comment });
            }
            Place::Before => early.push([entry.text, entry.notes].join(": ").trim_end_matches(": ").to_owned()),
            Place::After => {
                let who =
                    deal.zip(entry.seat).map(|(deal, seat)| format!("{}: ", Pair::title(deal.colors.as_ref(), seat)));
                let said = remarks(vec![who.unwrap_or_default() + entry.said(), entry.notes]);
                beside(&mut moves, &mut early, said);
            }
        }
    }
    deals.for_each(|(_, deal)| beside(&mut moves, &mut early, closed(deal)));
    // What nothing came after stands with the last move.
    if let Some(last) = moves.last_mut() {
        early.insert(0, std::mem::take(&mut last.comment));
        last.comment = remarks(early);
    }
    Pgn { tags, moves, result }
}

/// Puts a remark beside the last move; what was said before the first one stands with it.
fn beside(moves: &mut [Written], early: &mut Vec<String>, said: String) {
    match moves.last_mut() {
        Some(last) => last.comment = remarks(vec![std::mem::take(&mut last.comment), said]),
        None => early.push(said),
    }
}

/// The end of a deal in words; nothing while it goes on.
fn closed(deal: &Deal) -> String {
    let names = Seat::BOTH.map(|seat| Pair::title(deal.colors.as_ref(), seat).to_owned());
    deal.end.as_ref().map_or_else(String::new, |end| told(end, &names))
}

fn remarks(parts: Vec<String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
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

/// The day of a moment in milliseconds since the epoch, as `1994.03.12`, in world time; unknown parts of a date are question marks.
fn date(milliseconds: i64) -> String {
    match UtcDateTime::from_unix_timestamp(milliseconds.div_euclid(1_000)) {
        Ok(moment) => format!("{:04}.{:02}.{:02}", moment.year(), u8::from(moment.month()), moment.day()),
        Err(_) => "????.??.??".to_owned(),
    }
}
