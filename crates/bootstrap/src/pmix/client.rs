//! The provider over PMIx: the rank's side.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::PeerId;

use super::app::Command;
use super::data::digest;
use super::jobs::Job;
use super::mail::Mail;
use super::sys::{self, Fetched, Library, Session, EVERYBODY};
use crate::blocks::Blocks;
use crate::constants::PMIX_LIBRARY_VARIABLE;
use crate::names::{Answer, Question};
use crate::spawn::{Parent, Program, Spawn, PORT_KEY};
use crate::{
    agree, ancestors, check_entry, check_meeting, Error, Identity, Launcher, Provider, Secret,
    Ticket,
};

/// The protocol's name in errors.
const NAME: &str = "PMIx";

/// How long a value that was not there is left alone before it is queried again.
const AGAIN_AFTER: Duration = Duration::from_millis(2);

/// How long a process waits for others at its end.
const LINGER: Duration = Duration::from_secs(10);

/// For how many seconds a server may search for what a peer put before a fence.
const PATIENCE: i32 = 60;

/// How often the server is asked whether a job that it has started has ended.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// Connects to the server that the environment names.
pub(crate) fn connect(
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Box<dyn Provider>, Error> {
    let space = variable("PMIX_NAMESPACE").unwrap_or_default();
    let named = format!("PMIX_NAMESPACE={space}");
    let rank = variable("PMIX_RANK").unwrap_or_default();
    let marks = [("PMIX_NAMESPACE", &space[..]), ("PMIX_RANK", &rank[..])];
    let is_rank = |process: &Path| ancestors::has_loaded(process, "/libpmix.so");
    if let Some(pid) = ancestors::find_rank(&marks, is_rank) {
        let variable = named;
        return Err(Error::Inherited { variable, pid });
    }
    let (path, library) = load(variable(PMIX_LIBRARY_VARIABLE), &named)?;
    let version = library.version().to_string();
    if major(&version).is_some_and(|major| major < 3) {
        return Err(Error::NoLibrary {
            variable: named,
            reason: format!("{path} is {version}, and version 3 is needed"),
        });
    }
    let session = library.connect().map_err(|value| Error::Stale {
        variable: named,
        reason: format!("PMIx_Init of {version}: {value}"),
    })?;
    let mut client = Client::start(session)?;
    let parent = variable(PORT_KEY).filter(|port| !port.is_empty());
    client.identity.parent = parent.map(Parent::Port);
    // The port is for this process alone, and not for what it starts by a launcher of its own.
    std::env::remove_var(PORT_KEY);
    Ok(Box::new(client))
}

/// Loads the library that the user names, or the launcher's own, or the system's. Other versions
/// understand each other, but print what they do not know: the server of Open MPI 5.0 an error for
/// each client of version 4.2.
fn load(given: Option<String>, named: &str) -> Result<(String, Library), Error> {
    let of_launcher = match given {
        Some(_) => None,
        None => ancestors::library_of_launcher("libpmix.so"),
    };
    if let Some(path) = of_launcher.as_ref().and_then(|path| path.to_str()) {
        // One of another machine's, as in a container, is no reason to fail.
        if let Ok(library) = Library::load(path) {
            return Ok((path.to_string(), library));
        }
    }
    let path = given.unwrap_or_else(|| sys::NAME.to_string());
    let refused = |why| Error::NoLibrary {
        variable: named.to_string(),
        reason: format!("{path} cannot be loaded ({why})"),
    };
    let library = Library::load(&path).map_err(refused)?;
    Ok((path, library))
}

/// The first number in what a library calls itself.
fn major(version: &str) -> Option<u32> {
    let digits = version.split(|c: char| !c.is_ascii_digit());
    let mut numbers = digits.filter(|value| !value.is_empty());
    numbers.next()?.parse().ok()
}

/// A rank's connection to a PMIx server.
struct Client {
    session: Session,
    identity: Identity,
    mail: Arc<Mail>,
    next_request: u64,
    blocks: Blocks,
    /// The request of the fence that this process is in.
    fence: Option<u64>,
    meetings: HashMap<u32, Meeting>,
    next_ticket: u32,
    /// Number of meetings of each name that this process has entered.
    attended: HashMap<String, u32>,
    /// The job that this process has spawned last.
    spawned: Option<Spawned>,
    finalized: bool,
}

/// A job that this process has spawned.
struct Spawned {
    job: Job,
    /// Time of the next query whether it has ended.
    again: Instant,
    /// Answer of the last query: a job may be listed a moment after it was started.
    has_ended: bool,
}

/// A meeting that this process has entered.
struct Meeting {
    key: String,
    members: Vec<Member>,
}

struct Member {
    rank: u32,
    value: Option<Vec<u8>>,
    /// The pending request.
    asked: Option<u64>,
    /// When to query again.
    again: Instant,
}

impl Client {
    fn start(session: Session) -> Result<Client, Error> {
        let rank = session.rank();
        let size = number(&session, EVERYBODY, "pmix.job.size");
        let size =
            size.ok_or_else(|| broken("the server does not report the job's size".into()))?;
        if rank >= size {
            return Err(broken(format!("rank {rank} in a job of {size}")));
        }
        let nodes = nodes(&session, size);
        let hosts = nodes.is_none();
        let identity = Identity {
            launcher: Launcher::Pmix,
            peer: PeerId(rank),
            size,
            nodes: nodes.unwrap_or_default(),
            appnum: number(&session, rank, "pmix.appnum"),
            universe_size: number(&session, EVERYBODY, "pmix.univ.size").filter(|&n| n > 0),
            job: 0,
            number: rank,
            parent: None,
            secret: Secret([0; 32]),
        };
        let mut client = Client {
            session,
            identity,
            mail: Arc::default(),
            next_request: 0,
            blocks: Blocks::default(),
            fence: None,
            meetings: HashMap::new(),
            next_ticket: 0,
            attended: HashMap::new(),
            spawned: None,
            finalized: false,
        };
        let agreed = agree::agree(&mut client, NAME, hosts)?;
        agreed.complete(&mut client.identity);
        Ok(client)
    }

    fn new_request(&mut self) -> u64 {
        self.next_request += 1;
        self.next_request
    }

    fn refused(&self, request: &str, status: i32) -> Error {
        refused(&self.session, request, status)
    }

    /// Waits for all processes to come to their ends, but not for ever: with a process goes what it
    /// brought to meetings, which servers on other hosts may not have fetched yet.
    fn linger(&mut self) {
        if self.fence.is_none() && self.identity.size > 1 && self.begin_fence().is_ok() {
            // Peers that are gone already are no failure any more.
            let _ = self.poll_fence(Some(LINGER));
        }
    }

    /// Advances a meeting. Returns the pending requests for it, when it is not over.
    fn attend(&mut self, ticket: Ticket) -> Result<Option<Vec<u64>>, Error> {
        let Some(mut meeting) = self.meetings.remove(&ticket.0) else {
            return Err(Error::FenceOrder);
        };
        let mut under_way = Vec::new();
        let mut missing = false;
        for member in meeting.members.iter_mut() {
            self.query(&meeting.key, member)?;
            missing |= member.value.is_none();
            under_way.extend(member.asked);
        }
        self.meetings.insert(ticket.0, meeting);
        Ok(missing.then_some(under_way))
    }

    /// Queries a member's value, or takes the reply.
    fn query(&mut self, key: &str, member: &mut Member) -> Result<(), Error> {
        let now = Instant::now();
        if let Some(number) = member.asked {
            let Some(reply) = self.mail.take(number, Some(now)) else {
                return Ok(());
            };
            member.asked = None;
            match (reply.status, reply.value) {
                (sys::SUCCESS, Some(value)) => member.value = Some(value),
                (sys::SUCCESS, None) => return Err(broken("a value of another type".into())),
                (sys::ERR_NOT_FOUND, _) => member.again = now + AGAIN_AFTER,
                (status, _) => return Err(self.refused("a meeting", status)),
            }
        }
        if member.value.is_none() && member.asked.is_none() && now >= member.again {
            let number = self.new_request();
            let envelope = self.mail.envelope(number);
            match self.session.ask(member.rank, key, envelope) {
                Ok(()) => member.asked = Some(number),
                Err(sys::ERR_NOT_FOUND) => member.again = now + AGAIN_AFTER,
                Err(status) => return Err(self.refused("a meeting", status)),
            }
        }
        Ok(())
    }
}

impl Provider for Client {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn publish(&mut self, key: &str, value: &[u8]) -> Result<(), Error> {
        check_entry(key, value)?;
        self.blocks.publish(key, value);
        Ok(())
    }

    fn begin_fence(&mut self) -> Result<(), Error> {
        if self.fence.is_some() {
            return Err(Error::FenceOrder);
        }
        let (number, block) = self.blocks.seal();
        let put = self.session.put(&block_key(number), &block);
        let put = put.and_then(|()| self.session.commit());
        put.map_err(|status| self.refused("publishing", status))?;
        let request = self.new_request();
        let envelope = self.mail.envelope(request);
        let entered = self.session.fence(envelope);
        entered.map_err(|status| self.refused("a fence", status))?;
        self.fence = Some(request);
        Ok(())
    }

    fn poll_fence(&mut self, wait: Option<Duration>) -> Result<bool, Error> {
        let request = self.fence.ok_or(Error::FenceOrder)?;
        let until = wait.map(|wait| Instant::now() + wait);
        let Some(reply) = self.mail.take(request, until) else {
            return Ok(false);
        };
        self.fence = None;
        match reply.status {
            sys::SUCCESS => {
                self.blocks.passed();
                Ok(true)
            }
            status => Err(self.refused("a fence", status)),
        }
    }

    fn fetch(&mut self, peer: PeerId, key: &str) -> Result<Option<Vec<u8>>, Error> {
        check_entry(key, &[])?;
        let size = self.identity.size;
        if peer.0 >= size {
            return Err(Error::NoSuchPeer { peer, size });
        }
        let session = &self.session;
        let get = |number| match session.committed(peer.0, &block_key(number), PATIENCE) {
            Ok(Fetched::Bytes(bytes)) => Ok(bytes),
            Ok(_) => Err(broken(format!("{peer} published something else"))),
            Err(status) => Err(refused(session, "what a peer published", status)),
        };
        self.blocks.fetch(peer, key, get, broken)
    }

    fn abort(&mut self, code: i32, reason: &str, _: bool) -> Result<(), Error> {
        let aborted = self.session.abort(code, reason);
        aborted.map_err(|status| self.refused("abort", status))
    }

    fn can_meet(&self) -> bool {
        true
    }

    fn can_return(&self) -> bool {
        false
    }

    fn begin_meeting(
        &mut self,
        members: &[PeerId],
        key: &[u8],
        value: &[u8],
    ) -> Result<Ticket, Error> {
        check_meeting(&self.identity, members, key, value)?;
        let name = meeting_name(members, key);
        let round = self.attended.entry(name.clone()).or_insert(0);
        *round += 1;
        let key = format!("{name}.{round}");
        let put = self.session.put(&key, value);
        let put = put.and_then(|()| self.session.commit());
        put.map_err(|status| self.refused("coming to a meeting", status))?;
        let own = self.identity.peer;
        let now = Instant::now();
        let member = |peer: &PeerId| Member {
            rank: peer.0,
            value: (*peer == own).then(|| value.to_vec()),
            asked: None,
            again: now,
        };
        let meeting = Meeting {
            key,
            members: members.iter().map(member).collect(),
        };
        let ticket = self.next_ticket;
        self.next_ticket = ticket.wrapping_add(1);
        self.meetings.insert(ticket, meeting);
        Ok(Ticket(ticket))
    }

    fn poll_meeting(
        &mut self,
        ticket: Ticket,
        wait: Option<Duration>,
    ) -> Result<Option<Vec<Vec<u8>>>, Error> {
        let until = wait.map(|wait| Instant::now() + wait);
        loop {
            let Some(under_way) = self.attend(ticket)? else {
                let meeting = self.meetings.remove(&ticket.0);
                let members = meeting.map_or(Vec::new(), |meeting| meeting.members);
                return Ok(members.into_iter().map(|member| member.value).collect());
            };
            let now = Instant::now();
            if until.is_some_and(|until| now >= until) {
                return Ok(None);
            }
            // Some may be due to be queried again before a reply comes.
            let soon = now + AGAIN_AFTER;
            let soon = until.map_or(soon, |until| until.min(soon));
            self.mail.wait_for_any(&under_way, Some(soon));
        }
    }

    fn spawns_apart(&self) -> bool {
        true
    }

    fn spawn_apart(&mut self, spawn: &Spawn, port: &str) -> Result<(), Error> {
        let commands = spawn.programs.iter();
        let commands: Vec<Command> = commands
            .map(|program| command(program, spawn, port))
            .collect::<Result<_, _>>()?;
        let nodes = &self.identity.nodes;
        if nodes.iter().all(|node| *node == nodes[0]) {
            // Open MPI 4 ends the job for a program that is missing.
            let missing = commands.iter().find_map(Command::missing_here);
            if let Some(reason) = missing {
                return Err(Error::Refused {
                    protocol: NAME,
                    request: "spawn".to_string(),
                    reason,
                });
            }
        }
        self.spawned = None;
        match self.session.spawn(&commands, &map_by(&spawn.programs)) {
            Err(sys::ERR_NOT_SUPPORTED) => Err(Error::NoSpawn {
                launcher: self.identity.launcher.to_string(),
            }),
            Err(status) => Err(self.refused("spawn", status)),
            Ok(job) => {
                self.spawned = Some(Spawned {
                    job,
                    again: Instant::now() + ASK_EVERY,
                    has_ended: false,
                });
                Ok(())
            }
        }
    }

    fn has_spawned_ended(&mut self) -> bool {
        let Some(spawned) = &mut self.spawned else {
            return false;
        };
        if Instant::now() < spawned.again {
            return false;
        }
        spawned.again = Instant::now() + ASK_EVERY;
        let before = spawned.has_ended;
        spawned.has_ended = self.session.has_ended(&spawned.job);
        before && spawned.has_ended
    }

    fn ask_names(&mut self, question: &Question) -> Result<Option<Answer>, Error> {
        let answer = self.session.ask_names(question);
        answer.map_err(|(request, status)| self.refused(request, status))
    }

    fn finalize(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.finalized, true) {
            return Ok(());
        }
        self.linger();
        let left = self.session.finalize();
        left.map_err(|status| self.refused("finalize", status))
    }

    fn resume(&mut self) -> Result<(), Error> {
        match self.finalized {
            true => Err(Error::Left { protocol: NAME }),
            false => Ok(()),
        }
    }
}

