//! Lets bots live through a recorded match: they are told what was told, their answers are heard and
//! dropped, and the recorded ones count.

use std::collections::VecDeque;
use std::time::Duration;

use quintain_core::{Chance, Fault, Item, Opening, Outbox, PerSeat, Protocol, Seat, Spoken};
use quintain_referee::{Heard, Incoming, Input, StepRecord, Table, Wait, World};
use quintain_replay::{
    Divergence, Header, Mismatch, RecordedStep, RerunError, check_turn, replay_input, take_step,
};

use crate::answer_reader::{Answer, AnswerReader, Meaning};

/// How long a bot is waited for before somebody is told that it is waited for.
const NUDGE: Duration = Duration::from_secs(5);

/// A question to a seat: what it was told since the last one, and both answers.
pub(crate) struct Question<A> {
    /// Counted from 1.
    pub(crate) turn: u32,
    pub(crate) told: Vec<Item>,
    pub(crate) limit: Duration,
    pub(crate) recorded: Option<Answer<A>>,
    /// Recorded lines that came while nobody asked.
    pub(crate) early: Vec<String>,
    /// `None` if nobody was fed here.
    pub(crate) given: Option<Answer<A>>,
}

/// One seat of the match.
struct FedSeat<A> {
    is_fed: bool,
    patience: Option<Duration>,
    /// It has been asked and nobody has gone on yet.
    is_asked: bool,
    asked_at: Option<Duration>,
    told: Vec<Item>,
    recorded: Option<Answer<A>>,
    early: Vec<String>,
    given: Option<Answer<A>>,
    /// How it left, for those who go on with the match.
    left: Option<Incoming>,
    /// The turn in which it let somebody wait in vain; its answers are not waited for any more.
    behind: Option<u32>,
}

impl<A> FedSeat<A> {
    fn new(feed_limit: Option<FeedLimit>) -> Self {
        FedSeat {
            is_fed: feed_limit.is_some(),
            patience: feed_limit.and_then(|feed_limit| feed_limit.patience),
            is_asked: false,
            asked_at: None,
            told: Vec::new(),
            recorded: None,
            early: Vec::new(),
            given: None,
            left: None,
            behind: None,
        }
    }

    fn is_awaited(&self) -> bool {
        self.is_fed
            && self.is_asked
            && self.given.is_none()
            && self.left.is_none()
            && self.behind.is_none()
    }
}

/// How a seat is fed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FeedLimit {
    /// How long an answer is waited for; `None` is for ever.
    pub(crate) patience: Option<Duration>,
}

/// The recorded match, the bots that live through it, and what both say.
pub(crate) struct Feeder<'a, G: Spoken> {
    pub(crate) table: &'a mut Table<G>,
    world: &'a mut dyn World,
    seats: PerSeat<FedSeat<G::Action>>,
    /// Hears what was recorded, as it was meant then.
    recorded: AnswerReader<G>,
    /// Hears what the bots say.
    given: AnswerReader<G>,
    /// Seats whose bots write answers in another manner than the recorded ones did.
    is_translated: PerSeat<bool>,
    waiting: &'a mut dyn FnMut(Seat, u32),
}

impl<'a, G: Spoken> Feeder<'a, G> {
    /// The table has not been started, and has the names and manners of `opening`. `waiting` is
    /// called with the turn when a bot lets somebody wait.
    pub(crate) fn new(
        table: &'a mut Table<G>,
        header: &Header,
        opening: &Opening,
        feed_limits: PerSeat<Option<FeedLimit>>,
        world: &'a mut dyn World,
        waiting: &'a mut dyn FnMut(Seat, u32),
    ) -> Self {
        let was = header.opening();
        let [mut recorded, mut given] =
            [&was, opening].map(|opening| AnswerReader::<G>::new(G::Protocol::new(opening)));
        let views = table.game.views();
        for reader in [&mut recorded, &mut given] {
            reader.protocol.start(&views, &mut Outbox::default());
        }
        table.start();
        Feeder {
            table,
            world,
            seats: feed_limits.map(|_, feed_limit| FedSeat::new(feed_limit)),
            recorded,
            given,
            is_translated: PerSeat::from_fn(|seat| {
                G::Protocol::HAS_FILES && was.manners[seat] != opening.manners[seat]
            }),
            waiting,
        }
    }

