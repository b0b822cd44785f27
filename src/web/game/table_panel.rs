//! The endgame tables' advice beside the board, at this moment and at earlier ones: what the position is worth, who wins with these stacks,
//! what either side should do, and at which steps the win changed hands. Only for a viewer who may see it.

mod bounded;

use super::viewpoint::Viewpoint;
use crate::{
    board::Color,
    play::{GameSnapshot, Play, TableAdvice},
    richman::{Advice, Fraction, Hint, WinnerChange},
    rules::{Entry, Side},
    web::{
        App, Error,
        endgame_cache::format::{Amount, between, decimal, percent, signed},
    },
};
use std::{ops::Range, sync::Arc};

/// The panel.
pub(super) struct Panel {
    /// The moment that the page shows, if the tables cover it.
    pub(super) now: Option<Now>,
    /// The steps at which the win changed hands.
    pub(super) swings: Vec<WinnerChangeRow>,
}

/// The panel's account of a moment.
pub(super) struct Now {
    /// The exact value, if there is one, after the words about its meaning.
    pub(super) value: Option<Amount>,
    /// The winner, in a few words.
    pub(super) verdict: String,
    /// The meaning of the value, in words.
    pub(super) why: String,
    /// White's part of a bar of 1000 units: of the chips, or of the chances.
    pub(super) bar: u16,
    /// Where on that bar the part ends that White needs, where there are chips.
    pub(super) mark: Option<u16>,
    /// The shares that the bar shows, in words.
    pub(super) shares: [String; 2],
    /// The advice for each side: a heading, White's and Black's.
    pub(super) rows: Vec<(&'static str, [String; 2])>,
    /// The page of the position; empty where no advice is given.
    pub(super) link: String,
}

/// A step at which the win changed hands.
pub(super) struct WinnerChangeRow {
    pub(super) ply: usize,
    pub(super) words: String,
    /// Set if the page shows the moment after it.
    pub(super) here: bool,
}

/// Tells whether somebody who looks may see the whole panel: a spectator, or the holder of a seat for whom it was agreed. What everybody may see
/// [`Advice::told`] says.
fn allowed(table: &GameSnapshot, look: &Viewpoint) -> bool {
    match look.held.is_empty() {
        true => table.advised(None),
        false => !look.curtain && look.held.iter().all(|(seat, _)| table.advised(Some(*seat))),
    }
}

impl Panel {
    /// The panel beside a game as it stands now.
    pub(super) async fn beside(play: &Play, table: &Arc<GameSnapshot>, look: &Viewpoint) -> Option<Panel> {
        let moment = table.game.endgame();
        // While a game goes on there is nothing but what the tables say of the moment.
        if look.curtain || table.game.outcome().is_none() && moment.is_none() {
            return None;
        }
        let whole = allowed(table, look);
        let counsel = match moment.filter(|moment| whole || moment.chips.is_none()) {
            Some(_) => play.panel(table).await,
            None => None,
        };
        Panel::with(play, table, look, counsel.and_then(|counsel| counsel.told(whole)), table.game.ply()).await
    }

    async fn with(
        play: &Play,
        table: &Arc<GameSnapshot>,
        look: &Viewpoint,
        counsel: Option<TableAdvice>,
        ply: usize,
    ) -> Option<Panel> {
        let swings = play.swings(table).await;
        let sheet = if swings.is_empty() { Arc::default() } else { table.game.diagram(look.viewer).sheet };
        Panel::of(counsel, &swings, &sheet, ply)
    }

