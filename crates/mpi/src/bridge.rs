//! [`Bridge`]: the connection of two groups' leaders.

use crate::Error;

/// The connection of the roots of two groups.
pub trait Bridge {
    /// Sends bytes to the other root, and returns what that one has sent. Both make equally many
    /// calls. Progress goes on meanwhile.
    ///
    /// # Errors
    /// When the other root is lost, or the time is over.
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error>;

    /// Returns a key that nobody but the two roots has; zeros without one.
    fn key(&self) -> [u8; 32];
}

/// The connection of a root, or the reason that it failed.
pub type Bridged<'a> = Result<&'a mut dyn Bridge, Error>;
