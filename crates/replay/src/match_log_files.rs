//! The files of a match-log folder.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use quintain_core::{PerSeat, Seat, printable};
use quintain_referee::{Input, StepRecord};

use crate::format::micros;
use crate::match_log::check_match_log_folder;

/// An open folder. Errors while writing are kept: a full disk does not end a match. Nothing is written after
/// the first, and nothing stays of the log then, since who finds a log takes it for a whole one.
pub(crate) struct LogFolder {
    path: PathBuf,
    csv: PerSeat<BufWriter<File>>,
    log: BufWriter<File>,
    /// Milliseconds since 1970 of what is being logged.
    now_ms: u64,
    started_ms: u64,
    /// Whether the folder itself was made for this log.
    is_new: bool,
    error: Option<io::Error>,
}

impl LogFolder {
    pub(crate) fn create(
        path: &Path,
        names: &PerSeat<String>,
        started_ms: u64,
    ) -> io::Result<LogFolder> {
        check_match_log_folder(path)?;
        let is_new = !path.exists();
        fs::create_dir_all(path)?;
        let open = |name: &str| Ok::<_, io::Error>(BufWriter::new(File::create(path.join(name))?));
        let [first, second] = names.as_ref().0;
        let mut folder = LogFolder {
            path: path.to_owned(),
            csv: PerSeat([open(&format!("{first}.csv"))?, open(&format!("{second}.csv"))?]),
            log: open("match.log")?,
            now_ms: started_ms,
            started_ms,
            is_new,
            error: None,
        };
        folder.log("INFO", &format!("Match between {first} and {second}"));
        Ok(folder)
    }

    /// Writes a file below the folder of a round.
    pub(crate) fn put_in_round(&mut self, round: u32, name: &str, bytes: &[u8]) {
        if self.error.is_some() {
            return;
        }
        let file = self.path.join(format!("Round {round:03}")).join(name);
        let folder = file.parent().expect("a file in a folder has a parent");
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, bytes));
        self.keep_error(written);
    }

    pub(crate) fn add_csv_line(&mut self, seat: Seat, line: &str) {
        let written = writeln!(self.csv[seat], "{line}");
        self.keep_error(written);
    }

    /// What the first player was shown and all that was heard in a round.
    pub(crate) fn log_round(
        &mut self,
        round: u32,
        console: &[u8],
        step: &StepRecord,
        names: &PerSeat<String>,
    ) {
        self.log("INFO", &format!("Starting round: {round}"));
        let console = String::from_utf8_lossy(console).replace("\r\n", "\n");
        self.log("INFO", &format!("\n{console}"));
        for input in &step.inputs {
            let name = &names[input.seat()];
            match input {
                Input::Line { line, at, .. } => {
                    self.now_ms = self.started_ms + micros(*at) / 1000;
                    self.log("DEBUG", &format!("{name}: {}", printable(line)));
                }
                Input::Fault { fault, .. } => {
                    self.log("WARN", &format!("{name}: {}", fault.code()));
                }
            }
        }
        for (seat, stderr) in step.stderr.iter() {
            for line in stderr.text.lines() {
                self.log("ERROR", &format!("{}: {}", names[seat], printable(line)));
            }
        }
    }

    /// One message, in the form of the runner's library: `HH:mm:ss,SSS LEVEL message`.
    pub(crate) fn log(&mut self, level: &str, message: &str) {
        let milliseconds = self.now_ms % 1000;
        let seconds = self.now_ms / 1000 % 86_400;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let written = writeln!(
            self.log,
            "{hours:02}:{minutes:02}:{seconds:02},{milliseconds:03} {level} {message}"
        );
        self.keep_error(written);
    }

    /// Closes all files and says what went wrong first, if something did.
    pub(crate) fn finish(mut self) -> Option<io::Error> {
        for seat in Seat::BOTH {
            let flushed = self.csv[seat].flush();
            self.keep_error(flushed);
        }
        let flushed = self.log.flush();
        self.keep_error(flushed);
        let error = self.error.take()?;
        let LogFolder { path, csv, log, is_new, .. } = self;
        drop((csv, log));
        // What stays would be in the way of the next attempt; that says so.
        let _ = remove_log(&path, is_new);
        let path = path.display();
        Some(io::Error::new(error.kind(), format!("cannot write the match log {path}: {error}")))
    }

    fn keep_error(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }
}

/// Everything in the folder was written by the log, for which it had to be empty.
fn remove_log(folder: &Path, with_folder: bool) -> io::Result<()> {
    if with_folder {
        return fs::remove_dir_all(folder);
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
