//! The provider over the native protocol: the rank's side.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::time::{Duration, Instant};

use base::PeerId;

use super::release::Release;
use super::socket::{parse_fd_variable, FD_VARIABLE};
use super::wire::{self, Meet, Reply, Request, Welcome};
use crate::account::Account;
use crate::names::{Answer, Question};
use crate::spawn::{Parent, Part, Refusal, Spawn};
use crate::{
    ancestors, check_entry, check_length, check_meeting, fd, Error, Identity, Launcher, Provider,
    Secret, Ticket,
};

/// A rank's connection to the native launcher.
pub(crate) struct Client {
    socket: File,
    identity: Identity,
    /// Published since the last fence, in wire form.
    pending: Vec<u8>,
    /// Values that all ranks had published at the last fence; the newest last.
    visible: Vec<Release>,
    /// Bytes and descriptors from the launcher that were not taken yet.
    unread: Unread,
    in_fence: bool,
    /// The release, if it arrived while something else was awaited.
    released: Option<Release>,
    /// The meetings that this process is in, by ticket.
    meetings: HashMap<u32, Meeting>,
    /// The spawns that this process has requested, by ticket, with their outcomes once known.
    spawns: HashMap<u32, Option<Result<Part, Refusal>>>,
    /// Answers about published names that were not taken yet, by ticket.
    named: HashMap<u32, Answer>,
    next_ticket: u32,
    /// The processes that died, by number, with the reasons.
    gone: HashMap<u32, String>,
    /// Dead processes of this part that were not reported yet.
    unreported: Vec<u32>,
    /// Dead processes of other parts of the job that were not reported yet.
    beyond: Vec<u32>,
    /// Numbers of the launcher's questions what this process waits for.
    asked: Vec<u32>,
    /// Bytes of standard output and error that have been read, by the launcher's last answer.
    passed_on: Option<[u64; 2]>,
    /// Values that next lives of ranks have published. Until these are taken, the values of the
    /// last fence stay visible.
    reborn: Vec<Release>,
    /// Ranks whose new values are visible, and that [`Provider::take_reborn`] has not returned yet.
    visibly_reborn: Vec<PeerId>,
    /// Whether the launcher was notified that this process has finished.
    finalized: bool,
}

/// Bytes and descriptors from the launcher that were not taken yet.
#[derive(Default)]
struct Unread {
    /// Bytes that are not a whole frame yet.
    bytes: Vec<u8>,
    /// The descriptors that came with frames.
    memory: VecDeque<OwnedFd>,
}

/// Why a shared release cannot be read.
const NO_MEMORY: &str = "the memory of a release did not come: perhaps too many files are open \
                         (ulimit -n)";

/// A meeting that this process has entered.
struct Meeting {
    /// The numbers of its members.
    members: Vec<u32>,
    /// The members' values, or why it ended without; `None` while it is pending.
    end: Option<Result<Vec<Vec<u8>>, String>>,
}

impl Client {
    /// Takes over the descriptor that `number` names, and sends a hello.
    pub(crate) fn adopt(number: &str) -> Result<Client, Error> {
        let stale = |reason: String| Error::Stale {
            variable: format!("{}={number}", FD_VARIABLE),
            reason,
        };
        let (fd, inode) = parse_fd_variable(number)
            .ok_or_else(|| stale("it does not name a descriptor".into()))?;
        let named = (FD_VARIABLE, number);
        let is_rank =
            |process: &Path| inode.is_some_and(|inode| ancestors::has_moved(process, fd, inode));
        let owned = fd::adopt(fd, inode).map_err(|error| {
            match ancestors::find_rank(&[named], is_rank) {
                Some(pid) => Error::Inherited {
                    variable: format!("{}={number}", FD_VARIABLE),
                    pid,
                },
                None => stale(error.to_string()),
            }
        })?;
        // Processes that this one starts can see by the number whether this was done, see
        // `has_moved`.
        let moved = rustix::io::fcntl_dupfd_cloexec(&owned, fd.saturating_add(1));
        let owned = moved.unwrap_or(owned);
        Client::greet(File::from(owned)).map_err(|error| match error {
            Error::LauncherGone { .. } => stale("the launcher has closed the connection".into()),
            Error::System { source, .. } => stale(source.to_string()),
            other => other,
        })
    }

