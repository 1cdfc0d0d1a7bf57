//! The tools that the steps need beyond Rust itself, and how a machine gets them.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::suite::Selection;

/// A program that must be there. A new one is one line in [`TOOLS`].
struct Tool {
    /// A command that succeeds exactly when the tool is there.
    probe: &'static [&'static str],
    needed_for: &'static str,
    /// The step or the chore that uses it.
    step: &'static str,
    from: &'static Manager,
    package: &'static str,
}

/// Something that installs packages.
struct Manager {
    /// A command that succeeds exactly when this manager can be used here.
    probe: &'static [&'static str],
    /// Run once, before the first package; empty if there is nothing to do.
    refresh: &'static [&'static str],
    /// The package's name is put behind it.
    install: &'static [&'static str],
    needs_root: bool,
}

const APT: Manager = Manager {
    probe: &["apt-get", "--version"],
    refresh: &["apt-get", "update", "--quiet"],
    install: &["apt-get", "install", "--yes", "--quiet", "--no-install-recommends"],
    needs_root: true,
};

const RUSTUP: Manager = Manager {
    probe: &["rustup", "--version"],
    refresh: &[],
    install: &["rustup", "component", "add"],
    needs_root: false,
};

const TOOLS: &[Tool] = &[
    Tool {
        probe: &["cargo", "fmt", "--version"],
        needed_for: "the format of the sources",
        step: "fmt",
        from: &RUSTUP,
        package: "rustfmt",
    },
    Tool {
        probe: &["cargo", "clippy", "--version"],
        needed_for: "lints",
        step: "clippy",
        from: &RUSTUP,
        package: "clippy",
    },
    Tool {
        probe: &["valgrind", "--version"],
        needed_for: "the count of instructions",
        step: "bench",
        from: &APT,
        package: "valgrind",
    },
    Tool {
        // Debian keeps the server's programs out of the search path.
        probe: &["sh", "-c", "command -v initdb || ls /usr/lib/postgresql/*/bin/initdb"],
        needed_for: "the tests of stores on a server",
        step: "test",
        from: &APT,
        package: "postgresql",
    },
    Tool {
        probe: &["g++", "--version"],
        needed_for: "the bots in C++ that the tests play",
        step: "test",
        from: &APT,
        package: "g++",
    },
    Tool {
        probe: &["go", "version"],
        needed_for: "the bots in Go that the tests play",
        step: "test",
        from: &APT,
        package: "golang-go",
    },
    Tool {
        probe: &["javac", "-version"],
        needed_for: "the bots in Java that the tests play",
        step: "test",
        from: &APT,
        package: "default-jdk-headless",
    },
    Tool {
        probe: &["mcs", "--version"],
        needed_for: "the bots in C# that the tests play",
        step: "test",
        from: &APT,
        package: "mono-mcs",
    },
    Tool {
        probe: &["mono", "--version"],
        needed_for: "the same",
        step: "test",
        from: &APT,
        package: "mono-runtime",
    },
    Tool {
        probe: &["node", "--version"],
        needed_for: "the bots in JavaScript that the tests play",
        step: "test",
        from: &APT,
        package: "nodejs",
    },
    Tool {
        probe: &["python3", "--version"],
        needed_for: "the bots in Python that the tests play",
        step: "test",
        from: &APT,
        package: "python3",
    },
    Tool {
        probe: &["chromium", "--version"],
        needed_for: "the pages in a browser",
        step: "browser",
        from: &APT,
        package: "chromium",
    },
    Tool {
        probe: &["npm", "--version"],
        needed_for: "what drives the browser",
        step: "browser",
        from: &APT,
        package: "npm",
    },
    Tool {
        // Debian keeps it apart from Python.
        probe: &["python3", "-c", "import ensurepip, venv"],
        needed_for: "what asks the API",
        step: "api",
        from: &APT,
        package: "python3-venv",
    },
];

/// The same for chores that are no steps of the tests.
const TOOLS_OF_CHORES: &[Tool] = &[
    Tool {
        probe: &["qemu-system-x86_64", "--version"],
        needed_for: "virtual machines",
        step: "vm",
        from: &APT,
        package: "qemu-system-x86",
    },
    Tool {
        // It has to run where no library is.
        probe: &["sh", "-c", "! ldd /bin/busybox"],
        needed_for: "the first program of a virtual machine",
        step: "vm",
        from: &APT,
        package: "busybox-static",
    },
    Tool {
        probe: &["mkfs.ext4", "-V"],
        needed_for: "the disk of a virtual machine",
        step: "vm",
        from: &APT,
        package: "e2fsprogs",
    },
];

/// Installs what is missing for the selected steps, or for all if none but this one is selected.
pub(crate) fn set_up(selection: &Selection) -> Result<()> {
    let is_used = |tool: &&Tool| selection.has(tool.step) || selection.is_setup_alone();
    let tools = TOOLS.iter().filter(is_used);
    install_missing(tools, &Machine { succeeds: &probe, run: &run, is_root: is_root()? })
}

