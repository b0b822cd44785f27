//! Support for bots: sample actions to choose from, and positions as search problems. Never used to decide legality.

use std::sync::Arc;

use rand::{Rng, RngExt, seq::IndexedRandom};

use super::{
    action::{Action, Spelling},
    army::{home_ranks, is_second_rank, ordinary},
    inventions::Estimate,
    options::{Csipgs, MOST_PIECES, Prefixes},
    piece_design::{self, PieceDesign, STANDARD},
    state::{Phase, State},
};
use crate::{
    board::{Board, Color, Definition, Invention, Size, Square},
    rules::{
        SearchProblem, Seat,
        search_problem::{Assets, PurchaseProblem},
    },
};

/// Designs that a bot may try.
const IDEAS: [&str; 16] =
    ["WF", "W", "FD", "L", "NN", "fR", "WcN", "mWcF", "fhNbW", "BW", "RF", "NF", "BN", "fsRbF", "fF", "HG"];
/// Designs with an invented atom or modifier in place of `*`.
const APPLIED: [&str; 5] = ["W*", "Wc*", "*F", "*R", "Wc*B"];
/// Inventions that a bot may make.
const INVENTIONS: [(&str, Definition); 14] = [
    ("Horse", Definition::Lame(1, 2)),
    ("Run", Definition::Runner),
    ("Zebra", Definition::Leaper(2, 3)),
    ("Giraffe", Definition::Leaper(1, 4)),
    ("Camelrider", Definition::Rider(1, 3)),
    ("Short", Definition::Range(2)),
    ("Lamed", Definition::Lamed),
    ("Twice", Definition::Doublemove),
    ("Gryphon", Definition::Bent((1, 1), (0, 1))),
    ("Slowcamel", Definition::Lame(1, 3)),
    ("Cannon", Definition::Hopper),
    ("Grass", Definition::Grasshopper),
    ("Fresh", Definition::Initial),
    ("Charosh", Definition::Relay),
];
/// Estimates that a bot may give for an invention, in thousandths.
const GUESSES: [u32; 6] = [1_000, 1_500, 2_000, 2_400, 3_300, 5_000];
/// Maximum number of two-step moves among the candidates.
const DOUBLES: usize = 24;
/// Maximum number of non-captures among the candidates.
const QUIET: usize = 8;

impl State {
    /// Sample actions of a seat, at least one.
    pub(super) fn candidates(&self, options: &Csipgs, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        match self.phase {
            Phase::Armies => (0..3).map(|_| Action::Army(self.random_army(options, seat.color(), rng))).collect(),
            Phase::Place => {
                let squares: Vec<_> = (home_ranks(self.board.size(), self.mover) & !self.position.occupied()).collect();
                let Some(square) = squares.choose(rng).copied() else { return Vec::new() };
                let cheapest = self.cheapest(self.mover, square);
                let king = self.board.royals(&self.position, self.mover).is_empty().then_some("royal-WF");
                let ideas = IDEAS.iter().chain(&STANDARD).copied();
                let mut actions: Vec<Action> =
                    king.into_iter().chain(ideas).map(|text| Action::Place(Spelling::known(text), square)).collect();
                actions.retain(|action| self.check_place(options, action).is_ok());
                actions.truncate(king.map_or(actions.len(), |_| 1));
                actions.push(Action::Place(cheapest, square));
                actions
            }
            Phase::Action => self.action_candidates(options, rng),
            Phase::Design => self.design_candidates(options, rng),
            Phase::Estimate(invention) => {
                let least = self.minimum_estimate(options, invention).and_then(|(_, cost)| Estimate::at_least(cost));
                let guesses = GUESSES.map(Estimate).into_iter().filter(|guess| Some(*guess) > least);
                guesses.chain(least).map(Action::Estimate).collect()
            }
        }
    }

