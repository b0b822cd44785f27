//! View of a game. All information of csipgs chess is public, and sealed choices are kept outside the state.

mod ideas;
mod parts;

pub use ideas::Idea;
pub use parts::{Invented, LegendEntry};

use std::sync::Arc;

use num_rational::Ratio;
use serde::Serialize;

use super::{
    army_view::{ArmyDraft, Bounds, tenths},
    inventions::Estimate,
    options::{Csipgs, MOST_PIECES, Prefixes},
    piece_design::{self, PieceDesign},
    price::Quantum,
    state::{Phase, State},
};
use crate::{
    board::{Betza, Color},
    rules::{
        Diagram, GamePhase, Seat,
        diagram::{Amount, HeldPiece, Pair},
    },
};
use parts::invented;

/// Number of a seat's coming turns for which the view calculates its money.
const FORESIGHT: usize = 60;

/// A game of csipgs chess as a viewer sees it.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// Kind of action that the game waits for, also once it is over.
    #[schema(value_type = GamePhase)]
    pub phase: &'static str,
    /// Seat whose turn it is.
    pub mover: Seat,
    /// Number of turns begun, counting those of both players.
    pub turn: i64,
    /// Smallest coin.
    #[schema(value_type = Quantum)]
    pub quantum: &'static str,
    /// Income of each seat at the start of its next turn.
    #[schema(inline)]
    pub income: Pair<Amount>,
    /// The six designs of each seat.
    #[schema(inline)]
    pub designs: Pair<Vec<DesignSlot>>,
    /// Inventions so far.
    pub inventions: Vec<Invented>,
    /// Invention that both players must estimate now.
    pub estimate: Option<Invented>,
    /// Proposed estimate of that invention.
    #[serde(skip)]
    pub proposed: Option<Estimate>,
    /// Inventions to choose from, in a design phase that allows them.
    #[serde(skip)]
    pub ideas: Vec<Idea>,
    /// Every piece type on the board, in a reserve or among the designs.
    pub legend: Vec<LegendEntry>,
    /// Limits on armies, during set-up only.
    pub army: Option<Bounds>,
    /// Unfinished army of the viewer.
    #[serde(skip)]
    pub army_draft: Option<ArmyDraft>,
    /// Whether pieces are bought in the design phase.
    pub buy_in_design: bool,
    /// Whether players may invent atoms and modifiers.
    pub invents: bool,
    /// Why the player to move can buy nothing: an attacked royal piece, or sixteen pieces.
    pub no_purchase: Option<&'static str>,
    /// Prefixes that designs may use now.
    #[serde(skip)]
    prefixes: Prefixes,
    /// Money of each seat now and at the start of each coming turn, if it buys nothing, in tenths.
    #[serde(skip)]
    savings: Pair<Vec<i64>>,
    /// Text form of the inventions, as [`Catalogue`](super::price::Catalogue) reads it.
    #[serde(skip)]
    pub with: String,
    /// Both treasuries at the start of every turn, after its income, oldest first. The last entry is the current state.
    #[schema(inline)]
    pub ledger: Vec<Pair<Amount>>,
    /// Squares to which the player to move can transfer reserve pieces.
    #[serde(rename = "doors")]
    pub drop_squares: Vec<String>,
    /// Whether the mover’s action has given checkmate, so that the game ends after the design phase.
    #[serde(skip)]
    pub mates: bool,
    /// Draw that the player to move can claim now.
    pub claimable: Option<&'static str>,
    /// Whether players may agree to a draw.
    pub draw_offers: bool,
}

/// One of a player's six designs.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct DesignSlot {
    /// Number of the slot, 1 to 6.
    pub slot: usize,
    /// Name of the piece.
    pub name: String,
    /// Piece in Betza notation.
    pub betza: String,
    /// Price: the cost rounded up to the smallest coin.
    pub price: Amount,
    /// Exact cost, before rounding.
    pub exact: String,
    /// Whether its owner can buy it now.
    pub buyable: bool,
    /// Parsed notation.
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
    /// The common diagram, for changes by a draft.
    pub(super) fn diagram_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }

    /// The six designs of a seat.
    pub fn slots(&self, seat: &Seat) -> &[DesignSlot] {
        self.designs.of(*seat)
    }

    /// Reserve of a seat.
    pub fn reserve(&self, seat: &Seat) -> &[HeldPiece] {
        self.diagram.reserves.of(*seat)
    }

    /// Legend entry of a piece, if the game has such a piece.
    pub fn legend_of(&self, betza: &str) -> Option<&LegendEntry> {
        self.legend.iter().find(|entry| entry.betza == betza)
    }

    /// Whether a seat can buy none of its designs now.
    pub fn nothing_affordable(&self, seat: &Seat) -> bool {
        self.slots(seat).iter().all(|slot| !slot.buyable)
    }

    /// Money of a seat.
    pub fn treasury(&self, seat: &Seat) -> Amount {
        self.diagram.purses.as_ref().and_then(|purses| *purses.of(*seat)).unwrap_or(Amount(Ratio::ZERO))
    }

    /// Income of a seat at the start of its next turn.
    pub fn next_income(&self, seat: &Seat) -> Amount {
        *self.income.of(*seat)
    }

    /// Number of a seat's turns until it can pay an amount in tenths, if it buys nothing until then. 0 means now;
    /// `None` means after all calculated turns.
    pub fn affordable(&self, seat: Seat, tenths: i64) -> Option<usize> {
        self.savings.of(seat).iter().position(|money| *money >= tenths)
    }

    /// Reason why the game does not allow a piece as a design now; `None` if it does.
    pub fn forbidden(&self, piece: &Betza) -> Option<String> {
        piece_design::forbidden(piece, self.prefixes).map(|(_, why)| why)
    }

    /// Whether the design phase is for designs alone, without purchases and inventions.
    pub fn only_designs(&self) -> bool {
        !self.buy_in_design && !self.invents
    }

    /// Colour of a seat.
    pub fn side(&self, seat: &Seat) -> Color {
        seat.color()
    }

    /// Colour of a seat, for display.
    pub fn color(&self, seat: &Seat) -> &'static str {
        match self.side(seat) {
            Color::White => "White",
            Color::Black => "Black",
        }
    }
}

