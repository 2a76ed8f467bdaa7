//! The machine of this process, as far as it decides with whom memory can be shared.

use base::Fnv;

/// Returns a digest of the boot of the machine and of the namespace that process ids are
/// counted in. Processes with different ones cannot attach each other's segments.
pub fn machine() -> u64 {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let bytes = boot
        .bytes()
        .chain(namespace.to_string_lossy().into_owned().into_bytes());
    Fnv::of(bytes)
}
