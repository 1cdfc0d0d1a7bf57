//! The match-log folder of the original Entelect runners, and what their referee remarks.
//!
//! Written while a match is played or from its replay, by the same code: both give it positions,
//! steps and events.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use quintain_core::entelect::{NO_COMMAND, Rendering as _, RunnerLog, command_in};
use quintain_core::{Fault, Game, Manner, Outcome, PerSeat, Seat};
use quintain_referee::{Follower, Input, Message, Step, StepRecord};

use crate::drawing::is_drawing;
use crate::format::{Header, micros};
use crate::match_log_files::LogFolder;

/// Follows a match and writes its log.
pub trait MatchLog<G: Game>: Follower<G> {
    /// Writes what is known at the end.
    fn finish(&mut self, outcome: Option<&Outcome>) -> MatchLogEnd;
}

/// What is left to say when a log is complete.
#[derive(Debug, Default)]
pub struct MatchLogEnd {
    /// What the runner's referee remarks. If there is anything, the match is to be verified by a
    /// person, as the runners have it.
    pub remarks: Vec<String>,
    /// What kept the log from being complete.
    pub error: Option<io::Error>,
}

/// Opens a log. Without a folder only the remarks are collected.
///
/// # Errors
/// The folder cannot be made, or holds something already: two matches would be mixed.
pub fn open_match_log<G: RunnerLog>(
    header: &Header,
    folder: Option<&Path>,
    start: &G,
) -> io::Result<Box<dyn MatchLog<G>>> {
    let names = player_names(&header.bots);
    let folder = match folder {
        Some(folder) => Some(LogFolder::create(folder, &names, header.started_ms)?),
        None => None,
    };
    Ok(Box::new(Log::<G> {
        names,
        manners: header.manners,
        seed: header.seed,
        limit_scale: header.clock.map(|_, is_timed| is_timed.then_some(header.time_scale)),
        folder,
        before: start.clone(),
        is_first: true,
        last_stderr: PerSeat::default(),
        offences: PerSeat::default(),
        remarks: Vec::new(),
    }))
}

/// Checks that a log can be written to a folder, before a match is played for it.
///
/// # Errors
/// As [`open_match_log`].
pub fn check_match_log_folder(folder: &Path) -> io::Result<()> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(io::Error::other(format!(
            "expected a new or empty folder for the match log, found files in {}",
            folder.display()
        ))),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io::Error::new(
            error.kind(),
            format!("cannot write a match log to {}: {error}", folder.display()),
        )),
        _ => Ok(()),
    }
}

/// `A - nick` and `B - nick`, as folders can be called.
fn player_names(labels: &PerSeat<String>) -> PerSeat<String> {
    labels.as_ref().map(|seat, label| {
        let letter = if seat == Seat::First { 'A' } else { 'B' };
        let label = label.replace(|c: char| c == '/' || c.is_control(), "_");
        format!("{letter} - {label}")
    })
}

struct Log<G: RunnerLog> {
    names: PerSeat<String>,
    manners: PerSeat<Manner>,
    seed: i64,
    /// `None` for a seat without a clock.
    limit_scale: PerSeat<Option<f64>>,
    folder: Option<LogFolder>,
    before: G,
    is_first: bool,
    /// The last line of error output that counts for a seat.
    last_stderr: PerSeat<Option<String>>,
    offences: PerSeat<Offences>,
    remarks: Vec<String>,
}

/// The last rounds in which a seat did what is remarked on when it happens twice in a row.
#[derive(Clone, Copy, Default)]
struct Offences {
    timeout: Option<u32>,
    exception: Option<u32>,
}

/// What a seat did in a round.
struct Deed<'a> {
    command: &'a str,
    time: Duration,
    is_timeout: bool,
    exception: Option<String>,
}

impl<G: RunnerLog> Follower<G> for Log<G> {
    /// It was opened with the start.
    fn begin(&mut self, _game: &G, _said: &[Message]) {}

    fn step(&mut self, step: &Step<'_, G>) {
        let Step { game: after, record, events, .. } = *step;
        let round = record.turn + 1;
        let deeds = PerSeat::from_fn(|seat| self.deed(seat, round, record));
        for (seat, deed) in deeds.iter() {
            self.judge(seat, round, deed);
        }
        after.remarks(&mut self.remarks);
        if self.folder.is_some() {
            self.write_round(round, record, &deeds, after, events);
        }
        self.before.clone_from(after);
        self.is_first = false;
    }

    fn idle(&mut self) {}
}

impl<G: RunnerLog> MatchLog<G> for Log<G> {
    fn finish(&mut self, outcome: Option<&Outcome>) -> MatchLogEnd {
        let remarks = std::mem::take(&mut self.remarks);
        let error = match (self.folder.take(), outcome) {
            (Some(mut folder), Some(outcome)) => {
                let text = self.end_text(outcome, &remarks);
                folder.put_in_round(self.before.turn(), "endGameState.txt", text.as_bytes());
                folder.finish()
            }
            (Some(folder), None) => folder.finish(),
            (None, _) => None,
        };
        MatchLogEnd { remarks, error }
    }
}

