//! Letters that the fonts of this crate lack, such as Chinese ones: taken from a font of the machine that
//! has them, else spelled in Latin letters, so that nobody's name is a row of boxes.
//!
//! A film whose letters are all in the fonts of this crate never comes here: its pictures are the same on
//! every machine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use deunicode::deunicode_char;
use quintain_core::scene::Film;
use skrifa::{FontRef, MetadataProvider};

use crate::fonts::{Face, Glyph, Weight, face};

/// A machine with more fonts than this is searched no further.
const FILES_MAX: usize = 4000;
/// How deep folders of fonts are nested.
const DEPTH_MAX: usize = 6;
/// Larger than any font file for all scripts of the world.
const BYTES_MAX: u64 = 64 << 20;
/// A collection with more fonts than this is none.
const FONTS_PER_FILE_MAX: u32 = 64;

/// The letter of a font of the machine, if there is one that has it.
pub(crate) fn borrowed(letter: char) -> Option<(&'static Face, Glyph)> {
    static SYSTEM_FONTS: LazyLock<Mutex<SystemFonts>> =
        LazyLock::new(|| Mutex::new(SystemFonts::new(usual_folders())));
    SYSTEM_FONTS.lock().unwrap_or_else(PoisonError::into_inner).find(letter)
}

/// A letter in Latin ones; a sign that nobody can spell is a question mark.
pub(crate) fn spelled(letter: char) -> &'static str {
    deunicode_char(letter).unwrap_or("?")
}

/// The letters of a film's names that are not in the fonts of this crate. A viewer of an SVG has fonts of
/// its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignLetters {
    /// Those that PNG and GIF show with a font of this machine; their bytes depend on it.
    pub borrowed: Vec<char>,
    /// Those that PNG and GIF spell in Latin letters.
    pub spelled: Vec<char>,
}

/// Which letters of a film's names are not in the fonts of this crate.
pub fn foreign_letters(film: &Film) -> ForeignLetters {
    let letters = film.names.iter().flat_map(|(_, name)| name.chars());
    let is_foreign = |letter: &char| face(Weight::Regular).glyph(*letter).is_none();
    let mut foreign: Vec<char> = letters.filter(is_foreign).collect();
    foreign.sort_unstable();
    foreign.dedup();
    let (borrowed, spelled) =
        foreign.into_iter().partition(|&letter| self::borrowed(letter).is_some());
    ForeignLetters { borrowed, spelled }
}

/// The fonts in some folders, opened when a letter is asked for.
struct SystemFonts {
    folders: Vec<PathBuf>,
    /// All font files, those first that are likely to look well; `None` before anybody asked.
    files: Option<Vec<PathBuf>>,
    faces: Vec<&'static Face>,
    known: HashMap<char, Option<(&'static Face, Glyph)>>,
}

impl SystemFonts {
    fn new(folders: Vec<PathBuf>) -> SystemFonts {
        SystemFonts { folders, files: None, faces: Vec::new(), known: HashMap::new() }
    }

    fn find(&mut self, letter: char) -> Option<(&'static Face, Glyph)> {
        if let Some(&known) = self.known.get(&letter) {
            return known;
        }
        let opened = self.faces.iter().find_map(|&face| Some((face, face.glyph(letter)?)));
        let found = opened.or_else(|| self.open(letter));
        self.known.insert(letter, found);
        found
    }

    /// Opens the first font that can draw a letter.
    fn open(&mut self, letter: char) -> Option<(&'static Face, Glyph)> {
        let folders = &self.folders;
        let files = self.files.get_or_insert_with(|| font_files(folders));
        let face = files.iter().find_map(|file| face_with(file, letter))?;
        self.faces.push(face);
        Some((face, face.glyph(letter)?))
    }
}

/// A font of a file that can draw a letter. It is kept for as long as the program runs.
fn face_with(file: &Path, letter: char) -> Option<&'static Face> {
    let data = std::fs::read(file).ok()?;
    let draws = |font: &FontRef<'_>| {
        let glyph = font.charmap().map(letter);
        glyph.is_some_and(|glyph| font.outline_glyphs().get(glyph).is_some())
    };
    let fonts = (0..FONTS_PER_FILE_MAX).map_while(|index| FontRef::from_index(&data, index).ok());
    let index = fonts.enumerate().find(|(_, font)| draws(font))?.0;
    let data: &'static [u8] = Box::leak(data.into_boxed_slice());
    let font = FontRef::from_index(data, u32::try_from(index).ok()?).ok()?;
    let face: &'static Face = Box::leak(Box::new(Face::of(font)));
    let glyph = face.glyph(letter)?;
    face.outline(glyph).map(|_| face)
}

