//! Makes the commands that start daemons on other hosts.

use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use launch_plan::request::Request;
use launch_plan::Error;
use mca::{Choice, Verdict};
use serde::{Deserialize, Serialize};

use super::call::{Invitation, HOST_ARGUMENT, SECRET_VARIABLE};
use super::choice::NOT_SET;
use super::settings::Settings;
use super::start::{Batch, Start};

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
    /// The means by which they are started.
    pub start: Start,
    /// Why a batch system does not start them whose job this is, in parentheses behind a space; for
    /// reports of failures. Empty where there is nothing to say.
    pub passed_over: String,
    /// The launcher's own file on other hosts.
    pub program: String,
    /// How long a daemon may take from its start to its first message.
    pub patience: Duration,
    /// How long a host may be silent before it is given up.
    pub silence: Duration,
}

/// A command that starts daemons.
pub(crate) struct Starting {
    /// Where those run that it starts.
    pub(crate) vertices: Vec<u32>,
    /// The command.
    pub(crate) command: Command,
}

impl Agent {
    /// Returns how daemons are started on other hosts: by the means that was chosen so, as the
    /// user's options and the launcher's parameters say.
    ///
    /// # Errors
    /// When the launcher's own file cannot be found.
    pub fn new(
        (start, choice): (Start, &Choice),
        request: &Request,
        settings: &Settings,
    ) -> Result<Agent, Error> {
        let own =
            std::env::current_exe().map_err(Error::system("finding the launcher's own file"))?;
        Ok(Agent {
            passed_over: match &start {
                Start::Shell(_) => passed_over(choice),
                Start::Batch(_) => String::new(),
            },
            start,
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
            start: Start::Shell(["/bin/sh", "-c", "eval \"$1\""].map(String::from).to_vec()),
            passed_over: String::new(),
            program: own,
            patience: settings.patience,
            silence: settings.silence(),
        }
    }

    /// Whether bytes from elsewhere are an agent.
    pub(crate) fn is_whole(&self) -> bool {
        match &self.start {
            Start::Shell(command) => !command.is_empty(),
            Start::Batch(_) => true,
        }
    }

    /// How long the parent of a daemon may be silent before it counts as gone.
    pub(crate) fn silence_of_parent(&self) -> Duration {
        self.silence.saturating_mul(PATIENCE_WITH_PARENT)
    }

    /// Whether daemons connect to the vertex above, instead of speaking on their streams.
    pub(crate) fn calls(&self) -> bool {
        !matches!(self.start, Start::Shell(_))
    }

    /// Whether a signal to a daemon comes from a batch system that sends it to all processes below
    /// the daemon as well: Slurm signals all that runs in a step.
    pub(crate) fn signals_ranks(&self) -> bool {
        matches!(&self.start, Start::Batch(by) if by.batch == Batch::Slurm)
    }

    /// Whether the ranks of the launcher's own host are those of a daemon there, not its own.
    pub fn starts_here(&self) -> bool {
        matches!(&self.start, Start::Batch(by) if by.starts_here)
    }

    /// Whether the launcher starts the daemons of all hosts itself.
    pub fn starts_all(&self) -> bool {
        matches!(&self.start, Start::Batch(by) if by.batch == Batch::Pals)
    }

    /// The commands that start a daemon on each of the `hosts`, which are vertices with the names
    /// that the user has for them. Those that call need an `invitation`.
    pub(crate) fn commands(
        &self,
        hosts: &[(u32, &str)],
        invitation: Option<&Invitation>,
    ) -> Vec<Starting> {
        match &self.start {
            Start::Shell(words) => {
                let one = |&(vertex, host): &(u32, &str)| Starting {
                    vertices: vec![vertex],
                    command: self.shell(words, host),
                };
                hosts.iter().map(one).collect()
            }
            Start::Batch(by) => {
                let host = |&(vertex, account)| (vertex, host_of(account));
                let hosts: Vec<(u32, &str)> = hosts.iter().map(host).collect();
                let one = |group: Vec<(u32, &str)>| {
                    let (vertices, names): (_, Vec<&str>) = group.into_iter().unzip();
                    let mut command = by.command(&names);
                    let host = names.first().filter(|_| by.is_of_one_host());
                    self.add_daemon(&mut command, invitation, host.copied());
                    Starting { vertices, command }
                };
                by.groups(&hosts).into_iter().map(one).collect()
            }
        }
    }

    /// The remote shell with its arguments for `host`.
    fn shell(&self, words: &[String], host: &str) -> Command {
        let (program, arguments) = words.split_first().expect("checked where it is made");
        let mut command = Command::new(program);
        command.args(arguments);
        if is_ssh(program) {
            command.args(SSH_OPTIONS).arg("--");
        }
        command.arg(host);
        command.arg(format!("exec {} {ARGUMENT}", quoted(&self.program)));
        command
    }

    /// Adds the daemon that a command starts. One for a certain host says so when it calls; others
    /// find out where they are.
    fn add_daemon(&self, command: &mut Command, called: Option<&Invitation>, host: Option<&str>) {
        command.arg(&self.program).arg(ARGUMENT);
        if let Some(invitation) = called {
            command.arg(invitation.addresses());
            command.env(SECRET_VARIABLE, invitation.secret());
        }
        if let Some(host) = host {
            command.arg(format!("{HOST_ARGUMENT}{host}"));
        }
    }

    /// Returns the name by which the user knows it.
    pub(crate) fn name(&self) -> &str {
        match &self.start {
            Start::Shell(words) => &words[0],
            Start::Batch(by) if by.batch == Batch::Tm => "tm_spawn of the batch system",
            Start::Batch(by) => &by.program,
        }
    }
}

fn is_ssh(program: &str) -> bool {
    Path::new(program).file_name() == Some(OsStr::new("ssh"))
}

/// The host of an account, as `user@host`.
pub(crate) fn host_of(account: &str) -> &str {
    account.rsplit_once('@').map_or(account, |(_, host)| host)
}

/// Returns the launcher's file on other hosts: the one that the user has given, or else the path of
/// this one.
fn program_on_hosts(request: &Request, own: &Path) -> String {
    let of_prefix = |prefix: &String| format!("{prefix}/bin/mpirun");
    let said = request.launch_agent.clone();
    let said = said.or_else(|| request.prefix.as_ref().map(of_prefix));
    said.unwrap_or_else(|| own.to_string_lossy().into_owned())
}

/// Returns what a user has to know of a choice that is no batch system's although a job of one is
/// there.
fn passed_over(choice: &Choice) -> String {
    let declined = choice
        .considered
        .iter()
        .filter_map(|(name, verdict)| match verdict {
            Verdict::Declined(why) if !why.ends_with(NOT_SET) => Some(format!("{name}: {why}")),
            _ => None,
        });
    let reasons: Vec<String> = declined.collect();
    match reasons.is_empty() {
        true => String::new(),
        false => format!(" ({})", reasons.join("; ")),
    }
}

/// A word that any shell takes as one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%=,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
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
    use bootstrap::Secret;

