//! Recursive halving, for reductions of long vectors: every survivor of a [`Fold`] gets one piece
//! of the result.
//!
//! Neighbours go first: in round `k` survivor `i` pairs with `i ^ 2^k`, each sends the other one
//! half of the range it still works on, and keeps the half that bit `k` of its index selects. So
//! the long messages go to the nearest ranks, each combination is of a contiguous range of ranks
//! with an adjacent one, and operators that do not commute are served as well. The result returns
//! through the same ranges in reverse.

use std::ops::Range;

use datatype::Buffer;

use crate::data::share;
use crate::reduction::{Reduction, Side};
use crate::team::{Fold, Role, Team};
use crate::{Error, Port};

/// A vector that the ranks reduce by halving.
pub(crate) struct Halving<'a> {
    pub port: &'a Port,
    pub reduction: &'a Reduction,
    pub team: Team,
    pub fold: Fold,
    /// The contribution of this rank, only read; `None` when `acc` holds it.
    pub mine: Option<&'a Buffer>,
    /// The buffer that the result accumulates in.
    pub acc: &'a Buffer,
    pub cuts: Cuts<'a>,
}

/// The offsets where a vector may be cut in halves.
#[derive(Clone, Copy)]
pub(crate) enum Cuts<'a> {
    /// Anywhere, so as evenly as possible, in a vector of that many elements.
    Anywhere(usize),
    /// At these positions: the edges of as many pieces as there are survivors.
    At(&'a [usize]),
}

impl Cuts<'_> {
    fn total(&self) -> usize {
        match self {
            Cuts::Anywhere(count) => *count,
            Cuts::At(edges) => edges[edges.len() - 1],
        }
    }

    /// The elements in some of the pieces.
    fn elements(&self, pieces: &Range<u32>, survivors: u32) -> Range<usize> {
        match self {
            Cuts::Anywhere(count) => {
                let end = share(*count, survivors, pieces.end - 1).end;
                share(*count, survivors, pieces.start).start..end
            }
            Cuts::At(edges) => edges[pieces.start as usize]..edges[pieces.end as usize],
        }
    }
}

/// The pieces that survivor `index` still works on before round `round`.
pub(crate) fn pieces_before(index: u32, round: u32, survivors: u32) -> Range<u32> {
    let mut start = 0;
    let mut len = survivors;
    for bit in 0..round {
        len /= 2;
        if index >> bit & 1 == 1 {
            start += len;
        }
    }
    start..start + len
}

/// Returns the side of survivor `index` that its peer of round `round` is on.
fn partner_side(index: u32, round: u32) -> Side {
    if index >> round & 1 == 1 {
        Side::Lower
    } else {
        Side::Higher
    }
}

impl Halving<'_> {
    pub fn rounds(&self) -> u32 {
        self.fold.survivors.ilog2()
    }

    /// The elements of the result that a survivor has after [`Halving::reduce_scatter`].
    pub fn result_of(&self, index: u32) -> Range<usize> {
        self.range(index, self.rounds())
    }

    /// Leaves in `acc` of every survivor its piece of the result; a folded rank has then only sent
    /// its contribution.
    pub async fn reduce_scatter(&self) -> Result<(), Error> {
        let total = self.cuts.total();
        let (index, neighbour) = match self.fold.role(self.team.rank) {
            Role::Folded { into } => {
                let mine = self.mine.unwrap_or(self.acc);
                return self.port.wait(self.port.send(into, mine)).await;
            }
            Role::Survivor { index, neighbour } => (index, neighbour),
        };
        let mut mine = self.mine;
        if let Some(neighbour) = neighbour {
            let side = if neighbour > self.team.rank {
                Side::Higher
            } else {
                Side::Lower
            };
            self.take_in(&mut mine, neighbour, None, 0..total, side)
                .await?;
        }
        for round in 0..self.rounds() {
            let partner = self.fold.rank(index ^ 1 << round);
            let keep = self.range(index, round + 1);
            let give = self.range(index ^ 1 << round, round + 1);
            let side = partner_side(index, round);
            self.take_in(&mut mine, partner, Some(give), keep, side)
                .await?;
        }
        if let Some(mine) = mine {
            // Nothing to combine with: a single survivor.
            crate::data::copy(mine, self.acc)?;
        }
        Ok(())
    }

    /// Sends the peer one range and combines what it sends for another.
    async fn take_in(
        &self,
        mine: &mut Option<&Buffer>,
        partner: u32,
        give: Option<Range<usize>>,
        keep: Range<usize>,
        side: Side,
    ) -> Result<(), Error> {
        let (port, reduction) = (self.port, self.reduction);
        let side = reduction.side(side);
        let own = mine.unwrap_or(self.acc);
        let kept = self.cut(self.acc, &keep);
        // The first data to come can be received where the result grows.
        let incoming = match mine {
            Some(_) => kept.clone(),
            None => reduction.scratch(port, keep.len()),
        };
        match give {
            Some(give) => {
                port.exchange(partner, &self.cut(own, &give), partner, &incoming)
                    .await?
            }
            None => port.wait(port.recv(partner, &incoming)).await?,
        }
        match mine.take() {
            Some(mine) => reduction.join(port, &self.cut(mine, &keep), &incoming, keep.len(), side),
            None => reduction.absorb(&kept, &incoming, keep.len(), side),
        }
    }

    /// Distributes the pieces of the result, so that `acc` of every rank holds all of it, folded
    /// ranks included.
    pub async fn allgather(&self) -> Result<(), Error> {
        let port = self.port;
        let (index, neighbour) = match self.fold.role(self.team.rank) {
            Role::Folded { into } => return port.wait(port.recv(into, self.acc)).await,
            Role::Survivor { index, neighbour } => (index, neighbour),
        };
        for round in (0..self.rounds()).rev() {
            let partner = self.fold.rank(index ^ 1 << round);
            let have = self.cut(self.acc, &self.range(index, round + 1));
            let lack = self.cut(self.acc, &self.range(index ^ 1 << round, round + 1));
            port.exchange(partner, &have, partner, &lack).await?;
        }
        if let Some(neighbour) = neighbour {
            port.wait(port.send(neighbour, self.acc)).await?;
        }
        Ok(())
    }

    /// Gathers the pieces of the result in `acc` of one survivor.
    pub async fn gather(&self, root: u32) -> Result<(), Error> {
        let Role::Survivor { index, .. } = self.fold.role(self.team.rank) else {
            return Ok(());
        };
        let Role::Survivor { index: root, .. } = self.fold.role(root) else {
            return Err(Error::Arguments("the root of a reduction was folded away"));
        };
        for round in (0..self.rounds()).rev() {
            let partner = self.fold.rank(index ^ 1 << round);
            let have = self.range(index, round + 1);
            if (index ^ root) >> round & 1 == 1 {
                let have = self.cut(self.acc, &have);
                return self.port.wait(self.port.send(partner, &have)).await;
            }
            let lack = self.cut(self.acc, &self.range(index ^ 1 << round, round + 1));
            self.port.wait(self.port.recv(partner, &lack)).await?;
        }
        Ok(())
    }

    fn range(&self, index: u32, round: u32) -> Range<usize> {
        let pieces = pieces_before(index, round, self.fold.survivors);
        self.cuts.elements(&pieces, self.fold.survivors)
    }

    fn cut(&self, buffer: &Buffer, range: &Range<usize>) -> Buffer {
        self.reduction.part(buffer, range.start, range.len())
    }
}
