//! [`Layout`]: the offsets of a datatype's bytes, as a small program.
//!
//! A [`Layout`] lists the bytes in type map order, which is the order they have in a packed
//! message. Neighbouring bytes are merged, repetition stays a loop (a vector of 10^9 blocks is
//! one `Strided`), and irregular lists keep the running packed position of each entry, so that
//! any packed position is found by division and binary search: [`Layout::walk`] starts in the
//! middle of an element as cheaply as at its beginning, and nothing has to be remembered
//! between two fragments.
//!
//! Offsets were checked when the datatype was built, and again for the count when the buffer
//! was, so the arithmetic here cannot overflow.

use std::sync::Arc;

/// Lists are copied into a longer list, instead of nested, while that has fewer entries.
const INLINE_ENTRIES: usize = 4096;

/// Longest strided run, in blocks, that is spelled out when it meets other blocks.
const INLINE_BLOCKS: usize = 8;

/// Largest items, in bytes, that a sink gets many at a time.
const TABLE_BYTES: usize = 1024;

/// Most strided blocks of an item that a sink gets many at a time.
const GRID_BLOCKS: usize = 64;

/// A type map as a program. All positions count packed bytes, all offsets are from the buffer.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    /// No bytes.
    Empty,
    /// One contiguous run.
    Block { offset: i64, len: usize },
    /// `count` runs of `len` bytes, `stride` apart.
    Strided {
        offset: i64,
        len: usize,
        count: usize,
        stride: i64,
    },
    /// Runs in any order; the last entry only closes the list.
    Blocks { offset: i64, list: Arc<[Entry]> },
    /// Runs of `len` bytes in any order.
    Places {
        offset: i64,
        len: usize,
        places: Arc<[i64]>,
    },
    /// `count` times `item`, `stride` apart. The item has bytes.
    Repeat {
        offset: i64,
        count: usize,
        stride: i64,
        item: Arc<Layout>,
    },
    /// Different layouts one after the other.
    Sequence {
        offset: i64,
        parts: Arc<[SequencePart]>,
        size: usize,
    },
}

/// An entry of a block list: the run ends where the next entry starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) offset: i64,
    pub(crate) start: usize,
}

/// The shape of an item of strided runs: `count` of `len` bytes, `stride` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) len: usize,
    pub(crate) count: usize,
    pub(crate) stride: isize,
}

/// A part of a sequence and the packed position at which it starts.
#[derive(Debug)]
pub(crate) struct SequencePart {
    start: usize,
    pub(crate) layout: Layout,
}

/// Receives the contiguous runs of a walk, in packed order.
pub(crate) trait Sink {
    /// Receives `len` bytes at `offset`.
    fn block(&mut self, offset: i64, len: usize);

    /// Receives `count` times `len` bytes, the first at `offset`, `stride` apart.
    fn strided(&mut self, offset: i64, stride: i64, len: usize, count: usize) {
        for index in 0..count {
            self.block(moved(offset, index as i64 * stride), len);
        }
    }

    /// Receives `count` times the runs of `grid`, the first at `offset`, `stride` apart.
    fn grid(&mut self, offset: i64, stride: i64, grid: &Grid, count: usize) {
        for index in 0..count {
            let offset = moved(offset, index as i64 * stride);
            self.strided(offset, grid.stride as i64, grid.len, grid.count);
        }
    }

    /// Receives the runs of `list`, moved by `base`. There are two entries or more.
    fn list(&mut self, base: i64, list: &[Entry]) {
        for pair in list.windows(2) {
            self.block(moved(base, pair[0].offset), pair[1].start - pair[0].start);
        }
    }

    /// Receives runs of `len` bytes at `places`, moved by `base`.
    fn places(&mut self, base: i64, places: &[i64], len: usize) {
        for place in places {
            self.block(moved(base, *place), len);
        }
    }

    /// Receives `count` times the `runs` (offset and length), `size` bytes in all, the first
    /// moved by `base`, `stride` apart.
    fn table<I>(&mut self, base: i64, stride: i64, count: usize, size: usize, runs: I)
    where
        I: Iterator<Item = (i64, usize)> + Clone,
    {
        let _ = size;
        for index in 0..count {
            let base = moved(base, index as i64 * stride);
            for (offset, len) in runs.clone() {
                self.block(moved(base, offset), len);
            }
        }
    }
}

/// Returns the sum of two offsets. Its data lies in memory, but a type map may get there by offsets
/// that do not.
pub(crate) fn moved(base: i64, by: i64) -> i64 {
    base.wrapping_add(by)
}

