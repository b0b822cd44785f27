//! Laws that every variant obeys at every step of random games. All laws watch the same games; each trial reports on one variant
//! and one law.

use std::collections::BTreeMap;

use super::{
    files::{any_options, keep_secrets, lead_back},
    held::held,
    spelling::{may_mean, mutated},
};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value};
use zorkmid_games::{
    bots::Bot,
    game::{Clock, Clocks, Live, PlayerCommand, RecordLine},
    registry::Variant,
    rules::{Actor, RulesVersion, Seat, Turn},
};

/// A law.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Law {
    /// Replaying the record gives the same bytes to all viewers, including after takebacks.
    Record,
    /// A different sealed choice changes no byte that the opponent or spectators receive.
    Sealing,
    /// Canonical text parses to itself.
    Text,
    /// A text that is accepted differs from its canonical form only in listed ways.
    Spelling,
    /// Candidates are legal and always exist. Acting out of turn, or for chance, is refused.
    Turns,
    /// A redealt state looks the same to the seat and to spectators.
    Redealing,
    /// After a takeback everything is as before the moves, except for the time spent.
    Takebacks,
    /// Games end, mostly by the rules. A finished game accepts no actions, and its earlier states can be viewed.
    Ending,
    /// Refused actions change nothing.
    Refusals,
    /// Actions reported as possible are accepted. If nothing is hidden, all viewers see the same.
    Answers,
    /// Both record files restore the same bytes for every viewer who may have them.
    Files,
    /// Records reveal nothing that the viewer could not know so far.
    Secrecy,
}

impl Law {
    /// All laws.
    pub(crate) const ALL: [Law; 12] = [
        Law::Record,
        Law::Sealing,
        Law::Text,
        Law::Spelling,
        Law::Turns,
        Law::Redealing,
        Law::Takebacks,
        Law::Ending,
        Law::Refusals,
        Law::Answers,
        Law::Files,
        Law::Secrecy,
    ];

    /// Name of the law in trials.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Law::Record => "replaying_restores_the_game",
            Law::Sealing => "sealed_choices_stay_hidden",
            Law::Text => "canonical_text_is_a_fixed_point",
            Law::Spelling => "texts_are_not_read_as_other_actions",
            Law::Turns => "actions_out_of_turn_are_refused",
            Law::Redealing => "redealing_is_invisible",
            Law::Takebacks => "takebacks_leave_only_the_time_spent",
            Law::Ending => "games_end_and_stay_ended",
            Law::Refusals => "refusals_change_nothing",
            Law::Answers => "queries_match_behaviour",
            Law::Files => "record_files_restore_the_game",
            Law::Secrecy => "records_keep_secrets",
        }
    }
}

/// One of this many games has random options.
const MIXED: usize = 4;
/// Mutations of each player's text.
const MUTATIONS: usize = 2;
/// Most steps of such a game, as not every mix of options leads to an end.
const STEPS: usize = 160;
/// Largest share of random games that may reach the step limit, in percent.
const TOO_LONG: usize = 1;

/// Actions of all variants, and noise: input that a player might enter in the wrong game.
const WORDS: &[&str] = &[
    "",
    " ",
    "e2e4",
    "e7e8q",
    "e1g1",
    "a1a1",
    "N@f3",
    "bid 40",
    "bid -12",
    "bid",
    "bid 101",
    "accept",
    "reject",
    "take",
    "give",
    "pass",
    "play",
    "concede",
    "coin white",
    "coin first white",
    "officers x",
    "deal x",
    "shuffle NRBQKBRN",
    "shuffle RRRRRRRR",
    "array 518",
    "buy WF",
    "transfer WF d2",
    "design 4 WFfhN",
    "keep",
    "estimate 2.4",
    "invent Horse lame(1,2)",
    "guess e2 g1f3 $N",
    "guess",
    "lock 2 e2e4 d2d4",
    "retract",
    "disclose",
    "begin",
    "flag one",
    "resume 0",
    "forfeit two",
    "♟♟",
    "\u{0}",
    "e2e4 e2e4 e2e4 e2e4 e2e4",
    "resignation",
    "abort now",
];

