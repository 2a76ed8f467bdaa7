//! Numbers of the lives of a process: in each it initialises MPI once. A number has how often the
//! rank was started again, and counts the initialisations.

/// Where the number of restarts of a rank stands in the number of a life.
const RESTART_SHIFT: u32 = 32;

/// Returns the number of the life before the first one of a rank that was restarted so often.
pub fn of_restarts(restarts: u64) -> u64 {
    restarts << RESTART_SHIFT
}

/// Whether a life is one of a rank that was started again.
pub fn is_restarted(life: u64) -> bool {
    life >> RESTART_SHIFT != 0
}

/// Returns a short number of a life that differs from those of the lives before: of its restarts,
/// and of the initialisations of MPI.
pub fn generation_of(life: u64) -> u8 {
    ((life >> RESTART_SHIFT) as u8) << 1 | (life & 1) as u8
}
