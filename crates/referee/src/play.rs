//! The match loop on a world.

use std::collections::VecDeque;
use std::time::Duration;

use quintain_core::{Bot, Chance, Fault, Game, Gone, Outcome, PerSeat, Protocol, Seat};

use crate::noise::LateAnswer;
use crate::{Entry, Heard, Incoming, Meeting, Recorder, StepRecord, Table, Timing, Usage, World};

/// The longest wait without giving the observer a chance to flush.
const TICK: Duration = Duration::from_millis(500);

/// How often a bot that is late and wants to run is looked at again.
const PATIENCE_STEP: Duration = Duration::from_millis(5);
/// How long after its deadline a bot is waited for that the machine does not let run. Beside several
/// others that want a core, a bot of the lowest priority gets some hundredth of it.
const PATIENCE_MAX: Duration = Duration::from_secs(30);
/// How old the system's counts may be when a clock starts. A bot that answers at once is asked again
/// before that, and to ask the system at every question and every answer would cost more than
/// everything else the referee does for it.
const COUNTS_AGE_MAX: Duration = Duration::from_millis(1);

/// What sits on a seat.
pub enum Player<G: Game> {
    /// A bot inside the process. Its actions are said and heard as text, like everyone's, so that
    /// every replay is text that the protocol can hear again.
    Bot(Box<dyn Bot<G>>),
    /// A bot behind the world.
    Remote,
}

/// How a match is refereed, beyond the rules of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRules {
    pub time_scale: f64,
    /// Whether a seat is timed; a person at the terminal is not.
    pub clock: PerSeat<bool>,
    /// Lines of one seat heard in one turn. Further ones are dropped unanswered and counted: real
    /// hockey bots retry half of their moves, so the number is no offence in itself.
    pub lines_per_turn_max: u64,
    /// The same for the bytes of these lines, so that a step takes no more in a replay than its
    /// reader allows.
    pub bytes_per_turn_max: u64,
}

/// Far more than any answer takes.
const BYTES_PER_TURN_MAX: u64 = 128 * 1024;

impl Default for MatchRules {
    fn default() -> Self {
        MatchRules {
            time_scale: 1.0,
            clock: PerSeat([true, true]),
            lines_per_turn_max: 1_000,
            bytes_per_turn_max: BYTES_PER_TURN_MAX,
        }
    }
}

/// Follows a match as it is played.
pub trait Observer<G: Game> {
    fn step(&mut self, game: &G, record: &StepRecord, events: &[G::Event]);

    /// Called now and then while nothing happens, and before waits.
    fn idle(&mut self) {}
}

/// Plays a match to its end. The table has not been started; `meeting` is how its seats were taken.
pub fn play<G: Game, P: Protocol<G>>(
    table: &mut Table<G, P>,
    players: &mut PerSeat<Player<G>>,
    meeting: Meeting,
    world: &mut dyn World,
    rules: &MatchRules,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer<G>,
) -> Outcome {
    table.start();
    go_on(table, players, meeting, world, rules, chance, observer)
}

/// As [`play()`], with a table that stands somewhere in the match: whoever is to act has been
/// prompted, and that prompt is still to be sent.
pub fn go_on<G: Game, P: Protocol<G>>(
    table: &mut Table<G, P>,
    players: &mut PerSeat<Player<G>>,
    meeting: Meeting,
    world: &mut dyn World,
    rules: &MatchRules,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer<G>,
) -> Outcome {
    let mut floor = Floor::new(table, players, world, rules);
    floor.held = meeting.early;
    for (seat, fault) in meeting.absent.iter() {
        if let Some(fault) = fault {
            floor.gone[seat] = Some(*fault);
            floor.fault(seat, *fault);
        }
    }
    floor.begin_answers();
    loop {
        if let Some(outcome) = floor.table.game.outcome() {
            return outcome;
        }
        if floor.table.is_ready() {
            floor.step(chance, observer);
        } else {
            floor.wait(observer);
        }
    }
}

/// Everything that one running match needs at hand.
struct Floor<'a, G: Game, P: Protocol<G>> {
    table: &'a mut Table<G, P>,
    players: &'a mut PerSeat<Player<G>>,
    world: &'a mut dyn World,
    rules: &'a MatchRules,
    clocks: PerSeat<SeatClock>,
    /// What the system counted for the bots when it was last asked.
    counted: PerSeat<Option<Counted<Usage>>>,
    /// The same for the referee: how long it had waited for a processor.
    referee_waited: Option<Counted<Duration>>,
    /// Why a seat will never answer again.
    gone: PerSeat<Option<Fault>>,
    /// Heard before anything new: what came before the match, and what came after a deadline and
    /// waits for the step which that deadline causes.
    held: VecDeque<Incoming>,
    record: StepRecord,
    lines_this_turn: PerSeat<u64>,
    /// What they take.
    bytes_this_turn: PerSeat<u64>,
}

