//! `bot.json`: how a bot of the Entelect contests says what it is and how it is started.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use quintain_core::Excerpt;
use serde_json::Value;

use crate::limits::NICK_NAME_CHARS_MAX;

/// The name of the file.
pub const MANIFEST_FILE: &str = "bot.json";

/// Where a bot that is told the state in files finds it.
pub(crate) const ROUNDS_FOLDER: &str = "rounds";

/// What a bot says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub author: Option<String>,
    pub email: Option<String>,
    pub nick_name: Option<String>,
    /// Below which folder the bot is, as it was written.
    pub bot_location: String,
    pub bot_file_name: String,
    pub language: Language,
    /// For Haskell: on how many cores its runtime may work.
    pub core_count: Option<u32>,
    /// The command line that builds the bot, in the folder of this file. The contests had none: bots came
    /// built.
    pub build: Option<String>,
}

/// The languages of both contests, 2019 and 2020.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Java,
    Scala,
    DotNetCore,
    JavaScript,
    Python3,
    Python3Ml,
    CPlusPlus,
    Rust,
    Haskell,
    Lisp,
    Golang,
}

impl Language {
    pub const ALL: [Language; 11] = [
        Language::Java,
        Language::Scala,
        Language::DotNetCore,
        Language::JavaScript,
        Language::Python3,
        Language::Python3Ml,
        Language::CPlusPlus,
        Language::Rust,
        Language::Haskell,
        Language::Lisp,
        Language::Golang,
    ];

    /// As it is written in `botLanguage`.
    pub fn name(self) -> &'static str {
        match self {
            Language::Java => "java",
            Language::Scala => "scala",
            Language::DotNetCore => "dotnetcore",
            Language::JavaScript => "javascript",
            Language::Python3 => "python3",
            Language::Python3Ml => "python3-ml",
            Language::CPlusPlus => "cplusplus",
            Language::Rust => "rust",
            Language::Haskell => "haskell",
            Language::Lisp => "LISP",
            Language::Golang => "golang",
        }
    }

    /// The inverse of [`Language::name`], in any case.
    pub fn from_name(name: &str) -> Option<Language> {
        Self::ALL.into_iter().find(|language| language.name().eq_ignore_ascii_case(name))
    }
}

/// What is wrong with a `bot.json`: the file, and what was expected where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    pub file: PathBuf,
    /// `None` if it is about the whole file.
    pub field: Option<&'static str>,
    pub reason: String,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if let Some(field) = self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ManifestError {}

