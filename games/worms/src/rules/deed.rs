//! What the engine made of a player's last answer, which both players are shown.

use std::sync::Arc;

use quintain_core::Digest;

use crate::action::{Direction, Order};

/// Kept flat instead of as an [`Order`]: it is written every round, and an enum with a text in it is
/// put together in pieces that the processor then waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deed {
    select: Selection,
    kind: Kind,
    direction: u8,
    x: i32,
    y: i32,
    text: Option<Arc<str>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Start,
    Invalid,
    Missing,
    Absent,
    Nothing,
    Move,
    Dig,
    Banana,
    Shoot,
    Snowball,
    Unreadable,
}

/// What came of a select.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    #[default]
    None,
    /// The id of the worm that was selected.
    Worm(u8),
    Refused,
}

/// What is shown of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Echo {
    /// No round has been played.
    Start,
    Invalid,
    Order(Order),
}

impl Deed {
    pub fn selection(&self) -> Selection {
        self.select
    }

    pub fn echo(&self) -> Echo {
        let (x, y) = (self.x, self.y);
        let order = match self.kind {
            Kind::Start => return Echo::Start,
            Kind::Invalid => return Echo::Invalid,
            Kind::Missing => Order::Missing,
            Kind::Absent => Order::Absent,
            Kind::Nothing => Order::Nothing,
            Kind::Move => Order::Move { x, y },
            Kind::Dig => Order::Dig { x, y },
            Kind::Banana => Order::Banana { x, y },
            Kind::Shoot => Order::Shoot(Direction::ALL[usize::from(self.direction)]),
            Kind::Snowball => Order::Snowball { x, y },
            Kind::Unreadable => {
                Order::Unreadable(self.text.clone().expect("a text that cannot be read is kept"))
            }
        };
        Echo::Order(order)
    }

    pub(super) fn digest(&self, to: &mut Digest) {
        match self.select {
            Selection::None => to.u8(0),
            Selection::Worm(id) => to.u8(1).u8(id),
            Selection::Refused => to.u8(2),
        };
        // The direction of an earlier shot stays where it was.
        let direction = if self.kind == Kind::Shoot { self.direction } else { 0 };
        to.u8(self.kind as u8).u8(direction).i64(i64::from(self.x)).i64(i64::from(self.y));
        to.text(self.text.as_deref().unwrap_or_default());
    }

    /// `None` is an invalid order.
    #[inline]
    pub(super) fn set(&mut self, select: Selection, order: Option<&Order>) {
        self.select = select;
        if self.text.is_some() {
            self.text = None;
        }
        let (kind, place) = match order {
            None => (Kind::Invalid, (0, 0)),
            Some(order) => match *order {
                Order::Missing => (Kind::Missing, (0, 0)),
                Order::Absent => (Kind::Absent, (0, 0)),
                Order::Nothing => (Kind::Nothing, (0, 0)),
                Order::Move { x, y } => (Kind::Move, (x, y)),
                Order::Dig { x, y } => (Kind::Dig, (x, y)),
                Order::Banana { x, y } => (Kind::Banana, (x, y)),
                Order::Shoot(direction) => {
                    self.direction = direction as u8;
                    (Kind::Shoot, (0, 0))
                }
                Order::Snowball { x, y } => (Kind::Snowball, (x, y)),
                Order::Unreadable(ref text) => {
                    self.text = Some(text.clone());
                    (Kind::Unreadable, (0, 0))
                }
            },
        };
        self.kind = kind;
        (self.x, self.y) = place;
    }
}
