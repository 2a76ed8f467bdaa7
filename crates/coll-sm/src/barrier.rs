//! Barrier: each rank shows that it has entered, and waits for the others.

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
        let levels = call.member.tree().levels();
        let result = call.meet(levels);
        call.end(u64::from(levels), result)
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
}
