//! The texts as their readers use them: every link leads somewhere, and every console block of README
//! and book does what it shows.

mod console;
mod links;

use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::support::workspace;

/// The chapters of the book. One that is the text of another folder is a symbolic link to it.
const BOOK: &str = "docs/src";
/// Folders that hold no text of ours.
const SKIPPED: [&str; 3] = [".git", "target", "node_modules"];

/// A Markdown file as far as it is checked.
#[derive(Default)]
struct Document {
    /// Relative to the root of the project.
    path: PathBuf,
    /// What a link can name behind a `#`.
    anchors: Vec<String>,
    links: Vec<Link>,
    blocks: Vec<Block>,
}

struct Link {
    /// Its line, from 1 on.
    line: usize,
    target: String,
}

/// What stands between fences.
struct Block {
    /// The line of the opening fence.
    line: usize,
    /// The word behind that fence.
    language: String,
    /// What follows it behind commas: `file=NAME`, `ignore=REASON`.
    classes: Vec<(String, String)>,
    text: String,
}

impl Block {
    fn new(line: usize, info: &str) -> Self {
        let mut words = info.split(',');
        let language = words.next().unwrap_or_default().to_owned();
        let class = |word: &str| {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            (key.to_owned(), value.to_owned())
        };
        Block { line, language, classes: words.map(class).collect(), text: String::new() }
    }

    fn class(&self, name: &str) -> Option<&str> {
        let class = self.classes.iter().find(|(key, _)| key == name);
        class.map(|(_, value)| value.as_str())
    }
}

impl Document {
    fn read(root: &Path, path: &Path) -> Self {
        let text = std::fs::read_to_string(root.join(path))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Document::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Self {
        let mut document = Document { path: path.to_owned(), ..Document::default() };
        let mut heading = None;
        let mut block = None;
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = 1 + text[..range.start].matches('\n').count();
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    document.anchors.extend(heading.take().map(|title| anchor(&title)));
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(Link { line, target: dest_url.to_string() });
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    block = Some(Block::new(line, &info));
                }
                Event::End(TagEnd::CodeBlock) => document.blocks.extend(block.take()),
                Event::Text(part) | Event::Code(part) => {
                    let block = block.as_mut().map(|block| &mut block.text);
                    if let Some(open) = heading.as_mut().or(block) {
                        *open += &part;
                    }
                }
                _ => {}
            }
        }
        document
    }

    fn is_in_book(&self) -> bool {
        self.path.starts_with(BOOK)
    }
}

/// How a heading is named in links, here as on the pages of code hosts and of mdBook.
fn anchor(title: &str) -> String {
    let letter = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    };
    title.to_lowercase().chars().filter_map(letter).collect()
}

/// All Markdown files below the root, in a fixed order.
fn documents(root: &Path) -> Vec<Document> {
    let mut paths = Vec::new();
    collect(root, Path::new(""), &mut paths);
    paths.sort();
    paths.iter().map(|path| Document::read(root, path)).collect()
}

fn collect(root: &Path, folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root.join(folder)).expect("a folder of the project") {
        let name = entry.expect("an entry").file_name();
        let path = folder.join(&name);
        let is_skipped = SKIPPED.iter().any(|skipped| name == *skipped);
        if root.join(&path).is_dir() && !is_skipped {
            collect(root, &path, paths);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
}

#[test]
fn a_document_is_taken_apart() {
    let text = "# A `b`-c, d\n\n[x](y.md#z) and\n![p](q.svg)\n\n- ```console,ignore=long\n  $ a\n  b\n  ```\n";
    let document = Document::parse(Path::new("docs/src/a.md"), text);
    assert!(document.is_in_book());
    assert_eq!(document.anchors, ["a-b-c-d"]);
    let links: Vec<_> =
        document.links.iter().map(|link| (link.line, link.target.as_str())).collect();
    assert_eq!(links, [(3, "y.md#z"), (4, "q.svg")]);
    let [block] = document.blocks.as_slice() else { panic!("one block") };
    assert_eq!(
        (block.line, block.language.as_str(), block.text.as_str()),
        (6, "console", "$ a\nb\n")
    );
    assert_eq!((block.class("ignore"), block.class("file")), (Some("long"), None));
}

#[test]
fn the_readme_is_short() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).expect("a README");
    assert!(readme.lines().count() <= 95, "one screen and a half; the rest belongs to the book");
}
