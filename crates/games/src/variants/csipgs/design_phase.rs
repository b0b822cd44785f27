//! The design phase: replacing a design, buying where the options allow it, inventing, and estimating an invention.

use std::sync::Arc;

use super::{
    action::Action,
    inventions::Estimate,
    options::Csipgs,
    piece_design,
    price::{DOUBLEMOVE, Exact, RELAY, equivalents, fraction, money, zorkmids},
    state::{Phase, State},
};
use crate::{
    board::{Definition, Invention},
    rules::{Entry, Refusal},
};

impl State {
    /// Checks an action in the design phase. Designing is legal in any position, also in check.
    pub(super) fn check_design(&self, options: &Csipgs, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Design(_, piece) => {
                piece_design::read(piece.text(), 9, &self.catalogue, options.prefixes(self.turn)).map(|_| ())
            }
            Action::Keep => Ok(()),
            Action::Buy(piece) if options.buy_in_design => self.check_purchase(options, piece),
            Action::Buy(_) => Err(Refusal::new("your action is done: replace a design, or write keep")),
            Action::Invent(_) if !options.inventions => {
                Err(Refusal::new("there are no inventions in this game: replace a design, or write keep"))
            }
            Action::Invent(invention) => {
                let taken = self.catalogue.inventions().iter().any(|known| known.name == invention.name);
                if taken {
                    Err(Refusal::at(
                        7,
                        format!("{} is already the name of an invention: choose another", invention.name),
                    ))
                } else {
                    Ok(())
                }
            }
            Action::Move(..) | Action::Transfer(..) => {
                Err(Refusal::new("your action is done: replace a design, or write keep"))
            }
            Action::Estimate(_) => Err(Refusal::new("there is no invention to estimate")),
            Action::Army(_) | Action::Place(..) => {
                Err(Refusal::new("the armies are already set up: replace a design, or write keep"))
            }
        }
    }

    /// Carries out a checked action. Ends the turn, unless the action is an invention.
    pub(super) fn design(&mut self, options: &Csipgs, action: &Action) {
        let seat = Some(self.seat());
        let said = Some(action.to_string());
        match action {
            Action::Design(slot, piece) => {
                let piece_type = Arc::new(self.read_design(options, piece, 9).expect("the design was checked"));
                self.see(&piece_type);
                let text = format!("#{slot}={}", piece_type.text);
                let price = piece_type.price(options.quantum);
                let slot = usize::from(*slot) - 1;
                let old = std::mem::replace(&mut self.side_mut().designs[slot], piece_type.clone());
                let notes = format!("in place of {}, costs {}", old.text, money(price));
                let spoken_notes = Some(format!("in place of {}, costs {}", old.display_name(), zorkmids(price)));
                let line = Entry { spoken_notes, ..self.line(text, action, notes) };
                self.note_about(line, "designs", &piece_type, String::new());
            }
            Action::Keep => {}
            Action::Buy(piece) => self.buy(options, piece, action),
            Action::Invent(invention) => {
                let text = format!("invents {} {}", invention.name, invention.definition);
                self.note(seat, text, said, String::new(), None);
                self.phase = Phase::Estimate(*invention);
                return;
            }
            Action::Move(..) | Action::Transfer(..) | Action::Estimate(_) | Action::Army(_) | Action::Place(..) => {
                unreachable!("only checked actions are carried out")
            }
        }
        self.end_turn(options);
    }

    /// Minimum estimate of an invention: the cost of the cheapest existing equivalent, with that equivalent's text.
    pub(super) fn minimum_estimate(&self, options: &Csipgs, invention: Invention) -> Option<(String, Exact)> {
        let prefixes = options.prefixes(self.turn);
        let prefix = match invention.definition {
            Definition::Relay if prefixes.relay => Some(("relay-".to_owned(), RELAY)),
            Definition::Doublemove if prefixes.doublemove => Some(("doublemove-".to_owned(), DOUBLEMOVE)),
            _ => None,
        };
        prefix.into_iter().chain(equivalents(invention.definition, &self.catalogue)).min_by_key(|(_, cost)| *cost)
    }

    /// Checks an estimate of an invention. Inventing something that already exists must not make it cheaper (our
    /// reading).
    pub(super) fn check_estimate(
        &self,
        options: &Csipgs,
        invention: Invention,
        estimate: Estimate,
    ) -> Result<(), Refusal> {
        match self.minimum_estimate(options, invention) {
            Some((text, cost)) if estimate.exact() < cost => Err(Refusal::at(
                9,
                format!(
                    "{} does the same as {text}, which costs {}: estimate at least that",
                    invention.name,
                    fraction(&cost)
                ),
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Opens both estimates. From now on the higher one counts for both players.
    pub(super) fn apply_estimates(&mut self, options: &Csipgs, invention: Invention, estimates: [Estimate; 2]) {
        let [one, two] = estimates;
        let cost = one.max(two);
        Arc::make_mut(&mut self.catalogue).add(invention, cost);
        let words = if invention.definition.is_atom() { "costs" } else { "multiplies by" };
        let notes = format!("estimates {one} and {two}");
        self.note(None, format!("{} {words} {cost}", invention.name), None, notes, None);
        self.end_turn(options);
    }
}
