//! Matches on a terminal: a full-screen player of films, a view of a match as it is played, a person's
//! game, and plain text for everything that is no terminal.
//!
//! All of it draws shapes and knows no game, and no command line either: whoever has a terminal and a match
//! calls [`show_film`], watches with a [`LiveScreen`], or lets a person play with [`human_screen()`]. For
//! lines of text there are [`StatusLine`], which is written over, and [`WrappedOutput`], which breaks them between
//! words; what they say, and in which colours, is the business of whoever prints them.
//!
//! Where to start reading: `player` has the position and the speed and no terminal, `keys` says what a key
//! means to it; `picture` lays a frame out, `board` draws its shapes in dots, `controls` adds the bar and the
//! help of the player, `rows` cuts nothing without a sign. `conversation` finds out what was said in a step,
//! `conversation_pane` shows it. `live_screen` is told of a match and paces what `live_view` draws. `human` is a person
//! at play, again without a terminal, `human_layout` its screen, `human_loop` its keys and its match, and
//! `human_screen` its way to the match.

mod board;
mod controls;
mod conversation;
mod conversation_pane;
mod human;
mod human_layout;
mod human_loop;
mod human_screen;
mod inks;
mod keys;
mod live_screen;
mod live_view;
mod picture;
mod plain;
mod player;
mod rows;
mod status_line;
mod text_board;
mod wrapped_output;

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use quintain_core::PerSeat;
use quintain_core::scene::Film;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::crossterm::terminal;

pub use conversation::Conversation;
pub use human_screen::{HumanScreen, HumanTerminal, human_screen};
pub use live_screen::{LiveScreen, TextView};
pub use plain::print_film;
pub use status_line::{StatusLine, instead_of_status_line};
pub use wrapped_output::WrappedOutput;

use conversation::Said;
use player::Player;

/// How long the player sleeps when nothing moves. Keys wake it at once.
const IDLE: Duration = Duration::from_millis(500);

/// Whether a stream leads to a terminal on which something can be drawn: some only print one line after the
/// other, and say so.
pub fn is_screen(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && !is_dumb()
}

/// Whether the terminal only prints one line after the other, without colours.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// Plays a film on the whole terminal until the person leaves it, with what was said in its match on a key.
/// The terminal is as it was afterwards, also after a panic.
///
/// # Errors
/// There is nothing to show, or the terminal does not play along.
pub fn show_film(film: &Film, conversation: &mut Conversation<'_>) -> io::Result<()> {
    let turns = film.frames.iter().map(|frame| frame.turn).collect();
    let marked = film.frames.iter().enumerate().filter(|(_, frame)| !frame.marks.is_empty());
    let marks = marked.map(|(index, _)| index).collect();
    let player = Player::new(turns, marks)
        .ok_or_else(|| io::Error::other("expected a film with at least one frame, found none"))?;
    let failed = |what: &'static str| {
        move |error: io::Error| io::Error::new(error.kind(), format!("{what}: {error}"))
    };
    let mut terminal = ratatui::try_init().map_err(failed("the terminal cannot be taken over"))?;
    let shown = run(&mut terminal, film, conversation, player);
    ratatui::try_restore().map_err(failed("the terminal cannot be restored"))?;
    shown
}

/// Gives the terminal back if it was taken over, on the way out of a process that is told to end.
pub fn give_back() {
    if terminal::is_raw_mode_enabled().unwrap_or(false) {
        // Nothing can be done for a terminal that is gone.
        let _ = ratatui::try_restore();
    }
}

fn run(
    terminal: &mut DefaultTerminal,
    film: &Film,
    conversation: &mut Conversation<'_>,
    mut player: Player,
) -> io::Result<()> {
    let mut before = Instant::now();
    while !player.has_quit() {
        let said = player.shows_conversation().then(|| match film.step_of(player.position()) {
            Some(step) => conversation.in_step(step),
            None => PerSeat::from_fn(|_| vec![Said::Remark("nothing yet".to_owned())]),
        });
        let mut scroll_last = 0;
        terminal.draw(|target| {
            let (area, buffer) = (target.area(), target.buffer_mut());
            scroll_last = controls::draw_player(film, &player, said.as_ref(), area, buffer);
            inks::mark_teams(buffer);
        })?;
        player.limit_scroll(scroll_last);
        let pause = player.until_next_step().unwrap_or(IDLE);
        if event::poll(pause)? {
            hear(&mut player)?;
        }
        let now = Instant::now();
        player.pass(now - before);
        before = now;
    }
    Ok(())
}

/// Takes all keys that wait, so that a held key never lags behind the picture.
fn hear(player: &mut Player) -> io::Result<()> {
    loop {
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
            && let Some(command) = keys::command(key)
        {
            player.obey(command);
        }
        if !event::poll(Duration::ZERO)? {
            return Ok(());
        }
    }
}
