//! A house bot on the far side of the wire: it knows only the lines that a host sends.

use quintain_core::codingame::TimeLimits;
use quintain_core::{Bot, Dialogue, Elapsed, Opening, PerSeat, Protocol, Seat, Thinking};

use crate::{CodeRoyale, CreepKind, SiteView, StructureView, UnitView, View, Wire};

/// Collects the lines of a turn, and answers when they are complete.
///
/// Owners on the wire are relative to the receiver, so it takes itself for the first player until it
/// has seen where its queen starts: the first player's stands on the left.
pub struct Client {
    bot: Box<dyn Bot<CodeRoyale>>,
    wire: Wire,
    view: View,
    awaits: Awaited,
}

/// What the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaited {
    SiteCount,
    /// The site of this number, before the match.
    Ground(usize),
    Gold,
    /// The site of this number, in a turn.
    Site(usize),
    UnitCount,
    /// So many more units.
    Units(usize),
}

/// The x that divides the players' sides at the start.
const MIDDLE: i32 = 960;

impl Client {
    pub fn new(bot: Box<dyn Bot<CodeRoyale>>) -> Self {
        let names = PerSeat(["first".to_owned(), "second".to_owned()]);
        Client {
            bot,
            wire: Wire::new(&Opening::new(names)),
            view: View {
                seat: Seat::First,
                turn: 0,
                gold: 0,
                touched: None,
                sites: Vec::new(),
                units: Vec::new(),
            },
            awaits: Awaited::SiteCount,
        }
    }

