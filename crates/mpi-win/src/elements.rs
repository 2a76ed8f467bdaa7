//! [`Elements`]: where an access goes.

use std::sync::Arc;

use datatype::Datatype;

/// Elements in the memory of a target.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    /// Where the first element begins: see [`Window::place`](crate::Window::place).
    pub at: i64,
    /// How many.
    pub count: i64,
    /// The datatype of the elements.
    pub datatype: &'a Arc<Datatype>,
}
