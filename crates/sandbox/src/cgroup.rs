//! Control groups: what a program and all that it starts use, counted and bounded by the system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

use rustix::process::Pid;

use crate::limits::SPARE_PROCESSES;
use crate::{Hit, Limits};

/// Where the system shows its control groups.
const ROOT: &str = "/sys/fs/cgroup";

/// Lists what the groups below one can be bounded by (version 2).
const CONTROLLERS: &str = "cgroup.controllers";

/// What a group must be bounded by to hold a program.
const NEEDED: [&str; 2] = ["memory", "pids"];

/// Bounds what of a group's memory is on a disk. A system without a swap has no such file.
const SWAP: &str = "memory.swap.max";

/// Whether everybody in a group is ended when its memory is used up. Without it only the largest is, again and again.
const TOGETHER: (&str, &str) = ("memory.oom.group", "1");

/// How much of the processors a group gets where several want all of them. A group has one share, however many
/// processes it has. This is the usual one; whoever may not use the controller has no such file.
const WEIGHT: (&str, &str) = ("cpu.weight", "100");

/// Files that may not be there. Linux has the first since 4.19.
const OPTIONAL: [&str; 3] = [TOGETHER.0, SWAP, WEIGHT.0];

/// The group for this process itself, beside those of bots: a group whose processes are bounded together can have
/// none of its own (version 2).
const OWN: &str = "quintain-own";

/// Begins the names of groups that are made here.
const PREFIX: &str = "quintain-bot-";

/// The control groups of one program. Dropping them removes them, once nobody is in them.
#[derive(Debug)]
pub struct Cgroup {
    /// One with all controllers, or one for each of them where they stand side by side (version 1).
    folders: Vec<PathBuf>,
}

impl Cgroup {
    /// Makes groups with these limits. `name` begins with the number of this process and is nobody else's.
    ///
    /// # Errors
    /// This user may not make any, or the system has no such controllers.
    pub fn new(name: &str, limits: &Limits) -> io::Result<Cgroup> {
        let root = Path::new(ROOT);
        if root.join(CONTROLLERS).is_file() {
            let above = own_group(root)?;
            sweep_once(&[&above]);
            return Self::below(&above, name, limits, &NEEDED);
        }
        let (memory, processes) = (limits.memory.to_string(), processes_of(limits));
        let of = |controller: &str| root.join(controller);
        let unified = own_group(&root.join("unified"));
        let places = ["memory", "pids", "cpu"].map(of);
        let places: Vec<&Path> = places.iter().chain(&unified).map(PathBuf::as_path).collect();
        sweep_once(&places);
        let mut made = Self::make(
            &[
                (of("memory"), &[("memory.limit_in_bytes", memory.as_str())][..]),
                (of("pids"), &[("pids.max", processes.as_str())][..]),
            ],
            name,
        )?;
        // Where both versions stand side by side the newer one can end everybody at once.
        for above in [Ok(of("cpu")), unified] {
            if let Ok(more) = above.and_then(|above| Self::make(&[(above, &[])], name)) {
                made.folders.extend(more.into_folders());
            }
        }
        Ok(made)
    }

    /// Makes a group below another one (version 2), bounded by these controllers.
    fn below(
        above: &Path,
        name: &str,
        limits: &Limits,
        controllers: &[&str],
    ) -> io::Result<Cgroup> {
        delegate(above, controllers)?;
        let (memory, processes) = (limits.memory.to_string(), processes_of(limits));
        let settings = [
            ("memory.max", memory.as_str()),
            // What is swapped out is used too.
            (SWAP, "0"),
            TOGETHER,
            ("pids.max", processes.as_str()),
            WEIGHT,
        ];
        let is_of_them = |file: &str| {
            let controller = file.split('.').next().unwrap_or_default();
            controllers.contains(&controller) || OPTIONAL.contains(&file)
        };
        let settings: Vec<_> = settings.into_iter().filter(|(file, _)| is_of_them(file)).collect();
        Self::make(&[(above.to_owned(), &settings)], name)
    }

