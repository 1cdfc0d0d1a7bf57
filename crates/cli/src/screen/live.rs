//! A match on the terminal while it is played, in a few rows below the command.
//!
//! A thread of its own draws, so that the match never waits for the terminal, and a position that
//! came too soon after the one before is still shown when nothing follows it.

use std::io::{self, Stdout, Write, stdout};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use quintain_core::PerSeat;
use quintain_core::scene::{Frame, Stage};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::terminal;
use ratatui::layout::Position;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::picture::Picture;

const HEIGHT_MAX: u16 = 26;
/// Rows of the terminal that are left to what was there before.
const HEIGHT_SPARED: u16 = 2;
/// About thirty pictures a second: more cannot be seen.
const PAUSE: Duration = Duration::from_millis(33);

/// The rows below the command in which a match is drawn. Dropping it is finishing it.
pub(crate) struct Live {
    mailbox: Arc<Mailbox>,
    /// `None` once it has been waited for.
    artist: Option<JoinHandle<io::Result<()>>>,
}

impl Live {
    /// Takes rows of the terminal for a match.
    pub(crate) fn new(
        title: &'static str,
        names: PerSeat<String>,
        stage: Stage,
    ) -> io::Result<Live> {
        let (_, rows) = terminal::size()?;
        let height = rows.saturating_sub(HEIGHT_SPARED).clamp(1, HEIGHT_MAX);
        let options = TerminalOptions {
            viewport: Viewport::Inline(height),
        };
        let terminal = Terminal::with_options(CrosstermBackend::new(stdout()), options)?;
        let mailbox = Arc::new(Mailbox::default());
        let mut artist = Artist {
            terminal,
            title,
            names,
            stage,
        };
        let inbox = Arc::clone(&mailbox);
        let artist = std::thread::Builder::new()
            .name("live".to_owned())
            .spawn(move || artist.work(&inbox))?;
        Ok(Live {
            mailbox,
            artist: Some(artist),
        })
    }

    /// Shows a position, or the one after it if that comes soon.
    pub(crate) fn frame(&mut self, frame: &Frame) {
        self.mailbox.put(frame.clone());
    }

    /// Draws the last position, leaves it on the screen and the cursor below it.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.wait()
    }

    fn wait(&mut self) -> io::Result<()> {
        let Some(artist) = self.artist.take() else {
            return Ok(());
        };
        self.mailbox.close();
        artist
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the live view broke down")))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // Whoever wants to know about errors calls `finish`.
        let _ = self.wait();
    }
}

/// Holds the newest position until it is drawn; older ones are forgotten.
#[derive(Default)]
struct Mailbox {
    content: Mutex<Content>,
    changed: Condvar,
}

#[derive(Default)]
struct Content {
    newest: Option<Frame>,
    is_closed: bool,
}

impl Mailbox {
    fn put(&self, frame: Frame) {
        self.content().newest = Some(frame);
        self.changed.notify_one();
    }

    fn close(&self) {
        self.content().is_closed = true;
        self.changed.notify_one();
    }

    /// The newest position, as soon as there is one; `None` if none is to come.
    fn take(&self) -> Option<Frame> {
        let is_idle = |content: &mut Content| content.newest.is_none() && !content.is_closed;
        let waited = self.changed.wait_while(self.content(), is_idle);
        waited.unwrap_or_else(PoisonError::into_inner).newest.take()
    }

    /// Lets a picture be seen before the next, unless the match is over.
    fn pause(&self) {
        let is_open = |content: &mut Content| !content.is_closed;
        drop(
            self.changed
                .wait_timeout_while(self.content(), PAUSE, is_open),
        );
    }

    /// A position is replaced as a whole, so that a panic elsewhere cannot have spoilt it.
    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Artist {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    title: &'static str,
    names: PerSeat<String>,
    stage: Stage,
}

impl Artist {
    fn work(&mut self, mailbox: &Mailbox) -> io::Result<()> {
        let drawn = self.draw_all(mailbox);
        self.leave().and(drawn)
    }

    fn draw_all(&mut self, mailbox: &Mailbox) -> io::Result<()> {
        self.draw(None)?;
        while let Some(frame) = mailbox.take() {
            self.draw(Some(&frame))?;
            mailbox.pause();
        }
        Ok(())
    }

    fn draw(&mut self, frame: Option<&Frame>) -> io::Result<()> {
        let picture = Picture {
            title: self.title,
            turn_name: "turn",
            names: &self.names,
            stage: &self.stage,
            frame,
            ending: None,
        };
        self.terminal.draw(|target| {
            let area = target.area();
            picture.draw(area, target.buffer_mut());
            // The cursor stays in sight, in a corner: nobody could bring it back if the match was
            // interrupted from the keyboard.
            target.set_cursor_position((area.left(), area.bottom().saturating_sub(1)));
        })?;
        Ok(())
    }

    /// Puts the cursor into the row below the picture.
    fn leave(&mut self) -> io::Result<()> {
        let last_row = self.terminal.get_frame().area().bottom().saturating_sub(1);
        self.terminal
            .set_cursor_position(Position { x: 0, y: last_row })?;
        self.terminal.show_cursor()?;
        let mut out = stdout();
        out.write_all(b"\r\n")?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::{Scene, TextScene};

    use super::*;

    fn frame(turn: u32) -> Frame {
        Frame {
            turn,
            scene: Scene::default(),
            text: TextScene::default(),
            notes: Vec::new(),
            mark: None,
        }
    }

    #[test]
    fn the_newest_position_wins_and_the_last_one_is_never_lost() {
        let mailbox = Mailbox::default();
        (1..=5).for_each(|turn| mailbox.put(frame(turn)));
        assert_eq!(mailbox.take(), Some(frame(5)));
        mailbox.put(frame(6));
        mailbox.close();
        mailbox.pause();
        assert_eq!(mailbox.take(), Some(frame(6)));
        assert_eq!(mailbox.take(), None);
    }
}