/// What is wrong, without the file.
pub(crate) type Complaint = (Option<&'static str>, String);

impl Manifest {
    /// Reads the text of a `bot.json`. Members that are not known are left alone.
    ///
    /// # Errors
    /// The member, what was expected of it and what it is.
    pub fn parse(text: &str) -> Result<Manifest, (Option<&'static str>, String)> {
        // Some editors begin a file with this mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text)
            .map_err(|error| (None, format!("expected an object in JSON, found {error}")))?;
        if !value.is_object() {
            return Err((None, format!("expected an object in JSON, found {}", shown(&value))));
        }
        let language = required(&value, "botLanguage")?;
        let bot_file_name = required(&value, "botFileName")?;
        check_file_name(&bot_file_name)?;
        Ok(Manifest {
            author: optional(&value, "author")?,
            email: optional(&value, "email")?,
            nick_name: nick_name(&value)?,
            bot_location: optional(&value, "botLocation")?.unwrap_or_default(),
            bot_file_name,
            language: Language::from_name(&language).ok_or_else(|| {
                let known = Language::ALL.map(Language::name).join(", ");
                let language = shown(&Value::String(language));
                (Some("botLanguage"), format!("expected one of {known}, found {language}"))
            })?,
            core_count: core_count(&value)?,
            build: optional(&value, "build")?,
        })
    }

    /// The start command, with `directory` as the folder that the bot works in.
    pub(crate) fn command(&self, directory: &Path) -> (String, Vec<String>) {
        let file = self.bot_file_name.clone();
        let with = |program: &str, args: &[&str]| {
            let args = args.iter().map(|&arg| arg.to_owned()).chain([file.clone()]).collect();
            (program.to_owned(), args)
        };
        let native = || if file.starts_with("./") { file.clone() } else { format!("./{file}") };
        match self.language {
            Language::Java | Language::Scala => with("java", &["-jar"]),
            Language::DotNetCore => with("dotnet", &[]),
            Language::JavaScript => with("node", &[]),
            Language::Python3 | Language::Python3Ml => {
                let (program, args) = python();
                with(program, args)
            }
            Language::CPlusPlus | Language::Rust | Language::Lisp => (native(), Vec::new()),
            Language::Haskell => (native(), self.haskell_arguments()),
            Language::Golang => (directory.join(&file).to_string_lossy().into_owned(), Vec::new()),
        }
    }

    fn haskell_arguments(&self) -> Vec<String> {
        let Some(cores) = self.core_count else {
            return Vec::new();
        };
        vec!["+RTS".to_owned(), format!("-N{cores}"), "-RTS".to_owned()]
    }
}

/// The first of the runner's candidates that answers; if none does, the first, whose start then
/// fails with a reason.
fn python() -> (&'static str, &'static [&'static str]) {
    const CANDIDATES: [(&str, &[&str]); 4] =
        [("python3", &[]), ("py", &["-3"]), ("python", &[]), ("py", &[])];
    let answers = |(program, args): &(&str, &[&str])| {
        let mut command = Command::new(program);
        command.args(*args).arg("--version").stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    CANDIDATES.into_iter().find(answers).unwrap_or(CANDIDATES[0])
}

fn required(object: &Value, field: &'static str) -> Result<String, Complaint> {
    optional(object, field)?
        .ok_or_else(|| (Some(field), "expected a text, found nothing".to_owned()))
}

/// `null` is what a missing member is.
fn optional(object: &Value, field: &'static str) -> Result<Option<String>, Complaint> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err((Some(field), format!("expected a text, found {}", shown(other)))),
    }
}

fn nick_name(object: &Value) -> Result<Option<String>, Complaint> {
    let name = optional(object, "nickName")?.filter(|name| !name.trim().is_empty());
    match name.as_ref().map_or(0, |name| name.chars().count()) {
        0..=NICK_NAME_CHARS_MAX => Ok(name),
        count => {
            let reason =
                format!("expected at most {NICK_NAME_CHARS_MAX} characters, found {count}");
            Err((Some("nickName"), reason))
        }
    }
}

/// The file must be in the folder that belongs to the bot, of which it is given a copy.
fn check_file_name(name: &str) -> Result<(), Complaint> {
    if name.is_empty() {
        let reason = "expected the name of the file to start, found nothing".to_owned();
        return Err((Some("botFileName"), reason));
    }
    let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(name).components().all(stays) {
        let found = shown(&Value::String(name.to_owned()));
        let reason = format!("expected a file in the bot's folder, found {found}");
        return Err((Some("botFileName"), reason));
    }
    Ok(())
}

fn core_count(object: &Value) -> Result<Option<u32>, Complaint> {
    let arguments = match object.get("arguments") {
        None | Some(Value::Null) => return Ok(None),
        Some(arguments @ Value::Object(_)) => arguments,
        Some(other) => {
            return Err((Some("arguments"), format!("expected an object, found {}", shown(other))));
        }
    };
    let Some(count) = arguments.get("coreCount").filter(|count| !count.is_null()) else {
        return Ok(None);
    };
    let number = count.as_u64().and_then(|count| u32::try_from(count).ok());
    match number.filter(|&count| count > 0) {
        Some(count) => Ok(Some(count)),
        None => {
            let reason = format!("expected a whole number from 1, found {}", shown(count));
            Err((Some("arguments.coreCount"), reason))
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => {
            let begin = Excerpt::new(text);
            let more = if begin.as_str() == text { "" } else { "..." };
            format!("`{}{more}`", quintain_core::printable(begin.as_str()))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> Manifest {
        Manifest::parse(text).expect(text)
    }

    fn in_language(language: &str, more: &str) -> Manifest {
        manifest(&format!(r#"{{"botFileName":"F","botLanguage":"{language}"{more}}}"#))
    }

    #[test]
    fn all_members_are_read_and_others_are_left_alone() {
        let read = manifest(
            "\u{feff}{\"author\":\"John\",\"email\":\"j@x\",\"nickName\":\"Jo\",\
             \"botLocation\":\"/bin\",\"botFileName\":\"a.jar\",\"botLanguage\":\"java\",\
             \"arguments\":{\"coreCount\":3},\"more\":[1]}",
        );
        assert_eq!(read.author.as_deref(), Some("John"));
        assert_eq!(read.email.as_deref(), Some("j@x"));
        assert_eq!(read.nick_name.as_deref(), Some("Jo"));
        assert_eq!(read.bot_location, "/bin");
        assert_eq!(read.bot_file_name, "a.jar");
        assert_eq!(read.language, Language::Java);
        assert_eq!(read.core_count, Some(3));
        let least = manifest(r#"{"botFileName":"b","botLanguage":"rust","email":null}"#);
        assert_eq!((least.nick_name, least.bot_location.as_str()), (None, ""));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases: [(&str, Option<&str>, &str); 9] = [
            ("", None, "expected an object in JSON"),
            ("[]", None, "found a list"),
            ("{\"botFileName\":\"F\"", None, "line 1 column"),
            (r#"{"botFileName":"F"}"#, Some("botLanguage"), "found nothing"),
            (r#"{"botLanguage":"java"}"#, Some("botFileName"), "found nothing"),
            (r#"{"botLanguage":"java","botFileName":""}"#, Some("botFileName"), "found nothing"),
            (r#"{"botLanguage":"java","botFileName":7}"#, Some("botFileName"), "text, found 7"),
            (
                r#"{"botLanguage":"perl","botFileName":"F"}"#,
                Some("botLanguage"),
                "java, scala, dotnetcore, javascript, python3, python3-ml, cplusplus, rust, \
                 haskell, LISP, golang, found `perl`",
            ),
            (
                r#"{"botLanguage":"haskell","botFileName":"F","arguments":{"coreCount":0}}"#,
                Some("arguments.coreCount"),
                "whole number from 1, found 0",
            ),
        ];
        for (text, field, part) in cases {
            let (found, reason) = Manifest::parse(text).expect_err(text);
            assert_eq!(found, field, "{text}");
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }

    #[test]
    fn every_language_has_its_start_command() {
        let folder = Path::new("/bots/x");
        let cases: [(&str, &str, &[&str]); 9] = [
            ("java", "java", &["-jar", "F"]),
            ("scala", "java", &["-jar", "F"]),
            ("javascript", "node", &["F"]),
            ("dotnetcore", "dotnet", &["F"]),
            ("cplusplus", "./F", &[]),
            ("rust", "./F", &[]),
            ("LISP", "./F", &[]),
            ("haskell", "./F", &[]),
            ("golang", "/bots/x/F", &[]),
        ];
        for (language, program, args) in cases {
            let (found, found_args) = in_language(language, "").command(folder);
            assert_eq!((found.as_str(), found_args.as_slice()), (program, &args.map_owned()[..]));
        }
        let more = r#","arguments":{"coreCount":4}"#;
        let (_, args) = in_language("haskell", more).command(folder);
        assert_eq!(args, ["+RTS", "-N4", "-RTS"]);
        for language in ["python3", "python3-ml"] {
            let (program, args) = in_language(language, "").command(folder);
            assert!(["python3", "py", "python"].contains(&program.as_str()), "{program}");
            assert_eq!(args.last().map(String::as_str), Some("F"));
        }
    }

    trait MapOwned {
        fn map_owned(&self) -> Vec<String>;
    }

    impl MapOwned for &[&str] {
        fn map_owned(&self) -> Vec<String> {
            self.iter().map(|&text| text.to_owned()).collect()
        }
    }
}
