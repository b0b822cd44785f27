//! The words of every game that somebody who looks at its page can say.

use crate::{
    game::{Live, Word},
    rules::Seat,
};

/// The words that the viewer can say now.
#[derive(Default)]
pub(super) struct Saying {
    pub(super) draw: bool,
    pub(super) takeback: bool,
    pub(super) withdraw: bool,
    pub(super) claim: bool,
    pub(super) abort: bool,
    pub(super) resign: bool,
    pub(super) resign_match: bool,
    pub(super) rematch: bool,
}

impl Saying {
    pub(super) fn of(game: &Live, seat: Seat, both: bool) -> Saying {
        let can = |word: Word| game.can(seat, word);
        Saying {
            draw: can(Word::Draw),
            takeback: can(Word::Takeback) || both && game.can(!seat, Word::Takeback),
            withdraw: can(Word::Withdraw),
            claim: can(Word::Claim),
            abort: can(Word::Abort),
            resign: can(Word::Resign),
            resign_match: can(Word::ResignMatch),
            rematch: can(Word::Rematch),
        }
    }

    pub(super) fn anything(&self) -> bool {
        self.draw || self.takeback || self.claim || self.abort || self.resign || self.resign_match
    }
}