    fn of(counsel: Option<TableAdvice>, swings: &[WinnerChange], sheet: &[Entry], ply: usize) -> Option<Panel> {
        if counsel.is_none() && swings.is_empty() {
            return None;
        }
        let swings = swings.iter().map(|swing| WinnerChangeRow {
            ply: swing.ply,
            words: told(swing, sheet),
            here: swing.ply == ply,
        });
        let now = counsel.map(|counsel| match counsel {
            TableAdvice::Exact(advice) => Now::of(&advice),
            TableAdvice::Bounded(advice) => Now::bounded(&advice),
        });
        Some(Panel { now, swings: swings.collect() })
    }
}

impl Now {
    fn of(advice: &Advice) -> Now {
        // Where nothing is said of what to do, the tables are not one press away either.
        let link = match advice.white.moves.is_empty() && advice.black.moves.is_empty() {
            true => String::new(),
            false => format!("/endgames?fen={}", advice.fen),
        };
        let value = Some(Amount::from(&advice.value));
        let rows = rows(advice);
        let Some(chips) = advice.chips else {
            let white = advice.chance.as_ref().unwrap_or(&advice.value).approx;
            let why = match advice.mover {
                Some(mover) => format!("The coin has named {}; before the toss it was", mover.words()),
                None => "With best moves and a fair coin, exactly".to_owned(),
            };
            return Now {
                verdict: format!("White wins {} of such games", percent(white)),
                why,
                value,
                bar: thousandths(white),
                mark: None,
                shares: [format!("White {}", percent(white)), format!("Black {}", percent(1.0 - white))],
                rows,
                link,
            };
        };
        let total = (chips.white + chips.black).max(1);
        let share = |amount: f64| amount / total as f64;
        let held = share(chips.white as f64);
        let sure = Color::BOTH.into_iter().find_map(|color| Some((Side::from(color), advice.hint(color).within?)));
        let verdict = match (sure, &advice.verdict, advice.ahead, &advice.lead) {
            (Some((side, 1)), ..) if advice.mover == Some(side) => format!("{} takes the king", side.words()),
            (Some((side, 1)), ..) => format!("{} wins at the next move", side.words()),
            (Some((side, moves)), ..) => format!("{} wins within {moves} moves", side.words()),
            (None, Some(_), ..) => "With these chips nobody can force a win".to_owned(),
            (None, None, Some(side), Some(lead)) => estimate(side, lead, total),
            (None, None, None, Some(_)) => {
                "By the shares, which are an estimate, the stacks are on the edge".to_owned()
            }
            (None, None, _, None) if advice.share.is_some() => "Nobody's win is proved with these chips".to_owned(),
            (None, None, _, None) => "The coin decides: whoever it names wins".to_owned(),
        };
        let need = advice.lead.as_ref().map(|lead| share(chips.white as f64 - lead.approx));
        Now {
            verdict,
            why: match &advice.share {
                None => "White wins while Black holds less than this share of all chips:".to_owned(),
                Some(share) => format!(
                    "By the terms of this game White wins while Black holds less of all chips than {}; if bids could be below zero and were paid to the other side, it would be this share:",
                    between(share, 4)
                ),
            },
            value,
            bar: thousandths(held),
            mark: need.map(thousandths),
            shares: needs(held, [need, need.map(|need| 1.0 - need)]),
            rows,
            link,
        }
    }
}

/// The shares that both have, White's first, with what they need where that is known.
fn needs(held: f64, [white, black]: [Option<f64>; 2]) -> [String; 2] {
    let told = |name: &str, held: f64, need: Option<f64>| match need {
        Some(need) => format!("{name} has {} and needs {}", percent(held), percent(need.clamp(0.0, 1.0))),
        None => format!("{name} has {}", percent(held)),
    };
    [told("White", held, white), told("Black", 1.0 - held, black)]
}

/// Who is ahead by the shares, and by how many of so many chips.
fn estimate(side: Side, lead: &Fraction, total: i64) -> String {
    let beyond = decimal(lead.approx.abs(), usize::from(total < 100_000));
    format!("By the shares, which are an estimate, {} is ahead by {beyond} chips", side.words())
}

/// A share as a part of a bar.
fn thousandths(share: f64) -> u16 {
    (share * 1000.0).round().clamp(0.0, 1000.0) as u16
}

/// Says what either side should do, line by line; lines that say nothing are left out.
fn rows(advice: &Advice) -> Vec<(&'static str, [String; 2])> {
    let both = |tell: &dyn Fn(Color, &Hint) -> String| Color::BOTH.map(|color| tell(color, advice.hint(color)));
    let bid = both(&|_, hint| bid_of(hint.bid, hint.action.as_deref(), advice.asked));
    let moves = both(&|color, hint| {
        let sans = hint.moves.iter().map(|mv| mv.san.as_str()).collect();
        moves_of(color, sans, advice.mover, advice.chance.is_some())
    });
    let sure = both(&|_, hint| match (hint.within, hint.enough) {
        (Some(1), _) => "at the next move".to_owned(),
        (Some(moves), _) => format!("within {moves} moves"),
        (None, Some(chips)) => format!("not with so few chips: from {chips} in all, at these shares"),
        (None, None) => String::new(),
    });
    filled([(heading(advice.asked), bid), ("Best moves", moves), ("Sure win", sure)])
}

/// The heading of the first line.
fn heading(asked: &str) -> &'static str {
    if asked == "answer" || asked == "tie" { "Answer" } else { "Bid" }
}

