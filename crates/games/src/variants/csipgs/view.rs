//! The view of a game, in which anybody may see everything: all information of csipgs chess is public. What is sealed waits outside
//! the state.

mod parts;

pub use parts::{Invented, LegendEntry};

use std::sync::Arc;

use num_rational::Ratio;
use serde::Serialize;

use super::{
    army_view::{ArmyDraft, Bounds, tenths},
    options::{Csipgs, MOST_PIECES, Prefixes},
    piece_design::{self, PieceDesign},
    state::{Phase, State},
};
use crate::{
    board::{Betza, Color},
    rules::{
        Diagram, Seat,
        diagram::{Amount, HeldPiece, Pair},
    },
};
use parts::invented;

/// The number of a seat's turns for which its money is told ahead.
const FORESIGHT: usize = 60;

/// The game as a viewer sees it.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// `army`, `place`, `action`, `design` or `estimate`.
    pub phase: &'static str,
    /// Whose turn it is.
    pub mover: Seat,
    /// Turns begun, counted over both players.
    pub turn: i64,
    /// The smallest coin: `1`, `1/2` or `1/10`.
    pub quantum: &'static str,
    /// The income of each seat at the beginning of its next turn.
    #[schema(inline)]
    pub income: Pair<Amount>,
    /// The six designs of each seat.
    #[schema(inline)]
    pub designs: Pair<Vec<DesignSlot>>,
    /// The inventions so far.
    pub inventions: Vec<Invented>,
    /// The invention that both are asked to estimate.
    pub estimate: Option<Invented>,
    /// Every type of piece on the board, in a reserve or among the designs.
    pub legend: Vec<LegendEntry>,
    /// The bounds of an army, while armies are set up.
    pub army: Option<Bounds>,
    /// The army that the viewer puts together now.
    #[serde(skip)]
    pub army_draft: Option<ArmyDraft>,
    /// Pieces are bought in the design phase.
    pub buy_in_design: bool,
    /// Inventions may be made.
    pub invents: bool,
    /// Why the mover can buy nothing at all, if that is so: an attacked royal piece, or sixteen pieces.
    pub no_purchase: Option<&'static str>,
    /// The prefixes that designs may use now.
    #[serde(skip)]
    prefixes: Prefixes,
    /// The money of each seat now and at the beginning of each of its next turns, if it buys nothing, in tenths.
    #[serde(skip)]
    savings: Pair<Vec<i64>>,
    /// The inventions so far, as one text.
    #[serde(skip)]
    pub with: String,
    /// The treasuries from turn to turn, the first before the first turn and the last as they are now.
    #[schema(inline)]
    pub ledger: Vec<Pair<Amount>>,
    /// Where the mover's reserves may enter.
    #[serde(rename = "doors")]
    pub drop_squares: Vec<String>,
    /// The draw that the mover may claim now.
    pub claimable: Option<&'static str>,
    /// Players may agree on a draw.
    pub draw_offers: bool,
}

/// One of six designs.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct DesignSlot {
    /// 1 to 6.
    pub slot: usize,
    /// Its name.
    pub name: String,
    /// Its text.
    pub betza: String,
    /// Its cost, rounded up.
    pub price: Amount,
    /// Its exact cost.
    pub exact: String,
    /// Its owner could buy it now.
    pub buyable: bool,
    /// The meaning of its text.
    #[serde(skip)]
    pub piece: Arc<Betza>,
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

impl View {
    /// The part that every view has, to be changed while something is put together.
    pub(super) fn diagram_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }

    /// The six slots of a seat.
    pub fn slots(&self, seat: &Seat) -> &[DesignSlot] {
        self.designs.of(*seat)
    }

    /// The pieces that a seat holds in reserve.
    pub fn reserve(&self, seat: &Seat) -> &[HeldPiece] {
        self.diagram.reserves.of(*seat)
    }

    /// The meaning of a piece's text, if such a piece is in the game.
    pub fn legend_of(&self, betza: &str) -> Option<&LegendEntry> {
        self.legend.iter().find(|entry| entry.betza == betza)
    }

    /// Tells whether a seat can pay for none of its designs, or may buy none of them.
    pub fn nothing_affordable(&self, seat: &Seat) -> bool {
        self.slots(seat).iter().all(|slot| !slot.buyable)
    }

    /// The money that a seat owns.
    pub fn treasury(&self, seat: &Seat) -> Amount {
        self.diagram.purses.as_ref().and_then(|purses| *purses.of(*seat)).unwrap_or(Amount(Ratio::ZERO))
    }

    /// The income of a seat at the beginning of its next turn.
    pub fn next_income(&self, seat: &Seat) -> Amount {
        *self.income.of(*seat)
    }

    /// Counts the turns after which a seat can pay so many tenths, if it buys nothing until then: 0 for now. Nothing if not for long.
    pub fn affordable(&self, seat: Seat, tenths: i64) -> Option<usize> {
        self.savings.of(seat).iter().position(|money| *money >= tenths)
    }

    /// Says why this game does not allow a design now, if it does not.
    pub fn forbidden(&self, piece: &Betza) -> Option<String> {
        piece_design::forbidden(piece, self.prefixes).map(|(_, why)| why)
    }

    /// The colour of a seat.
    pub fn side(&self, seat: &Seat) -> Color {
        seat.color()
    }

    /// The colour of a seat, for people.
    pub fn color(&self, seat: &Seat) -> &'static str {
        match self.side(seat) {
            Color::White => "White",
            Color::Black => "Black",
        }
    }
}

