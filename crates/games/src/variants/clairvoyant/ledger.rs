//! Ledger of both seats: every credit and debit in zorkmids, turn by turn, as far as a viewer may know them.

use serde::Serialize;

use super::{
    state::State,
    turn_history::{Reading, Record, TurnStatus},
};
use crate::rules::{
    MoneyHistory, Seat,
    diagram::{Amount, Pair},
};

/// One credit or debit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ClairvoyantAccount)]
pub struct Account {
    /// Number of the move, from 1, as in the move list; 0 for starting money.
    pub turn: usize,
    /// The seat that played the turn; null for starting money.
    pub mover: Option<Seat>,
    /// The turn as in the move list.
    pub said: String,
    /// The seat whose account it is.
    pub seat: Seat,
    /// The reason.
    pub what: String,
    /// The amount, negative for a debit; null where it is hidden from the viewer.
    pub amount: Option<i64>,
    /// Balance of the seat afterwards; null where it is hidden from the viewer.
    pub balance: Option<i64>,
}

/// All entries, oldest first.
pub(super) fn accounts(state: &State, reading: &Reading) -> Vec<Account> {
    let mut book = Book { accounts: Vec::new(), balances: state.terms.money.map(Some) };
    for seat in Seat::BOTH {
        let owned = state.terms.money[seat.index()];
        if owned > 0 {
            book.accounts.push(Account {
                turn: 0,
                mover: None,
                said: String::new(),
                seat,
                what: "at the start".to_owned(),
                amount: Some(owned),
                balance: Some(owned),
            });
        }
    }
    for (index, record) in state.records.iter().enumerate() {
        let knows = |seat: Seat| reading.knows(seat, index);
        book.turn(record, state.terms.payoffs.retraction, &knows);
    }
    book.accounts
}

/// The balances after each entry, if the viewer may know all of them and any money changed hands.
pub(super) fn fortunes(money: [i64; 2], accounts: &[Account]) -> Option<MoneyHistory> {
    let mut purses = money;
    let mut turns = vec![purses];
    for account in accounts.iter().filter(|account| account.turn > 0) {
        purses[account.seat.index()] = account.balance?;
        turns.push(purses);
    }
    let both = |purses: [i64; 2]| Pair::from(purses.map(|zorkmids| Amount(zorkmids.into())));
    (turns.len() > 1).then(|| MoneyHistory { unit: "zorkmids", turns: turns.into_iter().map(both).collect() })
}

struct Book {
    accounts: Vec<Account>,
    balances: [Option<i64>; 2],
}

impl Book {
    fn enter(&mut self, record: &Record, seat: Seat, what: String, amount: Option<i64>) {
        let balance = &mut self.balances[seat.index()];
        *balance = balance.zip(amount).map(|(balance, amount)| balance + amount);
        let said = record.texts[0].clone();
        let (turn, mover) = (record.number, Some(record.mover));
        self.accounts.push(Account { turn, mover, said, seat, what, amount, balance: *balance });
    }

    fn turn(&mut self, record: &Record, foreseen: i64, knows: &impl Fn(Seat) -> bool) {
        let (mover, guesser, paid) = (record.mover, !record.mover, record.played.price);
        if paid > 0 {
            self.enter(record, mover, "bought".to_owned(), Some(-paid));
        }
        match &record.fate {
            TurnStatus::Open => {}
            TurnStatus::Retracted { price, .. } => {
                self.enter(record, guesser, "forced it back".to_owned(), Some(-price));
                if paid > 0 {
                    self.enter(record, mover, "refunded".to_owned(), Some(paid));
                }
                if !knows(mover) {
                    self.enter(record, mover, "hidden guesses staked on being forced back".to_owned(), None);
                } else if record.locks > 0 {
                    let locks = i64::from(record.locks);
                    self.enter(record, mover, format!("{locks} × being forced back, staked"), Some(locks * foreseen));
                }
            }
            TurnStatus::Settled { sheet: None, income, .. } => {
                self.enter(record, guesser, "only one move out of check".to_owned(), Some(*income));
            }
            TurnStatus::Settled { listed, income, .. } if knows(guesser) => {
                if *income > 0 {
                    self.enter(record, guesser, format!("guessed {}", listed[0]), Some(*income));
                }
            }
            TurnStatus::Settled { .. } => self.enter(record, guesser, "hidden sheet".to_owned(), None),
        }
    }
}
