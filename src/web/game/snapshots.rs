//! All earlier moments of a game at once, for pages that step through it without asking again: of each what the page of that moment
//! shows, as the same viewer sees it.

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

/// The number of moments in one answer: more than most games have.
const MOST: usize = 400;

/// `GET /games/{id}/moments`: the parts of the page at every step from `since` on, but for the last, which the page of the game shows:
/// `{"moments": [{"board": ["<table …", …], "near": […], …}, {"board": {"4": "<tr>…"}}, …]}`. A part is a list of lines, or only the lines that
/// differ from the moment before; a part that is the same is left out. Whoever gets fewer than there are asks for the rest.
pub async fn moments(
    State(app): State<Arc<App>>,
    PageViewer { table, look, asked }: PageViewer,
) -> Result<Response, Error> {
    let since = asked.since.unwrap_or(0);
    // One browser with both seats may see less of the past than of the moment; what it sees is not kept.
    let viewer = look.viewer.map_or("", |seat| seat.name());
    let key =
        (!look.both()).then(|| format!("{} {} {viewer} {} {since}", table.id(), table.told(&look.seats()), look.flip));
    let kept = key.as_ref().and_then(|key| app.replays.find(key));
    let text = match kept {
        Some(text) => text,
        None => {
            let (text, lasting) = drawn(&app, table, look, since).await?;
            if let (Some(key), true) = (key, lasting) {
                app.replays.keep(key, text.clone());
            }
            text
        }
    };
    Ok(private(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()))
}

/// The moments from `since` on, and whether they would be the same the next time.
async fn drawn(app: &App, table: Arc<GameSnapshot>, look: Viewpoint, since: usize) -> Result<(Arc<str>, bool), Error> {
    let end = table.game.ply().min(since.saturating_add(MOST));
    let panels = Panel::along(app, &table, &look, since..end).await?;
    let lasting = panels.lasting;
    let lookback = Lookback::beside(&app.play, &table).await;
    let now = app.play.now();
    let draw = move || {
        let mut panels = panels.panels.into_iter();
        let mut before = Parts::default();
        let mut moments: Vec<Result<Value, askama::Error>> = Vec::new();
        table.game.walk(since..end, &mut |game| {
            let page = GamePage::earlier(&table, game, look.clone(), now)
                .beside(panels.next().flatten())
                .judged(lookback.clone());
            moments.push(Parts::of(&page).map(|parts| parts.after(&std::mem::replace(&mut before, parts.clone()))));
        });
        let moments: Result<Vec<Value>, askama::Error> = moments.into_iter().collect();
        moments.map(|moments| Arc::from(json!({"moments": moments}).to_string()))
    };
    let text = app.play.pools().lookups.run(draw).await?.map_err(Error::broken)?;
    Ok((text, lasting))
}

/// The parts of a page that differ from moment to moment, each with its name, as lines.
#[derive(Clone, Default)]
struct Parts(Vec<(&'static str, Vec<String>)>);

impl Parts {
    fn of(page: &GamePage) -> Result<Parts, askama::Error> {
        let lines = |text: String| text.trim().lines().map(str::to_owned).collect();
        let parts = page.parts()?.into_iter().map(|(name, text)| (name, lines(text)));
        Ok(Parts(parts.collect()))
    }

    /// What is different from the moment before.
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
