//! Opens and closes the transport, and introduces peers.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;

use base::{PeerId, Registrations};
use btl::{Alias, Caps, Cut, Emulated, Error, Foreign, Reach, RmaLimits};
use mca::Framework;
use shm::Segment;
use sync::{fifo, ring};

use crate::address::{Address, Owner};
use crate::bell::{Doorbell, Pipes};
use crate::inbox::Inbox;
use crate::introduced::Introduced;
use crate::outlet::Sizes;
use crate::params::{Rule, Settings};
use crate::path::{Limits, Path};
use crate::segment::{lines_in, Layout, View, CLOSED, OPEN};
use crate::smsc::{self, Caching, Kernel, Opening, Smsc, System};

/// Arguments for opening the transport.
#[derive(Clone, Debug)]
pub struct Config {
    /// This process.
    pub me: PeerId,
    /// Which life of its rank this process is, as a generation of its number: messages of an
    /// earlier one, which was killed, are not taken for its own.
    pub generation: u8,
    /// Whether a peer is attached when something is first sent to it, and not when it is
    /// introduced. For jobs whose launcher ends them, or reports, when a process dies: of a peer
    /// that has ended before it was attached it is unknown whether it had finalized.
    pub attach_late: bool,
    /// Whether more processes than cores are here, which sleep in nearly every wait: then a sender
    /// has a fence, and a sleep costs no barrier on all cores.
    pub crowded: bool,
    pub(crate) settings: Settings,
    pub(crate) system: Arc<dyn System>,
}

impl Config {
    /// Returns the configuration of this process with the registry's parameters.
    ///
    /// # Errors
    /// When a parameter makes no sense.
    pub fn new(me: PeerId, registry: &mca::Registry) -> Result<Config, mca::Error> {
        Ok(Config {
            settings: Settings::of(registry)?,
            ..Config::with_defaults(me)
        })
    }

    /// Returns the configuration of this process with every parameter at its default.
    pub fn with_defaults(me: PeerId) -> Config {
        Config {
            me,
            generation: 0,
            attach_late: false,
            crowded: false,
            settings: Settings::default(),
            system: Arc::new(Kernel),
        }
    }
}

/// The open transport.
pub struct Sm {
    pub(crate) caps: Caps,
    pub(crate) me: PeerId,
    pub(crate) own: View,
    pub(crate) bell: Doorbell,
    pipes: Pipes,
    pub(crate) inbox: Inbox,
    /// The peers that are attached.
    pub(crate) paths: Vec<Option<Path>>,
    /// Peers that were introduced and are attached on first use.
    pub(crate) introduced: Introduced,
    /// Peers with a message that is only partly in their queue.
    pub(crate) backlogged: Vec<PeerId>,
    /// Peers found dead, to be reported by the next `progress`.
    pub(crate) dead: Vec<PeerId>,
    /// When to check for dead peers again.
    pub(crate) look_due: Instant,
    /// The first peer of that check, counted over those that are here.
    pub(crate) look_from: usize,
    /// Cores that this process may use.
    pub(crate) cores: usize,
    pub(crate) settings: Settings,
    pub(crate) limits: Limits,
    pub(crate) smsc: Smsc,
    cookie: Box<u64>,
    address: Address,
}

/// Opens the transport: makes this process's segment.
///
/// # Errors
/// When the system refuses the segment or the doorbell's pipe, and when the single-copy component
/// that a parameter names cannot be used.
pub fn open(config: Config) -> Result<Sm, Error> {
    open_caching(config, Caching::NONE)
}

