//! The words that a seat can say in every game, whatever its rules.

/// A word that every game knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Gives up the game, or the deal of a match.
    Resign,
    /// Gives up all that is left of a match.
    ResignMatch,
    /// Offers a draw, or agrees to one.
    Draw,
    /// Asks to take back the last own step, or agrees to that.
    Takeback,
    /// Turns down what the other side has offered.
    Decline,
    /// Takes back an offer of one's own.
    Withdraw,
    /// Calls the game off before both have chosen anything.
    Abort,
    /// Claims a draw that the rules grant.
    Claim,
    /// Asks to play again: the same game, or another one that is named.
    Rematch,
}

impl Word {
    /// All of them.
    pub const ALL: [Word; 9] = [
        Word::Resign,
        Word::ResignMatch,
        Word::Draw,
        Word::Takeback,
        Word::Decline,
        Word::Withdraw,
        Word::Abort,
        Word::Claim,
        Word::Rematch,
    ];

    /// The text in which it is said.
    pub const fn text(self) -> &'static str {
        match self {
            Word::Resign => "resign",
            Word::ResignMatch => "resign match",
            Word::Draw => "draw",
            Word::Takeback => "takeback",
            Word::Decline => "decline",
            Word::Withdraw => "withdraw",
            Word::Abort => "abort",
            Word::Claim => "claim",
            Word::Rematch => "rematch",
        }
    }

    /// The word that a text is, if it is one. Behind `rematch` another game may be named, as in `rematch bidding`.
    pub fn read(text: &str) -> Option<Word> {
        let named = Word::named(text).map(|_| Word::Rematch);
        named.or_else(|| Word::ALL.into_iter().find(|word| word.text() == text))
    }

    /// The key of the game for which a rematch is asked, where it is named.
    pub fn named(text: &str) -> Option<&str> {
        text.strip_prefix(Word::Rematch.text())?.strip_prefix(' ')
    }
}
