//! Actions of a handicap game: sealed offers, the coin between equal ones, and the actions of the game on the board. Also compares offers.

use std::{cmp::Ordering, fmt, str::FromStr};

use crate::{
    board::Color,
    rules::{Refusal, RulesVersion, Seat, any_game::AnyAction, protocol},
    variants::nested_game::Nested,
};

/// Highest number of seconds in an offer.
pub const LONGEST: u32 = 86_400;

/// A piece that a player offers to give up, in rising order of value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PieceOdds {
    /// No piece.
    Nothing,
    /// The pawn on the f-file, or on the last file of a board without an f-file.
    Pawn,
    /// In shatranj, the alfil nearest to the a-file.
    Alfil,
    /// In shatranj, the ferz.
    Ferz,
    /// The knight nearest to the a-file.
    Knight,
    /// The bishop nearest to the a-file.
    Bishop,
    /// The rook nearest to the a-file.
    Rook,
    /// The queen.
    Queen,
}

impl PieceOdds {
    /// All of them, in rising order.
    pub const ALL: [PieceOdds; 8] = [
        PieceOdds::Nothing,
        PieceOdds::Pawn,
        PieceOdds::Alfil,
        PieceOdds::Ferz,
        PieceOdds::Knight,
        PieceOdds::Bishop,
        PieceOdds::Rook,
        PieceOdds::Queen,
    ];

    /// The name in the text of an offer.
    pub const fn name(self) -> &'static str {
        match self {
            PieceOdds::Nothing => "nothing",
            PieceOdds::Pawn => "pawn",
            PieceOdds::Alfil => "alfil",
            PieceOdds::Ferz => "ferz",
            PieceOdds::Knight => "knight",
            PieceOdds::Bishop => "bishop",
            PieceOdds::Rook => "rook",
            PieceOdds::Queen => "queen",
        }
    }

    /// The pieces that can be offered in a variant.
    pub fn before(base: Nested) -> Vec<PieceOdds> {
        let old = base.start(RulesVersion::CURRENT, "").is_ok_and(|game| {
            let view = game.view(Some(Seat::One));
            view.diagram().pieces.iter().any(|piece| piece.name == PieceOdds::Alfil.name())
        });
        let fits = |gift: &PieceOdds| match gift {
            PieceOdds::Nothing | PieceOdds::Pawn | PieceOdds::Knight | PieceOdds::Rook => true,
            PieceOdds::Alfil | PieceOdds::Ferz => old,
            PieceOdds::Bishop | PieceOdds::Queen => !old,
        };
        PieceOdds::ALL.into_iter().filter(fits).collect()
    }

    /// Letter of the piece in a FEN; `None` where no piece is given up.
    const fn letter(self) -> Option<char> {
        match self {
            PieceOdds::Nothing => None,
            PieceOdds::Pawn => Some('p'),
            PieceOdds::Knight => Some('n'),
            PieceOdds::Bishop | PieceOdds::Alfil => Some('b'),
            PieceOdds::Rook => Some('r'),
            PieceOdds::Queen | PieceOdds::Ferz => Some('q'),
        }
    }

    /// A FEN without this piece of a colour. The right to castle with a removed rook goes too. `None` if there is no such piece.
    pub fn remove_from(self, fen: &str, color: Color) -> Option<String> {
        let small = self.letter()?;
        let letter = if color == Color::White { small.to_ascii_uppercase() } else { small };
        let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
        let (placement, held) = match fields[0].find('[') {
            Some(at) => fields[0].split_at(at),
            None => (fields[0].as_str(), ""),
        };
        let mut ranks: Vec<Vec<char>> = placement.split('/').map(expand_rank).collect();
        let place = |rank: &Vec<char>| match self {
            PieceOdds::Pawn => {
                (rank.get(5) == Some(&letter)).then_some(5).or_else(|| rank.iter().rposition(|sign| *sign == letter))
            }
            PieceOdds::Nothing
            | PieceOdds::Alfil
            | PieceOdds::Ferz
            | PieceOdds::Knight
            | PieceOdds::Bishop
            | PieceOdds::Rook
            | PieceOdds::Queen => rank.iter().position(|sign| *sign == letter),
        };
        let (rank, file) = ranks.iter_mut().find_map(|rank| place(rank).map(|file| (rank, file)))?;
        rank[file] = EMPTY;
        let ranks: Vec<String> = ranks.iter().map(|rank| collapse_rank(rank)).collect();
        fields[0] = format!("{}{held}", ranks.join("/"));
        if self == PieceOdds::Rook {
            let own = |sign: char| sign.is_ascii_uppercase() == (color == Color::White);
            let lost = |sign: char| own(sign) && sign.eq_ignore_ascii_case(&'q');
            fields[2].retain(|sign| !lost(sign));
            if fields[2].is_empty() {
                "-".clone_into(&mut fields[2]);
            }
        }
        Some(fields.join(" "))
    }
}

