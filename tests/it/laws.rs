//! The laws that every variant is under, at every step of random games. They know no variant: they take whatever the list holds.

mod toy;

use std::panic::AssertUnwindSafe;

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value};
use zorkmid::{
    bots::Bot,
    game::{Clock, Clocks, Frame, Game, RecordLine, Word},
    rules::{Actor, Seat, Turn},
    variants::{VARIANTS, Variant},
};

/// Games of every variant, shared among its presets.
const GAMES: usize = 200;
/// At most this share of random games may be stopped by the runtime's cap, in percent.
const TOO_LONG: usize = 1;

/// Words of all variants, and noise: what a player might type into the wrong game.
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
    "forfeit two",
    "♟♟",
    "\u{0}",
    "e2e4 e2e4 e2e4 e2e4 e2e4",
    "resignation",
    "abort now",
];

fn viewers() -> [Option<Seat>; 3] {
    [None, Some(Seat::One), Some(Seat::Two)]
}

/// Every byte that a viewer could receive.
fn seen(game: &dyn Game, viewer: Option<Seat>) -> (String, String, String) {
    let mut frame = Frame::of(game, viewer, "/games/law".to_owned(), "/pieces.svg");
    let mut page = game.page(&frame);
    let mut diagram = format!("{:?}", game.diagram(viewer));
    // What a seat puts together part by part is for its eyes, and tells it nothing that it may not know.
    if let Some(draft) = viewer.and_then(|seat| game.draft(seat, "")) {
        frame.draft = Some(String::new());
        page.push_str(&game.page(&frame));
        diagram.push_str(&format!("{draft:?}"));
    }
    (game.json(viewer).to_string(), page, diagram)
}

fn all_seen(game: &dyn Game) -> Vec<(String, String, String)> {
    viewers().into_iter().map(|viewer| seen(game, viewer)).collect()
}

struct Play<'v> {
    variant: &'v Variant,
    options: Map<String, Value>,
    game: Box<dyn Game>,
    lines: Vec<RecordLine>,
    rng: StdRng,
    now: i64,
}

fn clocks() -> Clocks {
    Clocks::new([Some(Clock::Fischer { initial: 86_400, increment: 5 }), Some(Clock::Days { days: 2 })])
}

impl<'v> Play<'v> {
    fn new(variant: &'v Variant, options: Map<String, Value>, seed: u64) -> Self {
        let mut play = Play {
            variant,
            game: variant.begin(&options, clocks()).unwrap(),
            options,
            lines: Vec::new(),
            rng: StdRng::seed_from_u64(seed),
            now: 1_000,
        };
        play.say(Actor::Server, "begin");
        play
    }

    fn say(&mut self, actor: Actor, text: &str) {
        self.now += 7;
        let copy = self.game.copy();
        let line = self
            .game
            .act(actor, text, self.now)
            .unwrap_or_else(|refusal| panic!("{}: {actor} “{text}”: {refusal}", self.variant.key));
        let mut again = copy;
        let fixed = again.act(actor, &line.text, self.now).expect("canonical text is understood");
        assert_eq!(fixed.text, line.text, "canonical text is a fixed point");
        assert_eq!(again.ply(), self.game.ply());
        self.lines.push(line);
    }

    fn candidate(&mut self, seat: Seat) -> String {
        self.game
            .advise(seat, Bot::Random, &mut self.rng, &mut || true)
            .unwrap_or_else(|| panic!("{}: no candidate for an awaited seat", self.variant.key))
    }

    /// One random step; returns whether the game goes on.
    fn step(&mut self) -> bool {
        match self.game.turn() {
            Turn::Over(_) => return false,
            Turn::Chance => {
                let word = self.game.chance(&mut self.rng).expect("chance is asked");
                self.nobody_speaks_for_chance(&word);
                self.say(Actor::Chance, &word);
                self.nobody_speaks_for_chance(&word);
            }
            Turn::One(seat) => {
                let word = self.candidate(seat);
                assert!(
                    self.game.copy().act(Actor::Seat(!seat), &word, self.now).is_err(),
                    "the other seat acted out of turn: {word}"
                );
                self.say(Actor::Seat(seat), &word);
            }
            Turn::Both => {
                let first = if self.rng.random() { Seat::One } else { Seat::Two };
                self.sealed(first);
                let word = self.candidate(first);
                self.say(Actor::Seat(first), &word);
                let word = self.candidate(!first);
                self.say(Actor::Seat(!first), &word);
            }
        }
        true
    }

    fn nobody_speaks_for_chance(&self, word: &str) {
        for seat in Seat::BOTH {
            assert!(
                self.game.copy().act(Actor::Seat(seat), word, self.now).is_err(),
                "a player spoke for chance: {word}"
            );
        }
    }

    /// Law 2: another sealed choice changes no byte that the other seat or the public receives.
    fn sealed(&mut self, seat: Seat) {
        let worlds: Vec<Box<dyn Game>> = (0..2)
            .map(|_| {
                let word = self.candidate(seat);
                let mut world = self.game.copy();
                world.act(Actor::Seat(seat), &word, self.now).unwrap();
                world
            })
            .collect();
        for viewer in [None, Some(!seat)] {
            assert_eq!(
                seen(&*worlds[0], viewer),
                seen(&*worlds[1], viewer),
                "{}: a sealed choice shows",
                self.variant.key
            );
        }
    }

    /// Law 5, and law 2 for what stays hidden for long: a redealt world looks the same to the seat and to the public.
    fn redealing_is_invisible(&mut self) {
        for seat in Seat::BOTH {
            let world = self.game.redealt(seat, &mut self.rng);
            for viewer in [None, Some(seat)] {
                assert_eq!(
                    seen(&*world, viewer),
                    seen(&*self.game, viewer),
                    "{}: redealing for seat {seat} shows",
                    self.variant.key
                );
            }
        }
    }

