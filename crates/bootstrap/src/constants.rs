//! Limits of published values, and the environment variables of the user.

/// Most bytes of a key; every provider accepts this many. Keys are ASCII letters, digits, `.`, `_`
/// and `-`.
pub const KEY_BYTES_MAX: usize = 32;

/// Most bytes of a value; every provider accepts this many.
pub const VALUE_BYTES_MAX: usize = 1 << 20;

/// Environment variable that, set to `1`, makes the process a job of its own, whatever other
/// variables say.
pub const SINGLETON_VARIABLE: &str = "OXMPI_SINGLETON";

/// Environment variable that names the provider to use: `native`, `pmi1`, `pmi2`, `pmix` or
/// `singleton`.
pub const BOOTSTRAP_VARIABLE: &str = "OXMPI_BOOTSTRAP";

/// Environment variable that names the PMIx library to load instead of the system's.
pub(crate) const PMIX_LIBRARY_VARIABLE: &str = "OXMPI_PMIX_LIBRARY";
