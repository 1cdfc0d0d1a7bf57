//! The match loop on a world.

mod late;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Duration;

use quintain_core::{
    Bot, Chance, Fault, Game, Gone, Outcome, PerSeat, Protocol, Seat, Spoken, Thinking,
};

use crate::noise::Watch;
use crate::{
    Follower, Heard, Incoming, Input, Meeting, Recorder, Step, StepRecord, Table, Wait, World,
};
use late::{Counted, LOOK_AFTER, SeatClock};

/// The longest wait without giving the follower a chance to flush.
const TICK: Duration = Duration::from_millis(500);

/// What is heard while a bot inside the process thinks, and not yet taken. Who says more is read later.
const HELD_MAX: usize = LINES_PER_TURN_MAX as usize;

/// What sits on a seat.
pub enum Player<G: Game> {
    /// A bot inside the process. Its actions are said and heard as text, like everyone's, so that
    /// every replay is text that the protocol can hear again.
    Inside(Box<dyn Bot<G>>),
    /// A bot behind the world.
    Outside,
}

/// How a match is refereed, beyond the rules of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRules {
    /// What all times are multiplied by.
    pub time_scale: f64,
    /// What of that is for the speed of the machine, for the replay.
    pub machine_scale: f64,
    /// Whether a seat is timed; a person at the terminal is not.
    pub clock: PerSeat<bool>,
    /// Lines of one seat heard in one turn. Further ones are dropped unanswered and counted: real
    /// hockey bots retry half of their moves, so the number is no offence in itself.
    pub lines_per_turn_max: u64,
    /// The same for the bytes of these lines, so that a step takes no more in a replay than its
    /// reader allows.
    pub bytes_per_turn_max: u64,
}

/// Real bots try a few dozen moves in a turn.
pub const LINES_PER_TURN_MAX: u64 = 1_000;

/// Far more than any answer takes.
const BYTES_PER_TURN_MAX: u64 = 128 * 1024;

impl Default for MatchRules {
    fn default() -> Self {
        MatchRules {
            time_scale: 1.0,
            machine_scale: 1.0,
            clock: PerSeat([true, true]),
            lines_per_turn_max: LINES_PER_TURN_MAX,
            bytes_per_turn_max: BYTES_PER_TURN_MAX,
        }
    }
}

/// How a match came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    Over(Outcome),
    /// Its world was stopped.
    Stopped,
}

/// Plays a match to its end; `meeting` is how its seats were taken. A table that has been started goes on
/// where it stands: whoever is to act has been prompted, and that prompt is still to be sent.
pub fn play<G: Spoken>(
    table: &mut Table<G>,
    players: &mut PerSeat<Player<G>>,
    meeting: Meeting,
    world: &mut dyn World,
    rules: &MatchRules,
    chance: &mut dyn Chance,
    follower: &mut dyn Follower<G>,
) -> MatchEnd {
    if !table.is_started() {
        table.start();
        follower.begin(&table.game, table.said());
    }
    let mut match_loop = MatchLoop::new(table, players, world, rules);
    match_loop.held = meeting.early;
    for (seat, fault) in meeting.absent.iter() {
        if let Some(fault) = fault {
            match_loop.gone[seat] = Some(*fault);
            match_loop.fault(seat, *fault);
        }
    }
    match_loop.begin_answers();
    loop {
        if let Some(outcome) = match_loop.table.game.outcome() {
            return MatchEnd::Over(outcome);
        }
        if !match_loop.table.is_ready() {
            if match_loop.wait(follower).is_break() {
                return MatchEnd::Stopped;
            }
        } else if match_loop.world.is_stopped() {
            return MatchEnd::Stopped;
        } else {
            match_loop.step(chance, follower);
        }
    }
}

/// Everything that one running match needs at hand.
struct MatchLoop<'a, G: Spoken> {
    table: &'a mut Table<G>,
    players: &'a mut PerSeat<Player<G>>,
    world: &'a mut dyn World,
    rules: &'a MatchRules,
    clocks: PerSeat<SeatClock>,
    /// What is known of a bot that thinks for longer than a moment.
    watches: PerSeat<Option<Watch>>,
    /// The processor time of the bots when it was last read.
    cpu: PerSeat<Option<Counted>>,
    /// Why a seat will never answer again.
    gone: PerSeat<Option<Fault>>,
    /// Heard before anything new: what came before the match, and what came after a deadline and
    /// waits for the step which that deadline causes.
    held: VecDeque<Incoming>,
    /// When it was last looked whether something has come while a bot inside the process thinks.
    listened_at: Duration,
    /// Something that the seat has said waits until its turn to be heard comes: see
    /// [`MatchLoop::take_unasked`].
    is_read_ahead: PerSeat<bool>,
    record: StepRecord,
    lines_this_turn: PerSeat<u64>,
    /// What they take.
    bytes_this_turn: PerSeat<u64>,
}

