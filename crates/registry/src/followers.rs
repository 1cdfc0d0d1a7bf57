//! What is written about a match while it is played, and the report at its end.

use quintain_core::scene::{Eye, Frame};
use quintain_core::{Digest, Fault, Outcome, PerSeat, Seat, Spectate, printable};
use quintain_record::{AnswerTimes, Disturbance};
use quintain_referee::{Departure, Follower, IntroductionLine, LateAnswer, Message, Step};
use quintain_replay::{Closing, Filmer, MatchLog, Reached, Writer};

use crate::entry::ListActions;
use crate::errors::{ErrorList, ErrorPlace};
use crate::question::{Asked, Asking};
use crate::tags::Tags;
use crate::{Decided, FilmHead, MatchReport, MatchSpec, Retold, Spectator};

/// Everyone who is told of a match: the replay, the log, the spectator, the report.
pub(crate) struct MatchFollowers<'a, G: Spectate> {
    writer: Option<Writer>,
    log: Option<Box<dyn MatchLog<G>>>,
    spectator: &'a mut dyn Spectator,
    names: PerSeat<String>,
    /// One for each eye of the spectator.
    filmers: Vec<Filmer<G>>,
    /// Others have played these turns: they are written down, and nobody here is charged with them.
    is_catching_up: bool,
    /// The last pictures of them, and who is to act.
    joined_at: Option<(Vec<Frame>, Vec<Asked<G>>)>,
    /// Lists the legal actions of a seat that is to act, where that can be done.
    actions: Option<ListActions<G>>,
    faults: Vec<(Seat, Fault)>,
    faults_in_last_step: usize,
    answers: PerSeat<AnswerTimes>,
    errors: ErrorList,
    disturbed: Vec<Disturbance>,
    /// The same as a replay keeps it: whose answer, and turns completed before the one that it was for.
    marked_disturbed: Vec<(Seat, u32)>,
    behind: PerSeat<Option<u32>>,
    last_stderr: PerSeat<String>,
    tags: Tags,
    /// Every position so far.
    content: Digest,
}

/// What is left of a match when it is over.
pub(crate) struct End {
    pub(crate) outcome: Outcome,
    pub(crate) standing: Option<PerSeat<i64>>,
    pub(crate) turns: u32,
    /// The fingerprint of all messages.
    pub(crate) messages: u64,
    pub(crate) left: PerSeat<Departure>,
    /// As the bots are called on the wire.
    pub(crate) wire_names: PerSeat<String>,
    pub(crate) introduction: Vec<IntroductionLine>,
    /// Whether the game goes on when a bot is gone.
    pub(crate) plays_on: bool,
}

impl<'a, G: Asking> MatchFollowers<'a, G> {
    pub(crate) fn new(
        writer: Option<Writer>,
        log: Option<Box<dyn MatchLog<G>>>,
        spectator: &'a mut dyn Spectator,
        names: PerSeat<String>,
        is_catching_up: bool,
        actions: Option<ListActions<G>>,
    ) -> Self {
        MatchFollowers {
            writer,
            log,
            filmers: filmers_of(spectator, &names),
            names,
            spectator,
            is_catching_up,
            joined_at: None,
            actions,
            faults: Vec::new(),
            faults_in_last_step: 0,
            answers: PerSeat::default(),
            errors: ErrorList::default(),
            disturbed: Vec::new(),
            marked_disturbed: Vec::new(),
            behind: PerSeat::default(),
            last_stderr: PerSeat::default(),
            tags: Tags::default(),
            content: Digest::new(),
        }
    }

    /// What follows is played here. Of what was played before only the last picture is shown.
    pub(crate) fn has_caught_up(&mut self, behind: PerSeat<Option<u32>>) {
        self.is_catching_up = false;
        self.behind = behind;
        if let Some((frames, asked)) = self.joined_at.take() {
            self.show(&frames, asked);
        }
    }

    fn show(&mut self, frames: &[Frame], asked: Vec<Asked<G>>) {
        for (filmer, frame) in self.filmers.iter().zip(frames) {
            self.spectator.frame(filmer.eye(), frame);
        }
        for question in asked {
            self.spectator.asked(Box::new(question));
        }
    }

