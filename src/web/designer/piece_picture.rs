//! A piece as a picture, and as a small page for frames on other sites: its token on an empty board with its moves, its price and its
//! names.

use super::{PieceParameters, PieceReport, escaped};
use crate::{
    board::{Betza, BetzaError, Board, Color, MovementSummary, Piece, PieceType, Position, Size, Square, Squares},
    rules::{Diagram, diagram::Designed},
    variants::csipgs::{
        piece_names,
        price::{self, Catalogue, Quantum, zorkmids},
    },
    web::{
        App, Error, PublicOrigin,
        board_view::Figure,
        extract::Query,
        link_preview::Preview,
        page as render,
        position_images::{self, Asker, Format},
        position_picture, responses,
    },
};
use askama::Template;
use axum::{extract::State, response::Response};
use std::sync::Arc;

/// A piece on an empty board.
pub struct Scene {
    piece: Betza,
    catalogue: Catalogue,
    size: Size,
    from: Square,
    quantum: Quantum,
}

/// Exports of a piece.
pub(super) struct SharedPiece {
    pub(super) preview: Preview,
    pub(super) svg: String,
    pub(super) fen: String,
    pub(super) frame: String,
    /// Addresses of its pictures, SVG and PNG.
    pub(super) pictures: [String; 2],
}

impl Scene {
    /// Reads the piece and its square from a query.
    pub(super) fn read(ask: &PieceParameters) -> Result<Scene, Error> {
        let catalogue = ask.catalogue()?;
        let wrong = |wrong: BetzaError| Error::malformed(format!("{wrong}.")).field("piece").at(wrong.at);
        let (piece, _) = Betza::read_free(ask.text(), catalogue.inventions()).map_err(wrong)?;
        let size = ask.size()?;
        Ok(Scene { piece, size, from: ask.from(size)?, quantum: ask.quantum()?, catalogue })
    }

    /// Reads the piece from the query of a page of the designer.
    pub(in crate::web) fn of_query(query: &str) -> Result<Scene, Error> {
        let address = format!("/betza?{query}").parse().map_err(|_| Error::malformed("The query cannot be read."))?;
        let ask = axum::extract::Query::<PieceParameters>::try_from_uri(&address);
        Scene::read(&ask.map_err(|_| Error::malformed("The query cannot be read."))?.0)
    }

    fn diagram(&self) -> Diagram {
        let text = self.piece.to_string();
        let board = Board::new(self.size, vec![PieceType::new('A', &text, &self.piece, self.size)]);
        let mut position = Position::EMPTY;
        position.put(&board, self.from, Piece { color: Color::White, kind: 0 });
        let mut diagram = Diagram::of(&board, &position);
        diagram.designs = vec![Designed { betza: text, piece: self.piece.clone().into(), icon: None }];
        diagram
    }

    /// The squares it can go to without capturing, and those it attacks.
    fn reach(&self) -> [Squares; 2] {
        super::reached(&self.piece, self.size, self.from).map(|squares| squares.into_iter().collect())
    }

    /// Its best-known name, or its text.
    fn title(&self) -> String {
        let known = piece_names::named(&MovementSummary::of(&self.piece));
        known.map_or_else(|| self.piece.to_string(), |known| known.names[0].to_owned())
    }

    /// The price in words.
    fn costs(&self) -> String {
        if self.piece.is_free() {
            return "has no price".to_owned();
        }
        format!("costs {}", zorkmids(self.quantum.price(price::exact(&self.piece, &self.catalogue))))
    }

    /// The caption of the picture: name and text, price, and numbers of squares.
    fn lines(&self) -> Vec<String> {
        let (title, text) = (self.title(), self.piece.to_string());
        let [moves, captures] = self.reach().map(Squares::len);
        let mut lines = vec![title.clone(), self.costs()];
        if title != text {
            lines.insert(1, text);
        }
        let from = self.from;
        lines.extend([format!("from {from} it can go to {moves} squares"), format!("and attacks {captures}")]);
        lines
    }

