//! How foreign programs are held: what a bot may see of this machine, made a plan for its launcher.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use quintain_record::Launch;
use quintain_sandbox::{
    Layer, Level, Limits, Plan, RUNTIME_VARIABLES, detours, runtime_paths, rust_toolchains,
    tool_paths, traced,
};

use crate::environment::environment;
use crate::users::User;

/// How foreign programs are held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// The program that is the launcher: whoever calls [`quintain_sandbox::launch`] first of all.
    pub launcher: PathBuf,
    pub level: Level,
    /// The level of which every layer must hold; otherwise nothing is started.
    pub required: Level,
    pub limits: Limits,
    /// What no bot may see, wherever it is: replays, stores, keys.
    pub hidden: Vec<PathBuf>,
}

/// Folders that many share: a file in one of them is shown, and what is beside it is not.
const SHARED: [&str; 6] = ["/", "/tmp", "/var/tmp", "/dev/shm", "/home", "/run"];

/// Variables that name places of the organiser's own.
const PRIVATE_VARIABLES: [&str; 8] = [
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "CARGO_HOME",
    "GOPATH",
];

/// Kinds of programs for which it is known what they are shown of the system.
const KINDS_MAX: usize = 256;

/// What a program is shown: paths without links, and the links that lead to them.
#[derive(Debug, Default)]
struct Shown {
    paths: Vec<PathBuf>,
    links: Vec<(PathBuf, PathBuf)>,
}

/// Where and how a bot plays, as far as its sandbox must know.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Setting<'a> {
    /// The folder that is its own.
    pub(crate) writable: Option<&'a Path>,
    /// What in that it may only read.
    pub(crate) fixed: Option<&'a Path>,
    /// The port that it connects to.
    pub(crate) port: Option<u16>,
    /// Its network is not that of this machine.
    pub(crate) has_network: bool,
    /// It is no bot but what builds one, with tools that nobody has named.
    pub(crate) builds: bool,
}

impl Sandbox {
    /// A sandbox of a level, with the usual limits. `launcher` is the program that starts the others.
    pub fn new(launcher: PathBuf, level: Level) -> Sandbox {
        let (limits, hidden) = (Limits::default(), Vec::new());
        Sandbox { launcher, level, required: Level::Off, limits, hidden }
    }

    /// The level with the layers that this machine has, as files and stores keep it.
    pub fn in_words(&self) -> String {
        self.in_words_on(true)
    }

    /// The same of bots that come to a host, which may be on the network of this machine.
    pub fn in_words_on(&self, own_network: bool) -> String {
        let layers = self.layers().iter().filter(|layer| own_network || **layer != Layer::Network);
        let names: Vec<&str> = layers.map(|layer| layer.name()).collect();
        format!("{}: {}", self.level.name(), names.join(" "))
    }

    /// What the launcher is told for this bot.
    pub(crate) fn plan(
        &self,
        launch: &Launch,
        setting: Setting<'_>,
        user: Option<&User>,
        scratch: Option<&Path>,
    ) -> io::Result<Plan> {
        let folder = std::path::absolute(launch.folder.as_deref().unwrap_or(Path::new(".")))?;
        let is_root = user.is_some();
        let mut plan = Plan {
            program: launch.program.clone(),
            args: launch.args.clone(),
            folder: folder.clone(),
            level: self.level,
            required: self
                .required
                .layers(is_root)
                .filter(|layer| setting.allows(*layer))
                .collect(),
            port: setting.port,
            has_network: setting.has_network,
            user: user.map(User::number),
            limits: self.limits,
            scratch: scratch.map(Path::to_owned),
            ..Plan::default()
        };
        plan.env = self.environment(launch, plan.scratch_folder())?;
        plan.writable.extend(setting.writable.map(Path::to_owned));
        plan.fixed.extend(setting.fixed.map(Path::to_owned));
        let words = launch.args.iter().chain([&launch.program]).map(|word| folder.join(word));
        plan.passed = words.chain([folder.clone()]).flat_map(|path| detours(&path)).collect();
        let home = std::env::var_os("HOME").map(PathBuf::from);
        if setting.builds && value_of(&plan.env, "RUSTUP_HOME").is_none() {
            let toolchains = rust_toolchains(home.as_deref());
            plan.env.extend(toolchains.map(|path| format!("RUSTUP_HOME={}", path.display())));
        }
        let system = self.of_system(launch, setting, &plan.env, home.as_deref());
        plan.system.clone_from(&system.paths);
        plan.links.clone_from(&system.links);
        let own = self.shown(own_paths(launch, &folder, home.as_deref()));
        plan.own = own.paths;
        plan.own_links = own.links;
        plan.own_links.retain(|link| !plan.links.contains(link));
        Ok(plan)
    }

    /// What a program is shown of the system. It is found out once for all programs of a kind: that takes as long
    /// as everything else that is done for a start.
    fn of_system(
        &self,
        launch: &Launch,
        setting: Setting<'_>,
        env: &[String],
        home: Option<&Path>,
    ) -> Arc<Shown> {
        type Kind = (String, Vec<String>, Vec<PathBuf>, bool);
        static FOUND: Mutex<BTreeMap<Kind, Arc<Shown>>> = Mutex::new(BTreeMap::new());
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let matters = |name: &str| name == "PATH" || RUNTIME_VARIABLES.contains(&name);
        let env_of_kind = env.iter().filter(|word| word.split('=').next().is_some_and(matters));
        let env_of_kind = env_of_kind.cloned().collect();
        let kind = (launch.program.clone(), env_of_kind, self.hidden.clone(), setting.builds);
        if let Some(shown) = found.get(&kind) {
            return Arc::clone(shown);
        }
        let variable = |name: &str| value_of(env, name).map(str::to_owned);
        let mut system = runtime_paths(&launch.program, variable, home);
        if setting.builds {
            system.extend(tool_paths(value_of(env, "PATH"), home));
        }
        let shown = Arc::new(self.shown(system));
        if found.len() >= KINDS_MAX {
            found.clear();
        }
        found.insert(kind, Arc::clone(&shown));
        shown
    }

