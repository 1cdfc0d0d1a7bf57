//! A recorded match as a conversation: what a seat was told, what it answered, and what another bot
//! answers in its place.

use std::ops::Range;
use std::time::Duration;

use quintain_core::{
    Fault, FieldError, Item, Manner, PerSeat, Protocol, Seat, Seats, Spectate, Spoken, printable,
};
use quintain_referee::{Meeting, SimWorld, World, meet};
use quintain_replay::{RecordedStep, Recording, ReplayError, RerunError, Tail, open_table};

use crate::answer_reader::{Answer, Meaning};
use crate::feeder::{FeedLimit, Feeder, Question};

/// Who lives through a recorded match, and how far.
#[derive(Clone, Debug)]
pub struct FeedSpec {
    pub seat: Seat,
    /// The last turn, counted from 1; `None` goes on to the end.
    pub turn: Option<u32>,
    /// How the bot is told the state, in games that have a choice.
    pub manner: Manner,
    /// How long it may take to become ready.
    pub start_limit: Option<Duration>,
}

/// One question to a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// Counted from 1, as replays are shown.
    pub turn: u32,
    /// Everything since the question before.
    pub told: Vec<Item>,
    /// The time that the answer has, before any scaling.
    pub limit: Duration,
    pub recorded: Answered,
    /// What the bot that was fed says.
    pub given: Option<Answered>,
    /// Whether both answers mean the same.
    pub is_same: bool,
    /// What happened in the step, in words.
    pub notes: Vec<String>,
    /// That one of the notes which says that the rules refused the seat's answer.
    pub refusal: Option<String>,
}

/// What a seat said when it was asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// Lines without meaning included.
    pub lines: Vec<String>,
    /// Those of the lines that meant nothing.
    pub ignored: Vec<String>,
    /// Lines that came while nobody asked.
    pub early: Vec<String>,
    /// Why there is no answer, or why it is none.
    pub fault: Option<Fault>,
    pub wall: Option<Duration>,
    /// What it wrote to its error output.
    pub stderr: String,
}

