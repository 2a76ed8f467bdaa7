//! The handshake by which the ranks of a communicator come to share a segment.
//!
//! Rank 0 creates it and the others attach ([`shm::handshake`]). Beside its status a rank sends all
//! others an address at which they test whether they can read its memory, and then each sends all
//! the result: data is copied directly from memory only if every rank can read every other.

use base::wire::{read_u32, write_u32};
use shm::copy::{self, Probe};
use shm::handshake::{self, Invitation, Note, NOTE_BYTES};
use shm::Segment;

use crate::call::Member;
use crate::params::Copies;
use crate::segment::{Layout, View};
use crate::Settings;

/// Bytes that each rank sends to all.
pub const STATUS_BYTES: usize = PROBE_AT + copy::PROBE_BYTES;

/// Least bytes of a slot: with less, messages do as well.
pub(crate) const SLOT_MIN: usize = 1 << 10;

const WANTS_COPIES_AT: usize = handshake::STATUS_BYTES;
const PROBE_AT: usize = WANTS_COPIES_AT + 8;

/// One rank's part of the handshake, after which it is a [`Member`].
pub struct Handshake {
    settings: Settings,
    inner: shm::Handshake<View>,
    /// Read by the others to see whether they may.
    probe: Probe,
    /// All ranks at once take turns on the cores: fewer steps are better than fewer polls.
    crowded: bool,
}

impl Handshake {
    /// Creates a segment for `size` ranks, and returns the invitation for the others. `crowded`:
    /// there are more ranks than cores.
    pub fn create(settings: Settings, size: u32, crowded: bool) -> (Handshake, Invitation) {
        let (inner, invitation) = match layout(&settings, size) {
            Err(why) => (shm::Handshake::failed(why), handshake::none()),
            Ok(layout) => {
                let lay_out = |segment: Segment| {
                    let len = layout.len();
                    let reserved = segment.reserve(0, len);
                    reserved.map_err(|why| format!("no shared segment of {len} bytes: {why}"))?;
                    view(segment, layout)
                };
                let note = note(layout, crowded);
                shm::Handshake::create("oxmpi-coll", layout.len(), note, lay_out)
            }
        };
        (Handshake::new(settings, inner, crowded), invitation)
    }

    /// Attaches the segment of an invitation.
    pub fn attach(settings: Settings, size: u32, invitation: &Invitation) -> Handshake {
        let (inner, crowded) = match handshake::note(invitation) {
            None => (
                shm::Handshake::failed("rank 0 has no segment".into()),
                false,
            ),
            Some(note) => (attach(size, invitation, &note), note[CROWDED_AT] != 0),
        };
        Handshake::new(settings, inner, crowded)
    }

    fn new(settings: Settings, inner: shm::Handshake<View>, crowded: bool) -> Handshake {
        Handshake {
            settings,
            inner,
            probe: Probe::new(),
            crowded,
        }
    }

    /// Keeps all from using the segment, for a reason of the caller's.
    pub fn refuse(&mut self, why: String) {
        self.inner.refuse(why);
    }

    /// Returns why this rank is not in; `None` where it is.
    pub fn failure(&self) -> Option<&str> {
        self.inner.failure()
    }

    /// Returns what all ranks need to know of this one.
    pub fn status(&self) -> [u8; STATUS_BYTES] {
        let mut status = [0; STATUS_BYTES];
        status[..WANTS_COPIES_AT].copy_from_slice(&self.inner.status());
        let wants = self.settings.copies != Copies::Never;
        write_u32(&mut status, WANTS_COPIES_AT, wants.into());
        status[PROBE_AT..].copy_from_slice(&self.probe.encode());
        status
    }

    /// Whether this rank may read the memory of all others, by their statuses in rank order.
    pub fn may_copy(&self, statuses: &[[u8; STATUS_BYTES]]) -> bool {
        statuses.iter().all(|status| {
            let wants = read_u32(status, WANTS_COPIES_AT) == Some(1);
            let pid = handshake::pid(own_part(status));
            wants && copy::may_read(pid, &status[PROBE_AT..])
        })
    }

    /// Makes this rank a member; `None` when a rank is not in. `statuses` are those of all ranks in
    /// order, `copies` says whether all of them may copy.
    pub fn complete(
        self,
        rank: u32,
        statuses: &[[u8; STATUS_BYTES]],
        copies: bool,
    ) -> Option<Member> {
        let own_parts = statuses.iter().map(own_part);
        let joined = self
            .inner
            .complete(statuses.len(), own_parts.copied())
            .ok()?;
        if statuses.len() != joined.view.layout().ranks as usize {
            return None;
        }
        let wanted = self.settings.copies;
        Some(Member::new(joined, rank, wanted, copies, self.crowded))
    }
}

fn own_part(status: &[u8; STATUS_BYTES]) -> &handshake::Status {
    let part = status.first_chunk();
    part.expect("a status begins with that of the handshake")
}

fn layout(settings: &Settings, size: u32) -> Result<Layout, String> {
    let slot_bytes = settings.slot_bytes_for(size);
    let layout = Layout {
        ranks: size,
        slot_bytes: slot_bytes as u32,
    };
    if slot_bytes < SLOT_MIN || !layout.is_possible() {
        let memory = settings.memory;
        return Err(format!(
            "coll_sm_memory: {memory} bytes are too few for {size} ranks"
        ));
    }
    Ok(layout)
}

const CROWDED_AT: usize = 8;

fn note(layout: Layout, crowded: bool) -> Note {
    let mut note = [0; NOTE_BYTES];
    write_u32(&mut note, 0, layout.ranks);
    write_u32(&mut note, 4, layout.slot_bytes);
    note[CROWDED_AT] = u8::from(crowded);
    note
}

fn attach(size: u32, invitation: &Invitation, note: &Note) -> shm::Handshake<View> {
    let layout = Layout {
        ranks: read_u32(note, 0).unwrap_or(0),
        slot_bytes: read_u32(note, 4).unwrap_or(0),
    };
    if layout.ranks != size || !layout.is_possible() {
        let Layout { ranks, slot_bytes } = layout;
        return shm::Handshake::failed(format!(
            "rank 0 invites to an impossible segment: {ranks} ranks of {size}, with slots of \
             {slot_bytes} bytes"
        ));
    }
    let lay_out = |segment| view(segment, layout);
    shm::Handshake::attach(invitation, "rank 0", layout.len(), lay_out)
}

fn view(segment: Segment, layout: Layout) -> Result<View, String> {
    let wrong = || "the segment is not as long as its layout".into();
    View::new(segment, layout).ok_or_else(wrong)
}
