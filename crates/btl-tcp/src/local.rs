//! This process's end of all paths: its listening sockets, as peers see them, and its interfaces.

use std::io;
use std::net::TcpListener;

use base::PeerId;
use btl::Error;
use mca::Framework;

use crate::address::{Address, Entry};
use crate::interfaces::{self, Interface};
use crate::listen;
use crate::pairing::{self, Plan};
use crate::params::Settings;
use crate::route::Routes;
use crate::seal::Protection;
use crate::source::Source;
use crate::sys::{Epoll, Watch};

/// The interfaces of this process, and the address that it gives its peers.
pub struct Local {
    address: Address,
    /// The names of the interfaces, by their numbers.
    names: Vec<(u32, String)>,
    /// Interfaces that are listened on as soon as peers may be on other hosts.
    unused: Vec<Interface>,
    /// The kernel's routes to peers.
    routes: Routes,
}

impl Local {
    /// Chooses interfaces, and listens on them. With `one_host`, all peers are on this host.
    ///
    /// # Errors
    /// `Resource` when the parameters leave no interface, or when the system refuses a socket.
    pub fn open(
        settings: &Settings,
        one_host: bool,
        protection: Protection,
        epoll: &Epoll,
    ) -> Result<(Local, Vec<TcpListener>, Vec<Interface>), Error> {
        let mut chosen = choose(settings)?;
        let mut unused = Vec::new();
        if one_host && settings.if_include.is_empty() {
            unused = interfaces::stay_within_host(&mut chosen);
        }
        let mut local = Local {
            address: Address {
                frame_max: settings.max_send_size as u32,
                links: settings.links,
                protection,
                loopback: interfaces::loopback_id(),
                entries: Vec::new(),
            },
            names: Vec::new(),
            unused,
            routes: Routes::new(),
        };
        let listeners = local.listen_on(&chosen, 0, settings, epoll)?;
        Ok((local, listeners, chosen))
    }

    /// Returns the address that peers receive.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Listens on the interfaces that lead to other hosts, too. The listeners are counted from
    /// `first`.
    ///
    /// # Errors
    /// When the system refuses a socket; then a later call tries again.
    pub fn listen_beyond_host(
        &mut self,
        first: usize,
        settings: &Settings,
        epoll: &Epoll,
    ) -> Result<Vec<TcpListener>, Error> {
        let unused = std::mem::take(&mut self.unused);
        let listened = self.listen_on(&unused, first, settings, epoll);
        if listened.is_err() {
            self.unused = unused;
        }
        listened
    }

    /// Listens on the interfaces' addresses, and on no other.
    fn listen_on(
        &mut self,
        interfaces: &[Interface],
        first: usize,
        settings: &Settings,
        epoll: &Epoll,
    ) -> Result<Vec<TcpListener>, Error> {
        let (mut listeners, mut entries) = (Vec::new(), Vec::new());
        for interface in interfaces {
            let (ip, name) = (interface.address, &interface.name);
            let number = Source::Listener(first + listeners.len()).number();
            let listener = listen::listen(ip, settings)
                .and_then(|listener| {
                    epoll.add(&listener, Watch::Read, number)?;
                    Ok((listener.local_addr()?, listener))
                })
                .map_err(|error| refused(interface, &error));
            let (socket, listener) = listener?;
            Framework::Btl.debug(format_args!("listening on {socket} ({name})"));
            listeners.push(listener);
            entries.push(Entry {
                socket,
                prefix: interface.prefix,
                interface: interface.index,
                bandwidth_mbit: interfaces::bandwidth(interface, settings),
                latency_ns: settings.latency_of(name),
            });
        }
        self.address.entries.extend(entries);
        let names = interfaces.iter().map(|it| (it.index, it.name.clone()));
        self.names.extend(names);
        Ok(listeners)
    }

    /// Returns the connections to make with a peer; `lower`: this process has the lower number.
    ///
    /// # Errors
    /// The reason that there is no path.
    pub fn plan(
        &mut self,
        peer: PeerId,
        theirs: &Address,
        lower: bool,
        settings: &Settings,
    ) -> Result<Plan, String> {
        let routes = &mut self.routes;
        let mut plan = pairing::pair(&self.address, theirs, lower, &mut |ours, theirs| {
            routes.ask(ours.socket.ip(), ours.interface, theirs.socket.ip())
        })?;
        for rail in &mut plan.rails {
            let number = rail.local_interface;
            if let Some((_, name)) = self.names.iter().find(|(index, _)| *index == number) {
                settings.rate(rail, name);
            }
            Framework::Btl.debug(format_args!("rail to {peer}: {rail}"));
        }
        for spare in &plan.spares {
            Framework::Btl.debug(format_args!("spare path to {peer}: {spare}"));
        }
        Ok(plan)
    }
}

/// Opens listening sockets for a user's own protocol, by the parameters of this transport: on the
/// interfaces that other hosts may reach, or on the loopback interface where there are no others.
///
/// # Errors
/// `Resource` when the parameters leave no interface, or when the system refuses a socket.
pub fn listeners(settings: &Settings) -> Result<Vec<TcpListener>, Error> {
    let chosen = choose(settings)?;
    let beyond = chosen.iter().any(|interface| !interface.loopback);
    let chosen = chosen
        .iter()
        .filter(|interface| interface.loopback != beyond);
    let listen = |interface: &Interface| {
        let listener = listen::listen(interface.address, settings);
        listener.map_err(|error| refused(interface, &error))
    };
    chosen.map(listen).collect()
}

/// Returns the interfaces that the parameters choose.
fn choose(settings: &Settings) -> Result<Vec<Interface>, Error> {
    let found = interfaces::find().map_err(|error| resource("interfaces", &error))?;
    interfaces::select(found, settings).map_err(|why| Error::Resource {
        what: "interface for TCP".into(),
        why,
    })
}

fn refused(interface: &Interface, error: &io::Error) -> Error {
    let (ip, name) = (interface.address, &interface.name);
    resource(&format!("listening socket on {ip} ({name})"), error)
}

/// Returns the error for a resource that the system refuses.
pub fn resource(what: &str, error: &io::Error) -> Error {
    Error::Resource {
        what: what.into(),
        why: error.to_string(),
    }
}
