use super::*;

/// Bytes that differ from their neighbours and from those 256 further.
fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// Offset of block `index` of a column in `room` bytes; a negative stride begins at the end.
fn start(room: usize, len: usize, stride: isize, index: usize) -> usize {
    let first = if stride < 0 { room - len } else { 0 };
    first.wrapping_add_signed(stride * index as isize)
}

/// Packs and unpacks a column, of which there are `whole` bytes, and checks every byte.
fn both_ways(len: usize, stride: isize, count: usize, whole: usize) {
    let what = format!("{count} blocks of {len} bytes, {stride} apart");
    let room = stride.unsigned_abs() * (count - 1) + len;
    let at = |index| start(room, len, stride, index);
    let (mut far, mut row) = (bytes(room), vec![0xee; count * len + 1]);
    let first = far.as_mut_ptr().wrapping_add(at(0));
    // SAFETY: both sides have room for the blocks.
    unsafe { column::<GATHER>((first, stride), row.as_mut_ptr(), len, count, whole) };
    let blocks = (0..count).flat_map(|index| &far[at(index)..][..len]);
    assert!(blocks.eq(&row[..count * len]), "{what}");
    assert_eq!(row[count * len], 0xee, "{what}");
    let mut expected = far.clone();
    row.iter_mut().for_each(|byte| *byte = !*byte);
    for index in 0..count {
        expected[at(index)..][..len].copy_from_slice(&row[index * len..][..len]);
    }
    let first = far.as_mut_ptr().wrapping_add(at(0));
    // SAFETY: as above.
    unsafe { column::<SCATTER>((first, stride), row.as_mut_ptr(), len, count, whole) };
    assert!(far == expected, "{what}: unpacked");
}

#[test]
fn columns_of_every_length_go_both_ways_and_leave_the_gaps() {
    for len in (1..=200).chain([383, 384, 1023, 1024, 3000, 8191, 8192, 8193]) {
        let apart = len.max(3200) as isize;
        for stride in [len as isize + 3, apart, -apart] {
            for count in [1, 7, 8, 37] {
                both_ways(len, stride, count, len * count);
            }
        }
    }
}

#[test]
fn parts_of_long_columns_go_both_ways() {
    for len in [1, 2, 4, 8, 16, 32, 64] {
        for count in [1, 63, 64, 65, 1000] {
            both_ways(len, 136, count, len * 1_000_000);
        }
    }
}

#[test]
fn blocks_between_two_strides_are_the_same_blocks() {
    let (count, apart, within) = (37, 150, 90);
    for len in 1..=within {
        let (mut far, mut row) = (bytes(count * apart), vec![0; count * within]);
        let sides = (
            (far.as_mut_ptr(), apart as isize),
            (row.as_mut_ptr(), within as isize),
        );
        // SAFETY: both sides have room for the blocks.
        unsafe { strided::<GATHER>(sides.0, sides.1, len, count) };
        for (at, packed) in row.iter().enumerate() {
            let (index, byte) = (at / within, at % within);
            let expected = if byte < len {
                far[index * apart + byte]
            } else {
                0
            };
            assert_eq!(*packed, expected, "{len} bytes, at {at}");
        }
    }
}

#[test]
fn many_blocks_with_prefetching_are_the_same_blocks() {
    let (count, stride) = (MANY + 5, 136);
    let (mut far, mut row) = (bytes(count * stride), vec![0; count * 16]);
    let places: Vec<i64> = (0..count as i64).rev().map(|i| i * stride as i64).collect();
    let grid = Grid {
        len: 16,
        count: 1,
        stride: 0,
    };
    let expected: Vec<u8> = (0..count)
        .flat_map(|i| far[i * stride..][..16].to_vec())
        .collect();
    let (from, into) = ((far.as_mut_ptr(), stride as isize), row.as_mut_ptr());
    // SAFETY: both sides have room for the blocks.
    unsafe { column::<GATHER>(from, into, 16, count, 16 * count) };
    assert_eq!(row, expected);
    row.fill(0);
    let into = row.as_mut_ptr();
    // SAFETY: as above.
    unsafe { super::grid::<GATHER>(from, into, &grid, count, 16 * count) };
    assert_eq!(row, expected);
    let into = row.as_mut_ptr();
    // SAFETY: as above.
    unsafe { super::places::<GATHER>(from.0, into, &places, 16) };
    assert!(row.chunks(16).rev().eq(expected.chunks(16)));
}

#[test]
fn lists_are_the_same_with_masks_and_without() {
    let far = bytes(20_000);
    let mut list = Vec::new();
    let (mut start, mut offset) = (0, 1);
    for len in (1..=140).chain([1, 64, 65, 63, 128, 2]) {
        list.push(Entry { offset, start });
        start += len;
        offset += len as i64 + 2;
    }
    list.push(Entry { offset: 0, start });
    type Copy = unsafe fn(*mut u8, *mut u8, &[Entry]);
    let ways: [(Copy, Copy); 2] = [
        (super::list::<GATHER>, super::list::<SCATTER>),
        (list_plain::<GATHER>, list_plain::<SCATTER>),
    ];
    for (gather, scatter) in ways {
        let (mut from, mut row, mut back) = (far.clone(), vec![0; start], vec![0; far.len()]);
        // SAFETY: the list's runs lie in both, and the row has room for them.
        unsafe {
            gather(from.as_mut_ptr(), row.as_mut_ptr(), &list);
            scatter(back.as_mut_ptr(), row.as_mut_ptr(), &list);
        }
        let mut expected = vec![0; far.len()];
        for pair in list.windows(2) {
            let (at, len) = (pair[0].offset as usize, pair[1].start - pair[0].start);
            assert_eq!(row[pair[0].start..pair[1].start], far[at..at + len]);
            expected[at..at + len].copy_from_slice(&far[at..at + len]);
        }
        assert!(back == expected, "the gaps stay");
    }
}
