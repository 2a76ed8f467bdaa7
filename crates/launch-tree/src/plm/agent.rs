//! Starts a program on another host: by ssh, or by the command that the user names instead.

use std::ffi::{OsStr, OsString};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use launch_plan::request::Request;
use launch_plan::Error;
use serde::{Deserialize, Serialize};

use super::settings::Settings;

/// The argument that makes the launcher a daemon.
pub const ARGUMENT: &str = "--daemon-of-job";

/// Options of ssh, unless the user gives others: a question that nobody can answer is an error,
/// and so is a host that does not respond.
const SSH_OPTIONS: [&str; 5] = ["-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"];

/// Factor by which the parent may be silent longer than a child: ending a job without need is worse
/// than noticing late that its launcher is gone.
const PATIENCE_WITH_PARENT: u32 = 2;

/// How daemons are started and watched, alike on all hosts of a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Agent {
    /// The program and its arguments before the host's name; not empty.
    pub command: Vec<String>,
    /// The launcher's own file on other hosts.
    pub program: String,
    /// How long a daemon may take from its start to its first message.
    pub patience: Duration,
    /// How long a host may be silent before it is given up.
    pub silence: Duration,
}

impl Agent {
    /// Returns how daemons are started on other hosts, as the user's options and the launcher's
    /// parameters say; an agent without a slash is sought on `path`.
    ///
    /// # Errors
    /// When there are no parameters that name an agent.
    pub fn chosen(
        request: &Request,
        settings: Option<&Settings>,
        path: Option<&OsString>,
    ) -> Result<Agent, Error> {
        let missing = || Error::Parameters("no launch agent configured (plm_rsh_agent)".into());
        let settings = settings.ok_or_else(missing)?;
        let own =
            std::env::current_exe().map_err(Error::system("finding the launcher's own file"))?;
        let mut command = choose(&settings.agent, path.map(OsString::as_os_str));
        let arguments = settings.agent_arguments.split_whitespace();
        command.extend(arguments.map(String::from));
        Ok(Agent {
            command,
            program: program_on_hosts(request, &own),
            patience: settings.patience,
            silence: settings.silence(),
        })
    }

    /// Returns how daemons are started beside this process, with its own file whatever has become
    /// of that.
    pub fn beside(settings: &Settings) -> Agent {
        let own = format!("/proc/{}/exe", std::process::id());
        Agent {
            // Of what follows, the host's name is the shell's argument 0.
            command: ["/bin/sh", "-c", "eval \"$1\""].map(String::from).to_vec(),
            program: own,
            patience: settings.patience,
            silence: settings.silence(),
        }
    }

    /// How long the parent of a daemon may be silent before it counts as gone.
    pub(crate) fn silence_of_parent(&self) -> Duration {
        self.silence.saturating_mul(PATIENCE_WITH_PARENT)
    }

    /// The command that starts a daemon on `host`.
    pub(crate) fn command_for(&self, host: &str) -> Command {
        let (program, arguments) = self
            .command
            .split_first()
            .expect("checked where it is made");
        let mut command = Command::new(program);
        command.args(arguments);
        if self.is_ssh() {
            command.args(SSH_OPTIONS).arg("--");
        }
        command.arg(host);
        command.arg(format!("exec {} {ARGUMENT}", quoted(&self.program)));
        command
    }

    /// Returns the name by which the user knows it.
    pub(crate) fn name(&self) -> &str {
        &self.command[0]
    }

    pub(crate) fn is_ssh(&self) -> bool {
        Path::new(&self.command[0]).file_name() == Some(OsStr::new("ssh"))
    }
}

/// Returns the launcher's file on other hosts: the one that the user has given, or else the path of
/// this one.
fn program_on_hosts(request: &Request, own: &Path) -> String {
    let of_prefix = |prefix: &String| format!("{prefix}/bin/mpirun");
    let said = request.launch_agent.clone();
    let said = said.or_else(|| request.prefix.as_ref().map(of_prefix));
    said.unwrap_or_else(|| own.to_string_lossy().into_owned())
}

