//! What the system counts for processes and threads, read from `/proc`.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use nix::unistd::Pid;
use quintain_referee::ThreadCounts;

/// How long the calling thread has waited for a processor; `None` where the system does not count.
pub(crate) fn own_wait() -> Option<Duration> {
    // A thread plays many matches, and to find the file takes longer than to read it.
    thread_local! {
        static COUNTS: Option<File> = File::open("/proc/thread-self/schedstat").ok();
    }
    COUNTS.with(|counts| Some(read_counts(0, counts.as_ref()?)?.waited))
}

/// A process whose threads are looked at again and again. Most bots have one thread, and to find that out
/// and read its counts is two calls if what they need is kept open, a dozen otherwise.
#[derive(Debug)]
pub(crate) struct WatchedThreads {
    pid: u32,
    /// Its threads, and the counts of the first; opened when it is first looked at.
    kept: OnceCell<Option<[File; 2]>>,
}

impl WatchedThreads {
    pub(crate) fn new(pid: u32) -> WatchedThreads {
        WatchedThreads { pid, kept: OnceCell::new() }
    }

    /// What [`thread_counts`] finds.
    pub(crate) fn counts(&self) -> Vec<ThreadCounts> {
        self.only_thread().map_or_else(|| thread_counts(self.pid).collect(), |counts| vec![counts])
    }

    /// The counts of the first thread, if there is no other.
    fn only_thread(&self) -> Option<ThreadCounts> {
        let [threads, first] = self.kept.get_or_init(|| self.open()).as_ref()?;
        let links = rustix::fs::fstat(threads).ok()?.st_nlink;
        if links != LINKS_OF_A_FOLDER + 1 {
            return None;
        }
        read_counts(self.pid, first)
    }

    fn open(&self) -> Option<[File; 2]> {
        let open = |name: &str| File::open(format!("/proc/{}/{name}", self.pid)).ok();
        Some([open("task")?, open(&format!("task/{}/schedstat", self.pid))?])
    }
}

/// Its name and its `.`. The folder of the threads of a process has one more for each of them.
const LINKS_OF_A_FOLDER: u64 = 2;

fn read_counts(thread: u32, file: &File) -> Option<ThreadCounts> {
    let mut buffer = [0; COUNTS_BYTES_MAX];
    let length = file.read_at(&mut buffer, 0).ok()?;
    parse_counts(thread, str::from_utf8(&buffer[..length]).ok()?)
}

/// Three numbers of at most twenty digits.
const COUNTS_BYTES_MAX: usize = 96;

/// What each thread of a process has used and waited; nothing where the system does not count, or the
/// process is gone.
pub(crate) fn thread_counts(pid: u32) -> impl Iterator<Item = ThreadCounts> {
    threads(pid).filter_map(move |id| {
        let text = fs::read_to_string(format!("/proc/{pid}/task/{id}/schedstat")).ok()?;
        parse_counts(id, &text)
    })
}

/// Whether the system counts how long processes wait for a processor.
pub(crate) fn counts_waiting() -> bool {
    static COUNTS: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/schedstat").exists());
    *COUNTS
}

/// `cpu waited slices`, in nanoseconds.
fn parse_counts(id: u32, text: &str) -> Option<ThreadCounts> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse);
    let cpu = Duration::from_nanos(numbers.next()?.ok()?);
    let waited = Duration::from_nanos(numbers.next()?.ok()?);
    Some(ThreadCounts { id, cpu, waited })
}

/// How long each processor was taken from this machine by the one that it is a guest of, since it was started;
/// nothing where that cannot be read.
pub(crate) fn stolen() -> Vec<Duration> {
    // It is read for every bot that thinks for longer than a moment.
    static COUNTS: LazyLock<Option<File>> = LazyLock::new(|| File::open("/proc/stat").ok());
    let mut buffer = [0; PROCESSORS_BYTES_MAX];
    let length = COUNTS.as_ref().and_then(|file| file.read_at(&mut buffer, 0).ok()).unwrap_or(0);
    // The last row may be cut.
    let text = str::from_utf8(&buffer[..length]).unwrap_or_default();
    text.rsplit_once('\n').map_or_else(Vec::new, |(whole, _)| parse_stolen(whole))
}

/// Rows of some hundred processors. Of one that has more the others are not looked at.
const PROCESSORS_BYTES_MAX: usize = 16 * 1024;

/// `cpu` with the sum, then `cpu0 user nice system idle iowait irq softirq steal ...` for each processor, in
/// ticks, and then others.
fn parse_stolen(text: &str) -> Vec<Duration> {
    let processors = text.lines().skip(1).take_while(|line| line.starts_with("cpu"));
    let ticks = |line: &str| line.split_ascii_whitespace().nth(8)?.parse().ok();
    processors.filter_map(ticks).map(|ticks: u32| TICK * ticks).collect()
}

