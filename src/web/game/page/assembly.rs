//! The page of a moment put together, for one pair of eyes.

use super::{GamePage, Sight};
use crate::{
    play::{LiveGame, Opponent},
    registry,
    rules::{ChoiceKind, Diagram, Lesson, Seat, Side},
    web::{
        board::Figure,
        frame::Frame,
        game::{
            asked::{ask, askable},
            bar::bar,
            hand::{Pick, hand, press},
            look::Look,
            lookback::Lookback,
            saying::Saying,
        },
        preview::Preview,
        talk::Company,
        templates, words,
    },
};
use std::sync::Arc;

impl GamePage {
    /// The page of a moment, with the rows of a score sheet that are asked for once the frame and the side are known.
    pub(super) fn with_sheet(sight: Sight, rows: impl FnOnce(&Frame, bool) -> Arc<str>) -> GamePage {
        let Sight { table, game, look, now } = sight;
        let viewer = look.viewer.filter(|_| !look.curtain);
        let mut frame = Frame::of(game, viewer, format!("/games/{}", table.id()));
        frame.both_seats = look.both();
        frame.names = Seat::BOTH.map(|seat| table.name(seat));
        frame.named = Seat::BOTH.map(|seat| table.named(seat));
        frame.last_ply = table.game.ply();
        frame.sketch = look.sketch.clone();
        frame.then = look.then.clone();
        frame.version = usize::try_from(table.told(&look.seats())).unwrap_or_default();
        if !frame.current() {
            // What the clocks show belongs to now.
            frame.clocks = [None; 2];
        }
        frame.deal = look.deal.filter(|deal| *deal == frame.diagram.deals.len());
        if let Some(ended) = frame.diagram.ended.take().filter(|_| halts(&frame)) {
            let deals = std::mem::take(&mut frame.diagram.deals);
            frame.diagram = Diagram { deals, purses: frame.diagram.purses, ..*ended };
            (frame.between, frame.asked) = (true, false);
        }
        let begun = look.draft.clone();
        let begun = begun.or_else(|| frame.diagram.choices.is_none().then(|| frame.sealed.clone().unwrap_or_default()));
        if let (Some(seat), Some(text), true) = (viewer.filter(|_| frame.asked), begun, frame.current())
            && let Some(diagram) = game.draft(seat, &text)
        {
            (frame.diagram, frame.draft) = (diagram, Some(text));
        }
        let templates = templates::of(game.key());
        let own = templates.page(game, &frame);

        let choices = frame.diagram.choices.clone().unwrap_or_default();
        let dear = std::mem::take(&mut frame.diagram.dear);
        let pick = look.from.as_deref().filter(|_| frame.asked).and_then(|text| Pick::read(text, &choices, &dear));
        let given = Pick::given(&choices).filter(|_| frame.asked);
        let in_hand = given.as_ref().map(|given| given.start.clone());
        let pick = pick.or(given);
        let mut figure = Figure::of_diagram(&frame.diagram);
        let branches = press(&mut figure, &frame, &choices, &dear, pick.as_ref());
        let pressable = figure.pressable();
        let unit = look.about.as_deref().filter(|_| pick.is_none()).and_then(|text| ask(&mut figure, &frame, text));
        if frame.current() {
            askable(&mut figure);
        }
        let hand = match in_hand {
            Some(_) => Vec::new(),
            None => hand(&frame, &choices, &dear),
        };
        let besides = choices.iter().filter(|choice| match &choice.kind {
            ChoiceKind::Word { word } => !templates.words.contains(&word.as_str()),
            ChoiceKind::Move { .. } | ChoiceKind::Drop { .. } => false,
        });
        let besides = besides.cloned().collect();

        // Where one screen has both seats the board stays as it is, unless somebody asks for his own side.
        let near = look.viewer.filter(|_| look.named || !look.both()).unwrap_or(Seat::One);
        let near = if look.flip { !near } else { near };
        let black = frame.diagram.colors.as_ref().map_or(look.flip, |colors| *colors.of(near) == Side::Black);
        if black {
            figure.flip();
        }
        let bars = [!near, near].map(|seat| bar(&frame, seat, now));
        let sheet = rows(&frame, look.flip);
        let speaks = viewer.filter(|_| frame.current() && !frame.between);
        let said = speaks.map_or_else(Saying::default, |seat| Saying::of(game, seat, look.both()));
        let free = Seat::BOTH.into_iter().find(|seat| !table.taken(*seat));
        let current = frame.current();
        let lesson = lesson(table.game.key(), &frame, &look.learned);
        let arrived = viewer.filter(|_| current && !look.both()).and_then(|seat| table.arrived(seat));
        let refresh = refresh(table, &frame, &look);
        GamePage {
            key: table.game.key(),
            headline: words::headline(&frame),
            ending: match (frame.outcome, frame.diagram.deals.iter().rev().find(|deal| deal.end.is_some())) {
                (Some(outcome), _) => Some(words::ending(&frame, outcome)),
                (None, Some(deal)) if frame.between => Some(format!("{}.", words::closed(&frame, deal))),
                (None, _) => None,
            },
            picked: pick.is_some(),
            given: in_hand,
            pressable,
            unit,
            hints: speaks.is_some_and(|seat| table.may_have_hint(seat).is_ok()),
            hint: None,
            branches,
            dear,
            hand,
            besides,
            panel: None,
            lookback: Lookback::Nothing,
            sheet,
            said,
            waits: free.is_some() && frame.outcome.is_none() && current,
            free,
            arrived: arrived.map(|seat| (seat, table.name(seat))),
            clocks_wait: table.clocks_wait() && current,
            open: table.row.open,
            rematch: table.rematch.clone(),
            between_people: matches!(table.opponent(), Opponent::Link | Opponent::Open),
            in_session: table.rematch.is_some() || table.row.rematch_of.is_some(),
            agreed: words::options(table),
            clocks: words::clocks(table.controls()),
            notice: None,
            typed: String::new(),
            refresh,
            company: Company::default(),
            preview: Preview::of_game(table, &look.base),
            curtain: look.viewer.filter(|_| look.curtain).map(|seat| (seat, words::called(&frame, seat).to_owned())),
            own,
            lesson,
            figure,
            bars,
            frame,
            look,
        }
    }
}

