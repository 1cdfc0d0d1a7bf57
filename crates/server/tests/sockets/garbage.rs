//! Requests that nobody would send. `QUINTAIN_REQUESTS=3000 cargo test -p quintain-server --test sockets garbage`
//! sends fewer.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use quintain_core::SplitMix64;

use crate::matches::{PATIENCE, Served, read_reply};
use crate::results::served_store;

/// As many as an unoptimised build answers in a minute.
const REQUESTS: u64 = 100_000;
/// What the process may have grown by in the end: what it keeps of films, and the allocator's slack.
const GROWTH_MAX: usize = 64 * 1024 * 1024;

const PIECES: &[&str] = &[
    "/",
    "match",
    "film",
    "explain",
    "sent",
    "card",
    "replay",
    "page",
    "embed",
    "fork",
    "picture",
    "assets",
    "compare-replays",
    "live",
    "events",
    "now",
    "runs",
    "run",
    "run/2",
    "run/2/projector",
    "projector",
    "matches",
    "run=cup",
    "pair=0.5",
    "pair=",
    "bot",
    "bot=ada",
    "after=3",
    "hockey.jsonl",
    "worms.jsonl",
    "code-royale.jsonl",
    "absent.jsonl",
    "api/v1",
    "api/v1/openapi.json",
    "api/v1/games/hockey",
    "api/v1/matches",
    "api/v1/runs/2/standings",
    "replays",
    "scenes",
    "standings",
    "play",
    "play/hockey",
    "play/at",
    "play/join",
    "news",
    "answer",
    "0123456789abcdef0123456789abcdef",
    "game",
    "game/worms",
    "demo/worms",
    "demo/worms/dark",
    "workers",
    "metrics",
    "health",
    "..",
    "%2e%2e",
    "%00",
    "%",
    "%zz",
    "%ff",
    "?",
    "&",
    "=",
    "#",
    "eye=first",
    "theme=dark",
    "first",
    "eye=",
    "left=hockey.jsonl",
    "right=",
    "page=2",
    "page=-1",
    "0",
    "1",
    "99999999999999999999",
    "<script>",
    "\u{fc}",
    " ",
    "\\",
];

const HEADERS: &[&str] = &[
    "Accept-Encoding: gzip",
    "Accept-Encoding: \u{1}",
    "If-None-Match: *",
    "If-None-Match: \"0-0\"",
    "Origin: null",
    "Origin: http://evil.example",
    "Sec-Fetch-Site: cross-site",
    "Range: bytes=0-1",
    "Content-Length: 5",
    "Content-Length: -1",
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
    "Upgrade: websocket",
    "Host: evil.example",
    "X: \u{7f}",
    ": empty",
    "no colon",
    "Cookie: a=b",
    "Authorization: Bearer x",
    "Authorization: Basic \u{1}",
    "Content-Type: application/json",
    "Content-Type: application/x-www-form-urlencoded",
    "Last-Event-ID: 99999999999999999999",
];

fn pick<'a>(list: &[&'a str], luck: &mut SplitMix64) -> &'a str {
    list[(luck.next_u64() % list.len() as u64) as usize]
}

/// A request, and whether all of it is there.
fn request(served: &Served, luck: &mut SplitMix64) -> (Vec<u8>, bool) {
    let method = pick(&["GET", "GET", "GET", "GET", "HEAD", "POST", "TRACE", "get", ""], luck);
    let mut path = String::from("/");
    for _ in 0..luck.next_u64() % 6 {
        path.push_str(pick(PIECES, luck));
        if luck.next_u64().is_multiple_of(2) {
            path.push('/');
        }
    }
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    if !luck.next_u64().is_multiple_of(8) {
        text.push_str(&format!("Host: {}\r\n", served.address));
    }
    for _ in 0..luck.next_u64() % 3 {
        text.push_str(pick(HEADERS, luck));
        text.push_str("\r\n");
    }
    text.push_str("Connection: close\r\n\r\n");
    let mut bytes = text.into_bytes();
    for _ in 0..luck.next_u64() % 40 {
        bytes.push(luck.next_u64() as u8);
    }
    let is_whole = !luck.next_u64().is_multiple_of(16);
    if !is_whole {
        let end = (luck.next_u64() % bytes.len() as u64) as usize;
        bytes.truncate(end);
    }
    (bytes, is_whole)
}

/// The status of the first answer; `None` if there is none.
fn send(served: &Served, bytes: &[u8], is_whole: bool) -> Option<u16> {
    let mut stream = TcpStream::connect(served.address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let _ = stream.write_all(bytes);
    if !is_whole {
        // Nobody waits for the rest.
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    read_reply(&answer).map(|reply| reply.status)
}

/// What this process, of which the server is part, has in memory.
fn resident_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}

#[test]
fn garbage_is_answered_and_forgotten() {
    let count = std::env::var("QUINTAIN_REQUESTS")
        .ok()
        .map_or(REQUESTS, |count| count.parse().expect("QUINTAIN_REQUESTS is a number"));
    let (served, _store) = served_store();
    let mut luck = SplitMix64::new(2017);
    let (mut answered, mut found, mut before) = (0, 0, 0);
    for number in 0..count {
        let (bytes, is_whole) = request(&served, &mut luck);
        if let Some(status) = send(&served, &bytes, is_whole) {
            assert!(status < 500, "{status} for {:?}", String::from_utf8_lossy(&bytes));
            answered += 1;
            found += u64::from(status == 200);
        }
        // Films and caches are warm by then.
        if number == count / 3 {
            before = resident_bytes();
        }
    }
    assert!(answered * 2 > count, "{answered} of {count} were answered");
    assert!(found * 50 > count, "{found} of {count} were found");
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < GROWTH_MAX, "grown by {grown} bytes");
    assert_eq!(served.get("/").status, 200);
}
