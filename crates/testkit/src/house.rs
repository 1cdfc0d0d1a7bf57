//! Matches between house bots, inside the process and behind the wire.

use quintain_core::{
    Bot, Chance, Dialogue, Digest, Game, House, HouseBot, HouseClient, Intake, Item, Outbox,
    PerSeat, Protocol, Replies, Seat, SplitMix64, Spoken, drawn_seed, no_time,
};

use crate::battery::STEPS_MAX;

/// Two house bots by their names, both of one seed.
///
/// # Panics
/// If the house has no such bot.
pub fn house_bots<G: House>(names: [&str; 2], seed: i64) -> PerSeat<Box<dyn Bot<G>>> {
    PerSeat(names.map(|name| G::bot(name, seed).expect("a house bot")))
}

/// Plays from a position to the end and returns the last position and all that happened.
///
/// # Panics
/// If the match does not end.
pub fn house_match<G: Game>(
    mut game: G,
    mut bots: PerSeat<Box<dyn Bot<G>>>,
    chance: &mut dyn Chance,
) -> (G, Vec<G::Event>) {
    let mut events = Vec::new();
    for _ in 0..STEPS_MAX {
        if game.outcome().is_some() {
            return (game, events);
        }
        let replies = answers(&game, &mut bots);
        game.advance(&replies, chance, &mut events);
    }
    panic!("the match does not end");
}

/// Whole matches of a house bot against `greedy`, from one seat and the other in turn, as a number that changes
/// with anything that leads to another end.
///
/// # Panics
/// If there is no such bot, or a match does not end.
pub fn digest_of_matches<G: House>(config: &G::Config, bot: &str, matches: u64) -> u64 {
    let mut digest = Digest::new();
    for number in 0..matches {
        let seed = drawn_seed(G::SEED_BITS, SplitMix64::new(number).next_u64());
        let start = G::start(config, seed).expect("generated setups are playable");
        let mut bots = house_bots([bot, "greedy"], seed);
        if number % 2 == 1 {
            bots.0.reverse();
        }
        let (end, _) = house_match(start, bots, &mut *G::chance(seed));
        end.digest(&mut digest);
    }
    digest.finish()
}

/// What the bots of the seats that must act answer.
pub(crate) fn answers<G: Game>(
    game: &G,
    bots: &mut PerSeat<Box<dyn Bot<G>>>,
) -> Replies<G::Action> {
    Replies::of(game.to_act(), |seat| bots[seat].act_unhurried(&game.view(seat)))
}

/// How many matches `greedy` wins against `random` from each seat; `play` returns who won between two
/// house bots with a seed.
pub fn greedy_wins(
    seeds: std::ops::Range<i64>,
    play: impl Fn([&str; 2], i64) -> Option<Seat>,
) -> PerSeat<usize> {
    PerSeat::from_fn(|greedy| {
        let mut names = ["random"; 2];
        names[greedy.index()] = "greedy";
        seeds.clone().filter(|&seed| play(names, seed) == Some(greedy)).count()
    })
}

/// Checks that the house has the bots that it names and no others.
///
/// # Panics
/// If it does not.
pub fn check_house_names<G: HouseClient>() {
    assert!(G::bot("nobody", 1).is_none());
    assert!(G::dialogue("nobody", "x", 1, None).is_none());
    for HouseBot { name, .. } in G::BOTS {
        assert!(G::bot(name, 1).is_some(), "{name}");
        assert!(G::dialogue(name, "x", 1, None).is_some(), "{name}");
    }
}

/// Sends lines to every house bot behind the wire, whatever they say, and returns all answers.
///
/// # Panics
/// If a bot does.
pub fn house_answers<G: HouseClient>(lines: &[String]) -> Vec<String> {
    let mut answers = Vec::new();
    for HouseBot { name, .. } in G::BOTS {
        let mut client = G::dialogue(name, "x", 1, None).expect("a house bot");
        for line in lines {
            client.hear(line, &mut no_time, &mut answers);
        }
    }
    answers
}

/// What passed between the protocol and a bot behind it in one turn.
pub struct Exchange<A> {
    /// The lines that the bot was sent.
    pub told: Vec<String>,
    /// Its answer.
    pub said: String,
    pub action: A,
}

/// Sends a seat its lines and hears its answer, which is a single line.
///
/// # Panics
/// If the bot does not answer as it should.
pub fn exchange<G: Spoken>(
    wire: &mut G::Protocol,
    game: &G,
    seat: Seat,
    bot: &mut (impl Dialogue + ?Sized),
) -> Exchange<G::Action> {
    let (mut out, mut told, mut answers) = (Outbox::default(), Vec::new(), Vec::new());
    wire.prompt(seat, &game.view(seat), &mut out);
    for (to, item) in out.0 {
        assert_eq!(to, seat);
        let Item::Line(line) = item else { panic!("a bot behind a wire is sent lines only") };
        bot.hear(&line, &mut no_time, &mut answers);
        told.push(line);
    }
    assert_eq!(answers.len(), 1, "one answer a turn");
    let said = answers.swap_remove(0);
    match wire.hear(seat, true, &said, &mut Outbox::default()) {
        Intake::Action(action) => Exchange { told, said, action },
        other => panic!("{said} is {other:?}"),
    }
}