/// Returns a program of a spawn in the server's terms.
fn command(program: &Program, spawn: &Spawn, port: &str) -> Result<Command, Error> {
    let text = |word: &OsStr| match word.to_str() {
        Some(word) => Ok(word.to_string()),
        None => Err(Error::Refused {
            protocol: NAME,
            request: "spawn".to_string(),
            reason: format!("{:?} is not UTF-8", word.to_string_lossy()),
        }),
    };
    let mut directory = text(spawn.directory.as_os_str())?;
    let mut hints = Vec::new();
    for (key, value) in &program.info {
        match key.to_ascii_lowercase().replace('-', "_").as_str() {
            "wdir" | "wd" => directory.clone_from(value),
            "host" | "hosts" | "host_list" => hints.push((c"pmix.host", value.clone())),
            "hostfile" => hints.push((c"pmix.hostfile", value.clone())),
            "add_host" => hints.push((c"pmix.addhost", value.clone())),
            "add_hostfile" => hints.push((c"pmix.addhostfile", value.clone())),
            _ => {}
        }
    }
    let arguments = program.arguments.iter().map(|word| text(word));
    Ok(Command {
        program: text(&program.program)?,
        arguments: arguments.collect::<Result<_, _>>()?,
        environment: vec![format!("{PORT_KEY}={port}")],
        directory,
        count: i32::try_from(program.count).unwrap_or(i32::MAX),
        hints,
    })
}

