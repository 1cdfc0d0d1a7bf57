//! What a match is played with, as its replay keeps it.

use quintain_core::{Edition, Game, Opening, PerSeat};
use quintain_referee::Ask;
use quintain_replay::{FORMAT_VERSION, Header};
use serde_json::Value;

use crate::{MatchError, ReadyConfig};

/// How a match began.
#[derive(Clone)]
pub(crate) struct Roots {
    edition: Edition,
    config: Value,
    pub(crate) seed: i64,
    setup: Value,
    /// Whether somebody chose the setup.
    own_setup: bool,
}

impl Roots {
    /// The usual start of a match.
    pub(crate) fn usual<G: Game>(
        config: &ReadyConfig,
        seed: i64,
    ) -> Result<(G, Roots), MatchError> {
        G::check_seed(seed)?;
        let setup = config.typed::<G>()?.setup(seed);
        Roots::begin(config, seed, setup, false)
    }

    /// The start of a match with a setup.
    pub(crate) fn begin<G: Game>(
        config: &ReadyConfig,
        seed: i64,
        setup: G::Setup,
        own_setup: bool,
    ) -> Result<(G, Roots), MatchError> {
        let roots = Roots {
            edition: config.edition,
            config: Value::clone(&config.value),
            seed,
            setup: serde_json::to_value(&setup).expect("a setup is plain data"),
            own_setup,
        };
        Ok((G::new(&config.typed::<G>()?.config, setup)?, roots))
    }

    pub(crate) fn of(header: &Header) -> Roots {
        Roots {
            edition: header.edition,
            config: header.config.clone(),
            seed: header.seed,
            setup: header.setup.clone(),
            own_setup: header.own_setup,
        }
    }

    /// The header of a match that nobody outside plays, on a clock as it should be.
    pub(crate) fn header<G: Game>(self, opening: &Opening, started_ms: u64) -> Header {
        Header {
            format: FORMAT_VERSION,
            quintain: env!("CARGO_PKG_VERSION").to_owned(),
            game: G::ID.to_owned(),
            rules_version: G::RULES_VERSION,
            edition: self.edition,
            config: self.config,
            seed: self.seed,
            setup: self.setup,
            own_setup: self.own_setup,
            names: opening.names.clone(),
            first_message_id: opening.first_message_id,
            manners: opening.manners,
            bots: opening.names.clone(),
            players: PerSeat::default(),
            ask: Ask::Together.name().to_owned(),
            time_scale: 1.0,
            machine_scale: 1.0,
            clock: PerSeat([true; 2]),
            started_ms,
            sandbox: None,
            signer: None,
            from: None,
        }
    }
}
