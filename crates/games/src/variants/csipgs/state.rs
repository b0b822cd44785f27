//! State of a game: both players' money, reserves and designs, the board, and the sequence of turns.

use std::sync::Arc;

use super::{
    action::Action,
    options::{Army, Csipgs},
    piece_design::PieceDesign,
    price::{Catalogue, Exact},
    terms::{ArmyLimits, Terms},
};
use crate::{
    board::{Board, Color, Invention, Piece, Position, Square, Squares},
    rules::{Entry, Outcome, Place, Seat, diagram::About},
};

/// Phase of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Phase {
    /// Both seats set up sealed armies.
    Armies,
    /// The mover places one piece of its army.
    Place,
    /// The mover moves, buys or transfers.
    Action,
    /// The mover may replace a design.
    Design,
    /// Both seats submit sealed estimates of the mover's invention.
    Estimate(Invention),
}

/// One player's money, reserve and designs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Holdings {
    /// In tenths of a zorkmid.
    pub(super) treasury: i64,
    /// Pieces bought but not yet on the board.
    pub(super) reserve: Vec<Arc<PieceDesign>>,
    /// The six designs that the player can buy.
    pub(super) designs: [Arc<PieceDesign>; 6],
    /// Exact cost of the player's army so far.
    pub(super) spent: Exact,
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub(super) board: Arc<Board>,
    /// Piece types by the index of their board kind.
    pub(super) roster: Arc<Vec<Arc<PieceDesign>>>,
    /// Piece types of all boards and designs so far, in the order of their appearance.
    pub(super) seen: Arc<Vec<Arc<PieceDesign>>>,
    pub(super) position: Position,
    /// Position at the first turn, as a FEN and the meaning of its letters.
    pub(super) start_position: Option<(String, String)>,
    pub(super) mover: Color,
    /// Number of turns begun, counting those of both players.
    pub(super) turn: i64,
    pub(super) phase: Phase,
    pub(super) sides: [Holdings; 2],
    pub(super) catalogue: Arc<Catalogue>,
    /// Number of applied steps.
    pub(super) steps: usize,
    pub(super) sheet: Log<Entry>,
    pub(super) keys: Log<Box<str>>,
    /// Both treasuries at the start of every turn, in tenths, newest first.
    pub(super) ledger: Log<[i64; 2]>,
    pub(super) last: Vec<Square>,
    /// Limits on armies, during set-up only.
    pub(super) limits: Option<Arc<ArmyLimits>>,
    pub(super) outcome: Option<Outcome>,
}

impl State {
    /// Initial state. Without army set-up it includes White's first income.
    pub(super) fn start(options: &Csipgs, Terms { size, king, limits, designs, given }: &Terms) -> State {
        if let Some(given) = given {
            return State::clone(given);
        }
        let side = |treasury| Holdings { treasury, reserve: Vec::new(), designs: designs.clone(), spent: Exact::ZERO };
        let mut state = State {
            board: Arc::new(Board::new(*size, Vec::new())),
            roster: Arc::default(),
            seen: Arc::new(designs.to_vec()),
            position: Position::EMPTY,
            start_position: None,
            mover: Color::White,
            turn: 0,
            phase: Phase::Action,
            sides: [side(options.white_tenths), side(options.black_tenths)],
            catalogue: Arc::default(),
            steps: 0,
            sheet: Log::new(),
            keys: Log::new(),
            ledger: Log::new(),
            last: Vec::new(),
            limits: None,
            outcome: None,
        };
        match options.army {
            Army::None => {
                // The kings start on the e-file, or on the middle file of a smaller board. Of two middle files it is
                // the right one (our reading).
                let file = size.width() / 2;
                for color in Color::BOTH {
                    state.put(color, king, Square::new(file, size.rank_of(color, 0)));
                }
                state.begin(options);
            }
            Army::Secret | Army::Alternate => {
                state.phase = if options.army == Army::Secret { Phase::Armies } else { Phase::Place };
                state.limits = limits.clone();
            }
        }
        state
    }

    /// Starts the first turn.
    pub(super) fn begin(&mut self, options: &Csipgs) {
        self.limits = None;
        self.note_start_position();
        self.start_turn(options);
    }

