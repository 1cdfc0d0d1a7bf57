//! What a bot consists of: the files that its command line names, or a shell script that it names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quintain_core::PerSeat;
use quintain_record::{Contestant, Launch, Occupant};
use quintain_store::digest;

use crate::script;

/// The files that a bot consists of, as far as its command line names them, or a shell script
/// that it names: each by the word that names it. What those files read in turn is not known.
pub fn files_of(bot: &Contestant) -> Vec<(String, PathBuf)> {
    bot.launch().map(files_of_launch).unwrap_or_default()
}

/// The same with the digests of their content. One that cannot be read is said to be so.
pub fn digests_of(bot: &Contestant) -> BTreeMap<String, String> {
    let digest_of = |path: PathBuf| match std::fs::read(path) {
        Ok(content) => digest(&content),
        Err(_) => "unreadable".to_owned(),
    };
    files_of(bot).into_iter().map(|(word, path)| (word, digest_of(path))).collect()
}

/// The same for both seats of a match. Who is no contestant has no files.
pub fn digests_of_seats(seats: &PerSeat<Occupant>) -> PerSeat<BTreeMap<String, String>> {
    seats.as_ref().map(|_, one| one.contestant().map(digests_of).unwrap_or_default())
}

fn files_of_launch(launch: &Launch) -> Vec<(String, PathBuf)> {
    let folder = launch.folder.as_deref().unwrap_or(Path::new(""));
    // A name without a slash is looked up on the search path: an interpreter is the machine's.
    let program = Some(&launch.program).filter(|program| program.contains('/'));
    let words = program.into_iter().chain(&launch.args);
    let named = |words: &mut dyn Iterator<Item = String>| {
        let named = words.map(|word| (word.clone(), folder.join(&word)));
        named.filter(|(_, path)| path.is_file()).collect::<Vec<_>>()
    };
    let mut files = named(&mut words.cloned());
    for script in files.clone().into_iter().filter_map(|(_, path)| shell_script(&path)) {
        files.extend(named(&mut script::words_read(&script).map(str::to_owned)));
    }
    files.sort();
    files.dedup();
    files
}

/// The text of a script that a shell reads.
fn shell_script(path: &Path) -> Option<String> {
    const BYTES_MAX: u64 = 64 * 1024;
    if path.metadata().ok()?.len() > BYTES_MAX {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    let first = text.lines().next().unwrap_or_default();
    let is_shell = first.starts_with("#!") && first.trim_end().ends_with("sh");
    (is_shell || path.extension().is_some_and(|ending| ending == "sh")).then_some(text)
}
