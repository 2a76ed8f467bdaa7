//! The target side: executes requests as they arrive, and queues the replies.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;

use base::PeerId;
use btl::{Access, Atomic, Flow};
use mca::Framework;
use memory::{Payload, UserBuf};

use super::operation::{Messenger, WINDOW};
use super::wire::{Answer, Reason, ReplyKind, Request, RequestKind};

/// The memory that peers may reach, and the replies owed to them.
#[derive(Default)]
pub(super) struct Target {
    regions: HashMap<u64, (UserBuf, Access)>,
    /// Handles given, and the secret that they are made with.
    given: u64,
    secret: RandomState,
    /// Per peer at most [`WINDOW`]; no entry without any.
    owed: HashMap<PeerId, VecDeque<Owed>>,
}

/// A pending reply.
#[derive(Clone, Copy)]
enum Owed {
    /// Bytes to be copied when there is room.
    Data(Request),
    /// A reply that is known already.
    Known(Answer),
}

impl Target {
    pub(super) fn expose(&mut self, memory: UserBuf, access: Access) -> u64 {
        loop {
            self.given += 1;
            // Keyed with random bits of the system: who knows some handles knows no others.
            let handle = self.secret.hash_one(self.given);
            if let std::collections::hash_map::Entry::Vacant(entry) = self.regions.entry(handle) {
                entry.insert((memory, access));
                return handle;
            }
        }
    }

    pub(super) fn withdraw(&mut self, handle: u64) {
        self.regions.remove(&handle);
    }

    /// Executes a peer's request, and queues the reply.
    pub(super) fn serve(&mut self, from: PeerId, request: &Request, body: Payload<'_>) {
        if self
            .owed
            .get(&from)
            .is_some_and(|owed| owed.len() >= WINDOW)
        {
            Framework::Bml.warn(format_args!(
                "{from} asks for more than it may: a request is dropped"
            ));
            return;
        }
        let owed = match request.what {
            RequestKind::Get => Owed::Data(*request),
            RequestKind::Put => Owed::Known(answer(request, self.put(request, body))),
            RequestKind::Atomic(atomic) => {
                Owed::Known(answer(request, self.change(request, atomic)))
            }
        };
        self.owed.entry(from).or_default().push_back(owed);
    }

    fn put(&self, request: &Request, body: Payload<'_>) -> Result<ReplyKind, Reason> {
        let into = self.find(request, body.len(), |access| access.write)?;
        body.copy_to_user(into);
        Ok(ReplyKind::Done { word: 0 })
    }

    fn change(&self, request: &Request, atomic: Atomic) -> Result<ReplyKind, Reason> {
        let allowed = |access: &Access| access.read && access.write;
        let word = self.find(request, atomic.width.bytes(), allowed)?;
        let old = atomic.apply_to(word).ok_or(Reason::Unaligned)?;
        Ok(ReplyKind::Done { word: old })
    }

    /// Returns the memory that a request is about.
    fn find(
        &self,
        request: &Request,
        len: usize,
        allowed: impl Fn(&Access) -> bool,
    ) -> Result<UserBuf, Reason> {
        let region = self.regions.get(&request.handle);
        let Some((memory, _)) = region.filter(|(_, access)| allowed(access)) else {
            return Err(Reason::Outside);
        };
        if !is_inside(memory.len() as u64, request, len as u64) {
            return Err(Reason::Outside);
        }
        Ok(memory.part(request.offset as usize, len))
    }

    /// Sends replies, as far as there is room.
    pub(super) fn pump(&mut self, out: &mut dyn Messenger) {
        if self.owed.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.owed);
        all.retain(|peer, owed| !self.pay(out, *peer, owed));
        self.owed = all;
    }

    /// Sends the replies to one peer; returns whether none is left.
    fn pay(&self, out: &mut dyn Messenger, peer: PeerId, owed: &mut VecDeque<Owed>) -> bool {
        while let Some(next) = owed.front() {
            let (answer, payload) = match next {
                Owed::Known(answer) => (*answer, UserBuf::EMPTY),
                Owed::Data(request) => self.read(request),
            };
            match out.send(peer, &answer.encode(), payload) {
                Ok(Flow::Sent) => drop(owed.pop_front()),
                Ok(Flow::Busy) => return false,
                // The peer is gone.
                Err(_) => return true,
            }
        }
        true
    }

    fn read(&self, request: &Request) -> (Answer, UserBuf) {
        let given = ReplyKind::Data { at: request.at };
        match self.find(request, request.len as usize, |access| access.read) {
            Ok(memory) => (answer(request, Ok(given)), memory),
            Err(reason) => (answer(request, Err(reason)), UserBuf::EMPTY),
        }
    }

    pub(super) fn has_unsent(&self) -> bool {
        !self.owed.is_empty()
    }

    pub(super) fn is_flushed(&self, peer: PeerId) -> bool {
        !self.owed.contains_key(&peer)
    }

    pub(super) fn lost(&mut self, peer: PeerId) {
        self.owed.remove(&peer);
    }
}

