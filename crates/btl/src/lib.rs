//! The transport contract and its conformance suite.
