//! The suite over `verbs;ofi_rxm`, which demands what hardware demands: registered local memory,
//! and keys of its own of 4 bytes. It needs a device, so it runs only where `OXMPI_TEST_PROVIDERS`
//! names the provider, as in the virtual machine of `cargo xtask vm-rdma`; a device that is missing
//! there fails it.

use super::*;

const PROVIDER: &str = "verbs;ofi_rxm";

/// The fixture, where the provider is demanded.
fn over_verbs(mode: Mode) -> Option<Over> {
    let demanded = std::env::var("OXMPI_TEST_PROVIDERS").unwrap_or_default();
    if !demanded.split(',').any(|provider| provider == PROVIDER) {
        println!("skipped: OXMPI_TEST_PROVIDERS does not name {PROVIDER}");
        return None;
    }
    Some(Over {
        which: Which::System,
        provider: PROVIDER,
        settings: super::mode(mode),
    })
}

macro_rules! over_verbs {
    ($name:ident, $mode:ident) => {
        mod $name {
            use super::*;
            btl::conformance_tests!(match over_verbs(Mode::$mode) {
                Some(fixture) => fixture,
                None => return,
            });
        }
    };
}

over_verbs!(both, Both);
over_verbs!(one_sided, OneSided);
over_verbs!(two_sided, TwoSided);
