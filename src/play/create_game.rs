//! Creating a game: its seats, its opponent and the invitation.

use std::{net::IpAddr, str::FromStr};

use rand::{Rng, RngExt, rngs::StdRng};
use serde_json::{Map, Value};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type},
    },
};

use super::{
    Error, Name, Opponent, Owner, Play, RequestSecret, Token,
    act::{new_line, result},
    bot_players,
    challenges::lifetime,
    client_bots::marked,
    identifiers,
    player_keys::both_seats,
};
use crate::{
    game::{Clock, Clocks},
    registry,
    rules::{Actor, Refusal, Seat},
    store::{Digest, GameEnd, Holder, NewGame, NewSeat, StoreError},
};

/// The creator's choice of seat: `one`, `two` or `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeatPreference {
    /// A fixed seat.
    Seat(Seat),
    /// Either seat, at random.
    Random,
}

impl PartialSchema for SeatPreference {
    fn schema() -> RefOr<Schema> {
        let texts = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["one", "two", "random"]));
        texts.description(Some("A seat, or either at random.")).into()
    }
}

impl ToSchema for SeatPreference {}

impl FromStr for SeatPreference {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text {
            "random" => Ok(SeatPreference::Random),
            seat => seat
                .parse()
                .map(SeatPreference::Seat)
                .map_err(|_| Refusal::at(0, format!("“{seat}” is not a seat; use one, two or random"))),
        }
    }
}

/// A request for a new game.
#[derive(Clone, Debug)]
pub struct Begin {
    /// Key of the variant.
    pub variant: String,
    /// Options of the variant that differ from the defaults.
    pub options: Map<String, Value>,
    /// Seat of the creator.
    pub seat: SeatPreference,
    /// Time controls of seat one and seat two.
    pub clocks: [Option<Clock>; 2],
    /// Number of days without an action after which the opponent of a player without a clock can claim the game, 1 to 365; `None` for
    /// [`ABSENCE_DAYS`](crate::game::ABSENCE_DAYS).
    pub claim_days: Option<u32>,
    /// Kind of opponent.
    pub opponent: Opponent,
    /// Name of the creator.
    pub name: Option<Name>,
    /// Secret of a request with an `Idempotency-Key`: repeated requests create one game.
    pub key: Option<RequestSecret>,
    /// Address of the creator, if known; limits the open games per address.
    pub from: Option<IpAddr>,
    /// Key that will own the creator's seat.
    pub owner: Option<Owner>,
}

/// A created game.
#[derive(Clone, Debug)]
pub struct CreatedGame {
    /// Id of the game.
    pub id: String,
    /// Seats of the creator, with their tokens.
    pub seats: Vec<(Seat, Token)>,
    /// Invitation code for the opponent.
    pub invite: Option<String>,
}

impl Play {
    /// Creates a game.
    ///
    /// # Errors
    /// `Unknown` for an unknown variant; `Refused` for invalid options or clocks, or if the opponent is unavailable; `Key` for a key
    /// that was used for another game.
    pub async fn begin(&self, begin: Begin) -> Result<CreatedGame, Error> {
        self.begin_after(begin, None).await
    }

