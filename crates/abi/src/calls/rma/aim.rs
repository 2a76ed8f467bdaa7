//! The target's side of an access, as the arguments name it.

use abi_state::args::{Datatype, Win};

/// Elements in the window of a target, as the arguments name them.
#[derive(Clone, Copy)]
pub(super) struct Aim {
    pub rank: i32,
    pub displacement: i64,
    pub count: i64,
    pub datatype: Datatype,
    pub win: Win,
}

#[inline(always)]
pub(super) fn aim(rank: i32, displacement: i64, count: i64, datatype: Datatype, win: Win) -> Aim {
    Aim {
        rank,
        displacement,
        count,
        datatype,
        win,
    }
}
