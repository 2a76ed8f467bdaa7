//! One-sided communication through memory that the ranks of a window share.
//!
//! The ranks of a window that are on one node have its memory, and everything that synchronises
//! them, in one segment. So each of them reaches the memory of all others by loads and stores, and
//! none needs another's help: a target may compute meanwhile.
//!
//! ```text
//! put, get             copies, with derived datatypes on both sides
//! accumulate and kin   under the target's accumulate lock, or element by element (below)
//! lock, unlock         a fair lock of the target's, for readers and writers (sync::turnstile)
//! post, start          a count for each pair of ranks
//! complete, wait       a count for each target
//! flush                a barrier of this core: what was done is done
//! ```
//!
//! **Atomicity.** A window has one [`Discipline`] that all its ranks follow, also where a rank
//! executes what others ask it by messages ([`Member::hold_here`]). With [`Discipline::Locked`]
//! every accumulate takes the target's lock for a stretch of a bounded length: one atomic step, and
//! loops as wide as the machine has them. With [`Discipline::Elements`] integers and reals of up to
//! 8 bytes at multiples of their size are combined by the processor's atomic instructions, one by
//! one, which many ranks that hammer at one counter like better; what has no such instruction takes
//! the lock. Both ways depend on an element's type and place alone, so two accesses to one element
//! always agree.
//!
//! **A holder may die** with a lock in its hands. All locks bear names; who waits, and hears of a
//! death, takes the dead one's away ([`Wait::is_dead`]).
//!
//! Offsets and lengths of the application's are checked against the target's memory before a byte
//! is touched. What other ranks write into the segment changes values only: where things lie
//! follows from the [`Plan`], which each rank computes for itself.
//!
//! A [`Member`] is one rank's end. It is made in steps, between which the ranks exchange bytes by
//! messages: all know the plan; [`Candidate::found`] on the node's first rank and
//! [`Candidate::join`] on the others; [`Candidate::card`] from all to all; then
//! [`Candidate::admit`]. In what follows a *place* is a rank's number among those of the node, and
//! a *rank* one of the window's group.
//!
//! | file | what |
//! |---|---|
//! | `layout` | what lies where in a segment |
//! | `meeting` | making and joining a segment |
//! | `member` | a rank's end: memory, put and get, waiting and waking |
//! | `lock` | passive targets |
//! | `active` | post, start, complete, wait |
//! | `accumulate` | the accumulate calls, under either discipline |
//! | `word` | how two elements of at most 8 bytes combine |
#![deny(unsafe_op_in_unsafe_fn)]

mod accumulate;
mod active;
mod error;
mod layout;
mod lock;
mod meeting;
mod member;
mod word;

pub use accumulate::Held;
pub use error::Error;
pub use layout::{Discipline, Plan, Spacing};
pub use lock::Hold;
pub use meeting::{Candidate, CARD_BYTES, OFFER_BYTES};
pub use member::{Died, Member, Wait};
pub use sync::turnstile::Access;
