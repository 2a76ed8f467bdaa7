//! A job on many hosts: `mpirun`, and below it a tree of daemons, one on each other host.
//!
//! A daemon is this same program under another argument, started by the vertex above through a
//! remote shell, whose streams then carry what the two have to say ([`wire`]). Nothing listens on
//! a port, and nothing secret stands on a command line: the job's key and the ranks' environment
//! travel inside ssh.
//!
//! 1. Each vertex starts those below it ([`shape`], [`agent`], [`link`]); each daemon greets,
//!    hears its place and tells of its processors. What is gathered on the way up is in [`relay`].
//! 2. `mpirun` then knows which processors there are, and hands the same [`order`] down to all.
//! 3. What ranks do goes up, where `launch::job` decides; what it decides goes down.
//!
//! A vertex that loses the one above ends its ranks and all below it. Neighbours that have nothing
//! to say say so every second, so that a host which vanished is noticed.
//!
//! [`vertex`] is what `mpirun` and daemons have in common; the crate's `runner` and `daemon` are
//! the two.
//!
//! Output of ranks goes up within a window of bytes for each host and stream. `mpirun` opens the
//! window again as its own reader takes the output, so a slow reader slows the ranks down and fills
//! no memory.

pub mod agent;
mod codec;
pub(crate) mod link;
pub mod order;
pub mod relay;
pub mod shape;
pub(crate) mod vertex;
pub mod wire;
