//! Making and joining a segment.
//!
//! The first place founds it and offers it to the others, who attach by process id and descriptor,
//! as btl-sm's peers do. Each place reserves its own memory, so that a lack of it is an error of
//! the rank that asks for too much, and then tells all others with a *card* whether it is in; one
//! that is not keeps all from using the segment. So all places decide alike, whatever failed where.

use std::io;
use std::sync::atomic::Ordering;

use base::wire::{read_u32, read_u64, write_u32, write_u64};
use memory::segment::Segment;
use sync::barrier;

use crate::layout::{Layout, Plan, View};
use crate::member::Member;

/// Bytes of what the founder tells the others.
pub const OFFER_BYTES: usize = 24;
/// Bytes of what every place tells all.
pub const CARD_BYTES: usize = 8;

const IS_IN: u32 = 1;
const WANTS_FENCES: u32 = 2;

/// A place that may become a [`Member`].
pub struct Candidate {
    plan: Plan,
    view: Result<View, String>,
}

impl Candidate {
    /// Founds the segment of a plan, as its place 0, and gives what the others need to join. An
    /// offer of zeros says that it failed.
    pub fn found(plan: Plan) -> (Candidate, [u8; OFFER_BYTES]) {
        let mut offer = [0; OFFER_BYTES];
        let view = found(&plan, &mut offer);
        (Candidate { plan, view }, offer)
    }

    /// Joins the segment of an offer as `place`.
    pub fn join(plan: Plan, place: u32, offer: &[u8; OFFER_BYTES]) -> Candidate {
        let view = join(&plan, place, offer);
        Candidate { plan, view }
    }

    /// Keeps all from using the segment, for a reason of the caller's.
    pub fn refuse(&mut self, why: String) {
        self.view = Err(why);
    }

    /// Why this place is not in.
    pub fn failure(&self) -> Option<&str> {
        self.view.as_ref().err().map(String::as_str)
    }

    /// What all places need to know of this one.
    pub fn card(&self) -> [u8; CARD_BYTES] {
        let mut card = [0; CARD_BYTES];
        let is_in = if self.view.is_ok() { IS_IN } else { 0 };
        let wants = if barrier::register() { 0 } else { WANTS_FENCES };
        write_u32(&mut card, 0, is_in | wants);
        card
    }

    /// Makes a member of this place. `cards` are those of all places in order.
    ///
    /// # Errors
    /// Why this place is not in, or that another one is not.
    pub fn admit(self, place: u32, cards: &[u8]) -> Result<Member, String> {
        let mut view = self.view?;
        // All that could attach have said so: no window keeps a descriptor.
        view.close();
        let flags = cards.chunks_exact(CARD_BYTES);
        let flags: Vec<u32> = flags.map(|card| read_u32(card, 0).unwrap_or(0)).collect();
        if flags.len() != self.plan.places.len() {
            return Err(format!("{} cards of other ranks are missing", flags.len()));
        }
        if let Some(out) = flags.iter().position(|flags| flags & IS_IN == 0) {
            let rank = self.plan.places[out];
            return Err(format!("rank {rank} could not join the window's segment"));
        }
        let fences = flags.iter().any(|flags| flags & WANTS_FENCES != 0);
        Ok(Member::new(view, self.plan, place, fences))
    }
}

fn impossible(plan: &Plan) -> String {
    let places = plan.places.len();
    let ranks = plan.ranks;
    format!("a window of {ranks} ranks, {places} on a node, cannot share memory of such sizes")
}

fn found(plan: &Plan, offer: &mut [u8; OFFER_BYTES]) -> Result<View, String> {
    let layout = Layout::of(plan).ok_or_else(|| impossible(plan))?;
    let bytes = layout.len();
    let segment = Segment::create("oxmpi-window", bytes)
        .and_then(|segment| segment.reserve(0, layout.control_bytes()).map(|()| segment))
        .map_err(|why| format!("no shared segment of {bytes} bytes: {why}"))?;
    let view = view(segment, layout, 0)?;
    let cookie = shm::cookie();
    view.cookie().store(cookie, Ordering::Release);
    write_u32(offer, 0, std::process::id());
    write_u32(offer, 4, view.segment().descriptor() as u32);
    write_u64(offer, 8, cookie);
    write_u64(offer, 16, bytes as u64);
    Ok(view)
}

fn join(plan: &Plan, place: u32, offer: &[u8; OFFER_BYTES]) -> Result<View, String> {
    let layout = Layout::of(plan).ok_or_else(|| impossible(plan))?;
    let word = |at| read_u32(offer, at).unwrap_or(0);
    let cookie = read_u64(offer, 8).unwrap_or(0);
    let rank = plan.places[0];
    if cookie == 0 {
        return Err(format!("rank {rank} has no segment"));
    }
    if read_u64(offer, 16) != Some(layout.len() as u64) {
        return Err(format!("rank {rank} offers a segment of another size"));
    }
    let segment = Segment::attach(word(0), word(4) as i32, layout.len())
        .map_err(|why| format!("the segment of rank {rank} cannot be opened: {why}"))?;
    let view = view(segment, layout, place)?;
    if view.cookie().load(Ordering::Acquire) != cookie {
        return Err("the segment is that of another process".into());
    }
    Ok(view)
}

/// The view of a segment in which the place's memory is reserved.
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
    let short = || io::Error::from(io::ErrorKind::UnexpectedEof).to_string();
    View::new(segment, layout).ok_or_else(short)
}
