//! The system calls that the standard library lacks, each behind a safe function.

use std::io;
use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpStream};
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use memory::UserBuf;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::Timespec;
use rustix::io::Errno;
use rustix::net::SendFlags;
use rustix::process::Resource;
use rustix::rand::{getrandom, GetRandomFlags};
use rustix::time::{
    timerfd_create, timerfd_settime, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags,
};

/// Most descriptors that one wait reports.
pub const EVENTS_MAX: usize = 64;

/// Returns how many descriptors this process may have at a time.
pub fn descriptors() -> usize {
    let limit = rustix::process::getrlimit(Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    })
}

/// The readiness for which an epoll set watches a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    /// The descriptor can be read.
    Read,
    /// The descriptor can be written.
    Write,
    /// The descriptor can be read or written.
    Both,
}

/// A set of descriptors that is polled as one.
pub struct Epoll {
    fd: OwnedFd,
}

/// Memory for the result of a poll.
pub type EventBuffer = [MaybeUninit<epoll::Event>; EVENTS_MAX];

/// A descriptor that is ready.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The number under which it was added.
    pub number: u64,
    /// The descriptor can be read.
    pub readable: bool,
    /// The descriptor can be written.
    pub writable: bool,
}

impl Epoll {
    /// Creates an empty set.
    pub fn new() -> io::Result<Epoll> {
        let fd = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Epoll { fd })
    }

    /// Returns another descriptor of this set, which takes a slot in the process's table.
    pub fn duplicate(&self) -> io::Result<OwnedFd> {
        self.fd.try_clone()
    }

    /// Adds a descriptor under a number.
    pub fn add(&self, source: impl AsFd, watch: Watch, number: u64) -> io::Result<()> {
        let data = EventData::new_u64(number);
        Ok(epoll::add(&self.fd, source, data, watch.flags())?)
    }

    /// Changes a descriptor's readiness to watch for, and its number.
    pub fn modify(&self, source: impl AsFd, watch: Watch, number: u64) -> io::Result<()> {
        let data = EventData::new_u64(number);
        Ok(epoll::modify(&self.fd, source, data, watch.flags())?)
    }

    /// Removes a descriptor. Closing is not enough: after a fork the child holds it too.
    pub fn remove(&self, source: impl AsFd) {
        let _ = epoll::delete(&self.fd, source);
    }

    /// Polls the set, without waiting.
    #[inline]
    #[expect(clippy::disallowed_methods, reason = "the time limit is zero")]
    pub fn poll<'a>(&self, room: &'a mut EventBuffer) -> io::Result<&'a [epoll::Event]> {
        const NOW: Timespec = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        match epoll::wait(&self.fd, room, Some(&NOW)) {
            Ok((found, _)) => Ok(found),
            Err(Errno::INTR) => Ok(&[]),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsRawFd for Epoll {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

impl Watch {
    fn flags(self) -> EventFlags {
        match self {
            Watch::Read => EventFlags::IN,
            Watch::Write => EventFlags::OUT,
            Watch::Both => EventFlags::IN | EventFlags::OUT,
        }
    }
}

impl From<&epoll::Event> for Event {
    /// An error or a hang-up is both readable and writable.
    #[inline]
    fn from(event: &epoll::Event) -> Event {
        let (flags, both) = (event.flags, EventFlags::ERR | EventFlags::HUP);
        Event {
            number: event.data.u64(),
            readable: flags.intersects(EventFlags::IN | both),
            writable: flags.intersects(EventFlags::OUT | both),
        }
    }
}

/// A socket that joins an epoll set, and leaves it when it is dropped.
pub struct Watched {
    stream: TcpStream,
    epoll: Arc<Epoll>,
    has_joined: bool,
}

impl Watched {
    /// Takes a socket, which is not watched yet.
    pub fn new(stream: TcpStream, epoll: &Arc<Epoll>) -> Watched {
        Watched {
            stream,
            epoll: epoll.clone(),
            has_joined: false,
        }
    }

    /// Watches for a readiness, under a number.
    pub fn watch(&mut self, watch: Watch, number: u64) -> io::Result<()> {
        if self.has_joined {
            return self.epoll.modify(&self.stream, watch, number);
        }
        self.epoll.add(&self.stream, watch, number)?;
        self.has_joined = true;
        Ok(())
    }
}

impl Deref for Watched {
    type Target = TcpStream;

    #[inline]
    fn deref(&self) -> &TcpStream {
        &self.stream
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.has_joined {
            self.epoll.remove(&self.stream);
        }
    }
}

/// A descriptor that becomes readable at every tick.
pub struct Timer {
    fd: OwnedFd,
    period: Duration,
    runs: bool,
}

impl Timer {
    /// Creates a timer that does not run.
    pub fn new(period: Duration) -> io::Result<Timer> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        let fd = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        Ok(Timer {
            fd,
            period,
            runs: false,
        })
    }

    /// Starts or stops the ticks. Costs a system call only where that is a change.
    #[inline]
    pub fn run(&mut self, runs: bool) {
        if self.runs != runs {
            self.set(runs);
        }
    }

    fn set(&mut self, runs: bool) {
        let period = if runs { self.period } else { Duration::ZERO };
        let span = Timespec {
            tv_sec: period.as_secs() as i64,
            tv_nsec: period.subsec_nanos().into(),
        };
        let spec = Itimerspec {
            it_interval: span,
            it_value: span,
        };
        let _ = timerfd_settime(&self.fd, TimerfdTimerFlags::empty(), &spec);
        self.runs = runs;
    }

    /// Consumes the ticks so far, so that the descriptor is not readable until the next.
    pub fn acknowledge(&self) {
        let _ = rustix::io::read(&self.fd, &mut [0; 8]);
    }
}

impl AsFd for Timer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
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
pub fn send(socket: &impl AsFd, parts: &Parts<'_>) -> io::Result<usize> {
    match parts.len() <= JOINED_MAX {
        true => send_joined(socket, parts),
        false => send_parts(socket, parts),
    }
}

/// Sends short parts as one run, for which the kernel takes a tenth of a microsecond less.
#[inline]
fn send_joined(socket: &impl AsFd, parts: &Parts<'_>) -> io::Result<usize> {
    let mut bytes = [0; JOINED_MAX];
    let len = parts.copy_to(0, &mut bytes);
    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
    Ok(rustix::net::send(socket, &bytes[..len], flags)?)
}

fn send_parts(socket: &impl AsFd, parts: &Parts<'_>) -> io::Result<usize> {
    // SAFETY: all fields of `msghdr` are integers and pointers, for which zero is a value.
    let mut message: libc::msghdr = unsafe { mem::zeroed() };
    message.msg_iov = parts.parts.as_ptr().cast_mut();
    message.msg_iovlen = parts.count as _;
    // SAFETY: the parts are borrowed slices, or memory whose maker promised (`UserBuf::new`)
    // that it is readable until the operation is complete; the kernel reads them only now.
    let sent = unsafe {
        libc::sendmsg(
            socket.as_fd().as_raw_fd(),
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
pub fn receive(socket: &impl AsFd, into: UserBuf, ahead: &mut [u8]) -> io::Result<usize> {
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
    let got = unsafe { libc::readv(socket.as_fd().as_raw_fd(), room.as_ptr(), 2) };
    if got < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(got as usize)
}

/// Returns the kernel's state of a TCP connection: the bytes of its `tcp_info`, and how many.
pub fn tcp_info(socket: &impl AsFd) -> io::Result<([u8; 256], usize)> {
    let mut info = [0u8; 256];
    let mut len = info.len() as libc::socklen_t;
    // SAFETY: the kernel writes at most `len` bytes, which `info` has, and then the length.
    check(unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
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
    // The kernel gives up to 256 bytes in one piece.
    const { assert!(N <= 256) };
    let mut bytes = [0; N];
    rustix::io::retry_on_intr(|| getrandom(&mut bytes, GetRandomFlags::empty()))?;
    Ok(bytes)
}

/// Lets `connect` choose the port of a socket that is bound to an address alone, so that
/// connections to different peers may share one.
pub fn bind_without_port(socket: &impl AsFd) -> io::Result<()> {
    let on: libc::c_int = 1;
    // SAFETY: the option is an int, and `on` outlives the call.
    check(unsafe {
        libc::setsockopt(
            socket.as_fd().as_raw_fd(),
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
    /// An address of the interface.
    pub address: IpAddr,
    /// Bits of the network's part of the address, 0 to 32 or 128.
    pub prefix: u8,
    /// Whether the interface leads only to this machine.
    pub loopback: bool,
    /// Whether the interface has a carrier: a bridge without ports has none.
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
