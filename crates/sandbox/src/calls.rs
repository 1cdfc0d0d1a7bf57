//! seccomp: which calls into the system a program may make. A call that is refused fails as if the program
//! had no right to it; it is not ended, since runtimes try what they may do.

use std::collections::BTreeMap;
use std::io;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

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
];

/// The same where the machine has them.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[i64] =
    &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS__sysctl];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[];

/// Calls whose first number is a process: allowed for the caller itself, which is 0.
const ON_ITSELF: &[i64] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// The same where it is the second number. The first says what kind of number that is.
const ON_ITSELF_SECOND: &[i64] = &[libc::SYS_setpriority, libc::SYS_ioprio_set];

/// New namespaces of every kind, among the flags of a new process.
const NEW_NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// What a socket is, without what may stand beside it.
const SOCKET_KIND: u64 = 0xf;

/// Calls of the same kernel for programs with short pointers have this bit in their number (x32).
const X32: i64 = 0x4000_0000;
/// Calls that only those have.
const X32_ALONE: std::ops::RangeInclusive<i64> = 512..=547;

/// Keeps this process and all that it starts from these calls.
pub(crate) fn restrict(plan: &Plan) -> io::Result<()> {
    let arch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let install = |rules: Rules, error: i32| -> io::Result<()> {
        let (allow, refuse) = (SeccompAction::Allow, SeccompAction::Errno(error.unsigned_abs()));
        let filter = SeccompFilter::new(rules, allow, refuse, arch).map_err(io::Error::other)?;
        let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
        seccompiler::apply_filter(&program).map_err(io::Error::other)
    };
    // The flags of this one cannot be seen here. Libraries fall back to the older call, whose flags can.
    install(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)?;
    install(refused(plan).map_err(io::Error::other)?, libc::EPERM)
}

fn refused(plan: &Plan) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules =
        REFUSED.iter().chain(REFUSED_HERE).map(|&call| (call, Vec::new())).collect();
    for &call in ON_ITSELF {
        rules.insert(call, vec![SeccompRule::new(vec![is_not(0, 0)?])?]);
    }
    for &call in ON_ITSELF_SECOND {
        let of_others = [is_not(1, 0)?, is_not(0, u64::from(libc::PRIO_PROCESS))?];
        let of_others = of_others.map(|condition| SeccompRule::new(vec![condition]));
        rules.insert(call, of_others.into_iter().collect::<Result<_, _>>()?);
    }
    let namespaces = (0..32).filter(|bit| NEW_NAMESPACES >> bit & 1 == 1);
    let new = namespaces.map(|bit| SeccompRule::new(vec![has(0, 1 << bit)?]));
    rules.insert(libc::SYS_clone, new.collect::<Result<_, _>>()?);
    rules.insert(libc::SYS_socket, sockets(plan.port.is_some())?);
    // A connection that begins with the first message is one that Landlock does not see.
    for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        rules.insert(call, vec![SeccompRule::new(vec![has(flags, libc::MSG_FASTOPEN as u64)?])?]);
    }
    let short = rules.iter().map(|(call, rules)| (call | X32, rules.clone())).collect::<Vec<_>>();
    if cfg!(target_arch = "x86_64") {
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
    let kinds =
        kinds.into_iter().map(|kind| SeccompRule::new(vec![masked(1, SOCKET_KIND, kind as u64)?]));
    // Others than TCP are stream sockets too, and Landlock does not know them.
    let other_protocol =
        SeccompRule::new(vec![is_not(2, 0)?, is_not(2, libc::IPPROTO_TCP as u64)?])?;
    kinds.chain([Ok(other_family), Ok(other_protocol)]).collect()
}

fn is_not(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
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
