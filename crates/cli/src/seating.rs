//! How the bots of a match come to their seats, in words.

use quintain_arena::{OccupantError, SeatNews, Seating, SeatingError};
use quintain_core::PerSeat;
use quintain_links::{RealWorld, tidy_up_on_interrupt};
use quintain_record::{Contestant, Launch, Occupant, State};
use quintain_registry::AnyGame;

use crate::failure::Failure;
use crate::output::remark;
use crate::words::listen_failure;

/// What becomes of a bot that cannot be started, in games in which the others play on without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    PlaysOn,
    Fails,
}

/// The world of a match, once everybody has come who is told to come to `address`.
pub(crate) fn take_seats(
    game: &dyn AnyGame,
    occupants: &PerSeat<Occupant>,
    address: &str,
    absent: Absent,
) -> Result<RealWorld, Failure> {
    if game.facts().abilities.state_files {
        tidy_up_on_interrupt()?;
    }
    let absent_plays_on = absent == Absent::PlaysOn;
    let mut seating = Seating { address, absent_plays_on, tell: &mut |news| tell(&news) };
    quintain_arena::take_seats(game, occupants, &mut seating).map_err(|error| match error {
        SeatingError::Listen { address, error } => listen_failure(&address, &error),
        error => Failure::Failed(anyhow::anyhow!("{error}")),
    })
}

fn tell(news: &SeatNews<'_>) {
    match news {
        SeatNews::Awaited { name, addresses } => {
            let addresses: Vec<String> = addresses.iter().map(ToString::to_string).collect();
            remark(format_args!("waiting for {name} on {} ...", addresses.join(" and ")));
        }
        SeatNews::Connected { name, from } => remark(format_args!("{name} connected from {from}")),
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
    let Some(house_bot) = bot.house_bot() else { return Ok(bot) };
    let launch = Launch {
        program: std::env::current_exe()?.to_string_lossy().into_owned(),
        args: ["bot", game.facts().id, house_bot].map(str::to_owned).into(),
        ..Launch::default()
    };
    Ok(Contestant::program(bot.name(), launch, state).into())
}

/// What was written names nobody who can play.
pub(crate) fn nobody(error: OccupantError) -> Failure {
    Failure::usage(error.to_string())
}
