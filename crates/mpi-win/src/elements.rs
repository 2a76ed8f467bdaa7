//! [`Elements`]: the elements of an access in the memory of a target.

use std::sync::Arc;

use datatype::Datatype;

/// Elements in the memory of a target.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    /// Position of the first element: see [`Window::place`](crate::Window::place).
    pub at: i64,
    /// Number of elements.
    pub count: i64,
    /// The datatype of the elements.
    pub datatype: &'a Arc<Datatype>,
}
