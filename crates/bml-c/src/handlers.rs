//! Calls the handlers that the program has set with the layer's events.

use std::ffi::{c_int, c_void, CString};

use base::{AmTag, PeerId};
use btl::{Arrival, Error, Sink, Token};
use memory::Payload;

use crate::failure::{code, code_of, text_of};

/// Tags that programs have.
pub const TAGS: usize = 128;

/// A message that has arrived, borrowed by a handler.
pub struct Message<'a> {
    /// Header and payload, back to back.
    pub(crate) payload: Payload<'a>,
}

/// Takes a message: user pointer, sender, message.
pub type OnMessage = unsafe extern "C" fn(*mut c_void, u32, *const Message<'_>);
/// Takes the end of an operation: user pointer, token, code, text (null where it ended well).
pub type OnComplete = unsafe extern "C" fn(*mut c_void, u64, c_int, *const std::ffi::c_char);
/// Takes the news that a peer is gone: user pointer, peer, code, text.
pub type OnLost = unsafe extern "C" fn(*mut c_void, u32, c_int, *const std::ffi::c_char);

/// A function of the program, and what it wants to be called with.
#[derive(Clone, Copy)]
pub struct Handler<F> {
    pub function: F,
    pub user: *mut c_void,
}

/// All of them.
pub struct Handlers {
    pub messages: [Option<Handler<OnMessage>>; TAGS],
    pub complete: Option<Handler<OnComplete>>,
    pub lost: Option<Handler<OnLost>>,
}

impl Default for Handlers {
    fn default() -> Handlers {
        Handlers {
            messages: [None; TAGS],
            complete: None,
            lost: None,
        }
    }
}

/// Calls the handlers while the layer progresses.
pub struct Up<'a> {
    pub handlers: &'a Handlers,
    /// The first message that has no handler, described.
    pub stray: Option<String>,
}

impl Sink for Up<'_> {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        let Arrival { from, tag, payload } = arrival;
        let own = tag.0.checked_sub(AmTag::USER.0);
        let handler = own.and_then(|own| self.handlers.messages[usize::from(own)]);
        match handler {
            Some(Handler { function, user }) => {
                let message = Message { payload };
                // SAFETY: the program gave the function for this purpose, with this pointer, and
                // has promised that both stay valid until it sets others or closes the layer; the
                // message lives until the call returns.
                unsafe { function(user, from.0, &message) }
            }
            None => {
                let tag = own.map_or(format!("of this library's own ({})", tag.0), |tag| {
                    tag.to_string()
                });
                self.stray.get_or_insert_with(|| {
                    let len = payload.len();
                    format!("{from} sent {len} bytes for tag {tag}, which has no handler")
                });
            }
        }
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        let Some(Handler { function, user }) = self.handlers.complete else {
            return;
        };
        match outcome {
            // SAFETY: as in `deliver`.
            Ok(()) => unsafe { function(user, token.0, code::OK, std::ptr::null()) },
            Err(error) => {
                let text = c_text(&error);
                // SAFETY: as in `deliver`; the text lives until the call returns.
                unsafe { function(user, token.0, code_of(&error), text.as_ptr()) }
            }
        }
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        let Some(Handler { function, user }) = self.handlers.lost else {
            return;
        };
        let text = c_text(&error);
        // SAFETY: as in `done`.
        unsafe { function(user, peer.0, code_of(&error), text.as_ptr()) }
    }
}

fn c_text(error: &Error) -> CString {
    CString::new(error.to_string()).unwrap_or_else(|_| text_of(code_of(error)).to_owned())
}
