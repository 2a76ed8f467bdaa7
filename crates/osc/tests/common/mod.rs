//! Helpers of tests that run a few processes in one.

use base::PeerId;
use memory::{Payload, Slot};
use osc::wire::Header;
use osc::Osc;

/// Moves the next message of one process to another; what it was.
pub fn carry_one(osc: &mut [Osc], from: usize, to: usize) -> Option<Header> {
    let peer = PeerId(to as u32);
    let frame = osc[from].next_frame(peer, 4096)?;
    let mut data = vec![0; frame.len];
    frame.pack(&mut Slot::from(&mut data[..]));
    let bytes = [frame.header, &data].concat();
    let payload = Payload::from(&bytes[..]);
    let header = Header::decode(&payload).unwrap();
    osc[from].frame_sent(peer);
    let arrived = osc[to].arrived(PeerId(from as u32), payload);
    arrived.unwrap();
    Some(header)
}
