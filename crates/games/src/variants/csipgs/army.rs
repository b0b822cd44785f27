//! Armies: sixteen pieces for each side, bought and set up before the first turn, either in secret or alternately.
//!
//! [`KnownArmy`] offers ready-made armies: the chess pieces, and two of Ralph Betza's armies for Chess with Different
//! Armies, as far as this game's notation can express them.

use super::{
    action::{Action, Spelling},
    options::{Csipgs, MOST_PIECES, Rest, Total},
    piece_design::{self, PieceDesign},
    price::{self, Catalogue, Exact, decimal},
    state::State,
    terms::ArmyLimits,
};
use crate::{
    board::{Betza, Color, Size, Square, Squares},
    rules::{Entry, Outcome, Refusal, Seat},
};

/// First two ranks of a side, on which it sets up its army.
pub(super) fn home_ranks(size: Size, color: Color) -> Squares {
    Squares::rank(size.rank_of(color, 0)) | Squares::rank(size.rank_of(color, 1))
}

pub(super) fn is_second_rank(size: Size, color: Color, square: Square) -> bool {
    square.rank() == size.rank_of(color, 1)
}

impl State {
    pub(super) fn army_limits(&self) -> &ArmyLimits {
        self.limits.as_deref().expect("limits exist while armies are set up")
    }

    /// Reads and prices a piece of a side's army and checks it against the limits. `at` is the offset of the piece in
    /// the action's text.
    fn read_army_piece(
        &self,
        options: &Csipgs,
        color: Color,
        piece: &Spelling,
        square: Square,
        at: usize,
    ) -> Result<(Betza, Exact), Refusal> {
        let (read, cost) = piece_design::read(piece.text(), at, &self.catalogue, options.prefixes(1))?;
        let size = self.board.size();
        if !home_ranks(size, color).has(square) {
            return Err(Refusal::at(
                at + piece.text().len() + 1,
                format!("{square} is not on {}’s first two ranks", color.name()),
            ));
        }
        let judged = self.army_limits().check_piece(options, &read, cost, is_second_rank(size, color, square));
        judged.map_err(|why| Refusal::at(at, format!("{piece} {why}")))?;
        Ok((read, cost))
    }

    /// Checks a seat's complete army.
    pub(super) fn check_army(&self, options: &Csipgs, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let Action::Army(pieces) = action else {
            return Err(Refusal::new("set up your army: write army, then sixteen pieces, each followed by its square"));
        };
        let mut filled = Squares::EMPTY;
        let mut total = Exact::ZERO;
        let mut at = 5;
        for (piece, square) in pieces {
            let (_, cost) = self.read_army_piece(options, seat.color(), piece, *square, at)?;
            if filled.has(*square) {
                let at = at + piece.text().len() + 1;
                return Err(Refusal::at(
                    at,
                    format!("{square} has two pieces: put one piece on each of the sixteen squares"),
                ));
            }
            filled |= square.set();
            total += cost;
            at += piece.text().len() + 4;
        }
        self.check_budget(options, total)
    }

    fn check_budget(&self, options: &Csipgs, total: Exact) -> Result<(), Refusal> {
        let bounds = self.army_limits();
        if bounds.fits_budget(options, total) {
            return Ok(());
        }
        let how = match options.army_total {
            Total::Below => "less than",
            Total::AtMost => "at most",
        };
        Err(Refusal::new(format!(
            "this army costs {}, but it must cost {how} {}",
            price::fraction(&total),
            bounds.budget
        )))
    }

    /// Checks a placement by the mover. The rest of the budget must still buy the cheapest pieces for the empty squares
    /// (our reading).
    pub(super) fn check_place(&self, options: &Csipgs, action: &Action) -> Result<(), Refusal> {
        let Action::Place(piece, square) = action else {
            return Err(Refusal::new(
                "set up your army piece by piece: write place, a piece and a square, as in place WF e2",
            ));
        };
        let (_, cost) = self.read_army_piece(options, self.mover, piece, *square, 6)?;
        if self.position.piece(*square).is_some() {
            let at = 6 + piece.text().len() + 1;
            return Err(Refusal::at(at, format!("there is a piece on {square} already: choose an empty square")));
        }
        let size = self.board.size();
        let rest = home_ranks(size, self.mover) & !self.position.occupied() & !square.set();
        let reserve: Exact = rest
            .map(|square| self.army_limits().cheapest[usize::from(is_second_rank(size, self.mover, square))].1)
            .sum();
        let spent = self.side().spent;
        if self.army_limits().fits_budget(options, spent + cost + reserve) {
            Ok(())
        } else {
            Err(Refusal::at(
                6,
                format!(
                    "{piece} costs {cost}, but you have spent {spent} and the other empty squares need at least {reserve}: choose a cheaper piece"
                ),
            ))
        }
    }

    /// Puts a checked piece of an army on the board and adds its cost to the side's spending.
    fn add_to_army(&mut self, options: &Csipgs, color: Color, piece: &Spelling, square: Square) {
        let (piece, cost) =
            piece_design::read(piece.text(), 0, &self.catalogue, options.prefixes(1)).expect("the army was checked");
        let piece_type = std::sync::Arc::new(PieceDesign::new(piece, cost, self.board.size()));
        self.put(color, &piece_type, square);
        self.sides[color.index()].spent += cost;
    }

