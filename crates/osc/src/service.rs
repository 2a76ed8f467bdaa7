//! The requests and replies of peers, as this process handles them.

use ::memory::Payload;
use base::{Key, PeerId, Rank};
use datatype::{Combining, Op};

use crate::check::Conflict;
use crate::locks::Lock;
use crate::memory::{combine, Swap};
use crate::operation::no_such_memory;
use crate::outbox::is_answer;
use crate::outbox::Data;
use crate::target::{Fault, Target};
use crate::wire::{self, element, status, violation, Header, Kind, Violation};
use crate::{Error, Osc};

/// Most bytes that one message may request.
const ASKED_MAX: u64 = 1 << 20;

impl Osc {
    /// Handles a message that has arrived. Its request is done before this returns; the reply is in
    /// a queue then.
    ///
    /// # Errors
    /// When no correct peer would have sent it: the peer is to be given up. A range outside the
    /// window is no such error, and gets a reply.
    pub fn arrived(&mut self, from: PeerId, payload: Payload<'_>) -> Result<(), Violation> {
        let header = Header::decode(&payload)?;
        if !self.is_due(from, &header, || payload.to_vec())? {
            return Ok(());
        }
        self.take(from, &header, payload)?;
        while let Some(bytes) = self.next_early(from) {
            let payload = Payload::from(&bytes[..]);
            let header = Header::decode(&payload)?;
            self.take(from, &header, payload)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        from: PeerId,
        header: &Header,
        payload: Payload<'_>,
    ) -> Result<(), Violation> {
        let window = Key::from_bits(header.window);
        let Some(rank) = self.rank_of(window, from) else {
            // This process may have given up a window because of a death or of a revocation that
            // the sender does not know of yet.
            return match self.windows.was_removed(window) {
                true => Ok(()),
                false => violation("a message to an unknown window"),
            };
        };
        if is_answer(header.kind) {
            return self.take_answer(window, rank, header, payload);
        }
        match header.kind {
            Kind::Flush => {
                self.forget_passive(window, rank);
                self.confirm(window, rank)
            }
            Kind::Lock => {
                let lock = match header.status {
                    0 => Lock::Shared,
                    _ => Lock::Exclusive,
                };
                let asked = self.windows.get_mut(window);
                if !asked.is_some_and(|window| window.locks.ask(rank.0, lock)) {
                    return violation("a second request for a lock");
                }
                self.grant_locks(window);
                Ok(())
            }
            Kind::Unlock => {
                let held = self.windows.get_mut(window);
                if !held.is_some_and(|window| window.locks.give_back(rank.0)) {
                    return violation("the end of a lock that it does not hold");
                }
                self.forget_passive(window, rank);
                self.grant_locks(window);
                match header.token {
                    0 => Ok(()),
                    _ => self.confirm(window, rank),
                }
            }
            Kind::Post => {
                self.with(window, rank, |target| target.posted += 1);
                Ok(())
            }
            Kind::Complete => {
                self.with(window, rank, |target| target.completed += 1);
                Ok(())
            }
            Kind::Fence => {
                self.with(window, rank, |target| target.fenced += 1);
                Ok(())
            }
            _ => self.access(window, rank, header, payload),
        }
    }

    fn with(&mut self, window: Key, rank: Rank, change: impl FnOnce(&mut Target)) {
        if let Some(window) = self.windows.get_mut(window) {
            change(window.target(rank));
        }
    }

    /// Forgets the accesses of an origin under a lock, which are complete.
    fn forget_passive(&mut self, window: Key, rank: Rank) {
        let window = self.windows.get_mut(window);
        if let Some(check) = window.and_then(|window| window.check.as_mut()) {
            check.flushed(rank.0);
        }
    }

    /// Confirms to an origin that all that it has sent so far is done.
    #[inline]
    fn confirm(&mut self, window: Key, rank: Rank) -> Result<(), Violation> {
        let Some(state) = self.windows.get_mut(window) else {
            return Ok(());
        };
        let target = state.target(rank);
        if !target.faults.is_empty() {
            return self.confirm_with_fault(window, rank);
        }
        let (peer, answer) = (target.peer, Header::new(Kind::Ack, target.name));
        self.answer(peer, answer, Data::NONE)
    }

    /// Confirms to an origin that all that it has sent is done, and reports what was wrong.
    #[cold]
    fn confirm_with_fault(&mut self, window: Key, rank: Rank) -> Result<(), Violation> {
        let Some(state) = self.windows.get_mut(window) else {
            return Ok(());
        };
        let target = state.target(rank);
        let (status, data) = match target.faults.next() {
            Some(Fault::Conflict(conflict)) => (status::CONFLICT, Data::Read(conflict.encode())),
            Some(Fault::Range) => (status::RANGE, Data::NONE),
            None => (status::OK, Data::NONE),
        };
        let answer = Header {
            status,
            ..Header::new(Kind::Ack, target.name)
        };
        let peer = target.peer;
        self.answer(peer, answer, data)
    }

    /// Grants the lock of a window to those whose turn it is.
    pub(crate) fn grant_locks(&mut self, window: Key) {
        loop {
            let Some(state) = self.windows.get_mut(window) else {
                return;
            };
            let Some(rank) = state.locks.next_grant() else {
                return;
            };
            let target = state.target(Rank(rank));
            let (peer, name) = (target.peer, target.name);
            // An origin has requested one lock only, so its replies are not too many.
            let _ = self.answer(peer, Header::new(Kind::Grant, name), Data::NONE);
        }
    }

    /// Does an operation of a peer in the window of this process.
    fn access(
        &mut self,
        window: Key,
        rank: Rank,
        header: &Header,
        payload: Payload<'_>,
    ) -> Result<(), Violation> {
        if header.kind != Kind::Get {
            self.keep_read();
        }
        if let Some(done) = self.access_run(window, rank, header, &payload) {
            return done;
        }
        let mut runs = std::mem::take(&mut self.runs);
        let decoded = header.runs(&payload, &mut runs);
        let done = decoded.and_then(|data| self.execute(window, header, &runs, data));
        if matches!(done, Ok(Some(_))) {
            self.compare(window, rank, header, &runs);
        }
        self.runs = runs;
        let before = done?;
        let Some(state) = self.windows.get_mut(window) else {
            return Ok(());
        };
        let target = state.target(rank);
        let (peer, mut answer) = target.data(header);
        let reads = !matches!(header.kind, Kind::Put | Kind::Accumulate);
        match before {
            Some(before) if reads => self.answer(peer, answer, Data::Read(before)),
            None if reads => {
                answer.status = status::RANGE;
                answer.bytes = header.bytes;
                self.answer(peer, answer, Data::NONE)
            }
            done => {
                if done.is_none() {
                    target.faults.note(Fault::Range);
                }
                match header.confirm {
                    true => self.confirm(window, rank),
                    false => Ok(()),
                }
            }
        }
    }

    /// The fast path of an access to one contiguous block inside the window, of elements without
    /// gaps. `None`, and nothing is done, where the slow path is needed.
    #[inline]
    fn access_run(
        &mut self,
        window: Key,
        rank: Rank,
        header: &Header,
        payload: &Payload<'_>,
    ) -> Option<Result<(), Violation>> {
        let state = self.windows.get_mut(window)?;
        let there = state.memory.part(header.block_offset?, header.bytes)?;
        let (_, data) = payload.split(wire::HEADER_BYTES)?;
        if state.check.is_some() || there.is_empty() {
            return None;
        }
        match header.kind {
            Kind::Put if data.len() == there.len() => {
                data.copy_to_user(there);
                match header.confirm {
                    true => Some(self.confirm(window, rank)),
                    false => Some(Ok(())),
                }
            }
            Kind::Get | Kind::GetAccumulate if data.is_empty() && header.bytes <= ASKED_MAX => {
                if header.kind != Kind::Get {
                    how(header).filter(|how| how.op() == Op::NoOp)?;
                }
                let (peer, answer) = state.target(rank).data(header);
                Some(self.answer(peer, answer, Data::Memory(there)))
            }
            Kind::Accumulate if data.len() == there.len() => {
                combine(how(header)?, data, &mut self.room, there);
                match header.confirm {
                    true => Some(self.confirm(window, rank)),
                    false => Some(Ok(())),
                }
            }
            Kind::GetAccumulate if data.len() == there.len() && header.bytes <= ASKED_MAX => {
                let how = how(header)?;
                let (peer, answer) = state.target(rank).data(header);
                let before = self.before(there);
                let answered = self.answer(peer, answer, before);
                combine(how, data, &mut self.room, there);
                Some(answered)
            }
            Kind::CompareAndSwap if data.len() == there.len() => {
                let swap = Swap::of(header, &data)?;
                let (peer, answer) = state.target(rank).data(header);
                let before = self.before(there);
                let answered = self.answer(peer, answer, before);
                swap.run(there);
                Some(answered)
            }
            _ => None,
        }
    }

    /// Compares an access with the others of its epoch, in a window that is checked.
    fn compare(&mut self, window: Key, rank: Rank, header: &Header, runs: &[wire::Run]) {
        let Some(state) = self.windows.get_mut(window) else {
            return;
        };
        let Some(check) = &mut state.check else {
            return;
        };
        if let Some(conflict) = check.access(rank.0, header, runs) {
            state.target(rank).faults.note(Fault::Conflict(conflict));
        }
    }

    /// Does an operation, and returns the previous content where it reads. `None` when the window
    /// has no such memory, and nothing was done.
    fn execute(
        &mut self,
        window: Key,
        header: &Header,
        runs: &[wire::Run],
        data: Payload<'_>,
    ) -> Result<Option<Vec<u8>>, Violation> {
        let Some(window) = self.windows.get_mut(window) else {
            return Ok(None);
        };
        let memory = &window.memory;
        let (spare, room) = (&mut self.spare, &mut self.room);
        let reads = !matches!(header.kind, Kind::Put | Kind::Accumulate);
        if reads && header.bytes > ASKED_MAX {
            return violation("a request for too many bytes at once");
        }
        let brings = match header.kind {
            Kind::Get => 0,
            Kind::GetAccumulate if header.op == Some(Op::NoOp) => 0,
            Kind::CompareAndSwap if header.bytes > 8 => header.bytes.saturating_mul(2),
            _ => header.bytes,
        };
        if data.len() as u64 != brings {
            return violation("data of another length than it is about");
        }
        let mut before = match reads {
            true => spare.pop().unwrap_or_default(),
            false => Vec::new(),
        };
        let done = match header.kind {
            Kind::Put => memory.put(runs, data),
            Kind::Get => memory.get(runs, &mut before),
            Kind::Accumulate | Kind::GetAccumulate => {
                before.clear();
                let Some(op) = header.op else {
                    return violation("an accumulate without an operation");
                };
                let what = (op, element(header.element)?);
                let before = reads.then_some(&mut before);
                memory.accumulate(what, runs, data, before, room)?
            }
            _ => {
                let ([run], Some(swap)) = (runs, Swap::of(header, &data)) else {
                    return violation("a swap of something other than an element");
                };
                if run.len != header.bytes || run.count != 1 {
                    return violation("a swap of several elements");
                }
                before.clear();
                memory.swap(run, &swap, &mut before)
            }
        };
        Ok(done.map(|()| before))
    }

    /// Takes a reply of a peer.
    fn take_answer(
        &mut self,
        window: Key,
        rank: Rank,
        header: &Header,
        payload: Payload<'_>,
    ) -> Result<(), Violation> {
        let Some(state) = self.windows.get_mut(window) else {
            return Ok(());
        };
        let target = state.target(rank);
        let expected = match header.kind {
            Kind::Ack if target.confirmed < target.asked => {
                target.confirmed += 1;
                match header.status {
                    status::OK => true,
                    status::CONFLICT => {
                        let data =
                            payload.part(wire::HEADER_BYTES, payload.len() - wire::HEADER_BYTES);
                        let conflict = Conflict::decode(&data);
                        let found = conflict.map(|conflict| Error::Conflict {
                            target: rank,
                            conflict,
                        });
                        found.map(|error| target.note(error)).is_some()
                    }
                    _ => {
                        target.note(no_such_memory(rank));
                        true
                    }
                }
            }
            Kind::Grant => target.lock.granted(),
            Kind::Data => {
                let peer = target.peer;
                let data = payload.part(wire::HEADER_BYTES, payload.len() - wire::HEADER_BYTES);
                self.came(peer, header, data)
            }
            _ => false,
        };
        match expected {
            true => Ok(()),
            false => violation("an answer to nothing"),
        }
    }
}

/// Returns how an accumulate of whole elements without gaps combines; `None` for all others.
#[inline]
fn how(header: &Header) -> Option<Combining> {
    let how = datatype::predefined(u32::from(header.element))?.combining(header.op?)?;
    (how.element().holds(header.bytes as usize)).then_some(how)
}
