//! Handicap bidding: before the game both players submit a sealed offer for the better side, as in Armageddon games. An offer is a smaller time
//! budget, or one of their own pieces. The higher offer gets that side and pays; a coin decides between equal offers. The game on the board keeps
//! its own rules.

mod action;
mod options;
mod state;
mod view;

pub use action::{Action, LONGEST, PieceOdds, SealedOffer};
pub use options::{Currency, Handicap, Prize};
pub use state::State;
pub use view::View;

use num_rational::Ratio;
use rand::{Rng, RngExt};

use super::nested_game::MOVES;
use crate::{
    board::Color,
    rules::{
        ActionForm, Actor, AgreedClocks, BotSupport, Describe, End, GameControl, GamePhase, HiddenInfo, Input,
        OptionSpec, PresetDescription, Refusal, Rules, RulesVersion, SearchProblem, Seat, Step, Support, TaskHelp,
        Turn, VariantInfo, Viewer,
    },
};

impl Handicap {
    /// A bot's offer: for White five sixths of the time or no piece, for Black with draw odds three fifths of the time or a pawn.
    fn usual(&self) -> SealedOffer {
        let share = match self.prize {
            Prize::White => [5, 6],
            Prize::Black => [3, 5],
        };
        match (self.slips, self.prize) {
            (Currency::Seconds, _) => {
                SealedOffer::Seconds(u32::try_from(self.seconds * share[0] / share[1]).unwrap_or(1).max(1))
            }
            (Currency::Unit, Prize::White) => SealedOffer::Unit(PieceOdds::Nothing),
            (Currency::Unit, Prize::Black) => SealedOffer::Unit(PieceOdds::Pawn),
        }
    }

    /// Checks that an offer fits the options.
    fn check_slip(&self, slip: SealedOffer) -> Result<(), Refusal> {
        match (slip, self.slips) {
            (SealedOffer::Seconds(seconds), Currency::Seconds) if i64::from(seconds) <= self.seconds => Ok(()),
            (SealedOffer::Seconds(_), Currency::Seconds) => {
                Err(Refusal::at(8, format!("offer at most {} seconds in this game", self.seconds)))
            }
            (SealedOffer::Unit(gift), Currency::Unit) if PieceOdds::before(self.base).contains(&gift) => Ok(()),
            (SealedOffer::Unit(gift), Currency::Unit) => {
                let known: Vec<&str> = PieceOdds::before(self.base).into_iter().map(PieceOdds::name).collect();
                let why = format!(
                    "there is no {} to give up in {}: choose one of {}",
                    gift.name(),
                    self.base.title,
                    known.join(", ")
                );
                Err(Refusal::at(5, why))
            }
            (SealedOffer::Seconds(_), Currency::Unit) => {
                Err(Refusal::at(0, "offers in this game are pieces: write one as in give knight"))
            }
            (SealedOffer::Unit(_), Currency::Seconds) => {
                Err(Refusal::at(0, "offers in this game are seconds: write them as in seconds 240"))
            }
        }
    }
}

impl Rules for Handicap {
    const INFO: VariantInfo = VariantInfo {
        auction: Support::No("its offers are for the first move, and here every move is auctioned"),
        handicap: Support::No("it is a handicap itself"),
        ..VariantInfo::new("handicap", "Handicap bidding", "Before the game, bid time or a piece for the better side.")
    };
    type Terms = State;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<State, Refusal> {
        self.validate()?;
        State::new(self, version)
    }

    fn start(&self, start: &State) -> State {
        start.clone()
    }

    fn turn(&self, state: &State) -> Turn {
        state.turn(self.prize)
    }

