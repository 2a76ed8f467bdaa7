//! The contract of transports that match messages themselves.