#[derive(Clone, Copy, Default)]
struct SeatClock {
    asked_at: Duration,
    deadline: Option<Duration>,
    /// Until when a late answer is still waited for, to learn why it is late.
    patience: Option<Duration>,
    usage_before: Option<Usage>,
    referee_waited_before: Duration,
    /// How much older than the question these two are at most.
    counts_age: Duration,
}

/// What the system counted, and when.
#[derive(Clone, Copy)]
struct Counted<T> {
    value: T,
    at: Duration,
}

impl<T> Counted<T> {
    fn is_recent(&self, now: Duration) -> bool {
        now.saturating_sub(self.at) < COUNTS_AGE_MAX
    }
}

impl SeatClock {
    /// When something must be decided about the seat.
    fn due(&self) -> Option<Duration> {
        self.patience.or(self.deadline)
    }
}

impl<'a, G: Game, P: Protocol<G>> Floor<'a, G, P> {
    fn new(
        table: &'a mut Table<G, P>,
        players: &'a mut PerSeat<Player<G>>,
        world: &'a mut dyn World,
        rules: &'a MatchRules,
    ) -> Self {
        let record = StepRecord { turn: table.game.turn(), ..StepRecord::default() };
        Floor {
            table,
            players,
            world,
            rules,
            clocks: PerSeat::default(),
            counted: PerSeat::default(),
            referee_waited: None,
            gone: PerSeat::default(),
            held: VecDeque::new(),
            record,
            lines_this_turn: PerSeat::default(),
            bytes_this_turn: PerSeat::default(),
        }
    }

    /// Starts the clocks of the seats just asked, sends what is to be said, and lets bots inside
    /// the process think. A clock starts before the first byte is written, so that a bot which
    /// does not read cannot stall it. An answer from inside may cause the next question, so this
    /// goes on until nobody new is asked.
    fn begin_answers(&mut self) {
        loop {
            let prompted = self.table.take_prompted();
            for seat in prompted.iter() {
                self.start_clock(seat);
            }
            self.send_messages();
            if prompted.is_empty() {
                return;
            }
            for seat in prompted.iter() {
                self.ask_bot(seat);
            }
        }
    }

    fn start_clock(&mut self, seat: Seat) {
        let now = self.world.now();
        let limit = self.table.game.time_limit(seat);
        let limit = limit.mul_f64(self.rules.time_scale);
        let (usage, referee_waited) = (self.recent_usage(seat, now), self.referee_waited(now));
        let counted_at = usage.map_or(now, |counted| counted.at).min(referee_waited.at);
        self.clocks[seat] = SeatClock {
            asked_at: now,
            deadline: self.rules.clock[seat].then_some(now + limit),
            patience: None,
            usage_before: usage.map(|counted| counted.value),
            referee_waited_before: referee_waited.value,
            counts_age: now.saturating_sub(counted_at),
        };
    }

    fn recent_usage(&mut self, seat: Seat, now: Duration) -> Option<Counted<Usage>> {
        match self.counted[seat] {
            Some(counted) if counted.is_recent(now) => Some(counted),
            _ => self.world.usage(seat).map(|value| Counted { value, at: now }),
        }
    }

    fn referee_waited(&mut self, now: Duration) -> Counted<Duration> {
        match self.referee_waited {
            Some(counted) if counted.is_recent(now) => counted,
            _ => {
                let counted = Counted { value: self.world.referee_waited(), at: now };
                *self.referee_waited.insert(counted)
            }
        }
    }

    fn send_messages(&mut self) {
        let Floor { table, players, world, .. } = self;
        table.send_messages(|messages| {
            for (seat, item) in messages {
                if matches!(players[*seat], Player::Remote) {
                    world.send(*seat, item);
                }
            }
            world.flush();
        });
    }

    fn ask_bot(&mut self, seat: Seat) {
        let Player::Bot(bot) = &mut self.players[seat] else {
            return;
        };
        let view = self.table.game.view(seat);
        let action = bot.act(&view);
        let at = self.world.now();
        for line in self.table.protocol.say(&view, &action) {
            self.hear_line(seat, line, at);
        }
    }

