//! One test per statement of the contest's document, under its headings, in our words.
//!
//! Two headings are not here: the place of replays is the host's matter, and the evaluation that of
//! the tournament.

use std::time::Duration;

use quintain_core::{
    Absence, Client, Fault, Game, Gone, Intake, Item, Lobby, LobbyStep, NoChance, Opening, Outbox,
    PerSeat, Protocol, Replies, Reply, Sample, Seat, SplitMix64,
};
use quintain_hockey::{
    Board, Config, Direction, Ending, Event, Hockey, HockeyLobby, Illegal, Setup, Wire,
};

fn start() -> Hockey {
    Hockey::new(&Config::default(), Setup::default()).expect("the usual setup is playable")
}

/// `n`, `ne`, `e` and so on, separated by blanks.
fn directions(words: &str) -> Vec<Direction> {
    let read = |word| match word {
        "n" => Direction::North,
        "ne" => Direction::NorthEast,
        "e" => Direction::East,
        "se" => Direction::SouthEast,
        "s" => Direction::South,
        "sw" => Direction::SouthWest,
        "w" => Direction::West,
        "nw" => Direction::NorthWest,
        other => panic!("no direction: {other}"),
    };
    words.split_whitespace().map(read).collect()
}

fn reply(seat: Seat, reply: Reply<Direction>) -> Replies<Direction> {
    let mut replies = PerSeat::default();
    replies[seat] = Some(reply);
    replies
}

fn throw(game: &mut Hockey, direction: Direction) -> Vec<Event> {
    let mut events = Vec::new();
    let replies = reply(game.board().active(), Reply::Act(direction));
    game.advance(&replies, &mut NoChance, &mut events);
    events
}

/// The throwers of a sequence, as `1` and `2`, and the game after it. Every throw must be legal.
fn played(words: &str) -> (String, Hockey) {
    let mut game = start();
    let mut throwers = String::new();
    for direction in directions(words) {
        throwers.push_str(["1", "2"][game.board().active().index()]);
        let turn = game.turn();
        throw(&mut game, direction);
        assert_eq!(game.turn(), turn + 1, "{direction} must be legal");
    }
    (throwers, game)
}

fn fault(game: &mut Hockey, seat: Seat, fault: Fault) {
    game.advance(&reply(seat, Reply::Fault(fault)), &mut NoChance, &mut ());
}

fn puck(game: &Hockey) -> (i8, i8) {
    (game.board().puck().x(), game.board().puck().y())
}

mod paper_hockey {
    use super::*;

    #[test]
    fn the_grid_is_11_by_11_and_the_puck_starts_at_its_centre() {
        assert_eq!(puck(&start()), (5, 5));
        // Five throws to every side and the puck is at the wall.
        for (words, end) in [("n n n n n", (5, 0)), ("w w w w w", (0, 5)), ("e e e e e", (10, 5))] {
            assert_eq!(puck(&played(words).1), end);
        }
    }

    #[test]
    fn players_throw_in_turn() {
        assert_eq!(played("n ne n nw").0, "1212");
    }

    #[test]
    fn the_goals_are_at_the_north_and_south_ends() {
        let ending = |words| played(words).1.ending();
        let first = Some(Ending::Goal { winner: Seat::First });
        let second = Some(Ending::Goal { winner: Seat::Second });
        assert_eq!(ending("n n n n n n"), first);
        assert_eq!(ending("s s s s s s"), second);
    }

    #[test]
    fn the_puck_must_lie_in_the_opponents_net_whoever_threw_it_there() {
        // The sixth throw is the second player's: an own goal at the north end.
        let (throwers, game) = played("n n n n n n");
        assert_eq!(throwers, "121212");
        assert_eq!(game.outcome().expect("over").winner(), Some(Seat::First));
    }
}

mod rules {
    use super::*;

    #[test]
    fn a_throw_goes_in_one_of_eight_directions() {
        let ends: Vec<_> =
            ["n", "ne", "e", "se", "s", "sw", "w", "nw"].map(|word| puck(&played(word).1)).into();
        let expected = [(5, 4), (6, 4), (6, 5), (6, 6), (5, 6), (4, 6), (4, 5), (4, 4)];
        assert_eq!(ends, expected);
    }

