//! The page of a game, put in order for its template: the frame, the board with what can be pressed, both seats, the
//! score sheet, what can be said now, and links.

mod build;

use super::{
    Viewpoint,
    analysis::Lookback,
    move_list::{self, Bar},
    selection::{AskedUnit, HandPiece, Saying},
    table_panel::Panel,
};
use crate::{
    game::Live,
    play::{GameSnapshot, Hint},
    rules::{Choice, ChoiceKind, Seat, TaskHelp},
    web::{
        App, Error,
        board_view::{Figure, Mark},
        chat::PresenceView,
        frame::Frame,
        game_text,
        link_preview::Preview,
        variant_pages::OwnParts,
    },
};
use askama::Template;
use std::sync::Arc;

/// The page of a game. Its block `game` is what changes while the game goes on.
#[derive(Template)]
#[template(path = "game.html", blocks = ["game"])]
pub struct GamePage {
    frame: Frame,
    look: Viewpoint,
    key: &'static str,
    /// The variant's own parts.
    own: OwnParts,
    /// Two lines on what the viewer is to do now, for whoever has never done it.
    lesson: Option<&'static TaskHelp>,
    figure: Figure,
    /// The other side's, then the viewer's own.
    bars: [Bar; 2],
    headline: String,
    ending: Option<String>,
    /// Set if pressing a square can send more than the choice of a unit.
    picked: bool,
    /// The piece that is in hand without being pressed.
    given: Option<String>,
    /// Set if something can be done on the board.
    pressable: bool,
    /// The unit that somebody asks about.
    unit: Option<AskedUnit>,
    /// Set if the viewer may ask what to do.
    hints: bool,
    /// What the viewer was told to do, having asked.
    hint: Option<Arc<Hint>>,
    /// The choices of what happens on the way to a square.
    branches: Vec<Choice>,
    /// The choices that are too dear.
    dear: Vec<Choice>,
    /// Pieces from elsewhere that can be put on the board.
    hand: Vec<HandPiece>,
    /// The choices that can be said besides, where the variant's part does not offer them.
    besides: Vec<Choice>,
    /// The advice of the endgame tables, where it may be seen.
    panel: Option<Panel>,
    /// What the engine thinks of the game, when it is over.
    lookback: Lookback,
    /// The rows of the score sheet.
    sheet: Arc<str>,
    said: Saying,
    free: Option<Seat>,
    /// Set while the game waits for somebody to sit down.
    waits: bool,
    /// The seat at which somebody has sat down since, with the name, until the game is under way.
    arrived: Option<(Seat, String)>,
    /// Set if there are clocks, and nobody has made the choice that starts them.
    clocks_wait: bool,
    open: bool,
    rematch: Option<String>,
    /// Set if the same players have played before or after.
    in_session: bool,
    /// Set if two people play, each in a browser of their own.
    between_people: bool,
    agreed: Vec<String>,
    clocks: String,
    notice: Option<Notice>,
    typed: String,
    refresh: Option<u32>,
    /// Those who follow the game too, outside the part that changes with it.
    company: PresenceView,
    preview: Preview,
    /// Whose turn at the screen it is.
    curtain: Option<(Seat, String)>,
}

/// A moment of a game, as somebody looks at it at `now`.
struct Sight<'g> {
    table: &'g GameSnapshot,
    game: &'g Live,
    look: Viewpoint,
    now: i64,
}

/// A notice of what was refused, or missed.
pub(super) struct Notice {
    /// Its words.
    pub(super) words: String,
    /// Set if something else had happened before.
    pub(super) stale: bool,
    /// Set if the words begin with what was typed.
    pub(super) quotes: bool,
}

/// The changing part of a game's page, for whoever is told of changes: the block `game` of the same template.
pub(in crate::web) async fn game_fragment(
    app: &App,
    table: &Arc<GameSnapshot>,
    look: Viewpoint,
) -> Result<String, Error> {
    let panel = Panel::beside(&app.play, table, &look).await;
    let lookback = Lookback::beside(&app.play, table).await;
    let (table, now) = (table.clone(), app.play.now());
    let work = move || {
        let page = GamePage::new(&table, look, now).beside(panel).judged(lookback);
        page.as_game().render().map_err(Error::broken)
    };
    app.play.pools().games.run(work).await?
}

impl GamePage {
    /// The page of a game as it stands at `now`.
    pub fn new(table: &GameSnapshot, look: Viewpoint, now: i64) -> GamePage {
        GamePage::of(table, &table.game, look, now)
    }

    /// The page of a game as it stood after `ply` steps.
    pub fn past(table: &GameSnapshot, ply: usize, look: Viewpoint, now: i64) -> Option<GamePage> {
        let game = table.game.past(ply)?;
        let page = GamePage::before(Sight { table, game: &game, look, now }, |frame, flip| {
            move_list::rows(table, frame, flip)
        });
        Some(page)
    }

    /// The same of a moment at hand, without the score sheet, for whoever has that.
    pub(super) fn earlier(table: &GameSnapshot, game: &Live, look: Viewpoint, now: i64) -> GamePage {
        GamePage::before(Sight { table, game, look, now }, |_, _| Arc::default())
    }

    fn before(sight: Sight, rows: impl FnOnce(&Frame, bool) -> Arc<str>) -> GamePage {
        let look = sight.look;
        let secret = look.both() && !look.named && look.viewer.is_some_and(|seat| sight.table.game.hides(seat));
        let viewer = if secret { None } else { look.viewer };
        let look = Viewpoint { viewer, curtain: false, from: None, about: None, ..look };
        GamePage { refresh: None, ..GamePage::with_sheet(Sight { look, ..sight }, rows) }
    }

