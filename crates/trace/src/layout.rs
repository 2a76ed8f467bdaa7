//! The memory that one rank records into: 64-bit words, of which the rank writes and, once it has
//! ended, the launcher reads.
//!
//! ```text
//! header | sites | communicators | peers | text | records
//! ```
//!
//! Sites, communicators and text only grow; their numbers in the header are raised once an entry is
//! whole. So what a killed rank leaves behind can be read, but for the entry under way.

/// The first word: says what the memory is, and which version of this layout it has.
pub const MAGIC: u64 = u64::from_le_bytes(*b"OXTRACE1");

/// Words of the header, by name.
pub mod header {
    /// [`super::MAGIC`].
    pub const MAGIC: usize = 0;
    /// How many records there is room for.
    pub const CAPACITY: usize = 1;
    /// Which records stay when there are more: see [`super::Keep`].
    pub const KEEP: usize = 2;
    /// The number of the rank in its job.
    pub const RANK: usize = 3;
    /// The number of ranks that the table of peers has entries for.
    pub const PEERS: usize = 4;
    /// The number of the first process of the rank's part of the job.
    pub const FIRST: usize = 5;
    /// How many records the rank has made.
    pub const MADE: usize = 6;
    /// How many of them are in the ring.
    pub const KEPT: usize = 7;
    /// Ticks of the rank's clock and nanoseconds of the host's monotonic clock, at one moment.
    pub const TICKS_EARLY: usize = 8;
    /// See [`TICKS_EARLY`].
    pub const NANOS_EARLY: usize = 9;
    /// Both once more, at a later moment; 0 until there was one.
    pub const TICKS_LATE: usize = 10;
    /// See [`TICKS_LATE`].
    pub const NANOS_LATE: usize = 11;
    /// Ticks at which the rank left the first fence of the job, and the last; 0 where it did not.
    pub const FENCE_EARLY: usize = 12;
    /// See [`FENCE_EARLY`].
    pub const FENCE_LATE: usize = 13;
    /// How many sites, communicators and bytes of text there are.
    pub const SITES: usize = 14;
    /// See [`SITES`].
    pub const COMMS: usize = 15;
    /// See [`SITES`].
    pub const TEXT: usize = 16;
    /// The process id.
    pub const PID: usize = 17;
    /// Whether the rank is in a call, whose record, without its duration, is at [`PENDING`].
    pub const IN_CALL: usize = 18;
    /// The record of the call that the rank is in.
    pub const PENDING: usize = 20;
}

/// Words of the header.
pub const HEADER_WORDS: usize = 32;
/// How many sites there may be, and the words of one.
pub const SITES_MAX: usize = 4096;
/// See [`SITES_MAX`].
pub const SITE_WORDS: usize = 8;
/// Most communicators of a trace, and the words of one.
pub const COMMS_MAX: usize = 1024;
/// See [`COMMS_MAX`].
pub const COMM_WORDS: usize = 4;
/// Words of a peer.
pub const PEER_WORDS: usize = 4;
/// Bytes of text.
pub const TEXT_BYTES: usize = 256 * 1024;
/// Words of a record.
pub const RECORD_WORDS: usize = 4;

/// Stands for no peer: the call has none, or it is `MPI_PROC_NULL`.
pub const NO_PEER: i32 = -1;
/// A peer that the trace has no number for: `MPI_ANY_SOURCE`, or a process of another job.
pub const UNKNOWN: i32 = -2;
/// The tag of what has none.
pub const NO_TAG: i32 = -1;

/// Words of a site: a function and the place that it is called from.
pub mod site {
    /// Positions in the text: the name of the function; the file of the place.
    pub const FUNCTION: usize = 0;
    /// The address of the place in its file.
    pub const ADDRESS: usize = 1;
    /// How often it was called.
    pub const CALLS: usize = 2;
    /// Ticks in all calls.
    pub const TICKS: usize = 3;
    /// Ticks of the longest call.
    pub const LONGEST: usize = 4;
    /// Bytes that the calls sent or accessed.
    pub const BYTES: usize = 5;
    /// Positions in the text: the name of the symbol that the place is in; 0 for none.
    pub const SYMBOL: usize = 6;
}

/// Words of a communicator.
pub mod comm {
    /// Context of the communicator, the same at all members.
    pub const CONTEXT: usize = 0;
    /// The number of its processes.
    pub const SIZE: usize = 1;
    /// Position of its name in the text.
    pub const NAME: usize = 2;
}

