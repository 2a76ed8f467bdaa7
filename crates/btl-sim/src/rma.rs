//! Simulated access to a peer's memory, executed as late as the contract allows.

use base::{wire, Key, PeerId};
use btl::{Access, Error, Registration, RemoteKey, RemoteRange, Rma, Started, Token};
use memory::UserBuf;

use crate::state::{Event, Life, State};
use crate::transfer::{Transfer, TransferKind};
use crate::{Endpoint, Gets};

impl Endpoint {
    fn start(
        &mut self,
        kind: TransferKind,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        let (owner, refused) = (self.me, false);
        self.net.state().start(Transfer {
            kind,
            owner,
            instances: [0; 2],
            peer,
            local,
            remote,
            token,
            refused,
        })
    }
}

impl Rma for Endpoint {
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        self.net.state().register(self.me, memory, access)
    }

    fn deregister(&mut self, registration: Registration) {
        self.net.state().deregister(self.me, registration.id);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.start(TransferKind::Get, peer, local, remote, token)
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.start(TransferKind::Put, peer, local, remote, token)
    }

    fn loop_back(&mut self) -> Option<Result<(), String>> {
        Some(Err(btl::no_loop_back(self.caps.name)))
    }
}

impl State {
    pub(crate) fn register(
        &mut self,
        owner: PeerId,
        memory: UserBuf,
        access: Access,
    ) -> Result<Registration, Error> {
        let Some(port) = self
            .port_mut(owner)
            .filter(|port| port.life == Life::Running)
        else {
            let why = "the endpoint was closed".into();
            return Err(Error::Registration {
                len: memory.len(),
                why,
            });
        };
        let id = port.regions.insert((memory, access)).bits();
        let mut key = [0; 12];
        wire::write_u32(&mut key, 0, owner.0);
        wire::write_u64(&mut key, 4, id);
        let key = RemoteKey::new(&key).expect("12 bytes");
        Ok(Registration { memory, key, id })
    }

    pub(crate) fn deregister(&mut self, owner: PeerId, id: u64) {
        if let Some(port) = self.port_mut(owner) {
            port.regions.remove(Key::from_bits(id));
        }
    }

    /// Whether `get` works for the pair: the result never changes.
    pub(crate) fn can_get(&self, of: PeerId, peer: PeerId) -> bool {
        match self.config.gets {
            Gets::None => false,
            Gets::Failing(_) => true,
            Gets::Pairs(percent) => {
                let pair = (u64::from(of.0) << 32) | u64::from(peer.0);
                base::Random::new(self.config.seed ^ pair.wrapping_mul(31)).chance(percent)
            }
        }
    }

    /// Starts a transfer.
    pub(crate) fn start(&mut self, mut transfer: Transfer) -> Result<Started, Error> {
        let Transfer {
            kind, owner, peer, ..
        } = transfer;
        self.check(owner, peer)?;
        transfer.instances = [self.instance(owner), self.link(owner, peer).instance];
        let lacking = match kind {
            TransferKind::Get => !self.can_get(owner, peer),
            TransferKind::Put => !self.config.puts,
        };
        let unsupported = Err(Error::Unsupported {
            peer,
            what: kind.name(),
        });
        if lacking {
            return unsupported;
        }
        let (len, limit) = (transfer.local.len(), self.config.transfer_bytes_max);
        if len > limit {
            return Err(Error::TooLarge { peer, len, limit });
        }
        if self.random.chance(self.config.busy_percent) {
            return Ok(Started::Busy);
        }
        if let (TransferKind::Get, Gets::Failing(percent)) = (kind, self.config.gets) {
            transfer.refused = self.random.chance(percent);
            if transfer.refused && self.random.chance(50) {
                return unsupported;
            }
        }
        self.link(owner, peer).pending += 1;
        self.schedule(Event::Transfer(transfer));
        Ok(Started::Pending)
    }

    /// Touches the memory, and lets the owner know later.
    pub(crate) fn transfer(&mut self, transfer: Transfer) {
        let Transfer {
            owner, peer, token, ..
        } = transfer;
        let instance = transfer.instances[0];
        let is_there = self.life(owner) == Life::Running && self.instance(owner) == instance;
        let outcome = match is_there {
            true => self.try_transfer(&transfer),
            false => Ok(()),
        };
        self.schedule(Event::Done {
            owner,
            instance,
            peer,
            token,
            outcome,
        });
    }

    fn try_transfer(&mut self, transfer: &Transfer) -> Result<(), Error> {
        let Transfer {
            kind,
            owner,
            peer,
            local,
            remote,
            refused,
            ..
        } = transfer;
        if *refused {
            return Err(Error::Unsupported {
                peer: *peer,
                what: kind.name(),
            });
        }
        let is_gone = self.life(*peer) != Life::Running;
        let is_other = self.instance(*peer) != transfer.instances[1];
        if is_gone || is_other || self.link(*owner, *peer).cut {
            let how = "it ended during a transfer".into();
            return Err(Error::PeerGone { peer: *peer, how });
        }
        let theirs = self.region(*kind, *peer, remote, local.len())?;
        match kind {
            TransferKind::Get => local.copy_from(&theirs),
            TransferKind::Put => theirs.copy_from(local),
        }
        Ok(())
    }

    fn region(
        &self,
        kind: TransferKind,
        peer: PeerId,
        remote: &RemoteRange,
        len: usize,
    ) -> Result<UserBuf, Error> {
        let outside = Error::OutOfRange {
            peer,
            offset: remote.offset,
            len,
        };
        let key = remote.key.as_bytes();
        let id = match wire::read_u32(key, 0) {
            Some(owner) if owner == peer.0 => wire::read_u64(key, 4).map(Key::from_bits),
            _ => None,
        };
        let port = self.port(peer);
        let Some((memory, access)) = port.zip(id).and_then(|(port, id)| port.regions.get(id))
        else {
            return Err(outside);
        };
        let allowed = match kind {
            TransferKind::Get => access.read,
            TransferKind::Put => access.write,
        };
        let offset = usize::try_from(remote.offset).unwrap_or(usize::MAX);
        if !allowed || offset > memory.len() || len > memory.len() - offset {
            return Err(outside);
        }
        Ok(memory.part(offset, len))
    }
}
