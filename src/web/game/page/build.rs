//! Builds the page of a moment for one viewer, and answers the questions of its template.

use super::{GamePage, Sight};
use crate::{
    play::{GameSnapshot, Opponent, Review},
    registry,
    rules::{Choice, ChoiceKind, Diagram, Seat, Side, TaskHelp},
    web::{
        board_view::Figure,
        chat::PresenceView,
        frame::Frame,
        game::{
            analysis::{Lookback, SideView, side_view},
            move_list::{Bar, bar},
            selection::{Pick, Saying, ask, askable, hand, press, says},
            viewpoint::Viewpoint,
        },
        game_text,
        link_preview::Preview,
        variant_pages,
    },
};
use serde::Serialize;
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
        let templates = variant_pages::of(game.key());
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
            headline: game_text::headline(&frame),
            ending: match (frame.outcome, frame.diagram.deals.iter().rev().find(|deal| deal.end.is_some())) {
                (Some(outcome), _) => Some(game_text::ending(&frame, outcome)),
                (None, Some(deal)) if frame.between => Some(format!("{}.", game_text::closed(&frame, deal))),
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
            agreed: game_text::options(table),
            clocks: game_text::clocks(table.controls()),
            notice: None,
            typed: String::new(),
            refresh,
            company: PresenceView::default(),
            preview: Preview::of_game(table, &look.base),
            curtain: look
                .viewer
                .filter(|_| look.curtain)
                .map(|seat| (seat, game_text::called(&frame, seat).to_owned())),
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
fn lesson(key: &str, frame: &Frame, learned: &[String]) -> Option<&'static TaskHelp> {
    let seat = frame.viewer.filter(|_| frame.asked && frame.current())?;
    let task = frame.tasks[seat.index()];
    let known = learned.iter().any(|known| known == task);
    let lessons = registry::find(key).filter(|_| !known)?.lessons;
    lessons().iter().find(|lesson| lesson.task == task)
}

/// After how many seconds a page that waits for somebody else looks again.
fn refresh(table: &GameSnapshot, frame: &Frame, look: &Viewpoint) -> Option<u32> {
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

/// A choice as the script reads it.
#[derive(Serialize)]
struct Listed<'c> {
    #[serde(flatten)]
    choice: &'c Choice,
    /// Set if it costs more than there is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dear: bool,
}

/// The offers of one side.
pub(super) struct Answerable {
    pub(super) draw: bool,
    pub(super) takeback: bool,
}

impl GamePage {
    /// The colour of a viewer who plays one side, once that is known.
    pub(super) fn own_side(&self) -> Option<&'static str> {
        let colors = self.frame.diagram.colors.as_ref().filter(|_| !self.frame.both_seats)?;
        self.frame.viewer.map(|seat| colors.of(seat).name())
    }

    /// What the viewer may do now, as JSON for a data block, with the moves that are too dear:
    /// `[{"action": "e2e4", "label": "e4", "kind": "move", "from": "e2", "to": "e4", "amount": 3, "dear": true}]`.
    pub(super) fn choices(&self) -> String {
        let moves = |choice: &&Choice| matches!(choice.kind, ChoiceKind::Move { .. });
        let may = self.frame.diagram.choices.iter().flatten().map(|choice| Listed { choice, dear: false });
        let dear = self.dear.iter().filter(moves).map(|choice| Listed { choice, dear: true });
        let listed: Vec<Listed> = may.chain(dear).filter(|_| self.frame.asked).collect();
        let json = serde_json::to_string(&listed).expect("choices are plain records");
        // Nothing in a data block may look like the end of it.
        json.replace('<', "\\u003c")
    }

    /// An example of what may be written; nothing where the choices are parts of something longer.
    pub(super) fn example(&self) -> &str {
        let mut choices = self.frame.diagram.choices.iter().flatten();
        choices.find(|choice| self.frame.draft.is_none() || choice.whole).map_or("", |choice| &choice.action)
    }

    /// A seat's share of the score, once there is something to share.
    pub(super) fn scored(&self) -> bool {
        self.frame.outcome.is_some() || self.frame.score.iter().any(|points| points != "0")
    }

    /// The offers of the other side.
    pub(super) fn offered(&self) -> Answerable {
        self.answerable(|seat| !seat)
    }

    /// The offers of the viewer.
    pub(super) fn asked_for(&self) -> Answerable {
        self.answerable(|seat| seat)
    }

    fn answerable(&self, who: impl Fn(Seat) -> Seat) -> Answerable {
        let by = self.frame.viewer.map(who);
        let is = |offer: Option<Seat>| offer.is_some() && offer == by;
        Answerable { draw: is(self.frame.offers.draw), takeback: is(self.frame.offers.takeback) }
    }

    /// Tells whether an offer of the viewer was declined since the last step.
    pub(super) fn declined(&self) -> bool {
        self.frame.current() && self.frame.viewer.is_some() && self.frame.offers.declined == self.frame.viewer
    }

    /// The rematch that was asked for, in words.
    pub(super) fn next_game(&self) -> String {
        let other = self.frame.offers.game.as_deref().and_then(registry::find);
        other.map_or_else(|| "the rematch".to_owned(), |variant| format!("a game of {}", variant.title))
    }

    pub(super) fn wants_rematch(&self) -> bool {
        self.frame.viewer.is_some_and(|seat| self.frame.offers.rematch[seat.index()])
    }

    pub(super) fn offered_rematch(&self) -> bool {
        self.frame.viewer.is_some_and(|seat| self.frame.offers.rematch[(!seat).index()])
    }

    /// The headline in the title of the window, where a page that waits in the background is seen.
    pub(super) fn title(&self) -> String {
        match &self.arrived {
            _ if self.waits => "Waiting for the other player".to_owned(),
            Some((_, name)) => format!("{name} sat down · {}", self.headline),
            None if self.frame.current() => self.headline.clone(),
            None => format!("Step {} · {}", self.frame.ply, self.headline),
        }
    }

    /// Tells whether the viewer is one of two people who play, who may say something to the other.
    pub(super) fn talks(&self) -> bool {
        self.look.held.len() == 1 && self.between_people
    }

    /// The field in which a choice is sent, whether or not it is the whole of an action.
    pub(super) fn says(&self, whole: &bool) -> &'static str {
        says(&self.frame, *whole)
    }

    /// Tells whether something is done on the board or directly below it.
    pub(super) fn by_hand(&self) -> bool {
        self.pressable || !self.hand.is_empty() || self.own.below.is_some()
    }

    /// Tells whether the viewer may give the game up, or the match.
    pub(super) fn resigns(&self) -> bool {
        self.said.resign || self.said.resign_match
    }

    /// What the engine thinks, as whoever sits at the near side of the board sees it.
    pub(super) fn side_view<'p>(&'p self, review: &'p Review) -> SideView<'p> {
        side_view(review, &self.frame, self.bars[1].seat)
    }

    /// The name of whoever sits in the seat of a strip, where it is known; else the side.
    pub(super) fn player(&self, bar: &Bar) -> &str {
        game_text::player(&self.frame, bar.seat)
    }
}