#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    #[error(transparent)]
    Rerun(#[from] RerunError),
    #[error(transparent)]
    Read(#[from] ReplayError),
    #[error(transparent)]
    NoTurn(FieldError),
    #[error("in turn {turn} the {seat} seat was not asked; {near}")]
    NotAsked { turn: u32, seat: &'static str, near: String },
    #[error("the bot {0}")]
    Absent(Fault),
    #[error("it was stopped before the bot was ready")]
    Stopped,
}

impl FeedError {
    pub(crate) fn no_turn(turn: u32, last: u32, why: &str) -> FeedError {
        FeedError::NoTurn(FieldError::new("turn", format!("a turn from 1 to {last}{why}"), turn))
    }
}

/// Why the last recorded turn is the last one that can be looked at, if the match was not over.
pub(crate) fn why_last(tail: &Tail) -> String {
    match tail {
        Tail { end: Some(_), .. } => String::new(),
        Tail { damage: Some(_), .. } => ", since the rest of the replay is damaged".to_owned(),
        Tail { cut: Some(_), .. } => ", since the replay was cut off there".to_owned(),
        _ => ", since the match was not finished".to_owned(),
    }
}

/// Gives every question to a seat, with the answers that are recorded. Returns the last recorded turn.
pub(crate) fn transcript<G: Spectate + Spoken>(
    recording: &mut dyn Recording,
    seat: Seat,
    take: &mut dyn FnMut(Exchange),
) -> Result<u32, RerunError> {
    unfed::<G, _>(recording, |recording, feeder| follow(recording, feeder, seat, None, take))
}

/// Gives the questions to both seats in some steps, counted from 0, with the answers that are recorded. What
/// follows these steps is not looked at.
pub(crate) fn exchanges<G: Spectate + Spoken>(
    recording: &mut dyn Recording,
    steps: Range<usize>,
    take: &mut dyn FnMut(PerSeat<Option<Exchange>>),
) -> Result<(), RerunError> {
    let names = recording.header().shown_names();
    unfed::<G, _>(recording, |recording, mut feeder| {
        let mut chance = G::chance(recording.header().seed);
        for index in 0..steps.end {
            let Some(step) = recording.next_step()? else { break };
            let heard = feeder.hear(&step, index)?;
            let asked = PerSeat::from_fn(|seat| feeder.question(seat));
            let mut asked =
                asked.map(|seat, question| Some(recorded_exchange(question?, seat, &step)));
            feeder.finish(&heard, index, &mut *chance)?;
            if steps.contains(&index) {
                for seat in Seat::BOTH {
                    if let Some(exchange) = &mut asked[seat] {
                        tell_outcome::<G>(exchange, seat, feeder.table.events(), &names);
                    }
                }
                take(asked);
            }
        }
        Ok(())
    })
}

/// Goes through a recorded match in which nobody is fed.
fn unfed<G: Spectate + Spoken, T>(
    recording: &mut dyn Recording,
    go: impl FnOnce(&mut dyn Recording, Feeder<'_, G>) -> Result<T, RerunError>,
) -> Result<T, RerunError> {
    let header = recording.header().clone();
    let opening = header.opening();
    let mut table = open_table::<G>(&header, &opening).map_err(RerunError::Header)?;
    let (mut nobody, mut unwatched) = (SimWorld::empty(), |_, _| {});
    let feed_limits = PerSeat::default();
    let feeder =
        Feeder::new(&mut table, &header, &opening, feed_limits, &mut nobody, &mut unwatched);
    go(recording, feeder)
}

/// Lets the bot in `world` live through the match; `waiting` is told when it lets us wait, `take` is
/// given every question with its answers. Nothing of them is kept here.
pub(crate) fn feed<G: Spectate + Spoken>(
    recording: &mut dyn Recording,
    spec: &FeedSpec,
    world: &mut dyn World,
    waiting: &mut dyn FnMut(u32),
    take: &mut dyn FnMut(Exchange),
) -> Result<(), FeedError> {
    let header = &recording.header().clone();
    // Nobody is asked anything before it is certain that the replay holds.
    let mut asked = Vec::new();
    let note = &mut |exchange: Exchange| asked.push(exchange.turn);
    let last = transcript::<G>(recording, spec.seat, note)?;
    check_turn(recording.tail(), last, spec, &asked)?;
    recording.rewind()?;
    let mut opening = header.opening();
    let mut meeting = Meeting::opened(opening.clone());
    if let Some(mut lobby) = G::Protocol::lobby(None) {
        let (names, outside) = (&header.names, Seats::only(spec.seat));
        let met = meet(&mut *lobby, names, outside, world, PerSeat([spec.start_limit; 2]));
        meeting = met.ok_or(FeedError::Stopped)?;
        opening.names = meeting.opening.names;
    }
    if let Some(fault) = meeting.absent[spec.seat] {
        return Err(FeedError::Absent(fault));
    }
    if G::Protocol::HAS_FILES {
        opening.manners[spec.seat] = spec.manner;
    }
    let mut table = open_table::<G>(header, &opening).map_err(RerunError::Header)?;
    let mut feed_limits = PerSeat::default();
    feed_limits[spec.seat] = Some(FeedLimit::default());
    let mut nudge = |_, turn| waiting(turn);
    let feeder = Feeder::new(&mut table, header, &opening, feed_limits, world, &mut nudge);
    follow(recording, feeder, spec.seat, spec.turn, take)?;
    Ok(())
}

/// `asked` are the turns in which the seat was asked.
fn check_turn(tail: &Tail, last: u32, spec: &FeedSpec, asked: &[u32]) -> Result<(), FeedError> {
    let Some(turn) = spec.turn else {
        return Ok(());
    };
    if turn == 0 || turn > last {
        return Err(FeedError::no_turn(turn, last, &why_last(tail)));
    }
    if asked.contains(&turn) {
        return Ok(());
    }
    let before = asked.iter().rfind(|&&t| t < turn);
    let after = asked.iter().find(|&&t| t > turn);
    let near: Vec<String> = [before, after].into_iter().flatten().map(|t| t.to_string()).collect();
    let near = match near.len() {
        0 => "it never was".to_owned(),
        _ => format!("the nearest turns in which it was: {}", near.join(", ")),
    };
    Err(FeedError::NotAsked { turn, seat: spec.seat.name(), near })
}

/// Gives the questions to a seat up to the first one of `until`, or while its bot is there. Returns the
/// turn of the last step that was read.
fn follow<G: Spectate + Spoken>(
    recording: &mut dyn Recording,
    mut feeder: Feeder<'_, G>,
    seat: Seat,
    until: Option<u32>,
    take: &mut dyn FnMut(Exchange),
) -> Result<u32, RerunError> {
    let names = recording.header().shown_names();
    let (mut index, mut last) = (0, 0);
    let mut chance = G::chance(recording.header().seed);
    while let Some(step) = recording.next_step()? {
        let heard = feeder.hear(&step, index)?;
        last = step.record.turn.saturating_add(1);
        let question = feeder.question(seat);
        // What the other one was told interests nobody.
        let _ = feeder.question(seat.other());
        let mut exchange = question.map(|question| recorded_exchange(question, seat, &step));
        if let Some(given) = exchange.as_mut().and_then(|exchange| exchange.given.as_mut()) {
            given.stderr = feeder.stderr(seat);
        }
        let is_last = |asked: &mut Exchange| until == Some(asked.turn) || !feeder.is_there(seat);
        if let Some(asked) = exchange.take_if(is_last) {
            take(asked);
            return Ok(last);
        }
        feeder.finish(&heard, index, &mut *chance)?;
        index += 1;
        if let Some(mut exchange) = exchange {
            tell_outcome::<G>(&mut exchange, seat, feeder.table.events(), &names);
            take(exchange);
        }
    }
    Ok(last)
}

/// What the rules made of the step.
fn tell_outcome<G: Spectate>(
    exchange: &mut Exchange,
    seat: Seat,
    events: &[G::Event],
    names: &PerSeat<String>,
) {
    let words = |event| printable(&G::describe(event, names)).into_owned();
    let notes = events.iter().map(words);
    exchange.notes = notes.filter(|note| !note.is_empty()).collect();
    exchange.refusal = events.iter().find(|event| G::refused(event) == Some(seat)).map(words);
}

fn recorded_exchange<A: PartialEq>(
    question: Question<A>,
    seat: Seat,
    step: &RecordedStep,
) -> Exchange {
    let is_same = match (&question.recorded, &question.given) {
        (Some(recorded), Some(given)) => match (&recorded.meaning, &given.meaning) {
            (Meaning::Action(recorded), Meaning::Action(given)) => recorded == given,
            (Meaning::Malformed(_), Meaning::Malformed(_)) => recorded.lines == given.lines,
            _ => false,
        },
        _ => false,
    };
    let mut recorded = question.recorded.map_or_else(Answered::default, said);
    recorded.early = question.early;
    recorded.stderr.clone_from(&step.record.stderr[seat].text);
    Exchange {
        turn: question.turn,
        told: question.told,
        limit: question.limit,
        recorded,
        given: question.given.map(said),
        is_same,
        notes: Vec::new(),
        refusal: None,
    }
}

fn said<A>(answer: Answer<A>) -> Answered {
    Answered {
        lines: answer.lines,
        ignored: answer.ignored,
        fault: match answer.meaning {
            Meaning::Action(_) => None,
            Meaning::Malformed(error) => Some(Fault::Malformed(error)),
            Meaning::Missing(fault) => Some(fault),
        },
        wall: answer.wall,
        ..Answered::default()
    }
}
