//! What a car has collected, in order.

/// Something that can be collected and used. The order is that in which one round's pickups are
/// added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Powerup {
    Oil,
    Boost,
    Lizard,
    Tweet,
    Emp,
}

impl Powerup {
    pub const ALL: [Powerup; 5] =
        [Powerup::Oil, Powerup::Boost, Powerup::Lizard, Powerup::Tweet, Powerup::Emp];

    /// The word in state files.
    pub const fn name(self) -> &'static str {
        match self {
            Powerup::Oil => "OIL",
            Powerup::Boost => "BOOST",
            Powerup::Lizard => "LIZARD",
            Powerup::Tweet => "TWEET",
            Powerup::Emp => "EMP",
        }
    }

    pub fn from_name(name: &str) -> Option<Powerup> {
        Powerup::ALL.into_iter().find(|powerup| powerup.name() == name)
    }
}

/// As many as a match has ever shown, and more. Beyond that the list goes on elsewhere.
const HELD_INLINE: usize = 118;

/// A list without bound, in order of acquisition, that needs the heap only when it is longer than
/// any sensible race makes it.
#[derive(Clone, Debug)]
pub struct Powerups {
    first: [Powerup; HELD_INLINE],
    /// How many of each there are, so that asking is quick.
    counts: [u32; Powerup::ALL.len()],
    length: usize,
    more: Vec<Powerup>,
}

impl Default for Powerups {
    fn default() -> Self {
        Powerups {
            first: [Powerup::Oil; HELD_INLINE],
            counts: [0; Powerup::ALL.len()],
            length: 0,
            more: Vec::new(),
        }
    }
}

impl PartialEq for Powerups {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Powerups {
    #[inline]
    pub fn count(&self, powerup: Powerup) -> usize {
        self.counts[powerup as usize] as usize
    }

    #[inline]
    pub fn has(&self, powerup: Powerup) -> bool {
        self.counts[powerup as usize] > 0
    }

    pub fn len(&self) -> usize {
        self.length + self.more.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = Powerup> {
        self.first[..self.length].iter().chain(&self.more).copied()
    }

    #[inline]
    pub fn push(&mut self, powerup: Powerup) {
        self.counts[powerup as usize] += 1;
        match self.first.get_mut(self.length) {
            Some(place) => {
                *place = powerup;
                self.length += 1;
            }
            None => self.more.push(powerup),
        }
    }

    /// Removes the first of its kind; `false` if there is none.
    #[inline]
    pub fn take(&mut self, powerup: Powerup) -> bool {
        if !self.has(powerup) {
            return false;
        }
        self.counts[powerup as usize] -= 1;
        match self.first[..self.length].iter().position(|&held| held == powerup) {
            Some(place) => {
                self.first.copy_within(place + 1..self.length, place);
                self.length -= 1;
                self.refill();
            }
            None => {
                let place = self.more.iter().position(|&held| held == powerup);
                self.more.remove(place.expect("what is counted is in the list"));
            }
        }
        true
    }

    /// What is beyond the inline part moves up when there is room.
    fn refill(&mut self) {
        if !self.more.is_empty() {
            self.first[self.length] = self.more.remove(0);
            self.length += 1;
        }
    }
}

impl FromIterator<Powerup> for Powerups {
    fn from_iter<I: IntoIterator<Item = Powerup>>(powerups: I) -> Self {
        let mut list = Powerups::default();
        powerups.into_iter().for_each(|powerup| list.push(powerup));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_a_plain_list_at_any_length() {
        let (mut list, mut plain) = (Powerups::default(), Vec::new());
        for step in 0..2_000_usize {
            let powerup = Powerup::ALL[step * step / 3 % 5];
            if step % 7 < 4 || step < 300 {
                list.push(powerup);
                plain.push(powerup);
            } else {
                let place = plain.iter().position(|&held| held == powerup);
                assert_eq!(list.take(powerup), place.is_some());
                place.map(|place| plain.remove(place));
            }
            assert_eq!(list.iter().collect::<Vec<_>>(), plain);
            for powerup in Powerup::ALL {
                let count = plain.iter().filter(|&&held| held == powerup).count();
                assert_eq!((list.count(powerup), list.has(powerup)), (count, count > 0));
            }
            assert_eq!((list.len(), list.is_empty()), (plain.len(), plain.is_empty()));
            assert_eq!(plain.iter().copied().collect::<Powerups>(), list);
        }
        assert!(plain.len() > 2 * HELD_INLINE, "the list must go on beyond its inline part");
    }

    #[test]
    fn names_are_read_back() {
        for powerup in Powerup::ALL {
            assert_eq!(Powerup::from_name(powerup.name()), Some(powerup));
        }
        assert_eq!(Powerup::from_name("oil"), None);
    }
}
