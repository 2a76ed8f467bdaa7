//! The sources of events, by their numbers in the epoll set.

use base::{Key, PeerId};

/// The source of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The ticks of the clock.
    Timer,
    /// A listening socket.
    Listener(usize),
    /// A rail of a peer: its connection, or this process's attempt at one.
    Rail(PeerId, usize),
    /// A connection that was accepted and has not passed the handshake.
    Accepted(Key),
}

impl Source {
    const LISTENER: u64 = 0b11 << 62;
    const RAIL: u64 = 0b10 << 62;

    /// Returns the number of a source. A slab key has its top bit clear: it counts uses of a slot.
    pub fn number(self) -> u64 {
        match self {
            Source::Timer => u64::MAX,
            Source::Listener(n) => Source::LISTENER | n as u64,
            Source::Rail(peer, rail) => Source::RAIL | (rail as u64) << 32 | u64::from(peer.0),
            Source::Accepted(key) => key.bits() & !(1 << 63),
        }
    }

    /// Returns the source that a number stands for.
    pub fn of(number: u64) -> Source {
        match number >> 62 {
            0b11 if number == u64::MAX => Source::Timer,
            0b11 => Source::Listener((number & !Source::LISTENER) as usize),
            0b10 => {
                let rail = (number & !Source::RAIL) >> 32;
                Source::Rail(PeerId(number as u32), rail as usize)
            }
            _ => Source::Accepted(Key::from_bits(number)),
        }
    }
}