/// An empty square of an expanded rank.
const EMPTY: char = '.';

/// Expands a rank of a FEN into one character per square.
fn expand_rank(rank: &str) -> Vec<char> {
    let squares = |sign: char| match sign.to_digit(10) {
        Some(empty) => vec![EMPTY; empty as usize],
        None => vec![sign],
    };
    rank.chars().flat_map(squares).collect()
}

/// Writes an expanded rank as a FEN has it.
fn collapse_rank(rank: &[char]) -> String {
    let run = |squares: &[char]| match squares {
        [EMPTY, ..] => squares.len().to_string(),
        units => units.iter().collect(),
    };
    rank.chunk_by(|one, two| (*one == EMPTY) == (*two == EMPTY)).map(run).collect()
}

/// The offer of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SealedOffer {
    /// Plays the side with this many seconds.
    Seconds(u32),
    /// Gives up a piece for it.
    Unit(PieceOdds),
}

impl SealedOffer {
    /// Compares two offers; the greater one gets the side.
    pub fn compare(self, other: SealedOffer) -> Ordering {
        match (self, other) {
            (SealedOffer::Seconds(own), SealedOffer::Seconds(other)) => other.cmp(&own),
            (SealedOffer::Unit(own), SealedOffer::Unit(other)) => own.cmp(&other),
            (SealedOffer::Seconds(_), SealedOffer::Unit(_)) | (SealedOffer::Unit(_), SealedOffer::Seconds(_)) => {
                Ordering::Equal
            }
        }
    }

    /// Parses an offer from its first word and the rest; `None` if the word begins no offer.
    fn read(word: &str, rest: &str) -> Option<Result<SealedOffer, Refusal>> {
        let at = word.len() + 1;
        match word {
            "seconds" => {
                let number = rest
                    .parse()
                    .ok()
                    .filter(|number: &u32| (1..=LONGEST).contains(number) && number.to_string() == rest);
                let wrong =
                    || Refusal::at(at, format!("write a whole number from 1 to {LONGEST} here, as in seconds 240"));
                Some(number.map(SealedOffer::Seconds).ok_or_else(wrong))
            }
            "give" => {
                let gift = PieceOdds::ALL.into_iter().find(|gift| gift.name() == rest);
                let names: Vec<&str> = PieceOdds::ALL.into_iter().map(PieceOdds::name).collect();
                let wrong = || Refusal::at(at, format!("write one of {} here, as in give knight", names.join(", ")));
                Some(gift.map(SealedOffer::Unit).ok_or_else(wrong))
            }
            _ => None,
        }
    }
}

impl fmt::Display for SealedOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SealedOffer::Seconds(seconds) => write!(f, "seconds {seconds}"),
            SealedOffer::Unit(gift) => write!(f, "give {}", gift.name()),
        }
    }
}

impl FromStr for SealedOffer {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<SealedOffer, Refusal> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let wrong = || Refusal::at(0, "write an offer as in seconds 240 or give knight");
        SealedOffer::read(word, rest).unwrap_or_else(|| Err(wrong()))
    }
}

/// Text of a coin toss before the colour.
const COIN: &str = "coin seat1";

/// An action of a player or chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A player submits an offer.
    Bid(SealedOffer),
    /// The coin between equal offers gives seat one a colour.
    Coin(Color),
    /// An action of the game on the board.
    Play(AnyAction),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Bid(slip) => slip.fmt(f),
            Action::Coin(color) => write!(f, "{COIN} {}", color.name()),
            Action::Play(said) => said.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Action, Refusal> {
        if let Some(color) = text.strip_prefix(COIN).and_then(|rest| rest.strip_prefix(' ')) {
            return protocol::coin_color(COIN.len() + 1, color).map(Action::Coin);
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match SealedOffer::read(word, rest) {
            Some(slip) => slip.map(Action::Bid),
            None => text.parse().map(Action::Play),
        }
    }
}