    fn step(&mut self, chance: &mut dyn Chance, observer: &mut dyn Observer<G>) {
        for seat in Seat::BOTH {
            self.record.stderr[seat] = self.world.stderr(seat);
        }
        chance.begin_turn(self.table.game.turn());
        let mut recorder = Recorder::new(chance);
        self.table.step(&mut recorder);
        self.record.draws = recorder.draws;
        let turn = self.table.game.turn();
        if turn != self.record.turn {
            self.lines_this_turn = PerSeat::default();
            self.bytes_this_turn = PerSeat::default();
        }
        let record =
            std::mem::replace(&mut self.record, StepRecord { turn, ..StepRecord::default() });
        // Whoever is to act next thinks while the record is being written.
        self.begin_answers();
        let begun = self.world.now();
        observer.step(&self.table.game, &record, self.table.events());
        let spent = self.world.now().saturating_sub(begun);
        self.give_back(spent);
        self.ask_again();
    }

    /// An answer that came while the referee was busy with itself, for example with a slow disk, is
    /// read late through no fault of the bot.
    fn give_back(&mut self, spent: Duration) {
        for seat in Seat::BOTH {
            if self.table.is_asked(seat)
                && let Some(deadline) = &mut self.clocks[seat].deadline
            {
                *deadline += spent;
            }
        }
    }

    /// A bot inside the process whose action was rejected is asked again without a prompt, as a
    /// bot on the wire would try again by itself.
    fn ask_again(&mut self) {
        for seat in Seat::BOTH {
            if self.table.is_asked(seat) {
                self.ask_bot(seat);
            }
        }
        self.begin_answers();
    }

    fn wait(&mut self, observer: &mut dyn Observer<G>) {
        if self.give_up_who_is_gone() {
            return self.begin_answers();
        }
        self.prepare_next_question();
        let due = self.next_due();
        let tick = self.world.now() + TICK;
        let until = due.map_or(tick, |due| due.min(tick));
        let incoming = self.held.pop_front().or_else(|| self.world.next(Some(until)));
        let now = self.world.now();
        match incoming {
            Some(incoming) => self.take(incoming),
            None if due.is_some_and(|due| now >= due) => self.time_is_up(now),
            None => observer.idle(),
        }
        self.begin_answers();
    }

    /// Uses the time in which a bot thinks.
    fn prepare_next_question(&mut self) {
        let begun = self.world.now();
        let Floor { table, players, world, .. } = self;
        let Some(messages) = table.prepare() else { return };
        for (seat, item) in messages {
            if matches!(players[*seat], Player::Remote) {
                world.prepare(*seat, item);
            }
        }
        let spent = self.world.now().saturating_sub(begun);
        self.give_back(spent);
    }

    fn next_due(&self) -> Option<Duration> {
        let asked = Seat::BOTH.into_iter().filter(|&seat| self.table.is_asked(seat));
        asked.filter_map(|seat| self.clocks[seat].due()).min()
    }

    /// Somebody is due. An answer that was read too late is heard first, since it tells why.
    fn time_is_up(&mut self, now: Duration) {
        if let Some(incoming) = self.world.next(Some(now)) {
            return self.take(incoming);
        }
        for seat in Seat::BOTH {
            let is_due = self.clocks[seat].due().is_some_and(|due| due <= now);
            if self.table.is_asked(seat) && is_due && self.has_patience(seat, now) {
                self.clocks[seat].patience = Some(now + PATIENCE_STEP);
            }
        }
        self.give_up_all(|floor, seat| floor.clocks[seat].due().is_some_and(|due| due <= now));
    }

    /// Whether a late bot is waited for: it wants to run, and has not used up its time.
    fn has_patience(&mut self, seat: Seat, now: Duration) -> bool {
        let clock = self.clocks[seat];
        let (Some(deadline), Some(before)) = (clock.deadline, clock.usage_before) else {
            return false;
        };
        let limit = deadline.saturating_sub(clock.asked_at);
        self.gone[seat].is_none()
            && now < deadline + PATIENCE_MAX
            && self.world.wants_to_run(seat)
            && self.world.usage(seat).is_some_and(|usage| usage.since(before).cpu < limit)
    }

    /// A seat that left is given up at once, or when its time is up, as the game has it. Without
    /// a clock there is nothing to wait for.
    fn give_up_who_is_gone(&mut self) -> bool {
        self.give_up_all(|floor, seat| {
            let at_once = G::GONE == Gone::AtOnce || floor.clocks[seat].deadline.is_none();
            at_once && floor.gone[seat].is_some()
        })
    }

