//! The handshake by which the ranks of a window that are on one node come to share a segment.
//!
//! The first of them creates it and the others attach ([`shm::handshake`]). Each reserves its own
//! memory in it, so that a lack of memory is an error of the rank that asks for too much.

use shm::handshake::{self, Invitation, Refusal, Status, NOTE_BYTES};
use shm::Segment;

use crate::layout::{Layout, Plan, View};
use crate::member::Member;

/// One rank's part of the handshake, after which it is a [`Member`].
pub struct Handshake {
    plan: Plan,
    inner: shm::Handshake<View>,
}

impl Handshake {
    /// Creates the segment of a plan, as its place 0, and returns the invitation for the others.
    pub fn create(plan: Plan) -> (Handshake, Invitation) {
        let (inner, invitation) = match layout(&plan) {
            Err(why) => (shm::Handshake::failed(why), handshake::none()),
            Ok(layout) => {
                let bytes = layout.len();
                let lay_out = |segment: Segment| {
                    let reserved = segment.reserve(0, layout.control_bytes());
                    reserved.map_err(|why| format!("no shared segment of {bytes} bytes: {why}"))?;
                    view(segment, layout, 0)
                };
                shm::Handshake::create("oxmpi-window", bytes, [0; NOTE_BYTES], lay_out)
            }
        };
        (Handshake { plan, inner }, invitation)
    }

    /// Attaches the segment of an invitation, as `place`.
    pub fn attach(plan: Plan, place: u32, invitation: &Invitation) -> Handshake {
        let inner = match layout(&plan) {
            Err(why) => shm::Handshake::failed(why),
            Ok(layout) => {
                let (creator, len) = (format!("rank {}", plan.places[0]), layout.len());
                let lay_out = |segment| view(segment, layout, place);
                shm::Handshake::attach(invitation, &creator, len, lay_out)
            }
        };
        Handshake { plan, inner }
    }

    /// Keeps all from using the segment, for a reason of the caller's.
    pub fn refuse(&mut self, why: String) {
        self.inner.refuse(why);
    }

    /// Returns why this rank is not in; `None` where it is.
    pub fn failure(&self) -> Option<&str> {
        self.inner.failure()
    }

    /// Returns what all other ranks of the node need to know of this one.
    pub fn status(&self) -> Status {
        self.inner.status()
    }

    /// Makes a member of the rank at `place`. `statuses` are those of all places in order.
    ///
    /// # Errors
    /// The reason that this rank, or another one, could not join.
    pub fn complete(self, place: u32, statuses: &[Status]) -> Result<Member, String> {
        let places = &self.plan.places;
        let joined = self.inner.complete(places.len(), statuses.iter().copied());
        let joined = joined.map_err(|refusal| match refusal {
            Refusal::Own(why) => why,
            Refusal::Other(at) => match places.get(at) {
                Some(rank) => format!("rank {rank} could not join the window's segment"),
                None => format!(
                    "{} ranks reported on the segment of {at} ranks",
                    statuses.len()
                ),
            },
        })?;
        Ok(Member::new(joined.view, self.plan, place, joined.order))
    }
}

fn layout(plan: &Plan) -> Result<Layout, String> {
    Layout::of(plan).ok_or_else(|| {
        let (ranks, places) = (plan.ranks, plan.places.len());
        format!("a window of {ranks} ranks, {places} on a node, cannot share memory of such sizes")
    })
}

/// Returns the view of a segment in which the place's memory is reserved.
fn view(segment: Segment, layout: Layout, place: u32) -> Result<View, String> {
    if place >= layout.places() {
        return Err(format!("there is no place {place} on this node"));
    }
    let (first, len) = layout.memory(place);
    if len > 0 {
        segment.reserve(first, len).map_err(|why| {
            format!("{len} bytes of shared memory for the window are not there: {why}")
        })?;
    }
    let wrong = || "the segment is not as long as its layout".into();
    View::new(segment, layout).ok_or_else(wrong)
}