    /// Address of a page about this piece, such as `/betza`.
    fn address(&self, page: &str) -> String {
        let mut address = format!("{page}?piece={}", escaped(&self.piece.to_string()));
        let with = self.catalogue.to_string();
        for (name, value, usual) in [
            ("from", self.from.to_string(), super::middle(self.size).to_string()),
            ("quantum", self.quantum.text().to_owned(), Quantum::Whole.text().to_owned()),
            ("with", with, String::new()),
        ] {
            if value != usual {
                address += &format!("&{name}={}", escaped(&value));
            }
        }
        address + &super::board_query(self.size)
    }

    /// The link preview of a page about the piece.
    pub(in crate::web) fn preview(&self, base: &PublicOrigin) -> Preview {
        let url = base.url(&self.address("/betza"));
        let (name, text) = (self.title(), self.piece.to_string());
        Preview {
            image: base.url(&self.address("/betza.png")),
            pictured: format!("The moves of the piece {text} on a board"),
            title: if name == text { format!("{text}, a piece") } else { format!("The {name}, {text}") },
            words: format!("It {}. {}", self.costs(), self.piece.in_words().trim_end_matches('.')),
            oembed: Some(base.url(&format!("/oembed?url={}", escaped(&url)))),
            url,
        }
    }

    fn svg(&self) -> String {
        position_picture::svg(&self.diagram(), &self.reach())
    }

    /// All exports of the piece.
    pub(super) fn handed(&self, base: &PublicOrigin) -> SharedPiece {
        SharedPiece {
            preview: self.preview(base),
            svg: self.svg(),
            fen: self.diagram().fen.unwrap_or_default(),
            frame: self.frame(base, 480, 560),
            pictures: ["/betza.svg", "/betza.png"].map(|page| self.address(page)),
        }
    }

    /// HTML of a frame for other sites.
    pub(in crate::web) fn frame(&self, base: &PublicOrigin, width: u32, height: u32) -> String {
        let source = base.url(&self.address("/betza/embed")).replace('&', "&amp;");
        let title = escaped(&self.piece.to_string()).replace("%2D", "-");
        format!(
            "<iframe src=\"{source}\" width=\"{width}\" height=\"{height}\" frameborder=\"0\" title=\"The piece {title}\"></iframe>"
        )
    }
}

/// `GET /betza.svg`: the piece on an empty board as SVG.
pub async fn svg(asker: Asker, Query(ask): Query<PieceParameters>) -> Result<Response, Error> {
    let scene = Scene::read(&ask)?;
    position_images::lasting(&asker, Format::Svg, &[&scene.address("")], move || vec![scene.svg()]).await
}

/// `GET /betza.png`: the piece with a caption as PNG, for link previews.
pub async fn png(asker: Asker, Query(ask): Query<PieceParameters>) -> Result<Response, Error> {
    let scene = Scene::read(&ask)?;
    let draw = |scene: &Scene| position_picture::card(&scene.diagram(), &scene.reach(), &scene.lines());
    position_images::lasting(&asker, Format::Png, &[&scene.address("")], move || draw(&scene)).await
}

#[derive(Template)]
#[template(path = "embed.html")]
struct Framed {
    title: String,
    caption: &'static str,
    headline: String,
    url: String,
    figure: Figure,
}

/// `GET /betza/embed`: the piece on an empty board, for frames on other sites.
pub async fn embed(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(ask): Query<PieceParameters>,
) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || framed(&base, &Scene::read(&ask)?)).await?
}

fn framed(base: &PublicOrigin, scene: &Scene) -> Result<Response, Error> {
    let PieceReport { figure, .. } =
        PieceReport::new(&scene.piece, Vec::new(), &scene.catalogue, (scene.size, scene.from), scene.quantum);
    let (title, headline) = (scene.title(), format!("{} {}", scene.piece, scene.costs()));
    let url = base.url(&scene.address("/betza"));
    let caption = "A white piece on an empty board";
    responses::framed(render(&Framed { title, caption, headline, url, figure })?)
}