    fn phase(&self, state: &State) -> GamePhase {
        match (state.white, self.turn(state)) {
            (None, Turn::Both) => GamePhase::Bid,
            (None, Turn::One(_) | Turn::Chance | Turn::Over(_)) if state.slips.is_some() => GamePhase::Coin,
            (_, Turn::One(_) | Turn::Both | Turn::Chance | Turn::Over(_)) => state.play.phase(),
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        let open = state.slips.is_some();
        match (actor, action, state.white) {
            (Actor::Seat(_), Action::Bid(slip), None) if self.turn(state) == Turn::Both => self.check_slip(*slip),
            (Actor::Chance, Action::Coin(_), None) if open => Ok(()),
            (Actor::Chance, Action::Play(said), None) if !open => state.play.check(Actor::Chance, said),
            (Actor::Seat(_), Action::Coin(_), _) => Err(Refusal::at(0, "only chance tosses the coin")),
            (_, Action::Play(said), Some(_)) => {
                let actor = match actor {
                    Actor::Seat(seat) => Actor::Seat(state.board_seat(seat)),
                    Actor::Chance | Actor::Server => actor,
                };
                state.play.check(actor, said)
            }
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, None) => {
                Err(Refusal::at(0, format!("both players submit their offers first, as in {}", self.usual())))
            }
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, Some(_)) => {
                Err(Refusal::at(0, "the bidding is over: write a move such as e2e4"))
            }
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.apply(self, step);
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        state.check_end(self.prize, seat, end)
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.score(self.prize)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::of(self, state, state.play.view(state.viewer(viewer)))
    }

    fn draw(&self, state: &State, rng: &mut dyn Rng) -> Action {
        if state.white.is_none() && state.slips.is_some() {
            return Action::Coin(if rng.random() { Color::White } else { Color::Black });
        }
        Action::Play(state.play.draw(rng))
    }
}

impl Describe for Handicap {
    fn presets() -> Vec<(&'static str, Self)> {
        options::presets()
    }

    fn ways() -> &'static [PresetDescription] {
        options::WAYS
    }

    fn task_help() -> &'static [TaskHelp] {
        &[
            TaskHelp {
                task: "bid",
                lines: [
                    "Offer time, or one of your pieces, for the side that is up for bids. Offers stay hidden until both are in.",
                    "The higher offer gets that side and pays. The opponent gets the other side for free.",
                ],
            },
            TaskHelp {
                task: "move",
                lines: [
                    "Both offers are open, and the higher one got its side.",
                    "Choose a piece, then its destination.",
                ],
            },
        ]
    }

    fn settings() -> &'static [OptionSpec] {
        options::SETTINGS
    }

    fn action_forms() -> &'static [ActionForm] {
        &[
            ActionForm {
                phases: &["bid"],
                text: "seconds {least..most}",
                words: "Offers to play the side that is up for bids with this many seconds.",
            },
            ActionForm { phases: &["bid"], text: "give nothing", words: "Offers no piece for it." },
            ActionForm {
                phases: &["bid"],
                text: "give pawn",
                words: "Offers the pawn on the f-file, or on the last file of a narrower board.",
            },
            ActionForm {
                phases: &["bid"],
                text: "give alfil",
                words: "Offers the alfil nearest to the a-file, in shatranj.",
            },
            ActionForm { phases: &["bid"], text: "give ferz", words: "Offers the ferz, in shatranj." },
            ActionForm { phases: &["bid"], text: "give knight", words: "Offers the knight nearest to the a-file." },
            ActionForm { phases: &["bid"], text: "give bishop", words: "Offers the bishop nearest to the a-file." },
            ActionForm { phases: &["bid"], text: "give rook", words: "Offers the rook nearest to the a-file." },
            ActionForm { phases: &["bid"], text: "give queen", words: "Offers the queen." },
            MOVES[0],
            MOVES[1],
            MOVES[2],
        ]
    }
}

impl Input for Handicap {
    fn listed_forms(&self, state: &State, seat: Seat) -> Vec<String> {
        match (state.white, self.slips) {
            (Some(_), _) => state.play.listed_forms(state.board_seat(seat)),
            (None, Currency::Seconds) => vec![format!("seconds {{1..{}}}", self.seconds)],
            (None, Currency::Unit) => {
                PieceOdds::before(self.base).into_iter().map(|gift| SealedOffer::Unit(gift).to_string()).collect()
            }
        }
    }

