//! The provider over PMI-1 or PMI-2.

use std::time::Duration;

use base::PeerId;

use super::protocol::{JobInfo, Protocol};
use super::{mapping, pieces};
use crate::blocks::Blocks;
use crate::names::{Answer, Question};
use crate::spawn::{Parent, Spawn};
use crate::{agree, check_entry, Error, Identity, Provider, Secret};

/// How long a launcher may take to end a process after an abort.
const ABORT_TAKES: Duration = Duration::from_secs(3);

/// The provider of a rank under a launcher with PMI.
pub(super) struct Client<W> {
    protocol: W,
    identity: Identity,
    blocks: Blocks,
    in_fence: bool,
    finalized: bool,
}

impl<W: Protocol> Client<W> {
    /// Takes `info`, with a first fence of all ranks.
    pub(super) fn start(protocol: W, info: JobInfo) -> Result<Client<W>, Error> {
        if info.rank >= info.size {
            let detail = format!("rank {} in a job of {}", info.rank, info.size);
            return Err(broken::<W>(detail));
        }
        let nodes = info.mapping.as_deref();
        let nodes = nodes.and_then(|text| mapping::parse(text, info.size));
        let hosts = nodes.is_none();
        let mut client = Client {
            protocol,
            identity: info.identity(W::LAUNCHER, nodes.unwrap_or_default()),
            blocks: Blocks::default(),
            in_fence: false,
            finalized: false,
        };
        let agreed = agree::agree(&mut client, W::NAME, hosts)?;
        agreed.complete(&mut client.identity);
        Ok(client)
    }
}

impl JobInfo {
    fn identity(self, launcher: crate::Launcher, nodes: Vec<u32>) -> Identity {
        Identity {
            launcher,
            peer: PeerId(self.rank),
            size: self.size,
            nodes,
            appnum: self.appnum,
            universe_size: self.universe_size,
            job: 0,
            number: self.rank,
            parent: self.parent.map(Parent::Port),
            secret: Secret([0; 32]),
        }
    }
}

impl<W: Protocol> Provider for Client<W> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn publish(&mut self, key: &str, value: &[u8]) -> Result<(), Error> {
        check_entry(key, value)?;
        self.blocks.publish(key, value);
        Ok(())
    }

    fn begin_fence(&mut self) -> Result<(), Error> {
        if self.in_fence {
            return Err(Error::FenceOrder);
        }
        let (number, block) = self.blocks.seal();
        let rank = self.identity.peer.0;
        let widest = pieces::key(number, rank, 2 * crate::VALUE_BYTES_MAX);
        let room = self.protocol.room(&widest);
        for (index, piece) in pieces::cut(&block, room).iter().enumerate() {
            self.protocol
                .put(&pieces::key(number, rank, index), piece)?;
        }
        self.protocol.enter_fence()?;
        self.in_fence = true;
        Ok(())
    }

    fn poll_fence(&mut self, wait: Option<Duration>) -> Result<bool, Error> {
        if !self.in_fence {
            return Err(Error::FenceOrder);
        }
        let over = self.protocol.fence_over(wait)?;
        if over {
            self.in_fence = false;
            self.blocks.passed();
        }
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
        let protocol = &mut self.protocol;
        let get = |number| gathered(protocol, peer, number);
        self.blocks.fetch(peer, key, get, broken::<W>)
    }

    fn abort(&mut self, code: i32, reason: &str, _: bool) -> Result<(), Error> {
        // A few characters mean something to some launchers, and a space ends a word.
        let safe = |c: char| match c.is_ascii_alphanumeric() || ".,:_-()".contains(c) {
            true => c,
            false => '_',
        };
        // An empty word is one that Hydra 5 cannot parse.
        let reason = match reason.is_empty() {
            true => "MPI_Abort",
            false => reason,
        };
        let message: String = reason.chars().take(256).map(safe).collect();
        self.protocol.abort(code, &message)?;
        // Slurm does not read the last messages of a process that has exited by then.
        self.protocol.link().await_end(ABORT_TAKES);
        Ok(())
    }

    fn spawns_apart(&self) -> bool {
        true
    }

    fn spawn_apart(&mut self, spawn: &Spawn, port: &str) -> Result<(), Error> {
        self.protocol.spawn(spawn, port)
    }

    fn ask_names(&mut self, question: &Question) -> Result<Option<Answer>, Error> {
        if let Question::Publish { service, .. } = question {
            // Intel MPI's launcher replaces a name that is published already.
            let service = service.clone();
            let known = self.protocol.ask_names(&Question::LookUp { service })?;
            if known != Answer::Unknown {
                return Ok(Some(Answer::Taken));
            }
        }
        self.protocol.ask_names(question).map(Some)
    }

    fn finalize(&mut self) -> Result<(), Error> {
        match std::mem::replace(&mut self.finalized, true) {
            true => Ok(()),
            false => self.protocol.finalize(),
        }
    }

    fn resume(&mut self) -> Result<(), Error> {
        match self.finalized {
            true => Err(Error::Left { protocol: W::NAME }),
            false => Ok(()),
        }
    }
}

/// The block of `peer` of fence `number`, out of its pieces.
fn gathered<W: Protocol>(protocol: &mut W, peer: PeerId, number: u32) -> Result<Vec<u8>, Error> {
    let damaged = || broken::<W>(format!("what {peer} published came back damaged"));
    let first = protocol.get(&pieces::key(number, peer.0, 0), peer)?;
    let first = first.ok_or_else(|| broken::<W>(strange(peer)))?;
    let (count, rest) = pieces::open(&first).ok_or_else(damaged)?;
    let mut hex = rest.to_string();
    for index in 1..count {
        let piece = protocol.get(&pieces::key(number, peer.0, index), peer)?;
        hex.push_str(&piece.ok_or_else(damaged)?);
    }
    pieces::join(&hex).ok_or_else(damaged)
}

fn strange(peer: PeerId) -> String {
    format!("{peer} published nothing at a fence: it runs another MPI library")
}

fn broken<W: Protocol>(detail: String) -> Error {
    Error::Protocol {
        protocol: W::NAME,
        detail,
    }
}
