//! The panels beside earlier moments of a game. The moments are replayed off the threads that answer requests.

use super::{Panel, allowed};
use crate::{
    play::LiveGame,
    web::{App, Error, game::look::Look},
};
use std::{ops::Range, sync::Arc};

/// The panels beside several moments of a game.
pub(in crate::web::game) struct Panels {
    /// One for each; none at all where the viewer may see none.
    pub(in crate::web::game) panels: Vec<Option<Panel>>,
    /// Set if the tables have answered all that they may know of.
    pub(in crate::web::game) lasting: bool,
}

impl Panel {
    /// The panel beside a game as it stood after `ply` steps.
    pub(in crate::web::game) async fn past(
        app: &App,
        table: &Arc<LiveGame>,
        look: &Look,
        ply: usize,
    ) -> Result<Option<Panel>, Error> {
        if ply == table.game.ply() {
            return Ok(Panel::beside(&app.play, table, look).await);
        }
        if look.curtain {
            return Ok(None);
        }
        let whole = allowed(table, look);
        let played = table.clone();
        let moment = app.play.pools().games.run(move || played.game.past(ply).and_then(|game| game.endgame())).await?;
        let counsel = match moment.filter(|moment| whole || moment.chips.is_none()) {
            Some(moment) => app.play.counsel(moment).await,
            None => None,
        };
        Ok(Panel::with(&app.play, table, look, counsel.and_then(|counsel| counsel.told(whole)), ply).await)
    }

    /// The panels beside earlier moments of a game, one for each.
    pub(in crate::web::game) async fn along(
        app: &App,
        table: &Arc<LiveGame>,
        look: &Look,
        plies: Range<usize>,
    ) -> Result<Panels, Error> {
        let play = &app.play;
        let mut along = Panels { panels: Vec::new(), lasting: true };
        if look.curtain {
            return Ok(along);
        }
        let whole = allowed(table, look);
        let played = table.clone();
        let endgames = app.play.pools().games.run(move || played.game.endgames()).await?;
        let swings = play.swings(table).await;
        let sheet = if swings.is_empty() { Arc::default() } else { table.game.diagram(look.viewer).sheet };
        for ply in plies {
            let moment = endgames.get(ply).cloned().flatten();
            let counsel = match moment.filter(|moment| whole || moment.chips.is_none()) {
                Some(moment) => {
                    let counsel = play.counsel(moment).await;
                    along.lasting &= counsel.is_some() || !play.may_know_later(&moment);
                    counsel.and_then(|counsel| counsel.told(whole))
                }
                None => None,
            };
            along.panels.push(Panel::of(counsel, &swings, &sheet, ply));
        }
        Ok(along)
    }
}
