//! The way somebody looks at a game: with which seats, from which side, with which unit in hand. One browser may hold both seats;
//! then it looks with the one that is asked, and where something is hidden a curtain comes between.

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
    },
};
use axum::{extract::FromRequestParts, http::request::Parts};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use std::{collections::HashMap, sync::Arc};

/// The longest text of a piece that is brought along, in bytes, and of what is pressed beside it.
const LONGEST_PIECE: usize = 256;

/// All that the query of a page may ask for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Vec<(String, String)>")]
pub struct LookQuery {
    /// Which of the seats that the browser holds.
    pub seat: Option<Seat>,
    /// Where the game stood when what is put together was begun.
    pub ply: Option<usize>,
    /// The text of what was pressed: `e2`, `N@`, or `e7e8` where several things can happen on the way.
    pub from: Option<String>,
    /// The square of a unit that is asked what it does.
    pub about: Option<String>,
    /// Set if the viewer wants to be told what to do.
    pub hint: bool,
    /// Set if the board is to be turned round.
    pub flip: Option<String>,
    /// From which step on earlier moments are wanted.
    pub since: Option<usize>,
    /// The number of the deal of a match that is looked at, after the end of the one before.
    pub deal: Option<usize>,
    /// As much as there is of an action that is put together from parts.
    pub draft: Option<String>,
    /// Set if somebody is about to resign, and is to be asked once more.
    pub resigning: bool,
    /// A piece that is designed beside the game, or was brought along from the workshop.
    pub sketch: Sketch,
}

impl LookQuery {
    /// Notes what a field of the designer says; what is too long is none.
    pub(super) fn sketched(&mut self, field: &str, value: String) {
        let place = match field {
            "piece" => &mut self.sketch.piece,
            "press" => &mut self.sketch.press,
            "by" => &mut self.sketch.by,
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
        let mut asked = LookQuery { draft: drafted(&pairs), ..LookQuery::default() };
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
                "end" => asked.resigning = value == "resign",
                name => asked.sketched(name, value),
            }
        }
        Ok(asked)
    }
}

