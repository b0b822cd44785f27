//! Raumschach: Maack's chess in a cube of five levels (1907). The board and its moves are `board::cube`; what ends a game is as in
//! chess, but that only bare kings are a dead position.

use std::{fmt, str::FromStr, sync::Arc};

use num_rational::Ratio;
use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::{
    board::{
        BoardLocation, Color, FenError,
        cube::{self, BadMove, CubeKind, CubeMove, CubePosition, START},
        pgn::Pgn,
    },
    rules::{
        ActionForm, Actor, BotSupport, Choice, ChoiceKind, Describe, Diagram, End, Entry, GameControl, HiddenInfo,
        Input, OptionRange, OptionSpec, Outcome, PgnTag, Place, Refusal, Rules, RulesVersion, SearchProblem, Seat,
        Step, Support, TaskHelp, Turn, VariantInfo, Viewer,
        chesslike::{NoTally, View},
        diagram::HeldPiece,
        endings::{Ending, EndingRules, StalemateRule, WinningMaterial, flagged},
        search_problem::CubeProblem,
        start_position,
    },
};

/// The endings that it shares with chess.
const ENDINGS: EndingRules =
    EndingRules { winnable: WinningMaterial::ByAnyPiece, quiet: true, repetition: true, stuck: StalemateRule::Draws };

static PHRASES: [ActionForm; 1] =
    [ActionForm { phases: &["move"], text: "{cells}", words: "A unit moves through the cube." }];

/// The options of a game of Raumschach.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Raumschach {
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

fn read(fen: &str) -> Result<cube::CubePosition, Refusal> {
    cube::CubePosition::parse(fen).map_err(|error: FenError| Refusal::at(error.at, error.to_string()))
}

impl Rules for Raumschach {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Raumschach"),
        auction: Support::No("its board has five levels, and an auction is played on one"),
        handicap: Support::No("in its cube nobody knows what moving first is worth, nor a unit"),
        ..VariantInfo::new(
            "raumschach",
            "Raumschach",
            "Chess in a cube of five levels: rooks go through faces, bishops through edges, unicorns through corners.",
        )
    };

    type Terms = cube::CubePosition;
    type State = State;
    type Action = Action;
    type View = View<NoTally>;

    fn terms(&self, _version: RulesVersion) -> Result<cube::CubePosition, Refusal> {
        read(if self.fen.is_empty() { cube::START } else { &self.fen })
    }

    fn start(&self, terms: &cube::CubePosition) -> State {
        State::new(*terms)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::One(Seat::of(state.position.turn)),
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match actor {
            Actor::Seat(_) => state.check(action.0),
            Actor::Chance | Actor::Server => Err(Refusal::new("only players move in Raumschach")),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        match step {
            Step::One(_, action) => state.play(action.0),
            Step::End(seat, end) => state.outcome = state.stopped(seat, end).ok(),
            Step::Chance(_) | Step::Both(_) => unreachable!("steps are checked first"),
        }
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        state.stopped(seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View<NoTally> {
        state.view(viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat)))
    }
}

impl Describe for Raumschach {
    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Raumschach::default())]
    }

    fn settings() -> &'static [OptionSpec] {
        &[OptionSpec { key: "fen", words: "Start from this position (FEN)", range: OptionRange::Position(cube::START) }]
    }

    fn lessons() -> &'static [TaskHelp] {
        &[TaskHelp {
            task: "move",
            lines: [
                "The five boards lie one above the other, A at the bottom: press a piece, and its cells on all of them are marked.",
                "Pawns also climb towards the enemy. Mate the king, who steps to every cell around him.",
            ],
        }]
    }

    fn phrases() -> &'static [ActionForm] {
        &PHRASES
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        let start = read(start_position::fen(cube::START, game)?).map_err(start_position::in_tag)?;
        let after = |position: cube::CubePosition, text: &str| Ok(position.after(position.parse_san(text)?));
        Ok(start_position::replay(start, game, |position| position.turn, after)?.fen())
    }
}

impl Input for Raumschach {
    fn find(&self, state: &State, text: &str) -> Option<Action> {
        state.position.parse_san(text).ok().map(Action)
    }
}

impl HiddenInfo for Raumschach {}

impl BotSupport for Raumschach {
    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action> {
        state.position.moves().into_iter().map(Action).collect()
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        Color::BOTH.map(|color| {
            let own = state.position.pieces().filter(|(_, piece)| piece.color == color);
            own.map(|(_, piece)| piece.kind.worth()).sum()
        })
    }

    fn prospect(&self, state: &State, _seat: Seat) -> Option<SearchProblem> {
        Some(SearchProblem::Cube(CubeProblem { position: state.position, before: state.before() }))
    }
}

impl GameControl for Raumschach {}

impl State {
    /// The end that the position brings of itself.
    fn ending(&self) -> Option<Ending> {
        let (position, us) = (&self.position, self.position.turn);
        if !position.has_move() {
            let mated = position.in_check(us);
            return Some(if mated { Ending::win(!us, "checkmate") } else { Ending::draw("stalemate") });
        }
        if Color::BOTH.into_iter().all(|color| position.bare(color)) {
            return Some(crate::rules::endings::DEAD);
        }
        ENDINGS.drawn(|| self.occurrences(), position.halfmove)
    }

    /// A game from a position.
    fn new(start: CubePosition) -> State {
        let (stood, sheet) = (vec![start], Vec::new());
        let mut state = State { start, position: start, stood, last: None, sheet, steps: 0, outcome: None };
        state.judge();
        state
    }

    /// The number of times that the position that stands now has stood, this time included.
    fn occurrences(&self) -> usize {
        self.stood.iter().filter(|position| position.repeats(&self.position)).count()
    }

