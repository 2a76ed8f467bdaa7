//! Making and joining a segment.
//!
//! Rank 0 founds it and offers it to the others, who attach by process id and descriptor, as
//! btl-sm's peers do. Each rank then tells all others with a *card* whether it is in; one that is
//! not keeps all from using the segment. So all ranks decide alike, whatever failed where.

use std::io;
use std::sync::atomic::Ordering;

use base::wire::{read_u32, read_u64, write_u32, write_u64};
use memory::segment::Segment;
use shm::copy::{self, Probe};
use sync::barrier;

use crate::call::Member;
use crate::segment::{Layout, View};
use crate::Settings;

/// Bytes of what the founder tells the others.
pub const OFFER_BYTES: usize = 32;
/// Bytes of what every rank tells all.
pub const CARD_BYTES: usize = 32;

/// Least bytes of a slot: with less, messages do as well.
const SLOT_MIN: usize = 1 << 10;

const PROBE_AT: usize = 8;
const IS_IN: u32 = 1;
const WANTS_FENCES: u32 = 2;
const COPIES: u32 = 4;

/// A rank that may become a [`Member`].
pub struct Candidate {
    settings: Settings,
    view: Result<View, String>,
    /// Read by the others to see whether they may.
    probe: Probe,
    /// All ranks at once take turns on the cores: fewer steps are better than fewer looks.
    crowded: bool,
}

impl Candidate {
    /// Founds a segment for `size` ranks, and gives what the others need to join. `crowded`: there
    /// are more ranks than cores. An offer of zeros says that it failed.
    pub fn found(settings: Settings, size: u32, crowded: bool) -> (Candidate, [u8; OFFER_BYTES]) {
        let mut offer = [0; OFFER_BYTES];
        let view = found(&settings, size, crowded, &mut offer);
        (Candidate::new(settings, view, crowded), offer)
    }

    /// Joins the segment of an offer.
    pub fn join(settings: Settings, size: u32, offer: &[u8; OFFER_BYTES]) -> Candidate {
        let crowded = offer[28] != 0;
        Candidate::new(settings, join(size, offer), crowded)
    }

    fn new(settings: Settings, view: Result<View, String>, crowded: bool) -> Candidate {
        let probe = Probe::new();
        Candidate {
            settings,
            view,
            probe,
            crowded,
        }
    }

    /// Keeps all from using the segment, for a reason of the caller's.
    pub fn refuse(&mut self, why: String) {
        self.view = Err(why);
    }

    /// Why this rank is not in.
    pub fn failure(&self) -> Option<&str> {
        self.view.as_ref().err().map(String::as_str)
    }

    /// What all ranks need to know of this one.
    pub fn card(&self) -> [u8; CARD_BYTES] {
        let mut card = [0; CARD_BYTES];
        let mut flags = 0;
        flags |= if self.view.is_ok() { IS_IN } else { 0 };
        flags |= if barrier::register() { 0 } else { WANTS_FENCES };
        flags |= if self.settings.direct { COPIES } else { 0 };
        write_u32(&mut card, 0, flags);
        write_u32(&mut card, 4, std::process::id());
        card[PROBE_AT..][..copy::PROBE_BYTES].copy_from_slice(&self.probe.encode());
        card
    }

    /// Whether this rank may read the memory of all others, by their cards in rank order.
    pub fn may_copy(&self, cards: &[u8]) -> bool {
        let mut rows = cards.chunks_exact(CARD_BYTES);
        rows.all(|row| {
            let wants = read_u32(row, 0).unwrap_or(0) & COPIES != 0;
            let pid = read_u32(row, 4).unwrap_or(0);
            wants && copy::may_read(pid, &row[PROBE_AT..])
        })
    }

    /// Makes a member of this rank; `None` when a rank is not in. `cards` are those of all ranks in
    /// order, `copies` says whether all of them may copy.
    pub fn admit(self, rank: u32, cards: &[u8], copies: bool) -> Option<Member> {
        let rows = || cards.chunks_exact(CARD_BYTES);
        let flags = || rows().map(|row| read_u32(row, 0).unwrap_or(0));
        let mut view = self.view.ok()?;
        // All that could attach have said so: no communicator keeps a descriptor.
        view.close();
        let all_in = flags().all(|flags| flags & IS_IN != 0);
        if !all_in || rows().count() != view.layout().ranks as usize {
            return None;
        }
        let fences = flags().any(|flags| flags & WANTS_FENCES != 0);
        let pids = rows().map(|row| read_u32(row, 4).unwrap_or(0)).collect();
        let copies = copies.then_some(self.settings.direct_min);
        Some(Member::new(view, rank, pids, fences, copies, self.crowded))
    }
}

fn found(
    settings: &Settings,
    size: u32,
    crowded: bool,
    offer: &mut [u8; OFFER_BYTES],
) -> Result<View, String> {
    let slot_bytes = settings.slot_bytes_for(size);
    let layout = Layout {
        ranks: size,
        slot_bytes: slot_bytes as u32,
    };
    if slot_bytes < SLOT_MIN || !layout.is_possible() {
        return Err(format!(
            "{} bytes are too few for {size} ranks (coll_sm_memory)",
            settings.memory
        ));
    }
    let view = make(layout).map_err(|why| {
        let bytes = layout.len();
        format!("no shared segment of {bytes} bytes: {why}")
    })?;
    let cookie = shm::cookie();
    view.cookie().store(cookie, Ordering::Release);
    write_u32(offer, 0, std::process::id());
    write_u32(offer, 4, view.segment().descriptor() as u32);
    write_u64(offer, 8, cookie);
    write_u32(offer, 16, layout.ranks);
    write_u32(offer, 20, layout.slot_bytes);
    offer[28] = u8::from(crowded);
    Ok(view)
}

fn make(layout: Layout) -> io::Result<View> {
    let segment = Segment::create("oxmpi-coll", layout.len())?;
    segment.reserve(0, layout.len())?;
    View::new(segment, layout).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

fn join(size: u32, offer: &[u8; OFFER_BYTES]) -> Result<View, String> {
    let word = |at| read_u32(offer, at).unwrap_or(0);
    let (pid, descriptor) = (word(0), word(4));
    let cookie = read_u64(offer, 8).unwrap_or(0);
    let layout = Layout {
        ranks: word(16),
        slot_bytes: word(20),
    };
    if cookie == 0 {
        return Err("rank 0 has no segment".into());
    }
    if layout.ranks != size || !layout.is_possible() {
        return Err("rank 0 offers a segment of impossible sizes".into());
    }
    let segment = Segment::attach(pid, descriptor as i32, layout.len())
        .map_err(|why| format!("the segment of rank 0 cannot be opened: {why}"))?;
    let view = View::new(segment, layout).ok_or("the segment of rank 0 is too short")?;
    if view.cookie().load(Ordering::Acquire) != cookie {
        return Err("the segment is that of another process".into());
    }
    Ok(view)
}
