//! A bot that lives through a recorded match: it is asked what another one was asked, and its answers stand
//! beside the recorded ones.

use std::time::Duration;

use quintain_core::{PerSeat, Seat};
use quintain_record::{Contestant, Occupant};
use quintain_referee::{Departure, World};
use quintain_registry::{AnyGame, Exchange, FeedError, FeedSpec};
use quintain_replay::{Header, Recording};

/// How long a bot usually may take to become ready: a debugger needs its time too.
pub const FEED_START_LIMIT: Duration = Duration::from_secs(60);

/// Which bot is asked, and how far.
pub struct FeedPlan<'a> {
    pub game: &'a dyn AnyGame,
    pub bot: &'a Occupant,
    /// In whose place.
    pub seat: Seat,
    /// The last turn, counted from 1; `None` goes on to the end.
    pub turn: Option<u32>,
    /// Whether the turns before the last one are told and counted too.
    pub all: bool,
    /// How long the bot may take to become ready.
    pub start_limit: Duration,
}

/// What came of it, besides the exchanges that were told.
#[derive(Debug)]
pub struct FeedReport {
    pub asked: usize,
    /// Answers that mean the same as the recorded ones.
    pub same: usize,
    /// The first turn in which the answers differ.
    pub differs: Option<u32>,
    /// Whether the last question got no answer, for good.
    pub has_failed: bool,
    pub left: Departure,
    /// What the bot wrote to its error output in the end.
    pub last_words: String,
}

/// Why a bot cannot be asked.
#[derive(Debug)]
pub struct FeedFailure {
    pub error: FeedError,
    /// What the bot wrote to its error output.
    pub last_words: String,
}

impl FeedPlan<'_> {
    /// Who is to be seated. A bot that takes the name it is offered is told exactly what the recorded one was
    /// told.
    pub fn occupants(&self, header: &Header) -> PerSeat<Occupant> {
        let inside = Occupant::from(Contestant::house(self.game.facts().house_bots[0].name));
        PerSeat::from_fn(|seat| {
            let occupant = if seat == self.seat { self.bot } else { &inside };
            occupant.clone().named(header.names[seat].as_str())
        })
    }
}

/// Asks the bot, on a world on which both have their seats, and tells each exchange as soon as it is
/// complete. `waiting` is told the turn whose answer takes its time.
pub fn feed(
    plan: &FeedPlan<'_>,
    recording: &mut dyn Recording,
    world: &mut dyn World,
    waiting: &mut dyn FnMut(u32),
    take: &mut dyn FnMut(Exchange),
) -> Result<FeedReport, FeedFailure> {
    let FeedPlan { game, bot, seat, turn, all, start_limit } = *plan;
    let spec = FeedSpec { seat, turn, manner: bot.manner(), start_limit: Some(start_limit) };
    let only = turn.filter(|_| !all);
    let mut tray = Tray { only, latest: None, counted: Counted::default(), take };
    let fed = game.feed(recording, &spec, world, waiting, &mut |exchange| tray.put(exchange));
    let [first, second] = world.finish().0;
    let left = if seat == Seat::First { first } else { second };
    match fed {
        Ok(()) => Ok(tray.clear(left)),
        Err(error) => Err(FeedFailure { error, last_words: left.stderr.text }),
    }
}

/// Hands the exchanges on as they come. The latest is held back, since what its bot wrote just before its
/// answer may be read just after it. Of the others nothing is kept, for a replay of a stranger can hold far
/// more than anybody wants to see.
struct Tray<'a> {
    /// The only turn that anybody wants to see, if it is one.
    only: Option<u32>,
    latest: Option<Exchange>,
    counted: Counted,
    take: &'a mut dyn FnMut(Exchange),
}

#[derive(Default)]
struct Counted {
    asked: usize,
    same: usize,
    differs: Option<u32>,
    /// Whether the last of them got an answer, or may get one next time.
    is_answered: bool,
}

impl Tray<'_> {
    fn put(&mut self, exchange: Exchange) {
        if let Some(before) = self.latest.replace(exchange) {
            self.hand_on(before);
        }
    }

    fn clear(mut self, left: Departure) -> FeedReport {
        let mut last_words = left.stderr.text.clone();
        if let Some(mut last) = self.latest.take() {
            if let Some(given) = &mut last.given {
                given.stderr += &left.stderr.text;
                last_words.clone_from(&given.stderr);
            }
            self.hand_on(last);
        }
        let Counted { asked, same, differs, is_answered } = self.counted;
        FeedReport { asked, same, differs, has_failed: !is_answered, left, last_words }
    }

    fn hand_on(&mut self, exchange: Exchange) {
        if self.only.is_some_and(|turn| turn != exchange.turn) {
            return;
        }
        let Counted { asked, same, differs, is_answered } = &mut self.counted;
        *asked += 1;
        *same += usize::from(exchange.is_same);
        *differs = differs.or((!exchange.is_same).then_some(exchange.turn));
        let given = exchange.given.as_ref();
        *is_answered =
            given.is_some_and(|given| given.fault.is_none_or(|fault| !fault.is_lasting()));
        (self.take)(exchange);
    }
}
