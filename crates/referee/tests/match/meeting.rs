//! The dialogue before a match.

use std::time::Duration;

use quintain_core::{
    Absence, Client, Exit, Fault, Item, Lobby, LobbyStep, Opening, PerSeat, Seat, Seats, TableId,
};
use quintain_referee::{Actor, Heard, IntroductionLine, Meeting, SimWorld, World, meet};

use crate::bench::{line, ms};

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

/// Asks for a name, refuses one that is taken and closes on `rude`.
#[derive(Default)]
struct Door {
    named: Vec<(Client, String)>,
}

impl Lobby for Door {
    fn connect(&mut self, client: Client, out: &mut Vec<LobbyStep>) {
        out.push(LobbyStep::Say(client, "name?".to_owned()));
    }

    fn line(&mut self, client: Client, line: &[u8], out: &mut Vec<LobbyStep>) {
        let name = String::from_utf8_lossy(line).into_owned();
        if name == "rude" {
            return out.push(LobbyStep::Close(client));
        }
        if self.named.iter().any(|(_, taken)| *taken == name) {
            return out.push(LobbyStep::Say(client, "taken".to_owned()));
        }
        self.named.push((client, name));
        if let [(first, one), (second, two)] = self.named.as_slice() {
            out.push(LobbyStep::Seated {
                table: TableId(0),
                clients: PerSeat([*first, *second]),
                opening: Opening {
                    first_message_id: 7,
                    ..Opening::new(PerSeat([one.clone(), two.clone()]))
                },
            });
        }
    }

    fn has_name(&self, client: Client) -> bool {
        self.named.iter().any(|(named, _)| *named == client)
    }

    fn disconnect(&mut self, _client: Client, _out: &mut Vec<LobbyStep>) {}

    fn over(&mut self, _table: TableId, _next_message_id: u64, _out: &mut Vec<LobbyStep>) {}
}

/// Says these things when it is asked for its name, and one more name for each `taken`.
struct Stranger {
    says: Vec<(Duration, Heard)>,
    then: Option<&'static str>,
}

impl Actor for Stranger {
    fn receive(&mut self, item: &Item, answers: &mut Vec<(Duration, Heard)>) {
        match item {
            Item::Line(asked) if asked == "name?" => answers.append(&mut self.says),
            Item::Line(asked) if asked == "taken" => {
                answers.extend(self.then.take().map(|name| (ms(1), line(name))));
            }
            _ => {}
        }
    }
}

fn stranger(says: Vec<(Duration, Heard)>) -> Box<dyn Actor> {
    Box::new(Stranger { says, then: Some("other") })
}

fn named(name: &str) -> Box<dyn Actor> {
    stranger(vec![(ms(1), line(name))])
}

fn labels() -> PerSeat<String> {
    PerSeat::from_fn(|_| "bot".to_owned())
}

fn met(first: Box<dyn Actor>, second: Box<dyn Actor>) -> Meeting {
    let mut world = SimWorld::new(PerSeat([first, second]));
    let limit = PerSeat([Some(ms(5000)), Some(ms(5000))]);
    let met = meet(&mut Door::default(), &labels(), Seats::BOTH, &mut world, limit);
    met.expect("nobody stops it")
}

#[test]
fn what_was_said_is_known_afterwards() {
    let meeting = met(named("same"), named("same"));
    let said: Vec<String> = meeting
        .introduction
        .iter()
        .map(|line| match line {
            IntroductionLine::Sent { seat, line } => format!("{} > {line}", seat.index()),
            IntroductionLine::Heard { seat, line, .. } => format!("{} < {line}", seat.index()),
        })
        .collect();
    let expected = ["0 > name?", "0 < same", "1 > name?", "1 < same", "1 > taken", "1 < other"];
    assert_eq!(said, expected);
}

#[test]
fn a_stop_ends_the_dialogue_whoever_is_waited_for() {
    for (first, second) in [(stranger(vec![]), named("b")), (named("a"), stranger(vec![]))] {
        let mut world = SimWorld::new(PerSeat([first, second])).stopping_at(ms(700));
        let limit = PerSeat([None, None]);
        let met = meet(&mut Door::default(), &labels(), Seats::BOTH, &mut world, limit);
        assert_eq!(met, None);
        assert_eq!(world.now(), ms(700));
    }
}

fn absent(absence: Absence) -> Option<Fault> {
    Some(Fault::NotStarted(absence))
}

#[test]
fn each_guest_has_the_seat_that_it_was_given() {
    // The second is faster, and still waits for its turn to be asked.
    let meeting = met(stranger(vec![(ms(900), line("slow"))]), named("fast"));
    assert_eq!(meeting.opening.names.0, ["slow", "fast"]);
    assert_eq!(meeting.opening.first_message_id, 7);
    assert_eq!(meeting.absent, PerSeat([None, None]));
}

#[test]
fn a_name_that_is_taken_is_asked_for_again() {
    let meeting = met(named("same"), named("same"));
    assert_eq!(meeting.opening.names.0, ["same", "other"]);
}

#[test]
fn bots_inside_the_process_take_the_first_free_name() {
    let mut world = SimWorld::new(PerSeat([named("bot"), named("unused")]));
    let (outside, limit) = (Seats::only(FIRST), PerSeat([None, None]));
    let meeting = meet(&mut Door::default(), &labels(), outside, &mut world, limit);
    let meeting = meeting.expect("nobody stops it");
    assert_eq!(meeting.opening.names.0, ["bot", "bot 2"]);
}

#[test]
fn who_gives_no_name_is_absent_on_either_seat() {
    let exit = Exit::Signal(9);
    let cases = [
        (vec![], Absence::Silent),
        (vec![(ms(6000), line("late"))], Absence::Silent),
        (vec![(ms(1), Heard::Closed(exit))], Absence::Left(exit)),
        (vec![(ms(1), Heard::Overlong)], Absence::Refused),
        (vec![(ms(1), line("rude"))], Absence::Refused),
    ];
    for (says, absence) in cases {
        let bad = || stranger(says.clone());
        let meeting = met(bad(), named("good"));
        assert_eq!(meeting.absent[FIRST], absent(absence));
        assert_eq!(meeting.absent[SECOND], None);
        let meeting = met(named("good"), bad());
        assert_eq!(meeting.absent[FIRST], None);
        assert_eq!(meeting.absent[SECOND], absent(absence));
    }
}

#[test]
fn lines_behind_the_name_are_kept_for_the_match() {
    let hasty = stranger(vec![(ms(1), line("hasty")), (ms(2), line("move"))]);
    let meeting = met(hasty, stranger(vec![(ms(10), line("calm"))]));
    let early: Vec<_> =
        meeting.early.iter().map(|early| (early.seat, early.heard.clone())).collect();
    assert_eq!(early, [(FIRST, line("move"))]);
}

#[test]
fn without_a_dialogue_the_labels_are_the_names() {
    let meeting = Meeting::by_label(&labels());
    assert_eq!(meeting.opening.names.0, ["bot", "bot 2"]);
    assert_eq!(meeting.opening.first_message_id, 1);
}
