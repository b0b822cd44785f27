//! Several designs together: a set of six for csipgs chess, or an army of two ranks. The address holds all of them; a text file has one
//! piece on each line.

use super::{PieceError, drawing, escaped};
use crate::{
    board::{Betza, Color, Size, Square},
    game::Clocks,
    registry,
    rules::{Actor, Seat},
    variants::csipgs::price::{self, Catalogue, Exact, Quantum, fraction, money},
    web::{
        App, Error, PublicOrigin,
        board_view::{DrawnPiece, Figure},
        client_address::ClientNetwork,
        cookies::Seats,
        extract::{Form, Pairs, Query, parameter},
        new_game, page as render,
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use std::sync::Arc;

/// Longest text of a pasted file, in bytes.
const LONGEST: usize = 8_192;
/// Mark of an empty place in a file and in an address.
const EMPTY: &str = "-";

/// One place and its piece.
struct DesignPlace {
    name: String,
    text: String,
    piece: Option<Betza>,
    wrong: Option<PieceError>,
    token: Option<Arc<str>>,
    exact: Exact,
}

impl DesignPlace {
    fn new(name: String, text: &str) -> DesignPlace {
        let text = if text == EMPTY { "" } else { text.trim() };
        let read = (!text.is_empty()).then(|| text.parse::<Betza>());
        let wrong = read.as_ref().and_then(|read| read.as_ref().err()).map(|error| PieceError::new(text, error));
        let piece = read.and_then(Result::ok);
        DesignPlace {
            name,
            text: piece.as_ref().map_or_else(|| text.to_owned(), Betza::to_string),
            wrong,
            token: piece.as_ref().map(|piece| drawing(piece, Color::White)),
            exact: piece.as_ref().map_or(Exact::ZERO, |piece| price::exact(piece, &Catalogue::default())),
            piece,
        }
    }

    /// The text as a part of a query.
    fn address(&self) -> String {
        escaped(&self.text)
    }

    fn price(&self) -> String {
        money(Quantum::Whole.price(self.exact))
    }
}

#[derive(Template)]
#[template(path = "collection.html")]
struct Collection {
    sort: Sort,
    places: Vec<DesignPlace>,
    figure: Option<Figure>,
    total: String,
    url: String,
    query: String,
    /// Whether a game can start with the set.
    playable: bool,
    /// For an army: each side's action to set it up, and the objections of a game.
    orders: Vec<(&'static str, String)>,
    refused: Option<String>,
}

/// The pieces in a query, or the default ones.
fn places(sort: Sort, query: &Pairs) -> Result<Vec<DesignPlace>, Error> {
    let named: Vec<&str> = query.iter().filter(|(key, _)| key == "piece").map(|(_, text)| text.as_str()).collect();
    if named.len() > sort.places() {
        let most = sort.places();
        return Err(Error::malformed(format!("There are {} pieces. Give at most {most}.", named.len())).field("piece"));
    }
    let texts = if named.is_empty() { sort.usual().to_vec() } else { named };
    let text = |index: usize| texts.get(index).copied().unwrap_or_default();
    Ok((0..sort.places()).map(|index| DesignPlace::new(sort.place(index), text(index))).collect())
}

fn query(places: &[DesignPlace]) -> String {
    let field = |place: &DesignPlace| {
        let text = if place.text.is_empty() { EMPTY } else { &place.text };
        format!("piece={}", escaped(text))
    };
    places.iter().map(field).collect::<Vec<_>>().join("&")
}

/// The address of a file's contents.
fn of_file(sort: Sort, text: &str) -> Result<String, Error> {
    if text.len() > LONGEST {
        return Err(Error::malformed(format!("The file is too long. It may have at most {LONGEST} bytes."))
            .field("file")
            .at(LONGEST));
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let pieces: Pairs =
        lines.filter(|line| !line.is_empty()).map(|line| ("piece".to_owned(), line.to_owned())).collect();
    if pieces.is_empty() {
        return Err(Error::malformed("The file contains no piece. Write one piece on each line.").field("file").at(0));
    }
    Ok(format!("{}?{}", sort.path(), query(&places(sort, &pieces)?)))
}

/// A side's action to set up the army.
fn order(places: &[DesignPlace], color: Color) -> String {
    let one = |(index, place): (usize, &DesignPlace)| format!(" {} {}", place.text, square(index, color));
    format!("army{}", places.iter().enumerate().map(one).collect::<String>())
}

/// The objection of an Army csipgs game with the default options to an army; `None` if it is allowed.
fn objection(order: &str) -> Option<String> {
    let variant = registry::find("csipgs")?;
    let (_, options) = (variant.presets)().into_iter().find(|(name, _)| *name == "army")?;
    let mut game = variant.begin(options.as_object()?, Clocks::new([None; 2])).ok()?;
    game.act(Actor::Seat(Seat::One), order, 0).err().map(|refusal| refusal.why)
}

fn page(sort: Sort, base: &PublicOrigin, asked: &Pairs) -> Result<Response, Error> {
    if let Some(file) = parameter(asked, "file")?.filter(|text| !text.trim().is_empty()) {
        return Ok(Redirect::to(&of_file(sort, file)?).into_response());
    }
    let places = places(sort, asked)?;
    let whole = places.iter().all(|place| place.piece.is_some());
    let query = query(&places);
    let figure = (sort == Sort::Army).then(|| {
        let color = Color::White;
        let index = |square: Square| usize::from(square.rank()) * 8 + usize::from(square.file());
        let piece = |square: Square| places.get(index(square)).filter(|place| place.piece.is_some());
        let size = Size::new(8, 2).unwrap_or(Size::ORTHODOX);
        let mut figure =
            Figure::new(size, |square| piece(square).map(|place| DrawnPiece { color, name: place.text.clone() }));
        for square in size.squares() {
            if let Some(betza) = piece(square).and_then(|place| place.piece.as_ref()) {
                figure.draw(square, crate::web::piece_token::drawn(betza, color));
            }
        }
        figure
    });
    let orders = if sort == Sort::Army && whole {
        vec![("White", order(&places, Color::White)), ("Black", order(&places, Color::Black))]
    } else {
        Vec::new()
    };
    let royal = places.iter().any(|place| place.piece.as_ref().is_some_and(|piece| piece.royal));
    render(&Collection {
        sort,
        playable: sort == Sort::Set && whole && royal,
        figure,
        total: fraction(&places.iter().map(|place| place.exact).sum()),
        url: base.url(&format!("{}?{query}", sort.path())),
        refused: orders.first().and_then(|(_, order)| objection(order)),
        orders,
        places,
        query,
    })
}

fn file(sort: Sort, asked: &Pairs) -> Result<Response, Error> {
    let places = places(sort, asked)?;
    let line = |place: &DesignPlace| {
        let text = if place.text.is_empty() { EMPTY } else { &place.text };
        format!("{text}  # {}\n", place.name)
    };
    let text = format!("# {}\n{}", sort.title(), places.iter().map(line).collect::<String>());
    let name = sort.path().rsplit('/').next().unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"zorkmid-{name}.txt\"")),
    ];
    Ok((headers, text).into_response())
}

/// `GET /betza/set`: a set of six designs.
pub async fn set(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(asked): Query<Pairs>,
) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || page(Sort::Set, &base, &asked)).await?
}