    /// The same page, with what the endgame tables say.
    pub(super) fn beside(mut self, panel: Option<Panel>) -> GamePage {
        self.panel = panel;
        self
    }

    /// The same page, with what the engine thinks.
    pub(super) fn judged(mut self, lookback: Lookback) -> GamePage {
        self.lookback = lookback;
        self
    }

    /// The same page, with the hint that the viewer has asked for. Its squares are marked where it is a move.
    pub(super) fn hinting(mut self, hint: Option<Arc<Hint>>) -> GamePage {
        let choices = self.frame.diagram.choices.iter().flatten();
        let begins = |whole: &str, part: &str| {
            whole.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let named = hint.iter().flat_map(|hint| choices.clone().filter(|choice| begins(&hint.action, &choice.action)));
        let squares = named.flat_map(|choice| match choice.kind {
            ChoiceKind::Move { from, to, .. } => vec![from, to],
            ChoiceKind::Drop { to, .. } => vec![to],
            ChoiceKind::Word { .. } => Vec::new(),
        });
        for square in squares {
            self.figure.mark(square, Mark::Pointed);
        }
        self.hint = hint;
        self
    }

    /// The same page, with those who follow the game too.
    pub(super) fn among(mut self, company: PresenceView) -> GamePage {
        self.company = company;
        self
    }

    /// The same page, saying what was refused or missed.
    pub(super) fn saying(mut self, notice: Notice, typed: String) -> GamePage {
        let stale = notice.stale;
        self.notice = Some(notice);
        // What was typed for another moment is not offered again, and parts stand in fields of their own.
        let parts = self.look.draft.is_some() && self.frame.draft.is_some();
        self.typed = if stale || parts { String::new() } else { typed };
        self.refresh = None;
        self
    }

    /// The page of a game that need not be the one on the table: an earlier moment of it, or the same told otherwise.
    pub fn of(table: &GameSnapshot, game: &Live, look: Viewpoint, now: i64) -> GamePage {
        GamePage::with_sheet(Sight { table, game, look, now }, |frame, flip| {
            let rows = || move_list::rows(table, frame, flip);
            match frame.current() {
                true => table.sheet(frame.viewer, flip).get_or_init(rows).clone(),
                false => rows(),
            }
        })
    }
}

/// The parts, each as a block of its template.
#[derive(Template)]
#[template(path = "moment.html", blocks = ["far", "board", "near", "variant", "tables", "review"])]
struct Moment<'p> {
    page: &'p GamePage,
}

impl GamePage {
    /// The parts of the page with their names.
    pub(in crate::web::game) fn parts(&self) -> Result<Vec<(&'static str, String)>, askama::Error> {
        let moment = Moment { page: self };
        let mut parts = vec![
            ("far", moment.as_far().render()?),
            ("board", moment.as_board().render()?),
            ("near", moment.as_near().render()?),
            ("variant", moment.as_variant().render()?),
            ("tables", moment.as_tables().render()?),
        ];
        // Until it is there, the page says so of itself.
        if self.lookback.known() {
            parts.push(("review", moment.as_review().render()?));
        }
        Ok(parts)
    }

    /// The private links of the viewer's own seats.
    pub(super) fn links(&self) -> Vec<(Seat, String, String)> {
        let link = |seat: Seat, token: &str| {
            (seat, game_text::called(&self.frame, seat).to_owned(), self.look.base.url(&format!("/seat/{token}")))
        };
        let proved = self.look.held.iter().filter_map(|(seat, token)| Some((*seat, token.as_ref()?)));
        proved.map(|(seat, token)| link(seat, token.as_str())).collect()
    }

    /// The link of an invitation.
    pub(super) fn invitation(&self, code: &str) -> String {
        self.url(&format!("/invite/{code}"))
    }

    /// An absolute address.
    pub(super) fn url(&self, path: &str) -> String {
        self.look.base.url(path)
    }

    /// The page that says what could be done.
    pub(super) fn advising(&self) -> String {
        self.look.with("hint=1")
    }

    /// The page that asks whether to resign.
    fn giving_up(&self) -> String {
        self.look.with("end=resign")
    }

    /// The page with the board turned round.
    pub(super) fn turned(&self) -> String {
        let path = Viewpoint { flip: !self.look.flip, ..self.look.clone() }.address(None);
        if self.frame.current() {
            return path;
        }
        let query = path.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        format!("{}/ply/{}{query}", self.frame.address, self.frame.ply)
    }

    /// The page of an earlier moment.
    pub(super) fn moment(&self, ply: &usize) -> String {
        let flip = if self.look.flip { "?flip=1" } else { "" };
        format!("{}/ply/{ply}{flip}", self.frame.address)
    }

    /// The page of the next deal of a match.
    pub(super) fn onward(&self) -> String {
        Viewpoint { deal: Some(self.frame.diagram.deals.len()), ..self.look.clone() }.address(None)
    }

    /// The page of the beginning.
    pub(super) fn start(&self) -> String {
        self.moment(&0)
    }

    /// The page of the step before.
    pub(super) fn back(&self) -> String {
        self.moment(&self.frame.ply.saturating_sub(1))
    }

    /// The page of the step after.
    pub(super) fn next(&self) -> String {
        self.moment(&(self.frame.ply + 1))
    }
}
