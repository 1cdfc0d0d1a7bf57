//! A game into its rows.

use std::time::Duration;

use quintain_core::{FaultCause, PerSeat, Seat, Verdict};
use quintain_record::{Ending, MatchRecord};
use sqlx::AnyConnection;

use crate::statement::{ROWS_MAX, Statement, Value, bind};
use crate::{RunId, StoreError};

/// With the result of the pair's other game, if that is there and neither is void.
const INSERT_GAME: &str = "INSERT INTO games (run, number, round, pairing, seed_index, swapped, \
    seed, first_bot, second_bot, result, first_verdict, second_verdict, first_score, \
    second_score, reason, turns, first_fault, second_fault, disturbed, replay, duration_us, \
    first_answers, first_worst_us, first_mean_us, second_answers, second_worst_us, \
    second_mean_us, finished_ms, content, replay_digest, sandbox, twin_result) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, \
    $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, \
    CASE WHEN $10 IS NULL THEN NULL ELSE (SELECT twin.result FROM games AS twin \
        WHERE twin.run = $1 AND twin.round = $3 AND twin.pairing = $4 AND twin.swapped = 1 - $6 \
        AND twin.seed_index = $5) END) \
    ON CONFLICT (run, round, pairing, swapped, seed_index) DO NOTHING";

/// Refuses what no run can have played.
pub(crate) fn check(record: &MatchRecord, bots: usize) -> Result<(), StoreError> {
    let places = record.head.bots;
    let refuse =
        |expected: String, got: String| Err(StoreError::Invalid { what: "game", expected, got });
    if let Some((_, place)) = places.iter().find(|(_, place)| place.index() >= bots) {
        return refuse(format!("bots from 0 to {}", bots.saturating_sub(1)), place.0.to_string());
    }
    if places[Seat::First] == places[Seat::Second] {
        return refuse("two different bots".to_owned(), format!("{} twice", places[Seat::First].0));
    }
    let mut kinds = std::collections::BTreeSet::new();
    match record.errors.iter().find(|fault| !kinds.insert((fault.seat, fault.kind))) {
        Some(fault) => refuse(
            "each kind of error of a seat once, with its count".to_owned(),
            format!("`{}` twice", fault.kind.code()),
        ),
        None => Ok(()),
    }
}

/// Whether [`insert`] is one statement for this game.
pub(crate) fn is_one_row(record: &MatchRecord) -> bool {
    let MatchRecord { head: _, errors, disturbances, tags } = record;
    errors.is_empty() && disturbances.is_empty() && tags.is_empty()
}

/// Inserts a game; `false` if there is one of its identity, which then stays as it is.
pub(crate) async fn insert(
    connection: &mut AnyConnection,
    run: RunId,
    number: i64,
    record: &MatchRecord,
) -> Result<bool, sqlx::Error> {
    let values = game_values(run, number, record);
    let inserted = bind(sqlx::query(INSERT_GAME), values).execute(&mut *connection).await?;
    if inserted.rows_affected() == 0 {
        return Ok(false);
    }
    let into =
        "INSERT INTO faults (run, number, position, bot, kind, times, text, void, cause) VALUES ";
    insert_rows(connection, into, fault_rows(run, number, record)).await?;
    let into = "INSERT INTO disturbances (run, number, position, attempt, bot, turn, limit_us, \
        wall_us, cpu_us, waited_us, replay) VALUES ";
    insert_rows(connection, into, disturbance_rows(run, number, record)).await?;
    let into =
        "INSERT INTO tags (run, number, position, name, player, turn, value, amount) VALUES ";
    insert_rows(connection, into, tag_rows(run, number, record)).await?;
    Ok(true)
}

fn game_values(run: RunId, number: i64, record: &MatchRecord) -> Vec<Value> {
    let head = &record.head;
    let (verdicts, scores) = match &head.ending {
        Ending::Scored(scored) => (
            scored.verdicts.map(|_, verdict| Some(verdict)),
            scored.scores.map(|_, score| Some(score)),
        ),
        Ending::Void(_) => (PerSeat([None; 2]), PerSeat([None; 2])),
    };
    let verdict = |seat: Seat| Value::from(verdicts[seat].map(Verdict::code));
    let kinds = record.error_kinds();
    let fault = |seat: Seat| {
        let kinds = kinds[seat];
        Value::from((!kinds.is_empty()).then(|| kinds.to_string()).as_deref())
    };
    let mut values: Vec<Value> = vec![
        run.0.into(),
        number.into(),
        head.id.round.into(),
        head.id.pairing.into(),
        head.id.seed_index.into(),
        head.id.swapped.into(),
        head.seed.into(),
        head.bots[Seat::First].into(),
        head.bots[Seat::Second].into(),
        result_of(&head.ending).into(),
        verdict(Seat::First),
        verdict(Seat::Second),
        scores[Seat::First].into(),
        scores[Seat::Second].into(),
        head.ending.reason().into(),
        head.turns.into(),
        fault(Seat::First),
        fault(Seat::Second),
        (record.disturbances.len() as i64).into(),
        head.replay.as_deref().into(),
        microseconds(head.duration).into(),
    ];
    for (_, answers) in head.answers.iter() {
        let spans = [answers.worst, answers.mean()].map(|span| microseconds(span).into());
        values.push(answers.count.into());
        values.extend(spans);
    }
    values.push(head.finished_ms.into());
    values.push(head.content.map(u64::cast_signed).into());
    values.push(head.replay_digest.as_deref().into());
    values.push(head.sandbox.as_deref().into());
    values
}

