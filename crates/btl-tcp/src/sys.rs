//! The system calls that the standard library lacks, each behind a safe function.

use std::io;
use std::marker::PhantomData;
use std::mem;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::Duration;

use memory::UserBuf;

/// Most descriptors that one wait reports.
pub const EVENTS_MAX: usize = 64;

/// Returns how many descriptors this process may have at a time.
pub fn descriptors() -> usize {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is valid for writing; the call cannot fail for a resource that there is.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) };
    usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX)
}

/// The readiness for which an epoll set watches a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    /// It can be read.
    Read,
    /// It can be written.
    Write,
    /// It can be read or written.
    Both,
}

/// A set of descriptors that is waited for as one.
pub struct Epoll {
    fd: OwnedFd,
}

/// The result of a wait: the numbers under which ready descriptors were added.
pub struct Events {
    found: [libc::epoll_event; EVENTS_MAX],
    count: usize,
}

/// A descriptor that is ready.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The number under which it was added.
    pub number: u64,
    /// It can be read.
    pub readable: bool,
    /// It can be written.
    pub writable: bool,
}

impl Epoll {
    /// Returns another descriptor of this set, which takes a slot in the process's table.
    pub fn duplicate(&self) -> io::Result<OwnedFd> {
        self.fd.try_clone()
    }

    /// Creates an empty set.
    pub fn new() -> io::Result<Epoll> {
        // SAFETY: takes no pointer.
        let fd = check(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) })?;
        // SAFETY: the call succeeded, so the descriptor is open and nobody else knows it.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        Ok(Epoll { fd })
    }

    /// Adds a descriptor under a number.
    pub fn add(&self, fd: RawFd, watch: Watch, number: u64) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_ADD, fd, watch, number)
    }

    /// Changes a descriptor's readiness to watch for, and its number.
    pub fn modify(&self, fd: RawFd, watch: Watch, number: u64) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_MOD, fd, watch, number)
    }

    /// Removes a descriptor. Closing is not enough: after a fork the child holds it too.
    pub fn remove(&self, fd: RawFd) {
        let _ = self.control(libc::EPOLL_CTL_DEL, fd, Watch::Read, 0);
    }

    /// Waits until something is ready or the time (whole milliseconds) is over.
    #[inline]
    pub fn wait(&self, events: &mut Events, time: Duration) -> io::Result<()> {
        events.count = 0;
        let millis = time.as_millis().min(i32::MAX as u128) as i32;
        // SAFETY: the array has room for `EVENTS_MAX` events and outlives the call.
        let count = unsafe {
            libc::epoll_wait(
                self.fd.as_raw_fd(),
                events.found.as_mut_ptr(),
                EVENTS_MAX as i32,
                millis,
            )
        };
        match check(count) {
            Ok(count) => events.count = count as usize,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn control(&self, what: i32, fd: RawFd, watch: Watch, number: u64) -> io::Result<()> {
        let events = match watch {
            Watch::Read => libc::EPOLLIN,
            Watch::Write => libc::EPOLLOUT,
            Watch::Both => libc::EPOLLIN | libc::EPOLLOUT,
        };
        let mut event = libc::epoll_event {
            events: events as u32,
            u64: number,
        };
        // SAFETY: `event` is initialised and outlives the call.
        check(unsafe { libc::epoll_ctl(self.fd.as_raw_fd(), what, fd, &mut event) })?;
        Ok(())
    }
}

impl AsRawFd for Epoll {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

impl Events {
    /// Creates room for the result of a wait.
    pub fn new() -> Events {
        Events {
            found: [libc::epoll_event { events: 0, u64: 0 }; EVENTS_MAX],
            count: 0,
        }
    }

    /// Returns how many descriptors are ready.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns one of them. An error or a hang-up is both readable and writable.
    #[inline]
    pub fn get(&self, at: usize) -> Event {
        let libc::epoll_event {
            events,
            u64: number,
        } = self.found[..self.count][at];
        let both = (libc::EPOLLERR | libc::EPOLLHUP) as u32;
        Event {
            number,
            readable: events & (libc::EPOLLIN as u32 | both) != 0,
            writable: events & (libc::EPOLLOUT as u32 | both) != 0,
        }
    }
}

/// A descriptor that becomes readable at every tick.
pub struct Timer {
    fd: OwnedFd,
    runs: bool,
}

impl Timer {
    /// Creates a timer that does not run.
    pub fn new() -> io::Result<Timer> {
        let flags = libc::TFD_CLOEXEC | libc::TFD_NONBLOCK;
        // SAFETY: takes no pointer.
        let fd = check(unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, flags) })?;
        // SAFETY: the call succeeded, so the descriptor is open and nobody else knows it.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        Ok(Timer { fd, runs: false })
    }

    /// Starts or stops the ticks. Costs a system call only where that is a change.
    pub fn run(&mut self, runs: bool, period: Duration) {
        if self.runs == runs {
            return;
        }
        let nanos = if runs {
            i64::from(period.subsec_nanos())
        } else {
            0
        };
        let secs = if runs {
            period.as_secs() as libc::time_t
        } else {
            0
        };
        let span = libc::timespec {
            tv_sec: secs,
            tv_nsec: nanos,
        };
        let spec = libc::itimerspec {
            it_interval: span,
            it_value: span,
        };
        // SAFETY: `spec` is initialised and outlives the call; no old value is asked for.
        unsafe { libc::timerfd_settime(self.fd.as_raw_fd(), 0, &spec, ptr::null_mut()) };
        self.runs = runs;
    }

    /// Consumes the ticks so far, so that the descriptor is not readable until the next.
    pub fn acknowledge(&self) {
        let mut ticks = 0u64;
        // SAFETY: a timer's read writes 8 bytes, and `ticks` has them.
        unsafe { libc::read(self.fd.as_raw_fd(), (&raw mut ticks).cast(), 8) };
    }
}

