//! The shared-memory transport.
