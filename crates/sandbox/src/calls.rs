//! seccomp: which calls into the system a program may make. A call that is refused fails as if the program
//! had no right to it; it is not ended, since runtimes try what they may do.

use std::collections::BTreeMap;
use std::io;
use std::sync::OnceLock;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use crate::fork::is_call;
use crate::plan::Plan;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls that no bot needs: they look into or change other processes, the machine or the system's own memory.
const REFUSED: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    // Everybody could wait for what others do with files that all may read, such as those of a runtime.
    libc::SYS_inotify_add_watch,
    // Of these a user has few, and the machine as well: nobody else would have any.
    libc::SYS_inotify_init1,
    libc::SYS_io_setup,
    // A page in a pipe keeps the large piece of memory that it is part of, which is nobody's then.
    libc::SYS_vmsplice,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Memory that belongs to no process is seen by nobody who counts.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_landlock_create_ruleset,
];

/// The same where the machine has them.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[i64] = &[
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS__sysctl,
    libc::SYS_inotify_init,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[];

/// Calls whose first number is a process: allowed for the caller itself, which is 0.
const ON_ITSELF: &[i64] = &[libc::SYS_prlimit64];

/// Calls whose first number is a thread. Runtimes make them for their own, by their numbers, so that they are refused
/// for the process that watches alone, where no others can be seen.
const ON_THREADS: &[i64] = &[libc::SYS_sched_setaffinity, libc::SYS_sched_setattr];

/// The same, of those after which Mono ends if they fail: where others can be seen nothing is done, and it is told that
/// it went well.
const ON_THREADS_IN_VAIN: &[i64] = &[libc::SYS_sched_setscheduler, libc::SYS_sched_setparam];

/// The number of the process that watches, where no others can be seen.
const WATCH: u32 = 1;

/// The same where it is the second number. The first says what kind of number that is.
const ON_ITSELF_SECOND: &[i64] = &[libc::SYS_setpriority, libc::SYS_ioprio_set];

/// Calls whose first number is a process that a signal is sent to.
const SIGNALS: &[i64] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
];

/// New namespaces of every kind, among the flags of a new process.
const NEW_NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Calls that are refused with certain values alone, and which argument that is.
const REFUSED_VALUES: &[(i64, u8, &[u32])] = &[
    // Waiting for what others do in a folder; a right of way at a file, which makes others wait who open it; and
    // having the system send a signal to somebody else when there is something to read.
    (
        libc::SYS_fcntl,
        1,
        &[
            libc::F_NOTIFY.unsigned_abs(),
            libc::F_SETLEASE.unsigned_abs(),
            libc::F_SETOWN.unsigned_abs(),
            F_SETOWN_EX,
        ],
    ),
    (libc::SYS_ioctl, 1, &[FIOSETOWN, SIOCSPGRP]),
    // Keeping others off the second half of a processor.
    (libc::SYS_prctl, 0, &[libc::PR_SCHED_CORE.unsigned_abs()]),
];

/// The same as `F_SETOWN`, in numbers that the library does not have.
const F_SETOWN_EX: u32 = 15;
const FIOSETOWN: u32 = 0x8901;
const SIOCSPGRP: u32 = 0x8902;

/// What a socket is, without what may stand beside it.
const SOCKET_KIND: u64 = 0xf;

/// Calls of the same kernel for programs with short pointers have this bit in their number (x32).
const X32: i64 = 0x4000_0000;
/// Calls that only those have.
const X32_ALONE: std::ops::RangeInclusive<i64> = 512..=547;

/// One filter after the other.
type Programs = Vec<BpfProgram>;

/// Filters for programs that see nothing of the machine: for those that may not connect anywhere, and for those
/// that may.
static PREPARED: [OnceLock<Programs>; 2] = [const { OnceLock::new() }; 2];

/// Makes the filters ready that most programs need. Who needs others makes them later.
pub(crate) fn prepare(plan: &Plan) {
    let prepared = &PREPARED[usize::from(plan.port.is_some())];
    if prepared.get().is_none()
        && let Ok(programs) = programs(plan, false)
    {
        let _ = prepared.set(programs);
    }
}

/// Keeps this process and all that it starts from these calls. `sees_others` says that it sees the processes of the
/// machine, since there is no namespace for it.
pub(crate) fn restrict(plan: &Plan, sees_others: bool) -> io::Result<()> {
    let prepared = PREPARED[usize::from(plan.port.is_some())].get();
    match prepared.filter(|_| !sees_others) {
        Some(programs) => apply(programs),
        None => apply(&programs(plan, sees_others)?),
    }
}

fn apply(programs: &Programs) -> io::Result<()> {
    let mut programs = programs.iter();
    programs.try_for_each(|program| seccompiler::apply_filter(program).map_err(io::Error::other))
}

