//! What one viewer sees of a game: the board, the view in the variant's own type, and all of it for programs.

use std::sync::Arc;

use serde_json::json;

use super::{AnyView, Game, Live};
use crate::rules::{Diagram, Rules, Seat, Viewer};

impl<R: Rules> Live<R> {
    /// The state that stands, as far as a viewer may see it.
    pub(super) fn view(&self, viewer: Viewer) -> Arc<R::View> {
        self.seen.by(viewer, || self.rules.view(&self.state, viewer))
    }

    /// The part that every variant has.
    pub(super) fn diagram(&self, viewer: Viewer) -> Diagram {
        let mut diagram = (*self.view(viewer)).as_ref().clone();
        if self.past || self.stopped.is_some() {
            diagram.choices = None;
        }
        diagram
    }

    /// All that a viewer may see, for programs.
    pub(super) fn json(&self, viewer: Viewer) -> serde_json::Value {
        let view = self.view(viewer);
        let score = self.score();
        let clock = |seat| self.clocks.view(seat);
        let clocks = Seat::BOTH
            .into_iter()
            .any(|seat| clock(seat).is_some())
            .then(|| json!({"one": clock(Seat::One), "two": clock(Seat::Two)}));
        let outcome = self.outcome().map(|outcome| json!({"winner": outcome.winner(), "reason": outcome.reason()}));
        let mut json = json!({
            "variant": R::INFO.key,
            "options": self.rules,
            "ply": self.ply(),
            "turn": {"awaits": self.awaits(), "phase": self.phase()},
            "clocks": clocks,
            "offers": self.offers,
            "outcome": outcome,
            "score": {"one": score[0].to_string(), "two": score[1].to_string()},
            "view": *view,
        });
        if let Some(seat) = viewer.filter(|seat| self.asks(*seat)) {
            let choices = (*view).as_ref().choices.iter().flatten().map(|choice| choice.action.clone());
            json["actions"] = choices.chain(self.rules.besides(&self.state, seat)).collect();
        }
        if let Some(sealed) = viewer.and_then(|seat| self.sealed(seat)) {
            json["sealed"] = sealed.into();
        }
        json
    }

    /// A viewer's view in the variant's own type, with what a seat that is asked has drafted.
    pub(super) fn shown(&self, viewer: Viewer, draft: Option<&str>) -> AnyView {
        let draft = viewer.zip(draft).filter(|(seat, _)| self.asks(*seat));
        match draft.and_then(|(seat, text)| self.rules.draft(&self.state, seat, text)) {
            Some(view) => Arc::new(view),
            None => self.view(viewer),
        }
    }

    /// The board while a seat that is asked puts an action together.
    pub(super) fn draft(&self, seat: Seat, text: &str) -> Option<Diagram> {
        let view = self.asks(seat).then(|| self.rules.draft(&self.state, seat, text)).flatten();
        view.map(|view| view.as_ref().clone())
    }
}
