//! The game page as its template needs it: board and selectable squares, players, move list, available actions and links.

mod build;

use super::{
    Viewpoint,
    analysis::Lookback,
    move_list::{self, Bar},
    selection::{AvailableCommands, HandPiece, PieceInfo},
    table_panel::Panel,
    viewpoint::Ending,
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
        rematches,
        variant_pages::OwnParts,
    },
};
use askama::Template;
use std::sync::Arc;

/// Game page. Its block `game` changes while the game goes on.
#[derive(Template)]
#[template(path = "game.html", blocks = ["game"])]
pub struct GamePage {
    frame: Frame,
    look: Viewpoint,
    key: &'static str,
    /// Rows for pieces in hand: `both`, `near`, or empty.
    pockets: &'static str,
    /// Pieces that a premoved pawn can promote to, separated by spaces; empty without a choice.
    promotions: &'static str,
    /// Parts that only this variant has.
    own: OwnParts,
    /// Short help for the viewer's current task, for players who have not done it before.
    lesson: Option<&'static TaskHelp>,
    /// Squares that each piece could move to during an auction, as JSON.
    reach: Option<String>,
    figure: Figure,
    /// Player strips, the opponent's first.
    bars: [Bar; 2],
    headline: String,
    ending: Option<String>,
    /// Whether a press on a square can submit an action, not only select a piece.
    picked: bool,
    /// Piece that is selected automatically because it is the only choice.
    given: Option<String>,
    /// Whether any square can be pressed.
    pressable: bool,
    /// Piece whose moves the viewer asked for.
    unit: Option<PieceInfo>,
    /// Whether the viewer may ask for a hint.
    hints: bool,
    /// Hint that the viewer asked for.
    hint: Option<Arc<Hint>>,
    /// Alternative actions for the same target square.
    branches: Vec<Choice>,
    /// Choices that the player cannot afford.
    dear: Vec<Choice>,
    /// Pieces from outside the board that can be placed on it.
    hand: Vec<HandPiece>,
    /// Further choices that the variant's own part does not offer.
    besides: Vec<Choice>,
    /// Advice of the endgame tables, if the viewer may see it.
    panel: Option<Panel>,
    /// Engine analysis of the finished game.
    lookback: Lookback,
    /// Rows of the move list, as HTML.
    sheet: Arc<str>,
    said: AvailableCommands,
    free: Option<Seat>,
    /// Whether a seat is still free.
    waits: bool,
    /// Opponent who has joined, with their name, until the game is under way.
    arrived: Option<(Seat, String)>,
    /// Whether the clocks wait for the first action.
    clocks_wait: bool,
    open: bool,
    /// Whether both players have days per move.
    by_days: bool,
    /// Whether the viewer can have conditional moves in this game.
    plans: bool,
    rematch: Option<String>,
    /// Points of both players in the session of a finished game, such as `You 3½, Anna 1½`.
    session: Option<String>,
    /// Whether the game has a rematch or is one.
    in_session: bool,
    /// Whether two people play, each in their own browser.
    between_people: bool,
    agreed: Vec<String>,
    clocks: String,
    notice: Option<Notice>,
    typed: String,
    refresh: Option<u32>,
    /// Spectators and online players, outside the block that changes with the game.
    company: PresenceView,
    /// Time in milliseconds until the viewer can claim the game against the absent opponent.
    claim_wait: Option<i64>,
    /// Number of days without an action after which the opponent of a player without a clock can claim the game.
    absence_days: u32,
    /// Ids of games whose seats the browser has just lost, and the paths of the private links to these seats.
    dropped: Vec<(String, String)>,
    preview: Preview,
    /// Seat to hand the screen to, with the player's name.
    curtain: Option<(Seat, String)>,
}

/// A game at one position, as a viewer sees it at `now`.
struct PositionView<'g> {
    table: &'g GameSnapshot,
    game: &'g Live,
    look: Viewpoint,
    now: i64,
}

/// Notice about a refused or outdated action.
pub(super) struct Notice {
    /// Text of the notice.
    pub(super) words: String,
    /// Whether the game had moved on.
    pub(super) stale: bool,
    /// Whether the text starts with the player's input.
    pub(super) quotes: bool,
}