/// A word that any shell takes as one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%=,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Chooses among agents as in `ssh -p 22 : rsh`: the first whose program is on `path`, as words;
/// the first of all when no program is, so that its name can be reported.
fn choose(text: &str, path: Option<&OsStr>) -> Vec<String> {
    let agents: Vec<Vec<String>> = text
        .split(" : ")
        .map(|agent| agent.split_whitespace().map(String::from).collect())
        .filter(|words: &Vec<String>| !words.is_empty())
        .collect();
    let is_there = |words: &&Vec<String>| {
        let program = &words[0];
        program.contains('/')
            || path.is_some_and(|path| {
                std::env::split_paths(path).any(|place| place.join(program).is_file())
            })
    };
    let chosen = agents.iter().find(is_there).or(agents.first());
    chosen.cloned().unwrap_or_else(|| vec!["ssh".to_string()])
}

/// How long a name may take to be looked up. One that takes longer is another host's, which ssh
/// will look up again: no start of a job should wait for a name server that is away.
const LOOK_UP: Duration = Duration::from_millis(500);

/// Whether a name or address of a host leads to this machine. A name that cannot be resolved may
/// still be known to ssh, and is another host's.
pub fn leads_here(name: &str) -> bool {
    let addresses = match name.parse::<IpAddr>() {
        Ok(address) => vec![SocketAddr::new(address, 0)],
        Err(_) => look_up(name),
    };
    // The system lets a socket have only addresses of this machine.
    let is_own = |address: &SocketAddr| UdpSocket::bind(address).is_ok();
    !addresses.is_empty() && addresses.iter().all(is_own)
}

/// The addresses of a name; none where it has none, or they do not come in time.
fn look_up(name: &str) -> Vec<SocketAddr> {
    let (found, result) = mpsc::channel();
    let name = name.to_string();
    // The system's look-up cannot be cancelled. A thread that comes too late notifies nobody.
    let thread = std::thread::Builder::new().spawn(move || {
        let addresses = (&name[..], 0).to_socket_addrs();
        found.send(addresses.map(Iterator::collect).unwrap_or_default())
    });
    match thread {
        Ok(_) => result.recv_timeout(LOOK_UP).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(command: &[&str]) -> Agent {
        Agent {
            command: command.iter().map(|word| word.to_string()).collect(),
            program: "/opt/my mpi/bin/mpirun".to_string(),
            patience: Duration::from_secs(60),
            silence: Duration::from_secs(5),
        }
    }

    fn words(command: &Command) -> Vec<String> {
        let text = |word: &OsStr| word.to_string_lossy().into_owned();
        let program = [text(command.get_program())];
        program
            .into_iter()
            .chain(command.get_args().map(text))
            .collect()
    }

    #[test]
    fn the_parent_has_twice_the_time_however_long_that_is() {
        let mut agent = agent(&["ssh"]);
        assert_eq!(agent.silence_of_parent(), Duration::from_secs(10));
        agent.silence = Duration::MAX;
        assert_eq!(agent.silence_of_parent(), Duration::MAX);
    }

    #[test]
    fn ssh_asks_nothing_and_the_users_options_come_first() {
        let command = agent(&["/usr/bin/ssh", "-o", "ConnectTimeout=1"]).command_for("n02");
        let expected = "/usr/bin/ssh -o ConnectTimeout=1 -x -o BatchMode=yes -o ConnectTimeout=10 \
                        -- n02 exec '/opt/my mpi/bin/mpirun' --daemon-of-job";
        assert_eq!(words(&command).join(" "), expected);
        let other = agent(&["./kubexec.sh"]).command_for("pod-1");
        assert_eq!(
            words(&other),
            [
                "./kubexec.sh",
                "pod-1",
                "exec '/opt/my mpi/bin/mpirun' --daemon-of-job"
            ]
        );
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("/usr/bin/mpirun"), "/usr/bin/mpirun");
        assert_eq!(quoted("/a b'c"), r"'/a b'\''c'");
        assert_eq!(quoted("/a;b"), "'/a;b'");
    }

    #[test]
    fn the_first_agent_that_is_there() {
        let path = Some(OsStr::new("/usr/bin:/bin"));
        assert_eq!(choose("no-such-agent : sh -x", path), ["sh", "-x"]);
        assert_eq!(choose("no-such-agent : nor-this", path), ["no-such-agent"]);
        assert_eq!(choose("/my/agent a", path), ["/my/agent", "a"]);
        assert_eq!(choose(" ", path), ["ssh"]);
    }

    #[test]
    fn addresses_of_this_machine_lead_here() {
        for (name, here) in [
            ("127.0.0.1", true),
            ("127.9.9.9", true),
            ("192.0.2.1", false),
            ("::1", true),
            ("2001:db8::1", false),
            ("localhost", true),
        ] {
            assert_eq!(leads_here(name), here, "{name}");
        }
    }
}