pub(crate) fn viewers() -> [Option<Seat>; 3] {
    [None, Some(Seat::One), Some(Seat::Two)]
}

/// Everything that a viewer can receive, except pages, which are made from it.
pub(crate) fn seen(game: &Live, viewer: Option<Seat>) -> (String, String) {
    let mut diagram = format!("{:?}", game.diagram(viewer));
    // A draft is shown only to its seat and must not reveal hidden information.
    if let Some(draft) = viewer.and_then(|seat| game.draft(seat, "")) {
        diagram.push_str(&format!("{draft:?}"));
    }
    (game.json(viewer).to_string(), diagram)
}

fn all_seen(game: &Live) -> Vec<(String, String)> {
    viewers().into_iter().map(|viewer| seen(game, viewer)).collect()
}

/// Broken laws, each with the failure.
pub(crate) type Broken = BTreeMap<Law, String>;

struct Play<'v> {
    laws: &'v [Law],
    broken: Broken,
    /// Whether this game is checked more often than others.
    heavy: bool,
    variant: &'v Variant,
    options: Map<String, Value>,
    game: Box<Live>,
    lines: Vec<RecordLine>,
    /// Number of lines after each step of the game as it is now, and the time of the last of them.
    marks: Vec<(usize, i64)>,
    rng: StdRng,
    now: i64,
}

const CLOCKS: [Option<Clock>; 2] =
    [Some(Clock::Fischer { initial: 86_400, increment: 5 }), Some(Clock::Days { days: 2 })];

fn clocks() -> Clocks {
    Clocks::new(CLOCKS)
}

impl<'v> Play<'v> {
    fn new(laws: &'v [Law], variant: &'v Variant, options: Map<String, Value>, seed: u64) -> Self {
        let mut play = Play {
            laws,
            broken: Broken::new(),
            heavy: seed.is_multiple_of(8),
            variant,
            game: variant.begin(&options, clocks()).unwrap(),
            options,
            lines: Vec::new(),
            marks: Vec::new(),
            rng: StdRng::seed_from_u64(seed),
            now: 1_000,
        };
        play.say(Actor::Server, "begin");
        play
    }

    /// Checks a law, unless it is already known to be broken.
    fn under(&mut self, law: Law, look: impl FnOnce(&mut Self)) {
        if !self.laws.contains(&law) || self.broken.contains_key(&law) {
            return;
        }
        if let Err(why) = held(|| look(self)) {
            self.broken.insert(law, why);
        }
    }

    fn say(&mut self, actor: Actor, text: &str) {
        self.now += 7;
        let mut copy = self.laws.contains(&Law::Text).then(|| self.game.copy());
        let line = self
            .game
            .act(actor, text, self.now)
            .unwrap_or_else(|refusal| panic!("{}: {actor} “{text}”: {refusal}", self.variant.key));
        self.under(Law::Text, |play| {
            let again = copy.as_mut().expect("the copy was made for this law");
            let fixed = again.act(actor, &line.text, play.now).expect("canonical text is accepted");
            assert_eq!(fixed.text, line.text, "canonical text is a fixed point");
            assert_eq!(again.ply(), play.game.ply());
        });
        self.lines.push(line);
        self.marks.truncate(self.game.ply());
        self.marks.resize(self.game.ply(), (self.lines.len(), self.now));
    }

    /// Submits mutations of a seat's text to copies of the game.
    fn mutations_are_refused(&mut self, seat: Seat, text: &str) {
        for _ in 0..MUTATIONS {
            let typed = mutated(text, &mut self.rng);
            if let Ok(line) = self.game.copy().act(Actor::Seat(seat), &typed, self.now) {
                assert!(may_mean(&typed, &line.text), "{}: “{typed}” was read as “{}”", self.variant.key, line.text);
            }
        }
    }

    fn candidate(&mut self, seat: Seat) -> String {
        self.game
            .advise(seat, Bot::Random, &mut self.rng, &mut || true)
            .unwrap_or_else(|| panic!("{}: no candidate for a pending seat", self.variant.key))
    }

