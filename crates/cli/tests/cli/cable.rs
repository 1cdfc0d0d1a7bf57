//! The way from a worker to its server, which can be cut: a network namespace of the worker's own where the system lets
//! us make one, a relay elsewhere.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

pub(crate) enum Cable {
    Namespace(Namespace),
    Relay(Relay),
}

impl Cable {
    /// A namespace if the system allows it.
    pub(crate) fn namespace_or_relay(port: u16) -> Cable {
        match Namespace::make() {
            Some(namespace) => Cable::Namespace(namespace),
            None => Cable::relay(port),
        }
    }

    pub(crate) fn relay(port: u16) -> Cable {
        Cable::Relay(Relay::start(port))
    }

    /// Where whoever is at this end finds the server that listens on the port.
    pub(crate) fn url(&self, port: u16) -> String {
        match self {
            Cable::Namespace(namespace) => format!("http://{}:{port}", namespace.address(1)),
            Cable::Relay(relay) => format!("http://127.0.0.1:{}", relay.port),
        }
    }

    /// The words that start a program at this end.
    pub(crate) fn prefix(&self) -> Vec<&str> {
        match self {
            Cable::Namespace(namespace) => vec!["ip", "netns", "exec", &namespace.name],
            Cable::Relay(_) => Vec::new(),
        }
    }

    pub(crate) fn cut(&self) {
        match self {
            Cable::Namespace(namespace) => namespace.set("down"),
            Cable::Relay(relay) => relay.cut(),
        }
    }

    pub(crate) fn mend(&self) {
        match self {
            Cable::Namespace(namespace) => namespace.set("up"),
            Cable::Relay(relay) => relay.is_cut.store(false, Ordering::Relaxed),
        }
    }
}

/// A network of its own that is tied to ours by one link.
pub(crate) struct Namespace {
    name: String,
    number: u32,
}

impl Namespace {
    fn make() -> Option<Namespace> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("qn{}n{number}", std::process::id());
        let namespace = Namespace { name, number };
        let (ours, theirs) = (namespace.link('a'), namespace.link('b'));
        let name = &namespace.name;
        let is_made = ip(&["netns", "add", name])
            && ip(&["link", "add", &ours, "type", "veth", "peer", "name", &theirs, "netns", name])
            && ip(&["addr", "add", &format!("{}/30", namespace.address(1)), "dev", &ours])
            && ip(&["link", "set", &ours, "up"])
            && ip(&[
                "-netns",
                name,
                "addr",
                "add",
                &format!("{}/30", namespace.address(2)),
                "dev",
                &theirs,
            ])
            && ip(&["-netns", name, "link", "set", &theirs, "up"])
            && ip(&["-netns", name, "link", "set", "lo", "up"]);
        is_made.then_some(namespace)
    }

    fn link(&self, end: char) -> String {
        format!("{}{end}", self.name)
    }

    /// Ours is 1, theirs 2.
    fn address(&self, end: u32) -> String {
        let process = std::process::id();
        format!("10.{}.{}.{}", 64 + process % 128, process / 128 % 250, 4 * self.number % 250 + end)
    }

    fn set(&self, state: &str) {
        assert!(ip(&["link", "set", &self.link('a'), state]), "the link is ours");
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // Its link goes with it.
        ip(&["netns", "del", &self.name]);
    }
}

fn ip(words: &[&str]) -> bool {
    let status = Command::new("ip").args(words).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Passes on what it is sent, until it is cut.
pub(crate) struct Relay {
    port: u16,
    is_cut: Arc<AtomicBool>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Relay {
    fn start(to: u16) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it listens").port();
        let relay = Relay { port, is_cut: Arc::default(), streams: Arc::default() };
        let (is_cut, streams) = (Arc::clone(&relay.is_cut), Arc::clone(&relay.streams));
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                if is_cut.load(Ordering::Relaxed) {
                    continue;
                }
                let Ok(far) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                let mut streams = streams.lock().expect("nobody panics here");
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let copies = from.try_clone().and_then(|from| Ok((from, to.try_clone()?)));
                    let Ok((from, to)) = copies else { continue };
                    thread::spawn(move || pass_on(from, to));
                }
                streams.extend([near, far]);
            }
        });
        relay
    }

    fn cut(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
        for stream in self.streams.lock().expect("nobody panics here").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}
