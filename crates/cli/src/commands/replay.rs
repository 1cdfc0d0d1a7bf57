//! `quintain replay`

use std::io::IsTerminal as _;

use quintain_arena::open_replay;

use crate::args::ReplayArgs;
use crate::failure::Failure;
use crate::screen;

pub(super) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let (mut replay, game) = open_replay(&args.file)?;
    let film = game.film(&mut replay)?;
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() && !args.text {
        screen::show_film(&film)?;
    } else {
        screen::print_film(&film, &mut std::io::stdout().lock())?;
    }
    Ok(())
}
