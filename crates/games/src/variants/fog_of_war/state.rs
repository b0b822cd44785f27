//! State of a fog-of-war game, the part of the board that each side sees, and the view of each viewer.

use std::{fmt, str::FromStr, sync::Arc};

use serde::Serialize;

use super::FogOfWar;
use crate::{
    board::{BoardLocation, Color, Move, Position, START, Square, Squares, Uci, orthodox},
    rules::{
        Diagram, Entry, Outcome, Refusal, Rules, Seat, Viewer, diagram::HeldPiece, endings::Ending,
        move_history::MoveHistory,
    },
    variants::king_capture::BOARD,
};

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The moves so far and the current position.
    pub(super) history: MoveHistory,
    /// The move list. In a sampled position, lines that the player does not know are replaced by [`redacted`].
    pub(super) entries: Vec<Arc<Entry>>,
    /// For each line of the move list, the captured piece: its square and type. Its owner knows both.
    pub(super) captures: Vec<Option<(Square, u8)>>,
    /// Squares of the last move that White and Black know of.
    pub(super) last_squares: [Vec<Square>; 2],
    /// Types of the pieces that White and Black have captured, in order.
    pub(super) captured_kinds: [Vec<u8>; 2],
    /// Number of steps applied.
    pub(super) steps: usize,
    /// The outcome, once the game is over.
    pub(super) outcome: Option<Outcome>,
    /// Nothing is hidden any more. Set on earlier states of a game that is now over.
    pub(super) opened: bool,
}

impl State {
    /// Starts a game from a position that both players know.
    pub(super) fn new(start: Position) -> State {
        let course = MoveHistory::new(&BOARD, start);
        let mut state = State {
            history: course,
            entries: Vec::new(),
            captures: Vec::new(),
            last_squares: Default::default(),
            captured_kinds: Default::default(),
            steps: 0,
            outcome: None,
            opened: false,
        };
        state.judge();
        state
    }

    /// Whether nothing is hidden any more.
    pub(super) fn open(&self) -> bool {
        self.opened || self.outcome.is_some()
    }

    /// The legal move that the side to move means by `uci`. Refusals use only what that side sees.
    pub(super) fn find(&self, uci: Uci) -> Result<Move, Refusal> {
        let position = &self.history.position;
        if let Some(mv) = BOARD.find_among(&BOARD.moves(position), uci) {
            return Ok(mv);
        }
        let seen = Visibility::of(position, position.turn).position;
        MoveHistory::new(&BOARD, seen).find(&BOARD, uci).and_then(|_| {
            Err(Refusal::at(2, format!("the pawn on {} is blocked by a piece that you cannot see", uci.from)))
        })
    }

    /// Plays a move that has been checked.
    pub(super) fn play(&mut self, uci: Uci) {
        let mv = self.find(uci).expect("moves are checked before they are played");
        let mover = self.history.position.turn;
        let captured = BOARD.captured(&self.history.position, mv);
        self.history.play(&BOARD, mv, self.steps);
        self.entries.extend(self.history.played.last().map(|played| Arc::new(played.entry(Seat::of(mover)))));
        self.captures.push(captured.map(|(square, piece)| (square, piece.kind)));
        self.captured_kinds[mover.index()].extend(captured.map(|(_, piece)| piece.kind));
        self.last_squares[mover.index()] = if mv.from == mv.to { vec![mv.from] } else { vec![mv.from, mv.to] };
        self.last_squares[(!mover).index()] = captured.map(|(square, _)| square).into_iter().collect();
        self.judge();
    }

    fn judge(&mut self) {
        let position = &self.history.position;
        let ending = if BOARD.royals(position, position.turn).is_empty() {
            Ending::win(!position.turn, "king captured")
        } else if !BOARD.has_move(position) {
            Ending::draw("stalemate")
        } else if self.history.occurrences() >= 3 {
            Ending::draw("threefold repetition")
        } else if position.halfmove >= 100 {
            Ending::draw("50 moves without a capture or a pawn move")
        } else {
            return;
        };
        self.outcome = Some(ending.outcome(Seat::of));
    }

    /// Pieces that a side has captured, the most valuable first. A promoted pawn counts as the piece it was when captured.
    fn captured(&self, color: Color) -> Vec<HeldPiece> {
        let order =
            [orthodox::KING, orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT, orthodox::PAWN];
        let count = |kind: &u8| self.captured_kinds[color.index()].iter().filter(|taken| *taken == kind).count() as u32;
        let held = |kind: u8| Some(HeldPiece::new(BOARD.kind(kind), count(&kind))).filter(|held| held.count > 0);
        order.into_iter().filter_map(held).collect()
    }
}

/// A line of the move list as it appears to a viewer who may not know the move.
pub(super) fn redacted(entry: &Entry) -> Entry {
    Entry {
        text: "--".to_owned(),
        told: Some("moved in the fog".to_owned()),
        spoken: None,
        action: None,
        notes: String::new(),
        ..entry.clone()
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action(pub Uci);

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        Ok(Action(text.parse()?))
    }
}

