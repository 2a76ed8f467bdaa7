//! An open port: its sockets, and the connections that have not proved themselves.

use base::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use bootstrap::Secret;
use mca::Registry;
use rustix::event::PollFlags;

use bootstrap::port::{is_busy, IncomingConnections, PortKey, PortName};

/// Most connections that are accepted between two steps of those that are there.
const ACCEPTS_MAX: usize = 64;

/// The open ports of a process, by name.
#[derive(Default)]
pub(crate) struct Ports(pub(crate) Mutex<HashMap<String, Arc<Port>>>);

impl mpi::Service<mpi::Process> for Ports {
    fn end(&self, _: &mpi::Process) {
        self.0.lock().clear();
    }
}

/// An open port.
pub(crate) struct Port {
    pub(super) name: PortName,
    key: PortKey,
    listeners: Vec<TcpListener>,
    is_closed: AtomicBool,
    incoming: Mutex<IncomingConnections>,
}

impl Port {
    pub(super) fn open(registry: &Registry) -> Result<Port, String> {
        let no_port = |error: &dyn std::fmt::Display| error.to_string();
        let settings = btl_tcp::Settings::of(registry).map_err(|error| no_port(&error))?;
        let listeners = btl_tcp::listeners(&settings);
        let listeners = listeners.map_err(|error| no_port(&error))?;
        let addresses = listeners.iter().map(TcpListener::local_addr);
        let addresses: io::Result<Vec<SocketAddr>> = addresses.collect();
        let Secret(key) = Secret::random().map_err(|error| no_port(&error))?;
        Ok(Port {
            name: PortName {
                addresses: addresses.map_err(|error| no_port(&error))?,
                key,
            },
            key: PortKey::new(&key),
            listeners,
            is_closed: AtomicBool::new(false),
            incoming: Mutex::default(),
        })
    }

    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    pub(super) fn incoming(&self) -> MutexGuard<'_, IncomingConnections> {
        self.incoming.lock()
    }

    /// Returns the descriptors that wake a wait for clients.
    pub(super) fn watched<'a>(
        &'a self,
        incoming: &'a IncomingConnections,
    ) -> Vec<(BorrowedFd<'a>, PollFlags)> {
        let listeners = self.listeners.iter().map(AsFd::as_fd);
        let all = listeners.chain(incoming.watched());
        all.map(|descriptor| (descriptor, PollFlags::IN)).collect()
    }

    /// Accepts what waits at the listeners, and takes each guest a step further. Whether anything
    /// has moved.
    pub(super) fn step(&self, incoming: &mut IncomingConnections) -> bool {
        let mut moved = false;
        for listener in &self.listeners {
            for _ in 0..ACCEPTS_MAX {
                if !incoming.has_room() {
                    break;
                }
                match listener.accept() {
                    // One that is gone already.
                    Ok((stream, _)) => moved |= incoming.admit(stream, &self.key).is_ok(),
                    Err(error) if is_busy(&error) => break,
                    // For want of descriptors, say.
                    Err(_) if incoming.crowd_out(&self.key) => {}
                    Err(_) => break,
                }
            }
        }
        incoming.advance(&self.key) | moved
    }
}
