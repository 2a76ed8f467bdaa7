//! Point-to-point messages over a transport that matches by itself.
#![forbid(unsafe_code)]