    /// Candidates for the action phase: a mate if there is one. Otherwise all captures, some other moves, every
    /// purchase except royal pieces, and each reserve piece on some squares.
    fn action_candidates(&self, options: &Csipgs, rng: &mut dyn Rng) -> Vec<Action> {
        let moves = self.board.moves(&self.position);
        let mut actions: Vec<Action> = moves.iter().map(|mv| Action::Move(mv.from, mv.to, None)).collect();
        let mut doubles = self.doubles();
        while doubles.len() > DOUBLES {
            doubles.swap_remove(rng.random_range(0..doubles.len()));
        }
        actions.extend(doubles.into_iter().map(|(from, to, then)| Action::Move(from, to, Some(then))));
        let side = self.side();
        let drop_squares: Vec<_> = self.drop_squares().collect();
        for (index, piece_type) in side.reserve.iter().enumerate() {
            if !side.reserve[..index].contains(piece_type) {
                let some = drop_squares.sample(rng, 3);
                actions.extend(some.map(|to| Action::Transfer(Spelling::known(&piece_type.text), *to)));
            }
        }
        if let Some(mate) = actions.iter().find(|action| self.mates(options, action)) {
            return vec![mate.clone()];
        }
        self.leave_out_quiet_moves(&mut actions, rng);
        if !options.buy_in_design {
            actions.extend(self.purchases(options));
        }
        if actions.is_empty() {
            let all = drop_squares.iter().flat_map(|to| {
                side.reserve.iter().map(|piece_type| Action::Transfer(Spelling::known(&piece_type.text), *to))
            });
            actions.extend(all.take(1));
            let buys = side.designs.iter().filter(|piece_type| self.check_sale(options, piece_type).is_ok());
            actions.extend(buys.map(|piece_type| Action::Buy(Spelling::known(&piece_type.text))));
        }
        actions
    }

    /// Keeps all captures and at most [`QUIET`] other moves.
    fn leave_out_quiet_moves(&self, actions: &mut Vec<Action>, rng: &mut dyn Rng) {
        let hostile = self.position.of(!self.mover);
        let quiet = |action: &Action| matches!(action, Action::Move(_, to, _) if !hostile.has(*to));
        let mut left: Vec<Action> = actions.extract_if(.., |action| quiet(action)).collect();
        while left.len() > QUIET {
            left.swap_remove(rng.random_range(0..left.len()));
        }
        actions.append(&mut left);
    }

    /// Whether a move or a transfer mates. Tests for check first, which is cheap and excludes most actions.
    fn mates(&self, options: &Csipgs, action: &Action) -> bool {
        let mut after = self.clone();
        after.act(options, action);
        after.board.in_check(&after.position, !self.mover) && {
            after.end_turn(options);
            after.outcome.is_some()
        }
    }

    /// Possible purchases except royal pieces: a second one makes the game long.
    fn purchases(&self, options: &Csipgs) -> Vec<Action> {
        let designs = &self.side().designs;
        let wanted = |index: &usize| {
            let piece_type = &designs[*index];
            !piece_type.piece.royal
                && !designs[..*index].contains(piece_type)
                && self.check_sale(options, piece_type).is_ok()
        };
        (0..6).filter(wanted).map(|index| Action::Buy(Spelling::known(&designs[index].text))).collect()
    }

    /// Candidates for the design phase: keeping the designs, purchases, and sometimes a new design or an invention.
    fn design_candidates(&self, options: &Csipgs, rng: &mut dyn Rng) -> Vec<Action> {
        let mut actions = vec![Action::Keep];
        if options.buy_in_design {
            actions.extend(self.purchases(options));
        }
        if rng.random_ratio(1, 6) {
            let slot = rng.random_range(1..=5);
            let idea = IDEAS.choose(rng).map_or("W", |idea| *idea);
            actions.push(Action::Design(slot, Spelling::known(idea)));
            if let Some(invention) = self.catalogue.inventions().choose(rng) {
                let text = APPLIED.choose(rng).map_or("*", |idea| *idea).replace('*', &format!("<{}>", invention.name));
                let piece = Spelling::known(text);
                if piece_design::read(piece.text(), 0, &self.catalogue, Prefixes::default()).is_ok() {
                    actions.push(Action::Design(slot, piece));
                }
            }
            if options.doublemove(self.turn) {
                actions.push(Action::Design(slot, Spelling::known("doublemove-W")));
            }
            if options.relay {
                actions.push(Action::Design(slot, Spelling::known("relay-N")));
            }
        }
        if options.inventions && rng.random_ratio(1, 10) {
            let free = |(name, definition): &(&str, Definition)| {
                let invention = Invention { name: name.parse().ok()?, definition: *definition };
                let known = self.catalogue.inventions().iter().any(|known| known.name == invention.name);
                (!known).then_some(Action::Invent(invention))
            };
            let mut free: Vec<Action> = INVENTIONS.iter().filter_map(free).collect();
            if !free.is_empty() {
                actions.push(free.swap_remove(rng.random_range(0..free.len())));
            }
        }
        actions
    }

