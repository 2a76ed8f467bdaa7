//! Gather and scatter: blocks of all to the root, and back.
//!
//! Large blocks are copied by the other ranks and not by the root, in parallel: they write directly
//! into the root's buffer, or read from it.

use coll::{Blocks, Error};
use datatype::Buffer;
use memory::{Scratch, UserBuf};
use shm::Direction;

use crate::alltoall::{check, move_own};
use crate::call::{pieces, unpack, Call, Head, Kind, Member, Wait};
use crate::copies::Exposed;

impl Member {
    /// `MPI_GATHER` (MPI 5.0, 6.5). `recv` is all blocks, at the root; `send` is `None` there for
    /// `MPI_IN_PLACE`.
    ///
    /// # Errors
    /// When a rank has died or was called otherwise, or arguments are missing.
    pub fn gather(
        &mut self,
        wait: &impl Wait,
        root: u32,
        send: Option<&Buffer>,
        recv: Option<&Buffer>,
    ) -> Result<(), Error> {
        let (me, size) = (self.me, self.size);
        if me != root {
            let send = send.ok_or(Error::Arguments("a rank needs a send buffer"))?;
            let head = Head::new(Kind::Gather, send.len());
            let mut call = Call::begin(self, wait)?;
            let copies = call.by_copies(head)?;
            let (rounds, result) = call.give_block(root, send, copies);
            return call.end(rounds, result);
        }
        let recv = recv.ok_or(Error::Arguments("the root needs a receive buffer"))?;
        let blocks = Blocks::even(recv.clone(), size);
        move_own(send, &blocks, me)?;
        let head = Head::new(Kind::Gather, blocks.block_len(0));
        let mut call = Call::begin(self, wait)?;
        let copies = call.by_copies(head)?;
        let (rounds, result) = call.take_blocks(&blocks, recv, copies);
        call.end(rounds, result)
    }

    /// `MPI_SCATTER` (MPI 5.0, 6.6). `send` is all blocks, at the root; `recv` is `None` there for
    /// `MPI_IN_PLACE`.
    ///
    /// # Errors
    /// When a rank has died or was called otherwise, or arguments are missing.
    pub fn scatter(
        &mut self,
        wait: &impl Wait,
        root: u32,
        send: Option<&Buffer>,
        recv: Option<&Buffer>,
    ) -> Result<(), Error> {
        let (me, size) = (self.me, self.size);
        if me != root {
            let recv = recv.ok_or(Error::Arguments("a rank needs a receive buffer"))?;
            let head = Head::new(Kind::Scatter, recv.len());
            let mut call = Call::begin(self, wait)?;
            let copies = call.by_copies(head)?;
            let (rounds, result) = call.fetch_block(root, recv, copies);
            return call.end(rounds, result);
        }
        let send = send.ok_or(Error::Arguments("the root needs a send buffer"))?;
        let blocks = Blocks::even(send.clone(), size);
        if let Some(recv) = recv {
            check(recv.len(), blocks.block_len(me))?;
            datatype::copy(&blocks.block(me), recv)?;
        }
        let head = Head::new(Kind::Scatter, blocks.block_len(0));
        let mut call = Call::begin(self, wait)?;
        let copies = call.by_copies(head)?;
        let (rounds, result) = call.deal_blocks(&blocks, send, copies);
        call.end(rounds, result)
    }
}