impl State {
    /// Builds the view. `asked` is whether the viewer is to move.
    pub(super) fn build_view(&self, options: &Csipgs, asked: bool) -> View {
        let sides = Seat::BOTH.map(|seat| (&self.sides[seat.index()], seat));
        let over = self.outcome.is_some();
        let slots = sides.map(|(side, seat)| {
            let slot = |(index, piece_type): (usize, &Arc<PieceDesign>)| DesignSlot {
                slot: index + 1,
                name: piece_type.display_name().to_owned(),
                betza: piece_type.text.clone(),
                price: tenths(piece_type.price(options.quantum)),
                exact: piece_type.exact.to_string(),
                buyable: !over
                    && seat == self.seat()
                    && self.buys(options)
                    && self.check_sale(options, piece_type).is_ok(),
                piece: piece_type.piece.clone(),
            };
            side.designs.iter().enumerate().map(slot).collect()
        });
        // The mover has already received this turn's income, so its next one is two turns away.
        let next = |seat: Seat| match self.phase {
            Phase::Armies | Phase::Place => options.income(1 + seat.index() as i64),
            Phase::Action | Phase::Design | Phase::Estimate(_) => {
                options.income(self.turn + if seat == self.seat() { 2 } else { 1 })
            }
        };
        View {
            diagram: self.diagram(options, asked && !over),
            phase: self.game_phase().name(),
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
            proposed: match self.phase {
                Phase::Estimate(invention) => Some(self.proposed_estimate(options, invention)),
                Phase::Armies | Phase::Place | Phase::Action | Phase::Design => None,
            },
            ideas: if options.inventions && self.phase == Phase::Design { self.ideas(options) } else { Vec::new() },
            legend: self.legend(options),
            army: matches!(self.phase, Phase::Armies | Phase::Place).then(|| self.army_bounds(options)),
            army_draft: None,
            buy_in_design: options.buy_in_design,
            invents: options.inventions,
            no_purchase: if !self.attacked(self.mover).is_empty() {
                Some("a royal piece is attacked")
            } else if self.pieces(self.mover) >= MOST_PIECES {
                Some("sixteen pieces on the board and in reserve are the maximum")
            } else {
                None
            },
            prefixes: options.prefixes(self.turn),
            savings: Seat::BOTH.map(|seat| self.savings(options, seat)).into(),
            with: self.catalogue.to_string(),
            ledger: self.ledger(),
            drop_squares: self.drop_squares().map(|square| square.to_string()).collect(),
            mates: self.has_mated(options),
            claimable: self.claim(options),
            draw_offers: options.draw_offers,
        }
    }

    /// Money of a seat now and at the start of each of its coming turns, if it buys nothing.
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

    /// Whether purchases belong to the current phase.
    fn buys(&self, options: &Csipgs) -> bool {
        self.phase == if options.buy_in_design { Phase::Design } else { Phase::Action }
    }

    /// Both treasuries at the start of every turn, oldest first, then the current ones.
    fn ledger(&self) -> Vec<Pair<Amount>> {
        let now = self.sides.each_ref().map(|side| side.treasury);
        let mut purses: Vec<_> =
            std::iter::once(&now).chain(self.ledger.iter()).map(|both| both.map(tenths).into()).collect();
        purses.reverse();
        purses
    }

    /// Both treasuries before the first income, at the start of every turn, and now, oldest first.
    fn fortunes(&self, options: &Csipgs) -> Vec<Pair<Amount>> {
        let mut turns = self.ledger();
        if let Some([white, black]) = self.ledger.iter().last() {
            turns.insert(0, [*white - options.income(1), *black].map(tenths).into());
        }
        turns
    }

    /// Whether the mover’s action has given checkmate. The game ends after the design phase, which cannot change that.
    fn has_mated(&self, options: &Csipgs) -> bool {
        if self.outcome.is_some() || self.phase != Phase::Design || self.attacked(!self.mover).is_empty() {
            return false;
        }
        let mut after = self.clone();
        after.end_turn(options);
        after.outcome.is_some_and(|outcome| outcome.winner() == Some(self.seat()))
    }

    /// Kind of action that the game waits for.
    pub(super) fn game_phase(&self) -> GamePhase {
        match self.phase {
            Phase::Armies => GamePhase::Army,
            Phase::Place => GamePhase::Place,
            Phase::Action => GamePhase::Action,
            Phase::Design => GamePhase::Design,
            Phase::Estimate(_) => GamePhase::Estimate,
        }
    }
}
