//! Every attack that can be told at once to have succeeded or failed.

use std::fs::{self, File};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::process::Command;

use nix::libc;

use crate::Targets;

type Attack = (&'static str, fn(&Targets) -> bool);

/// True where one succeeds.
const ATTACKS: [Attack; 82] = [
    // The first, since later ones leave something open themselves.
    ("use a descriptor of whoever started it", |_| {
        (3..256).any(|number| call(libc::SYS_fcntl, [number, libc::F_GETFD as usize, 0, 0]))
    }),
    ("read a file of somebody else", |to| fs::read(to.get("secret")).is_ok()),
    ("list a folder of somebody else", |to| {
        fs::read_dir(to.get("folder")).is_ok_and(|mut all| all.next().is_some())
    }),
    ("read the replay", |to| fs::read(to.get("replay")).is_ok()),
    ("read the store", |to| fs::read(to.get("store")).is_ok()),
    ("read the list of users", |_| fs::read("/etc/passwd").is_ok()),
    ("follow a link to a file of somebody else", |to| through_link(to.get("secret"))),
    ("make a hard link to a file of somebody else", |to| {
        fs::hard_link(to.get("secret"), std::env::temp_dir().join("hard")).is_ok()
    }),
    ("write to a file of somebody else", |to| {
        File::options().append(true).open(to.get("secret")).is_ok()
    }),
    ("make a file beside it", |to| File::create(format!("{}/made", to.get("folder"))).is_ok()),
    ("remove a file of somebody else", |to| fs::remove_file(to.get("sacrifice")).is_ok()),
    ("change its own program", |_| {
        std::env::current_exe().is_ok_and(|own| File::options().append(true).open(own).is_ok())
    }),
    ("write to /etc", |_| File::create("/etc/hostile").is_ok()),
    ("write to /usr", |_| File::create("/usr/hostile").is_ok()),
    ("see another process", |to| fs::metadata(of(to, "stat")).is_ok()),
    ("read another process's command line", |to| fs::read(of(to, "cmdline")).is_ok()),
    ("read another process's environment", |to| fs::read(of(to, "environ")).is_ok()),
    ("read another process's memory map", |to| {
        fs::read(of(to, "maps")).is_ok_and(|map| !map.is_empty())
    }),
    ("open another process's memory", |to| File::open(of(to, "mem")).is_ok()),
    ("list another process's descriptors", |to| fs::read_dir(of(to, "fd")).is_ok()),
    ("write into another process's pipe", |to| {
        File::options()
            .write(true)
            .open(of(to, "fd/1"))
            .is_ok_and(|mut pipe| pipe.write(b"x").is_ok())
    }),
    ("walk through another process's root", |to| fs::read_dir(of(to, "root")).is_ok()),
    ("signal another process", |to| call(libc::SYS_kill, [victim(to), 0, 0, 0])),
    ("pause another process", |to| {
        call(libc::SYS_kill, [victim(to), libc::SIGSTOP as usize, 0, 0])
    }),
    ("end another process", |to| call(libc::SYS_kill, [victim(to), libc::SIGTERM as usize, 0, 0])),
    ("get a handle of another process", |to| call(libc::SYS_pidfd_open, [victim(to), 0, 0, 0])),
    ("trace another process", |to| {
        call(libc::SYS_ptrace, [libc::PTRACE_SEIZE as usize, victim(to), 0, 0])
    }),
    ("renice another process", |to| call(libc::SYS_setpriority, [0, victim(to), 19, 0])),
    ("change another process's limits", |to| {
        let limits = [1_u64 << 20, 1 << 20];
        call(
            libc::SYS_prlimit64,
            [victim(to), libc::RLIMIT_CORE as usize, limits.as_ptr() as usize, 0],
        )
    }),
    ("pin another process", |to| {
        let cores = [1_u64];
        call(libc::SYS_sched_setaffinity, [victim(to), 8, cores.as_ptr() as usize, 0])
    }),
    ("join another process's group", |to| call(libc::SYS_setpgid, [0, victim(to), 0, 0])),
    ("connect by TCP", |to| TcpStream::connect(("127.0.0.1", to.number("port") as u16)).is_ok()),
    ("listen on TCP", |_| TcpListener::bind("127.0.0.1:0").is_ok()),
    ("send by UDP", |_| {
        UdpSocket::bind("127.0.0.1:0")
            .is_ok_and(|socket| socket.send_to(b"x", "127.0.0.1:9").is_ok())
    }),
    ("connect to a socket file", |to| UnixStream::connect(to.get("socket")).is_ok()),
    ("listen on a socket file", |_| UnixListener::bind(std::env::temp_dir().join("own")).is_ok()),
    ("connect to an abstract socket", |to| {
        SocketAddr::from_abstract_name(to.get("abstract"))
            .is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
    }),
    ("make a datagram socket", |_| UnixDatagram::unbound().is_ok()),
    ("send a datagram from one end of a pair to somebody else", |to| strays(to.get("mailbox"))),
    ("make a netlink socket", |_| call(libc::SYS_socket, [16, 3, 0, 0])),
    ("make a raw socket", |_| call(libc::SYS_socket, [2, 3, 1, 0])),
    ("make a vsock socket", |_| call(libc::SYS_socket, [40, 1, 0, 0])),
    ("make an MPTCP socket", |_| call(libc::SYS_socket, [2, 1, 262, 0])),
    ("mount", |_| {
        let (kind, at) = (c"tmpfs", c"/tmp");
        call(
            libc::SYS_mount,
            [kind.as_ptr() as usize, at.as_ptr() as usize, kind.as_ptr() as usize, 0],
        )
    }),
    ("make a user namespace", |_| in_shell("unshare -U true")),
    ("load a BPF program", |_| call_is_there(libc::SYS_bpf)),
    ("use io_uring", |_| call_is_there(libc::SYS_io_uring_setup)),
    ("use userfaultfd", |_| call_is_there(libc::SYS_userfaultfd)),
    ("watch events of the processor", |_| call_is_there(libc::SYS_perf_event_open)),
    ("use the system's keys", |_| call(libc::SYS_keyctl, [0, (-3_isize) as usize, 1, 0])),
    ("be root", |_| nix::unistd::geteuid().is_root()),
    ("have a capability", |_| {
        status("CapEff:").is_none_or(|set| !set.trim_matches('0').is_empty())
    }),
    ("gain rights through a setuid program", |_| {
        status("NoNewPrivs:").is_none_or(|set| set != "1")
    }),
    ("type into the terminal", |_| {
        let letter = b"x";
        let to = File::open("/dev/tty").map_or(0, |tty| tty.as_raw_fd());
        let words = [to as usize, libc::TIOCSTI as usize, letter.as_ptr() as usize, 0];
        call(libc::SYS_ioctl, words)
    }),
    ("run a program from memory", |_| from_memory()),
    ("give its parent another child", |_| sibling()),
    ("end the process that watches it", |_| {
        let parent = nix::unistd::getppid().as_raw();
        parent > 0 && call(libc::SYS_kill, [parent as usize, 0, 0, 0])
    }),
    ("slow down the process that watches it", |_| {
        // Where no others can be seen it is the first one.
        let watch = nix::unistd::getppid().as_raw().max(1) as usize;
        let cores = [u64::MAX];
        call(libc::SYS_setpriority, [0, watch, 1, 0])
            || call(libc::SYS_sched_setaffinity, [watch, 8, cores.as_ptr() as usize, 0])
    }),
    ("read the first process", |_| {
        File::open("/proc/1/mem").is_ok() || fs::read("/proc/1/environ").is_ok()
    }),
    ("signal everybody", |_| call(libc::SYS_kill, [(-1_isize) as usize, 0, 0, 0])),
    ("keep memory in a segment", |_| {
        kept(libc::SYS_shmget, [0, 4096, 0o1600, 0], libc::SYS_shmctl)
    }),
    ("make a queue", |_| kept(libc::SYS_msgget, [0, 0o1600, 0, 0], libc::SYS_msgctl)),
    ("make a queue with a name", |_| {
        let (name, flags) = (c"quintain-hostile", libc::O_CREAT | libc::O_RDWR);
        let name = name.as_ptr() as usize;
        let is_made = call(libc::SYS_mq_open, [name, flags as usize, 0o600, 0]);
        call(libc::SYS_mq_unlink, [name, 0, 0, 0]);
        is_made
    }),
    ("read what the system tells of the machine", |_| {
        fs::read_dir("/sys").is_ok_and(|mut all| all.next().is_some())
    }),
    ("wait for changes in a folder of somebody else", |to| watches(to.get("folder"))),
    ("wait for what others open", |_| call(libc::SYS_fanotify_init, [0x200, 0, 0, 0])),
    ("wait for what others do with a runtime", |_| watches("/usr/bin")),
    ("be told what others do in a folder of a runtime", |_| {
        // That files are removed, which does not happen: it would be told by a signal that ends this program.
        let told = 0x8;
        File::open("/usr/bin").is_ok_and(|folder| {
            let words = [folder.as_raw_fd() as usize, libc::F_NOTIFY as usize, told, 0];
            call(libc::SYS_fcntl, words)
        })
    }),
    ("find a file by its number", |_| call_is_there(libc::SYS_name_to_handle_at)),
    ("be scheduled before all others", |_| {
        let be = |policy: i32, priority: [i32; 1]| {
            let words = [0, policy as usize, priority.as_ptr() as usize, 0];
            call(libc::SYS_sched_setscheduler, words)
        };
        let is_first = be(libc::SCHED_FIFO, [1]);
        be(libc::SCHED_OTHER, [0]);
        is_first
    }),
    ("be nicer to itself than to others", |_| {
        call(libc::SYS_setpriority, [0, 0, (-5_isize) as usize, 0])
    }),
    ("raise its own limits", |_| {
        let limits = [1_u64 << 20, 1 << 20];
        let words = [0, libc::RLIMIT_CORE as usize, limits.as_ptr() as usize, 0];
        call(libc::SYS_prlimit64, words)
    }),
    ("be spared when memory is short", |_| {
        File::options()
            .write(true)
            .open("/proc/self/oom_score_adj")
            .is_ok_and(|mut file| file.write_all(b"-1000").is_ok())
    }),
    ("have the system signal another process", |to| becomes_owner(victim(to))),
    ("have the system signal the process that watches it", |_| {
        becomes_owner(nix::unistd::getppid().as_raw().max(1).unsigned_abs() as usize)
    }),
    ("have the system remember rules", |_| {
        let execute = [1_u64];
        call(libc::SYS_landlock_create_ruleset, [execute.as_ptr() as usize, 8, 0, 0])
    }),
    ("keep memory in a pipe", |_| keeps_in_pipe()),
    ("take the places that all have for reading and writing at once", |_| {
        let mut context = 0_usize;
        let is_taken = call(libc::SYS_io_setup, [128, &raw mut context as usize, 0, 0]);
        is_taken && call(libc::SYS_io_destroy, [context, 0, 0, 0])
    }),
    ("take what a user has for waiting for files", |_| call(libc::SYS_inotify_init1, [0; 4])),
    ("leave signals waiting without end", |_| leaves_signals()),
    ("call the system as older programs do", |_| in_old_way()),
    ("make a device", |_| in_shell("mknod \"${TMPDIR:-/tmp}/device\" c 1 3")),
];

pub(crate) fn try_all(targets: &Targets) {
    for (name, attack) in ATTACKS {
        let result = if attack(targets) { "SUCCEEDED" } else { "stopped" };
        eprintln!("attack {name}: {result}");
    }
}

fn of(to: &Targets, what: &str) -> String {
    format!("/proc/{}/{what}", to.get("victim"))
}

fn victim(to: &Targets) -> usize {
    to.number("victim").unsigned_abs() as usize
}

fn through_link(secret: &str) -> bool {
    let link = std::env::temp_dir().join("link");
    symlink(secret, &link).is_ok() && fs::read(link).is_ok()
}

/// Whether somebody else can be sent a signal when there is something to read.
fn becomes_owner(pid: usize) -> bool {
    const FIOSETOWN: usize = 0x8901;
    let Ok((reader, _writer)) = std::io::pipe() else { return false };
    let pipe = reader.as_raw_fd().unsigned_abs() as usize;
    call(libc::SYS_fcntl, [pipe, libc::F_SETOWN as usize, pid, 0])
        || call(libc::SYS_ioctl, [pipe, FIOSETOWN, &raw const pid as usize, 0])
}

/// Whether a socket that is one of a pair can send a message to somebody else.
fn strays(mailbox: &str) -> bool {
    let Ok((one, _other)) = UnixDatagram::pair() else { return false };
    SocketAddr::from_abstract_name(mailbox).is_ok_and(|to| one.send_to_addr(b"x", &to).is_ok())
}

/// Whether memory can be left in a pipe without a copy.
fn keeps_in_pipe() -> bool {
    let Ok((_reader, writer)) = std::io::pipe() else { return false };
    let memory = [1_u8; 4096];
    let piece = libc::iovec { iov_base: memory.as_ptr().cast_mut().cast(), iov_len: memory.len() };
    let pipe = writer.as_raw_fd().unsigned_abs() as usize;
    call(libc::SYS_vmsplice, [pipe, &raw const piece as usize, 1, 0])
}

/// Whether more signals can wait than any program needs. Who does it ends, and they with it.
fn leaves_signals() -> bool {
    const MANY: usize = 10_000;
    #[expect(unsafe_code, reason = "attacks are calls that no library makes")]
    // SAFETY: the copy makes calls alone, and ends.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let mut all: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::sigprocmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
            let value = libc::sigval { sival_ptr: std::ptr::null_mut() };
            let sent = (0..MANY)
                .take_while(|_| libc::sigqueue(libc::getpid(), libc::SIGRTMIN(), value) == 0);
            libc::_exit(i32::from(sent.count() < MANY));
        }
        let mut status = 1;
        libc::waitpid(child, &raw mut status, 0);
        status == 0
    }
}

