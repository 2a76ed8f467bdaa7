//! Published names: within a job, at a name server, and name servers that are not there.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::super::programs;
use super::jobs::{source, together};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::Job;

/// How long a server may take to start and to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Checks names; `two_jobs` is the program of two jobs that find each other.
pub fn run(world: &World, two_jobs: &Path, tally: &mut Tally) -> Result<(), String> {
    let program = source(world, "names")?;
    for (name, options) in [("sm", &[][..]), ("tcp", programs::TCP)] {
        let job = programs::mpirun(world, 3, options).arg(&program);
        let answer = job.arg("a name % of a test").ok().map(drop);
        tally.count(&format!("names of a job, {name}"), answer);
    }
    tally.count("a name server", with_server(world, &program, two_jobs));
    tally.count("a crowd at a name server", with_crowd(world, &program));
    tally.count("a name server that is not there", missing(world, &program));
    tally.count("files that are not trusted", untrusted(world, &program));
    for (server, named) in BAD_SERVERS {
        tally.count(
            &format!("--name-server {server}"),
            refused(world, server, named),
        );
    }
    Ok(())
}

/// Name servers that make no sense, and what the error names.
const BAD_SERVERS: &[(&str, &str)] = &[
    ("no-such-host.invalid:1", "no-such-host.invalid"),
    ("oxmpi:garbage#00", "oxmpi:garbage"),
    ("a b", "`a b`"),
    ("localhost:moon", "localhost:moon"),
    ("file:", "without a path"),
];

fn refused(world: &World, server: &str, named: &str) -> Result<(), String> {
    let home = home_with_key("bad")?;
    let outcome = programs::mpirun(world, 1, &["--name-server", server])
        .arg("true")
        .env("HOME", &home)
        .run()?;
    let lines = outcome.err.lines().count();
    match outcome.code != 0 && lines == 1 && outcome.err.contains(named) {
        true => outcome.none_left(),
        false => Err(format!("{} ({lines} lines)", outcome.reason())),
    }
}

/// A folder in the place of the user's home, with a key, so that a host and a port are enough.
fn home_with_key(name: &str) -> Result<PathBuf, String> {
    let home = home(name)?;
    fsio::make_folder(&home.join(".oxmpi"))?;
    write(&home.join(".oxmpi/name-server.key"), &"0".repeat(64), 0o600)?;
    Ok(home)
}

fn write(path: &Path, text: &str, mode: u32) -> Result<(), String> {
    fsio::write(path, text)?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    fs::set_permissions(path, mode).map_err(|error| error.to_string())
}

/// A job starts without a server, with a warning; what needs the server fails with the reason.
fn missing(world: &World, names: &Path) -> Result<(), String> {
    let home = home_with_key("missing")?;
    let job = programs::mpirun(world, 1, &["--name-server", "localhost:1"]).env("HOME", &home);
    let outcome = job.clone().arg("true").ok()?;
    let lines = outcome.err.lines().count();
    if lines != 1 || !outcome.err.contains("warning") || !outcome.err.contains("cannot be reached")
    {
        return Err(format!("{} ({lines} lines)", outcome.reason()));
    }
    let outcome = job.arg(names).arg("a name").run()?;
    match outcome.code != 0 && outcome.err.contains("== MPI_ERR_NAME") {
        true => Ok(()),
        false => Err(outcome.reason()),
    }
}

/// A server's file is not taken as others could have written it, nor as a file of names where its
/// URI is misspelt; and it stays as it is.
fn untrusted(world: &World, names: &Path) -> Result<(), String> {
    let home = home("untrusted")?;
    let running = Running::start(world, &home)?;
    let uri = fs::read_to_string(&running.uri).map_err(|error| error.to_string())?;
    let file = home.join("copy");
    let named = format!("file:{}", file.display());
    for (text, mode, why) in [
        (uri.as_str(), 0o666, "others may read or write it"),
        (&uri[1..], 0o600, "neither the URI of a name server"),
    ] {
        write(&file, text, mode)?;
        let job = programs::mpirun(world, 1, &["--name-server", &named]).arg(names);
        let outcome = job.arg("a name").run()?;
        let is_same = fs::read_to_string(&file).is_ok_and(|now| now == text);
        let shows_key = outcome
            .err
            .contains(uri.trim_end().rsplit('#').next().unwrap_or("#"));
        if outcome.code == 0 || !outcome.err.contains(why) || !is_same || shows_key {
            return Err(format!("{mode:o}: {}", outcome.reason()));
        }
    }
    running.end()
}

