//! Builds the game page at one position for one viewer, with the methods that its template calls.

use super::{GamePage, PositionView};
use crate::{
    game::ClockView,
    play::{GameSnapshot, Opponent, Review},
    registry,
    rules::{Choice, ChoiceKind, Diagram, Seat, Side, TaskHelp, auction_game::Base},
    web::{
        board_view::{DrawnPiece, Figure},
        chat::PresenceView,
        frame::Frame,
        game::{
            analysis::{Lookback, SideView, side_view},
            move_list::{Bar, bar},
            selection::{
                AvailableCommands, HandPiece, Selection, attacks, hand, make_pieces_askable, press, reach, says,
                show_moves,
            },
            viewpoint::Viewpoint,
        },
        game_text,
        link_preview::Preview,
        silhouette, variant_pages,
    },
};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

impl GamePage {
    /// Page of a position. `rows` renders the move list once the frame and the orientation are known.
    pub(super) fn with_move_list(sight: PositionView, rows: impl FnOnce(&Frame, bool) -> Arc<str>) -> GamePage {
        let PositionView { table, game, look, now } = sight;
        let viewer = look.viewer.filter(|_| !look.curtain);
        let mut frame = Frame::of(game, viewer, format!("/games/{}", table.id()));
        frame.both_seats = look.both();
        frame.names = Seat::BOTH.map(|seat| table.name(seat));
        frame.named = Seat::BOTH.map(|seat| table.named(seat));
        frame.last_ply = table.game.ply();
        frame.sketch = look.sketch.clone();
        frame.refused = look.refused.clone();
        frame.refusal = look.refusal.clone();
        frame.from = look.from.clone();
        frame.diagram.then = frame.diagram.then.filter(|_| !look.designing);
        frame.version = usize::try_from(table.visible_version(&look.seats())).unwrap_or_default();
        frame.rest = game.clocks().rests_until().map(|start| start - now).filter(|rest| *rest > 0 && frame.current());
        frame.goes_on &= frame.rest.is_some();
        if !frame.current() {
            frame.clocks = Seat::BOTH.map(|seat| clock_then(table, frame.ply, seat));
        }
        frame.deal = look.deal.filter(|deal| *deal == frame.diagram.deals.len());
        if let Some(ended) = frame.diagram.ended.take().filter(|_| shows_deal_end(&frame)) {
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
        silhouette::choose(&mut frame.diagram.designs, &frame.sketch.icons);
        let templates = variant_pages::of(game.key());
        let own = templates.page(game, &frame);

        let choices = frame.diagram.choices.clone().unwrap_or_default();
        let dear = std::mem::take(&mut frame.diagram.dear);
        let pick = look.from.as_deref().filter(|_| frame.asked).and_then(|text| Selection::read(text, &choices, &dear));
        let given = Selection::given(&choices).filter(|_| frame.asked);
        let in_hand = given.as_ref().map(|given| given.start.clone());
        let pick = pick.or(given);
        let mut figure = Figure::of_diagram(&frame.diagram);
        let branches = press(&mut figure, &frame, &choices, &dear, pick.as_ref());
        let pressable = figure.pressable();
        let unit =
            look.about.as_deref().filter(|_| pick.is_none()).and_then(|text| show_moves(&mut figure, &frame, text));
        if frame.current() {
            make_pieces_askable(&mut figure);
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

        // With both seats in one browser the board keeps its orientation, unless the query names a seat.
        let near = look.viewer.filter(|_| look.named || !look.both()).unwrap_or(Seat::One);
        let near = if look.flip { !near } else { near };
        let black = frame.diagram.colors.as_ref().map_or(look.flip, |colors| *colors.of(near) == Side::Black);
        if black {
            figure.flip();
        }
        let current = frame.current();
        let free = Seat::BOTH.into_iter().find(|seat| !table.taken(*seat));
        let waits = free.is_some() && frame.outcome.is_none() && current;
        if waits {
            // The game waits for an opponent, not for a move.
            frame.awaits.clear();
        }
        let bars = [!near, near].map(|seat| bar(&frame, seat, now));
        let sheet = rows(&frame, look.flip);
        let speaks = viewer.filter(|_| frame.current() && !frame.between);
        let said =
            speaks.map_or_else(AvailableCommands::default, |seat| AvailableCommands::of(game, seat, look.both()));
        let lesson = lesson(table.game.key(), &frame, &look.learned);
        let arrived = viewer.filter(|_| current && !look.both()).and_then(|seat| table.newly_joined(seat));
        let refresh = refresh(table, &frame, &look);
        // Behind the curtain, one player alone sees the screen.
        let handed =
            look.named && look.both() && frame.asked && current && look.viewer.is_some_and(|seat| game.hides(seat));
        GamePage {
            key: table.game.key(),
            pockets: pockets(table),
            promotions: promotions(table),
            headline: match waits {
                true if table.row.open => "Looking for an opponent…".to_owned(),
                true => "Waiting for opponent".to_owned(),
                false if handed => format!("Your turn: {}", game_text::headline(&frame)),
                false => game_text::headline(&frame),
            },
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
            waits,
            free,
            arrived: arrived.map(|seat| (seat, table.name(seat))),
            clocks_wait: table.clocks_wait() && current,
            open: table.row.open,
            by_days: table.by_days(),
            plans: speaks.is_some() && !look.both() && table.has_conditional_moves(),
            rematch: table.rematch.clone(),
            between_people: matches!(table.opponent(), Opponent::Link | Opponent::Open),
            session: None,
            in_session: table.rematch.is_some() || table.row.rematch_of.is_some(),
            agreed: game_text::options(table).into_iter().chain(claims(table)).collect(),
            clocks: game_text::clocks(table.controls()),
            notice: None,
            typed: String::new(),
            refresh,
            company: PresenceView::default(),
            claim_wait: None,
            absence_days: table.game.absence_days(),
            dropped: Vec::new(),
            preview: Preview::of_game(table, &look.base),
            curtain: look
                .viewer
                .filter(|_| look.curtain)
                .map(|seat| (seat, game_text::called(&frame, seat).to_owned())),
            own,
            lesson,
            reach: reach_json(table, &frame, &look),
            figure,
            bars,
            frame,
            look,
        }
    }
}

/// When a game without a clock between two people can be claimed.
fn claims(table: &GameSnapshot) -> Option<String> {
    let people = matches!(table.opponent(), Opponent::Link | Opponent::Open);
    let untimed = table.game.clocks().controls().contains(&None);
    let days = table.game.absence_days();
    (people && untimed).then(|| {
        format!("The opponent of a player without a clock can claim the game after {days} days without an action")
    })
}

/// Whether the page shows the end of the last deal instead of the next deal: until this viewer continues or acts in it.
/// The opponent's sealed action does not change this.
fn shows_deal_end(frame: &Frame) -> bool {
    match frame.current() {
        true => frame.deal.is_none() && frame.sealed.is_none() && !(frame.both_seats && frame.awaits.len() == 1),
        // At an earlier position: until there are pieces on the board.
        false => frame.diagram.pieces.is_empty(),
    }
}

/// Clock of a seat after `ply` steps of a finished game. The clocks of a running game show the current time only.
fn clock_then(table: &GameSnapshot, ply: usize, seat: Seat) -> Option<ClockView> {
    table.game.outcome()?;
    let clock = table.game.clocks().view(seat)?;
    let remaining = match (ply, clock.control) {
        (0, control) => control.full(),
        (ply, _) => table.game.left(ply, seat)?,
    };
    Some(ClockView { remaining, deadline: None, ..clock })
}

/// Help for the viewer's current task, unless the player has done it before.
fn lesson(key: &str, frame: &Frame, learned: &[String]) -> Option<&'static TaskHelp> {
    let seat = frame.viewer.filter(|_| frame.asked && frame.current())?;
    let task = frame.tasks[seat.index()];
    let known = learned.iter().any(|known| known == task);
    let lessons = registry::find(key).filter(|_| !known)?.lessons;
    lessons().iter().find(|lesson| lesson.task == task)
}

/// Seconds after which a waiting page without scripts reloads; `None` if it does not wait.
fn refresh(table: &GameSnapshot, frame: &Frame, look: &Viewpoint) -> Option<u32> {
    let waits = match frame.outcome {
        Some(_) => table.rematch.is_none() && frame.viewer.is_some_and(|seat| frame.offers.rematch[seat.index()]),
        None if look.both() => false,
        None => !table.complete() || !frame.viewer.is_some_and(|seat| frame.awaits.contains(&seat)),
    };
    let seconds = match (frame.viewer, table.opponent()) {
        (Some(_), Opponent::Open) if !table.complete() => 5,
        (Some(_), Opponent::Bot(_) | Opponent::Program(_)) => 2,
        (Some(_), Opponent::Link | Opponent::Open | Opponent::Challenge(_) | Opponent::Own) => 8,
        (None, _) => 15,
    };
    waits.then_some(seconds)
}

/// A choice as the page's script reads it.
#[derive(Serialize)]
struct Listed<'c> {
    #[serde(flatten)]
    choice: &'c Choice,
    /// Whether it costs more than the player has.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dear: bool,
}

