//! The paths to the windows of a peer: the components, the parameters that choose among them, and
//! what `--explain` says of the choice.

use base::PeerId;
use engine::{Core, Least};
use mca::{Framework, Registry};

/// The components of the framework `osc`.
pub const TABLE: [(&str, &str); 3] = [
    ("sm", "windows by loads and stores within a node"),
    ("rdma", "puts and gets by transports that can, beside am"),
    ("am", "windows by active messages"),
];
/// Their names.
pub const COMPONENTS: &[&str] = &mca::names(&TABLE);

/// Parameter that says from how many bytes on operations go by lanes.
pub const LEAST: &str = "osc_rdma_min";
/// Parameter that says from how many bytes of each piece on operations of several go by lanes.
pub const PIECE_MIN: &str = "osc_rdma_piece_min";

/// The info key that promises accumulates of one element, which Open MPI knows too.
pub const SINGLE: &str = "acc_single_intrinsic";
/// The parameter that stands in for [`SINGLE`].
pub const SINGLE_ALWAYS: &str = "osc_rdma_acc_single_intrinsic";

/// Returns how this process reaches a peer's windows, and why not by something better: one clause.
/// `is_near` says whether the peer is on this node.
pub fn explain(registry: &Registry, core: &Core, peer: PeerId, is_near: bool) -> String {
    let list = registry.components(Framework::Osc, COMPONENTS);
    let admits = |name| list.as_ref().is_ok_and(|list| list.admits(name));
    let wanted = wanted(registry);
    let lane = match admits("rdma") {
        true => core.window_lane(peer),
        false => Err("`--mca osc` does not admit rdma".into()),
    };
    let far = match lane {
        Ok((name, sooner)) => {
            let most = by_lane(wanted.unwrap_or(sooner));
            let words = match core.changes_words(peer) {
                true => format!(", accumulates of single words too where `{SINGLE}` is promised"),
                false => String::new(),
            };
            let unless = match yields(wanted, sooner) {
                true => " unless the target waits in a call",
                false => "",
            };
            format!("{most} by {name}{unless}{words}, all else by messages")
        }
        Err(why) => format!("by messages ({why})"),
    };
    let what = match admits("sm") && is_near && !crate::checks::checks_accesses(registry) {
        true if core.shares_memory(peer) => "",
        // A process that sleeps in a segment could not be woken.
        true => "puts and gets ",
        false => return far,
    };
    format!("{what}by loads and stores in memory that MPI has allocated; else {far}")
}

/// Returns from how many bytes on the user wants lanes used, where that was said.
pub fn wanted(registry: &Registry) -> Option<Least> {
    let bytes = usize::try_from(registry.int(LEAST)).ok()?;
    Some(Least {
        put: bytes,
        get: bytes,
    })
}

/// Whether a target that waits for messages gets these instead: where they are sooner for some
/// lengths, and the user has not said otherwise.
pub fn yields(wanted: Option<Least>, sooner: Least) -> bool {
    wanted.is_none() && sooner.put > 0
}

/// Names the accesses that a path serves.
fn by_lane(least: Least) -> String {
    let Least { put, get } = least;
    match (put, get) {
        (0, 0) => "puts and gets".into(),
        (0, _) => format!("puts, and gets of {get} bytes and more,"),
        _ if put == get => format!("puts and gets of {put} bytes and more"),
        _ => format!("puts of {put} bytes and more, and gets of {get} and more,"),
    }
}
