//! Allgather and alltoall, in which every rank has data for every other.

use coll::{Blocks, Error};
use datatype::Buffer;
use memory::{Stores, UserBuf};

use crate::call::{pack, pieces, unpack, Call, Head, Kind, Member, Wait};
use crate::copies::Exposed;

impl Member {
    /// `MPI_ALLGATHER` (MPI 5.0, 6.7). `recv` is a block of one length for each rank; `send` is
    /// `None` for `MPI_IN_PLACE`.
    ///
    /// # Errors
    /// When a rank has died or was called otherwise, or the blocks do not fit each other.
    pub fn allgather(
        &mut self,
        wait: &impl Wait,
        send: Option<&Buffer>,
        recv: &Blocks,
    ) -> Result<(), Error> {
        let me = self.me;
        check(recv.count() as usize, self.size as usize)?;
        let own = recv.block(me);
        let own = send.unwrap_or(&own);
        check(own.len(), recv.block_len(me))?;
        let head = Head::new(Kind::Allgather, own.len());
        let mut call = Call::begin(self, wait)?;
        let copies = call.by_copies(head)?;
        let (len, most) = (own.len(), call.member.slot_bytes());
        if copies {
            let moved = move_own(send, recv, me);
            call.note(moved);
            let exposed = Exposed::new(own, false);
            let met = call.read_all(&exposed, recv, 0);
            if let Some((rounds, result)) = call.after_copies(2, met) {
                return call.end(rounds, result);
            }
        }
        let rounds = pieces(len, most);
        // While others read what is shown, the own block is copied piece by piece, where it can be.
        let mine = recv.block(me);
        let room = mine.contiguous().filter(|_| send.is_some());
        let result = call.allgather_pieces(own, recv, room, rounds, most);
        if room.is_none() {
            let moved = move_own(send, recv, me);
            call.note(moved);
        }
        call.end(rounds, result)
    }

    /// `MPI_ALLTOALL` (MPI 5.0, 6.8), of blocks of one length; `send` is `None` for `MPI_IN_PLACE`.
    ///
    /// # Errors
    /// When a rank has died or was called otherwise, or the blocks do not fit each other.
    pub fn alltoall(
        &mut self,
        wait: &impl Wait,
        send: Option<&Blocks>,
        recv: &Blocks,
    ) -> Result<(), Error> {
        let (me, size) = (self.me, self.size);
        check(recv.count() as usize, size as usize)?;
        let in_place = send.is_none();
        let send = send.unwrap_or(recv);
        check(send.len(), recv.len())?;
        let len = recv.block_len(me);
        let head = Head::new(Kind::Alltoall, len);
        let mut call = Call::begin(self, wait)?;
        let copies = call.by_copies(head)?;
        let (exposed, saved);
        let mut send = send;
        if copies {
            let whole = whole_of(send)?;
            // In place the data is overwritten while others still read it.
            exposed = Exposed::new(whole, in_place);
            if !in_place {
                datatype::copy(&send.block(me), &recv.block(me))?;
            }
            let met = call.read_all(&exposed, recv, me as usize * len);
            if let Some((rounds, result)) = call.after_copies(2, met) {
                return call.end(rounds, result);
            }
            saved = Blocks::even(Buffer::bytes(exposed.memory), size);
            send = &saved;
        }
        let most = call.member.slot_bytes() / size as usize;
        let rounds = pieces(len, most);
        // While what is shown travels, the own block is copied.
        let own = (!in_place).then(|| (send.block(me), recv.block(me)));
        let result = call.alltoall_pieces(send, recv, rounds, most, own);
        call.end(rounds, result)
    }
}