    /// Greets the launcher at the other end of a socket. The tickets of its replies begin at
    /// `first_ticket`.
    pub(crate) fn attach(socket: OwnedFd, first_ticket: u32) -> Result<Client, Error> {
        let client = Client::greet(File::from(socket))?;
        Ok(Client {
            next_ticket: first_ticket,
            ..client
        })
    }

    fn greet(socket: File) -> Result<Client, Error> {
        let mut unread = Unread::default();
        let welcome = hello(&socket, &mut unread)?;
        Ok(Client {
            socket,
            identity: identify(welcome),
            pending: Vec::new(),
            visible: Vec::new(),
            unread,
            in_fence: false,
            released: None,
            meetings: HashMap::new(),
            spawns: HashMap::new(),
            named: HashMap::new(),
            next_ticket: 0,
            gone: HashMap::new(),
            unreported: Vec::new(),
            beyond: Vec::new(),
            asked: Vec::new(),
            passed_on: None,
            reborn: Vec::new(),
            visibly_reborn: Vec::new(),
            finalized: false,
        })
    }

    /// Takes the next frame in and stores what it brings for the call that waits for it; false when
    /// `wait` runs out first.
    fn receive(&mut self, wait: Option<Duration>, during: &'static str) -> Result<bool, Error> {
        match receive(&self.socket, &mut self.unread, wait, during)? {
            None => return Ok(false),
            Some(Reply::Release(_) | Reply::SharedRelease { .. }) if !self.in_fence => {
                return Err(protocol("a release without a fence".into()));
            }
            Some(Reply::Release(body)) => {
                let release = Release::own(body, self.identity.size);
                self.take_release(release.map_err(malformed)?);
            }
            Some(Reply::SharedRelease { bytes }) => {
                let memory = self.unread.memory.pop_front();
                let memory = memory.ok_or_else(|| protocol(NO_MEMORY.into()))?;
                let release = Release::shared(memory, bytes, self.identity.size);
                self.take_release(release.map_err(malformed)?);
            }
            Some(Reply::Welcome(_)) => return Err(protocol("a welcome came in a fence".into())),
            Some(Reply::Met { ticket, values }) => self.end_meeting(ticket, Ok(values))?,
            Some(Reply::Unmet { ticket, why }) => self.end_meeting(ticket, Err(why))?,
            Some(Reply::Spawned { ticket, outcome }) => match self.spawns.get_mut(&ticket) {
                Some(place) => *place = Some(outcome),
                None => return Err(protocol("the outcome of an unknown spawn".into())),
            },
            Some(Reply::Named { ticket, answer }) => {
                self.named.insert(ticket, answer);
            }
            Some(Reply::Ask { question }) => self.asked.push(question),
            Some(Reply::PassedOn(at)) => self.passed_on = Some(at),
            Some(Reply::Reborn(body)) => {
                let release = Release::own(body, self.identity.size);
                self.reborn.push(release.map_err(malformed)?);
            }
            Some(Reply::Gone { rank, why }) => {
                if self.gone.insert(rank, why).is_none() {
                    self.unreported.push(rank);
                }
            }
        }
        Ok(true)
    }

    /// Stores what a fence has brought.
    fn take_release(&mut self, release: Release) {
        // Reports that came before are older than the values of the fence.
        self.show_reborn();
        self.released = Some(release);
    }

    /// Stores how a meeting ended.
    fn end_meeting(&mut self, ticket: u32, end: Result<Vec<Vec<u8>>, String>) -> Result<(), Error> {
        let fits = |meeting: &&mut Meeting| match &end {
            Ok(values) => values.len() == meeting.members.len(),
            Err(_) => true,
        };
        match self.meetings.get_mut(&ticket).filter(fits) {
            Some(meeting) => meeting.end = Some(end),
            None => return Err(protocol("the end of a meeting that is not pending".into())),
        }
        Ok(())
    }

