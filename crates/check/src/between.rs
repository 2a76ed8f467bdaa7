//! Collective calls on inter-communicators: what two groups must agree on (MPI 5.0, 6.2.3 and 6.8).
//!
//! Each process finds what a rank of its own group does wrong. Where each group agrees within
//! itself and the two differ, the first rank of each group reports it.

use crate::collective::{
    describe, fits, most_frequent, odd, Data, Difference, Elements, Record, CALLS, OPERATIONS,
};
use crate::ranks;

/// Returns what the calls of the own group differ in from each other, or from those of the remote
/// group. `op` names an operation.
pub fn difference(
    own: &[Record],
    remote: &[Record],
    op: &dyn Fn(u32) -> String,
) -> Option<Difference> {
    let function = |record: &Record| record.function.name();
    let operation = |record: &Record| op(record.op);
    if let Some(found) = disagreement(own, remote, "calls", CALLS, &function)? {
        return Some(found);
    }
    let (ours, theirs) = (significant(own, remote), significant(remote, own));
    if let Some(found) = disagreement(&ours, &theirs, "passes", OPERATIONS, &operation)? {
        return Some(found);
    }
    match own.first()?.function.is_rooted() {
        true => root(own, remote).or_else(|| data_of_root(own, remote)),
        false => data_of_all(own, remote),
    }
}

/// Returns the records of a group with the operation that counts in those whose own does not: ranks
/// beside the root pass anything.
fn significant(group: &[Record], other: &[Record]) -> Vec<Record> {
    let counts = |record: &&Record| record.root != Record::ELSEWHERE;
    let op = group
        .iter()
        .chain(other)
        .find(counts)
        .map(|record| record.op);
    let settled = |record: &Record| Record {
        op: op.filter(|_| !counts(&record)).unwrap_or(record.op),
        ..*record
    };
    group.iter().map(settled).collect()
}

/// Compares a value within the groups and between them. `None` where the remote group alone has a
/// difference, behind which nothing is compared.
fn disagreement(
    own: &[Record],
    remote: &[Record],
    verb: &str,
    rule: &str,
    value: &dyn Fn(&Record) -> String,
) -> Option<Option<Difference>> {
    if let Some(found) = odd(own, verb, rule, value) {
        return Some(Some(found));
    }
    if odd(remote, verb, rule, value).is_some() {
        return None;
    }
    let (ours, theirs) = (value(own.first()?), value(remote.first()?));
    let differs = || Difference {
        rank: 0,
        text: format!("{verb} {ours}, and the remote group {theirs}: {rule}"),
    };
    Some((ours != theirs).then(differs))
}

/// The rank of a group that is the root.
fn root_of(group: &[Record]) -> Option<usize> {
    group.iter().position(|record| record.root == Record::HERE)
}

/// Compares the roots that ranks pass.
fn root(own: &[Record], remote: &[Record]) -> Option<Difference> {
    let named = |root: i32| match root {
        Record::HERE => "MPI_ROOT".to_string(),
        Record::ELSEWHERE => "MPI_PROC_NULL".to_string(),
        rank => format!("root {rank}"),
    };
    let wrong = |rank: usize, theirs: String, rule: &str| Difference {
        rank,
        text: format!("passes {}, and {theirs}: {rule}", named(own[rank].root)),
    };
    if let Some(root) = root_of(own) {
        let is_wrong =
            |(rank, record): &(usize, &Record)| *rank != root && record.root != Record::ELSEWHERE;
        let found = own.iter().enumerate().find(is_wrong)?;
        let rule = "the other ranks of the root's group must pass MPI_PROC_NULL";
        return Some(wrong(found.0, format!("rank {root} MPI_ROOT"), rule));
    }
    let rule = "all must name the rank that passes MPI_ROOT";
    if let Some(root) = root_of(remote) {
        let rank = own.iter().position(|record| record.root != root as i32)?;
        let theirs = format!("rank {root} of the remote group MPI_ROOT");
        return Some(wrong(rank, theirs, rule));
    }
    let rank = own
        .iter()
        .position(|record| record.root >= 0 && record.root != Record::ELSEWHERE)?;
    let theirs = remote.get(own[rank].root as usize)?;
    let text = format!(
        "rank {} of the remote group {}",
        own[rank].root,
        named(theirs.root)
    );
    Some(wrong(rank, text, rule))
}

/// Compares elements that go from a root to the remote group, or the other way.
fn data_of_root(own: &[Record], remote: &[Record]) -> Option<Difference> {
    let root = root_of(remote)?;
    let at_root = &remote[root];
    let who = format!("rank {root} of the remote group, the root,");
    let (verb, ours, theirs, theirs_verb): (_, fn(&Record) -> Elements, _, _) =
        match own.first()?.function.data() {
            Data::AsRoot => ("passes", |record| record.sent, at_root.sent, ""),
            Data::Gathered => (
                "sends",
                |record| record.sent,
                at_root.received,
                " receives from each rank",
            ),
            Data::Scattered => (
                "receives",
                |record| record.received,
                at_root.sent,
                " sends each rank",
            ),
            Data::Reduced => ("passes", |record| record.received, at_root.received, ""),
            _ => return None,
        };
    let rank = own
        .iter()
        .position(|record| !fits(&ours(record), &theirs))?;
    Some(Difference {
        rank,
        text: format!(
            "{verb} {}, and {who}{theirs_verb} {}: both must be the same elements",
            describe(&ours(&own[rank])),
            describe(&theirs)
        ),
    })
}

