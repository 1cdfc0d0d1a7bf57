//! The real world of a match: both bots and the clock, behind one poll loop.

use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use quintain_core::{Absence, Framing, Item, PerSeat, Seat};
use quintain_referee::{Capped, Counts, Departure, Incoming, Unprotected, Wait, World};
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::halt::Halt;
use crate::limits::{LINES_PER_LOOK, READ_BYTES, STDERR_BYTES_PER_WAKE};
use crate::link::{Link, Wire};
use crate::process_counts::own_wait;
use crate::state_folder::Due;

/// Both bots of one match and the clock of this machine.
///
/// Nothing is read or written but inside [`World::flush`], [`World::next`], [`World::hang_up`] and
/// [`World::finish`]. A turn costs one write per seat that was sent something, one wait and one
/// read. What was read in time is given in time, however late `next` is called: a line whose stamp
/// is after `until` stays where it is until a later call.
pub struct RealWorld {
    start: Instant,
    line_end_out: &'static str,
    links: PerSeat<Link>,
    /// Who was sent to last since the last flush.
    sent_last: Option<Seat>,
    /// Something may be queued that nobody has tried to write.
    has_queued: bool,
    /// Lines given since the wires were last looked at.
    lines_since_look: u32,
    /// Who is looked at first; it alternates.
    favoured: Seat,
    buffer: Box<[u8]>,
    halt: Option<Halt>,
}

/// Descriptors of one match at most: four wires for each of two seats.
const SLOTS: usize = 8;

/// A wire that is waited for.
#[derive(Clone, Copy)]
struct Slot<'a> {
    seat: Seat,
    wire: Wire,
    descriptor: BorrowedFd<'a>,
}

impl RealWorld {
    /// Time starts here.
    pub fn new(framing: Framing, links: PerSeat<Link>) -> RealWorld {
        RealWorld {
            start: Instant::now(),
            line_end_out: framing.line_end_out,
            links: links.map(|_, link| link.framed(framing)),
            sent_last: None,
            has_queued: false,
            lines_since_look: 0,
            favoured: Seat::First,
            buffer: vec![0; STDERR_BYTES_PER_WAKE.max(READ_BYTES)].into_boxed_slice(),
            halt: None,
        }
    }

    /// The same world, in which the match ends where it is once `halt` says so.
    #[must_use]
    pub fn with_halt(self, halt: Halt) -> RealWorld {
        RealWorld { halt: Some(halt), ..self }
    }

    /// Writes what was queued. The seat that was sent to last is the one that is to answer: it is
    /// written to first, and looked at at once, since a bot that was woken by the write often has
    /// answered already, all the more if that was done by [`World::flush`] before. If so, what is queued for the other seat goes out with what follows from
    /// the answer, or before the next wait: two wake-ups become one, and no bot can tell.
    fn write_and_look(&mut self) {
        if let Some(asked) = self.sent_last.take() {
            self.write(asked);
            let link = &mut self.links[asked];
            if link.wants_input() && !link.may_block() {
                link.read(&mut self.buffer, || self.start.elapsed());
            }
            if link.ready_at().is_some() {
                return;
            }
        }
        self.write_all();
    }

    fn write_all(&mut self) {
        if std::mem::take(&mut self.has_queued) {
            self.write(Seat::First);
            self.write(Seat::Second);
        }
    }

    fn write(&mut self, seat: Seat) {
        if self.links[seat].has_output_to_try() {
            self.links[seat].write();
        }
    }

    /// Gives what was read already, oldest first.
    fn take_heard(&mut self, until: Option<Duration>) -> Option<Incoming> {
        let ready = |seat: Seat| self.links[seat].ready_at().map(|at| (at, seat));
        let (at, seat) = match (ready(Seat::First), ready(Seat::Second)) {
            (Some(first), Some(second)) => first.min(second),
            (first, second) => first.or(second)?,
        };
        if until.is_some_and(|until| at > until) {
            return None;
        }
        self.lines_since_look += 1;
        let heard = self.links[seat].take_heard(|| self.start.elapsed())?;
        Some(Incoming { seat, at, heard })
    }

    /// Until when to wait, if somebody may end the match from outside.
    fn next_wake(&self, until: Option<Duration>) -> Option<Duration> {
        let look = self.halt.as_ref().map(|halt| self.start.elapsed() + halt.patience());
        [until, look].into_iter().flatten().min()
    }

    /// Waits until a wire is ready or the time has come, and handles every wire that is ready
    /// once, by a bounded amount.
    fn look(&mut self, until: Option<Duration>) {
        self.lines_since_look = 0;
        self.favoured = self.favoured.other();
        for seat in Seat::BOTH {
            self.links[seat].acknowledge();
        }
        let ready = self.wait(until);
        let start = self.start;
        let clock = || start.elapsed();
        for (seat, wire) in ready.into_iter().flatten() {
            let link = &mut self.links[seat];
            match wire {
                Wire::Input => link.read(&mut self.buffer, clock),
                Wire::Errors => _ = link.read_stderr(&mut self.buffer),
                Wire::Output => link.write(),
                Wire::Process => link.process_ended(clock()),
            }
        }
        for seat in Seat::BOTH {
            if self.links[seat].waits_until().is_some() {
                self.links[seat].time_passed(clock());
            }
        }
    }

