//! Errors of the engine.

use std::fmt;

use base::PeerId;
use bml::Choice;

/// Why an engine cannot do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A transport failed.
    Transport(btl::Error),
    /// No transport reaches a peer: the choice says why.
    Unreachable(Choice),
    /// The network that matches messages has no room for processes of other jobs.
    NoForeign,
    /// A peer moves its messages over another point-to-point layer.
    OtherLayer {
        /// The peer.
        peer: PeerId,
        /// The peer's layer: `ob1`, or `cm` with the network's name.
        theirs: String,
        /// The layer of this process.
        ours: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Transport(error) => error.fmt(f),
            Error::Unreachable(choice) => {
                write!(f, "no transport reaches {}", choice.peer)?;
                for considered in &choice.considered {
                    if let btl::Reach::Unreachable(why) = &considered.reach {
                        write!(f, "; {}: {why}", considered.name)?;
                    }
                }
                Ok(())
            }
            Error::NoForeign => f.write_str(
                "processes of other jobs are reached over `--mca pml ob1` alone, this process \
                 runs `cm`",
            ),
            Error::OtherLayer { peer, theirs, ours } => write!(
                f,
                "{peer} sends messages over {theirs}, this process over {ours}: choose one with \
                 `--mca pml`"
            ),
        }
    }
}

impl std::error::Error for Error {}