    fn into_folders(mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.folders)
    }

    fn make(places: &[(PathBuf, &[(&str, &str)])], name: &str) -> io::Result<Cgroup> {
        let mut made = Cgroup { folders: Vec::new() };
        for (above, settings) in places {
            let folder = above.join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).map_err(|error| at(&folder, &error))?;
            made.folders.push(folder.clone());
            for (file, value) in *settings {
                let file = folder.join(file);
                let is_optional = OPTIONAL.iter().any(|name| file.ends_with(name));
                if !is_optional || file.exists() {
                    fs::write(&file, value).map_err(|error| at(&file, &error))?;
                }
            }
        }
        Ok(made)
    }

    /// The files that a process writes its number to.
    pub fn entries(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|folder| folder.join("cgroup.procs")).collect()
    }

    /// Which limit was hit, as far as the system has counted.
    pub fn hit(&self) -> Option<Hit> {
        let count = |file: &str, word: &str| {
            let text =
                self.folders.iter().find_map(|folder| fs::read_to_string(folder.join(file)).ok());
            let lines = text.unwrap_or_default();
            let found = lines.lines().find_map(|line| line.strip_prefix(word)?.trim().parse().ok());
            found.unwrap_or(0_u64)
        };
        let killed = count("memory.events", "oom_kill ") + count("memory.oom_control", "oom_kill ");
        match count("pids.events", "max ") {
            _ if killed > 0 => Some(Hit::Memory),
            0 => None,
            _ => Some(Hit::Processes),
        }
    }

    /// Ends whoever is in the group, where the system can do that at once.
    pub fn kill(&self) {
        for folder in &self.folders {
            // Version 1 has no such file.
            let _ = fs::write(folder.join("cgroup.kill"), "1");
        }
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        self.kill();
        for folder in &self.folders {
            // One that somebody is still in stays; the system keeps it empty otherwise.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Removes the groups of processes that were killed before they could. Once is enough.
fn sweep_once(places: &[&Path]) {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| places.iter().for_each(|above| sweep(above)));
}

fn sweep(above: &Path) {
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        let maker = maker.and_then(|number| Pid::from_raw(number.parse().ok()?));
        let is_gone = |pid| rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH);
        if maker.is_some_and(is_gone) {
            // One that somebody is in stays, and so does one of another user.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The group that this process is in (version 2), below the folder that shows them all.
fn own_group(root: &Path) -> io::Result<PathBuf> {
    let text = fs::read_to_string("/proc/self/cgroup")?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"));
    let path = path.ok_or_else(|| io::Error::other("no group of version 2"))?;
    let group = root.join(path);
    // Who was moved aside makes groups where it came from.
    Ok(if group.ends_with(OWN) { group.parent().unwrap_or(root).to_owned() } else { group })
}

/// Makes a group one whose parts can be bounded: everybody in it moves to a part of their own first. The group of
/// all others is one already.
fn delegate(group: &Path, controllers: &[&str]) -> io::Result<()> {
    let control = group.join("cgroup.subtree_control");
    let wish: Vec<String> = controllers.iter().map(|name| format!("+{name}")).collect();
    let enable = || fs::write(&control, wish.join(" "));
    let is_enabled = || {
        let text = fs::read_to_string(&control).unwrap_or_default();
        controllers.iter().all(|name| text.split_whitespace().any(|word| word == *name))
    };
    if !is_enabled() && enable().is_err() {
        let own = group.join(OWN);
        match fs::create_dir(&own) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(at(&own, &error));
            }
            _ => {}
        }
        let everybody = fs::read_to_string(group.join("cgroup.procs"))?;
        for number in everybody.lines() {
            // Who has ended meanwhile is in no group.
            let _ = fs::write(own.join("cgroup.procs"), number);
        }
        enable().map_err(|error| at(group, &error))?;
    }
    // Whoever was given no part of the processors to divide does without.
    let _ = fs::write(&control, "+cpu");
    Ok(())
}