/// Whether the operation, and the part of `len` bytes in it, lie inside `size` bytes.
fn is_inside(size: u64, request: &Request, len: u64) -> bool {
    let Request {
        offset, at, whole, ..
    } = *request;
    let within = at.checked_add(len).is_some_and(|end| end <= whole);
    let begin = offset.checked_sub(at);
    let end = begin.and_then(|begin| begin.checked_add(whole));
    within && end.is_some_and(|end| end <= size)
}

fn answer(request: &Request, outcome: Result<ReplyKind, Reason>) -> Answer {
    Answer {
        what: outcome.unwrap_or_else(ReplyKind::Refused),
        operation: request.operation,
        len: request.len,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use btl::Error;
    use memory::Scratch;

    /// Takes messages only while it has room.
    struct Limited(usize, Vec<Vec<u8>>);

    impl Messenger for Limited {
        fn send(&mut self, _: PeerId, header: &[u8], payload: UserBuf) -> Result<Flow, Error> {
            if self.0 == 0 {
                return Ok(Flow::Busy);
            }
            self.0 -= 1;
            let mut bytes = vec![0; payload.len()];
            payload.read(0, &mut bytes);
            self.1.push([header, &bytes].concat());
            Ok(Flow::Sent)
        }

        fn message_bytes_max(&self, _: PeerId) -> usize {
            4096
        }

        fn check(&mut self, _: PeerId) -> Result<(), Error> {
            Ok(())
        }
    }

    const BOTH: Access = Access {
        read: true,
        write: true,
    };

    fn read(handle: u64, len: u32) -> Request {
        Request {
            what: RequestKind::Get,
            operation: 1,
            handle,
            offset: 0,
            at: 0,
            whole: u64::from(len),
            len,
        }
    }

    /// A peer that sends requests and never receives the replies must not fill this process's
    /// memory.
    #[test]
    fn what_is_owed_to_a_peer_is_bounded() {
        let (mut target, memory) = (Target::default(), Scratch::new(64));
        let handle = target.expose(memory.buf(), BOTH);
        let mut out = Limited(0, Vec::new());
        for _ in 0..100_000 {
            target.serve(PeerId(1), &read(handle, 64), Payload::from(&[][..]));
            target.pump(&mut out);
        }
        assert_eq!(target.owed[&PeerId(1)].len(), WINDOW);
        assert!(target.is_flushed(PeerId(2)) && !target.is_flushed(PeerId(1)));
        out.0 = 10 * WINDOW;
        target.pump(&mut out);
        assert_eq!(out.1.len(), WINDOW);
        assert!(!target.has_unsent());
    }

    #[test]
    fn memory_withdrawn_before_the_answer_is_not_read() {
        let (mut target, memory) = (Target::default(), Scratch::new(64));
        let handle = target.expose(memory.buf(), BOTH);
        let mut out = Limited(1, Vec::new());
        target.serve(PeerId(1), &read(handle, 64), Payload::from(&[][..]));
        target.withdraw(handle);
        target.pump(&mut out);
        let refused = Answer {
            what: ReplyKind::Refused(Reason::Outside),
            operation: 1,
            len: 64,
        };
        assert_eq!(out.1, [refused.encode().to_vec()]);
    }

    #[test]
    fn no_request_reaches_beyond_the_memory() {
        let mut random = base::Random::new(8);
        let mut inside = 0;
        for _ in 0..200_000 {
            let mut number = || match random.below(4) {
                0 => random.bits(),
                1 => u64::MAX - random.below(200),
                _ => random.below(70),
            };
            let request = Request {
                offset: number(),
                at: number(),
                whole: number(),
                ..read(1, 0)
            };
            let len = number();
            if is_inside(100, &request, len) {
                inside += 1;
                let end = request.offset.checked_add(len);
                assert!(end.is_some_and(|end| end <= 100), "{request:?}");
            }
        }
        assert!(inside > 100, "{inside}");
    }

    #[test]
    fn handles_are_no_count() {
        let (mut target, memory) = (Target::default(), Scratch::new(8));
        let mut handles: Vec<u64> = (0..1000)
            .map(|_| target.expose(memory.buf(), BOTH))
            .collect();
        handles.sort_unstable();
        let near = handles
            .windows(2)
            .filter(|pair| pair[1] - pair[0] < 1 << 32)
            .count();
        assert_eq!(near, 0, "handles that follow from others");
        let again = Target::default().expose(memory.buf(), BOTH);
        assert!(!handles.contains(&again), "another process's handle");
    }
}
