//! The parameters that all components over libfabric share.

use mca::Param;

use crate::quirks::SOFTWARE;

pub(crate) const LIBRARY: &str = "opal_common_ofi_library";
pub(crate) const INCLUDE: &str = "opal_common_ofi_provider_include";
pub(crate) const EXCLUDE: &str = "opal_common_ofi_provider_exclude";

/// The parameters that users can set.
pub const PARAMS: &[Param] = &[
    Param::text(
        LIBRARY,
        "",
        3,
        "file of libfabric to load; empty means libfabric.so.1 where the system has it",
    ),
    Param::list(
        INCLUDE,
        "",
        1,
        "libfabric providers to use, by their whole names, layers included (tcp;ofi_rxm); \
         excludes opal_common_ofi_provider_exclude",
    ),
    Param::list(
        EXCLUDE,
        SOFTWARE,
        1,
        "libfabric providers not to use, by their whole names, layers included",
    ),
];