    /// Law 7.
    fn refusals_change_nothing(&mut self) {
        let before = all_seen(&*self.game);
        for seat in Seat::BOTH {
            let mut words: Vec<String> = (0..4).map(|_| WORDS.choose(&mut self.rng).unwrap().to_string()).collect();
            words.push((0..self.rng.random_range(0..40)).map(|_| self.rng.random_range(' '..'\u{300}')).collect());
            for word in words {
                let mut copy = self.game.copy();
                if copy.act(Actor::Seat(seat), &word, self.now).is_err() {
                    assert_eq!(
                        all_seen(&*copy),
                        before,
                        "{}: the refused “{word}” changed something",
                        self.variant.key
                    );
                }
            }
        }
    }

    /// Law 1.
    fn the_record_is_the_game(&self) {
        let again = self.variant.replay(&self.options, clocks(), &self.lines).unwrap();
        assert_eq!(all_seen(&*again), all_seen(&*self.game), "{}: the record tells another game", self.variant.key);
    }

    /// Questions have true answers: what may be said is accepted, and where nothing is hidden all see the same.
    fn answers_are_true(&self) {
        for (seat, word) in Seat::BOTH.into_iter().flat_map(|seat| Word::ALL.map(|word| (seat, word))) {
            let said = self.game.copy().act(Actor::Seat(seat), word.text(), self.now).is_ok();
            assert_eq!(self.game.can(seat, word), said, "{}: whether seat {seat} may say {word:?}", self.variant.key);
        }
        if Seat::BOTH.into_iter().all(|seat| !self.game.hides(seat)) {
            let [anybody, one, two] = viewers().map(|viewer| self.game.json(viewer)["view"].take());
            assert!(anybody == one && one == two, "{}: something is hidden, and the rules say no", self.variant.key);
        }
    }

    /// Law 6, the part about what is over.
    fn over_is_over(&mut self) {
        assert!(self.game.awaits().is_empty());
        let before = all_seen(&*self.game);
        for word in WORDS.iter().chain(&["resign", "draw", "takeback", "claim", "abort", "decline"]) {
            for seat in Seat::BOTH {
                assert!(
                    self.game.act(Actor::Seat(seat), word, self.now).is_err(),
                    "{}: a finished game took “{word}”",
                    self.variant.key
                );
            }
        }
        assert_eq!(all_seen(&*self.game), before);
        for ply in 0..=self.game.ply() {
            if ply % 37 == 0 || ply == self.game.ply() {
                let past = self.game.past(ply).expect("a ply of the game");
                assert_eq!(past.ply(), ply);
                all_seen(&*past);
            }
        }
    }

    /// An offer at a random moment, taken or not, keeps the record true.
    fn interrupt(&mut self) {
        let seat = if self.rng.random() { Seat::One } else { Seat::Two };
        for (actor, word) in [(seat, "takeback"), (!seat, if self.rng.random() { "takeback" } else { "decline" })] {
            if self.game.copy().act(Actor::Seat(actor), word, self.now).is_err() {
                break;
            }
            self.say(Actor::Seat(actor), word);
        }
    }
}

fn laws(variant: &Variant, games: usize) {
    let presets = (variant.presets)();
    let games = games.div_ceil(presets.len());
    for (name, preset) in presets {
        let Value::Object(options) = preset else { panic!("options are a record") };
        let mut too_long = 0;
        for seed in 0..games as u64 {
            let mut play = Play::new(variant, options.clone(), seed);
            let heavy = seed % 8 == 0;
            while play.step() {
                if play.rng.random_ratio(1, if heavy { 12 } else { 60 }) {
                    play.redealing_is_invisible();
                    play.answers_are_true();
                    play.refusals_change_nothing();
                }
                if play.rng.random_ratio(1, 80) {
                    play.interrupt();
                }
                if heavy && play.rng.random_ratio(1, 80) {
                    play.the_record_is_the_game();
                }
            }
            play.the_record_is_the_game();
            play.answers_are_true();
            play.over_is_over();
            too_long += usize::from(play.game.outcome().is_some_and(|outcome| outcome.reason() == "too long"));
        }
        assert!(
            too_long * 100 <= games * TOO_LONG,
            "{} {name}: {too_long} of {games} random games had to be stopped",
            variant.key
        );
    }
}

#[test]
fn every_variant_obeys_the_laws() {
    for variant in VARIANTS {
        laws(variant, GAMES);
    }
}

#[test]
fn every_option_has_words_and_a_default() {
    for variant in VARIANTS {
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
    }
}

#[test]
fn the_toy_obeys_the_laws() {
    laws(&Variant::of::<toy::Toy<{ toy::HONEST }>>(), 60);
}

#[test]
fn planted_leaks_are_caught() {
    let caught = |variant: Variant, games| {
        let result = std::panic::catch_unwind(AssertUnwindSafe(|| laws(&variant, games)));
        assert!(result.is_err(), "a planted fault went unnoticed");
    };
    caught(Variant::of::<toy::Toy<{ toy::SHOWS_SECRET }>>(), 60);
    caught(Variant::of::<toy::Toy<{ toy::COUNTS_SECRET }>>(), 60);
    caught(Variant::of::<toy::Toy<{ toy::NEVER_ENDS }>>(), 1);
    caught(Variant::of::<toy::Toy<{ toy::FORGETS_CANDIDATES }>>(), 60);
    caught(Variant::of::<toy::Toy<{ toy::LOOSE_TEXT }>>(), 60);
    caught(Variant::of::<toy::Toy<{ toy::ANYONE_IS_CHANCE }>>(), 60);
    caught(Variant::of::<toy::Toy<{ toy::DENIES_SECRET }>>(), 60);
}
