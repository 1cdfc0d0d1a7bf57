//! How the bots of a match come to their seats, in words.

use std::sync::Arc;
use std::time::Duration;

use quintain_arena::{OccupantError, SeatNews, Seating, addresses_in_words};
use quintain_core::PerSeat;
use quintain_links::{RealWorld, Sandbox, tidy_up_on_interrupt};
use quintain_record::{Occupant, State};
use quintain_referee::Stop;
use quintain_registry::AnyGame;

use crate::failure::Failure;
use crate::output::remark;
use crate::words::{open_network, seating_failure};

/// The world of a match, once everybody has come who is told to come to `address`, for which a client has
/// so long; `None` waits for ever. Ctrl-C ends the process from here on, and leaves no folder of a bot behind.
pub(crate) fn take_seats(
    game: &dyn AnyGame,
    occupants: &PerSeat<Occupant>,
    address: &str,
    client_limit: Option<Duration>,
    sandbox: Option<Arc<Sandbox>>,
) -> Result<RealWorld, Failure> {
    tidy_up_on_interrupt()?;
    let mut seating = Seating {
        address,
        client_limit,
        stop: Stop::default(),
        absent_plays_on: false,
        persons: PerSeat::default(),
        sandbox,
        tell: &mut |news| tell(&news),
    };
    quintain_arena::take_seats(game, occupants, &mut seating).map_err(seating_failure)
}

pub(crate) fn tell(news: &SeatNews<'_>) {
    match news {
        SeatNews::Awaited { name, addresses } => {
            remark(format_args!("waiting for {name} on {} ...", addresses_in_words(addresses)));
        }
        SeatNews::Connected { name, from } => remark(format_args!("{name} connected from {from}")),
        SeatNews::OpenNetwork(why) => remark(open_network(why)),
        SeatNews::Absent { name, error } => {
            remark(format_args!("{error}; {name} plays on without commands"));
        }
    }
}

/// The bot as one that can be spoken to: a house bot becomes a process of this binary.
pub(crate) fn as_program(
    bot: Occupant,
    game: &dyn AnyGame,
    state: State,
) -> Result<Occupant, Failure> {
    if bot.is_person() {
        return Err(Failure::usage("expected a bot that is a program, found human"));
    }
    Ok(bot.as_program(&std::env::current_exe()?, game.facts().id, state))
}

/// What was written names nobody who can play.
pub(crate) fn nobody(error: OccupantError) -> Failure {
    Failure::usage(error.to_string())
}
