//! The table of known failures on oxmpi, with their reasons, for the command and for
//! `docs/conformance.md`.

/// A test that fails.
pub struct KnownFailure {
    /// A whole name, or its front up to a space: the program, or the program and the ranks.
    pub test: &'static str,
    /// Why, as a sentence.
    pub reason: &'static str,
}

const fn fails(test: &'static str, reason: &'static str) -> KnownFailure {
    KnownFailure { test, reason }
}

const ARRAY_OF_INT: &str =
    "The test keeps its `MPI_Datatype`s in arrays of `int`; in the standard \
    ABI a handle is a pointer.";
const MESSAGE_NULL: &str = "The test compares an `MPI_Message` with `MPI_REQUEST_NULL`, which the \
    standard ABI distinguishes from `MPI_MESSAGE_NULL`.";
const CANCELLED_SEND: &str = "A send whose message the receiver has already, since it was sent \
    without asking, is complete and not taken back, nor is it by MPICH 5 or Open MPI 5; to cancel \
    sends is deprecated since MPI 4.0.";
const OWN_HANDLER: &str =
    "The test sets the error handler of `MPI_COMM_WORLD` and makes its mistake on another \
    object, made before, whose own handler is still `MPI_ERRORS_ARE_FATAL`: that \
    one receives the error (MPI 5.0, 9.3).";
const LENGTHS: &str =
    "The ranks pass different lengths, which MPI forbids; an error at each rank is not \
    promised. One finds it out and goes on to the next call while others still wait in \
    this one.";
const OPERATORS: &str =
    "The ranks pass different operators, which MPI forbids. Some of them find it out, and \
    the test wants each to.";
const NO_LIMIT: &str =
    "The test makes communicators until there are no more and wants an error then; here \
    their number is limited by memory alone.";
const REMOVED: &str = "Not built: the test is of a function that MPI 3.0 removed.";
const SIGNATURE: &str =
    "Three characters are received as four integers, which MPI forbids; types do not \
    travel with messages, and three bytes fit.";

/// Each test that fails.
pub const KNOWN: &[KnownFailure] = &[
    fails("coll/nonblocking2", ARRAY_OF_INT),
    fails("coll/nonblocking3", ARRAY_OF_INT),
    fails(
        "datatype/indexed_misc",
        "The test makes a datatype of one that it has freed: its `pack_and_unpack` frees its \
         argument. A handle that is no longer one is an error (`MPI_ERR_TYPE`).",
    ),
    fails(
        "datatype/pack_external",
        "Not built: the test has a `switch` over datatypes; in the standard ABI a handle is a \
         pointer.",
    ),
    fails("errors/attr/keyvalmis", OWN_HANDLER),
    fails("errors/coll/bcastlength", LENGTHS),
    fails("errors/coll/ibcastlength", LENGTHS),
    fails("errors/coll/allreducelength", LENGTHS),
    fails("errors/coll/iallreducelength", LENGTHS),
    fails("errors/coll/scatterlength", LENGTHS),
    fails("errors/coll/iscatterlength", LENGTHS),
    fails("errors/coll/allgatherlength", LENGTHS),
    fails("errors/coll/iallgatherlength", LENGTHS),
    fails("errors/coll/alltoalllength", LENGTHS),
    fails("errors/coll/reduceop", OPERATORS),
    fails("errors/coll/ireduceop", OPERATORS),
    fails("errors/comm/comm_create_nullarg", OWN_HANDLER),
    fails("errors/comm/comm_create_group_nullarg", OWN_HANDLER),
    fails("errors/comm/comm_split_nullarg", OWN_HANDLER),
    fails("errors/comm/comm_split_type_nullarg", OWN_HANDLER),
    fails("errors/comm/too_many_comms", NO_LIMIT),
    fails("errors/comm/too_many_comms2", NO_LIMIT),
    fails("errors/comm/too_many_comms3", NO_LIMIT),
    fails("errors/comm/too_many_icomms", NO_LIMIT),
    fails("errors/comm/too_many_icomms2", NO_LIMIT),
    fails("errors/datatype/type_extent_nullarg", REMOVED),
    fails("errors/datatype/type_lb_nullarg", REMOVED),
    fails("errors/datatype/type_ub_nullarg", REMOVED),
    fails("errors/pt2pt/truncmsg2", SIGNATURE),
    fails("pt2pt/cancelrecv", CANCELLED_SEND),
    fails("pt2pt/pscancel", CANCELLED_SEND),
    fails("pt2pt/scancel", CANCELLED_SEND),
    fails("pt2pt/scancel_unmatch", CANCELLED_SEND),
    fails("threads/pt2pt/mt_improbe_isendrecv", MESSAGE_NULL),
    fails("threads/pt2pt/mt_improbe_sendrecv", MESSAGE_NULL),
    fails("threads/pt2pt/mt_improbe_sendrecv_huge", MESSAGE_NULL),
    fails(
        "topo/cartsuball",
        "The test expects a communicator without dimensions on one process alone; `MPI_Cart_sub` \
         makes one for each subgrid (MPI 5.0, 8.5.7), and here each process is one.",
    ),
];

