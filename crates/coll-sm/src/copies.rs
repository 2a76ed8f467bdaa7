//! The steps of calls whose data the ranks copy directly from and to each other's memory: showing
//! where data is, copying, and meeting after it.
//!
//! The system may stop allowing copies at any time. A rank that meets that says so where the ranks
//! meet, and all begin the call again, through slots ([`Call::after_copies`]).

use coll::Error;
use datatype::Buffer;
use memory::{Scratch, UserBuf};
use shm::Direction;

use crate::call::{lost, Call, Head, Kind, Wait};
use crate::segment::BOUNCE_BYTES;

/// How a rank fared with its copies; shown in place of a length.
const MADE: usize = 0;
const FAILED: usize = 1;
const NOT_ALLOWED: usize = 2;

/// Copies directly from and to other ranks' memory.
impl<W: Wait> Call<'_, W> {
    /// Shows the address of this rank's data; 0 for none.
    pub(crate) fn show_place(
        &mut self,
        round: u64,
        bytes: usize,
        place: Option<UserBuf>,
    ) -> Result<(), Error> {
        let address = place.map_or(0, |place| place.address() as u64);
        let head = Head::new(Kind::Place, bytes);
        self.show(round, head, 8, |slot, _| {
            slot.write(0, &address.to_le_bytes())
        })
    }

    /// Returns the address of another rank's data; `None` without one.
    pub(crate) fn place_of(
        &mut self,
        rank: u32,
        round: u64,
        bytes: usize,
    ) -> Result<Option<u64>, Error> {
        let place = self.see(rank, round, Head::new(Kind::Place, bytes), 8)?;
        let mut address = [0; 8];
        if let Some(place) = place {
            place.read(0, &mut address);
        }
        Ok(Some(u64::from_le_bytes(address)).filter(|address| *address != 0))
    }

    /// Shows that all copies are made, or could not be: an error is noted, unless the system does
    /// not allow copies, after which the call goes through slots.
    pub(crate) fn show_copied(
        &mut self,
        round: u64,
        copied: Result<(), Error>,
    ) -> Result<(), Error> {
        let code = match copied.is_err() || self.member.refused {
            false => MADE,
            true if self.member.refused => NOT_ALLOWED,
            true => FAILED,
        };
        if code == FAILED {
            self.note(copied);
        }
        self.show(round, Head::new(Kind::Copied, code), 0, |_, _| ())
    }

    /// Waits until a rank has made its copies.
    pub(crate) fn await_copied(&mut self, rank: u32, round: u64) -> Result<(), Error> {
        let head = self.head_of(rank, round)?;
        if head.kind != Kind::Copied as u8 {
            return self.differs(rank, head, Head::new(Kind::Copied, MADE));
        }
        match head.bytes {
            MADE => {}
            NOT_ALLOWED => self.member.refused = true,
            _ => {
                let source = "it could not copy what it had to".into();
                self.note(Err(lost(self.wait.name(rank), source)));
            }
        }
        Ok(())
    }

    /// Shows in `round` that this rank has made its copies, and waits until all have. Returns
    /// whether all were allowed to.
    pub(crate) fn meet_copied(
        &mut self,
        round: u64,
        copied: Result<(), Error>,
    ) -> Result<bool, Error> {
        let (me, size) = (self.member.me, self.member.size);
        self.show_copied(round, copied)?;
        for rank in (0..size).filter(|rank| *rank != me) {
            self.await_copied(rank, round)?;
        }
        self.pass(round);
        self.all_came();
        Ok(!self.member.refused)
    }

    /// Meets at the root, where all but the root have copied: it waits for them, and they for its
    /// word on whether all were allowed to. The only other rank knows that by itself.
    pub(crate) fn meet_copied_at(
        &mut self,
        root: u32,
        round: u64,
        copied: Result<(), Error>,
    ) -> Result<bool, Error> {
        let (me, size) = (self.member.me, self.member.size);
        if me == root {
            for rank in (0..size).filter(|rank| *rank != me) {
                self.await_copied(rank, round)?;
            }
            if size > 2 {
                self.show_copied(round, Ok(()))?;
            }
            self.all_came();
        } else {
            self.show_copied(round, copied)?;
            if size > 2 {
                self.await_copied(root, round)?;
            }
        }
        self.pass(round);
        Ok(!self.member.refused)
    }

    /// Ends the copies of a call, which took `rounds`, with what [`Call::meet_copied`] returned:
    /// `None` where not all ranks were allowed to, and the call begins again, through slots.
    pub(crate) fn after_copies(
        &mut self,
        rounds: u64,
        met: Result<bool, Error>,
    ) -> Option<(u64, Result<(), Error>)> {
        match met {
            Ok(true) => Some((rounds, Ok(()))),
            Ok(false) => {
                self.retreat(rounds);
                None
            }
            Err(error) => Some((rounds, Err(error))),
        }
    }

    /// Copies between `local` and the memory of `rank` at `remote`.
    pub(crate) fn copy(
        &mut self,
        rank: u32,
        direction: Direction,
        local: UserBuf,
        remote: u64,
    ) -> Result<(), Error> {
        let pid = self.member.pids[rank as usize];
        shm::copy::copy(pid, direction, local, remote).map_err(|why| {
            self.member.refused |= is_refusal(&why);
            Error::Message {
                peer: self.wait.name(rank),
                sending: direction == Direction::Write,
                source: Box::new(why),
            }
        })
    }

    /// Reads another rank's packed data at `remote` into the packed bytes of `buffer` from `from`
    /// on.
    pub(crate) fn read_into(
        &mut self,
        rank: u32,
        remote: u64,
        buffer: &Buffer,
        from: usize,
        len: usize,
    ) -> Result<(), Error> {
        if let Some(local) = buffer.contiguous() {
            return self.copy(rank, Direction::Read, local.part(from, len), remote);
        }
        let room = self.bounce(len);
        let mut done = 0;
        while done < len {
            let part = room.part(0, room.len().min(len - done));
            self.copy(
                rank,
                Direction::Read,
                part,
                remote.wrapping_add(done as u64),
            )?;
            buffer.unpack_from_user(from + done, part);
            done += part.len();
        }
        Ok(())
    }

    /// Returns memory for copies of up to `len` bytes, at most `BOUNCE_BYTES`.
    pub(crate) fn bounce(&mut self, len: usize) -> UserBuf {
        kept(&mut self.member.bounce, len)
    }

    /// Returns memory for up to `len` bytes of a result, at most `BOUNCE_BYTES`; where
    /// [`Call::aside`] saves bytes.
    pub(crate) fn aside_room(&mut self, len: usize) -> UserBuf {
        kept(&mut self.member.spare, len)
    }

    /// Saves up to `BOUNCE_BYTES` bytes that are about to be overwritten.
    pub(crate) fn aside(&mut self, bytes: UserBuf) -> UserBuf {
        let room = kept(&mut self.member.spare, bytes.len());
        room.copy_from(&bytes);
        room
    }
}

fn kept(place: &mut Option<Scratch>, len: usize) -> UserBuf {
    let room = place
        .get_or_insert_with(|| Scratch::new(BOUNCE_BYTES))
        .buf();
    room.part(0, len.min(room.len()))
}

/// A buffer's packed data where others can read it: its own memory, or a copy.
pub(crate) struct Exposed {
    pub(crate) memory: UserBuf,
    _copy: Option<Scratch>,
}

impl Exposed {
    /// `copied` asks for a copy in any case.
    pub(crate) fn new(buffer: &Buffer, copied: bool) -> Exposed {
        match buffer.contiguous() {
            Some(memory) if !copied => Exposed {
                memory,
                _copy: None,
            },
            _ => {
                let copy = Scratch::new(buffer.len());
                buffer.pack_to_user(0, copy.buf());
                Exposed {
                    memory: copy.buf(),
                    _copy: Some(copy),
                }
            }
        }
    }
}

/// Whether the system does not allow copies, rather than this one.
fn is_refusal(why: &std::io::Error) -> bool {
    matches!(
        why.raw_os_error(),
        Some(libc::EPERM | libc::EACCES | libc::ENOSYS)
    )
}
