//! Collective calls: what all ranks of a communicator must agree on (MPI 5.0, 6.1).
//!
//! The ranks exchange a [`Record`] of what they are about to call, and each finds the same
//! [`Difference`], if any. The rank that the difference names reports it. Where ranks pass a count
//! for each other rank, a receiver announces to each sender what it receives
//! ([`Elements::announce`]), and the sender compares.

use crate::mark::Mark;
use crate::ranks;

/// A call that a rank is about to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The function.
    pub function: Function,
    /// The root, or [`Record::HERE`] or [`Record::ELSEWHERE`]; [`Record::NONE`] for functions that
    /// have none.
    pub root: i32,
    /// Handle of the operation of a reduction: one of MPI's, [`Record::OWN_OP`], or 0 for none.
    pub op: u32,
    /// How many calls the rank had begun on the communicator, those that block and the others.
    pub begun: [u64; 2],
    /// Hash of the counts that all ranks have to pass alike; 0 where there are none.
    pub counts: u64,
    /// The elements that the rank sends.
    pub sent: Elements,
    /// The elements that the rank receives.
    pub received: Elements,
}

/// The elements that a rank passes for one side of a call.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Elements {
    /// Their mark.
    pub mark: u16,
    /// Whether the rank passes `MPI_IN_PLACE` instead.
    pub in_place: bool,
    /// Their packed bytes.
    pub bytes: u64,
}

impl Elements {
    fn head(&self) -> u64 {
        u64::from(self.mark) | u64::from(self.in_place) << 16
    }

    fn of(head: u64, bytes: u64) -> Elements {
        Elements {
            mark: head as u16,
            in_place: head >> 16 & 1 == 1,
            bytes,
        }
    }

    /// Returns the machine words that announce to a sender what this rank receives from it.
    pub fn announce(receives: Option<Elements>) -> [u64; 2] {
        receives.map_or([0; 2], |elements| {
            [elements.head() | RECEIVES, elements.bytes]
        })
    }

    /// Returns the elements that a receiver has announced; `None` where it receives nothing by this
    /// call.
    pub fn announced(words: &[u64]) -> Option<Elements> {
        match *words {
            [head, bytes] if head & RECEIVES != 0 => Some(Elements::of(head, bytes)),
            _ => None,
        }
    }
}

/// Bit of the first word: the rank receives elements.
const RECEIVES: u64 = 1 << 32;

/// Describes elements.
pub(crate) fn describe(elements: &Elements) -> String {
    Mark(elements.mark).describe(elements.bytes)
}

/// Describes how what is sent to a rank differs from what that one receives; `None` where they
/// agree.
pub fn difference_apart(sent: &Elements, received: &Elements, to: usize) -> Option<String> {
    (!fits(sent, received)).then(|| {
        format!(
            "sends rank {to} {}, which receives {}: both must be the same elements",
            describe(sent),
            describe(received)
        )
    })
}

/// A function, in one of its forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    at: u8,
    form: Form,
}

/// Way in which a collective function completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// It blocks.
    Blocking,
    /// It returns a request.
    Started,
    /// It returns a persistent request.
    Persistent,
}

/// Relation between the sides of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Data {
    /// Data that is not compared.
    Other,
    /// All ranks pass what the root passes.
    AsRoot,
    /// All ranks pass the same elements to a reduction.
    Reduced,
    /// The root receives from each rank what that one sends.
    Gathered,
    /// Each rank receives what the root sends it.
    Scattered,
    /// Each rank sends each what that one receives.
    Exchanged,
    /// Ranks pass elements for each other rank, which receivers announce to senders.
    Apart,
    /// All ranks pass the same counts to a reduction.
    Counted,
}

