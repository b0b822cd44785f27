//! Link preview metadata in the head of a page (Open Graph, Twitter cards and oEmbed discovery).

use super::{Error, PublicOrigin, frame::Frame, game_text};
use crate::{play::GameSnapshot, registry::Variant, rules::Seat};
use askama::Template;

#[derive(Template)]
#[template(path = "card.html")]
struct Card<'p> {
    preview: &'p Preview,
}

/// Link preview of a page, with public information only.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Absolute URL of the page.
    pub url: String,
    /// Absolute URL of the image.
    pub image: String,
    /// Description of the image.
    pub pictured: String,
    /// Title, without a full stop.
    pub title: String,
    /// Description, without a full stop.
    pub words: String,
    /// oEmbed URL for the page, if it can be embedded.
    pub oembed: Option<String>,
}

impl Preview {
    /// Preview of a game, as a spectator sees it.
    pub fn of_game(table: &GameSnapshot, base: &PublicOrigin) -> Preview {
        let url = base.url(&format!("/games/{}", table.id()));
        let escaped = percent_encoding::utf8_percent_encode(&url, percent_encoding::NON_ALPHANUMERIC);
        Preview {
            image: format!("{url}/image.png?{}", table.visible_version(&[])),
            pictured: format!("The board of {}", game_text::title(table)),
            title: game_text::title(table),
            words: table
                .headline
                .get_or_init(|| {
                    let frame = Frame::of(&table.game, None, String::new());
                    let names = Seat::BOTH.map(|seat| table.name(seat));
                    game_text::headline(&Frame { names, named: Seat::BOTH.map(|seat| table.named(seat)), ..frame })
                })
                .clone(),
            oembed: Some(base.url(&format!("/oembed?url={escaped}"))),
            url,
        }
    }

    /// Preview of an invitation: the inviting player, the variant, and the board as a spectator sees it.
    pub fn of_invitation(table: &GameSnapshot, base: &PublicOrigin, seat: Seat, code: &str) -> Preview {
        Preview {
            url: base.url(&format!("/invite/{code}")),
            title: format!("{} invites you to {}", table.name(!seat), table.game.title()),
            words: table.variant().summary.trim_end_matches('.').to_owned(),
            oembed: None,
            ..Preview::of_game(table, base)
        }
    }

    /// Preview of a position whose page is at `path`. The image comes from the path `pictures` and shows the board of `fen`.
    pub fn of_position(
        base: &PublicOrigin,
        path: &str,
        pictures: &str,
        fen: &str,
        title: &str,
        words: &str,
    ) -> Preview {
        let placement = fen.split(' ').next().unwrap_or_default();
        let page = Preview::of_page(base, path, &format!("{pictures}?fen={placement}"), title, words);
        Preview { pictured: described(placement), ..page }
    }

    /// Preview of a variant's rules.
    pub fn of_rules(base: &PublicOrigin, variant: &Variant) -> Preview {
        let path = format!("/rules/{}", variant.key);
        let title = format!("The rules of {}", variant.title);
        Preview::of_page(base, &path, &format!("{path}/image.png"), &title, variant.summary.trim_end_matches('.'))
    }

    /// Preview of any page and its image, by their paths.
    pub fn of_page(base: &PublicOrigin, path: &str, picture: &str, title: &str, words: &str) -> Preview {
        Preview {
            url: base.url(path),
            image: base.url(picture),
            pictured: format!("A board: {title}"),
            title: title.to_owned(),
            words: words.to_owned(),
            oembed: None,
        }
    }

    /// Renders the meta tags alone, for a page whose head is not a template of this crate.
    pub fn tags(&self) -> Result<String, Error> {
        Card { preview: self }.render().map_err(Error::broken)
    }
}

/// Describes the placement of a FEN: `A chess board. White: Ke1, Pa2. Black: Ke8`.
fn described(placement: &str) -> String {
    let mut sides = [Vec::new(), Vec::new()];
    for (rank, pieces) in (1..=8).rev().zip(placement.split('/')) {
        let mut file = b'a';
        for letter in pieces.chars() {
            match letter.to_digit(10) {
                Some(empty) => file = file.saturating_add(empty as u8),
                None => {
                    let side = usize::from(letter.is_lowercase());
                    sides[side].push(format!("{}{}{rank}", letter.to_ascii_uppercase(), char::from(file)));
                    file = file.saturating_add(1);
                }
            }
        }
    }
    let [white, black] = sides.map(|pieces| if pieces.is_empty() { "none".to_owned() } else { pieces.join(", ") });
    format!("A chess board. White: {white}. Black: {black}")
}
