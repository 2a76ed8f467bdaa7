//! The memory of one rank as values, and the form in which a host sends it to `mpirun`.
//!
//! Most of the memory is empty. [`parts`] says which parts of it are needed, by its header and from
//! then on; [`Rank::read`] takes these parts, one behind the other. A rank may have been killed
//! while it wrote, and a host may send anything: numbers are checked, and what cannot be right is
//! left out.

use crate::layout::{self, comm, header, peer, site, Keep, Layout, Record};
use crate::text::text_at;

/// The recording of one rank.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rank {
    /// The number of the rank in the job.
    pub number: u32,
    /// The number of the first process of its part of the job.
    pub first: u32,
    /// The process id; 0 where it has never recorded anything.
    pub pid: u32,
    /// Which records were kept.
    pub keep: Keep,
    /// How many records it has made.
    pub made: u64,
    /// The records that were kept, by their beginnings.
    pub records: Vec<Record>,
    /// The call that it was in when it ended, without its end.
    pub pending: Option<Record>,
    /// The functions, each with a place that it was called from.
    pub sites: Vec<Site>,
    /// The communicators.
    pub comms: Vec<Comm>,
    /// Amounts sent to each process of its part.
    pub peers: Vec<Peer>,
    /// Nanoseconds of the host's clock at tick 0, and nanoseconds of a tick.
    pub clock: Clock,
    /// When it left the first fence and the last, in ticks; 0 where it did not.
    pub fences: [u64; 2],
}

/// Nanoseconds of 36 years: no moment is further from the beginning of a clock, and no time is
/// longer. Sums of some of them have room in 64 bits.
pub(crate) const NANOS_MAX: i64 = 1 << 60;

/// Converts ticks to nanoseconds of the host's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    ticks: u64,
    nanos: u64,
    nanos_a_tick: f64,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock {
            ticks: 0,
            nanos: 0,
            nanos_a_tick: 1.0,
        }
    }
}

impl Clock {
    /// Returns the clock that had these values at two moments, (ticks, nanoseconds) each.
    pub fn new(early: (u64, u64), late: (u64, u64)) -> Clock {
        let (ticks, nanos) = early;
        let ticked = late.0.saturating_sub(ticks);
        let nanos_a_tick = match ticked {
            0 => 1.0,
            ticked => late.1.saturating_sub(nanos) as f64 / ticked as f64,
        };
        Clock {
            ticks,
            nanos,
            nanos_a_tick,
        }
    }

    /// Returns a moment in nanoseconds.
    pub fn nanos(&self, ticks: u64) -> i64 {
        let since = ticks.wrapping_sub(self.ticks) as i64;
        let passed = (since as f64 * self.nanos_a_tick) as i64;
        (self.nanos as i64)
            .saturating_add(passed)
            .clamp(-NANOS_MAX, NANOS_MAX)
    }

    /// Returns a time in nanoseconds.
    pub fn span(&self, ticks: u64) -> u64 {
        ((ticks as f64 * self.nanos_a_tick) as u64).min(NANOS_MAX as u64)
    }
}

/// A function, as it was called from one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// The function's name.
    pub function: String,
    /// The file of the place; empty where it is unknown.
    pub file: String,
    /// The address in the file.
    pub address: u64,
    /// The symbol at the place; empty where it is unknown.
    pub symbol: String,
    /// How often it was called.
    pub calls: u64,
    /// Ticks in all calls.
    pub ticks: u64,
    /// Ticks of the longest call.
    pub longest: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A communicator.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comm {
    /// Context of the communicator, the same at all members.
    pub context: u64,
    /// The number of its processes.
    pub size: u64,
    /// The name of the communicator.
    pub name: String,
}

/// Amounts that a rank has sent to another, and accessed in its windows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Peer {
    /// Messages.
    pub messages: u64,
    /// Bytes of messages.
    pub bytes: u64,
    /// Bytes put into its windows.
    pub put: u64,
    /// Bytes got from its windows.
    pub got: u64,
}

/// Why the memory of a rank cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Sizes of the parts of a memory that are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Used {
    layout: Layout,
    sites: usize,
    comms: usize,
    text: usize,
    records: usize,
}

impl Used {
    fn of(words: &[u64]) -> Result<Used, Malformed> {
        let malformed = |why: &str| Malformed(format!("a recording {why}"));
        if words.len() < layout::HEADER_WORDS || words[header::MAGIC] != layout::MAGIC {
            return Err(malformed("that is of another version, or no recording"));
        }
        let number = |at: usize| usize::try_from(words[at]).unwrap_or(usize::MAX);
        let layout = Layout::new(number(header::CAPACITY), number(header::PEERS));
        let layout = layout.ok_or_else(|| malformed("of an impossible size"))?;
        Ok(Used {
            layout,
            sites: number(header::SITES).min(layout::SITES_MAX),
            comms: number(header::COMMS).min(layout::COMMS_MAX),
            text: (number(header::TEXT).min(layout::TEXT_BYTES) / 8) * 8,
            records: number(header::KEPT).min(layout.capacity),
        })
    }

