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
use engine::Words;
use osc::WindowId;

use crate::remote::Remote;
use mpi::Process;
use mpi_components::windows::SINGLE;

/// Numbers that a process sends.
pub(crate) const CLAIM_WORDS: usize = 2;

/// A transport's name fills the first; in the second are these, and where the memory begins.
const NAME_BYTES: usize = 8;
const CARRIES: u64 = 8;
const PROMISED: u64 = 16;
const SKEW: u64 = 7;

/// Accumulates that this process could hand to a transport, or why not.
pub(crate) struct Claim {
    lane: Result<WordLane, String>,
    told: [u64; CLAIM_WORDS],
}

impl Claim {
    /// Finds out what this process could do in a window of these peers, `promised` that accumulates
    /// have one element.
    pub(crate) fn make(
        process: &Process,
        peers: &[PeerId],
        promised: bool,
        remote: Option<&Remote>,
    ) -> Claim {
        let lane = match (promised, remote) {
            (false, _) => Err(format!("info key `{SINGLE}` is not set")),
            (true, None) => Err("no transport serves its puts and gets".into()),
            (true, Some(remote)) => find(process, peers, remote),
        };
        let mut told = [0, u64::from(promised) * PROMISED];
        if let (Ok(lane), Some(remote)) = (&lane, remote) {
            told[0] = name_of(lane);
            let begin = remote.memory().address().addr() as u64;
            told[1] |= begin & SKEW | (u64::from(lane.carries()) * CARRIES);
        }
        Claim { lane, told }
    }

    /// Returns the numbers for the others.
    pub(crate) fn told(&self) -> [u64; CLAIM_WORDS] {
        self.told
    }

    /// Decides by the numbers of all processes, by rank, as all others do.
    ///
    /// # Errors
    /// Why accumulates go by messages: one clause.
    pub(crate) fn agree(&self, all: &[[u64; CLAIM_WORDS]]) -> Result<WordLane, String> {
        let lane = self.lane.clone()?;
        let name = name_of(&lane);
        let different = |told: &[u64; CLAIM_WORDS]| told[0] != name;
        if let Some(rank) = all.iter().position(different) {
            return Err(match (all[rank][0], all[rank][1] & PROMISED) {
                (0, 0) => format!("rank {rank} has not said `{SINGLE}`"),
                (0, _) => format!("rank {rank} has no transport for that"),
                _ => format!(
                    "rank {rank} would use another transport than {}",
                    lane.name()
                ),
            });
        }
        match all.iter().any(|told| told[1] & CARRIES != 0) {
            true => Ok(lane),
            false => {
                let name = lane.name();
                Err(format!(
                    "nearer memory than that of {name} is reached by all"
                ))
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
    let target = |(pack, told): (Option<Vec<u8>>, [u64; CLAIM_WORDS])| {
        let key = core.words_of(&lane, &pack?)?;
        let skew = told[1] & SKEW;
        Some(Words { key, skew })
    };
    let targets = targets.map(target).collect::<Option<Vec<Words>>>();
    let targets = targets.ok_or("a process has told nothing of its memory")?;
    core.serve_words(window, lane, targets);
    Ok(())
}

fn find(process: &Process, peers: &[PeerId], remote: &Remote) -> Result<WordLane, String> {
    let own = process.identity.peer;
    let lane = process.wait_until(|core| core.word_lane(own, peers))?;
    let known = remote.told();
    let core = process.engine.enter();
    match known.and_then(|pack| core.words_of(&lane, &pack)) {
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
