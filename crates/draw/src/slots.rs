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

    /// The plain figures of a seat in lines of letters of a size, none of them divided as long as there are
    /// lines; the last one takes the rest.
    pub(crate) fn lines(
        &self,
        seat: Seat,
        size: f64,
        room: f64,
        lines_max: usize,
    ) -> Vec<Vec<&Slot>> {
        let mut lines: Vec<Vec<&Slot>> = Vec::new();
        let mut used = 0.0;
        for slot in self.plain(seat) {
            let name = width(slot.name, size, Weight::Regular);
            let figure = slot.value_width * size + name + width(" , ", size, Weight::Regular);
            let count = lines.len();
            match lines.last_mut() {
                Some(line) if used + figure <= room || count == lines_max => line.push(slot),
                _ => {
                    lines.push(vec![slot]);
                    used = 0.0;
                }
            }
            used += figure;
        }
        lines
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of figures in lines of a room, each name as wide as its letters.
    fn lines(room: f64, lines_max: usize) -> Vec<Vec<&'static str>> {
        let slot = |name| Slot {
            seat: Some(Seat::First),
            name,
            nth: 0,
            has_gauge: false,
            is_decisive: false,
            value_width: 1.0,
            change_width: 0.0,
        };
        let first = ["lane", "score", "oil", "boosts", "lizards"].map(slot).to_vec();
        let slots = Slots { of_seats: PerSeat([first, Vec::new()]), shared: Vec::new() };
        let lines = slots.lines(Seat::First, 10.0, room, lines_max);
        lines.iter().map(|line| line.iter().map(|slot| slot.name).collect()).collect()
    }

    #[test]
    fn figures_stand_whole_in_as_many_lines_as_they_need() {
        let all = ["lane", "score", "oil", "boosts", "lizards"];
        assert_eq!(lines(1000.0, 3), [all.to_vec()]);
        assert_eq!(lines(100.0, 3), [&all[..2], &all[2..4], &all[4..]]);
        assert_eq!(lines(1.0, 9).len(), 5);
        assert_eq!(lines(1.0, 2), [&all[..1], &all[1..]]);
    }
}
