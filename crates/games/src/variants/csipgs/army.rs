//! Armies: sixteen pieces each, bought and set up before the first turn, in secret or in turns; and armies that people know, to begin one's own
//! from: the pieces of chess, and two of Ralph Betza's armies for "Chess with Different Armies", in so far as the notation of this game can say
//! them.

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
    rules::{Outcome, Refusal, Seat},
};

/// The two ranks on which a side sets up.
pub(super) fn home(size: Size, color: Color) -> Squares {
    Squares::rank(size.rank_of(color, 0)) | Squares::rank(size.rank_of(color, 1))
}

/// Tells whether a square is on a side's second rank.
pub(super) fn second(size: Size, color: Color, square: Square) -> bool {
    square.rank() == size.rank_of(color, 1)
}

impl State {
    pub(super) fn bounds(&self) -> &ArmyLimits {
        self.limits.as_deref().expect("armies are set up within limits")
    }

    /// A piece for a square of a side's army, with its cost.
    fn recruit(
        &self,
        options: &Csipgs,
        color: Color,
        piece: &Spelling,
        square: Square,
        at: usize,
    ) -> Result<(Betza, Exact), Refusal> {
        let (read, cost) = piece_design::read(piece.text(), at, &self.catalogue, options.prefixes(1))?;
        let size = self.board.size();
        if !home(size, color).has(square) {
            return Err(Refusal::at(
                at + piece.text().len() + 1,
                format!("{square} is not on {}’s first two ranks", color.name()),
            ));
        }
        let judged = self.bounds().judge(options, &read, cost, second(size, color, square));
        judged.map_err(|why| Refusal::at(at, format!("{piece} {why}")))?;
        Ok((read, cost))
    }

    /// Checks whether a seat may set up so.
    pub(super) fn check_army(&self, options: &Csipgs, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let Action::Army(pieces) = action else {
            return Err(Refusal::new("set up your army: army, then sixteen pieces, each followed by its square"));
        };
        let mut filled = Squares::EMPTY;
        let mut total = Exact::ZERO;
        let mut at = 5;
        for (piece, square) in pieces {
            let (_, cost) = self.recruit(options, seat.color(), piece, *square, at)?;
            if filled.has(*square) {
                let at = at + piece.text().len() + 1;
                return Err(Refusal::at(
                    at,
                    format!("{square} is filled twice: one piece on each of the sixteen squares"),
                ));
            }
            filled |= square.set();
            total += cost;
            at += piece.text().len() + 4;
        }
        self.affordable(options, total)
    }

    fn affordable(&self, options: &Csipgs, total: Exact) -> Result<(), Refusal> {
        let bounds = self.bounds();
        if bounds.within(options, total) {
            return Ok(());
        }
        let how = match options.army_total {
            Total::Below => "less than",
            Total::AtMost => "at most",
        };
        Err(Refusal::new(format!(
            "these pieces cost {} before rounding, and an army must cost {how} {}",
            price::fraction(&total),
            bounds.budget
        )))
    }

    /// Checks whether the mover may place one piece. What is left must buy the cheapest pieces for the squares still empty (our
    /// reading).
    pub(super) fn check_place(&self, options: &Csipgs, action: &Action) -> Result<(), Refusal> {
        let Action::Place(piece, square) = action else {
            return Err(Refusal::new(
                "set up your army piece by piece: place, a piece and a square, as in place WF e2",
            ));
        };
        let (_, cost) = self.recruit(options, self.mover, piece, *square, 6)?;
        if self.position.piece(*square).is_some() {
            let at = 6 + piece.text().len() + 1;
            return Err(Refusal::at(at, format!("there is a piece on {square} already")));
        }
        let size = self.board.size();
        let rest = home(size, self.mover) & !self.position.occupied() & !square.set();
        let reserve: Exact =
            rest.map(|square| self.bounds().cheapest[usize::from(second(size, self.mover, square))].1).sum();
        let spent = self.side().spent;
        if self.bounds().within(options, spent + cost + reserve) {
            Ok(())
        } else {
            Err(Refusal::at(
                6,
                format!(
                    "{piece} costs {cost}; {spent} is spent, and the squares still empty need at least {reserve}: choose a cheaper piece"
                ),
            ))
        }
    }

    /// Puts a checked piece of an army on the board.
    fn enlist(&mut self, options: &Csipgs, color: Color, piece: &Spelling, square: Square) {
        let (piece, cost) =
            piece_design::read(piece.text(), 0, &self.catalogue, options.prefixes(1)).expect("the army was checked");
        let piece_type = std::sync::Arc::new(PieceDesign::new(piece, cost, self.board.size()));
        self.put(color, &piece_type, square);
        self.sides[color.index()].spent += cost;
    }