/// Returns how the server is to place the processes of a spawn: as the first program's info says,
/// on slots that are taken where there are no others.
fn map_by(programs: &[Program]) -> String {
    let info = programs.first().map_or(&[][..], |program| &program.info);
    let mut policy = "slot".to_string();
    for (key, value) in info {
        match key.to_ascii_lowercase().replace('-', "_").as_str() {
            "map_by" | "mapby" | "mapper" => policy.clone_from(value),
            "npernode" | "ppn" => policy = format!("ppr:{value}:node"),
            "map_bynode" => policy = "node".to_string(),
            _ => {}
        }
    }
    match policy.to_ascii_lowercase().contains("oversubscribe") {
        true => policy,
        false => policy + ":OVERSUBSCRIBE",
    }
}

/// The key of what a process publishes at a fence, counted from 1.
fn block_key(fence: u32) -> String {
    format!("oxmpi.fence.{fence}")
}

/// Returns a name for all meetings of these members, in this order, under this key. Two different
/// ones share a name with a probability that does not count (128 bits).
fn meeting_name(members: &[PeerId], key: &[u8]) -> String {
    let members = members.iter().flat_map(|peer| peer.0.to_le_bytes());
    let bytes: Vec<u8> = members
        .chain([0xff; 4])
        .chain(key.iter().copied())
        .collect();
    format!("oxmpi.meet.{:032x}", digest(&bytes))
}

