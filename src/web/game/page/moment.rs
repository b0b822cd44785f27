//! The parts of a game's page that differ from moment to moment.

use super::GamePage;
use askama::Template;

/// The parts, each as a block of its template.
#[derive(Template)]
#[template(path = "moment.html", blocks = ["far", "board", "near", "variant", "tables", "review"])]
struct Moment<'p> {
    page: &'p GamePage,
}

impl GamePage {
    /// The parts of the page with their names.
    pub(in crate::web::game) fn parts(&self) -> Result<Vec<(&'static str, String)>, askama::Error> {
        let moment = Moment { page: self };
        let mut parts = vec![
            ("far", moment.as_far().render()?),
            ("board", moment.as_board().render()?),
            ("near", moment.as_near().render()?),
            ("variant", moment.as_variant().render()?),
            ("tables", moment.as_tables().render()?),
        ];
        // Until it is there, the page says so of itself.
        if self.lookback.known() {
            parts.push(("review", moment.as_review().render()?));
        }
        Ok(parts)
    }
}
