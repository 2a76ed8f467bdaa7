//! One progress domain. The only thing that polls.
#![forbid(unsafe_code)]
