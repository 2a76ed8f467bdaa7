//! What is behind the gate.

use base::{AmTag, PeerId};
use bml::{Choice, Considered};
use memory::UserBuf;
use sync::Patience;

use crate::messages::Messages;
use crate::network::Network;
use crate::polls::Polls;
use crate::standby::Summons;
use crate::{address, Error};

/// What an engine is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Processes of the job.
    pub peers: usize,
    /// Which of them this one is, where messages to it need not go by its lane.
    pub own: Option<PeerId>,
    /// Bytes of unmatched messages that one peer may leave at this process.
    pub unexpected_limit: u64,
    /// How long to wait awake.
    pub patience: Patience,
}

/// The point-to-point state, with the lanes or the network that it moves messages over.
pub struct Core {
    /// The messages.
    pub pml: Messages,
    /// Of those who do not wait, but look again and again.
    pub(crate) summons: Summons,
    pub(crate) polls: Polls,
}

impl Core {
    pub(crate) fn address(&self) -> Vec<u8> {
        match &self.pml {
            Messages::Ob1(ob1) => address::of_lanes(&ob1.bml.address()),
            Messages::Cm(Network { cm, .. }) => address::of_network(cm.name(), &cm.address()),
        }
    }

    pub(crate) fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.add_peer(peer, address),
            Messages::Cm(Network { cm, .. }) => {
                let name = cm.name();
                let address = address::network(peer, name, address)?;
                let reach = cm.add_peer(peer, address).map_err(Error::Transport)?;
                let lane = (reach == btl::Reach::Yes).then_some(name);
                let choice = Choice {
                    peer,
                    lane,
                    memory: None,
                    reads: false,
                    through: None,
                    reads_from: 0,
                    considered: vec![Considered {
                        name,
                        reach,
                        facts: None,
                    }],
                };
                match choice.lane {
                    Some(_) => Ok(choice),
                    None => Err(Error::Unreachable(choice)),
                }
            }
        }
    }

    /// Forgets a peer that has left and may come back as another instance. All that it sent is
    /// taken in before.
    pub(crate) fn remove_peer(&mut self, peer: PeerId) {
        self.drain();
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.remove_peer(peer),
            Messages::Cm(network) => network.remove_peer(peer),
        }
    }

    /// Gives up a peer that has died, after all that it sent was taken in. Its lane is closed: what
    /// a transport has accepted for it may never leave otherwise.
    pub(crate) fn lose_peer(&mut self, peer: PeerId, why: &str) {
        self.drain();
        self.peer_failed(peer, why);
        if let Messages::Ob1(ob1) = &mut self.pml {
            ob1.bml.remove_peer(peer);
        }
    }

    /// Takes in everything that has arrived. Transports that skip polls while nothing comes leave
    /// none out when they are armed; a long message may take several polls that report nothing.
    fn drain(&mut self) {
        const IDLE_POLLS: usize = 32;
        drop(self.arm());
        let mut idle = 0;
        while idle < IDLE_POLLS {
            idle = match self.progress_all() {
                0 => idle + 1,
                _ => 0,
            };
        }
        self.disarm();
    }

    /// Says to all peers whether this process does nothing but wait for messages; see
    /// [`btl::Transport::attend`].
    pub(crate) fn attend(&mut self, attends: bool) {
        if let Messages::Ob1(ob1) = &mut self.pml {
            ob1.bml.attend(attends);
        }
    }

    /// Polls the lanes or the network and sends what has become due. Returns the number of
    /// things that came in or were sent.
    #[inline]
    pub fn progress(&mut self) -> usize {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.progress(),
            Messages::Cm(network) => network.progress(),
        }
    }

    /// Whether a look in vain leaves the core by itself to who needs it; see
    /// [`btl::Transport::rest`].
    #[inline]
    pub(crate) fn rests(&self) -> bool {
        match &self.pml {
            Messages::Ob1(ob1) => ob1.bml.rests(),
            Messages::Cm(network) => network.cm.rests(),
        }
    }

    /// The same over all transports, as before a sleep.
    pub(crate) fn progress_all(&mut self) -> usize {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.progress_all(),
            Messages::Cm(network) => network.progress(),
        }
    }

    /// Whether everything sent to the first `peers` peers has left this process.
    pub fn is_flushed(&mut self, peers: u32) -> bool {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.is_flushed(peers),
            Messages::Cm(network) => network.is_flushed(),
        }
    }

    /// Begins to leave, or goes on with it; whether [`Core::close`] will lose nothing of what was
    /// sent. Nothing may be started any more.
    pub fn depart(&mut self) -> bool {
        match &mut self.pml {
            // Transports say farewell as they close.
            Messages::Ob1(_) => true,
            Messages::Cm(network) => network.cm.depart(),
        }
    }

    /// Ends a peer's sleep, by a message that says nothing.
    pub(crate) fn wake(&mut self, peer: PeerId) {
        if let Messages::Ob1(ob1) = &mut self.pml {
            // A lane without room has woken the peer already, and one that is gone wakes nobody.
            let _ = ob1.bml.send(peer, AmTag::WAKE, &[], UserBuf::EMPTY);
        }
    }

    /// Whether messages of this process to a peer go through memory that both share, and a peer
    /// that sleeps can be woken.
    pub fn shares_memory(&self, peer: PeerId) -> bool {
        match &self.pml {
            Messages::Ob1(ob1) => ob1.bml.caps(peer).is_some_and(|caps| caps.name == "sm"),
            Messages::Cm(_) => false,
        }
    }

    /// A peer is gone: everything that needs it fails.
    #[cold]
    pub fn peer_failed(&mut self, peer: PeerId, why: &str) {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.peer_failed(peer, why),
            Messages::Cm(network) => network.peer_failed(peer, why),
        }
    }

    /// The peers that have failed, with what was seen of each.
    pub fn failed(&self) -> &[(PeerId, String)] {
        match &self.pml {
            Messages::Ob1(ob1) => ob1.failed(),
            Messages::Cm(network) => network.cm.failed(),
        }
    }

    /// Whether a peer that has failed had said goodbye.
    pub(crate) fn has_left(&self, peer: PeerId) -> bool {
        match &self.pml {
            Messages::Ob1(ob1) => ob1.has_left(peer),
            Messages::Cm(_) => false,
        }
    }

    /// Says goodbye to all peers and gives back what the transports hold.
    pub fn close(&mut self) {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.close(),
            Messages::Cm(network) => network.cm.close(),
        }
    }

    /// Prepares for sleep: what wakes this process.
    pub(crate) fn arm(&mut self) -> Vec<btl::Waker> {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.bml.arm(),
            Messages::Cm(network) => network
                .cm
                .arm(btl::SleepKind::Descriptors)
                .into_iter()
                .collect(),
        }
    }

    /// The same for a sleep that may be long, where transports without a lane wake as well.
    pub(crate) fn arm_all(&mut self) -> Vec<btl::Waker> {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.bml.arm_all(),
            Messages::Cm(_) => self.arm(),
        }
    }

    /// Ends what `arm` or `arm_all` began.
    pub(crate) fn disarm(&mut self) {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.bml.disarm(),
            Messages::Cm(network) => network.cm.disarm(),
        }
    }

    /// Whether something is to be looked after now and then that wakes nobody.
    pub(crate) fn has_idle(&self) -> bool {
        match &self.pml {
            Messages::Ob1(ob1) => ob1.bml.has_idle(),
            Messages::Cm(_) => false,
        }
    }
}
