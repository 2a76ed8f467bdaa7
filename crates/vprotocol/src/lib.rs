//! The framework `vprotocol`: layers that decorate a point-to-point layer.
//!
//! A component wraps any [`Pml`] and is one itself: it sees every call on the way down and every
//! result on the way up. The driver holds it in place of what it wraps, so a process without one
//! pays nothing. None is used unless `--mca vprotocol NAME` names it; of several names the
//! component with the highest priority is taken.
//!
//! What a component decides about, a program may also learn without the point-to-point layer: which
//! of several complete requests a call returned, or that a test found nothing. Callers pass those
//! results to [`Vprotocol::observe`].
#![forbid(unsafe_code)]

use base::PeerId;
use mca::Param;
use pml::Pml;

/// A call whose result the program may act on, and which depends on timing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Call {
    /// `MPI_Test`, `MPI_Testall`, `MPI_Request_get_status` and their kin.
    Test,
    /// `MPI_Testany` and `MPI_Waitany`.
    Any,
    /// `MPI_Testsome` and `MPI_Waitsome`.
    Some,
    /// `MPI_Probe` and `MPI_Iprobe`.
    Probe,
    /// `MPI_Mprobe` and `MPI_Improbe`.
    MatchedProbe,
    /// `MPI_Test_cancelled` after `MPI_Cancel`.
    Cancel,
}

impl Call {
    /// Every call.
    pub const ALL: [Call; 6] = [
        Call::Test,
        Call::Any,
        Call::Some,
        Call::Probe,
        Call::MatchedProbe,
        Call::Cancel,
    ];

    /// Returns the word for the call in reports.
    pub fn name(self) -> &'static str {
        match self {
            Call::Test => "test",
            Call::Any => "any",
            Call::Some => "some",
            Call::Probe => "probe",
            Call::MatchedProbe => "matched probe",
            Call::Cancel => "cancel",
        }
    }
}

/// The state of a process at a checkpoint, as far as it is not the program's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// The program's name for its state.
    pub tag: u64,
    /// Words of the layers above, for those of the next life.
    pub library: Vec<u64>,
}

/// A layer over a point-to-point layer.
pub trait Vprotocol: Pml {
    /// The layer below.
    type Below: Pml;

    /// Returns the name of the component.
    fn name(&self) -> &'static str;

    /// Returns the layer below.
    fn below(&self) -> &Self::Below;

    /// Returns the layer below, to be used.
    fn below_mut(&mut self) -> &mut Self::Below;

    /// Returns the result that a call has to have, since it had it in an earlier life of this
    /// process: the positions or ranks that [`Vprotocol::observe`] was passed. `None` where the
    /// call is free.
    fn replay(&mut self, call: Call) -> Option<Vec<u32>>;

    /// Takes the result of a call that was free, as the program gets it: the positions of the
    /// requests that were found complete, or the rank whose message a probe found; nothing where
    /// nothing was found.
    fn observe(&mut self, call: Call, found: &[u32]);

    /// Makes a peer known that is the next life of one that died, by its address.
    ///
    /// # Errors
    /// See [`Pml::add_peer`].
    fn restart_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Self::Route, Self::Error>;

    /// Notes a peer that is not there yet: it has died, and its next life is to come.
    fn expect_peer(&mut self, peer: PeerId);

    /// Notes that no peer has known an earlier life of this process: it died before it met them.
    fn begin_anew(&mut self);

    /// Notes that the program makes no further calls. Where its earlier life did, that is a fault.
    fn finalizing(&mut self);

    /// Returns a peer of which this process, the next life of one that died, does not know yet
    /// which messages it has.
    fn awaited(&self) -> Option<PeerId>;

    /// Ends the prologue, which each life of this process runs through. Returns what the earlier
    /// life has saved, where this one goes on from a checkpoint.
    ///
    /// # Errors
    /// When that is not possible here: one clause.
    fn end_prologue(&mut self) -> Result<Option<Saved>, String> {
        Ok(None)
    }

    /// Notes that the program has saved its state: a next life goes on from here.
    ///
    /// # Errors
    /// When that is not possible here: one clause. The checkpoint before counts then.
    fn checkpoint(&mut self, saved: &Saved) -> Result<(), String> {
        _ = saved;
        Ok(())
    }

    /// Returns why this process cannot go on as its earlier life did, where it cannot.
    fn fault(&self) -> Option<String>;

    /// Returns what the component has to say at the end, one line each.
    fn account(&self) -> Vec<String>;
}

/// Parameters of the framework.
pub const PARAMS: &[Param] = &[Param::list(
    "vprotocol",
    "",
    3,
    "Layers over the point-to-point layer to use, `a,b`, the one with the highest priority of \
     those named; nothing: none; known: trace (counts and prints \
     events), pessimist (logs messages, so that a rank that is killed can be started again)",
)];
