//! What is written about a match while it is played, and the report at its end.

use quintain_core::scene::{Eye, Frame};
use quintain_core::{Digest, Fault, Outcome, PerSeat, Seat, Spectate, printable};
use quintain_record::{AnswerTimes, Disturbance};
use quintain_referee::{
    Departure, Entry as Heard, IntroductionLine, LateAnswer, Observer, StepRecord,
};
use quintain_replay::{Closing, Filmer, MatchLog, StepLine, Writer};

use crate::errors::{ErrorList, ErrorPlace};
use crate::tags::Tags;
use crate::{Audience, MatchReport, MatchSpec, Programme};

/// Everyone who writes about a match: the replay, the audience, the report.
pub(crate) struct MatchFollowers<'a, G: Spectate> {
    writer: Option<Writer>,
    log: Option<Box<dyn MatchLog<G>>>,
    pub(crate) audience: &'a mut dyn Audience,
    filmer: Filmer<G>,
    /// The last picture of the turns that others have played.
    joined_at: Option<Frame>,
    faults: Vec<(Seat, Fault)>,
    faults_in_last_step: usize,
    answers: PerSeat<AnswerTimes>,
    errors: ErrorList,
    disturbed: Vec<Disturbance>,
    behind: PerSeat<Option<u32>>,
    last_stderr: PerSeat<String>,
    tags: Tags,
    /// Every position so far.
    content: Digest,
}

/// What is left of a match when it is over.
pub(crate) struct End {
    pub(crate) outcome: Outcome,
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

impl<'a, G: Spectate> MatchFollowers<'a, G> {
    pub(crate) fn new(
        writer: Option<Writer>,
        log: Option<Box<dyn MatchLog<G>>>,
        audience: &'a mut dyn Audience,
        names: PerSeat<String>,
        game: &G,
    ) -> Self {
        let mut filmer = Filmer::new(Eye::All, names);
        let mut content = Digest::new();
        content.i64(game.fingerprint().cast_signed());
        if audience.wants_frames() {
            audience.begin(&Programme {
                title: G::TITLE,
                turn_name: G::TURN_NAME,
                names: filmer.names().clone(),
                stage: game.stage(),
            });
            audience.frame(&filmer.frame(game, &[]));
        }
        MatchFollowers {
            writer,
            log,
            audience,
            filmer,
            joined_at: None,
            faults: Vec::new(),
            faults_in_last_step: 0,
            answers: PerSeat::default(),
            errors: ErrorList::default(),
            disturbed: Vec::new(),
            behind: PerSeat::default(),
            last_stderr: PerSeat::default(),
            tags: Tags::default(),
            content,
        }
    }

    /// Writes about a step that others have played before. Only the last of its pictures is shown.
    pub(crate) fn recorded(&mut self, game: &G, step: &StepLine, events: &[G::Event]) {
        if let Some(writer) = &mut self.writer {
            writer.recorded(step);
        }
        if let Some(log) = &mut self.log {
            log.step(game, step, events);
        }
        if self.audience.wants_frames() {
            self.joined_at = Some(self.filmer.frame(game, events));
        }
    }

    pub(crate) fn has_caught_up(&mut self, behind: PerSeat<Option<u32>>) {
        self.behind = behind;
        if let Some(frame) = self.joined_at.take() {
            self.audience.frame(&frame);
        }
    }

    /// What was written of a match that has no end can be read as far as it goes.
    pub(crate) fn break_off(self) {
        if let Some(writer) = self.writer {
            writer.break_off();
        }
    }

    /// Closes what was written, and says what is known of the match.
    pub(crate) fn report(mut self, spec: &MatchSpec, end: End) -> MatchReport {
        let End { outcome, turns, plays_on, .. } = end;
        let names = self.filmer.names().clone();
        let last = self.faults.len() - self.faults_in_last_step;
        let (turn_name, faults) = (G::TURN_NAME, &self.faults[last..]);
        let closing =
            Closing { names: &names, outcome: &outcome, turns, turn_name, faults, plays_on }
                .to_string();
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

impl<G: Spectate> Observer<G> for MatchFollowers<'_, G> {
    fn step(&mut self, game: &G, record: &StepRecord, events: &[G::Event]) {
        let fingerprint = game.fingerprint();
        self.content.i64(fingerprint.cast_signed());
        if let Some(writer) = &mut self.writer {
            writer.played(record, fingerprint);
        }
        if let Some(log) = &mut self.log {
            // The digest is of no interest to a log.
            log.step(game, &StepLine::new(record, 0), events);
        }
        self.faults_in_last_step = 0;
        let place = ErrorPlace { turn_name: G::TURN_NAME, record };
        for entry in &record.entries {
            if let Heard::Fault { seat, fault, .. } = entry {
                self.faults.push((*seat, *fault));
                self.faults_in_last_step += 1;
                self.errors.add_fault(*seat, fault, &place);
            }
        }
        for seat in Seat::BOTH {
            let mut refused = events.iter().filter(|event| G::refused(event) == Some(seat));
            let is_fatal = game.outcome().is_some_and(|outcome| outcome.is_disqualified(seat));
            // An answer counts once, whatever is wrong with it.
            if let Some(event) = if is_fatal { refused.next_back() } else { refused.next() } {
                let what = G::describe(event, self.filmer.names());
                self.errors.add_refused(seat, &what, is_fatal, &place);
            }
        }
        for (seat, meddling) in record.meddling.iter() {
            for what in meddling {
                self.errors.add_meddling(seat, what, &place);
            }
        }
        for (seat, timing) in record.answers.iter() {
            if let Some(timing) = timing {
                self.answers[seat].add(timing.wall);
            }
        }
        for (seat, late) in record.disturbed.iter() {
            if let Some(late) = *late {
                self.disturbed.push(disturbance_of(seat, record.turn, late));
            }
        }
        for (seat, stderr) in record.stderr.iter() {
            keep_stderr(&mut self.last_stderr[seat], &stderr.text);
            self.tags.hear(seat, stderr);
        }
        if self.audience.wants_frames() {
            self.audience.frame(&self.filmer.frame(game, events));
        }
    }

    fn idle(&mut self) {
        if let Some(writer) = &mut self.writer {
            Observer::<G>::idle(writer);
        }
    }
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
