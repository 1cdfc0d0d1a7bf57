//! Server, worker and command that speak HTTPS, as real processes.

use quintain_testkit::SelfSigned;

use crate::support::{Finished, Folder, Running};
use crate::workers::{games_of, said};

struct Secured {
    folder: Folder,
    url: String,
    _server: Running,
}

fn secured() -> Secured {
    let folder = Folder::new();
    for (name, kind) in [("w1", ""), ("ann", " --organiser")] {
        let word = said(&folder, &format!("token add {name}{kind} --store arena.db"));
        folder.write(&format!("{name}.token"), word);
    }
    let SelfSigned { certificate, key } = SelfSigned::new(&["127.0.0.1", "localhost"]);
    folder.write("arena.pem", certificate);
    folder.write("arena.key", key);
    let words = "serve --workers --store arena.db --listen 127.0.0.1:0 --tls-cert arena.pem --tls-key arena.key";
    let mut server = folder.start(&words.split(' ').collect::<Vec<_>>());
    let address = server.address_after("with a token are served on https://");
    Secured { folder, url: format!("https://{address}"), _server: server }
}

impl Secured {
    fn call(&self, words: &str) -> Finished {
        self.folder.run(&words.replace("URL", &self.url))
    }
}

#[test]
fn games_travel_by_https_to_whoever_trusts_the_server() {
    let arena = secured();
    let words = format!(
        "worker --server {} --token-file w1.token --cache cache --ca arena.pem --quiet",
        arena.url
    );
    let _worker = arena.folder.start(&words.split(' ').collect::<Vec<_>>());
    let played = arena.call(
        "compare fencing house:greedy house:random --games 4 --store there.db --on URL --token-file ann.token \
         --ca arena.pem --json",
    );
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert_eq!(games_of(&arena.folder, "there.db").len(), 4);
}

#[test]
fn a_server_that_nobody_vouches_for_is_told_nothing() {
    let arena = secured();
    let refused = "is not trusted: invalid peer certificate";
    let SelfSigned { certificate, .. } = SelfSigned::new(&["127.0.0.1"]);
    arena.folder.write("another.pem", certificate);
    for ca in ["", " --ca another.pem"] {
        let worker =
            arena.call(&format!("worker --server URL --token-file w1.token --cache c{ca}"));
        assert_eq!(worker.code, 1, "{}", worker.stderr);
        assert!(worker.stderr.contains(refused), "{}", worker.stderr);
    }
    let command = arena.call(
        "compare fencing house:greedy house:random --games 2 --on URL --token-file ann.token --json",
    );
    assert_eq!(command.code, 1, "{}", command.stderr);
    assert!(command.stderr.contains(refused), "{}", command.stderr);
}

#[test]
fn files_that_hold_no_certificate_or_key_are_named() {
    let folder = Folder::new();
    let SelfSigned { certificate, key } = SelfSigned::new(&["localhost"]);
    folder.write("arena.pem", certificate);
    folder.write("arena.key", key);
    folder.write("other.key", SelfSigned::new(&["localhost"]).key);
    folder.write("t.token", "quintain-0");
    folder.write("empty.pem", "");
    for (words, expected) in [
        (
            "serve --tls-cert missing.pem --tls-key arena.key",
            "--tls-cert: expected a certificate in PEM, missing.pem: No such file",
        ),
        (
            "serve --tls-cert empty.pem --tls-key arena.key",
            "--tls-cert: expected a certificate in PEM, empty.pem: found none in it",
        ),
        (
            "serve --tls-cert arena.pem --tls-key arena.pem",
            "--tls-key: expected a private key in PEM, arena.pem: found none in it",
        ),
        (
            "serve --tls-cert arena.pem --tls-key other.key",
            "--tls-cert: the certificate and the key do not fit",
        ),
        (
            "worker --server https://localhost:1 --token-file t.token --ca empty.pem",
            "--ca: expected certificates in PEM, empty.pem: found none in it",
        ),
    ] {
        let finished = folder.run(words);
        assert_eq!(finished.code, 2, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{words}: {}", finished.stderr);
    }
}
