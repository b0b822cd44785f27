//! The course of moves on a board: what was played, where it led, and how often a position has stood. Shared by every variant in
//! which orthodox pieces move; what ends a game is each variant's own affair.

use std::sync::Arc;

use super::{
    choice::Choice,
    diagram::{Diagram, Entry, Held, Place},
    refusal::Refusal,
    seat::Seat,
};
use crate::board::{Board, Color, Locus, Move, Position, Royalty, SanError, Square, Squares, Uci, orthodox, pgn::Pgn};

/// Moves played from a starting position.
#[derive(Clone, PartialEq, Debug)]
pub struct Course {
    /// Where it began.
    pub start: Position,
    /// Where it stands.
    pub position: Position,
    /// The moves played, in order.
    pub played: Vec<Played>,
    /// The positions so far, each with the number of what is counted beside the board.
    keys: Vec<(Position, usize)>,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The ply of the whole game after which it stood.
    pub ply: usize,
    /// The colour that moved.
    pub color: Color,
    /// The move as it is said.
    pub uci: Uci,
    /// The move as players write it.
    pub san: String,
    /// The notes beside it on the score sheet.
    pub notes: String,
}

impl Played {
    /// The line of the score sheet; `seat` plays the colour.
    pub fn entry(&self, seat: Seat) -> Entry {
        Entry {
            ply: self.ply,
            seat: Some(seat),
            text: self.san.clone(),
            action: Some(self.uci.to_string()),
            notes: self.notes.clone(),
            told: None,
            deal: None,
            place: Place::Move(self.color),
            about: None,
        }
    }
}

/// The last position of a game in portable notation, as FEN: moves as `board` has them, from the position that the game's tag `FEN`
/// names, or the `usual` one.
pub fn last_position(board: &Board, usual: &str, game: &Pgn) -> Result<String, Refusal> {
    let after = |position, text: &str| Ok(board.after(&position, board.parse_san(&position, text)?));
    Ok(board.fen(&replay(start_position(usual, game)?, game, |position| position.turn, after)?))
}

/// All moves of a game in portable notation, one after the other: `mover` says whose move is read, `after` reads it. Refusals point
/// into the text.
pub fn replay<S>(
    start: S,
    game: &Pgn,
    mover: impl Fn(&S) -> Color,
    mut after: impl FnMut(S, &str) -> Result<S, SanError>,
) -> Result<S, Refusal> {
    game.moves.iter().enumerate().try_fold(start, |state, (index, written)| {
        let color = mover(&state);
        after(state, &written.text).map_err(|wrong| {
            let place = format!("move {} of {}, “{}”", index / 2 + 1, color.name(), written.text);
            Refusal::at(written.at + wrong.at, format!("{place}: {}", wrong.why))
        })
    })
}

/// The FEN with which a game in portable notation begins: that of its tag `FEN`, else the `usual` one.
pub fn beginning<'t>(usual: &'t str, game: &'t Pgn) -> Result<&'t str, Refusal> {
    if game.moves.is_empty() && game.tag("FEN").is_none() {
        return Err(Refusal::at(0, "this is neither a FEN nor a game: there is no move in it"));
    }
    Ok(game.tag("FEN").unwrap_or(usual))
}

/// The position with which a game of orthodox pieces begins.
pub fn start_position(usual: &str, game: &Pgn) -> Result<Position, Refusal> {
    Board::orthodox().parse_fen(beginning(usual, game)?).map_err(|wrong| in_tag(Refusal::new(wrong.to_string())))
}

/// A refusal of the tag that names the position to begin from; places in the tag are none in the text.
pub fn in_tag(refusal: Refusal) -> Refusal {
    Refusal::new(format!("the tag FEN of this game: {}", refusal.why))
}

impl Course {
    /// A course that begins at `start`.
    pub fn new(board: &Board, start: Position) -> Self {
        Course { start, position: start, played: Vec::new(), keys: vec![(key(board, &start), 0)] }
    }

