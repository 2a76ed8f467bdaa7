//! [`World`]: the expected state of a job, which its ranks are compared with.

use base::PeerId;
use btl_sim::Net;
use pml::Tag;

use crate::oracle::Board;
use crate::scenario::{Fault, Scenario, COMMS, RANKS};

/// A message that was sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) tag: Tag,
    pub(crate) len: u64,
    /// Seed of its bytes.
    pub(crate) id: u64,
}

/// Expected state that all ranks are compared with.
pub(crate) struct World {
    pub(crate) scenario: Scenario,
    pub(crate) round: u64,
    /// By process and communicator.
    pub(crate) boards: Vec<[Board; COMMS]>,
    pub(crate) messages_made: u64,
    pub(crate) spare: Vec<u8>,
    /// By communicator, sending process and receiving rank: the messages in order.
    sent: Vec<Vec<Record>>,
    /// By communicator, source and destination as ranks: messages that will be sent in all.
    expected: Vec<usize>,
    /// By communicator and process: its rank.
    ranks: [[Option<usize>; RANKS]; COMMS],
    faulty: bool,
}

impl World {
    pub(crate) fn new(scenario: Scenario) -> World {
        let mut ranks = [[None; RANKS]; COMMS];
        for (comm, members) in scenario.members.iter().enumerate() {
            for (rank, process) in members.iter().enumerate() {
                ranks[comm][*process] = Some(rank);
            }
        }
        let mut expected = vec![0; COMMS * RANKS * RANKS];
        for (process, sends) in scenario.sends.iter().enumerate() {
            for send in sends {
                let source = ranks[send.comm][process].expect("a member");
                expected[(send.comm * RANKS + source) * RANKS + send.to] += 1;
            }
        }
        let boards = |_| [Board::new(RANKS), Board::new(RANKS)];
        World {
            round: 0,
            boards: (0..RANKS).map(boards).collect(),
            messages_made: 0,
            spare: Vec::new(),
            sent: vec![Vec::new(); COMMS * RANKS * RANKS],
            expected,
            ranks,
            faulty: false,
            scenario,
        }
    }

    /// The messages from a process to a rank of a communicator.
    pub(crate) fn records(&mut self, comm: usize, from: usize, to: usize) -> &mut Vec<Record> {
        &mut self.sent[(comm * RANKS + from) * RANKS + to]
    }

    /// How many messages will be sent from one rank to another.
    pub(crate) fn expected(&self, comm: usize, source: usize, to: usize) -> usize {
        self.expected[(comm * RANKS + source) * RANKS + to]
    }

    pub(crate) fn rank_of(&self, comm: usize, process: usize) -> Option<usize> {
        self.ranks[comm][process]
    }

    /// Whether a process can have lost a peer.
    pub(crate) fn is_lost(&self, process: usize, peer: usize) -> bool {
        self.faulty
            && match self.scenario.fault {
                Fault::None => false,
                Fault::Death { rank, .. } => rank == peer && rank != process,
                Fault::Cut { a, b, .. } => (a, b) == (process, peer) || (b, a) == (process, peer),
            }
    }

    pub(crate) fn is_alive(&self, process: usize) -> bool {
        let dead = matches!(self.scenario.fault, Fault::Death { rank, .. } if rank == process);
        !(self.faulty && dead)
    }

    /// Whether the scenario's fault, if it has one, has happened.
    pub(crate) fn struck(&self) -> bool {
        self.faulty || self.scenario.fault == Fault::None
    }

    /// Injects the scenario's fault if its round has come.
    pub(crate) fn strike(&mut self, net: &Net) {
        match self.scenario.fault {
            Fault::Death { rank, round } if round == self.round => {
                net.kill(PeerId(rank as u32));
                self.faulty = true;
            }
            Fault::Cut { a, b, round } if round == self.round => {
                net.cut(PeerId(a as u32), PeerId(b as u32));
                self.faulty = true;
            }
            _ => {}
        }
    }
}