/// Functions whose calls are compared, without `MPI_`.
const FUNCTIONS: &[(&str, Data)] = &[
    ("Barrier", Data::Other),
    ("Bcast", Data::AsRoot),
    ("Gather", Data::Gathered),
    ("Gatherv", Data::Apart),
    ("Scatter", Data::Scattered),
    ("Scatterv", Data::Apart),
    ("Allgather", Data::Exchanged),
    ("Allgatherv", Data::Apart),
    ("Alltoall", Data::Exchanged),
    ("Alltoallv", Data::Apart),
    ("Alltoallw", Data::Apart),
    ("Reduce", Data::Reduced),
    ("Allreduce", Data::Reduced),
    ("Reduce_scatter_block", Data::Reduced),
    ("Reduce_scatter", Data::Counted),
    ("Scan", Data::Reduced),
    ("Exscan", Data::Reduced),
    ("Neighbor_allgather", Data::Other),
    ("Neighbor_allgatherv", Data::Other),
    ("Neighbor_alltoall", Data::Other),
    ("Neighbor_alltoallv", Data::Other),
    ("Neighbor_alltoallw", Data::Other),
    ("Comm_dup", Data::Other),
    ("Comm_dup_with_info", Data::Other),
    ("Comm_idup", Data::Other),
    ("Comm_idup_with_info", Data::Other),
    ("Comm_split", Data::Other),
    ("Comm_split_type", Data::Other),
    ("Comm_create", Data::Other),
    ("Intercomm_create", Data::Other),
    ("Intercomm_merge", Data::Other),
    ("Cart_create", Data::Other),
    ("Cart_sub", Data::Other),
    ("Graph_create", Data::Other),
    ("Dist_graph_create", Data::Other),
    ("Dist_graph_create_adjacent", Data::Other),
    ("Win_create", Data::Other),
    ("Win_allocate", Data::Other),
    ("Win_allocate_shared", Data::Other),
    ("Win_create_dynamic", Data::Other),
    ("Finalize", Data::Other),
];

impl Function {
    /// Returns the function of a name, such as `MPI_Ibcast_c`; `None` if its calls are not
    /// compared.
    pub fn of(name: &str) -> Option<Function> {
        let stem = name.strip_prefix("MPI_")?;
        let stem = stem.strip_suffix("_c").unwrap_or(stem);
        let at = |stem: &str| FUNCTIONS.iter().position(|(known, _)| *known == stem);
        let function = |at: usize, form| Function { at: at as u8, form };
        if let Some(at) = at(stem) {
            return Some(function(at, Form::Blocking));
        }
        if let Some(at) = stem.strip_suffix("_init").and_then(at) {
            return Some(function(at, Form::Persistent));
        }
        let lower = stem.strip_prefix('I')?;
        let mut letters = lower.chars();
        let first = letters.next()?.to_uppercase();
        let upper: String = first.chain(letters).collect();
        Some(function(at(&upper)?, Form::Started))
    }

    /// The way in which it completes.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The name of the form that blocks, without `MPI_`.
    pub fn name_of_blocking(&self) -> &'static str {
        FUNCTIONS[self.at as usize].0
    }

    /// The name of the function.
    pub fn name(&self) -> String {
        let (stem, _) = FUNCTIONS[self.at as usize];
        match self.form {
            Form::Blocking => format!("MPI_{stem}"),
            Form::Started => format!("MPI_I{}", stem.to_lowercase()),
            Form::Persistent => format!("MPI_{stem}_init"),
        }
    }

    pub(crate) fn data(&self) -> Data {
        FUNCTIONS[self.at as usize].1
    }

    /// Whether the elements that ranks pass for all others are compared.
    pub fn compares_elements(&self) -> bool {
        !matches!(self.data(), Data::Other | Data::Apart | Data::Counted)
    }

    /// Whether ranks pass elements for each other rank, which receivers announce to senders.
    pub fn announces_elements(&self) -> bool {
        self.data() == Data::Apart
    }

    /// Whether all ranks pass the same counts.
    pub fn has_equal_counts(&self) -> bool {
        self.data() == Data::Counted
    }

    /// Whether a rank passes the same elements to, or from, all others on this side, while the
    /// function lists elements for each rank on the other side.
    pub fn has_one_block(&self, sent: bool) -> bool {
        match FUNCTIONS[self.at as usize].0 {
            "Gatherv" | "Allgatherv" => sent,
            "Scatterv" => !sent,
            _ => false,
        }
    }

    /// Whether the groups of an inter-communicator pass the same elements to a reduction.
    pub(crate) fn is_alike_in_groups(&self) -> bool {
        FUNCTIONS[self.at as usize].0 == "Allreduce"
    }

    /// Whether the function has a root.
    pub fn is_rooted(&self) -> bool {
        let (stem, _) = FUNCTIONS[self.at as usize];
        matches!(
            stem,
            "Bcast" | "Gather" | "Gatherv" | "Scatter" | "Scatterv" | "Reduce"
        )
    }

    /// Whether a side of a rank's call is significant. A side that only the root uses is
    /// significant there alone.
    pub fn is_significant(&self, sent: bool, at_root: bool) -> bool {
        match FUNCTIONS[self.at as usize].0 {
            "Gather" | "Gatherv" if !sent => at_root,
            "Scatter" | "Scatterv" if sent => at_root,
            _ => true,
        }
    }
}