    /// The legal move that a text means here.
    pub fn find(&self, board: &Board, uci: Uci) -> Result<Move, Refusal> {
        let moves = board.moves(&self.position);
        board.meant(&moves, uci).ok_or_else(|| self.why_not(board, &moves, uci))
    }

    /// The move that score sheets write so here.
    pub fn read(&self, board: &Board, text: &str) -> Option<Uci> {
        board.parse_san(&self.position, text).ok().map(|mv| board.uci(mv))
    }

    /// Why a move is refused, in words.
    fn why_not(&self, board: &Board, moves: &[Move], uci: Uci) -> Refusal {
        if uci.dropped.is_some() {
            let why = board.said_drop(&self.position, &uci.to_string()).err();
            return why.map_or_else(|| Refusal::new("that is no drop"), |(at, why)| Refusal::at(at, why));
        }
        let (mover, from, to) = (self.position.turn, uci.from, uci.to);
        let Some(piece) = self.position.piece(from) else {
            return Refusal::at(0, format!("there is no piece on {from}"));
        };
        let name = &board.kind(piece.kind).name;
        if piece.color != mover {
            return Refusal::at(
                0,
                format!("the {name} on {from} is {}’s, and {} is to move", piece.color.name(), mover.name()),
            );
        }
        let there: Vec<String> = moves
            .iter()
            .map(|mv| board.uci(*mv))
            .filter(|other| other.from == from && other.to == to)
            .map(|other| other.to_string())
            .collect();
        if !there.is_empty() {
            let why = match uci.promotion {
                Some(letter) => format!(
                    "“{letter}” is not what a move from {from} to {to} can end with; write {}",
                    there.join(", ")
                ),
                None => format!("the pawn must become something; write {}", there.join(", ")),
            };
            return Refusal::at(4, why);
        }
        if let Some(mv) = board.pseudo_moves(&self.position).into_iter().find(|mv| board.uci(*mv) == uci) {
            let why = board.neglected(&self.position, mv).unwrap_or("the king would be in check");
            return Refusal::at(2, format!("the {name} cannot go from {from} to {to}: {why}"));
        }
        Refusal::at(2, format!("the {name} on {from} cannot go to {to}"))
    }

    /// Plays a legal move that brings the whole game to `ply`.
    pub fn play(&mut self, board: &Board, mv: Move, ply: usize) {
        let san = board.san(&self.position, mv);
        let color = self.position.turn;
        self.played.push(Played { ply, color, uci: board.uci(mv), san, notes: String::new() });
        self.position = board.after(&self.position, mv);
        self.keys.push((key(board, &self.position), 0));
    }

    /// Puts the duck on another square as the second part of the turn that was played last.
    pub fn put_duck(&mut self, board: &Board, to: Square) {
        self.position.duck = to.set();
        if let Some((now, _)) = self.keys.last_mut() {
            *now = key(board, &self.position);
        }
        if let Some(played) = self.played.last_mut() {
            played.san.push_str(&format!("@{to}"));
        }
    }

    /// Numbers what is counted beside the board as it stands now: positions are the same only with the same number.
    pub fn beside(&mut self, number: usize) {
        if let Some((_, beside)) = self.keys.last_mut() {
            *beside = number;
        }
    }