    #[test]
    fn a_line_cannot_be_used_twice_in_either_direction() {
        let (_, mut game) = played("n");
        let events = throw(&mut game, Direction::South);
        let why = Illegal::Used(Direction::South);
        assert_eq!(events, [Event::Refused { seat: Seat::Second, why }]);
        // Round a small square back to the start: its first line is used in its own direction too.
        let (_, mut game) = played("n e s w");
        assert_eq!(puck(&game), (5, 5));
        let events = throw(&mut game, Direction::North);
        let why = Illegal::Used(Direction::North);
        assert!(matches!(events[..], [Event::Refused { why: refused, .. }] if refused == why));
    }

    #[test]
    fn a_visited_node_bounces_and_the_same_player_throws_again() {
        // The fourth throw comes back to the start, which counts as visited.
        assert_eq!(played("n e s w s").0, "12122");
    }

    #[test]
    fn a_wall_bounces() {
        assert_eq!(played("w w w w w ne").0, "121211");
        // A post is wall, the middle of a mouth is not.
        assert_eq!(played("n n n n nw e").0, "121211");
        assert_eq!(played("n n n n n se").0, "121212");
    }

    #[test]
    fn a_second_visit_of_the_mouth_bounces() {
        // Back over the post: both the wall and the mouth leave the throw to the first player.
        assert_eq!(played("n n n n n se w ne w n").0, "1212121111");
    }

    #[test]
    fn walls_cannot_be_walked_along_or_through() {
        let (_, mut game) = played("w w w w w");
        for direction in directions("n s w nw sw") {
            let events = throw(&mut game, direction);
            let why = Illegal::Wall(direction);
            assert_eq!(events, [Event::Refused { seat: Seat::First, why }]);
        }
    }

    #[test]
    fn a_throw_has_two_seconds() {
        let game = start();
        assert_eq!(game.time_limit(Seat::First), Duration::from_secs(2));
        assert_eq!(game.time_limit(Seat::Second), Duration::from_secs(2));
    }

    #[test]
    fn who_does_not_throw_in_time_loses() {
        for (words, late) in [("", Seat::First), ("n", Seat::Second), ("n e s w", Seat::Second)] {
            let (_, mut game) = played(words);
            fault(&mut game, late, Fault::Late);
            assert_eq!(game.ending(), Some(Ending::Timeout { winner: late.other() }));
            let outcome = game.outcome().expect("the game is over");
            assert_eq!(outcome.scores[late.other()], 1);
            assert_eq!(outcome.scores[late], 0);
            assert_eq!(outcome.reason, "timeout");
            assert!(game.to_act().is_empty());
        }
    }

    #[test]
    fn a_refused_throw_leaves_the_clock_running() {
        // The referee restarts the clock when the turn changes.
        let (_, mut game) = played("n");
        let before = game.turn();
        throw(&mut game, Direction::South);
        assert_eq!((game.turn(), game.board().active()), (before, Seat::Second));
    }

    #[test]
    fn who_left_or_flooded_loses_as_if_silent() {
        assert_eq!(Hockey::GONE, Gone::AtDeadline);
        for kind in [Fault::Gone(quintain_core::Exit::Closed), Fault::Flooded] {
            let mut game = start();
            fault(&mut game, Seat::First, kind);
            assert_eq!(game.ending(), Some(Ending::Timeout { winner: Seat::Second }));
        }
    }

    #[test]
    fn who_never_became_ready_loses_asked_or_not() {
        for unready in Seat::BOTH {
            let mut game = start();
            fault(&mut game, unready, Fault::NotStarted(Absence::Silent));
            assert_eq!(game.ending(), Some(Ending::NeverReady { winner: unready.other() }));
        }
        let mut game = start();
        let both = PerSeat::from_fn(|_| Some(Reply::Fault(Fault::NotStarted(Absence::Silent))));
        game.advance(&both, &mut NoChance, &mut ());
        let outcome = game.outcome().expect("nobody can play");
        assert_eq!((outcome.winner(), outcome.scores.0), (None, [0, 0]));
    }