    /// Plays one random step. Returns whether the game goes on.
    fn step(&mut self) -> bool {
        match self.game.turn() {
            Turn::Over(_) => return false,
            Turn::Chance => {
                let first = self.game.ply() == 0;
                if first || self.rng.random_ratio(1, if self.heavy { 8 } else { 40 }) {
                    self.under(Law::Secrecy, |play| play.records_keep_secrets(Actor::Chance));
                }
                let word = self.game.chance(&mut self.rng).expect("chance must act");
                self.chance_actions_of_seats_are_refused(&word);
                self.say(Actor::Chance, &word);
                self.chance_actions_of_seats_are_refused(&word);
            }
            Turn::One(seat) => {
                let word = self.candidate(seat);
                self.under(Law::Turns, |play| {
                    let other = play.game.copy().act(Actor::Seat(!seat), &word, play.now);
                    assert!(other.is_err(), "the opponent acted out of turn: {word}");
                });
                self.under(Law::Spelling, |play| play.mutations_are_refused(seat, &word));
                self.say(Actor::Seat(seat), &word);
            }
            Turn::Both => {
                let first = if self.rng.random() { Seat::One } else { Seat::Two };
                if self.heavy || self.rng.random_ratio(1, 5) {
                    self.under(Law::Sealing, |play| play.sealed(first));
                }
                if self.rng.random_ratio(1, if self.heavy { 8 } else { 40 }) {
                    self.under(Law::Secrecy, |play| play.records_keep_secrets(Actor::Seat(first)));
                }
                let word = self.candidate(first);
                self.under(Law::Spelling, |play| play.mutations_are_refused(first, &word));
                self.say(Actor::Seat(first), &word);
                let word = self.candidate(!first);
                self.say(Actor::Seat(!first), &word);
            }
        }
        true
    }

    fn chance_actions_of_seats_are_refused(&mut self, word: &str) {
        self.under(Law::Turns, |play| {
            for seat in Seat::BOTH {
                let said = play.game.copy().act(Actor::Seat(seat), word, play.now);
                assert!(said.is_err(), "a seat acted for chance: {word}");
            }
        });
    }

    fn sealed(&mut self, seat: Seat) {
        let worlds: Vec<Box<Live>> = (0..2)
            .map(|_| {
                let word = self.candidate(seat);
                let mut world = self.game.copy();
                world.act(Actor::Seat(seat), &word, self.now).unwrap();
                world
            })
            .collect();
        for viewer in [None, Some(!seat)] {
            assert_eq!(
                seen(&worlds[0], viewer),
                seen(&worlds[1], viewer),
                "{}: a sealed choice is visible",
                self.variant.key
            );
        }
    }

    fn redealing_is_invisible(&mut self) {
        for seat in Seat::BOTH {
            let world = self.game.redeal(seat, &mut self.rng);
            for viewer in [None, Some(seat)] {
                assert_eq!(
                    seen(&world, viewer),
                    seen(&self.game, viewer),
                    "{}: redealing for seat {seat} is visible",
                    self.variant.key
                );
            }
        }
    }

    fn refusals_change_nothing(&mut self) {
        let before = all_seen(&self.game);
        for seat in Seat::BOTH {
            let mut words: Vec<String> = (0..4).map(|_| WORDS.choose(&mut self.rng).unwrap().to_string()).collect();
            words.push((0..self.rng.random_range(0..40)).map(|_| self.rng.random_range(' '..'\u{300}')).collect());
            // Refused texts accumulate on one copy; a comparison at the end detects any change.
            let mut refused = Vec::new();
            let mut game = self.game.copy();
            for word in words {
                let mut copy = game.copy();
                if copy.act(Actor::Seat(seat), &word, self.now).is_err() {
                    game = copy;
                    refused.push(word);
                }
            }
            assert_eq!(
                all_seen(&game),
                before,
                "{}: one of the refused {refused:?} changed something",
                self.variant.key
            );
        }
    }

    fn replaying_restores_the_game(&self) {
        let again = self.variant.replay(RulesVersion::CURRENT, &self.options, clocks(), &self.lines).unwrap();
        assert_eq!(
            all_seen(&again),
            all_seen(&self.game),
            "{}: the record replays to a different game",
            self.variant.key
        );
    }