/// Machine words of an encoded record.
pub const WORDS: usize = 9;

impl Record {
    /// The root of a function that has none.
    pub const NONE: i32 = i32::MIN;
    /// The root argument of the root itself, in an inter-communicator.
    pub const HERE: i32 = i32::MAX;
    /// The root argument of the others of its group.
    pub const ELSEWHERE: i32 = i32::MAX - 1;
    /// An operation that the program has made.
    pub const OWN_OP: u32 = u32::MAX;

    /// Returns the record as words.
    pub fn words(&self) -> [u64; WORDS] {
        let function = u64::from(self.function.at) | (self.function.form as u64) << 8;
        [
            function | 1 << 32,
            u64::from(self.root as u32) | u64::from(self.op) << 32,
            self.begun[0],
            self.begun[1],
            self.counts,
            self.sent.head(),
            self.sent.bytes,
            self.received.head(),
            self.received.bytes,
        ]
    }

    /// Returns the record that these words hold; `None` if they are malformed.
    pub fn of(words: &[u64]) -> Option<Record> {
        let [function, call, first, second, counts, ref sides @ ..] = *words else {
            return None;
        };
        let [sent, sent_bytes, received, received_bytes] = *sides else {
            return None;
        };
        let at = function as u8;
        let form = match (function >> 8) as u8 {
            0 => Form::Blocking,
            1 => Form::Started,
            _ => Form::Persistent,
        };
        (function >> 32 == 1 && usize::from(at) < FUNCTIONS.len()).then(|| Record {
            function: Function { at, form },
            root: call as u32 as i32,
            op: (call >> 32) as u32,
            begun: [first, second],
            counts,
            sent: Elements::of(sent, sent_bytes),
            received: Elements::of(received, received_bytes),
        })
    }
}

/// A rank whose call differs from the others'.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The rank, in the communicator.
    pub rank: usize,
    /// Description of what it does, and of what the others do. The rank is the subject.
    pub text: String,
}

/// Whether records that were exchanged together describe the same call of each rank. A rank whose
/// call failed after its record was sent is a call ahead of the others, and its later calls cannot
/// be compared.
pub fn go_together(records: &[Record]) -> bool {
    records.windows(2).all(|two| two[0].begun == two[1].begun)
}

/// Returns what the calls of all ranks differ in, by rank; `None` where they agree. `op` names an
/// operation.
pub fn difference(records: &[Record], op: &dyn Fn(u32) -> String) -> Option<Difference> {
    let function = |record: &Record| record.function.name();
    let root = |record: &Record| format!("root {}", record.root);
    let operation = |record: &Record| op(record.op);
    odd(records, "calls", CALLS, &function)
        .or_else(|| {
            odd(
                records,
                "passes",
                "all ranks must pass the same root",
                &root,
            )
        })
        .or_else(|| odd(records, "passes", OPERATIONS, &operation))
        .or_else(|| counts(records))
        .or_else(|| data(records))
}

/// The rule that calls of other functions break.
pub(crate) const CALLS: &str =
    "all ranks of a communicator must make the same calls in the same order";
/// The rule that other operations break.
pub(crate) const OPERATIONS: &str = "all ranks must pass the same operation";

/// Returns the first rank whose value differs from the most frequent one.
pub(crate) fn odd(
    records: &[Record],
    verb: &str,
    rule: &str,
    value: &dyn Fn(&Record) -> String,
) -> Option<Difference> {
    let values: Vec<String> = records.iter().map(value).collect();
    let usual = most_frequent(&values)?;
    let rank = values.iter().position(|value| value != usual)?;
    let same: Vec<usize> = (0..values.len())
        .filter(|at| values[*at] == *usual)
        .collect();
    let others = ranks::text(&same);
    let text = format!("{verb} {}, and {others} {usual}: {rule}", values[rank]);
    Some(Difference { rank, text })
}

/// Returns the most frequent value, of several that are as frequent the first.
pub(crate) fn most_frequent<T: PartialEq>(values: &[T]) -> Option<&T> {
    let count = |wanted: &T| values.iter().filter(|value| *value == wanted).count();
    let most = values.iter().map(count).max()?;
    values.iter().find(|value| count(value) == most)
}

/// Compares the counts that all ranks have to pass alike.
fn counts(records: &[Record]) -> Option<Difference> {
    let all: Vec<u64> = records.iter().map(|record| record.counts).collect();
    let usual = *most_frequent(&all)?;
    let rank = all.iter().position(|counts| *counts != usual)?;
    let same: Vec<usize> = (0..all.len()).filter(|at| all[*at] == usual).collect();
    let others = ranks::text(&same);
    let text = format!("passes other counts than {others}: all ranks must pass the same");
    Some(Difference { rank, text })
}

