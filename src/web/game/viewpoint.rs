//! A browser's view of a game: its seats, the orientation of the board, and the selected piece. A browser may hold both seats. It then
//! shows the view of the seat to move, behind a curtain if the game hides information.

use crate::{
    board::BoardLocation,
    play::{GameSnapshot, Token},
    rules::{Refusal, Seat, Viewer},
    web::{
        App, Error,
        client_address::PublicOrigin,
        cookies::Seats,
        extract::{Path, Query},
        frame::Sketch,
        theme::Layout,
    },
};
use axum::{extract::FromRequestParts, http::request::Parts};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use std::{collections::HashMap, sync::Arc};

/// Maximum length in bytes of a designed piece and of the fields sent with it.
const LONGEST_PIECE: usize = 256;

/// An end of the game that a player has to confirm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Offering or claiming a draw.
    Draw,
    /// Resigning.
    Resignation,
}

impl Ending {
    /// Reads the query parameter `end`. Any other text asks for nothing.
    fn read(text: &str) -> Option<Ending> {
        match text {
            "draw" => Some(Ending::Draw),
            "resign" => Some(Ending::Resignation),
            _ => None,
        }
    }
}

/// Query parameters of the game page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Vec<(String, String)>")]
pub struct LookQuery {
    /// Which of the browser's seats to use.
    pub seat: Option<Seat>,
    /// Ply at which the draft was started.
    pub ply: Option<usize>,
    /// Selected piece: `e2`, `N@`, or `e7e8` if several actions share the target square.
    pub from: Option<String>,
    /// Square of a piece whose moves to show.
    pub about: Option<String>,
    /// Whether to show a hint.
    pub hint: bool,
    /// `1` to flip the board.
    pub flip: Option<String>,
    /// First ply of the earlier positions to send.
    pub since: Option<usize>,
    /// Number of the deal to show after the end of the previous one.
    pub deal: Option<usize>,
    /// Unfinished draft of an action that has several parts.
    pub draft: Option<String>,
    /// The end of the game that the page asks to confirm.
    pub confirming: Option<Ending>,
    /// Whether the player wants a design phase after the next action, instead of keeping the designs.
    pub designing: bool,
    /// Piece in the designer, possibly brought from the workshop.
    pub sketch: Sketch,
}

impl LookQuery {
    /// Sets a field of the designer; values that are too long are ignored.
    pub(super) fn set_sketch_field(&mut self, field: &str, value: String) {
        let place = match field {
            "piece" => &mut self.sketch.piece,
            "press" => &mut self.sketch.press,
            "by" => &mut self.sketch.by,
            "mode" => &mut self.sketch.mode,
            "mirror" => &mut self.sketch.mirror,
            "known" => &mut self.sketch.known,
            "before" => self.sketch.before.insert(String::new()),
            _ => return,
        };
        if value.len() <= LONGEST_PIECE {
            *place = value;
        }
    }
}

impl TryFrom<Vec<(String, String)>> for LookQuery {
    type Error = Refusal;

    fn try_from(pairs: Vec<(String, String)>) -> Result<LookQuery, Refusal> {
        let mut asked = LookQuery { draft: read_draft(&pairs), ..LookQuery::default() };
        for (name, value) in pairs {
            match name.as_str() {
                "seat" => asked.seat = Some(value.parse()?),
                "ply" => asked.ply = value.parse().ok(),
                "since" => asked.since = value.parse().ok(),
                "from" => asked.from = Some(value),
                "about" => asked.about = Some(value),
                "hint" => asked.hint = value == "1",
                "flip" => asked.flip = Some(value),
                "deal" => asked.deal = value.parse().ok(),
                "end" => asked.confirming = Ending::read(&value),
                "design" => asked.designing = value == "1",
                name => asked.set_sketch_field(name, value),
            }
        }
        Ok(asked)
    }
}

