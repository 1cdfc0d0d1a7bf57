//! What uses up the machine, or is to be there when the match is over.

use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use nix::libc;
use nix::sys::signal::{Signal, raise};

const PIECE: usize = 64 * 1024 * 1024;

pub(crate) fn do_it(deed: &str) {
    match deed.split_once('=').unwrap_or((deed, "")) {
        ("eat-memory", _) => eat_memory(),
        ("eat-headless", _) => eat_headless(),
        ("fork", _) => fork(),
        ("fill-disk", _) => fill(std::env::temp_dir()),
        ("fill-inodes", _) => fill_inodes(),
        ("fill-shared", _) => fill("/dev/shm".into()),
        ("fill-removed", _) => fill_removed(),
        ("share-memory", _) => share_memory(),
        ("map-nothing", _) => map_nothing(),
        ("fill-sockets", _) => fill_sockets(),
        ("threads", _) => start_threads(),
        ("flood", _) => flood(),
        ("stand-still", _) => stand_still(),
        ("lock-folders", _) => lock_folders(),
        ("zombies", _) => leave_zombies(),
        ("rename", _) => rename_itself(),
        ("long-words", _) => load_with_long_words(),
        ("dump", _) => dump(),
        ("daemon", word) => leave_daemon(word),
        _ => loop {
            std::hint::spin_loop();
        },
    }
}

/// 32 GB, touched.
fn eat_memory() {
    let pieces: Vec<Vec<u8>> = (0..512).map(|_| vec![1; PIECE]).collect();
    std::hint::black_box(pieces);
}

/// The same in a thread that goes on when the first one has ended.
fn eat_headless() {
    std::thread::spawn(eat_memory);
    #[expect(unsafe_code, reason = "no library ends the first thread alone")]
    // SAFETY: nothing that belongs to this thread is used by the other one.
    unsafe {
        libc::syscall(libc::SYS_exit, 0);
    }
}

fn fork() {
    let start = || Command::new("sleep").arg("600").stdin(Stdio::null()).spawn();
    let started: Vec<_> = (0..10_000).map_while(|_| start().ok()).collect();
    std::thread::sleep(std::time::Duration::from_secs(600));
    drop(started);
}

fn fill(folder: PathBuf) {
    for number in 0_u32.. {
        let Ok(mut file) = File::create(folder.join(format!("fill-{number}"))) else { break };
        if file.write_all(&vec![0; PIECE / 4]).is_err() {
            break;
        }
    }
    std::thread::sleep(std::time::Duration::from_secs(600));
}

fn fill_inodes() {
    let folder = std::env::temp_dir();
    let make = |number: u32| File::create(folder.join(format!("fill-{number}")));
    (0..10_000_000).map_while(|number| make(number).ok()).for_each(drop);
    std::thread::sleep(std::time::Duration::from_secs(600));
}

/// Files that nobody finds any more and that are still there.
fn fill_removed() {
    let folder = std::env::temp_dir();
    let mut held = Vec::new();
    for number in 0_u32.. {
        let path = folder.join(format!("fill-{number}"));
        let Ok(mut file) = File::create(&path) else { break };
        let _ = fs::remove_file(path);
        let is_full = file.write_all(&vec![0; PIECE / 16]).is_err();
        held.push(file);
        if is_full {
            break;
        }
    }
    std::thread::sleep(std::time::Duration::from_secs(600));
    drop(held);
}

/// Memory that belongs to processes together, of which those that have touched it have ended.
fn share_memory() {
    for _ in 0..512 {
        #[expect(unsafe_code, reason = "no library shares memory without a file")]
        // SAFETY: the piece is new and as long as it is said to be, and a copy of this process writes to it
        // and ends.
        unsafe {
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let kind = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
            let piece = libc::mmap(std::ptr::null_mut(), PIECE, rights, kind, -1, 0);
            match libc::fork() {
                0 => {
                    std::ptr::write_bytes(piece.cast::<u8>(), 1, PIECE);
                    libc::_exit(0);
                }
                child => libc::waitpid(child, std::ptr::null_mut(), 0),
            };
        }
    }
}

/// Looks at memory that was never written to, so far apart that the system needs more to know where it is than it is.
fn map_nothing() {
    const BYTES: usize = 1 << 42;
    const STEP: usize = 2 * 1024 * 1024;
    #[expect(unsafe_code, reason = "no library maps memory that cannot be written to")]
    // SAFETY: all of it may be read, as zeros.
    unsafe {
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let begin = libc::mmap(std::ptr::null_mut(), BYTES, libc::PROT_READ, kind, -1, 0);
        // Small pages, which are counted one by one.
        libc::madvise(begin, BYTES, libc::MADV_NOHUGEPAGE);
        for at in (0..BYTES).step_by(STEP) {
            std::hint::black_box(begin.cast::<u8>().add(at).read_volatile());
        }
    }
}

/// Messages to itself that it never reads.
fn fill_sockets() {
    let mut pairs = Vec::new();
    while let Ok((mut one, other)) = UnixStream::pair() {
        let _ = one.set_nonblocking(true);
        while one.write(&[0; 16 * 1024]).is_ok_and(|count| count > 0) {}
        pairs.push((one, other));
    }
    std::thread::sleep(std::time::Duration::from_secs(600));
}

/// A process in a session of its own, whose parent has ended, which holds none of the bot's pipes and computes.
fn leave_daemon(word: &str) {
    let script =
        format!("setsid bash -c 'while :; do : {word}; done' </dev/null >/dev/null 2>&1 &");
    let _ = Command::new("bash").args(["-c", &script]).status();
}

fn start_threads() {
    let wait = || std::thread::sleep(std::time::Duration::from_secs(600));
    while std::thread::Builder::new().spawn(wait).is_ok() {}
    wait();
}

/// More than anybody reads, for ever.
fn flood() {
    let line = [b'x'; 64 * 1024];
    while std::io::stderr().write_all(&line).is_ok() {}
}

fn stand_still() {
    let _ = raise(Signal::SIGSTOP);
}

/// Nobody may look into its folders any more, those who remove them least of all.
fn lock_folders() {
    let scratch = std::env::temp_dir();
    let _ = fs::create_dir_all(scratch.join("deep/deeper"));
    for folder in [scratch.join("deep/deeper"), scratch.join("deep"), scratch, ".".into()] {
        let _ = fs::set_permissions(folder, Permissions::from_mode(0o000));
    }
}

/// Processes that have ended and that nobody waits for.
fn leave_zombies() {
    for _ in 0..100 {
        if let Ok(child) = Command::new("true").stdin(Stdio::null()).spawn() {
            std::mem::forget(child);
        }
    }
}

/// Calls itself what the system's list of processes could be misread by.
fn rename_itself() {
    let _ = fs::write("/proc/self/comm", "x) Z 1 1\n1");
}

/// Becomes itself with as many words as the system takes, and computes.
fn load_with_long_words() {
    let word = "x".repeat(100 * 1024);
    let error = Command::new("/proc/self/exe").args(vec![word; 15]).exec();
    eprintln!("{error}");
}

/// Ends in a way that leaves its memory in a file, if it may.
fn dump() {
    let _ = nix::sys::resource::setrlimit(
        nix::sys::resource::Resource::RLIMIT_CORE,
        u64::MAX,
        u64::MAX,
    );
    std::process::abort();
}