/// Connections that say nothing, or a byte, keep nobody out who knows the key.
fn with_crowd(world: &World, names: &Path) -> Result<(), String> {
    const CROWD: usize = 200;
    let home = home("crowd")?;
    let running = Running::start(world, &home)?;
    let uri = fs::read_to_string(&running.uri).map_err(|error| error.to_string())?;
    let port = uri
        .split('#')
        .next()
        .and_then(|part| part.rsplit(':').next());
    let address = format!("localhost:{}", port.unwrap_or_default());
    let mut crowd = Vec::new();
    for at in 0..CROWD {
        let mut stream = TcpStream::connect(&address).map_err(|error| error.to_string())?;
        if at % 2 == 0 {
            stream.write_all(b"O").map_err(|error| error.to_string())?;
        }
        crowd.push(stream);
    }
    let begin = Instant::now();
    let named = format!("file:{}", running.uri.display());
    let job = programs::mpirun(world, 2, &["--name-server", &named]).arg(names);
    let outcome = job.arg("a name").ok()?;
    let took = begin.elapsed();
    match outcome.err.is_empty() && took < PATIENCE / 2 {
        true => running.end(),
        false => Err(format!("{took:?}: {}", outcome.reason())),
    }
}

/// A folder in the place of the user's home.
fn home(name: &str) -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("test/names").join(name);
    let _ = fs::remove_dir_all(&folder);
    fsio::make_folder(&folder)?;
    Ok(folder)
}

/// A name server under way, which is killed should the test fail.
struct Running {
    child: Child,
    uri: PathBuf,
}

impl Running {
    fn start(world: &World, home: &Path) -> Result<Running, String> {
        let uri = home.join("uri");
        let child = Command::new(world.bin("oxmpi-server"))
            .arg("--report-uri")
            .arg(&uri)
            .env("HOME", home)
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("oxmpi-server: {error}"))?;
        let running = Running { child, uri };
        running.until(|running| running.uri.exists(), "has not written its URI")?;
        Ok(running)
    }

    fn until(&self, is_so: impl Fn(&Running) -> bool, otherwise: &str) -> Result<(), String> {
        let by = Instant::now() + PATIENCE;
        while !is_so(self) {
            if Instant::now() >= by {
                return Err(format!("the name server {otherwise}"));
            }
            sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Ends it, which leaves nothing.
    fn end(mut self) -> Result<(), String> {
        Job::new("kill").arg(self.child.id().to_string()).ok()?;
        let status = self.child.wait().map_err(|error| error.to_string())?;
        match status.success() && !self.uri.exists() {
            true => Ok(()),
            false => Err(format!("the name server: {status}, or its file is left")),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Two jobs find each other by a server, named in both ways; names end with their job.
fn with_server(world: &World, names: &Path, two_jobs: &Path) -> Result<(), String> {
    let home = home("server")?;
    let running = Running::start(world, &home)?;
    let uri = fs::read_to_string(&running.uri).map_err(|error| error.to_string())?;
    let address = uri
        .split('#')
        .next()
        .and_then(|part| part.rsplit(':').next());
    let by_port = format!("localhost:{}", address.unwrap_or_default());
    let by_file = format!("file:{}", running.uri.display());
    let mpirun = |server: &str, ranks| {
        let job = programs::mpirun(world, ranks, &["--ompi-server", server]);
        job.env("HOME", &home)
    };
    for _ in 0..2 {
        let sides = [("server", by_file.as_str()), ("client", by_port.as_str())];
        let job = |_: &Path, (side, server): &(&str, &str)| {
            let job = mpirun(server, 2).arg(two_jobs).arg(side);
            job.args(["two jobs", "2", "4000000"])
        };
        together(&sides, job, |_, outcome| match outcome.succeeded() {
            true => Ok(()),
            false => Err(outcome.reason()),
        })?;
    }
    mpirun(&by_port, 2).arg(names).arg("a name").ok()?;
    running.end()
}