impl Layout {
    /// `count` times `item`, `stride` apart.
    pub(crate) fn repeat(item: &Arc<Layout>, count: usize, stride: i64) -> Layout {
        match (&**item, count) {
            (Layout::Empty, _) | (_, 0) => Layout::Empty,
            (one, 1) => one.clone(),
            (&Layout::Block { offset, len }, _) if stride == len as i64 => Layout::Block {
                offset,
                len: len * count,
            },
            (&Layout::Block { offset, len }, _) => Layout::Strided {
                offset,
                len,
                count,
                stride,
            },
            (
                &Layout::Strided {
                    offset,
                    len,
                    count: inner,
                    stride: step,
                },
                _,
            ) if stride == step * inner as i64 => Layout::Strided {
                offset,
                len,
                count: inner * count,
                stride: step,
            },
            _ => Layout::Repeat {
                offset: 0,
                count,
                stride,
                item: item.clone(),
            },
        }
    }

    /// Returns the layout moved by `by`.
    pub(crate) fn shifted(&self, by: i64) -> Layout {
        let mut layout = self.clone();
        match &mut layout {
            Layout::Empty => {}
            Layout::Block { offset, .. }
            | Layout::Strided { offset, .. }
            | Layout::Blocks { offset, .. }
            | Layout::Places { offset, .. }
            | Layout::Repeat { offset, .. }
            | Layout::Sequence { offset, .. } => *offset = moved(*offset, by),
        }
        layout
    }

    /// Packed bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Layout::Empty => 0,
            Layout::Block { len, .. } => *len,
            Layout::Strided { len, count, .. } => len * count,
            Layout::Blocks { list, .. } => list[list.len() - 1].start,
            Layout::Places { len, places, .. } => len * places.len(),
            Layout::Repeat { count, item, .. } => count * item.size(),
            Layout::Sequence { size, .. } => *size,
        }
    }

    /// Passes `sink` the runs of the packed bytes `from..to`, moved by `base`.
    ///
    /// The range lies inside `0..size`.
    pub(crate) fn walk<S: Sink>(&self, base: i64, from: usize, to: usize, sink: &mut S) {
        match self {
            Layout::Empty => {}
            Layout::Block { offset, .. } => {
                if to > from {
                    sink.block(moved(base, *offset) + from as i64, to - from);
                }
            }
            Layout::Strided {
                offset,
                len,
                stride,
                ..
            } => {
                walk_strided(moved(base, *offset), *len, *stride, from, to, sink);
            }
            Layout::Blocks { offset, list } => {
                walk_list(list, moved(base, *offset), from, to, sink)
            }
            Layout::Places {
                offset,
                len,
                places,
            } => {
                walk_places(places, *len, moved(base, *offset), from, to, sink);
            }
            Layout::Repeat {
                offset,
                stride,
                item,
                ..
            } => {
                item.walk_items(moved(base, *offset), *stride, from, to, sink);
            }
            Layout::Sequence {
                offset,
                parts,
                size,
            } => {
                walk_parts(parts, *size, moved(base, *offset), from, to, sink);
            }
        }
    }

    /// Walks the packed bytes `from..to` of many items, `stride` apart, the first at `base`.
    pub(crate) fn walk_items<S: Sink>(
        &self,
        base: i64,
        stride: i64,
        from: usize,
        to: usize,
        sink: &mut S,
    ) {
        if let Layout::Block { offset, len } = *self {
            return walk_strided(moved(base, offset), len, stride, from, to, sink);
        }
        let size = self.size();
        if from >= to || size == 0 {
            return;
        }
        let mut index = from / size;
        let begin = from % size;
        let mut left = to - from;
        if begin > 0 {
            let end = size.min(begin + left);
            self.walk(moved(base, index as i64 * stride), begin, end, sink);
            left -= end - begin;
            index += 1;
        }
        let whole = left / size;
        self.walk_whole(moved(base, index as i64 * stride), stride, whole, sink);
        left -= whole * size;
        index += whole;
        if left > 0 {
            self.walk(moved(base, index as i64 * stride), 0, left, sink);
        }
    }

    /// Passes `sink` all runs, moved by `base`, without the divisions by which [`Layout::walk`]
    /// finds a position.
    fn walk_all<S: Sink>(&self, base: i64, sink: &mut S) {
        match self {
            Layout::Empty => {}
            Layout::Block { offset, len } => sink.block(moved(base, *offset), *len),
            Layout::Strided {
                offset,
                len,
                count,
                stride,
            } => sink.strided(moved(base, *offset), *stride, *len, *count),
            Layout::Blocks { offset, list } => sink.list(moved(base, *offset), list),
            Layout::Places {
                offset,
                len,
                places,
            } => sink.places(moved(base, *offset), places, *len),
            Layout::Repeat {
                offset,
                count,
                stride,
                item,
            } => item.walk_whole(moved(base, *offset), *stride, *count, sink),
            Layout::Sequence { offset, parts, .. } => {
                let base = moved(base, *offset);
                (parts.iter()).for_each(|part| part.layout.walk_all(base, sink));
            }
        }
    }

    /// Walks `count` whole items, `stride` apart, the first at `base`.
    pub(crate) fn walk_whole<S: Sink>(&self, base: i64, stride: i64, count: usize, sink: &mut S) {
        if count == 1 {
            return self.walk_all(base, sink);
        }
        let size = self.size();
        match self {
            &Layout::Block { offset, len } if count > 1 => {
                sink.strided(moved(base, offset), stride, len, count);
            }
            &Layout::Strided {
                offset,
                len,
                count: inner,
                stride: step,
            } if inner <= GRID_BLOCKS && count > 1 => {
                let grid = Grid {
                    len,
                    count: inner,
                    stride: step as isize,
                };
                sink.grid(moved(base, offset), stride, &grid, count);
            }
            Layout::Blocks { offset, list } if size <= TABLE_BYTES && count > 1 => {
                let run = |pair: &[Entry]| (pair[0].offset, pair[1].start - pair[0].start);
                let runs = list.windows(2).map(run);
                sink.table(moved(base, *offset), stride, count, size, runs);
            }
            Layout::Places {
                offset,
                len,
                places,
            } if size <= TABLE_BYTES && count > 1 => {
                let runs = places.iter().map(|place| (*place, *len));
                sink.table(moved(base, *offset), stride, count, size, runs);
            }
            _ => {
                for index in 0..count as i64 {
                    self.walk_all(moved(base, index * stride), sink);
                }
            }
        }
    }
}