    fn find(&self, state: &State, text: &str) -> Option<Action> {
        state.white.and_then(|_| state.play.find(text)).map(Action::Play)
    }

    fn draft(&self, state: &State, seat: Seat, text: &str) -> Option<View> {
        state.white?;
        Some(View::of(self, state, state.play.draft(state.board_seat(seat), text)?))
    }
}

impl HiddenInfo for Handicap {
    fn visible_action(
        &self,
        state: &State,
        step: usize,
        actor: Actor,
        action: &Action,
        viewer: Viewer,
    ) -> Option<Action> {
        let actor = match actor {
            Actor::Seat(seat) => Actor::Seat(state.board_seat(seat)),
            Actor::Chance | Actor::Server => actor,
        };
        match action {
            Action::Play(said) => {
                let step = step.saturating_sub(state.extra_steps);
                state.play.visible_action(step, actor, said, state.viewer(viewer)).map(Action::Play)
            }
            Action::Bid(_) | Action::Coin(_) => Some(action.clone()),
        }
    }

    fn has_hidden_info(&self, state: &State) -> bool {
        state.play.has_hidden_info()
    }

    fn reveal_all(&self, state: &mut State) {
        state.play.reveal_all();
    }

    fn redeal(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        match state.white {
            Some(_) => State { play: state.play.redeal(state.board_seat(seat), rng).into(), ..state.clone() },
            None => state.clone(),
        }
    }
}

impl BotSupport for Handicap {
    fn candidates(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        if state.white.is_some() {
            return state.play.candidates(state.board_seat(seat), rng).into_iter().map(Action::Play).collect();
        }
        let slips: Vec<SealedOffer> = match self.slips {
            Currency::Seconds => {
                let most = u32::try_from(self.seconds).unwrap_or(LONGEST);
                (0..4).map(|_| SealedOffer::Seconds(rng.random_range(most.div_ceil(3)..=most))).collect()
            }
            Currency::Unit => PieceOdds::before(self.base).into_iter().map(SealedOffer::Unit).collect(),
        };
        slips.into_iter().map(Action::Bid).collect()
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        state.by_player(state.play.rough_material())
    }

    fn search_problem(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        if state.white.is_none() {
            return (self.turn(state) == Turn::Both).then(|| SearchProblem::Word(self.usual().to_string()));
        }
        let draws = (self.prize == Prize::Black).then_some(Color::Black);
        match state.play.search_problem(state.board_seat(seat))? {
            SearchProblem::Moves(contest) => {
                Some(SearchProblem::Moves(crate::rules::search_problem::BoardProblem { draws, ..contest }))
            }
            SearchProblem::Duck(contest) => {
                Some(SearchProblem::Duck(crate::rules::search_problem::BoardProblem { draws, ..contest }))
            }
            other @ (SearchProblem::Cube(_)
            | SearchProblem::Word(_)
            | SearchProblem::Auction(..)
            | SearchProblem::Bet(_)
            | SearchProblem::Double(_)
            | SearchProblem::Economy(_)
            | SearchProblem::Foresight(_)) => Some(other),
        }
    }
}

impl GameControl for Handicap {
    fn agreed_clocks(&self, state: &State) -> Option<AgreedClocks> {
        let (white, slips) = (state.white?, state.slips?);
        let winner = if self.prize == Prize::White { white } else { !white };
        let SealedOffer::Seconds(bid) = slips[winner.index()] else { return None };
        let full = u32::try_from(self.seconds).unwrap_or(LONGEST);
        let seconds = Seat::BOTH.map(|seat| if seat == winner { bid } else { full });
        Some(AgreedClocks { seconds, increment: u32::try_from(self.increment).unwrap_or_default() })
    }

    /// Open offers cannot be taken back.
    fn is_setting_terms(&self, state: &State) -> bool {
        state.white.is_none() || state.play.is_setting_terms()
    }

    fn allows_takeback_here(&self, state: &State) -> bool {
        state.white.is_some() && state.play.allows_takeback_here()
    }
}
