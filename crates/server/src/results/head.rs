//! What stands above every page of a run.

use quintain_arena::plan::RunWish;
use quintain_core::{PerSeat, printable};
use quintain_registry::find;
use quintain_store::RunInfo;
use quintain_tournament::{grouped, spoken};

use super::archive::Archive;
use super::links::{self, Matches};
use crate::error::Refusal;
use crate::live::{Hub, LiveMatch, MatchAbout};

/// Whether games of a run are still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunState {
    /// Somebody plays it at this moment.
    Playing,
    /// Nobody does, and it is not over.
    Stopped,
    Over,
}

impl RunState {
    pub(crate) fn of(is_played: bool, is_over: bool) -> RunState {
        match (is_played, is_over) {
            (true, _) => RunState::Playing,
            (false, false) => RunState::Stopped,
            (false, true) => RunState::Over,
        }
    }

    pub(crate) fn is_playing(self) -> bool {
        self == RunState::Playing
    }

    /// As programs are told it.
    pub(crate) fn code(self) -> &'static str {
        match self {
            RunState::Playing => "playing",
            RunState::Stopped => "stopped",
            RunState::Over => "over",
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            RunState::Playing => "playing now",
            RunState::Stopped => "not finished",
            RunState::Over => "finished",
        }
    }

    pub(crate) fn class(self) -> &'static str {
        match self {
            RunState::Playing => "warn",
            RunState::Stopped => "mut",
            RunState::Over => "ok",
        }
    }
}

/// The head of a page about a run.
pub(crate) struct RunHead {
    pub(crate) title: String,
    /// What was played, in one line.
    pub(crate) line: String,
    pub(crate) state: RunState,
    /// The command that goes on with it.
    pub(crate) command: Option<String>,
    /// The list of its matches.
    pub(crate) matches: String,
    pub(crate) address: String,
    pub(crate) projector: String,
    /// Its matches that can be watched at this moment.
    pub(crate) running: Vec<Running>,
    /// What is played here, if that is another run.
    pub(crate) is_left_behind: bool,
}

/// A match that is played now.
pub(crate) struct Running {
    pub(crate) names: PerSeat<String>,
    pub(crate) seed: i64,
    pub(crate) address: String,
    pub(crate) events: String,
}

impl Running {
    fn new(live: &LiveMatch) -> Running {
        let MatchAbout { number, names, seed, .. } = &live.about;
        let address = crate::live_address(*number);
        Running { names: names.clone(), seed: *seed, events: format!("{address}/events"), address }
    }
}

impl RunHead {
    pub(crate) fn new(archive: &Archive, run: &RunInfo, is_over: bool) -> Result<RunHead, Refusal> {
        let time = archive.store.played(run.id)?;
        let line = format!(
            "{}, {} · {} {} in {} · begun {}",
            game_title(&run.plan.game),
            kind_in_words(&run.plan.kind),
            grouped(run.games),
            if run.games == 1 { "game" } else { "games" },
            spoken(time),
            quintain_arena::scale::date_of_ms(run.created_ms),
        );
        let command = RunWish::of(run).command;
        let here = archive.live.as_ref().and_then(Hub::run);
        Ok(RunHead {
            title: shown(&run.plan.name),
            line,
            state: RunState::of(archive.store.is_played(run.id)?, is_over),
            command: command.map(|command| shown(&command)),
            matches: Matches::of_run(&run.plan.name).address(),
            address: links::run(run.id),
            projector: links::projector(run.id),
            running: archive.running(run.id).iter().map(|live| Running::new(live)).collect(),
            is_left_behind: here.is_some_and(|here| here != run.id),
        })
    }
}

/// A text of somebody else, without what would change the letters around it.
pub(crate) fn shown(text: &str) -> String {
    printable(text).into_owned()
}

pub(crate) fn game_title(id: &str) -> String {
    find(id).map_or_else(|| shown(id), |game| game.facts().title.to_owned())
}

/// What a run is called by its kind.
pub(crate) fn kind_in_words(kind: &str) -> String {
    match kind {
        "compare" => "comparison".to_owned(),
        "evaluate" => "evaluation".to_owned(),
        "swiss" => "Swiss tournament".to_owned(),
        form @ ("round-robin" | "gauntlet" | "knockout") => format!("{form} tournament"),
        other => shown(other),
    }
}

/// A number with the list of matches that is behind it, if there is one.
pub(crate) struct Figure {
    pub(crate) number: String,
    pub(crate) address: Option<String>,
}

impl Figure {
    pub(crate) fn new(number: u64, matches: &Matches) -> Figure {
        let address = (number > 0).then(|| matches.address());
        Figure { number: grouped(number), address }
    }

    pub(crate) fn plain(text: impl Into<String>) -> Figure {
        Figure { number: text.into(), address: None }
    }
}

/// A bot's name with its page.
pub(crate) struct BotLink {
    pub(crate) name: String,
    pub(crate) address: String,
}

impl BotLink {
    pub(crate) fn new(name: &str) -> BotLink {
        BotLink { name: shown(name), address: links::bot(name) }
    }
}