    /// The positions that could come again, the one that stands now left out.
    fn before(&self) -> Vec<CubePosition> {
        self.stood[..self.stood.len() - 1].to_vec()
    }

    /// Tells why a move may not be played.
    fn check(&self, mv: CubeMove) -> Result<(), Refusal> {
        let moves = self.position.moves();
        if moves.contains(&mv) {
            return Ok(());
        }
        let CubeMove { from, to, promotion } = mv;
        let mover = self.position.turn;
        let Some(piece) = self.position.piece(from) else {
            return Err(Refusal::at(0, format!("there is no piece on {from}")));
        };
        let name = piece.kind.name();
        if piece.color != mover {
            let why = format!("the {name} on {from} is {}’s, and {} is to move", piece.color.name(), mover.name());
            return Err(Refusal::at(0, why));
        }
        let there: Vec<String> =
            moves.iter().filter(|mv| mv.from == from && mv.to == to).map(CubeMove::to_string).collect();
        Err(match (there.is_empty(), promotion) {
            (false, None) => Refusal::at(6, format!("the pawn must become something; write {}", there.join(", "))),
            (false, Some(kind)) => {
                let why =
                    format!("a move from {from} to {to} cannot end with a {}; write {}", kind.name(), there.join(", "));
                Refusal::at(6, why)
            }
            (true, _) if self.position.exposes(from, to) => {
                Refusal::at(3, format!("the {name} cannot go from {from} to {to}: the king would be in check"))
            }
            (true, _) => Refusal::at(3, format!("the {name} on {from} cannot go to {to}")),
        })
    }

    /// Plays a move that was checked.
    fn play(&mut self, mv: CubeMove) {
        let mover = self.position.turn;
        self.sheet.push(Entry {
            ply: self.steps,
            seat: Some(Seat::of(mover)),
            text: self.position.san(mv),
            told: None,
            action: Some(mv.to_string()),
            notes: String::new(),
            deal: None,
            place: Place::Move(mover),
            about: None,
        });
        self.position = self.position.after(mv);
        if self.position.halfmove == 0 {
            self.stood.clear();
        }
        self.stood.push(self.position);
        self.last = Some(mv);
        self.judge();
    }

    fn judge(&mut self) {
        self.outcome = self.ending().map(|ending| ending.outcome(Seat::of));
    }

    fn claim(&self) -> Result<Ending, Refusal> {
        ENDINGS.claimed(|| self.occurrences(), self.position.halfmove)
    }

    /// The meaning of a way to stop.
    fn stopped(&self, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        let claim = || self.claim().map(|ending| ending.outcome(Seat::of));
        let late = seat.color();
        let flag = || flagged(late, self.position.bare(!late)).outcome(Seat::of);
        end.outcome(seat, claim, flag)
    }

    /// The game as everybody sees it, with all moves as choices for whoever is asked.
    fn view(&self, asked: bool) -> View<NoTally> {
        let position = &self.position;
        let mut tags = Raumschach::INFO.pgn_tags();
        let start = self.start.fen();
        if start != START {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start)]);
        }
        let diagram = Diagram {
            captured: [self.lost(Color::Black), self.lost(Color::White)].into(),
            last: self.last.map_or_else(Vec::new, |mv| BoardLocation::each([mv.from, mv.to])),
            sheet: Arc::new(self.sheet.clone()),
            choices: asked.then(|| self.choices()),
            tags,
            ..Diagram::of_cube(position)
        };
        let claimable = self.outcome.is_none() && self.claim().is_ok();
        View::new(diagram, claimable, NoTally {})
    }

    fn choices(&self) -> Vec<Choice> {
        let choice = |mv: &CubeMove| {
            let kind = ChoiceKind::Move {
                from: mv.from.into(),
                to: mv.to.into(),
                also: None,
                promotion: mv.promotion.map(|kind| kind.name().to_owned()),
            };
            Choice::new(mv.to_string(), self.position.san(*mv), kind)
        };
        self.position.moves().iter().map(choice).collect()
    }

    /// The pieces that a side has lost since the beginning, the most valuable first. A pawn that became something is not lost.
    fn lost(&self, color: Color) -> Vec<HeldPiece> {
        let count = |position: &CubePosition, kind: CubeKind| {
            position.pieces().filter(|(_, piece)| piece.color == color && piece.kind == kind).count() as i64
        };
        let change = |kind| count(&self.start, kind) - count(&self.position, kind);
        let became: i64 = CubeKind::PROMOTIONS.into_iter().map(|kind| change(kind).min(0)).sum();
        let lost = CubeKind::PROMOTIONS
            .into_iter()
            .map(|kind| (kind, change(kind)))
            .chain([(CubeKind::Pawn, change(CubeKind::Pawn) + became)]);
        let held = |(kind, lost): (CubeKind, i64)| {
            let count = u32::try_from(lost).ok().filter(|lost| *lost > 0)?;
            Some(HeldPiece { name: kind.name().to_owned(), betza: String::new(), count })
        };
        lost.filter_map(held).collect()
    }
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Where it began.
    start: CubePosition,
    /// Where it stands.
    position: CubePosition,
    /// The positions since the last capture or pawn move, the one that stands now as the last.
    stood: Vec<CubePosition>,
    /// The last move.
    last: Option<CubeMove>,
    /// The score sheet.
    sheet: Vec<Entry>,
    /// Steps applied.
    steps: usize,
    /// The outcome of the game, once it has one.
    outcome: Option<Outcome>,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action(pub CubeMove);

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        text.parse().map(Action).map_err(|bad: BadMove| Refusal::at(bad.at, bad.to_string()))
    }
}