    /// Gives up the seats that are asked and of which `is_over` is true, and says whether there
    /// were any. All are judged before the first is given up, since that may cause the next to be
    /// asked, whose clock has not been started yet.
    fn give_up_all(&mut self, is_over: impl Fn(&Self, Seat) -> bool) -> bool {
        let over = Seat::BOTH.map(|seat| self.table.is_asked(seat) && is_over(self, seat));
        for seat in Seat::BOTH {
            if over[seat.index()] {
                self.give_up(seat);
            }
        }
        over.contains(&true)
    }

    fn give_up(&mut self, seat: Seat) {
        let fault = self.gone[seat].unwrap_or(Fault::Late);
        self.fault(seat, fault);
    }

    fn fault(&mut self, seat: Seat, fault: Fault) {
        self.record.entries.push(Entry::Fault { seat, fault });
        self.table.fault(seat, fault);
    }

    /// Lateness is judged by the stamp, never by which branch ran. What came after a deadline
    /// finds that seat given up, and waits for the step that follows from it.
    fn take(&mut self, incoming: Incoming) {
        if self.next_due_by(&incoming).is_some_and(|due| incoming.at > due) {
            self.expire(&incoming);
            self.held.push_front(incoming);
            return;
        }
        let Incoming { seat, at, heard } = incoming;
        match heard {
            Heard::Line(bytes) => {
                let line = match String::from_utf8(bytes) {
                    Ok(line) => line,
                    Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
                };
                self.hear_line(seat, line, at);
            }
            Heard::Overlong => {
                self.world.hang_up(seat);
                self.gone[seat] = Some(Fault::Flooded);
            }
            Heard::Closed(exit) => {
                self.gone[seat].get_or_insert(Fault::Gone(exit));
            }
        }
    }

    /// When something had to be decided, now that this came: who answers late needs no patience.
    fn due_by(&self, seat: Seat, incoming: &Incoming) -> Option<Duration> {
        let clock = &self.clocks[seat];
        if seat == incoming.seat { clock.deadline } else { clock.due() }
    }

    fn next_due_by(&self, incoming: &Incoming) -> Option<Duration> {
        let asked = Seat::BOTH.into_iter().filter(|&seat| self.table.is_asked(seat));
        asked.filter_map(|seat| self.due_by(seat, incoming)).min()
    }

    /// Gives up every seat whose time was up when this came.
    fn expire(&mut self, incoming: &Incoming) {
        let Incoming { seat, at, ref heard } = *incoming;
        let is_late = self.clocks[seat].deadline.is_some_and(|deadline| deadline < at);
        if self.table.is_asked(seat) && is_late && matches!(heard, Heard::Line(_)) {
            self.judge_late_answer(seat, at);
        }
        self.give_up_all(|floor, seat| floor.due_by(seat, incoming).is_some_and(|due| due <= at));
    }

    fn judge_late_answer(&mut self, seat: Seat, at: Duration) {
        let clock = self.clocks[seat];
        let timing = self.timing(seat, at);
        self.record.answers[seat] = Some(timing);
        let (Some(deadline), Some(usage)) = (clock.deadline, timing.usage) else {
            return;
        };
        let referee_waited = self.world.referee_waited();
        let late = LateAnswer {
            wall: timing.wall,
            limit: deadline.saturating_sub(clock.asked_at),
            usage,
            referee_waited: referee_waited.saturating_sub(clock.referee_waited_before),
            counts_age: clock.counts_age,
            is_alone: self.world.is_alone(seat),
        };
        self.record.disturbed[seat] = late.is_disturbed().then_some(late);
    }

    fn hear_line(&mut self, seat: Seat, line: String, at: Duration) {
        let bytes = self.bytes_this_turn[seat] + line.len() as u64;
        if self.lines_this_turn[seat] >= self.rules.lines_per_turn_max
            || bytes > self.rules.bytes_per_turn_max
        {
            self.record.dropped[seat] += 1;
            return;
        }
        self.lines_this_turn[seat] += 1;
        self.bytes_this_turn[seat] = bytes;
        let asked = self.table.is_asked(seat);
        self.table.hear(seat, &line);
        if asked && !self.table.is_asked(seat) {
            self.record.answers[seat] = Some(self.timing(seat, at));
        }
        self.record.entries.push(Entry::Line { seat, asked, line, at });
    }

    fn timing(&mut self, seat: Seat, at: Duration) -> Timing {
        let clock = self.clocks[seat];
        let now = self.world.usage(seat);
        self.counted[seat] = now.map(|value| Counted { value, at });
        let usage = now.zip(clock.usage_before);
        Timing {
            wall: at.saturating_sub(clock.asked_at),
            usage: usage.map(|(now, before)| now.since(before)),
        }
    }
}
