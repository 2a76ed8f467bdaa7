//! Broadcast: the root shows data, the others read it.
//!
//! The root waits for the others only once all its slots are full. Large data is read directly from
//! the root's memory; with two ranks each copies a half, since the root would otherwise only wait.

use coll::Error;
use datatype::Buffer;
use shm::Direction;

use crate::call::{pieces, unpack, Call, Head, Kind, Member, Wait};
use crate::copies::Exposed;

/// Bytes between the halves of large data are a multiple of this.
const PAGE_BYTES: usize = 4096;

impl Member {
    /// `MPI_BCAST` (MPI 5.0, 6.4).
    ///
    /// # Errors
    /// When a rank has died, or called something else. A rank whose buffer has another length than
    /// the root's gets an error, and stays in step.
    pub fn bcast(&mut self, wait: &impl Wait, root: u32, buffer: &Buffer) -> Result<(), Error> {
        let head = Head::new(Kind::Bcast, buffer.len());
        let mut call = Call::begin(self, wait)?;
        let copies = call.by_copies(head)?;
        let (rounds, result) = if root == call.member.me {
            call.bcast_root(buffer, copies)
        } else {
            call.bcast_leaf(root, buffer, copies)
        };
        call.end(rounds, result)
    }
}

impl<W: Wait> Call<'_, W> {
    fn bcast_root(&mut self, buffer: &Buffer, copies: bool) -> (u64, Result<(), Error>) {
        let (len, most) = (buffer.len(), self.member.slot_bytes());
        if copies {
            let met = self.bcast_place(buffer);
            if let Some(done) = self.after_copies(2, met) {
                return done;
            }
        }
        // Also an empty message is shown to the others, who may expect one that is not.
        let rounds = pieces(len, most).max(1);
        let head = Head::new(Kind::Bcast, len);
        let mut from = 0;
        for round in self.first()..self.first() + rounds {
            let part = most.min(len - from);
            if let Err(error) = self.show_part(round, head, buffer, from, part) {
                return (rounds, Err(error));
            }
            self.pass(round);
            from += part;
        }
        (rounds, Ok(()))
    }

    fn bcast_leaf(&mut self, root: u32, buffer: &Buffer, copies: bool) -> (u64, Result<(), Error>) {
        let first = self.first();
        let pair = self.member.size == 2;
        if pair && copies {
            // The root may write a half of it.
            let shown = self.show_place(first, buffer.len(), buffer.contiguous());
            if shown.is_err() {
                return (2, shown);
            }
        }
        self.read_ahead(root, first);
        let head = match self.head_of(root, first) {
            Ok(head) => head,
            Err(error) => return (1, Err(error)),
        };
        if head.bytes != buffer.len() {
            self.note(Err(Error::Length {
                peer: self.wait.name(root),
                expected: buffer.len(),
                received: head.bytes,
            }));
        }
        if head.kind == Kind::Place as u8 {
            return self.bcast_placed(root, head.bytes, buffer, copies);
        }
        self.bcast_shown(root, head, buffer)
    }

    /// Takes the pieces of a message of which the root has shown the first.
    #[inline]
    fn bcast_shown(&mut self, root: u32, head: Head, buffer: &Buffer) -> (u64, Result<(), Error>) {
        let first = self.first();
        if head.kind != Kind::Bcast as u8 {
            return (1, self.differs(root, head, Head::new(Kind::Bcast, 0)));
        }
        let most = self.member.slot_bytes();
        let rounds = pieces(head.bytes, most).max(1);
        let mut from = 0;
        for round in first..first + rounds {
            let part = most.min(head.bytes - from);
            let bytes = match self.see(root, round, head, part) {
                Ok(bytes) => bytes,
                Err(error) => return (rounds, Err(error)),
            };
            let room = buffer.len().saturating_sub(from).min(part);
            if let Some(bytes) = bytes.filter(|_| room > 0) {
                unpack(buffer, from, bytes.part(0, room));
            }
            self.pass(round);
            from += part;
        }
        (rounds, Ok(()))
    }

    /// Copies a message of which the root has shown the address, or, where not all ranks may,
    /// takes it in pieces.
    #[inline(never)]
    fn bcast_placed(
        &mut self,
        root: u32,
        len: usize,
        buffer: &Buffer,
        copies: bool,
    ) -> (u64, Result<(), Error>) {
        let met = self.bcast_copy(root, len, buffer, copies);
        if let Some(done) = self.after_copies(2, met) {
            return done;
        }
        match self.head_of(root, self.first()) {
            Ok(head) => self.bcast_shown(root, head, buffer),
            Err(error) => (1, Err(error)),
        }
    }

    fn bcast_place(&mut self, buffer: &Buffer) -> Result<bool, Error> {
        let (first, me, size) = (self.first(), self.member.me, self.member.size);
        let exposed = Exposed::new(buffer, false);
        let len = buffer.len();
        self.show_place(first, len, Some(exposed.memory))?;
        if size == 2 {
            let helped = self.help(1 - me, &exposed);
            if matches!(helped, Err(Error::Message { sending: false, .. })) {
                return helped.map(|()| true);
            }
            return self.meet_copied(first + 1, helped);
        }
        self.meet_copied_at(me, first + 1, Ok(()))
    }

    /// Writes the second half to the only other rank, if that says where to.
    fn help(&mut self, leaf: u32, exposed: &Exposed) -> Result<(), Error> {
        let (first, len) = (self.first(), exposed.memory.len());
        if self.head_of(leaf, first)? != Head::new(Kind::Place, len) {
            return Ok(());
        }
        let Some(place) = self.place_of(leaf, first, len)? else {
            return Ok(());
        };
        let half = half_of(len);
        let remote = place.wrapping_add(half as u64);
        self.copy(leaf, Direction::Write, exposed.memory.from(half), remote)
    }

    /// `mine`: this rank expected it, and has shown where the root may write.
    fn bcast_copy(
        &mut self,
        root: u32,
        len: usize,
        buffer: &Buffer,
        mine: bool,
    ) -> Result<bool, Error> {
        let first = self.first();
        let pair = self.member.size == 2;
        if pair && !mine {
            self.show_place(first, buffer.len(), None)?;
        }
        let place = self.place_of(root, first, len)?;
        let helped = pair && mine && len == buffer.len() && buffer.contiguous().is_some();
        let own = if helped { half_of(len) } else { len };
        let copied = match place {
            Some(place) => self.read_into(root, place, buffer, 0, own.min(buffer.len())),
            None => Ok(()),
        };
        match pair {
            true => self.meet_copied(first + 1, copied),
            false => self.meet_copied_at(root, first + 1, copied),
        }
    }
}

/// Returns the offset of the second half of large data.
fn half_of(len: usize) -> usize {
    (len / 2).next_multiple_of(PAGE_BYTES).min(len)
}