/// Tells whether the end of a deal is shown instead of the next one: until this viewer goes on or says something there. The other
/// side's sealed word changes nothing.
fn halts(frame: &Frame) -> bool {
    match frame.current() {
        true => frame.deal.is_none() && frame.sealed.is_none() && !(frame.both_seats && frame.awaits.len() == 1),
        // Of an earlier moment: until something lies on the board.
        false => frame.diagram.pieces.is_empty(),
    }
}

/// Two lines on what the viewer is to do now, where there are such and it has not been done before.
fn lesson(key: &str, frame: &Frame, learned: &[String]) -> Option<&'static Lesson> {
    let seat = frame.viewer.filter(|_| frame.asked && frame.current())?;
    let task = frame.tasks[seat.index()];
    let known = learned.iter().any(|known| known == task);
    let lessons = registry::find(key).filter(|_| !known)?.lessons;
    lessons().iter().find(|lesson| lesson.task == task)
}

/// After how many seconds a page that waits for somebody else looks again.
fn refresh(table: &LiveGame, frame: &Frame, look: &Look) -> Option<u32> {
    let waits = match frame.outcome {
        Some(_) => table.rematch.is_none() && frame.viewer.is_some_and(|seat| frame.offers.rematch[seat.index()]),
        None if look.both() => false,
        None => !table.complete() || !frame.viewer.is_some_and(|seat| frame.awaits.contains(&seat)),
    };
    let seconds = match (frame.viewer, table.opponent()) {
        (Some(_), Opponent::Bot(_) | Opponent::Program(_)) => 2,
        (Some(_), Opponent::Link | Opponent::Open | Opponent::Own) => 8,
        (None, _) => 15,
    };
    waits.then_some(seconds)
}
