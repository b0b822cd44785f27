//! Player commands that all games share, and server commands: when they are allowed, and their effects.

use super::{Live, PlayerCommand, actions::STRIDE};
use crate::{
    game::{ABORTED, ClockMark, DESERTED, FORFEIT, Offers},
    rules::{End, Outcome, Refusal, RulesVersion, Seat, Step, any_game::AnyAction},
};

/// Whether a seat made a step, alone or together with its opponent.
fn is_by(step: &Step<AnyAction>, seat: Seat) -> bool {
    match step {
        Step::One(by, _) => *by == seat,
        Step::Both(_) => true,
        Step::Chance(_) | Step::End(..) => false,
    }
}

impl Live {
    /// Checks whether a seat may use a command now.
    pub(super) fn check_command(&self, seat: Seat, word: PlayerCommand) -> Result<(), Refusal> {
        if word == PlayerCommand::Rematch {
            return self.next_game(seat, None).map(|_| ());
        }
        self.over()?;
        match word {
            PlayerCommand::Resign => self.may_end(seat, End::Resign),
            PlayerCommand::ResignMatch => self.may_end(seat, End::ResignMatch),
            PlayerCommand::Draw => {
                self.may_end(seat, End::Agree)?;
                if self.offers.draw == Some(seat) {
                    Err(Refusal::new("you have already offered a draw"))
                } else {
                    Ok(())
                }
            }
            PlayerCommand::Takeback => match self.offers.takeback {
                Some(asking) if asking == seat => Err(Refusal::new("you have already requested a takeback")),
                Some(asking) => self.takeback_ply(asking).map(|_| ()),
                None => self.takeback_ply(seat).map(|_| ()),
            },
            PlayerCommand::Accept(number) => match self.numbered(number) {
                Some(command) => self.check_command(seat, command),
                None => Err(Refusal::new(format!("offer {number} is no longer open: look at the game again"))),
            },
            PlayerCommand::Decline => {
                let theirs = |offer: Option<Seat>| offer == Some(!seat);
                if theirs(self.offers.draw) || theirs(self.offers.takeback) {
                    Ok(())
                } else {
                    Err(Refusal::new("there is no offer to decline"))
                }
            }
            PlayerCommand::Withdraw if [self.offers.draw, self.offers.takeback].contains(&Some(seat)) => Ok(()),
            PlayerCommand::Withdraw => Err(Refusal::new("you have no offer to withdraw")),
            PlayerCommand::Abort if Seat::BOTH.into_iter().all(|seat| self.has_acted(seat)) => {
                Err(Refusal::new("both players have acted: you can no longer abort the game, only resign"))
            }
            PlayerCommand::ClaimVictory | PlayerCommand::CallDraw if !self.awaits().contains(&!seat) => {
                Err(Refusal::new("you can claim the game only while your opponent is to act"))
            }
            PlayerCommand::ClaimVictory => self.may_end(!seat, End::Left),
            PlayerCommand::CallDraw => self.may_end(!seat, End::LeftDrawn),
            PlayerCommand::Claim if self.may_act(seat) => self.may_end(seat, End::Claim),
            PlayerCommand::Claim => Err(Refusal::new("you can claim a draw only on your turn, before you act")),
            PlayerCommand::Continue if self.clocks.rests_until().is_none() => {
                Err(Refusal::new("no deal has just ended: act instead"))
            }
            PlayerCommand::Continue if self.gone_on[seat.index()] => {
                Err(Refusal::new("you have already gone on: wait for your opponent, or bid"))
            }
            PlayerCommand::Abort | PlayerCommand::Continue | PlayerCommand::Rematch => Ok(()),
        }
    }

