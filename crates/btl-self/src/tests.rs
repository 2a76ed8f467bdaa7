//! The conformance suite over the loopback.
