//! A simulated bot that plays, and now and then does what real bots do.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::{Chance as _, Dialogue, Exit, Item, SplitMix64, no_time};
use quintain_referee::{Actor, Heard};

/// Something that a bot does instead of answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// Answers with a garbled line, perhaps not even UTF-8, then with the right one.
    Garble,
    /// Answers only after the deadline.
    Stall,
    /// Never says anything again, without leaving.
    Freeze,
    /// Leaves.
    Die,
    /// Sends thousands of lines.
    Flood,
    /// Sends a line without end.
    Overflow,
    /// Sends a good line at a bad time.
    Shout,
}

impl Deed {
    pub const ALL: [Deed; 7] = [
        Deed::Garble,
        Deed::Stall,
        Deed::Freeze,
        Deed::Die,
        Deed::Flood,
        Deed::Overflow,
        Deed::Shout,
    ];
}

/// How likely each deed is, in thousandths per line heard. Some are switched off entirely, and the
/// rest weighted wildly: that reaches corners which a uniform choice never reaches.
#[derive(Clone, Debug)]
pub struct Temper([u32; Deed::ALL.len()]);

impl Temper {
    pub fn new(luck: &mut SplitMix64) -> Self {
        Temper(Deed::ALL.map(|_| [0, 0, 1, 5, 30, 150][luck.below(6) as usize]))
    }

    pub fn calm() -> Self {
        Temper([0; Deed::ALL.len()])
    }
}

/// What happened to a bot, for the test that sent it.
#[derive(Debug, Default)]
pub struct Log {
    pub received: Vec<Item>,
    pub deeds: Vec<Deed>,
}

pub struct Mischief {
    dialogue: Box<dyn Dialogue>,
    temper: Temper,
    luck: SplitMix64,
    /// Longer than any limit of the game.
    too_long: Duration,
    shouts: &'static [&'static str],
    is_frozen: bool,
    log: Arc<Mutex<Log>>,
}

impl Mischief {
    pub fn new(
        dialogue: Box<dyn Dialogue>,
        temper: Temper,
        luck: SplitMix64,
        too_long: Duration,
        shouts: &'static [&'static str],
    ) -> (Self, Arc<Mutex<Log>>) {
        let log = Arc::new(Mutex::new(Log::default()));
        let mischief = Mischief {
            dialogue,
            temper,
            luck,
            too_long,
            shouts,
            is_frozen: false,
            log: Arc::clone(&log),
        };
        (mischief, log)
    }

    fn deed(&mut self) -> Option<Deed> {
        let Temper(weights) = self.temper.clone();
        let pairs = Deed::ALL.into_iter().zip(weights);
        pairs.into_iter().find(|(_, weight)| self.luck.below(1000) < *weight).map(|(deed, _)| deed)
    }

    fn delay(&mut self) -> Duration {
        Duration::from_micros(u64::from(self.luck.below(3_000)))
    }

    fn garbled(&mut self, line: &str) -> Vec<u8> {
        let mut bytes = line.as_bytes().to_vec();
        match self.luck.below(5) {
            0 => bytes.insert(0, b' '),
            1 => bytes.push(0xff),
            2 => bytes.clear(),
            3 => bytes.extend_from_slice("\u{1b}[2J\0 é".as_bytes()),
            _ => bytes.iter_mut().for_each(|byte| *byte ^= 0x15),
        }
        // A line holds no line end.
        bytes.retain(|byte| *byte != b'\n');
        bytes
    }

    fn shout(&mut self) -> Heard {
        let index = self.luck.below(self.shouts.len() as u32) as usize;
        Heard::Line(self.shouts[index].as_bytes().to_vec())
    }

    fn answer(&mut self, line: &str, answers: &mut Vec<(Duration, Heard)>) {
        let delay = self.delay();
        answers.push((delay, Heard::Line(line.as_bytes().to_vec())));
    }

    fn misbehave(&mut self, deed: Deed, lines: &[String], answers: &mut Vec<(Duration, Heard)>) {
        let delay = self.delay();
        match deed {
            Deed::Garble => {
                let garbled = self.garbled(lines.first().map_or("", String::as_str));
                answers.push((Duration::ZERO, Heard::Line(garbled)));
                lines.iter().for_each(|line| self.answer(line, answers));
            }
            Deed::Stall => answers.extend(
                lines.iter().map(|line| (self.too_long, Heard::Line(line.as_bytes().to_vec()))),
            ),
            Deed::Freeze => self.is_frozen = true,
            Deed::Die => {
                self.is_frozen = true;
                let exit =
                    [Exit::Code(1), Exit::Signal(11), Exit::Closed][self.luck.below(3) as usize];
                answers.push((delay, Heard::Closed(exit)));
            }
            Deed::Flood => {
                for _ in 0..2_000 {
                    let shout = self.shout();
                    answers.push((delay, shout));
                }
                lines.iter().for_each(|line| self.answer(line, answers));
            }
            Deed::Overflow => {
                self.is_frozen = true;
                answers.push((delay, Heard::Overlong));
            }
            Deed::Shout => {
                let shout = self.shout();
                answers.push((delay, shout));
                lines.iter().for_each(|line| self.answer(line, answers));
            }
        }
    }
}

impl Actor for Mischief {
    fn receive(&mut self, item: &Item, answers: &mut Vec<(Duration, Heard)>) {
        let mut lines = Vec::new();
        if let Item::Line(line) = item {
            self.dialogue.hear(line, &mut no_time, &mut lines);
        }
        let deed = if self.is_frozen { None } else { self.deed() };
        let mut log = self.log.lock().expect("no test panics while it holds the log");
        log.received.push(item.clone());
        log.deeds.extend(deed);
        drop(log);
        match deed {
            _ if self.is_frozen => {}
            Some(deed) => self.misbehave(deed, &lines, answers),
            None => lines.iter().for_each(|line| self.answer(line, answers)),
        }
    }
}