    /// Carries out a command. `named` is the variant for a rematch.
    pub(super) fn run_command(
        &mut self,
        seat: Seat,
        word: PlayerCommand,
        named: Option<&str>,
        now: i64,
    ) -> Result<(), Refusal> {
        if word == PlayerCommand::Rematch {
            return self.offer_rematch(seat, named);
        }
        self.check_command(seat, word)?;
        let word = match word {
            PlayerCommand::Accept(number) => self.numbered(number).unwrap_or(word),
            _ => word,
        };
        match (word, self.offers.draw, self.offers.takeback) {
            (PlayerCommand::Resign, _, _) => self.finish(seat, End::Resign)?,
            (PlayerCommand::ResignMatch, _, _) => self.finish(seat, End::ResignMatch)?,
            (PlayerCommand::Claim, _, _) => self.finish(seat, End::Claim)?,
            (PlayerCommand::ClaimVictory, _, _) => self.finish(!seat, End::Left)?,
            (PlayerCommand::CallDraw, _, _) => self.finish(!seat, End::LeftDrawn)?,
            (PlayerCommand::Draw, Some(_), _) => self.finish(seat, End::Agree)?,
            (PlayerCommand::Draw, None, _) => {
                (self.offers.draw, self.offers.draw_number) = (Some(seat), Some(self.new_offer()));
            }
            (PlayerCommand::Takeback, _, Some(asking)) => self.take_back(asking, now)?,
            (PlayerCommand::Takeback, _, None) => {
                (self.offers.takeback, self.offers.takeback_number) = (Some(seat), Some(self.new_offer()));
            }
            (PlayerCommand::Decline, _, _) => {
                self.clear_offers();
                self.offers.declined = Some(!seat);
            }
            (PlayerCommand::Withdraw, _, _) => self.withdraw(seat),
            (PlayerCommand::Abort, _, _) => self.stopped = Some(Outcome::Void(ABORTED)),
            (PlayerCommand::Continue, _, _) => self.gone_on[seat.index()] = true,
            (PlayerCommand::Rematch | PlayerCommand::Accept(_), _, _) => {}
        }
        Ok(())
    }

    /// Number of a new offer, which replaces the notice of a declined one.
    fn new_offer(&mut self) -> u32 {
        self.offers.declined = None;
        self.offer_count += 1;
        self.offer_count
    }

    /// The command that accepts the open offer with this number.
    fn numbered(&self, number: u32) -> Option<PlayerCommand> {
        let Offers { draw_number, takeback_number, .. } = self.offers;
        let draw = (draw_number == Some(number)).then_some(PlayerCommand::Draw);
        draw.or_else(|| (takeback_number == Some(number)).then_some(PlayerCommand::Takeback))
    }

    fn withdraw(&mut self, seat: Seat) {
        if self.offers.draw == Some(seat) {
            (self.offers.draw, self.offers.draw_number) = (None, None);
        }
        if self.offers.takeback == Some(seat) {
            (self.offers.takeback, self.offers.takeback_number) = (None, None);
        }
    }

    /// Whether a seat has acted in the game as it is now, without the actions taken back.
    fn has_acted(&self, seat: Seat) -> bool {
        self.pending[seat.index()].is_some() || self.steps.iter().any(|step| is_by(step, seat))
    }

    fn may_end(&self, seat: Seat, end: End) -> Result<(), Refusal> {
        self.game.check_end(seat, end)
    }

    fn finish(&mut self, seat: Seat, end: End) -> Result<(), Refusal> {
        self.game.check_end(seat, end)?;
        self.push(Step::End(seat, end));
        Ok(())
    }

    /// Clears all offers.
    pub(super) fn clear_offers(&mut self) {
        self.offers = Offers { rematch: self.offers.rematch, game: self.offers.game.take(), ..Offers::default() };
    }

    /// The variant that a seat wants for the rematch, `None` for the current one. If the seat names none, the opponent's wish
    /// counts.
    fn next_game(&self, seat: Seat, named: Option<&str>) -> Result<Option<String>, Refusal> {
        let asked = self.offers.rematch;
        let wanted = match named {
            Some(key) => Some(key).filter(|key| *key != self.key()).map(str::to_owned),
            None if asked[(!seat).index()] => self.offers.game.clone(),
            None => None,
        };
        if self.outcome().is_none() {
            Err(Refusal::new("you can offer a rematch only after the game"))
        } else if asked == [true; 2] || asked[seat.index()] && self.offers.game == wanted {
            Err(Refusal::new("you have already offered a rematch"))
        } else {
            Ok(wanted)
        }
    }

