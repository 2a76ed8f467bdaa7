//! The measured operations over a plain TCP socket, with as little code as possible, so that the
//! comparison shows the overhead of the transport. A message is four bytes of length and its
//! content.

use std::io::{ErrorKind, IoSlice, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use serde_json::json;

use super::control::Control;
use super::link::{Access, Begun, Link};
use super::Error;

const LENGTH_BYTES: usize = 4;

/// A side over a socket.
pub(crate) struct Sockets {
    stream: TcpStream,
    message_bytes_max: usize,
    outgoing: Vec<u8>,
    /// Bytes of the last message that the kernel has not taken.
    left: Vec<u8>,
    /// Bytes that were read: a part of the next message, or several messages.
    incoming: Vec<u8>,
    have: usize,
    last: Vec<u8>,
    arrived: u64,
}

impl Sockets {
    /// The side that listens.
    pub(crate) fn serve(message_bytes_max: usize, control: &mut Control) -> Result<Sockets, Error> {
        let wrong = |why| Error::setup("a socket", why);
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).map_err(wrong)?;
        let port = listener.local_addr().map_err(wrong)?.port();
        control.send(&json!({ "port": port }))?;
        let (stream, _) = listener.accept().map_err(wrong)?;
        Sockets::over(stream, message_bytes_max)
    }

    /// The side that connects to the other one on `host`.
    pub(crate) fn ask(
        host: &str,
        message_bytes_max: usize,
        control: &mut Control,
    ) -> Result<Sockets, Error> {
        let reply = control.receive(|| ())?;
        let port = reply.get("port").and_then(serde_json::Value::as_u64);
        let Some(port) = port.and_then(|port| u16::try_from(port).ok()) else {
            let how = "peer sent no port".into();
            return Err(Error::OtherSide { how });
        };
        let stream = TcpStream::connect((host, port));
        let stream = stream.map_err(|why| Error::setup(format!("a socket to {host}"), why))?;
        Sockets::over(stream, message_bytes_max)
    }

    fn over(stream: TcpStream, message_bytes_max: usize) -> Result<Sockets, Error> {
        let wrong = |why| Error::setup("a socket", why);
        stream.set_nodelay(true).map_err(wrong)?;
        stream.set_nonblocking(true).map_err(wrong)?;
        Ok(Sockets {
            stream,
            message_bytes_max,
            outgoing: vec![0; message_bytes_max],
            left: Vec::new(),
            incoming: vec![0; (LENGTH_BYTES + message_bytes_max).max(32 << 10)],
            have: 0,
            last: Vec::new(),
            arrived: 0,
        })
    }

    fn flush(&mut self) -> Result<(), Error> {
        while !self.left.is_empty() {
            match (&self.stream).write(&self.left) {
                Ok(sent) => drop(self.left.drain(..sent)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(broke(&error)),
            }
        }
        Ok(())
    }

    #[inline]
    fn post(&mut self, from_last: bool, len: usize) -> Result<bool, Error> {
        self.flush()?;
        if !self.left.is_empty() {
            return Ok(false);
        }
        let content = if from_last {
            &self.last
        } else {
            &self.outgoing
        };
        let content = &content[..len];
        let head = (len as u32).to_le_bytes();
        let parts = [IoSlice::new(&head), IoSlice::new(content)];
        let sent = match (&self.stream).write_vectored(&parts) {
            Ok(sent) => sent,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(broke(&error)),
        };
        if sent < LENGTH_BYTES + len {
            let whole = [&head[..], content].concat();
            self.left.extend_from_slice(&whole[sent..]);
        }
        Ok(true)
    }

    /// Takes the messages that have come whole.
    #[inline]
    fn take(&mut self) -> usize {
        let (mut at, mut count) = (0, 0);
        while let Some(head) = self.incoming[at..self.have].first_chunk::<LENGTH_BYTES>() {
            let len = u32::from_le_bytes(*head) as usize;
            let end = at + LENGTH_BYTES + len;
            if end > self.have {
                break;
            }
            self.last.clear();
            let content = &self.incoming[at + LENGTH_BYTES..end];
            self.last.extend_from_slice(content);
            at = end;
            count += 1;
        }
        self.incoming.copy_within(at..self.have, 0);
        self.have -= at;
        self.arrived += count as u64;
        count
    }
}

fn broke(error: &std::io::Error) -> Error {
    let how = format!("its socket failed: {error}");
    Error::OtherSide { how }
}

impl Link for Sockets {
    fn message_bytes_max(&self) -> usize {
        self.message_bytes_max
    }

    #[inline]
    fn send(&mut self, len: usize) -> Result<bool, Error> {
        self.post(false, len)
    }

    fn begin(&mut self, _: Access) -> Result<Begun, Error> {
        Err(Error::setup("access to memory", "sockets have none"))
    }

    #[inline]
    fn poll(&mut self) -> Result<usize, Error> {
        self.flush()?;
        match (&self.stream).read(&mut self.incoming[self.have..]) {
            Ok(0) => Err(broke(&ErrorKind::UnexpectedEof.into())),
            Ok(got) => {
                self.have += got;
                Ok(self.take())
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            Err(error) => Err(broke(&error)),
        }
    }

    #[inline]
    fn arrived(&self) -> u64 {
        self.arrived
    }

    fn completed(&self) -> u64 {
        0
    }

    fn is_flushed(&mut self) -> Result<bool, Error> {
        self.flush()?;
        Ok(self.left.is_empty())
    }

    fn fill(&mut self, bytes: &[u8]) {
        self.outgoing[..bytes.len()].copy_from_slice(bytes);
    }

    fn received(&self, len: usize) -> Vec<u8> {
        self.last.get(..len).unwrap_or_default().to_vec()
    }

    fn fetched(&self) -> u64 {
        0
    }

    #[inline]
    fn echo(&mut self, len: usize) -> Result<bool, Error> {
        self.post(true, len)
    }

    fn last_len(&self) -> usize {
        self.last.len()
    }
}
