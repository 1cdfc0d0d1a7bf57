//! The matches of a store that fit what an address asks for, page by page.

use std::collections::{BTreeSet, HashMap};

use askama::Template;
use quintain_arena::results::{
    ChoiceError, ListedMatch, MatchChoice, MatchPage, PageSize, latest_matches,
};
use quintain_core::{ErrorKind, PerSeat, Seat, Verdict};
use quintain_store::{Errors, Filter, RunId, RunInfo};
use quintain_tournament::grouped;

use super::archive::Archive;
use super::head::{BotLink, shown};
use super::links::{self, Matches, PAIR_POINTS};
use crate::error::Refusal;
use crate::limits::{MATCHES_MAX, NAMES_OFFERED_MAX, SEARCHED_MAX, TAGS_SHOWN};
use crate::page::{CachePolicy, Page};
use crate::served_replays;
use crate::url::of_replay;

/// What may stand behind the `?`, in the order in which it is asked for.
const KEYS: [&str; 13] = [
    "run",
    "bot",
    "opponent",
    "seat",
    "verdict",
    "error",
    "tag",
    "seed",
    "reason",
    "round",
    "pair",
    "void",
    "disturbed",
];

#[derive(Template)]
#[template(path = "matches.html")]
pub(crate) struct MatchesPage {
    /// How many fit, in words.
    count: String,
    fields: Fields,
    rows: Vec<Row>,
    /// The next page.
    older: Option<String>,
    /// The first page, where this is another one.
    latest: Option<String>,
}

/// The form: what was asked for, and what can be.
struct Fields {
    asked: HashMap<&'static str, String>,
    runs: Vec<String>,
    bots: Vec<String>,
}

impl Fields {
    fn value(&self, key: &str) -> &str {
        self.asked.get(key).map_or("", String::as_str)
    }

    fn verdicts(&self) -> [&'static str; 4] {
        Verdict::ALL.map(Verdict::code)
    }

    fn errors(&self) -> Vec<&'static str> {
        ["any"].into_iter().chain(ErrorKind::ALL.map(ErrorKind::code)).collect()
    }

    fn seats(&self) -> [&'static str; 2] {
        Seat::BOTH.map(Seat::name)
    }
}

struct Row {
    /// The match itself, if its replay was kept.
    address: Option<String>,
    run: String,
    run_address: String,
    id: String,
    bots: PerSeat<BotLink>,
    won: PerSeat<bool>,
    ending: String,
    seed: i64,
    same_seed: String,
    notes: Vec<String>,
    errors: Vec<String>,
}

/// The matches that fit what an address asks for.
pub(crate) struct MatchList {
    asked: Vec<(&'static str, String)>,
    choice: MatchChoice,
    chosen: Vec<(RunInfo, Filter)>,
    before: Option<(RunId, u64)>,
    pub(crate) page: MatchPage,
}

impl MatchList {
    pub(crate) fn read(
        archive: &Archive,
        wishes: &HashMap<String, String>,
    ) -> Result<MatchList, Refusal> {
        let asked = asked(wishes)?;
        let before = wishes.get("before").map(|text| cursor(text)).transpose()?;
        let choice = choice_of(&asked)?;
        let chosen = choice.runs(&archive.store).map_err(|error| match error {
            ChoiceError::Unknown { field, .. } => Refusal::BadRequest(format!("{field}: {error}")),
            ChoiceError::Store(error) => error.into(),
        })?;
        let size = PageSize { matches: MATCHES_MAX, searched: SEARCHED_MAX };
        let page = latest_matches(&archive.store, &chosen, before, size)?;
        Ok(MatchList { asked, choice, chosen, before, page })
    }

    /// What an address may ask for.
    pub(crate) fn keys() -> Vec<&'static str> {
        KEYS.into_iter().chain(["before"]).collect()
    }

    /// What `before` is in the address of the next page.
    pub(crate) fn next(&self) -> Option<String> {
        self.page.next.map(|(run, number)| format!("{run}-{number}"))
    }
}

