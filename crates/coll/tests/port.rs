//! Tests of the guarantees of a port to its driver, and of errors of drivers.

mod common;

use std::task::Poll;

use coll::port::{Kind, Posted};
use coll::Peer;
use coll::{Collective, Error, Port, Rules, Team};
use common::{data, element, Area};
use memory::Payload;

const PAIR: Team = Team { rank: 0, size: 2 };

fn posted(collective: &mut Collective) -> Vec<Posted> {
    let mut posted = Vec::new();
    collective.take_posted(&mut posted);
    posted
}

fn bcast_to(rank: u32, area: &Area, port: Port) -> Collective {
    let team = Team { rank, ..PAIR };
    let running = coll::bcast(&port, &Rules::default(), team, 0, area.buffer.clone());
    Collective::new(port, running)
}

#[test]
fn a_receive_is_posted_completed_and_awaited() {
    let area = Area::new(&element(0), 2);
    let mut collective = bcast_to(1, &area, Port::new());
    assert_eq!(collective.in_flight(), 0);
    assert!(collective.poll().is_pending());
    let posted = posted(&mut collective);
    assert_eq!(
        (posted.len(), posted[0].kind, posted[0].peer),
        (1, Kind::Recv, Peer::from(0))
    );
    assert!(!collective.is_runnable());
    assert!(collective.poll().is_pending());
    posted[0].buffer.unpack(0, Payload::from(&data(1, 16)[..]));
    collective.complete(posted[0].slot, Ok(16));
    assert!(collective.is_runnable());
    assert!(matches!(collective.poll(), Poll::Ready(Ok(()))));
    area.expect(&data(1, 16), "what was received");
    assert!(collective.into_port().is_some());
}

#[test]
fn a_block_of_another_length_is_an_error_with_both_lengths() {
    let area = Area::new(&element(0), 2);
    let mut collective = bcast_to(1, &area, Port::new());
    assert!(collective.poll().is_pending());
    let slot = posted(&mut collective)[0].slot;
    collective.complete(slot, Ok(8));
    let Poll::Ready(Err(error)) = collective.poll() else {
        panic!("an error")
    };
    assert!(matches!(
        error,
        Error::Length {
            expected: 16,
            received: 8,
            ..
        }
    ));
    assert!(error
        .to_string()
        .contains("rank 0 sent 8 bytes where 16 were expected"));
}

#[derive(Debug, PartialEq)]
struct Unreachable(u32);

impl std::fmt::Display for Unreachable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "peer {} is gone", self.0)
    }
}

impl std::error::Error for Unreachable {}

/// A failure must end the collective even when the algorithm waits for another message that
/// will never come.
#[test]
fn a_failed_message_ends_the_collective_and_keeps_the_drivers_error() {
    let area = Area::new(&element(0), 1);
    let port = Port::new();
    let running = coll::barrier(&port, Team { rank: 0, size: 3 });
    let mut collective = Collective::new(port, running);
    assert!(collective.poll().is_pending());
    let messages = posted(&mut collective);
    assert_eq!(messages.len(), 2);
    let sent = messages
        .iter()
        .find(|message| message.kind == Kind::Send)
        .unwrap();
    collective.complete(sent.slot, Err(Box::new(Unreachable(7))));
    let Poll::Ready(Err(error)) = collective.poll() else {
        panic!("an error")
    };
    assert_eq!(
        error.to_string(),
        "sending to rank 1 failed: peer 7 is gone"
    );
    let Error::Message { source, .. } = error else {
        panic!("the driver's error")
    };
    assert_eq!(source.downcast_ref(), Some(&Unreachable(7)));
    assert_eq!(collective.in_flight(), 1);
    assert!(
        collective.into_port().is_none(),
        "a receive is still under way"
    );
    drop(area);
}

#[test]
fn a_port_serves_one_collective_after_another() {
    let mut port = Port::new();
    for round in 0..5 {
        let area = Area::holding(&element(1), &data(round, 4000));
        let mut collective = bcast_to(0, &area, port);
        let mut sent = Vec::new();
        let done = collective.advance(&mut Vec::new(), |message| {
            let mut bytes = vec![0; message.buffer.len()];
            message.buffer.pack_into(0, &mut bytes);
            sent.push(bytes);
            Some(Ok(message.buffer.len()))
        });
        assert!(matches!(done, Poll::Ready(Ok(()))));
        assert_eq!(sent, [data(round, 4000)]);
        port = collective.into_port().expect("nothing under way");
    }
}

