//! A transfer: an access to a peer's memory, cut into pieces that the provider can do.

use base::PeerId;
use btl::{Access, Error, RemoteRange, Token};
use memory::rcache::Lease;
use memory::UserBuf;
use ofi::{flags, Endpoint, Mr, Posted, Remote};

use crate::regions::NO_KEY;
use crate::wire::Window;

/// The kind of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TransferKind {
    Get,
    Put,
    /// One word; the word as it was goes to the local memory.
    Atomic,
}

/// A transfer under way.
pub(crate) struct Transfer {
    pub(crate) kind: TransferKind,
    pub(crate) peer: PeerId,
    /// The token that is reported; `None` for a transfer of the transport's own.
    pub(crate) token: Option<Token>,
    /// The source or destination in this process.
    pub(crate) local: UserBuf,
    pub(crate) lease: Option<Lease>,
    pub(crate) remote: Remote,
    /// Offset of `remote` from the start of the peer's registration, in bytes.
    pub(crate) offset: u64,
    /// The context in use.
    pub(crate) context: usize,
    /// The count of polls when the transfer began (`help`).
    pub(crate) since: u32,
    /// Bytes whose pieces the provider has accepted.
    pub(crate) posted: usize,
    /// Pieces that the provider has.
    pub(crate) pieces: usize,
    /// The first error.
    pub(crate) failed: Option<Box<Error>>,
}

impl Transfer {
    #[inline]
    pub(crate) fn is_posted(&self) -> bool {
        self.posted == self.local.len() || self.failed.is_some()
    }

    /// Whether the transfer is complete, without error, once one more piece has succeeded.
    #[inline]
    pub(crate) fn ends_well_with_a_piece(&self) -> bool {
        self.pieces == 1 && self.posted == self.local.len() && self.failed.is_none()
    }
}

impl TransferKind {
    /// Posts a piece: between this memory and that.
    #[inline(always)]
    pub(crate) fn post(
        self,
        endpoint: &mut Endpoint,
        (local, mr): (UserBuf, Option<&Mr>),
        remote: Remote,
        token: u64,
    ) -> Result<Posted, ofi::Error> {
        match self {
            TransferKind::Get => endpoint.read(remote, local, mr, token),
            _ => endpoint.write(remote, local, mr, flags::DELIVERY_COMPLETE, token),
        }
    }
}

/// Returns the position of a range at the peer, when it is inside the key's memory.
#[inline]
pub(crate) fn locate(
    (peer, address): (PeerId, ofi::Address),
    range: &RemoteRange,
    len: usize,
    allowed: impl Fn(Access) -> bool,
) -> Result<Remote, Error> {
    let window = Window::decode(&range.key).filter(|window| allowed(window.access));
    match window.and_then(|window| Some((window.key, window.at(range.offset, len)?))) {
        Some((key, at)) => Ok(Remote {
            peer: address,
            at,
            key,
        }),
        None => Err(Error::OutOfRange {
            peer,
            offset: range.offset,
            len,
        }),
    }
}

/// Returns the error for the code of a failed access.
pub(crate) fn access_error(peer: PeerId, offset: u64, len: usize, code: i32, how: String) -> Error {
    /// "Key was rejected by service".
    const KEY_REJECTED: i32 = 129;
    match code {
        libc::EACCES
        | libc::EPERM
        | libc::EINVAL
        | libc::ERANGE
        | libc::EFAULT
        | libc::ENOENT
        | NO_KEY
        | KEY_REJECTED => Error::OutOfRange { peer, offset, len },
        libc::ENOMEM | libc::ENOSPC | libc::ENOBUFS => Error::Resource {
            what: format!("transfer of {len} bytes with {peer}"),
            why: how,
        },
        _ => Error::PeerGone { peer, how },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: PeerId = PeerId(3);

    fn window() -> Window {
        Window {
            key: 7,
            base: 1000,
            len: 100,
            access: Access {
                read: true,
                write: false,
            },
        }
    }

    #[test]
    fn a_range_is_located_where_its_key_allows_the_access() {
        let (key, address) = (window().encode(), ofi::Address::ANY);
        let at = |offset, len, allowed: fn(Access) -> bool| {
            let range = RemoteRange { key, offset };
            locate((PEER, address), &range, len, allowed).map(|remote| (remote.at, remote.key))
        };
        assert_eq!(at(40, 60, |access| access.read), Ok((1040, 7)));
        let outside = |offset, len| {
            Err(Error::OutOfRange {
                peer: PEER,
                offset,
                len,
            })
        };
        assert_eq!(at(41, 60, |access| access.read), outside(41, 60));
        assert_eq!(at(40, 60, |access| access.write), outside(40, 60));
    }

    #[test]
    fn codes_distinguish_a_bad_range_a_lack_and_a_peer_that_is_gone() {
        let error = |code| access_error(PEER, 5, 6, code, "text".into());
        let (offset, len) = (5, 6);
        for code in [libc::EACCES, NO_KEY] {
            assert_eq!(
                error(code),
                Error::OutOfRange {
                    peer: PEER,
                    offset,
                    len
                }
            );
        }
        assert!(matches!(error(libc::ENOMEM), Error::Resource { .. }));
        assert!(matches!(
            error(libc::ECONNRESET),
            Error::PeerGone { peer: PEER, .. }
        ));
    }
}