/// A place for pieces of one type in a pocket.
pub(super) struct PocketSlot<'p> {
    pub(super) unit: DrawnPiece,
    /// Number of pieces in hand.
    pub(super) count: u32,
    /// The piece, if the viewer may place it now.
    pub(super) held: Option<&'p HandPiece>,
}

/// Rows beside the board for pieces in hand, fixed for a whole game: `both`, `near`, or empty.
fn pockets(table: &GameSnapshot) -> &'static str {
    match (table.game.key(), base(table).as_deref()) {
        ("crazyhouse" | "random-variant", _) | (_, Some("crazyhouse")) => "both",
        ("csipgs" | "clairvoyant", _) => "near",
        _ => "",
    }
}

/// JSON of the squares that each piece could move to if its side got the next move, for commands in games with auctions in the layout for
/// screen readers: `{"b1": ["a3", "c3"]}`.
fn reach_json(table: &GameSnapshot, frame: &Frame, look: &Viewpoint) -> Option<String> {
    let auction = table.game.key() == "bidding" && frame.outcome.is_none();
    let fen = frame.diagram.fen.as_deref().filter(|_| look.spoken && auction)?;
    let reach = reach(Base::find(base(table).as_deref().unwrap_or("chess"))?, fen)?;
    Some(serde_json::to_string(&reach).expect("texts serialize without errors"))
}

