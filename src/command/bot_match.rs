//! The subcommand `ladder`: a match between two bots. Games come in pairs with the same random numbers and the seats exchanged.

use std::{
    fmt::Write,
    path::PathBuf,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use indicatif::{ProgressBar, ProgressStyle};
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::endgames;
use crate::{
    board::Size,
    bots::{Bot, MatchScore},
    game::{Clocks, Live},
    registry::{self, Variant},
    richman::{self, FourFiles, NEVER_STOP, Table, Thresholds, advise_of_four},
    rules::{Actor, Endgame, Seat, Turn},
};

/// Distance between the threshold levels that are kept.
const STRIDE: usize = 8;

/// Arguments of `ladder`: a variant, two bots and the conditions of play.
#[derive(Debug, clap::Args)]
pub struct Ladder {
    /// Key of the variant.
    variant: String,
    /// Bot whose result is reported.
    first: Bot,
    /// Its opponent.
    second: Bot,
    /// Number of games, played in pairs.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Preset of the variant; the variant's default if omitted.
    #[arg(long)]
    preset: Option<String>,
    /// Thinking time of a bot per choice, in milliseconds.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..))]
    think: i64,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Longest game, in steps. Longer games count as drawn.
    #[arg(long, default_value_t = 1_000)]
    longest: usize,
    /// Number of games played in parallel.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
    /// Data folder of a server whose four-piece tables the bots may use.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Results of the match from the first bot's point of view.
#[derive(Clone, Copy, Default)]
struct MatchTotals {
    tally: MatchScore,
    /// Total points of both bots, for variants whose games are worth more than one point.
    points: [f64; 2],
    steps: usize,
}

/// The endgame tables.
struct Oracle {
    /// Tables of three pieces, solved when a game first needs them.
    solved: OnceLock<Option<(Table, [Thresholds; 2])>>,
    four: FourFiles,
}

impl Oracle {
    /// Returns the action that the tables recommend to a seat.
    fn recommended_action(&self, moment: &Endgame, seat: Seat) -> Option<String> {
        let solve = || {
            let table = richman::solve(Size::ORTHODOX, &mut |_| ()).ok()?;
            let thresholds = [true, false].map(|negative| Thresholds::solve(&table, STRIDE, negative));
            Some((table, thresholds))
        };
        let (table, thresholds) = self.solved.get_or_init(solve).as_ref()?;
        match richman::advise(table, Some(&thresholds[usize::from(!moment.negative)]), moment, NEVER_STOP) {
            Some(advice) => advice.hint(seat.color()).action.clone(),
            None => advise_of_four(table, &self.four, moment).ok()??.hint(seat.color()).action.clone(),
        }
    }
}

impl Ladder {
    /// Plays the games and returns the result as text or JSON. `now` returns the milliseconds since the epoch.
    pub fn run(&self, now: fn() -> i64) -> Result<String, String> {
        let variant = registry::find_or_refuse(&self.variant).map_err(|refusal| refusal.why)?;
        let (preset, options) = self.options(variant)?;
        let bar = ProgressBar::new(self.games.into());
        let style = ProgressStyle::with_template("{msg} [{wide_bar}] {pos}/{len} games, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let four = self.data.as_deref().map(|data| FourFiles::new(endgames(data))).unwrap_or_default();
        let oracle = Oracle { solved: OnceLock::new(), four };
        let (next, came) = (AtomicUsize::new(0), Mutex::new(MatchTotals::default()));
        let play = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games as usize {
                    return Ok(());
                }
                let first = if number.is_multiple_of(2) { Seat::One } else { Seat::Two };
                let game = self.game(variant, &options, (number / 2) as u64, first, &oracle, now)?;
                let mut came = came.lock().unwrap_or_else(PoisonError::into_inner);
                came.count(&game, first);
                let MatchScore { won, drawn, lost } = came.tally;
                bar.set_message(format!("{won} won, {drawn} drawn, {lost} lost"));
                bar.inc(1);
            }
        };
        std::thread::scope(|scope| {
            let players: Vec<_> = (0..self.jobs).map(|_| scope.spawn(play)).collect();
            let ended = players.into_iter().map(|player| player.join().map_err(|_| "a game panicked".to_owned())?);
            ended.collect::<Result<(), String>>()
        })?;
        bar.finish_and_clear();
        let came = *came.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(if self.json { self.json(&preset, &came).to_string() } else { self.words(&preset, &came) })
    }

    /// Finds the preset and its options.
    fn options(&self, variant: &Variant) -> Result<(String, Value), String> {
        let presets = (variant.presets)();
        let wanted = |(name, _): &&(&str, Value)| self.preset.as_ref().is_none_or(|wanted| wanted == name);
        match presets.iter().find(wanted) {
            Some((name, options)) => Ok(((*name).to_owned(), options.clone())),
            None => {
                let known: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
                Err(format!("{} has no such preset: use one of {}", variant.title, known.join(", ")))
            }
        }
    }

    /// Plays one game. `pair` selects its random numbers.
    fn game(
        &self,
        variant: &Variant,
        options: &Value,
        pair: u64,
        first: Seat,
        oracle: &Oracle,
        now: fn() -> i64,
    ) -> Result<Box<Live>, String> {
        let none = serde_json::Map::new();
        let options = options.as_object().unwrap_or(&none);
        let mut game = variant.begin(options, Clocks::new([None; 2])).map_err(|refusal| refusal.to_string())?;
        let seed = self.seed.wrapping_add(pair);
        let mut chance = StdRng::seed_from_u64(seed);
        // A separate generator per bot keeps one bot's draws from affecting the game's chance or the other bot.
        let mut own = Seat::BOTH.map(|seat| StdRng::seed_from_u64(!seed ^ ((seat == first) as u64) << 32));
        while !matches!(game.turn(), Turn::Over(_)) && game.ply() < self.longest {
            if let Some(word) = game.chance(&mut chance) {
                game.act(Actor::Chance, &word, 0).map_err(|refusal| refusal.to_string())?;
                continue;
            }
            // One seat at a time: the first seat's action may end the game, for instance with a draw claim.
            if let Some(seat) = game.awaits().first().copied() {
                let bot = if seat == first { self.first } else { self.second };
                let end = now() + self.think;
                let known = game
                    .endgame()
                    .filter(|_| bot.asks_tables())
                    .and_then(|moment| oracle.recommended_action(&moment, seat));
                let thinks = || game.advise(seat, bot, &mut own[seat.index()], &mut || now() >= end);
                let word = known.or_else(thinks).ok_or_else(|| format!("{} found no action", bot.name()))?;
                let refused = |refusal| format!("{} played “{word}”: {refusal}", bot.name());
                game.act(Actor::Seat(seat), &word, 0).map_err(refused)?;
            }
        }
        Ok(game)
    }

    fn words(&self, preset: &str, came: &MatchTotals) -> String {
        let (tally, share, [low, high]) = (came.tally, came.tally.share(), came.tally.interval());
        let mut text = format!(
            "{} ({preset}): {} against {}, {} games of {} ms a choice\n",
            self.variant,
            self.first.name(),
            self.second.name(),
            self.games,
            self.think
        );
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        write!(
            text,
            "{} % (95 %: {} to {}): {} won, {} drawn, {} lost, {} steps a game",
            percent(share),
            percent(low),
            percent(high),
            tally.won,
            tally.drawn,
            tally.lost,
            came.steps / self.games as usize
        )
        .unwrap_or_default();
        if let Some([one, two]) = came.points_per_game() {
            write!(text, "\npoints a game: {one:.1} to {two:.1}").unwrap_or_default();
        }
        text
    }

    fn json(&self, preset: &str, came: &MatchTotals) -> Value {
        let tally = came.tally;
        json!({
            "variant": self.variant,
            "preset": preset,
            "first": self.first.name(),
            "second": self.second.name(),
            "games": self.games,
            "think": self.think,
            "seed": self.seed,
            "won": tally.won,
            "drawn": tally.drawn,
            "lost": tally.lost,
            "share": tally.share(),
            "interval": tally.interval(),
            "points": came.points_per_game(),
            "steps": came.steps / self.games as usize,
        })
    }
}

impl MatchTotals {
    fn count(&mut self, game: &Live, first: Seat) {
        self.tally.count(game.outcome(), first);
        let score = game.score().map(|points| *points.numer() as f64 / *points.denom() as f64);
        self.points[0] += score[first.index()];
        self.points[1] += score[(!first).index()];
        self.steps += game.ply();
    }

    /// Average points per game, if they differ from the plain results (one point shared per game).
    fn points_per_game(&self) -> Option<[f64; 2]> {
        let paid = self.points.map(|points| points / f64::from(self.tally.games()));
        (paid[0] + paid[1] > 1.5).then_some(paid)
    }
}
