//! Where teams are started and let in: a network without a way out, or the machine's.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use quintain_links::{Link, Listener, Seclusion};
use quintain_record::{Admission, Contestant};

use crate::occupant::{SeatNeeds, SeatingError, StartWhen, take_seat};
use crate::results::TeamNetwork;

/// Where teams connect, who is let in for them, and what they have of this machine.
pub struct TeamHost {
    pub(crate) listener: Arc<Listener>,
    pub(crate) admission: Admission,
    /// The network that the teams have instead of the machine's.
    seclusion: Option<Arc<Seclusion>>,
    /// What of this process's environment is passed on.
    pub(crate) env: Vec<(String, String)>,
}

/// The network that the teams are to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkWish {
    /// None but a loopback, where the system allows it.
    #[default]
    Auto,
    /// None but a loopback.
    None,
    /// That of this machine.
    Host,
}

/// Why the teams have the network of this machine.
#[derive(Debug, thiserror::Error)]
pub enum OpenNetwork {
    #[error("it is wished so")]
    Wished,
    #[error("their connections may come from outside")]
    Outsiders,
    #[error("they connect to an address that only the machine's network has")]
    FarAddress,
    #[error("the system said: {0}")]
    Refused(io::Error),
}

/// Why nobody can be let in.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("the teams cannot have a network of their own: {0}")]
    NoNetwork(OpenNetwork),
    #[error("cannot listen on {address}: {error}")]
    Listen { address: String, error: io::Error },
}

impl TeamHost {
    /// Opens the sockets, in a network of the teams' own if that is wished and allowed; else it is said why
    /// not. `env` is passed on to the teams.
    ///
    /// # Errors
    /// The address cannot be listened on, or the teams cannot have the network that is wished.
    pub fn open(
        address: &str,
        admission: Admission,
        network: NetworkWish,
        env: Vec<(String, String)>,
    ) -> Result<(TeamHost, Option<OpenNetwork>), HostError> {
        let (listener, seclusion, open_because) = match secluded(address, admission, network) {
            Ok((seclusion, listener)) => (listener, Some(seclusion), None),
            Err(why) if network == NetworkWish::None => return Err(HostError::NoNetwork(why)),
            Err(why) => {
                let failed = |error| HostError::Listen { address: address.to_owned(), error };
                (Listener::open(address).map_err(failed)?, None, Some(why))
            }
        };
        let listener = Arc::new(listener);
        Ok((TeamHost { listener, admission, seclusion, env }, open_because))
    }

    /// What the teams can reach.
    pub(crate) fn reach(&self) -> TeamNetwork {
        if self.seclusion.is_some() { TeamNetwork::None } else { TeamNetwork::Host }
    }

    /// The way to a team. It is started once there is something to say to it, so that the second one is
    /// called when the first was welcomed. A team that nothing starts never comes.
    pub(crate) fn link(&self, team: Option<&Contestant>) -> Result<Link, SeatingError> {
        let Some(contestant) = team else { return Ok(Link::absent()) };
        let (listener, seclusion) = (Some(&self.listener), self.seclusion.as_ref());
        let start = StartWhen::WhenSpokenTo;
        take_seat(contestant, &SeatNeeds { has_files: false, start, listener, seclusion })
    }
}

/// A network of their own, or why they have none.
fn secluded(
    address: &str,
    admission: Admission,
    network: NetworkWish,
) -> Result<(Arc<Seclusion>, Listener), OpenNetwork> {
    if network == NetworkWish::Host {
        return Err(OpenNetwork::Wished);
    }
    if admission == Admission::Any {
        return Err(OpenNetwork::Outsiders);
    }
    if !is_near(address) {
        return Err(OpenNetwork::FarAddress);
    }
    Seclusion::with_listener(address).map_err(OpenNetwork::Refused)
}

/// Whether an address is one that every loopback has.
fn is_near(address: &str) -> bool {
    let parsed: Option<SocketAddr> = address.parse().ok();
    address.starts_with("localhost:")
        || parsed.is_some_and(|address| address.ip().is_loopback() || address.ip().is_unspecified())
}
