//! A game in progress, independent of its variant: simultaneous choices, clocks, resignations, offers, takebacks and replay. No
//! storage and no pages; time and chance come in as arguments.

mod clock;
mod live;
pub mod record;

use clock::ClockMark;
pub use clock::{Clock, ClockView, Clocks, REST, TimeControl};
pub use live::Live;

use serde::Serialize;

use crate::{
    rules::{Actor, DealEnd, LEFT, Seat, TIME, diagram::Pair},
    variants::bookie::amount,
};

/// Number of steps after which a game is drawn.
pub const LONGEST: usize = 10_000;

/// Usual number of days without an action after which the opponent of a player without a clock can claim the game.
pub const ABSENCE_DAYS: u32 = 14;

/// Reason of a draw after [`LONGEST`] steps.
pub const TOO_LONG: &str = "too long";
/// Reason of an aborted game, which has no result.
pub const ABORTED: &str = "aborted";
/// Reason of a game without a result because an opponent never arrived.
pub const DESERTED: &str = "nobody came";
/// Reason of a loss declared by the operator.
pub const FORFEIT: &str = "forfeit";

/// One line of the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLine {
    /// Actor of the line.
    pub actor: Actor,
    /// Canonical text of the action.
    pub text: String,
    /// Time in milliseconds since the Unix epoch.
    pub time: i64,
}

/// A record line as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisibleLine {
    /// Actor of the line.
    pub actor: Actor,
    /// Canonical text of the action; `None` while it is hidden.
    pub text: Option<String>,
    /// Time in milliseconds since the Unix epoch.
    pub time: i64,
    /// Number of the step, from 1, that the line made or contributed to. `None` for commands, pending choices and retracted
    /// actions.
    pub step: Option<usize>,
}

/// Offers that have been made and not answered.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct Offers {
    /// Seat that offers a draw.
    pub draw: Option<Seat>,
    /// Seat that requests a takeback.
    pub takeback: Option<Seat>,
    /// Number of the draw offer, for `accept`.
    pub draw_number: Option<u32>,
    /// Number of the takeback request, for `accept`.
    pub takeback_number: Option<u32>,
    /// Seat whose offer was declined, until the next step or offer.
    pub declined: Option<Seat>,
    /// Former form of `rematch_offers`, seat one first.
    pub rematch: [bool; 2],
    /// Key of the variant for the rematch, if it is a different one.
    pub game: Option<String>,
}

/// Offers, as programs read them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct GameOffers {
    /// The offers, with the former list `rematch`.
    #[serde(flatten)]
    #[schema(inline)]
    offers: Offers,
    /// Whether each seat wants a rematch.
    #[schema(inline)]
    rematch_offers: Pair<bool>,
}

impl From<Offers> for GameOffers {
    fn from(offers: Offers) -> Self {
        GameOffers { rematch_offers: offers.rematch.into(), offers }
    }
}

/// Review of a state and of the step that followed. Chances are estimates from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveReview {
    /// Seat one's winning chance, if a search can estimate it.
    pub chance: Option<f64>,
    /// Action that each seat chose.
    pub played: [Option<LabelledAction>; 2],
    /// Better action for each seat, if there is one.
    pub better: [Option<BetterAction>; 2],
}

/// An action, for programs and for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelledAction {
    /// Text of the action.
    pub action: String,
    /// The action in player notation.
    pub label: String,
}

/// An action better than the one played.
#[derive(Clone, PartialEq, Debug)]
pub struct BetterAction {
    /// The action.
    pub labelled: LabelledAction,
    /// Loss of winning chance, if it can be known before the following step.
    pub lost: Option<f64>,
}

impl MoveReview {
    /// A review with only the winning chance.
    pub fn of(chance: Option<f64>) -> MoveReview {
        MoveReview { chance, ..MoveReview::default() }
    }

    /// The action that a seat chose, if it was to act.
    pub fn of_seat(&self, seat: Seat) -> Option<&LabelledAction> {
        self.played[seat.index()].as_ref()
    }
}

