//! Where teams are started and let in: a network without a way out, or the machine's.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use quintain_links::{Link, Listener, Sandbox, Seclusion};
use quintain_record::{Admission, Contestant};

use crate::occupant::{SeatNeeds, SeatingError, StartWhen, take_seat};
use crate::results::TeamNetwork;

use super::{RunError, RunMeans};

/// Where teams connect, and what they have of this machine.
pub(super) struct TeamHost {
    listener: Arc<Listener>,
    /// The network that the teams have instead of the machine's.
    seclusion: Option<Arc<Seclusion>>,
    /// What holds the teams; `None`: they are trusted.
    sandbox: Option<Arc<Sandbox>>,
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

impl TeamHost {
    /// Opens the sockets, in a network of the teams' own if that is wished and allowed; else it is said why
    /// not.
    ///
    /// # Errors
    /// The address cannot be listened on, or the teams cannot have the network that is wished.
    fn open(means: &RunMeans) -> Result<(TeamHost, Option<OpenNetwork>), RunError> {
        let (listener, seclusion, open_because) = match secluded(means) {
            Ok((seclusion, listener)) => (listener, Some(seclusion), None),
            Err(why) if means.network == NetworkWish::None => return Err(RunError::NoNetwork(why)),
            Err(why) => {
                let failed = |error| SeatingError::Listen { address: means.listen.clone(), error };
                (Listener::open(&means.listen).map_err(failed)?, None, Some(why))
            }
        };
        let (listener, sandbox) = (Arc::new(listener), means.sandbox.clone());
        Ok((TeamHost { listener, seclusion, sandbox }, open_because))
    }

    /// As many of them as can be had, at most `most`, each with a network of its own, so that teams can be let in
    /// side by side. On the machine's network there can be one.
    ///
    /// # Errors
    /// As [`TeamHost::open`].
    pub(super) fn open_several(
        means: &RunMeans,
        most: usize,
    ) -> Result<(Vec<TeamHost>, Option<OpenNetwork>), RunError> {
        let (first, open_because) = TeamHost::open(means)?;
        let mut hosts = vec![first];
        while open_because.is_none() && hosts.len() < most {
            match TeamHost::open(means) {
                Ok((host, None)) => hosts.push(host),
                // The system has no room for more networks.
                _ => break,
            }
        }
        Ok((hosts, open_because))
    }

    /// What the teams can reach.
    pub(super) fn reach(&self) -> TeamNetwork {
        if self.seclusion.is_some() { TeamNetwork::None } else { TeamNetwork::Host }
    }

    /// The way to a team. It is started once there is something to say to it, so that the second one is
    /// called when the first was welcomed. A team that nothing starts never comes.
    pub(super) fn link(&self, team: Option<&Contestant>) -> Result<Link, SeatingError> {
        let Some(contestant) = team else { return Ok(Link::absent()) };
        let (listener, seclusion) = (Some(&self.listener), self.seclusion.as_ref());
        let (start, sandbox) = (StartWhen::WhenSpokenTo, self.sandbox.as_ref());
        let needs = SeatNeeds { start, listener, seclusion, sandbox, ..SeatNeeds::default() };
        take_seat(contestant, &needs)
    }
}

/// A network of their own, or why they have none.
fn secluded(means: &RunMeans) -> Result<(Arc<Seclusion>, Listener), OpenNetwork> {
    if means.network == NetworkWish::Host {
        return Err(OpenNetwork::Wished);
    }
    if means.admission == Admission::Any {
        return Err(OpenNetwork::Outsiders);
    }
    if !is_near(&means.listen) {
        return Err(OpenNetwork::FarAddress);
    }
    Seclusion::with_listener(&means.listen).map_err(OpenNetwork::Refused)
}

/// Whether an address is one that every loopback has.
fn is_near(address: &str) -> bool {
    let parsed: Option<SocketAddr> = address.parse().ok();
    address.starts_with("localhost:")
        || parsed.is_some_and(|address| address.ip().is_loopback() || address.ip().is_unspecified())
}