impl MatchesPage {
    pub(crate) fn new(
        archive: &Archive,
        wishes: &HashMap<String, String>,
    ) -> Result<MatchesPage, Refusal> {
        let list = MatchList::read(archive, wishes)?;
        let address =
            list.asked.iter().fold(Matches::default(), |all, (key, value)| all.with(key, value));
        Ok(MatchesPage {
            count: count_in_words(&list.chosen, &list.choice, &list.page, list.before.is_none()),
            older: list.next().map(|next| address.with("before", next).address()),
            latest: list.before.map(|_| address.address()),
            rows: list.page.matches.iter().map(Row::new).collect(),
            fields: fields(archive, list.asked)?,
        })
    }
}

/// What is asked for, by key and in their order; empty fields of a form ask for nothing.
fn asked(wishes: &HashMap<String, String>) -> Result<Vec<(&'static str, String)>, Refusal> {
    let known = |key: &&String| KEYS.contains(&key.as_str()) || *key == "before";
    if let Some(unknown) = wishes.keys().find(|key| !known(key)) {
        let known = KEYS.join(", ");
        return Err(Refusal::BadRequest(format!("expected one of {known}, found `{unknown}`")));
    }
    let value = |key: &'static str| {
        let value = wishes.get(key)?;
        (!value.is_empty()).then(|| (key, value.clone()))
    };
    Ok(KEYS.into_iter().filter_map(value).collect())
}

/// Where a page begins: the run and the number of the last match of the page before.
fn cursor(text: &str) -> Result<(RunId, u64), Refusal> {
    let parts = text.split_once('-');
    let parsed = parts.and_then(|(run, number)| Some((run.parse().ok()?, number.parse().ok()?)));
    parsed.ok_or_else(|| Refusal::BadRequest("before: expected a run and a number".to_owned()))
}