    /// The seats that are to act and that somebody here answers for.
    fn asked(&self, game: &G) -> Vec<Asked<G>> {
        let is_asked =
            |seat: &Seat| game.to_act().contains(*seat) && self.spectator.answers_for(*seat);
        let (names, actions) = (&self.names, self.actions);
        let ask = |seat| Asked { game: game.clone(), seat, names: names.clone(), actions };
        Seat::BOTH.into_iter().filter(is_asked).map(ask).collect()
    }

    pub(crate) fn decided(&mut self, end: &Decided) {
        self.spectator.decided(end);
    }

    /// Counts what the report will tell of a step.
    fn count(&mut self, step: &Step<'_, G>) {
        let Step { game, record, events, .. } = *step;
        self.faults_in_last_step = 0;
        let place = ErrorPlace { turn_name: G::TURN_NAME, record };
        for (seat, fault) in record.faults() {
            self.faults.push((seat, fault));
            self.faults_in_last_step += 1;
            self.errors.add_fault(seat, &fault, &place);
        }
        for seat in Seat::BOTH {
            let mut refused = events.iter().filter(|event| G::refused(event) == Some(seat));
            let is_fatal = game.outcome().is_some_and(|outcome| outcome.is_disqualified(seat));
            // An answer counts once, whatever is wrong with it.
            if let Some(event) = if is_fatal { refused.next_back() } else { refused.next() } {
                let what = G::describe(event, &self.names);
                self.errors.add_refused(seat, &what, is_fatal, &place);
            }
        }
        for seat in Seat::BOTH {
            for what in &record.meddling[seat] {
                self.errors.add_meddling(seat, what, &place);
            }
            if let Some(timing) = record.answers[seat] {
                self.answers[seat].add(timing.wall);
            }
            if let Some(late) = record.late[seat] {
                self.disturbed.push(disturbance_of(seat, record.turn, late));
            }
            if record.disturbed[seat] {
                self.marked_disturbed.push((seat, record.turn));
            }
            keep_stderr(&mut self.last_stderr[seat], &record.stderr[seat].text);
            self.tags.hear(seat, &record.stderr[seat]);
        }
    }

    /// What was written of a match that has no end can be read as far as it goes.
    pub(crate) fn break_off(self) {
        if let Some(writer) = self.writer {
            writer.break_off();
        }
    }

    /// What a replay has told.
    pub(crate) fn retold(self, reached: Reached) -> Retold {
        let content = reached.outcome.as_ref().map(|outcome| content_of(self.content, outcome));
        let (errors, disturbed) = (self.errors.into_vec(), self.marked_disturbed);
        Retold { reached, content, errors, disturbed }
    }

    /// Closes what was written, and says what is known of the match.
    pub(crate) fn report(mut self, spec: &MatchSpec, end: End) -> MatchReport {
        let End { outcome, standing, turns, plays_on, .. } = end;
        let names = self.names.clone();
        let last = self.faults.len() - self.faults_in_last_step;
        let (turn_name, faults) = (G::TURN_NAME, &self.faults[last..]);
        let closing = Closing {
            names: &names,
            outcome: &outcome,
            standing,
            turns,
            turn_name,
            faults,
            plays_on,
        };
        let closing = closing.to_string();
        if plays_on {
            keep_first_of_lasting(&mut self.faults);
        }
        for (seat, departure) in end.left.iter() {
            keep_stderr(&mut self.last_stderr[seat], &departure.stderr.text);
            self.tags.hear(seat, &departure.stderr);
        }
        let log_end = self.log.map(|mut log| log.finish(Some(&outcome)));
        let (remarks, match_log_error) = match log_end {
            Some(log_end) => (Some(log_end.remarks), log_end.error),
            None => (None, None),
        };
        let content = content_of(self.content, &outcome);
        let written = self
            .writer
            .map(|writer| writer.finish(&outcome, turns, end.messages, &end.left))
            .transpose();
        let (replay_digest, replay_error) = match written {
            Ok(digest) => (digest, None),
            Err(error) => (None, Some(error)),
        };
        MatchReport {
            names,
            wire_names: end.wire_names,
            introduction: end.introduction,
            outcome,
            turns,
            seed: spec.seed,
            closing,
            faults: self.faults,
            answers: self.answers,
            errors: self.errors.into_vec(),
            disturbed: self.disturbed,
            unprotected: end.left.as_ref().map(|_, departure| departure.unprotected.clone()),
            behind: self.behind,
            replay: spec.replay.clone(),
            sandbox: spec.sandbox.clone(),
            replay_digest,
            replay_error,
            last_stderr: self.last_stderr,
            remarks,
            match_log_error,
            tags: self.tags.finish(),
            content,
        }
    }
}

