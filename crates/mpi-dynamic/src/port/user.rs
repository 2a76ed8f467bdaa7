//! A stream socket of the user's, which is polled without a change of its mode.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::net::{recv, send, sockopt, RecvFlags, SendFlags, SocketType};

/// A connected stream socket that belongs to the user.
pub(crate) struct UserSocket<'a>(BorrowedFd<'a>);

impl<'a> UserSocket<'a> {
    /// Checks that a descriptor is a connected stream socket.
    ///
    /// # Errors
    /// One clause about what it is instead.
    pub(crate) fn new(descriptor: BorrowedFd<'a>) -> Result<UserSocket<'a>, String> {
        match sockopt::socket_type(descriptor) {
            Ok(SocketType::STREAM) => {}
            Ok(_) => return Err("it is a socket of another type than a stream".into()),
            Err(error) => return Err(error.to_string()),
        }
        match rustix::net::getpeername(descriptor) {
            Ok(_) => Ok(UserSocket(descriptor)),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl AsFd for UserSocket<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0
    }
}

impl Read for UserSocket<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let (got, _) = recv(self.0, bytes, RecvFlags::DONTWAIT)?;
        Ok(got)
    }
}

impl Write for UserSocket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        Ok(send(self.0, bytes, flags)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, UdpSocket};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_blocking_socket_is_polled_and_stays_as_it_is() {
        let (here, there) = UnixStream::pair().unwrap();
        let mut socket = UserSocket::new(here.as_fd()).unwrap();
        let mut byte = [0];
        let busy = socket.read(&mut byte).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::WouldBlock);
        (&there).write_all(&[7]).unwrap();
        assert_eq!((socket.read(&mut byte).unwrap(), byte), (1, [7]));
        assert_eq!(socket.write(&[8]).unwrap(), 1);
        drop(there);
        assert_eq!(
            socket.write(&[8]).unwrap_err().kind(),
            io::ErrorKind::BrokenPipe
        );
    }

    #[test]
    fn other_descriptors_are_refused() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
        let file = std::fs::File::open("/dev/null").unwrap();
        for descriptor in [listener.as_fd(), datagrams.as_fd(), file.as_fd()] {
            assert!(UserSocket::new(descriptor).is_err());
        }
    }
}
