//! A house bot on the far side of the wire: it knows only the lines that a host sends.

use quintain_core::codingame::TimeLimits;
use quintain_core::{Bot, Dialogue, Elapsed, Thinking};

use crate::protocol::read_fencer;
use crate::{Fencer, Fencing, View};

/// Its actions are those that every league has.
const LOWEST_LEAGUE: u8 = 1;

/// Answers every second line.
pub struct Client {
    bot: Box<dyn Bot<Fencing>>,
    /// Limits the actions that the bot thinks of.
    league: u8,
    /// The first line of a turn, until the second has come.
    own: Option<Fencer>,
}

impl Client {
    /// The wire does not say which league is played; who does not know gets no action wrong in any.
    pub fn new(bot: Box<dyn Bot<Fencing>>, league: Option<u8>) -> Self {
        Client { bot, league: league.unwrap_or(LOWEST_LEAGUE), own: None }
    }
}

impl Dialogue for Client {
    /// A line that is no fencer is passed over, with what was begun before it.
    fn hear(&mut self, line: &str, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) {
        let Some(fencer) = read_fencer(line) else {
            self.own = None;
            return;
        };
        match self.own.take() {
            None => self.own = Some(fencer),
            Some(own) => {
                let view = View { own, opponent: fencer, league: self.league };
                let limit = TimeLimits::default().limit(false);
                let action = self.bot.act(&view, &mut Thinking::new(elapsed, limit));
                out.push(action.code().to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{House, HouseBot, HouseClient, no_time};

    use super::*;
    use crate::Action;

    const START: [&str; 2] = ["200 20 0 0 20 0 0 0 0 0 0 0", "300 20 0 0 20 0 0 0 0 0 0 0"];

    #[test]
    fn it_answers_every_second_line_with_a_command_of_the_first_league() {
        for HouseBot { name, .. } in Fencing::BOTS {
            let mut client = Fencing::dialogue(name, "Bob", 3, None).expect("a house bot");
            let mut out = Vec::new();
            for turn in 0..50 {
                client.hear(START[0], &mut no_time, &mut out);
                assert_eq!(out.len(), turn);
                client.hear(START[1], &mut no_time, &mut out);
                let action = Action::from_code(&out[turn]).expect("a command");
                assert!(Action::of_league(1).contains(&action), "{action}");
            }
        }
    }

    #[test]
    fn who_knows_the_league_uses_its_commands() {
        let mut client = Fencing::dialogue("random", "Bob", 3, Some(3)).expect("a house bot");
        let mut out = Vec::new();
        for line in START.iter().cycle().take(400) {
            client.hear(line, &mut no_time, &mut out);
        }
        let of_higher = |code: &String| {
            Action::from_code(code).is_some_and(|action| !Action::of_league(2).contains(&action))
        };
        assert!(out.iter().any(of_higher), "{out:?}");
    }

    #[test]
    fn a_line_without_meaning_begins_a_new_turn() {
        let mut client = Fencing::dialogue("greedy", "Bob", 3, None).expect("a house bot");
        let mut out = Vec::new();
        for line in [START[0], "", "1 2 3", START[0]] {
            client.hear(line, &mut no_time, &mut out);
        }
        assert!(out.is_empty());
        client.hear(START[1], &mut no_time, &mut out);
        assert_eq!(out.len(), 1);
    }
}