/// Each test that fails on this project's library for another interface beside those of [`KNOWN`],
/// by the interface's key.
pub const OF_INTERFACES: &[(&str, &[KnownFailure])] = &[
    (
        "ompi40",
        &[fails(
            "datatype/typename",
            "The test asks for `MPI_INTEGER16`, which Open MPI 4.1's header does not have.",
        )],
    ),
    (
        "mpich12",
        &[
            fails(
                "comm/cmsplit_type 4 .",
                "The test splits by `MPIX_COMM_TYPE_NEIGHBORHOOD`, an extension of MPICH.",
            ),
            fails(
                "init/version",
                "The test wants the version of the header that it was compiled with, 4.0; the \
                 library has what programs of MPICH 5.0 call, and says so.",
            ),
        ],
    ),
];

/// Returns the known failure of a test on the library with this key.
pub fn of(key: &str, name: &str) -> Option<&'static KnownFailure> {
    let own = OF_INTERFACES.iter().filter(|(of, _)| *of == key);
    let own = own.flat_map(|(_, known)| *known);
    own.chain(KNOWN).find(|known| known.is(name))
}

/// Returns what a header or a library lacks that a test could not be built with: a name of MPI that
/// the compiler or the linker does not know.
pub fn lacking(why: &str) -> Option<&str> {
    const MARKS: [&str; 3] = ["undefined reference to", "undeclared", "unknown type name"];
    if !MARKS.iter().any(|mark| why.contains(mark)) {
        return None;
    }
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = why.split(|letter| !is_letter(letter));
    words.find(|word| word.starts_with("MPI_"))
}

impl KnownFailure {
    /// Whether this speaks of the test.
    pub fn is(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.test);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_is_whole_words() {
        let known = fails("attr/attrt 2", "");
        assert!(known.is("attr/attrt 2") && known.is("attr/attrt 2 -x"));
        assert!(!known.is("attr/attrt 22") && !known.is("attr/attrt"));
    }

    #[test]
    fn reasons_are_sentences_and_no_test_has_two() {
        let lists = OF_INTERFACES.iter().map(|(_, known)| *known);
        for known in lists.clone().flatten().chain(KNOWN) {
            assert!(known.reason.ends_with('.'), "{}", known.test);
        }
        for own in lists.chain([&[][..]]) {
            let all = || own.iter().chain(KNOWN);
            for known in all() {
                let of_it = all().filter(|other| other.is(known.test));
                assert_eq!(of_it.count(), 1, "{}", known.test);
            }
        }
    }

    #[test]
    fn the_failures_of_an_interface_are_its_own() {
        assert!(of("mpich12", "init/version 1").is_some());
        assert!(of("ompi40", "init/version 1").is_none());
        assert!(of("oxmpi", "init/version 1").is_none());
        assert!(of("ompi40", "topo/cartsuball 4").is_some());
    }

    #[test]
    fn what_a_header_lacks_is_named() {
        let linker = "not built: a.c:(.text+0x2c): undefined reference to `MPI_Info_create_env'";
        assert_eq!(lacking(linker), Some("MPI_Info_create_env"));
        let compiler =
            "not built: session.c:52:8: error: unknown type name \u{2018}MPI_Session\u{2019}";
        assert_eq!(lacking(compiler), Some("MPI_Session"));
        assert_eq!(
            lacking("not built: error: switch quantity not an integer"),
            None
        );
        assert_eq!(
            lacking("not built: undefined reference to `own_MPI_helper'"),
            None
        );
    }
}