/// Compares the elements that ranks send and receive.
fn data(records: &[Record]) -> Option<Difference> {
    let first = records.first()?;
    let root = usize::try_from(first.root).unwrap_or(usize::MAX);
    let at_root = records.get(root);
    let (verb, expected, theirs): (_, Elements, _) = match first.function.data() {
        Data::Other | Data::Apart | Data::Counted => return None,
        Data::AsRoot => ("passes", at_root?.sent, format!("rank {root}, the root,")),
        Data::Gathered => (
            "sends",
            at_root?.received,
            format!("rank {root}, the root, receives from each rank"),
        ),
        Data::Scattered => (
            "receives",
            at_root?.sent,
            format!("rank {root}, the root, sends each rank"),
        ),
        Data::Reduced | Data::Exchanged => {
            let all: Vec<Elements> = records.iter().map(|record| record.received).collect();
            let usual = *most_frequent(&all)?;
            let same: Vec<usize> = (0..all.len()).filter(|at| all[*at] == usual).collect();
            let verb = match first.function.data() {
                Data::Reduced => "passes",
                _ => "receives",
            };
            (verb, usual, ranks::text(&same))
        }
    };
    let wrong = |verb: &str, rank: usize, theirs: &str, elements: &Elements| Difference {
        rank,
        text: format!(
            "{verb} {}, and {theirs} {}: both must be the same elements",
            describe(elements),
            describe(&expected)
        ),
    };
    for (rank, record) in records.iter().enumerate() {
        let (main, other) = match first.function.data() {
            Data::AsRoot | Data::Gathered => (&record.sent, None),
            Data::Exchanged => (&record.received, Some(&record.sent)),
            _ => (&record.received, None),
        };
        if !fits(main, &expected) {
            return Some(wrong(verb, rank, &theirs, main));
        }
        if let Some(sent) = other.filter(|sent| !fits(sent, &expected)) {
            return Some(wrong("sends", rank, &format!("{theirs} receive"), sent));
        }
    }
    None
}