    fn wait(&self, until: Option<Duration>) -> [Option<(Seat, Wire)>; SLOTS] {
        let mut slots: [Option<Slot<'_>>; SLOTS] = [None; SLOTS];
        let mut count = 0;
        let mut until = until;
        for seat in [self.favoured, self.favoured.other()] {
            let link = &self.links[seat];
            for wire in Wire::ALL {
                if let Some(descriptor) = link.interest(wire) {
                    slots[count] = Some(Slot { seat, wire, descriptor });
                    count += 1;
                }
            }
            until = [until, link.waits_until()].into_iter().flatten().min();
        }
        let timeout = until.map(|until| timespec(until.saturating_sub(self.start.elapsed())));
        poll_slots(&slots, count, timeout.as_ref())
    }
}

/// Waits for the slots and says which are ready, in their order. An interrupted wait is like one
/// in which nothing became ready.
fn poll_slots(
    slots: &[Option<Slot<'_>>; SLOTS],
    count: usize,
    timeout: Option<&Timespec>,
) -> [Option<(Seat, Wire)>; SLOTS] {
    let mut ready = [None; SLOTS];
    let Some(Some(filler)) = slots.first() else {
        let _ = rustix::event::poll(&mut [], timeout);
        return ready;
    };
    let mut polled: [PollFd<'_>; SLOTS] = std::array::from_fn(|index| {
        let slot = slots[index].as_ref().unwrap_or(filler);
        let flags = match slot.wire {
            Wire::Output => PollFlags::OUT,
            Wire::Input | Wire::Errors | Wire::Process => PollFlags::IN,
        };
        PollFd::from_borrowed_fd(slot.descriptor, flags)
    });
    if rustix::event::poll(&mut polled[..count], timeout).is_ok_and(|ready| ready > 0) {
        for index in 0..count {
            if !polled[index].revents().is_empty() {
                ready[index] = slots[index].map(|slot| (slot.seat, slot.wire));
            }
        }
    }
    ready
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}

impl World for RealWorld {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn send(&mut self, seat: Seat, item: &Item) {
        match item {
            Item::Line(line) => {
                self.links[seat].push(line, self.line_end_out, || self.start.elapsed());
                self.sent_last = Some(seat);
                self.has_queued = true;
            }
            Item::File { path, bytes } => self.links[seat].put_file(Due::Now, path, bytes),
        }
    }

    fn prepare(&mut self, seat: Seat, item: &Item) {
        if let Item::File { path, bytes } = item {
            self.links[seat].put_file(Due::Later, path, bytes);
        }
    }

    /// Only to the seat that is to answer; the other one can wait until the next call.
    fn flush(&mut self) {
        if let Some(asked) = self.sent_last {
            self.write(asked);
        }
    }

    fn next(&mut self, until: Option<Duration>) -> Wait {
        if self.is_stopped() {
            return Wait::Stopped;
        }
        self.write_and_look();
        loop {
            if self.lines_since_look >= LINES_PER_LOOK {
                self.look(Some(Duration::ZERO));
            }
            if let Some(incoming) = self.take_heard(until) {
                return Wait::Came(incoming);
            }
            match until {
                Some(until) if self.now() >= until => {
                    // Who closed its output in time is not late: it has left, and how will be known.
                    let ends = Seat::BOTH.map(|seat| self.links[seat].waits_for_end_of(until));
                    let Some(ends) = ends.into_iter().flatten().min() else {
                        return Wait::TimeUp;
                    };
                    self.look(Some(ends));
                }
                None if self.links.iter().all(|(_, link)| link.is_over()) => return Wait::Silent,
                _ => self.look(self.next_wake(until)),
            }
            if self.is_stopped() {
                return Wait::Stopped;
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.halt.as_ref().is_some_and(Halt::is_reached)
    }

    fn absence(&self, seat: Seat) -> Option<Absence> {
        self.links[seat].is_absent().then_some(Absence::Unstartable)
    }

    fn hang_up(&mut self, seat: Seat) {
        self.links[seat].hang_up();
    }

    fn cpu(&mut self, seat: Seat) -> Option<Duration> {
        self.links[seat].cpu()
    }

    fn counts(&mut self, seat: Seat) -> Option<Counts> {
        self.links[seat].counts()
    }

    fn referee_waited(&mut self) -> Duration {
        own_wait().unwrap_or_default()
    }

    fn wants_to_run(&mut self, seat: Seat) -> bool {
        self.links[seat].wants_to_run()
    }

    fn has_said(&mut self, seat: Seat) -> bool {
        self.look(Some(Duration::ZERO));
        self.links[seat].ready_at().is_some()
    }

    fn unprotected(&mut self, seat: Seat) -> Option<Unprotected> {
        self.links[seat].unprotected().cloned()
    }

    fn stderr(&mut self, seat: Seat) -> Capped {
        self.links[seat].drain_stderr(&mut self.buffer);
        self.links[seat].take_stderr()
    }

    fn meddling(&mut self, seat: Seat) -> Vec<String> {
        self.links[seat].take_meddling()
    }

    fn finish(&mut self) -> PerSeat<Departure> {
        self.write_all();
        let begun = self.now();
        let limits = PerSeat::from_fn(|seat| {
            self.links[seat].begin_leaving();
            begun + self.links[seat].leaving_time_max()
        });
        loop {
            let now = self.now();
            let mut until = None;
            for seat in Seat::BOTH {
                if !self.links[seat].has_left() && now < limits[seat] {
                    until = until.max(Some(limits[seat]));
                }
            }
            if until.is_none() {
                break;
            }
            self.look(until);
        }
        PerSeat::from_fn(|seat| self.links[seat].leave(&mut self.buffer))
    }
}