/// Set to folders, it has them searched instead of those of the system; set to nothing, none.
const FOLDERS: &str = "QUINTAIN_FONTS";

/// Where systems keep their fonts.
fn usual_folders() -> Vec<PathBuf> {
    if let Some(folders) = std::env::var_os(FOLDERS) {
        let is_named = |folder: &PathBuf| !folder.as_os_str().is_empty();
        return std::env::split_paths(&folders).filter(is_named).collect();
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let in_home = |folder: &str| home.as_ref().map(|home| home.join(folder));
    let data = std::env::var_os("XDG_DATA_HOME").map(|data| PathBuf::from(data).join("fonts"));
    let windows = std::env::var_os("SystemRoot").map(|root| PathBuf::from(root).join("Fonts"));
    let own = [data.or_else(|| in_home(".local/share/fonts")), in_home(".fonts"), windows];
    let common = ["/usr/local/share/fonts", "/usr/share/fonts", "/System/Library/Fonts"];
    let mac = [in_home("Library/Fonts"), Some(PathBuf::from("/Library/Fonts"))];
    own.into_iter().chain(mac).flatten().chain(common.map(PathBuf::from)).collect()
}

/// The font files below some folders, those first that are likely to look well.
fn font_files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    folders.iter().for_each(|folder| collect(folder, DEPTH_MAX, &mut files));
    // Plain letters without feet go best with those of this crate; then by name, since folders have no
    // order of their own.
    files.sort_by_cached_key(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_sans = name.contains("sans") || name.contains("gothic");
        (!is_sans, !name.contains("regular"), file.clone())
    });
    files
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let Ok(facts) = std::fs::metadata(&path) else { continue };
        if files.len() >= FILES_MAX {
            return;
        }
        if facts.is_dir() && depth > 0 {
            collect(&path, depth - 1, files);
        } else if facts.is_file() && facts.len() <= BYTES_MAX && is_font(&path) {
            files.push(path);
        }
    }
}

fn is_font(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ["ttf", "otf", "ttc", "otc"].contains(&ending.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a font that has two letters and no others: 漢 and 字.
    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fonts")
    }

    #[test]
    fn a_letter_comes_from_a_font_that_has_it_and_can_be_drawn() {
        let mut fonts = SystemFonts::new(vec![folder()]);
        let (face, glyph) = fonts.find('漢').expect("the font has it");
        assert!(glyph.advance > 0.3);
        assert!(face.outline(glyph).is_some());
        assert!(fonts.find('字').is_some());
        assert_eq!(fonts.faces.len(), 1, "one font has both");
        assert!(fonts.find('名').is_none());
    }

    #[test]
    fn folders_that_are_not_there_and_files_that_are_no_fonts_have_no_letters() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut fonts = SystemFonts::new(vec![home.join("nowhere"), home.join("src")]);
        assert!(fonts.find('漢').is_none());
        let broken = std::env::temp_dir().join(format!("quintain-fonts-{}", std::process::id()));
        std::fs::create_dir_all(&broken).expect("a folder");
        std::fs::write(broken.join("broken.ttf"), b"OTTO and then nothing").expect("a file");
        let mut fonts = SystemFonts::new(vec![broken.clone()]);
        assert!(fonts.find('漢').is_none());
        std::fs::remove_dir_all(&broken).expect("it was there");
    }

    #[test]
    fn what_no_font_has_is_spelled() {
        for (letter, expected) in [('漢', "Han "), ('の', "no"), ('한', "han"), ('\u{10ffff}', "?")]
        {
            assert_eq!(spelled(letter), expected);
        }
    }
}
