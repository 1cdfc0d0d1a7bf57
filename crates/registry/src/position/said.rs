//! What was played, said once more: a step of a position as its replay would have it.

use quintain_core::{Chance, Fault, Protocol as _, Replies, Reply, Seat, Spoken};
use quintain_referee::{Input, Recorder, StepRecord, Table, Timing};
use quintain_replay::RecordedStep;

use super::SaveError;

/// Says the replies of a step at a table, which hears and plays them, and writes them down.
pub(super) fn say_step<G: Spoken>(
    table: &mut Table<G>,
    replies: &Replies<G::Action>,
    luck: &mut dyn Chance,
) -> Result<RecordedStep, SaveError> {
    let mut record = StepRecord { turn: table.game.turn(), ..StepRecord::default() };
    for (seat, reply) in replies.iter() {
        match reply {
            None => {}
            Some(Reply::Fault(fault)) if !matches!(fault, Fault::Malformed(_)) => {
                let after = Some(table.game.time_limit(seat));
                table.fault(seat, *fault);
                record.inputs.push(Input::Fault { seat, fault: *fault, after });
            }
            Some(reply) => {
                for line in lines_of(table, seat, reply) {
                    let (asked, at) = (table.is_asked(seat), Default::default());
                    table.hear(seat, &line);
                    record.inputs.push(Input::Line { seat, asked, line, at });
                }
                record.answers[seat] = Some(Timing::default());
            }
        }
    }
    if !table.is_ready() {
        return Err(SaveError::Unsayable);
    }
    luck.begin_turn(table.game.turn());
    let mut recorder = Recorder::new(luck);
    table.step(&mut recorder);
    record.draws = recorder.draws;
    // They are counted when they are sent.
    table.send_messages(|_| {});
    Ok(RecordedStep { record, digest: table.game.fingerprint() })
}

fn lines_of<G: Spoken>(table: &Table<G>, seat: Seat, reply: &Reply<G::Action>) -> Vec<String> {
    match reply {
        Reply::Act(action) => table.protocol.say(&table.game.view(seat), action),
        Reply::Fault(Fault::Malformed(error)) => vec![error.got.as_str().to_owned()],
        Reply::Fault(_) => Vec::new(),
    }
}
