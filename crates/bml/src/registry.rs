//! Counts the registrations in use.

use std::collections::HashMap;

use btl::{Registration, RemoteKey};

/// Registrations by transport and key, counted: the same memory may be sent twice at once.
#[derive(Default)]
pub struct Registrations {
    used: HashMap<(usize, Vec<u8>), (usize, Registration)>,
}

impl Registrations {
    /// Records a registration. Returns it when one of the same key is there already, which
    /// suffices.
    pub(crate) fn add(&mut self, lane: usize, registration: Registration) -> Option<Registration> {
        let key = (lane, registration.key.as_bytes().to_vec());
        match self.used.get_mut(&key) {
            Some((count, _)) => {
                *count += 1;
                Some(registration)
            }
            None => {
                self.used.insert(key, (1, registration));
                None
            }
        }
    }

    /// Releases a registration for one user. `None` when there is no such registration; returns the
    /// registration itself when the user was the last.
    pub(crate) fn release(&mut self, lane: usize, key: RemoteKey) -> Option<Option<Registration>> {
        let key = (lane, key.as_bytes().to_vec());
        let (count, _) = self.used.get_mut(&key)?;
        *count -= 1;
        match count {
            0 => Some(self.used.remove(&key).map(|(_, registration)| registration)),
            _ => Some(None),
        }
    }
}
