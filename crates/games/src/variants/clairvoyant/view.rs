//! View of a game for one viewer: the board, the balances, the last settled turn, and the viewer's own decision.

mod turns;

use std::sync::Arc;

use serde::Serialize;

use super::{
    action,
    ledger::{self, Account},
    options::{self, Clairvoyant},
    predictions::{self, Draft, Part},
    shop::{self, Bonuses, CurrentPrice, Offer, Payoff, Price},
    state::{Phase, Retraction, State},
    turn_history::{Reading, side},
};
use crate::{
    board::{Board, BoardLocation, Position, START, Square},
    rules::{
        Choice, Diagram, Entry, Prediction, Rules, Seat, Viewer,
        diagram::{Amount, Pair},
    },
};
use turns::{ProposedTurn, SettledTurn};

/// View of a game of Clairvoyant Chess.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// The seat whose turn it is.
    pub mover: Seat,
    /// The seat that guesses the turn.
    pub guesser: Seat,
    /// A pending turn is waiting for its answer.
    pub answering: bool,
    /// Number of guesses on the guesser's sheet; null where it is hidden from the viewer.
    pub slots: Option<u8>,
    /// The mover has only one move out of check, so there are no guesses.
    pub forced: bool,
    /// Squares on which a pawn can be captured en passant.
    pub en_passant: Vec<String>,
    /// First parts of the turns that were forced back. The current turn cannot start with any of them.
    pub bans: Vec<String>,
    /// The pending turn.
    pub proposed: Option<ProposedTurn>,
    /// The viewer's own sheet, sealed until the turn is settled.
    pub own_sheet: Option<String>,
    /// The guesses of that sheet with their possible earnings, or with their earnings if the pending turn is accepted.
    #[serde(skip)]
    pub sealed: Vec<Part>,
    /// The viewer's own retraction guesses, locked with the pending turn.
    pub own_locks: Option<u8>,
    /// The viewer's draft of an action; only where the page asks for it.
    #[serde(skip)]
    pub draft: Option<Draft>,
    /// The viewer is to move and can pay for a part of a turn.
    #[serde(skip)]
    pub buys: bool,
    /// Every credit and debit so far, as far as the viewer may know it.
    pub ledger: Vec<Account>,
    /// The turn that was settled last.
    pub settled: Option<SettledTurn>,
    /// Prices of pieces and moves.
    pub prices: Vec<Price>,
    /// Prices for the mover in the current position, before a turn is played.
    #[serde(skip)]
    pub current_prices: Vec<CurrentPrice>,
    /// Whether the mover is in check.
    #[serde(skip)]
    pub checked: bool,
    /// Earnings of correct guesses.
    pub payoffs: Vec<Payoff>,
    /// Earnings of correct guesses that do not depend on a piece type.
    pub bonuses: Bonuses,
    /// Prices of a retraction: of an ordinary turn, of one that gives check, of one that ends a check.
    pub retraction_prices: [i64; 3],
    /// Pieces that the viewer could buy now, if it is the viewer's turn.
    pub shop: Option<Vec<Offer>>,
    /// The draw that the mover can claim.
    pub claim: Option<&'static str>,
    /// The game is played blind.
    pub blind: bool,
    /// Some guesses of the viewer are hidden from others.
    pub undisclosed: bool,
    /// It is the viewer's turn, the king is in check and no free move helps.
    #[serde(skip)]
    pub cornered: bool,
    /// Number of retraction guesses that the viewer can still lock, if it is the viewer's turn.
    pub lockable: u8,
    /// Locked retraction guesses do not use up guesses of the next sheet.
    #[serde(skip)]
    pub free_locks: bool,
    /// Suggested guesses with their meaning, for a guesser who has to submit a sheet.
    #[serde(skip)]
    pub tokens: Vec<(String, String)>,
}

