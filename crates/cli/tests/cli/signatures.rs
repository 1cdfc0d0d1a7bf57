//! Signed replays: who answers for a file, and what breaks its word.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::evaluate::{PLAYER, teams};
use crate::support::{Folder, counted_again, join_lines, json as parsed, replay_lines, sample};

/// A folder with two keys, and the public text of the first.
fn with_keys() -> (Folder, String) {
    let folder = Folder::new();
    let public = folder.ok("key new my.key").trim_end().to_owned();
    folder.ok("key new other.key");
    (folder, public)
}

#[test]
fn a_key_is_made_once_for_its_owner_alone() {
    let (folder, public) = with_keys();
    let mode = folder.path("my.key").metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(folder.ok("key show my.key").trim_end(), public);
    let again = folder.run("key new my.key");
    assert!(again.code == 1 && again.stderr.contains("cannot write the key my.key"), "{again:?}");
    assert_eq!(folder.ok("key show my.key").trim_end(), public, "it was not replaced");
    std::fs::set_permissions(folder.path("my.key"), PermissionsExt::from_mode(0o644))
        .expect("the file is ours");
    let refused = folder.run("play fencing --sign my.key");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("mode 644"), "{}", refused.stderr);
}

#[test]
fn one_match_and_many_can_be_signed() {
    let (folder, public) = with_keys();
    folder.write("my.pub", format!("{public}\n"));
    folder.ok("play fencing --sign my.key --quiet --replay a.replay.jsonl.zst");
    folder.ok(
        "tournament --game fencing --bot house:random --bot house:greedy --games-per-pair 2 \
               --sign my.key --quiet \
               --replays tournament",
    );
    let mut files = vec!["a.replay.jsonl.zst".to_owned()];
    files.extend(folder.list("tournament").into_iter().map(|file| format!("tournament/{file}")));
    assert_eq!(files.len(), 3, "{files:?}");
    for signer in [public.as_str(), "my.pub", "my.key"] {
        let said = folder.ok(&format!("verify --signer {signer} {}", files.join(" ")));
        let signed = format!("; signed by {public}");
        assert_eq!(said.lines().filter(|line| line.ends_with(&signed)).count(), files.len());
    }
    let said = folder.ok("verify a.replay.jsonl.zst");
    assert!(said.contains("; signed by ed25519:"), "{said}");
    let object = parsed(&folder.ok("verify --json a.replay.jsonl.zst"));
    assert_eq!(object["signer"], json!(public));
}

/// Every file in a folder verifies as signed with this key.
fn check_all_signed(folder: &Folder, replays: &str, expected: usize, public: &str) {
    let files = folder.list(replays);
    assert_eq!(files.len(), expected, "{replays}: {files:?}");
    for file in files {
        let said = folder.ok(&format!("verify --signer {public} {replays}/{file}"));
        assert!(said.contains(&format!("; signed by {public}\n")), "{replays}/{file}: {said}");
    }
}

#[test]
fn the_replays_of_a_comparison_an_evaluation_and_a_host_can_be_signed() {
    let (folder, public) = with_keys();
    folder.ok("compare fencing house:random house:greedy --games 4 --sign my.key --quiet \
               --replays compared");
    check_all_signed(&folder, "compared", 4, &public);

    teams(&folder, &[("ada", Some(PLAYER)), ("bob", Some(PLAYER))]);
    folder.ok("evaluate hockey teams --listen 127.0.0.1:0 --games 2 --sample 1 --sign my.key \
               --replays evaluated --quiet");
    check_all_signed(&folder, "evaluated", 2, &public);

    let words = ["host", "hockey", "--listen", "127.0.0.1:0", "--games", "1"];
    let mut host =
        folder.start(&[&words[..], &["--sign", "my.key", "--replays", "hosted"]].concat());
    let address = host.address_after("Paper Hockey on ");
    let clients = ["greedy", "random"]
        .map(|bot| folder.start(&["bot", "hockey", bot, "--connect", &address]));
    for client in clients {
        assert_eq!(client.finish().code, 0);
    }
    assert_eq!(host.finish().code, 0);
    check_all_signed(&folder, "hosted", 1, &public);
}

/// The lines of a signed file with a lie in it, and the digest of them counted again.
fn forged(folder: &Folder, lie: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut lines = replay_lines(&folder.read("a.jsonl"));
    lie(&mut lines);
    folder.write("forged.jsonl", join_lines(&counted_again(lines)));
    let finished = folder.run("verify forged.jsonl");
    assert_eq!(finished.code, 1, "{}", finished.stdout);
    finished.stdout
}

#[test]
fn what_was_signed_cannot_be_changed_by_another() {
    let (folder, public) = with_keys();
    let bot = sample("fencing", "python");
    folder.ok(&format!("play fencing {bot} house:random --sign my.key --quiet --replay a.jsonl"));
    folder.ok("play fencing --sign other.key --quiet --replay b.jsonl");
    let broken = format!("signature of {public} does not belong to these lines");
    let said = forged(&folder, |lines| {
        for key in ["names", "bots", "players"] {
            lines[0][key].as_array_mut().expect("one of each seat").swap(0, 1);
        }
    });
    assert!(said.contains(&broken), "{said}");
    let said = forged(&folder, |lines| lines[2]["answers"][0]["wall_us"] = json!(1));
    assert!(said.contains(&broken), "{said}");
    let said = forged(&folder, |lines| {
        let files = lines[0]["players"][0]["files"].as_object_mut().expect("the bot's files");
        assert!(!files.is_empty(), "a program is told by its files");
        for digest in files.values_mut() {
            *digest = json!("00");
        }
    });
    assert!(said.contains(&broken), "{said}");
    let said = forged(&folder, |lines| drop(lines.pop()));
    assert!(said.contains(&format!("expected the signature of {public}, found none")), "{said}");
    let other = replay_lines(&folder.read("b.jsonl")).pop().expect("a signature");
    let said = forged(&folder, |lines| *lines.last_mut().expect("a signature") = other.clone());
    assert!(said.contains("found one of ed25519:"), "{said}");
    let said = forged(&folder, |lines| lines.push(json!({})));
    assert!(said.contains("expected nothing after the end"), "{said}");
}

#[test]
fn the_signature_that_was_asked_for_must_be_there() {
    let (folder, public) = with_keys();
    folder.ok("play fencing --quiet --replay unsigned.jsonl");
    folder.ok("play fencing --sign other.key --quiet --replay other.jsonl");
    for (name, found) in [("unsigned", "found none"), ("other", "found one of ed25519:")] {
        let finished = folder.run(&format!("verify --signer {public} {name}.jsonl"));
        let expected = format!("expected the signature of {public}, {found}");
        assert!(finished.stdout.contains(&expected), "{}", finished.stdout);
        assert_eq!(finished.code, 1);
    }
    let finished = folder.run("verify --signer hello unsigned.jsonl");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("expected a public key"), "{}", finished.stderr);
    let cut = folder.read("other.jsonl");
    folder.write("cut.jsonl", &cut[..cut.len() - 20]);
    let finished = folder.run("verify cut.jsonl");
    assert!(finished.stdout.starts_with("cut.jsonl: incomplete: "), "{}", finished.stdout);
}