    #[test]
    fn refused_throws_are_counted_and_nothing_else_is() {
        let counted =
            |events: Vec<Event>| events.iter().filter_map(Hockey::refused).collect::<Vec<_>>();
        let mut game = start();
        assert_eq!(counted(throw(&mut game, Direction::North)), []);
        assert_eq!(counted(throw(&mut game, Direction::South)), [Seat::Second]);
        let mut events = Vec::new();
        let late = reply(Seat::Second, Reply::Fault(Fault::Late));
        game.advance(&late, &mut NoChance, &mut events);
        assert!(game.outcome().is_some());
        assert_eq!(counted(events), []);
    }

    #[test]
    fn an_answer_without_meaning_is_a_refused_throw() {
        let mut game = start();
        let error = quintain_core::ParseError::new("a direction", "x");
        fault(&mut game, Seat::First, Fault::Malformed(error));
        assert_eq!(game, start());
    }

    #[test]
    fn a_game_is_won_by_a_goal_or_a_checkmate() {
        let mut chance = SplitMix64::new(5);
        for _ in 0..200 {
            let mut game = start();
            while let Some(seat) = game.to_act().iter().next() {
                let direction = game.sample(seat, &mut chance);
                throw(&mut game, direction);
            }
            let outcome = game.outcome().expect("over");
            assert!(["a goal was made", "checkmate was achieved"].contains(&outcome.reason));
            assert_eq!(outcome.scores.0.iter().sum::<i64>(), 1);
        }
    }
}

mod example_of_a_goal {
    use super::*;

    const THROWS: &str = "n ne n nw nw ne";

    #[test]
    fn the_summary_names_the_throwers() {
        assert_eq!(played(THROWS).0, "121211");
    }

    #[test]
    fn the_fifth_throw_reaches_the_wall_and_bounces() {
        let (_, game) = played("n ne n nw nw");
        assert_eq!((puck(&game), game.board().active()), ((4, 0), Seat::First));
    }

    #[test]
    fn the_sixth_throw_scores_and_wins() {
        let (_, game) = played(THROWS);
        assert_eq!(game.ending(), Some(Ending::Goal { winner: Seat::First }));
        assert_eq!(puck(&game), (5, -1));
    }
}

mod example_of_an_epic_rebound {
    use super::*;

    #[test]
    fn visited_nodes_and_walls_carry_a_player_to_the_goal_in_one_turn() {
        // Down one column and up the next; the tenth throw, the second player's, closes the ring.
        let ring = "s s s s e n n n n w";
        let (throwers, game) = played(ring);
        assert_eq!(throwers, "1212121212");
        assert_eq!((puck(&game), game.board().active()), ((5, 5), Seat::Second));
        // Four visited nodes, the wall at the post, the net: one turn.
        let (throwers, game) = played(&format!("{ring} se sw se sw sw se"));
        assert_eq!(throwers, "1212121212222222");
        assert_eq!(game.ending(), Some(Ending::Goal { winner: Seat::Second }));
    }
}

mod example_of_a_checkmate {
    use super::*;

    #[test]
    fn who_throws_into_a_corner_has_no_line_left_and_loses() {
        let (throwers, game) = played("nw nw nw nw nw");
        assert_eq!(throwers, "12121");
        assert_eq!(puck(&game), (0, 0));
        assert_eq!(game.ending(), Some(Ending::Checkmate { winner: Seat::Second }));
        assert_eq!(game.outcome().expect("over").reason, "checkmate was achieved");
    }

    #[test]
    fn a_wall_node_is_a_dead_end_at_its_second_visit() {
        // Its three lines: one to come, one to leave, and the last to come again.
        let (throwers, game) = played("w w w w w ne s s nw");
        assert_eq!(throwers, "121211221");
        assert_eq!(puck(&game), (0, 5));
        assert_eq!(game.ending(), Some(Ending::Checkmate { winner: Seat::Second }));
    }