/// The part of a position that one side sees.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Visibility {
    /// Visible squares.
    pub(super) squares: Squares,
    /// The position reduced to what that side knows: the pieces on visible squares, its own castling rights, and the squares where it may capture
    /// en passant. The count of quiet plies is unknown to it and set to 0.
    pub(super) position: Position,
}

impl Visibility {
    /// The part of a position that a side sees.
    pub(super) fn of(position: &Position, color: Color) -> Visibility {
        let mut squares = position.of(color);
        let mut passing = Squares::EMPTY;
        for mv in moves(position, color) {
            squares |= BOARD.target(mv).set();
            if let Some((square, _)) = BOARD.captured(position, mv) {
                squares |= square.set();
                passing |= (square != mv.to).then_some(mv.to).into_iter().collect();
            }
        }
        Visibility { squares, position: restricted(position, squares, position.of(color), passing) }
    }

    /// The view of a spectator, who sees nothing.
    fn nothing(position: &Position) -> Visibility {
        let squares = Squares::EMPTY;
        Visibility { squares, position: restricted(position, squares, squares, squares) }
    }

    /// Squares in the fog.
    pub(super) fn fog(&self) -> Squares {
        BOARD.size().squares() & !self.squares
    }

    /// The placement field of a FEN, with `?` for every square in the fog.
    fn placement(&self) -> String {
        let size = BOARD.size();
        let letter = |square: Square| match self.position.piece(square) {
            Some(piece) if piece.color == Color::White => BOARD.kind(piece.kind).letter,
            Some(piece) => BOARD.kind(piece.kind).letter.to_ascii_lowercase(),
            None if self.squares.has(square) => '1',
            None => '?',
        };
        let rank = |rank| {
            let line: String = (0..size.width()).map(|file| letter(Square::new(file, rank))).collect();
            let mut short = String::new();
            for run in line.chars().collect::<Vec<_>>().chunk_by(|one, next| one == next) {
                match run {
                    ['1', ..] => short += &run.len().to_string(),
                    letters => short.extend(letters),
                }
            }
            short
        };
        (0..size.height()).rev().map(rank).collect::<Vec<_>>().join("/")
    }
}

/// Legal moves of a side, as if it were its turn.
pub(super) fn moves(position: &Position, color: Color) -> Vec<Move> {
    let mut own = *position;
    if own.turn != color {
        (own.turn, own.en_passant) = (color, Squares::EMPTY);
    }
    BOARD.moves(&own)
}

/// The position with only the pieces on `squares`, the castling rights of the pieces on `own`, and the en passant squares `passing`.
fn restricted(position: &Position, squares: Squares, own: Squares, passing: Squares) -> Position {
    let mut seen = *position;
    for square in position.occupied() & !squares {
        seen.remove(square);
    }
    seen.rights &= own;
    seen.en_passant = passing;
    seen.halfmove = 0;
    seen
}

/// View of a game. A player sees the visible squares, a spectator only the number of moves. Once the game is over, everything is visible.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// The placement field of a FEN, with `?` for every square in the fog.
    pub placement: String,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl AsMut<Diagram> for View {
    fn as_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }
}

impl View {
    /// The view for a viewer.
    pub(super) fn of(state: &State, viewer: Viewer) -> View {
        let start = BOARD.fen(&state.history.start);
        let mut tags = FogOfWar::INFO.pgn_tags();
        if start != START {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start)]);
        }
        if state.open() {
            let diagram = Diagram { tags, ..state.history.diagram(&BOARD, Seat::of) };
            let placement = BOARD.placement_fen(&state.history.position);
            return View { diagram, placement };
        }
        let position = &state.history.position;
        let sight = match viewer {
            Some(seat) => Visibility::of(position, seat.color()),
            None => Visibility::nothing(position),
        };
        let mut diagram =
            Diagram { fen: None, tags, fog: sight.fog().collect(), ..Diagram::of(&BOARD, &sight.position) };
        if let Some(seat) = viewer {
            diagram.last = BoardLocation::each(state.last_squares[seat.color().index()].iter().copied());
            diagram.captured = Seat::BOTH.map(|seat| state.captured(seat.color())).into();
            let asked = Seat::of(position.turn) == seat;
            diagram.choices = asked.then(|| state.history.choices(&BOARD));
        }
        let heard = |entry: &Entry| viewer.is_some() && entry.seat == viewer;
        let line = |(entry, lost): (&Arc<Entry>, &Option<(Square, u8)>)| match (heard(entry), lost, viewer) {
            (true, ..) => (**entry).clone(),
            (false, Some((square, kind)), Some(_)) => {
                let spoken = format!("takes {} on {square} in the fog", BOARD.kind(*kind).name);
                Entry { spoken: Some(spoken.into()), ..redacted(entry) }
            }
            (false, ..) => redacted(entry),
        };
        diagram.sheet = Arc::new(state.entries.iter().zip(&state.captures).map(line).collect());
        View { diagram, placement: sight.placement() }
    }
}