fn choice_of(asked: &[(&'static str, String)]) -> Result<MatchChoice, Refusal> {
    let mut choice = MatchChoice::default();
    for (key, value) in asked {
        let filter = &mut choice.filter;
        match *key {
            "run" => choice.run = Some(value.clone()),
            "bot" => choice.bot = Some(value.clone()),
            "opponent" => choice.opponent = Some(value.clone()),
            "reason" => filter.reason = Some(value.clone()),
            "seat" => filter.seat = Some(one_of(key, Seat::BOTH, Seat::name, value)?),
            "verdict" => filter.verdict = Some(one_of(key, Verdict::ALL, Verdict::code, value)?),
            "error" => filter.errors = Some(errors(value)?),
            "tag" => filter.tags = vec![value.parse().map_err(|error| wrong(key, &error))?],
            "seed" => filter.seed = Some(number(key, value)?),
            "round" => filter.round = Some(number(key, value)?),
            "pair" => filter.pair = Some(half_points(key, value)?),
            "void" => filter.void = Some(truth(key, value)?),
            _ => filter.disturbed = Some(truth(key, value)?),
        }
    }
    Ok(choice)
}

fn wrong(key: &str, expected: &impl std::fmt::Display) -> Refusal {
    Refusal::BadRequest(format!("{key}: {expected}"))
}

fn one_of<T: Copy, const N: usize>(
    key: &str,
    all: [T; N],
    name: impl Fn(T) -> &'static str,
    text: &str,
) -> Result<T, Refusal> {
    let found = all.into_iter().find(|&one| name(one) == text);
    found.ok_or_else(|| {
        wrong(key, &format!("expected {}, found `{text}`", all.map(name).join(", ")))
    })
}

fn errors(text: &str) -> Result<Errors, Refusal> {
    text.parse().map_err(|error| wrong("error", &error))
}

fn number<T: std::str::FromStr>(key: &str, text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|_| wrong(key, &format!("expected a number, found `{text}`")))
}

fn half_points(key: &str, text: &str) -> Result<u32, Refusal> {
    let all: [usize; PAIR_POINTS.len()] = std::array::from_fn(|half_points| half_points);
    let found = one_of(key, all, |half_points| PAIR_POINTS[half_points], text)?;
    Ok(found as u32)
}

fn truth(key: &str, text: &str) -> Result<bool, Refusal> {
    one_of(key, [true, false], |truth| if truth { "yes" } else { "no" }, text)
}

/// How many fit, as far as that is known from a page.
fn count_in_words(
    chosen: &[(RunInfo, Filter)],
    choice: &MatchChoice,
    page: &MatchPage,
    is_first: bool,
) -> String {
    let is_all =
        choice.filter == Filter::default() && choice.bot.is_none() && choice.opponent.is_none();
    let shown = page.matches.len() as u64;
    let count = if is_all { chosen.iter().map(|(run, _)| run.games).sum() } else { shown };
    let words = format!("{} {}", grouped(count), if count == 1 { "match" } else { "matches" });
    match (is_all || (is_first && page.next.is_none()), shown) {
        (true, _) => words,
        (false, 0) => "none among those that were looked at: there may be older ones".to_owned(),
        (false, _) => format!("{words} on this page"),
    }
}

fn fields(archive: &Archive, asked: Vec<(&'static str, String)>) -> Result<Fields, Refusal> {
    let runs = archive.store.runs()?;
    let bots: BTreeSet<&str> =
        runs.iter().flat_map(|run| &run.plan.bots).map(|bot| bot.name.as_str()).collect();
    let bots = bots.into_iter().take(NAMES_OFFERED_MAX).map(str::to_owned).collect();
    let runs = runs.iter().rev().take(NAMES_OFFERED_MAX).map(|run| run.plan.name.clone()).collect();
    Ok(Fields { asked: asked.into_iter().collect(), runs, bots })
}

impl Row {
    fn new(listed: &ListedMatch) -> Row {
        let of_run = Matches::of_run(&listed.run);
        let replay = served_replays::stored_id(listed.run_id, listed.number);
        let won = |seat: Seat| listed.verdicts.is_some_and(|all| all[seat] == Verdict::Win);
        let error = |error: &quintain_arena::results::ListedError| {
            shown(&format!("{}: {}", error.bot, error.error.code()))
        };
        Row {
            address: listed.replay.is_some().then(|| of_replay("/match/", &replay)),
            run: shown(&listed.run),
            run_address: links::run(listed.run_id),
            id: listed.id.clone(),
            bots: PerSeat::from_fn(|seat| BotLink::new(&listed.bots[seat])),
            won: PerSeat::from_fn(won),
            ending: ending(listed),
            seed: listed.seed,
            same_seed: of_run.with("seed", listed.seed.to_string()).address(),
            notes: notes(listed),
            errors: listed.errors.iter().map(error).collect(),
        }
    }
}

/// How it ended, in a line.
pub(super) fn ending(listed: &ListedMatch) -> String {
    let reason = shown(&listed.reason);
    match (listed.verdicts, listed.scores) {
        (None, _) => format!("void: {reason}"),
        (Some(verdicts), Some(scores)) => {
            let level = match verdicts.0.contains(&Verdict::Win) {
                true => "",
                false if verdicts.0.contains(&Verdict::Draw) => "draw, ",
                false => "both lost, ",
            };
            let [first, second] = scores.0;
            format!("{level}{reason}, {first} : {second}, turn {}", listed.turns)
        }
        (Some(_), None) => reason,
    }
}

/// What bots said, and whether the machine got in their way.
fn notes(listed: &ListedMatch) -> Vec<String> {
    let mut notes: Vec<String> = listed
        .tags
        .iter()
        .take(TAGS_SHOWN)
        .map(|tag| {
            let value = quintain_report::words::shortened(&tag.value);
            shown(&format!("{}: {value}", tag.name))
        })
        .collect();
    let more = listed.tags.len().saturating_sub(TAGS_SHOWN);
    if more > 0 {
        notes.push(format!("{more} more tags"));
    }
    if !listed.disturbed.is_empty() {
        notes.push("disturbed".to_owned());
    }
    notes
}

impl Page for MatchesPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}
