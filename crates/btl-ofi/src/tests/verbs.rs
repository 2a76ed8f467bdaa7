//! The conformance suite over `verbs;ofi_rxm`, which has the requirements of hardware: registered
//! local memory, and 4-byte keys that the provider chooses. It needs a device, so it runs only
//! where `OXMPI_TEST_PROVIDERS` names the provider, as in the virtual machine of `cargo xtask
//! vm-rdma`; a device that is missing there fails it.

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

/// Without these demands the suite would show no more than over the other providers.
#[test]
fn the_device_demands_what_hardware_demands() {
    let Some(fixture) = over_verbs(Mode::Both) else {
        return;
    };
    let transport = fixture.open_one(PeerId(0)).unwrap();
    let info = transport.device();
    assert_eq!(transport.provider(), PROVIDER);
    assert_eq!(info.mr_key_bytes, 4);
    for demand in [
        ofi::mr_mode::LOCAL,
        ofi::mr_mode::VIRT_ADDR,
        ofi::mr_mode::PROV_KEY,
    ] {
        assert!(info.demands(demand), "{demand:#x} of {info:?}");
    }
    assert!(transport.registers_local());
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