    /// Lives through a step up to the point at which everything has been said. Returns the step as
    /// it was heard now.
    pub(crate) fn hear(
        &mut self,
        step: &RecordedStep,
        index: usize,
    ) -> Result<RecordedStep, RerunError> {
        let record = &step.record;
        let at = |mismatch: Mismatch| Divergence::in_step(mismatch, record, index);
        check_turn(self.table, record).map_err(at)?;
        let mut inputs = Vec::with_capacity(record.inputs.len());
        for input in &record.inputs {
            self.deliver();
            self.await_answers();
            self.apply(input, record, &mut inputs).map_err(at)?;
        }
        // An answer that was there before its question has no entry in this step.
        self.deliver();
        self.await_answers();
        Ok(RecordedStep { record: StepRecord { inputs, ..record.clone() }, digest: step.digest })
    }

    /// The question to a seat in the step that has been heard, if there was one.
    pub(crate) fn question(&mut self, seat: Seat) -> Option<Question<G::Action>> {
        let limit = self.table.game.time_limit(seat);
        let fed = &mut self.seats[seat];
        if !fed.is_asked {
            return None;
        }
        if fed.is_fed && fed.given.is_none() {
            let fault = fed.left.as_ref().map_or(Fault::Late, fault_of);
            fed.given = Some(self.given.answer(seat, Meaning::Missing(fault), None));
        }
        Some(Question {
            turn: self.table.game.turn() + 1,
            told: std::mem::take(&mut fed.told),
            limit,
            recorded: fed.recorded.take(),
            early: std::mem::take(&mut fed.early),
            given: fed.given.clone(),
        })
    }

    /// Plays the step that has been heard.
    pub(crate) fn finish(
        &mut self,
        step: &RecordedStep,
        index: usize,
        chance: &mut dyn Chance,
    ) -> Result<(), RerunError> {
        take_step(self.table, step, chance)
            .map_err(|mismatch| Divergence::in_step(mismatch, &step.record, index))?;
        let outcome = self.table.game.outcome();
        for reader in [&mut self.recorded, &mut self.given] {
            reader.protocol.tell(self.table.events(), outcome.as_ref(), &mut Outbox::default());
            reader.forget();
        }
        for seat in Seat::BOTH {
            let is_asked = self.table.is_asked(seat);
            let fed = &mut self.seats[seat];
            fed.is_asked = is_asked;
            (fed.asked_at, fed.recorded, fed.given) = (None, None, None);
        }
        Ok(())
    }

    /// Whether a bot that was fed is still there.
    pub(crate) fn is_there(&self, seat: Seat) -> bool {
        self.seats[seat].left.is_none()
    }

    pub(crate) fn stderr(&mut self, seat: Seat) -> String {
        self.world.stderr(seat).text
    }

    /// The turn, counted from 1, in which a bot was waited for in vain.
    pub(crate) fn behind(&self) -> PerSeat<Option<u32>> {
        PerSeat::from_fn(|seat| self.seats[seat].behind)
    }

    /// What was heard and belongs to what follows: lines that came too early, and how bots left.
    /// Error output of bots that are still there is forgotten, as their answers were.
    pub(crate) fn leave(mut self) -> VecDeque<Incoming> {
        let mut early = VecDeque::new();
        for seat in Seat::BOTH {
            let at = self.world.now();
            for line in self.given.later[seat].drain(..) {
                early.push_back(Incoming { seat, at, heard: Heard::Line(line.into_bytes()) });
            }
            match self.seats[seat].left.take() {
                Some(left) => early.push_back(left),
                None if self.seats[seat].is_fed => _ = self.world.stderr(seat),
                None => {}
            }
        }
        early
    }

    /// Sends what is to be said, and notes who is asked by it.
    fn deliver(&mut self) {
        let prompted = self.table.take_prompted();
        let Feeder { table, seats, world, .. } = self;
        table.send_messages(|messages| {
            for (seat, item) in messages {
                let fed = &mut seats[*seat];
                if fed.is_fed && fed.left.is_none() {
                    world.send(*seat, item);
                }
                fed.told.push(item.clone());
            }
        });
        for seat in prompted.iter() {
            let view = self.table.game.view(seat);
            let fed = &mut self.seats[seat];
            fed.is_asked = true;
            fed.recorded = self.recorded.prompt(seat, &view);
            fed.given = self.given.prompt(seat, &view);
        }
    }

