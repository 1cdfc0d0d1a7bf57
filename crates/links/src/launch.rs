//! What a person types to name a bot, turned into a program to start.

use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use quintain_record::Launch;

use crate::location::{find_manifest, launch_of};
use crate::manifest::{MANIFEST_FILE, ManifestError};

/// The file that starts a bot which is given as a folder.
const RUN_SCRIPT: &str = "run.sh";

/// Reads a folder with a `bot.json` or a `run.sh` in it, a path to a program, or a command line.
/// Words of a command line are divided at blanks; quotes and backslashes keep blanks together as in a
/// shell, and nothing else of a shell is understood.
///
/// # Errors
/// Says what is missing: words, a closing quote, the script, the program, or the permission to
/// run it. A name without a slash is not looked up before it is started.
pub fn read_launch(text: &str) -> Result<Launch, LaunchError> {
    let path = Path::new(text);
    if path.is_dir() {
        return of_folder(path);
    }
    let mut words = if path.is_file() { vec![text.to_owned()] } else { split_words(text)? };
    if words.is_empty() {
        return Err(LaunchError::Empty);
    }
    let program = words.remove(0);
    if program.contains('/') {
        check_program(Path::new(&program))?;
    } else if path.is_file() {
        return read_launch(&format!("./{text}"));
    }
    Ok(Launch { program, args: words, ..Launch::default() })
}

/// Reads a command line that is meant for a folder, in which it is started. A program of that
/// folder needs no `./` before its name.
///
/// # Errors
/// As [`read_launch`].
pub fn read_launch_in(command: &str, folder: &Path) -> Result<Launch, LaunchError> {
    let mut words = split_words(command)?;
    if words.is_empty() {
        return Err(LaunchError::Empty);
    }
    let mut program = words.remove(0);
    if !program.contains('/') && folder.join(&program).is_file() {
        program = format!("./{program}");
    }
    if program.contains('/') {
        check_program(&folder.join(&program))?;
    }
    let folder = Some(folder.to_owned());
    Ok(Launch { program, args: words, folder, ..Launch::default() })
}

fn of_folder(folder: &Path) -> Result<Launch, LaunchError> {
    let manifest = folder.join(MANIFEST_FILE);
    if !manifest.is_file() && folder.join(RUN_SCRIPT).is_file() {
        return Ok(Launch {
            program: "bash".to_owned(),
            args: vec![RUN_SCRIPT.to_owned()],
            folder: Some(folder.to_owned()),
            root: Some(folder.to_owned()),
            ..Launch::default()
        });
    }
    match find_manifest(folder) {
        Some(manifest) => launch_of(&manifest, folder).map_err(LaunchError::Manifest),
        None => Err(LaunchError::NoRunScript(folder.to_owned())),
    }
}

/// Makes words that lead out of the current folder lead to the same place from anywhere else.
pub fn anchor_words(launch: &mut Launch) {
    for word in launch.args.iter_mut().chain([&mut launch.program]) {
        let path = Path::new(word.as_str());
        if path.starts_with("..")
            && path.exists()
            && let Ok(absolute) = path.canonicalize()
        {
            *word = absolute.to_string_lossy().into_owned();
        }
    }
}

fn check_program(program: &Path) -> Result<(), LaunchError> {
    let Ok(metadata) = program.metadata() else {
        return Err(LaunchError::Missing(program.to_owned()));
    };
    if metadata.is_dir() {
        return Err(LaunchError::IsFolder(program.to_owned()));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(LaunchError::NotExecutable(program.to_owned()));
    }
    Ok(())
}

/// Divides a command line into words as a shell would, without variables, patterns or operators.
fn split_words(text: &str) -> Result<Vec<String>, LaunchError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\\' => {
                let next = chars.next().ok_or(LaunchError::Unfinished('\\'))?;
                word.get_or_insert_default().push(next);
            }
            '\'' | '"' => read_quoted(c, &mut chars, word.get_or_insert_default())?,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Reads up to the closing quote. Between double quotes a backslash protects a double quote and
