//! Parameters, component lists and selection.
#![forbid(unsafe_code)]
