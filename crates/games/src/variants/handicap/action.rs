//! The actions of a handicap game: sealed offers, the coin between equal ones, and the actions of the game on the board; and which of two
//! offers gets what is bid for.

use std::{cmp::Ordering, fmt, str::FromStr};

use crate::{
    board::Color,
    rules::{Refusal, RulesVersion, Seat, any_game::AnyAction, protocol},
    variants::nested_game::Nested,
};

/// The greatest number of seconds on a slip.
pub const LONGEST: u32 = 86_400;

/// A unit that somebody would give up, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gift {
    /// No unit.
    Nothing,
    /// The pawn of the f-file, or of the last file where there is no f.
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

impl Gift {
    /// All of them, the least first.
    pub const ALL: [Gift; 8] =
        [Gift::Nothing, Gift::Pawn, Gift::Alfil, Gift::Ferz, Gift::Knight, Gift::Bishop, Gift::Rook, Gift::Queen];

    /// The word on the slip.
    pub const fn name(self) -> &'static str {
        match self {
            Gift::Nothing => "nothing",
            Gift::Pawn => "pawn",
            Gift::Alfil => "alfil",
            Gift::Ferz => "ferz",
            Gift::Knight => "knight",
            Gift::Bishop => "bishop",
            Gift::Rook => "rook",
            Gift::Queen => "queen",
        }
    }

    /// The units that can be given up before a game.
    pub fn before(base: Nested) -> Vec<Gift> {
        let old = base.start(RulesVersion::CURRENT, "").is_ok_and(|game| {
            let view = game.view(Some(Seat::One));
            view.diagram().pieces.iter().any(|piece| piece.name == Gift::Alfil.name())
        });
        let fits = |gift: &Gift| match gift {
            Gift::Nothing | Gift::Pawn | Gift::Knight | Gift::Rook => true,
            Gift::Alfil | Gift::Ferz => old,
            Gift::Bishop | Gift::Queen => !old,
        };
        Gift::ALL.into_iter().filter(fits).collect()
    }

    /// Its letter in a FEN; nothing where no unit is given up.
    const fn letter(self) -> Option<char> {
        match self {
            Gift::Nothing => None,
            Gift::Pawn => Some('p'),
            Gift::Knight => Some('n'),
            Gift::Bishop | Gift::Alfil => Some('b'),
            Gift::Rook => Some('r'),
            Gift::Queen | Gift::Ferz => Some('q'),
        }
    }

    /// The position, as FEN, without this unit of a colour: with the rook goes the right to castle with it. Nothing where there is no such
    /// unit.
    pub fn taken_from(self, fen: &str, color: Color) -> Option<String> {
        let small = self.letter()?;
        let letter = if color == Color::White { small.to_ascii_uppercase() } else { small };
        let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
        let (placement, held) = match fields[0].find('[') {
            Some(at) => fields[0].split_at(at),
            None => (fields[0].as_str(), ""),
        };
        let mut ranks: Vec<Vec<char>> = placement.split('/').map(spread).collect();
        let place = |rank: &Vec<char>| match self {
            Gift::Pawn => {
                (rank.get(5) == Some(&letter)).then_some(5).or_else(|| rank.iter().rposition(|sign| *sign == letter))
            }
            Gift::Nothing | Gift::Alfil | Gift::Ferz | Gift::Knight | Gift::Bishop | Gift::Rook | Gift::Queen => {
                rank.iter().position(|sign| *sign == letter)
            }
        };
        let (rank, file) = ranks.iter_mut().find_map(|rank| place(rank).map(|file| (rank, file)))?;
        rank[file] = EMPTY;
        let ranks: Vec<String> = ranks.iter().map(|rank| gathered(rank)).collect();
        fields[0] = format!("{}{held}", ranks.join("/"));
        if self == Gift::Rook {
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

/// An empty square of a rank that is written out.
const EMPTY: char = '.';

/// A rank of a FEN, square by square.
fn spread(rank: &str) -> Vec<char> {
    let squares = |sign: char| match sign.to_digit(10) {
        Some(empty) => vec![EMPTY; empty as usize],
        None => vec![sign],
    };
    rank.chars().flat_map(squares).collect()
}

/// A rank as a FEN has it.
fn gathered(rank: &[char]) -> String {
    let run = |squares: &[char]| match squares {
        [EMPTY, ..] => squares.len().to_string(),
        units => units.iter().collect(),
    };
    rank.chunk_by(|one, two| (*one == EMPTY) == (*two == EMPTY)).map(run).collect()
}

/// What a player has written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slip {
    /// Would play it with so many seconds.
    Seconds(u32),
    /// Would give up a unit for it.
    Unit(Gift),
}

impl Slip {
    /// Compares what two players offer: the greater offer gets what is bid for.
    pub fn offers(self, other: Slip) -> Ordering {
        match (self, other) {
            (Slip::Seconds(own), Slip::Seconds(other)) => other.cmp(&own),
            (Slip::Unit(own), Slip::Unit(other)) => own.cmp(&other),
            (Slip::Seconds(_), Slip::Unit(_)) | (Slip::Unit(_), Slip::Seconds(_)) => Ordering::Equal,
        }
    }

    /// Reads a slip from its word and what stands behind it.
    fn read(word: &str, rest: &str) -> Option<Result<Slip, Refusal>> {
        let at = word.len() + 1;
        match word {
            "seconds" => {
                let number = rest
                    .parse()
                    .ok()
                    .filter(|number: &u32| (1..=LONGEST).contains(number) && number.to_string() == rest);
                let wrong = || {
                    Refusal::at(at, format!("write seconds and a whole number from 1 to {LONGEST}, as in seconds 240"))
                };
                Some(number.map(Slip::Seconds).ok_or_else(wrong))
            }
            "give" => {
                let gift = Gift::ALL.into_iter().find(|gift| gift.name() == rest);
                let names: Vec<&str> = Gift::ALL.into_iter().map(Gift::name).collect();
                let wrong =
                    || Refusal::at(at, format!("write give and one of {}, as in give knight", names.join(", ")));
                Some(gift.map(Slip::Unit).ok_or_else(wrong))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slip::Seconds(seconds) => write!(f, "seconds {seconds}"),
            Slip::Unit(gift) => write!(f, "give {}", gift.name()),
        }
    }
}

impl FromStr for Slip {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Slip, Refusal> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let wrong = || Refusal::at(0, "a slip is written as seconds 240 or as give knight");
        Slip::read(word, rest).unwrap_or_else(|| Err(wrong()))
    }
}

/// The coin’s words before the colour.
const COIN: &str = "coin seat1";

/// Something that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A player writes a slip.
    Bid(Slip),
    /// Between equal slips the coin gives seat one a colour.
    Coin(Color),
    /// It belongs to the game on the board.
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
        match Slip::read(word, rest) {
            Some(slip) => slip.map(Action::Bid),
            None => text.parse().map(Action::Play),
        }
    }
}
