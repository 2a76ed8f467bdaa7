//! [`TypeMap`]: size, bounds, layout and signature of a type map, with the two operations that
//! build type maps: repeat and join.
//!
//! Bounds follow MPI 5.0, 5.1.6 and 5.1.7: data gives the true bounds; the bounds are those of
//! the parts, and once a part was resized (`bounded`), only the resized parts count. Only
//! `MPI_Type_create_struct` rounds the extent up to the strictest alignment.

use std::sync::Arc;

use crate::basic::{basic, Basic};
use crate::error::{add, mul, Error};
use crate::layout::{self, Layout};
use crate::signature::{self, Signature};

/// Everything about a datatype but its history and its name. Bytes throughout.
#[derive(Clone, Debug)]
pub(crate) struct TypeMap {
    pub(crate) size: i64,
    pub(crate) lb: i64,
    pub(crate) ub: i64,
    pub(crate) true_lb: i64,
    pub(crate) true_ub: i64,
    pub(crate) align: i64,
    /// The bounds were set by hand somewhere inside.
    pub(crate) bounded: bool,
    pub(crate) layout: Arc<Layout>,
    pub(crate) signature: Signature,
    /// The only predefined datatype among the elements.
    pub(crate) element: Option<&'static Basic>,
}

/// The lowest and the highest of some offsets.
#[derive(Clone, Copy)]
struct Bounds {
    low: i64,
    high: i64,
}

impl Bounds {
    fn join(into: &mut Option<Bounds>, other: Bounds) {
        let joined = into.map_or(other, |so_far| Bounds {
            low: so_far.low.min(other.low),
            high: so_far.high.max(other.high),
        });
        *into = Some(joined);
    }

    fn moved(self, by: i64) -> Result<Bounds, Error> {
        let what = "a bound of the datatype";
        Ok(Bounds {
            low: add(self.low, by, what)?,
            high: add(self.high, by, what)?,
        })
    }

    /// The bounds of `count` copies, `stride` apart. There is at least one.
    fn repeated(self, count: i64, stride: i64) -> Result<Bounds, Error> {
        let last = self.moved(mul(count - 1, stride, "the distance to the last block")?)?;
        Ok(Bounds {
            low: self.low.min(last.low),
            high: self.high.max(last.high),
        })
    }
}

impl TypeMap {
    /// A predefined datatype.
    pub(crate) fn basic(row: &'static Basic) -> TypeMap {
        let block = |offset, len: i64| Layout::Block {
            offset,
            len: len as usize,
        };
        let mut layout = layout::Joiner::default();
        let mut signature = signature::Joiner::default();
        let mut end = 0;
        match row.halves() {
            None => {
                layout.push(&block(0, row.size), 0);
                signature.push(&Signature::Run {
                    basic: row,
                    count: 1,
                });
                end += row.size;
            }
            Some(halves) => {
                for half in halves.into_iter().filter_map(basic) {
                    let at = (end + half.align - 1) / half.align * half.align;
                    layout.push(&block(at, half.size), 0);
                    signature.push(&Signature::Run {
                        basic: half,
                        count: 1,
                    });
                    end = at + half.size;
                }
            }
        }
        TypeMap {
            size: row.size,
            lb: 0,
            ub: row.extent,
            true_lb: 0,
            true_ub: end,
            align: row.align,
            bounded: false,
            layout: Arc::new(layout.finish()),
            signature: signature.finish(),
            element: Some(row),
        }
    }

    /// Bytes from one element to the next. Every type map is made so that this fits.
    pub(crate) fn extent(&self) -> i64 {
        self.ub - self.lb
    }

    /// `count` copies, `stride` bytes apart.
    pub(crate) fn repeat(&self, count: i64, stride: i64) -> Result<TypeMap, Error> {
        let mut joined = Joiner::default();
        joined.push(self, 0, count, stride)?;
        joined.finish()
    }

    /// Returns the type map with bounds set by hand.
    pub(crate) fn resized(&self, lb: i64, extent: i64) -> Result<TypeMap, Error> {
        let ub = add(lb, extent, "the upper bound")?;
        Ok(TypeMap {
            lb,
            ub,
            bounded: true,
            ..self.clone()
        })
    }