    /// Records reveal nothing that the viewer could not know so far.
    fn records_keep_secrets(&mut self, speaker: Actor) {
        keep_secrets(&self.game, speaker, self.now, CLOCKS, &mut self.rng);
    }

    /// Both records restore the game as far as it is open.
    fn files_lead_back(&mut self, viewer: Option<Seat>) {
        lead_back(self.variant, &self.game, viewer, CLOCKS);
    }

    /// Actions reported as possible are accepted. If nothing is hidden, all viewers see the same.
    fn queries_match_behaviour(&self) {
        for (seat, word) in Seat::BOTH.into_iter().flat_map(|seat| PlayerCommand::ALL.map(|word| (seat, word))) {
            let said = self.game.copy().act(Actor::Seat(seat), word.text(), self.now).is_ok();
            assert_eq!(self.game.can(seat, word), said, "{}: whether seat {seat} may say {word:?}", self.variant.key);
        }
        if Seat::BOTH.into_iter().all(|seat| !self.game.hides(seat)) {
            let [public, one, two] = viewers().map(|viewer| self.game.json(viewer)["view"].take());
            assert!(public == one && one == two, "{}: something is hidden, but the rules deny it", self.variant.key);
        }
    }

    fn over_is_over(&mut self) {
        assert!(self.game.awaits().is_empty());
        let before = all_seen(&self.game);
        for word in WORDS.iter().chain(&["resign", "draw", "takeback", "claim", "abort", "decline", "withdraw"]) {
            for seat in Seat::BOTH {
                assert!(
                    self.game.act(Actor::Seat(seat), word, self.now).is_err(),
                    "{}: a finished game accepted “{word}”",
                    self.variant.key
                );
            }
        }
        assert_eq!(all_seen(&self.game), before);
        for ply in 0..=self.game.ply() {
            if ply % 37 == 0 || ply == self.game.ply() {
                let past = self.game.past(ply).expect("the game has reached this ply");
                assert_eq!(past.ply(), ply);
                all_seen(&past);
            }
        }
    }

    /// After a takeback, the game is as it was after the last remaining step. Each clock has lost at most the time since then.
    fn nothing_is_left_of_the_moves_taken_back(&self) {
        let (lines, then) = self.marks.last().copied().unwrap_or((1, self.lines[0].time));
        let before = self.variant.replay(RulesVersion::CURRENT, &self.options, clocks(), &self.lines[..lines]).unwrap();
        let untimed = |game: &Live, viewer: Option<Seat>| {
            let mut json = game.json(viewer);
            json["clocks"].take();
            json
        };
        for viewer in viewers() {
            let [now, then] = [&self.game, &before].map(|game| untimed(game, viewer));
            assert_eq!(now, then, "{}: a takeback left something", self.variant.key);
        }
        for seat in Seat::BOTH {
            let can = |game: &Live| PlayerCommand::ALL.map(|word| game.can(seat, word));
            assert_eq!(can(&self.game), can(&before), "{}: commands after a takeback", self.variant.key);
            let left = |game: &Live, now: i64| {
                game.clocks().deadline(seat).map_or(game.clocks().view(seat).unwrap().remaining, |due| due - now)
            };
            let lost = left(&before, then) - left(&self.game, self.now);
            assert!((0..=self.now - then).contains(&lost), "{}: a clock lost {lost} ms", self.variant.key);
        }
    }

    /// Makes an offer at a random time, and perhaps answers it.
    fn interrupt(&mut self) {
        let (ply, seat) = (self.game.ply(), if self.rng.random() { Seat::One } else { Seat::Two });
        for (actor, word) in [
            (seat, "takeback"),
            *[(!seat, "takeback"), (!seat, "decline"), (seat, "withdraw")].choose(&mut self.rng).unwrap(),
        ] {
            if self.game.copy().act(Actor::Seat(actor), word, self.now).is_err() {
                break;
            }
            self.say(Actor::Seat(actor), word);
        }
        if self.game.ply() < ply {
            self.under(Law::Takebacks, |play| play.nothing_is_left_of_the_moves_taken_back());
        }
    }
}

