//! Links lead to files that are there, and to headings that these have. Those of the book stay in it,
//! since nothing else is beside its pages once they are built.

use std::path::{Component, Path, PathBuf};

use super::{BOOK, Document, documents};
use crate::support::{Folder, workspace};

/// The list of chapters.
const SUMMARY: &str = "docs/src/SUMMARY.md";

/// What is wrong with the links of all documents, each with its place.
fn broken_links(root: &Path, documents: &[Document]) -> Vec<String> {
    let mut broken = Vec::new();
    for document in documents {
        for link in &document.links {
            if let Some(wrong) = wrong_with(root, documents, document, &link.target) {
                let path = document.path.display();
                broken.push(format!("{path}:{}: {}: {wrong}", link.line, link.target));
            }
        }
    }
    broken
}

fn wrong_with(
    root: &Path,
    documents: &[Document],
    document: &Document,
    target: &str,
) -> Option<&'static str> {
    if ["https://", "http://"].iter().any(|scheme| target.starts_with(scheme)) {
        return None;
    }
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    };
    let path = match file {
        "" => document.path.clone(),
        _ => match plain(&document.path.with_file_name(file)) {
            Some(path) => path,
            None => return Some("leads out of the project"),
        },
    };
    if !root.join(&path).exists() {
        return Some("there is no such file");
    }
    if document.is_in_book() && !path.starts_with(BOOK) {
        return Some("leads out of the book");
    }
    let anchor = anchor?;
    match documents.iter().find(|document| document.path == path) {
        Some(there) if there.anchors.iter().any(|name| name == anchor) => None,
        _ => Some("there is no such heading"),
    }
}

/// A path without `.` and `..`; `None` if it leads out of where it begins.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop().then_some(())?;
            }
            Component::Normal(name) => plain.push(name),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

/// The documents of the book that its list of chapters does not have, and would not be built.
fn unlisted(documents: &[Document]) -> Vec<&Path> {
    let summary = documents.iter().find(|document| document.path == Path::new(SUMMARY));
    let summary = summary.expect("the book has a list of chapters");
    let is_listed = |path: &Path| {
        let name = path.strip_prefix(BOOK).expect("it is of the book");
        path == Path::new(SUMMARY)
            || summary.links.iter().any(|link| Path::new(&link.target) == name)
    };
    let of_book = documents.iter().filter(|document| document.is_in_book());
    of_book.map(|document| document.path.as_path()).filter(|path| !is_listed(path)).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let documents = documents(&workspace());
    let links: usize = documents.iter().map(|document| document.links.len()).sum();
    assert!(links > 100, "{links} links were found");
    assert_eq!(broken_links(&workspace(), &documents), [""; 0]);
    let unlisted = unlisted(&documents);
    assert!(unlisted.is_empty(), "{unlisted:?} are no chapters");
}

#[test]
fn the_help_names_chapters_that_are_there() {
    let help = ["play", "compare"].map(|command| Folder::new().ok(&format!("{command} --help")));
    let is_chapter = |word: &&str| word.starts_with(BOOK);
    let words = help.iter().flat_map(|help| help.split([' ', '(', ')', '\n'])).filter(is_chapter);
    let chapters: Vec<&str> = words.map(|word| word.trim_end_matches('.')).collect();
    assert!(chapters.len() >= 3, "{chapters:?}");
    for chapter in chapters {
        assert!(workspace().join(chapter).is_file(), "{chapter}");
    }
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("docs/src/part")).expect("a folder");
    folder.write("other.md", "# Other\n");
    folder.write("docs/src/lonely.md", "");
    folder.write("docs/src/SUMMARY.md", "[a](part/a.md)");
    let texts = [
        (
            "[here](#a-title) [there](../lonely.md) ![x](../picture.png) [away](https://a.example/#b)",
            None,
        ),
        ("[a](b.md)", Some("b.md: there is no such file")),
        ("\n![a](b.png)", Some("b.png: there is no such file")),
        ("[a](#b)", Some("#b: there is no such heading")),
        ("[a](../lonely.md#b)", Some("../lonely.md#b: there is no such heading")),
        ("[a](../picture.png#b)", Some("../picture.png#b: there is no such heading")),
        ("[a](../../../other.md)", Some("../../../other.md: leads out of the book")),
        ("[a](../../../../b.md)", Some("../../../../b.md: leads out of the project")),
        ("| a |\n|---|\n| [a](b.md) |", Some("b.md: there is no such file")),
    ];
    folder.write("docs/src/picture.png", "");
    for (text, wrong) in texts {
        folder.write("docs/src/part/a.md", format!("# A title\n\n{text}\n"));
        let root = folder.path("");
        let documents = documents(&root);
        let broken = broken_links(&root, &documents);
        let ends = broken.iter().map(|broken| broken.split_once(": ").expect("a place").1);
        assert_eq!(ends.collect::<Vec<_>>(), wrong.into_iter().collect::<Vec<_>>(), "{text}");
        assert_eq!(unlisted(&documents), [Path::new("docs/src/lonely.md")]);
    }
}
