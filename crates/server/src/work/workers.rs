//! The calls of workers: `claim`, `beat` and `report`.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use quintain_arena::work::wire::{
    Beat, Claim, ClaimRequest, GoOn, Introduction, LeaseWords, Report, Reported, ReportedGame,
    Version,
};
use quintain_arena::work::{JobGame, Order, check_game};
use quintain_core::{Seat, Verdict};
use quintain_record::Ending;
use quintain_store::work::{
    Claimed, Held, Lease, NewResult, RefusalKind, Standing, Terms, Trouble,
};

use super::canaries::{Due, Handed, Session};
use super::limits::{
    BODY_BYTES_MAX, CLAIM_PAUSE, CLAIM_TIME_MAX, JOB_GAMES_MAX, LOG_CHARS_MAX, SESSION_CHARS_MAX,
    SLOTS_MAX, WORDS_BYTES_MAX,
};
use super::refusal::WorkRefusal;
use super::tallies::Task;
use super::token_owner::{Worker, parsed, read};
use super::trust::{judge, terms};
use super::{Work, on_a_thread};

type Answer = Result<Response, WorkRefusal>;
type Body = Result<Bytes, BytesRejection>;

/// Gives a worker a job. If there is none it is kept waiting for a while, and then told so.
pub(super) async fn claim(
    State(work): State<Arc<Work>>,
    Worker(name): Worker,
    body: Body,
) -> Answer {
    let body = body.map_err(|error| WorkRefusal::of_body(&error, WORDS_BYTES_MAX))?;
    let Introduction { version, slots } = parsed(&body)?;
    let (welcomed, slots) = (name.clone(), slots.min(SLOTS_MAX));
    let standing =
        on_a_thread(&work, move |work| welcome(work, &welcomed, &version, slots)).await?;
    let request: ClaimRequest = parsed(&body)?;
    let word = request.session.chars().take(SESSION_CHARS_MAX).collect();
    let session = Session { worker: name, word };
    let terms = terms(&standing, work.scale);
    let began = Instant::now();
    loop {
        let asked = work.jobs.notified();
        let session = session.clone();
        let claimed = on_a_thread(&work, move |work| {
            work.tallies.time(Task::Claim, || next(work, &session, slots, terms))
        });
        if let Some(claim) = claimed.await? {
            work.tallies.count_answer("claim", "given");
            return Ok(Json(claim).into_response());
        }
        if began.elapsed() >= CLAIM_TIME_MAX {
            work.tallies.count_answer("claim", "none");
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
        // Whether something was added or some time has passed, it is looked again.
        let _ = tokio::time::timeout(CLAIM_PAUSE, asked).await;
    }
}

/// Lets a worker in: what is known of its machine.
fn welcome(
    work: &Work,
    name: &str,
    version: &Version,
    slots: u32,
) -> Result<Standing, WorkRefusal> {
    let worker = work.board.note_worker(name, &version.quintain, slots)?;
    Version::own().check(version).map_err(|why| {
        refused(work, name, RefusalKind::Version, &why);
        WorkRefusal::Version(why)
    })?;
    match worker.quarantine {
        None => Ok(worker.standing),
        Some((_, why)) => {
            // What led there stays what was last said of it.
            work.board.note_refusal(name, RefusalKind::Quarantined, &shortened(&why))?;
            Err(WorkRefusal::quarantined(name, &why))
        }
    }
}

/// What a worker is given now, if there is something.
fn next(
    work: &Work,
    session: &Session,
    slots: u32,
    terms: Terms,
) -> Result<Option<Claim>, WorkRefusal> {
    let due = match work.has_canaries {
        true => work.canaries.due(session, slots),
        false => Due::Job,
    };
    match due {
        Due::Canary => work.canaries.hand_out(work, session).map(Some),
        Due::Nothing => Ok(None),
        Due::Job => {
            let claimed = work.board.claim(&session.worker, work.lease, terms)?;
            claimed.map(|claimed| claim_of(work, &session.worker, &claimed)).transpose()
        }
    }
}

fn claim_of(work: &Work, worker: &str, claimed: &Claimed) -> Result<Claim, WorkRefusal> {
    let (order, games) = read_claimed(claimed)?;
    Ok(Claim {
        lease: work.prover.words(worker, claimed.lease),
        order_id: claimed.order.0,
        order,
        games,
        beat_s: work.beat.as_secs().max(1),
        lease_s: work.lease.as_secs().max(1),
    })
}

/// What was written down when the job was handed in, for the speed of whoever has it.
fn read_claimed(claimed: &Claimed) -> Result<(Order, Vec<JobGame>), WorkRefusal> {
    let strange = |_| WorkRefusal::Away("the store holds a job that cannot be read".to_owned());
    let order: Order = serde_json::from_str(&claimed.order_body).map_err(strange)?;
    let games = claimed.games.iter().map(|game| serde_json::from_str(game));
    let games = games.collect::<Result<_, _>>().map_err(strange)?;
    Ok((order.for_machine(claimed.scale_milli as f64 / 1000.0), games))
}

pub(super) async fn beat(
    State(work): State<Arc<Work>>,
    Worker(name): Worker,
    body: Body,
) -> Answer {
    let Beat { lease } = read(body)?;
    on_a_thread(&work, move |work| {
        let lease = proven(work, &name, lease)?;
        if work.canaries.beat(&name, lease.job, work.lease) {
            return answer(work, &name, &Held::Yes);
        }
        let held = work.tallies.time(Task::Beat, || work.board.beat(&name, lease, work.lease))?;
        work.tallies.count_answer("beat", held.code());
        answer(work, &name, &held)
    })
    .await
}

/// A lease that was given to whoever speaks of it.
fn proven(work: &Work, name: &str, words: LeaseWords) -> Result<Lease, WorkRefusal> {
    work.prover.lease(name, words).ok_or_else(|| {
        let why = "this job was never given to this worker".to_owned();
        refused(work, name, RefusalKind::NeverClaimed, &why);
        WorkRefusal::Wrong(why)
    })
}

/// Takes what came of a job. Games are counted when all of them are proven.
pub(super) async fn report(
    State(work): State<Arc<Work>>,
    Worker(name): Worker,
    body: Body,
) -> Answer {
    let body = body.map_err(|error| WorkRefusal::of_body(&error, BODY_BYTES_MAX));
    on_a_thread(&work, move |work| {
        let report = body.and_then(|body| parsed::<Report>(&body));
        let report = report.inspect_err(|error| {
            let is_long = matches!(error, WorkRefusal::TooLong(_));
            let kind = if is_long { RefusalKind::TooLong } else { RefusalKind::Unreadable };
            refused(work, &name, kind, &error.to_string());
        })?;
        let lease = proven(work, &name, report.lease)?;
        if let Some(canary) = work.canaries.take(&name, lease.job) {
            return take_canary(work, &name, lease, canary, &report.what);
        }
        let (call, trouble) = match report.what {
            Reported::Played(games) => {
                let take = || take_games(work, &name, lease, &games);
                return work.tallies.time(Task::Report, take);
            }
            Reported::Failed { log } => ("fail", Trouble::Failed { log: shortened(&log) }),
            Reported::GivenBack => ("give-back", Trouble::GivenBack),
        };
        let held = work.board.take_back(&name, lease, &trouble)?;
        work.jobs.notify_waiters();
        work.tallies.count_answer(call, held.code());
        answer(work, &name, &held)
    })
    .await
}

fn take_canary(work: &Work, name: &str, lease: Lease, canary: Handed, what: &Reported) -> Answer {
    let taken = match what {
        Reported::Played(games) => canary.reported(work, lease.job, games),
        Reported::Failed { log } => {
            work.board.note_failure(name, &shortened(log)).map_err(WorkRefusal::from)
        }
        Reported::GivenBack => Ok(()),
    };
    work.canaries.let_go(lease.job);
    taken?;
    work.jobs.notify_waiters();
    answer(work, name, &Held::Yes)
}

fn take_games(work: &Work, name: &str, lease: Lease, games: &[ReportedGame]) -> Answer {
    let claimed = match work.board.claimed(name, lease, work.lease)? {
        Ok(claimed) => claimed,
        Err(held) => {
            work.tallies.count_answer("report", held.code());
            return answer(work, name, &held);
        }
    };
    let (order, expected) = read_claimed(&claimed)?;
    let checked = work.tallies.time(Task::Check, || check_games(&order, &expected, games));
    if let Err(why) = checked {
        work.tallies.count_answer("report", "wrong");
        // Somebody else may do better.
        let trouble = Trouble::Failed { log: format!("reported what does not verify: {why}") };
        work.board.take_back(name, lease, &trouble)?;
        work.jobs.notify_waiters();
        refused(work, name, RefusalKind::NotProven, &why);
        return Err(WorkRefusal::Wrong(why));
    }
    let results = games.iter().map(result_of).collect::<Result<Vec<_>, _>>()?;
    let replays = games.iter().map(|game| (game.record.head.id, game.replay.as_slice()));
    work.blobs.keep_replays(claimed.order, lease, replays)?;
    let held = work.board.complete(name, lease, &results)?;
    work.tallies.count_answer("report", held.code());
    if held == Held::Yes {
        work.tallies.count_games(games.len());
        work.results.notify_waiters();
        if results.iter().any(|result| result.is_disturbed) {
            judge(&work.board, name)?;
        }
    } else if held != Held::Before {
        // They are not counted.
        work.blobs.forget_replays(claimed.order, lease);
    }
    answer(work, name, &held)
}

/// The games that were claimed, all of them, each proven by its replay.
pub(super) fn check_games(
    order: &Order,
    expected: &[JobGame],
    games: &[ReportedGame],
) -> Result<(), String> {
    if games.len() > JOB_GAMES_MAX || games.len() != expected.len() {
        return Err(format!("expected {} games, found {}", expected.len(), games.len()));
    }
    for wanted in expected {
        let mut found = games.iter().filter(|game| game.record.head.id == wanted.id);
        let game = found.next().ok_or_else(|| format!("game {} is missing", wanted.id))?;
        check_game(order, wanted, game).map_err(|why| format!("game {}: {why}", wanted.id))?;
    }
    Ok(())
}

fn result_of(game: &ReportedGame) -> Result<NewResult, WorkRefusal> {
    let record = &game.record;
    let body = serde_json::to_string(record);
    let body = body.map_err(|error| WorkRefusal::Unreadable(error.to_string()))?;
    Ok(NewResult {
        game: record.head.id,
        body,
        is_void: matches!(record.head.ending, Ending::Void(_)),
        is_disturbed: !record.disturbances.is_empty(),
        half_points: half_points(&record.head.ending),
    })
}

/// Of the first seat.
fn half_points(ending: &Ending) -> Option<u32> {
    match ending {
        Ending::Void(_) => None,
        Ending::Scored(scored) => Some(match scored.verdicts[Seat::First] {
            Verdict::Win => 2,
            Verdict::Draw => 1,
            Verdict::Loss | Verdict::Disqualified => 0,
        }),
    }
}

/// Whether the worker is to go on with its job, or may be told nothing of it.
fn answer(work: &Work, name: &str, held: &Held) -> Answer {
    let go_on = match held {
        Held::Yes | Held::Before => true,
        Held::Lost => false,
        Held::Never => {
            let why = "this job was given to another worker".to_owned();
            refused(work, name, RefusalKind::NeverClaimed, &why);
            return Err(WorkRefusal::Wrong(why));
        }
        Held::OtherGames { expected } => {
            let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
            let why = format!("expected the games {}, found others", expected.join(", "));
            refused(work, name, RefusalKind::OtherGames, &why);
            return Err(WorkRefusal::Wrong(why));
        }
    };
    Ok(Json(GoOn { go_on }).into_response())
}

/// Counts a refusal where people see it. If that fails there is nobody to tell.
fn refused(work: &Work, name: &str, kind: RefusalKind, why: &str) {
    tracing::warn!(worker = name, why, "refused");
    let _ = work.board.note_refusal(name, kind, &shortened(why));
}

fn shortened(text: &str) -> String {
    text.chars().map(|c| if c == '\0' { '\u{fffd}' } else { c }).take(LOG_CHARS_MAX).collect()
}