/// itself; everything else stands for itself.
fn read_quoted(
    quote: char,
    chars: &mut std::str::Chars<'_>,
    word: &mut String,
) -> Result<(), LaunchError> {
    while let Some(c) = chars.next() {
        match c {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => match chars.next() {
                Some(next @ ('"' | '\\')) => word.push(next),
                Some(next) => word.extend(['\\', next]),
                None => break,
            },
            c => word.push(c),
        }
    }
    Err(LaunchError::Unfinished(quote))
}

/// Why a text names no bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchError {
    Empty,
    /// A quote without its partner, or a backslash at the end.
    Unfinished(char),
    NoRunScript(PathBuf),
    Manifest(ManifestError),
    Missing(PathBuf),
    IsFolder(PathBuf),
    NotExecutable(PathBuf),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Empty => f.write_str("expected a command or a folder, got nothing"),
            LaunchError::Unfinished('\\') => {
                f.write_str("expected a character after the backslash, got the end of the command")
            }
            LaunchError::Unfinished(quote) => {
                write!(f, "expected a closing {quote}, got the end of the command")
            }
            LaunchError::NoRunScript(folder) => {
                let folder = show(folder);
                write!(
                    f,
                    "expected a file {MANIFEST_FILE} or {RUN_SCRIPT} in the folder {folder}, found \
                     neither"
                )
            }
            LaunchError::Manifest(error) => error.fmt(f),
            LaunchError::Missing(program) => {
                write!(f, "expected a program at {}, found nothing", show(program))
            }
            LaunchError::IsFolder(program) => {
                write!(f, "expected a program at {}, found a folder", show(program))
            }
            LaunchError::NotExecutable(program) => {
                let program = show(program);
                write!(
                    f,
                    "expected a program at {program}, found a file that may not be run \
                     (`chmod +x {program}`, or name its interpreter)"
                )
            }
        }
    }
}

impl std::error::Error for LaunchError {}

fn show(path: &Path) -> std::path::Display<'_> {
    path.display()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<String>, LaunchError> {
        split_words(text)
    }

    #[test]
    fn words_are_divided_as_in_a_shell() {
        let cases: [(&str, &[&str]); 8] = [
            ("python3 bot.py --fast", &["python3", "bot.py", "--fast"]),
            ("  a \t b\n", &["a", "b"]),
            ("a 'b c' \"d e\"", &["a", "b c", "d e"]),
            (r"my\ bot a\\b", &["my bot", r"a\b"]),
            (r#"x "a \"b\" \n" '\n'"#, &["x", r#"a "b" \n"#, r"\n"]),
            ("a ''", &["a", ""]),
            ("pre'fix'ed", &["prefixed"]),
            ("java -cp $HOME *", &["java", "-cp", "$HOME", "*"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text).expect(text), expected, "{text}");
        }
    }

    #[test]
    fn unfinished_words_are_refused() {
        assert_eq!(words("a 'b"), Err(LaunchError::Unfinished('\'')));
        assert_eq!(words("a \"b\\\""), Err(LaunchError::Unfinished('"')));
        assert_eq!(words("a \\"), Err(LaunchError::Unfinished('\\')));
        assert_eq!(read_launch("  "), Err(LaunchError::Empty));
    }

    #[test]
    fn a_path_to_nothing_or_to_a_text_file_is_refused_before_it_is_started() {
        let missing = read_launch("./no/such/bot --x").expect_err("there is no such file");
        assert_eq!(missing.to_string(), "expected a program at ./no/such/bot, found nothing");
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let text_file = read_launch(manifest).expect_err("a manifest is not a program");
        assert_eq!(text_file, LaunchError::NotExecutable(manifest.into()));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let folder = read_launch(source).expect_err("there is no script in the sources");
        assert_eq!(folder, LaunchError::NoRunScript(source.into()));
        let folder = read_launch(&format!("{source} x")).expect_err("a folder is not a program");
        assert_eq!(folder, LaunchError::IsFolder(source.into()));
    }

    #[test]
    fn a_command_keeps_its_program_and_arguments() {
        let launch = read_launch("/bin/sh -c 'exit 3'").expect("the shell exists");
        assert_eq!(launch.program, "/bin/sh");
        assert_eq!(launch.args, ["-c", "exit 3"]);
        assert_eq!(launch.folder, None);
    }
}
