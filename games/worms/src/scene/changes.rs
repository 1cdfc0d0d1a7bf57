//! What the latest round did to the health of each worm.

use quintain_core::{PerSeat, Seat};

use crate::config::WORMS_MAX;
use crate::event::Event;
use crate::rules::Worms;

/// By the index of a worm.
pub(super) struct Changes {
    lost: PerSeat<[i32; WORMS_MAX]>,
    gained: PerSeat<[i32; WORMS_MAX]>,
}

impl Changes {
    pub(super) fn of(game: &Worms, events: &[Event]) -> Changes {
        let mut changes = Changes { lost: PerSeat::default(), gained: PerSeat::default() };
        for event in events {
            match *event {
                Event::Hurt { seat, worm, damage, .. } => {
                    changes.lost[seat][usize::from(worm) - 1] += damage;
                }
                Event::PackTaken { seat, worm, .. } => {
                    let value = game.game_config().health_pack_hp;
                    changes.gained[seat][usize::from(worm) - 1] += value;
                }
                _ => {}
            }
        }
        changes
    }

    /// In words, such as `−13`, `+10` or both; `None` if nothing changed.
    pub(super) fn words(&self, seat: Seat, index: usize) -> Option<String> {
        words(self.lost[seat][index], self.gained[seat][index])
    }

    /// The same of all worms of a seat.
    pub(super) fn all_words(&self, seat: Seat) -> Option<String> {
        words(self.lost[seat].iter().sum(), self.gained[seat].iter().sum())
    }

    pub(super) fn is_loss(&self, seat: Seat, index: usize) -> bool {
        self.lost[seat][index] > 0
    }
}

fn words(lost: i32, gained: i32) -> Option<String> {
    match (lost, gained) {
        (0, 0) => None,
        (0, gained) => Some(format!("+{gained}")),
        (lost, 0) => Some(format!("−{lost}")),
        (lost, gained) => Some(format!("−{lost} +{gained}")),
    }
}
