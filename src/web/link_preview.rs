//! The preview in the head of a page, for whoever shows a link to it.

use super::{Error, PublicOrigin, frame::Frame, game_text};
use crate::{play::GameSnapshot, registry::Variant, rules::Seat};
use askama::Template;

#[derive(Template)]
#[template(path = "card.html")]
struct Card<'p> {
    preview: &'p Preview,
}

/// The facts that the head of a page tells whoever makes a preview of it.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Of the page, absolute.
    pub url: String,
    /// Of the picture, absolute.
    pub image: String,
    /// In a line.
    pub title: String,
    /// In a sentence.
    pub words: String,
    /// Where oEmbed answers for this page, if it does.
    pub oembed: Option<String>,
}

impl Preview {
    /// Of a game, as anybody sees it.
    pub fn of_game(table: &GameSnapshot, base: &PublicOrigin) -> Preview {
        let url = base.url(&format!("/games/{}", table.id()));
        let escaped = percent_encoding::utf8_percent_encode(&url, percent_encoding::NON_ALPHANUMERIC);
        Preview {
            image: format!("{url}/image.png?{}", table.told(&[])),
            title: game_text::title(table),
            words: table
                .headline
                .get_or_init(|| game_text::headline(&Frame::of(&table.game, None, String::new())))
                .clone(),
            oembed: Some(base.url(&format!("/oembed?url={escaped}"))),
            url,
        }
    }

    /// Of an invitation to a game: who invites to what, and the board as anybody sees it.
    pub fn of_invitation(table: &GameSnapshot, base: &PublicOrigin, seat: Seat, code: &str) -> Preview {
        Preview {
            url: base.url(&format!("/invite/{code}")),
            title: format!("{} invites you to {}", table.name(!seat), table.game.title()),
            words: table.variant().summary.trim_end_matches('.').to_owned(),
            oembed: None,
            ..Preview::of_game(table, base)
        }
    }

    /// Of a position, whose page is at `path`; the page of pictures shows of it what `fen` says.
    pub fn of_position(
        base: &PublicOrigin,
        path: &str,
        pictures: &str,
        fen: &str,
        title: &str,
        words: &str,
    ) -> Preview {
        let placement = fen.split(' ').next().unwrap_or_default();
        Preview::of_page(base, path, &format!("{pictures}?fen={placement}"), title, words)
    }

    /// Of the rules of a variant.
    pub fn of_rules(base: &PublicOrigin, variant: &Variant) -> Preview {
        let path = format!("/rules/{}", variant.key);
        let title = format!("The rules of {}", variant.title);
        Preview::of_page(base, &path, &format!("{path}/image.png"), &title, variant.summary.trim_end_matches('.'))
    }

    /// Of any page and a picture for it, by their paths.
    pub fn of_page(base: &PublicOrigin, path: &str, picture: &str, title: &str, words: &str) -> Preview {
        Preview {
            url: base.url(path),
            image: base.url(picture),
            title: title.to_owned(),
            words: words.to_owned(),
            oembed: None,
        }
    }

    /// The tags by themselves, for a page whose head comes from elsewhere.
    pub fn tags(&self) -> Result<String, Error> {
        Card { preview: self }.render().map_err(Error::broken)
    }
}
