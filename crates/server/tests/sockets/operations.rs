//! What whoever keeps a server running asks it.

use quintain_testkit::Postgres;

use crate::matches::{PATIENCE, served};
use crate::work::{JobServer, WORKER, play};

/// The value of a figure, by its name with labels.
fn figure(text: &str, name: &str) -> Option<f64> {
    let line = text
        .lines()
        .find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))?;
    line.rsplit(' ').next()?.parse().ok()
}

#[test]
fn a_server_without_workers_is_healthy_and_ready() {
    let served = served();
    assert_eq!(served.get("/health").text(), "ok\n");
    assert_eq!(served.get("/ready").text(), "ready\n");
    let metrics = served.get("/metrics");
    assert_eq!(metrics.status, 200);
    assert_eq!(figure(&metrics.text(), "quintain_jobs{state=\"queued\"}"), None);
    assert!(metrics.text().contains("quintain_build_info{version=\""), "{}", metrics.text());
}

#[test]
fn metrics_tell_what_happens_to_jobs() {
    let server = JobServer::open();
    let metrics = || server.served.get("/metrics").text();
    server.order(3);
    assert_eq!(figure(&metrics(), "quintain_jobs{state=\"queued\"}"), Some(3.0));
    let claim = server.claim(WORKER);
    let text = metrics();
    assert_eq!(figure(&text, "quintain_jobs{state=\"queued\"}"), Some(2.0));
    assert_eq!(figure(&text, "quintain_jobs{state=\"leased\"}"), Some(1.0));
    assert_eq!(figure(&text, "quintain_workers"), Some(1.0));
    let games = play(&claim.order, &claim.games);
    server.report(WORKER, &claim, games.clone());
    server.report(WORKER, &claim, games);
    server.report("nobody", &claim, Vec::new());
    let text = metrics();
    for (name, value) in [
        ("quintain_jobs{state=\"leased\"}", 0.0),
        ("quintain_games_counted_total", 2.0),
        ("quintain_results_waiting", 2.0),
        ("quintain_worker_games_total{worker=\"w1\"}", 2.0),
        ("quintain_answers_total{call=\"report\",answer=\"yes\"}", 1.0),
        ("quintain_answers_total{call=\"report\",answer=\"before\"}", 1.0),
        ("quintain_answers_total{call=\"claim\",answer=\"given\"}", 1.0),
        ("quintain_requests_total{path=\"/jobs/report\",status=\"401\"}", 1.0),
        ("quintain_requests_total{path=\"/jobs/report\",status=\"200\"}", 2.0),
        ("quintain_task_seconds_count{task=\"check\"}", 1.0),
    ] {
        assert_eq!(figure(&text, name), Some(value), "{name} in {text}");
    }
}

#[test]
fn a_server_is_ready_while_its_database_answers() {
    let Some(postgres) = Postgres::shared() else { return };
    let server = JobServer::serving_on(
        &postgres.database("ready"),
        tempfile::tempdir().expect("a folder"),
        |work| work,
    );
    assert_eq!(server.served.get("/ready").status, 200);
    postgres.query("postgres", "ALTER DATABASE ready ALLOW_CONNECTIONS false");
    postgres.cut_connections("ready");
    let away = server.served.get("/ready");
    assert_eq!((away.status, away.text().as_str()), (503, "the store does not answer\n"));
    assert_eq!(server.served.get("/health").status, 200, "the process is there all the same");
    postgres.query("postgres", "ALTER DATABASE ready ALLOW_CONNECTIONS true");
    let began = std::time::Instant::now();
    while server.served.get("/ready").status != 200 {
        assert!(began.elapsed() < PATIENCE, "it is never ready again");
    }
}