/// The unit of times in `/proc/stat` (`USER_HZ`), which is the same on every system that we run on.
const TICK: Duration = Duration::from_millis(10);

/// Whether a thread of a process runs or waits for nothing but a processor.
pub(crate) fn wants_to_run(pid: u32) -> bool {
    states(pid).any(|state| state == 'R')
}

/// What the threads of a process do.
fn states(pid: u32) -> impl Iterator<Item = char> {
    threads(pid).filter_map(move |thread| Some(stat_of_thread(pid, thread)?.state))
}

/// Whether a process is on its way out: what it had open is closed, but it cannot be waited for yet.
/// A process whose first thread has ended lives on in its others.
pub(crate) fn is_ending(pid: u32) -> bool {
    let is_ending = |stat: Option<Stat>| stat.is_some_and(|stat| stat.flags & EXITING != 0);
    is_ending(stat(pid)) && threads(pid).all(|thread| is_ending(stat_of_thread(pid, thread)))
}

/// Whether a process runs, waits or is stopped, and has not ended.
pub(crate) fn is_running(pid: u32) -> bool {
    stat(pid).is_some_and(|stat| stat.is_of_running(pid))
}

/// The flag of a process that has begun to end (`PF_EXITING`).
const EXITING: u64 = 4;

/// What a bot does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// One of its processes runs, waits for a processor, or for a disk.
    pub is_busy: bool,
    /// Processor time of all their threads.
    pub cpu: Duration,
}

/// What these processes do.
pub(crate) fn activity_of(pids: impl Iterator<Item = u32>) -> Activity {
    let mut activity = Activity::default();
    for pid in pids {
        activity.is_busy |= states(pid).any(|state| matches!(state, 'R' | 'D'));
        activity.cpu += thread_counts(pid).map(|thread| thread.cpu).sum::<Duration>();
    }
    activity
}

/// All processes that can be seen.
pub(crate) fn processes() -> impl Iterator<Item = (u32, Stat)> {
    numbers_in("/proc").filter_map(|pid| Some((pid, stat(pid)?)))
}

/// The processes of a group. To ask for the group of each costs far less than to read all about it.
pub(crate) fn processes_of_group(group: u32) -> impl Iterator<Item = u32> {
    numbers_in("/proc").filter(move |pid| group_of(*pid) == Some(group))
}

/// Threads of the kernel are in group 0.
fn group_of(pid: u32) -> Option<u32> {
    let group = nix::unistd::getpgid(Some(Pid::from_raw(pid.cast_signed()))).ok()?;
    Some(group.as_raw().unsigned_abs())
}

/// The children of a process; `None` where the system does not list them, or threads have ended
/// meanwhile: what such a thread started belongs to another one then, which may have been asked before.
pub(crate) fn children(pid: u32) -> Option<Vec<u32>> {
    children_of(pid, &stat(pid)?)
}

/// The same of a process about which this was just read.
pub(crate) fn children_of(pid: u32, stat: &Stat) -> Option<Vec<u32>> {
    if stat.threads == 1 {
        return children_of_thread(pid, pid);
    }
    let asked: Vec<u32> = threads(pid).collect();
    let mut children = Vec::new();
    for thread in &asked {
        children.extend(children_of_thread(pid, *thread)?);
    }
    let left: Vec<u32> = threads(pid).collect();
    let is_whole = !asked.is_empty() && asked.iter().all(|thread| left.contains(thread));
    is_whole.then_some(children)
}

fn children_of_thread(pid: u32, thread: u32) -> Option<Vec<u32>> {
    let list = fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")).ok()?;
    Some(list.split_ascii_whitespace().filter_map(|child| child.parse().ok()).collect())
}

pub(crate) struct Stat {
    pub(crate) name: String,
    state: char,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    flags: u64,
    threads: u32,
}

impl Stat {
    /// Whether the process `pid`, of which this was read, has not ended. One whose first thread has ended
    /// lives on in its others.
    pub(crate) fn is_of_running(&self, pid: u32) -> bool {
        let is_over = |state: char| matches!(state, 'Z' | 'X');
        let others = || threads(pid).filter_map(|thread| stat_of_thread(pid, thread));
        !is_over(self.state) || others().any(|stat| !is_over(stat.state))
    }
}

/// The threads of a process, by their numbers.
fn threads(pid: u32) -> impl Iterator<Item = u32> {
    numbers_in(format!("/proc/{pid}/task"))
}

/// The entries of a folder that are numbers.
fn numbers_in(folder: impl AsRef<Path>) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn stat_of_thread(pid: u32, thread: u32) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/task/{thread}/stat")).ok()?)
}

