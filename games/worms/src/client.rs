//! A house bot on the far side of the wire: it knows only the lines that a host sends.

use quintain_core::Dialogue;

use crate::command;
use crate::house::Mind;
use crate::sight::Sight;

/// Hears the number of a round, then its state as one line of JSON, and answers.
pub(crate) struct Client {
    mind: Box<dyn Mind>,
    /// The round that was announced.
    round: Option<u32>,
}

impl Client {
    pub(crate) fn new(mind: Box<dyn Mind>) -> Self {
        Client { mind, round: None }
    }
}

impl Dialogue for Client {
    fn hear(&mut self, line: &str, out: &mut Vec<String>) {
        let Some(round) = self.round.take() else {
            self.round = line.parse().ok();
            return;
        };
        if let Some(sight) = Sight::of_json(line) {
            let action = self.mind.decide(&sight);
            out.push(format!("C;{round};{}", command::write(&action)));
        }
    }
}
