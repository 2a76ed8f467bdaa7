//! Collective access by one to five ranks to a file in memory, against an array of bytes.

#[path = "../../coll/tests/common/mod.rs"]
mod network;

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use base::Mutex;
use coll::Rules;
use datatype::Datatype;
use memory::Scratch;

use common::{MemoryFile, Near, Tile};
use io::plan::{Settings, Switch};
use io::two_phase::begin;
use io::{Access, Direction, Failure, Independent, Neighbours, Outcome};
use network::{data, element, intra, Area, ELEMENT};
use proptest::prelude::*;

/// Layout of memory.
#[derive(Clone, Copy, Debug)]
enum Memory {
    Dense,
    /// Runs of an element or less, with gaps between.
    Gaps,
    /// Runs of a little more than a page, with gaps between.
    Pages,
}

/// Elements of a run of [`Memory::Pages`].
const PAGE: usize = 544;

impl Memory {
    fn datatype(self) -> Arc<Datatype> {
        match self {
            Memory::Dense => element(0),
            Memory::Gaps => element(1),
            Memory::Pages => {
                let run = Datatype::contiguous(PAGE as i64, &element(0)).unwrap();
                let extent = (PAGE * ELEMENT + 64) as i64;
                Arc::new(Datatype::resized(&Arc::new(run), 0, extent).unwrap())
            }
        }
    }

    /// Memory for `len` bytes.
    fn area(self, len: usize) -> Area {
        let datatype = self.datatype();
        Area::new(&datatype, len / datatype.size() as usize)
    }
}

/// A collective access by all ranks.
#[derive(Clone, Debug)]
struct Case {
    tile: Tile,
    /// Position and elements of each rank's access.
    accesses: Vec<(u64, usize)>,
    /// Layout of its memory.
    memory: Memory,
    settings: Settings,
    old: Vec<u8>,
    has_locks: bool,
    seed: u64,
    /// The processes that reach each other's memory, and copies until one fails.
    near: Option<(u32, usize)>,
}

/// An access by all ranks of a world of its own.
struct Together<'a> {
    file: &'a Arc<MemoryFile>,
    direction: Direction,
    tile: &'a Tile,
    /// Position of each rank's access.
    positions: &'a [u64],
    areas: &'a [Area],
    settings: &'a Settings,
    seed: u64,
}

impl Together<'_> {
    /// Runs the access; each rank calls `ended` when it comes back.
    fn run(
        &self,
        neighbours: impl Fn(u32) -> Option<Arc<dyn Neighbours>>,
        ended: impl Fn(u32) + Clone + Send + 'static,
    ) -> Vec<Arc<Mutex<Outcome>>> {
        let outcomes: Vec<Arc<Mutex<Outcome>>> =
            self.areas.iter().map(|_| Arc::default()).collect();
        intra(self.areas.len() as u32, self.seed, |port, team| {
            let rank = team.rank as usize;
            let view = self.tile.view(team.rank);
            let access = Access {
                storage: self.file.clone(),
                ordered: view.is_ordered(),
                view: Arc::new(view),
                position: self.positions[rank],
                buffer: self.areas[rank].buffer.clone(),
                neighbours: neighbours(team.rank),
            };
            let all = begin(
                port,
                &Rules::default(),
                team,
                self.direction,
                self.settings.clone(),
                access.clone(),
                independently(self.direction, access),
                outcomes[rank].clone(),
            );
            let ended = ended.clone();
            Box::pin(async move {
                all.await?;
                ended(team.rank);
                Ok(())
            })
        });
        outcomes
    }
}

/// Settings with which aggregators access the file.
fn through(aggregators: &[u32], buffer_bytes: u64, alignment: u64) -> Settings {
    Settings {
        read: Switch::Enable,
        write: Switch::Enable,
        aggregators: aggregators.into(),
        buffer_bytes,
        alignment,
        calls_are_cheap: false,
        sieve: Switch::Automatic,
    }
}

fn near(rank: u32, bit: u32, good: usize) -> Arc<Near> {
    Arc::new(Near {
        rank,
        bit,
        good: good.into(),
        copies: AtomicUsize::new(0),
    })
}

fn switches() -> impl Strategy<Value = Switch> {
    prop::sample::select(vec![Switch::Enable, Switch::Disable, Switch::Automatic])
}

fn settings(ranks: u32) -> impl Strategy<Value = Settings> {
    let aggregators = prop::sample::subsequence((0..ranks).collect::<Vec<_>>(), 1..=ranks as usize);
    let numbers = (1u64..200, 1u64..40);
    (aggregators.prop_shuffle(), numbers, switches(), switches()).prop_map(
        |(aggregators, (buffer_bytes, alignment), sieve, switch)| Settings {
            read: switch,
            write: switch,
            aggregators: aggregators.into(),
            buffer_bytes,
            alignment,
            calls_are_cheap: false,
            sieve,
        },
    )
}

