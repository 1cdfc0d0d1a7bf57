//! What queens do: walk, order buildings, tear down.

use quintain_core::{Seat, Sink};

use super::build::Build;
use super::{CodeRoyale, QUEEN_RADIUS};
use crate::field::bits;
use crate::{Command, Event, Kill, Point, QueenOrder, Remover, Structure, Warning, Works};

/// A queen's way per turn.
pub(crate) const QUEEN_SPEED: f64 = 60.0;

impl CodeRoyale {
    /// Carries out the first line. What follows a command costs the match and nothing else: the
    /// queen has moved, and what she builds will be built. After a build that is refused it costs
    /// nothing.
    pub(super) fn apply_queen<'a>(
        &mut self,
        seat: Seat,
        order: &'a QueenOrder,
        events: &mut impl Sink<Event>,
    ) -> (Option<Build<'a>>, Option<Kill>) {
        let mut build = None;
        let word = match &order.command {
            Command::Wait => "WAIT",
            Command::Move { x, y } => {
                self.move_queen(seat, Point::new(f64::from(*x), f64::from(*y)));
                events.emit(Event::Walks { seat, to: (*x, *y) });
                "MOVE"
            }
            Command::Build { site, blueprint } => {
                let Some(site) = self.site_index(*site) else {
                    return (None, Some(Kill::BuildNoSite(*site)));
                };
                let Some(blueprint) = blueprint else {
                    return (None, Some(Kill::BuildWithoutType));
                };
                match self.prepare_build(seat, site) {
                    Ok(true) => build = Some(Build { site, blueprint }),
                    Ok(false) => events.emit(Event::Approaches { seat, site }),
                    // The warning comes before anyone looks at what follows the command.
                    Err(warning) => {
                        events.emit(Event::Warned { seat, warning });
                        return (None, None);
                    }
                }
                "BUILD"
            }
            Command::MoveUnreadable => return (None, Some(Kill::MoveUnreadable)),
            Command::BuildUnreadable => return (None, Some(Kill::BuildUnreadable)),
            Command::Unknown(word) => return (None, Some(Kill::UnknownCommand(word.clone()))),
        };
        let kill = order.has_surplus.then_some(Kill::TooManyTokens(word));
        (build, kill)
    }

    fn move_queen(&mut self, seat: Seat, goal: Point) {
        let queen = &mut self.players[seat].queen;
        let place = queen.towards(goal, QUEEN_SPEED);
        // Original engine: a place of exactly (0, 0) is taken for "not set".
        if self.switches.origin_is_reachable || place != Point::default() {
            *queen = place;
        }
    }

    /// Whether the queen is there. From afar she walks instead, and what stands on the site is not
    /// looked at.
    fn prepare_build(&mut self, seat: Seat, site: usize) -> Result<bool, Warning> {
        let ground = self.field.sites()[site];
        if !ground.is_touched(self.players[seat].queen, QUEEN_RADIUS) {
            self.move_queen(seat, ground.place);
            return Ok(false);
        }
        match self.plots[site].structure {
            Some(Structure { owner, .. }) if owner != seat => Err(Warning::BuiltByEnemy),
            Some(Structure { works: Works::Barracks { training: Some(_), .. }, .. }) => {
                Err(Warning::RebuiltInTraining)
            }
            _ => Ok(true),
        }
    }

    /// Mines and barracks of the enemy that a queen touches are gone, also those built this turn.
    pub(super) fn apply_queens_tear_down(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            if self.is_active(seat) {
                let queen = self.players[seat].queen;
                let targets =
                    self.structures(seat.other(), |works| works.is_mine() || works.is_barracks());
                self.tear_down(queen, QUEEN_RADIUS, targets, Remover::Queen(seat), events);
            }
        }
    }

    /// The sites on which a player has such a structure, as a set of bits.
    pub(super) fn structures(&self, owner: Seat, is_meant: impl Fn(&Works) -> bool) -> u32 {
        let mut found = 0;
        for (index, plot) in self.plots.iter().enumerate() {
            if let Some(structure) = &plot.structure
                && structure.owner == owner
                && is_meant(&structure.works)
            {
                found |= 1 << index;
            }
        }
        found
    }

    /// Removes those of `targets` that a unit touches.
    pub(super) fn tear_down(
        &mut self,
        place: Point,
        radius: f64,
        targets: u32,
        by: Remover,
        events: &mut impl Sink<Event>,
    ) {
        for site in bits(self.field.near(place) & targets) {
            if !self.field.sites()[site].is_touched(place, radius) {
                continue;
            }
            if self.switches.all_contacts_tear_down || self.field.nearest(place) == Some(site) {
                self.remove_structure(site, by, events);
            }
        }
    }
}