impl View {
    /// Colour of a seat, capitalised.
    pub fn name(&self, seat: &Seat) -> &'static str {
        match seat {
            Seat::One => "White",
            Seat::Two => "Black",
        }
    }

    /// A credit or debit with its sign; a question mark where it is hidden.
    pub fn signed(&self, amount: &Option<i64>) -> String {
        amount.map_or_else(|| "?".to_owned(), |amount| format!("{amount:+}").replace('-', "−"))
    }

    /// A guess of the draft by its number.
    pub fn written(&self, number: &u8) -> Option<&Part> {
        let lines = self.draft.as_ref().map(|draft| &draft.lines);
        lines.and_then(|lines| lines.get(usize::from(*number).checked_sub(1)?)).filter(|line| !line.text.is_empty())
    }

    /// Whether the draft has a faulty guess.
    pub fn mistaken(&self) -> bool {
        self.draft.as_ref().is_some_and(|draft| draft.lines.iter().any(|line| !line.wrong.is_empty()))
    }

    /// Whether the draft has any part.
    pub fn adding(&self) -> bool {
        self.draft.as_ref().is_some_and(|draft| draft.lines.iter().any(|line| !line.text.is_empty()))
    }

    /// An example of a next part; empty if there is none.
    pub fn example(&self) -> &str {
        self.diagram.choices.iter().flatten().map(|choice| choice.action.as_str()).next().unwrap_or_default()
    }

    /// Money of the mover, if the viewer may know it.
    pub fn money(&self) -> Option<i64> {
        self.diagram.purses.as_ref().and_then(|purses| *purses.of(self.mover)).map(|Amount(money)| money.to_integer())
    }

    /// Numbers of the guesses on the viewer's sheet.
    pub fn rows(&self) -> std::ops::RangeInclusive<u8> {
        1..=self.slots.unwrap_or(0)
    }

    /// Colour of the mover.
    pub fn color(&self) -> &'static str {
        self.mover.color().name()
    }

    /// Numbers of retraction guesses that can be locked.
    pub fn locks(&self) -> std::ops::RangeInclusive<u8> {
        1..=self.lockable
    }
}

impl View {
    /// Shows another position, such as the result of a draft.
    pub(super) fn at(&mut self, position: &Position, touched: Vec<Square>) {
        let shown = Diagram::of(Board::orthodox(), position);
        (self.diagram.pieces, self.diagram.check, self.diagram.last) =
            (shown.pieces, shown.check, BoardLocation::each(touched));
    }

    /// Sets the parts that are too expensive or impossible.
    pub(super) fn too_dear(&mut self, choices: Vec<Choice>) {
        self.diagram.dear = choices;
    }

    /// Sets the guesses to draw on the board.
    pub(super) fn foretell(&mut self, foretold: Vec<Prediction>) {
        self.diagram.foretold = foretold;
    }

