//! The rank's side of PMI-1.

use std::collections::HashMap;
use std::fs::File;
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use base::PeerId;

use super::wire::{self, Reply};
use super::{mapping, pieces};
use crate::{check_entry, fd, Error, Identity, Launcher, Provider, Secret};

/// The key of what rank 0 makes up for the job: its secret and its number.
const JOB_KEY: &str = "oxmpi.job";

/// The key of what each rank calls its host, where the launcher does not say.
const HOST_KEY: &str = "oxmpi.host";

/// A rank's connection to a launcher that speaks PMI-1.
pub(crate) struct Client {
    link: Link,
    identity: Identity,
    kvsname: String,
    value_bytes_max: usize,
    in_fence: bool,
    finalized: bool,
}

/// What the launcher says before and beside the conversation proper.
struct Seat {
    rank: u32,
    size: u32,
    appnum: Option<u32>,
    universe_size: Option<u32>,
}

impl Client {
    /// Takes over the descriptor with the number in `number`; rank and size stand in
    /// `PMI_RANK` and `PMI_SIZE`.
    pub(crate) fn adopt(
        number: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Client, Error> {
        let name = format!("PMI_FD={number}");
        let stale = |reason: String| Error::Stale {
            variable: name.clone(),
            reason,
        };
        let parsed = number
            .parse()
            .map_err(|_| stale("not a descriptor's number".into()))?;
        let owned = fd::adopt(parsed, None).map_err(|e| stale(e.to_string()))?;
        let rank = number_in("PMI_RANK", variable)?;
        let size = number_in("PMI_SIZE", variable)?;
        Client::start(Link::new(owned), rank, size).map_err(|e| blame(e, &name))
    }

    /// Connects to `address`, host and port; the launcher tells rank and size.
    pub(crate) fn dial(
        address: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Client, Error> {
        let name = format!("PMI_PORT={address}");
        let stream = TcpStream::connect(address).map_err(|e| Error::Stale {
            variable: name.clone(),
            reason: e.to_string(),
        })?;
        // Requests wait for their replies: nothing gains from holding small ones back.
        let _ = stream.set_nodelay(true);
        let mut link = Link::new(stream.into());
        let id = number_in("PMI_ID", variable)?;
        let (rank, size) = link.introduce(id).map_err(|e| blame(e, &name))?;
        Client::start(link, rank, size).map_err(|e| blame(e, &name))
    }

    fn start(mut link: Link, rank: u32, size: u32) -> Result<Client, Error> {
        if rank >= size {
            return Err(protocol(format!("rank {rank} in a job of {size}")));
        }
        link.ask(
            "cmd=init pmi_version=1 pmi_subversion=1",
            "response_to_init",
        )?;
        let maxes = link.ask("cmd=get_maxes", "maxes")?;
        let value_bytes_max = maxes.number("vallen_max").unwrap_or(256).clamp(32, 4096) as usize;
        let appnum = link.ask("cmd=get_appnum", "appnum")?.number("appnum");
        let universe = link
            .ask("cmd=get_universe_size", "universe_size")?
            .number("size");
        let kvsname = link.ask("cmd=get_my_kvsname", "my_kvsname")?;
        let kvsname = kvsname
            .get("kvsname")
            .ok_or_else(|| protocol("no kvsname".into()))?;
        let kvsname = kvsname.to_string();
        let positive = |n: i64| u32::try_from(n).ok();
        let seat = Seat {
            rank,
            size,
            appnum: appnum.and_then(positive),
            universe_size: universe.and_then(positive).filter(|&n| n > 0),
        };
        let nodes = link.get(&kvsname, "PMI_process_mapping")?;
        let nodes = nodes.and_then(|text| mapping::parse(&text, size));
        let mut client = Client {
            link,
            identity: seat.identity(nodes.clone().unwrap_or_default()),
            kvsname,
            value_bytes_max,
            in_fence: false,
            finalized: false,
        };
        client.agree(nodes.is_none())?;
        Ok(client)
    }

    /// The first fence. Rank 0 makes the job's secret and number, and all others fetch them;
    /// where the launcher told no mapping, all tell each other their hosts.
    fn agree(&mut self, on_nodes: bool) -> Result<(), Error> {
        if self.identity.peer == PeerId(0) {
            let mut made = [0; 40];
            let random = Error::system("asking the system for random numbers");
            fd::fill_random(&mut made).map_err(random)?;
            self.publish(JOB_KEY, &made)?;
        }
        if on_nodes {
            self.publish(HOST_KEY, host().as_bytes())?;
        }
        self.fence()?;
        let job = self.fetch(PeerId(0), JOB_KEY)?;
        let job: Option<[u8; 40]> = job.and_then(|job| job.try_into().ok());
        let job = job.ok_or_else(|| {
            protocol("rank 0 published no job secret: it runs another MPI library".into())
        })?;
        let (number, secret) = job.split_at(8);
        self.identity.job = u64::from_le_bytes(number.try_into().expect("8 bytes"));
        self.identity.secret = Secret(secret.try_into().expect("32 bytes"));
        if on_nodes {
            self.identity.nodes = self.nodes_by_host()?;
        }
        Ok(())
    }

    /// Numbers the hosts in the order of the ranks on them.
    fn nodes_by_host(&mut self) -> Result<Vec<u32>, Error> {
        let (mut hosts, mut nodes) = (HashMap::new(), Vec::new());
        for peer in (0..self.identity.size).map(PeerId) {
            let host = self.fetch(peer, HOST_KEY)?;
            let next = hosts.len() as u32;
            nodes.push(*hosts.entry(host).or_insert(next));
        }
        Ok(nodes)
    }
}

/// What tells this machine, as its processes see it, from others.
fn host() -> String {
    // Without a boot id, the name has to do.
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    format!("{name} {}", boot.trim())
}

impl Seat {
    fn identity(self, nodes: Vec<u32>) -> Identity {
        Identity {
            launcher: Launcher::Pmi1,
            peer: PeerId(self.rank),
            size: self.size,
            nodes,
            appnum: self.appnum,
            universe_size: self.universe_size,
            job: 0,
            secret: Secret([0; 32]),
        }
    }
}

impl Provider for Client {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn publish(&mut self, key: &str, value: &[u8]) -> Result<(), Error> {
        check_entry(key, value)?;
        if self.in_fence {
            return Err(Error::FenceOrder);
        }
        let rank = self.identity.peer.0;
        let widest = pieces::key(key, rank, 2 * crate::VALUE_BYTES_MAX);
        let room = pieces::room(&self.kvsname, &widest, self.value_bytes_max);
        for (index, piece) in pieces::cut(value, room).iter().enumerate() {
            let (kvs, key) = (&self.kvsname, pieces::key(key, rank, index));
            let put = format!("cmd=put kvsname={kvs} key={key} value={piece}");
            self.link.ask(&put, "put_result")?;
        }
        Ok(())
    }

    fn begin_fence(&mut self) -> Result<(), Error> {
        if self.in_fence {
            return Err(Error::FenceOrder);
        }
        self.link.say("cmd=barrier_in")?;
        self.in_fence = true;
        Ok(())
    }

    fn poll_fence(&mut self, wait: Option<Duration>) -> Result<bool, Error> {
        if !self.in_fence {
            return Err(Error::FenceOrder);
        }
        let over = self.link.hear("barrier_out", wait)?.is_some();
        self.in_fence = !over;
        Ok(over)
    }

    fn fetch(&mut self, peer: PeerId, key: &str) -> Result<Option<Vec<u8>>, Error> {
        check_entry(key, &[])?;
        let size = self.identity.size;
        if peer.0 >= size {
            return Err(Error::NoSuchPeer { peer, size });
        }
        if self.in_fence {
            return Err(Error::FenceOrder);
        }
        let damaged = || protocol(format!("the value of {key} of {peer} came back damaged"));
        let Some(first) = self.link.get(&self.kvsname, &pieces::key(key, peer.0, 0))? else {
            return Ok(None);
        };
        let (count, rest) = pieces::open(&first).ok_or_else(damaged)?;
        let mut hex = rest.to_string();
        for index in 1..count {
            let piece = self
                .link
                .get(&self.kvsname, &pieces::key(key, peer.0, index))?;
            hex.push_str(&piece.ok_or_else(damaged)?);
        }
        pieces::join(&hex).map(Some).ok_or_else(damaged)
    }

    fn abort(&mut self, code: i32, reason: &str) -> Result<(), Error> {
        // Words end at a space, and a few characters mean something to some launchers.
        let safe = |c: char| {
            if c.is_ascii_alphanumeric() || ".,:_-()".contains(c) {
                c
            } else {
                '_'
            }
        };
        // An empty word is one that Hydra 5 cannot parse.
        let reason = if reason.is_empty() {
            "MPI_Abort"
        } else {
            reason
        };
        let message: String = reason.chars().take(256).map(safe).collect();
        self.link
            .say(&format!("cmd=abort exitcode={code} message={message}"))
    }

    fn finalize(&mut self) -> Result<(), Error> {
        if !std::mem::replace(&mut self.finalized, true) {
            self.link.ask("cmd=finalize", "finalize_ack")?;
        }
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Error> {
        match self.finalized {
            true => Err(Error::Left { protocol: "PMI-1" }),
            false => Ok(()),
        }
    }
}

/// The connection: requests out, replies in.
struct Link {
    socket: File,
    unread: Vec<u8>,
}

impl Link {
    fn new(socket: OwnedFd) -> Link {
        Link {
            socket: File::from(socket),
            unread: Vec::new(),
        }
    }

    /// The opening on a dialled connection: who this is, and in return rank and size, which
    /// come in the answer or in `set` lines after it.
    fn introduce(&mut self, id: u32) -> Result<(u32, u32), Error> {
        self.say(&format!("cmd=initack pmiid={id}"))?;
        let (mut rank, mut size) = (None, None);
        loop {
            let line = self.line(None, "the opening")?.unwrap_or_default();
            let reply = Reply::parse(&line);
            if !matches!(reply.get("cmd"), Some("initack" | "set")) || reply.rc() != 0 {
                return Err(protocol(format!("{line:?} in answer to initack")));
            }
            let number = |key| reply.number(key).and_then(|n| u32::try_from(n).ok());
            rank = rank.or(number("rank"));
            size = size.or(number("size"));
            if let (Some(rank), Some(size)) = (rank, size) {
                return Ok((rank, size));
            }
        }
    }

    /// What stands under `key`; `None` when nothing does.
    fn get(&mut self, kvsname: &str, key: &str) -> Result<Option<String>, Error> {
        let request = format!("cmd=get kvsname={kvsname} key={key}");
        self.say(&request)?;
        let reply = self.answer("get_result")?;
        Ok(if reply.rc() == 0 {
            reply.get("value").map(str::to_string)
        } else {
            None
        })
    }

    /// Sends a request and awaits its reply, which must not be a refusal.
    fn ask(&mut self, request: &str, answer: &'static str) -> Result<Reply, Error> {
        self.say(request)?;
        let reply = self.answer(answer)?;
        if reply.rc() != 0 {
            let name = request.split(' ').next().unwrap_or(request);
            return Err(Error::Refused {
                protocol: "PMI-1",
                request: name.trim_start_matches("cmd=").to_string(),
                reason: reply.get("msg").unwrap_or("no reason given").to_string(),
            });
        }
        Ok(reply)
    }

    fn answer(&mut self, cmd: &'static str) -> Result<Reply, Error> {
        loop {
            if let Some(reply) = self.hear(cmd, None)? {
                return Ok(reply);
            }
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Error> {
        let bytes = format!("{line}\n");
        fd::send_all(&self.socket, bytes.as_bytes(), "a request to the launcher")
    }

    /// The next reply, which must be `cmd`; `None` when `wait` runs out.
    fn hear(&mut self, cmd: &'static str, wait: Option<Duration>) -> Result<Option<Reply>, Error> {
        loop {
            let Some(line) = self.line(wait, cmd)? else {
                return Ok(None);
            };
            let reply = Reply::parse(&line);
            match reply.get("cmd") {
                Some(name) if name == cmd => return Ok(Some(reply)),
                // The tail of the opening: Hydra 5 says all of it twice, in both its ways.
                Some("set") => {}
                _ => return Err(protocol(format!("{line:?} came where {cmd} was due"))),
            }
        }
    }

    fn line(
        &mut self,
        wait: Option<Duration>,
        during: &'static str,
    ) -> Result<Option<String>, Error> {
        let until = wait.map(|wait| Instant::now() + wait);
        loop {
            if let Some(line) = wire::take_line(&mut self.unread) {
                return Ok(Some(line));
            }
            if self.unread.len() > wire::LINE_BYTES_MAX {
                return Err(protocol(format!(
                    "a line of over {} bytes",
                    wire::LINE_BYTES_MAX
                )));
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if !fd::wait_readable(&self.socket, left).map_err(Error::system(during))? {
                return Ok(None);
            }
            let more = fd::read_some(&self.socket, &mut self.unread);
            if !more.map_err(Error::system(during))? {
                return Err(Error::LauncherGone { during });
            }
        }
    }
}

fn number_in(name: &'static str, variable: &dyn Fn(&str) -> Option<String>) -> Result<u32, Error> {
    let value = variable(name).unwrap_or_default();
    let wanted = "a number from the launcher";
    value.parse().map_err(|_| Error::Variable {
        name,
        value,
        wanted,
    })
}

/// A connection that closes before it has served at all is a stale one.
fn blame(error: Error, variable: &str) -> Error {
    match error {
        Error::LauncherGone {
            during: "response_to_init" | "the opening",
        } => Error::Stale {
            variable: variable.to_string(),
            reason: "the launcher has closed the connection".into(),
        },
        other => other,
    }
}

fn protocol(detail: String) -> Error {
    Error::Protocol {
        protocol: "PMI-1",
        detail,
    }
}
