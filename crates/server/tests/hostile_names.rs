//! Names and texts of bots may hold anything: no report lets them be markup, a formula, or a command to a
//! terminal.

use std::time::Duration;

use quintain_arena::results::{
    BotSums, ComparisonFacts, CopiesReport, DisturbedAnswer, DisturbedBot, EvaluatedTeam,
    FirstFailure, ListedError, ListedMatch, ListedTag, MatchSums, Meeting, PairingEnd,
    PairingOutcome, PlayedEvaluation, RoundReport, StandingsRow, SwissPoints, TagSums,
    TournamentReport, VoidMatch, comparison_report,
};
use quintain_core::{Absence, Fault, FaultCause, PerSeat, Seat, Verdict};
use quintain_record::{BotId, MatchId, VoidReason};
use quintain_report::evaluation::EvaluationAdvice;
use quintain_report::words::Line;
use quintain_report::{Advice, comparison, evaluation, match_list, tournament};
use quintain_server::{evaluation_page, tournament_page};
use quintain_tournament::{
    Book, Comparison, ErrorCounts, ErrorKind, ErrorKinds, Finish, MatchResult, Question, RatingKind,
};

/// What somebody who means harm would be called.
const HOSTILE: [&str; 7] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "&lt;b&gt;",
    "=HYPERLINK(\"http://x\",\"y\")",
    "+1+2, \"quoted\"\r\nnext line",
    "\u{202e}gpj.exe\u{2066}",
    "\u{1b}[2J\u{7}\0\u{9b}31m",
];

