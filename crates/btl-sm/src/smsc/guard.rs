//! Copies from mapped memory of a peer that may die during the copy.
//!
//! When a peer dies, the kernel module unmaps its pages here, and an access to them raises SIGBUS.
//! A check before the copy that the peer is alive only makes that rare. So the copy is a single
//! instruction, and a SIGBUS handler that finds the fault at this instruction ends it early; the
//! rest in its counter register shows that.
//!
//! The handler is installed if xpmem is used and the program has none. It acts on faults of that
//! instruction only; any other SIGBUS has its default effect.

use memory::UserBuf;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod imp {
    use std::ffi::{c_int, c_void};

    std::arch::global_asm!(
        ".pushsection .text.oxmpi_guarded_copy, \"ax\", @progbits",
        ".hidden oxmpi_guarded_copy",
        ".globl oxmpi_guarded_copy",
        ".hidden oxmpi_guarded_copy_at",
        ".globl oxmpi_guarded_copy_at",
        ".hidden oxmpi_guarded_copy_end",
        ".globl oxmpi_guarded_copy_end",
        ".type oxmpi_guarded_copy, @function",
        "oxmpi_guarded_copy:",
        "mov rcx, rdx",
        "oxmpi_guarded_copy_at:",
        "rep movsb",
        "oxmpi_guarded_copy_end:",
        "mov rax, rcx",
        "ret",
        ".popsection",
    );

    extern "C" {
        /// Copies, and returns the number of bytes that it did not get to.
        fn oxmpi_guarded_copy(into: *mut u8, from: *const u8, len: usize) -> usize;
        static oxmpi_guarded_copy_at: u8;
        static oxmpi_guarded_copy_end: u8;
    }

    /// # Safety
    /// The ranges are valid for a copy, but the memory may vanish where the handler is set.
    pub(super) unsafe fn copy(into: *mut u8, from: *const u8, len: usize) -> bool {
        if !std::arch::is_x86_feature_detected!("ermsb") {
            // The instruction is slow here.
            // SAFETY: promised by the caller.
            unsafe { std::ptr::copy(from, into, len) };
            return true;
        }
        // SAFETY: promised by the caller.
        unsafe { oxmpi_guarded_copy(into, from, len) == 0 }
    }

    pub(super) fn set() {
        // SAFETY: plain data, for which zero is a value; the handler is a function of the type
        // that SA_SIGINFO asks for, and it only does what a handler may.
        unsafe {
            let mut found: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGBUS, std::ptr::null(), &mut found) != 0
                || found.sa_sigaction != libc::SIG_DFL
            {
                return;
            }
            let mut ours: libc::sigaction = std::mem::zeroed();
            ours.sa_sigaction = handle as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGBUS, &ours, std::ptr::null_mut());
        }
    }

    extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        let ours = (&raw const oxmpi_guarded_copy_at).addr() as i64;
        // SAFETY: the kernel hands over a description of the signal and the interrupted thread's
        // registers, which are written back on return.
        unsafe {
            let context = context.cast::<libc::ucontext_t>();
            let at = &mut (*context).uc_mcontext.gregs[libc::REG_RIP as usize];
            if *at == ours {
                *at = (&raw const oxmpi_guarded_copy_end).addr() as i64;
                return;
            }
            let mut default: libc::sigaction = std::mem::zeroed();
            default.sa_sigaction = libc::SIG_DFL;
            libc::sigaction(signal, &default, std::ptr::null_mut());
            if (*info).si_code <= 0 {
                // Sent by somebody: no fault will send it again.
                libc::raise(signal);
            }
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
mod imp {
    /// # Safety
    /// The ranges are valid for a copy.
    pub(super) unsafe fn copy(into: *mut u8, from: *const u8, len: usize) -> bool {
        // SAFETY: promised by the caller.
        unsafe { std::ptr::copy(from, into, len) };
        true
    }

    pub(super) fn set() {}
}

/// Lets [`copy`] survive memory that is gone, unless the program handles SIGBUS itself.
pub(super) fn set() {
    imp::set();
}

/// Copies as many bytes as both have; false where it met memory that is not there. The two do not
/// overlap.
pub(super) fn copy(into: &UserBuf, from: &UserBuf) -> bool {
    let len = into.len().min(from.len());
    // SAFETY: both lengths were promised by `UserBuf::new`, but that what is mapped may vanish.
    unsafe { imp::copy(into.address(), from.address(), len) }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::fs::File;
    use std::os::fd::FromRawFd;

    use memory::Scratch;

    use super::*;

    /// Set for the process that the test starts: tests have a handler of their own, which is
    /// taken away there.
    const ROLE: &str = "OXMPI_TEST_GUARDED";

    #[test]
    fn a_copy_survives_the_end_of_its_source() {
        if !std::arch::is_x86_feature_detected!("ermsb") {
            println!("skipped: this processor copies another way");
            return;
        }
        if std::env::var_os(ROLE).is_some() {
            return lose_what_is_copied();
        }
        let name = "smsc::guard::tests::a_copy_survives_the_end_of_its_source";
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        let ended = again.args(["--exact", name]).env(ROLE, "1").output();
        let ended = ended.unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success(), "{}: {said}", ended.status);
    }

    /// Returns a mapped memory file of `len` bytes that may become shorter, and its address.
    fn unsealed(len: usize) -> (File, *mut u8) {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"vanishing".as_ptr(), libc::MFD_CLOEXEC) };
        // SAFETY: the descriptor is new and belongs to nobody else.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(len as u64).unwrap();
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let null = std::ptr::null_mut();
        // SAFETY: a new mapping at an address of the kernel's choice disturbs nothing.
        let address = unsafe { libc::mmap(null, len, access, libc::MAP_SHARED, fd, 0) };
        assert_ne!(address, libc::MAP_FAILED);
        (file, address.cast())
    }

    fn lose_what_is_copied() {
        // SAFETY: as in `set`.
        unsafe {
            let default: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGBUS, &default, std::ptr::null_mut());
        }
        set();
        let page = memory::page_bytes();
        let (file, address) = unsealed(4 * page);
        // SAFETY: the file is mapped until the end; that its pages go is what is tested.
        let there = unsafe { UserBuf::new(address, 4 * page) };
        there.write(0, &vec![7; 4 * page]);
        let here = Scratch::new(3 * page);
        assert!(copy(&here.buf(), &there.from(5)));
        file.set_len(2 * page as u64).unwrap();
        let again = Scratch::new(3 * page);
        assert!(
            !copy(&again.buf(), &there.from(5)),
            "a page and a bit is gone"
        );
        let mut bytes = vec![0; 3 * page];
        again.buf().read(0, &mut bytes);
        assert!(bytes[..2 * page - 5].iter().all(|byte| *byte == 7));
        assert!(bytes[2 * page - 5..].iter().all(|byte| *byte == 0));
        assert!(
            !copy(&there.from(3 * page), &again.buf()),
            "nor is there where to write"
        );
    }
}
