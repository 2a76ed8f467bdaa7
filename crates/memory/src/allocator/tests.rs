//! Both allocators beside a list of what they gave.

use std::ops::Range;

use proptest::prelude::*;

use super::{Allocator, Basic, Bucket, NotGiven};

#[derive(Clone, Debug)]
enum Act {
    Allocate { bytes: usize, alignment: usize },
    Free { which: usize },
    FreeStranger { address: usize },
    TakeUnused,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (0..6000usize, 0..13u32)
            .prop_map(|(bytes, power)| Act::Allocate { bytes, alignment: 1 << power }),
        4 => (0..16usize).prop_map(|which| Act::Free { which }),
        1 => (0..70_000usize).prop_map(|address| Act::FreeStranger { address }),
        1 => Just(Act::TakeUnused),
    ];
    prop::collection::vec(act, 1..100)
}

/// The memory that an allocator was given and has handed out.
#[derive(Default)]
struct Model {
    /// Where the next segment goes: touching the one before, or apart from it.
    next: usize,
    segments: Vec<Range<usize>>,
    given: Vec<Range<usize>>,
}

impl Model {
    fn allocate(&mut self, allocator: &mut dyn Allocator, bytes: usize, alignment: usize) {
        let address = allocator.allocate(bytes, alignment).unwrap_or_else(|| {
            let len = allocator.segment_bytes(bytes, alignment).unwrap();
            self.segments.push(self.next..self.next + len);
            allocator.add(self.next..self.next + len);
            self.next += len + [0, 8, 4096][self.segments.len() % 3];
            let again = allocator.allocate(bytes, alignment);
            again.expect("room in a segment of the length that it asked for")
        });
        assert_eq!(address % alignment, 0);
        let given = address..address + bytes.max(1);
        let inside =
            |segment: &Range<usize>| segment.start <= given.start && given.end <= segment.end;
        assert!(self.segments.iter().any(inside), "{given:?} is outside");
        let overlaps = |other: &&Range<usize>| other.start < given.end && given.start < other.end;
        assert_eq!(self.given.iter().find(overlaps), None, "{given:?}");
        self.given.push(given);
    }

    fn take_unused(&mut self, allocator: &mut dyn Allocator) -> bool {
        let used = |segment: &Range<usize>| self.given.iter().any(|g| segment.contains(&g.start));
        let Some(segment) = allocator.take_unused() else {
            assert!(self.segments.iter().all(used), "an unused one is kept");
            return false;
        };
        assert!(!used(&segment));
        let at = self.segments.iter().position(|own| *own == segment);
        self.segments.swap_remove(at.expect("a segment of its own"));
        true
    }

    fn play(mut self, allocator: &mut dyn Allocator, acts: &[Act]) {
        for act in acts {
            match *act {
                Act::Allocate { bytes, alignment } => self.allocate(allocator, bytes, alignment),
                Act::Free { which } if !self.given.is_empty() => {
                    let given = self.given.swap_remove(which % self.given.len());
                    assert!(allocator.free(given.start).unwrap() >= given.len());
                    let again = allocator.free(given.start);
                    assert_eq!(again, Err(NotGiven(given.start)));
                }
                Act::Free { .. } => {}
                Act::FreeStranger { address } => {
                    if self.given.iter().all(|given| given.start != address) {
                        assert_eq!(allocator.free(address), Err(NotGiven(address)));
                    }
                }
                Act::TakeUnused => drop(self.take_unused(allocator)),
            }
        }
        for given in std::mem::take(&mut self.given) {
            allocator.free(given.start).unwrap();
        }
        while self.take_unused(allocator) {}
        assert_eq!(self.segments, []);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_basic_gives_is_aligned_inside_and_given_once(acts in acts(), next in 0..100usize) {
        let model = Model { next, ..Model::default() };
        model.play(&mut Basic::new(), &acts);
    }

    #[test]
    fn what_bucket_gives_is_aligned_inside_and_given_once(acts in acts(), next in 0..100usize) {
        let model = Model { next, ..Model::default() };
        model.play(&mut Bucket::new(30), &acts);
    }
}

#[test]
fn basic_joins_what_is_freed() {
    let mut basic = Basic::new();
    basic.add(4096..8192);
    let parts: Vec<usize> = (0..4).map(|_| basic.allocate(1024, 1).unwrap()).collect();
    assert_eq!(basic.allocate(1, 1), None);
    for at in [1, 3, 0, 2] {
        basic.free(parts[at]).unwrap();
    }
    assert_eq!(basic.allocate(4096, 4096), Some(4096));
}

#[test]
fn sizes_past_every_address_are_refused() {
    for bytes in [usize::MAX, usize::MAX / 2 + 2] {
        assert_eq!(Basic::new().allocate(bytes, 64), None);
        assert_eq!(Bucket::new(60).allocate(bytes, 64), None);
        assert_eq!(Bucket::new(60).segment_bytes(bytes, 64), None);
    }
    assert_eq!(Basic::new().segment_bytes(usize::MAX, 64), None);
    assert_eq!(
        Bucket::new(4).segment_bytes(1024, 1),
        None,
        "four sizes: up to 512"
    );
}
