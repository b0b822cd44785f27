//! View of a game: the offers once they are open, and the game on the board.

use std::sync::Arc;

use serde::Serialize;

use super::{Action, Currency, Handicap, PieceOdds, Prize, SealedOffer, State};
use crate::{
    board::Color,
    rules::{Diagram, Entry, Rules, Seat, Side, any_game::GameView, diagram::Pair},
};

/// View of a game with handicap bidding. The fields of the view of the game on the board are merged into it.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    /// View of the game on the board.
    #[serde(flatten)]
    pub sight: GameView,
    /// Key of the variant on the board.
    pub base: &'static str,
    /// Title of the variant on the board, for pages only.
    #[serde(skip)]
    pub title: &'static str,
    /// Pieces that can be offered, for pages only.
    #[serde(skip)]
    pub gifts: Vec<&'static str>,
    /// The side that is up for bids.
    #[schema(value_type = Side)]
    pub prize: Prize,
    /// Kind of offer.
    pub bids: Currency,
    /// Time of the side that was not bid for, and the highest bid, in milliseconds.
    pub initial_ms: i64,
    /// Increment per move in milliseconds, where time is bid.
    pub increment_ms: i64,
    /// Former name of `initial_ms`, in seconds.
    pub seconds: i64,
    /// Former name of `increment_ms`, in seconds.
    pub increment: i64,
    /// Both offers, once they are open.
    #[schema(inline)]
    pub slips: Option<Pair<String>>,
    /// The offers were equal, and the coin decided.
    pub tossed: bool,
    /// The seat that got the side.
    pub winner: Option<Seat>,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        self.sight.diagram()
    }
}

impl AsMut<Diagram> for View {
    fn as_mut(&mut self) -> &mut Diagram {
        self.sight.diagram_mut()
    }
}

impl View {
    /// Wraps the view of the game on the board.
    pub(super) fn of(rules: &Handicap, state: &State, mut sight: GameView) -> View {
        let diagram = sight.diagram_mut();
        let mut sheet = opening_entries(rules, state);
        let moved = |entry: &Entry| Entry {
            ply: entry.ply + state.extra_steps,
            seat: entry.seat.map(|seat| state.board_seat(seat)),
            ..entry.clone()
        };
        sheet.extend(diagram.sheet.iter().map(moved));
        diagram.sheet = Arc::new(sheet);
        diagram.colors = state.white.map(|_| state.by_player([Side::White, Side::Black]).into());
        for held in [&mut diagram.reserves, &mut diagram.captured] {
            let Pair { one, two } = std::mem::take(held);
            *held = state.by_player([one, two]).into();
        }
        diagram.tags.retain(|(name, _)| *name != "Match");
        diagram.tags.push(("Match", Handicap::INFO.key.to_owned()));
        let winner = state.white.map(|white| if rules.prize == Prize::White { white } else { !white });
        View {
            sight,
            base: rules.base.key,
            title: rules.base.title,
            gifts: PieceOdds::before(rules.base).into_iter().map(PieceOdds::name).collect(),
            prize: rules.prize,
            bids: rules.slips,
            initial_ms: 1_000 * rules.seconds,
            increment_ms: 1_000 * rules.increment,
            seconds: rules.seconds,
            increment: rules.increment,
            slips: state.slips.map(|slips| slips.map(|slip| slip.to_string()).into()),
            tossed: state.tossed,
            winner,
        }
    }

    /// Whether seconds are bid.
    pub fn timed(&self) -> bool {
        self.bids == Currency::Seconds
    }

    /// The winning offer; empty until it is known.
    pub fn given(&self) -> &str {
        self.winner.map_or("", |winner| self.offer(&winner))
    }

    /// A player's offer without its first word.
    pub fn offer(&self, seat: &Seat) -> &str {
        let slip = self.slips.as_ref().map_or("", |slips| slips.of(*seat));
        slip.split_once(' ').map_or(slip, |(_, offer)| offer)
    }
}

/// Lines of the move list until the colours were known.
fn opening_entries(rules: &Handicap, state: &State) -> Vec<Entry> {
    let dealt = state.opened();
    let line = |ply: usize, seat: Option<Seat>, action: Action, told: Option<String>| Entry {
        told,
        action: Some(action.to_string()),
        ..Entry::new(ply, seat, action.to_string())
    };
    let winner = state.white.map(|white| if rules.prize == Prize::White { white } else { !white });
    let slips = state.slips.iter().flatten().zip(Seat::BOTH).map(|(slip, seat)| {
        let won = winner == Some(seat) && !state.tossed;
        let notes = if won { format!("has {}", Side::from(rules.prize.color()).words()) } else { String::new() };
        let spoken = match slip {
            SealedOffer::Seconds(seconds) => format!("offers {seconds} seconds"),
            SealedOffer::Unit(PieceOdds::Nothing) => "offers nothing".to_owned(),
            SealedOffer::Unit(gift) => format!("offers a {}", gift.name()),
        };
        Entry { notes, spoken: Some(spoken.into()), ..line(dealt, Some(seat), Action::Bid(*slip), None) }
    });
    let coin = state.white.filter(|_| state.tossed).map(|white| {
        let color = if white == Seat::One { Color::White } else { Color::Black };
        let told = format!("The coin gives the first player {}", Side::from(color).words());
        line(dealt + 1, None, Action::Coin(color), Some(told))
    });
    slips.chain(coin).collect()
}
