//! Windows whose accumulates of single 64-bit words go by a transport's own atomic operations
//! (`osc::words`).
//!
//! The network's atomics and those that a target does for a message are not atomic to each other.
//! So the processes of a window decide together, when it is made, and all alike: where each of them
//! has been promised that accumulates have one element each (`acc_single_intrinsic`), has one
//! transport with all atomic operations to all the others and back to itself, and has registered
//! its memory there. Accumulates of other elements then go by messages from everywhere.

use base::PeerId;
use bml::WordLane;
use engine::WordMemory;
use osc::WindowId;

use crate::remote::RemoteMemory;
use mpi::Process;
use mpi_components::windows::SINGLE;

/// 64-bit words that a process sends of its claim.
pub(crate) const CLAIM_WORDS: usize = 2;

/// Bytes of the transport's name, which is the first word of a claim.
const NAME_BYTES: usize = 8;
/// Bit of the second word: this transport is also the path to the memory of at least one peer.
const CARRIES: u64 = 8;
/// Bit of the second word: the info key promises accumulates of one element.
const PROMISED: u64 = 16;
/// Bits of the second word: offset of the memory in a machine word.
const SKEW: u64 = 7;

/// Proposal of this process: the transport that could do its atomics, or why none can.
pub(crate) struct AtomicsClaim {
    lane: Result<WordLane, String>,
    words: [u64; CLAIM_WORDS],
}

impl AtomicsClaim {
    /// Finds the transport for a window of these peers; `promised` says that accumulates have one
    /// element each.
    pub(crate) fn make(
        process: &Process,
        peers: &[PeerId],
        promised: bool,
        remote: Option<&RemoteMemory>,
    ) -> AtomicsClaim {
        let lane = match (promised, remote) {
            (false, _) => Err(format!("info key `{SINGLE}` is not set")),
            (true, None) => Err("no transport serves its puts and gets".into()),
            (true, Some(remote)) => find(process, peers, remote),
        };
        let mut words = [0, u64::from(promised) * PROMISED];
        if let (Ok(lane), Some(remote)) = (&lane, remote) {
            words[0] = name_of(lane);
            let begin = remote.memory().address().addr() as u64;
            words[1] |= begin & SKEW | (u64::from(lane.carries()) * CARRIES);
        }
        AtomicsClaim { lane, words }
    }

    /// Returns the claim as words for the others.
    pub(crate) fn words(&self) -> [u64; CLAIM_WORDS] {
        self.words
    }

    /// Decides by the claims of all processes, by rank; all processes decide alike.
    ///
    /// # Errors
    /// The reason why accumulates go by messages: one clause.
    pub(crate) fn agree(&self, all: &[[u64; CLAIM_WORDS]]) -> Result<WordLane, String> {
        let lane = self.lane.clone()?;
        let name = name_of(&lane);
        let different = |claim: &[u64; CLAIM_WORDS]| claim[0] != name;
        if let Some(rank) = all.iter().position(different) {
            return Err(match (all[rank][0], all[rank][1] & PROMISED) {
                (0, 0) => format!("rank {rank} has not set info key `{SINGLE}`"),
                (0, _) => format!("rank {rank} has no transport for its atomics"),
                _ => format!(
                    "rank {rank} would use another transport than {}",
                    lane.name()
                ),
            });
        }
        match all.iter().any(|claim| claim[1] & CARRIES != 0) {
            true => Ok(lane),
            false => {
                let name = lane.name();
                Err(format!("all reach each other by a nearer path than {name}"))
            }
        }
    }
}

/// Serves accumulates of a window's 64-bit words by the path that all agreed on.
///
/// # Errors
/// When a remote key is missing or malformed.
pub(crate) fn serve(
    process: &Process,
    window: WindowId,
    lane: WordLane,
    targets: impl Iterator<Item = (Option<Vec<u8>>, [u64; CLAIM_WORDS])>,
) -> Result<(), String> {
    let mut core = process.engine.enter();
    let target = |(pack, claim): (Option<Vec<u8>>, [u64; CLAIM_WORDS])| {
        let key = core.words_of(&lane, &pack?)?;
        let skew = claim[1] & SKEW;
        Some(WordMemory { key, skew })
    };
    let targets = targets.map(target).collect::<Option<Vec<WordMemory>>>();
    let targets = targets.ok_or("a process has sent no key of its memory")?;
    core.serve_words(window, lane, targets);
    Ok(())
}

fn find(process: &Process, peers: &[PeerId], remote: &RemoteMemory) -> Result<WordLane, String> {
    let own = process.identity.peer;
    let lane = process.wait_until(|core| core.word_lane(own, peers))?;
    let pack = remote.packed_key();
    let core = process.engine.enter();
    match pack.and_then(|pack| core.words_of(&lane, &pack)) {
        Some(_) => Ok(lane),
        None => Err(format!("the memory is not registered with {}", lane.name())),
    }
}

/// A transport's name as a number.
fn name_of(lane: &WordLane) -> u64 {
    let mut bytes = [0; NAME_BYTES];
    let name = lane.name().as_bytes();
    let len = name.len().min(NAME_BYTES);
    bytes[..len].copy_from_slice(&name[..len]);
    u64::from_le_bytes(bytes)
}