fn programs(plan: &Plan, sees_others: bool) -> io::Result<Programs> {
    let arch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let compile = |rules: Rules, error: i32| -> io::Result<BpfProgram> {
        let (allow, refuse) = (SeccompAction::Allow, SeccompAction::Errno(error.unsigned_abs()));
        let filter = SeccompFilter::new(rules, allow, refuse, arch).map_err(io::Error::other)?;
        filter.try_into().map_err(io::Error::other)
    };
    let mut programs = vec![
        // The flags of this one cannot be seen here. Libraries fall back to the older call, whose flags can.
        compile(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)?,
        compile(refused(plan, sees_others).map_err(io::Error::other)?, libc::EPERM)?,
    ];
    if sees_others {
        programs.push(compile(done_in_vain().map_err(io::Error::other)?, 0)?);
    }
    Ok(programs)
}

fn done_in_vain() -> Result<Rules, seccompiler::BackendError> {
    let on_others = || Ok(vec![SeccompRule::new(vec![is_not(0, 0)?])?]);
    ON_THREADS_IN_VAIN.iter().map(|&call| Ok((call, on_others()?))).collect()
}

fn refused(plan: &Plan, sees_others: bool) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules =
        REFUSED.iter().chain(REFUSED_HERE).map(|&call| (call, Vec::new())).collect();
    for &call in ON_ITSELF {
        rules.insert(call, vec![SeccompRule::new(vec![is_not(0, 0)?])?]);
    }
    let on_threads = if sees_others { is_not(0, 0)? } else { is(0, WATCH)? };
    let in_vain = if sees_others { &[][..] } else { ON_THREADS_IN_VAIN };
    for &call in ON_THREADS.iter().chain(in_vain) {
        rules.insert(call, vec![SeccompRule::new(vec![on_threads.clone()])?]);
    }
    for &call in ON_ITSELF_SECOND {
        let of_others = [is_not(1, 0)?, is_not(0, u64::from(libc::PRIO_PROCESS))?];
        let of_others = of_others.map(|condition| SeccompRule::new(vec![condition]));
        rules.insert(call, of_others.into_iter().collect::<Result<_, _>>()?);
    }
    // A sibling would be a child of whoever has started this one, who does not wait for it.
    let flags = NEW_NAMESPACES | libc::CLONE_PARENT;
    let flags = (0..32).filter(|bit| flags >> bit & 1 == 1);
    let new = flags.map(|bit| SeccompRule::new(vec![has(0, 1 << bit)?]));
    rules.insert(libc::SYS_clone, new.collect::<Result<_, _>>()?);
    for (call, argument, values) in REFUSED_VALUES {
        let values = values.iter().map(|&value| SeccompRule::new(vec![is(*argument, value)?]));
        rules.insert(*call, values.collect::<Result<_, _>>()?);
    }
    if sees_others {
        rules.insert(libc::SYS_pidfd_open, Vec::new());
        // A folder of `/proc` would do for it too.
        rules.insert(libc::SYS_pidfd_send_signal, Vec::new());
        // Everybody at once, and the process that watches it, which is its parent.
        let parent = rustix::process::getppid().map_or(1, |pid| pid.as_raw_pid());
        for &call in SIGNALS {
            let to = [-1, parent].map(|pid: i32| SeccompRule::new(vec![is(0, pid as u32)?]));
            rules.insert(call, to.into_iter().collect::<Result<_, _>>()?);
        }
    }
    rules.insert(libc::SYS_socket, sockets(plan.port.is_some())?);
    // One end of a pair can send its datagrams to anybody else as well.
    let kinds = [libc::SOCK_DGRAM, libc::SOCK_RAW].into_iter().map(is_kind);
    rules.insert(libc::SYS_socketpair, kinds.collect::<Result<_, _>>()?);
    // A connection that begins with the first message is one that Landlock does not see.
    for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        rules.insert(call, vec![SeccompRule::new(vec![has(flags, libc::MSG_FASTOPEN as u64)?])?]);
    }
    // Twice the rules take twice the time at every start, and hardly a machine has these calls.
    if cfg!(target_arch = "x86_64") && is_call(libc::SYS_getpid | X32) {
        let short = rules.iter().map(|(call, rules)| (call | X32, rules.clone()));
        let short = short.collect::<Vec<_>>();
        rules.extend(short);
        rules.extend(X32_ALONE.map(|call| (call | X32, Vec::new())));
    }
    Ok(rules)
}

/// Which sockets are refused: all, or all but those of TCP. A list of rules refuses what one of them fits, and
/// an empty list refuses everything.
fn sockets(may_connect: bool) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    if !may_connect {
        return Ok(Vec::new());
    }
    let (four, six) = (libc::AF_INET as u64, libc::AF_INET6 as u64);
    let other_family = SeccompRule::new(vec![is_not(0, four)?, is_not(0, six)?])?;
    let kinds = [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET];
    let kinds = kinds.into_iter().map(is_kind);
    // Others than TCP are stream sockets too, and Landlock does not know them.
    let other_protocol =
        SeccompRule::new(vec![is_not(2, 0)?, is_not(2, libc::IPPROTO_TCP as u64)?])?;
    kinds.chain([Ok(other_family), Ok(other_protocol)]).collect()
}

/// A socket is of this kind.
fn is_kind(kind: i32) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![masked(1, SOCKET_KIND, kind as u64)?])
}

fn is_not(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
}

fn is(argument: u8, value: u32) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value.into())
}

fn has(argument: u8, bits: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    masked(argument, bits, bits)
}

fn masked(
    argument: u8,
    mask: u64,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), value)
}
