//! Opening the transport, introducing peers, closing.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use base::PeerId;
use btl::{Caps, Cut, Emulated, Error, Reach, RmaLimits};
use memory::segment::Segment;
use sync::{fifo, ring};

use crate::bell::Bell;
use crate::endpoint::{Endpoint, Limits};
use crate::outlet::Sizes;
use crate::params::Settings;
use crate::progress::Inbox;
use crate::segment::{lines_in, Address, Layout, View, CLOSED, OPEN};
use crate::smsc::{self, Caching, Kernel, Opening, Smsc, System};

/// What the transport is opened with.
#[derive(Clone, Debug)]
pub struct Config {
    /// This process.
    pub me: PeerId,
    pub(crate) settings: Settings,
    pub(crate) system: Arc<dyn System>,
}

impl Config {
    /// This process, with the registry's parameters.
    ///
    /// # Errors
    /// When a parameter makes no sense.
    pub fn new(me: PeerId, registry: &mca::Registry) -> Result<Config, mca::Error> {
        Ok(Config {
            me,
            settings: Settings::of(registry)?,
            system: Arc::new(Kernel),
        })
    }

    /// This process, with every parameter at its default.
    pub fn with_defaults(me: PeerId) -> Config {
        Config {
            me,
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
    pub(crate) bell: Bell,
    pub(crate) inbox: Inbox,
    pub(crate) endpoints: Vec<Option<Endpoint>>,
    /// Peers with a message that is only partly in their queue.
    pub(crate) backlogged: Vec<PeerId>,
    /// Peers found dead, to be reported by the next `progress`.
    pub(crate) dead: Vec<PeerId>,
    pub(crate) settings: Settings,
    pub(crate) limits: Limits,
    pub(crate) smsc: Smsc,
    cookie: Box<u64>,
    address: Address,
}

/// Opens the transport: makes this process's segment.
///
/// # Errors
/// When the system refuses the segment or the bell's pipe.
pub fn open(config: Config) -> Result<Sm, Error> {
    open_caching(config, Caching::NONE)
}

/// Opens the transport; memory that has to be registered stays so, as `caching` says.
///
/// # Errors
/// As of [`open`].
pub fn open_caching(config: Config, caching: Caching<'_>) -> Result<Sm, Error> {
    let Config {
        me,
        settings,
        system,
    } = config;
    let layout = Layout::of(&settings);
    let own = make_segment(layout).map_err(|why| Error::Resource {
        what: format!("shared segment of {} bytes", layout.reserved()),
        why: why.to_string(),
    })?;
    let bell = Bell::new(own.clone()).map_err(|why| Error::Resource {
        what: "pipe".into(),
        why: why.to_string(),
    })?;
    let cookie = Box::new(cookie());
    own.cookie().store(*cookie, Ordering::Relaxed);
    own.state().store(OPEN, Ordering::Release);
    let smsc = Smsc::open(&Opening {
        system,
        settings: &settings.smsc,
        cookie: &cookie,
        caching,
    });
    let address = Address {
        machine: machine(),
        pid: std::process::id(),
        segment_fd: own.segment().descriptor() as u32,
        bell_fd: bell.ringer() as u32,
        cookie: *cookie,
        probe: std::ptr::from_ref(&*cookie) as u64,
        layout,
        offers: smsc.offers(),
    };
    Ok(Sm {
        caps: caps(&settings, &smsc),
        me,
        inbox: Inbox::new(fifo::Reader::new(own.clone())),
        own,
        bell,
        endpoints: Vec::new(),
        backlogged: Vec::new(),
        dead: Vec::new(),
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

/// What of the largest eager message is its header.
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
        zero_copy: false,
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

fn cookie() -> u64 {
    let mut bytes = [0u8; 8];
    // SAFETY: the buffer has room for the 8 bytes asked for.
    let got = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if got == bytes.len() as isize {
        return u64::from_ne_bytes(bytes);
    }
    // Not a secret, only unlikely to be met by chance.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64) ^ (u64::from(std::process::id()) << 32)
}

/// The boot of the machine and the namespace that process ids are counted in, hashed (FNV-1a).
fn machine() -> u64 {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let bytes = boot
        .bytes()
        .chain(namespace.to_string_lossy().into_owned().into_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Sm {
    /// What the framework `smsc` chose here; each pair of processes then has its own choice.
    pub fn single_copy(&self) -> &mca::Choice {
        self.smsc.choice()
    }

    pub(crate) fn own_address(&self) -> Vec<u8> {
        debug_assert_eq!(*self.cookie, self.address.cookie);
        self.address.encode()
    }

    pub(crate) fn introduce(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        let Some(address) = Address::decode(address) else {
            let what = "an address that is none".to_string();
            return Err(Error::Protocol { peer, what });
        };
        if address.machine != self.address.machine {
            return Ok(Reach::No(
                "on another machine or in another container".into(),
            ));
        }
        // Also where this process cannot reach the peer, the peer may reach this one: what is
        // allowed differs per process.
        self.inbox.admit(peer, peer != self.me);
        let attached =
            Segment::attach(address.pid, address.segment_fd as i32, address.layout.len());
        let view = match attached {
            Ok(segment) => View::new(segment, address.layout),
            Err(why) => return Ok(Reach::No(format!("its segment cannot be opened: {why}"))),
        };
        if view.cookie().load(Ordering::Relaxed) != address.cookie {
            return Ok(Reach::No("its segment is that of another process".into()));
        }
        let candidate = smsc::Peer {
            pid: address.pid,
            cookie: address.cookie,
            probe: address.probe,
        };
        let links = self.smsc.connect(&candidate, &address.offers);
        log::debug!(target: "smsc", "memory of {peer}: {}", links.explain());
        let endpoint = Endpoint::new(peer, view, &address, links, self.bell.fences());
        endpoint.ask_for_regions();
        if self.endpoints.len() <= peer.index() {
            self.endpoints.resize_with(peer.index() + 1, || None);
        }
        self.endpoints[peer.index()] = Some(endpoint);
        Ok(Reach::Yes)
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
