//! House bots on the far side of the wire: lobby, protocol and rules as in a match, and two clients
//! that know nothing but the lines they are sent.

use quintain_core::{
    Client, Dialogue, Game, HouseClient, Intake, Item, Lobby, LobbyStep, NoChance, Outbox, PerSeat,
    Protocol, Replies, Seat, no_time,
};
use quintain_hockey::{Config, Ending, Hockey, HockeyLobby, Setup, Wire};

struct Host {
    bots: Vec<Box<dyn Dialogue>>,
    /// Every line that was sent, in order.
    sent: Vec<String>,
    /// Lines that came back and were not handled yet, each with its sender.
    inbox: Vec<(usize, String)>,
}

impl Host {
    fn new(bots: [(&str, &str); 2], seed: i64) -> Self {
        let dialogue =
            |(bot, name)| Hockey::dialogue(bot, name, seed, None).expect("the house has this bot");
        Host { bots: bots.map(dialogue).into(), sent: Vec::new(), inbox: Vec::new() }
    }

    fn send(&mut self, bot: usize, line: String) {
        let mut answers = Vec::new();
        self.bots[bot].hear(&line, &mut no_time, &mut answers);
        self.sent.push(line);
        self.inbox.extend(answers.into_iter().map(|answer| (bot, answer)));
    }

    /// Lets both introduce themselves; returns the match and which bot has which seat.
    fn seat(&mut self) -> (Wire, PerSeat<usize>) {
        let mut lobby = HockeyLobby::default();
        let mut steps = Vec::new();
        for number in 0..self.bots.len() {
            lobby.connect(Client(number as u64), &mut steps);
        }
        loop {
            for step in std::mem::take(&mut steps) {
                match step {
                    LobbyStep::Say(client, line) => self.send(client.0 as usize, line),
                    LobbyStep::Seated { clients, opening, .. } => {
                        let bots = clients.map(|_, client| client.0 as usize);
                        return (Wire::new(&opening), bots);
                    }
                    LobbyStep::Close(client) => panic!("{client:?} was closed"),
                }
            }
            let (bot, line) = self.inbox.remove(0);
            lobby.line(Client(bot as u64), line.as_bytes(), &mut steps);
        }
    }

    fn play(&mut self, setup: Setup) -> Ending {
        let (mut wire, bots) = self.seat();
        let mut game = Hockey::new(&Config::default(), setup).expect("playable");
        let mut out = Outbox::default();
        wire.start(&game.views(), &mut out);
        let mut asked_at = None;
        loop {
            for seat in game.to_act().iter().filter(|_| asked_at != Some(game.turn())) {
                wire.prompt(seat, &game.view(seat), &mut out);
            }
            asked_at = Some(game.turn());
            for (seat, item) in std::mem::take(&mut out).0 {
                let Item::Line(line) = item else { panic!("hockey sends lines only") };
                self.send(bots[seat], line);
            }
            if let Some(ending) = game.ending() {
                assert!(self.inbox.is_empty(), "nobody speaks after the end");
                return ending;
            }
            let (bot, line) = self.inbox.remove(0);
            let seat = Seat::BOTH.into_iter().find(|&seat| bots[seat] == bot).expect("seated");
            let intake = wire.hear(seat, game.to_act().contains(seat), &line, &mut out);
            let Intake::Action(direction) = intake else { panic!("{line} is no throw") };
            let replies = Replies::only(seat, direction);
            let mut events = Vec::new();
            game.advance(&replies, &mut NoChance, &mut events);
            wire.tell(&events, game.outcome().as_ref(), &mut out);
        }
    }
}

#[test]
fn house_bots_play_whole_games_over_the_wire_without_an_invalid_move() {
    for seed in 0..20 {
        for bots in [[("greedy", "a"), ("random", "b")], [("random", "a"), ("greedy", "b")]] {
            let mut host = Host::new(bots, seed);
            let ending = host.play(Setup::default());
            assert!(ending.winner().is_some());
            assert!(!host.sent.iter().any(|line| line.starts_with("invalid move")));
        }
    }
}

#[test]
fn a_bot_plays_against_itself_under_another_name() {
    let mut host = Host::new([("greedy", "greedy"), ("greedy", "greedy")], 1);
    host.play(Setup::default());
    assert!(host.sent.contains(&"Welcome, greedy you're player 0!".to_owned()));
    assert!(host.sent.contains(&"Welcome, greedy 2 you're player 1!".to_owned()));
}

#[test]
fn names_made_of_protocol_text_confuse_nobody() {
    let names = ["x did go north - 8", "x did go north - 8 is active player - 7"];
    for seed in 0..5 {
        let mut host = Host::new([("random", names[0]), ("greedy", names[1])], seed);
        host.play(Setup::default());
        assert!(!host.sent.iter().any(|line| line.starts_with("invalid move")));
    }
}

#[test]
fn a_position_whose_used_lines_nobody_was_told_of_is_played_to_its_end() {
    use quintain_hockey::Direction::{East, North, NorthEast, SouthWest};
    let used = vec![(3, 3, North), (3, 3, NorthEast), (3, 3, East), (5, 5, SouthWest)];
    let setup = Setup { puck: (3, 3), active: 1, used, turn: 0 };
    for seed in 0..10 {
        let mut host = Host::new([("greedy", "a"), ("random", "b")], seed);
        assert!(host.play(setup.clone()).winner().is_some());
        assert!(host.sent.iter().any(|line| line.starts_with("ball is at (3, 3)")));
    }
}