/// The column `result`: the first seat's half points, -1 if both lost.
fn result_of(ending: &Ending) -> Option<i64> {
    let Ending::Scored(scored) = ending else { return None };
    let rank = |seat| match scored.verdicts[seat] {
        Verdict::Win => 2,
        Verdict::Draw => 1,
        Verdict::Loss | Verdict::Disqualified => 0_i64,
    };
    Some(match (rank(Seat::First), rank(Seat::Second)) {
        (0, 0) => -1,
        (first, second) => 1 + (first - second).signum(),
    })
}

/// Microseconds as a column holds them; half a million years are enough.
pub(crate) fn microseconds(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

fn fault_rows(run: RunId, number: i64, record: &MatchRecord) -> Vec<Vec<Value>> {
    let is_void = record.head.ending.is_void();
    let rows = record.errors.iter().zip(0_i64..).map(|(fault, position)| {
        vec![
            run.0.into(),
            number.into(),
            position.into(),
            record.head.bots[fault.seat].into(),
            fault.kind.code().into(),
            fault.times.into(),
            fault.text.as_str().into(),
            is_void.into(),
            fault.cause.map(FaultCause::code).into(),
        ]
    });
    rows.collect()
}

fn disturbance_rows(run: RunId, number: i64, record: &MatchRecord) -> Vec<Vec<Value>> {
    let rows = record.disturbances.iter().zip(0_i64..).map(|(disturbance, position)| {
        vec![
            run.0.into(),
            number.into(),
            position.into(),
            disturbance.attempt.into(),
            record.head.bots[disturbance.seat].into(),
            disturbance.turn.into(),
            microseconds(disturbance.limit).into(),
            microseconds(disturbance.wall).into(),
            disturbance.cpu.map(microseconds).into(),
            disturbance.waited.map(microseconds).into(),
            disturbance.replay.as_deref().into(),
        ]
    });
    rows.collect()
}

fn tag_rows(run: RunId, number: i64, record: &MatchRecord) -> Vec<Vec<Value>> {
    let rows = record.tags.iter().zip(0_i64..).map(|(tag, position)| {
        let amount = tag.value.parse().ok().filter(|amount: &f64| amount.is_finite());
        vec![
            run.0.into(),
            number.into(),
            position.into(),
            tag.name.as_str().into(),
            tag.seat.map(|seat| record.head.bots[seat].0).into(),
            tag.turn.into(),
            tag.value.as_str().into(),
            amount.into(),
        ]
    });
    rows.collect()
}

pub(crate) async fn insert_rows(
    connection: &mut AnyConnection,
    into: &'static str,
    mut rows: Vec<Vec<Value>>,
) -> Result<(), sqlx::Error> {
    while !rows.is_empty() {
        let rest = rows.split_off(rows.len().min(ROWS_MAX));
        let mut statement = Statement::new(into);
        statement.rows(rows);
        statement.query().execute(&mut *connection).await?;
        rows = rest;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quintain_record::{Scored, VoidReason};

    use super::*;

    #[test]
    fn the_result_follows_the_ranks_and_tells_double_losses() {
        use Verdict::{Disqualified, Draw, Loss, Win};
        let result = |first, second| {
            let (verdicts, scores) = (PerSeat([first, second]), PerSeat([0, 0]));
            result_of(&Ending::Scored(Scored { verdicts, scores, reason: String::new() }))
        };
        assert_eq!(result(Win, Loss), Some(2));
        assert_eq!(result(Win, Disqualified), Some(2));
        assert_eq!(result(Disqualified, Win), Some(0));
        assert_eq!(result(Draw, Draw), Some(1));
        assert_eq!(result(Loss, Disqualified), Some(-1));
        assert_eq!(result_of(&Ending::Void(VoidReason::Aborted)), None);
    }
}
