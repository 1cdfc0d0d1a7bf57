//! The conversation with the host: one line in, at most one line out.

use crate::board::{Board, Direction, Goal};
use crate::choose::choose;

pub struct Dialogue {
    wanted_name: String,
    names_tried: u32,
    board: Board,
    goal: Goal,
    /// Throws that the host has not accepted since the puck last moved.
    refused: Vec<Direction>,
    last_throw: Option<Direction>,
}

impl Dialogue {
    pub fn new(name: &str) -> Dialogue {
        Dialogue {
            wanted_name: name.to_owned(),
            names_tried: 0,
            board: Board::new(),
            goal: Goal::North,
            refused: Vec::new(),
            last_throw: None,
        }
    }

    /// Takes one line of the host, without its line end, and gives the line to answer.
    pub fn hear(&mut self, line: &str) -> Option<String> {
        // Before the game there is a dialogue about names.
        if line == "What's your name?" || line.starts_with("Name taken") {
            return Some(self.next_name());
        }
        // During the game every message carries a number, as in "Game is on - 1".
        let (message, _number) = line.rsplit_once(" - ")?;
        match message {
            "Game is on" => self.board = Board::new(),
            "your goal is north" => self.goal = Goal::North,
            "your goal is south" => self.goal = Goal::South,
            "invalid move" => {
                // The host expects another try and the clock is running. It should not happen,
                // because we only make legal throws.
                self.refused.extend(self.last_throw);
                return self.throw();
            }
            _ => return self.hear_of_player(message),
        }
        None
    }

    /// Messages that start with a name. A name can contain anything, so only their end counts.
    fn hear_of_player(&mut self, message: &str) -> Option<String> {
        if let Some((_name, word)) = message.rsplit_once(" did go ") {
            // Said after each throw to both players, so this is also where our own throws count.
            self.board.throw(Direction::from_word(word)?);
            self.refused.clear();
        } else if message.ends_with(" is active player") {
            // Only said to the one who is to throw; after a bounce it is said again.
            return self.throw();
        }
        None
    }

    fn throw(&mut self) -> Option<String> {
        self.last_throw = choose(&self.board, self.goal, &self.refused);
        self.last_throw.map(|direction| direction.word().to_owned())
    }

    fn next_name(&mut self) -> String {
        self.names_tried += 1;
        match self.names_tried {
            1 => self.wanted_name.clone(),
            count => format!("{}-{count}", self.wanted_name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `>` before a line of the host, `<` before the answer that is expected to the line above.
    fn check(name: &str, transcript: &str) {
        let mut dialogue = Dialogue::new(name);
        let mut answer = None;
        for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(heard) = line.strip_prefix("> ") {
                assert_eq!(answer, None, "unexpected answer before `{heard}`");
                answer = dialogue.hear(heard);
            } else {
                let expected = line.strip_prefix("< ").expect("`> ` or `< `");
                assert_eq!(answer.take().as_deref(), Some(expected));
            }
        }
        assert_eq!(answer, None, "unexpected answer at the end");
    }

    #[test]
    fn it_introduces_itself_and_throws_when_asked() {
        check(
            "Bob",
            "> What's your name?
             < Bob
             > Welcome, Bob you're player 0!
             > Game is on - 1
             > ball is at (5, 5) - 3
             > your goal is north - 5
             > Bob is active player - 7
             < north
             > Bob did go north - 9
             > Malory did go south east - 11
             > Bob is active player - 13
             < north",
        );
    }

    #[test]
    fn it_tries_other_names_when_its_own_is_taken() {
        check(
            "Bob",
            "> What's your name?
             < Bob
             > Name taken, please choose another.
             < Bob-2
             > Name taken, please choose another.
             < Bob-3
             > Welcome, Bob-3 you're player 1!",
        );
    }

    #[test]
    fn it_tries_another_throw_after_an_invalid_one() {
        check(
            "Bob",
            "> your goal is south - 6
             > Bob is active player - 7
             < south
             > invalid move - 8
             < south east
             > invalid move - 9
             < south west",
        );
    }

    #[test]
    fn a_name_made_of_messages_does_not_confuse_it() {
        check(
            "Bob",
            "> your goal is north - 5
             > Bob did go north did go east - 8
             > is active player did go west - 9
             > x is active player won a goal was made - 10
             > Bob is active player - 11
             < north",
        );
    }

    #[test]
    fn what_it_does_not_know_is_left_without_an_answer() {
        check("Bob", "> Invalid action\n> ignoring action north - 4\n> Bob won : timeout - 5\n> x");
    }
}