    /// The extent rounded up to the strictest alignment, unless it was set by hand.
    pub(crate) fn padded(mut self) -> Result<TypeMap, Error> {
        let spill = self.extent().rem_euclid(self.align);
        if !self.bounded && spill != 0 {
            self.ub = add(self.ub, self.align - spill, "the upper bound")?;
            self.ub
                .checked_sub(self.lb)
                .ok_or(Error::Overflow { what: "the extent" })?;
        }
        Ok(self)
    }
}

/// Joins copies of shapes, one after the other.
#[derive(Default)]
pub(crate) struct Joiner<'a> {
    size: i64,
    data: Option<Bounds>,
    free: Option<Bounds>,
    fixed: Option<Bounds>,
    align: i64,
    layout: layout::Joiner,
    signature: signature::Joiner,
    /// The signature of the type map pushed last and how often it came; equal ones come in rows.
    pending: Option<(&'a Signature, i64)>,
    element: Option<&'static Basic>,
}

impl<'a> Joiner<'a> {
    /// Makes room for many shapes.
    pub(crate) fn reserve(&mut self, shapes: usize) {
        self.layout.reserve(shapes);
    }

    /// Appends `count` copies of `type_map`, the first moved by `offset`, `stride` apart.
    pub(crate) fn push(
        &mut self,
        type_map: &'a TypeMap,
        offset: i64,
        count: i64,
        stride: i64,
    ) -> Result<(), Error> {
        if count == 0 || (type_map.size == 0 && !type_map.bounded) {
            return Ok(());
        }
        let bounds = Bounds {
            low: type_map.lb,
            high: type_map.ub,
        };
        let own = bounds;
        let bounds = bounds.repeated(count, stride)?.moved(offset)?;
        Bounds::join(
            if type_map.bounded {
                &mut self.fixed
            } else {
                &mut self.free
            },
            bounds,
        );
        self.align = self.align.max(type_map.align);
        if type_map.size == 0 {
            return Ok(());
        }
        if self.size == 0 {
            self.element = type_map.element;
        } else if self.element != type_map.element {
            self.element = None;
        }
        let size = mul(type_map.size, count, "the size of the datatype")?;
        self.size = add(self.size, size, "the size of the datatype")?;
        let data = Bounds {
            low: type_map.true_lb,
            high: type_map.true_ub,
        };
        let data = match (data.low, data.high) == (own.low, own.high) {
            true => bounds,
            false => data.repeated(count, stride)?.moved(offset)?,
        };
        Bounds::join(&mut self.data, data);
        match *type_map.layout {
            // Elements without gaps are one block.
            Layout::Block { offset: at, len } if stride == len as i64 => {
                self.layout
                    .block(layout::moved(at, offset), len * count as usize);
            }
            _ => {
                let repeated = Layout::repeat(&type_map.layout, count as usize, stride);
                self.layout.push(&repeated, offset);
            }
        }
        match &mut self.pending {
            Some((pending, times)) if std::ptr::eq(*pending, &type_map.signature) => {
                *times += count
            }
            _ => {
                self.flush();
                self.pending = Some((&type_map.signature, count));
            }
        }
        Ok(())
    }

    fn flush(&mut self) {
        if let Some((signature, times)) = self.pending.take() {
            self.signature.push(&signature.repeat(times));
        }
    }

    /// The joined type map.
    pub(crate) fn finish(mut self) -> Result<TypeMap, Error> {
        self.flush();
        let bounds = self
            .fixed
            .or(self.free)
            .unwrap_or(Bounds { low: 0, high: 0 });
        let data = self.data.unwrap_or(Bounds { low: 0, high: 0 });
        for Bounds { low, high } in [bounds, data] {
            high.checked_sub(low)
                .ok_or(Error::Overflow { what: "the extent" })?;
        }
        Ok(TypeMap {
            size: self.size,
            lb: bounds.low,
            ub: bounds.high,
            true_lb: data.low,
            true_ub: data.high,
            align: self.align.max(1),
            bounded: self.fixed.is_some(),
            layout: Arc::new(self.layout.finish()),
            signature: self.signature.finish(),
            element: self.element,
        })
    }
}
