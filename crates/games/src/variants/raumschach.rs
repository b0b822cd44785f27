//! Raumschach: Ferdinand Maack's chess in a cube of five levels (1907).
//!
//! The board and its moves are in [`cube`]. Games end as in chess, except that only bare kings are a dead position.

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
        endings::{Ending, EndingRules, WinningMaterial, flagged},
        search_problem::CubeProblem,
        start_position,
    },
};

/// Endings shared with chess.
const ENDINGS: EndingRules = EndingRules { winnable: WinningMaterial::ByAnyPiece, ..EndingRules::FIDE };

static PHRASES: [ActionForm; 1] =
    [ActionForm { phases: &["move"], text: "{cells}", words: "Moves a piece through the cube." }];

/// Options of a game of Raumschach.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Raumschach {
    /// Starting position; empty for the standard one.
    pub fen: String,
}

fn read(fen: &str) -> Result<cube::CubePosition, Refusal> {
    cube::CubePosition::parse(fen).map_err(|error: FenError| Refusal::at(error.at, error.to_string()))
}

impl Rules for Raumschach {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Raumschach"),
        auction: Support::No("its board has five levels, and an auction needs a flat board"),
        handicap: Support::No("in its cube, the values of the pieces and of the first move are unknown"),
        ..VariantInfo::new(
            "raumschach",
            "Raumschach",
            "Chess in a cube of five levels. Rooks move through faces, bishops through edges, unicorns through corners.",
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
            Step::End(seat, end) => state.outcome = state.outcome_of_end(seat, end).ok(),
            Step::Chance(_) | Step::Both(_) => unreachable!("only checked steps are applied"),
        }
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        state.outcome_of_end(seat, end).map(|_| ())
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

    fn task_help() -> &'static [TaskHelp] {
        &[TaskHelp {
            task: "move",
            lines: [
                "The five boards form a stack, with A at the bottom. Press a piece to see its moves on all of them.",
                "Pawns also move up or down towards the enemy. Checkmate the king, which steps to any adjacent cell.",
            ],
        }]
    }

    fn action_forms() -> &'static [ActionForm] {
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

    fn rough_material(&self, state: &State) -> [i64; 2] {
        Color::BOTH.map(|color| {
            let own = state.position.pieces().filter(|(_, piece)| piece.color == color);
            own.map(|(_, piece)| piece.kind.worth()).sum()
        })
    }

    fn search_problem(&self, state: &State, _seat: Seat) -> Option<SearchProblem> {
        Some(SearchProblem::Cube(CubeProblem { position: state.position, before: state.before() }))
    }
}

impl GameControl for Raumschach {}

impl State {
    /// Automatic end of the game in the current position, if there is one.
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

    fn new(start: CubePosition) -> State {
        let (stood, sheet) = (vec![start], Vec::new());
        let mut state = State { start, position: start, history: stood, last: None, sheet, steps: 0, outcome: None };
        state.update_outcome();
        state
    }

    /// Number of occurrences of the current position, including this one.
    fn occurrences(&self) -> usize {
        self.history.iter().filter(|position| position.repeats(&self.position)).count()
    }

    /// Earlier positions that can still be repeated.
    fn before(&self) -> Vec<CubePosition> {
        self.history[..self.history.len() - 1].to_vec()
    }

    /// Checks a move of the side to move, and explains why it is illegal.
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
            (false, None) => Refusal::at(6, format!("choose a promotion for the pawn: write {}", there.join(", "))),
            (false, Some(kind)) => {
                let why = format!(
                    "the move from {from} to {to} cannot promote to a {}: write {}",
                    kind.name(),
                    there.join(", ")
                );
                Refusal::at(6, why)
            }
            (true, _) if self.position.exposes(from, to) => {
                Refusal::at(3, format!("the {name} cannot go from {from} to {to}: the king would be in check"))
            }
            (true, _) => Refusal::at(3, format!("the {name} on {from} cannot go to {to}")),
        })
    }

    /// Plays a checked move.
    fn play(&mut self, mv: CubeMove) {
        let mover = self.position.turn;
        let san = self.position.san(mv);
        self.sheet.push(Entry {
            spoken: Some(self.position.spoken(mv, &san).into()),
            action: Some(mv.to_string()),
            place: Place::Move(mover),
            ..Entry::new(self.steps, Some(Seat::of(mover)), san)
        });
        self.position = self.position.after(mv);
        if self.position.halfmove == 0 {
            self.history.clear();
        }
        self.history.push(self.position);
        self.last = Some(mv);
        self.update_outcome();
    }

    fn update_outcome(&mut self) {
        self.outcome = self.ending().map(|ending| ending.outcome(Seat::of));
    }

    fn claim(&self) -> Result<Ending, Refusal> {
        ENDINGS.claimed(|| self.occurrences(), self.position.halfmove)
    }

    /// Outcome if `seat` ends the game in this way.
    fn outcome_of_end(&self, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        let claim = || self.claim().map(|ending| ending.outcome(Seat::of));
        let late = seat.color();
        let flag = || flagged(late, self.position.bare(!late)).outcome(Seat::of);
        end.outcome(seat, claim, flag)
    }

    /// View of the game, with all moves as choices if the viewer is to move.
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

    /// Pieces that a side has lost since the start, most valuable first. Promoted pawns do not count as lost.
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
    start: CubePosition,
    position: CubePosition,
    /// Positions since the last capture or pawn move, the current one last.
    history: Vec<CubePosition>,
    last: Option<CubeMove>,
    /// Lines of the move list.
    sheet: Vec<Entry>,
    /// Number of applied steps.
    steps: usize,
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