/// `GET /betza/set.txt`: the set as a text file.
pub async fn set_file(State(app): State<Arc<App>>, Query(asked): Query<Pairs>) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || file(Sort::Set, &asked)).await?
}

/// `GET /betza/army`: an army of sixteen pieces.
pub async fn army(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(asked): Query<Pairs>,
) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || page(Sort::Army, &base, &asked)).await?
}

/// `GET /betza/army.txt`: the army as a text file.
pub async fn army_file(State(app): State<Arc<App>>, Query(asked): Query<Pairs>) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || file(Sort::Army, &asked)).await?
}

/// `POST /betza/set/play`: starts a game of csipgs in which both sides have these designs from the first turn.
pub async fn play_set(
    State(app): State<Arc<App>>,
    seats: Seats,
    from: ClientNetwork,
    Form(asked): Form<Pairs>,
) -> Result<Response, Error> {
    let places = places(Sort::Set, &asked)?;
    if places.iter().any(|place| place.piece.is_none()) {
        return Err(Error::malformed("A set has six designs. Fill every place.").field("piece"));
    }
    let designs: Vec<&str> = places.iter().map(|place| place.text.as_str()).collect();
    super::playtest::csipgs(app, seats, from, &designs.join(" "), &asked).await
}

/// `POST /betza/army/play`: starts a game of Army csipgs with this army set up for both sides, on one screen.
pub async fn play(
    State(app): State<Arc<App>>,
    seats: Seats,
    from: ClientNetwork,
    Form(asked): Form<Pairs>,
) -> Result<Response, Error> {
    let work = move || {
        let places = places(Sort::Army, &asked)?;
        if places.iter().any(|place| place.piece.is_none()) {
            return Err(Error::malformed("An army has sixteen pieces. Fill every square.").field("piece"));
        }
        let says = Color::BOTH.map(|color| order(&places, color));
        if let Some(why) = objection(&says[0]) {
            return Err(Error::refused(why).field("piece"));
        }
        Ok((says, parameter(&asked, "opponent")?.unwrap_or_default().to_owned()))
    };
    let (says, opponent) = app.play.pools().lookups.run(work).await??;
    let pairs = [("variant", "csipgs"), ("preset", "army"), ("opponent", &opponent)];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    new_game::create_game(app, seats, from, pairs, Some(says)).await
}

/// A kind of collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// The six designs of a player.
    Set,
    /// Two ranks, from a1 to h2.
    Army,
}

impl Sort {
    /// Number of places.
    pub(super) const fn places(self) -> usize {
        match self {
            Sort::Set => 6,
            Sort::Army => 16,
        }
    }

    /// Path of its page.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Sort::Set => "/betza/set",
            Sort::Army => "/betza/army",
        }
    }

    /// Title of its page.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Sort::Set => "A set of six designs",
            Sort::Army => "An army of two ranks",
        }
    }

    /// The default pieces: those of csipgs chess, or those of chess.
    pub(super) const fn usual(self) -> &'static [&'static str] {
        match self {
            Sort::Set => &["B", "RB", "mfWcfF", "N", "R", "royal-WF"],
            Sort::Army => &[
                "R", "N", "B", "RB", "royal-WF", "B", "N", "R", "mfWcfF", "mfWcfF", "mfWcfF", "mfWcfF", "mfWcfF",
                "mfWcfF", "mfWcfF", "mfWcfF",
            ],
        }
    }

    /// Name of a place.
    pub(super) fn place(self, index: usize) -> String {
        match self {
            Sort::Set => format!("Design {}", index + 1),
            Sort::Army => square(index, Color::White).to_string(),
        }
    }
}

/// The square of a place in a side's army.
pub(super) fn square(index: usize, color: Color) -> Square {
    Square::new((index % 8) as u8, Size::ORTHODOX.rank_of(color, (index / 8) as u8))
}