/// The block `game` of the page, for viewers who follow changes.
pub(in crate::web) async fn game_fragment(
    app: &App,
    table: &Arc<GameSnapshot>,
    look: Viewpoint,
) -> Result<String, Error> {
    let panel = Panel::current(&app.play, table, &look).await;
    let lookback = Lookback::load(&app.play, table).await;
    let company = PresenceView::of(app, table, &look.seats());
    let session = rematches::score(&app.play, table, &look).await;
    let (table, now) = (table.clone(), app.play.now());
    let work = move || {
        let page = GamePage::new(&table, look, now)
            .with_panel(panel)
            .with_analysis(lookback)
            .with_session(session)
            .with_presence(company, now);
        page.as_game().render().map_err(Error::broken)
    };
    app.play.pools().games.run(work).await?
}

impl GamePage {
    /// Page of the game at its current position. `now` is in milliseconds since the epoch.
    pub fn new(table: &GameSnapshot, look: Viewpoint, now: i64) -> GamePage {
        GamePage::of(table, &table.game, look, now)
    }

    /// Page of the game after `ply` steps.
    pub fn past(table: &GameSnapshot, ply: usize, look: Viewpoint, now: i64) -> Option<GamePage> {
        let game = table.game.past(ply)?;
        let page = GamePage::at_earlier_ply(PositionView { table, game: &game, look, now }, |frame, flip| {
            move_list::rows(table, frame, flip)
        });
        Some(page)
    }

    /// Page of an earlier position without the move list, for clients that have the list already.
    pub(super) fn earlier(table: &GameSnapshot, game: &Live, look: Viewpoint, now: i64) -> GamePage {
        GamePage::at_earlier_ply(PositionView { table, game, look, now }, |_, _| Arc::default())
    }

    fn at_earlier_ply(sight: PositionView, rows: impl FnOnce(&Frame, bool) -> Arc<str>) -> GamePage {
        let look = sight.look;
        let secret = look.both() && !look.named && look.viewer.is_some_and(|seat| sight.table.game.hides(seat));
        let viewer = if secret { None } else { look.viewer };
        let look = Viewpoint { viewer, curtain: false, from: None, about: None, ..look };
        GamePage { refresh: None, ..GamePage::with_move_list(PositionView { look, ..sight }, rows) }
    }

    /// Adds the advice of the endgame tables.
    pub(super) fn with_panel(mut self, panel: Option<Panel>) -> GamePage {
        self.panel = panel;
        self
    }

    /// Adds the engine analysis.
    pub(super) fn with_analysis(mut self, lookback: Lookback) -> GamePage {
        self.lookback = lookback;
        self
    }

    /// Adds the score of the session.
    pub(super) fn with_session(mut self, session: Option<String>) -> GamePage {
        self.session = session;
        self
    }

    /// Adds the hint. If it is a move, its squares are marked.
    pub(super) fn with_hint(mut self, hint: Option<Arc<Hint>>) -> GamePage {
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

    /// Adds the spectators and online players.
    pub(super) fn with_presence(mut self, company: PresenceView, now: i64) -> GamePage {
        self.claim_wait = company.claim_at.map(|at| (at - now).max(0));
        self.company = company;
        self
    }

    /// Adds the games whose seats the browser has just lost.
    pub(super) fn with_dropped_seats(mut self, dropped: Vec<(String, String)>) -> GamePage {
        self.dropped = dropped;
        self
    }

    /// Adds a notice about a refused or outdated action.
    pub(super) fn with_notice(mut self, notice: Notice, typed: String) -> GamePage {
        let stale = notice.stale;
        self.notice = Some(notice);
        // Input for another position is not offered again, and parts of an action have their own fields.
        let parts = self.look.draft.is_some() && self.frame.draft.is_some();
        self.typed = if stale || parts { String::new() } else { typed };
        self.refresh = None;
        self
    }

    /// Page of `game`, which may be an earlier position of the game in `table`.
    pub fn of(table: &GameSnapshot, game: &Live, look: Viewpoint, now: i64) -> GamePage {
        GamePage::with_move_list(PositionView { table, game, look, now }, |frame, flip| {
            let rows = || move_list::rows(table, frame, flip);
            // Viewers without silhouettes of their own share the list of the current position.
            match frame.current() && frame.sketch.icons.is_empty() {
                true => table.sheet(frame.viewer, flip).get_or_init(rows).clone(),
                false => rows(),
            }
        })
    }
}

/// Parts of the page, each a block of the template.
#[derive(Template)]
#[template(path = "moment.html", blocks = ["far", "board", "near", "variant", "tables", "review"])]
struct Moment<'p> {
    page: &'p GamePage,
}

