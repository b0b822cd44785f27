//! The preview in the head of a page, for whoever shows a link to it.

use super::{Base, words};
use crate::{game::Frame, play::LiveGame, rules::Seat};

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
    pub fn of_game(table: &LiveGame, base: &Base) -> Preview {
        let url = base.url(&format!("/games/{}", table.id()));
        let escaped = percent_encoding::utf8_percent_encode(&url, percent_encoding::NON_ALPHANUMERIC);
        Preview {
            image: format!("{url}/image.png?{}", table.told(&[])),
            title: words::title(table),
            words: table
                .headline
                .get_or_init(|| words::headline(&Frame::of(&*table.game, None, String::new())))
                .clone(),
            oembed: Some(base.url(&format!("/oembed?url={escaped}"))),
            url,
        }
    }

    /// Of an invitation to a game: who invites to what, and the board as anybody sees it.
    pub fn of_invitation(table: &LiveGame, base: &Base, seat: Seat, code: &str) -> Preview {
        Preview {
            url: base.url(&format!("/invite/{code}")),
            title: format!("{} invites you to {}", table.name(!seat), table.game.title()),
            words: table.variant().summary.trim_end_matches('.').to_owned(),
            oembed: None,
            ..Preview::of_game(table, base)
        }
    }

    /// Of a position, whose page is at `path`; the picture of a name shows of it what `fen` says.
    pub fn of_position(base: &Base, path: &str, picture: &str, fen: &str, title: &str, words: &str) -> Preview {
        let placement = fen.split(' ').next().unwrap_or_default();
        Preview {
            url: base.url(path),
            image: base.url(&format!("/diagram/{picture}.png?fen={placement}")),
            title: title.to_owned(),
            words: words.to_owned(),
            oembed: None,
        }
    }
}
