//! House bots on the far side of the wire.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use quintain_links::speak_over_tcp;

use crate::server::{hockey, house_client};

/// Plays one game and returns when the host has closed the connection.
pub(crate) fn play_once(
    address: SocketAddr,
    bot: &'static str,
    name: String,
    seed: i64,
) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut dialogue = house_client(bot, &name, seed);
        speak_over_tcp(address, hockey().framing(), &mut *dialogue).expect("the host is there");
    })
}

/// Plays game after game until it is told to stop, always under the same name.
pub(crate) fn play_on(
    address: SocketAddr,
    bot: &'static str,
    name: String,
    seed: i64,
    is_enough: Arc<AtomicBool>,
) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for game in 0.. {
            let mut dialogue = house_client(bot, &name, seed + game);
            let talked = speak_over_tcp(address, hockey().framing(), &mut *dialogue);
            if is_enough.load(Ordering::Relaxed) {
                return;
            }
            talked.expect("the host is there");
        }
    })
}
