//! Calls by the leaders of nodes ([`coll_sm::led`]) in a communicator over several nodes, where the
//! ranks of this node share memory.
//!
//! Whether they do is no matter to other nodes. So the ranks of one node count calls alike, meet,
//! and then hold a segment; a node that cannot share memory, or has one rank, makes all steps of
//! messages.
//!
//! All ranks of a node end a call whose step between nodes fails: the leader gives up the segment.
//! If ranks of a node call differently, its leader notifies the others.

use std::sync::Arc;

use coll::{Nodes, Port, Rules, Running, Signature, Team};
use coll_sm::led::{self, Steps};
use coll_sm::NodeCall;
use shm::sharers::Exchange;

use crate::begin::Begin;
use crate::call::Label;
use crate::numbers::Numbers;
use crate::shared_memory::{is_loss, Carrier, JoinedSegment, Owner, Shared};
use crate::{Error, Group, Process};

/// The memory of the ranks of this node in a communicator over several nodes.
pub(crate) struct NodeMemory {
    nodes: Arc<Nodes>,
    shared: Shared,
}

impl NodeMemory {
    /// Returns the state of a new communicator, whose rules know its nodes; `None` where the ranks
    /// of this node share no memory.
    pub(crate) fn of(process: &Process, group: &Group, rules: &Rules) -> Option<Box<NodeMemory>> {
        let nodes = rules.nodes.as_ref()?;
        let may_share = process.may_share_collectives(&on_node(group, nodes));
        may_share.then(|| {
            Box::new(NodeMemory {
                nodes: Arc::clone(nodes),
                shared: Shared::new(true),
            })
        })
    }

    /// Whether the ranks of this node have come to share memory.
    pub(crate) fn has_memory(&self) -> bool {
        self.shared.has_memory()
    }

    /// Runs a call, if it goes by leaders and memory carries its steps.
    pub(crate) fn run(&self, comm: &impl Owner, begin: &impl Begin) -> Carrier {
        let (rules, size) = (comm.rules(), comm.team().size);
        let node_call = match begin.node_call() {
            Some(node_call) if led::is_led(rules, size, &node_call) => node_call,
            _ => return Carrier::Messages,
        };
        let call = LedCall {
            comm,
            nodes: &self.nodes,
            count: comm.blocking_calls(),
            signature: begin.signature(rules),
        };
        match (self.shared).segment_for(comm, &node_call, || call.share_memory()) {
            Err(carrier) => carrier,
            Ok(mut segment) => {
                comm.count_shared_call(call.signature);
                let segment = &mut segment;
                let result = led::run(&mut LedSteps { call, segment }, &self.nodes, &node_call);
                Carrier::Memory(result)
            }
        }
    }
}

/// Returns the processes of a communicator on this node.
fn on_node(group: &Group, nodes: &Nodes) -> Group {
    let members = nodes.own_members().iter();
    Group::new(members.map(|rank| group.peers()[*rank as usize]).collect())
}

/// A call by leaders.
struct LedCall<'a, C> {
    comm: &'a C,
    nodes: &'a Arc<Nodes>,
    /// Number of earlier blocking calls.
    count: u64,
    signature: Signature,
}

impl<C: Owner> LedCall<'_, C> {
    fn label(&self) -> Label {
        C::blocking_label(self.count, self.signature)
    }

    fn leads(&self, leader: u32) -> bool {
        leader == self.nodes.inside_position()
    }

    #[cold]
    fn share_memory(&self) -> Result<Option<JoinedSegment>, Error> {
        let comm = self.comm;
        let (_, team) = self.nodes.inside(&Port::new());
        let settings = comm.process().collectives.shared;
        let settings = settings.for_short_calls(team.size);
        let here = on_node(comm.group(), self.nodes);
        let joined = comm.join_segment(self, team, &here, settings)?;
        Ok(joined.map(|joined| joined.of_ranks(self.nodes.own_members())))
    }

    /// Runs a collective of the ranks of this node by messages, before their part in this call.
    fn run_inside(&self, begin: impl FnOnce(&Port, &Rules, Team) -> Running) -> Result<(), Error> {
        let label = C::label_before(self.count, self.signature);
        let rules = &self.comm.process().collectives.rules;
        self.comm.run_labelled(label, |port| {
            let (inside, team) = self.nodes.inside(port);
            begin(&inside, rules, team)
        })
    }
}

impl<C: Owner> Exchange for LedCall<'_, C> {
    type Error = Error;

    fn share_first(&self, words: &[u64]) -> Result<Vec<u64>, Error> {
        let numbers = Numbers::of(words);
        self.run_inside(|port, rules, team| coll::bcast(port, rules, team, 0, numbers.buffer()))?;
        Ok(numbers.all())
    }

    fn share_all(&self, words: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
        let (own, ranks) = (Numbers::of(words), self.nodes.own_members().len());
        let all = Numbers::new(words.len() * ranks);
        self.run_inside(|port, rules, team| {
            let blocks = coll::Blocks::even(all.buffer(), team.size);
            coll::allgather(port, rules, team, Some(own.buffer()), blocks)
        })?;
        Ok(all.rows(words.len()))
    }
}

/// The steps of a call, with the segment of this node.
struct LedSteps<'a, C> {
    call: LedCall<'a, C>,
    segment: &'a mut JoinedSegment,
}

impl<C: Owner> Steps for LedSteps<'_, C> {
    type Error = Error;

    fn inside(&mut self, leader: u32, step: &NodeCall) -> Result<(), Error> {
        let call = &self.call;
        let result = (self.segment).step(call.comm, (call.count, call.signature), step);
        if call.leads(leader) && result.as_ref().is_err_and(|error| !is_loss(error)) {
            call.comm.give_up(&call.label(), None);
        }
        result
    }

    fn between(&mut self, leader: u32, begin: impl FnOnce(&Port) -> Running) -> Result<(), Error> {
        let call = &self.call;
        if !call.leads(leader) {
            return Ok(());
        }
        let result = call.comm.run_labelled(call.label(), begin);
        if let Err(error) = &result {
            let segment = &mut *self.segment;
            segment.give_up(call.comm, (call.count, call.signature), error);
        }
        result
    }
}