impl State {
    /// Makes the view of a viewer.
    pub(super) fn seen(&self, options: &Csipgs, asked: bool) -> View {
        let sides = Seat::BOTH.map(|seat| (&self.sides[seat.index()], seat));
        let over = self.outcome.is_some();
        let slots = sides.map(|(side, seat)| {
            let slot = |(index, piece_type): (usize, &Arc<PieceDesign>)| DesignSlot {
                slot: index + 1,
                name: piece_type.called().to_owned(),
                betza: piece_type.text.clone(),
                price: tenths(piece_type.price(options.quantum)),
                exact: piece_type.exact.to_string(),
                buyable: !over && seat == self.seat() && self.buys(options) && self.sold(options, piece_type).is_ok(),
                piece: piece_type.piece.clone(),
            };
            side.designs.iter().enumerate().map(slot).collect()
        });
        // The mover's own income has come already: what comes next is that of two turns later.
        let next = |seat: Seat| match self.phase {
            Phase::Armies | Phase::Place => options.income(1 + seat.index() as i64),
            Phase::Action | Phase::Design | Phase::Estimate(_) => {
                options.income(self.turn + if seat == self.seat() { 2 } else { 1 })
            }
        };
        View {
            diagram: self.diagram(options, asked && !over),
            phase: self.phase_word(),
            mover: self.seat(),
            turn: self.turn,
            quantum: options.quantum.text(),
            income: Seat::BOTH.map(|seat| tenths(next(seat))).into(),
            designs: slots.into(),
            inventions: self.catalogue.entries().map(|(invention, cost)| invented(invention, Some(cost))).collect(),
            estimate: match self.phase {
                Phase::Estimate(invention) => Some(invented(invention, None)),
                Phase::Armies | Phase::Place | Phase::Action | Phase::Design => None,
            },
            legend: self.legend(options),
            army: matches!(self.phase, Phase::Armies | Phase::Place).then(|| self.army_bounds(options)),
            army_draft: None,
            buy_in_design: options.buy_in_design,
            invents: options.inventions,
            no_purchase: if !self.attacked(self.mover).is_empty() {
                Some("a royal piece is attacked")
            } else if self.pieces(self.mover) >= MOST_PIECES {
                Some("there are sixteen pieces on the board and in reserve")
            } else {
                None
            },
            prefixes: options.prefixes(self.turn),
            savings: Seat::BOTH.map(|seat| self.savings(options, seat)).into(),
            with: self.catalogue.to_string(),
            ledger: self.ledger(),
            drop_squares: self.drop_squares().map(|square| square.to_string()).collect(),
            claimable: self.claim(options),
            draw_offers: options.draw_offers,
        }
    }

    /// The money of a seat now and at the beginning of each of its next turns, if it buys nothing.
    fn savings(&self, options: &Csipgs, seat: Seat) -> Vec<i64> {
        let next = self.turn + if seat == self.seat() { 2 } else { 1 };
        let incomes = (next..).step_by(2).take(FORESIGHT).map(|turn| options.income(turn));
        let mut money = self.sides[seat.index()].treasury;
        let mut savings = vec![money];
        savings.extend(incomes.map(|income| {
            money = money.saturating_add(income);
            money
        }));
        savings
    }

    /// Tells whether this is the phase for purchases.
    fn buys(&self, options: &Csipgs) -> bool {
        self.phase == if options.buy_in_design { Phase::Design } else { Phase::Action }
    }

    /// The treasuries from turn to turn, and as they are now.
    fn ledger(&self) -> Vec<Pair<Amount>> {
        let now = self.sides.each_ref().map(|side| side.treasury);
        let mut purses: Vec<_> =
            std::iter::once(&now).chain(self.ledger.iter()).map(|both| both.map(tenths).into()).collect();
        purses.reverse();
        purses
    }

    /// A word for what is asked.
    pub(super) fn phase_word(&self) -> &'static str {
        match self.phase {
            Phase::Armies => "army",
            Phase::Place => "place",
            Phase::Action => "action",
            Phase::Design => "design",
            Phase::Estimate(_) => "estimate",
        }
    }
}