/// What a side should bid or answer.
fn bid_of(bid: Option<i64>, action: Option<&str>, asked: &str) -> String {
    match (bid, asked) {
        (Some(bid), "offer") if action.is_none() => format!("takes {} or more, else pays and moves", signed(bid)),
        (Some(bid), _) => signed(bid),
        (None, "answer" | "tie") => action.unwrap_or_default().to_owned(),
        (None, _) => String::new(),
    }
}

/// The moves of a side, the recommended one first; nothing while the other side has the move.
fn moves_of(color: Color, sans: Vec<&str>, mover: Option<Side>, coin: bool) -> String {
    const MOST: usize = 4;
    match mover {
        Some(mover) if mover != Side::from(color) => String::new(),
        Some(_) | None if sans.is_empty() && coin => String::new(),
        Some(_) | None if sans.is_empty() => "pass".to_owned(),
        Some(_) | None => {
            let named: Vec<&str> = sans.iter().take(MOST).copied().collect();
            let more = sans.len().saturating_sub(MOST);
            named.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
        }
    }
}

/// The lines that say something.
fn filled<const N: usize>(rows: [(&'static str, [String; 2]); N]) -> Vec<(&'static str, [String; 2])> {
    rows.into_iter().filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())).collect()
}

/// Tells what happened at a step, as `bid 12: Black threw the win away, and White wins from here`. Of what is not proved it says so.
fn told(swing: &WinnerChange, sheet: &[Entry]) -> String {
    let said: Vec<&str> =
        sheet.iter().filter(|entry| entry.ply == swing.ply).map(|entry| entry.text.as_str()).collect();
    let said = if said.is_empty() { swing.what.to_owned() } else { said.join(" against ") };
    let became = match (swing.from.map(Side::words), swing.to.map(Side::words)) {
        (Some(from), Some(to)) if swing.exact => format!("{from} threw the win away, and {to} wins from here"),
        (Some(from), None) if swing.exact => format!("{from} threw the win away, and from here it is a draw"),
        (None, Some(to)) if swing.exact => format!("it was a draw, and {to} wins from here"),
        (Some(from), Some(to)) if swing.what == "coin" => {
            format!("the coin took the lead by the shares from {from} and gave it to {to}")
        }
        (from, to) => {
            let [from, to] = [from, to].map(|side| side.unwrap_or("nobody"));
            format!("by the shares {from} was ahead before, and {to} from here")
        }
    };
    format!("{said}: {became}")
}

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
        table: &Arc<GameSnapshot>,
        look: &Viewpoint,
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
        table: &Arc<GameSnapshot>,
        look: &Viewpoint,
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