    /// Returns an error if a meeting cannot complete: one of its members has died.
    fn lost_member(&self, ticket: Ticket) -> Option<Error> {
        let meeting = self.meetings.get(&ticket.0)?;
        let mut members = meeting.members.iter();
        let lost = members.find_map(|number| Some((*number, self.gone.get(number)?)));
        let (number, why) = lost.filter(|_| meeting.end.is_none())?;
        let why = why.clone();
        Some(match self.peer_of(number) {
            Some(peer) => Error::PeerGone { peer, why },
            None => Error::Unmet { why },
        })
    }

    /// Whether a meeting is over.
    fn met(&self, ticket: Ticket) -> bool {
        let meeting = self.meetings.get(&ticket.0);
        meeting.is_none_or(|meeting| meeting.end.is_some())
    }

    /// The number in the job of this part's first process.
    fn first(&self) -> u32 {
        self.identity.number - self.identity.peer.0
    }

    /// The process of this part that has a number.
    fn peer_of(&self, number: u32) -> Option<PeerId> {
        let rank = number.checked_sub(self.first())?;
        (rank < self.identity.size).then_some(PeerId(rank))
    }

    fn enter_meeting(
        &mut self,
        members: Vec<u32>,
        key: &[u8],
        value: &[u8],
    ) -> Result<Ticket, Error> {
        let ticket = self.new_ticket();
        let meet = Request::Meet(Meet {
            ticket,
            members: members.clone(),
            key: key.to_vec(),
            value: value.to_vec(),
        });
        send(&self.socket, &meet, "coming to a meeting")?;
        let end = None;
        self.meetings.insert(ticket, Meeting { members, end });
        Ok(Ticket(ticket))
    }

    fn new_ticket(&mut self) -> u32 {
        let ticket = self.next_ticket;
        self.next_ticket = ticket.wrapping_add(1);
        ticket
    }

    /// Makes visible what next lives have reported.
    fn show_reborn(&mut self) {
        for release in std::mem::take(&mut self.reborn) {
            self.visibly_reborn.extend(release.ranks().map(PeerId));
            self.visible.push(release);
        }
    }
}

/// Says hello and returns the launcher's welcome.
fn hello(socket: &File, unread: &mut Unread) -> Result<Welcome, Error> {
    let hello = Request::Hello {
        version: wire::VERSION,
        pid: std::process::id(),
    };
    send(socket, &hello, "saying hello to the launcher")?;
    let reply = loop {
        match receive(socket, unread, None, "the start")? {
            // A report to the earlier life; the launcher repeats it after the welcome.
            Some(
                Reply::Gone { .. } | Reply::Reborn(_) | Reply::Ask { .. } | Reply::PassedOn(_),
            ) => {}
            reply => break reply,
        }
    };
    match reply {
        Some(Reply::Welcome(welcome)) => Ok(welcome),
        _ => Err(protocol("no welcome in reply to hello".into())),
    }
}

/// Returns the time left until `until`.
fn left(until: Option<Instant>) -> Option<Duration> {
    until.map(|until| until.saturating_duration_since(Instant::now()))
}

impl Provider for Client {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn publish(&mut self, key: &str, value: &[u8]) -> Result<(), Error> {
        check_entry(key, value)?;
        if self.pending.len() + value.len() > wire::BODY_BYTES_MAX / 2 {
            return Err(Error::ValueTooLong {
                key: key.to_string(),
                bytes: value.len(),
            });
        }
        wire::push_entry(&mut self.pending, key, value);
        Ok(())
    }

    fn printed(&mut self, at: Option<[u64; 2]>) -> Result<[u64; 2], Error> {
        let during = "asking what of the output was read";
        send(&self.socket, &Request::Printed(at), during)?;
        loop {
            if let Some(at) = self.passed_on.take() {
                return Ok(at);
            }
            self.receive(None, during)?;
        }
    }

    fn begin_fence(&mut self) -> Result<(), Error> {
        if self.in_fence {
            return Err(Error::FenceOrder);
        }
        let fence = Request::Fence(std::mem::take(&mut self.pending));
        send(&self.socket, &fence, "entering a fence")?;
        self.in_fence = true;
        Ok(())
    }

