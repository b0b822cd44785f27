//! Advice of the endgame tables at the current and earlier positions: the value, the winner, the best actions, and the turning points
//! of the game. Only for viewers who may see it.

mod bounded;

use super::viewpoint::Viewpoint;
use crate::{
    board::Color,
    play::{GameSnapshot, Play, TableAdvice},
    richman::{Advice, DecisionKind, Fraction, Hint, WinnerChange},
    rules::{Entry, Side, endgame::StepKind},
    web::{
        App, Error,
        endgame_cache::format::{Amount, between, decimal, percent, signed},
    },
};
use std::{ops::Range, sync::Arc};

/// The panel.
pub(super) struct Panel {
    /// Advice for the page's position, if the tables cover it.
    pub(super) now: Option<Now>,
    /// Turning points of the game.
    pub(super) swings: Vec<WinnerChangeRow>,
}

/// Advice for one position.
pub(super) struct Now {
    /// Exact value, if known; the page shows it after `why`.
    pub(super) value: Option<Amount>,
    /// Summary of who wins.
    pub(super) verdict: String,
    /// Meaning of the value.
    pub(super) why: String,
    /// White's part of a bar of 1000 units: of the chips, or of the chances.
    pub(super) bar: u16,
    /// Part that White needs, in a game with chips.
    pub(super) mark: Option<u16>,
    /// The shares in words.
    pub(super) shares: [String; 2],
    /// Rows of advice: heading, White's and Black's text.
    pub(super) rows: Vec<(&'static str, [String; 2])>,
    /// Address of the position in the endgame tables; empty without advice.
    pub(super) link: String,
}

/// A step at which the winner changed.
pub(super) struct WinnerChangeRow {
    pub(super) ply: usize,
    pub(super) words: String,
    /// Whether the page shows the position after it.
    pub(super) here: bool,
}

/// Whether the viewer may see the whole panel: a spectator, or a player in a game where both agreed to it.
/// [`Advice::visible_part`] limits what every viewer may see.
fn allowed(table: &GameSnapshot, look: &Viewpoint) -> bool {
    match look.held.is_empty() {
        true => table.sees_advice(None),
        false => !look.curtain && look.held.iter().all(|(seat, _)| table.sees_advice(Some(*seat))),
    }
}

impl Panel {
    /// Panel at the current position.
    pub(super) async fn current(play: &Play, table: &Arc<GameSnapshot>, look: &Viewpoint) -> Option<Panel> {
        let moment = table.game.endgame();
        // During the game the panel is limited to the current position.
        if look.curtain || table.game.outcome().is_none() && moment.is_none() {
            return None;
        }
        let whole = allowed(table, look);
        let counsel = match moment.filter(|moment| whole || moment.chips.is_none()) {
            Some(_) => play.panel(table).await,
            None => None,
        };
        Panel::with(play, table, look, counsel.and_then(|counsel| counsel.visible_part(whole)), table.game.ply()).await
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
            words: describe_winner_change(swing, sheet),
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
        // Without advice on best play the page must not link to it either.
        let link = match advice.white.moves.is_empty() && advice.black.moves.is_empty() {
            true => String::new(),
            false => format!("/endgames?fen={}", advice.fen),
        };
        let value = Some(Amount::from(&advice.value));
        let rows = rows(advice);
        let Some(chips) = advice.chips else {
            let white = advice.chance.as_ref().unwrap_or(&advice.value).approx;
            let why = match advice.mover {
                Some(mover) => format!("{} won the toss. Before the toss, White’s chance was", mover.words()),
                None => "White’s exact chance with best moves and a fair coin is".to_owned(),
            };
            return Now {
                verdict: format!("White’s winning chance is {}", percent(white)),
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
            (None, Some(_), ..) => "Neither side can force a win with these chips".to_owned(),
            (None, None, Some(side), Some(lead)) => estimate(side, lead, total),
            (None, None, None, Some(_)) => "Estimate: the chips are exactly at the threshold".to_owned(),
            (None, None, _, None) if advice.share.is_some() => "No win is proved with these chips".to_owned(),
            (None, None, _, None) => "The winner of the coin toss wins".to_owned(),
        };
        let need = advice.lead.as_ref().map(|lead| share(chips.white as f64 - lead.approx));
        Now {
            verdict,
            why: match &advice.share {
                None => "White wins if Black’s share of all chips is less than".to_owned(),
                Some(share) => format!(
                    "With the rules of this game, White wins if Black’s share of all chips is below a threshold of {}. If negative bids were allowed and bids went to the opponent, the threshold would be",
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

/// Shares of White and Black, with the needed share if known.
fn needs(held: f64, [white, black]: [Option<f64>; 2]) -> [String; 2] {
    let told = |name: &str, held: f64, need: Option<f64>| match need {
        Some(need) => format!("{name} has {} and needs {}", percent(held), percent(need.clamp(0.0, 1.0))),
        None => format!("{name} has {}", percent(held)),
    };
    [told("White", held, white), told("Black", 1.0 - held, black)]
}

/// Estimate of the lead in chips out of `total`.
fn estimate(side: Side, lead: &Fraction, total: i64) -> String {
    let beyond = decimal(lead.approx.abs(), usize::from(total < 100_000));
    format!("Estimate: {} is ahead by {beyond} chips", side.words())
}

/// A share in thousandths, for the bar.
fn thousandths(share: f64) -> u16 {
    (share * 1000.0).round().clamp(0.0, 1000.0) as u16
}

/// Rows of advice for both sides, without empty ones.
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
        (None, Some(chips)) => format!("needs at least {chips} chips in total at these shares"),
        (None, None) => String::new(),
    });
    filled([(heading(advice.asked), bid), ("Best moves", moves), ("Sure win", sure)])
}

/// Heading of the first row.
fn heading(asked: StepKind) -> &'static str {
    if matches!(asked, StepKind::Answer | StepKind::Tie) { "Answer" } else { "Bid" }
}

/// Bid or answer that a side should choose.
fn bid_of(bid: Option<i64>, action: Option<&str>, asked: StepKind) -> String {
    match (bid, asked) {
        (Some(bid), StepKind::Offer) if action.is_none() => {
            format!("take {} or more, otherwise pay and move", signed(bid))
        }
        (Some(bid), _) => signed(bid),
        (None, StepKind::Answer | StepKind::Tie) => action.unwrap_or_default().to_owned(),
        (None, _) => String::new(),
    }
}

/// Best moves of a side, the recommended one first; empty while the opponent has the move.
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

/// Rows with any text.
fn filled<const N: usize>(rows: [(&'static str, [String; 2]); N]) -> Vec<(&'static str, [String; 2])> {
    rows.into_iter().filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())).collect()
}

/// Describes a turning point: `bid 12: Black gave away the win, and White is now winning`. Marks estimates as such.
fn describe_winner_change(swing: &WinnerChange, sheet: &[Entry]) -> String {
    let said: Vec<&str> =
        sheet.iter().filter(|entry| entry.ply == swing.ply).map(|entry| entry.text.as_str()).collect();
    let said = if said.is_empty() { swing.what.name().to_owned() } else { said.join(" against ") };
    let became = match (swing.from.map(Side::words), swing.to.map(Side::words)) {
        (Some(from), Some(to)) if swing.exact => format!("{from} gave away the win, and {to} is now winning"),
        (Some(from), None) if swing.exact => format!("{from} gave away the win, and it is now a draw"),
        (None, Some(to)) if swing.exact => format!("it was a draw, and {to} is now winning"),
        (Some(from), Some(to)) if swing.what == DecisionKind::Coin => {
            format!("the coin turned an estimated lead of {from} into one of {to}")
        }
        (from, to) => {
            let [from, to] = [from, to].map(|side| side.unwrap_or("neither side"));
            format!("estimated lead: {from} before, {to} now")
        }
    };
    format!("{said}: {became}")
}

/// Panels at several positions of a game.
pub(in crate::web::game) struct Panels {
    /// One per position; empty if the viewer may see none.
    pub(in crate::web::game) panels: Vec<Option<Panel>>,
    /// Whether all tables that cover the positions have answered.
    pub(in crate::web::game) lasting: bool,
}

impl Panel {
    /// Panel after `ply` steps.
    pub(in crate::web::game) async fn past(
        app: &App,
        table: &Arc<GameSnapshot>,
        look: &Viewpoint,
        ply: usize,
    ) -> Result<Option<Panel>, Error> {
        if ply == table.game.ply() {
            return Ok(Panel::current(&app.play, table, look).await);
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
        Ok(Panel::with(&app.play, table, look, counsel.and_then(|counsel| counsel.visible_part(whole)), ply).await)
    }

    /// Panels at earlier positions, one each.
    pub(in crate::web::game) async fn at_plies(
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
                    counsel.and_then(|counsel| counsel.visible_part(whole))
                }
                None => None,
            };
            along.panels.push(Panel::of(counsel, &swings, &sheet, ply));
        }
        Ok(along)
    }
}