    /// The parts, as (first word, words).
    fn parts(&self) -> [(usize, usize); 6] {
        let layout = &self.layout;
        [
            (0, layout::HEADER_WORDS),
            (layout.site(0), self.sites * layout::SITE_WORDS),
            (layout.comm(0), self.comms * layout::COMM_WORDS),
            (layout.peer(0), layout.peers * layout::PEER_WORDS),
            (layout.text(), self.text / 8),
            (layout.record(0), self.records * layout::RECORD_WORDS),
        ]
    }
}

/// Returns the parts of a memory that are used, as (offset, length) in bytes, by its header, which
/// is the first of them.
///
/// # Errors
/// When the header is malformed.
pub fn parts(head: &[u8]) -> Result<Vec<(u64, usize)>, Malformed> {
    let used = Used::of(&words(head))?;
    let parts = used.parts().into_iter();
    Ok(parts
        .map(|(first, len)| (first as u64 * 8, len * 8))
        .collect())
}

fn words(bytes: &[u8]) -> Vec<u64> {
    let words = bytes.chunks_exact(8);
    words
        .map(|word| u64::from_le_bytes(word.try_into().expect("chunks of eight")))
        .collect()
}

impl Rank {
    /// Reads the used parts of a rank's memory, which follow each other.
    ///
    /// # Errors
    /// When they are too short or malformed.
    pub fn read(bytes: &[u8]) -> Result<Rank, Malformed> {
        let words = words(bytes);
        let used = Used::of(&words)?;
        let mut areas = Vec::new();
        let mut rest = words.as_slice();
        for (_, len) in used.parts() {
            let Some((area, others)) = rest.split_at_checked(len) else {
                return Err(Malformed("a recording that is cut off".into()));
            };
            areas.push(area);
            rest = others;
        }
        let text: Vec<u8> = areas[4]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let head = areas[0];
        let mut rank = Rank {
            number: head[header::RANK] as u32,
            first: head[header::FIRST] as u32,
            pid: head[header::PID] as u32,
            keep: Keep::of(head[header::KEEP]),
            made: head[header::MADE],
            clock: Clock::new(
                (head[header::TICKS_EARLY], head[header::NANOS_EARLY]),
                (head[header::TICKS_LATE], head[header::NANOS_LATE]),
            ),
            fences: [head[header::FENCE_EARLY], head[header::FENCE_LATE]],
            sites: sites(areas[1], &text),
            comms: comms(areas[2], &text),
            peers: peers(areas[3]),
            ..Rank::default()
        };
        let record = |words: &[u64]| {
            let record = Record::of(words.try_into().ok()?)?;
            ((record.site as usize) < rank.sites.len()).then_some(record)
        };
        let records = areas[5].chunks_exact(layout::RECORD_WORDS);
        let mut records: Vec<Record> = records.filter_map(record).collect();
        records.sort_by_key(|record| (record.begin, std::cmp::Reverse(record.ticks)));
        rank.pending = (head[header::IN_CALL] == 1)
            .then(|| record(&head[header::PENDING..header::PENDING + layout::RECORD_WORDS]))
            .flatten();
        rank.records = records;
        Ok(rank)
    }

    /// The site of a record.
    pub fn site(&self, record: &Record) -> &Site {
        &self.sites[record.site as usize]
    }

    /// The communicator of a record.
    pub fn comm(&self, record: &Record) -> Option<&Comm> {
        self.comms.get(record.comm as usize)
    }

    /// Whether there was no room for all of its records.
    pub fn is_cut(&self) -> bool {
        self.made > self.records.len() as u64
    }
}

fn sites(words: &[u64], text: &[u8]) -> Vec<Site> {
    let sites = words.chunks_exact(layout::SITE_WORDS);
    let read = |words: &[u64]| Site {
        function: text_at(text, words[site::FUNCTION] as u32),
        file: text_at(text, (words[site::FUNCTION] >> 32) as u32),
        address: words[site::ADDRESS],
        symbol: text_at(text, words[site::SYMBOL] as u32),
        calls: words[site::CALLS],
        ticks: words[site::TICKS],
        longest: words[site::LONGEST],
        bytes: words[site::BYTES],
    };
    sites.map(read).collect()
}

fn comms(words: &[u64], text: &[u8]) -> Vec<Comm> {
    let comms = words.chunks_exact(layout::COMM_WORDS);
    let read = |words: &[u64]| Comm {
        context: words[comm::CONTEXT],
        size: words[comm::SIZE],
        name: text_at(text, words[comm::NAME] as u32),
    };
    comms.map(read).collect()
}

fn peers(words: &[u64]) -> Vec<Peer> {
    let peers = words.chunks_exact(layout::PEER_WORDS);
    let read = |words: &[u64]| Peer {
        messages: words[peer::MESSAGES],
        bytes: words[peer::BYTES],
        put: words[peer::PUT],
        got: words[peer::GOT],
    };
    peers.map(read).collect()
}
