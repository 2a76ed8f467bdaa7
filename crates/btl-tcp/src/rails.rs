//! The rails of a peer: the paths to it, and the connection on each.
//!
//! One of the rails leads: it carries the numbered frames ([`crate::stream`]), so these come in
//! order. Pieces of replies go over any rail that has room ([`crate::share`]).

use std::time::{Duration, Instant};

use crate::attempt::DialedAttempt;
use crate::connection::Connection;
use crate::health::Health;
use crate::pairing;
use crate::share::Load;

/// The rails of a peer.
pub struct Rails {
    /// Addresses to connect to, best first; empty before the peer was introduced.
    pub paths: Vec<pairing::Rail>,
    /// How many of them, from the first, share the load of large transfers; the others are tried
    /// where those do not serve.
    pub shared: usize,
    /// The rails, by number. Those that this side makes have the number of their path.
    all: Vec<Rail>,
    /// The rail that carries numbered frames.
    pub lead: Option<usize>,
}

/// A path, and its state.
#[derive(Default)]
pub struct Rail {
    /// The state of the rail.
    pub state: RailState,
    /// The number of its next connection. Both sides agree on it, so that an attempt that was
    /// given up is not taken for a new one.
    pub round: u16,
    /// Time of its last try, beside others that are up.
    pub tried_at: Option<Instant>,
}

/// The state of a rail.
#[derive(Default)]
pub enum RailState {
    /// There is no connection.
    #[default]
    Down,
    /// This process connects.
    Dialing(Box<DialedAttempt>),
    /// The peer connects too and has precedence: its connection has been in the making since then.
    Awaiting(Instant),
    /// Connected.
    Up(Box<Connection>),
}

impl Rails {
    /// Creates rails without a connection, for these paths.
    pub fn new(paths: Vec<pairing::Rail>, shared: usize) -> Rails {
        Rails {
            paths,
            shared,
            all: Vec::new(),
            lead: None,
        }
    }

    /// Returns how many rails there are, whatever their state.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns a rail, if it has been used.
    pub fn find(&self, number: usize) -> Option<&Rail> {
        self.all.get(number)
    }

    /// Returns the rail of a number; those up to it are created.
    pub fn at(&mut self, number: usize) -> &mut Rail {
        if self.all.len() <= number {
            self.all.resize_with(number + 1, Rail::default);
        }
        &mut self.all[number]
    }

    /// Returns the connection of a rail, if it is up.
    #[inline]
    pub fn connection(&mut self, number: usize) -> Option<&mut Connection> {
        match self.all.get_mut(number) {
            Some(Rail {
                state: RailState::Up(connection),
                ..
            }) => Some(connection),
            _ => None,
        }
    }

    /// Returns the connections that are up, with their numbers.
    pub fn connections(&self) -> impl Iterator<Item = (usize, &Connection)> {
        let rails = self.all.iter().enumerate();
        rails.filter_map(|(number, rail)| match &rail.state {
            RailState::Up(connection) => Some((number, &**connection)),
            _ => None,
        })
    }

    /// Returns the connections that are up.
    pub fn connections_mut(&mut self) -> impl Iterator<Item = &mut Connection> {
        self.all
            .iter_mut()
            .filter_map(|rail| match &mut rail.state {
                RailState::Up(connection) => Some(&mut **connection),
                _ => None,
            })
    }

    /// Returns the connection that carries numbered frames.
    pub fn leading(&self) -> Option<&Connection> {
        match &self.all.get(self.lead?)?.state {
            RailState::Up(connection) => Some(connection),
            _ => None,
        }
    }

    /// Returns the rail that should lead: the fastest that is up.
    pub fn best_lead(&self) -> Option<usize> {
        let latency = |number: usize| match self.paths.get(number) {
            Some(path) => path.latency_ns,
            None => u32::MAX,
        };
        self.connections()
            .filter(|(_, connection)| !connection.broken)
            .map(|(number, _)| number)
            .min_by_key(|number| (latency(*number), *number))
    }

    /// Ends the connection of a rail, if it is up.
    pub fn take_down(&mut self, number: usize) -> Option<Box<Connection>> {
        let rail = self.all.get_mut(number)?;
        match std::mem::take(&mut rail.state) {
            RailState::Up(connection) => {
                self.lead = self.lead.filter(|lead| *lead != number);
                Some(connection)
            }
            state => {
                rail.state = state;
                None
            }
        }
    }

    /// Takes this process's attempt to connect a rail, if there is one.
    pub fn take_attempt(&mut self, number: usize) -> Option<Box<DialedAttempt>> {
        let rail = self.all.get_mut(number)?;
        match std::mem::take(&mut rail.state) {
            RailState::Dialing(attempt) => Some(attempt),
            state => {
                rail.state = state;
                None
            }
        }
    }

    /// Takes this process's attempt to connect a rail, where its deadline is over.
    pub fn take_overdue(&mut self, number: usize, now: Instant) -> Option<Box<DialedAttempt>> {
        match &self.all.get(number)?.state {
            RailState::Dialing(attempt) if attempt.is_overdue(now) => self.take_attempt(number),
            _ => None,
        }
    }

    /// Drops this process's attempts at paths that are tried only where the others do not serve.
    pub fn drop_needless_attempts(&mut self) {
        for number in self.shared.max(1)..self.all.len() {
            self.take_attempt(number);
        }
    }

    /// Whether a connection is being made.
    pub fn is_being_connected(&self) -> bool {
        let comes =
            |state: &RailState| matches!(state, RailState::Dialing(_) | RailState::Awaiting(_));
        self.all.iter().any(|rail| comes(&rail.state))
    }

    /// Returns the rails whose attempt has a deadline that is over.
    pub fn overdue(&self, now: Instant) -> Vec<usize> {
        let is_late = |rail: &Rail| match &rail.state {
            RailState::Dialing(attempt) => attempt.is_overdue(now),
            _ => false,
        };
        let rails = self.all.iter().enumerate();
        let late = rails.filter(|(_, rail)| is_late(rail));
        late.map(|(number, _)| number).collect()
    }

    /// Gives up attempts that have taken too long, where other rails are up. The listener there
    /// does not speak.
    pub fn stop_dialing(&mut self, now: Instant, patience: Duration) {
        for number in 0..self.all.len() {
            let tried_at = self.all[number].tried_at;
            if tried_at.is_some_and(|at| now > at + patience) {
                self.take_attempt(number);
            }
        }
    }

    /// Stops awaiting connections that the peer has announced for too long.
    pub fn stop_awaiting(&mut self, now: Instant, patience: Duration) {
        for rail in &mut self.all {
            let expired = |since: Instant| now.duration_since(since) > patience;
            if matches!(rail.state, RailState::Awaiting(since) if expired(since)) {
                rail.state = RailState::Down;
            }
        }
    }

    /// Returns the load of each connection that can be written.
    pub fn loads(&self) -> Vec<(usize, Load)> {
        let usable = self.connections().filter(|(_, it)| !it.broken);
        usable
            .map(|(number, connection)| (number, self.load(number, connection)))
            .collect()
    }

    fn load(&self, number: usize, connection: &Connection) -> Load {
        let health = Health::of(&*connection.stream).unwrap_or_default();
        let path = self.paths.get(number);
        let said = path.map_or(1, |path| u64::from(path.bandwidth_mbit.max(1)) * 125_000);
        Load {
            rate: if health.rate > 0 { health.rate } else { said },
            held: health.held_bytes,
        }
    }
}
