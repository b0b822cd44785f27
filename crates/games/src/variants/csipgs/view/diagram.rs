//! The part of a view that every variant has, and all that the mover may do on the board.

use std::sync::Arc;

use crate::{
    board::{Color, Locus, Square},
    rules::{
        Choice, ChoiceKind, Diagram, Dropped, Fortunes, Rules,
        diagram::{Designed, Held},
    },
    variants::csipgs::{
        action::{Action, Spelling},
        army_view::tenths,
        options::Csipgs,
        piece_type::PieceType,
        state::{Phase, State},
    },
};

impl State {
    /// The board, the purses and the sheet; with the choices if the viewer is asked.
    pub(super) fn diagram(&self, options: &Csipgs, asked: bool) -> Diagram {
        let mut diagram = Diagram::of(&self.board, &self.position);
        diagram.reserves = self.sides.each_ref().map(|side| held(&side.reserve)).into();
        diagram.purses = Some(self.sides.each_ref().map(|side| Some(tenths(side.treasury))).into());
        if self.outcome.is_some() {
            diagram.fortunes = Some(Fortunes { unit: "zorkmids", turns: self.ledger() });
        }
        diagram.last = Locus::each(self.last.iter().copied());
        diagram.check = Locus::each(Color::BOTH.into_iter().flat_map(|color| self.attacked(color)));
        let mut sheet: Vec<_> = self.sheet.iter().cloned().collect();
        sheet.reverse();
        diagram.sheet = Arc::new(sheet);
        let reserves = self.sides.iter().flat_map(|side| &side.reserve);
        for piece_type in self.stationed().chain(reserves) {
            if !piece_type.pictured() && diagram.design(&piece_type.text).is_none() {
                diagram.designs.push(Designed { betza: piece_type.text.clone(), piece: piece_type.piece.clone() });
            }
        }
        diagram.tags = Csipgs::INFO.pgn_tags();
        if let Some((fen, designs)) = &self.begun {
            diagram.tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.clone()), ("Designs", designs.clone())]);
        }
        if asked && self.phase == Phase::Action {
            diagram.choices = Some(self.choices(options));
        }
        diagram
    }

    /// Everything that may be done in the action phase.
    fn choices(&self, options: &Csipgs) -> Vec<Choice> {
        let sign = |to: Square| if self.position.piece(to).is_some() { 'x' } else { '-' };
        let choice = |action: Action, label: String, kind| Choice::new(action.to_string(), label, kind);
        let mut choices = Vec::new();
        for mv in self.board.moves(&self.position) {
            let label = format!("{}{}{}", mv.from, sign(mv.to), mv.to);
            choices.push(choice(Action::Move(mv.from, mv.to, None), label, ChoiceKind::plain(mv.from, mv.to)));
        }
        for (from, to, then) in self.doubles() {
            let label = format!("{from}{}{to}, {to}{}{then}", sign(to), sign(then));
            choices.push(choice(Action::Move(from, to, Some(then)), label, ChoiceKind::plain(from, to)));
        }
        let once = |piece_types: &[Arc<PieceType>], index: usize| !piece_types[..index].contains(&piece_types[index]);
        let side = self.side();
        for (_, piece_type) in side.reserve.iter().enumerate().filter(|(index, _)| once(&side.reserve, *index)) {
            let piece = Dropped {
                said: format!("transfer {}", piece_type.text),
                words: format!("Transfer {}", piece_type.called()),
                lead: None,
                name: piece_type.name.clone(),
                betza: piece_type.text.clone(),
                color: self.mover.into(),
                alone: None,
                amount: None,
            };
            for to in self.drop_squares() {
                let action = Action::Transfer(Spelling::known(&piece_type.text), to);
                let kind = ChoiceKind::Drop { piece: piece.clone(), to: to.into() };
                choices.push(choice(action, format!("@{to}={}", piece_type.text), kind));
            }
        }
        if !options.buy_in_design {
            for sale in self.sales(options) {
                let Action::Buy(piece) = &sale else { continue };
                let label = format!("${piece}");
                choices.push(choice(sale, label, ChoiceKind::Word { word: "buy".to_owned() }));
            }
        }
        choices
    }
}

/// A reserve, each type once with its count.
fn held(reserve: &[Arc<PieceType>]) -> Vec<Held> {
    let mut held: Vec<Held> = Vec::new();
    for piece_type in reserve {
        match held.iter_mut().find(|held| held.betza == piece_type.text) {
            Some(held) => held.count += 1,
            None => held.push(Held { name: piece_type.name.clone(), betza: piece_type.text.clone(), count: 1 }),
        }
    }
    held
}
