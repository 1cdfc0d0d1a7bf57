//! A TOML file, read key by key. Whatever is wrong with it is said with its line, in the words of someone
//! who writes such a file.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::{Field, did_you_mean, read_duration};
use quintain_sandbox::read_size;
use serde::Deserialize as _;
use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, ValueDeserializer};

use super::PlanError;

const LIST: &str = "a list in brackets";
const TEXT: &str = "a text in quotes";
const WHOLE: &str = "a whole number";

/// What is wrong with a file that describes a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanFileError {
    #[error("cannot read the {what} {}: {error}", path.display())]
    Unreadable { what: &'static str, path: PathBuf, error: std::io::Error },
    #[error("{}:{line}: {}{wrong}", path.display(), field_words(field.as_ref()))]
    Wrong { path: PathBuf, line: usize, field: Option<Field>, wrong: String },
}

fn field_words(field: Option<&Field>) -> String {
    field.map_or_else(String::new, |field| format!("{field}: "))
}

/// A file and where its keys stand.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    text: String,
    /// By the path of a key: `league`, `set.switches.score_gap`, `bot[1].run`.
    lines: BTreeMap<String, usize>,
}

impl Source {
    pub(super) fn read(what: &'static str, path: &Path) -> Result<Source, PlanFileError> {
        let bytes = std::fs::read(path).map_err(|error| PlanFileError::Unreadable {
            what,
            path: path.to_owned(),
            error,
        })?;
        String::from_utf8(bytes).map(|text| Source::new(path, text)).map_err(|error| {
            let start = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[start];
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let wrong = format!("expected text in UTF-8, found the byte 0x{byte:02x}");
            let source = Source::new(path, text);
            source.wrong_on(source.line_of(start), None, wrong)
        })
    }

    pub(super) fn new(path: &Path, text: String) -> Source {
        let mut source = Source { path: path.to_owned(), text, lines: BTreeMap::new() };
        let mut lines = BTreeMap::new();
        if let Ok(table) = DeTable::parse(&source.text) {
            source.find_lines("", table.get_ref(), &mut lines);
        }
        source.lines = lines;
        source
    }

