//! The system calls of userfaultfd(2).

use std::io;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// `UFFD_USER_MODE_ONLY`: what a user may have without privilege.
const USER_MODE_ONLY: libc::c_int = 1;
const API: u64 = 0xaa;
const FEATURE_EVENT_REMAP: u64 = 1 << 2;
const FEATURE_EVENT_REMOVE: u64 = 1 << 3;
const FEATURE_EVENT_UNMAP: u64 = 1 << 6;
const REGISTER_MODE_WP: u64 = 1 << 1;

const EVENT_REMAP: u8 = 0x14;
const EVENT_REMOVE: u8 = 0x15;
const EVENT_UNMAP: u8 = 0x16;

/// Requests of ioctl(2): direction (1 writes, 2 reads), size of the argument, number.
const fn request(direction: u64, bytes: usize, number: u64) -> libc::c_ulong {
    (direction << 30 | (bytes as u64) << 16 | API << 8 | number) as libc::c_ulong
}

const UFFDIO_API: libc::c_ulong = request(3, size_of::<ApiRequest>(), 0x3f);
const UFFDIO_REGISTER: libc::c_ulong = request(3, size_of::<RegisterRequest>(), 0);
const UFFDIO_UNREGISTER: libc::c_ulong = request(2, size_of::<RangeRequest>(), 1);
const UFFDIO_WRITEPROTECT: libc::c_ulong = request(3, size_of::<ProtectRequest>(), 6);

#[repr(C)]
struct ApiRequest {
    api: u64,
    features: u64,
    ioctls: u64,
}

#[repr(C)]
struct RangeRequest {
    start: u64,
    len: u64,
}

#[repr(C)]
struct RegisterRequest {
    range: RangeRequest,
    mode: u64,
    ioctls: u64,
}

#[repr(C)]
struct ProtectRequest {
    range: RangeRequest,
    mode: u64,
}

/// An event as the kernel writes it: 32 bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Message {
    event: u8,
    reserved: [u8; 7],
    words: [u64; 3],
}

const _: () = assert!(size_of::<Message>() == 32 && UFFDIO_REGISTER == 0xc020_aa00);

/// An event of watched memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The memory was unmapped or emptied.
    Released { start: u64, end: u64 },
    /// The memory was moved to another address.
    Moved { start: u64, end: u64, to: u64 },
    /// Something else, which was not asked for.
    Other,
}

/// A userfaultfd whose only use is its events.
#[derive(Debug)]
pub struct Uffd {
    fd: OwnedFd,
}

impl Uffd {
    /// Opens one.
    ///
    /// # Errors
    /// The system's: not built in, not allowed, or without one of the events.
    #[expect(clippy::disallowed_methods, reason = "userfaultfd(2) does not wait")]
    pub fn open() -> io::Result<Uffd> {
        let flags = libc::O_CLOEXEC | libc::O_NONBLOCK | USER_MODE_ONLY;
        // SAFETY: the call takes flags and gives a descriptor.
        let fd = unsafe { libc::syscall(libc::SYS_userfaultfd, flags) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and belongs to nobody else.
        let fd = unsafe { OwnedFd::from_raw_fd(fd as RawFd) };
        let uffd = Uffd { fd };
        let mut api = ApiRequest {
            api: API,
            features: FEATURE_EVENT_REMAP | FEATURE_EVENT_REMOVE | FEATURE_EVENT_UNMAP,
            ioctls: 0,
        };
        uffd.ioctl(UFFDIO_API, &mut api)?;
        Ok(uffd)
    }

    /// Asks for the events of a range. Pages there keep working as before: none is protected,
    /// and no other kind of fault is asked for.
    ///
    /// # Errors
    /// The system's: memory of another kind, or another userfaultfd's.
    pub fn enroll(&self, range: &Range<usize>) -> io::Result<()> {
        let mut register = RegisterRequest {
            range: as_request(range),
            mode: REGISTER_MODE_WP,
            ioctls: 0,
        };
        self.ioctl(UFFDIO_REGISTER, &mut register)
    }

    /// Ends [`Uffd::enroll`] for a range, all of which is memory of a kind that can be enrolled.
    ///
    /// # Errors
    /// The system's.
    pub fn withdraw(&self, range: &Range<usize>) -> io::Result<()> {
        self.ioctl(UFFDIO_UNREGISTER, &mut as_request(range))
    }

    /// Whether the kernel is between a change of watched memory and the reading of its event.
    ///
    /// Every request that changes pages is refused with EAGAIN meanwhile, before anything else
    /// about it is looked at. This one is to unprotect no bytes at all: otherwise it is EINVAL.
    pub fn is_changing(&self) -> bool {
        let mut nothing = ProtectRequest {
            range: as_request(&(0..0)),
            mode: 0,
        };
        let answer = self.ioctl(UFFDIO_WRITEPROTECT, &mut nothing);
        answer.is_err_and(|error| error.raw_os_error() == Some(libc::EAGAIN))
    }

    /// Takes the events that are there. Those who caused them go on. Does not wait.
    pub fn read<'a>(
        &self,
        room: &'a mut [MaybeUninit<Message>],
    ) -> impl Iterator<Item = Event> + 'a {
        let bytes = size_of_val(room);
        // SAFETY: the room is writable for its size.
        let read = unsafe { libc::read(self.fd.as_raw_fd(), room.as_mut_ptr().cast(), bytes) };
        let messages = usize::try_from(read).unwrap_or(0) / size_of::<Message>();
        // SAFETY: the kernel has written that many whole messages, which are plain numbers.
        let event = |message: &MaybeUninit<Message>| unsafe { message.assume_init_ref().event() };
        room.iter().take(messages).map(event)
    }

    fn ioctl<T>(&self, request: libc::c_ulong, argument: &mut T) -> io::Result<()> {
        // SAFETY: each request is used with the structure that it is defined for, whose size it
        // carries, and which lives through the call.
        let answer = unsafe { libc::ioctl(self.fd.as_raw_fd(), request as _, argument) };
        match answer {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl AsRawFd for Uffd {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

impl Message {
    fn event(&self) -> Event {
        let [first, second, third] = self.words;
        match self.event {
            EVENT_REMOVE | EVENT_UNMAP => Event::Released {
                start: first,
                end: second.max(first),
            },
            EVENT_REMAP => Event::Moved {
                start: first,
                end: first.saturating_add(third),
                to: second,
            },
            _ => Event::Other,
        }
    }
}

fn as_request(range: &Range<usize>) -> RangeRequest {
    RangeRequest {
        start: range.start as u64,
        len: range.len() as u64,
    }
}
