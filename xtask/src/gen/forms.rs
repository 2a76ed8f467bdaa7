//! Maps an MPI function to the call that implements it, and to the form of that call.
//!
//! Some acts of MPI have several forms. They differ in how an act is completed, or in one argument
//! that the name of the function implies. The act is written once; the entry points make the
//! forms:
//!
//! | functions                                               | call                             |
//! |---------------------------------------------------------|----------------------------------|
//! | `MPI_Gather`, `MPI_Igather`, `MPI_Gather_init`          | `run`, `start`, `keep` of `gather` |
//! | `MPI_Alltoall`, `MPI_Alltoallv`, `MPI_Alltoallw`        | these of `alltoall`, whose blocks differ in type |
//! | `MPI_Send`, `MPI_Bsend`, `MPI_Ssend`, `MPI_Rsend`       | `send` with a mode               |
//! | `MPI_Isend`, `MPI_Ibsend`, ...                          | `isend` with a mode              |
//! | `MPI_Send_init`, `MPI_Bsend_init`, ...                  | `send_init` with a mode          |
//! | every other                                             | the call of its own name         |

use super::rust;
use super::spec::Function;

/// How an entry point makes a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// By calling it.
    Plain,
    /// By having a function of `calls::coll` do it on a communicator.
    Collective(&'static str),
    /// By calling it with a mode of sending as the first argument.
    Send(&'static str),
}

/// The name of the call behind a function, and its form. The large-count form of a function has
/// `_c` behind the name of the call.
pub fn of(function: &Function) -> (String, Form) {
    let name = rust::snake(&function.name);
    let (base, width) = match name.strip_suffix("_c") {
        Some(base) => (base, "_c"),
        None => (name.as_str(), ""),
    };
    let found = match function.category.as_str() {
        "coll" | "neighbor-coll" => collective(function, base),
        "pt2pt" => send(base),
        _ => None,
    };
    match found {
        Some((act, form)) => (format!("{act}{width}"), form),
        None => (name, Form::Plain),
    }
}

/// The act of a collective on a communicator, and what is done with it.
fn collective(function: &Function, base: &str) -> Option<(String, Form)> {
    let has = |ty: &str| function.params.iter().any(|param| param.ty == ty);
    if !has("MPI_Comm") {
        return None;
    }
    let (act, end) = match (has("MPI_Request*"), has("MPI_Info")) {
        (false, _) => (base, "run"),
        (true, false) => (base.strip_prefix('i')?, "start"),
        (true, true) => (base.strip_suffix("_init")?, "keep"),
    };
    let act = match act.trim_end_matches(['v', 'w']) {
        any_blocks if ANY_BLOCKS.contains(&any_blocks) => any_blocks,
        _ => act,
    };
    Some((act.to_string(), Form::Collective(end)))
}

/// Collectives whose call takes any description of blocks: of one count and type, of a count each
/// (`v`), of a type each (`w`).
const ANY_BLOCKS: [&str; 4] = [
    "allgather",
    "alltoall",
    "neighbor_allgather",
    "neighbor_alltoall",
];

/// The send that a name of the family `send` stands for.
fn send(base: &str) -> Option<(String, Form)> {
    let (prefix, rest) = match base.strip_prefix('i') {
        Some(rest) => ("i", rest),
        None => ("", base),
    };
    let (root, suffix) = match rest.strip_suffix("_init") {
        Some(root) => (root, "_init"),
        None => (rest, ""),
    };
    let mode = match root {
        "send" => "Standard",
        "bsend" => "Buffered",
        "ssend" => "Synchronous",
        "rsend" => "Ready",
        _ => return None,
    };
    Some((format!("{prefix}send{suffix}"), Form::Send(mode)))
}