/// Joins what there is of an action that is put together: first the words of the fields `action`, then every field `draft` at its
/// place, at last the fields `beside`, `add` and `next`, with single spaces between. A field `without` names the place of the part that is
/// taken away.
pub(super) fn drafted(pairs: &[(String, String)]) -> Option<String> {
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

/// Tells whether a form only asks for another page of the game: a square or a part of something larger was pressed, and nothing is
/// to be said yet.
pub(super) fn asks(pairs: &[(String, String)]) -> bool {
    pairs.iter().any(|(name, _)| ["show", "from", "about", "add", "without", "piece"].contains(&name.as_str()))
}

/// Adds what a field holds to what the fields before it held, with one space between.
pub(super) fn join(said: &mut String, value: &str) {
    let value = value.trim();
    if !said.is_empty() && !value.is_empty() {
        said.push(' ');
    }
    said.push_str(value);
}

/// The way somebody looks at a game.
#[derive(Clone, Debug)]
pub struct Viewpoint {
    /// The game.
    pub id: String,
    /// Of absolute links.
    pub base: PublicOrigin,
    /// The seats that the browser can prove, with their own proofs where it has them.
    pub held: Vec<(Seat, Option<Token>)>,
    /// With whose eyes.
    pub viewer: Viewer,
    /// Set if the query named the seat.
    pub named: bool,
    /// Set if the screen has to be handed over first.
    pub curtain: bool,
    /// The text of what was pressed.
    pub from: Option<String>,
    /// The square of a unit that is asked what it does.
    pub about: Option<String>,
    /// Where the game stands.
    pub ply: usize,
    /// As much as there is of an action that is put together from parts, if it was begun at this step of the game.
    pub draft: Option<String>,
    /// Set if somebody is about to resign, and is asked once more.
    pub resigning: bool,
    /// Set if the board is turned round.
    pub flip: bool,
    /// The number of the deal of a match to which the viewer has gone on.
    pub deal: Option<usize>,
    /// The code that brings the other side in, if this browser may hand it on.
    pub invite: Option<String>,
    /// A piece that is designed beside the game.
    pub sketch: Sketch,
    /// The word that this browser says after every action of the variant, without being asked.
    pub then: Option<String>,
    /// The tasks of this variant that the browser's user has done before.
    pub learned: Vec<String>,
}

impl Viewpoint {
    /// Finds how the holder of some cookies looks at a table.
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
            resigning: asked.resigning,
            flip: asked.flip.as_deref() == Some("1"),
            deal: asked.deal,
            invite: seats.invitation(table.id()),
            sketch: Sketch { saved: seats.designs(), ..asked.sketch.clone() },
            then: seats.then(table.game.key()),
            learned: seats.learned(table.game.key()),
            held,
        };
        if named.is_none() {
            look.viewer = look.speaker(table, None);
            look.curtain =
                look.both() && table.game.outcome().is_none() && look.viewer.is_some_and(|seat| table.game.hides(seat));
        }
        look
    }

    /// Tells whether one browser holds both seats.
    pub fn both(&self) -> bool {
        self.held.len() == 2
    }

    /// The seats that the browser can prove.
    pub(in crate::web) fn seats(&self) -> Vec<Seat> {
        self.held.iter().map(|(seat, _)| *seat).collect()
    }

    /// The seat that speaks: the one that was named, if it is held; else the one that is asked, or the only one.
    pub fn speaker(&self, table: &GameSnapshot, named: Viewer) -> Viewer {
        let holds = |seat: Seat| self.held.iter().any(|(own, _)| *own == seat);
        match named {
            Some(seat) => Some(seat).filter(|seat| holds(*seat)),
            None => {
                let asked = table.game.awaits().into_iter().find(|seat| holds(*seat));
                asked.or(self.held.first().map(|(seat, _)| *seat))
            }
        }
    }

    /// The page of the game, with something in hand or nothing.
    pub fn address(&self, from: Option<&str>) -> String {
        let mut query = Vec::new();
        if let Some(seat) = self.viewer.filter(|_| self.both() && self.named) {
            query.push(format!("seat={seat}"));
        }
        if self.flip {
            query.push("flip=1".to_owned());
        }
        if let Some(deal) = self.deal {
            query.push(format!("deal={deal}"));
        }
        // A square, or what is said of a piece from elsewhere; what is longer leads nowhere.
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

    /// The page of the game with what was pressed there, what is put together so far and what is designed, at the place that was asked
    /// about.
    pub(super) fn asking(&self) -> String {
        let about = self.about.as_deref().and_then(|text| text.parse::<BoardLocation>().ok());
        let Sketch { piece, press, by, .. } = &self.sketch;
        match (&self.from, about) {
            _ if !piece.is_empty() || !press.is_empty() => {
                let [piece, press, by] = [piece, press, by].map(|text| utf8_percent_encode(text, NON_ALPHANUMERIC));
                self.with(&format!("piece={piece}&press={press}&by={by}#designer"))
            }
            (None, Some(square)) => self.with(&format!("about={square}#board")),
            (from, _) => self.address(from.as_deref()) + "#board",
        }
    }

    /// The page of the game with one more field of its query.
    pub(super) fn with(&self, field: &str) -> String {
        let page = self.address(None);
        let join = if page.contains('?') { '&' } else { '?' };
        format!("{page}{join}{field}")
    }

    /// Where to go when `seat` has acted: whoever is still asked keeps the screen.
    pub fn after(&self, table: &GameSnapshot, seat: Seat) -> String {
        let stays = self.both() && table.game.awaits().contains(&seat) && table.game.hides(seat);
        Viewpoint { viewer: Some(seat), named: stays, draft: None, ..self.clone() }.address(None)
    }
}

/// Somebody who looks at the game whose id stands in the path.
pub struct PageViewer {
    /// The game.
    pub table: Arc<GameSnapshot>,
    /// With which seats, and from which side.
    pub look: Viewpoint,
    /// The query.
    pub asked: LookQuery,
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
        Ok(PageViewer { table, look, asked })
    }
}