/// Game on the board of a variant that is played with another one.
fn base(table: &GameSnapshot) -> Option<String> {
    table.options().get("base").and_then(Value::as_str).map(str::to_owned)
}

/// Pieces that a premoved pawn can promote to, separated by spaces; empty where there is no choice, or where it depends on the options.
fn promotions(table: &GameSnapshot) -> &'static str {
    match base(table).as_deref().unwrap_or(table.game.key()) {
        "csipgs" | "designed-chess" | "lrs" | "minichess" | "old-chess" | "raumschach" | "shatranj" => "",
        "antichess" => "queen rook bishop knight king",
        _ => "queen rook bishop knight",
    }
}

/// Open offers of one player.
pub(super) struct OpenOffers {
    pub(super) draw: bool,
    pub(super) takeback: bool,
}

impl GamePage {
    /// Colour of a viewer who plays one side, once it is decided.
    pub(super) fn own_side(&self) -> Option<&'static str> {
        let colors = self.frame.diagram.colors.as_ref().filter(|_| !self.frame.both_seats)?;
        self.frame.viewer.map(|seat| colors.of(seat).name())
    }

    /// JSON of the viewer's choices for a data block, with the moves that cost too much:
    /// `[{"action": "e2e4", "label": "e4", "kind": "move", "from": "e2", "to": "e4", "amount": 3, "dear": true}]`.
    pub(super) fn choices(&self) -> String {
        let moves = |choice: &&Choice| matches!(choice.kind, ChoiceKind::Move { .. });
        let may = self.frame.diagram.choices.iter().flatten().map(|choice| Listed { choice, dear: false });
        let dear = self.dear.iter().filter(moves).map(|choice| Listed { choice, dear: true });
        let listed: Vec<Listed> = may.chain(dear).filter(|_| self.frame.asked).collect();
        let json = serde_json::to_string(&listed).expect("choices serialize without errors");
        // The text must not contain the end tag of the data block.
        json.replace('<', "\\u003c")
    }

    /// JSON of the squares that each piece attacks or defends, for commands, if the viewer knows the whole position: `{"b1": ["a3", "c3", "d2"]}`.
    pub(super) fn attacks(&self) -> Option<String> {
        let known = self.frame.diagram.fen.is_some();
        known.then(|| serde_json::to_string(&attacks(&self.frame.diagram)).expect("texts serialize without errors"))
    }

    /// Example of an action to type; empty if choices are parts of longer actions.
    pub(super) fn example(&self) -> &str {
        let mut choices = self.frame.diagram.choices.iter().flatten();
        choices.find(|choice| self.frame.draft.is_none() || choice.whole).map_or("", |choice| &choice.action)
    }

    /// Whether to show the score.
    pub(super) fn scored(&self) -> bool {
        self.frame.outcome.is_some() || self.frame.score.iter().any(|points| points != "0")
    }

    /// Open offers of the opponent.
    pub(super) fn offered(&self) -> OpenOffers {
        self.offers_by(|seat| !seat)
    }

    /// Open offers of the viewer.
    pub(super) fn asked_for(&self) -> OpenOffers {
        self.offers_by(|seat| seat)
    }

    fn offers_by(&self, who: impl Fn(Seat) -> Seat) -> OpenOffers {
        let by = self.frame.viewer.map(who);
        let is = |offer: Option<Seat>| offer.is_some() && offer == by;
        OpenOffers { draw: is(self.frame.offers.draw), takeback: is(self.frame.offers.takeback) }
    }

    /// Whether an offer of the viewer was declined since the last step.
    pub(super) fn declined(&self) -> bool {
        self.frame.current() && self.frame.viewer.is_some() && self.frame.offers.declined == self.frame.viewer
    }

    /// Whether the variant's controls are fields of the board's form, so that a press on the board sends the draft with them. Controls with
    /// forms of their own stand outside, because forms cannot be nested.
    pub(super) fn drafts_in_board(&self) -> bool {
        self.frame.diagram.draft.is_some() && self.own.ask.as_deref().is_some_and(|ask| !ask.contains("<form"))
    }

    /// Name of the offered rematch.
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

    /// Whether the page has the field for typed moves. It stays during the opponent's turn, for questions about the position.
    pub(super) fn may_type(&self) -> bool {
        self.frame.viewer.is_some() && self.frame.current() && !self.frame.between && self.frame.outcome.is_none()
    }

    /// Window title, visible while the page is in the background.
    pub(super) fn title(&self) -> String {
        match &self.arrived {
            _ if self.waits => self.headline.clone(),
            Some((_, name)) => format!("{name} joined the game · {}", self.headline),
            None if self.frame.current() => self.headline.clone(),
            None => format!("Move {} · {}", self.frame.ply, self.headline),
        }
    }

    /// Whether the viewer can chat: one of two people who play on separate devices.
    pub(super) fn talks(&self) -> bool {
        self.look.held.len() == 1 && self.between_people
    }

    /// Form field for a choice, depending on whether it is a whole action.
    pub(super) fn says(&self, whole: &bool) -> &'static str {
        says(&self.frame, *whole)
    }

    /// Height of the row `ask`, fixed for a whole game; empty without such a row.
    pub(super) fn ask_row(&self) -> &'static str {
        match self.key {
            "csipgs" | "clairvoyant" => "tall",
            key if variant_pages::of(key).words.is_empty() => "",
            _ => "low",
        }
    }

    /// Pieces that can be in a player's pocket.
    pub(super) fn slots(&self, bar: &Bar) -> Vec<PocketSlot<'_>> {
        let color = bar.color.unwrap_or(Side::White);
        let slot = |name: &&str| PocketSlot {
            unit: DrawnPiece { color: color.into(), name: (*name).to_owned() },
            count: bar.reserve.iter().filter(|held| held.name == **name).map(|held| held.count).sum(),
            held: self.hand.iter().find(|held| held.piece.color == color && held.piece.name == **name),
        };
        ["pawn", "knight", "bishop", "rook", "queen"].iter().map(slot).collect()
    }

    /// Whether the viewer can resign the game or the match.
    pub(super) fn resigns(&self) -> bool {
        self.said.resign || self.said.resign_match
    }

    /// Whether the viewer can claim a draw or offer one.
    pub(super) fn draws(&self) -> bool {
        self.said.claim || self.said.draw && !self.offered().draw && self.free.is_none()
    }

    /// Engine analysis from the side at the bottom of the board.
    pub(super) fn side_view<'p>(&'p self, review: &'p Review) -> SideView<'p> {
        side_view(review, &self.frame, self.bars[1].seat)
    }

    /// Player's name if known, else the side.
    pub(super) fn player(&self, bar: &Bar) -> &str {
        self.name_of(bar.seat)
    }

    /// Whether the viewer is to guess the opponent's turn.
    pub(super) fn is_to_guess(&self) -> bool {
        let task = |seat: Seat| self.frame.tasks[seat.index()];
        self.frame.asked && self.frame.viewer.is_some_and(|seat| task(seat) == "guess")
    }

    /// Name of a seat's player.
    pub(super) fn name_of(&self, seat: Seat) -> &str {
        game_text::player(&self.frame, seat)
    }
}