/// Words of a peer.
pub mod peer {
    /// Messages sent to it.
    pub const MESSAGES: usize = 0;
    /// Bytes of them.
    pub const BYTES: usize = 1;
    /// Bytes put into its windows.
    pub const PUT: usize = 2;
    /// Bytes got from its windows.
    pub const GOT: usize = 3;
}

/// The records that stay when there are more than there is room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// The last ones.
    #[default]
    Newest,
    /// The records that took longest.
    Slowest,
}

impl Keep {
    /// The value in the header.
    pub fn word(self) -> u64 {
        match self {
            Keep::Newest => 0,
            Keep::Slowest => 1,
        }
    }

    /// The reverse of [`Keep::word`]; the newest for any other value.
    pub fn of(word: u64) -> Keep {
        match word {
            1 => Keep::Slowest,
            _ => Keep::Newest,
        }
    }
}

/// Where the areas of the memory begin, in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// How many records there is room for.
    pub capacity: usize,
    /// How many peers there are.
    pub peers: usize,
}

impl Layout {
    /// The most records and peers of a layout: more would be a mistake or malformed.
    pub const CAPACITY_MAX: usize = 1 << 28;
    const PEERS_MAX: usize = 1 << 24;

    /// Returns the layout with room for this many records and peers; `None` where they are too
    /// many, or no records.
    pub fn new(capacity: usize, peers: usize) -> Option<Layout> {
        let fits = (1..=Layout::CAPACITY_MAX).contains(&capacity) && peers <= Layout::PEERS_MAX;
        fits.then_some(Layout { capacity, peers })
    }

    /// The first word of a site.
    pub fn site(&self, at: usize) -> usize {
        HEADER_WORDS + at * SITE_WORDS
    }

    /// The first word of a communicator.
    pub fn comm(&self, at: usize) -> usize {
        self.site(SITES_MAX) + at * COMM_WORDS
    }

    /// The first word of a peer.
    pub fn peer(&self, at: usize) -> usize {
        self.comm(COMMS_MAX) + at * PEER_WORDS
    }

    /// The first word of the text.
    pub fn text(&self) -> usize {
        self.peer(self.peers)
    }

    /// The first word of a record.
    pub fn record(&self, at: usize) -> usize {
        self.text() + TEXT_BYTES / 8 + at * RECORD_WORDS
    }

    /// Bytes of the whole memory.
    pub fn bytes(&self) -> usize {
        self.record(self.capacity) * 8
    }

    /// Returns the header of memory that nothing was recorded in yet, for a rank whose part begins
    /// at process `first`.
    pub fn header(&self, keep: Keep, rank: u32, first: u32) -> Vec<u8> {
        let mut words = [0; HEADER_WORDS];
        words[header::MAGIC] = MAGIC;
        words[header::CAPACITY] = self.capacity as u64;
        words[header::KEEP] = keep.word();
        words[header::RANK] = u64::from(rank);
        words[header::PEERS] = self.peers as u64;
        words[header::FIRST] = u64::from(first);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// The subject of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A call of MPI, from its beginning to its end.
    Call = 0,
    /// A call that moreover sent a message.
    CallThatSent = 1,
    /// A call that moreover received a message.
    CallThatReceived = 2,
    /// A message that a persistent request sent when it was started.
    Send = 3,
    /// A message that was received, from the posting of the receive to its completion.
    Receive = 4,
}

impl Kind {
    /// The kind of a byte.
    pub fn of(byte: u8) -> Option<Kind> {
        Some(match byte {
            0 => Kind::Call,
            1 => Kind::CallThatSent,
            2 => Kind::CallThatReceived,
            3 => Kind::Send,
            4 => Kind::Receive,
            _ => return None,
        })
    }

    /// Whether it is a call.
    pub fn is_call(self) -> bool {
        !matches!(self, Kind::Send | Kind::Receive)
    }

    /// Whether a message was sent.
    pub fn sends(self) -> bool {
        matches!(self, Kind::CallThatSent | Kind::Send)
    }

