//! Buffers of a collective that must not be one (MPI 5.0, 6.2.3).

use datatype::Buffer;

use crate::{Class, Error};

/// Refuses elements to be sent that begin where those to be received do: what is one and the same
/// is given as `MPI_IN_PLACE`. Buffers that overlap otherwise are not found.
#[inline(always)]
pub(super) fn apart(send: Option<&Buffer>, recv: Option<&Buffer>) -> Result<(), Error> {
    let (Some(send), Some(recv)) = (send, recv) else {
        return Ok(());
    };
    let same = send.span().address() == recv.span().address();
    match same && !send.is_empty() && !recv.is_empty() {
        true => Err(one_buffer()),
        false => Ok(()),
    }
}

#[cold]
fn one_buffer() -> Error {
    let text = "the send buffer is the receive buffer; pass MPI_IN_PLACE, or two buffers";
    Error::new(Class::Buffer, text)
}
