//! Deviations of libfabric's providers from its manual.
//!
//! Only this module knows providers by name. [`of`] gives the facts about a provider in a version
//! of libfabric, out of [`TABLE`], which has a row for each provider and range of versions, and the
//! reason beside each fact. A provider that no row names has none of the quirks
//! ([`Quirks::NEUTRAL`]). A new deviation is a field here, its value in the provider's row, and a
//! test of the field where it matters.
//!
//! The module uses nothing of the crate, so that `xtask` includes it as it is.

/// Providers that are software and that a transport of this project outperforms.
pub const SOFTWARE: &str = "shm,sm2,sockets,tcp,udp,rstream,usnic,net,\
    sockets;ofi_rxm,sockets;ofi_rxd,tcp;ofi_rxm,tcp;ofi_rxd,udp;ofi_rxd,net;ofi_rxm";

/// Facts about one provider. Each says what is so; the rows of the table say why.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quirks {
    /// Whether an address names its first owner for ever, so that each opening needs a new one.
    pub remembers_addresses: bool,
    /// Whether a completion may name another sender than the message's.
    pub misnames_senders: bool,
    /// Whether completion data may be lost, or reported where the sender sent none.
    pub mistakes_data: bool,
    /// Whether an operation that was asked to copy its buffer at once has no completion.
    pub loses_inject_ends: bool,
    /// Bytes that are really copied at once, and the variable of the environment that changes them;
    /// `None`: the provider's own figure holds.
    pub copied: Option<(usize, &'static str)>,
    /// Most receives that may be posted, whatever the provider says.
    pub receives_max: usize,
    /// Most bytes of a piece of a put, one piece at a time, and puts in flight.
    pub pace: Option<Pace>,
    /// Whether atomic operations must not be used.
    pub breaks_atomics: bool,
    /// Whether reading a peer's memory is a system call, faster only for long messages.
    pub reads_by_system_call: bool,
    /// Whether a thread of the provider's makes progress on data, where progress is automatic.
    pub has_progress_thread: bool,
    /// Threads that the provider starts, and does without when it gets none.
    pub threads: usize,
    /// Bytes that the provider takes for a peer, unchecked.
    pub peer_bytes: usize,
    /// Descriptors that the provider takes for a peer, unchecked.
    pub peer_descriptors: usize,
    /// Whether a poll takes the lock that senders need.
    pub polls_lock_out_senders: bool,
    /// Whether requests of peers must be handled before an endpoint closes.
    pub closes_on_requests: bool,
    /// Whether messages of peers must have ended before an endpoint closes.
    pub closes_on_messages: bool,
    /// Whether the end of a process in the middle of a transfer may hang its peers.
    pub hangs_with_the_dead: bool,
    /// Whether the provider carries some tens of messages in a second, and no more.
    pub is_slow: bool,
    /// Reason that the provider's matching cannot be relied on: one clause.
    pub mismatches: Option<&'static str>,
    /// Whether a message that was claimed before it was whole may be lost.
    pub breaks_claims: bool,
    /// Whether receives that name their sender are matched before older ones that do not.
    pub prefers_directed: bool,
    /// Whether messages are matched in hardware, or in a library made for matching.
    pub matches_in_hardware: bool,
}

/// How much a provider bears at a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// Most bytes of a piece of a put.
    pub put_bytes: usize,
    /// Most transfers in flight.
    pub transfers: usize,
}

impl Quirks {
    /// A provider that does what the manual says.
    pub const NEUTRAL: Quirks = Quirks {
        remembers_addresses: false,
        misnames_senders: false,
        mistakes_data: false,
        loses_inject_ends: false,
        copied: None,
        receives_max: usize::MAX,
        pace: None,
        breaks_atomics: false,
        reads_by_system_call: false,
        has_progress_thread: false,
        threads: 0,
        peer_bytes: 0,
        peer_descriptors: 0,
        polls_lock_out_senders: false,
        closes_on_requests: false,
        closes_on_messages: false,
        hangs_with_the_dead: false,
        is_slow: false,
        mismatches: None,
        breaks_claims: false,
        prefers_directed: false,
        matches_in_hardware: false,
    };
}

