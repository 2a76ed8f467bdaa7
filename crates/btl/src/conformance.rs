//! The conformance suite of the transport contract.