/// A command that all games share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerCommand {
    /// Resigns the game, or the current deal of a match.
    Resign,
    /// Resigns the rest of a match.
    ResignMatch,
    /// Offers a draw, or accepts one.
    Draw,
    /// Requests a takeback of the player's last step, or accepts one.
    Takeback,
    /// Accepts the opponent's offer with this number, as in `accept 3`. Refused if that offer is no longer open.
    Accept(u32),
    /// Declines the opponent's offer.
    Decline,
    /// Withdraws the player's own offer.
    Withdraw,
    /// Aborts the game before both players have acted.
    Abort,
    /// Claims a draw under the rules.
    Claim,
    /// Claims the win because the opponent has left. The caller checks that the opponent is away.
    ClaimVictory,
    /// Calls the game a draw because the opponent has left. The caller checks that the opponent is away.
    CallDraw,
    /// Goes on to the next deal of a match. The clocks start when both players have gone on.
    Continue,
    /// Offers a rematch of the same variant, or of another one.
    Rematch,
}

impl PlayerCommand {
    /// All commands without a number.
    pub const ALL: [PlayerCommand; 12] = [
        PlayerCommand::Resign,
        PlayerCommand::ResignMatch,
        PlayerCommand::Draw,
        PlayerCommand::Takeback,
        PlayerCommand::Decline,
        PlayerCommand::Withdraw,
        PlayerCommand::Abort,
        PlayerCommand::Claim,
        PlayerCommand::ClaimVictory,
        PlayerCommand::CallDraw,
        PlayerCommand::Continue,
        PlayerCommand::Rematch,
    ];

    /// First word of the command, which is the whole text of a command without a number.
    pub const fn text(self) -> &'static str {
        match self {
            PlayerCommand::Resign => "resign",
            PlayerCommand::ResignMatch => "resign match",
            PlayerCommand::Draw => "draw",
            PlayerCommand::Takeback => "takeback",
            PlayerCommand::Accept(_) => "accept",
            PlayerCommand::Decline => "decline",
            PlayerCommand::Withdraw => "withdraw",
            PlayerCommand::Abort => "abort",
            PlayerCommand::Claim => "claim",
            PlayerCommand::ClaimVictory => "claim victory",
            PlayerCommand::CallDraw => "call draw",
            PlayerCommand::Continue => "continue",
            PlayerCommand::Rematch => "rematch",
        }
    }

    /// Parses a command. `rematch` may name another variant, as in `rematch bidding`.
    pub fn read(text: &str) -> Option<PlayerCommand> {
        let named = PlayerCommand::named(text).map(|_| PlayerCommand::Rematch);
        named
            .or_else(|| PlayerCommand::accepted(text))
            .or_else(|| PlayerCommand::ALL.into_iter().find(|word| word.text() == text))
    }

    /// Parses `accept 3`. An `accept` without a number is an action of some variants.
    fn accepted(text: &str) -> Option<PlayerCommand> {
        let digits = text.strip_prefix("accept ")?;
        let number: u32 = digits.parse().ok()?;
        (number.to_string() == digits).then_some(PlayerCommand::Accept(number))
    }

    /// The variant named in a `rematch` command.
    pub fn named(text: &str) -> Option<&str> {
        text.strip_prefix(PlayerCommand::Rematch.text())?.strip_prefix(' ')
    }
}

/// Describes the result of a deal: winner, reason and points. `names` are the names of the seats.
pub fn deal_summary(end: &DealEnd, names: &[String; 2]) -> String {
    let reason = end.reason;
    if end.void {
        return format!("No stakes, no points: {reason}");
    }
    let name = |seat: Seat| &names[seat.index()];
    let result = match end.winner {
        Some(seat) if end.drawn => format!("A draw, which {} wins as Black: {reason}", name(seat)),
        Some(seat) if reason == TIME => format!("{} lost on time", name(!seat)),
        Some(seat) if reason == LEFT => format!("{} left the game", name(!seat)),
        Some(seat) => format!("{} wins: {reason}", name(seat)),
        None => format!("A draw: {reason}"),
    };
    let gain = |seat: Seat| format!("{} gets {}", names[seat.index()], amount(&end.points.of(seat).0));
    // The winner comes first.
    let first = end.winner.unwrap_or(Seat::One);
    format!("{result}. {}, {}", gain(first), gain(!first))
}
