//! The payload log: copies of the messages that this process has sent, for the next life of a
//! receiver.

use base::PeerId;
use datatype::Buffer;
use memory::Scratch;
use pml::Label;

/// Bytes of memory that are taken at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// A message that was sent.
#[derive(Clone, Copy)]
struct Sent {
    label: Label,
    chunk: u32,
    at: usize,
    len: usize,
}

/// The messages that were sent to each peer, in order.
#[derive(Default)]
pub struct PayloadLog {
    chunks: Vec<Scratch>,
    /// Bytes of the last chunk that are used.
    used: usize,
    peers: Vec<Vec<Sent>>,
    messages: u64,
    bytes: u64,
}

impl PayloadLog {
    /// Copies a message.
    pub fn record(&mut self, peer: PeerId, label: Label, buffer: &Buffer) {
        let len = buffer.len();
        let room = self
            .chunks
            .last()
            .map_or(0, |chunk| chunk.buf().len() - self.used);
        if room < len || self.chunks.is_empty() {
            self.chunks.push(Scratch::new(CHUNK_BYTES.max(len)));
            self.used = 0;
        }
        let (chunk, at) = (self.chunks.len() - 1, self.used);
        let place = Buffer::bytes(self.chunks[chunk].buf().part(at, len));
        // Both have the same length.
        let _ = datatype::copy(buffer, &place);
        self.used += len;
        if self.peers.len() <= peer.index() {
            self.peers.resize_with(peer.index() + 1, Vec::new);
        }
        self.peers[peer.index()].push(Sent {
            label,
            chunk: chunk as u32,
            at,
            len,
        });
        self.messages += 1;
        self.bytes += len as u64;
    }

    /// Returns the messages that were sent to a peer, with their bytes.
    pub fn sent_to(&self, peer: PeerId) -> Vec<(Label, Buffer)> {
        let sent = self.peers.get(peer.index()).map_or(&[][..], Vec::as_slice);
        let message = |sent: &Sent| {
            let memory = self.chunks[sent.chunk as usize].buf();
            (sent.label, Buffer::bytes(memory.part(sent.at, sent.len)))
        };
        sent.iter().map(message).collect()
    }

    /// Returns how many messages there are, and their bytes.
    pub fn size(&self) -> (u64, u64) {
        (self.messages, self.bytes)
    }
}
