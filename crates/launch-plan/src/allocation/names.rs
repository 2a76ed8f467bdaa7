//! Decides which host names mean this machine.

use std::collections::{BTreeSet, HashSet};
use std::net::IpAddr;

use crate::hosts::same_name;

/// Names and addresses that mean this machine.
pub struct Here<'a> {
    /// This machine's own name.
    pub name: &'a str,
    /// True for a name or address that leads to this machine; may take a while.
    pub leads_here: fn(&str) -> bool,
}

/// How many names are looked up at a time.
const LOOK_UPS: usize = 32;

/// The names that mean this machine, among those of a job.
pub struct OwnNames(pub(super) HashSet<String>);

impl OwnNames {
    /// Finds them among `names`. Names are only looked up when none of them is this machine's for
    /// certain: most lists have one name for each host.
    pub(super) fn among<'n>(names: impl Iterator<Item = &'n str>, here: &Here<'_>) -> OwnNames {
        let names: BTreeSet<&str> = names.collect();
        let is_certain = |name: &str| {
            let is_address = name.parse::<IpAddr>().is_ok();
            is_own_name(name, here.name) || is_address && (here.leads_here)(name)
        };
        let (certain, others): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| is_certain(name));
        if !certain.is_empty() {
            return OwnNames(certain.into_iter().map(String::from).collect());
        }
        let share = others.len().div_ceil(LOOK_UPS).max(1);
        let look_up = |names: &[&str]| -> Vec<String> {
            let own = names.iter().filter(|name| (here.leads_here)(name));
            own.map(|name| name.to_string()).collect()
        };
        let found = std::thread::scope(|scope| {
            let threads = others
                .chunks(share)
                .map(|names| scope.spawn(move || look_up(names)));
            let threads: Vec<_> = threads.collect();
            // A thread that panicked has found nothing.
            let results = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_default());
            results.flatten().collect()
        });
        OwnNames(found)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// True for a name that means the machine called `own` whatever the network says.
pub fn is_own_name(name: &str, own: &str) -> bool {
    matches!(name, "localhost" | "localhost.localdomain" | "::1")
        || name.starts_with("127.") && name.parse::<IpAddr>().is_ok()
        || same_name(name, own)
}
