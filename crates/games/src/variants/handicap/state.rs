//! State of a game: the offers, the colours, and the game on the board. In that game White is always the first seat, whichever player has White.

use num_rational::Ratio;

use super::{Action, Handicap, PieceOdds, SealedOffer, options::Prize};
use crate::{
    board::{Color, START},
    rules::{End, Outcome, Refusal, RulesVersion, Seat, Step, TIME, Turn, Viewer},
    variants::nested_game::NestedGame,
};

/// Reason of a draw that Black wins.
const DRAWN: &str = "a draw, which Black wins";

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The game on the board.
    pub(super) play: NestedGame,
    /// Both offers, once they are open.
    pub(super) slips: Option<[SealedOffer; 2]>,
    /// The offers were equal, and the coin decided.
    pub(super) tossed: bool,
    /// The seat that plays White, once that is known.
    pub(super) white: Option<Seat>,
    /// Number of steps that the game on the board does not count.
    pub(super) extra_steps: usize,
    /// Number of steps that it had counted before it restarted without a piece.
    pub(super) dealt_steps: usize,
    /// The outcome, if the game ended before the colours were known.
    pub(super) outcome: Option<Outcome>,
}

impl State {
    /// Starts a game.
    pub(super) fn new(rules: &Handicap, version: RulesVersion) -> Result<State, Refusal> {
        let play = rules.base.start(version, "")?;
        Ok(State { play, slips: None, tossed: false, white: None, extra_steps: 0, dealt_steps: 0, outcome: None })
    }

    /// Maps a player's seat to the seat in the game on the board, and the other way round.
    pub(super) fn board_seat(&self, seat: Seat) -> Seat {
        if self.white == Some(Seat::Two) { !seat } else { seat }
    }

    /// The viewer of the game on the board: a spectator until the colours are known.
    pub(super) fn viewer(&self, viewer: Viewer) -> Viewer {
        self.white.and(viewer).map(|seat| self.board_seat(seat))
    }

    /// Maps a value per seat of the game on the board to the players' seats.
    pub(super) fn by_player<T>(&self, [white, black]: [T; 2]) -> [T; 2] {
        if self.white == Some(Seat::Two) { [black, white] } else { [white, black] }
    }

    /// Who acts next.
    pub(super) fn turn(&self, prize: Prize) -> Turn {
        match (self.outcome, self.white, self.play.turn()) {
            (Some(outcome), _, _) => Turn::Over(outcome),
            (None, None, Turn::Chance) => Turn::Chance,
            (None, None, _) if self.slips.is_some() => Turn::Chance,
            (None, None, _) => Turn::Both,
            (None, Some(_), Turn::One(seat)) => Turn::One(self.board_seat(seat)),
            (None, Some(_), Turn::Both) => Turn::Both,
            (None, Some(_), Turn::Chance) => Turn::Chance,
            (None, Some(white), Turn::Over(outcome)) => Turn::Over(match (outcome, prize) {
                (Outcome::Win(seat, reason), _) => Outcome::Win(self.board_seat(seat), reason),
                (Outcome::Draw(_), Prize::Black) => Outcome::Win(!white, DRAWN),
                (Outcome::Draw(reason), Prize::White) => Outcome::Draw(reason),
                (Outcome::Void(reason), _) => Outcome::Void(reason),
            }),
        }
    }

    /// Points of both seats.
    pub(super) fn score(&self, prize: Prize) -> [Ratio<i64>; 2] {
        match self.turn(prize) {
            Turn::Over(outcome) => outcome.points(),
            Turn::One(_) | Turn::Both | Turn::Chance => [Ratio::ZERO; 2],
        }
    }

    /// The outcome when `seat` stops the game this way before the colours are known.
    fn stopped(seat: Seat, end: End) -> Result<Outcome, Refusal> {
        let claim = || Err(Refusal::new("no draw can be claimed before the bidding is over"));
        end.outcome(seat, claim, || Outcome::Win(!seat, TIME))
    }

    /// Checks whether a seat may stop the game this way.
    pub(super) fn check_end(&self, prize: Prize, seat: Seat, end: End) -> Result<(), Refusal> {
        match (self.white, end, prize) {
            (_, End::Agree | End::LeftDrawn, Prize::Black) => Err(Refusal::new(
                "a draw is a win for Black in this game, so it cannot be agreed: White can resign instead",
            )),
            (None, _, _) => State::stopped(seat, end).map(|_| ()),
            (Some(_), _, _) => self.play.check_end(self.board_seat(seat), end),
        }
    }

    /// Number of the step that opened the offers.
    pub(super) fn opened(&self) -> usize {
        self.dealt_steps + 1
    }

    /// Applies a checked step.
    pub(super) fn apply(&mut self, rules: &Handicap, step: Step<Action>) {
        let inside = |action: Action| match action {
            Action::Play(said) => said,
            Action::Bid(_) | Action::Coin(_) => unreachable!("steps are checked first"),
        };
        match (step, self.white) {
            (Step::Both([Action::Bid(one), Action::Bid(two)]), None) => {
                self.extra_steps += 1;
                self.slips = Some([one, two]);
                match one.compare(two) {
                    std::cmp::Ordering::Greater => self.settle(rules, Seat::One),
                    std::cmp::Ordering::Less => self.settle(rules, Seat::Two),
                    std::cmp::Ordering::Equal => {}
                }
            }
            (Step::Chance(Action::Coin(color)), None) => {
                self.extra_steps += 1;
                self.tossed = true;
                self.settle(rules, if color == rules.prize.color() { Seat::One } else { Seat::Two });
            }
            (Step::End(seat, end), None) => self.outcome = State::stopped(seat, end).ok(),
            (Step::One(seat, action), Some(_)) => {
                let chair = self.board_seat(seat);
                self.play.apply(Step::One(chair, inside(action)));
            }
            (Step::End(seat, end), Some(_)) => {
                let chair = self.board_seat(seat);
                self.play.apply(Step::End(chair, end));
            }
            (Step::Chance(action), _) => {
                self.dealt_steps += usize::from(self.white.is_none());
                self.play.apply(Step::Chance(inside(action)));
            }
            (Step::One(..), None) | (Step::Both(_), _) => unreachable!("steps are checked first"),
        }
    }

    /// Gives a seat the side that was up for bids, and makes it pay its offer.
    fn settle(&mut self, rules: &Handicap, winner: Seat) {
        self.white = Some(if rules.prize == Prize::White { winner } else { !winner });
        let Some(SealedOffer::Unit(gift)) = self.slips.map(|slips| slips[winner.index()]) else { return };
        if let Some(fen) = self.without(rules.prize.color(), gift) {
            self.play =
                rules.base.start(self.play.version(), &fen).expect("the variant can start without any piece on offer");
            self.extra_steps += self.dealt_steps;
        }
    }

    /// The starting position without a piece of a colour, as FEN.
    fn without(&self, color: Color, gift: PieceOdds) -> Option<String> {
        let sight = self.play.view(None);
        // In fog of war the view hides the position, which starts as in chess.
        gift.remove_from(sight.diagram().fen.as_deref().unwrap_or(START), color)
    }
}
