//! Matching by tagged messages of libfabric.
