//! The component `rdma`: puts and gets in a window's memory by the transports themselves.
//!
//! Every process registers its memory when the window is made, and sends the others what their
//! transports need to reach it. A process then decides for each target by itself: where its path
//! puts and gets, operations of one contiguous run take that path, and those of several where these
//! are long enough. All others go by messages; so do dynamic windows, whose memory comes and goes.
//! Accumulates do, too, unless all processes have agreed otherwise (`word_atomics`). What
//! synchronises waits for both (`osc::lanes`).
//!
//! Between processes of one node messages are mostly sooner there than the kernel's copy
//! (`btl::Hints::transfer_min`), but a target that computes does not take them in. One that waits
//! in a call does, and says so: then longer ones are sooner, too
//! (`btl::Hints::waiting_max`). The parameter `osc_rdma_min` says from how many bytes on a
//! lane is used: with 0 no target need help with puts and gets.

use base::Mutex;
use mca::Framework;

use base::{PeerId, Rank};
use bml::Exposed;
use engine::{Least, WindowLane};
use memory::UserBuf;
use osc::LaneMin;

use mpi::{Error, Process};
use mpi_components::windows::{wanted, yields, COMPONENTS, PIECE_MIN};

/// Largest packed key, in bytes, of the memory of a process.
const PACK_BYTES_MAX: usize = 31 * 8;
/// 64-bit words that a packed key travels in: its length, and the bytes.
pub(crate) const PACK_WORDS: usize = 1 + PACK_BYTES_MAX / 8;

/// The memory of a window as lanes reach it.
pub(crate) struct RemoteMemory {
    memory: UserBuf,
    exposed: Mutex<Option<Exposed>>,
    /// Lanes by rank; `None` for targets reached by messages. Empty until all keys are known.
    lanes: Vec<Option<WindowLane>>,
}

impl RemoteMemory {
    /// Exposes memory of this process, where the parameters admit the component.
    ///
    /// # Errors
    /// When the parameter is not a list of components.
    pub(crate) fn expose(
        process: &Process,
        memory: UserBuf,
    ) -> Result<Option<RemoteMemory>, Error> {
        let list = process.registry.components(Framework::Osc, COMPONENTS);
        // Accesses that are checked have to arrive as messages.
        let checked = mpi_components::checks::checks_accesses(&process.registry);
        if checked || !list.map_err(Error::other)?.admits("rdma") {
            return Ok(None);
        }
        let exposed = process.engine.enter().expose_window(memory);
        Ok(exposed.map(|exposed| RemoteMemory {
            memory,
            exposed: Mutex::new(Some(exposed)),
            lanes: Vec::new(),
        }))
    }

    /// Returns the exposed memory of this process.
    pub(crate) fn memory(&self) -> UserBuf {
        self.memory
    }

    /// Returns the packed key that the others need; `None` where it is too long.
    pub(crate) fn packed_key(&self) -> Option<Vec<u8>> {
        let pack = self.exposed.lock().as_ref().map(Exposed::pack);
        pack.filter(|pack| pack.len() <= PACK_BYTES_MAX)
    }

    /// Returns the packed key as `PACK_WORDS` 64-bit words, of length 0 where it is too long.
    pub(crate) fn pack(&self) -> [u64; PACK_WORDS] {
        let pack = self.packed_key().unwrap_or_default();
        let mut words = [0; PACK_WORDS];
        words[0] = pack.len() as u64;
        for (word, bytes) in words[1..].iter_mut().zip(pack.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        words
    }

    /// Notes the keys of all processes, by rank.
    pub(crate) fn join<'a>(
        &mut self,
        process: &Process,
        peers: &[PeerId],
        packs: impl Iterator<Item = &'a [u64]>,
    ) {
        let wanted = wanted(&process.registry);
        let piece_min = process.registry.size(PIECE_MIN);
        let core = process.engine.enter();
        let lane = |(peer, words): (&PeerId, &[u64])| {
            let reached = match unpack(words) {
                Some(pack) => core.import_window(*peer, &pack),
                None => Err("it has sent no key of its memory".into()),
            };
            match reached {
                Ok((memory, sooner)) => {
                    let Least { put, get } = wanted.unwrap_or(sooner);
                    let piece = piece_min;
                    Some(WindowLane {
                        memory,
                        min: LaneMin { put, get, piece },
                        yields_to: yields(wanted, sooner).then_some(*peer),
                    })
                }
                Err(why) => {
                    Framework::Osc.debug(format_args!("{peer} is reached by messages: {why}"));
                    None
                }
            }
        };
        self.lanes = peers.iter().zip(packs).map(lane).collect();
    }

    /// Returns the lane to a target; `None` where messages reach it.
    #[inline]
    pub(crate) fn lane(&self, target: Rank) -> Option<&WindowLane> {
        self.lanes.get(target.index())?.as_ref()
    }

    /// Withdraws the memory that [`RemoteMemory::expose`] exposed.
    pub(crate) fn withdraw(&self, process: &Process) {
        if let Some(exposed) = self.exposed.lock().take() {
            process.engine.enter().withdraw_window(exposed);
        }
    }
}

/// Returns the packed key of a process; `None` where it is malformed.
pub(crate) fn unpack(words: &[u64]) -> Option<Vec<u8>> {
    let (len, words) = words.split_first()?;
    let len = usize::try_from(*len).ok()?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    (0 < len && len <= bytes.len()).then(|| bytes[..len].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_as_long_as_it_says_or_none() {
        let words = [
            11,
            u64::from_le_bytes(*b"abcdefgh"),
            u64::from_le_bytes(*b"ijk\0\0\0\0\0"),
        ];
        assert_eq!(unpack(&words).as_deref(), Some(&b"abcdefghijk"[..]));
        for len in [0, 17, u64::MAX] {
            assert_eq!(unpack(&[len, 1, 2]), None, "{len}");
        }
        assert_eq!(unpack(&[]), None);
    }
}
