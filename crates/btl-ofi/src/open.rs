//! Opening the transport: a provider, a device, an endpoint.
//!
//! Some providers (`ofi_rxd`) never forget who had an address, and drop what its next owner sends
//! ([`ofi::quirks::Quirks::remembers_addresses`]). Over these each opening takes a port of its own,
//! computed from [`Config::opening`].

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use base::PeerId;
use btl::{Caps, Emulated, RmaLimits};
use mca::Framework;
use memory::release::Monitor;
use ofi::{caps, flags, mr_mode, order};
use ofi::{Av, Domain, Endpoint, Filter, Hints, Info, Library, Options};

use crate::atomic;
use crate::component::Transport;
use crate::device::OpenDevice;
use crate::early::EarlyMessages;
use crate::help::HelpRequests;
use crate::loopback::OwnAtomics;
use crate::peers::PeerTable;
use crate::pieces::{self, PIECES_MAX};
use crate::reassembly::HEADROOM;
use crate::receive_queue::{ReceiveQueue, Trust};
use crate::regions::MemoryRegions;
use crate::reports::PendingReports;
use crate::send_queue::{SendLimits, SendQueue};
use crate::transfers::{TransferLimits, TransferTable};
use crate::wire::{Address, HEADER_BYTES, NOTE_BYTES, NOTE_PEERS};
use crate::Settings;

/// Peers that the provider's table is made for; it grows.
const PEERS: usize = 64;
/// Sends that may be under way, whatever the provider can hold.
const SENDS_MAX: usize = 1024;
/// The shortest message that a transport must be able to send, header included.
const ROOM_MIN: usize = 256 + HEADER_BYTES;

/// The configuration with which a transport is opened.
pub struct Config {
    /// This process.
    pub me: PeerId,
    /// The position of this process among those of its node: devices are shared out by it.
    pub local_rank: usize,
    /// A number that no other opening in this job on this node has, earlier or later, where there
    /// is one: it matters to providers that confuse a newcomer with the former owner of its
    /// address.
    pub opening: Option<u64>,
    /// The library, and the providers that may be used.
    pub filter: Filter,
    /// The parameters.
    pub settings: Settings,
    /// The monitor of released memory. Without it no registration is cached.
    pub monitor: Option<Arc<Monitor>>,
}