    fn note_start_position(&mut self) {
        let letters: Vec<String> =
            (self.board.kinds().iter()).map(|kind| format!("{}={}", kind.written(), kind.betza)).collect();
        self.start_position = Some((self.board.fen(&self.position), letters.join(" ")));
    }

    /// Starts the course of a game from a given position.
    pub(super) fn start_course(&mut self) {
        self.note_start_position();
        self.keys.push(self.key());
        self.ledger.push(self.sides.each_ref().map(|side| side.treasury));
    }

    /// Starts the next turn: credits the income, then tests whether the game is over.
    fn start_turn(&mut self, options: &Csipgs) {
        self.turn += 1;
        self.phase = Phase::Action;
        self.position.turn = self.mover;
        self.position.fullmove = u16::try_from((self.turn + 1) / 2).unwrap_or(u16::MAX);
        let income = options.income(self.turn);
        let treasury = &mut self.side_mut().treasury;
        *treasury = treasury.saturating_add(income);
        self.keys.push(self.key());
        self.ledger.push(self.sides.each_ref().map(|side| side.treasury));
        self.outcome = self.outcome_at_start(options);
    }

    /// Ends the turn after its design phase.
    pub(super) fn end_turn(&mut self, options: &Csipgs) {
        self.mover = !self.mover;
        self.start_turn(options);
    }

    /// Seat whose turn it is, also while both seats make sealed choices.
    pub(super) fn seat(&self) -> Seat {
        Seat::of(self.mover)
    }

    pub(super) fn side(&self) -> &Holdings {
        &self.sides[self.mover.index()]
    }

    pub(super) fn side_mut(&mut self) -> &mut Holdings {
        &mut self.sides[self.mover.index()]
    }

    /// Type of the piece on a square.
    pub(super) fn piece_type(&self, square: Square) -> Option<&Arc<PieceDesign>> {
        self.position.piece(square).map(|piece| &self.roster[usize::from(piece.kind)])
    }

    /// Number of a side's pieces on the board and in reserve.
    pub(super) fn pieces(&self, color: Color) -> usize {
        self.position.of(color).len() as usize + self.sides[color.index()].reserve.len()
    }

    /// Attacked royal pieces of a side.
    pub(super) fn attacked(&self, color: Color) -> Squares {
        self.board
            .royals(&self.position, color)
            .filter(|royal| self.board.attacked(&self.position, !color, *royal))
            .collect()
    }

    /// Whether a capture on `square` would take a side's last royal piece, which is illegal.
    pub(super) fn last_royal(&self, position: &Position, color: Color, square: Square) -> bool {
        self.board.royals(position, color).only() == Some(square)
    }

    /// Puts a new piece on the board.
    pub(super) fn put(&mut self, color: Color, piece_type: &Arc<PieceDesign>, square: Square) {
        let kind = self.kind(piece_type);
        self.position.put(&self.board, square, Piece { color, kind });
    }

    /// Index of a piece type among the board's kinds. Adds a new type. When the board has no free index, the new type
    /// replaces one without pieces on the board.
    fn kind(&mut self, piece_type: &Arc<PieceDesign>) -> u8 {
        if let Some(known) = self.roster.iter().position(|known| known == piece_type) {
            return known as u8;
        }
        self.see(piece_type);
        let kind = piece_type.kind(|letter, dress| self.board.kind_with_apostrophes(letter, dress).is_some());
        let (board, roster) = (Arc::make_mut(&mut self.board), Arc::make_mut(&mut self.roster));
        if roster.len() < Board::MOST_KINDS {
            roster.push(piece_type.clone());
            return board.add(kind);
        }
        let used: Vec<u8> = self.position.pieces().map(|(_, piece)| piece.kind).collect();
        let free = (0..Board::MOST_KINDS as u8)
            .find(|kind| !used.contains(kind))
            .expect("a board has more kinds than squares");
        roster[usize::from(free)] = piece_type.clone();
        board.replace(free, kind);
        free
    }

    /// Notes that a piece type has appeared.
    pub(super) fn see(&mut self, piece_type: &Arc<PieceDesign>) {
        if !self.seen.contains(piece_type) {
            Arc::make_mut(&mut self.seen).push(piece_type.clone());
        }
    }

