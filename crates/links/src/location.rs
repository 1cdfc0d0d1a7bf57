//! Where a `bot.json` is, and the bot that it describes.

use std::collections::VecDeque;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use quintain_record::Launch;

use crate::limits::{MANIFEST_BYTES_MAX, MANIFEST_SEARCH_MAX};
use crate::manifest::{Complaint, MANIFEST_FILE, Manifest, ManifestError, ROUNDS_FOLDER};
use crate::within::read_within;

/// Finds the `bot.json` in a folder or somewhere below it: the nearest, then the first by name.
pub(crate) fn find_manifest(folder: &Path) -> Option<PathBuf> {
    let mut folders = VecDeque::from([folder.to_owned()]);
    let mut seen = 0;
    while let Some(folder) = folders.pop_front() {
        let file = folder.join(MANIFEST_FILE);
        if file.is_file() {
            return Some(file);
        }
        let mut below: Vec<PathBuf> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter(|entry| entry.file_name() != ROUNDS_FOLDER)
            .map(|entry| entry.path())
            .collect();
        below.sort();
        seen += below.len();
        if seen > MANIFEST_SEARCH_MAX {
            return None;
        }
        folders.extend(below);
    }
    None
}

/// What a `bot.json` says.
pub(crate) fn manifest_at(file: &Path) -> Result<Manifest, ManifestError> {
    let complain = |(field, reason)| ManifestError { file: file.to_owned(), field, reason };
    Manifest::parse(&read(file).map_err(complain)?).map_err(complain)
}

/// The bot that a `bot.json` describes. `given` is the folder that was named as the bot.
pub(crate) fn launch_of(file: &Path, given: &Path) -> Result<Launch, ManifestError> {
    let complain = |(field, reason)| ManifestError { file: file.to_owned(), field, reason };
    let manifest = manifest_at(file)?;
    let root = file.parent().unwrap_or(given);
    let (root, directory) = place_of(&manifest, root, given).map_err(complain)?;
    let (program, args) = manifest.command(&directory);
    Ok(Launch {
        program,
        args,
        folder: Some(directory),
        env: Vec::new(),
        root: Some(root),
        nick_name: manifest.nick_name,
    })
}

fn read(file: &Path) -> Result<String, Complaint> {
    let complain = |error: &dyn fmt::Display| (None, format!("expected a file in UTF-8: {error}"));
    let (folder, name) = (file.parent().unwrap_or(Path::new(".")), Path::new(MANIFEST_FILE));
    let bytes =
        read_within(folder, name, MANIFEST_BYTES_MAX).map_err(|error| (None, error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| complain(&error))
}

/// The folder that belongs to the bot, and the one that it works in, which is inside the folder that was
/// given, whatever links there are. The location is joined to the
/// folder of the file; the original runner joins it to the folder that was given, which is tried
/// where the first does not hold the bot.
fn place_of(
    manifest: &Manifest,
    root: &Path,
    given: &Path,
) -> Result<(PathBuf, PathBuf), Complaint> {
    let location = &manifest.bot_location;
    let candidates = [root, given].map(|root| {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        let directory = join_location(&root, location);
        (normalised(&root), directory)
    });
    let whole = given.canonicalize().unwrap_or_else(|_| given.to_owned());
    let is_inside = |(_, directory): &&(PathBuf, PathBuf)| {
        directory.canonicalize().is_ok_and(|real| real.starts_with(&whole))
    };
    let holds_it =
        |(_, directory): &&(PathBuf, PathBuf)| directory.join(&manifest.bot_file_name).is_file();
    let is_folder = |(_, directory): &&(PathBuf, PathBuf)| directory.is_dir();
    let inside = || candidates.iter().filter(is_inside);
    let found = inside().find(holds_it).or_else(|| inside().find(is_folder));
    found.cloned().ok_or_else(|| {
        let location = &candidates[0].1;
        let reason = match location.is_dir() {
            true => format!(
                "expected a folder inside {}, found one that leads out of it, {}",
                whole.display(),
                location.display()
            ),
            false => format!("expected a folder, found none at {}", location.display()),
        };
        (Some("botLocation"), reason)
    })
}

/// Joined as text, as the original does: a leading slash does not lead to the root of the disk.
fn join_location(root: &Path, location: &str) -> PathBuf {
    let location = location.trim().replace('\\', "/");
    normalised(&root.join(location.trim_start_matches('/')))
}

/// Without `.` and `..`, as text.
fn normalised(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            part => result.push(part),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_location_is_joined() {
        let root = Path::new("/bots/x");
        let cases = [
            ("/", "/bots/x"),
            ("/bin", "/bots/x/bin"),
            ("/bin/", "/bots/x/bin"),
            ("bin", "/bots/x/bin"),
            ("", "/bots/x"),
            (".", "/bots/x"),
            ("./", "/bots/x"),
            ("../bin", "/bots/bin"),
            ("/../bin", "/bots/bin"),
            ("/sloth", "/bots/x/sloth"),
            ("\\bin", "/bots/x/bin"),
        ];
        for (location, expected) in cases {
            assert_eq!(join_location(root, location), Path::new(expected), "{location:?}");
        }
    }
}
