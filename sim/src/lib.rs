//! Seeded scenarios: whole jobs in one thread.