/// Compares elements that go from all ranks of a group to all of the other one.
fn data_of_all(own: &[Record], remote: &[Record]) -> Option<Difference> {
    let theirs: Vec<Elements> = remote.iter().map(|record| record.received).collect();
    let usual = *most_frequent(&theirs)?;
    let same: Vec<usize> = (0..theirs.len())
        .filter(|at| theirs[*at] == usual)
        .collect();
    let who = format!("{} of the remote group", ranks::text(&same));
    let (verb, ours, theirs_verb): (_, fn(&Record) -> Elements, _) =
        match own.first()?.function.data() {
            Data::Reduced if own[0].function.is_alike_in_groups() => {
                ("passes", |record| record.received, "")
            }
            Data::Exchanged if same.len() == 1 => ("sends", |record| record.sent, " receives"),
            Data::Exchanged => ("sends", |record| record.sent, " receive"),
            _ => return None,
        };
    let rank = own.iter().position(|record| !fits(&ours(record), &usual))?;
    Some(Difference {
        rank,
        text: format!(
            "{verb} {}, and {who}{theirs_verb} {}: both must be the same elements",
            describe(&ours(&own[rank])),
            describe(&usual)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Function;

    const INT: u16 = 0x09;

    fn call(name: &str, root: i32, bytes: u64) -> Record {
        let elements = Elements {
            mark: INT,
            in_place: false,
            bytes,
        };
        Record {
            function: Function::of(name).unwrap(),
            root,
            op: 0,
            begun: [0; 2],
            counts: 0,
            sent: elements,
            received: elements,
        }
    }

    fn reported(own: &[Record], remote: &[Record]) -> Option<(usize, String)> {
        let found = difference(own, remote, &|op| format!("op {op}"));
        found.map(|found| (found.rank, found.text))
    }

    #[test]
    fn groups_that_call_differently_both_report_it() {
        let (own, remote) = ([call("MPI_Barrier", -1, 0)], [call("MPI_Bcast", -1, 0); 2]);
        let text = "calls MPI_Barrier, and the remote group MPI_Bcast: all ranks of a \
                    communicator must make the same calls in the same order";
        assert_eq!(reported(&own, &remote), Some((0, text.to_string())));
        assert!(reported(&remote, &own).is_some());
        // A difference within one group: that group reports it.
        let mixed = [call("MPI_Barrier", -1, 0), call("MPI_Bcast", -1, 0)];
        assert!(reported(&mixed, &own).is_some());
        assert_eq!(reported(&own, &mixed), None);
    }

    #[test]
    fn the_root_is_named_by_both_groups() {
        let roots = |roots: &[i32]| -> Vec<Record> {
            roots
                .iter()
                .map(|root| call("MPI_Bcast", *root, 4))
                .collect()
        };
        let (here, elsewhere) = (Record::HERE, Record::ELSEWHERE);
        let (own, remote) = (roots(&[elsewhere, here]), roots(&[1, 1]));
        assert_eq!(reported(&own, &remote), None);
        assert_eq!(reported(&remote, &own), None);
        let text = "passes root 0, and rank 1 of the remote group MPI_ROOT: all must name the \
                    rank that passes MPI_ROOT";
        assert_eq!(reported(&roots(&[1, 0]), &own), Some((1, text.to_string())));
        let text = "passes root 1, and rank 1 MPI_ROOT: the other ranks of the root's group must \
                    pass MPI_PROC_NULL";
        assert_eq!(
            reported(&roots(&[1, here]), &remote),
            Some((0, text.to_string()))
        );
        let nobody = roots(&[elsewhere, elsewhere]);
        assert!(reported(&remote, &nobody).is_some());
        assert_eq!(reported(&nobody, &remote), None);
    }

    #[test]
    fn the_operation_of_ranks_beside_the_root_does_not_count() {
        let mut own = [call("MPI_Reduce", Record::ELSEWHERE, 4); 3];
        own[1].root = Record::HERE;
        (own[0].op, own[2].op) = (5, 6);
        let mut remote = [call("MPI_Reduce", 1, 4); 2];
        assert_eq!(reported(&own, &remote), None);
        assert_eq!(reported(&remote, &own), None);
        remote[1].op = 7;
        let text = "passes op 7, and rank 0 op 0: all ranks must pass the same operation";
        assert_eq!(reported(&remote, &own), Some((1, text.to_string())));
    }

    #[test]
    fn elements_are_compared_across_the_groups() {
        let own = [call("MPI_Allreduce", Record::NONE, 8)];
        let mut remote = [call("MPI_Allreduce", Record::NONE, 8); 3];
        assert_eq!(reported(&own, &remote), None);
        remote[2].received.bytes = 12;
        assert_eq!(reported(&own, &remote), None);
        let text = "passes MPI_INT x 3, and rank 0 of the remote group MPI_INT x 2: both must be \
                    the same elements";
        assert_eq!(reported(&remote, &own), Some((2, text.to_string())));

        let own = [call("MPI_Gather", Record::HERE, 8)];
        let mut remote = [call("MPI_Gather", 0, 8); 2];
        assert_eq!(reported(&remote, &own), None);
        remote[1].sent.bytes = 4;
        let text = "sends MPI_INT x 1, and rank 0 of the remote group, the root, receives from \
                    each rank MPI_INT x 2: both must be the same elements";
        assert_eq!(reported(&remote, &own), Some((1, text.to_string())));
        assert_eq!(reported(&own, &remote), None);
    }
}