    /// Key of the position for repetition: the pieces with their texts, the side to move, and both reserves and design
    /// lists in any order. It leaves out the treasuries, because every income changes them (our reading of FIDE's
    /// rule).
    fn key(&self) -> Box<str> {
        let mut key = String::with_capacity(256);
        key.push(if self.mover == Color::White { 'w' } else { 'b' });
        for (square, piece) in self.position.pieces() {
            key.push(char::from(b'!' + square.index() as u8));
            key.push(if piece.color == Color::White { '+' } else { '-' });
            key.push_str(&self.roster[usize::from(piece.kind)].text);
            if self.position.rights.has(square) {
                key.push('^');
            }
        }
        for side in &self.sides {
            for piece_types in [&side.reserve[..], &side.designs[..]] {
                key.push('/');
                let mut texts: Vec<&str> = piece_types.iter().map(|piece_type| piece_type.text.as_str()).collect();
                texts.sort_unstable();
                for text in texts {
                    key.push_str(text);
                    key.push(' ');
                }
            }
        }
        key.into_boxed_str()
    }

    /// Number of occurrences of the position at the start of this turn, including this one.
    pub(super) fn occurrences(&self) -> usize {
        let now = self.keys.iter().next();
        self.keys.iter().filter(|key| Some(*key) == now).count()
    }

    /// Adds a line to the move list.
    pub(super) fn note(
        &mut self,
        seat: Option<Seat>,
        text: String,
        action: Option<String>,
        notes: String,
        mover: Option<Color>,
    ) {
        let place = mover.map_or(Place::After, Place::Move);
        self.sheet.push(Entry { action, notes, place, ..Entry::new(self.steps, seat, text) });
    }

    /// Adds a line about a designed piece: text, a drawing of the piece, and more text.
    pub(super) fn note_about(&mut self, entry: Entry, before: &str, piece_type: &PieceDesign, after: String) {
        let (name, piece) = (piece_type.display_name().to_owned(), piece_type.piece.clone());
        let color = entry.seat.map_or(self.mover, Seat::color);
        self.sheet.push(Entry { about: Some(About { before: before.to_owned(), name, piece, color, after }), ..entry });
    }

    /// Move-list line for an action of the mover.
    pub(super) fn line(&self, text: String, action: &Action, notes: String) -> Entry {
        let place = if self.phase == Phase::Action { Place::Move(self.mover) } else { Place::After };
        let (seat, action) = (Some(self.seat()), Some(action.to_string()));
        Entry { action, notes, place, ..Entry::new(self.steps, seat, text) }
    }

    /// Rough evaluation of each seat: pieces at their cost, reserve and money at a little less.
    pub(super) fn standing(&self) -> [i64; 2] {
        let mut sums = self.sides.each_ref().map(|side| {
            side.treasury.min(1_000_000) * 8
                + side.reserve.iter().map(|piece_type| piece_type.worth() * 9 / 10).sum::<i64>()
        });
        for (_, piece) in self.position.pieces() {
            sums[Seat::of(piece.color).index()] += self.roster[usize::from(piece.kind)].worth();
        }
        sums
    }
}

struct Link<T> {
    item: T,
    older: Log<T>,
}

/// Persistent list, newest item first. Clones share their items, because bots clone a game thousands of times.
pub(super) struct Log<T> {
    head: Option<Arc<Link<T>>>,
    len: usize,
}

impl<T> Log<T> {
    pub(super) fn new() -> Self {
        Log { head: None, len: 0 }
    }

    pub(super) fn push(&mut self, item: T) {
        let older = std::mem::replace(self, Log::new());
        self.len = older.len + 1;
        self.head = Some(Arc::new(Link { item, older }));
    }

    /// Items, newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let mut at = self.head.as_deref();
        std::iter::from_fn(move || {
            let link = at?;
            at = link.older.head.as_deref();
            Some(&link.item)
        })
    }
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Log { head: self.head.clone(), len: self.len }
    }
}

impl<T: PartialEq> PartialEq for Log<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.head, &other.head) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        same || self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Log<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Drops the list link by link, because recursion over a long list would overflow the stack.
impl<T> Drop for Log<T> {
    fn drop(&mut self) {
        let mut next = self.head.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.older.head.take();
        }
    }
}
