//! Measures a store: `million STORE [GAMES]` fills it with a round robin of eight bots, a million
//! games if nothing else is said, and says how long the usual questions take. A store that was
//! filled before is only asked.

use std::thread;
use std::time::{Duration, Instant};

use quintain_core::{ErrorKind, PerSeat, Verdict};
use quintain_store::{
    Answers, BotEntry, Ending, Errors, FaultCount, Filter, Game, Identity, Run, RunPlan, Store,
    StoreError, Summary, Tag, TagFilter, TagTest,
};

const BOTS: u32 = 8;
const BATCH: usize = 1000;

fn main() -> Result<(), StoreError> {
    let mut words = std::env::args().skip(1);
    let place = words.next().unwrap_or_else(|| "million.db".to_owned());
    let games = words.next().and_then(|word| word.parse().ok()).unwrap_or(1_000_000);
    let store = timed("open", || Store::open(&place))?;
    let plan = RunPlan {
        name: "million".to_owned(),
        kind: "round-robin".to_owned(),
        game: "fencing".to_owned(),
        settings: format!("{{\"games\":{games}}}"),
        bots: (0..BOTS).map(|bot| BotEntry::new(format!("bot{bot}"), "house:random")).collect(),
    };
    let run = store.begin(&plan)?;
    let finished = timed("finished games", || run.finished())?;
    if finished.count() < games {
        timed("fill", || fill(&run, games))?;
        record_one_by_one(&run)?;
    }
    drop(run);
    ask(&store, &plan.name)
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what:<28}{:>9.3} s", start.elapsed().as_secs_f64());
    result
}

fn fill(run: &Run, games: u64) -> Result<(), StoreError> {
    let mut batch = Vec::with_capacity(BATCH);
    let all = (0..).flat_map(|seed| pairs().map(move |pair| (seed, pair)));
    for (number, (seed_index, (pairing, bots, swapped))) in (0..games).zip(all) {
        batch.push(game(number, Identity { round: 0, pairing, seed_index, swapped }, bots));
        if batch.len() == BATCH || number + 1 == games {
            run.record_all(&batch)?;
            batch.clear();
        }
    }
    Ok(())
}

/// Durable one by one, as games are recorded while they are played.
fn record_one_by_one(run: &Run) -> Result<(), StoreError> {
    for threads in [1, 4] {
        let start = Instant::now();
        let count = 200;
        thread::scope(|scope| {
            let record = |round| {
                (0..count).try_for_each(|seed_index| {
                    let identity = Identity { round, pairing: 0, seed_index, swapped: false };
                    run.record(&game(1, identity, [0, 1])).map(|_| ())
                })
            };
            let all: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || record(10 * threads + thread)))
                .collect();
            all.into_iter().try_for_each(|one| one.join().expect("recording does not panic"))
        })?;
        let each = start.elapsed() / (count * threads);
        println!("record, {threads} at a time      {:>9.3} ms a game", each.as_secs_f64() * 1e3);
    }
    Ok(())
}

fn ask(store: &Store, name: &str) -> Result<(), StoreError> {
    let run = timed("find the run", || store.find_run(name))?.expect("it was begun above").id;
    let tally = timed("tally for standings", || store.tally(run))?;
    println!(
        "    {} games of {} pairs",
        tally.iter().map(|pair| pair.games()).sum::<u64>(),
        tally.len()
    );
    timed("faults", || store.faults(run))?;
    let all = Filter::default();
    timed("tally of one bot", || store.tally_of(run, &Filter { bot: Some(3), ..all.clone() }))?;
    timed("tags summed up", || store.tag_spreads(run, &all))?;
    let late = Filter { errors: Some(Errors::Kind(ErrorKind::Timeout)), ..all.clone() };
    let count = timed("list late answers", || store.games(run, &late).count());
    println!("    {count} games");
    let seed = Filter { seed: Some(77 * 7919), ..all.clone() };
    timed("list one seed", || store.games(run, &seed).count());
    let rare = Filter { reason: Some("doping".to_owned()), ..all.clone() };
    let count = timed("list a rare reason", || store.games(run, &rare).count());
    println!("    {count} games");
    let test = TagTest::AtLeast(9.5);
    let deep = TagFilter { name: "depth".to_owned(), test, turn: None };
    let deep = Filter { tags: vec![deep], ..all.clone() };
    let count = timed("list a rare tag", || store.games(run, &deep).count());
    println!("    {count} games");
    let pair = Filter { bot: Some(3), opponent: Some(5), ..all.clone() };
    let count = timed("whole games of a pair", || store.whole_games(run, &pair).count());
    println!("    {count} games");
    let count = timed("whole games, all", || store.whole_games(run, &all).count());
    println!("    {count} games");
    let count = timed("list all", || store.games(run, &all).count());
    println!("    {count} games");
    Ok(())
}

/// Pairing, bots by seat, and whether the seats are swapped.
fn pairs() -> impl Iterator<Item = (u32, [u32; 2], bool)> {
    let bots = (0..BOTS).flat_map(|high| (0..high).map(move |low| [low, high]));
    let both = |(pairing, [low, high]): (u32, [u32; 2])| {
        [(pairing, [low, high], false), (pairing, [high, low], true)]
    };
    (0..).zip(bots).flat_map(both)
}

fn game(number: u64, identity: Identity, bots: [u32; 2]) -> Game {
    let dice = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let verdicts = match dice % 5 {
        0 => [Verdict::Draw, Verdict::Draw],
        1 | 2 => [Verdict::Win, Verdict::Loss],
        _ => [Verdict::Loss, Verdict::Win],
    };
    let answers =
        Answers { count: 60, worst: Duration::from_micros(900), mean: Duration::from_micros(300) };
    let late = FaultCount {
        seat: quintain_core::Seat::First,
        kind: ErrorKind::Timeout,
        times: 1,
        text: "did not answer in time".to_owned(),
    };
    let seat = Some(quintain_core::Seat::First);
    let depth = if dice.is_multiple_of(1000) { "10" } else { "9" };
    let depth = Tag { name: "depth".to_owned(), seat, turn: None, value: depth.to_owned() };
    Game {
        summary: Summary {
            identity,
            seed: i64::from(identity.seed_index) * 7919,
            bots: PerSeat(bots),
            ending: Ending::Scored {
                verdicts: PerSeat(verdicts),
                scores: PerSeat([5, 3]),
                reason: if dice.is_multiple_of(1000) { "doping" } else { "touches" }.to_owned(),
            },
            turns: 120,
            replay: Some(format!("replays/{number:07}.jsonl.zst")),
            duration: Duration::from_millis(15),
            answers: PerSeat([answers; 2]),
            finished_ms: 1_700_000_000_000 + number.cast_signed(),
        },
        faults: if dice.is_multiple_of(100) { vec![late] } else { Vec::new() },
        disturbances: Vec::new(),
        tags: if dice.is_multiple_of(10) { vec![depth] } else { Vec::new() },
    }
}