impl GamePage {
    /// Names and HTML of the parts that change from position to position.
    pub(in crate::web::game) fn parts(&self) -> Result<Vec<(&'static str, String)>, askama::Error> {
        let moment = Moment { page: self };
        let mut parts = vec![
            ("far", moment.as_far().render()?),
            ("board", moment.as_board().render()?),
            ("near", moment.as_near().render()?),
            ("variant", moment.as_variant().render()?),
            ("tables", moment.as_tables().render()?),
        ];
        // While the analysis is missing, the page shows its progress instead.
        if self.lookback.known() {
            parts.push(("review", moment.as_review().render()?));
        }
        Ok(parts)
    }

    /// Why the game ended, once it is over.
    pub(super) fn reason(&self) -> Option<String> {
        self.frame.outcome.map(|outcome| game_text::reason(&self.frame, outcome))
    }

    /// Why the viewer can claim the game.
    pub(super) fn claim_reason(&self) -> String {
        let opponent = self.player(&self.bars[0]);
        match self.frame.clocks[self.bars[0].seat.index()] {
            Some(_) => format!("{opponent} left."),
            None => format!("{opponent} has not acted for {} days.", self.absence_days),
        }
    }

    /// Time until the viewer can claim the game, as a clock shows it.
    pub(super) fn claim_left(&self) -> String {
        game_text::time_left(self.claim_wait.unwrap_or_default())
    }

    /// Private links of the viewer's seats, with seat and player name.
    pub(super) fn links(&self) -> Vec<(Seat, String, String)> {
        let link = |seat: Seat, token: &str| {
            (seat, game_text::called(&self.frame, seat).to_owned(), self.look.base.url(&format!("/seat/{token}")))
        };
        let proved = self.look.held.iter().filter_map(|(seat, token)| Some((*seat, token.as_ref()?)));
        proved.map(|(seat, token)| link(seat, token.as_str())).collect()
    }

    /// Link of an invitation.
    pub(super) fn invitation(&self, code: &str) -> String {
        self.url(&format!("/invite/{code}"))
    }

    /// Absolute address.
    pub(super) fn url(&self, path: &str) -> String {
        self.look.base.url(path)
    }

    /// Address of the page with a hint.
    pub(super) fn advising(&self) -> String {
        self.look.with("hint=1")
    }

    /// Address of the page with the board flipped.
    pub(super) fn turned(&self) -> String {
        let path = Viewpoint { flip: !self.look.flip, ..self.look.clone() }.address(None);
        if self.frame.current() {
            return path;
        }
        let query = path.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        format!("{}/ply/{}{query}", self.frame.address, self.frame.ply)
    }

    /// Address of the page after `ply` steps.
    pub(super) fn moment(&self, ply: &usize) -> String {
        let flip = if self.look.flip { "?flip=1" } else { "" };
        format!("{}/ply/{ply}{flip}", self.frame.address)
    }

    /// Address of the next deal of a match.
    pub(super) fn onward(&self) -> String {
        Viewpoint { deal: Some(self.frame.diagram.deals.len()), ..self.look.clone() }.address(None)
    }

    /// Address of the start of the game.
    pub(super) fn start(&self) -> String {
        self.moment(&0)
    }

    /// Address of the previous step.
    pub(super) fn back(&self) -> String {
        self.moment(&self.frame.ply.saturating_sub(1))
    }

    /// Address of the next step.
    pub(super) fn next(&self) -> String {
        self.moment(&(self.frame.ply + 1))
    }
}