impl AsRawFd for Timer {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

/// Most runs of memory that one send gathers.
pub const PARTS_MAX: usize = 16;

/// Longest message, in bytes, whose parts are joined before they are sent.
const JOINED_MAX: usize = 256;

/// Runs of memory that are sent as one.
pub struct Parts<'a> {
    parts: [libc::iovec; PARTS_MAX],
    count: usize,
    lent: PhantomData<&'a [u8]>,
}

impl<'a> Parts<'a> {
    /// Creates an empty set.
    #[inline]
    pub fn new() -> Parts<'a> {
        let none = libc::iovec {
            iov_base: ptr::null_mut(),
            iov_len: 0,
        };
        Parts {
            parts: [none; PARTS_MAX],
            count: 0,
            lent: PhantomData,
        }
    }

    /// Adds bytes of our own. Nothing is added when it is full.
    #[inline]
    pub fn add(&mut self, bytes: &'a [u8]) {
        self.add_raw(bytes.as_ptr(), bytes.len());
    }

    /// Adds memory of the application. Nothing is added when it is full.
    #[inline]
    pub fn add_user(&mut self, bytes: UserBuf) {
        self.add_raw(bytes.address(), bytes.len());
    }

    /// Returns the bytes of all the parts.
    pub fn len(&self) -> usize {
        self.parts[..self.count]
            .iter()
            .map(|part| part.iov_len)
            .sum()
    }

    /// Copies the bytes from number `skip` on into `into`, as many as both have; returns how many.
    pub fn copy_to(&self, mut skip: usize, into: &mut [u8]) -> usize {
        let mut copied = 0;
        for part in &self.parts[..self.count] {
            let from = skip.min(part.iov_len);
            skip -= from;
            let len = (part.iov_len - from).min(into.len() - copied);
            let room = into[copied..copied + len].as_mut_ptr();
            // SAFETY: the parts are borrowed slices, or memory whose maker promised
            // (`UserBuf::new`) that it is readable until the operation is complete; `from + len`
            // lies inside the part, and the room is exclusively ours.
            unsafe { ptr::copy(part.iov_base.cast::<u8>().add(from), room, len) };
            copied += len;
        }
        copied
    }

    #[inline]
    fn add_raw(&mut self, address: *const u8, len: usize) {
        if len == 0 || self.count == PARTS_MAX {
            return;
        }
        // `sendmsg` only reads; its structure has no const pointer.
        let iov_base = address.cast_mut().cast();
        self.parts[self.count] = libc::iovec {
            iov_base,
            iov_len: len,
        };
        self.count += 1;
    }
}

