//! A program to be started as a bot.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What is started, and where. Whoever reads it out of what a person typed looks at files
/// (`quintain-links`); here it is data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// A path, or a name that is looked up on the search path.
    pub program: String,
    #[serde(default)]
    pub args: Vec<String>,
    /// The working directory, and where files for the bot are written; `None`: that of this
    /// process. A relative `program` is looked for below it.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// Added to what is inherited of this process's environment.
    #[serde(default)]
    pub env: Vec<(String, String)>,
    /// The folder that belongs to the bot, of which it can be given a private copy. `folder` is
    /// this one, lies below it or beside it.
    #[serde(default)]
    pub root: Option<PathBuf>,
    /// What the bot calls itself in its `bot.json`.
    #[serde(default)]
    pub nick_name: Option<String>,
}

impl Launch {
    /// The same bot in another folder: what was to be started in the old one by its full path is
    /// started in the new one.
    #[must_use]
    pub fn moved_to(&self, folder: &Path) -> Launch {
        let old = self.folder.as_deref();
        let inner = old.and_then(|old| Path::new(&self.program).strip_prefix(old).ok());
        let program = match inner {
            Some(inner) => folder.join(inner).to_string_lossy().into_owned(),
            None => self.program.clone(),
        };
        Launch { program, folder: Some(folder.to_owned()), ..self.clone() }
    }
}
