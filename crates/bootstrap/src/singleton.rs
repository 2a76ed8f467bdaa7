//! The provider for a job of one process, started without a launcher.
//!
//! When it spawns, it starts a launcher of its own ([`crate::serve`]) and becomes the first process
//! of a job there; all that concerns the other processes then goes through a native [`Client`].

use std::collections::HashMap;
use std::os::fd::RawFd;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use base::PeerId;

use crate::names::{Answer, Question};
use crate::native::Client;
use crate::serve;
use crate::spawn::{Part, Refusal, Spawn};
use crate::{check_entry, check_meeting, Error, Identity, Launcher, Provider, Secret, Ticket};

/// The first ticket of the launcher's connection; lower ones are of meetings with oneself.
const ATTACHED_TICKETS: u32 = 1 << 31;

/// The provider of a process that is alone: what it publishes it fetches itself.
pub(crate) struct Singleton {
    identity: Identity,
    pending: HashMap<String, Vec<u8>>,
    visible: HashMap<String, Vec<u8>>,
    in_fence: bool,
    /// Values that this process brought to meetings with itself.
    met: HashMap<u32, Vec<u8>>,
    next_ticket: u32,
    /// The launcher that this process has started, and the connection to it.
    attached: Option<(Child, Client)>,
}

impl Singleton {
    pub(crate) fn start() -> Result<Singleton, Error> {
        let random = Error::system("asking the system for random numbers");
        let secret = Secret::random().map_err(&random)?;
        let mut job = [0; 8];
        crate::fd::fill_random(&mut job).map_err(&random)?;
        let identity = Identity {
            launcher: Launcher::Singleton,
            peer: PeerId(0),
            size: 1,
            nodes: vec![0],
            appnum: None,
            // Where a launcher of its own would start processes: on the processors that it may use.
            universe_size: std::thread::available_parallelism()
                .ok()
                .and_then(|count| u32::try_from(count.get()).ok()),
            job: u64::from_le_bytes(job),
            number: 0,
            parent: None,
            secret,
        };
        Ok(Singleton {
            identity,
            pending: HashMap::new(),
            visible: HashMap::new(),
            in_fence: false,
            met: HashMap::new(),
            next_ticket: 0,
            attached: None,
        })
    }
}

impl Singleton {
    fn client(&mut self) -> Result<&mut Client, Error> {
        let client = self.attached.as_mut().map(|(_, client)| client);
        client.ok_or_else(|| Error::NoSpawn {
            launcher: Launcher::Singleton.to_string(),
        })
    }
}

impl Singleton {
    /// Speaks to the launcher, if there is one. One that has gone concerns nobody: this process was
    /// alone before it started that, and is again.
    #[expect(clippy::disallowed_methods, reason = "the child was killed")]
    fn or_detach(&mut self, speak: fn(&mut Client) -> Result<(), Error>) -> Result<(), Error> {
        let lost = self.attached.take_if(|(_, client)| speak(client).is_err());
        if let Some((mut child, client)) = lost {
            drop(client);
            // Nobody is left to start it again; its ranks end with it.
            let _ = child.kill().and_then(|()| child.wait());
        }
        Ok(())
    }
}

impl Drop for Singleton {
    fn drop(&mut self) {
        if let Some((mut child, client)) = self.attached.take() {
            drop(client);
            // It ends because of that; if not at once, it becomes the system's.
            let _ = child.try_wait();
        }
    }
}

impl Provider for Singleton {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn publish(&mut self, key: &str, value: &[u8]) -> Result<(), Error> {
        check_entry(key, value)?;
        self.pending.insert(key.to_string(), value.to_vec());
        Ok(())
    }

    fn begin_fence(&mut self) -> Result<(), Error> {
        if self.in_fence {
            return Err(Error::FenceOrder);
        }
        self.in_fence = true;
        Ok(())
    }

    fn poll_fence(&mut self, _wait: Option<Duration>) -> Result<bool, Error> {
        if !self.in_fence {
            return Err(Error::FenceOrder);
        }
        self.in_fence = false;
        self.visible.extend(self.pending.drain());
        Ok(true)
    }

    fn fetch(&mut self, peer: PeerId, key: &str) -> Result<Option<Vec<u8>>, Error> {
        if peer != self.identity.peer {
            return Err(Error::NoSuchPeer { peer, size: 1 });
        }
        Ok(self.visible.get(key).cloned())
    }

    fn abort(&mut self, code: i32, reason: &str, in_doubt: bool) -> Result<(), Error> {
        match &mut self.attached {
            Some((_, client)) => client.abort(code, reason, in_doubt),
            None => Ok(()),
        }
    }

    fn attach(&mut self, launcher: &Path) -> Result<(), Error> {
        let gone = |child: &mut Child| !matches!(child.try_wait(), Ok(None));
        self.attached.take_if(|(child, _)| gone(child));
        if self.attached.is_none() {
            let (child, socket) = serve::start(launcher)?;
            let client = Client::attach(socket, ATTACHED_TICKETS)?;
            self.attached = Some((child, client));
        }
        Ok(())
    }

    fn begin_meeting_of(
        &mut self,
        members: &[u32],
        key: &[u8],
        value: &[u8],
    ) -> Result<Ticket, Error> {
        self.client()?.begin_meeting_of(members, key, value)
    }

    fn begin_spawn(&mut self, spawn: &Spawn) -> Result<Ticket, Error> {
        self.client()?.begin_spawn(spawn)
    }

    fn poll_spawn(
        &mut self,
        ticket: Ticket,
        wait: Option<Duration>,
    ) -> Result<Option<Result<Part, Refusal>>, Error> {
        self.client()?.poll_spawn(ticket, wait)
    }

    fn ask_names(&mut self, question: &Question) -> Result<Option<Answer>, Error> {
        match &mut self.attached {
            Some((_, client)) => client.ask_names(question),
            None => Ok(None),
        }
    }

    fn descriptor(&self) -> Option<RawFd> {
        self.attached.as_ref()?.1.descriptor()
    }

    fn take_gone_beyond(&mut self) -> Vec<(u32, String)> {
        match &mut self.attached {
            Some((_, client)) => client.take_gone_beyond(),
            None => Vec::new(),
        }
    }

    fn take_gone(&mut self) -> Result<Vec<(PeerId, String)>, Error> {
        match &mut self.attached {
            Some((_, client)) => client.take_gone(),
            None => Ok(Vec::new()),
        }
    }

    fn unlink(&mut self, part: u32) -> Result<(), Error> {
        self.client()?.unlink(part)
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
        let ticket = self.next_ticket;
        self.next_ticket = ticket.wrapping_add(1);
        self.met.insert(ticket, value.to_vec());
        Ok(Ticket(ticket))
    }

    fn poll_meeting(
        &mut self,
        ticket: Ticket,
        wait: Option<Duration>,
    ) -> Result<Option<Vec<Vec<u8>>>, Error> {
        if ticket.0 >= ATTACHED_TICKETS {
            return self.client()?.poll_meeting(ticket, wait);
        }
        match self.met.remove(&ticket.0) {
            Some(value) => Ok(Some(vec![value])),
            None => Err(Error::FenceOrder),
        }
    }

    fn finalize(&mut self) -> Result<(), Error> {
        self.or_detach(Client::finalize)
    }

    fn resume(&mut self) -> Result<(), Error> {
        self.or_detach(Client::resume)
    }
}
