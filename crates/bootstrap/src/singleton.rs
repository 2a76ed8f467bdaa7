//! The provider for a job of one process, started without a launcher.

use std::collections::HashMap;
use std::time::Duration;

use base::PeerId;

use crate::{check_entry, check_meeting, Error, Identity, Launcher, Provider, Secret, Ticket};

/// The provider of a process that is alone: what it publishes it fetches itself.
pub(crate) struct Singleton {
    identity: Identity,
    pending: HashMap<String, Vec<u8>>,
    visible: HashMap<String, Vec<u8>>,
    in_fence: bool,
    /// Values that this process brought to meetings with itself.
    met: HashMap<u32, Vec<u8>>,
    next_ticket: u32,
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
            universe_size: None,
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
        })
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

    fn abort(&mut self, _code: i32, _reason: &str, _: bool) -> Result<(), Error> {
        Ok(())
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
        _wait: Option<Duration>,
    ) -> Result<Option<Vec<Vec<u8>>>, Error> {
        match self.met.remove(&ticket.0) {
            Some(value) => Ok(Some(vec![value])),
            None => Err(Error::FenceOrder),
        }
    }

    fn finalize(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
