//! Parts of a view: the common diagram with all that the mover may do, the inventions, and the legend of every type of piece in the game.

use std::sync::Arc;

use num_rational::Ratio;
use serde::Serialize;

use crate::{
    board::{Betza, BoardLocation, Color, Invention, PieceType, Square},
    rules::{
        Choice, ChoiceKind, Diagram, Dropped, MoneyHistory, Rules,
        diagram::{Amount, Designed, HeldPiece},
    },
    variants::csipgs::{
        action::{Action, Spelling},
        army_view::tenths,
        inventions::Estimate,
        options::Csipgs,
        piece_design::PieceDesign,
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
            diagram.fortunes = Some(MoneyHistory { unit: "zorkmids", turns: self.ledger() });
        }
        diagram.last = BoardLocation::each(self.last.iter().copied());
        diagram.check = BoardLocation::each(Color::BOTH.into_iter().flat_map(|color| self.attacked(color)));
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
        let once = |piece_types: &[Arc<PieceDesign>], index: usize| !piece_types[..index].contains(&piece_types[index]);
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

    /// Tells of every type of piece that is in the game.
    pub(super) fn legend(&self, options: &Csipgs) -> Vec<LegendEntry> {
        let types = self.piece_types().into_iter().map(|piece_type| LegendEntry {
            name: piece_type.called().to_owned(),
            betza: piece_type.text.clone(),
            letter: self.board.kinds().iter().find(|kind| kind.betza == piece_type.text).map(PieceType::written),
            words: piece_type.words().to_owned(),
            price: tenths(piece_type.price(options.quantum)),
            exact: piece_type.exact.to_string(),
            piece: piece_type.piece.clone(),
        });
        types.collect()
    }

    /// Every type of piece that is in the game, those of the board first, each once.
    fn piece_types(&self) -> Vec<&Arc<PieceDesign>> {
        let mut piece_types: Vec<&Arc<PieceDesign>> = Vec::new();
        let others = self.sides.iter().flat_map(|side| side.reserve.iter().chain(&side.designs));
        for piece_type in self.stationed().chain(others) {
            if !piece_types.contains(&piece_type) {
                piece_types.push(piece_type);
            }
        }
        piece_types
    }

    /// The types of the units on the board, in the order of their squares.
    fn stationed(&self) -> impl Iterator<Item = &Arc<PieceDesign>> {
        self.position.pieces().map(|(_, piece)| &self.roster[usize::from(piece.kind)])
    }
}

/// A reserve, each type once with its count.
fn held(reserve: &[Arc<PieceDesign>]) -> Vec<HeldPiece> {
    let mut held: Vec<HeldPiece> = Vec::new();
    for piece_type in reserve {
        match held.iter_mut().find(|held| held.betza == piece_type.text) {
            Some(held) => held.count += 1,
            None => held.push(HeldPiece { name: piece_type.name.clone(), betza: piece_type.text.clone(), count: 1 }),
        }
    }
    held
}

/// An invention.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Invented {
    /// Its name, without brackets.
    pub name: String,
    /// As it was invented: `lame(1,2)`.
    pub definition: String,
    /// Its description in words.
    pub words: String,
    /// It is an atom; else it modifies one.
    pub atom: bool,
    /// The cost of the atom, or the factor by which the modifier multiplies; nothing while it is being estimated.
    pub cost: Option<Amount>,
}

/// Tells of an invention, and what it costs if that is known.
pub(super) fn invented(invention: Invention, estimate: Option<Estimate>) -> Invented {
    Invented {
        name: invention.name.to_string(),
        definition: invention.definition.to_string(),
        words: invention.definition.in_words(),
        atom: invention.definition.is_atom(),
        cost: estimate.map(|Estimate(thousandths)| Amount(Ratio::new(i64::from(thousandths), 1000))),
    }
}

/// A type of piece in words.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct LegendEntry {
    /// Its name.
    pub name: String,
    /// Its text.
    pub betza: String,
    /// Its letter in the FEN, as White's pieces are written, once such a piece has stood on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// Its description in words.
    pub words: String,
    /// Its cost, rounded up.
    pub price: Amount,
    /// Its exact cost.
    pub exact: String,
    /// The meaning of its text.
    #[serde(skip)]
    pub piece: Arc<Betza>,
}
