//! The whole terminal for a person at play, from the first key to the last.

use std::io;
use std::time::Duration;

use quintain_core::scene::Frame;
use quintain_registry::{FilmHead, Question};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind,
};
use ratatui::crossterm::execute;

use crate::human::{Deed, Human};
use crate::human_layout::draw_human;
use crate::inks::mark_teams;

/// How long a key is waited for before the match is looked at again.
const TICK: Duration = Duration::from_millis(30);

/// Something that the screen is told.
pub(crate) enum HumanUpdate {
    /// Said to the person, as to any bot.
    Line(String),
    Begin(FilmHead),
    Frame(Frame),
    Asked(Box<dyn Question>),
    Over(String),
    /// Nothing more will come.
    Gone,
}

/// The way between a screen and its match.
pub(crate) trait HumanWire {
    /// What happened since, oldest first; `None` if nothing.
    fn update(&mut self) -> Option<HumanUpdate>;

    fn say(&mut self, lines: &[String]);

    /// Hangs up.
    fn leave(&mut self);

    /// Whether somebody wants to end everything, from outside.
    fn is_stopped(&self) -> bool;
}

/// Plays until the match is over and its end was seen, or the person leaves. The terminal is as it was
/// afterwards.
pub(crate) fn play_on_screen(
    name: String,
    time_scale: Option<f64>,
    mut wire: impl HumanWire,
) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    // What is pasted comes as one text, and its line ends are no enter key.
    execute!(io::stdout(), EnableBracketedPaste)?;
    let played = run(&mut terminal, Human::new(name, time_scale), &mut wire);
    wire.leave();
    execute!(io::stdout(), DisableBracketedPaste)?;
    ratatui::try_restore()?;
    played
}

fn run(
    terminal: &mut DefaultTerminal,
    mut human: Human,
    wire: &mut impl HumanWire,
) -> io::Result<()> {
    // A clock that is shown goes on by itself.
    let mut is_stale = true;
    loop {
        while let Some(update) = wire.update() {
            is_stale |= !matches!(update, HumanUpdate::Gone);
            match update {
                HumanUpdate::Line(line) => human.hear(line),
                HumanUpdate::Begin(head) => human.begin(head),
                HumanUpdate::Frame(frame) => human.see(frame),
                HumanUpdate::Asked(question) => human.ask(question),
                HumanUpdate::Over(ending) => human.end(ending),
                // The end stays on the screen until a key is pressed.
                HumanUpdate::Gone if human.is_over() && !wire.is_stopped() => break,
                HumanUpdate::Gone => return Ok(()),
            }
        }
        if is_stale || human.time_left().is_some() {
            terminal.draw(|target| {
                draw_human(&human, target.area(), target.buffer_mut());
                mark_teams(target.buffer_mut());
            })?;
        }
        is_stale = event::poll(TICK)?;
        let deed = match is_stale.then(event::read).transpose()? {
            Some(Event::Key(key)) if key.kind != KeyEventKind::Release => human.press(key),
            Some(Event::Paste(text)) => {
                human.paste(&text);
                None
            }
            _ => None,
        };
        match deed {
            Some(Deed::Say(lines)) => wire.say(&lines),
            Some(Deed::Leave) => return Ok(()),
            None => {}
        }
    }
}
