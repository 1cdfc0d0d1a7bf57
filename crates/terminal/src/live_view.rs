//! A match on the terminal while it is played, in a few rows below the command.

use std::io::{self, IsTerminal as _, Stdout, Write, stdout};

use quintain_core::scene::Frame;
use quintain_registry::FilmHead;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::terminal;
use ratatui::layout::Position;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::inks::mark_teams;
use crate::picture::Picture;

const HEIGHT_MAX: u16 = 26;
/// Rows of the terminal that are left to what was there before.
const HEIGHT_SPARED: u16 = 2;

/// The rows below the command in which a match is drawn.
pub(crate) struct LiveView {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    head: FilmHead,
}

impl LiveView {
    /// Takes rows of the terminal for a match.
    ///
    /// # Errors
    /// The terminal does not say where its cursor is.
    pub(crate) fn new(head: FilmHead) -> io::Result<LiveView> {
        if !can_be_asked() {
            return Err(io::Error::other("expected a terminal that answers questions, found none"));
        }
        let (_, rows) = terminal::size()?;
        let height = rows.saturating_sub(HEIGHT_SPARED).clamp(1, HEIGHT_MAX);
        let options = TerminalOptions { viewport: Viewport::Inline(height) };
        let terminal = Terminal::with_options(CrosstermBackend::new(stdout()), options)?;
        Ok(LiveView { terminal, head })
    }

    pub(crate) fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        let picture = Picture {
            title: self.head.title,
            turn_name: self.head.turn_name,
            names: &self.head.names,
            stage: &self.head.stage,
            frame: Some(frame),
            ending: None,
        };
        self.terminal.draw(|target| {
            let area = target.area();
            picture.draw(area, target.buffer_mut());
            mark_teams(target.buffer_mut());
            // The cursor stays in sight, in a corner: nobody could bring it back if the match was
            // interrupted from the keyboard.
            target.set_cursor_position((area.left(), area.bottom().saturating_sub(1)));
        })?;
        Ok(())
    }

    /// Leaves the last position on the screen and the cursor in the row below it.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let last_row = self.terminal.get_frame().area().bottom().saturating_sub(1);
        self.terminal.set_cursor_position(Position { x: 0, y: last_row })?;
        self.terminal.show_cursor()?;
        let mut out = stdout();
        out.write_all(b"\r\n")?;
        out.flush()
    }
}

/// Whether there is a terminal whose answers can be read. Without one the library asks for ever.
fn can_be_asked() -> bool {
    io::stdin().is_terminal() || std::fs::File::open("/dev/tty").is_ok()
}
