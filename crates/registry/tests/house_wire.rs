//! Every house bot says the same behind the wire as inside the process.

use quintain_code_royale::CodeRoyale;
use quintain_core::{
    Bot, Dialogue, Edition, Effort, HouseBot, HouseClient, Item, Manner, Opening, PerSeat,
    Protocol as _, Reply, Seat, Spoken, no_time,
};
use quintain_fencing::Fencing;
use quintain_hockey::Hockey;
use quintain_overdrive::Overdrive;
use quintain_referee::{Ask, Table};
use quintain_worms::Worms;

const SEED: i64 = 5;
/// The league of the usual config, where a game has leagues with different actions.
const LEAGUE: Option<u8> = Some(3);
/// More messages than a turn has.
const ROUNDS_MAX: usize = 10_000;

/// How many turns a bot plays: few if it thinks for long.
fn turns_of(effort: Effort) -> u32 {
    match effort {
        Effort::AtOnce => 40,
        Effort::Nodes(nodes) => (100_000 / nodes).clamp(2, 40) as u32,
        Effort::Clock => 3,
    }
}

/// The same bot on both seats, once behind lines and once inside.
struct Twins<G: Spoken> {
    table: Table<G>,
    outside: PerSeat<Box<dyn Dialogue>>,
    inside: PerSeat<Box<dyn Bot<G>>>,
}

impl<G: Spoken + HouseClient> Twins<G> {
    fn new(bot: &str) -> Twins<G> {
        let names = PerSeat(["one", "two"].map(str::to_owned));
        let opening =
            Opening { manners: PerSeat([Manner::Lines; 2]), ..Opening::new(names.clone()) };
        let game = G::start(&G::config(Edition::Document), SEED).expect("the usual start");
        let mut table = Table::new(game, G::Protocol::new(&opening), Ask::InTurn);
        table.start();
        let seated = |seat: Seat, name: String| {
            let mut client =
                G::dialogue(bot, &name, SEED, LEAGUE).expect("a house bot behind lines");
            // In hockey the lobby says who sits where before a match; in other games it is a line without meaning.
            let welcome = format!("Welcome, {name} you're player {}!", seat.index());
            client.hear(&welcome, &mut no_time, &mut Vec::new());
            client
        };
        Twins {
            table,
            outside: names.map(seated),
            inside: PerSeat::from_fn(|_| G::bot(bot, SEED).expect("a house bot")),
        }
    }

    /// Hands over all lines until everybody who was asked has answered.
    fn exchange(&mut self) {
        for _ in 0..ROUNDS_MAX {
            let mut messages = Vec::new();
            self.table.send_messages(|unsent| messages.extend_from_slice(unsent));
            if messages.is_empty() {
                return;
            }
            for (seat, item) in messages {
                let Item::Line(line) = item else { panic!("a bot behind lines is sent lines") };
                let mut said = Vec::new();
                self.outside[seat].hear(&line, &mut no_time, &mut said);
                said.iter().for_each(|line| self.table.hear(seat, line));
            }
        }
        panic!("the messages have no end");
    }

    fn step(&mut self, bot: &str) {
        let seats: Vec<Seat> = self.table.game.to_act().iter().collect();
        for seat in seats {
            let view = self.table.game.view(seat);
            let expected = Reply::Act(self.inside[seat].act_unhurried(&view));
            let turn = self.table.game.turn();
            assert_eq!(self.table.replies()[seat], Some(expected), "{} {bot}, turn {turn}", G::ID);
        }
        self.table.step(&mut *G::chance(SEED));
    }
}

fn check<G: Spoken + HouseClient>() {
    for HouseBot { name, effort, .. } in G::BOTS {
        let mut twins = Twins::<G>::new(name);
        while twins.table.game.outcome().is_none() && twins.table.game.turn() < turns_of(*effort) {
            twins.exchange();
            twins.step(name);
        }
    }
}

#[test]
fn hockey_bots_throw_the_same_behind_the_wire() {
    check::<Hockey>();
}

#[test]
fn fencing_bots_do_the_same_behind_the_wire() {
    check::<Fencing>();
}

#[test]
fn royale_bots_order_the_same_behind_the_wire() {
    check::<CodeRoyale>();
}

#[test]
fn worms_bots_command_the_same_behind_the_wire() {
    check::<Worms>();
}

#[test]
fn overdrive_bots_drive_the_same_behind_the_wire() {
    check::<Overdrive>();
}