impl<W: Wait> Call<'_, W> {
    fn allgather_pieces(
        &mut self,
        own: &Buffer,
        recv: &Blocks,
        room: Option<UserBuf>,
        rounds: u64,
        most: usize,
    ) -> Result<(), Error> {
        let (first, len) = (self.first(), own.len());
        let head = Head::new(Kind::Allgather, len);
        let part = |index: u64| {
            let from = index as usize * most;
            (from, most.min(len - from))
        };
        for index in 0..rounds {
            let round = first + index;
            let ahead = if index == 0 { index..index + 1 } else { 0..0 };
            // The next piece is shown while others still read this one.
            for shown in ahead.chain(index + 1..(index + 2).min(rounds)) {
                let (from, bytes) = part(shown);
                self.show_part(first + shown, head, own, from, bytes)?;
                if let Some(room) = room {
                    pack(own, from, room.part(from, bytes), Stores::Cached);
                }
            }
            let (from, bytes) = part(index);
            for rank in self.others() {
                if let Some(data) = self.see(rank, round, head, bytes)? {
                    unpack(&recv.block(rank), from, data);
                }
            }
            self.pass(round);
        }
        if rounds > 0 {
            self.all_came();
        }
        Ok(())
    }

    fn alltoall_pieces(
        &mut self,
        send: &Blocks,
        recv: &Blocks,
        rounds: u64,
        most: usize,
        mut own: Option<(Buffer, Buffer)>,
    ) -> Result<(), Error> {
        let (first, len) = (self.first(), recv.block_len(0));
        for index in 0..rounds {
            let round = first + index;
            let ahead = if index == 0 { index..index + 1 } else { 0..0 };
            for shown in ahead.chain(index + 1..(index + 2).min(rounds)) {
                let from = shown as usize * most;
                self.show_piece(first + shown, Kind::Alltoall, send, from, most)?;
            }
            if let Some((from, to)) = own.take() {
                let copied = datatype::copy(&from, &to).map(drop).map_err(Error::from);
                self.note(copied);
            }
            let from = index as usize * most;
            for rank in self.others() {
                let piece = self.see_piece(round, Kind::Alltoall, rank, len, from, most)?;
                if let Some(data) = piece {
                    unpack(&recv.block(rank), from, data);
                }
            }
            self.pass(round);
        }
        if rounds > 0 {
            self.all_came();
        }
        Ok(())
    }

    /// Reads a block of each other rank, `ahead` bytes into what it exposes.
    fn read_all(&mut self, exposed: &Exposed, recv: &Blocks, ahead: usize) -> Result<bool, Error> {
        let first = self.first();
        let len = recv.block_len(0);
        self.show_place(first, len, Some(exposed.memory))?;
        let mut copied = Ok(());
        for rank in self.others() {
            let place = self.place_of(rank, first, len)?;
            if let (Some(place), Ok(())) = (place, &copied) {
                let remote = place.wrapping_add(ahead as u64);
                copied = self.read_into(rank, remote, &recv.block(rank), 0, len);
            }
        }
        self.meet_copied(first + 1, copied)
    }

    /// The other ranks, the next one first, so that not all read one at once.
    fn others(&self) -> impl Iterator<Item = u32> {
        let (me, size) = (self.member.me, self.member.size);
        (1..size).map(move |step| (me + step) % size)
    }
}

/// Copies this rank's own block, unless it is in place.
pub(crate) fn move_own(send: Option<&Buffer>, recv: &Blocks, me: u32) -> Result<(), Error> {
    let Some(send) = send else { return Ok(()) };
    check(send.len(), recv.block_len(me))?;
    if !send.is_empty() {
        datatype::copy(send, &recv.block(me))?;
    }
    Ok(())
}

/// Refuses blocks that do not fit each other.
pub(crate) fn check(one: usize, other: usize) -> Result<(), Error> {
    if one == other {
        return Ok(());
    }
    Err(Error::Arguments(
        "send and receive blocks of a rank differ in length",
    ))
}

fn whole_of(blocks: &Blocks) -> Result<&Buffer, Error> {
    match blocks {
        Blocks::Even { whole, .. } => Ok(whole),
        Blocks::Listed(_) => Err(Error::Arguments("blocks of one length are needed")),
    }
}