/// A number that the server knows of `rank`; `None` where it knows none, or one that counts
/// nothing.
fn number(session: &Session, rank: u32, key: &str) -> Option<u32> {
    match session.known(rank, key) {
        Ok(Fetched::Number(number)) => u32::try_from(number).ok(),
        _ => None,
    }
}

/// Returns the node of each process, where the server knows it of all: by number, or by the host's
/// name.
fn nodes(session: &Session, size: u32) -> Option<Vec<u32>> {
    let by_number = |rank| number(session, rank, "pmix.nodeid");
    let by_name = |rank| match session.known(rank, "pmix.hname") {
        Ok(Fetched::Text(name)) => Some(name),
        _ => None,
    };
    let numbers: Option<Vec<_>> = (0..size).map(by_number).collect();
    let names = || (0..size).map(by_name).collect::<Option<Vec<_>>>();
    let nodes = numbers
        .map(agree::number)
        .or_else(|| names().map(agree::number))?;
    debug_assert_eq!(nodes.len() as u32, size);
    Some(nodes)
}

fn refused(session: &Session, request: &str, status: i32) -> Error {
    Error::Refused {
        protocol: NAME,
        request: request.to_string(),
        reason: format!("{} ({status})", session.library().status_text(status)),
    }
}

fn broken(detail: String) -> Error {
    Error::Protocol {
        protocol: NAME,
        detail,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn versions_are_read_from_what_libraries_call_themselves() {
        assert_eq!(major("OpenPMIx 4.2.2 (PMIx Standard: 4.1)"), Some(4));
        assert_eq!(major("OpenPMIx 5.0.9rc1, repo rev: v5"), Some(5));
        assert_eq!(major("none"), None);
    }

    #[test]
    fn processes_are_placed_as_the_first_programs_info_says() {
        let placed = |key: &str, value: &str| {
            map_by(&[Program {
                info: vec![(key.to_string(), value.to_string())],
                ..Program::default()
            }])
        };
        assert_eq!(map_by(&[]), "slot:OVERSUBSCRIBE");
        assert_eq!(placed("map-by", "node"), "node:OVERSUBSCRIBE");
        assert_eq!(placed("npernode", "2"), "ppr:2:node:OVERSUBSCRIBE");
        assert_eq!(placed("map_by", "slot:oversubscribe"), "slot:oversubscribe");
    }

    #[test]
    fn meetings_have_names_of_their_own() {
        let peers = |ranks: &[u32]| ranks.iter().map(|r| PeerId(*r)).collect::<Vec<_>>();
        let names: HashSet<String> = [
            meeting_name(&peers(&[0, 1]), b""),
            meeting_name(&peers(&[1, 0]), b""),
            meeting_name(&peers(&[0]), &1u32.to_le_bytes()),
            meeting_name(&peers(&[0, 1]), b"tag"),
        ]
        .into();
        assert_eq!(names.len(), 4);
        assert!(names.iter().all(|name| name.len() < 60));
    }
}
