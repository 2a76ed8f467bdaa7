//! Numbers of the lives of a process: in each it initialises MPI once. A number has how often the
//! rank was started again, and counts the initialisations.

/// Position of the number of restarts in the number of a life.
const RESTART_SHIFT: u32 = 32;

/// Returns the number before that of the first life of a rank with this many restarts.
pub fn of_restarts(restarts: u64) -> u64 {
    restarts << RESTART_SHIFT
}

/// Whether the rank of a life was started again.
pub fn is_restarted(life: u64) -> bool {
    life >> RESTART_SHIFT != 0
}

/// Returns a short number of a life that differs from those of the lives before: of its restarts,
/// and of the initialisations of MPI.
pub fn generation_of(life: u64) -> u8 {
    ((life >> RESTART_SHIFT) as u8) << 1 | (life & 1) as u8
}