    /// Sets the text of the draft and the parts that can follow.
    pub(super) fn offer(&mut self, draft: String, choices: Vec<Choice>) {
        (self.diagram.draft, self.diagram.choices) = (Some(draft), Some(choices));
    }
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

/// The view for a viewer.
pub(super) fn view(state: &State, viewer: Viewer) -> View {
    let terms = &*state.terms;
    let (mover, guesser) = (state.mover(), state.guesser());
    let reading = Reading { terms, viewer, opened: state.opened };
    let over = state.outcome.is_some();
    let awaited = |seat: Seat| !over && viewer == Some(seat);
    let own_turn = awaited(mover) && state.phase != Phase::Response;
    let own = |seat: Seat| viewer == Some(seat);
    let [payoffs, prices] = [terms.payoffs.rows.len(), terms.costs.rows.len()];
    let ledger = ledger::accounts(state, &reading);
    let mut diagram = diagram(state, viewer, &reading);
    let sealed = if own(guesser) { predictions::sealed(state) } else { Vec::new() };
    diagram.foretold = predictions::on_board(state, &sealed);
    diagram.fortunes = over.then(|| ledger::fortunes(terms.money, &ledger)).flatten();
    View {
        diagram,
        mover,
        guesser,
        answering: !over && state.phase == Phase::Response,
        slots: (!terms.blind || own(guesser)).then_some(state.slots),
        forced: state.forced && !over,
        en_passant: state.board_position().en_passant.map(|square| square.to_string()).collect(),
        bans: state.bans.iter().filter_map(|ban| ban.first().map(action::Part::to_string)).collect(),
        proposed: state.open().map(|record| turns::proposed(state, record, awaited(guesser))),
        own_sheet: state.sheet.as_ref().filter(|_| own(guesser)).map(ToString::to_string),
        sealed: sealed.into_iter().map(|(guess, amount)| predictions::line(state, guess, amount)).collect(),
        own_locks: state.open().filter(|_| own(mover)).map(|record| record.locks),
        draft: None,
        buys: own_turn && state.purses[mover.index()] >= terms.costs.cheapest(),
        ledger,
        settled: turns::settled(state, &reading),
        prices: (0..prices).map(|kind| shop::price(state, kind)).collect(),
        current_prices: if over || state.phase == Phase::Response { Vec::new() } else { shop::current_prices(state) },
        checked: Board::orthodox().in_check(&state.position, state.position.turn),
        payoffs: (0..payoffs).map(|kind| shop::payoff(state, kind)).collect(),
        bonuses: shop::bonuses(state),
        retraction_prices: terms.costs.retract,
        shop: own_turn.then(|| shop::shop(state, &state.trial())),
        claim: state.claim(),
        blind: terms.blind,
        undisclosed: viewer.is_some_and(|seat| state.hides(seat)),
        cornered: own_turn && cornered(state),
        lockable: if own_turn { terms.guesses.saturating_sub(state.locked) } else { 0 },
        free_locks: terms.free_locks,
        tokens: match state.phase {
            Phase::Both if awaited(guesser) => predictions::suggested(state),
            Phase::Both | Phase::Turn | Phase::Response => Vec::new(),
        },
    }
}

fn cornered(state: &State) -> bool {
    Board::orthodox().in_check(&state.position, state.position.turn) && state.free_moves().is_empty()
}

fn diagram(state: &State, viewer: Viewer, reading: &Reading) -> Diagram {
    let board = Board::orthodox();
    let mut diagram = Diagram::of(board, state.board_position());
    diagram.fen = Some(options::fen(state.board_position(), state.homes));
    diagram.last = state
        .records
        .last()
        .filter(|_| state.bans.is_empty() || state.open().is_some())
        .map_or_else(Vec::new, |record| BoardLocation::each(record.played.touched()));
    diagram.purses = Some(Pair::from(Seat::BOTH.map(|seat| {
        let known = viewer == Some(seat) || state.transparent(seat);
        known.then(|| Amount(state.purses[seat.index()].into()))
    })));
    let mut sheet = reading.entries(state.records.iter().map(AsRef::as_ref));
    let opened = state.disclosures.iter().map(|(ply, seat)| Entry {
        action: Some("disclose".to_owned()),
        notes: format!("{} disclosed all guesses so far", side(*seat)),
        ..Entry::new(*ply, Some(*seat), "disclose".to_owned())
    });
    sheet.extend(opened);
    sheet.sort_by_key(|entry| (entry.ply, entry.text != "disclose"));
    diagram.sheet = Arc::new(sheet);
    diagram.choices = choices(state, viewer);
    diagram.tags = Clairvoyant::INFO.pgn_tags();
    if board.fen(&state.start) != START {
        diagram.tags.extend([("SetUp", "1".to_owned()), ("FEN", board.fen(&state.start))]);
    }
    diagram
}

/// Actions to choose from: single free moves for the mover, answers for the guesser. Longer turns are typed.
fn choices(state: &State, viewer: Viewer) -> Option<Vec<Choice>> {
    let (board, seat) = (Board::orthodox(), viewer?);
    match state.phase {
        _ if state.outcome.is_some() => None,
        Phase::Both | Phase::Turn if seat == state.mover() => {
            let moves: Vec<Choice> =
                state.free_moves().into_iter().map(|mv| Choice::of_move(board, &state.position, mv)).collect();
            (!moves.is_empty()).then_some(moves)
        }
        Phase::Response if seat == state.guesser() => {
            let purse = state.purses[seat.index()];
            let possible = state.open().map(|record| state.retraction(&record.played));
            let mut answers = vec![Choice::word("accept")];
            if matches!(possible, Some(Retraction::For(price)) if price <= purse) {
                answers.push(Choice::word("retract"));
            }
            Some(answers)
        }
        Phase::Both | Phase::Turn | Phase::Response => None,
    }
}