/// Whether a call can be made as programs for older processors make it, whose numbers are others.
fn in_old_way() -> bool {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "attacks are calls that no library makes")]
    // SAFETY: the copy makes a call that only tells its number, and ends; a filter may end it before.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let mut number = 20_i64;
            std::arch::asm!("int 0x80", inout("rax") number);
            libc::_exit(i32::from(number <= 0));
        }
        let mut status = 1;
        libc::waitpid(child, &raw mut status, 0);
        status == 0
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Whether a copy of a program that is in no folder can be run.
fn from_memory() -> bool {
    let name = c"copy";
    #[expect(unsafe_code, reason = "attacks are calls that no library makes")]
    // SAFETY: the name ends with zero.
    let number = unsafe { libc::memfd_create(name.as_ptr(), 0) };
    let path = format!("/proc/self/fd/{number}");
    let is_copied = number >= 0 && fs::copy("/bin/true", &path).is_ok();
    is_copied && Command::new(path).status().is_ok_and(|status| status.success())
}

/// Whether a process can be started that its own parent has to wait for.
fn sibling() -> bool {
    #[expect(unsafe_code, reason = "attacks are calls that no library makes")]
    // SAFETY: the copy has a stack of its own, as after a fork, and ends at once.
    unsafe {
        let flags = i64::from(libc::CLONE_PARENT | libc::SIGCHLD);
        match libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) {
            0 => libc::_exit(0),
            number => number > 0,
        }
    }
}

