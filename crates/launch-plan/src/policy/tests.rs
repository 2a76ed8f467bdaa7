use super::*;

fn mapped(value: &str) -> Policy {
    let mut policy = Policy::default();
    policy.map_by("--map-by", value).expect(value);
    policy
}

#[test]
fn places_to_map_by() {
    for (value, map) in [
        ("slot", MapBy::Slot),
        ("NODE", MapBy::Node),
        ("socket", MapBy::Unit(Unit::Package)),
        ("package:span", MapBy::Unit(Unit::Package)),
        ("L3", MapBy::Unit(Unit::L3)),
        ("hwt", MapBy::Unit(Unit::Thread)),
        ("ppr:2:socket", MapBy::Each(2, Unit::Package)),
        ("ppr:4:node:pe=2", MapBy::Each(4, Unit::Node)),
        ("ppr:4", MapBy::Each(4, Unit::Node)),
        (":OVERSUBSCRIBE", MapBy::Slot),
        ("PE=4", MapBy::Slot),
        ("rankfile:file=x", MapBy::RankFile),
        ("seq", MapBy::Sequence),
    ] {
        assert_eq!(mapped(value).map, map, "{value}");
    }
}

#[test]
fn what_stands_behind_a_colon() {
    let policy = mapped("numa:SPAN:PE=3:HWTCPUS:NOOVERSUBSCRIBE:NOLOCAL");
    assert!(policy.span && policy.no_local);
    assert_eq!(
        (policy.processors, policy.processor),
        (Some(3), Unit::Thread)
    );
    assert_eq!(policy.oversubscribe, Oversubscribe::Forbid);
    assert_eq!(mapped(":over").oversubscribe, Oversubscribe::Allow);
    assert_eq!(mapped("rankfile:file=/a/b").file.as_deref(), Some("/a/b"));
}

#[test]
fn wrong_words_are_refused_with_the_right_ones() {
    for (value, part) in [
        ("moon", "hwthread"),
        ("l", "l3cache"),
        ("ppr:x:node", "whole number"),
        ("ppr:2:moon", "ppr:N:UNIT"),
        ("ppr", "whole number"),
        ("slot:moon", "oversubscribe"),
        ("slot:PE=0", "whole number"),
        ("slot:PE", "whole number"),
        ("rankfile:file=", "name of a file"),
    ] {
        let said = Policy::default()
            .map_by("--map-by", value)
            .expect_err(value);
        let said = said.to_string();
        assert!(
            said.contains("--map-by") && said.contains(part),
            "{value}: {said}"
        );
    }
    let rank = Policy::default().rank_by("--rank-by", "moon").unwrap_err();
    assert!(rank.to_string().contains("span"));
    for bad in ["moon", "core:moon", "core:0"] {
        assert!(
            Policy::default().bind_to("--bind-to", bad).is_err(),
            "{bad}"
        );
    }
}

#[test]
fn ranks_are_bound_where_they_are_put_unless_something_else_is_said() {
    let bind = |map: &str, bind: &str| {
        let mut policy = mapped(map);
        if !bind.is_empty() {
            policy.bind_to("--bind-to", bind).expect(bind);
        }
        policy.bind()
    };
    assert_eq!(bind("slot", ""), Bind::None);
    assert_eq!(bind("ppr:2:node", ""), Bind::None);
    assert_eq!(bind("socket", ""), Bind::To(Unit::Package));
    assert_eq!(bind("ppr:2:numa", ""), Bind::To(Unit::Numa));
    assert_eq!(bind("slot:PE=2", ""), Bind::To(Unit::Core));
    assert_eq!(bind("socket", "core"), Bind::To(Unit::Core));
    assert_eq!(bind("socket", "none"), Bind::None);
    assert_eq!(bind("socket", "L2:overload-allowed"), Bind::To(Unit::L2));
    assert_eq!(bind("core", ":if-supported"), Bind::To(Unit::Core));
}

#[test]
fn sets_of_processors() {
    let mut policy = Policy::default();
    policy.set_processors("--cpu-set", "0,4-6").unwrap();
    assert_eq!(policy.only, Some(vec![0, 4, 5, 6]));
    for bad in ["", "x", "3-1", "0,", "1024", "0-4000000000"] {
        assert!(policy.set_processors("--cpu-set", bad).is_err(), "{bad}");
    }
}

#[test]
fn orders_of_ranks() {
    for (value, rank) in [
        ("slot", RankBy::Slot),
        ("node", RankBy::Node),
        ("fill", RankBy::Fill),
        ("core", RankBy::Unit(Unit::Core)),
        ("socket:span", RankBy::Span),
        ("socket:fill", RankBy::Fill),
    ] {
        let mut policy = Policy::default();
        policy.rank_by("--rank-by", value).expect(value);
        assert_eq!(policy.rank, Some(rank), "{value}");
    }
}