    /// What is to be shown so that a program finds these.
    fn shown(&self, paths: BTreeSet<PathBuf>) -> Shown {
        let mut shown = Shown::default();
        for path in paths {
            let (real, links) = traced(&path);
            shown.links.extend(links);
            self.show(&real, &mut shown.paths);
        }
        shown.links.sort();
        shown.links.dedup();
        shown
    }

    fn environment(&self, launch: &Launch, scratch: &Path) -> io::Result<Vec<String>> {
        let scratch = scratch.to_string_lossy();
        let is_private = |word: &str| {
            let name = word.split('=').next().unwrap_or_default();
            let is_wished = launch.env.iter().any(|(wished, _)| wished == name);
            PRIVATE_VARIABLES.contains(&name) && !is_wished
        };
        let words =
            environment(&launch.env)?.into_iter().filter_map(|word| word.into_string().ok());
        let words = words.filter(|word| !is_private(word));
        let own = ["HOME", "TMPDIR"].map(|name| format!("{name}={scratch}"));
        let own = own.into_iter().filter(|word| is_private(word));
        Ok(words.chain(own).collect())
    }

    /// Shows a path without what is hidden below it.
    fn show(&self, path: &Path, to: &mut Vec<PathBuf>) {
        let is_within = |one: &Path, other: &Path| one.starts_with(other);
        if self.hidden.iter().any(|hidden| is_within(path, hidden)) {
            return;
        }
        if !self.hidden.iter().any(|hidden| is_within(hidden, path)) {
            to.push(path.to_owned());
            return;
        }
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            self.show(&entry.path(), to);
        }
    }
}

impl Setting<'_> {
    /// Whether a layer can be asked for: who comes to a host on this machine's network has that network.
    pub(crate) fn allows(&self, layer: Layer) -> bool {
        layer != Layer::Network || self.port.is_none() || self.has_network
    }
}

fn value_of<'a>(env: &'a [String], name: &str) -> Option<&'a str> {
    env.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
}

/// What belongs to the bot: its folder, and the folders of the files that its command line names.
fn own_paths(launch: &Launch, folder: &Path, home: Option<&Path>) -> BTreeSet<PathBuf> {
    let is_shared = |path: &Path| {
        SHARED.iter().any(|shared| path == Path::new(shared))
            || home.is_some_and(|home| home.starts_with(path))
    };
    let mut own = BTreeSet::new();
    own.extend(launch.root.as_ref().and_then(|root| std::path::absolute(root).ok()));
    if launch.folder.is_some() {
        own.insert(folder.to_owned());
    }
    for word in launch.args.iter().chain([&launch.program]) {
        let path = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
        if path.is_empty() || (word == &launch.program && !word.contains('/')) {
            continue;
        }
        if path == "." {
            own.extend(folders_behind_links(folder).filter(|above| !is_shared(above)));
        }
        let path = folder.join(path);
        let Ok(found) = path.symlink_metadata() else { continue };
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        for path in [path, real] {
            let above = path.parent().filter(|above| !is_shared(above));
            let shown = if path.is_dir() || found.is_dir() { Some(path.as_path()) } else { above };
            own.insert(shown.unwrap_or(&path).to_owned());
        }
    }
    own.retain(|path| !is_shared(path) && path.exists());
    own
}

/// A private folder may hold links to what is in the folder that it stands for. Who names it means that one too.
fn folders_behind_links(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let targets = entries.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    targets
        .filter(|target| target.is_absolute())
        .filter_map(|target| Some(target.parent()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_left_out_of_the_folder_around_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let real = folder.path().canonicalize().expect("it exists");
        std::fs::create_dir_all(real.join("replays/old")).expect("folders");
        std::fs::write(real.join("bot.py"), "").expect("a file");
        std::fs::write(real.join("games.db"), "").expect("a file");
        let mut sandbox = Sandbox::new("/bin/true".into(), Level::Basic);
        sandbox.hidden = vec![real.join("replays"), real.join("games.db")];
        let mut shown = Vec::new();
        sandbox.show(&real, &mut shown);
        assert_eq!(shown, [real.join("bot.py")]);
        let mut inside = Vec::new();
        sandbox.show(&real.join("replays/old"), &mut inside);
        assert!(inside.is_empty());
    }

    #[test]
    fn a_bot_s_own_files_are_its_folder_and_those_beside_the_files_of_its_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let real = folder.path().canonicalize().expect("it exists");
        std::fs::create_dir_all(real.join("a")).expect("a folder");
        std::fs::write(real.join("a/bot.py"), "").expect("a file");
        let launch = Launch {
            program: "python3".to_owned(),
            args: vec!["-u".to_owned(), "a/bot.py".to_owned()],
            ..Launch::default()
        };
        let own = own_paths(&launch, &real, None);
        assert_eq!(own.into_iter().collect::<Vec<_>>(), [real.join("a")]);
        // Nobody's home is shown because a file in it is named.
        std::fs::write(real.join("bot.py"), "").expect("a file");
        let launch = Launch { args: vec!["bot.py".to_owned()], ..launch };
        let own = own_paths(&launch, &real, Some(&real));
        assert_eq!(own.into_iter().collect::<Vec<_>>(), [real.join("bot.py")]);
    }
}