    /// The number of times that the position that stands now has stood, this time included.
    pub fn occurrences(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|key| Some(*key) == now).count()
    }

    /// The positions since the last capture or pawn move, the one that stands now left out: those that could come again.
    pub fn recent(&self) -> Vec<Position> {
        let stood = self.keys.len() - 1;
        let quiet = usize::from(self.position.halfmove).min(stood);
        self.keys[stood - quiet..stood].iter().map(|(position, _)| *position).collect()
    }

    /// All moves of the side to move as choices, in a fixed order.
    pub fn choices(&self, board: &Board) -> Vec<Choice> {
        board.moves(&self.position).into_iter().map(|mv| Choice::of_move(board, &self.position, mv)).collect()
    }

    /// The diagram of the position that stands now, with the last move and the sheet; `seat` tells who plays a colour.
    pub fn diagram(&self, board: &Board, seat: impl Fn(Color) -> Seat) -> Diagram {
        let mut diagram = Diagram::of(board, &self.position);
        diagram.last = self.played.last().map_or_else(Vec::new, |last| Locus::each([last.uci.from, last.uci.to]));
        diagram.last.dedup();
        // Where captured pieces are dropped, none of them is lost.
        let [reserves, captured] = if board.holdings {
            [Color::BOTH.map(|color| self.held(board, color)), Default::default()]
        } else {
            [Default::default(), Color::BOTH.map(|color| self.lost(board, !color))]
        };
        let turned = seat(Color::White) == Seat::Two;
        let seated =
            |[white, black]: [Vec<Held>; 2]| if turned { [black, white].into() } else { [white, black].into() };
        (diagram.reserves, diagram.captured) = (seated(reserves), seated(captured));
        diagram.sheet = Arc::new(self.played.iter().map(|played| played.entry(seat(played.color))).collect());
        diagram
    }

    /// The pieces that a side has to drop, the most valuable first.
    fn held(&self, board: &Board, color: Color) -> Vec<Held> {
        self.position.holdings(color).map(|(kind, count)| Held::new(board.kind(kind), u32::from(count))).collect()
    }

    /// The pieces that a side has lost since the beginning, the most valuable first. A pawn that became something is not lost.
    fn lost(&self, board: &Board, color: Color) -> Vec<Held> {
        let count = |position: &Position, kind: u8| {
            position.pieces().filter(|(_, piece)| piece.color == color && piece.kind == kind).count()
        };
        // Those that are not orthodox stand behind them.
        let own = (Board::orthodox().kinds().len()..board.kinds().len()).map(|kind| kind as u8);
        let own = own.filter(|kind| !board.kind(*kind).design.royal);
        let usual = [orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT];
        let king = (board.royalty == Royalty::Ordinary).then_some(orthodox::KING);
        let kinds: Vec<u8> = usual.into_iter().chain(king).chain(own).collect();
        let change = |kind| count(&self.start, kind) as i64 - count(&self.position, kind) as i64;
        let became: i64 = kinds.iter().map(|kind| change(*kind).min(0)).sum();
        let lost = kinds
            .into_iter()
            .map(|kind| (kind, change(kind)))
            .chain([(orthodox::PAWN, change(orthodox::PAWN) + became)]);
        let held = |(kind, lost): (u8, i64)| {
            let lost = u32::try_from(lost).ok().filter(|lost| *lost > 0)?;
            Some(Held::new(board.kind(kind), lost))
        };
        lost.filter_map(held).collect()
    }
}

/// The part of a position that must be equal for two positions to count as the same: placement, side, castling rights, and the
/// en-passant square only where a capture there is legal (FIDE Laws, article 9.2).
pub(super) fn key(board: &Board, position: &Position) -> Position {
    let mut key = *position;
    key.halfmove = 0;
    key.fullmove = 1;
    if !key.en_passant.is_empty() {
        let legal = board.moves(position).into_iter().filter(|mv| mv.special == crate::board::Special::EnPassant);
        key.en_passant = legal.map(|mv| mv.to).collect();
    }
    key
}

/// Tells whether no sequence of moves can mate, as far as the count of the material tells: bare kings, one knight, or bishops that
/// all stand on one colour of square. Orthodox pieces only.
pub fn dead(position: &Position) -> bool {
    let others: Vec<(Square, u8)> = position
        .pieces()
        .map(|(square, piece)| (square, piece.kind))
        .filter(|(_, kind)| *kind != orthodox::KING)
        .collect();
    match others.as_slice() {
        [] | [(_, orthodox::KNIGHT)] => true,
        [(first, _), ..] => {
            others.iter().all(|(square, kind)| *kind == orthodox::BISHOP && square.dark() == first.dark())
        }
    }
}

/// Tells whether a side has nothing but royal pieces.
pub fn bare(board: &Board, position: &Position, color: Color) -> bool {
    position.of(color) == board.royals(position, color)
}