#[test]
fn buffers_that_do_not_fit_together_are_an_error_and_no_panic() {
    let (two, three) = (Area::new(&element(0), 2), Area::new(&element(0), 3));
    let alone = Team { rank: 0, size: 1 };
    let (two, three) = (two.buffer.clone(), three.buffer.clone());
    let rules = Rules::default();
    type Begin<'a> = Box<dyn Fn(&Port) -> coll::Running + 'a>;
    let calls: Vec<Begin> = vec![
        Box::new(|port| coll::gather(port, &rules, alone, 0, Some(two.clone()), None)),
        Box::new(|port| {
            coll::gather(
                port,
                &rules,
                alone,
                0,
                Some(two.clone()),
                Some(three.clone()),
            )
        }),
        Box::new(|port| {
            let recv = coll::Blocks::from(vec![two.clone(), three.clone()]);
            coll::alltoallv(port, &rules, alone, None, recv)
        }),
        Box::new(|port| {
            let vector = coll::Vector {
                send: None,
                recv: None,
                count: 2,
            };
            coll::allreduce(port, &rules, alone, common::Sums::Sum.reduction(), vector)
        }),
    ];
    for begin in calls {
        let port = Port::new();
        let running = begin(&port);
        let mut collective = Collective::new(port, running);
        assert!(matches!(
            collective.poll(),
            Poll::Ready(Err(Error::Arguments(_)))
        ));
    }
}

/// Operators are the application's code and may fail.
#[test]
fn an_operator_that_is_not_defined_for_the_type_is_an_error() {
    let double = datatype::predefined(0x214).unwrap().clone();
    let (send, recv) = (Area::new(&double, 1), Area::new(&double, 1));
    let port = Port::new();
    let reduction = coll::Reduction {
        operator: coll::Operator::Predefined(datatype::Op::Bxor),
        datatype: double,
        vectors: datatype::Vectors::best(),
    };
    let (send, recv) = (Some(send.buffer.clone()), Some(recv.buffer.clone()));
    let vector = coll::Vector {
        send,
        recv,
        count: 1,
    };
    let running = coll::allreduce(&port, &Rules::default(), PAIR, reduction, vector);
    let mut collective = Collective::new(port, running);
    let done = collective.advance(&mut Vec::new(), |message| Some(Ok(message.buffer.len())));
    assert!(matches!(done, Poll::Ready(Err(Error::Datatype(_)))));
}

/// A datatype may have no data at all, and still an extent.
#[test]
fn elements_without_data_are_moved_by_nobody() {
    let int = datatype::predefined(0x209).unwrap();
    for nothing in [
        datatype::Datatype::contiguous(0, int).unwrap(),
        datatype::Datatype::vector(3, 0, 4, int).unwrap(),
        datatype::Datatype::indexed(&[0, 0], &[3, 9], int).unwrap(),
    ] {
        let nothing = datatype::Datatype::resized(&nothing.into(), 0, 16).unwrap();
        move_nothing(&nothing.into());
    }
}

fn move_nothing(nothing: &std::sync::Arc<datatype::Datatype>) {
    let (send, recv) = (Area::new(nothing, 6), Area::new(nothing, 12));
    for rules in [Rules::default(), every_log_rule()] {
        common::intra(2, 1, |port, team| {
            let recv = coll::Blocks::even(recv.buffer.clone(), 2);
            coll::allgather(port, &rules, team, Some(send.buffer.clone()), recv)
        });
        common::intra(2, 1, |port, team| {
            let blocks = || coll::Blocks::even(recv.buffer.clone(), 2);
            coll::alltoall(port, &rules, team, Some(blocks()), blocks())
        });
        common::intra(2, 1, |port, team| {
            let reduction = coll::Reduction {
                operator: coll::Operator::User(std::sync::Arc::new(common::Affine)),
                datatype: nothing.clone(),
                vectors: datatype::Vectors::best(),
            };
            let (send, recv) = (Some(send.buffer.clone()), Some(recv.buffer.clone()));
            coll::allreduce(
                port,
                &rules,
                team,
                reduction,
                coll::Vector {
                    send,
                    recv,
                    count: 6,
                },
            )
        });
    }
}

fn every_log_rule() -> Rules {
    Rules {
        allgather_algorithm: Some(coll::rules::Allgather::Bruck),
        alltoall_algorithm: Some(coll::rules::Alltoall::Bruck),
        allreduce_algorithm: Some(coll::rules::Allreduce::Rabenseifner),
        ..Rules::default()
    }
}
