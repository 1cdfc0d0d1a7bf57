//! The workload by which the original was measured, for measuring: recorded matches of the highest
//! league, from the drawing of the map to the end, which must be the recorded one.

use quintain_core::measure::{
    NamedWorkload, PrepareError, Prepared, Recording, Source, StepMeter, Workload, select_matches,
};
use quintain_core::{Edition, Game, NoChance, PerSeat, Replies, Reply, Seat, recorded_answer};
use serde::Deserialize;

use crate::conform::compare_result;
use crate::{Action, CodeRoyale, Config, League, Wire};

pub static WORKLOADS: [NamedWorkload; 1] =
    [NamedWorkload { name: "recorded", source: Source::Recordings(prepare) }];

fn prepare(recordings: &mut dyn Iterator<Item = Recording>) -> Result<Prepared, PrepareError> {
    let wanted = format!("a match of league {}", League::default().number());
    let matches = select_matches(recordings, &wanted, Match::read)?;
    Ok(Prepared::new(Recorded(matches)))
}

/// All recorded matches of the highest league, in their order, with their answers already read.
struct Recorded(Vec<Match>);

struct Match {
    config: Config,
    seed: i64,
    answers: Vec<Replies<Action>>,
    /// Has been compared with the recording.
    end: CodeRoyale,
}

#[derive(Deserialize)]
struct Header {
    league: League,
    seed: i64,
}

impl Header {
    fn is_of_workload(&self) -> bool {
        self.league == League::default()
    }
}

#[derive(Deserialize)]
struct Turn {
    from: PerSeat<Option<Vec<String>>>,
}

impl Workload for Recorded {
    fn round(&self) -> u64 {
        self.0.len() as u64
    }

    /// # Panics
    /// If a match ends otherwise than it was recorded.
    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
        let mut turns = 0;
        for recorded in self.0.iter().cycle().take(matches as usize) {
            let game = play(&recorded.config, recorded.seed, &recorded.answers, watch);
            assert!(game == recorded.end, "seed {} ends as recorded", recorded.seed);
            turns += u64::from(game.turn());
        }
        turns
    }
}

impl Match {
    /// Reads the lines of a recording and plays it once; `None` if it is none of a match of the
    /// highest league.
    fn read(lines: &[String]) -> Result<Option<Match>, String> {
        let [first, .., result] = lines else {
            return Ok(None);
        };
        let header = serde_json::from_str(first).ok();
        let Some(Header { league, seed }) =
            header.filter(|header: &Header| header.is_of_workload())
        else {
            return Ok(None);
        };
        let turns = lines.iter().filter_map(|line| serde_json::from_str::<Turn>(line).ok());
        let answers: Vec<Replies<Action>> =
            turns.map(|turn| PerSeat::from_fn(|seat| Some(reply(seat, &turn)))).collect();
        if answers.is_empty() {
            return Ok(None);
        }
        let config = Config { edition: Edition::Original, league, ..Config::default() };
        let end = play(&config, seed, &answers, &mut ());
        compare_result(result, &end)
            .map_err(|(expected, got)| format!("expected {expected}, got {got}"))?;
        Ok(Some(Match { config, seed, answers, end }))
    }
}

/// Plays a match and returns its last position.
fn play(
    config: &Config,
    seed: i64,
    answers: &[Replies<Action>],
    watch: &mut (impl StepMeter + ?Sized),
) -> CodeRoyale {
    let setup = CodeRoyale::generate(config, seed);
    let mut game = CodeRoyale::new(config, setup).expect("a generated setup is valid");
    for replies in answers {
        if game.to_act().is_empty() {
            break;
        }
        watch.before();
        game.advance(replies, &mut NoChance, &mut ());
        watch.after();
    }
    game
}

fn reply(seat: Seat, turn: &Turn) -> Reply<Action> {
    let mut lines = turn.from[seat].iter().flatten().cloned().collect();
    recorded_answer(&mut Wire::default(), seat, &mut lines).1
}
