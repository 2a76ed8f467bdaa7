//! Shared segments.
