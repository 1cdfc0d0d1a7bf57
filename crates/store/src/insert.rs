//! A game into its rows.

use quintain_core::{ErrorKinds, PerSeat, Seat, Verdict};
use sqlx::AnyConnection;

use crate::game::{Ending, Game, microseconds};
use crate::statement::{Statement, Value, bind};
use crate::{RunId, StoreError};

/// Rows of one statement; the engines allow some ten thousand values.
const ROWS_MAX: usize = 200;

/// With the result of the pair's other game, if that is there and neither is void.
const INSERT_GAME: &str = "INSERT INTO games (run, number, round, pairing, seed_index, swapped, \
    seed, first_bot, second_bot, result, first_verdict, second_verdict, first_score, \
    second_score, reason, turns, first_fault, second_fault, disturbed, replay, duration_us, \
    first_answers, first_worst_us, first_mean_us, second_answers, second_worst_us, \
    second_mean_us, finished_ms, content, replay_digest, twin_result) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, \
    $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, \
    CASE WHEN $10 IS NULL THEN NULL ELSE (SELECT twin.result FROM games AS twin \
        WHERE twin.run = $1 AND twin.round = $3 AND twin.pairing = $4 AND twin.swapped = 1 - $6 \
        AND twin.seed_index = $5) END) \
    ON CONFLICT (run, round, pairing, swapped, seed_index) DO NOTHING";

/// Refuses what no run can have played.
pub(crate) fn check(game: &Game, bots: usize) -> Result<(), StoreError> {
    let places = game.summary.bots;
    let refuse =
        |expected: String, got: String| Err(StoreError::Invalid { what: "game", expected, got });
    if let Some((_, place)) = places.iter().find(|(_, place)| **place as usize >= bots) {
        return refuse(format!("bots from 0 to {}", bots.saturating_sub(1)), place.to_string());
    }
    if places[Seat::First] == places[Seat::Second] {
        return refuse("two different bots".to_owned(), format!("{} twice", places[Seat::First]));
    }
    let mut kinds = std::collections::BTreeSet::new();
    match game.faults.iter().find(|fault| !kinds.insert((fault.seat, fault.kind))) {
        Some(fault) => refuse(
            "each kind of error of a seat once, with its count".to_owned(),
            format!("`{}` twice", fault.kind.code()),
        ),
        None => Ok(()),
    }
}

/// Inserts a game; `false` if there is one of its identity, which then stays as it is.
pub(crate) async fn insert(
    connection: &mut AnyConnection,
    run: RunId,
    number: i64,
    game: &Game,
) -> Result<bool, sqlx::Error> {
    let values = game_values(run, number, game);
    let inserted = bind(sqlx::query(INSERT_GAME), values).execute(&mut *connection).await?;
    if inserted.rows_affected() == 0 {
        return Ok(false);
    }
    let into = "INSERT INTO faults (run, number, position, bot, kind, times, text, void) VALUES ";
    insert_rows(connection, into, fault_rows(run, number, game)).await?;
    let into = "INSERT INTO disturbances (run, number, position, attempt, bot, turn, limit_us, \
        wall_us, cpu_us, waited_us, replay) VALUES ";
    insert_rows(connection, into, disturbance_rows(run, number, game)).await?;
    let into =
        "INSERT INTO tags (run, number, position, name, player, turn, value, amount) VALUES ";
    insert_rows(connection, into, tag_rows(run, number, game)).await?;
    Ok(true)
}

fn game_values(run: RunId, number: i64, game: &Game) -> Vec<Value> {
    let summary = &game.summary;
    let identity = &summary.identity;
    let (verdicts, scores) = match &summary.ending {
        Ending::Scored { verdicts, scores, .. } => {
            (verdicts.map(|_, verdict| Some(verdict)), scores.map(|_, score| Some(score)))
        }
        Ending::Void { .. } => (PerSeat([None; 2]), PerSeat([None; 2])),
    };
    let verdict = |seat: Seat| Value::from(verdicts[seat].map(Verdict::code));
    let fault = |seat: Seat| {
        let own = game.faults.iter().filter(|fault| fault.seat == seat);
        let kinds: ErrorKinds = own.map(|fault| fault.kind).collect();
        Value::from((!kinds.is_empty()).then(|| kinds.to_string()).as_deref())
    };
    let mut values: Vec<Value> = vec![
        run.0.into(),
        number.into(),
        identity.round.into(),
        identity.pairing.into(),
        identity.seed_index.into(),
        identity.swapped.into(),
        summary.seed.into(),
        summary.bots[Seat::First].into(),
        summary.bots[Seat::Second].into(),
        summary.ending.result().into(),
        verdict(Seat::First),
        verdict(Seat::Second),
        scores[Seat::First].into(),
        scores[Seat::Second].into(),
        summary.ending.reason().into(),
        summary.turns.into(),
        fault(Seat::First),
        fault(Seat::Second),
        (game.disturbances.len() as i64).into(),
        summary.replay.as_deref().into(),
        microseconds(summary.duration).into(),
    ];
    for (_, answers) in summary.answers.iter() {
        let spans = [answers.worst, answers.mean].map(|span| microseconds(span).into());
        values.push(answers.count.into());
        values.extend(spans);
    }
    values.push(summary.finished_ms.into());
    values.push(summary.content.map(u64::cast_signed).into());
    values.push(summary.replay_digest.as_deref().into());
    values
}

fn fault_rows(run: RunId, number: i64, game: &Game) -> Vec<Vec<Value>> {
    let is_void = game.summary.ending.is_void();
    let rows = game.faults.iter().zip(0_i64..).map(|(fault, position)| {
        vec![
            run.0.into(),
            number.into(),
            position.into(),
            game.summary.bots[fault.seat].into(),
            fault.kind.code().into(),
            fault.times.into(),
            fault.text.as_str().into(),
            is_void.into(),
        ]
    });
    rows.collect()
}

fn disturbance_rows(run: RunId, number: i64, game: &Game) -> Vec<Vec<Value>> {
    let rows = game.disturbances.iter().zip(0_i64..).map(|(disturbance, position)| {
        vec![
            run.0.into(),
            number.into(),
            position.into(),
            disturbance.attempt.into(),
            game.summary.bots[disturbance.seat].into(),
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

fn tag_rows(run: RunId, number: i64, game: &Game) -> Vec<Vec<Value>> {
    let rows = game.tags.iter().zip(0_i64..).map(|(tag, position)| {
        let amount = tag.value.parse().ok().filter(|amount: &f64| amount.is_finite());
        vec![
            run.0.into(),
            number.into(),
            position.into(),
            tag.name.as_str().into(),
            tag.seat.map(|seat| game.summary.bots[seat]).into(),
            tag.turn.into(),
            tag.value.as_str().into(),
            amount.into(),
        ]
    });
    rows.collect()
}

async fn insert_rows(
    connection: &mut AnyConnection,
    into: &'static str,
    mut rows: Vec<Vec<Value>>,
) -> Result<(), sqlx::Error> {
    while !rows.is_empty() {
        let rest = rows.split_off(rows.len().min(ROWS_MAX));
        let mut statement = Statement::new(into);
        for (index, row) in rows.into_iter().enumerate() {
            statement.sql(if index == 0 { "" } else { ", " }).row(row);
        }
        statement.query().execute(&mut *connection).await?;
        rows = rest;
    }
    Ok(())
}
