//! What is said about the network of the teams.

use quintain_arena::run::{HostError, NetworkWish, OpenNetwork, TeamHost};
use quintain_record::Admission;

use super::args::{ConnectionsArg, EvaluateArgs, NetworkArg};
use crate::failure::Failure;
use crate::output::remark;
use crate::words::listen_failure;

/// Opens the sockets, in a network of the teams' own if that is wanted and allowed; with what an organiser
/// has to know if they have the machine's.
pub(super) fn open(args: &EvaluateArgs) -> Result<(TeamHost, Option<String>), Failure> {
    let admission = match args.connections {
        ConnectionsArg::Own => Admission::Own,
        ConnectionsArg::Any => Admission::Any,
    };
    let network = match args.network {
        NetworkArg::Auto => NetworkWish::Auto,
        NetworkArg::None => NetworkWish::None,
        NetworkArg::Host => NetworkWish::Host,
    };
    let env = args.pass_env.variables()?;
    let opened = TeamHost::open(&args.listen, admission, network, env);
    let (host, open_because) = opened.map_err(|error| match error {
        HostError::NoNetwork(why) => Failure::Failed(anyhow::anyhow!(
            "--network none: the teams cannot have a network of their own: {}",
            in_words(&why)
        )),
        HostError::Listen { address, error } => listen_failure(&address, &error),
    })?;
    let warning = open_because.map(|why| {
        let why = in_words(&why);
        format!(
            "the teams can reach the network of this machine ({why}): to keep them off it is the \
             organiser's job"
        )
    });
    if let Some(warning) = &warning
        && !args.quiet
        && args.network == NetworkArg::Auto
    {
        remark(warning);
    }
    Ok((host, warning))
}

fn in_words(why: &OpenNetwork) -> String {
    match why {
        OpenNetwork::Wished => "--network host".to_owned(),
        OpenNetwork::Outsiders => "with --connections any they may come from outside".to_owned(),
        OpenNetwork::FarAddress => {
            "--listen names an address that only the machine's network has".to_owned()
        }
        OpenNetwork::Refused(_) => why.to_string(),
    }
}
