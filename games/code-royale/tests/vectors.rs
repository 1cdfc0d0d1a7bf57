//! Replays every recorded match of the original engine, draws every recorded map, and notices
//! recordings that were tampered with.

use quintain_code_royale::{CodeRoyale, WORKLOADS};
use quintain_core::measure::{NamedWorkload, PrepareError, Prepared, Recording, Source};
use quintain_testkit::{Vectors, replace};

const VECTORS: Vectors<CodeRoyale> = Vectors::of(env!("CARGO_MANIFEST_DIR"));

#[test]
fn every_recording_of_the_original_replays_without_a_difference() {
    assert_eq!(VECTORS.check_all().len(), 74);
}

/// The workload made of these recordings.
fn workload(recordings: Vec<Recording>) -> Result<Prepared, PrepareError> {
    let [NamedWorkload { name: "recorded", source: Source::Recordings(prepare) }] = WORKLOADS
    else {
        panic!("one workload, of recordings");
    };
    prepare(&mut recordings.into_iter())
}

fn recording_named(name: &str) -> Recording {
    Recording { name: name.to_owned(), lines: VECTORS.named(name) }
}

#[test]
fn the_workload_for_measuring_plays_every_match_of_league_4_to_its_end() {
    let recordings = VECTORS.all();
    let of_league_4 = recordings.iter().filter(|recording| {
        let header = &recording.lines[0];
        header.contains("\"kind\":\"match\"") && header.contains("\"league\":4")
    });
    let turns = of_league_4.flat_map(|recording| &recording.lines);
    let turns = turns.filter(|line| line.contains("\"kind\":\"turn\"")).count() as u64;
    let workload = workload(recordings).expect("all of them end as they should");
    assert_eq!(workload.round(), 60);
    assert_eq!(workload.play(60), turns);
    assert_eq!(workload.play(2 * 60), 2 * turns);
}

#[test]
fn the_workload_for_measuring_notices_another_end() {
    let refused = |recordings| workload(recordings).err().expect("a refusal").to_string();
    let none = "expected a match of league 4 among the recordings, got none";
    assert_eq!(refused(vec![]), none);
    assert_eq!(refused(vec![recording_named("maps"), recording_named("edge-league1-types")]), none);

    let mut changed = recording_named("mixed-00");
    let result = changed.lines.last_mut().expect("a result");
    *result = result.replacen("\"winner\":0", "\"winner\":1", 1);
    assert_eq!(refused(vec![changed]), "mixed-00: expected Some(1), got Some(0)");
    let mut cut = recording_named("mixed-00");
    cut.lines.remove(50);
    let message = refused(vec![recording_named("mixed-01"), cut]);
    assert!(message.starts_with("mixed-00: expected 95, got "), "{message}");
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    VECTORS.check_cut_off_anywhere("edge-kill-00a");
}

#[test]
fn a_changed_line_is_noticed_where_it_stands() {
    let name = "edge-timeout-p1";
    let check = |line: usize, from: &str, to: &str| {
        assert_eq!(VECTORS.noticed(name, replace(line, from, to)), line, "{from} -> {to}");
    };
    check(1, "code-royale", "hockey");
    check(1, "\"config\":{}", "\"config\":{\"a\":1}");
    check(1, "\"league\":4", "\"league\":0");
    check(2, "\"maxTurns\":200", "\"maxTurns\":100");
    check(2, "\"gold\":100", "\"gold\":99");
    check(2, "\"id\":0", "\"id\":1");
    check(3, "24", "23");
    check(4, "\"turn\":0", "\"turn\":1");
    check(4, "100 ", "101 ");
    check(4, "\"from\"", "\"form\"");
    check(9, "failed", "refused");
    check(10, "\"winner\":0", "\"winner\":1");
    check(10, "-1", "-2");
    check(10, "Timeout!", "Time");
    check(10, "\"turns\":6", "\"turns\":5");
    check(10, "\"queen\":{\"x\":", "\"queen\":{\"x\":1");
}

#[test]
fn a_changed_seed_is_noticed_at_the_position_that_it_gives() {
    assert_eq!(
        VECTORS.noticed("mixed-00", |lines| {
            let at = lines[0].find("\"seed\":").expect("a seed") + 7;
            lines[0].insert(at + 1, '1');
        }),
        2
    );
    assert_eq!(VECTORS.noticed("maps", replace(7, "\"seed\":", "\"seed\":1")), 7);
}

#[test]
fn lines_out_of_order_are_noticed() {
    assert_eq!(VECTORS.noticed("edge-kill-00a", |lines| lines.swap(3, 4)), 4);
    assert_eq!(VECTORS.noticed("edge-kill-00a", |lines| drop(lines.remove(2))), 3);
    assert_eq!(VECTORS.noticed("edge-kill-00a", |lines| lines.push(lines[0].clone())), 9);
    assert_eq!(VECTORS.noticed("edge-kill-00a", |lines| lines.insert(0, String::new())), 1);
    assert_eq!(VECTORS.noticed("maps", |lines| lines.push("{}".to_owned())), 401);
}
