//! [`Representation`]: how the data of a view is stored in the file (MPI 5.0, 14.5).

use crate::Error;

/// How data is stored in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Representation {
    /// As in memory.
    #[default]
    Native,
    /// As the implementation likes, which is as in memory.
    Internal,
    /// As every machine reads it: big-endian, sizes by the standard.
    External32,
}

impl Representation {
    /// Returns the representation that MPI calls `name`.
    ///
    /// # Errors
    /// When nobody registered one of that name.
    pub fn named(name: &str) -> Result<Representation, Error> {
        match name {
            "native" => Ok(Representation::Native),
            "internal" => Ok(Representation::Internal),
            "external32" => Ok(Representation::External32),
            _ => Err(Error::UnknownRepresentation { name: name.into() }),
        }
    }

    /// Returns the name that MPI has for it.
    pub fn name(&self) -> &str {
        match self {
            Representation::Native => "native",
            Representation::Internal => "internal",
            Representation::External32 => "external32",
        }
    }
}
