//! The frame of a game page, shared by the templates of all variants.

use super::{designer::escaped, game_text, silhouette::ChosenIcons};
use crate::{
    game::{ClockView, Live, Offers, PlayerCommand},
    rules::{Diagram, Outcome, Seat, Viewer},
};

/// A piece in the designer next to a game, as the page's query describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sketch {
    /// Notation of the piece, as typed.
    pub piece: String,
    /// Pressed square of the designer's map, or pressed line; empty for none.
    pub press: String,
    /// Type of step that a press changes; empty for the default.
    pub by: String,
    /// What a press puts on a square; empty for the default.
    pub mode: String,
    /// Squares that a press sets; empty for the default.
    pub mirror: String,
    /// Notation of the piece chosen from the list of known pieces; empty for none.
    pub known: String,
    /// Notation before the last change.
    pub before: Option<String>,
    /// Notations of saved designs, newest first.
    pub saved: Vec<String>,
    /// Silhouettes that the browser has chosen.
    pub icons: ChosenIcons,
}

impl Sketch {
    /// The piece and the press as a part of a query; `None` if the designer is not in use.
    pub fn query(&self) -> Option<String> {
        let Sketch { piece, press, by, mode, mirror, known, before, .. } = self;
        let fields =
            [("piece", piece), ("press", press), ("by", by), ("mode", mode), ("mirror", mirror), ("known", known)];
        let fields = fields.into_iter().chain(before.iter().map(|before| ("before", before)));
        let query: Vec<String> = fields.map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        [piece, press, known].iter().any(|text| !text.is_empty()).then(|| query.join("&"))
    }
}

/// A game as one viewer sees it: everything that a template may use in addition to the variant's own view.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Address of the game page.
    pub address: String,
    /// Title of the variant.
    pub title: &'static str,
    /// Viewer of the page.
    pub viewer: Viewer,
    /// Whether one browser holds both seats.
    pub both_seats: bool,
    /// Names of the players.
    pub names: [String; 2],
    /// Whether each player's name is known.
    pub named: [bool; 2],
    /// Deal of a match to which the viewer has continued.
    pub deal: Option<usize>,
    /// Whether the page shows the end of the previous deal until the viewer continues.
    pub between: bool,
    /// Ply of the position.
    pub ply: usize,
    /// Last ply of the game.
    pub last_ply: usize,
    /// Version of the viewer's page; its event stream counts by it.
    pub version: usize,
    /// Number of takebacks. Earlier positions may have changed since the last one.
    pub retracted: usize,
    /// Name of the current phase.
    pub phase: &'static str,
    /// Name of each seat's task.
    pub tasks: [&'static str; 2],
    /// Seats to move.
    pub awaits: Vec<Seat>,
    /// Whether the viewer is to move.
    pub asked: bool,
    /// The viewer's sealed action.
    pub sealed: Option<String>,
    /// The viewer's draft of an action with several parts.
    pub draft: Option<String>,
    /// Piece in the designer.
    pub sketch: Sketch,
    /// The viewer's action that was just refused; empty if there is none.
    pub refused: String,
    /// Why it was refused, as a sentence.
    pub refusal: String,
    /// Selected piece: a square, or the text of a piece off the board.
    pub from: Option<String>,
    /// Open offers.
    pub offers: Offers,
    /// Clocks of both seats.
    pub clocks: [Option<ClockView>; 2],
    /// Milliseconds until resting clocks start, after the end of a deal.
    pub rest: Option<i64>,
    /// Whether the viewer can go on to the next deal before the clocks start.
    pub goes_on: bool,
    /// Outcome, once the game is over.
    pub outcome: Option<Outcome>,
    /// Points of both seats, as exact fractions.
    pub score: [String; 2],
    /// Diagram that every variant has.
    pub diagram: Diagram,
}

impl Frame {
    /// Creates the frame of a game for a viewer; `address` is the game's page.
    pub fn of(game: &Live, viewer: Viewer, address: String) -> Self {
        Frame {
            address,
            title: game.title(),
            viewer,
            both_seats: false,
            names: Default::default(),
            named: [false; 2],
            sketch: Sketch::default(),
            refused: String::new(),
            refusal: String::new(),
            from: None,
            deal: None,
            between: false,
            ply: game.ply(),
            last_ply: game.ply(),
            version: 0,
            retracted: game.retracted(),
            phase: game.phase(),
            tasks: Seat::BOTH.map(|seat| game.task(seat)),
            awaits: game.awaits(),
            asked: viewer.is_some_and(|seat| game.may_act(seat)),
            sealed: viewer.and_then(|seat| game.sealed(seat)),
            draft: None,
            offers: game.offers(),
            clocks: Seat::BOTH.map(|seat| game.clocks().view(seat)),
            rest: None,
            goes_on: viewer.is_some_and(|seat| game.can(seat, PlayerCommand::Continue)),
            outcome: game.outcome(),
            score: game.score().map(|points| points.to_string()),
            diagram: game.diagram(viewer),
        }
    }

    /// Word of the refused action for a field of a form: the `number`th after the command, or all the rest if it is the last of `fields`.
    pub fn refused_word(&self, command: &str, number: usize, fields: usize) -> &str {
        let mut words = self.refused.splitn(fields + 1, ' ');
        words.next().filter(|word| *word == command).and_then(|_| words.nth(number - 1)).unwrap_or_default()
    }

    /// Seat of a viewer who plays one side only.
    pub fn own(&self) -> Viewer {
        self.viewer.filter(|_| !self.both_seats)
    }

    /// Time until resting clocks start, as a clock shows it.
    pub fn rest_left(&self) -> String {
        game_text::time_left(self.rest.unwrap_or_default())
    }

    /// Whether the viewer’s clock runs although the page still shows the end of the previous deal.
    pub fn bid_is_due(&self) -> bool {
        let due =
            |seat: Seat| self.rest.is_none() && self.clocks[seat.index()].is_some_and(|clock| clock.deadline.is_some());
        self.between && self.viewer.is_some_and(due)
    }

    /// Whether the page shows the current position.
    pub fn current(&self) -> bool {
        self.ply == self.last_ply
    }
}
