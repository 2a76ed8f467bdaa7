//! The steps of calls that are measured, so that all ranks choose alike what carries long data
//! (`carriage`).

use std::time::Instant;

use base::tool_event::{self, ToolEvent};
use coll::Error;
use mca::Framework;
use shm::carriage::{class_of, CLASS_MIN_BYTES};

use crate::call::{Call, Head, Kind, Measured, Wait};
use crate::carriage::{COPIES, NAMES};
use crate::params::Copies;

impl<W: Wait> Call<'_, W> {
    /// Returns whether the data of the call that shows `head` is copied by the kernel, which all
    /// ranks answer alike. The first thing in a call: a measured one begins here. A call that fails
    /// here has ended.
    #[inline]
    pub(crate) fn by_copies(&mut self, head: Head) -> Result<bool, Error> {
        match self.member.carriage.rule {
            Copies::Never => Ok(false),
            Copies::From(least) => Ok(head.bytes >= least),
            Copies::Measured if head.bytes < CLASS_MIN_BYTES => Ok(false),
            Copies::Measured => self.choose(head),
        }
    }

    #[inline(never)]
    fn choose(&mut self, head: Head) -> Result<bool, Error> {
        let class = class_of(head.bytes).unwrap_or(0);
        let (mechanism, measured) = self.member.carriage.choosers(head.kind).next(class);
        if measured {
            // Lengths that differ are found where they are in any other call.
            if let Err(error) = self.add_up(head.without_bytes(), 0) {
                self.give_up();
                return Err(error);
            }
            self.member.measured = Some(Measured {
                head,
                class,
                mechanism,
                began: Instant::now(),
            });
        }
        Ok(mechanism == COPIES)
    }

    /// Ends a measured call.
    #[cold]
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        let Some(measured) = self.member.measured.take() else {
            return Ok(());
        };
        let Measured {
            head,
            class,
            mechanism,
            began,
        } = measured;
        let took = began.elapsed().as_nanos() as u64;
        let sum = self.add_up(Head::new(Kind::Took, 0), took)?;
        let mean = sum / u64::from(self.member.size);
        let choosers = self.member.carriage.choosers(head.kind);
        let before = choosers.kept(class);
        choosers.record(class, mechanism, head.bytes, mean);
        let after = choosers.kept(class);
        if before != after {
            Framework::Coll.debug(format_args!(
                "calls of kind {} and {} bytes go by {}, before by {}",
                head.kind, head.bytes, NAMES[after], NAMES[before]
            ));
        }
        Ok(())
    }

    /// Gives up copies by the kernel, which a rank is no longer allowed to make, after a call took
    /// `rounds` for trying. All ranks do so in the same call.
    #[cold]
    pub(crate) fn retreat(&mut self, rounds: u64) {
        let why = "the system no longer lets every rank read the others' memory";
        Framework::Coll.info(format_args!(
            "long data goes through slots from now on: {why}"
        ));
        tool_event::raise(|| ToolEvent::GivenUp("collective_copies"));
        self.member.carriage.give_up_copies(why);
        self.member.measured = None;
        self.member.refused = false;
        self.member.advance(rounds);
    }

    /// Returns the sum of the ranks' numbers, `u64::MAX` on overflow. Takes a round for each level,
    /// after which the rounds of the call begin.
    fn add_up(&mut self, head: Head, own: u64) -> Result<u64, Error> {
        let (me, levels) = (self.member.me, self.member.tree().levels());
        let mut sum = own;
        for level in 0..levels {
            let (round, mine) = (self.first() + u64::from(level), sum);
            self.show(round, head, 8, |slot, _| slot.write(0, &mine.to_le_bytes()))?;
            for rank in self.member.tree().peers(level) {
                if rank == me {
                    continue;
                }
                if let Some(shown) = self.see(rank, round, head, 8)? {
                    let mut theirs = [0; 8];
                    shown.read(0, &mut theirs);
                    sum = sum.saturating_add(u64::from_le_bytes(theirs));
                }
            }
            self.pass(round);
        }
        self.all_came();
        self.member.advance(u64::from(levels));
        Ok(sum)
    }
}
