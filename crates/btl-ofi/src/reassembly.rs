//! Messages in pieces, at the receiver ([`crate::pieces`] has the sender's side).
//!
//! The usual case is a header, then a payload that arrived in a posted buffer: the header is
//! written in front of it there ([`HEADROOM`]), without another copy. Otherwise pieces are joined
//! on the heap.

use memory::{Payload, UserBuf};

/// Bytes in front of what arrives in a posted buffer: room for the headers of the layers above.
pub(crate) const HEADROOM: usize = 64;

/// A message whose pieces have come in part.
#[derive(Default)]
pub(crate) struct Reassembly {
    bytes: Vec<u8>,
}

impl Reassembly {
    /// Whether no message has come in part.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Drops the pieces that have come.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Adds a piece, and delivers the message with its last one (`more` is false). `room` is the
    /// buffer where the piece arrived, behind the headroom, if it was posted for it.
    ///
    /// # Errors
    /// With the length of the message, when that exceeds `limit`; the piece is dropped.
    pub(crate) fn add(
        &mut self,
        payload: Payload<'_>,
        more: bool,
        room: Option<UserBuf>,
        limit: usize,
        deliver: impl FnOnce(Payload<'_>),
    ) -> Result<(), usize> {
        let before = self.bytes.len();
        let len = before + payload.len();
        if len > limit {
            return Err(len);
        }
        match room {
            Some(room) if !more && before <= HEADROOM => {
                let start = HEADROOM - before;
                room.write(start, &self.bytes);
                let whole = room.part(start, len);
                // SAFETY: the caller owns the buffer until this returns, since its receive is
                // complete, and `part` has checked that the bytes lie in it.
                deliver(unsafe { Payload::new(whole.address(), len) });
            }
            _ => {
                self.bytes.resize(len, 0);
                payload.copy_to(&mut self.bytes[before..]);
                if !more {
                    deliver(Payload::from(&self.bytes[..]));
                }
            }
        }
        if !more {
            self.bytes.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use memory::Scratch;

    use super::*;

    fn add(
        pieces: &mut Reassembly,
        piece: &[u8],
        more: bool,
        room: Option<UserBuf>,
    ) -> Result<Option<Vec<u8>>, usize> {
        let mut message = None;
        let deliver = |payload: Payload<'_>| message = Some(payload.to_vec());
        pieces.add(Payload::from(piece), more, room, 10, deliver)?;
        Ok(message)
    }

    #[test]
    fn a_header_goes_in_front_of_its_payload_in_the_posted_buffer() {
        let mut pieces = Reassembly::default();
        let scratch = Scratch::new(HEADROOM + 10);
        scratch.buf().write(HEADROOM, &[3, 4, 5]);
        assert_eq!(add(&mut pieces, &[1, 2], true, None), Ok(None));
        assert!(!pieces.is_idle());
        let message = add(&mut pieces, &[3, 4, 5], false, Some(scratch.buf()));
        assert_eq!(message, Ok(Some(vec![1, 2, 3, 4, 5])));
        let mut front = [0; 2];
        scratch.buf().read(HEADROOM - 2, &mut front);
        assert_eq!(front, [1, 2], "it was joined there");
        assert!(pieces.is_idle());
    }

    #[test]
    fn pieces_without_a_buffer_are_joined_and_a_message_too_long_is_refused() {
        let mut pieces = Reassembly::default();
        assert_eq!(add(&mut pieces, &[1], true, None), Ok(None));
        assert_eq!(add(&mut pieces, &[2], true, None), Ok(None));
        assert_eq!(add(&mut pieces, &[0; 9], true, None), Err(11));
        assert_eq!(add(&mut pieces, &[3], false, None), Ok(Some(vec![1, 2, 3])));
        assert_eq!(add(&mut pieces, &[4], false, None), Ok(Some(vec![4])));
    }
}