    /// A random army: the cheapest pieces with a king, improved at random within the budget.
    fn random_army(&self, options: &Csipgs, color: Color, rng: &mut dyn Rng) -> Vec<(Spelling, crate::board::Square)> {
        let mut army: Vec<_> =
            home_ranks(self.board.size(), color).map(|square| (self.cheapest(color, square), square)).collect();
        let legal =
            |army: &[_]| self.check_army(options, crate::rules::Seat::of(color), &Action::Army(army.to_vec())).is_ok();
        let improve = |index: usize, text: &str, army: &mut Vec<(Spelling, _)>| {
            let old = std::mem::replace(&mut army[index].0, Spelling::known(text));
            if !legal(army) {
                army[index].0 = old;
            }
        };
        let first: Vec<usize> =
            (0..16).filter(|index| !is_second_rank(self.board.size(), color, army[*index].1)).collect();
        let king = first.choose(rng).copied().unwrap_or(0);
        improve(king, "royal-WF", &mut army);
        for _ in 0..24 {
            let index = rng.random_range(0..16);
            let idea =
                IDEAS.iter().chain(&STANDARD[..5]).copied().collect::<Vec<_>>().choose(rng).copied().unwrap_or("W");
            if index != king {
                improve(index, idea, &mut army);
            }
        }
        army
    }
}

/// Number of turns whose incomes a search gets.
const INCOMES: i64 = 16;

/// The decision of a seat as a search problem.
pub(super) fn prospect(options: &Csipgs, state: &State, seat: Seat) -> Option<SearchProblem> {
    match state.phase {
        Phase::Armies => {
            let army = Action::Army(in_placement_order(state.board.size(), seat));
            state.check_army(options, seat, &army).ok()?;
            Some(SearchProblem::Word(army.to_string()))
        }
        Phase::Action | Phase::Design => Some(SearchProblem::Economy(economy(options, state))),
        Phase::Place => {
            let filled = state.position.of(state.mover);
            let mut army =
                in_placement_order(state.board.size(), seat).into_iter().filter(|(_, square)| !filled.has(*square));
            let place = army.find_map(|(piece, square)| {
                let place = Action::Place(piece, square);
                state.check_place(options, &place).is_ok().then_some(place)
            });
            place.map(|place| SearchProblem::Word(place.to_string()))
        }
        Phase::Estimate(_) => None,
    }
}

/// The chess army in placement order: the king first, then square by square.
fn in_placement_order(size: Size, seat: Seat) -> Vec<(Spelling, Square)> {
    let mut army = ordinary(size, seat.color());
    army.sort_by_key(|(text, square)| (!text.starts_with("royal-"), square.index()));
    army.into_iter().map(|(text, square)| (Spelling::known(text), square)).collect()
}

fn economy(options: &Csipgs, state: &State) -> PurchaseProblem {
    let mut board = (*state.board).clone();
    let mut roster = (*state.roster).clone();
    let mut kind = |piece_type: &Arc<PieceDesign>| -> Option<u8> {
        if let Some(known) = roster.iter().position(|known| known == piece_type) {
            return Some(known as u8);
        }
        if roster.len() >= Board::MOST_KINDS {
            return None;
        }
        roster.push(piece_type.clone());
        let named = piece_type.kind(|letter, dress| board.kind_with_apostrophes(letter, dress).is_some());
        Some(board.add(named))
    };
    let owned = state.sides.each_ref().map(|side| {
        let reserve = side.reserve.iter().filter_map(&mut kind).collect();
        let mut sold: Vec<(u8, i64)> = Vec::new();
        for piece_type in side.designs.iter().filter(|piece_type| !piece_type.piece.royal) {
            let priced = kind(piece_type).map(|kind| (kind, piece_type.price(options.quantum)));
            sold.extend(priced.filter(|one| !sold.contains(one)));
        }
        Assets { treasury: side.treasury, reserve, sold }
    });
    let mut position = state.position;
    position.turn = state.mover;
    PurchaseProblem {
        board,
        position,
        acted: state.phase == Phase::Design,
        owned,
        incomes: (0..INCOMES).map(|ahead| options.income(state.turn + ahead)).collect(),
        buys_after: options.buy_in_design,
        most: MOST_PIECES,
    }
}