/// Opens the transport; memory that has to be registered stays so, as `caching` says.
///
/// # Errors
/// See [`open`].
pub fn open_caching(config: Config, caching: Caching<'_>) -> Result<Sm, Error> {
    let Config {
        me,
        generation,
        attach_late,
        crowded,
        settings,
        system,
    } = config;
    let layout = Layout::of(&settings);
    let own = make_segment(layout).map_err(|why| Error::Resource {
        what: format!("shared segment of {} bytes", layout.reserved()),
        why: why.to_string(),
    })?;
    let bell = Doorbell::new(own.clone(), crowded).map_err(|why| Error::Resource {
        what: "pipe".into(),
        why: why.to_string(),
    })?;
    let cookie = Box::new(shm::cookie());
    own.cookie().store(*cookie, Ordering::Relaxed);
    own.state().store(OPEN, Ordering::Release);
    let smsc = Smsc::open(&Opening {
        system,
        settings: &settings.smsc,
        cookie: &cookie,
        caching,
    });
    if let Rule::Read(mechanism) = settings.rule {
        smsc.demand(mechanism)?;
    }
    let address = Address {
        machine: shm::machine(),
        pid: std::process::id(),
        segment_fd: own.segment().descriptor() as u32,
        bell_fd: bell.ringer() as u32,
        cookie: *cookie,
        probe: std::ptr::from_ref(&*cookie) as u64,
        generation,
        owner: Owner::this_process(),
        layout,
        offers: smsc.offers(),
    };
    Ok(Sm {
        caps: caps(&settings, &smsc),
        me,
        inbox: Inbox::new(fifo::Reader::new(own.clone())),
        own,
        bell,
        pipes: Pipes::default(),
        paths: Vec::new(),
        introduced: Introduced::new(attach_late),
        backlogged: Vec::new(),
        dead: Vec::new(),
        look_due: Instant::now(),
        look_from: 0,
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        limits: Limits {
            ring_threshold: settings.ring_threshold.into(),
            sizes: Sizes::of(&settings),
            block_min: settings.block_min,
            block_turn_min: settings.block_turn_min,
        },
        settings,
        smsc,
        cookie,
        address,
    })
}

/// Bytes of the largest eager message that are its header.
const EAGER_HEADER_BYTES: usize = 40;

fn caps(settings: &Settings, smsc: &Smsc) -> Caps {
    // A ring that cannot grow takes every message, too.
    let max_send_size = ring::record_bytes_max(lines_in(settings.ring_bytes));
    let max_send_size = max_send_size.min(settings.max_send_size);
    let reach = (!smsc.is_empty()).then_some(RmaLimits {
        max_bytes: usize::MAX,
        alignment: 1,
    });
    let cut = Cut {
        part: settings.eager_part,
        longest: settings.eager_limit.saturating_sub(EAGER_HEADER_BYTES),
    };
    Caps {
        name: "sm",
        eager_limit: settings.eager_limit.min(max_send_size),
        cut: (cut.part > 0).then_some(cut),
        rndv_eager_limit: settings.rndv_eager_limit.min(max_send_size),
        max_send_size,
        ordered: true,
        keeps: false,
        batches: false,
        backs_off: false,
        shares_memory: true,
        get: reach,
        put: reach,
        puts_land: false,
        atomics: false,
        emulated: Emulated::default(),
        latency_ns: 200,
        bandwidth_mbps: 10_000,
        exclusivity: settings.exclusivity,
    }
}

fn make_segment(layout: Layout) -> io::Result<View> {
    let segment = Segment::create("oxmpi", layout.len())?;
    segment.reserve(0, layout.reserved())?;
    Ok(View::new(segment, layout))
}

impl Sm {
    /// The choice of the framework `smsc` here; each pair of processes then has its own.
    pub fn single_copy(&self) -> &mca::Choice {
        self.smsc.choice()
    }

    /// Returns the counts of the caches of registered memory.
    pub fn registrations(&self) -> impl Iterator<Item = &Arc<Registrations>> {
        self.smsc.registrations()
    }

    /// Replaces the owner in the address that peers get.
    #[cfg(test)]
    pub(crate) fn set_owner(&mut self, owner: Owner) {
        self.address.owner = owner;
    }

    pub(crate) fn own_address(&self) -> Vec<u8> {
        debug_assert_eq!(*self.cookie, self.address.cookie);
        self.address.encode()
    }

    /// The alias of this process at the ranks of its own world.
    fn alias(&self) -> Alias {
        Alias::new(self.me, self.address.generation)
    }