    /// Takes one line. `None` if it is not what it should be.
    fn take(&mut self, line: &str, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) -> Option<()> {
        let numbers: Vec<i32> =
            line.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
        match (self.awaits, numbers.as_slice()) {
            (Awaited::SiteCount, &[count]) => {
                self.view.sites.clear();
                self.awaits = Awaited::Ground(usize::try_from(count).ok()?);
            }
            (Awaited::Ground(count), &[_, x, y, radius]) => {
                self.view.sites.push(SiteView {
                    x,
                    y,
                    radius,
                    gold: None,
                    rate_max: None,
                    structure: None,
                });
                if self.view.sites.len() == count {
                    self.awaits = Awaited::Gold;
                }
            }
            (Awaited::Gold, &[gold, touched]) => {
                self.view.gold = gold;
                self.view.touched = usize::try_from(touched).ok();
                self.awaits = Awaited::Site(0);
            }
            (Awaited::Site(index), numbers) => {
                let seat = self.view.seat;
                read_site(seat, numbers, self.view.sites.get_mut(index)?)?;
                let is_last = index + 1 == self.view.sites.len();
                self.awaits = if is_last { Awaited::UnitCount } else { Awaited::Site(index + 1) };
            }
            (Awaited::UnitCount, &[count]) => {
                self.view.units.clear();
                self.awaits = Awaited::Units(usize::try_from(count).ok()?);
            }
            (Awaited::Units(left), numbers) => {
                self.view.units.push(read_unit(self.view.seat, numbers)?);
                self.awaits = Awaited::Units(left.checked_sub(1)?);
                if left == 1 {
                    self.answer(elapsed, out)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn answer(&mut self, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) -> Option<()> {
        for seat in Seat::BOTH {
            let is_queen = |unit: &UnitView| unit.kind.is_none() && unit.owner == seat;
            self.view.units.iter().find(|unit| is_queen(unit))?;
        }
        if self.view.turn == 0 && self.view.queen(self.view.seat).x > MIDDLE {
            self.change_seat();
        }
        let limit = TimeLimits::default().limit(false);
        let action = self.bot.act(&self.view, &mut Thinking::new(elapsed, limit));
        out.extend(self.wire.say(&self.view, &action));
        self.view.turn += 1;
        self.awaits = Awaited::Gold;
        Some(())
    }

    /// What was taken for the first player's is the second's, and the other way round.
    fn change_seat(&mut self) {
        self.view.seat = Seat::Second;
        for unit in &mut self.view.units {
            unit.owner = unit.owner.other();
        }
        for site in &mut self.view.sites {
            match &mut site.structure {
                Some(
                    StructureView::Mine { owner, .. }
                    | StructureView::Tower { owner, .. }
                    | StructureView::Barracks { owner, .. },
                ) => *owner = owner.other(),
                None => {}
            }
        }
    }
}

impl Dialogue for Client {
    /// Lines that make no sense are passed over.
    fn hear(&mut self, line: &str, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) {
        let _ = self.take(line, elapsed, out);
    }
}

fn read_site(seat: Seat, numbers: &[i32], site: &mut SiteView) -> Option<()> {
    let &[_, gold, rate_max, number, owner, param1, param2] = numbers else {
        return None;
    };
    site.gold = (gold >= 0).then_some(gold);
    site.rate_max = u8::try_from(rate_max).ok();
    site.structure = match number {
        0 => Some(StructureView::Mine {
            owner: read_owner(seat, owner)?,
            rate: u8::try_from(param1).ok(),
        }),
        1 => Some(StructureView::Tower {
            owner: read_owner(seat, owner)?,
            hp: param1,
            range: param2,
        }),
        2 => Some(StructureView::Barracks {
            owner: read_owner(seat, owner)?,
            creep: read_kind(param2)?,
            turns_left: u8::try_from(param1).ok()?,
        }),
        _ => None,
    };
    Some(())
}

fn read_unit(seat: Seat, numbers: &[i32]) -> Option<UnitView> {
    let &[x, y, owner, kind, hp] = numbers else {
        return None;
    };
    Some(UnitView {
        x,
        y,
        owner: read_owner(seat, owner)?,
        kind: if kind == -1 { None } else { Some(read_kind(kind)?) },
        hp,
    })
}

/// 0 is the receiver.
fn read_owner(seat: Seat, owner: i32) -> Option<Seat> {
    match owner {
        0 => Some(seat),
        1 => Some(seat.other()),
        _ => None,
    }
}

fn read_kind(number: i32) -> Option<CreepKind> {
    CreepKind::ALL.into_iter().find(|&kind| kind as i32 == number)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use quintain_core::{Game, Item, NoChance, Outbox, Replies, Sample, SplitMix64, no_time};

    use super::*;
    use crate::{Action, Config};

    /// Keeps what it is shown.
    struct Witness(Arc<Mutex<Vec<View>>>);

    impl Bot<CodeRoyale> for Witness {
        fn act(&mut self, view: &View, _: &mut Thinking<'_>) -> Action {
            self.0.lock().expect("nobody panics with it").push(view.clone());
            Action::wait()
        }
    }

    #[test]
    fn it_sees_through_the_wire_what_the_host_shows() {
        for seat in Seat::BOTH {
            let seen = Arc::new(Mutex::new(Vec::new()));
            let mut client = Client::new(Box::new(Witness(seen.clone())));
            let config = Config::default();
            let setup = CodeRoyale::generate(&config, 77);
            let mut game = CodeRoyale::new(&config, setup).expect("playable");
            let (mut wire, mut luck) = (client.wire.clone(), SplitMix64::new(5));
            let mut shown = Vec::new();
            let mut out = Outbox::default();
            wire.start(&game.views(), &mut out);
            while game.outcome().is_none() {
                wire.prompt(seat, &game.view(seat), &mut out);
                shown.push(game.view(seat));
                let mut answers = Vec::new();
                for (to, item) in out.0.drain(..) {
                    let Item::Line(line) = item else { panic!("lines only") };
                    if to == seat {
                        assert!(answers.is_empty(), "it answers when it has heard all");
                        client.hear(&line, &mut no_time, &mut answers);
                    }
                }
                assert_eq!(answers, ["WAIT", "TRAIN"]);
                let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
                game.advance(&replies, &mut NoChance, &mut ());
            }
            assert_eq!(*seen.lock().expect("nobody panicked"), shown);
        }
    }

    #[test]
    fn lines_without_sense_are_passed_over() {
        let mut client = Client::new(Box::new(Witness(Arc::default())));
        let mut out = Vec::new();
        for line in ["", "x", "-1", "1 2 3", "99999999999", "1", "0 100 100", "0 100 100 60"] {
            client.hear(line, &mut no_time, &mut out);
        }
        assert_eq!(client.awaits, Awaited::Gold);
        for line in ["100 -1", "0 -1", "0 -1 -1 -1 -1 -1 -1", "2", "1 2 0 -1 9", "1 2 7 0 0"] {
            client.hear(line, &mut no_time, &mut out);
        }
        assert!(out.is_empty());
        client.hear("1500 2 1 -1 9", &mut no_time, &mut out);
        assert_eq!(out, ["WAIT", "TRAIN"]);
    }
}
