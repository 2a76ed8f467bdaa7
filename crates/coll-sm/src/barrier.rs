//! Barrier: each rank shows that it has entered, and waits for the others.
//!
//! A crowd ([`Member::is_crowd`]) meets at rank 0, which waits for all and then shows that they
//! have come: of ranks that take turns on few cores, each sleeps once. If all waited for all, each
//! would be woken again and again to find the next one missing.

use coll::Error;

use crate::call::{Call, Head, Kind, Member, Wait};

impl Member {
    /// `MPI_BARRIER` (MPI 5.0, 6.3).
    ///
    /// # Errors
    /// When a rank has died, or called something else.
    #[inline]
    pub fn barrier(&mut self, wait: &impl Wait) -> Result<(), Error> {
        let mut call = Call::begin(self, wait)?;
        let (rounds, result) = match call.member.is_crowd() {
            true => (2, call.meet_at_root()),
            false => {
                let levels = call.member.tree().levels();
                (levels, call.meet(levels))
            }
        };
        call.end(u64::from(rounds), result)
    }
}

impl<W: Wait> Call<'_, W> {
    #[inline]
    fn meet(&mut self, levels: u32) -> Result<(), Error> {
        let head = Head::new(Kind::Barrier, 0);
        for level in 0..levels {
            let round = self.first() + u64::from(level);
            self.show(round, head, 0, |_, _| ())?;
            let me = self.member.me;
            for rank in self.member.tree().peers(level) {
                if rank != me {
                    self.see(rank, round, head, 0)?;
                }
            }
            self.pass(round);
        }
        self.all_came();
        Ok(())
    }

    fn meet_at_root(&mut self) -> Result<(), Error> {
        let (head, round) = (Head::new(Kind::Barrier, 0), self.first());
        match self.member.me {
            0 => {
                // The highest first: ranks are woken in order, so it mostly comes last.
                for rank in (1..self.member.size).rev() {
                    self.see(rank, round, head, 0)?;
                }
                self.show(round + 1, head, 0, |_, _| ())?;
            }
            _ => {
                self.show(round, head, 0, |_, _| ())?;
                self.see(0, round + 1, head, 0)?;
            }
        }
        self.pass(round + 1);
        self.all_came();
        Ok(())
    }
}
