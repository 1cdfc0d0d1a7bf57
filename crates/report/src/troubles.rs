//! What goes wrong in the games of a run: told when it happens for the first time, and counted from then on, so
//! that twenty games that fail alike are two lines and one command.

use quintain_arena::PlayedGame;
use quintain_arena::run::Now;
use quintain_core::{ErrorKind, FaultCause, printable};
use quintain_record::{BotId, Ending, MatchId, VoidReason};

use crate::words::{counted, did, shell_word};

/// What went wrong so far, by cause, in the order in which it was first seen.
#[derive(Debug, Default)]
pub struct Troubles(Vec<Trouble>);

#[derive(Debug)]
struct Trouble {
    cause: Cause,
    /// Who did what.
    what: String,
    first: MatchId,
    games: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Void(VoidReason),
    Error(BotId, ErrorKind, Option<FaultCause>),
}

impl Troubles {
    /// Counts what went wrong in a game. Returns a sentence for each cause that is new, with the command that
    /// shows the game again.
    pub fn news(&mut self, now: &Now<'_>, game: &PlayedGame) -> Vec<String> {
        let head = &game.record.head;
        let (id, seed) = (head.id, head.seed);
        let again = game.replay.as_deref().map_or(String::new(), |path| {
            format!("; show it again: quintain replay {}", shell_word(path))
        });
        if let Ending::Void(reason) = head.ending {
            let why = match reason {
                VoidReason::Aborted => "a bug in quintain ended it",
                VoidReason::Disturbed => "this machine was too busy, each time it was played",
            };
            let what = format!("void because {why}:");
            let is_new = self.count(Cause::Void(reason), what, id);
            let line = format!("game {id}, seed {seed}, is void: {why}{again}");
            return is_new.then_some(line).into_iter().collect();
        }
        let mut lines = Vec::new();
        for error in &game.record.errors {
            let (bot, text) = (head.bots[error.seat], &error.text);
            let what = format!("{} {} in", now.name(bot), did(error.kind));
            let line = format!("{what} game {id}, seed {seed}: {text}{again}");
            if self.count(Cause::Error(bot, error.kind, error.cause), what, id) {
                lines.push(line);
            }
        }
        lines
    }

    /// A line for each cause that came more than once.
    pub fn summary(&self) -> Vec<String> {
        let repeated = self.0.iter().filter(|trouble| trouble.games > 1);
        let line = |Trouble { what, first, games, .. }: &Trouble| {
            let games = counted(*games, "game");
            printable(&format!("{what} {games}; the first of them, told above, is {first}"))
                .into_owned()
        };
        repeated.map(line).collect()
    }

    /// Whether it is new.
    fn count(&mut self, cause: Cause, what: String, first: MatchId) -> bool {
        match self.0.iter_mut().find(|trouble| trouble.cause == cause) {
            Some(trouble) => trouble.games += 1,
            None => self.0.push(Trouble { cause, what, first, games: 1 }),
        }
        self.0.last().is_some_and(|last| last.cause == cause && last.games == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_counted_apart_and_told_once() {
        let id = |text: &str| text.parse().expect("an id");
        let cause = |bot, kind| Cause::Error(BotId(bot), kind, None);
        let mut troubles = Troubles::default();
        let mut count = |cause, what: &str, game| troubles.count(cause, what.to_owned(), id(game));
        assert!(count(cause(0, ErrorKind::Crash), "old crashed in", "0-0-0-a"));
        assert!(count(cause(1, ErrorKind::Crash), "new crashed in", "0-0-0-b"));
        assert!(!count(cause(0, ErrorKind::Crash), "old crashed in", "1-0-0-a"));
        assert!(!count(cause(1, ErrorKind::Crash), "new crashed in", "1-0-0-a"));
        assert!(count(cause(1, ErrorKind::Timeout), "new timed out in", "1-0-0-b"));
        assert_eq!(
            troubles.summary(),
            [
                "old crashed in 2 games; the first of them, told above, is 0-0-0-a",
                "new crashed in 2 games; the first of them, told above, is 0-0-0-b",
            ]
        );
    }
}