    #[test]
    fn the_thrower_loses_whichever_seat_it_has() {
        let used = vec![(0, 5, Direction::NorthEast), (0, 5, Direction::SouthEast)];
        let setup = Setup { puck: (1, 5), used, active: 1, turn: 5 };
        let mut game = Hockey::new(&Config::default(), setup).expect("playable");
        throw(&mut game, Direction::West);
        assert_eq!(game.ending(), Some(Ending::Checkmate { winner: Seat::First }));
    }
}

/// A match behind its wire, and what each line of a player is answered.
struct Match {
    game: Hockey,
    wire: Wire,
}

impl Match {
    fn new(first_message_id: u64) -> (Match, Vec<String>) {
        let names = PerSeat(["Bob".to_owned(), "Malory".to_owned()]);
        let mut wire = Wire::new(&Opening { first_message_id, ..Opening::new(names) });
        let game = start();
        let mut out = Outbox::default();
        wire.start(&game.views(), &mut out);
        wire.prompt(Seat::First, &game.view(Seat::First), &mut out);
        (Match { game, wire }, texts(out))
    }

    fn hear(&mut self, seat: Seat, line: &str) -> Vec<String> {
        let mut out = Outbox::default();
        let asked = self.game.to_act().contains(seat);
        if let Intake::Action(direction) = self.wire.hear(seat, asked, line, &mut out) {
            let turn = self.game.turn();
            let events = throw(&mut self.game, direction);
            self.wire.tell(&events, self.game.outcome().as_ref(), &mut out);
            if self.game.turn() != turn {
                for seat in self.game.to_act().iter() {
                    self.wire.prompt(seat, &self.game.view(seat), &mut out);
                }
            }
        }
        texts(out)
    }
}

/// Each line after the number of the seat that gets it.
fn texts(out: Outbox) -> Vec<String> {
    let text = |(seat, item): (Seat, Item)| match item {
        Item::Line(line) => format!("{}: {line}", seat.index()),
        Item::File { path, .. } => panic!("hockey sends no files, got {path}"),
    };
    out.0.into_iter().map(text).collect()
}

mod where_to_begin {
    use super::*;

    fn said(steps: Vec<LobbyStep>) -> Vec<String> {
        let text = |step| match step {
            LobbyStep::Say(client, text) => format!("{}: {text}", client.0),
            LobbyStep::Close(client) => format!("{}: closed", client.0),
            LobbyStep::Seated { opening, .. } => format!("seated {:?}", opening.names.0),
        };
        steps.into_iter().map(text).collect()
    }

    #[test]
    fn a_client_is_asked_for_its_name_and_welcomed_with_its_seat() {
        let mut lobby = HockeyLobby::default();
        let mut steps = Vec::new();
        lobby.connect(Client(7), &mut steps);
        lobby.line(Client(7), b"Bob", &mut steps);
        lobby.connect(Client(8), &mut steps);
        lobby.line(Client(8), b"Malory", &mut steps);
        let expected = [
            "7: What's your name?",
            "7: Welcome, Bob you're player 0!",
            "8: What's your name?",
            "8: Welcome, Malory you're player 1!",
            "seated [\"Bob\", \"Malory\"]",
        ];
        assert_eq!(said(steps), expected);
    }

    #[test]
    fn both_are_told_the_ball_and_their_goal_and_one_that_it_is_active() {
        let expected = [
            "0: Game is on - 1",
            "1: Game is on - 2",
            "0: ball is at (5, 5) - 3",
            "1: ball is at (5, 5) - 4",
            "0: your goal is north - 5",
            "1: your goal is south - 6",
            "0: Bob is active player - 7",
        ];
        assert_eq!(Match::new(1).1, expected);
    }

    #[test]
    fn lines_are_sent_with_cr_lf_and_taken_with_lf_alone_too() {
        assert_eq!(Wire::FRAMING.line_end_out, "\r\n");
        assert_eq!(Wire::FRAMING.line_ends_in, quintain_core::LineEnds::LfOrCrLf);
        assert_eq!(Wire::FRAMING.line_bytes_max, 16384);
    }
}

mod throws {
    use super::*;

