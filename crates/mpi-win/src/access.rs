//! Operations in windows (MPI 5.0, 12.3).

use base::Rank;
use datatype::Datatype;
use engine::Begun;
use osc::{Access, OpId, Ranks, Shared};

use crate::elements::Elements;
use crate::{mixed, Flavor, Window};
use mpi::{Class, Error, Request};
use mpi_components::windows::SINGLE;

impl Window {
    /// The target that an argument names.
    ///
    /// # Errors
    /// When there is no such rank.
    pub fn target(&self, rank: i32) -> Result<Rank, Error> {
        self.comm.near_rank(rank).map(Rank)
    }

    /// Returns the position of `count` elements of a datatype at a displacement: bytes from the
    /// beginning of the target's memory, or the address in a dynamic window.
    ///
    /// # Errors
    /// `Disp` for a negative displacement, `RmaRange` when the elements leave the target's memory.
    pub fn place(
        &self,
        target: Rank,
        displacement: i64,
        count: i64,
        datatype: &Datatype,
    ) -> Result<usize, Error> {
        let range = |text| Error::new(Class::RmaRange, text);
        let (low, covered) = datatype.span(count).ok_or_else(|| {
            range(format!(
                "{count} elements at {target} cover more than an address space"
            ))
        })?;
        if self.flavor == Flavor::Dynamic {
            return Ok(displacement as usize);
        }
        if displacement < 0 {
            let text = format!("the displacement at {target} is {displacement}");
            return Err(Error::new(Class::Disp, text));
        }
        let extent = self.extent(target.0);
        let begin = i128::from(displacement) * i128::from(extent.unit);
        let low = begin + i128::from(low);
        let high = low + i128::from(covered);
        if covered > 0 && (low < 0 || high > i128::from(extent.size)) {
            let size = extent.size;
            let text = format!("bytes {low} to {high} of the window of {target}, which has {size}");
            return Err(range(text));
        }
        Ok(usize::try_from(begin).unwrap_or(usize::MAX))
    }

    /// Begins an access that the next synchronisation completes. `elements` are those of its place,
    /// which loads and stores need.
    ///
    /// # Errors
    /// When no epoch to the target is open, or it has failed.
    #[inline]
    pub fn access(
        &self,
        target: Rank,
        access: &Access,
        elements: Elements<'_>,
    ) -> Result<(), Error> {
        self.begin(target, access, elements, false).map(drop)
    }

    /// Begins an access that completes a request.
    ///
    /// # Errors
    /// See [`Window::access`].
    pub fn start_access(
        &self,
        target: Rank,
        access: &Access,
        elements: Elements<'_>,
    ) -> Result<Request, Error> {
        self.keep_moving();
        match self.begin(target, access, elements, true)? {
            Some(operation) => Ok(Request::Access(operation)),
            None => Ok(Request::Done(mpi::NO_PARTNER)),
        }
    }

    /// Begins an access by the carrier that `osc::choose` names for it.
    fn begin(
        &self,
        target: Rank,
        access: &Access,
        elements: Elements<'_>,
        held: bool,
    ) -> Result<Option<OpId>, Error> {
        let (id, direct) = (self.id, self.direct());
        let mut awaited = Ranks::new();
        let may = self.with(|osc| {
            let may = osc.may_begin(id, target)?;
            if !may && direct.is_some() {
                awaited = osc.take_awaited_posts(id);
            }
            Ok::<_, osc::Error>(may)
        })?;
        match direct {
            Some(direct) => direct.await_posts(&self.comm, &awaited)?,
            None if may => {}
            None => self.until(|osc, id| osc.may_begin(id, target))?,
        }
        if self.words && access.combined() > 1 {
            let count = access.combined();
            let text = format!(
                "an accumulate of {count} elements at {target}, where `{SINGLE}` says that each \
                 has one"
            );
            return Err(Error::new(Class::Count, text));
        }
        let near = self.nearby().filter(|near| near.place(target.0).is_some());
        let shared = match (direct, near) {
            (Some(_), _) => Shared::Everything,
            (None, Some(_)) => Shared::PutsAndGets,
            (None, None) => Shared::Nothing,
        };
        let lane = self.remote.as_ref().and_then(|remote| remote.lane(target));
        loop {
            let mut core = self.process().engine.enter();
            let begun = core.start((id, target), access, (shared, lane), held);
            drop(core);
            match begun {
                Begun::Begun(operation) => return Ok(operation),
                Begun::InMemory => return self.in_memory(target, access, &elements).map(|()| None),
                Begun::MustFollow(carrier) => {
                    self.until(|osc, id| Ok(osc.may_follow(id, target, carrier)))?;
                }
            }
        }
    }

    /// Does an access by loads and stores.
    fn in_memory(
        &self,
        target: Rank,
        access: &Access,
        elements: &Elements<'_>,
    ) -> Result<(), Error> {
        match (self.direct(), self.nearby()) {
            (Some(direct), _) => direct.access(&self.comm, target, &access.verb, elements),
            (None, Some(near)) => mixed::access(near, target, &access.verb, elements),
            (None, None) => Ok(()),
        }
    }
}
