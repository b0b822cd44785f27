//! What one viewer sees of a game: the board, the view in the variant's own type, and all of it for programs.

use std::sync::Arc;

use serde_json::json;

use super::Live;
use crate::rules::{Diagram, Seat, Viewer, any_game::GameView};

impl Live {
    /// The state that stands, as far as a viewer may see it.
    pub(super) fn view(&self, viewer: Viewer) -> Arc<GameView> {
        self.seen.by(viewer, || self.game.view(viewer))
    }

    /// Shows what a viewer may see, the part that every variant has.
    pub fn diagram(&self, viewer: Viewer) -> Diagram {
        let mut diagram = self.view(viewer).diagram().clone();
        if self.past || self.stopped.is_some() {
            diagram.choices = None;
        }
        diagram
    }

    /// All that a viewer may see, for programs.
    pub fn json(&self, viewer: Viewer) -> serde_json::Value {
        let view = self.view(viewer);
        let score = self.score();
        let clock = |seat| self.clocks.view(seat);
        let clocks = Seat::BOTH
            .into_iter()
            .any(|seat| clock(seat).is_some())
            .then(|| json!({"one": clock(Seat::One), "two": clock(Seat::Two)}));
        let outcome = self.outcome().map(|outcome| json!({"winner": outcome.winner(), "reason": outcome.reason()}));
        let mut json = json!({
            "variant": self.key(),
            "options": self.game.options(),
            "ply": self.ply(),
            "turn": {"awaits": self.awaits(), "phase": self.phase()},
            "clocks": clocks,
            "offers": self.offers,
            "outcome": outcome,
            "score": {"one": score[0].to_string(), "two": score[1].to_string()},
            "view": view.view.json(),
        });
        if let Some(seat) = viewer.filter(|seat| self.asks(*seat)) {
            let choices = view.diagram().choices.iter().flatten().map(|choice| choice.action.clone());
            json["actions"] = choices.chain(self.game.besides(seat)).collect();
        }
        if let Some(sealed) = viewer.and_then(|seat| self.sealed(seat)) {
            json["sealed"] = sealed.into();
        }
        json
    }

    /// A viewer's view in the variant's own type, with what a seat that is asked has drafted.
    pub fn shown(&self, viewer: Viewer, draft: Option<&str>) -> Arc<GameView> {
        let draft = viewer.zip(draft).filter(|(seat, _)| self.asks(*seat));
        match draft.and_then(|(seat, text)| self.game.draft(seat, text)) {
            Some(view) => Arc::new(view),
            None => self.view(viewer),
        }
    }

    /// Gives what a seat that is asked sees while it puts an action together, as far as `text` goes: its choices are parts that may
    /// follow. Nothing where actions are said in one piece.
    pub fn draft(&self, seat: Seat, text: &str) -> Option<Diagram> {
        let view = self.asks(seat).then(|| self.game.draft(seat, text)).flatten();
        view.map(|view| view.diagram().clone())
    }
}