impl<W: Wait> Call<'_, W> {
    fn give_block(&mut self, root: u32, send: &Buffer, copies: bool) -> (u64, Result<(), Error>) {
        let (len, most) = (send.len(), self.member.slot_bytes());
        if copies {
            let met = self.write_block(root, send);
            if let Some(done) = self.after_copies(2, met) {
                return done;
            }
        }
        let rounds = pieces(len, most);
        let head = Head::new(Kind::Gather, len);
        let mut from = 0;
        for round in self.first()..self.first() + rounds {
            let part = most.min(len - from);
            if let Err(error) = self.show_part(round, head, send, from, part) {
                return (rounds, Err(error));
            }
            self.pass(round);
            from += part;
        }
        (rounds, Ok(()))
    }

    fn take_blocks(
        &mut self,
        blocks: &Blocks,
        whole: &Buffer,
        copies: bool,
    ) -> (u64, Result<(), Error>) {
        let (len, most) = (blocks.block_len(0), self.member.slot_bytes());
        if copies {
            let met = self.await_blocks(blocks, whole);
            if let Some(done) = self.after_copies(2, met) {
                return done;
            }
        }
        let rounds = pieces(len, most);
        (rounds, self.take_pieces(blocks, rounds, most))
    }

    fn take_pieces(&mut self, blocks: &Blocks, rounds: u64, most: usize) -> Result<(), Error> {
        let (first, me, size) = (self.first(), self.member.me, self.member.size);
        let len = blocks.block_len(0);
        let head = Head::new(Kind::Gather, len);
        let mut from = 0;
        for round in first..first + rounds {
            let part = most.min(len - from);
            for rank in (0..size).filter(|rank| *rank != me) {
                if let Some(bytes) = self.see(rank, round, head, part)? {
                    unpack(&blocks.block(rank), from, bytes);
                }
            }
            self.pass(round);
            from += part;
        }
        if rounds > 0 {
            self.all_came();
        }
        Ok(())
    }

    fn write_block(&mut self, root: u32, send: &Buffer) -> Result<bool, Error> {
        let (first, len) = (self.first(), send.len());
        let copied = match self.place_of(root, first, len)? {
            None => Ok(()),
            Some(place) => {
                let exposed = Exposed::new(send, false);
                let ahead = self.member.me as usize * len;
                let remote = place.wrapping_add(ahead as u64);
                self.copy(root, Direction::Write, exposed.memory, remote)
            }
        };
        self.meet_copied_at(root, first + 1, copied)
    }

    fn await_blocks(&mut self, blocks: &Blocks, whole: &Buffer) -> Result<bool, Error> {
        let (first, me, len) = (self.first(), self.member.me, blocks.block_len(0));
        let packed = match whole.contiguous() {
            Some(_) => None,
            None => Some(Scratch::new(whole.len())),
        };
        let room = packed.as_ref().map(Scratch::buf).or(whole.contiguous());
        self.show_place(first, len, room)?;
        let met = self.meet_copied_at(me, first + 1, Ok(()))?;
        if let Some(packed) = &packed {
            for rank in (0..self.member.size).filter(|rank| *rank != me) {
                let bytes = packed.buf().part(rank as usize * len, len);
                unpack(&blocks.block(rank), 0, bytes);
            }
        }
        Ok(met)
    }

    fn deal_blocks(
        &mut self,
        blocks: &Blocks,
        whole: &Buffer,
        copies: bool,
    ) -> (u64, Result<(), Error>) {
        let (len, size) = (blocks.block_len(0), self.member.size);
        if copies {
            let met = self.await_readers(whole, len);
            if let Some(done) = self.after_copies(2, met) {
                return done;
            }
        }
        let most = self.member.slot_bytes() / size as usize;
        let rounds = pieces(len, most);
        (
            rounds,
            self.show_pieces(Kind::Scatter, blocks, rounds, most),
        )
    }

    /// Shows a piece of every block in each round.
    fn show_pieces(
        &mut self,
        kind: Kind,
        blocks: &Blocks,
        rounds: u64,
        most: usize,
    ) -> Result<(), Error> {
        for index in 0..rounds {
            let round = self.first() + index;
            self.show_piece(round, kind, blocks, index as usize * most, most)?;
            self.pass(round);
        }
        Ok(())
    }

    fn fetch_block(&mut self, root: u32, recv: &Buffer, copies: bool) -> (u64, Result<(), Error>) {
        let (len, size) = (recv.len(), self.member.size);
        if copies {
            let met = self.read_block(root, recv);
            if let Some(done) = self.after_copies(2, met) {
                return done;
            }
        }
        let most = self.member.slot_bytes() / size as usize;
        let rounds = pieces(len, most);
        for index in 0..rounds {
            let round = self.first() + index;
            let seen = self.see_piece(round, Kind::Scatter, root, len, index as usize * most, most);
            match seen {
                Ok(Some(bytes)) => unpack(recv, index as usize * most, bytes),
                Ok(None) => {}
                Err(error) => return (rounds, Err(error)),
            }
            self.pass(round);
        }
        (rounds, Ok(()))
    }

    fn await_readers(&mut self, whole: &Buffer, len: usize) -> Result<bool, Error> {
        let first = self.first();
        let exposed = Exposed::new(whole, false);
        self.show_place(first, len, Some(exposed.memory))?;
        self.meet_copied_at(self.member.me, first + 1, Ok(()))
    }

    fn read_block(&mut self, root: u32, recv: &Buffer) -> Result<bool, Error> {
        let (first, len) = (self.first(), recv.len());
        let ahead = self.member.me as usize * len;
        let copied = match self.place_of(root, first, len)? {
            Some(place) => {
                let remote = place.wrapping_add(ahead as u64);
                self.read_into(root, remote, recv, 0, len)
            }
            None => Ok(()),
        };
        self.meet_copied_at(root, first + 1, copied)
    }

    /// Shows the bytes `from .. from + most` of every block but the own, as far as there are some.
    pub(crate) fn show_piece(
        &mut self,
        round: u64,
        kind: Kind,
        blocks: &Blocks,
        from: usize,
        most: usize,
    ) -> Result<(), Error> {
        let (me, size, len) = (self.member.me, self.member.size, blocks.block_len(0));
        let part = most.min(len - from);
        let whole = part * (size - 1) as usize;
        self.show(round, Head::new(kind, len), whole, |slot, stores| {
            for rank in (0..size).filter(|rank| *rank != me) {
                let room = slot.part(among_others(rank, me) * part, part);
                crate::call::pack(&blocks.block(rank), from, room, stores);
            }
        })
    }

    /// Waits for the own piece of what `rank` shows with [`Call::show_piece`], of blocks of `len`.
    pub(crate) fn see_piece(
        &mut self,
        round: u64,
        kind: Kind,
        rank: u32,
        len: usize,
        from: usize,
        most: usize,
    ) -> Result<Option<UserBuf>, Error> {
        let (me, size) = (self.member.me, self.member.size);
        let part = most.min(len - from);
        let whole = part * (size - 1) as usize;
        let shown = self.see(rank, round, Head::new(kind, len), whole)?;
        Ok(shown.map(|shown| shown.part(among_others(me, rank) * part, part)))
    }
}

/// Index of a rank among all but `one`.
pub(crate) fn among_others(rank: u32, one: u32) -> usize {
    (rank - u32::from(rank > one)) as usize
}
