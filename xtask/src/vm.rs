//! A virtual machine with a kernel of Debian, the files of this machine, and control groups of version 2: what the
//! sandbox does there is tried by the same tests.
//!
//! The processor is emulated, so that it runs wherever QEMU does. Nothing that happens there is written here.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::{tools, workspace};

/// The package that names the newest kernel of this Debian.
const NEWEST: &str = "linux-image-amd64";

/// What the kernel is given to find its files, in an order in which each finds what it needs. What a kernel has
/// inside is no module.
const MODULES: [&str; 17] = [
    "virtio_ring",
    "virtio",
    "virtio_pci_modern_dev",
    "virtio_pci_legacy_dev",
    "virtio_pci",
    "virtio_blk",
    "netfs",
    "fscache",
    "9pnet",
    "9pnet_virtio",
    "9p",
    "overlay",
    "crc16",
    "crc32c_generic",
    "mbcache",
    "jbd2",
    "ext4",
];

const INIT: &str = include_str!("vm/init.sh");

/// Begins the last line of a machine. The code of its command follows.
const ENDED: &str = "the command ended with ";

const DISK_BYTES: u64 = 4 << 30;
const MEMORY: &str = "4G";

/// Runs a command in a new virtual machine, or the tests of the sandbox: `[--kernel PACKAGE] [COMMAND...]`.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (package, command) = match words {
        ["--kernel", package, command @ ..] => (Some(*package), command),
        ["--kernel"] => bail!("--kernel needs the name of a package"),
        command => (None, command),
    };
    if std::env::consts::ARCH != "x86_64" {
        bail!("the virtual machine is one of x86-64, and this is {}", std::env::consts::ARCH);
    }
    tools::set_up_for("vm")?;
    let folder = workspace::metadata()?.target_directory.join("vm");
    fs::create_dir_all(&folder)?;
    let kernel = Kernel::get(&folder, package)?;
    let script = match command {
        [] => tests()?,
        words => words.join(" "),
    };
    let root = workspace::root();
    let script = format!("{}cd {}\n{script}\n", environment(), quoted(&root.display().to_string()));
    kernel.boot(&folder, &script)
}

/// A kernel as its package holds it.
struct Kernel {
    folder: PathBuf,
}

impl Kernel {
    /// Fetches the package if it was not fetched before.
    fn get(folder: &Path, package: Option<&str>) -> Result<Kernel> {
        let package = package.map_or_else(newest, |package| Ok(package.to_owned()))?;
        let folder = folder.join(&package);
        if !folder.join("boot").is_dir() {
            fs::create_dir_all(&folder)?;
            println!("{package}: fetching");
            let fetch = "apt-get download --quiet \"$0\" && dpkg-deb --extract *.deb . && rm *.deb";
            let mut shell = Command::new("sh");
            shell.args(["-c", fetch, &package]).current_dir(&folder);
            if !shell.status().context("cannot start sh")?.success() {
                fs::remove_dir_all(&folder)?;
                bail!("the package {package} cannot be fetched");
            }
        }
        Ok(Kernel { folder })
    }

