//! The frame around every variant's part of a page, the same for all of them.

use crate::{
    game::{ClockView, Live, Offers},
    rules::{Diagram, Outcome, Seat, Viewer},
};

/// A piece while somebody designs it beside a game, as the query of the page has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sketch {
    /// The piece's text, as it was written.
    pub piece: String,
    /// The square of the designer's map, or the line, that was pressed; empty if nothing was.
    pub press: String,
    /// The kind of step that a press changes; empty for the usual one.
    pub by: String,
    /// The texts of designs that were saved, the newest first.
    pub saved: Vec<String>,
}

/// The game as one viewer meets it: everything a template may use beside the variant's own view.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The game's address, as whoever shows it writes it.
    pub address: String,
    /// The variant in words.
    pub title: &'static str,
    /// The one who looks.
    pub viewer: Viewer,
    /// One browser holds both seats.
    pub both_seats: bool,
    /// Names of the players.
    pub names: [String; 2],
    /// True for each player whose name is known.
    pub named: [bool; 2],
    /// The deal of a match to which the viewer has gone on.
    pub deal: Option<usize>,
    /// The page shows the end of the deal before, until the viewer goes on.
    pub between: bool,
    /// Steps applied.
    pub ply: usize,
    /// Steps of the whole game, where the page shows an earlier one.
    pub last_ply: usize,
    /// The number of times that the page has changed, which its listeners count by.
    pub version: usize,
    /// The number of times that steps were taken back: what was seen of the past may have changed then.
    pub retracted: usize,
    /// A word for what is asked.
    pub phase: &'static str,
    /// A word for what each seat is asked.
    pub tasks: [&'static str; 2],
    /// The seats that are asked and have not chosen.
    pub awaits: Vec<Seat>,
    /// The viewer is asked.
    pub asked: bool,
    /// The viewer's own choice while it is sealed.
    pub sealed: Option<String>,
    /// As much as the viewer has put together of an action that is said in parts.
    pub draft: Option<String>,
    /// The piece that the viewer designs beside the game.
    pub sketch: Sketch,
    /// The word that the viewer says after every action, without being asked.
    pub then: Option<String>,
    /// The offers on the table.
    pub offers: Offers,
    /// The clocks of both seats.
    pub clocks: [Option<ClockView>; 2],
    /// The outcome of the game, once it has one.
    pub outcome: Option<Outcome>,
    /// The points of both seats, as exact fractions.
    pub score: [String; 2],
    /// The part of the view that every variant has.
    pub diagram: Diagram,
}

impl Frame {
    /// Makes the frame of a game that somebody looks at; whoever shows it says at which address.
    pub fn of(game: &Live, viewer: Viewer, address: String) -> Self {
        Frame {
            address,
            title: game.title(),
            viewer,
            both_seats: false,
            names: Default::default(),
            named: [false; 2],
            sketch: Sketch::default(),
            then: None,
            deal: None,
            between: false,
            ply: game.ply(),
            last_ply: game.ply(),
            version: 0,
            retracted: game.retracted(),
            phase: game.phase(),
            tasks: Seat::BOTH.map(|seat| game.task(seat)),
            awaits: game.awaits(),
            asked: viewer.is_some_and(|seat| game.asks(seat)),
            sealed: viewer.and_then(|seat| game.sealed(seat)),
            draft: None,
            offers: game.offers(),
            clocks: Seat::BOTH.map(|seat| game.clocks().view(seat)),
            outcome: game.outcome(),
            score: game.score().map(|points| points.to_string()),
            diagram: game.diagram(viewer),
        }
    }

    /// The seat of a viewer who plays one side alone.
    pub fn own(&self) -> Viewer {
        self.viewer.filter(|_| !self.both_seats)
    }

    /// Tells whether the page shows the game as it stands now.
    pub fn current(&self) -> bool {
        self.ply == self.last_ply
    }
}