/// Sends the parts over a socket; returns how many bytes the kernel accepted. Never raises
/// `SIGPIPE`: the process belongs to the application, which may not ignore that signal.
#[inline]
pub fn send(socket: &impl AsRawFd, parts: &Parts<'_>) -> io::Result<usize> {
    match parts.len() <= JOINED_MAX {
        true => send_joined(socket, parts),
        false => send_parts(socket, parts),
    }
}

/// Sends short parts as one run, for which the kernel takes a tenth of a microsecond less.
#[inline]
fn send_joined(socket: &impl AsRawFd, parts: &Parts<'_>) -> io::Result<usize> {
    const FLAGS: libc::c_int = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    let mut bytes = [0; JOINED_MAX];
    let len = parts.copy_to(0, &mut bytes);
    // SAFETY: the kernel reads `len` bytes of `bytes`, which has that many.
    let sent = unsafe { libc::send(socket.as_raw_fd(), bytes.as_ptr().cast(), len, FLAGS) };
    match usize::try_from(sent) {
        Ok(sent) => Ok(sent),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

fn send_parts(socket: &impl AsRawFd, parts: &Parts<'_>) -> io::Result<usize> {
    // SAFETY: all fields of `msghdr` are integers and pointers, for which zero is a value.
    let mut message: libc::msghdr = unsafe { mem::zeroed() };
    message.msg_iov = parts.parts.as_ptr().cast_mut();
    message.msg_iovlen = parts.count as _;
    // SAFETY: the parts are borrowed slices, or memory whose maker promised (`UserBuf::new`)
    // that it is readable until the operation is complete; the kernel reads them only now.
    let sent = unsafe {
        libc::sendmsg(
            socket.as_raw_fd(),
            &message,
            libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT,
        )
    };
    if sent < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(sent as usize)
}

/// Reads from a socket straight into the application's memory, and the bytes that follow into
/// `ahead`. Returns how many bytes came, 0 only at the end.
#[inline]
pub fn receive(socket: &impl AsRawFd, into: UserBuf, ahead: &mut [u8]) -> io::Result<usize> {
    let room = [
        libc::iovec {
            iov_base: into.address().cast(),
            iov_len: into.len(),
        },
        libc::iovec {
            iov_base: ahead.as_mut_ptr().cast(),
            iov_len: ahead.len(),
        },
    ];
    // SAFETY: `into` is memory whose maker promised (`UserBuf::new`) that it is writable until
    // the operation is complete; `ahead` is exclusively borrowed; the kernel writes only now.
    let got = unsafe { libc::readv(socket.as_raw_fd(), room.as_ptr(), 2) };
    if got < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(got as usize)
}

/// Returns the kernel's state of a TCP connection: the bytes of its `tcp_info`, and how many.
pub fn tcp_info(socket: &impl AsRawFd) -> io::Result<([u8; 256], usize)> {
    let mut info = [0u8; 256];
    let mut len = info.len() as libc::socklen_t;
    // SAFETY: the kernel writes at most `len` bytes, which `info` has, and then the length.
    check(unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            info.as_mut_ptr().cast(),
            &mut len,
        )
    })?;
    Ok((info, len as usize))
}

/// Returns random bytes from the kernel.
pub fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    let mut have = 0;
    while have < N {
        let rest = &mut bytes[have..];
        // SAFETY: the slice is exclusively ours and has `rest.len()` bytes.
        let got = unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) };
        match usize::try_from(got) {
            Ok(got) => have += got,
            Err(_) => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(bytes)
}

