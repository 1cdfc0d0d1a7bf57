//! `quintain perft`

use std::io::Write as _;

use quintain_core::ConfigChoice;

use crate::args::PerftArgs;
use crate::failure::Failure;
use crate::output::grouped;

pub(super) fn run(args: &PerftArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let mut choice = ConfigChoice::of(args.edition);
    if let Some(league) = args.league {
        choice = choice.with("league", league);
    }
    let config = game.configure(&choice).map_err(Failure::field)?;
    let perft = game.facts().abilities.perft.ok_or_else(|| {
        let game = &args.game;
        Failure::usage(format!("expected a game whose actions can be listed, found {game}"))
    })?;
    let mut out = std::io::stdout().lock();
    for depth in 1..=args.depth {
        let leaves = perft(&config, args.seed, depth)?;
        writeln!(out, "{depth:>3} {:>20}", grouped(leaves))?;
    }
    Ok(())
}