/// Plays a random game to its end, or up to `most` lines, under some laws. Returns whether it reached the step limit.
fn play_out(play: &mut Play, most: usize) -> bool {
    while play.lines.len() < most && play.step() {
        let often = if play.heavy { 12 } else { 60 };
        if play.rng.random_ratio(1, often) {
            play.under(Law::Redealing, Play::redealing_is_invisible);
            play.under(Law::Refusals, Play::refusals_change_nothing);
            play.under(Law::Answers, |play| play.queries_match_behaviour());
            if play.heavy {
                play.under(Law::Record, |play| play.replaying_restores_the_game());
                let viewer = *viewers().choose(&mut play.rng).unwrap();
                play.under(Law::Files, |play| play.files_lead_back(viewer));
            }
        }
        if play.rng.random_ratio(1, 80) {
            play.interrupt();
        }
        if play.rng.random_ratio(1, 200) && play.game.outcome().is_none() {
            // A server outage.
            let since = play.now;
            play.now += play.rng.random_range(0..100_000);
            play.say(Actor::Server, &format!("resume {since}"));
        }
    }
    play.under(Law::Record, |play| play.replaying_restores_the_game());
    play.under(Law::Answers, |play| play.queries_match_behaviour());
    play.under(Law::Files, |play| play.files_lead_back(None));
    if play.game.outcome().is_some() {
        play.under(Law::Ending, Play::over_is_over);
    }
    play.game.outcome().is_some_and(|outcome| outcome.reason() == "too long")
}

/// Laws that a variant breaks in random games, divided among its presets, and in games with random options.
pub(crate) fn broken(variant: &Variant, laws: &[Law], games: usize) -> Broken {
    let mut broken = Broken::new();
    let mut rng = StdRng::seed_from_u64(61);
    for seed in 0..games.div_ceil(MIXED) as u64 {
        let options = any_options(variant, &[], CLOCKS, &mut rng);
        let mut play = Play::new(laws, variant, options.clone(), seed);
        let ended = held(|| play_out(&mut play, STEPS));
        broken.append(&mut play.broken);
        if let Err(why) = ended {
            let why = format!("{options:?}: {why}");
            return laws.iter().map(|law| (*law, why.clone())).collect();
        }
    }
    let presets = (variant.presets)();
    let games = games.div_ceil(presets.len());
    for (name, preset) in presets {
        let Value::Object(options) = preset else { panic!("options are a record") };
        let mut too_long = 0;
        for seed in 0..games as u64 {
            let mut play = Play::new(laws, variant, options.clone(), seed);
            let ended = held(|| play_out(&mut play, usize::MAX));
            broken.append(&mut play.broken);
            if broken.len() == laws.len() {
                return broken;
            }
            match ended {
                Ok(stopped) => too_long += usize::from(stopped),
                // A game that cannot be played breaks all laws.
                Err(why) => return laws.iter().map(|law| (*law, why.clone())).collect(),
            }
        }
        if too_long * 100 > games * TOO_LONG && laws.contains(&Law::Ending) {
            let why = format!("{} {name}: {too_long} of {games} random games reached the step limit", variant.key);
            broken.insert(Law::Ending, why);
        }
    }
    broken
}

/// Every option is described and has a default, and every preset is accepted.
pub(crate) fn options_are_described(variant: &Variant) {
    let mut keys: Vec<String> = variant.defaults().keys().cloned().collect();
    let mut words: Vec<String> = (variant.settings)().iter().map(|setting| setting.key.to_owned()).collect();
    keys.sort();
    words.sort();
    assert_eq!(keys, words, "{}", variant.key);
    for (name, preset) in (variant.presets)() {
        variant
            .options(preset.as_object().unwrap())
            .unwrap_or_else(|refusal| panic!("{} {name}: {refusal}", variant.key));
    }
    let presets: Vec<&str> = (variant.presets)().into_iter().map(|(name, _)| name).collect();
    let ways = (variant.ways)();
    let told: Vec<&str> = ways.iter().map(|way| way.preset).collect();
    assert!(told == presets || told.is_empty() && presets.len() == 1, "{} describes {told:?}", variant.key);
    for way in ways {
        let sentence = way.words.ends_with('.') && way.words.len() < 140;
        assert!(sentence && way.options.iter().all(|key| words.iter().any(|known| known == key)), "{way:?}");
    }
}
