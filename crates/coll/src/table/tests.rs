use super::section::*;
use super::*;
use crate::algorithms::*;
use crate::Rules;
use std::sync::Arc;

const EXAMPLE: &str = "\
1 # collectives
3 # alltoall
2 # communicator sizes
8 # ranks
2
0 3 0 0
8192 2 0 0 # long ones
64
1
0 1 0 0
";

fn rules(content: &str) -> Rules {
    let table = Table::parse("rules", content).expect("a good file");
    Rules {
        table: Some(Arc::new(table)),
        ..Rules::default()
    }
}

fn refused(content: &str) -> String {
    Table::parse("rules", content)
        .expect_err("a bad file")
        .to_string()
}

#[test]
fn sizes_count_from_where_they_stand_to_the_next() {
    let rules = rules(EXAMPLE);
    // By the bytes of all blocks; smaller communicators are as the first.
    assert_eq!(rules.alltoall(4, 100), Alltoall::Bruck);
    assert_eq!(rules.alltoall(8, 1023), Alltoall::Bruck);
    assert_eq!(rules.alltoall(8, 1024), Alltoall::Pairwise);
    assert_eq!(rules.alltoall(63, 1024), Alltoall::Pairwise);
    assert_eq!(rules.alltoall(64, 1 << 20), Alltoall::Linear);
    // Of others the file says nothing.
    let default = Rules::default();
    assert_eq!(rules.bcast(8, 1 << 22), default.bcast(8, 1 << 22));
}

#[test]
fn a_forced_algorithm_comes_before_the_file_and_zero_leaves_the_choice() {
    let mut rules = rules(EXAMPLE);
    rules.alltoall_algorithm = Some(Alltoall::Linear);
    assert_eq!(rules.alltoall(8, 8), Alltoall::Linear);
    let none = self::rules("1 3 1 1 1 0 0 0 0");
    let default = Rules::default().alltoall(9, 300);
    assert_eq!(none.alltoall(9, 300), default);
}

#[test]
fn segments_and_requests_come_from_the_file() {
    let rules = rules("rule-file-version-2\n2 7 1 1 2 0 1 0 0\n100 3 4 1024\n3 1 1 1 0 2 0 0 5\n");
    assert_eq!(rules.bcast(4, 100), Bcast::Pipeline);
    assert_eq!(rules.bcast_segment(4, 100), 1024);
    assert_eq!(rules.bcast_segment(4, 99), rules.bcast_segment_bytes);
    assert_eq!(rules.alltoall_window(4, 8), 5);
    // The older version has no such number.
    assert!(refused("1 3 1 1 1 0 2 0 0 5").contains("`5` follows the last rule"));
}

#[test]
fn every_collective_with_a_choice_is_ruled() {
    let mut content = format!("{}\n", KNOWN.len());
    for id in 0..KNOWN.len() {
        content += &format!("{id} 1 1 1\n0 1 0 0\n");
    }
    let rules = rules(&content);
    assert_eq!(rules.barrier(9), Barrier::Linear);
    assert_eq!(rules.bcast(9, 1), Bcast::Linear);
    assert_eq!(rules.reduce(9, 1, true), Reduce::Linear);
    assert_eq!(rules.allreduce(9, 1, true), Allreduce::ReduceBcast);
    assert_eq!(rules.gather(9, 1), Gather::Linear);
    assert_eq!(rules.scatter(9, 1), Gather::Linear);
    assert_eq!(rules.allgather(9, 1), Allgather::Linear);
    assert_eq!(rules.allgatherv(9, 1), Allgather::Linear);
    assert_eq!(rules.alltoall(9, 1), Alltoall::Linear);
    assert_eq!(rules.alltoallv(9), Alltoallv::Linear);
    let dealt = ReduceScatter::ReduceThenScatter;
    assert_eq!(rules.reduce_scatter(9, 1, true), dealt);
    assert_eq!(rules.reduce_scatter_block(9, 1, true), dealt);
    assert_eq!(
        (rules.scan(9, 1), rules.exscan(9, 1)),
        (Scan::Linear, Scan::Linear)
    );
}

#[test]
fn json_says_the_same() {
    let json = r#"{"collectives": {"alltoall": [
        {"comm_size_max": 63, "rules": [
            {"msg_size_max": 8191, "alg": "modified_bruck"},
            {"msg_size_min": 8192, "msg_size_max": "inf", "alg": 2}
        ]},
        {"comm_size_min": 64, "rules": [{"alg": 1}]}
    ]}}"#;
    let same = Table::parse("rules", json).unwrap();
    let numbers = Table::parse("rules", EXAMPLE).unwrap();
    assert_eq!(same, numbers);
    assert_eq!(same.fingerprint(), numbers.fingerprint());
    let other = json.replace("8191", "8190");
    let other = Table::parse("rules", &other).unwrap();
    assert_ne!(other.fingerprint(), numbers.fingerprint());
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("", "rules:1: the file ends where the number of collectives"),
        ("23", "rules:1: 23 collectives"),
        ("1\n22", "rules:2: no collective has the number 22"),
        ("2\n3 0\n3 0", "rules:3: alltoall (number 3) again"),
        (
            "1\n# a\n3\n1\nmany",
            "rules:5: `many` where a communicator size",
        ),
        ("1 3 2\n8 0\n8 0", "rules:3: communicator size 8 after 8"),
        (
            "1 3 1 8\n1\n5 1 0 0",
            "rules:3: the first message size is 5",
        ),
        (
            "1 3 1 8\n2\n0 1 0 0\n0 1 0 0",
            "rules:4: message size 0 after 0",
        ),
        (
            "1 3 1 8\n1\n0 9 0 0",
            "rules:3: `9` is no algorithm of alltoall",
        ),
        (
            "1 3 1 8\n2\n0 1 0 0\n",
            "rules:3: the file ends where a message size",
        ),
        (
            "1 3 1 8 1 0 1 0 -1",
            "rules:1: `-1` where the bytes of a segment",
        ),
        ("rule-file-version-3\n0", "rules:1: `rule-file-version-3`"),
        ("{\n\"collectives\": 1}", "rules:1: `collectives`"),
        ("{\n\"collectives\": {", "rules:2: this is no JSON"),
        (
            "{\"collectives\": {\n\"bcst\": []}}",
            "rules:2: bcst: `bcst` is no collective",
        ),
        (
            "{\"collectives\": {\"bcast\": [\n{\"rules\": [{\"alg\": \"rign\"}]}]}}",
            "rules:1: bcast: entry 1: rule 1: `rign` is no algorithm of bcast",
        ),
        (
            "{\"collectives\": {\"bcast\": [{\"rules\": [{\"alg\": 1, \"msg_size\": 3}]}]}}",
            "rules:1: bcast: entry 1: rule 1: `msg_size` is not known",
        ),
    ];
    for (content, expected) in cases {
        let error = refused(content);
        assert!(error.starts_with(expected), "{content:?}: {error}");
    }
}