    #[test]
    fn the_eight_commands_are_words_in_any_case() {
        for line in ["north", "north east", "EAST", "South East", "south", "south west", "west"] {
            let (mut play, _) = Match::new(1);
            let answers = play.hear(Seat::First, line);
            let echo = format!("1: Bob did go {} - 8", line.to_lowercase());
            assert_eq!(answers[0], echo);
        }
    }

    #[test]
    fn a_valid_throw_is_told_to_both_and_the_next_player_is_asked() {
        let (mut play, _) = Match::new(1);
        let expected = [
            "1: Bob did go south - 8",
            "0: Bob did go south - 9",
            "1: Malory is active player - 10",
        ];
        assert_eq!(play.hear(Seat::First, "south"), expected);
    }

    #[test]
    fn an_unknown_word_is_answered_without_a_number() {
        let (mut play, _) = Match::new(1);
        for (seat, line) in [(Seat::First, "nord"), (Seat::Second, ""), (Seat::First, "north ")] {
            let answer = format!("{}: Invalid action", seat.index());
            assert_eq!(play.hear(seat, line), [answer]);
        }
        assert_eq!(play.hear(Seat::First, "north")[0], "1: Bob did go north - 8");
    }
}

mod rebound {
    use super::*;

    #[test]
    fn who_bounces_is_told_that_it_is_active_again() {
        let (mut play, _) = Match::new(1);
        for (seat, line) in [(Seat::First, "north"), (Seat::Second, "east"), (Seat::First, "south")]
        {
            play.hear(seat, line);
        }
        let expected = [
            "1: Malory did go west - 17",
            "0: Malory did go west - 18",
            "1: Malory is active player - 19",
        ];
        assert_eq!(play.hear(Seat::Second, "west"), expected);
    }
}

mod invalid_move {
    use super::*;

    #[test]
    fn only_the_thrower_is_told() {
        let (mut play, _) = Match::new(1);
        play.hear(Seat::First, "south");
        assert_eq!(play.hear(Seat::Second, "north"), ["1: invalid move - 11"]);
        assert_eq!(play.hear(Seat::Second, "north"), ["1: invalid move - 12"]);
    }

    #[test]
    fn an_action_out_of_turn_is_ignored_and_its_sender_told() {
        let (mut play, _) = Match::new(20);
        assert_eq!(play.hear(Seat::Second, "SOUTH"), ["1: ignoring action south - 27"]);
        assert_eq!(play.game, start());
    }
}

mod winning {
    use super::*;

    #[test]
    fn a_goal_is_told_to_the_other_player_first_and_the_throw_is_not() {
        let (mut play, _) = Match::new(1);
        let lines = ["north", "north east", "north", "north west", "north west"];
        for line in lines {
            play.hear(play.game.board().active(), line);
        }
        let expected = ["1: Bob won a goal was made - 23", "0: Bob won a goal was made - 24"];
        assert_eq!(play.hear(Seat::First, "north east"), expected);
    }

    #[test]
    fn a_checkmate_is_told_to_the_other_player_first() {
        let (mut play, _) = Match::new(1);
        for _ in 0..4 {
            play.hear(play.game.board().active(), "north west");
        }
        let expected = [
            "1: Malory won checkmate was achieved - 20",
            "0: Malory won checkmate was achieved - 21",
        ];
        assert_eq!(play.hear(Seat::First, "north west"), expected);
    }

    #[test]
    fn a_time_out_is_told_to_the_loser_first() {
        let (mut play, _) = Match::new(1);
        let mut events = Vec::new();
        let late = reply(Seat::First, Reply::Fault(Fault::Late));
        play.game.advance(&late, &mut NoChance, &mut events);
        let mut out = Outbox::default();
        play.wire.tell(&events, play.game.outcome().as_ref(), &mut out);
        assert_eq!(texts(out), ["0: Malory won : timeout - 8", "1: Malory won : timeout - 9"]);
        assert_eq!(play.wire.next_message_id(), 10);
    }
}

#[test]
fn a_position_is_small_and_copied_freely() {
    assert!(size_of::<Hockey>() < 256);
    let game = start();
    let copy = game;
    assert_eq!(game.fingerprint(), copy.fingerprint());
    assert_eq!(*copy.board(), Board::START);
}
