//! The conformance suite over shared memory, and what only this transport can get wrong.