fn walk_strided<S: Sink>(base: i64, len: usize, stride: i64, from: usize, to: usize, sink: &mut S) {
    if from >= to {
        return;
    }
    let mut index = (from / len) as i64;
    let begin = from % len;
    let mut left = to - from;
    if begin > 0 {
        let end = len.min(begin + left);
        sink.block(moved(base, index * stride) + begin as i64, end - begin);
        left -= end - begin;
        index += 1;
    }
    let whole = left / len;
    if whole > 0 {
        sink.strided(moved(base, index * stride), stride, len, whole);
        index += whole as i64;
        left -= whole * len;
    }
    if left > 0 {
        sink.block(moved(base, index * stride), left);
    }
}

fn walk_list<S: Sink>(list: &[Entry], base: i64, from: usize, to: usize, sink: &mut S) {
    if from >= to {
        return;
    }
    let after = |position| list.partition_point(|entry| entry.start <= position);
    let part = |entry: Entry, from: usize| moved(base, entry.offset) + (from - entry.start) as i64;
    let (mut first, last) = (after(from) - 1, after(to) - 1);
    let begin = list[first].start;
    if begin < from {
        let end = list[first + 1].start.min(to);
        sink.block(part(list[first], from), end - from);
        if end == to {
            return;
        }
        first += 1;
    }
    if last > first {
        sink.list(base, &list[first..=last]);
    }
    let begin = list[last].start;
    if begin < to {
        sink.block(part(list[last], begin), to - begin);
    }
}

fn walk_places<S: Sink>(
    places: &[i64],
    len: usize,
    base: i64,
    from: usize,
    to: usize,
    sink: &mut S,
) {
    if from >= to {
        return;
    }
    let (mut first, last) = (from / len, to / len);
    let begin = from % len;
    if begin > 0 {
        let end = len.min(begin + (to - from));
        sink.block(moved(base, places[first]) + begin as i64, end - begin);
        if begin + (to - from) <= len {
            return;
        }
        first += 1;
    }
    if last > first {
        sink.places(base, &places[first..last], len);
    }
    if !to.is_multiple_of(len) {
        sink.block(moved(base, places[last]), to % len);
    }
}

fn walk_parts<S: Sink>(
    parts: &[SequencePart],
    size: usize,
    base: i64,
    from: usize,
    to: usize,
    sink: &mut S,
) {
    let mut at = parts
        .partition_point(|part| part.start <= from)
        .saturating_sub(1);
    let mut position = from;
    while position < to {
        let part = &parts[at];
        let end = parts.get(at + 1).map_or(size, |next| next.start).min(to);
        part.layout
            .walk(base, position - part.start, end - part.start, sink);
        position = end;
        at += 1;
    }
}

