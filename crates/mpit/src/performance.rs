//! Performance variables: counters of the engine, under the names that tools know from MPICH
//! (`posted_recvq_length` ...) and Open MPI (`pml_monitoring_...`), and our own.

use std::sync::Arc;

use base::{Counters, PeerCounters, PeerId};
use mca::Framework;
use Class::{Counter, Level, Size};
use Source::{Peer, Process};

/// A performance variable.
pub struct Performance {
    /// The name.
    pub name: &'static str,
    /// The framework that it is of.
    pub framework: Framework,
    /// The class of the variable.
    pub class: Class,
    /// Audience, 1 to 9, as that of a parameter.
    pub level: u8,
    source: Source,
    /// Meaning of its value, in one sentence.
    pub help: &'static str,
}

/// How a variable moves (MPI 5.0, 15.3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// How much there is of something now. Always runs, and cannot be written.
    Level,
    /// Grows with each event. A handle counts between its start and its stop.
    Counter,
    /// The size of something; here one that grows, counted as a counter is. Open MPI has its
    /// monitoring variables so.
    Size,
}

enum Source {
    Process(fn(&Counters) -> u64),
    /// An element for each process of a communicator.
    Peer(fn(&Counters, &PeerCounters) -> u64),
}

const fn row(
    (name, framework): (&'static str, Framework),
    (class, level): (Class, u8),
    source: Source,
    help: &'static str,
) -> Performance {
    Performance {
        name,
        framework,
        class,
        level,
        source,
        help,
    }
}

/// All performance variables. Over a network that matches by itself (the point-to-point layer cm)
/// those of sent messages and of lost peers count; the others stay 0.
pub const ALL: &[Performance] = &[
    row(
        ("posted_recvq_length", Framework::Pml),
        (Level, 1),
        Process(|c| {
            let gone = c.receives_matched.get() + c.receives_withdrawn.get();
            c.receives_posted.get().saturating_sub(gone)
        }),
        "Receives that are posted and not matched yet",
    ),
    row(
        ("unexpected_recvq_length", Framework::Pml),
        (Level, 1),
        Process(|c| {
            c.unexpected_added
                .get()
                .saturating_sub(c.unexpected_taken.get())
        }),
        "Messages that have arrived before a receive was posted for them",
    ),
    row(
        ("posted_recvq_match_attempts", Framework::Pml),
        (Counter, 4),
        Process(|c| c.receives_matched.get() + c.unexpected_added.get()),
        "Searches of the posted receives, one for each message that arrived",
    ),
    row(
        ("unexpected_recvq_match_attempts", Framework::Pml),
        (Counter, 4),
        Process(|c| c.unexpected_searches.get()),
        "Searches of the unexpected messages by receives and probes, while there were any",
    ),
    row(
        ("unexpected_recvq_buffer_size", Framework::Pml),
        (Level, 1),
        Process(|c| c.unexpected_bytes.get()),
        "Bytes of unexpected messages that are buffered in this process",
    ),
    row(
        ("pml_monitoring_messages_count", Framework::Pml),
        (Size, 4),
        Peer(|_, peer| peer.messages.get()),
        "Messages sent to each process of a communicator, those of collectives among them",
    ),
    row(
        ("pml_monitoring_messages_size", Framework::Pml),
        (Size, 4),
        Peer(|_, peer| peer.bytes.get()),
        "Bytes sent to each process of a communicator in messages, those of collectives among them",
    ),
    row(
        ("pml_ob1_window_credit", Framework::Pml),
        (Level, 4),
        Peer(|counters, peer| peer.credit(counters.window.get())),
        "Bytes of eager messages that may yet be sent to each process of a communicator before it \
         reports what it has consumed",
    ),
    row(
        ("pml_ob1_sends_pipelined", Framework::Pml),
        (Counter, 4),
        Process(|c| c.sends_pipelined.get()),
        "Long messages that were sent part by part, without being announced",
    ),
    row(
        ("pml_ob1_sends_rendezvous", Framework::Pml),
        (Counter, 4),
        Process(|c| c.sends_rendezvous.get()),
        "Messages that were announced to their receiver first",
    ),
    row(
        ("pml_ob1_receives_read", Framework::Pml),
        (Counter, 4),
        Process(|c| c.receives_read.get()),
        "Announced messages that this process has read from their sender's memory",
    ),
    row(
        ("pml_ob1_receives_fragmented", Framework::Pml),
        (Counter, 4),
        Process(|c| c.receives_fragmented.get()),
        "Announced messages that this process has requested in fragments",
    ),
    row(
        ("engine_waits", Framework::Engine),
        (Counter, 4),
        Process(|c| c.waits.get()),
        "Waits in MPI calls for what was not complete at once",
    ),
    row(
        ("engine_waits_yielded", Framework::Engine),
        (Counter, 4),
        Process(|c| c.waits_yielded.get()),
        "How often waits have yielded their core",
    ),
    row(
        ("engine_waits_slept", Framework::Engine),
        (Counter, 4),
        Process(|c| c.waits_slept.get()),
        "How often waits have slept",
    ),
    row(
        ("pml_peers_failed", Framework::Pml),
        (Counter, 1),
        Process(|c| c.peers_failed.get()),
        "Processes that this one has given up",
    ),
    row(
        ("rcache_hits", Framework::Rcache),
        (Counter, 4),
        Process(|c| c.of_caches(|cache| &cache.hits)),
        "Times that memory was to be registered with a network and was so already",
    ),
    row(
        ("rcache_misses", Framework::Rcache),
        (Counter, 4),
        Process(|c| c.of_caches(|cache| &cache.misses)),
        "Times that memory was registered with a network",
    ),
    row(
        ("rcache_evictions", Framework::Rcache),
        (Counter, 4),
        Process(|c| c.of_caches(|cache| &cache.evictions)),
        "Registrations that were ended since there were too many, or no more were to be had",
    ),
    row(
        ("rcache_invalidations", Framework::Rcache),
        (Counter, 4),
        Process(|c| c.of_caches(|cache| &cache.invalidations)),
        "Registrations that were ended since their memory went back to the system",
    ),
    row(
        ("rcache_registrations", Framework::Rcache),
        (Level, 4),
        Process(|c| c.of_caches(|cache| &cache.registered_count)),
        "Registrations of memory with networks that there are",
    ),
    row(
        ("rcache_pinned_bytes", Framework::Rcache),
        (Level, 1),
        Process(|c| c.of_caches(|cache| &cache.registered_bytes)),
        "Bytes of memory that is registered with networks, and so pinned; what is in two \
         registrations counts twice",
    ),
];

/// Returns the position of the variable of a name and a class.
pub fn find(name: &str, class: Option<Class>) -> Option<usize> {
    ALL.iter()
        .position(|one| one.name == name && Some(one.class) == class)
}

impl Performance {
    /// Returns whether it has an element for each process of a communicator.
    pub fn is_of_peers(&self) -> bool {
        matches!(self.source, Source::Peer(_))
    }

    /// Returns whether it always runs: it is neither started nor stopped, reset nor written.
    pub fn is_continuous(&self) -> bool {
        self.class == Class::Level
    }

    fn now(&self, counters: &Counters, peers: &[PeerId]) -> Vec<u64> {
        match self.source {
            Source::Process(read) => vec![read(counters)],
            Source::Peer(read) => {
                let value = |peer: &PeerId| read(counters, &counters.peer(*peer));
                peers.iter().map(value).collect()
            }
        }
    }
}

/// A tool's handle on a variable: what it has counted, and whether it counts now.
pub struct Reading {
    variable: usize,
    peers: Vec<PeerId>,
    is_started: bool,
    /// Value that was counted before the last start.
    counted: Vec<u64>,
    /// Value of the variable at the last start.
    base: Vec<u64>,
    /// The life with MPI that `base` is of.
    life: Option<Arc<Counters>>,
}

/// The reason that a handle refuses a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The variable always runs.
    NoStartStop,
    /// The variable cannot be written or reset.
    NoWrite,
}