    /// Introduces a peer. A foreign one is attached at once: the launcher of this process reports
    /// nothing of its death.
    pub(crate) fn introduce(
        &mut self,
        peer: PeerId,
        address: &[u8],
        foreign: Option<&Foreign>,
    ) -> Result<Reach, Error> {
        let Some(address) = Address::decode(address) else {
            let what = "a malformed address".to_string();
            return Err(Error::Protocol { peer, what });
        };
        if address.machine != self.address.machine {
            return Ok(Reach::Unreachable(
                "on another machine or in another container".into(),
            ));
        }
        // Also where this process cannot reach the peer, the peer may reach this one: what is
        // allowed differs per process.
        let generation = foreign.map_or(address.generation, |foreign| foreign.generation);
        let alias = Alias::new(peer, generation);
        self.inbox.admit(alias, peer != self.me);
        if foreign.is_none() {
            self.inbox.bury_before(&self.own, alias);
        }
        let known_as = foreign.map_or(self.alias(), |foreign| foreign.known_as);
        if peer != self.me && foreign.is_none() && self.introduced.may_wait(&address) {
            self.introduced.put_off(peer, address);
            return Ok(Reach::Reachable);
        }
        if let Err(why) = self.attach(peer, known_as, &address) {
            return Ok(Reach::Unreachable(why));
        }
        if let Some(Some(path)) = self.paths.get_mut(peer.index()) {
            path.is_foreign = foreign.is_some();
        }
        Ok(Reach::Reachable)
    }

    /// Attaches the segment of a peer that knows this process by a number, and connects with its
    /// memory.
    ///
    /// # Errors
    /// One clause about why the segment cannot be had, or not be used: a message that no ring
    /// there takes would be busy forever.
    fn attach(&mut self, peer: PeerId, known_as: Alias, address: &Address) -> Result<(), String> {
        let (longest, layout) = (self.caps.max_send_size, &address.layout);
        let takes = ring::record_bytes_max(layout.ring_lines as usize);
        if layout.rings > 0 && takes < longest {
            return Err(format!(
                "its rings take messages of {takes} bytes, this process sends up to {longest} \
                 (btl_sm_ring_size, btl_sm_max_send_size)"
            ));
        }
        let segment = Segment::attach(address.pid, address.segment_fd as i32, address.layout.len())
            .map_err(|why| format!("its segment cannot be opened: {why}"))?;
        let view = View::new(segment, address.layout);
        if view.cookie().load(Ordering::Relaxed) != address.cookie {
            return Err("its segment is that of another process".into());
        }
        let candidate = smsc::Peer {
            pid: address.pid,
            cookie: address.cookie,
            probe: address.probe,
        };
        let links = self.smsc.connect(&candidate, &address.offers);
        Framework::Smsc.debug(format_args!("memory of {peer}: {}", links.explain()));
        if let Rule::Read(mechanism) = self.settings.rule {
            if links.best() != Some(mechanism) {
                let (name, instead) = (mechanism.name(), links.explain());
                Framework::Smsc.warn(format_args!(
                    "{name} does not reach the memory of {peer}: {instead}"
                ));
            }
        }
        if peer != self.me {
            self.introduced.learn(address, &links);
        }
        let (unreached, pipes) = (self.bell.is_unreached(), self.pipes.clone());
        let path = Path::new((peer, known_as), view, address, links, unreached, pipes);
        path.ask_for_regions();
        if self.paths.len() <= peer.index() {
            self.paths.resize_with(peer.index() + 1, || None);
        }
        self.paths[peer.index()] = Some(path);
        Ok(())
    }

    /// Attaches a peer that was introduced and is needed now.
    ///
    /// # Errors
    /// [`Error::Unreachable`] when it was not introduced; [`Error::PeerGone`] when it cannot be
    /// attached any more.
    #[cold]
    pub(crate) fn attach_now(&mut self, peer: PeerId) -> Result<(), Error> {
        let Some(address) = self.introduced.take(peer) else {
            return Err(Error::Unreachable { peer });
        };
        self.attach(peer, self.alias(), &address)
            .map_err(|how| Error::PeerGone { peer, how })
    }

    pub(crate) fn say_goodbye(&mut self) {
        self.own.state().store(CLOSED, Ordering::Release);
    }
}

impl Drop for Sm {
    fn drop(&mut self) {
        self.say_goodbye();
    }
}