/// The reason that there is no transport.
#[derive(Debug)]
pub enum OpenError {
    /// libfabric is absent, too old, or refuses.
    Library(ofi::Error),
    /// No provider will do: each that was seen, and why not.
    NoProvider {
        /// All refusals in one line.
        seen: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Library(error) => write!(f, "{error}"),
            OpenError::NoProvider { seen } => write!(f, "no libfabric provider will do: {seen}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<ofi::Error> for OpenError {
    fn from(error: ofi::Error) -> OpenError {
        OpenError::Library(error)
    }
}

/// Opens the transport.
///
/// # Errors
/// When libfabric is absent or too old, when no provider will do, or when the chosen one refuses.
pub fn open(config: Config) -> Result<Transport, OpenError> {
    let library = Library::load(config.filter.library.as_deref())?;
    let offer = choose(&library, &config)?;
    Framework::Btl.debug(format_args!("{} uses {:?}", config.me, offer.info));
    let (av, endpoints) = open_device(&offer, &config)?;
    let mut transport = assemble(config, &offer, av, endpoints)?;
    if transport.caps.max_send_size > 0 {
        let posted = transport.receives.start(&mut transport.device);
        posted.map_err(|error| {
            let call = "posting the first receives";
            let (code, text) = (libc::ENOMEM, error.to_string());
            ofi::Error::Call { call, code, text }
        })?;
    }
    Ok(transport)
}

/// A provider's device, and what it is used for.
struct Offer {
    info: Info,
    messages: bool,
    memory: bool,
    /// The contexts of a scalable endpoint; 0 for a standard one.
    contexts: usize,
}

/// Asks for all that the mode wants, and then for less: atomic operations can be emulated by
/// messages, and so can access to memory.
fn choose(library: &Library, config: &Config) -> Result<Offer, OpenError> {
    const MESSAGES: u64 = caps::MSG | caps::SOURCE;
    let mode = config.settings.mode;
    let messages = if mode.messages() { MESSAGES } else { 0 };
    let mut wishes = Vec::new();
    if mode.memory() {
        wishes.push(messages | caps::RMA | caps::ATOMIC);
        wishes.push(messages | caps::RMA);
    }
    if mode.messages() {
        wishes.push(MESSAGES);
    }
    let mut seen = String::new();
    for wish in wishes {
        let memory = wish & caps::RMA != 0;
        let hints = Hints {
            mr_mode: config.settings.mr_mode,
            msg_order: if mode.messages() { order::SAS } else { 0 },
            tx_flags: if memory { flags::DELIVERY_COMPLETE } else { 0 },
            data_progress: config.settings.progress,
            ..Hints::new(wish)
        };
        let fits = |info: &Info| fits(info, mode.messages());
        let verdict = ofi::choose(library, &hints, &config.filter, config.local_rank, fits)?;
        if seen.is_empty() {
            seen = verdict.explain();
        }
        let Some(info) = verdict.infos.into_iter().next() else {
            continue;
        };
        let (info, contexts) = scale(library, hints, info, &config.settings);
        return Ok(Offer {
            info,
            messages: mode.messages(),
            memory,
            contexts,
        });
    }
    Err(OpenError::NoProvider { seen })
}

/// Refuses a provider that cannot be used although it has everything that was asked for.
fn fits(info: &Info, messages: bool) -> Result<(), String> {
    if info.demands(mr_mode::MMU_NOTIFY) {
        return Err("demands a notification of every change of the page tables".into());
    }
    if info.demands(mr_mode::RMA_EVENT) {
        return Err("demands counters on registered memory".into());
    }
    if info.mr_key_bytes > 8 {
        return Err(format!("has keys of {} bytes", info.mr_key_bytes));
    }
    if messages && info.message_max < ROOM_MIN {
        return Err(format!("sends at most {} bytes", info.message_max));
    }
    Ok(())
}

/// Returns the device with a scalable endpoint, where the provider has these and they are wanted.
fn scale(library: &Library, hints: Hints, info: Info, settings: &Settings) -> (Info, usize) {
    let (wanted, most) = (settings.contexts, info.tx_contexts_max);
    if !settings.scalable || most <= 1 || info.rx_contexts_max == 0 {
        if wanted > 1 {
            Framework::Btl.warn(format_args!(
                "{info:?} has one context, {wanted} were asked for"
            ));
        }
        return (info, 0);
    }
    if wanted > most {
        Framework::Btl.warn(format_args!(
            "{info:?} has {most} contexts, {wanted} were asked for"
        ));
    }
    let contexts = wanted.min(most);
    let hints = Hints {
        provider: Some(info.provider.clone()),
        domain: Some(info.domain.clone()),
        tx_contexts: contexts,
        ..hints
    };
    let same = |other: &Info| {
        other.provider == info.provider
            && other.fabric == info.fabric
            && other.address_format == info.address_format
    };
    match library.query(&hints) {
        Ok(infos) => match infos.into_iter().find(same) {
            Some(scalable) => (scalable, contexts),
            None => (info, 0),
        },
        Err(error) => {
            Framework::Btl.debug(format_args!("no scalable endpoint: {error}"));
            (info, 0)
        }
    }
}

/// Ports to try for providers that must not use one twice: this many may be taken by others before
/// the system chooses.
const PORT_TRIES: u16 = 3;
const PORTS_PER_TRY: u16 = 16384;

/// Opens the device and the endpoints.
///
/// Where the provider never forgets an address, ports are chosen here: the system gives them out
/// again soon.
fn open_device(offer: &Offer, config: &Config) -> Result<(Av, Vec<Endpoint>), ofi::Error> {
    let open = |info: &Info| {
        let domain = Domain::open(info)?;
        let av = Av::open(&domain, PEERS)?;
        let endpoints = open_endpoints(info, offer.contexts, &av, &config.settings)?;
        Ok((av, endpoints))
    };
    let opening = config.opening;
    let opening = opening.filter(|_| offer.info.quirks.remembers_addresses);
    for port in opening.into_iter().flat_map(ports) {
        let Some(info) = offer.info.at_port(port) else {
            break;
        };
        if info.is_port_taken() {
            Framework::Btl.debug(format_args!("port {port} is taken"));
            continue;
        }
        match open(&info) {
            Ok(opened) => return Ok(opened),
            Err(error) => Framework::Btl.debug(format_args!("port {port} cannot be had: {error}")),
        }
    }
    open(&offer.info)
}

/// Returns the ports for an opening: two that differ by less than [`PORTS_PER_TRY`] share none.
fn ports(opening: u64) -> impl Iterator<Item = u16> {
    let at = (opening % u64::from(PORTS_PER_TRY)) as u16;
    (1..=PORT_TRIES).map(move |turn| turn * PORTS_PER_TRY + at)
}

fn open_endpoints(
    info: &Info,
    contexts: usize,
    av: &Av,
    settings: &Settings,
) -> Result<Vec<Endpoint>, ofi::Error> {
    let options = Options {
        queue_size: settings.queue_size,
        // A nap between polls is to end when something comes.
        wait: info.wakes() && settings.wait_fd
            || ofi::IdleBackOff::of(info) == ofi::IdleBackOff::Nap,
    };
    if contexts > 0 {
        return Endpoint::open_scalable(info, av, contexts, options);
    }
    Ok(vec![Endpoint::open(info, av, options)?])
}

fn assemble(
    config: Config,
    offer: &Offer,
    av: Av,
    endpoints: Vec<Endpoint>,
) -> Result<Transport, OpenError> {
    let (info, (settings, put_pieces)) = (&offer.info, paced(&offer.info, config.settings));
    let room = settings.max_send_size.min(info.message_max);
    let local = info.demands(mr_mode::LOCAL) || settings.register_local;
    let atomics = offer.memory && info.has(caps::ATOMIC) && atomic::are_sound(av.domain());
    let receives = affordable(settings.receives.min(info.rx_size.max(2)), room)?;
    let address = Address {
        epoch: random(),
        messages: offer.messages,
        memory: offer.memory,
        provider: info.provider.clone(),
        address: endpoints[0].address()?,
        room: if offer.messages { room as u32 } else { 0 },
        window: receives as u32,
    };
    let takes_notes = carries_notes(info);
    let notes = takes_notes && config.me.index() < NOTE_PEERS;
    let max_send_size = match (offer.messages, notes) {
        (false, _) => 0,
        (true, false) => room - HEADER_BYTES,
        (true, true) => room,
    };
    let inject_max = inject_max(info, &settings);
    let piece_max = pieces::piece_max(info, inject_max).filter(|_| notes && info.iov_max >= 2);
    let eager_max = piece_max.map_or(max_send_size, |most| max_send_size.min(most * PIECES_MAX));
    let caps = capabilities(offer, &settings, (eager_max, max_send_size), atomics);
    let limits = SendLimits {
        message_max: max_send_size,
        inject_max,
        short_max: Some(inject_max).filter(|most| *most > 0 && notes && info.iov_max >= 2),
        piece_max,
        notes,
    };
    let trust = Trust {
        notes: takes_notes,
        sources: !info.quirks.misnames_senders,
    };
    let transfer_limits = TransferLimits {
        get_bytes: settings.get_limit.min(info.message_max.max(1)),
        put_bytes: settings.put_limit.min(info.message_max.max(1)),
        put_pieces,
        per_peer: settings.transfers_max,
    };
    let regions = MemoryRegions::new(info, local, settings.cache, config.monitor);
    Ok(Transport {
        caps,
        me: config.me,
        sends: SendQueue::new(config.me, address.epoch, limits, sends_max(info)),
        receives: ReceiveQueue::new(room, receives, trust),
        early: EarlyMessages::new(2 * receives + 1),
        transfers: TransferTable::new(transfer_limits),
        address,
        device: OpenDevice::new(endpoints, regions, av),
        peers: PeerTable::default(),
        help: HelpRequests::default(),
        own_atomics: OwnAtomics::Untried,
        reports: PendingReports::default(),
        leavers: Vec::new(),
        idle: ofi::IdleBackOff::of(info),
        found: false,
        settings,
    })
}

/// Returns `receives`, if there is memory for the buffers of as many messages of `room` bytes.
fn affordable(receives: usize, room: usize) -> Result<usize, ofi::Error> {
    /// Bytes that a transport takes beside the buffers, generously.
    const OWN_BYTES: usize = 1 << 20;
    let bytes = receives * (HEADROOM + room) + OWN_BYTES;
    ofi::Error::unless_room("buffers for messages over libfabric", bytes)?;
    Ok(receives)
}

/// Returns the settings, with less in flight where the provider cannot bear much, and how many
/// pieces of a put may be in flight.
fn paced(info: &Info, settings: Settings) -> (Settings, usize) {
    let Some(pace) = info.quirks.pace else {
        return (settings, usize::MAX);
    };
    let settings = Settings {
        put_limit: settings.put_limit.min(pace.put_bytes),
        transfers_max: settings.transfers_max.min(pace.transfers),
        ..settings
    };
    (settings, 1)
}

/// Returns the number of messages that may be in flight.
fn sends_max(info: &Info) -> usize {
    SENDS_MAX.min(info.tx_size.max(2))
}

/// Returns the bytes that the provider is asked to copy at once.
fn inject_max(info: &Info, settings: &Settings) -> usize {
    match settings.inject && !info.quirks.loses_inject_ends {
        true => info.inject_max,
        false => 0,
    }
}

/// Whether headers travel beside messages, as completion data.
fn carries_notes(info: &Info) -> bool {
    info.cq_data_bytes >= NOTE_BYTES && !info.quirks.mistakes_data
}

/// Returns the capabilities; `eager_max`: the longest message not worth a rendezvous.
fn capabilities(
    offer: &Offer,
    settings: &Settings,
    (eager_max, max_send_size): (usize, usize),
    atomics: bool,
) -> Caps {
    let limits = RmaLimits {
        max_bytes: usize::MAX,
        alignment: 1,
    };
    let software = offer.info.pci.is_none();
    Caps {
        name: "ofi",
        eager_limit: settings.eager_limit.min(eager_max),
        cut: None,
        rndv_eager_limit: 0,
        max_send_size,
        ordered: true,
        keeps: false,
        batches: false,
        backs_off: ofi::IdleBackOff::of(&offer.info) == ofi::IdleBackOff::Nap,
        shares_memory: false,
        get: offer.memory.then_some(limits),
        put: offer.memory.then_some(limits),
        // Writes are asked for with FI_DELIVERY_COMPLETE (fi_cq(3)).
        puts_land: offer.memory,
        atomics,
        emulated: Emulated::default(),
        latency_ns: if software { 30_000 } else { 2000 },
        bandwidth_mbps: match offer.info.link_bps {
            0 if software => 1000,
            0 => 10_000,
            bps => (bps / 8_000_000).clamp(1, 1 << 20) as u32,
        },
        exclusivity: settings.exclusivity,
    }
}

/// Returns a number that distinguishes this opening of the transport from others.
fn random() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn openings_have_ports_of_their_own() {
        let of = |opening| ports(opening).collect::<Vec<u16>>();
        assert_eq!(of(5), [16_389, 32_773, 49_157]);
        let last = of(u64::from(PORTS_PER_TRY) - 1);
        assert_eq!(last, [32_767, 49_151, 65_535]);
        let mut seen = HashSet::new();
        let openings = u64::MAX - u64::from(PORTS_PER_TRY) + 1..=u64::MAX;
        assert!(openings.flat_map(ports).all(|port| seen.insert(port)));
    }
}
