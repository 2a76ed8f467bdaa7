//! MPI datatypes: type maps, resumable pack and unpack, reductions.
//!
//! * [`Datatype`] is a type map (MPI 5.0, chapter 5), made by its constructors or
//!   [`predefined`], and immutable from then on.
//! * Inside it a small program describes where the bytes lie and another one what they are; both
//!   keep repetition as loops, so a datatype takes memory for what is irregular in it only.
//! * [`Buffer`] is (address, count, datatype): the elements of a message. Its maker vouches for
//!   the memory; packing, unpacking and copying are safe from there on.
//! * [`mod@reduce`] applies a predefined [`Op`] to elements of a predefined datatype.

mod array;
mod basic;
mod borrowed;
mod buffer;
mod combiner;
mod construct;
mod copies;
mod datatype;
mod error;
mod external32;
mod generated;
mod kernel;
mod layout;
mod op;
mod overlap;
mod rebuild;
mod reduce;
mod runs;
mod select;
mod signature;
mod type_map;

pub use array::{Dimension, Distribution, Order, DEFAULT_ARGUMENT};
pub use basic::{basic, Basic, Class, Repr, BASICS};
pub use borrowed::Borrowed;
pub use buffer::{copy, Buffer};
pub use combiner::Combiner;
pub use datatype::{predefined, Contents, Datatype};
pub use error::Error;
pub use external32::{external_size, pack_external, unpack_external, unpack_external_some};
pub use generated::constants;
pub use op::Op;
pub use reduce::{allowed, reduce, reduce_into, reduce_with, Combining, Vectors};
pub use select::{match_size, value_index, TypeClass};