    fn await_answers(&mut self) {
        let mut is_told = false;
        while let Some(seat) = Seat::BOTH.into_iter().find(|&seat| self.seats[seat].is_awaited()) {
            let now = self.world.now();
            let fed = &mut self.seats[seat];
            let asked_at = *fed.asked_at.get_or_insert(now);
            let limit = fed.patience.map(|patience| asked_at + patience);
            let until = limit.map_or(now + NUDGE, |limit| limit.min(now + NUDGE));
            match self.world.next(Some(until)) {
                Wait::Came(incoming) => self.take(incoming),
                Wait::Stopped => return,
                _ if limit.is_some_and(|limit| limit <= self.world.now()) => {
                    let turn = self.table.game.turn() + 1;
                    self.seats[seat].behind = Some(turn);
                    (self.waiting)(seat, turn);
                }
                _ if !is_told => {
                    is_told = true;
                    (self.waiting)(seat, self.table.game.turn() + 1);
                }
                Wait::TimeUp | Wait::Silent => {}
            }
        }
    }

    fn take(&mut self, incoming: Incoming) {
        let seat = incoming.seat;
        let fed = &mut self.seats[seat];
        let Heard::Line(bytes) = &incoming.heard else {
            if incoming.heard == Heard::Overlong {
                self.world.hang_up(seat);
            }
            fed.left.get_or_insert(incoming);
            return;
        };
        let line = String::from_utf8_lossy(bytes);
        let asked = fed.is_asked && fed.given.is_none();
        let mut out = Outbox::default();
        let meaning = self.given.hear(seat, asked, &line, &mut out);
        if asked {
            // A bot that said something without meaning is told so, and tries again.
            for (to, item) in out.0 {
                if to == seat {
                    self.world.send(seat, &item);
                }
            }
        }
        if let Some(meaning) = meaning {
            let wall = fed.asked_at.map(|asked_at| incoming.at.saturating_sub(asked_at));
            fed.given = Some(self.given.answer(seat, meaning, wall));
        }
    }

    /// Lets the table hear what was recorded, in the words of whoever sits there now.
    fn apply(
        &mut self,
        input: &Input,
        step: &StepRecord,
        heard: &mut Vec<Input>,
    ) -> Result<(), Mismatch> {
        let seat = input.seat();
        let mut meaning = None;
        match input {
            Input::Line { asked, line, .. } => {
                if !asked {
                    self.seats[seat].early.push(line.clone());
                }
                let out = &mut Outbox::default();
                meaning = self.recorded.hear(seat, *asked, line, out);
            }
            Input::Fault { fault, .. } => {
                self.keep_recorded(seat, Meaning::Missing(*fault), step);
            }
        }
        let inputs = self.translate(seat, input, meaning.as_ref());
        if let Some(meaning) = meaning {
            self.keep_recorded(seat, meaning, step);
        }
        for input in inputs {
            replay_input(self.table, &input)?;
            heard.push(input);
        }
        Ok(())
    }

    fn keep_recorded(&mut self, seat: Seat, meaning: Meaning<G::Action>, step: &StepRecord) {
        let wall = step.answers[seat].map(|time| time.wall);
        self.seats[seat].recorded = Some(self.recorded.answer(seat, meaning, wall));
    }

    fn translate(
        &self,
        seat: Seat,
        input: &Input,
        meaning: Option<&Meaning<G::Action>>,
    ) -> Vec<Input> {
        let &Input::Line { asked, at, .. } = input else {
            return vec![input.clone()];
        };
        if !self.is_translated[seat] {
            return vec![input.clone()];
        }
        // What was ignored then might mean something now.
        let Some(Meaning::Action(action)) = meaning else {
            return Vec::new();
        };
        let said = self.table.protocol.say(&self.table.game.view(seat), action);
        let line = |line| Input::Line { seat, asked, line, at };
        said.into_iter().map(line).collect()
    }
}

fn fault_of(left: &Incoming) -> Fault {
    match left.heard {
        Heard::Closed(exit) => Fault::Gone(exit),
        Heard::Overlong | Heard::Line(_) => Fault::Flooded,
    }
}
