//! Who may ask, what may be named, and what every answer says about itself.

use quintain_server::Neighbours;

use crate::matches::{served, served_to};

/// What is played now, and what came of it.
const WATCHED: [&str; 8] = [
    "/live",
    "/live/1",
    "/live/1/events",
    "/now",
    "/run/1",
    "/run/1/events",
    "/run/1/projector",
    "/run/1/projector/events",
];

/// The status of a request with these headers.
fn status(served: &crate::matches::Served, path: &str, headers: &[(&str, &str)]) -> u16 {
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    served.ask(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n")).status
}

#[test]
fn a_strange_name_that_leads_here_is_refused() {
    let served = served();
    let port = served.address.port();
    for host in ["localhost", &format!("localhost:{port}"), &format!("127.0.0.1:{port}"), "[::1]"] {
        assert_eq!(status(&served, "/", &[("Host", host)]), 200, "{host}");
    }
    for host in ["evil.example", &format!("evil.example:{port}"), "localhost.evil.example", ""] {
        assert_eq!(status(&served, "/film/hockey.jsonl", &[("Host", host)]), 403, "{host}");
    }
    for path in WATCHED {
        assert_eq!(status(&served, path, &[("Host", "evil.example")]), 403, "{path}");
    }
    assert_eq!(status(&served, "/", &[]), 403, "without a host");
    let twice = [("Host", "localhost"), ("Host", "evil.example")];
    assert!([400, 403].contains(&status(&served, "/", &twice)));
    let hosts = vec!["arena.example".to_owned()];
    let named = served_to(Neighbours { hosts, ..Neighbours::default() });
    assert_eq!(status(&named, "/", &[("Host", "arena.example")]), 200);
}

#[test]
fn pages_of_other_sites_may_not_ask() {
    let served = served();
    let host = served.address.to_string();
    let own = format!("http://{host}");
    let asked = |path: &str, more: &[(&str, &str)]| {
        status(&served, path, &[&[("Host", host.as_str())], more].concat())
    };
    assert_eq!(asked("/film/hockey.jsonl", &[("Origin", &own)]), 200);
    for origin in ["http://evil.example", "null", "https://127.0.0.1:1", ""] {
        assert_eq!(asked("/film/hockey.jsonl", &[("Origin", origin)]), 403, "{origin}");
    }
    let cross = ("Sec-Fetch-Site", "cross-site");
    for path in WATCHED {
        assert_eq!(asked(path, &[("Origin", "http://evil.example")]), 403, "{path}");
        assert_eq!(asked(path, &[cross, ("Sec-Fetch-Mode", "cors")]), 403, "{path}");
    }
    assert_eq!(asked("/film/hockey.jsonl", &[cross, ("Sec-Fetch-Mode", "no-cors")]), 403);
    let link = [cross, ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")];
    assert_eq!(asked("/match/hockey.jsonl", &link), 200, "a link may be followed");
    let frame = [cross, ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")];
    assert_eq!(asked("/match/hockey.jsonl", &frame), 403);
    assert_eq!(asked("/embed/hockey.jsonl", &frame), 200, "its policy says who may");
}

#[test]
fn nothing_outside_of_the_folder_can_be_named() {
    let served = served();
    let outside = served.folder.path().parent().expect("a parent").join("quintain-outside.jsonl");
    std::fs::write(&outside, "secret").expect("room");
    let absolute = outside.display().to_string();
    let encoded = absolute.replace('/', "%2F");
    std::os::unix::fs::symlink(&outside, served.folder.path().join("link.jsonl")).expect("a link");
    for name in [
        "../quintain-outside.jsonl",
        "..%2Fquintain-outside.jsonl",
        "%2e%2e/quintain-outside.jsonl",
        "%2e%2e%2fquintain-outside.jsonl",
        "..%5Cquintain-outside.jsonl",
        "a/../../quintain-outside.jsonl",
        "./../quintain-outside.jsonl",
        "%00../quintain-outside.jsonl",
        "hockey.jsonl%00.jsonl",
        "hockey.jsonl/../../quintain-outside.jsonl",
        "link.jsonl",
        "%FF%FE.jsonl",
        &absolute,
        &encoded,
        "....//quintain-outside.jsonl",
    ] {
        for kind in ["match", "film", "replay", "page", "embed", "fork", "picture", "explain/0"] {
            let reply = served.get(&format!("/{kind}/{name}"));
            assert!([400, 404].contains(&reply.status), "/{kind}/{name}: {}", reply.status);
            assert!(!reply.text().contains("secret"), "/{kind}/{name}");
        }
    }
    for name in ["../Cargo.toml", "..%2F..%2FCargo.toml", "%2e%2e/src/lib.rs"] {
        assert_eq!(served.get(&format!("/assets/x/{name}")).status, 404, "{name}");
    }
    std::fs::remove_file(outside).expect("it was there");
}

#[test]
fn every_answer_says_what_may_be_done_with_it() {
    let served = served();
    for path in
        ["/", "/match/hockey.jsonl", "/embed/hockey.jsonl", "/nowhere", "/film/hockey.jsonl"]
    {
        let reply = served.get(path);
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"), "{path}");
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(reply.header("access-control-allow-origin"), None, "{path}");
    }
    let page = served.get("/match/hockey.jsonl");
    let policy = page.header("content-security-policy").unwrap_or_default();
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
    let embedders = vec!["https://example.org".to_owned()];
    let known = served_to(Neighbours { embedders, ..Neighbours::default() });
    let embed = known.get("/embed/hockey.jsonl");
    let policy = embed.header("content-security-policy").unwrap_or_default();
    assert!(policy.ends_with("frame-ancestors 'self' https://example.org"), "{policy}");
}

#[test]
fn pages_can_only_be_looked_at() {
    let served = served();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"] {
        let request = format!(
            "{method} / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc",
            served.address
        );
        assert_eq!(served.ask(&request).status, 405, "{method}");
    }
    let head = format!("HEAD / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.address);
    let reply = served.ask(&head);
    assert_eq!((reply.status, reply.body.len()), (200, 0));
}