impl<'a, G: Spoken> MatchLoop<'a, G> {
    fn new(
        table: &'a mut Table<G>,
        players: &'a mut PerSeat<Player<G>>,
        world: &'a mut dyn World,
        rules: &'a MatchRules,
    ) -> Self {
        let record = StepRecord { turn: table.game.turn(), ..StepRecord::default() };
        MatchLoop {
            table,
            players,
            world,
            rules,
            clocks: PerSeat::default(),
            watches: PerSeat::default(),
            cpu: PerSeat::default(),
            gone: PerSeat::default(),
            held: VecDeque::new(),
            listened_at: Duration::ZERO,
            is_read_ahead: PerSeat::default(),
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
        let cpu = self.recent_cpu(seat, now);
        let deadline = self.rules.clock[seat].then_some(now + limit);
        let is_remote = matches!(self.players[seat], Player::Outside);
        self.watches[seat] = None;
        self.clocks[seat] = SeatClock {
            asked_at: now,
            limit,
            deadline,
            patience: None,
            first_look: deadline.filter(|_| is_remote).map(|_| now + LOOK_AFTER),
            cpu_before: cpu.map(|counted| counted.value),
            cpu_age: cpu.map_or(Duration::ZERO, |counted| now.saturating_sub(counted.at)),
        };
    }

    fn send_messages(&mut self) {
        let MatchLoop { table, players, world, .. } = self;
        table.send_messages(|messages| {
            for (seat, item) in messages {
                if matches!(players[*seat], Player::Outside) {
                    world.send(*seat, item);
                }
            }
            world.flush();
        });
    }

    fn ask_bot(&mut self, seat: Seat) {
        if matches!(self.players[seat], Player::Outside) {
            return;
        }
        let view = self.table.game.view(seat);
        let action = self.let_think(seat, &view);
        let at = self.world.now();
        if self.table.is_asked(seat.other()) {
            // Nobody listened to the other one since then.
            self.clocks[seat.other()].give_back(at.saturating_sub(self.listened_at));
        }
        for line in self.table.protocol.say(&view, &action) {
            self.hear_line(seat, line, at);
        }
    }

    /// The time of a bot inside begins when it is asked, since another one may have thought before it.
    /// Whenever it asks for the time, what others say is heard and stamped.
    fn let_think(&mut self, seat: Seat, view: &G::View) -> G::Action {
        let asked_at = self.world.now();
        let limit = self.clocks[seat].limit;
        self.clocks[seat].asked_at = asked_at;
        self.listened_at = asked_at;
        let mut player = std::mem::replace(&mut self.players[seat], Player::Outside);
        let Player::Inside(bot) = &mut player else {
            unreachable!("only a bot inside is let think");
        };
        let mut elapsed = || self.listen().saturating_sub(asked_at);
        let action = bot.act(view, &mut Thinking::new(&mut elapsed, limit));
        self.players[seat] = player;
        action
    }

    /// Hears what has come by now, for later. Returns the time, or the end of all time if the match is to end
    /// where it is.
    fn listen(&mut self) -> Duration {
        let now = self.world.now();
        self.look_at_thinkers(now);
        if self.held.len() >= HELD_MAX {
            return now;
        }
        self.listened_at = now;
        match self.world.next(Some(now)) {
            Wait::Came(incoming) => self.held.push_back(incoming),
            Wait::Stopped => return Duration::MAX,
            Wait::TimeUp | Wait::Silent => {}
        }
        now
    }

    fn step(&mut self, chance: &mut dyn Chance, follower: &mut dyn Follower<G>) {
        for seat in Seat::BOTH {
            self.record.stderr[seat] = self.world.stderr(seat);
            self.record.meddling[seat] = self.world.meddling(seat);
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
        let Table { game, .. } = &*self.table;
        let (replies, events) = (self.table.answered(), self.table.events());
        let said = self.table.said();
        follower.step(&Step { game, record: &record, replies, events, said });
        let spent = self.world.now().saturating_sub(begun);
        self.give_back(spent);
        self.ask_again();
    }

    /// An answer that came while the referee was busy with itself, for example with a slow disk, is
    /// read late through no fault of the bot.
    fn give_back(&mut self, spent: Duration) {
        for seat in Seat::BOTH {
            if self.table.is_asked(seat) {
                self.clocks[seat].give_back(spent);
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

    /// Waits for something to happen. It breaks if the match is to end where it is.
    fn wait(&mut self, follower: &mut dyn Follower<G>) -> ControlFlow<()> {
        if self.give_up_who_is_gone() {
            self.begin_answers();
            return ControlFlow::Continue(());
        }
        let now = self.prepare_next_question();
        self.look_at_thinkers(now);
        let due = self.next_due();
        let wakes = [due, self.next_first_look(), Some(now + TICK)];
        let until = wakes.into_iter().flatten().min();
        let begun = now;
        let wait = match self.held.pop_front() {
            Some(held) => Wait::Came(held),
            None => self.world.next(until),
        };
        let now = self.world.now();
        match wait {
            Wait::Came(incoming) if self.is_beside_the_point(incoming.seat) => {
                self.take_unasked(incoming, begun);
            }
            Wait::Came(incoming) => self.take(incoming),
            Wait::Stopped => return ControlFlow::Break(()),
            _ if due.is_some_and(|due| now >= due) => self.time_is_up(now),
            _ if self.next_first_look().is_some() => {}
            Wait::TimeUp | Wait::Silent => follower.idle(),
        }
        self.begin_answers();
        ControlFlow::Continue(())
    }

    /// Whether a seat has nothing to say while the other one thinks.
    fn is_beside_the_point(&self, seat: Seat) -> bool {
        !self.table.is_asked(seat) && self.table.is_asked(seat.other())
    }

    /// Takes what a bot says while only its rival was asked. However much that is, the rival is looked at
    /// after each line, so that its answer bears the moment at which it came; and the time which the one
    /// line took is not the rival's. It is given once for each of its answers, so that nobody's
    /// clock stands still for ever.
    fn take_unasked(&mut self, incoming: Incoming, begun: Duration) {
        let (rival, begun) = (incoming.seat.other(), incoming.at.max(begun));
        self.take(incoming);
        if self.table.is_asked(rival) && !self.is_read_ahead[rival] && self.world.has_said(rival) {
            self.is_read_ahead[rival] = true;
            let spent = self.world.now().saturating_sub(begun);
            self.give_back(spent);
        }
    }

    /// Uses the time in which a bot thinks. Returns when that was done, since everybody asks for the time
    /// next.
    fn prepare_next_question(&mut self) -> Duration {
        let begun = self.world.now();
        let MatchLoop { table, players, world, .. } = self;
        let Some(messages) = table.prepare() else { return begun };
        for (seat, item) in messages {
            if matches!(players[*seat], Player::Outside) {
                world.prepare(*seat, item);
            }
        }
        let now = self.world.now();
        self.give_back(now.saturating_sub(begun));
        now
    }

    /// A seat that left is given up at once, or when its time is up, as the game has it. Without
    /// a clock there is nothing to wait for.
    fn give_up_who_is_gone(&mut self) -> bool {
        self.give_up_all(|match_loop, seat| {
            let at_once = G::GONE == Gone::AtOnce || match_loop.clocks[seat].deadline.is_none();
            at_once && match_loop.gone[seat].is_some()
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
        let asked_at = self.table.is_asked(seat).then(|| self.clocks[seat].asked_at);
        let after = asked_at.map(|asked_at| self.world.now().saturating_sub(asked_at));
        self.record.inputs.push(Input::Fault { seat, fault, after });
        self.table.fault(seat, fault);
    }

    /// Lateness is judged by the stamp, never by which branch ran. What came after a deadline
    /// finds that seat given up, and waits for the step that follows from it.
    fn take(&mut self, incoming: Incoming) {
        self.is_read_ahead[incoming.seat] = false;
        self.be_patient_with(incoming.seat.other(), incoming.at);
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
        self.record.inputs.push(Input::Line { seat, asked, line, at });
    }
}