    fn poll_fence(&mut self, wait: Option<Duration>) -> Result<bool, Error> {
        if !self.in_fence {
            return Err(Error::FenceOrder);
        }
        let until = wait.map(|wait| Instant::now() + wait);
        loop {
            if let Some(release) = self.released.take() {
                self.in_fence = false;
                if !release.is_empty() {
                    self.visible.push(release);
                }
                return Ok(true);
            }
            let received = self.receive(left(until), "a fence")?;
            if !received || wait.is_some() && self.released.is_none() {
                return Ok(false);
            }
        }
    }

    fn fetch(&mut self, peer: PeerId, key: &str) -> Result<Option<Vec<u8>>, Error> {
        check_entry(key, &[])?;
        let size = self.identity.size;
        if peer.0 >= size {
            return Err(Error::NoSuchPeer { peer, size });
        }
        for release in self.visible.iter().rev() {
            if let Some(value) = release.value(peer.0, key).map_err(malformed)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn abort(&mut self, code: i32, reason: &str, in_doubt: bool) -> Result<(), Error> {
        let abort = Request::Abort {
            code,
            in_doubt,
            reason: reason.to_string(),
        };
        send(&self.socket, &abort, "aborting the job")
    }

    fn can_meet(&self) -> bool {
        true
    }

    fn begin_meeting(
        &mut self,
        members: &[PeerId],
        key: &[u8],
        value: &[u8],
    ) -> Result<Ticket, Error> {
        check_meeting(&self.identity, members, key, value)?;
        let first = self.first();
        let members = members.iter().map(|peer| first + peer.0).collect();
        self.enter_meeting(members, key, value)
    }

    fn begin_meeting_of(
        &mut self,
        members: &[u32],
        key: &[u8],
        value: &[u8],
    ) -> Result<Ticket, Error> {
        if key.len() + value.len() > wire::BODY_BYTES_MAX / 2 {
            check_length(key, value)?;
        }
        self.enter_meeting(members.to_vec(), key, value)
    }

    fn begin_spawn(&mut self, spawn: &Spawn) -> Result<Ticket, Error> {
        let ticket = self.new_ticket();
        let spawn = spawn.clone();
        let request = Request::Spawn { ticket, spawn };
        send(&self.socket, &request, "requesting a spawn")?;
        self.spawns.insert(ticket, None);
        Ok(Ticket(ticket))
    }

    fn poll_spawn(
        &mut self,
        ticket: Ticket,
        wait: Option<Duration>,
    ) -> Result<Option<Result<Part, Refusal>>, Error> {
        let until = wait.map(|wait| Instant::now() + wait);
        loop {
            match self.spawns.get(&ticket.0) {
                None => return Err(Error::FenceOrder),
                Some(None) => {}
                Some(Some(_)) => return Ok(self.spawns.remove(&ticket.0).flatten()),
            }
            let received = self.receive(left(until), "a spawn")?;
            let is_known = self.spawns.get(&ticket.0).is_some_and(Option::is_some);
            // Another frame may be what another thread waits for: return soon.
            if !received || wait.is_some() && !is_known {
                return Ok(None);
            }
        }
    }

    fn ask_names(&mut self, question: &Question) -> Result<Option<Answer>, Error> {
        let ticket = self.new_ticket();
        let question = question.clone();
        let request = Request::Names { ticket, question };
        send(&self.socket, &request, "asking for a published name")?;
        loop {
            if let Some(answer) = self.named.remove(&ticket) {
                return Ok(Some(answer));
            }
            self.receive(None, "asking for a published name")?;
        }
    }

    fn unlink(&mut self, part: u32) -> Result<(), Error> {
        send(&self.socket, &Request::Unlink { part }, "disconnecting")
    }

    fn poll_meeting(
        &mut self,
        ticket: Ticket,
        wait: Option<Duration>,
    ) -> Result<Option<Vec<Vec<u8>>>, Error> {
        let until = wait.map(|wait| Instant::now() + wait);
        loop {
            if let Some(error) = self.lost_member(ticket) {
                self.meetings.remove(&ticket.0);
                return Err(error);
            }
            if !self.meetings.contains_key(&ticket.0) {
                return Err(Error::FenceOrder);
            }
            if self.met(ticket) {
                let end = self
                    .meetings
                    .remove(&ticket.0)
                    .and_then(|meeting| meeting.end);
                let values = end.transpose().map_err(|why| Error::Unmet { why })?;
                return Ok(values);
            }
            // Another frame may be what another thread waits for: return soon.
            if !self.receive(left(until), "a meeting")? || wait.is_some() && !self.met(ticket) {
                return Ok(None);
            }
        }
    }

    fn descriptor(&self) -> Option<RawFd> {
        Some(self.socket.as_raw_fd())
    }

    fn take_gone(&mut self) -> Result<Vec<(PeerId, String)>, Error> {
        while self.receive(Some(Duration::ZERO), "unreported of peers")? {}
        let unreported = std::mem::take(&mut self.unreported);
        let is_foreign = |number: &&u32| self.peer_of(**number).is_none();
        let foreign: Vec<u32> = unreported.iter().filter(is_foreign).copied().collect();
        self.beyond.extend(foreign);
        let known = |number: u32| Some((self.peer_of(number)?, self.gone.get(&number)?.clone()));
        Ok(unreported.into_iter().filter_map(known).collect())
    }

    fn take_gone_beyond(&mut self) -> Vec<(u32, String)> {
        let beyond = std::mem::take(&mut self.beyond);
        let known = |number: u32| Some((number, self.gone.get(&number)?.clone()));
        beyond.into_iter().filter_map(known).collect()
    }

    fn take_questions(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.asked)
    }

    fn give_account(&mut self, account: Account) -> Result<(), Error> {
        let account = Request::Account(account);
        send(
            &self.socket,
            &account,
            "reporting what this process waits for",
        )
    }

    fn take_reborn(&mut self) -> Vec<PeerId> {
        self.show_reborn();
        std::mem::take(&mut self.visibly_reborn)
    }

    fn finalize(&mut self) -> Result<(), Error> {
        if !std::mem::replace(&mut self.finalized, true) {
            self.visible.clear();
            self.gone.clear();
            self.unreported.clear();
            self.reborn.clear();
            self.visibly_reborn.clear();
            send(&self.socket, &Request::Finalize, "finalizing")?;
        }
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Error> {
        if self.finalized {
            self.identity = identify(hello(&self.socket, &mut self.unread)?);
            self.finalized = false;
        }
        Ok(())
    }
}

fn identify(welcome: Welcome) -> Identity {
    Identity {
        launcher: Launcher::Native,
        peer: PeerId(welcome.rank),
        size: welcome.size,
        nodes: welcome.nodes,
        appnum: Some(welcome.appnum),
        universe_size: Some(welcome.universe),
        job: welcome.job,
        number: welcome.first + welcome.rank,
        parent: welcome.parent.map(Parent::Number),
        secret: Secret(welcome.secret),
    }
}

fn send(socket: &File, request: &Request, during: &'static str) -> Result<(), Error> {
    let mut bytes = Vec::new();
    request.encode(&mut bytes);
    fd::send_all(socket, &bytes, during)
}

/// The next frame from the launcher; `None` when `wait` runs out before it is whole.
fn receive(
    socket: &File,
    unread: &mut Unread,
    wait: Option<Duration>,
    during: &'static str,
) -> Result<Option<Reply>, Error> {
    let until = wait.map(|wait| Instant::now() + wait);
    loop {
        let whole = Reply::decode(&mut unread.bytes).map_err(malformed)?;
        if whole.is_some() {
            return Ok(whole);
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if !fd::wait_readable(socket, left).map_err(Error::system(during))? {
            return Ok(None);
        }
        let more = fd::receive_some(socket, &mut unread.bytes, &mut unread.memory);
        if !more.map_err(Error::system(during))? {
            return Err(Error::LauncherGone { during });
        }
    }
}

fn malformed(wire::Malformed(detail): wire::Malformed) -> Error {
    protocol(detail)
}

fn protocol(detail: String) -> Error {
    Error::Protocol {
        protocol: "native",
        detail,
    }
}