    /// Whether a message was received.
    pub fn receives(self) -> bool {
        matches!(self, Kind::CallThatReceived | Kind::Receive)
    }
}

/// A record: 32 bytes in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// When it began, in ticks.
    pub begin: u64,
    /// How long it took, in ticks; exact to one in 2^26.
    pub ticks: u64,
    /// Bytes; exact to one in 2^26.
    pub bytes: u64,
    /// The number of the peer in the job, or [`NO_PEER`] or [`UNKNOWN`].
    pub peer: i32,
    /// The tag, or [`NO_TAG`].
    pub tag: i32,
    /// The position of the site.
    pub site: u16,
    /// The position of the communicator; [`Record::NO_COMM`] for none.
    pub comm: u16,
    /// The subject of the record.
    pub kind: Kind,
    /// Which thread of the rank made the call, counted from 0.
    pub thread: u8,
}

impl Record {
    /// The communicator of a call that is on none.
    pub const NO_COMM: u16 = u16::MAX;

    /// Returns the record as words.
    #[inline]
    pub fn words(&self) -> [u64; RECORD_WORDS] {
        [
            self.begin,
            u64::from(pack(self.ticks)) | u64::from(pack(self.bytes)) << 32,
            u64::from(self.peer as u32) | u64::from(self.tag as u32) << 32,
            u64::from(self.site)
                | u64::from(self.comm) << 16
                | u64::from(self.kind as u8) << 32
                | u64::from(self.thread) << 40,
        ]
    }

    /// Returns the record of words; `None` where they are malformed.
    pub fn of(words: [u64; RECORD_WORDS]) -> Option<Record> {
        Some(Record {
            begin: words[0],
            ticks: unpack(words[1] as u32),
            bytes: unpack((words[1] >> 32) as u32),
            peer: words[2] as u32 as i32,
            tag: (words[2] >> 32) as u32 as i32,
            site: words[3] as u16,
            comm: (words[3] >> 16) as u16,
            kind: Kind::of((words[3] >> 32) as u8)?,
            thread: (words[3] >> 40) as u8,
        })
    }
}

/// Bits of the exponent of a packed number; the other 27 are its leading bits.
const EXPONENT_BITS: u32 = 5;
const MANTISSA_BITS: u32 = 32 - EXPONENT_BITS;
/// The largest number that can be packed, about 2^58.
const PACKED_MAX: u64 = ((1 << MANTISSA_BITS) - 1) << ((1 << EXPONENT_BITS) - 1);

/// Packs a number into 32 bits, which keep its 27 leading ones.
#[inline]
pub fn pack(number: u64) -> u32 {
    let number = number.min(PACKED_MAX);
    let exponent = (64 - number.leading_zeros()).saturating_sub(MANTISSA_BITS);
    exponent << MANTISSA_BITS | (number >> exponent) as u32
}

/// The reverse of [`pack`].
#[inline]
pub fn unpack(packed: u32) -> u64 {
    u64::from(packed & ((1 << MANTISSA_BITS) - 1)) << (packed >> MANTISSA_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_packed_exactly_up_to_27_bits_and_nearly_beyond() {
        for exact in [0, 1, 2, 1000, (1 << 27) - 1, 1 << 27, 1 << 40, 3 << 50] {
            assert_eq!(unpack(pack(exact)), exact);
        }
        for large in [(1 << 27) + 1, 987_654_321_987, PACKED_MAX - 1] {
            let back = unpack(pack(large));
            assert!(
                back <= large && large - back <= large >> 26,
                "{large} {back}"
            );
        }
        assert_eq!(unpack(pack(u64::MAX)), PACKED_MAX);
    }

    #[test]
    fn a_record_comes_back_as_it_was() {
        let record = Record {
            begin: 0x0123_4567_89AB_CDEF,
            ticks: 77,
            bytes: 4096,
            peer: UNKNOWN,
            tag: i32::MAX,
            site: 4095,
            comm: Record::NO_COMM,
            kind: Kind::Receive,
            thread: 255,
        };
        assert_eq!(Record::of(record.words()), Some(record));
        assert_eq!(Record::of([0, 0, 0, 0x77 << 32]), None);
    }

    #[test]
    fn areas_follow_each_other_without_gaps() {
        let layout = Layout::new(10, 3).unwrap();
        assert_eq!(layout.site(0), HEADER_WORDS);
        assert_eq!(layout.text() - layout.peer(0), 3 * PEER_WORDS);
        assert_eq!(layout.record(0), layout.text() + TEXT_BYTES / 8);
        assert_eq!(layout.bytes(), (layout.record(0) + 40) * 8);
        assert_eq!(layout.header(Keep::Slowest, 1, 0).len(), HEADER_WORDS * 8);
        assert_eq!(Layout::new(0, 1), None);
        assert_eq!(Layout::new(usize::MAX, 1), None);
    }
}
