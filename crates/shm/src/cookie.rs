//! Numbers by which processes recognise a segment, or each other's memory.

/// Returns a random number that two processes do not choose by chance. It is no secret, and not 0:
/// a segment or an offer that holds 0 holds no cookie.
pub fn cookie() -> u64 {
    random() | 1
}

fn random() -> u64 {
    let mut bytes = [0u8; 8];
    // SAFETY: the buffer has room for the 8 bytes asked for.
    let got = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if got == bytes.len() as isize {
        return u64::from_ne_bytes(bytes);
    }
    // Denied by a filter of system calls, or not there: the time and the process will do.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64) ^ (u64::from(std::process::id()) << 32)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn cookies_differ_and_none_is_zero() {
        let cookies: HashSet<u64> = (0..1000).map(|_| cookie()).collect();
        assert_eq!(cookies.len(), 1000);
        assert!(!cookies.contains(&0));
        let last_bits: HashSet<u64> = cookies.iter().map(|cookie| cookie & 1).collect();
        assert_eq!(last_bits, HashSet::from([1]));
    }
}