    /// Creates a game that begins with an action of each seat, such as bids that the players made at a table.
    ///
    /// # Errors
    /// As [`Self::begin`]; also `Refused` if the rules refuse an action.
    pub async fn begin_after(&self, begin: Begin, opening: Option<[String; 2]>) -> Result<CreatedGame, Error> {
        let variant = registry::find_or_refuse(&begin.variant).map_err(|refusal| Error::Unknown(refusal.why))?;
        if let Some(clock) = begin.clocks.into_iter().flatten().find(|clock| !clock.is_in_range()) {
            let why = match clock {
                Clock::Days { .. } => "the time per move must be 1 to 30 days",
                Clock::Fischer { .. } => "the initial time must be 1 to 86400 seconds, and the increment 0 to 3600",
            };
            return Err(Refusal::new(why).into());
        }
        if begin.claim_days.is_some() && begin.clocks.iter().all(Option::is_some) {
            let why = "the days until a claim are for games without a clock: leave out the days or the clock";
            return Err(Refusal::new(why).into());
        }
        let mut keyed = begin.key.as_ref().map(RequestSecret::of_new_game);
        let options = variant.read_options(&begin.options)?;
        let (play, given) = (self.clone(), options.clone());
        let game = self.inner.pools.games.run(move || {
            let mut game = variant.begin(&given, Clocks::new(begin.clocks))?;
            let mut lines = Vec::new();
            if let Some(days) = begin.claim_days {
                lines.push(game.act(Actor::Server, &format!("absence {days}"), play.now())?);
            }
            lines.extend(play.play_chance(&mut game)?);
            for (seat, text) in Seat::BOTH.into_iter().zip(opening.iter().flatten()) {
                lines.push(game.act(Actor::Seat(seat), text, play.now())?);
            }
            lines.extend(play.play_chance(&mut game)?);
            Ok::<_, Refusal>((game, lines))
        });
        let (game, lines) = game.await??;
        let mine = match begin.seat {
            SeatPreference::Seat(seat) => seat,
            SeatPreference::Random if self.draw(|chance| chance.random()) => Seat::One,
            SeatPreference::Random => Seat::Two,
        };
        let id = self.named(&mut keyed, identifiers::id);
        let offering = matches!(begin.opponent, Opponent::Open | Opponent::Challenge(_));
        let _offering = match begin.from.filter(|_| offering) {
            Some(from) => Some(self.offer(from, &id).await?),
            None => None,
        };
        let program = match &begin.opponent {
            // A repeated request has created its game already, so the bot need not be available now.
            Opponent::Program(name) if self.inner.store.game(&id).await?.is_none() => {
                Some(self.find_available_bot(name, variant.key, begin.clocks).await?)
            }
            Opponent::Challenge(name) if self.inner.store.game(&id).await?.is_none() => {
                Some(self.find_challenged_bot(name, begin.owner.as_ref(), variant.key, begin.clocks).await?)
            }
            Opponent::Program(_) | Opponent::Challenge(_) | Opponent::Link | Opponent::Open => None,
            Opponent::Bot(_) | Opponent::Own => None,
        };
        let own = begin.owner.as_ref().map(|owner| owner.key.clone());
        let both = own.is_some()
            && (begin.opponent == Opponent::Own || program.as_ref().map(|program| &program.key) == own.as_ref());
        if both {
            return Err(both_seats().into());
        }
        let token = self.named(&mut keyed, Token::draw);
        let mut begun = CreatedGame { id: id.clone(), seats: vec![(mine, token.clone())], invite: None };
        let theirs = match &begin.opponent {
            Opponent::Link | Opponent::Open => {
                let code = self.named(&mut keyed, identifiers::code);
                begun.invite = Some(code.clone());
                Holder::Invite(Digest::of(&code))
            }
            Opponent::Bot(_) | Opponent::Program(_) => Holder::Empty,
            Opponent::Challenge(_) => Holder::Challenge(self.now() + lifetime(begin.clocks)),
            Opponent::Own => {
                let other = self.named(&mut keyed, Token::draw);
                begun.seats.push((!mine, other.clone()));
                begun.seats.sort_by_key(|(seat, _)| *seat);
                Holder::Token(other.digest())
            }
        };
        let name = called(begin.owner.as_ref(), begin.name);
        let new = NewGame {
            id,
            variant: variant.key.to_owned(),
            rules_version: game.version().into(),
            options: Value::Object(options).to_string(),
            created: self.now(),
            clock: clock_text(begin.clocks),
            opponent: begin.opponent.to_string(),
            rematch_of: None,
            open: begin.opponent == Opponent::Open,
            public: begin.opponent.public(),
            lines: lines.iter().map(new_line).collect(),
            ply: game.ply() as i64,
            due: None,
            bot: bot_players::asked(&game, |seat| begin.opponent.bot().filter(|_| seat != mine))
                .map(|_| self.bot_turn()),
            seats: vec![
                NewSeat { seat: mine.name().to_owned(), holder: Holder::Token(token.digest()), name, owner: own },
                NewSeat {
                    seat: (!mine).name().to_owned(),
                    holder: theirs,
                    name: program.as_ref().map(|program| marked(&program.name)),
                    owner: program.map(|program| program.key),
                },
            ],
        };
        let asked = keyed.is_some().then(|| new.clone());
        match (self.inner.store.create(new).await, asked) {
            (Ok(_), _) => {
                let table = self.look(&begun.id).await?;
                self.wake_bots(&table);
                Ok(begun)
            }
            (Err(StoreError::Taken), Some(asked)) => self.begun_before(begin.seat, &asked, begun).await,
            (Err(other), _) => Err(other.into()),
        }
    }

    /// Draws an id, token or code: from the request's key if it has one, otherwise at random.
    pub(super) fn named<T>(&self, keyed: &mut Option<StdRng>, draw: impl FnOnce(&mut dyn Rng) -> T) -> T {
        match keyed {
            Some(rng) => draw(rng),
            None => self.draw(draw),
        }
    }

    /// Returns the game that an earlier request with the same key created, if both requests ask for the same game.
    async fn begun_before(
        &self,
        wish: SeatPreference,
        asked: &NewGame,
        names: CreatedGame,
    ) -> Result<CreatedGame, Error> {
        let table = self.look(&names.id).await?;
        let row = &table.row;
        let same = (&row.variant, &row.options, &row.clock, &row.opponent)
            == (&asked.variant, &asked.options, &asked.clock, &asked.opponent);
        let tokens = names.seats.into_iter().filter_map(|(_, token)| table.seat(&token).map(|seat| (seat, token)));
        let mut seats: Vec<(Seat, Token)> = tokens.collect();
        seats.sort_by_key(|(seat, _)| *seat);
        let wished = match wish {
            SeatPreference::Seat(wished) => seats.iter().any(|(seat, _)| *seat == wished),
            SeatPreference::Random => !seats.is_empty(),
        };
        if same && wished {
            return Ok(CreatedGame { seats, ..names });
        }
        let why = "this Idempotency-Key was used for another game, so nothing was done; use a new key for each game";
        Err(Error::Key(why.to_owned()))
    }
}

/// Display name of a seat. A bot's own name takes precedence.
pub(super) fn called(owner: Option<&Owner>, name: Option<Name>) -> Option<String> {
    let program = owner.and_then(|owner| owner.called.clone());
    program.or_else(|| name.map(|name| name.as_str().to_owned()))
}

pub(super) fn clock_text(clocks: [Option<Clock>; 2]) -> Option<String> {
    (clocks != [None; 2]).then(|| serde_json::to_string(&clocks).expect("clocks always serialize to JSON"))
}

impl Play {
    /// Ends a game by order of the operator: the seat forfeits it.
    pub async fn forfeit(&self, id: &str, seat: Seat) -> Result<GameEnd, Error> {
        let table = self.apply_server_action(id, &format!("forfeit {seat}")).await?;
        let outcome =
            table.game.outcome().ok_or_else(|| Error::Broken("the game continues after a forfeit".to_owned()))?;
        Ok(GameEnd { result: result(outcome), time: self.now() })
    }
}