/// The usual rough worth of orthodox kinds in hundredths of a pawn, by index; a king that can be captured is worth the game, unless it
/// is a piece like any other.
const WORTH: [i64; 6] = [100, 300, 310, 500, 900, 0];
/// The same of any other kind.
const OTHER: i64 = 300;

/// The material of White and Black, roughly, in hundredths of a pawn.
pub fn material(board: &Board, position: &Position) -> [i64; 2] {
    counted(board, position, &WORTH)
}

/// The same with other worths of the kinds, by index.
pub fn counted(board: &Board, position: &Position, worth: &[i64]) -> [i64; 2] {
    let mut sums = [0; 2];
    for (_, piece) in position.pieces() {
        let worth = worth.get(piece.kind as usize).copied().unwrap_or(OTHER);
        sums[piece.color.index()] += match board.royalty {
            Royalty::Capture if board.kind(piece.kind).design.royal => 100_000,
            Royalty::Ordinary if board.kind(piece.kind).design.royal => OTHER,
            Royalty::Check | Royalty::Capture | Royalty::Ordinary => worth,
        };
    }
    for color in Color::BOTH {
        let held = position.holdings(color).map(|(kind, count)| worth[usize::from(kind)] * i64::from(count));
        sums[color.index()] += held.sum::<i64>();
    }
    sums
}

/// The most pieces that a side ever has where none can be bought, and the most pawns among them.
const MOST: [(usize, &str); 2] = [(16, "pieces"), (8, "pawns")];

/// The most of a horde, which begins with as many pawns.
const HORDE: [(usize, &str); 2] = [(36, "pieces"), (36, "pawns")];

/// Refuses what no game that begins as usual could come to: such positions only cost whoever works them out.
fn reachable(board: &Board, position: &Position) -> Result<(), Refusal> {
    if board.holdings {
        return conserved(position);
    }
    for color in [Color::White, Color::Black] {
        let most = if board.horde == Some(color) { HORDE } else { MOST };
        let own = || position.pieces().filter(|(_, piece)| piece.color == color);
        let found = [own().count(), own().filter(|(_, piece)| piece.kind == orthodox::PAWN).count()];
        for (found, (most, what)) in found.into_iter().zip(most) {
            if found > most {
                return Err(Refusal::new(format!(
                    "{} has {found} {what}, and no side has more than {most}",
                    color.name()
                )));
            }
        }
    }
    Ok(())
}

/// The same where what is captured is dropped: both sides together never have more than they began with.
fn conserved(position: &Position) -> Result<(), Refusal> {
    let count = |of: &dyn Fn(u8) -> bool| {
        let board = position
            .pieces()
            .filter(|(square, piece)| if position.promoted.has(*square) { of(orthodox::PAWN) } else { of(piece.kind) });
        let held = Color::BOTH.into_iter().flat_map(|color| position.holdings(color)).filter(|(kind, _)| of(*kind));
        board.count() + held.map(|(_, count)| usize::from(count)).sum::<usize>()
    };
    let found = [count(&|_| true), count(&|kind| kind == orthodox::PAWN)];
    for (found, (most, what)) in found.into_iter().zip(MOST) {
        if found > 2 * most {
            let why = format!("both sides have {found} {what} together, and there are never more than {}", 2 * most);
            return Err(Refusal::new(why));
        }
    }
    Ok(())
}

/// Reads a FEN as the start of an orthodox game and refuses what cannot be played.
pub fn start_from(board: &Board, fen: &str) -> Result<Position, Refusal> {
    let refuse = |error: crate::board::FenError| Refusal::at(error.at, error.to_string());
    let position = board.parse_fen(fen).map_err(refuse)?;
    reachable(board, &position)?;
    board.validate(&position).map_err(refuse)?;
    let castling = position.rights & !(Squares::rank(0) | board.size().last_rank(Color::White));
    if castling.is_empty() {
        Ok(position)
    } else {
        Err(Refusal::new("castling rights need the rook on its first rank"))
    }
}
