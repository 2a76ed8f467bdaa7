//! Opened transports and a peer's lanes.
#![forbid(unsafe_code)]