    /// The file in the package whose name begins like this.
    fn find(&self, below: &str, begin: &str) -> Result<Option<PathBuf>> {
        let mut folders = vec![self.folder.join(below)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                match path.is_dir() {
                    true => folders.push(path),
                    false if name.starts_with(begin) => return Ok(Some(path)),
                    false => {}
                }
            }
        }
        Ok(None)
    }

    /// Starts it with the script as its only task, and shows what it says.
    fn boot(&self, folder: &Path, script: &str) -> Result<()> {
        let image = self.find("boot", "vmlinuz-")?.context("the package holds no kernel")?;
        let files = self.first_files(folder, script)?;
        let disk = folder.join("disk");
        File::create(&disk)?.set_len(DISK_BYTES)?;
        let disk = disk.to_str().context("the project lies below a strange name")?;
        tools::run(&["mkfs.ext4", "-q", "-F", disk])?;
        let host =
            "local,path=/,mount_tag=host,security_model=passthrough,readonly=on,multidevs=remap";
        let mut machine = Command::new("qemu-system-x86_64")
            .args(["-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", MEMORY])
            .args(["-display", "none", "-monitor", "none", "-serial", "stdio", "-nic", "none"])
            .args(["-no-reboot", "-append", "console=ttyS0 loglevel=1 panic=-1", "-virtfs", host])
            .arg("-drive")
            .arg(format!("file={disk},if=virtio,format=raw"))
            .arg("-kernel")
            .arg(image)
            .arg("-initrd")
            .arg(files)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start qemu-system-x86_64")?;
        let said = BufReader::new(machine.stdout.take().context("it says nothing")?);
        let mut code = None;
        for line in said.split(b'\n') {
            let line = String::from_utf8_lossy(&line?).trim_end().to_owned();
            println!("{line}");
            code = line.strip_prefix(ENDED).map(str::to_owned).or(code);
        }
        machine.wait()?;
        match code.as_deref() {
            Some("0") => Ok(()),
            Some(code) => bail!("in the virtual machine the command ended with {code}"),
            None => bail!("the virtual machine ended before its command"),
        }
    }

    /// The archive of files that the kernel begins with.
    fn first_files(&self, folder: &Path, script: &str) -> Result<PathBuf> {
        let (files, archive) = (folder.join("files"), folder.join("files.cpio"));
        if files.exists() {
            fs::remove_dir_all(&files)?;
        }
        for name in ["bin", "dev", "host", "machine", "modules", "proc", "written"] {
            fs::create_dir_all(files.join(name))?;
        }
        fs::copy("/bin/busybox", files.join("bin/busybox"))?;
        for (place, name) in MODULES.iter().enumerate() {
            let Some(module) = self.find("lib/modules", &format!("{name}.ko"))? else { continue };
            let to = files.join(format!("modules/{place:02}-{name}.ko"));
            match module.extension().is_some_and(|end| end == "xz") {
                true => unpack(&module, &to)?,
                false => drop(fs::copy(&module, &to)?),
            }
        }
        fs::write(files.join("init"), INIT)?;
        fs::write(files.join("command"), script)?;
        let pack = "chmod +x init && find . | busybox cpio -o -H newc > \"$0\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", pack]).arg(&archive).current_dir(&files).stderr(Stdio::null());
        if !shell.status().context("cannot start sh")?.success() {
            bail!("the first files of the virtual machine cannot be packed");
        }
        Ok(archive)
    }
}

/// The package of the newest kernel.
fn newest() -> Result<String> {
    let output = Command::new("apt-cache").args(["depends", NEWEST]).output();
    let output = output.context("cannot start apt-cache")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut packages = text.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    let found = packages.find(|package| package.starts_with("linux-image-"));
    found.map(str::to_owned).with_context(|| format!("no package {NEWEST}; name one with --kernel"))
}

fn unpack(module: &Path, to: &Path) -> Result<()> {
    let output = Command::new("xz").arg("-dc").arg(module).output().context("cannot start xz")?;
    Ok(fs::write(to, output.stdout)?)
}

/// What programs need to find each other, as it is here.
fn environment() -> String {
    let value = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
    let values = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"].into_iter().filter_map(value);
    values.map(|(name, value)| format!("export {name}={}\n", quoted(&value))).collect()
}

fn quoted(text: &str) -> String {
    format!("'{text}'")
}

/// What cargo says of something that it has built.
#[derive(Deserialize)]
struct Built {
    executable: Option<String>,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// Builds the tests of the sandbox, and gives the commands that run them.
fn tests() -> Result<String> {
    let cli = build(&["test", "--workspace", "--test", "cli", "--no-run"])?;
    let library = build(&["test", "--package", "quintain-sandbox", "--lib", "--no-run"])?;
    build(&["build", "--package", "quintain-testkit", "--bin", "hostile"])?;
    let (program, cli) = (find(&cli, "quintain")?, find(&cli, "cli")?);
    let library = find(&library, "quintain_sandbox")?;
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    Ok(format!(
        "export QUINTAIN_OTHER_KERNEL=1\n\
         uname -sr; {program} doctor; {nobody} {program} doctor\n\
         {library} --nocapture --test-threads 1 && cd crates/cli && \
         {cli} sandbox:: sandbox_hosts:: --nocapture --test-threads 1"
    ))
}

fn build(words: &[&str]) -> Result<Vec<Built>> {
    let output = workspace::cargo()
        .args(words)
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("`cargo {}` ended with {}", words.join(" "), output.status);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The program of a name.
fn find<'a>(built: &'a [Built], name: &str) -> Result<&'a str> {
    let mut found = built.iter().filter_map(|built| {
        let is_it = built.target.as_ref().is_some_and(|target| target.name == name);
        built.executable.as_deref().filter(|_| is_it)
    });
    found.next_back().with_context(|| format!("cargo has not built {name}"))
}
