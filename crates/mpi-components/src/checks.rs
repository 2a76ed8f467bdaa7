//! Checks of programs that windows ask for.

use check::settings::{Settings, NAME};
use mca::Registry;

/// Whether accesses to windows are checked.
pub fn checks_accesses(registry: &Registry) -> bool {
    let words = registry.list(NAME).iter().map(String::as_str);
    registry.bool("osc_check") || Settings::parse(words).is_ok_and(|settings| settings.rma)
}