    /// Puts both sealed armies on the board.
    pub(super) fn set_up_armies(&mut self, options: &Csipgs, armies: &[Action; 2]) {
        for seat in Seat::BOTH {
            let action = &armies[seat.index()];
            if let Action::Army(pieces) = action {
                for (piece, square) in pieces {
                    self.add_to_army(options, seat.color(), piece, *square);
                }
            }
            let spent = self.sides[seat.color().index()].spent;
            self.sheet.push(Entry {
                action: Some(action.to_string()),
                notes: format!("for {spent}"),
                spoken_notes: Some(format!("Its pieces cost {}", decimal(&spent).replace('≈', "about "))),
                ..Entry::new(self.steps, Some(seat), "sets up an army".to_owned())
            });
        }
        self.start_play(options);
    }

    /// Places one piece of the mover. The turn then passes to the opponent, until both armies are complete.
    pub(super) fn place(&mut self, options: &Csipgs, action: &Action) {
        if let Action::Place(piece, square) = action {
            self.add_to_army(options, self.mover, piece, *square);
            self.last = vec![*square];
            if let Some(piece_type) = self.piece_type(*square).cloned() {
                let line = self.line(format!("{square}={}", piece_type.text), action, String::new());
                self.note_about(line, "", &piece_type, format!("on {square}"));
            }
        }
        self.mover = !self.mover;
        self.position.turn = self.mover;
        if self.position.occupied().len() as usize == 2 * MOST_PIECES {
            self.start_play(options);
        }
    }

    /// Starts play once both armies are complete. A side without a royal piece loses; if neither has one, Black wins.
    /// Otherwise White begins.
    fn start_play(&mut self, options: &Csipgs) {
        for side in &mut self.sides {
            let rest = Exact::new(i128::from(options.army_budget_tenths), 10) - side.spent;
            let coin = i128::from(options.quantum.tenths());
            let kept = match options.army_rest {
                Rest::Lost => 0,
                Rest::Kept => (rest * 10 / coin).floor().to_integer() * coin,
                Rest::Half => (rest / 2).floor().to_integer() * 10,
            };
            side.treasury = side.treasury.saturating_add(i64::try_from(kept).unwrap_or(0));
        }
        self.mover = Color::White;
        let royal = |color| !self.board.royals(&self.position, color).is_empty();
        self.outcome = match (royal(Color::White), royal(Color::Black)) {
            (true, true) => None,
            (true, false) => Some(Outcome::Win(Seat::One, "the other army has no royal piece")),
            (false, true) => Some(Outcome::Win(Seat::Two, "the other army has no royal piece")),
            (false, false) => Some(Outcome::Win(Seat::Two, "neither army has a royal piece, and then Black wins")),
        };
        if self.outcome.is_none() {
            self.begin(options);
        }
    }
}

/// Names of the known armies, with their first ranks from the a-file on. The second rank is all pawns.
const ARMIES: [(&str, [&str; 8]); 3] = [
    ("Chess pieces", ["R", "N", "B", "BR", "royal-WF", "B", "N", "R"]),
    ("Colorbound Clobberers", ["BD", "WA", "FAD", "BN", "royal-WF", "FAD", "WA", "BD"]),
    ("Nutty Knights", ["fsRbWbF", "FvN", "fhNbsWbF", "fhNfsRbWbF", "royal-WF", "fhNbsWbF", "FvN", "fsRbWbF"]),
];
const PAWN: &str = "fcFfmW";

/// A ready-made army to start from.
#[derive(PartialEq, Debug)]
pub struct KnownArmy {
    /// Name of the army.
    pub name: &'static str,
    /// Pieces with their squares, as in an `army` action after its first word.
    pub pairs: String,
    /// Cost before rounding.
    pub cost: String,
    /// Reason why the game's limits exclude it, if they do.
    pub refused: Option<String>,
}

/// The chess pieces on a side's first two ranks, the first rank first. They cost 50.88, so they fit the default budget.
pub(super) fn ordinary(size: Size, color: Color) -> Vec<(&'static str, Square)> {
    let [(_, officers), ..] = &ARMIES;
    with_pawns(officers, size, color)
}

fn with_pawns(officers: &[&'static str; 8], size: Size, color: Color) -> Vec<(&'static str, Square)> {
    let on = |file, rank| Square::new(file, size.rank_of(color, rank));
    let back = (0..).zip(officers).map(|(file, officer)| (*officer, on(file, 0)));
    back.chain((0..8).map(|file| (PAWN, on(file, 1)))).collect()
}

/// Formats pieces with their squares as an `army` action does after its first word.
pub(super) fn pairs(army: &[(&str, Square)]) -> String {
    army.iter().map(|(text, square)| format!("{text} {square}")).collect::<Vec<_>>().join(" ")
}

impl KnownArmy {
    /// All known armies, placed for a side.
    pub(super) fn all(options: &Csipgs, limits: &ArmyLimits, size: Size, color: Color) -> Vec<KnownArmy> {
        let army = |(name, officers): &(&'static str, [&'static str; 8])| {
            KnownArmy::of(name, &with_pawns(officers, size, color), options, limits, (size, color))
        };
        ARMIES.iter().map(army).collect()
    }

    fn of(
        name: &'static str,
        army: &[(&str, Square)],
        options: &Csipgs,
        limits: &ArmyLimits,
        (size, color): (Size, Color),
    ) -> KnownArmy {
        let (mut total, mut wrong) = (Exact::ZERO, None);
        for (text, square) in army {
            let piece: Betza = text.parse().expect("known armies are valid Betza notation");
            let cost = price::exact(&piece, &Catalogue::default());
            let judged = limits.check_piece(options, &piece, cost, is_second_rank(size, color, *square));
            wrong = wrong.or(judged.err().map(|why| format!("{text} {why}")));
            total += cost;
        }
        let dear = (!limits.fits_budget(options, total)).then(|| format!("the budget is {}", decimal(&limits.budget)));
        KnownArmy { name, pairs: pairs(army), cost: decimal(&total), refused: wrong.or(dear) }
    }
}
