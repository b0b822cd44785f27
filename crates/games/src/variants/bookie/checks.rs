//! What may be said, and why not.

use super::{Action, Decision, State, board, officers, round::Stage, sets};
use crate::rules::{Actor, Refusal};

/// Checks whether somebody may say something now.
pub(super) fn check(state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
    let round = state.round();
    match (actor, round.stage, action) {
        (Actor::Chance, Stage::Officers, Action::Officers(position)) => {
            sets::check_officers(position).map_err(|bad| Refusal::at(9, bad.to_string()))?;
            let alone = officers(position) == *position;
            if alone { Ok(()) } else { Err(Refusal::at(9, "pawns and kings are not dealt before the bids")) }
        }
        (Actor::Chance, Stage::Deal, Action::Deal(position)) => {
            sets::check(position).map_err(|bad| Refusal::at(5, bad.to_string()))?;
            let same = Some(officers(position)) == round.officers;
            if same { Ok(()) } else { Err(Refusal::at(5, "the officers are not those that the bids were made on")) }
        }
        (Actor::Chance, Stage::Colors, Action::Colors(_))
        | (Actor::Chance, Stage::First, Action::First(_))
        | (Actor::Seat(_), Stage::Bid, Action::Bid(_))
        | (Actor::Seat(_), Stage::Decide, Action::Decide(_))
        | (Actor::Seat(_), Stage::Play, Action::Decide(Decision::Concede)) => Ok(()),
        (Actor::Seat(_), Stage::Play, Action::Move(uci)) => match &round.course {
            Some(course) => course.find(board(), *uci).map(|_| ()),
            None => Err(Refusal::new("nothing has been dealt yet")),
        },
        (Actor::Seat(_), _, Action::Officers(_) | Action::Colors(_) | Action::First(_) | Action::Deal(_)) => {
            Err(Refusal::at(0, "only chance deals and throws the coin"))
        }
        (Actor::Seat(_) | Actor::Chance | Actor::Server, stage, _) => Err(Refusal::at(
            0,
            match stage {
                Stage::Officers => "the officers are dealt first",
                Stage::Bid => "a bid is asked for now: write bid and your percentage for White, as in bid 60",
                Stage::Colors => "the bids are equal, and the coin decides the colours now",
                Stage::First => "the coin decides now who moves first",
                Stage::Deal => "pawns and kings are dealt now",
                Stage::Decide => "write play to play on for more, or concede",
                Stage::Play => "a move is asked for now: write one as in e2e4, or concede",
            },
        )),
    }
}
