//! A house bot on the far side of the wire: it knows only the lines that a host sends.

use std::time::Duration;

use quintain_core::{Bot, Dialogue, Elapsed, Seat, Thinking};

use crate::names::NAME_NOT_ALLOWED;
use crate::protocol::{NAME_TAKEN, Notice, WHATS_YOUR_NAME, read_notice, read_welcome};
use crate::setup::TIME_LIMIT_MS;
use crate::{Board, Direction, Hockey, View};

/// The name of a client that may not have the one that it was given.
const PLAIN_NAME: &str = "player";

/// The host's time limit is not said; this is the usual one.
const LIMIT: Duration = Duration::from_millis(TIME_LIMIT_MS as u64);

/// Keeps its own board by the throws that it hears of, and answers when it is its turn.
pub struct Client {
    bot: Box<dyn Bot<Hockey>>,
    wanted_name: String,
    /// How many names it has asked for.
    names_tried: u32,
    name: String,
    seat: Seat,
    board: Board,
    /// Throws that the host refused since the puck last moved.
    refused: Vec<Direction>,
}

impl Client {
    pub fn new(name: &str, bot: Box<dyn Bot<Hockey>>) -> Self {
        Client {
            bot,
            wanted_name: name.to_owned(),
            names_tried: 0,
            name: name.to_owned(),
            seat: Seat::First,
            board: Board::START,
            refused: Vec::new(),
        }
    }

    /// The name it was given, then that name with a number: `name 2`, `name 3` and so on.
    fn introduce(&mut self, out: &mut Vec<String>) {
        self.names_tried += 1;
        if self.names_tried > 1 {
            self.name = format!("{} {}", self.wanted_name, self.names_tried);
        }
        out.push(self.name.clone());
    }

    /// A throw that the host announced. If its board is not ours, the next start mends that.
    fn follow(&mut self, direction: Direction) {
        self.refused.clear();
        if self.board.exits(self.board.puck()).contains(direction) {
            self.board.throw(direction);
        }
    }

    /// Who throws first is not said. Being asked settles it.
    fn answer(&mut self, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) {
        self.board = self.board.with_active(self.seat);
        let view = View { board: self.board, seat: self.seat };
        let direction = self.bot.act(&view, &mut Thinking::new(elapsed, LIMIT));
        out.push(direction.word().to_owned());
        self.refused.push(direction);
    }

    /// The host knows better which lines are free: any other that ours has, then any other at all.
    /// Once all eight are refused there is nothing left to say.
    fn answer_anew(&mut self, out: &mut Vec<String>) {
        let free = self.board.exits(self.board.puck());
        let untried =
            Direction::ALL.into_iter().filter(|direction| !self.refused.contains(direction));
        let next = untried.clone().find(|&direction| free.contains(direction));
        if let Some(direction) = next.or_else(|| untried.clone().next()) {
            out.push(direction.word().to_owned());
            self.refused.push(direction);
        }
    }
}

impl Dialogue for Client {
    fn hear(&mut self, line: &str, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) {
        if line == WHATS_YOUR_NAME || line == NAME_TAKEN {
            return self.introduce(out);
        }
        if line.starts_with(NAME_NOT_ALLOWED) {
            PLAIN_NAME.clone_into(&mut self.wanted_name);
            return self.introduce(out);
        }
        if let Some(seat) = read_welcome(line, &self.name) {
            self.seat = seat;
            return;
        }
        match read_notice(line, &self.name) {
            Some(Notice::GameIsOn) => self.refused.clear(),
            Some(Notice::BallIsAt(node)) => self.board = Board::empty(node, Seat::First),
            Some(Notice::DidGo(direction)) => self.follow(direction),
            Some(Notice::YourTurn) => self.answer(elapsed, out),
            Some(Notice::InvalidMove) => self.answer_anew(out),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{HouseClient, no_time};

    use super::*;

    fn replies(client: &mut dyn Dialogue, line: &str) -> Vec<String> {
        let mut out = Vec::new();
        client.hear(line, &mut no_time, &mut out);
        out
    }

    fn greedy() -> Box<dyn Dialogue> {
        Hockey::dialogue("greedy", "Bob", 1, None).expect("a house bot")
    }

    #[test]
    fn it_introduces_itself_until_a_name_is_free() {
        let mut client = greedy();
        assert_eq!(replies(&mut *client, "What's your name?"), ["Bob"]);
        assert_eq!(replies(&mut *client, "Name taken, please choose another."), ["Bob 2"]);
        assert_eq!(replies(&mut *client, "Name taken, please choose another."), ["Bob 3"]);
        assert!(replies(&mut *client, "Welcome, Bob 3 you're player 1!").is_empty());
        assert!(replies(&mut *client, "Bob is active player - 7").is_empty());
        assert_eq!(replies(&mut *client, "Bob 3 is active player - 7").len(), 1);
    }

    #[test]
    fn it_follows_the_throws_and_answers_only_in_its_turn() {
        let mut client = greedy();
        replies(&mut *client, "What's your name?");
        let silent = [
            "Welcome, Bob you're player 0!",
            "Game is on - 1",
            "ball is at (5, 5) - 3",
            "your goal is north - 5",
            "Malory is active player - 6",
            "nonsense",
            "",
        ];
        for line in silent {
            assert!(replies(&mut *client, line).is_empty(), "{line}");
        }
        // Four throws of the document's example of a goal; two more and it has won.
        for throw in ["Bob did go north", "Malory did go north east", "Bob did go north"] {
            assert!(replies(&mut *client, &format!("{throw} - 9")).is_empty());
        }
        replies(&mut *client, "Malory did go north west - 12");
        let bounce = replies(&mut *client, "Bob is active player - 13");
        replies(&mut *client, &format!("Bob did go {} - 14", bounce[0]));
        let goal = replies(&mut *client, "Bob is active player - 16");
        assert!(goal[0].starts_with("north"), "{bounce:?} {goal:?}");
    }

    #[test]
    fn it_tries_every_direction_once_when_its_throws_are_refused() {
        let mut client = greedy();
        replies(&mut *client, "What's your name?");
        let mut tried = replies(&mut *client, "Bob is active player - 7");
        for _ in 0..20 {
            tried.extend(replies(&mut *client, "invalid move - 8"));
        }
        assert_eq!(tried.len(), 8);
        for direction in Direction::ALL {
            assert!(tried.contains(&direction.word().to_owned()), "{direction}");
        }
    }
}