/// Assembles the draft of an action: the fields `action`, every field `draft`, then `beside`, `add` and `next`, joined by spaces.
/// The field `without` is the index of the draft part to remove.
pub(super) fn read_draft(pairs: &[(String, String)]) -> Option<String> {
    let named =
        |wanted: &'static str| pairs.iter().filter(move |(name, _)| name == wanted).map(|(_, value)| value.trim());
    let without = named("without").next().and_then(|place| place.parse().ok());
    let mut parts: Vec<&str> = named("draft").collect();
    if let Some(part) = without.and_then(|place: usize| parts.get_mut(place)) {
        *part = "";
    }
    let begun = !parts.is_empty() || named("add").next().is_some();
    let filled = |name| named(name).filter(|value| !value.is_empty());
    begun.then(|| {
        let rest = filled("beside").chain(filled("add")).chain(filled("next"));
        filled("action").chain(parts).chain(rest).collect::<Vec<_>>().join(" ")
    })
}

/// Whether a form only asks for another page: it selects a square or changes a draft, but submits no action.
pub(super) fn only_requests_page(pairs: &[(String, String)]) -> bool {
    pairs.iter().any(|(name, _)| ["show", "from", "about", "add", "without", "piece"].contains(&name.as_str()))
}

/// Appends a field's value, separated by a space.
pub(super) fn join(said: &mut String, value: &str) {
    let value = value.trim();
    if !said.is_empty() && !value.is_empty() {
        said.push(' ');
    }
    said.push_str(value);
}

/// A browser's view of a game.
#[derive(Clone, Debug)]
pub struct Viewpoint {
    /// Game id.
    pub id: String,
    /// Origin of absolute links.
    pub base: PublicOrigin,
    /// Seats that the browser can prove, with their tokens where it has them.
    pub held: Vec<(Seat, Option<Token>)>,
    /// Seat whose view is shown; `None` for the spectators' view.
    pub viewer: Viewer,
    /// Whether the query named the seat.
    pub named: bool,
    /// Whether the screen must be handed over first.
    pub curtain: bool,
    /// Selected piece.
    pub from: Option<String>,
    /// Square of a piece whose moves to show.
    pub about: Option<String>,
    /// Current ply of the game.
    pub ply: usize,
    /// Draft of an action, if it was started at the current ply.
    pub draft: Option<String>,
    /// Action that was just refused; empty if there is none.
    pub refused: String,
    /// Why it was refused, as a sentence.
    pub refusal: String,
    /// The end of the game that the page asks to confirm.
    pub confirming: Option<Ending>,
    /// Whether the board is flipped.
    pub flip: bool,
    /// Number of the deal to which the viewer has continued.
    pub deal: Option<usize>,
    /// Invitation code, if this browser may pass it on.
    pub invite: Option<String>,
    /// Piece in the designer.
    pub sketch: Sketch,
    /// Whether the player wants a design phase after the next action.
    pub designing: bool,
    /// Tasks of the variant that the player has done before.
    pub learned: Vec<String>,
    /// Whether the browser has chosen the layout for screen readers.
    pub spoken: bool,
}

impl Viewpoint {
    /// Determines the view of a browser with these cookies.
    pub fn of(table: &GameSnapshot, seats: &Seats, base: PublicOrigin, asked: &LookQuery) -> Viewpoint {
        let held = seats.at(table);
        let named = asked.seat.filter(|seat| held.iter().any(|(own, _)| own == seat));
        let mut look = Viewpoint {
            id: table.id().to_owned(),
            base,
            viewer: named,
            named: named.is_some(),
            curtain: false,
            from: asked.from.clone().filter(|from| !from.is_empty()),
            about: asked.about.clone(),
            ply: table.game.ply(),
            draft: asked.draft.clone().filter(|_| asked.ply.is_none_or(|ply| ply == table.game.ply())),
            refused: String::new(),
            refusal: String::new(),
            confirming: asked.confirming,
            flip: asked.flip.as_deref() == Some("1"),
            deal: asked.deal,
            invite: seats.invitation(table.id()),
            sketch: Sketch { saved: seats.designs(), icons: seats.icons(), ..asked.sketch.clone() },
            designing: asked.designing,
            learned: seats.learned(table.game.key()),
            spoken: Layout::of(seats.cookies()) == Layout::Spoken,
            held,
        };
        if named.is_none() {
            look.viewer = look.acting_seat(table, None);
            look.curtain =
                look.both() && table.game.outcome().is_none() && look.viewer.is_some_and(|seat| table.game.hides(seat));
        }
        look
    }