    /// Both armies are opened.
    pub(super) fn muster(&mut self, options: &Csipgs, armies: &[Action; 2]) {
        for seat in Seat::BOTH {
            let action = &armies[seat.index()];
            if let Action::Army(pieces) = action {
                for (piece, square) in pieces {
                    self.enlist(options, seat.color(), piece, *square);
                }
            }
            let spent = self.sides[seat.color().index()].spent;
            self.note(Some(seat), "sets up an army".to_owned(), Some(action.to_string()), format!("for {spent}"), None);
        }
        self.ready(options);
    }

    /// The mover places one piece; the other follows, until both armies stand.
    pub(super) fn place(&mut self, options: &Csipgs, action: &Action) {
        if let Action::Place(piece, square) = action {
            self.enlist(options, self.mover, piece, *square);
            self.last = vec![*square];
            if let Some(piece_type) = self.piece_type(*square).cloned() {
                let line = self.line(format!("{square}={}", piece_type.text), action, String::new());
                self.note_about(line, "", &piece_type, format!("on {square}"));
            }
        }
        self.mover = !self.mover;
        self.position.turn = self.mover;
        if self.position.occupied().len() as usize == 2 * MOST_PIECES {
            self.ready(options);
        }
    }

    /// The armies stand: whoever has no royal piece has lost, Black wins if neither has; then White begins.
    fn ready(&mut self, options: &Csipgs) {
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

/// The pieces of a first rank from the a-file on; before each of them stands a pawn.
const ARMIES: [(&str, [&str; 8]); 3] = [
    ("The pieces of chess", ["R", "N", "B", "BR", "royal-WF", "B", "N", "R"]),
    ("Colorbound Clobberers", ["BD", "WA", "FAD", "BN", "royal-WF", "FAD", "WA", "BD"]),
    ("Nutty Knights", ["fsRbWbF", "FvN", "fhNbsWbF", "fhNfsRbWbF", "royal-WF", "fhNbsWbF", "FvN", "fsRbWbF"]),
];
const PAWN: &str = "fcFfmW";

/// An army that people know.
#[derive(PartialEq, Debug)]
pub struct KnownArmy {
    /// Its name.
    pub name: &'static str,
    /// Its pieces with their squares, as the action has them after its first word.
    pub pairs: String,
    /// Its cost before rounding.
    pub cost: String,
    /// The reason why this game does not take it, if that is so.
    pub refused: Option<String>,
}

/// The pieces of chess on a side's first two ranks, each with its square, the first rank first. They cost 50.88, so that they fit
/// the usual budget.
pub(super) fn ordinary(size: Size, color: Color) -> Vec<(&'static str, Square)> {
    let [(_, officers), ..] = &ARMIES;
    standing(officers, size, color)
}

fn standing(officers: &[&'static str; 8], size: Size, color: Color) -> Vec<(&'static str, Square)> {
    let on = |file, rank| Square::new(file, size.rank_of(color, rank));
    let back = (0..).zip(officers).map(|(file, officer)| (*officer, on(file, 0)));
    back.chain((0..8).map(|file| (PAWN, on(file, 1)))).collect()
}

/// Pieces with their squares, as the action has them after its first word.
pub(super) fn pairs(army: &[(&str, Square)]) -> String {
    army.iter().map(|(text, square)| format!("{text} {square}")).collect::<Vec<_>>().join(" ")
}

impl KnownArmy {
    /// All of them, as a side of a game sets them up.
    pub(super) fn all(options: &Csipgs, limits: &ArmyLimits, size: Size, color: Color) -> Vec<KnownArmy> {
        let army = |(name, officers): &(&'static str, [&'static str; 8])| {
            KnownArmy::of(name, &standing(officers, size, color), options, limits, (size, color))
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
            let piece: Betza = text.parse().expect("armies that people know are pieces");
            let cost = price::exact(&piece, &Catalogue::default());
            let judged = limits.judge(options, &piece, cost, second(size, color, *square));
            wrong = wrong.or(judged.err().map(|why| format!("{text} {why}")));
            total += cost;
        }
        let dear = (!limits.within(options, total)).then(|| format!("the budget is {}", decimal(&limits.budget)));
        KnownArmy { name, pairs: pairs(army), cost: decimal(&total), refused: wrong.or(dear) }
    }
}
