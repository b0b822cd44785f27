//! Looking back at the moments of a game that is over.

use super::{Judged, Live};
use crate::{
    bots::{Better, judge},
    game::{Remark, Told},
    rules::{Outcome, Seat, Step, any_game::AnyAction},
};

impl Live {
    /// Looks back at the moment after `ply` steps, and at what was said then.
    pub(super) fn looked_back(&self, ply: usize) -> Option<Judged> {
        let outcome = self.outcome()?;
        if ply == self.steps.len() {
            let of = |winner: Seat| if winner == Seat::One { 1.0 } else { 0.0 };
            return Some(Judged::of(match outcome {
                Outcome::Win(winner, _) => Some(of(winner)),
                Outcome::Draw(_) => Some(0.5),
                Outcome::Void(_) => None,
            }));
        }
        let step = self.steps.get(ply)?;
        let said = match step {
            Step::One(Seat::One, action) => [Some(action), None],
            Step::One(Seat::Two, action) => [None, Some(action)],
            Step::Both([one, two]) => [Some(one), Some(two)],
            Step::Chance(_) | Step::End(..) => [None, None],
        };
        let mut state = self.replayed(ply);
        state.open();
        let judgement = judge(&*state, said);
        let told = |seat: Seat, action: &AnyAction| {
            let action = action.to_string();
            let view = state.view(Some(seat));
            let listed = view.diagram().choices.iter().flatten().find(|choice| choice.action == action);
            let label = listed.map_or_else(|| action.clone(), |choice| choice.label.clone());
            Told { action, label }
        };
        let [one, two] = judgement.better;
        let remark = |seat: Seat, better: Option<Better>| {
            better.map(|better| Remark { told: told(seat, &better.action), lost: better.lost })
        };
        Some(Judged {
            chance: judgement.chance,
            said: Seat::BOTH.map(|seat| said[seat.index()].map(|action| told(seat, action))),
            better: [remark(Seat::One, one), remark(Seat::Two, two)],
        })
    }
}
