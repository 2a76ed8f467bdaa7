//! Views against a list of bytes: runs, positions and the end of the file.

use std::sync::Arc;

use datatype::constants::MPI_INT;
use datatype::{predefined, Datatype};
use io::{Error, Representation, Run, View};
use proptest::prelude::*;

fn int() -> Arc<Datatype> {
    predefined(MPI_INT).unwrap().clone()
}

fn view(displacement: u64, filetype: Datatype) -> View {
    let filetype = Arc::new(filetype);
    View::new(displacement, &int(), &filetype, Representation::Native).unwrap()
}

fn runs(view: &View, offset: u64, bytes: u64) -> Vec<(u64, u64)> {
    let runs = view.runs(offset, bytes).unwrap();
    runs.map(|run: Run| (run.offset, run.length)).collect()
}

#[test]
fn a_dense_view_is_one_run() {
    let view = view(100, Datatype::contiguous(3, &int()).unwrap());
    assert!(view.is_contiguous());
    assert_eq!(runs(&view, 5, 1 << 50), [(120, 1 << 50)]);
    assert_eq!(view.byte_offset(7), Ok(128));
    assert_eq!(view.end(100 + 12 + 5), 5);
    assert_eq!(view.end(3), 0);
}

#[test]
fn tiles_repeat_and_touching_runs_are_joined() {
    // Two integers at 4 and 8 of every 16 bytes; then one whose runs touch at the seams.
    let inner = Arc::new(Datatype::hindexed_block(2, &[4], &int()).unwrap());
    let gaps = view(0, Datatype::resized(&inner, 0, 16).unwrap());
    assert_eq!(runs(&gaps, 1, 16), [(8, 4), (20, 8), (36, 4)]);
    assert_eq!(gaps.byte_offset(3), Ok(24));
    let seam = view(0, Datatype::hindexed(&[1, 1], &[0, 8], &int()).unwrap());
    assert_eq!(runs(&seam, 0, 16), [(0, 4), (8, 8), (20, 4)]);
}

#[test]
fn long_views_need_no_list() {
    let vector = Datatype::hvector(1 << 40, 1, 8, &int()).unwrap();
    let view = view(0, vector);
    let first = 1 << 39;
    let mut list = view.runs(first, 1 << 42).unwrap();
    assert_eq!(list.next().map(|run| run.offset), Some(first * 8));
    assert_eq!(view.end(8 * first + 1), first + 1);
    let last = view.runs(0, 1 << 20).unwrap().count();
    assert_eq!(last, 1 << 18);
}

#[test]
fn bad_views_and_positions_are_refused() {
    let refuse = |etype: &Arc<Datatype>, filetype: Datatype| {
        View::new(0, etype, &Arc::new(filetype), Representation::Native).unwrap_err()
    };
    let below = Datatype::hindexed(&[1, 1], &[8, 0], &int()).unwrap();
    assert!(matches!(refuse(&int(), below), Error::Descends { .. }));
    let negative = Datatype::hindexed(&[1], &[-4], &int()).unwrap();
    assert!(matches!(refuse(&int(), negative), Error::Descends { .. }));
    let bytes = predefined(0x247).unwrap();
    let three = Datatype::contiguous(3, bytes).unwrap();
    assert!(matches!(refuse(&int(), three), Error::NotOfEtypes { .. }));
    let none = Arc::new(Datatype::contiguous(0, &int()).unwrap());
    let whole = Datatype::contiguous(1, &int()).unwrap();
    assert_eq!(refuse(&none, whole), Error::EmptyEtype);
    let far = view(1 << 62, Datatype::hvector(1, 1, 1 << 40, &int()).unwrap());
    assert!(far.runs(1 << 61, 4).is_err());
    assert!(far.byte_offset(u64::MAX).is_err());
    assert!(far.runs(0, u64::MAX).is_err());
}

/// Filetypes of one to six blocks of integers, with gaps of none to three in between.
fn filetypes() -> impl Strategy<Value = (Vec<(i64, i64)>, i64)> {
    let block = (1i64..4, 0i64..4);
    (prop::collection::vec(block, 1..6), 0i64..4)
}

proptest! {
    #[test]
    fn any_part_is_as_the_list_of_bytes(
        (blocks, tail) in filetypes(),
        displacement in 0u64..50,
        offset in 0u64..200,
        ints in 0u64..3000,
    ) {
        let (mut lengths, mut places, mut at) = (vec![], vec![], 0);
        for (length, gap) in &blocks {
            at += gap * 4;
            lengths.push(*length);
            places.push(at);
            at += length * 4;
        }
        let extent = at + tail * 4;
        let inner = Arc::new(Datatype::hindexed(&lengths, &places, &int()).unwrap());
        let view = view(displacement, Datatype::resized(&inner, 0, extent).unwrap());
        // The position of each integer of data.
        let tile: Vec<u64> = places.iter().zip(&lengths)
            .flat_map(|(place, length)| (0..*length).map(move |i| (place + i * 4) as u64))
            .collect();
        let byte = |index: u64| {
            let (tiles, inside) = (index / tile.len() as u64, index as usize % tile.len());
            displacement + tiles * extent as u64 + tile[inside]
        };
        let mut expected: Vec<(u64, u64)> = Vec::new();
        for index in offset..offset + ints {
            match expected.last_mut() {
                Some(last) if last.0 + last.1 == byte(index) => last.1 += 4,
                _ => expected.push((byte(index), 4)),
            }
        }
        prop_assert_eq!(runs(&view, offset, ints * 4), expected);
        prop_assert_eq!(view.byte_offset(offset), Ok(byte(offset)));
        let size = offset * 3;
        let end = (0..).find(|index| byte(*index) >= size).unwrap();
        prop_assert_eq!(view.end(size), if size <= displacement { 0 } else { end });
    }
}
