//! Persons at play in the browser.
//!
//! A person is an occupant of a seat like any other: its match is played by `run_match` of the arena, with the
//! same referee, and its replay is one like all. What a person sees and may do comes from the game as data
//! ([`Question`](quintain_registry::Question)); the pages know no game.
//!
//! A game is a [`Room`]. Whoever knows the token of a seat, which stands in the address of its page, plays on it.
//! A page asks for news and waits for them (`news.rs`), so that one that was away or is slow skips to where the
//! match is and holds nothing. What happens between the match and the room is in `stage.rs`, on threads of the
//! match.

mod news;
mod offers;
mod room;
mod routes;
mod side;
mod stage;
mod wish;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quintain_core::Seat;
use rustix::rand::{GetRandomFlags, getrandom};

use crate::error::Refusal;
use crate::limits::{ROOMS_KEPT_MAX, ROOMS_MAX};
use crate::permission::Permission;

pub(crate) use room::Room;
pub(crate) use routes::router;
pub(crate) use wish::{CLOCKS, Opponent, Wish};

/// All games of persons on this server.
pub(crate) struct People {
    rooms: Mutex<Vec<Arc<Room>>>,
    /// Where replays go; without one nobody can play.
    folder: Option<PathBuf>,
    /// Who may begin a game.
    permission: Arc<Permission>,
}

impl People {
    pub(crate) fn new(folder: Option<PathBuf>, permission: Arc<Permission>) -> Arc<People> {
        Arc::new(People { rooms: Mutex::default(), folder, permission })
    }

    /// Where replays go.
    ///
    /// # Errors
    /// Nobody may begin a game here.
    pub(crate) fn folder(&self) -> Result<&PathBuf, Refusal> {
        let folder = self.folder.as_ref().ok_or(Refusal::NoPage)?;
        self.permission.check_possible()?;
        Ok(folder)
    }

    /// Begins a game, or waits for the other person.
    ///
    /// # Errors
    /// Nobody may, or there are too many.
    pub(crate) fn begin(&self, wish: Wish) -> Result<Arc<Room>, Refusal> {
        let folder = self.folder()?.clone();
        self.open(Room::new(wish, None, folder)?)
    }

    /// The same game once more, with the seats swapped. Whoever played may begin it.
    ///
    /// # Errors
    /// There are too many.
    fn begin_again(&self, before: &Room) -> Result<Arc<Room>, Refusal> {
        let folder = self.folder.clone().ok_or(Refusal::NoPage)?;
        let guest = &before.names()[before.wish.seat.other()];
        self.open(Room::new(before.wish.again()?, Some(guest), folder)?)
    }

    fn open(&self, room: Room) -> Result<Arc<Room>, Refusal> {
        let room = Arc::new(room);
        let mut rooms = self.lock();
        rooms.retain(|room| !room.is_forgotten());
        if rooms.iter().filter(|room| !room.is_over()).count() >= ROOMS_MAX {
            return Err(Refusal::Busy);
        }
        while rooms.len() >= ROOMS_KEPT_MAX
            && let Some(oldest) = rooms.iter().position(|room| room.is_over())
        {
            rooms.remove(oldest);
        }
        rooms.push(Arc::clone(&room));
        drop(rooms);
        stage::begin(&room);
        Ok(room)
    }

    /// The game and the seat that a token opens.
    pub(crate) fn find(&self, token: &str) -> Result<(Arc<Room>, Seat), Refusal> {
        let rooms = self.lock();
        let found = rooms.iter().find_map(|room| Some((Arc::clone(room), room.seat_of(token)?)));
        found.ok_or(Refusal::NoGame)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A word that nobody can guess.
pub(crate) fn token() -> Result<String, Refusal> {
    Ok(random_bytes::<16>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(crate) fn random_bytes<const COUNT: usize>() -> Result<[u8; COUNT], Refusal> {
    let mut bytes = [0; COUNT];
    match getrandom(&mut bytes, GetRandomFlags::empty()) {
        Ok(count) if count == COUNT => Ok(bytes),
        _ => Err(Refusal::Busy),
    }
}