/// Returns the facts about a provider, by its whole name (`tcp;ofi_rxm`), in a version of libfabric
/// (`1.17`).
pub fn of(provider: &str, version: &str) -> Quirks {
    let major = version.split('.').next().and_then(|it| it.parse().ok());
    let mut quirks = Quirks::NEUTRAL;
    for row in TABLE {
        if row.name.is(provider) && row.versions.have(major.unwrap_or(u32::MAX)) {
            (row.apply)(&mut quirks);
        }
    }
    quirks
}

/// The providers that a row is about.
enum Name {
    /// The one of this whole name.
    Whole(&'static str),
    /// All with this layer on top.
    Layer(&'static str),
    /// Providers matched by full name.
    OneOf(&'static [&'static str]),
    /// All.
    Any,
}

impl Name {
    fn is(&self, provider: &str) -> bool {
        match self {
            Name::Whole(name) => provider == *name,
            Name::Layer(layer) => provider
                .rsplit_once(';')
                .is_some_and(|(_, top)| top == *layer),
            Name::OneOf(names) => names.contains(&provider),
            Name::Any => true,
        }
    }
}

/// The major versions of libfabric that a row is about.
enum Versions {
    All,
    Below(u32),
    From(u32),
}

impl Versions {
    fn have(&self, major: u32) -> bool {
        match self {
            Versions::All => true,
            Versions::Below(first) => major < *first,
            Versions::From(first) => major >= *first,
        }
    }
}

/// One provider's facts in a range of versions. Later rows overrule earlier ones.
struct Row {
    name: Name,
    versions: Versions,
    apply: fn(&mut Quirks),
}

/// All known quirks. "Up to 2.5" names the newest version in which one was seen.
const TABLE: &[Row] = &[
    Row {
        name: Name::Any,
        versions: Versions::From(2),
        apply: |quirks| {
            // libfabric's own matching, which most software providers use from 2.0 on.
            quirks.prefers_directed = true;
        },
    },
    Row {
        name: Name::OneOf(&["psm", "psm2", "psm3", "opx", "gni", "cxi", "bgq"]),
        versions: Versions::All,
        apply: |quirks| {
            // Networks, or libraries of theirs, that have matching of their own.
            quirks.matches_in_hardware = true;
            quirks.prefers_directed = false;
        },
    },
    Row {
        name: Name::Layer("ofi_rxd"),
        versions: Versions::All,
        apply: rxd,
    },
    Row {
        name: Name::Layer("ofi_rxm"),
        versions: Versions::All,
        apply: |quirks| {
            // It closes its connections one by one and then handles what still comes out of the
            // queue below: a request of a peer, which it answers on the connection that it has just
            // closed, and crashes (1.17).
            quirks.closes_on_requests = true;
            // A message that comes meanwhile gives its buffer back to a connection that was just
            // freed (up to 2.5).
            quirks.closes_on_messages = true;
            // It reports less than it copies (`fi_rxm(7)`).
            quirks.copied = Some((16 << 10, "FI_OFI_RXM_BUFFER_SIZE"));
        },
    },
    Row {
        name: Name::Layer("ofi_rxm"),
        versions: Versions::Below(2),
        apply: |quirks| {
            // It cuts messages of some tens of KiB into parts; one that is claimed when only its
            // first part is there never becomes whole, or crashes.
            quirks.breaks_claims = true;
        },
    },
    Row {
        name: Name::Whole("sockets"),
        versions: Versions::All,
        apply: sockets,
    },
    Row {
        name: Name::Whole("shm"),
        versions: Versions::All,
        apply: shm,
    },
    Row {
        name: Name::Whole("shm"),
        versions: Versions::Below(2),
        apply: |quirks| {
            quirks.mismatches =
                Some("in libfabric 1.x it does not find messages that came early by a mask");
        },
    },
    Row {
        name: Name::OneOf(&["tcp", "net"]),
        versions: Versions::All,
        apply: |quirks| {
            quirks.mismatches =
                Some("it reads no further where 64 messages wait for a receive; use tcp;ofi_rxm");
        },
    },
];

/// Reliability over datagrams.
fn rxd(quirks: &mut Quirks) {
    // It knows peers by their address, and never forgets one: what an endpoint sends that got the
    // port of one that is closed, it takes for what it has had already, acknowledges and drops (up
    // to 2.5). The system gives ports out again soon.
    quirks.remembers_addresses = true;
    // It reports its own number of the sender instead.
    quirks.misnames_senders = true;
    // It reports other data with some messages (all versions).
    quirks.mistakes_data = true;
    // It reports no completion of operations that it copies at once.
    quirks.loses_inject_ends = true;
    // It answers each datagram that is not the next one with one of its own, and for each end that
    // it takes from the queue below, up to two more datagrams come in (1.17). That queue has room
    // for as many ends as it may have sends and receives, and answers are sends of which nobody
    // keeps count: with the 1024 of both that it has, a burst's answers fill it, and then ends of
    // receives go over others that nobody has read. What was lost so is neither delivered nor sent
    // again. This many leave room for their answers, and for the windows of eight peers (128
    // datagrams each).
    quirks.receives_max = 512;
    // It loses datagrams when more are under way than a socket has room for, and waits longer and
    // longer before it sends them again: 64 puts of 1 MiB at once come at 4 to 12 MB/s, and so at
    // 330; of short ones as many come in a second as with 64 under way (1.17). A socket's room is
    // 208 KiB, and a datagram takes more of it than it brings.
    quirks.pace = Some(Pace {
        put_bytes: 64 << 10,
        transfers: 4,
    });
    // It runs into a null pointer when two processes that have not met begin with an atomic
    // operation at the same time.
    quirks.breaks_atomics = true;
    quirks.mismatches = Some("a short message overtakes the long one that was sent before it");
}

/// The kernel's sockets, by a provider that has matching and access to memory of its own.
fn sockets(quirks: &mut Quirks) {
    // It names another sender now and then when several peers send at once.
    quirks.misnames_senders = true;
    // It does not report data with a message that came before its receive (all versions).
    quirks.mistakes_data = true;
    // The thread polls for 10 ms before it sleeps, and without an end while anything is under way.
    // Without it all that is done for an operation is done as the queue is read, the first step
    // included.
    quirks.has_progress_thread = true;
    // It goes on without threads that it cannot start, and waits for them as it closes.
    quirks.threads = 3;
    // It waits for ever for connections that cannot be made (1.17).
    quirks.peer_descriptors = 4;
    // A stream stalls where the receive window closes within a message's header, for the provider
    // takes no part of a header from the socket (1.17; `tests/libfabric/closed_window.c`).
    // It moves hardly more than fifty messages a second where its thread has to be waited for.
    quirks.is_slow = true;
}

/// Shared memory.
fn shm(quirks: &mut Quirks) {
    // It names the wrong sender once a peer was removed and has come back (1.17).
    quirks.misnames_senders = true;
    // process_vm_readv(2), which takes longer than two messages of which it copies each at once.
    quirks.reads_by_system_call = true;
    // It maps the peer's region, of 16 MiB, and goes on without it, into the null pointer (1.17).
    quirks.peer_bytes = 32 << 20;
    quirks.peer_descriptors = 4;
    // Both take a spin lock of the region.
    quirks.polls_lock_out_senders = true;
    // A process that dies while it copies holds that lock, and the provider in the other process
    // spins on it for ever.
    quirks.hangs_with_the_dead = true;
}
