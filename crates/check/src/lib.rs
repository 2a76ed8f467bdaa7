//! Checks of programs (`mpirun --check`): rules of MPI for programs that the library does not check
//! otherwise, since that costs time or messages.
//!
//! * [`settings`]: which checks the user wants.
//! * [`mark`]: type signatures of messages in 16 bits, as they travel with a message.
//! * [`collective`]: what all ranks of a collective call must agree on.
//! * [`between`]: what the two groups of an inter-communicator must agree on.
//! * [`buffers`]: which bytes operations under way read and write.
//!
//! Values go in, and what is wrong comes out as text. Nothing here communicates, reads a clock or
//! touches the memory of the program.
#![forbid(unsafe_code)]

pub mod between;
pub mod buffers;
pub mod collective;
pub mod mark;
pub mod ranks;
pub mod settings;