fn cases() -> impl Strategy<Value = Case> {
    (1u32..6).prop_flat_map(|ranks| {
        let blocks = prop::collection::vec((0..ranks + 1, 1u64..30), 1..12);
        let tile = (0u64..100, blocks);
        let accesses = prop::collection::vec((0u64..60, 0usize..40), ranks as usize);
        let old = prop::collection::vec(any::<u8>(), 0..900);
        let memory = prop::sample::select(vec![Memory::Dense, Memory::Gaps]);
        let rest = (memory, settings(ranks), old, any::<bool>(), 0u64..1 << 20);
        (tile, accesses, rest).prop_map(|(tile, accesses, rest)| Case {
            tile: Tile {
                displacement: tile.0,
                blocks: tile.1,
            },
            accesses,
            memory: rest.0,
            settings: rest.1,
            old: rest.2,
            has_locks: rest.3,
            seed: rest.4,
            near: None,
        })
    })
}

impl Case {
    /// A rank without a block in the tile has a view without data, and accesses nothing.
    fn len(&self, rank: u32) -> usize {
        match self.tile.view(rank).filetype().size() {
            0 => 0,
            _ => self.accesses[rank as usize].1 * ELEMENT,
        }
    }

    /// Positions in the file of a rank's data.
    fn positions(&self, rank: u32) -> Vec<u64> {
        let from = self.accesses[rank as usize].0 as usize;
        self.tile.positions(rank, from, self.len(rank))
    }

    /// Runs the access. Ranks that are to write do so from `areas`.
    fn run(
        &self,
        file: &Arc<MemoryFile>,
        direction: Direction,
        areas: &[Area],
    ) -> Vec<Arc<Mutex<Outcome>>> {
        let positions: Vec<u64> = self
            .accesses
            .iter()
            .map(|(position, _)| *position)
            .collect();
        let together = Together {
            file,
            direction,
            tile: &self.tile,
            positions: &positions,
            areas,
            settings: &self.settings,
            seed: self.seed,
        };
        let near = |rank| self.near.map(|(bit, good)| near(rank, bit, good) as Arc<_>);
        together.run(near, |_| ())
    }

    fn file(&self) -> MemoryFile {
        let mut file = MemoryFile::new(&self.old);
        file.has_locks = self.has_locks;
        file.puts_off = self.seed % 2 == 1;
        file
    }

    fn areas(&self) -> Vec<Area> {
        let ranks = 0..self.accesses.len() as u32;
        let memory = self.memory.datatype();
        let area = |rank| Area::holding(&memory, &data(rank as usize, self.len(rank)));
        ranks.map(area).collect()
    }
}

/// Accesses the file run by run.
fn independently(direction: Direction, access: Access) -> Independent {
    Box::new(move || {
        let len = access.buffer.len();
        let (memory, mut at) = (Scratch::new(len), 0);
        access.buffer.pack_to_user(0, memory.buf());
        for run in access.view.data_runs(access.position, len as u64).unwrap() {
            let part = memory.buf().part(at, run.length as usize);
            let done = match direction {
                Direction::Write => access
                    .storage
                    .write(run.offset, part)
                    .map(|()| part.len())?,
                Direction::Read => access.storage.read(run.offset, part)?,
            };
            at += done;
            if done < part.len() {
                break;
            }
        }
        if direction == Direction::Read {
            access.buffer.unpack_from_user(0, memory.buf().part(0, at));
        }
        Ok(at as u64)
    })
}

/// Accesses of so much data in so long runs that aggregators reach memory and write beside.
fn large_cases() -> impl Strategy<Value = Case> {
    let memory = prop::sample::select(vec![Memory::Dense, Memory::Gaps, Memory::Pages]);
    let bits = prop::sample::select(vec![0u32, 1, 7]);
    let scaled = (cases(), bits, 0usize..6, memory);
    scaled.prop_map(|(mut case, bit, good, memory)| {
        case.memory = memory;
        for (_, length) in &mut case.tile.blocks {
            *length *= 600;
        }
        for (_, elements) in &mut case.accesses {
            *elements *= 2 * PAGE;
        }
        case.settings.buffer_bytes *= 2000;
        case.settings.alignment *= 100;
        case.near = Some((bit, good));
        case
    })
}

