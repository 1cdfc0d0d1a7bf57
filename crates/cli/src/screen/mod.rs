//! Films on a terminal: a full-screen player, a view of a match as it is played, and plain text
//! for everything that is no terminal.
//!
//! All of it draws shapes and knows no game. `player` has the position and the speed and no
//! terminal, `keys` says what a key means to it; `picture` lays a frame out, `board` draws its
//! shapes in dots, `controls` adds the bar and the help of the player. `human` is a person at play, again
//! without a terminal, `human_layout` its screen, `human_loop` its keys and its match.

mod board;
mod controls;
mod human;
mod human_layout;
mod human_loop;
mod inks;
mod keys;
mod live;
mod picture;
mod plain;
mod player;
mod text_board;

use std::time::{Duration, Instant};

use anyhow::Context;
use quintain_core::scene::Film;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

pub(crate) use human_loop::{HumanUpdate, HumanWire, play_on_screen};
pub(crate) use live::LiveView;
pub(crate) use plain::{print_film, print_notes, print_position};

use player::Player;

/// How long the player sleeps when nothing moves. Keys wake it at once.
const IDLE: Duration = Duration::from_millis(500);

/// Plays a film on the whole terminal until the person leaves it. The terminal is as it was
/// afterwards, also after a panic.
pub(crate) fn show_film(film: &Film) -> anyhow::Result<()> {
    let turns = film.frames.iter().map(|frame| frame.turn).collect();
    let marked = film.frames.iter().enumerate().filter(|(_, frame)| frame.mark.is_some());
    let marks = marked.map(|(index, _)| index).collect();
    let player = Player::new(turns, marks).context("expected a film with at least one frame")?;
    let mut terminal = ratatui::try_init().context("the terminal cannot be taken over")?;
    let shown = run(&mut terminal, film, player);
    ratatui::try_restore().context("the terminal cannot be restored")?;
    shown
}

fn run(terminal: &mut DefaultTerminal, film: &Film, mut player: Player) -> anyhow::Result<()> {
    let mut before = Instant::now();
    while !player.has_quit() {
        terminal.draw(|target| {
            controls::draw_player(film, &player, target.area(), target.buffer_mut());
            inks::mark_teams(target.buffer_mut());
        })?;
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
fn hear(player: &mut Player) -> anyhow::Result<()> {
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