/// Joins layouts one after the other, merging neighbours.
#[derive(Default)]
pub(crate) struct Joiner {
    parts: Vec<Layout>,
    /// The single blocks behind the parts, and their bytes.
    run: Vec<Entry>,
    run_size: usize,
    /// Blocks and other layouts, those in the parts included.
    entries: usize,
}

impl Joiner {
    /// Makes room for many blocks.
    pub(crate) fn reserve(&mut self, blocks: usize) {
        self.run.reserve(blocks + 1);
    }

    /// Appends `layout`, moved by `by`.
    pub(crate) fn push(&mut self, layout: &Layout, by: i64) {
        match *layout {
            Layout::Empty => {}
            Layout::Block { offset, len } => self.block(moved(offset, by), len),
            Layout::Strided {
                offset,
                len,
                count,
                stride,
            } if count <= INLINE_BLOCKS => {
                for index in 0..count {
                    self.block(moved(by, moved(offset, index as i64 * stride)), len);
                }
            }
            Layout::Blocks { offset, ref list } if self.takes(list.len()) => {
                for pair in list.windows(2) {
                    self.block(
                        moved(moved(by, offset), pair[0].offset),
                        pair[1].start - pair[0].start,
                    );
                }
            }
            Layout::Places {
                offset,
                len,
                ref places,
            } if self.takes(places.len()) => {
                for place in places.iter() {
                    self.block(moved(moved(by, offset), *place), len);
                }
            }
            Layout::Sequence {
                offset, ref parts, ..
            } if self.takes(parts.len()) => {
                for part in parts.iter() {
                    match part.layout {
                        Layout::Block { .. } => self.push(&part.layout, moved(by, offset)),
                        _ => self.other(part.layout.shifted(moved(by, offset))),
                    }
                }
            }
            _ => self.other(layout.shifted(by)),
        }
    }

    /// Whether `more` entries are better copied than nested: a program must not grow beyond its
    /// constructor's arguments.
    fn takes(&self, more: usize) -> bool {
        more <= INLINE_BLOCKS || self.entries + more <= INLINE_ENTRIES
    }

    /// Appends one block.
    #[inline]
    pub(crate) fn block(&mut self, offset: i64, len: usize) {
        let start = self.run_size;
        self.run_size += len;
        if let Some(last) = self.run.last() {
            if last.offset + (start - last.start) as i64 == offset {
                return;
            }
        }
        self.entries += 1;
        self.run.push(Entry { offset, start });
    }

    fn other(&mut self, layout: Layout) {
        self.close_run();
        self.entries += 1;
        self.parts.push(layout);
    }

    fn close_run(&mut self) {
        if !self.run.is_empty() {
            let (run, size) = (std::mem::take(&mut self.run), self.run_size);
            self.run_size = 0;
            self.parts.push(blocks(run, size));
        }
    }

    /// Returns the smallest program for the pushed layouts.
    pub(crate) fn finish(mut self) -> Layout {
        self.close_run();
        if self.parts.len() <= 1 {
            return self.parts.pop().unwrap_or(Layout::Empty);
        }
        let mut size = 0;
        let place = |layout: Layout| {
            let part = SequencePart {
                start: size,
                layout,
            };
            size += part.layout.size();
            part
        };
        let parts: Arc<[SequencePart]> = self.parts.into_iter().map(place).collect();
        Layout::Sequence {
            offset: 0,
            parts,
            size,
        }
    }
}

/// Single blocks of `size` bytes in all as one layout: strided when they are evenly spaced, else a
/// list. There is at least one.
fn blocks(mut run: Vec<Entry>, size: usize) -> Layout {
    let count = run.len();
    let end = |at: usize| run.get(at + 1).map_or(size, |next| next.start);
    let (offset, len) = (run[0].offset, end(0));
    if count == 1 {
        return Layout::Block { offset, len };
    }
    if (1..count).all(|at| end(at) == (at + 1) * len) {
        let stride = run[1].offset - offset;
        let even = |at: usize| run[at].offset == offset + at as i64 * stride;
        if (1..count).all(even) {
            return Layout::Strided {
                offset,
                len,
                count,
                stride,
            };
        }
        return Layout::Places {
            offset: 0,
            len,
            places: run.iter().map(|entry| entry.offset).collect(),
        };
    }
    run.push(Entry {
        offset: 0,
        start: size,
    });
    Layout::Blocks {
        offset: 0,
        list: run.into(),
    }
}