pub(crate) fn fits(one: &Elements, other: &Elements) -> bool {
    let in_place = one.in_place || other.in_place;
    in_place || one.bytes == other.bytes && Mark(one.mark).fits(Mark(other.mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: u16 = 0x09;
    const DOUBLE: u16 = 0x14;

    fn call(name: &str, root: i32) -> Record {
        Record {
            function: Function::of(name).unwrap(),
            root,
            op: 0,
            begun: [0; 2],
            counts: 0,
            sent: Elements::default(),
            received: Elements::default(),
        }
    }

    fn elements(mark: u16, bytes: u64) -> Elements {
        Elements {
            mark,
            in_place: false,
            bytes,
        }
    }

    fn reported(records: &[Record]) -> Option<(usize, String)> {
        let found = difference(records, &|op| format!("op {op}"));
        found.map(|found| (found.rank, found.text))
    }

    #[test]
    fn names_have_forms() {
        let name = |name: &str| Function::of(name).map(|function| function.name());
        assert_eq!(name("MPI_Bcast_c").as_deref(), Some("MPI_Bcast"));
        assert_eq!(name("MPI_Ibcast").as_deref(), Some("MPI_Ibcast"));
        assert_eq!(
            name("MPI_Ireduce_scatter_block_c").as_deref(),
            Some("MPI_Ireduce_scatter_block")
        );
        assert_eq!(name("MPI_Bcast_init").as_deref(), Some("MPI_Bcast_init"));
        assert_eq!(name("MPI_Send"), None);
        assert_eq!(name("MPI_Init"), None);
    }

    #[test]
    fn functions_are_those_of_the_standard() {
        let spec = include_str!("../../../spec/functions.tsv");
        let rows = spec.lines().filter(|line| line.starts_with("MPI_"));
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split('\t').collect()).collect();
        for (stem, _) in FUNCTIONS {
            let name = format!("MPI_{stem}");
            assert!(rows.iter().any(|row| row[0] == name), "{name}");
        }
        let is_collective = |row: &&Vec<&str>| matches!(row[6], "coll" | "neighbor-coll");
        let names = rows.iter().filter(is_collective).map(|row| row[0]);
        let mut compared = 0;
        for name in names.filter(|name| !name.starts_with("MPI_Reduce_local")) {
            let small = name.strip_suffix("_c").unwrap_or(name);
            let found = Function::of(name).map(|function| function.name());
            assert_eq!(found.as_deref(), Some(small));
            compared += 1;
        }
        assert_eq!(compared, 129);
    }

    #[test]
    fn a_record_survives_the_way() {
        let mut record = call("MPI_Iallgather", Record::NONE);
        record.op = Record::OWN_OP;
        record.sent = elements(INT, 1 << 40);
        record.received.in_place = true;
        assert_eq!(Record::of(&record.words()), Some(record));
        assert_eq!(Record::of(&[0; WORDS]), None);
        assert_eq!(Record::of(&[u64::MAX; WORDS]), None);
        assert_eq!(Record::of(&[]), None);
    }

    #[test]
    fn elements_for_each_rank_are_announced() {
        assert_eq!(Elements::announced(&Elements::announce(None)), None);
        let (sent, received) = (elements(INT, 8), elements(DOUBLE, 8));
        assert_eq!(
            Elements::announced(&Elements::announce(Some(sent))),
            Some(sent)
        );
        let nothing = Elements::default();
        assert_eq!(
            Elements::announced(&Elements::announce(Some(nothing))),
            Some(nothing)
        );
        assert_eq!(difference_apart(&sent, &sent, 3), None);
        let text = "sends rank 3 MPI_INT x 2, which receives MPI_DOUBLE x 1: both must be the \
                    same elements";
        assert_eq!(difference_apart(&sent, &received, 3).as_deref(), Some(text));
    }

    #[test]
    fn ranks_that_are_out_of_step_do_not_go_together() {
        let mut all = [call("MPI_Barrier", Record::NONE); 3];
        assert!(go_together(&all) && go_together(&[]));
        all[1].begun[1] = 1;
        assert!(!go_together(&all));
    }

    #[test]
    fn another_function_root_or_operation_is_reported_for_the_rank_that_has_it() {
        let mut all = [call("MPI_Bcast", 0); 4];
        assert_eq!(reported(&all), None);
        all[2].root = 1;
        let text = "passes root 1, and ranks 0, 1, 3 root 0: all ranks must pass the same root";
        assert_eq!(reported(&all), Some((2, text.to_string())));
        all[2] = call("MPI_Barrier", Record::NONE);
        let text = "calls MPI_Barrier, and ranks 0, 1, 3 MPI_Bcast: all ranks of a communicator \
                    must make the same calls in the same order";
        assert_eq!(reported(&all), Some((2, text.to_string())));
        let mut all = [call("MPI_Allreduce", Record::NONE); 2];
        all[1].op = 7;
        let text = "passes op 7, and rank 0 op 0: all ranks must pass the same operation";
        assert_eq!(reported(&all), Some((1, text.to_string())));
    }

    #[test]
    fn elements_are_compared_with_those_of_the_other_end() {
        let mut all = [call("MPI_Bcast", 1); 3];
        for record in &mut all {
            record.sent = elements(INT, 40);
        }
        assert_eq!(reported(&all), None);
        all[0].sent = elements(DOUBLE, 40);
        let text = "passes MPI_DOUBLE x 5, and rank 1, the root, MPI_INT x 10: both must be the \
                    same elements";
        assert_eq!(reported(&all), Some((0, text.to_string())));

        let mut all = [call("MPI_Gather", 0); 3];
        for record in &mut all {
            record.sent = elements(INT, 8);
        }
        all[0].received = elements(INT, 8);
        all[0].sent.in_place = true;
        assert_eq!(reported(&all), None);
        all[2].sent.bytes = 12;
        let text = "sends MPI_INT x 3, and rank 0, the root, receives from each rank MPI_INT x 2: \
                    both must be the same elements";
        assert_eq!(reported(&all), Some((2, text.to_string())));

        let mut all = [call("MPI_Reduce_scatter", Record::NONE); 3];
        all[1].counts = 7;
        let text = "passes other counts than ranks 0, 2: all ranks must pass the same";
        assert_eq!(reported(&all), Some((1, text.to_string())));

        let mut all = [call("MPI_Allgather", Record::NONE); 3];
        for record in &mut all {
            (record.sent, record.received) = (elements(INT, 8), elements(INT, 8));
        }
        assert_eq!(reported(&all), None);
        all[1].sent = elements(DOUBLE, 8);
        let text = "sends MPI_DOUBLE x 1, and ranks 0-2 receive MPI_INT x 2: both must be the \
                    same elements";
        assert_eq!(reported(&all), Some((1, text.to_string())));
    }
}
