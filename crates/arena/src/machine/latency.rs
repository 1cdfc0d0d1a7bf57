//! How long a program waits that is ready to run.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

const SLEEPS: usize = 300;
const SLEEP: Duration = Duration::from_millis(1);
const EXCHANGES: usize = 3_000;

/// What was measured: the middle, the hundredth part that was slowest, and the slowest of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Latency {
    #[serde(rename = "p50_us", serialize_with = "as_microseconds")]
    pub p50: Duration,
    #[serde(rename = "p99_us", serialize_with = "as_microseconds")]
    pub p99: Duration,
    #[serde(rename = "worst_us", serialize_with = "as_microseconds")]
    pub worst: Duration,
}

fn as_microseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_nanos() as f64 / 1e3)
}

impl Latency {
    /// # Panics
    /// If nothing was measured.
    fn of(mut times: Vec<Duration>) -> Latency {
        times.sort();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        Latency { p50: at(50), p99: at(99), worst: at(100) }
    }
}

/// How late a sleeper wakes.
pub(super) fn of_sleeps() -> Latency {
    let once = || {
        let begun = Instant::now();
        std::thread::sleep(SLEEP);
        begun.elapsed().saturating_sub(SLEEP)
    };
    Latency::of((0..SLEEPS).map(|_| once()).collect())
}

/// How long a line takes to another process, which says what it hears, and back.
pub(super) fn of_a_pipe(echo: &mut Command) -> std::io::Result<Latency> {
    let mut child = echo.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().expect("the child's input was piped");
    let mut output = BufReader::new(child.stdout.take().expect("the child's output was piped"));
    let mut line = String::new();
    let mut exchange = || {
        let begun = Instant::now();
        input.write_all(b"ping\n")?;
        line.clear();
        output.read_line(&mut line)?;
        Ok(begun.elapsed())
    };
    // The first exchange waits for the process to start.
    let times = exchange().and_then(|_| (0..EXCHANGES).map(|_| exchange()).collect());
    drop(input);
    child.wait()?;
    times.map(Latency::of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_are_found_in_any_order() {
        let times = (1..=200).rev().map(Duration::from_millis).collect();
        let latency = Latency::of(times);
        let [p50, p99, worst] = [100, 198, 200].map(Duration::from_millis);
        assert_eq!(latency, Latency { p50, p99, worst });
    }
}