/// How many processes are in a group at most.
fn processes_of(limits: &Limits) -> String {
    (limits.processes + SPARE_PROCESSES).to_string()
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Where groups of version 2 are, if this user may make some there.
    fn second_version() -> Option<PathBuf> {
        let text = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let of_line = |line: &str| {
            let (place, kind) = line.split_once(" - ")?;
            kind.starts_with("cgroup2 ").then(|| place.split(' ').nth(4).map(PathBuf::from))?
        };
        let group = own_group(&text.lines().find_map(of_line)?).ok()?;
        let trial = group.join(format!("quintain-trial-{}", std::process::id()));
        fs::create_dir(&trial).ok()?;
        fs::remove_dir(trial).ok().map(|()| group)
    }

    /// A shell in a group that starts programs which wait.
    fn start_in(entries: &[PathBuf], count: u32) -> Child {
        let join: String =
            entries.iter().map(|entry| format!("echo $$ > {}; ", entry.display())).collect();
        let script = format!("{join} for n in $(seq {count}); do sleep 60 & done; wait");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script]).stdin(Stdio::null()).stderr(Stdio::null());
        shell.spawn().expect("bash")
    }

    fn members(group: &Path) -> usize {
        let text = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
        text.lines().count()
    }

    fn await_that(what: impl Fn() -> bool) {
        let begun = std::time::Instant::now();
        while !what() {
            assert!(begun.elapsed().as_secs() < 30, "it does not come to that");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    #[test]
    fn groups_of_a_process_that_was_killed_are_swept_and_no_others() {
        let above = std::env::temp_dir().join(format!("quintain-groups-{}", std::process::id()));
        let mut gone = Command::new("true").spawn().expect("a program");
        let (own, gone_number) = (std::process::id(), gone.id());
        gone.wait().expect("it ends");
        let left = above.join(format!("{PREFIX}{gone_number}-0"));
        let kept = [
            above.join(format!("{PREFIX}{own}-0")),
            above.join("somebody-else"),
            above.join(format!("{PREFIX}{gone_number}-1")),
        ];
        for folder in kept.iter().chain([&left, &kept[2].join("somebody")]) {
            fs::create_dir_all(folder).expect("a folder");
        }
        sweep(&above);
        assert!(!left.exists());
        assert!(kept.iter().all(|folder| folder.is_dir()));
        fs::remove_dir_all(above).expect("it is ours");
    }

    /// A part that is delegated, with somebody in it, as systemd gives it to a service.
    #[test]
    fn a_group_of_version_2_bounds_and_ends_everybody_in_it() {
        let Some(root) = second_version() else {
            eprintln!("not tried: control groups of version 2, which this user cannot make here");
            return;
        };
        let offered = fs::read_to_string(root.join(CONTROLLERS)).unwrap_or_default();
        let is_offered = |name: &&&str| offered.split_whitespace().any(|word| word == **name);
        let mut controllers: Vec<&str> = NEEDED.iter().filter(is_offered).copied().collect();
        for name in NEEDED.iter().filter(|name| !is_offered(name)) {
            eprintln!("not tried: the controller {name} of control groups of version 2");
        }
        if controllers.is_empty() {
            // Any other shows that a group in which somebody is can be divided.
            controllers.extend(offered.split_whitespace().next());
        }
        delegate(&root, &controllers).expect("it is ours");
        let service = root.join(format!("quintain-service-{}", std::process::id()));
        fs::create_dir(&service).expect("a group");
        let mut arena = start_in(&[service.join("cgroup.procs")], 1);
        await_that(|| members(&service) == 2);
        let limits = Limits { processes: 4, ..Limits::default() };
        let bot = Cgroup::below(&service, "test", &limits, &controllers).expect("a group");
        if !controllers.is_empty() {
            assert_eq!((members(&service), members(&service.join(OWN))), (0, 2));
        }
        let group = bot.folders[0].clone();
        let mut shell = start_in(&bot.entries(), 30);
        await_that(|| members(&group) > 1);
        if controllers.contains(&"pids") {
            await_that(|| bot.hit() == Some(Hit::Processes));
            assert!(members(&group) <= 4 + usize::try_from(SPARE_PROCESSES).expect("small"));
        }
        if controllers.contains(&"memory") {
            let bound = fs::read_to_string(group.join("memory.max")).expect("a bound");
            assert_eq!(bound.trim(), limits.memory.to_string());
        }
        bot.kill();
        shell.wait().expect("it was ended");
        await_that(|| members(&group) == 0);
        drop(bot);
        assert!(!group.exists(), "a group without anybody is removed");
        fs::write(service.join("cgroup.kill"), "1").expect("it is ours");
        arena.wait().expect("it was ended");
        await_that(|| {
            // Empty a moment after those in it have ended.
            let _ = fs::remove_dir(service.join(OWN));
            fs::remove_dir(&service).is_ok()
        });
    }
}
