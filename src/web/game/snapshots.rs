//! All earlier positions of a game in one response, for a page that replays the game without further requests. Each has the
//! parts of the game page as the viewer sees them.

use super::{
    analysis::Lookback,
    page::GamePage,
    table_panel::Panel,
    viewpoint::{PageViewer, Viewpoint},
};
use crate::{
    play::GameSnapshot,
    web::{App, Error, private},
};
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Positions in one response, more than most games have.
const MAX_MOMENTS: usize = 400;

/// `GET /games/{id}/moments`: the page parts after each step from `since` on. The last step is left out, since the page itself shows it:
/// `{"moments": [{"board": ["<table …", …], "near": […], …}, {"board": {"4": "<tr>…"}}, …]}`. A part is a list of lines, or only the
/// lines that changed; an unchanged part is left out. If positions are missing at the end, the client requests the rest.
pub async fn moments(
    State(app): State<Arc<App>>,
    PageViewer { table, look, query: asked }: PageViewer,
) -> Result<Response, Error> {
    let since = asked.since.unwrap_or(0);
    // A browser with both seats may see less of the past than of the current position, so its view is not cached.
    let viewer = look.viewer.map_or("", |seat| seat.name());
    let key = (!look.both())
        .then(|| format!("{} {} {viewer} {} {since}", table.id(), table.visible_version(&look.seats()), look.flip));
    let kept = key.as_ref().and_then(|key| app.replays.find(key));
    let text = match kept {
        Some(text) => text,
        None => {
            let (text, lasting) = render_moments(&app, table, look, since).await?;
            if let (Some(key), true) = (key, lasting) {
                app.replays.insert(key, text.clone());
            }
            text
        }
    };
    Ok(private(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()))
}

/// Positions from `since` on as JSON, and whether the result can be cached.
async fn render_moments(
    app: &App,
    table: Arc<GameSnapshot>,
    look: Viewpoint,
    since: usize,
) -> Result<(Arc<str>, bool), Error> {
    let end = table.game.ply().min(since.saturating_add(MAX_MOMENTS));
    let panels = Panel::at_plies(app, &table, &look, since..end).await?;
    let lasting = panels.lasting;
    let lookback = Lookback::load(&app.play, &table).await;
    let now = app.play.now();
    let draw = move || {
        let mut panels = panels.panels.into_iter();
        let mut before = Parts::default();
        let mut moments: Vec<Result<Value, askama::Error>> = Vec::new();
        table.game.for_each_state(since..end, &mut |game| {
            let page = GamePage::earlier(&table, game, look.clone(), now)
                .with_panel(panels.next().flatten())
                .with_analysis(lookback.clone());
            moments.push(Parts::of(&page).map(|parts| parts.after(&std::mem::replace(&mut before, parts.clone()))));
        });
        let moments: Result<Vec<Value>, askama::Error> = moments.into_iter().collect();
        moments.map(|moments| Arc::from(json!({"moments": moments}).to_string()))
    };
    let text = app.play.pools().lookups.run(draw).await?.map_err(Error::broken)?;
    Ok((text, lasting))
}

/// Named parts of the page that change with the position, as lines.
#[derive(Clone, Default)]
struct Parts(Vec<(&'static str, Vec<String>)>);

impl Parts {
    fn of(page: &GamePage) -> Result<Parts, askama::Error> {
        let lines = |text: String| text.trim().lines().map(str::to_owned).collect();
        let parts = page.parts()?.into_iter().map(|(name, text)| (name, lines(text)));
        Ok(Parts(parts.collect()))
    }

    /// Changes since the previous position.
    fn after(&self, before: &Parts) -> Value {
        let mut changed = Map::new();
        for (index, (name, lines)) in self.0.iter().enumerate() {
            match before.0.get(index) {
                Some((_, old)) if old == lines => {}
                Some((_, old)) if old.len() == lines.len() => {
                    let differ = lines.iter().enumerate().filter(|(at, line)| old[*at] != **line);
                    let differ = differ.map(|(at, line)| (at.to_string(), json!(line))).collect();
                    changed.insert((*name).to_owned(), Value::Object(differ));
                }
                Some(_) | None => {
                    changed.insert((*name).to_owned(), json!(lines));
                }
            }
        }
        Value::Object(changed)
    }
}