    use crate::plm::ByBatch;

    use super::*;

    fn agent(command: &[&str]) -> Agent {
        Agent {
            start: Start::Shell(command.iter().map(|word| word.to_string()).collect()),
            passed_over: String::new(),
            program: "/opt/my mpi/bin/mpirun".to_string(),
            patience: Duration::from_secs(60),
            silence: Duration::from_secs(5),
        }
    }

    fn batch(batch: Batch, program: &str) -> Agent {
        Agent {
            start: Start::Batch(ByBatch {
                batch,
                program: program.to_string(),
                arguments: Vec::new(),
                nodes: ["n1", "n1", "n2.x"].map(String::from).to_vec(),
                starts_here: false,
            }),
            program: "/o/mpirun".to_string(),
            ..agent(&["x"])
        }
    }

    /// Returns the lines of the commands for these hosts, each behind its vertices.
    fn lines(agent: &Agent, hosts: &[(u32, &str)]) -> Vec<String> {
        let called = Invitation::new(&["10.0.0.1:7".parse().unwrap()], Secret([1; 32]));
        let of = agent.commands(hosts, agent.calls().then_some(&called));
        let line = |one: &Starting| format!("{:?} {}", one.vertices, words(&one.command).join(" "));
        of.iter().map(line).collect()
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
        let agent_of = agent(&["/usr/bin/ssh", "-o", "ConnectTimeout=1"]);
        let expected = "[3] /usr/bin/ssh -o ConnectTimeout=1 -x -o BatchMode=yes \
                        -o ConnectTimeout=10 -- n02 exec '/opt/my mpi/bin/mpirun' --daemon-of-job";
        assert_eq!(lines(&agent_of, &[(3, "n02")]), [expected]);
        let other = agent(&["./kubexec.sh"]).commands(&[(1, "pod-1")], None);
        assert_eq!(
            words(&other[0].command),
            [
                "./kubexec.sh",
                "pod-1",
                "exec '/opt/my mpi/bin/mpirun' --daemon-of-job"
            ]
        );
    }

