//! The job as a state machine, and the loop around it.
#![forbid(unsafe_code)]