/// Installs what is missing for a chore that is no step of the tests.
pub(crate) fn set_up_for(chore: &str) -> Result<()> {
    let tools = TOOLS_OF_CHORES.iter().filter(|tool| tool.step == chore);
    install_missing(tools, &Machine { succeeds: &probe, run: &run, is_root: is_root()? })
}

/// What installing needs to know and do, so that tests can pretend.
struct Machine<'a> {
    succeeds: &'a dyn Fn(&[&str]) -> bool,
    run: &'a dyn Fn(&[&str]) -> Result<()>,
    is_root: bool,
}

fn install_missing<'a>(
    tools: impl IntoIterator<Item = &'a Tool>,
    machine: &Machine<'_>,
) -> Result<()> {
    let mut refreshed: Vec<&[&str]> = Vec::new();
    for tool in tools {
        if (machine.succeeds)(tool.probe) {
            println!("{}: there", tool.package);
            continue;
        }
        let manager = tool.from;
        let command = [manager.install, &[tool.package]].concat();
        let instruction = format!(
            "{} is missing, needed for {}; install it with `{}` or by what your system has for it",
            tool.package,
            tool.needed_for,
            command.join(" "),
        );
        if manager.needs_root && !machine.is_root {
            bail!("{instruction} (tried to do so, but only root can)");
        }
        if !(machine.succeeds)(manager.probe) {
            bail!("{instruction} (tried to do so, but {} is not here)", manager.probe[0]);
        }
        println!("{}: installing", tool.package);
        if !manager.refresh.is_empty() && !refreshed.contains(&manager.refresh) {
            (machine.run)(manager.refresh).with_context(|| instruction.clone())?;
            refreshed.push(manager.refresh);
        }
        (machine.run)(&command).with_context(|| instruction.clone())?;
        if !(machine.succeeds)(tool.probe) {
            bail!("{instruction} (installed, but `{}` still fails)", tool.probe.join(" "));
        }
    }
    Ok(())
}

fn probe(words: &[&str]) -> bool {
    let status = command(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let line = words.join(" ");
    let status = command(words).status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` ended with {status}");
    }
    Ok(())
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    // Nobody is there to answer questions.
    command.args(&words[1..]).stdin(Stdio::null()).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn is_root() -> Result<bool> {
    let output = Command::new("id").arg("-u").output().context("cannot start `id -u`")?;
    Ok(output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    const SAMPLE: &[Tool] = &[
        Tool { probe: &["alpha"], needed_for: "tests", step: "test", from: &APT, package: "alpha" },
        Tool {
            probe: &["beta"],
            needed_for: "pictures",
            step: "test",
            from: &APT,
            package: "beta-tools",
        },
    ];

    /// Installs the sample on a machine with these programs. Gives the commands that were run.
    fn try_on(there: &[&str], is_root: bool) -> (Vec<String>, Result<()>) {
        let log = RefCell::new(Vec::new());
        let succeeds = |words: &[&str]| {
            let installed = format!("{} {}", APT.install.join(" "), words[0]);
            let log = log.borrow();
            there.contains(&words[0])
                || log.iter().any(|line: &String| line.starts_with(&installed))
        };
        let run = |words: &[&str]| {
            log.borrow_mut().push(words.join(" "));
            Ok(())
        };
        let result = install_missing(SAMPLE, &Machine { succeeds: &succeeds, run: &run, is_root });
        (log.into_inner(), result)
    }

    #[test]
    fn nothing_is_done_where_all_is_there() {
        let (log, result) = try_on(&["alpha", "beta"], false);
        result.unwrap();
        assert_eq!(log, [""; 0]);
    }

    #[test]
    fn the_package_lists_are_fetched_once() {
        let (log, result) = try_on(&["apt-get"], true);
        result.unwrap();
        let install = APT.install.join(" ");
        let expected =
            [APT.refresh.join(" "), format!("{install} alpha"), format!("{install} beta-tools")];
        assert_eq!(log, expected);
    }

    #[test]
    fn a_user_is_told_what_to_install() {
        let (log, result) = try_on(&["apt-get", "alpha"], false);
        assert_eq!(log, [""; 0]);
        let message = result.unwrap_err().to_string();
        assert!(message.starts_with("beta-tools is missing, needed for pictures; "), "{message}");
        assert!(message.contains(&format!("`{} beta-tools`", APT.install.join(" "))), "{message}");
        assert!(message.ends_with("(tried to do so, but only root can)"), "{message}");
    }

    #[test]
    fn a_machine_without_the_manager_is_told_too() {
        let message = try_on(&["beta"], true).1.unwrap_err().to_string();
        assert!(message.ends_with("(tried to do so, but apt-get is not here)"), "{message}");
    }
}