    fn find_lines(&self, path: &str, table: &DeTable<'_>, lines: &mut BTreeMap<String, usize>) {
        for (key, value) in table {
            let below = format!("{path}{}", key.get_ref());
            lines.insert(below.clone(), self.line_of(key.span().start));
            match value.get_ref() {
                DeValue::Table(table) => self.find_lines(&format!("{below}."), table, lines),
                DeValue::Array(list) => {
                    for (index, value) in list.iter().enumerate() {
                        if let DeValue::Table(table) = value.get_ref() {
                            self.find_lines(&format!("{below}[{index}]."), table, lines);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn line_of(&self, start: usize) -> usize {
        let before = &self.text.as_bytes()[..start.min(self.text.len())];
        before.iter().filter(|&&byte| byte == b'\n').count() + 1
    }

    /// Where a field of the plan stands, which may be one of the game's config; the first line if it is
    /// left out.
    fn line_of_field(&self, field: &str) -> usize {
        let line = self.lines.get(field).or_else(|| self.lines.get(&format!("set.{field}")));
        line.copied().unwrap_or(1)
    }

    /// File and line, as messages begin.
    pub(super) fn place(&self, field: &str) -> String {
        format!("{}:{}: ", self.path.display(), self.line_of_field(field))
    }

    pub(super) fn wrong(&self, field: &str, wrong: impl std::fmt::Display) -> PlanFileError {
        self.wrong_on(self.line_of_field(field), Some(field), wrong)
    }

    /// The same where the line says enough.
    pub(super) fn wrong_line(&self, field: &str, wrong: impl std::fmt::Display) -> PlanFileError {
        self.wrong_on(self.line_of_field(field), None, wrong)
    }

    /// The same about what is missing behind the last line.
    pub(super) fn wrong_end(&self, wrong: impl std::fmt::Display) -> PlanFileError {
        self.wrong_on(self.line_of(self.text.len()), None, wrong)
    }

    pub(super) fn wrong_plan(&self, error: PlanError) -> PlanFileError {
        match error {
            PlanError::Wrong { field, wrong } => self.wrong(&field.0, wrong),
            error => self.wrong_on(1, None, error),
        }
    }

    fn wrong_on(
        &self,
        line: usize,
        field: Option<&str>,
        wrong: impl std::fmt::Display,
    ) -> PlanFileError {
        let field = field.map(|field| Field::from(field.to_owned()));
        PlanFileError::Wrong { path: self.path.clone(), line, field, wrong: wrong.to_string() }
    }

    pub(super) fn table(&self) -> Result<FileTable<'_>, PlanFileError> {
        let table = DeTable::parse(&self.text).map_err(|error| self.no_toml(&error))?;
        Ok(FileTable::new(self, table.span(), table.into_inner()))
    }

    fn no_toml(&self, error: &toml::de::Error) -> PlanFileError {
        let start = error.span().unwrap_or_default().start.min(self.text.len());
        let (before, rest) =
            self.text.split_at(self.text[..start].rfind('\n').map_or(0, |end| end + 1));
        let line = rest.lines().next().unwrap_or_default();
        // What is well-formed by itself, and so is all before it, says something again.
        if [before, line].into_iter().all(|text| DeTable::parse(text).is_ok()) {
            let key = line.split_once('=').map_or(line, |(key, _)| key).trim();
            let again = "expected once, found a second time";
            return self.wrong_on(self.line_of(start), Some(key), again);
        }
        self.wrong_on(self.line_of(start), None, error.message())
    }

    /// A value of another kind than its key has.
    fn other_kind(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> PlanFileError {
        let written = self.text[value.span()].lines().next().unwrap_or_default();
        let (field, found) = match value.get_ref() {
            DeValue::String(text) => (Some(key), format!("{text:?}")),
            // The head of a table names its key.
            DeValue::Table(_) if written.starts_with('[') => (None, written.to_owned()),
            _ => (Some(key), format!("`{written}`")),
        };
        let line = self.line_of(value.span().start);
        self.wrong_on(line, field, format!("expected {expected}, found {found}"))
    }
}

/// A table of a file, from which one key after the other is taken.
pub struct FileTable<'a> {
    source: &'a Source,
    span: Range<usize>,
    left: DeTable<'a>,
    known: Vec<&'static str>,
    missing: Vec<&'static str>,
}

impl<'a> FileTable<'a> {
    fn new(source: &'a Source, span: Range<usize>, left: DeTable<'a>) -> FileTable<'a> {
        FileTable { source, span, left, known: Vec::new(), missing: Vec::new() }
    }

    pub(super) fn wrong(&self, key: &str, wrong: impl std::fmt::Display) -> PlanFileError {
        self.source.wrong(key, wrong)
    }

    fn take(&mut self, key: &'static str) -> Option<Spanned<DeValue<'a>>> {
        self.known.push(key);
        self.left.remove(key)
    }

    fn value<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, PlanFileError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let read = read(value.get_ref());
        read.map(Some).ok_or_else(|| self.source.other_kind(key, &value, expected))
    }

    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<String>, PlanFileError> {
        self.value(key, TEXT, text)
    }

    /// A text that cannot be left out. If it is, that is told at the [end](Self::end) of the table, since a key
    /// that is misspelt explains it, and the text is empty until then.
    pub(super) fn needed(&mut self, key: &'static str) -> Result<String, PlanFileError> {
        let text = self.text(key)?;
        if text.is_none() {
            self.missing.push(key);
        }
        Ok(text.unwrap_or_default())
    }

    pub(super) fn truth(&mut self, key: &'static str) -> Result<bool, PlanFileError> {
        Ok(self.value(key, "true or false", DeValue::as_bool)?.unwrap_or(false))
    }

    pub(super) fn number(&mut self, key: &'static str) -> Result<Option<f64>, PlanFileError> {
        self.value(key, "a number", |value| match value {
            DeValue::Float(number) => number.as_str().parse().ok(),
            #[expect(clippy::cast_precision_loss, reason = "as everywhere where a number is meant")]
            value => whole(value).map(|number| number as f64),
        })
    }

    pub(super) fn whole<N: TryFrom<i64>>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<N>, PlanFileError> {
        let expected = match (*range.start(), *range.end()) {
            (i64::MIN, i64::MAX) => WHOLE.to_owned(),
            (least, i64::MAX) => format!("{WHOLE} of at least {least}"),
            (least, most) => format!("{WHOLE} from {least} to {most}"),
        };
        let within = |number: &i64| range.contains(number);
        self.value(key, &expected, |value| whole(value).filter(within)?.try_into().ok())
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Result<Vec<String>, PlanFileError> {
        let texts = self.list(key, [LIST, TEXT], |value| text(value.get_ref()))?;
        Ok(texts.unwrap_or_default())
    }

    pub(super) fn wholes(&mut self, key: &'static str) -> Result<Option<Vec<i64>>, PlanFileError> {
        self.list(key, [LIST, WHOLE], |value| whole(value.get_ref()))
    }

    /// All tables of a name.
    pub(super) fn tables(
        &mut self,
        key: &'static str,
        expected: &str,
    ) -> Result<Vec<FileTable<'a>>, PlanFileError> {
        let source = self.source;
        let tables = self.list(key, [expected, expected], |value| {
            Some(FileTable::new(source, value.span(), value.get_ref().as_table()?.clone()))
        })?;
        Ok(tables.unwrap_or_default())
    }

    /// All tables that are left, by their keys.
    pub(super) fn rest(
        self,
        expected: &str,
    ) -> Result<Vec<(String, FileTable<'a>)>, PlanFileError> {
        let source = self.source;
        let table = |(key, value): (Spanned<DeString<'a>>, Spanned<DeValue<'a>>)| {
            let name = key.into_inner().into_owned();
            match value.get_ref().as_table() {
                Some(table) => Ok((name, FileTable::new(source, value.span(), table.clone()))),
                None => Err(source.other_kind(&name, &value, expected)),
            }
        };
        self.left.into_iter().map(table).collect()
    }

    /// A table of texts, by its keys.
    pub(super) fn text_by_key(
        &mut self,
        key: &'static str,
    ) -> Result<Vec<(String, String)>, PlanFileError> {
        let table = self.value(key, "a table of texts", |value| value.as_table().cloned())?;
        let pair = |(key, value): (Spanned<DeString<'a>>, Spanned<DeValue<'a>>)| {
            let name = key.into_inner().into_owned();
            match text(value.get_ref()) {
                Some(text) => Ok((name, text)),
                None => Err(self.source.other_kind(&name, &value, TEXT)),
            }
        };
        table.into_iter().flatten().map(pair).collect()
    }

    /// `expected` is said of the list and of what it holds.
    fn list<T>(
        &mut self,
        key: &'static str,
        expected: [&str; 2],
        read: impl Fn(&Spanned<DeValue<'a>>) -> Option<T>,
    ) -> Result<Option<Vec<T>>, PlanFileError> {
        let list = self.value(key, expected[0], |value| value.as_array().cloned())?;
        let Some(list) = list else { return Ok(None) };
        let read =
            |value| read(value).ok_or_else(|| self.source.other_kind(key, value, expected[1]));
        list.iter().map(read).collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn time(&mut self, key: &'static str) -> Result<Option<Duration>, PlanFileError> {
        // A number without a unit is told so.
        let written = |value: &DeValue<'a>| {
            let number = value.as_integer().map(|number| number.as_str().to_owned());
            let number = number.or_else(|| Some(value.as_float()?.as_str().to_owned()));
            text(value).or(number)
        };
        let Some(text) = self.value(key, TEXT, written)? else { return Ok(None) };
        read_duration(&text).map(Some).map_err(|expected| {
            self.source.wrong(key, format!("expected {expected}, found `{text}`"))
        })
    }

    /// A number of bytes: `"512M"`, or all of its digits.
    pub(super) fn size(&mut self, key: &'static str) -> Result<Option<u64>, PlanFileError> {
        let written = |value: &DeValue<'a>| {
            text(value).or_else(|| Some(value.as_integer()?.as_str().to_owned()))
        };
        let Some(text) = self.value(key, TEXT, written)? else { return Ok(None) };
        read_size(&text)
            .map(Some)
            .map_err(|expected| self.source.wrong(key, format!("{expected}, found `{text}`")))
    }

    /// One of some values, by its name.
    pub(super) fn choice<T: Copy, const N: usize>(
        &mut self,
        key: &'static str,
        all: [T; N],
        name: fn(T) -> &'static str,
    ) -> Result<Option<T>, PlanFileError> {
        let Some(found) = self.text(key)? else { return Ok(None) };
        let meant = all.into_iter().find(|&one| name(one) == found);
        meant.map(Some).ok_or_else(|| {
            let known = all.map(|one| format!("`{}`", name(one))).join(", ");
            let meant = did_you_mean(&found, all.map(name));
            self.source.wrong(key, format!("expected one of {known}, found `{found}`{meant}"))
        })
    }

    /// A table whose keys are not known here.
    pub(super) fn object(&mut self, key: &'static str) -> Result<Value, PlanFileError> {
        let Some(value) = self.take(key) else { return Ok(Value::Object(Map::new())) };
        if !value.get_ref().is_table() {
            return Err(self.source.other_kind(key, &value, "a map"));
        }
        Value::deserialize(ValueDeserializer::from(value))
            .map_err(|error| self.source.wrong(key, error.message()))
    }

    /// Refuses what nobody has taken, the first in the file, and then what is missing.
    pub(super) fn end(self) -> Result<(), PlanFileError> {
        let Some(key) = self.left.keys().min_by_key(|key| key.span().start) else {
            return self.check_whole();
        };
        let known: Vec<String> = self.known.iter().map(|key| format!("`{key}`")).collect();
        let known = match known.as_slice() {
            [one, other] => format!("{one} or {other}"),
            known => format!("one of {}", known.join(", ")),
        };
        let meant = did_you_mean(key.get_ref(), self.known.iter().copied());
        let wrong = format!("unknown key `{}`, expected {known}{meant}", key.get_ref());
        Err(self.source.wrong_on(self.source.line_of(key.span().start), None, wrong))
    }

    fn check_whole(&self) -> Result<(), PlanFileError> {
        let Some(key) = self.missing.first() else { return Ok(()) };
        let line = self.source.line_of(self.span.start);
        Err(self.source.wrong_on(line, None, format!("missing key `{key}`")))
    }
}

fn text(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn whole(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}
