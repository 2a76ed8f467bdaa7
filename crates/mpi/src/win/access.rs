//! Operations in windows (MPI 5.0, 12.3).

use std::sync::Arc;

use base::Rank;
use datatype::Datatype;
use osc::{Access, Carrier, OpId, Place, Ranks};

use crate::win::paths::SINGLE;
use crate::win::{mixed, Flavor, Window};
use crate::{Class, Error, Request};

/// Elements in the memory of a target.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    /// Where the first element begins: see [`Window::place`].
    pub at: i64,
    /// How many.
    pub count: i64,
    /// The datatype of the elements.
    pub datatype: &'a Arc<Datatype>,
}

impl Window {
    /// The target that an argument names.
    ///
    /// # Errors
    /// When there is no such rank.
    pub fn target(&self, rank: i32) -> Result<Rank, Error> {
        self.comm.near_rank(rank).map(Rank)
    }

    /// Where `count` elements of a datatype begin that an operation accesses at a displacement:
    /// bytes from the beginning of the target's memory, or the address in a dynamic window.
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
                "{count} elements at {target} cover more than there is"
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

    /// Begins an operation that the next synchronisation completes. `place` makes of the elements
    /// what active messages need.
    ///
    /// # Errors
    /// When no epoch to the target is open, or it has failed.
    #[inline]
    pub fn access(
        &self,
        target: Rank,
        access: Access,
        elements: Elements<'_>,
        place: impl FnOnce() -> Place,
    ) -> Result<(), Error> {
        let Some(direct) = self.direct() else {
            return self.begin(target, access, elements, place, false).map(drop);
        };
        let awaited = self.with(|osc| match osc.may_begin(self.id, target) {
            Ok(true) => Ok(Ranks::new()),
            Ok(false) => Ok(osc.take_awaited_posts(self.id)),
            Err(error) => Err(error),
        })?;
        direct.await_posts(self, &awaited)?;
        direct.access(self, target, access, &elements)
    }

    /// Begins an operation that completes a request.
    ///
    /// # Errors
    /// See [`Window::access`].
    pub fn start_access(
        &self,
        target: Rank,
        access: Access,
        elements: Elements<'_>,
        place: impl FnOnce() -> Place,
    ) -> Result<Request, Error> {
        let done = Ok(Request::Done(crate::NO_PARTNER));
        self.keep_moving();
        if self.direct().is_some() {
            self.access(target, access, elements, place)?;
            return done;
        }
        match self.begin(target, access, elements, place, true)? {
            Some(operation) => Ok(Request::Access(operation)),
            None => done,
        }
    }

    fn begin(
        &self,
        target: Rank,
        access: Access,
        elements: Elements<'_>,
        place: impl FnOnce() -> Place,
        held: bool,
    ) -> Result<Option<OpId>, Error> {
        let id = self.id;
        if !self.with(|osc| osc.may_begin(id, target))? {
            self.until(|osc, id| osc.may_begin(id, target))?;
        }
        if let Some(done) = self.access_nearby(target, &access, &elements) {
            return done.map(|()| None);
        }
        let place = place();
        if self.words && access.combined(&place) > 1 {
            let count = access.combined(&place);
            let text = format!(
                "an accumulate of {count} elements at {target}, where `{SINGLE}` says that each \
                 has one"
            );
            return Err(Error::new(Class::Count, text));
        }
        let way = self.remote.as_ref().and_then(|remote| remote.way(target));
        let mut what = (access, place);
        loop {
            let mut core = self.process().engine.enter();
            let (carrier, access, place) = match core.begin_access(id, target, what, way, held) {
                Ok(begun) => return Ok(begun),
                Err(early) => early,
            };
            drop(core);
            self.until(|osc, id| Ok(osc.may_follow(id, target, carrier)))?;
            what = (access, place);
        }
    }

    /// Does a put or a get by loads and stores, where it can be done so; not while earlier messages
    /// are pending to that target, behind which it goes as another one.
    fn access_nearby(
        &self,
        target: Rank,
        access: &Access,
        elements: &Elements<'_>,
    ) -> Option<Result<(), Error>> {
        let near = self.nearby()?;
        if !mixed::reaches(near, target, access) {
            return None;
        }
        let follows = self.with(|osc| osc.may_follow(self.id, target, Carrier::Memory));
        follows.then(|| mixed::access(near, target, access, elements))?
    }
}