impl<G: RunnerLog> Log<G> {
    fn deed<'a>(&mut self, seat: Seat, round: u32, step: &'a StepRecord) -> Deed<'a> {
        let heard = step.inputs.iter().filter(|input| input.seat() == seat);
        let (mut command, mut fault) = (None, None);
        for input in heard {
            match input {
                Input::Line { line, asked: true, .. } if command.is_none() => {
                    let prefix = G::asked(&self.before.view(seat)).prefix;
                    command = command_in(self.manners[seat], round, prefix, line);
                }
                Input::Line { .. } => {}
                Input::Fault { fault: found, .. } => fault = Some(*found),
            }
        }
        let limit = self.limit_scale[seat].map(|scale| self.before.time_limit(seat).mul_f64(scale));
        // As a replay has it, so that its log is the same.
        let answered = step.answers[seat].map(|answer| Duration::from_micros(micros(answer.wall)));
        let is_late = fault == Some(Fault::Late);
        let time = match (answered, limit) {
            (Some(time), _) => time,
            (None, Some(limit)) if is_late => limit,
            _ => Duration::ZERO,
        };
        let is_timeout = is_late || limit.is_some_and(|limit| time >= limit);
        Deed {
            command: command.filter(|command| !command.is_empty()).unwrap_or(NO_COMMAND),
            time,
            is_timeout,
            exception: self.exception(seat, step),
        }
    }

    /// The last line that the bot wrote to its error output; in some games for the rest of the
    /// match. What it drew, which the original's bots could not, is no complaint.
    fn exception(&mut self, seat: Seat, step: &StepRecord) -> Option<String> {
        let text = &step.stderr[seat].text;
        let is_complaint = |line: &&str| !line.trim().is_empty() && !is_drawing(line);
        let last = text.lines().rev().find(is_complaint).map(str::to_owned);
        if last.is_some() || !G::STDERR_STICKS {
            self.last_stderr[seat] = last;
        }
        self.last_stderr[seat].clone()
    }

    /// Remarks on what happened in this round and in the one before.
    fn judge(&mut self, seat: Seat, round: u32, deed: &Deed<'_>) {
        let offences = &mut self.offences[seat];
        let checks = [
            ("timeouts", deed.is_timeout, &mut offences.timeout),
            ("exceptions", deed.exception.is_some(), &mut offences.exception),
        ];
        for (what, is_one, last) in checks {
            if !is_one {
                continue;
            }
            if let Some(before) = last.replace(round).filter(|before| before + 1 == round) {
                let subject = G::remark_subject(seat, &self.names[seat]);
                let remark =
                    format!("{subject} -> Consecutive {what} on rounds {before} and {round}");
                self.remarks.push(remark);
            }
        }
    }

    fn write_round(
        &mut self,
        round: u32,
        step: &StepRecord,
        deeds: &PerSeat<Deed<'_>>,
        after: &G,
        events: &[G::Event],
    ) {
        let Some(folder) = &mut self.folder else { return };
        let (mut bytes, mut console) = (Vec::new(), Vec::new());
        for (seat, deed) in deeds.iter() {
            let name = &self.names[seat];
            let (view, mut texts) = (self.before.view(seat), G::Texts::default());
            let mut shown = G::sheet(&view, &mut texts);
            let mut put = |file: &str, write: &mut dyn FnMut(&mut Vec<u8>)| {
                bytes.clear();
                write(&mut bytes);
                folder.put_in_round(round, &format!("{name}/{file}"), &bytes);
            };
            put("JsonMap.json", &mut |out| shown.json(out));
            put("TextMap.txt", &mut |out| shown.text(out));
            put("Console/Console.txt", &mut |out| shown.console(out));
            put("PlayerCommand.txt", &mut |out| {
                out.extend_from_slice(player_command(deed).as_bytes())
            });
            if seat == Seat::First {
                shown.console(&mut console);
            }
            folder.add_csv_line(seat, &self.before.csv(seat, self.is_first));
        }
        bytes.clear();
        G::global_state(&self.before, after, events, &mut bytes);
        folder.put_in_round(round, "GlobalState.json", &bytes);
        folder.log_round(round, &console, step, &self.names);
        for (seat, deed) in deeds.iter() {
            let (name, command) = (&self.names[seat], deed.command);
            folder.log("INFO", &format!("{name} -> command: {command}"));
        }
    }

    fn end_text(&self, outcome: &Outcome, remarks: &[String]) -> String {
        let winner = match outcome.winner() {
            Some(seat) => format!("The winner is: {}", self.names[seat]),
            None => "The game ended in a tie".to_owned(),
        };
        let mut text = format!("Match seed: {}\n\n{winner}\n\n", self.seed);
        for seat in Seat::BOTH {
            text += &self.before.end_line(seat, &self.names[seat]);
            text.push('\n');
        }
        if !remarks.is_empty() {
            let rule = "=".repeat(39);
            text += &format!("{rule}\nReferee messages\n{rule}\n");
            for remark in remarks {
                text += remark;
                text.push('\n');
            }
        }
        text
    }
}

fn player_command(deed: &Deed<'_>) -> String {
    let exception = deed.exception.as_deref().unwrap_or("null");
    let milliseconds = deed.time.as_millis();
    format!("Command: {}\nExecution time: {milliseconds}ms\nException: {exception}\n", deed.command)
}
