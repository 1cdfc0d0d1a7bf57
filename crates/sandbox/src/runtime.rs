//! Which files of the system every program may read: what languages need to run, and nothing of anybody.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Where programs and libraries are, on the systems that there are.
const PLACES: [&str; 11] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/snap",
];

/// Settings that runtimes read when they start. None holds a secret.
const SETTINGS: [&str; 22] = [
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/crypto-policies",
    "/etc/dotnet",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mono",
    "/etc/nsswitch.conf",
    "/etc/protocols",
    "/etc/python3",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/etc/jvm",
];

/// Settings whose names have a version in them begin like this.
const SETTINGS_BEGIN: [&str; 3] = ["java", "python", "openssl"];

/// Variables that name the folder of a runtime, or several with colons between them.
pub const RUNTIME_VARIABLES: [&str; 16] = [
    "LD_LIBRARY_PATH",
    "JAVA_HOME",
    "DOTNET_ROOT",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "NODE_PATH",
    "NVM_DIR",
    "GOROOT",
    "RBENV_ROOT",
    "RUBYLIB",
    "RUSTUP_HOME",
    "MONO_PATH",
    "PERL5LIB",
];

/// What a program that is found on the search path may read of the system. `variable` gives the value of a
/// variable of its environment; `home` is the organiser's own folder, which is no part of any runtime.
pub fn runtime_paths(
    program: &str,
    variable: impl Fn(&str) -> Option<String>,
    home: Option<&Path>,
) -> BTreeSet<PathBuf> {
    let mut found: BTreeSet<PathBuf> = PLACES.iter().chain(&SETTINGS).map(PathBuf::from).collect();
    let settings = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    found.extend(settings.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        SETTINGS_BEGIN.iter().any(|begin| name.starts_with(begin))
    }));
    let is_private = |path: &Path| {
        let is_home = |home: &Path| home.starts_with(path) || path == home.join(".local");
        !path.is_absolute() || path == Path::new("/") || home.is_some_and(is_home)
    };
    for value in RUNTIME_VARIABLES.iter().filter_map(|name| variable(name)) {
        found.extend(std::env::split_paths(&value).filter(|path| !is_private(path)));
    }
    if let Some(file) = on_search_path(program, variable("PATH").as_deref()) {
        let real = file.canonicalize().unwrap_or_else(|_| file.clone());
        for file in [file, real] {
            found.extend(prefix_of(&file).filter(|path| !is_private(path)));
            found.insert(file);
        }
    }
    found.retain(|path| path.exists());
    found
}

/// What programs that build others may read besides: the folders on their search path, since nobody has named
/// their tools, and where the toolchains of Rust are if no variable says so.
pub fn tool_paths(path: Option<&str>, home: Option<&Path>) -> BTreeSet<PathBuf> {
    let folders = std::env::split_paths(path.unwrap_or_default());
    let folders = folders.filter(|folder| folder.is_absolute() && Some(folder.as_path()) != home);
    folders.chain(rust_toolchains(home)).filter(|path| path.is_dir()).collect()
}

/// Where the toolchains of Rust are if no variable says so.
pub fn rust_toolchains(home: Option<&Path>) -> Option<PathBuf> {
    home.map(|home| home.join(".rustup")).filter(|path| path.is_dir())
}

/// The file that a name on the search path stands for; one with a slash is a file already.
fn on_search_path(program: &str, path: Option<&str>) -> Option<PathBuf> {
    if program.contains('/') {
        return None;
    }
    std::env::split_paths(path?).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The folder that a program is installed in, with its libraries: the one above `bin`.
fn prefix_of(file: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = file
        .parent()
        .filter(|folder| folder.file_name().is_some_and(|name| name == "bin" || name == "shims"));
    folder.and_then(Path::parent).map(Path::to_owned).into_iter()
}

/// Where a path leads, and the links on the way, each with where it leads in the end.
pub fn traced(path: &Path) -> (PathBuf, Vec<(PathBuf, PathBuf)>) {
    let mut links = Vec::new();
    let mut done = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => done.push(name),
            Component::ParentDir => {
                done.pop();
            }
            _ => {}
        }
        if done.is_symlink()
            && let Ok(real) = done.canonicalize()
        {
            links.push((std::mem::replace(&mut done, real.clone()), real));
        }
    }
    (done, links)
}

/// The folders that must be there so that a path with `..` in it leads somewhere.
pub fn detours(path: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut done = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            folders.push(done.clone());
        }
        done.push(part);
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_s_home_is_a_runtime() {
        let home = Path::new("/people/eve");
        let variable = |name: &str| match name {
            "PYTHONPATH" => Some("/people/eve:/people:/people/eve/.local:relative:/".to_owned()),
            _ => None,
        };
        let found = runtime_paths("no-such-program", variable, Some(home));
        assert!(found.contains(Path::new("/usr")));
        assert!(!found.iter().any(|path| home.starts_with(path) || path == &home.join(".local")));
        assert!(!found.contains(Path::new("relative")));
        assert!(!found.contains(Path::new("/etc")) && !found.contains(Path::new("/etc/shadow")));
    }

    #[test]
    fn links_on_the_way_are_told_with_where_they_lead() {
        let folder = std::env::temp_dir().join(format!("quintain-traced-{}", std::process::id()));
        let folder = folder.as_path();
        std::fs::create_dir_all(folder.join("real/deep")).expect("a folder");
        let _ = std::fs::remove_file(folder.join("link"));
        std::os::unix::fs::symlink("real", folder.join("link")).expect("a link");
        let (done, links) = traced(&folder.join("link/deep"));
        assert!(done.ends_with("real/deep"), "{done:?}");
        assert!(links.last().is_some_and(|(_, to)| to.ends_with("real")), "{links:?}");
        assert_eq!(detours(Path::new("/a/b/../c")), [Path::new("/a/b")]);
        std::fs::remove_dir_all(folder).expect("it is ours");
    }
}
