//! [`Begin`]: a collective call with its arguments.

use coll::{Port, Rules, Running, Signature};
use coll_sm::NodeCall;

/// A collective that can begin; a clone begins another.
pub trait Begin: Clone + Send + Sync + 'static {
    /// Begins it on a port, to be made of messages by algorithms that the rules choose.
    fn begin(self, port: &Port, rules: &Rules) -> Running;

    /// Begins a reduction whose bits are those of shared memory ([`coll::allreduce_in_order`]).
    fn begin_in_order(self, port: &Port, rules: &Rules, _radix: u32) -> Running {
        self.begin(port, rules)
    }

    /// The call, if shared memory could serve it.
    #[inline]
    fn node_call(&self) -> Option<NodeCall<'_>> {
        None
    }

    /// Returns the call signature that all processes must agree on.
    fn signature(&self, rules: &Rules) -> Signature;
}