pub(crate) fn stat(pid: u32) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// `number (name) state parent group session terminal its-group flags ...`, where the name can hold
/// anything, and the number of threads is eleven fields after the flags.
fn parse_stat(text: &str) -> Option<Stat> {
    let (before, after) = text.rsplit_once(')')?;
    let name = before.split_once('(')?.1.to_owned();
    let mut fields = after.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let flags = fields.nth(3)?.parse().ok()?;
    let threads = fields.nth(10)?.parse().ok()?;
    Some(Stat { name, state, parent, group, flags, threads })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_nanoseconds() {
        let counts = parse_counts(7, "262660910 456888447 92\n").expect("three numbers");
        assert_eq!(counts.cpu, Duration::from_nanos(262_660_910));
        assert_eq!(counts.waited, Duration::from_nanos(456_888_447));
        assert_eq!(parse_counts(7, ""), None);
        assert_eq!(parse_counts(7, "1 x"), None);
    }

    #[test]
    fn what_was_taken_of_each_processor_is_the_eighth_of_its_numbers() {
        let text = "cpu  9 8 7 6 5 4 3 21 1 0\ncpu0 5 4 4 3 3 2 2 20 1 0\ncpu1 4 4 3 3 2 2 1 1 0 0\nintr 7\n";
        assert_eq!(parse_stolen(text), [200, 10].map(Duration::from_millis));
        assert_eq!(parse_stolen(""), []);
        let processors = std::thread::available_parallelism().expect("a number of cores").get();
        assert!(stolen().len() >= processors);
    }

    #[test]
    fn a_name_may_look_like_the_rest_of_the_line() {
        let line = "12 (a) R 1 (b) S 34 56 57 0 -1 4194564 9 8 7 6 5 4 3 2 20 0 11 0 12";
        let stat = parse_stat(line).expect("a line");
        assert_eq!((stat.state, stat.parent, stat.group, stat.flags), ('S', 34, 56, 4_194_564));
        assert_eq!(stat.threads, 11);
        assert_eq!(stat.name, "a) R 1 (b");
        assert!(parse_stat("12 (a").is_none());
    }

    #[test]
    fn a_group_is_busy_while_one_of_it_computes() {
        use std::os::unix::process::CommandExt as _;
        let script = "while :; do :; done & read -r line; kill %1; wait; exec sleep 60";
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", script]).process_group(0).stdin(std::process::Stdio::piped());
        let mut shell = shell.spawn().expect("bash can be started");
        let group = shell.id();
        let now = || activity_of(processes_of_group(group));
        while now().cpu < Duration::from_millis(20) {}
        assert!(now().is_busy, "the loop never sleeps");
        drop(shell.stdin.take());
        while now().is_busy {}
        shell.kill().expect("it runs");
        shell.wait().expect("it is ours");
        assert_eq!(now(), Activity::default());
    }

    #[test]
    fn children_are_found_whichever_thread_started_them() {
        let start = || std::process::Command::new("sleep").arg("60").spawn();
        let mut sleeper = std::thread::scope(|scope| {
            let started = scope.spawn(start).join().expect("nothing panics");
            started.expect("it can be started")
        });
        assert_eq!(children(sleeper.id()), Some(Vec::new()));
        // Threads of other tests may end at any moment.
        let own = std::iter::repeat_with(|| children(std::process::id())).flatten().next();
        assert!(own.is_some_and(|own| own.contains(&sleeper.id())));
        sleeper.kill().expect("it runs");
        sleeper.wait().expect("it is ours");
        assert_eq!(children(sleeper.id()), None, "nobody is there any more");
    }

    /// With one thread, with several, and when it has ended.
    #[test]
    fn what_is_kept_open_tells_the_same_as_a_fresh_look() {
        let ids = |counts: Vec<ThreadCounts>| counts.iter().map(|one| one.id).collect::<Vec<_>>();
        let mut sleeper = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        let watched = WatchedThreads::new(sleeper.id());
        assert!(watched.only_thread().is_some(), "it has one thread, which is looked at alone");
        assert_eq!(ids(watched.counts()), [sleeper.id()]);
        let before = watched.counts()[0].cpu;
        assert!(thread_counts(sleeper.id()).all(|fresh| fresh.cpu >= before));
        sleeper.kill().expect("it runs");
        sleeper.wait().expect("it is ours");
        assert_eq!(watched.counts(), []);

        let own = WatchedThreads::new(std::process::id());
        std::thread::scope(|scope| {
            let (sender, receiver) = std::sync::mpsc::channel::<()>();
            scope.spawn(move || receiver.recv());
            assert_eq!(own.only_thread(), None, "a test has a thread of its own");
            assert!(ids(own.counts()).len() > 1);
            drop(sender);
        });
    }

    #[test]
    fn this_process_is_counted_with_all_its_threads() {
        let used = || thread_counts(std::process::id()).map(|thread| thread.cpu).sum::<Duration>();
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
            let before = used();
            while used() < before + Duration::from_millis(20) {}
            assert!(wants_to_run(std::process::id()));
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert!(own_wait().is_some());
    }
}