    #[test]
    fn srun_starts_the_daemons_of_all_hosts_at_once() {
        let hosts = [(1, "n1"), (2, "me@n2")];
        assert_eq!(
            lines(&batch(Batch::Slurm, "/usr/bin/srun"), &hosts),
            [
                "[1, 2] /usr/bin/srun --nodes=2 --ntasks=2 --ntasks-per-node=1 --nodelist=n1,n2 \
              --mpi=none --kill-on-bad-exit=1 --export=ALL --input=none --job-name=oxmpi \
              /o/mpirun --daemon-of-job 10.0.0.1:7"
            ]
        );
    }

    #[test]
    fn systems_that_go_by_numbers_get_those_of_the_hosts() {
        let hosts = [(1, "n2"), (2, "me@n1"), (3, "n9")];
        let daemon = "/o/mpirun --daemon-of-job 10.0.0.1:7";
        assert_eq!(
            lines(&batch(Batch::Tm, "/own"), &hosts),
            [format!(
                "[1, 2, 3] /own --start-by-tm 2=n2,0=n1,3=n9 {daemon}"
            )]
        );
        assert_eq!(
            lines(&batch(Batch::Flux, "/bin/flux"), &hosts),
            [format!(
                "[1, 2, 3] /bin/flux exec --noinput --rank=2,0,3 {daemon}"
            )]
        );
    }

    #[test]
    fn aprun_starts_the_daemons_of_all_hosts_at_once() {
        let hosts = [(1, "n1"), (2, "n2")];
        let expected = "[1, 2] aprun -n 2 -N 1 --cc none -L n1,n2 \
                        /o/mpirun --daemon-of-job 10.0.0.1:7";
        assert_eq!(lines(&batch(Batch::Pals, "aprun"), &hosts), [expected]);
    }

    #[test]
    fn other_systems_start_the_daemon_of_one_host_by_a_command() {
        let hosts = [(1, "n1"), (2, "n2")];
        assert_eq!(
            lines(&batch(Batch::Lsf, "blaunch"), &hosts),
            [
                "[1] blaunch n1 /o/mpirun --daemon-of-job 10.0.0.1:7 host=n1",
                "[2] blaunch n2 /o/mpirun --daemon-of-job 10.0.0.1:7 host=n2",
            ]
        );
        assert_eq!(
            lines(&batch(Batch::GridEngine, "qrsh"), &hosts[..1]),
            ["[1] qrsh -inherit -nostdin -V n1 /o/mpirun --daemon-of-job 10.0.0.1:7 host=n1"]
        );
    }

    #[test]
    fn the_secret_is_in_no_command_line() {
        let called = Invitation::new(&["10.0.0.1:7".parse().unwrap()], Secret([1; 32]));
        for of in [
            Batch::Flux,
            Batch::Slurm,
            Batch::Pals,
            Batch::Tm,
            Batch::Lsf,
        ] {
            let starting = &batch(of, "x").commands(&[(1, "n1")], Some(&called))[0];
            let secret = called.secret();
            assert!(!words(&starting.command).join(" ").contains(&secret));
            let mut variables = starting.command.get_envs();
            assert!(variables.any(|(_, value)| value == Some(OsStr::new(&secret))));
        }
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("/usr/bin/mpirun"), "/usr/bin/mpirun");
        assert_eq!(quoted("/a b'c"), r"'/a b'\''c'");
        assert_eq!(quoted("/a;b"), "'/a;b'");
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
