//! The machine of this process, as far as it decides with whom memory can be shared.

/// Returns a digest (FNV-1a) of the boot of the machine and of the namespace that process ids are
/// counted in. Processes with different ones cannot attach each other's segments.
pub fn machine() -> u64 {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let bytes = boot
        .bytes()
        .chain(namespace.to_string_lossy().into_owned().into_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