impl Reading {
    /// Returns a handle on a variable, for the processes of a communicator where it is bound to
    /// one. It is stopped, at 0.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn new(variable: usize, peers: Vec<PeerId>) -> Reading {
        let count = match ALL[variable].is_of_peers() {
            true => peers.len(),
            false => 1,
        };
        Reading {
            variable,
            peers,
            is_started: false,
            counted: vec![0; count],
            base: vec![0; count],
            life: None,
        }
    }

    /// Returns the variable.
    pub fn variable(&self) -> &'static Performance {
        &ALL[self.variable]
    }

    /// Returns how many elements a value has.
    pub fn count(&self) -> usize {
        self.counted.len()
    }

    /// Begins to count.
    ///
    /// # Errors
    /// If the variable always runs.
    pub fn start(&mut self, counters: &Arc<Counters>) -> Result<(), Refusal> {
        self.check(Refusal::NoStartStop)?;
        if !self.is_started {
            self.base = self.variable().now(counters, &self.peers);
            self.life = Some(counters.clone());
            self.is_started = true;
        }
        Ok(())
    }

    /// Stops counting; the value stays.
    ///
    /// # Errors
    /// If the variable always runs.
    pub fn stop(&mut self, counters: &Arc<Counters>) -> Result<(), Refusal> {
        self.check(Refusal::NoStartStop)?;
        self.counted = self.read(counters);
        self.is_started = false;
        Ok(())
    }

    /// Returns the value.
    pub fn read(&mut self, counters: &Arc<Counters>) -> Vec<u64> {
        if self.variable().is_continuous() {
            return self.variable().now(counters, &self.peers);
        }
        if !self.is_started {
            return self.counted.clone();
        }
        let is_of = |life: &Arc<Counters>| Arc::ptr_eq(life, counters);
        if let Some(before) = self.life.take_if(|life| !is_of(life)) {
            // A new life counts from 0.
            self.add(&before);
            self.base.fill(0);
            self.life = Some(counters.clone());
        }
        let mut value = self.counted.clone();
        let now = self.variable().now(counters, &self.peers);
        for ((sum, now), base) in value.iter_mut().zip(now).zip(&self.base) {
            *sum += now.saturating_sub(*base);
        }
        value
    }

    /// Sets the value.
    ///
    /// # Errors
    /// If the variable cannot be written.
    pub fn write(&mut self, counters: &Arc<Counters>, value: &[u64]) -> Result<(), Refusal> {
        self.check(Refusal::NoWrite)?;
        self.counted.copy_from_slice(value);
        if self.is_started {
            self.base = self.variable().now(counters, &self.peers);
            self.life = Some(counters.clone());
        }
        Ok(())
    }

    /// Sets the value to 0, and returns what it was.
    ///
    /// # Errors
    /// If the variable cannot be written.
    pub fn reset(&mut self, counters: &Arc<Counters>) -> Result<Vec<u64>, Refusal> {
        self.check(Refusal::NoWrite)?;
        let value = self.read(counters);
        for (base, read) in self
            .base
            .iter_mut()
            .zip(&value)
            .zip(&self.counted)
            .map(|((base, value), counted)| (base, value - counted))
        {
            *base += read;
        }
        self.counted.fill(0);
        Ok(value)
    }

    fn add(&mut self, counters: &Arc<Counters>) {
        let now = self.variable().now(counters, &self.peers);
        for ((sum, now), base) in self.counted.iter_mut().zip(now).zip(&self.base) {
            *sum += now.saturating_sub(*base);
        }
    }

    fn check(&self, refusal: Refusal) -> Result<(), Refusal> {
        match self.variable().is_continuous() {
            true => Err(refusal),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(name: &str, peers: Vec<PeerId>) -> Reading {
        Reading::new(ALL.iter().position(|one| one.name == name).unwrap(), peers)
    }

    #[test]
    fn two_handles_of_one_variable_do_not_see_each_other() {
        let counters = Arc::new(Counters::default());
        let (mut a, mut b) = (
            reading("engine_waits", vec![]),
            reading("engine_waits", vec![]),
        );
        counters.waits.add(5);
        a.start(&counters).unwrap();
        counters.waits.add(2);
        b.start(&counters).unwrap();
        counters.waits.add(1);
        assert_eq!(a.reset(&counters), Ok(vec![3]));
        assert_eq!(b.read(&counters), [1]);
        counters.waits.add(1);
        b.stop(&counters).unwrap();
        counters.waits.add(1);
        assert_eq!((a.read(&counters), b.read(&counters)), (vec![2], vec![2]));
        b.start(&counters).unwrap();
        counters.waits.add(10);
        assert_eq!(b.read(&counters), [12]);
        b.write(&counters, &[100]).unwrap();
        counters.waits.add(1);
        assert_eq!(b.read(&counters), [101]);
    }

    #[test]
    fn a_handle_goes_on_in_the_next_life() {
        let (first, second) = (Arc::new(Counters::default()), Arc::new(Counters::default()));
        let mut handle = reading("engine_waits", vec![]);
        handle.start(&first).unwrap();
        first.waits.add(4);
        second.waits.add(3);
        assert_eq!(handle.read(&second), [7]);
        second.waits.add(1);
        assert_eq!(handle.read(&second), [8]);
    }

    #[test]
    fn what_is_bound_to_a_communicator_has_an_element_for_each_process() {
        let counters = Arc::new(Counters::default());
        let peers = vec![PeerId(2), PeerId(0)];
        let mut bytes = reading("pml_monitoring_messages_size", peers);
        bytes.start(&counters).unwrap();
        counters.peer(PeerId(0)).sent(8);
        counters.peer(PeerId(1)).sent(16);
        assert_eq!(bytes.read(&counters), [0, 8]);
    }

    #[test]
    fn a_level_cannot_be_started_or_reset() {
        let counters = Arc::new(Counters::default());
        let mut level = reading("posted_recvq_length", vec![]);
        assert_eq!(level.start(&counters), Err(Refusal::NoStartStop));
        assert_eq!(level.reset(&counters), Err(Refusal::NoWrite));
        counters.receives_posted.add(2);
        assert_eq!(level.read(&counters), [2]);
        counters.receives_matched.add(1);
        assert_eq!(level.read(&counters), [1]);
    }

    #[test]
    fn names_are_different() {
        for (at, one) in ALL.iter().enumerate() {
            assert_eq!(find(one.name, Some(one.class)), Some(at), "{}", one.name);
        }
    }
}