impl<G: Asking> Follower<G> for MatchFollowers<'_, G> {
    fn begin(&mut self, game: &G, _said: &[Message]) {
        self.content.i64(game.fingerprint().cast_signed());
        if self.spectator.wants_frames() {
            self.spectator.begin(&FilmHead {
                title: G::TITLE,
                turn_name: G::TURN_NAME,
                names: self.names.clone(),
                stage: game.stage(),
                turn_ms: G::TURN_MS,
            });
            let frames: Vec<Frame> =
                self.filmers.iter_mut().map(|filmer| filmer.first_frame(game)).collect();
            let asked = self.asked(game);
            self.show(&frames, asked);
        }
        self.spectator.start();
    }

    fn step(&mut self, step: &Step<'_, G>) {
        let fingerprint = step.game.fingerprint();
        if let Some(writer) = &mut self.writer {
            writer.played(step.record, fingerprint);
        }
        if let Some(log) = &mut self.log {
            log.step(step);
        }
        if !self.is_catching_up {
            self.content.i64(fingerprint.cast_signed());
            self.count(step);
        }
        if self.spectator.wants_frames() {
            let frames: Vec<Frame> =
                self.filmers.iter_mut().map(|filmer| filmer.frame_after(step)).collect();
            let asked = self.asked(step.game);
            if self.is_catching_up {
                self.joined_at = Some((frames, asked));
            } else {
                self.show(&frames, asked);
            }
        }
    }

    fn idle(&mut self) {
        if let Some(writer) = &mut self.writer {
            Follower::<G>::idle(writer);
        }
    }
}

fn filmers_of<G: Spectate>(spectator: &dyn Spectator, names: &PerSeat<String>) -> Vec<Filmer<G>> {
    let eyes: Vec<Eye> = if spectator.wants_frames() { spectator.eyes() } else { Vec::new() };
    eyes.into_iter().map(|eye| Filmer::new(eye, names.clone())).collect()
}

/// A late answer that was the machine's fault, in the first attempt at a match: others are told which it was.
fn disturbance_of(seat: Seat, turn: u32, late: LateAnswer) -> Disturbance {
    Disturbance {
        attempt: 1,
        seat,
        turn,
        limit: late.limit,
        wall: late.wall,
        cpu: Some(late.cpu),
        waited: Some(late.waited()),
        replay: None,
    }
}

/// The positions of a match and how it was judged. What bots say beside their moves is no part of it: many
/// print how long they thought.
fn content_of(mut positions: Digest, outcome: &Outcome) -> u64 {
    for seat in Seat::BOTH {
        positions.u8(outcome.verdicts[seat] as u8).i64(outcome.scores[seat]);
    }
    positions.text(outcome.reason);
    positions.finish()
}

/// A bot that is gone is missing in every round to the end; once is enough in a report.
fn keep_first_of_lasting(faults: &mut Vec<(Seat, Fault)>) {
    let mut is_gone = PerSeat([false; 2]);
    faults.retain(|(seat, fault)| {
        let is_repeated = fault.is_lasting() && is_gone[*seat];
        is_gone[*seat] |= fault.is_lasting();
        !is_repeated
    });
}

fn keep_stderr(kept: &mut String, text: &str) {
    if !text.trim().is_empty() {
        *kept = text.lines().map(|line| format!("{}\n", printable(line))).collect();
    }
}
