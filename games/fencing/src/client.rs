//! A house bot on the far side of the wire: it knows only the lines that a host sends.

use quintain_core::{Bot, Dialogue};

use crate::protocol::read_fencer;
use crate::{Fencer, Fencing, View};

/// The wire does not say which league is played, so only commands that every league has are used.
const LEAGUE: u8 = 1;

/// Answers every second line.
pub struct Client {
    bot: Box<dyn Bot<Fencing>>,
    /// The first line of a turn, until the second has come.
    own: Option<Fencer>,
}

impl Client {
    pub fn new(bot: Box<dyn Bot<Fencing>>) -> Self {
        Client { bot, own: None }
    }
}

impl Dialogue for Client {
    /// A line that is no fencer is passed over, with what was begun before it.
    fn hear(&mut self, line: &str, out: &mut Vec<String>) {
        let Some(fencer) = read_fencer(line) else {
            self.own = None;
            return;
        };
        match self.own.take() {
            None => self.own = Some(fencer),
            Some(own) => {
                let view = View { own, opponent: fencer, league: LEAGUE };
                out.push(self.bot.act(&view).code().to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::House;

    use super::*;
    use crate::Action;

    const START: [&str; 2] = ["200 20 0 0 20 0 0 0 0 0 0 0", "300 20 0 0 20 0 0 0 0 0 0 0"];

    #[test]
    fn it_answers_every_second_line_with_a_command_of_the_first_league() {
        for name in Fencing::NAMES {
            let mut client = Fencing::dialogue(name, "Bob", 3).expect("a house bot");
            let mut out = Vec::new();
            for turn in 0..50 {
                client.hear(START[0], &mut out);
                assert_eq!(out.len(), turn);
                client.hear(START[1], &mut out);
                let action = Action::from_code(&out[turn]).expect("a command");
                assert!(Action::of_league(1).contains(&action), "{action}");
            }
        }
    }

    #[test]
    fn a_line_without_meaning_begins_a_new_turn() {
        let mut client = Fencing::dialogue("greedy", "Bob", 3).expect("a house bot");
        let mut out = Vec::new();
        for line in [START[0], "", "1 2 3", START[0]] {
            client.hear(line, &mut out);
        }
        assert!(out.is_empty());
        client.hear(START[1], &mut out);
        assert_eq!(out.len(), 1);
    }
}