/// A page has no tag but its own, no letter that turns or hides others, and nothing that ends an attribute.
fn check_page(page: &str) {
    let own =
        ["html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "h3"];
    let lists = ["p", "b", "i", "span", "div", "ul", "ol", "li", "svg", "rect", "line", "abbr"];
    let tables = ["table", "caption", "thead", "tbody", "tr", "th", "td"];
    let own = [&own[..], &lists[..], &tables[..]].concat();
    for tag in page.split('<').skip(1) {
        let name = tag.trim_start_matches('/').split([' ', '>']).next().unwrap_or_default();
        assert!(own.contains(&name) || tag.starts_with("!doctype html>"), "<{tag}");
        // What stands within quotes is a value.
        let attributes = tag.split('>').next().unwrap_or_default();
        let names: String = attributes.split('"').step_by(2).collect();
        assert!(!names.contains("onerror"), "<{tag}");
    }
    check_terminal(page);
}

fn joined(lines: Vec<Line>) -> String {
    lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n")
}

/// Nothing that a terminal obeys.
fn check_terminal(text: &str) {
    let is_obeyed = |letter: char| letter.is_control() && letter != '\n';
    let turns = |letter| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let found: Vec<char> = text.chars().filter(|c| is_obeyed(*c) || turns(*c)).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
}

/// Every line has as many cells as the header, no cell is a formula, and the names are all there.
fn check_csv(text: &str, names: usize) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> =
        reader.records().collect::<Result<_, _>>().expect("lines as long as the header");
    assert_eq!(rows.len(), names);
    for cell in rows.iter().flatten() {
        let is_number = cell.parse::<f64>().is_ok();
        assert!(is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']), "{cell:?}");
    }
}

fn void_match(name: &str) -> VoidMatch {
    VoidMatch {
        game: "0-0-0-a".to_owned(),
        bots: [name.to_owned(), name.to_owned()],
        seed: 1,
        reason: VoidReason::Disturbed,
        replay: Some(format!("{name}.zst")),
    }
}

fn disturbed_answer(name: &str) -> DisturbedAnswer {
    DisturbedAnswer {
        game: "0-0-0-a".to_owned(),
        is_void: true,
        bot: name.to_owned(),
        seat: Seat::First,
        turn: 1,
        attempt: 1,
        limit: Duration::from_millis(50),
        wall: Duration::from_millis(60),
        late_by: Duration::from_millis(10),
        waited: None,
        cpu: None,
        replay: Some(format!("{name}.zst")),
    }
}

fn disturbed_bot(name: &str) -> DisturbedBot {
    DisturbedBot { bot: name.to_owned(), games: 1, void: 1 }
}

fn standings_row(name: &str) -> StandingsRow {
    let mut error_kinds = ErrorCounts::default();
    error_kinds.add(ErrorKind::Crash, 2);
    StandingsRow {
        place: Some(1),
        bot: name.to_owned(),
        games: 4,
        wins: 1,
        draws: 1,
        losses: 2,
        both_lost: 1,
        points: 1.5,
        rating: Some(-3.25),
        low: Some(-40.0),
        high: Some(40.0),
        errors: 2,
        error_kinds,
        swiss: Some(SwissPoints { swiss_points: 1.5, buchholz: 2.0 }),
    }
}

fn a_tournament() -> TournamentReport {
    let copies = |name: &&str| CopiesReport {
        bots: [(*name).to_owned(), (*name).to_owned()],
        games: 2,
        different: 1,
    };
    let meeting = |name: &&str| Meeting {
        bots: [(*name).to_owned(), (*name).to_owned()],
        points: [1.0, 1.0],
        goes_on: Some((*name).to_owned()),
        is_final: false,
        is_for_third_place: false,
    };
    TournamentReport {
        name: HOSTILE.concat(),
        game: "fencing".to_owned(),
        form: "swiss",
        rating: RatingKind::BradleyTerry,
        games: 14,
        planned: None,
        is_over: false,
        different_games: 7,
        copies: HOSTILE.iter().map(copies).collect(),
        doubt: None,
        standings: HOSTILE.map(standings_row).to_vec(),
        cross_table: vec![vec![Some([1, 1, 2]); HOSTILE.len()]; HOSTILE.len()],
        rounds: vec![RoundReport {
            round: 1,
            pairings: HOSTILE.iter().map(meeting).collect(),
            byes: HOSTILE.map(str::to_owned).to_vec(),
        }],
        void: HOSTILE.map(void_match).to_vec(),
        disturbed: HOSTILE.map(disturbed_answer).to_vec(),
        disturbed_bots: HOSTILE.map(disturbed_bot).to_vec(),
        seconds: 1.0,
    }
}

#[test]
fn names_in_a_tournament_are_only_names() {
    let (report, advice) = (a_tournament(), Advice::default());
    check_page(&tournament_page(&report, &advice).expect("a page"));
    check_terminal(&tournament::tables(&report, &advice));
    check_csv(&tournament::csv(&report), HOSTILE.len());
    let bots = &tournament::json(&report, &advice)["standings"];
    for (place, name) in HOSTILE.iter().enumerate() {
        assert_eq!(bots[place]["bot"], *name, "programs are told what it is");
    }
}

/// A game that the first seat wins since the second did everything wrong.
fn lost_by_errors(round: u32, bots: [BotId; 2]) -> MatchResult {
    let errors: ErrorKinds = ErrorKind::ALL.into_iter().collect();
    MatchResult {
        id: MatchId { round, ..MatchId::default() },
        bots: PerSeat(bots),
        finish: Finish::Won(Seat::First),
        errors: PerSeat([ErrorKinds::NONE, errors]),
        content: None,
    }
}

/// Everybody meets the last team, which fails.
fn an_evaluation() -> PlayedEvaluation {
    let team = |(number, name): (usize, &str)| EvaluatedTeam {
        name: name.to_owned(),
        runs_script: true,
        started_by: (number > 0).then(|| name.to_owned()),
        programs: number,
        has_windows_line_ends: true,
    };
    let last = BotId(HOSTILE.len() as u32 - 1);
    let mut book = Book::new(HOSTILE.len() as u32);
    let mut pairings = Vec::new();
    for (number, name) in (0..last.0).zip(HOSTILE) {
        book.add(&lost_by_errors(number, [BotId(number), last]));
        let failure = FirstFailure {
            text: format!("{}: {name}", Fault::NotStarted(Absence::Silent)),
            cause: Some(FaultCause::Silent),
            replay: Some(name.into()),
        };
        pairings.push(PairingOutcome {
            teams: [BotId(number), last],
            welcomed: [Some(false), Some(false)],
            ready: Some(BotId(number)),
            reasons: [(name.to_owned(), 1)].into(),
            failures: [Some(failure.clone()), Some(failure)],
            void: vec![void_match(name)],
            disturbed: vec![disturbed_answer(name)],
            seconds: 1.0,
            ended: PairingEnd::GivenUp,
        });
    }
    PlayedEvaluation {
        game: "hockey".to_owned(),
        teams: HOSTILE.into_iter().enumerate().map(team).collect(),
        book,
        pairings,
        pairings_planned: 99,
        games_max: 10,
        tried: vec![None; HOSTILE.len()],
        weight: Some(4.0),
        side_by_side: Some(1),
        network: None,
        replays: Some("/".into()),
    }
}

#[test]
fn names_in_an_evaluation_are_only_names() {
    let network = HOSTILE.concat();
    let advice = EvaluationAdvice { more_time: "wait", network: Some(&network) };
    let report = an_evaluation().report();
    check_page(&evaluation_page(&report, &advice).expect("a page"));
    check_terminal(&evaluation::tables(&report, &advice));
    check_csv(&evaluation::csv(&report), HOSTILE.len());
    assert_eq!(evaluation::json(&report, &advice)["teams"][0]["team"], HOSTILE[0]);
}

#[test]
fn names_in_a_comparison_are_only_names() {
    for name in HOSTILE {
        let mut compared = Comparison::new(Question::Games(2));
        for round in 0..4 {
            compared.add(&lost_by_errors(round, [BotId(0), BotId(1)]));
            compared.add(&lost_by_errors(round, [BotId(1), BotId(0)]));
        }
        let facts = ComparisonFacts {
            game: "fencing",
            bots: [name, "other"],
            failed: &[],
            lost: &[],
            disturbed: &[disturbed_answer(name)],
            played_again: 1,
            is_forced: true,
            is_stopped: false,
            time: Duration::from_secs(1),
        };
        let report = comparison_report(&compared, &facts);
        let lines = comparison::lines(&report, &Advice::default(), |games| format!("{games:?}"));
        check_terminal(&joined(lines));
        assert_eq!(comparison::json(&report)["old"], name);
    }
}

#[test]
fn names_in_a_list_of_games_are_only_names() {
    let listed = |name: &str| ListedMatch {
        run: name.to_owned(),
        run_id: "1".parse().expect("a number"),
        number: 1,
        id: "0-0-0-a".to_owned(),
        bots: PerSeat([name.to_owned(), name.to_owned()]),
        seed: -1,
        verdicts: Some(PerSeat([Verdict::Win, Verdict::Loss])),
        scores: None,
        reason: name.to_owned(),
        turns: 1,
        errors: vec![ListedError {
            bot: name.to_owned(),
            error: ErrorKind::Crash,
            times: 1,
            text: name.to_owned(),
        }],
        tags: vec![ListedTag {
            name: name.to_owned(),
            bot: None,
            turn: None,
            value: name.to_owned(),
        }],
        disturbed: vec![disturbed_answer(name)],
        replay: Some(name.to_owned()),
    };
    let matches = HOSTILE.map(listed);
    check_terminal(&match_list::tables(&matches, std::path::Path::new("/")));
    let mut csv = Vec::new();
    let all = matches.into_iter().map(Ok::<_, std::io::Error>);
    match_list::write_csv(all, &mut csv).expect("memory takes everything");
    check_csv(&String::from_utf8(csv).expect("text"), HOSTILE.len());
    let bot = |name: &str| BotSums { bot: name.to_owned(), wins: 1, draws: 0, losses: 0 };
    let tag = |name: &str| TagSums {
        bot: name.to_owned(),
        name: name.to_owned(),
        count: 1,
        mean: 1.0,
        deviation: 0.0,
        least: 1.0,
        most: 1.0,
    };
    let (bots, tags) = (HOSTILE.map(bot).to_vec(), HOSTILE.map(tag).to_vec());
    let sums = MatchSums { games: 1, void: 0, bots, tags };
    check_terminal(&joined(match_list::sums_in_words(&sums)));
}
