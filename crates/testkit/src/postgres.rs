//! A PostgreSQL server for tests, in a folder of its own, gone when the tests are.

use std::fs;
use std::io::{self, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::SelfSigned;

const USER: &str = "quintain";
const PASSWORD: &str = "not:a@secret";

/// The same as it stands in an address.
const PASSWORD_IN_URL: &str = "not%3Aa%40secret";

/// Its files for TLS, in its folder.
const CERTIFICATE: &str = "server.pem";
const KEY: &str = "server.key";

const START_TIME_MAX: Duration = Duration::from_secs(60);
const START_ATTEMPTS: u32 = 3;

/// Runs the server until the test process is gone, in whatever way: then its end of the pipe on
/// standard input closes. A server that ends before is started again. Signals that are meant for the tests are no reason to leave it running.
const KEEPER: &str = r#"
    trap '' INT TERM HUP
    folder="$1"; shift
    serve() {
        while [ ! -e "$folder/end" ]; do
            "$@" >> "$folder/log" 2>&1
            sleep 0.1
        done
    }
    serve "$@" &
    serving=$!
    read -r _
    : > "$folder/end"
    kill -INT "$(head -n 1 "$folder/data/postmaster.pid")"
    wait "$serving"
    rm -rf "$folder"
"#;

/// A running server. Every test takes a database of its own.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    /// Closing it ends the server.
    _keeper: ChildStdin,
}

impl Postgres {
    /// The server of this test process, started at the first call. `None` where there is none to be
    /// had, which is said on standard error.
    ///
    /// # Panics
    ///
    /// In CI (`CI=true`), where a test that is left out would go unnoticed.
    pub fn shared() -> Option<&'static Postgres> {
        static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
        SERVER.get_or_init(Postgres::alone).as_ref()
    }

    /// A server that no other test uses, so that it can be killed.
    ///
    /// # Panics
    ///
    /// As [`Postgres::shared`].
    pub fn alone() -> Option<Postgres> {
        match Postgres::start() {
            Ok(server) => Some(server),
            Err(reason) => {
                let is_ci = std::env::var("CI").is_ok_and(|value| value == "true" || value == "1");
                assert!(!is_ci, "PostgreSQL cannot be had: {reason}");
                // Straight to the stream: what is printed with macros is hidden if a test passes.
                let notice = format!("\nNOT TESTED on PostgreSQL, it cannot be had: {reason}\n");
                let _ = io::stderr().write_all(notice.as_bytes());
                None
            }
        }
    }

    /// Kills the server without a chance to write anything down, and waits until it has recovered.
    ///
    /// # Panics
    ///
    /// If it does not come back.
    pub fn crash(&self) {
        let before = self.process().expect("it runs");
        let killed = Command::new("kill").args(["-QUIT", &before]).status();
        assert!(killed.is_ok_and(|status| status.success()), "the server is ours");
        let start = Instant::now();
        while self.process().is_none_or(|process| process == before) {
            assert!(start.elapsed() < START_TIME_MAX, "it is not started again");
            thread::sleep(Duration::from_millis(20));
        }
        self.wait_until_ready().expect("it recovers");
    }

    /// The certificate that vouches for this server as `127.0.0.1`.
    pub fn certificate(&self) -> PathBuf {
        self.folder.join(CERTIFICATE)
    }

    /// Its number, as it wrote it down.
    fn process(&self) -> Option<String> {
        let text = fs::read_to_string(self.folder.join("data/postmaster.pid")).ok()?;
        text.lines().next().map(str::to_owned)
    }

    /// The address of a new, empty database.
    ///
    /// # Panics
    ///
    /// If there is one of this name or the server is gone.
    pub fn database(&self, name: &str) -> String {
        self.query("postgres", &format!("CREATE DATABASE \"{name}\""));
        self.url(USER, PASSWORD_IN_URL, name)
    }

    /// The same, without the password in it.
    ///
    /// # Panics
    ///
    /// As [`Postgres::database`].
    pub fn database_without_password(&self, name: &str) -> String {
        self.database(name).replace(&format!(":{PASSWORD_IN_URL}@"), "@")
    }

    /// The password of every database here.
    pub fn password(&self) -> &'static str {
        PASSWORD
    }

    /// An address of this server.
    pub fn url(&self, user: &str, password: &str, database: &str) -> String {
        format!("postgres://{user}:{password}@127.0.0.1:{}/{database}", self.port)
    }

    /// Runs a statement and gives what it prints, bare.
    ///
    /// # Panics
    ///
    /// If it fails.
    pub fn query(&self, database: &str, sql: &str) -> String {
        let mut psql = self.tool("psql");
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--command", sql]);
        psql.arg(database);
        let output = psql.output().expect("psql is beside the server");
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// A program of PostgreSQL that knows how to reach this server.
    pub fn tool(&self, program: &str) -> Command {
        let mut tool = Command::new(self.programs.join(program));
        tool.env("PGHOST", "127.0.0.1").env("PGPORT", self.port.to_string());
        tool.env("PGUSER", USER).env("PGPASSWORD", PASSWORD).stdin(Stdio::null());
        tool
    }

    /// Ends all connections to a database, as a restart of the server does.
    pub fn cut_connections(&self, database: &str) {
        self.query(
            "postgres",
            &format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                 WHERE datname = '{database}'"
            ),
        );
    }

    fn start() -> Result<Postgres, String> {
        let programs = find_programs()?;
        let mut reason = String::new();
        // Another process may take the free port first.
        for _ in 0..START_ATTEMPTS {
            match Postgres::start_in_folder(&programs) {
                Ok(server) => return Ok(server),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    fn start_in_folder(programs: &Path) -> Result<Postgres, String> {
        let text = |error: io::Error| error.to_string();
        let folder = tempfile::Builder::new().prefix("quintain-postgres-").tempdir();
        let folder = folder.map_err(text)?;
        let user = Account::for_server()?;
        user.give(folder.path())?;
        make_cluster(programs, folder.path(), &user)?;
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.map_err(text)?.port();

        let mut server = user.command(&programs.join("postgres"));
        server.extend(["-D".to_owned(), folder.path().join("data").display().to_string()]);
        server.extend(["-p".to_owned(), port.to_string(), "-h".to_owned(), "127.0.0.1".to_owned()]);
        server.extend(["-k".to_owned(), folder.path().display().to_string()]);
        server.extend(encryption(folder.path(), &user)?);
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEPER, "keeper"]).arg(folder.path()).args(&server);
        keeper.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut keeper = keeper.stderr(Stdio::null()).spawn().map_err(text)?;
        // From here on the keeper removes the folder.
        let folder = folder.keep();
        let keeper = keeper.stdin.take().expect("standard input is a pipe");
        let programs = programs.to_owned();
        let server = Postgres { programs, folder: folder.clone(), port, _keeper: keeper };
        match server.wait_until_ready() {
            Ok(()) => Ok(server),
            Err(_) => Err(fs::read_to_string(folder.join("log")).unwrap_or_default()),
        }
    }

    fn wait_until_ready(&self) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < START_TIME_MAX {
            let mut ready = Command::new(self.programs.join("pg_isready"));
            ready.args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-q"]);
            if ready.status().is_ok_and(|status| status.success()) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err("it does not become ready".to_owned())
    }
}

