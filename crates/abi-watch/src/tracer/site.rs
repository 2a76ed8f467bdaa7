//! Sites: functions of MPI, distinguished by the place that they are called from.

use super::memory::Memory;
use super::names::Names;
use trace::layout;

use crate::addresses::Cached;
use crate::call_site::{self, CallSites};
use trace::layout::header;

/// How many sites are left for functions whose places have no room any more.
const SITES_RESERVED: usize = 700;

/// The sites of this process.
#[derive(Default)]
pub(crate) struct Sites {
    callers: CallSites,
    known: Cached<(usize, usize), u16>,
}

impl Sites {
    /// Returns the site of the call under way. `anchor` is as in [`CallSites::caller`].
    #[inline]
    pub(crate) fn of_call(
        &mut self,
        memory: &Memory,
        names: &mut Names,
        name: &'static &'static str,
        anchor: usize,
    ) -> u16 {
        let caller = self.callers.caller(name, anchor);
        self.site(memory, names, name, caller)
    }

    /// Returns the site of a function that is called at a place, or at an unknown one.
    #[inline]
    pub(crate) fn site(
        &mut self,
        memory: &Memory,
        names: &mut Names,
        name: &'static &'static str,
        caller: Option<usize>,
    ) -> u16 {
        let function = std::ptr::from_ref(name).addr();
        match self.known.get((function, caller.unwrap_or(0))) {
            Some(known) => *known,
            None => self.new_site(memory, names, name, caller),
        }
    }

    #[cold]
    fn new_site(
        &mut self,
        memory: &Memory,
        names: &mut Names,
        name: &'static &'static str,
        caller: Option<usize>,
    ) -> u16 {
        let function = std::ptr::from_ref(name).addr();
        let used = memory.header().get(header::SITES) as usize;
        let caller = caller.filter(|_| used + SITES_RESERVED < layout::SITES_MAX);
        let key = (function, caller.unwrap_or(0));
        if let Some(known) = self.known.get(key) {
            return *known;
        }
        // The address is that behind the call, which may be in another line.
        let place = caller.and_then(|caller| call_site::locate(caller - 1));
        let site = names.site(memory, name, place.as_ref());
        self.known.insert(key, site);
        site
    }
}