    /// Offers or accepts a rematch. Naming another variant than the opponent is a new offer, not an acceptance.
    fn offer_rematch(&mut self, seat: Seat, named: Option<&str>) -> Result<(), Refusal> {
        let wanted = self.next_game(seat, named)?;
        if self.offers.game != wanted {
            self.offers.rematch = [false; 2];
        }
        self.offers.rematch[seat.index()] = true;
        self.offers.game = wanted;
        Ok(())
    }

    /// Number of steps left after `seat` takes back its last step, with the step that this one completes.
    fn takeback_ply(&self, seat: Seat) -> Result<usize, Refusal> {
        let last = |before: usize| self.steps[..before].iter().rposition(|step| is_by(step, seat));
        let completes = |at: usize| match &self.steps[at] {
            Step::One(_, action) => self.version() >= RulesVersion::FOURTH && self.game.completes_turn(action),
            Step::Both(_) | Step::Chance(_) | Step::End(..) => false,
        };
        let mut first = last(self.steps.len());
        while let Some(before) = first.filter(|at| completes(*at)).and_then(last) {
            first = Some(before);
        }
        match first {
            None => Err(Refusal::new("there is no action to take back yet")),
            Some(keep) if keep < self.takeback_floor => {
                Err(Refusal::new("you cannot take back actions that have revealed sealed choices or a deal"))
            }
            Some(keep) => Ok(keep),
        }
    }

    fn take_back(&mut self, seat: Seat, now: i64) -> Result<(), Refusal> {
        let keep = self.takeback_ply(seat)?;
        if self.version() >= RulesVersion::THIRD {
            let mark = keep.checked_sub(1).map_or_else(ClockMark::default, |last| self.marks[last]);
            self.clocks
                .take_back(mark, now)
                .map_err(|seat| Refusal::new(format!("this takeback would leave seat {seat} without time: play on")))?;
        }
        self.undo(keep);
        self.game = self.replayed(keep);
        self.steps.truncate(keep);
        self.kept.truncate(keep / STRIDE);
        self.retracted += 1;
        self.pending = [None, None];
        self.clear_offers();
        Ok(())
    }

    /// Carries out a server command.
    pub(super) fn run_server_command(&mut self, text: &str, now: i64) -> Result<(), Refusal> {
        match text.split_once(' ') {
            None if text == "begin" => {
                self.clocks.begin();
                Ok(())
            }
            None if text == "expire" => {
                self.over()?;
                self.stopped = Some(Outcome::Void(DESERTED));
                Ok(())
            }
            None if text == "rest" => {
                self.over()?;
                self.clocks.rest(now);
                Ok(())
            }
            Some(("absence", days)) => {
                let days = days.parse().ok().filter(|days| (1..=365).contains(days));
                self.absence_days = days.ok_or_else(|| Refusal::new("the absence must be 1 to 365 days"))?;
                Ok(())
            }
            Some(("resume", from)) => {
                self.over()?;
                let from = from
                    .parse()
                    .map_err(|_| Refusal::new("resume needs a time in milliseconds since the Unix epoch"))?;
                self.clocks.resume(from, now);
                Ok(())
            }
            Some(("flag", "both")) => {
                self.over()?;
                self.finish(Seat::One, End::Flags)?;
                Seat::BOTH.into_iter().for_each(|seat| self.clocks.expire(seat));
                Ok(())
            }
            Some(("flag", seat)) => {
                self.over()?;
                let seat = seat.parse()?;
                self.finish(seat, End::Flag)?;
                self.clocks.expire(seat);
                Ok(())
            }
            Some(("forfeit", seat)) => {
                self.over()?;
                let seat: Seat = seat.parse()?;
                self.stopped = Some(Outcome::Win(!seat, FORFEIT));
                Ok(())
            }
            Some(_) | None => Err(Refusal::new(
                "unknown server command: use begin, absence DAYS, rest, expire, resume TIME, flag SEAT, flag both or forfeit SEAT",
            )),
        }
    }
}
