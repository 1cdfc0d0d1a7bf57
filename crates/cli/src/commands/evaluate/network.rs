//! Where the teams meet the host: a network without a way out, or the machine's.

use std::sync::Arc;

use quintain_arena::results::TeamNetwork;
use quintain_links::{Listener, Seclusion};
use quintain_record::Admission;

use super::args::{ConnectionsArg, EvaluateArgs, NetworkArg};
use super::teams::Ground;
use crate::failure::Failure;
use crate::output::remark;
use crate::seating::listen_failure;

/// What keeps teams from having a network of their own.
const OUTSIDERS: &str = "with --connections any they may come from outside";
const FAR_ADDRESS: &str = "--listen names an address that only the machine's network has";

/// What the report says about the network of the teams.
pub(super) struct Network {
    /// Why they have the machine's; `None`: they have none but the loopback.
    open_because: Option<String>,
}

impl Network {
    /// What the teams can reach.
    pub(super) fn reach(&self) -> TeamNetwork {
        if self.open_because.is_some() { TeamNetwork::Host } else { TeamNetwork::None }
    }

    /// Plain words for an organiser who has to do something.
    pub(super) fn warning(&self) -> Option<String> {
        let why = self.open_because.as_deref()?;
        Some(format!(
            "the teams can reach the network of this machine ({why}): to keep them off it is the \
             organiser's job"
        ))
    }
}

/// Opens the sockets, in a network of the teams' own if that is wanted and allowed.
pub(super) fn open(args: &EvaluateArgs) -> Result<(Ground, Option<Network>), Failure> {
    let (listener, seclusion, open_because) = match secluded(args) {
        Ok((seclusion, listener)) => (listener, Some(seclusion), None),
        Err(why) if args.network == NetworkArg::None => {
            return Err(Failure::Failed(anyhow::anyhow!(
                "--network none: the teams cannot have a network of their own: {why}"
            )));
        }
        Err(why) => {
            let listener = Listener::open(&args.listen);
            (listener.map_err(|error| listen_failure(&args.listen, &error))?, None, Some(why))
        }
    };
    let network = Network { open_because };
    if let Some(warning) = network.warning()
        && !args.quiet
        && args.network == NetworkArg::Auto
    {
        remark(warning);
    }
    let admission = match args.connections {
        ConnectionsArg::Own => Admission::Own,
        ConnectionsArg::Any => Admission::Any,
    };
    let env = args.pass_env.variables()?;
    let ground = Ground { listener: Arc::new(listener), admission, seclusion, env };
    Ok((ground, Some(network)))
}

/// A network of their own, or why they have none.
fn secluded(args: &EvaluateArgs) -> Result<(Arc<Seclusion>, Listener), String> {
    if args.network == NetworkArg::Host {
        return Err("--network host".to_owned());
    }
    if args.connections == ConnectionsArg::Any {
        return Err(OUTSIDERS.to_owned());
    }
    if !is_near(&args.listen) {
        return Err(FAR_ADDRESS.to_owned());
    }
    Seclusion::with_listener(&args.listen).map_err(|error| format!("the system said: {error}"))
}

/// Whether an address is one that every loopback has.
fn is_near(address: &str) -> bool {
    let parsed: Option<std::net::SocketAddr> = address.parse().ok();
    address.starts_with("localhost:")
        || parsed.is_some_and(|address| address.ip().is_loopback() || address.ip().is_unspecified())
}