    /// Whether the browser holds both seats.
    pub fn both(&self) -> bool {
        self.held.len() == 2
    }

    /// Seats that the browser can prove.
    pub(in crate::web) fn seats(&self) -> Vec<Seat> {
        self.held.iter().map(|(seat, _)| *seat).collect()
    }

    /// Seat that acts: the named one, if held; otherwise a held seat to move, or the first held one.
    pub fn acting_seat(&self, table: &GameSnapshot, named: Viewer) -> Viewer {
        let holds = |seat: Seat| self.held.iter().any(|(own, _)| *own == seat);
        match named {
            Some(seat) => Some(seat).filter(|seat| holds(*seat)),
            None => {
                let asked = table.game.awaits().into_iter().find(|seat| holds(*seat));
                asked.or(self.held.first().map(|(seat, _)| *seat))
            }
        }
    }

    /// Address of the game page, with an optional selection.
    pub fn address(&self, from: Option<&str>) -> String {
        let mut query = Vec::new();
        if let Some(seat) = self.viewer.filter(|_| self.both() && self.named) {
            query.push(format!("seat={seat}"));
        }
        if self.flip {
            query.push("flip=1".to_owned());
        }
        if self.designing {
            query.push("design=1".to_owned());
        }
        if let Some(deal) = self.deal {
            query.push(format!("deal={deal}"));
        }
        // Anything longer is not a square or a piece, so it is dropped.
        if let Some(from) = from.filter(|from| from.len() <= 128) {
            query.push(format!(
                "from={}",
                percent_encoding::utf8_percent_encode(from, percent_encoding::NON_ALPHANUMERIC)
            ));
        }
        if let Some(draft) = &self.draft {
            query.push(format!("ply={}&draft={}", self.ply, utf8_percent_encode(draft, NON_ALPHANUMERIC)));
        }
        let mut address = format!("/games/{}", self.id);
        if !query.is_empty() {
            address.push('?');
            address.push_str(&query.join("&"));
        }
        address
    }

    /// Address of the game page with the selection, the draft and the designer, scrolled to the part in use.
    pub(super) fn requested_page(&self) -> String {
        let about = self.about.as_deref().and_then(|text| text.parse::<BoardLocation>().ok());
        match (self.sketch.query(), &self.from, about) {
            (Some(query), ..) => self.with(&format!("{query}#designer")),
            (None, None, Some(square)) => self.with(&format!("about={square}#board")),
            (None, from, _) => self.address(from.as_deref()) + "#board",
        }
    }

    /// Address of the game page with one more query parameter.
    pub(super) fn with(&self, field: &str) -> String {
        let page = self.address(None);
        let join = if page.contains('?') { '&' } else { '?' };
        format!("{page}{join}{field}")
    }

    /// Address after `seat` has acted. If the same seat is still to move, it keeps the screen. A command, such as an offer, keeps the draft.
    pub fn after(&self, table: &GameSnapshot, seat: Seat, is_command: bool) -> String {
        let stays = self.both() && table.game.awaits().contains(&seat) && table.game.hides(seat);
        let draft = self.draft.clone().filter(|_| is_command);
        Viewpoint { viewer: Some(seat), named: stays, designing: false, draft, ..self.clone() }.address(None)
    }
}

/// Viewer of the game whose id is in the path.
pub struct PageViewer {
    /// The game.
    pub table: Arc<GameSnapshot>,
    /// The view.
    pub look: Viewpoint,
    /// Query parameters.
    pub query: LookQuery,
}

impl FromRequestParts<Arc<App>> for PageViewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<PageViewer, Error> {
        let Path(names) = Path::<HashMap<String, String>>::from_request_parts(parts, app).await?;
        let Query(asked) = Query::<LookQuery>::from_request_parts(parts, app).await?;
        let base = PublicOrigin::from_request_parts(parts, app).await?;
        let Ok(seats) = Seats::from_request_parts(parts, app).await;
        let table = app.play.look(names.get("id").map_or("", String::as_str)).await?;
        let look = Viewpoint::of(&table, &seats, base, &asked);
        Ok(PageViewer { table, look, query: asked })
    }
}
