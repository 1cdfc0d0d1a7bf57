//! What is known of a match when it is over.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::{Fault, Outcome, PerSeat, Seat};
use quintain_record::{
    AnswerTimes, BotId, Disturbance, Ending, MatchHead, MatchId, MatchRecord, Scored, SeatError,
    TagList, VoidReason,
};
use quintain_referee::{IntroductionLine, Unprotected};
use quintain_replay::{ReplayError, unix_ms};

#[derive(Debug)]
pub struct MatchReport {
    /// As they are shown.
    pub names: PerSeat<String>,
    /// As the bots are called on the wire.
    pub wire_names: PerSeat<String>,
    /// What was said before the match, in games whose bots introduce themselves.
    pub introduction: Vec<IntroductionLine>,
    pub outcome: Outcome,
    pub turns: u32,
    pub seed: i64,
    /// One sentence: who won, and why.
    pub closing: String,
    /// Everything that the referee found, in order.
    pub faults: Vec<(Seat, Fault)>,
    /// What the bots did wrong, as whoever counts errors counts them: what the referee found and what
    /// the rules refused, each kind of a seat once, in the order in which it was first seen.
    pub errors: Vec<SeatError>,
    pub answers: PerSeat<AnswerTimes>,
    /// Late answers that were the machine's fault: the match should be played again.
    pub disturbed: Vec<Disturbance>,
    /// Why it could not be told of a bot whether the machine kept it waiting, so that late was late.
    pub unprotected: PerSeat<Option<Unprotected>>,
    /// For a match that goes on from a recorded one: the recorded turn, counted from 1, in which a bot
    /// was waited for in vain. It may not know what was played.
    pub behind: PerSeat<Option<u32>>,
    pub replay: Option<PathBuf>,
    /// What held the programs.
    pub sandbox: Option<String>,
    /// The SHA-256 of the replay's lines; `None` if there is none, or not all of it.
    pub replay_digest: Option<String>,
    /// The match counts, but its replay is not complete.
    pub replay_error: Option<ReplayError>,
    /// The last thing that each bot wrote to its error output.
    pub last_stderr: PerSeat<String>,
    /// What the original runner's referee would remark, in games that have one. Any remark asks for
    /// a person to look at the match.
    pub remarks: Option<Vec<String>>,
    /// The match counts, but its match log is not complete.
    pub match_log_error: Option<io::Error>,
    /// What the bots said about themselves and the match.
    pub tags: TagList,
    /// The fingerprint of all positions and of the outcome: the same for two matches in which the same was
    /// played.
    pub content: u64,
}

impl MatchReport {
    /// The replay, if there is one and all of it could be written.
    pub fn whole_replay(&self) -> Option<&Path> {
        self.replay.as_deref().filter(|_| self.replay_error.is_none())
    }

    /// The late answers that were the machine's fault, as those of an attempt. `replay` is the attempt's, as
    /// whoever keeps it names it.
    pub fn disturbances(&self, attempt: u32, replay: Option<&str>) -> Vec<Disturbance> {
        let of_attempt = |disturbance: &Disturbance| Disturbance {
            attempt,
            replay: replay.map(str::to_owned),
            ..disturbance.clone()
        };
        self.disturbed.iter().map(of_attempt).collect()
    }

    /// What is kept of the match: if the machine disturbed it, that it is void, and nothing that the bots did
    /// or said in it. `id` and `bots` say which match of which run it was.
    pub fn record(&self, id: MatchId, bots: PerSeat<BotId>, duration: Duration) -> MatchRecord {
        let is_void = !self.disturbed.is_empty();
        let head = MatchHead {
            id,
            seed: self.seed,
            bots,
            ending: match is_void {
                true => Ending::Void(VoidReason::Disturbed),
                false => Ending::Scored(Scored::from(&self.outcome)),
            },
            turns: self.turns,
            content: (!is_void).then_some(self.content),
            replay: None,
            replay_digest: None,
            sandbox: self.sandbox.clone(),
            duration,
            answers: self.answers,
            finished_ms: unix_ms().cast_signed(),
        };
        let (errors, tags) = match is_void {
            true => (Vec::new(), Vec::new()),
            false => (self.errors.clone(), self.tags.clone().kept()),
        };
        MatchRecord { head, errors, disturbances: Vec::new(), tags }
    }
}