/// Whether something can be made that stays when its maker has ended. It is removed again.
fn kept(make: i64, words: [usize; 4], control: i64) -> bool {
    #[expect(unsafe_code, reason = "attacks are calls that no library makes")]
    // SAFETY: numbers.
    let made = unsafe { libc::syscall(make, words[0], words[1], words[2]) };
    let id = made.max(0).unsigned_abs() as usize;
    if made >= 0 {
        call(control, [id, libc::IPC_RMID as usize, 0, 0]);
    }
    made >= 0
}

fn watches(folder: &str) -> bool {
    let Ok(folder) = std::ffi::CString::new(folder) else { return false };
    #[expect(unsafe_code, reason = "attacks are calls that no library makes")]
    // SAFETY: the path ends with zero and lives until the call has returned.
    unsafe {
        let watch = libc::inotify_init1(0);
        watch >= 0 && libc::inotify_add_watch(watch, folder.as_ptr(), libc::IN_ALL_EVENTS) >= 0
    }
}

fn status(field: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    text.lines().find_map(|line| Some(line.strip_prefix(field)?.trim().to_owned()))
}

fn in_shell(script: &str) -> bool {
    Command::new("sh").args(["-c", script]).status().is_ok_and(|status| status.success())
}

/// Makes a call into the system. Whether it did what it was asked.
fn call(number: i64, [a, b, c, d]: [usize; 4]) -> bool {
    #[expect(unsafe_code, reason = "attacks are calls that no library makes")]
    // SAFETY: numbers, and pointers to what lives until the call has returned.
    let result = unsafe { libc::syscall(number, a, b, c, d) };
    result >= 0
}

/// Whether a call is more than refused: it complains about what it was given.
fn call_is_there(number: i64) -> bool {
    let zeros = [0_u64; 32];
    if call(number, [0, zeros.as_ptr() as usize, 0, 0]) {
        return true;
    }
    let error = std::io::Error::last_os_error().raw_os_error();
    !matches!(error, Some(libc::EPERM | libc::ENOSYS | libc::EACCES))
}