/// Lets `connect` choose the port of a socket that is bound to an address alone, so that
/// connections to different peers may share one.
pub fn bind_without_port(socket: &impl AsRawFd) -> io::Result<()> {
    let on: libc::c_int = 1;
    // SAFETY: the option is an int, and `on` outlives the call.
    check(unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_IP,
            libc::IP_BIND_ADDRESS_NO_PORT,
            (&raw const on).cast(),
            mem::size_of_val(&on) as libc::socklen_t,
        )
    })?;
    Ok(())
}

/// An address of an interface that is up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// The interface's name.
    pub name: String,
    /// The kernel's number of it.
    pub index: u32,
    /// One of its addresses.
    pub address: IpAddr,
    /// Bits of the network's part of the address, 0 to 32 or 128.
    pub prefix: u8,
    /// Whether it leads only to this machine.
    pub loopback: bool,
    /// Whether it has a carrier: a bridge that nothing is plugged into has none.
    pub running: bool,
}

/// Returns the addresses of the interfaces that are up, in the kernel's order.
pub fn interfaces() -> io::Result<Vec<Interface>> {
    let mut list: *mut libc::ifaddrs = ptr::null_mut();
    // SAFETY: `list` is a place for one pointer.
    check(unsafe { libc::getifaddrs(&mut list) })?;
    let mut found = Vec::new();
    let mut next = list;
    while !next.is_null() {
        // SAFETY: the list is well-formed and lives until `freeifaddrs` below.
        let entry = unsafe { &*next };
        next = entry.ifa_next;
        let is = |flag: i32| entry.ifa_flags & flag as u32 != 0;
        if !is(libc::IFF_UP) {
            continue;
        }
        // SAFETY: the pointers are those of an entry of the list.
        let (address, mask) = unsafe { (ip(entry.ifa_addr), ip(entry.ifa_netmask)) };
        let Some(address) = address else { continue };
        // SAFETY: every entry names its interface with a terminated string.
        let (name, index) = unsafe {
            let name = std::ffi::CStr::from_ptr(entry.ifa_name);
            (name, libc::if_nametoindex(entry.ifa_name))
        };
        let prefix = match mask {
            Some(IpAddr::V4(mask)) => mask.to_bits().leading_ones(),
            Some(IpAddr::V6(mask)) => mask.to_bits().leading_ones(),
            None if address.is_ipv4() => 32,
            None => 128,
        };
        found.push(Interface {
            name: name.to_string_lossy().into_owned(),
            index,
            address,
            prefix: prefix as u8,
            loopback: is(libc::IFF_LOOPBACK),
            running: is(libc::IFF_RUNNING),
        });
    }
    // SAFETY: made by `getifaddrs` above, and not used any more.
    unsafe { libc::freeifaddrs(list) };
    Ok(found)
}

/// Returns the IP address that a socket address holds, if it does.
///
/// # Safety
/// `address` is null or points to a socket address of its family's size.
unsafe fn ip(address: *const libc::sockaddr) -> Option<IpAddr> {
    // SAFETY: the caller promised that a non-null pointer leads to a socket address.
    let family = unsafe { address.as_ref() }?.sa_family;
    match i32::from(family) {
        libc::AF_INET => {
            // SAFETY: the family says what it is; alignment is not relied upon.
            let address = unsafe { address.cast::<libc::sockaddr_in>().read_unaligned() };
            let bits = u32::from_be(address.sin_addr.s_addr);
            Some(Ipv4Addr::from_bits(bits).into())
        }
        libc::AF_INET6 => {
            // SAFETY: the family says what it is; alignment is not relied upon.
            let address = unsafe { address.cast::<libc::sockaddr_in6>().read_unaligned() };
            Some(Ipv6Addr::from(address.sin6_addr.s6_addr).into())
        }
        _ => None,
    }
}

fn check(result: i32) -> io::Result<i32> {
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(result)
}
