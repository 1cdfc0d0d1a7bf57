//! `quintain replay`

use std::io::IsTerminal as _;

use quintain_links::{end_interrupted, tell_interrupts};
use quintain_terminal::{Conversation, give_back, is_screen, print_film, show_film};

use crate::args::ReplayArgs;
use crate::failure::Failure;

pub(super) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    if args.open {
        return super::serve::open(&args.file);
    }
    let (mut replay, game) = super::open_replay(&args.file)?;
    let film = game.film(&mut replay)?;
    if is_screen(&std::io::stdout()) && std::io::stdin().is_terminal() && !args.text {
        tell_interrupts(|_| {
            give_back();
            end_interrupted();
        })?;
        show_film(&film, &mut Conversation::new(game, &mut replay))?;
    } else {
        print_film(&film, &mut std::io::stdout().lock())?;
    }
    Ok(())
}
