//! A moment of a game as a search sees it: the board with a kind for every piece that matters, and what both sides own.

use std::sync::Arc;

use super::{
    action::{Action, Spelling},
    known_army::ordinary,
    options::{Csipgs, MOST_PIECES},
    piece_type::PieceType,
    state::{Phase, State},
};
use crate::{
    board::{Board, Size, Square},
    rules::{
        Prospect, Seat,
        search_problem::{Economy, Owned},
    },
};

/// The incomes that a search looks ahead to.
const INCOMES: i64 = 16;

/// The decision that a seat has to make.
pub(super) fn prospect(options: &Csipgs, state: &State, seat: Seat) -> Option<Prospect> {
    match state.phase {
        Phase::Armies => {
            let army = Action::Army(placed(state.board.size(), seat));
            state.check_army(options, seat, &army).ok()?;
            Some(Prospect::Word(army.to_string()))
        }
        Phase::Action | Phase::Design => Some(Prospect::Economy(economy(options, state))),
        Phase::Place => {
            let filled = state.position.of(state.mover);
            let mut army = placed(state.board.size(), seat).into_iter().filter(|(_, square)| !filled.has(*square));
            let place = army.find_map(|(piece, square)| {
                let place = Action::Place(piece, square);
                state.check_place(options, &place).is_ok().then_some(place)
            });
            place.map(|place| Prospect::Word(place.to_string()))
        }
        Phase::Estimate(_) => None,
    }
}

/// The pieces of an ordinary army in the order in which they are placed: the king first, then from square to square.
fn placed(size: Size, seat: Seat) -> Vec<(Spelling, Square)> {
    let mut army = ordinary(size, seat.color());
    army.sort_by_key(|(text, square)| (!text.starts_with("royal-"), square.index()));
    army.into_iter().map(|(text, square)| (Spelling::known(text), square)).collect()
}

fn economy(options: &Csipgs, state: &State) -> Economy {
    let mut board = (*state.board).clone();
    let mut roster = (*state.roster).clone();
    let mut kind = |piece_type: &Arc<PieceType>| -> Option<u8> {
        if let Some(known) = roster.iter().position(|known| known == piece_type) {
            return Some(known as u8);
        }
        if roster.len() >= Board::MOST_KINDS {
            return None;
        }
        roster.push(piece_type.clone());
        let named = piece_type.kind(|letter, dress| board.kind_dressed(letter, dress).is_some());
        Some(board.add(named))
    };
    let owned = state.sides.each_ref().map(|side| {
        let reserve = side.reserve.iter().filter_map(&mut kind).collect();
        let mut sold: Vec<(u8, i64)> = Vec::new();
        for piece_type in side.designs.iter().filter(|piece_type| !piece_type.piece.royal) {
            let priced = kind(piece_type).map(|kind| (kind, piece_type.price(options.quantum)));
            sold.extend(priced.filter(|one| !sold.contains(one)));
        }
        Owned { treasury: side.treasury, reserve, sold }
    });
    let mut position = state.position;
    position.turn = state.mover;
    Economy {
        board,
        position,
        acted: state.phase == Phase::Design,
        owned,
        incomes: (0..INCOMES).map(|ahead| options.income(state.turn + ahead)).collect(),
        buys_after: options.buy_in_design,
        most: MOST_PIECES,
    }
}