/// Windows are written while the next one is filled, and memory is reached, in the cases above.
#[test]
fn large_cases_go_beside_and_in_place() {
    let mut file = MemoryFile::new(&[]);
    file.puts_off = true;
    let file = Arc::new(file);
    let tile = Tile {
        displacement: 0,
        blocks: vec![(0, 5000), (1, 5000)],
    };
    let areas = [0, 1].map(|rank| Area::holding(&element(0), &data(rank, 400_000)));
    let nears = [0, 1].map(|rank| near(rank, 7, 99));
    for direction in [Direction::Write, Direction::Read] {
        let together = Together {
            file: &file,
            direction,
            tile: &tile,
            positions: &[0, 0],
            areas: &areas,
            settings: &through(&[1], 400_000, 1),
            seed: 5,
        };
        together.run(|rank| Some(nears[rank as usize].clone()), |_| ());
    }
    // Four windows of 200,000 bytes: three are written beside, all are filled and read in place.
    assert_eq!(file.late.load(Ordering::Relaxed), 3);
    let copies = nears.map(|near| near.copies.load(Ordering::Relaxed));
    assert_eq!(copies, [0, 8]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn all_write(case in prop_oneof![4 => cases(), 1 => large_cases()]) {
        let (file, areas) = (Arc::new(case.file()), case.areas());
        let outcomes = case.run(&file, Direction::Write, &areas);
        let mut expected = case.old.clone();
        for (rank, area) in areas.iter().enumerate() {
            for (at, byte) in case.positions(rank as u32).into_iter().zip(area.packed()) {
                if expected.len() <= at as usize {
                    expected.resize(at as usize + 1, 0);
                }
                expected[at as usize] = byte;
            }
            let outcome = outcomes[rank].lock();
            prop_assert!(outcome.failure.is_none());
            prop_assert_eq!(outcome.bytes, area.buffer.len() as u64);
        }
        prop_assert_eq!(file.content(), expected);
    }

    #[test]
    fn all_read(case in prop_oneof![4 => cases(), 1 => large_cases()]) {
        let file = Arc::new(case.file());
        let area = |rank| case.memory.area(case.len(rank));
        let areas: Vec<Area> = (0..case.accesses.len() as u32).map(area).collect();
        let untouched = |rank: usize| case.memory.area(case.len(rank as u32));
        let outcomes = case.run(&file, Direction::Read, &areas);
        for (rank, area) in areas.iter().enumerate() {
            let positions = case.positions(rank as u32);
            let bytes = positions.iter().map_while(|at| case.old.get(*at as usize).copied());
            let mut expected: Vec<u8> = bytes.collect();
            let outcome = outcomes[rank].lock();
            prop_assert!(outcome.failure.is_none());
            prop_assert_eq!(outcome.bytes, expected.len() as u64);
            expected.extend(&untouched(rank).packed()[expected.len()..]);
            area.expect(&expected, "what was read");
        }
    }

    /// A rank with data at an aggregator that fails learns of it, and no rank hangs.
    #[test]
    fn a_failure_is_everybodys(case in cases(), broken in 0u64..600) {
        let mut file = case.file();
        file.broken = Some(broken);
        let (file, areas) = (Arc::new(file), case.areas());
        let outcomes = case.run(&file, Direction::Write, &areas);
        for (rank, outcome) in outcomes.iter().enumerate() {
            let hit = case.positions(rank as u32).contains(&broken);
            let outcome = outcome.lock();
            prop_assert!(outcome.failure.is_some() || !hit, "rank {} wrote {}", rank, broken);
            if let Some(Failure::Aggregator { rank, error }) = &outcome.failure {
                prop_assert_eq!(error.raw_os_error(), Some(libc::ENOSPC));
                prop_assert!(case.settings.aggregators.contains(rank));
            }
        }
        case.run(&file, Direction::Read, &areas);
    }
}

/// An aggregator that fills gaps writes bytes which are nobody's data as it has read them before.
/// A rank that came back from the call earlier may have written there meanwhile, which MPI allows:
/// its bytes were lost. No rank comes back before all gaps are filled.
#[test]
fn nobody_comes_back_while_gaps_are_filled() {
    for seed in 0..40 {
        // Rank 1 has one run, in its own part of the file; rank 0 many, with gaps.
        let many = [[(0, 4), (9, 2)]; 30].concat();
        let tile = Tile {
            displacement: 0,
            blocks: [many, vec![(1, 24)]].concat(),
        };
        let file = Arc::new(MemoryFile::new(&[7; 300]));
        let ended: Arc<Mutex<Option<usize>>> = Arc::default();
        let areas = [
            Area::holding(&element(0), &data(0, 120)),
            Area::holding(&element(0), &data(1, 24)),
        ];
        let together = Together {
            file: &file,
            direction: Direction::Write,
            tile: &tile,
            positions: &[0, 0],
            areas: &areas,
            settings: &through(&[0, 1], 40, 180),
            seed,
        };
        let (locks_of, back) = (file.clone(), ended.clone());
        together.run(
            |_| None,
            move |rank| {
                if rank == 1 {
                    let locks = locks_of.locks.load(Ordering::Relaxed);
                    *back.lock() = Some(locks);
                }
            },
        );
        let locks = file.locks.load(Ordering::Relaxed);
        assert!(locks > 3, "{locks} locks");
        assert_eq!(*ended.lock(), Some(locks), "seed {seed}");
    }
}
