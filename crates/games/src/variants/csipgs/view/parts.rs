//! Parts of a view: the common diagram with the mover's choices, the inventions, and the legend of piece types.

use std::sync::Arc;

use num_rational::Ratio;
use serde::Serialize;

use crate::{
    board::{Betza, BoardLocation, Color, Invention, PieceType, Square},
    rules::{
        Choice, ChoiceKind, Diagram, Dropped, Entry, MoneyHistory, Outcome, Place, Rules, Seat,
        diagram::{Amount, Designed, HeldPiece},
    },
    variants::csipgs::{
        action::{Action, Spelling},
        action_phase::CHECKMATE,
        army_view::tenths,
        inventions::Estimate,
        options::Csipgs,
        piece_design::PieceDesign,
        state::{Phase, State},
    },
};

impl State {
    /// Diagram with the board, treasuries and move list, and with choices if the viewer is to move.
    pub(super) fn diagram(&self, options: &Csipgs, asked: bool) -> Diagram {
        let mut diagram = Diagram::of(&self.board, &self.position);
        diagram.whole_position = self.position_text();
        diagram.reserves = self.sides.each_ref().map(|side| count_reserve(&side.reserve)).into();
        diagram.purses = Some(self.sides.each_ref().map(|side| Some(tenths(side.treasury))).into());
        if self.outcome.is_some() {
            diagram.fortunes = Some(MoneyHistory { unit: "zorkmids", turns: self.fortunes(options) });
        }
        diagram.last = BoardLocation::each(self.last.iter().copied());
        diagram.check = BoardLocation::each(Color::BOTH.into_iter().flat_map(|color| self.attacked(color)));
        let mut sheet: Vec<_> = self.sheet.iter().cloned().collect();
        sheet.reverse();
        if let Some(Outcome::Win(winner, CHECKMATE)) = self.outcome {
            mark_mate(&mut sheet, winner);
        }
        diagram.sheet = Arc::new(sheet);
        // In the order of appearance, so that a piece keeps its picture when others come and go.
        for piece_type in self.seen.iter() {
            if !piece_type.is_pictured() && diagram.design(&piece_type.text).is_none() {
                diagram.designs.push(Designed {
                    betza: piece_type.text.clone(),
                    piece: piece_type.piece.clone(),
                    icon: None,
                });
            }
        }
        diagram.tags = Csipgs::INFO.pgn_tags();
        if let Some((fen, designs)) = &self.start_position {
            diagram.tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.clone()), ("Designs", designs.clone())]);
        }
        if asked && self.phase == Phase::Action {
            diagram.choices = Some(self.choices(options));
            diagram.then = (!options.buy_in_design && !options.inventions).then_some("keep");
        }
        diagram
    }

    /// All choices of the action phase.
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
                words: format!("Place {}", piece_type.display_name()),
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

    /// Legend of every piece type in the game.
    pub(super) fn legend(&self, options: &Csipgs) -> Vec<LegendEntry> {
        let types = self.piece_types().into_iter().map(|piece_type| LegendEntry {
            name: piece_type.display_name().to_owned(),
            betza: piece_type.text.clone(),
            letter: self.board.kinds().iter().find(|kind| kind.betza == piece_type.text).map(PieceType::written),
            words: piece_type.words().to_owned(),
            price: tenths(piece_type.price(options.quantum)),
            exact: piece_type.exact.to_string(),
            piece: piece_type.piece.clone(),
        });
        types.collect()
    }

    /// Every piece type in the game once, those on the board first.
    fn piece_types(&self) -> Vec<&Arc<PieceDesign>> {
        let mut piece_types: Vec<&Arc<PieceDesign>> = Vec::new();
        let others = self.sides.iter().flat_map(|side| side.reserve.iter().chain(&side.designs));
        for piece_type in self.types_on_board().chain(others) {
            if !piece_types.contains(&piece_type) {
                piece_types.push(piece_type);
            }
        }
        piece_types
    }

    /// Types of the pieces on the board, in the order of their squares.
    fn types_on_board(&self) -> impl Iterator<Item = &Arc<PieceDesign>> {
        self.position.pieces().map(|(_, piece)| &self.roster[usize::from(piece.kind)])
    }
}

/// Marks the winner's last move as checkmate for people, if it gave check. The text that records keep still says check, because the
/// design phase ends the game only afterwards.
fn mark_mate(sheet: &mut [Entry], winner: Seat) {
    let turn = |entry: &&mut Entry| entry.place == Place::Move(winner.color());
    let Some(entry) = sheet.iter_mut().rfind(turn).filter(|entry| entry.text.ends_with('+')) else { return };
    entry.told = Some(format!("{}#", entry.text.trim_end_matches('+')));
    if let Some(spoken) = entry.spoken.as_deref().and_then(|spoken| spoken.strip_suffix(", check")) {
        entry.spoken = Some(format!("{spoken}, checkmate").into());
    }
}

/// Reserve as piece types with their counts.
fn count_reserve(reserve: &[Arc<PieceDesign>]) -> Vec<HeldPiece> {
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
#[schema(as = Invention)]
pub struct Invented {
    /// Name without angle brackets.
    pub name: String,
    /// Definition, such as `lame(1,2)`.
    pub definition: String,
    /// Description of the effect.
    pub words: String,
    /// Whether it is an atom; otherwise it is a modifier.
    pub atom: bool,
    /// Cost of an atom or factor of a modifier; null until both estimates are in.
    pub cost: Option<Amount>,
}

pub(super) fn invented(invention: Invention, estimate: Option<Estimate>) -> Invented {
    Invented {
        name: invention.name.to_string(),
        definition: invention.definition.to_string(),
        words: invention.definition.in_words(),
        atom: invention.definition.is_atom(),
        cost: estimate.map(|Estimate(thousandths)| Amount(Ratio::new(i64::from(thousandths), 1000))),
    }
}

/// Description of a piece type.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct LegendEntry {
    /// Name of the piece.
    pub name: String,
    /// Piece in Betza notation.
    pub betza: String,
    /// Letter in the FEN, as for White's pieces, once the board has had such a piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// Description of its moves.
    pub words: String,
    /// Price: the cost rounded up to the smallest coin.
    pub price: Amount,
    /// Exact cost, before rounding.
    pub exact: String,
    /// Parsed notation.
    #[serde(skip)]
    pub piece: Arc<Betza>,
}
