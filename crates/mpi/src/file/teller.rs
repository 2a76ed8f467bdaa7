//! [`Teller`]: reports how processes access a file together (`--explain`).

use std::sync::{Arc, Mutex};

use ::io::plan::Plan;

use super::disk::{Direction, Disk};
use crate::process::lock;
use crate::Comm;

/// Plans of collective accesses that were reported: for each direction, of those that block and
/// of those that do not.
pub(super) type Told = Mutex<[[String; 2]; 2]>;

/// Reports plans of a file's accesses (`--explain`).
pub(super) struct Teller {
    pub(super) comm: Arc<Comm>,
    pub(super) told: Arc<Told>,
    pub(super) disk: Arc<Disk>,
    pub(super) direction: Direction,
    /// Whether the accesses block.
    pub(super) blocks: bool,
}

impl Teller {
    /// Reports the plan of an access that is over, if it came to one.
    pub(super) fn tell_plan(&self, plan: Option<&Plan>) {
        match plan {
            Some(_) if self.disk.is_atomic() => {
                self.tell(&"each process by itself: atomic mode");
            }
            Some(plan) => self.tell(plan),
            None => {}
        }
    }

    /// Reports how accesses are made, where that differs from the last such ones.
    pub(super) fn tell(&self, plan: &dyn std::fmt::Display) {
        if self.comm.rank() != 0 {
            return;
        }
        let (fs, act) = (self.disk.file.filesystem(), self.direction.act());
        let how = if self.blocks { "" } else { " without blocking" };
        let path = &self.disk.path;
        let text = format!("file `{path}` ({fs}): collective {act}{how}: {plan}");
        let mut told = lock(&self.told);
        let last = &mut told[self.direction as usize][usize::from(self.blocks)];
        if *last != text {
            self.comm.process().explain_file(&text);
            *last = text;
        }
    }
}
