//! Releases: the values that a fence has brought. A short one comes in the frame that ends the
//! fence; a long one lies in memory that all ranks of a host read, whose descriptor comes with the
//! frame.
//!
//! A rank keeps of either where the entries of each other rank are, and reads these when they are
//! asked for: 12 bytes for each rank where the memory is shared.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use rustix::net::{sendmsg, SendAncillaryBuffer, SendAncillaryMessage, SendFlags};

use super::wire::{self, Malformed};

/// Bytes from which a release is shared: those that a rank does not take by one read of its socket.
/// Long ones do not fit a socket (208 KiB by Linux's `net.core.wmem_default`), so that the launcher
/// would have to wait for ranks that compute.
pub const SHARED_MIN: usize = 16 << 10;

/// Puts a release into memory that nobody can change any more.
///
/// # Errors
/// The system's, as where no descriptor is left.
pub fn share(body: &[u8]) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let memory = std::fs::File::from(rustix::fs::memfd_create("oxmpi-release", flags)?);
    memory.write_all_at(body, 0)?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&memory, seals)?;
    Ok(memory.into())
}

/// Sends bytes of a frame over a socket, the first of them with the memory that it is about.
/// Returns how many were taken.
///
/// # Errors
/// The system's.
pub fn send(socket: impl AsFd, frame: &[u8], memory: impl AsFd) -> Result<usize, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [memory.as_fd()];
    control.push(SendAncillaryMessage::ScmRights(&descriptors));
    sendmsg(
        socket,
        &[IoSlice::new(frame)],
        &mut control,
        SendFlags::NOSIGNAL,
    )
}

/// A release as a rank keeps it.
pub(super) struct Release {
    body: Body,
    /// By rank; those of one rank, of which there may be several, in their order.
    sections: Box<[Section]>,
}

/// Where the bytes are.
enum Body {
    Own(Vec<u8>),
    Shared(std::fs::File),
}

/// The place of what a rank has published.
struct Section {
    rank: u32,
    at: u32,
    len: u32,
}

impl Release {
    /// Takes in the body of a frame.
    ///
    /// # Errors
    /// When it is malformed, or has entries of a rank that a job of `size` lacks.
    pub(super) fn own(body: Vec<u8>, size: u32) -> Result<Release, Malformed> {
        let sections = sections(&body, size)?;
        let body = Body::Own(body);
        Ok(Release { body, sections })
    }

    /// Takes in `bytes` of shared memory. Errors as of [`Release::own`], and where it cannot
    /// be read.
    pub(super) fn shared(memory: OwnedFd, bytes: u32, size: u32) -> Result<Release, Malformed> {
        if bytes as usize > wire::BODY_BYTES_MAX {
            return Err(Malformed(format!("a release of {bytes} bytes")));
        }
        let memory = std::fs::File::from(memory);
        let sections = sections(&read(&memory, 0, bytes)?, size)?;
        let body = Body::Shared(memory);
        Ok(Release { body, sections })
    }

    /// Whether nobody has published anything.
    pub(super) fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Returns whose entries it has.
    pub(super) fn ranks(&self) -> impl Iterator<Item = u32> + '_ {
        self.sections.iter().map(|section| section.rank)
    }

    /// Returns what a rank has published under a key; the last, where it has done so repeatedly.
    pub(super) fn value(&self, rank: u32, key: &str) -> Result<Option<Vec<u8>>, Malformed> {
        let first = self.sections.partition_point(|it| it.rank < rank);
        let sections = self.sections[first..].iter();
        let mut value = None;
        for Section { at, len, .. } in sections.take_while(|it| it.rank == rank) {
            let take = |found: &str, bytes: &[u8]| {
                if found == key {
                    value = Some(bytes.to_vec());
                }
            };
            match &self.body {
                Body::Own(body) => {
                    let (at, len) = (*at as usize, *len as usize);
                    wire::entries(&body[at..at + len], take)?;
                }
                Body::Shared(memory) => wire::entries(&read(memory, *at, *len)?, take)?,
            }
        }
        Ok(value)
    }
}

fn read(memory: &std::fs::File, at: u32, len: u32) -> Result<Vec<u8>, Malformed> {
    let mut bytes = vec![0; len as usize];
    let done = memory.read_exact_at(&mut bytes, u64::from(at));
    done.map_err(|error| Malformed(format!("the memory of a release: {error}")))?;
    Ok(bytes)
}

/// Returns the places of all sections, after a look at every entry.
fn sections(body: &[u8], size: u32) -> Result<Box<[Section]>, Malformed> {
    let mut sections = Vec::new();
    wire::sections(body, |rank, place| {
        wire::entries(&body[place.clone()], |_, _| ())?;
        match rank < size {
            true => sections.push(Section {
                rank,
                at: place.start as u32,
                len: place.len() as u32,
            }),
            false => {
                return Err(Malformed(format!(
                    "entries of rank {rank} in a job of {size}"
                )))
            }
        }
        Ok(())
    })?;
    sections.sort_by_key(|section| section.rank);
    Ok(sections.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A release of three of five ranks, in any order.
    fn body() -> Vec<u8> {
        let mut body = Vec::new();
        for rank in [4, 0, 3_u32] {
            let mut entries = Vec::new();
            wire::push_entry(&mut entries, "a", &[rank as u8; 3]);
            wire::push_entry(&mut entries, "b", b"early");
            wire::push_entry(&mut entries, "b", b"late");
            wire::push_released(&mut body, rank, &entries);
        }
        body
    }

    #[test]
    fn values_are_found_in_own_and_in_shared_memory() {
        let shared = share(&body()).unwrap();
        let releases = [
            Release::own(body(), 5).unwrap(),
            Release::shared(shared, body().len() as u32, 5).unwrap(),
        ];
        for release in releases {
            assert_eq!(release.ranks().collect::<Vec<_>>(), [0, 3, 4]);
            assert_eq!(release.value(3, "a").unwrap(), Some(vec![3; 3]));
            assert_eq!(release.value(4, "b").unwrap(), Some(b"late".to_vec()));
            assert_eq!(release.value(4, "c").unwrap(), None);
            assert_eq!(release.value(1, "a").unwrap(), None);
        }
    }

    /// A rank that passes fences of its earlier life gets what others have published at each.
    #[test]
    fn of_several_sections_of_a_rank_all_count_and_the_last_most() {
        let mut body = body();
        for (key, value) in [("b", b"later"), ("d", b"added")] {
            let mut entries = Vec::new();
            wire::push_entry(&mut entries, key, value);
            wire::push_released(&mut body, 0, &entries);
        }
        let release = Release::own(body, 5).unwrap();
        assert_eq!(release.value(0, "a").unwrap(), Some(vec![0; 3]));
        assert_eq!(release.value(0, "b").unwrap(), Some(b"later".to_vec()));
        assert_eq!(release.value(0, "d").unwrap(), Some(b"added".to_vec()));
        assert_eq!(release.value(4, "b").unwrap(), Some(b"late".to_vec()));
    }

    #[test]
    fn shared_memory_cannot_be_changed() {
        let memory = std::fs::File::from(share(&body()).unwrap());
        assert!(memory.write_at(b"x", 0).is_err());
        assert!(memory.set_len(0).is_err());
    }

    #[test]
    fn strangers_and_what_is_cut_are_refused() {
        assert!(Release::own(body(), 4).is_err());
        let cut = body()[..body().len() - 1].to_vec();
        assert!(Release::own(cut.clone(), 5).is_err());
        let memory = share(&cut).unwrap();
        assert!(Release::shared(memory, body().len() as u32, 5).is_err());
    }
}