/// Makes a certificate; the words by which a server uses it.
fn encryption(folder: &Path, user: &Account) -> Result<Vec<String>, String> {
    let text = |error: io::Error| error.to_string();
    let SelfSigned { certificate, key } = SelfSigned::new(&["127.0.0.1"]);
    for (name, content) in [(CERTIFICATE, certificate), (KEY, key)] {
        let path = folder.join(name);
        fs::write(&path, content).map_err(text)?;
        // A key that others can read is refused.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).map_err(text)?;
        user.give(&path)?;
    }
    let file = |name: &str| folder.join(name).display().to_string();
    let settings = [
        "ssl=on".to_owned(),
        format!("ssl_cert_file={}", file(CERTIFICATE)),
        format!("ssl_key_file={}", file(KEY)),
    ];
    Ok(settings.into_iter().flat_map(|setting| ["-c".to_owned(), setting]).collect())
}

/// Who runs the server. It refuses to be root.
struct Account(Option<Ids>);

struct Ids {
    user: u32,
    group: u32,
}

impl Account {
    fn for_server() -> Result<Account, String> {
        if ask_id(&["-u"]) != Some(0) {
            return Ok(Account(None));
        }
        let ids = |name| Some(Ids { user: ask_id(&["-u", name])?, group: ask_id(&["-g", name])? });
        match ["postgres", "nobody"].into_iter().find_map(ids) {
            Some(ids) => Ok(Account(Some(ids))),
            None => Err("it refuses to run as root, and there is no other user".to_owned()),
        }
    }

    fn give(&self, path: &Path) -> Result<(), String> {
        let Some(ids) = &self.0 else { return Ok(()) };
        std::os::unix::fs::chown(path, Some(ids.user), Some(ids.group))
            .map_err(|error| format!("cannot give {} away: {error}", path.display()))
    }

    /// The words that run a program as this user.
    fn command(&self, program: &Path) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(ids) = &self.0 {
            words.extend(["setpriv".to_owned(), format!("--reuid={}", ids.user)]);
            words.extend([format!("--regid={}", ids.group), "--clear-groups".to_owned()]);
        }
        words.push(program.display().to_string());
        words
    }
}

fn ask_id(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Debian keeps them out of the search path.
fn find_programs() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    let all = ["initdb", "postgres", "psql", "pg_isready"];
    let has_all = |folder: &PathBuf| all.iter().all(|program| folder.join(program).is_file());
    folders.into_iter().find(has_all).ok_or_else(|| {
        format!("{} are not here; `cargo xtask test --only setup` installs them", all.join(", "))
    })
}

fn make_cluster(programs: &Path, folder: &Path, user: &Account) -> Result<(), String> {
    let password = folder.join("password");
    fs::write(&password, PASSWORD).map_err(|error| error.to_string())?;
    user.give(&password)?;
    let words = user.command(&programs.join("initdb"));
    let mut initdb = Command::new(&words[0]);
    initdb.args(&words[1..]).arg("-D").arg(folder.join("data"));
    initdb.args(["--username", USER, "--auth", "scram-sha-256", "--encoding", "UTF8"]);
    initdb.args(["--locale", "C", "--no-sync", "--pwfile"]).arg(&password);
    let output = initdb.current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot start {}: {error}", words[0]))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("initdb failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
}
