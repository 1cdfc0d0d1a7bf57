//! Which figures a film has, so that each has its place in all pictures.

use quintain_core::scene::{Film, Panel};
use quintain_core::{PerSeat, Seat};

use crate::fonts::Weight;
use crate::text::width;

/// A figure that has a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot {
    pub(crate) seat: Option<Seat>,
    pub(crate) name: &'static str,
    /// The how-manieth figure of this name it is, of its seat.
    nth: usize,
    pub(crate) has_gauge: bool,
    pub(crate) is_decisive: bool,
    /// How wide the widest value of the film is at size 1.
    pub(crate) value_width: f64,
    /// How wide the widest change is at size 1; 0 if there is none.
    pub(crate) change_width: f64,
}

impl Slot {
    /// The figure of one picture that belongs here.
    pub(crate) fn find<'a>(&self, panels: &'a [Panel]) -> Option<&'a Panel> {
        panels
            .iter()
            .filter(|panel| panel.seat == self.seat && panel.name == self.name)
            .nth(self.nth)
    }
}

/// The figures of a film, in the order in which they first appear.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slots {
    pub(crate) of_seats: PerSeat<Vec<Slot>>,
    pub(crate) shared: Vec<Slot>,
}

impl Slots {
    pub(crate) fn of(film: &Film) -> Slots {
        let mut slots = Slots::default();
        for frame in &film.frames {
            let panels = &frame.scene.panels;
            for (index, panel) in panels.iter().enumerate() {
                let is_same = |other: &&Panel| other.seat == panel.seat && other.name == panel.name;
                let nth = panels[..index].iter().filter(is_same).count();
                slots.note(panel, nth);
            }
        }
        slots
    }

    fn note(&mut self, panel: &Panel, nth: usize) {
        let list = match panel.seat {
            Some(seat) => &mut self.of_seats[seat],
            None => &mut self.shared,
        };
        let known = list.iter().position(|slot| slot.name == panel.name && slot.nth == nth);
        let index = known.unwrap_or_else(|| {
            list.push(Slot {
                seat: panel.seat,
                name: panel.name,
                nth,
                has_gauge: false,
                is_decisive: false,
                value_width: 0.0,
                change_width: 0.0,
            });
            list.len() - 1
        });
        let slot = &mut list[index];
        slot.has_gauge |= panel.gauge.is_some();
        slot.is_decisive |= panel.is_decisive;
        let change = panel.change.as_deref().unwrap_or_default();
        slot.value_width = slot.value_width.max(width(&panel.value, 1.0, Weight::Bold));
        slot.change_width = slot.change_width.max(width(change, 1.0, Weight::Bold));
    }

    /// The number that decides, if the film has one for this seat.
    pub(crate) fn decisive(&self, seat: Seat) -> Option<&Slot> {
        self.of_seats[seat].iter().find(|slot| slot.is_decisive)
    }

    /// The figures of a seat that have a bar, but for the decisive one.
    pub(crate) fn gauges(&self, seat: Seat) -> impl Iterator<Item = &Slot> {
        let decisive = self.decisive(seat);
        self.of_seats[seat].iter().filter(move |slot| slot.has_gauge && Some(*slot) != decisive)
    }

    /// The figures of a seat that are only numbers or words, and not the decisive one.
    pub(crate) fn plain(&self, seat: Seat) -> impl Iterator<Item = &Slot> {
        let decisive = self.decisive(seat);
        self.of_seats[seat].iter().filter(move |slot| !slot.has_gauge && Some(*slot) != decisive)
    }

    /// The figures of a seat that stand in blocks above a wide stage: those with a bar, and the plain ones
    /// that have no room in the header.
    pub(crate) fn blocks(&self, seat: Seat, in_header: usize) -> impl Iterator<Item = &Slot> {
        self.gauges(seat).chain(self.plain(seat).skip(in_header))
    }

    /// The rows of a card: everything but a decisive number without a bar, which stands above them.
    pub(crate) fn rows(&self, seat: Seat) -> impl Iterator<Item = &Slot> {
        let decisive = self.decisive(seat);
        self.of_seats[seat].iter().filter(move |slot| slot.has_gauge || Some(*slot) != decisive)
    }
}
