//! Descriptors of arrays, as compilers pass them.

use std::ffi::c_void;

/// The dimensions that an array can have.
pub(crate) const RANK_MAX: usize = 15;

/// The descriptor of an array, or of one element.
pub trait Array {
    /// Returns the address of the first element, in the order of elements.
    fn first(&self) -> *mut c_void;
    /// Returns the bytes of an element.
    fn element(&self) -> usize;
    /// Returns the number of dimensions.
    fn dimensions(&self) -> usize;
    /// Returns the extent of a dimension, the innermost is 0, and the bytes from one element to the
    /// next. Where the extent is not known, as of an array of assumed size, it is not above 0.
    fn dimension(&self, at: usize) -> (isize, isize);
}

/// `CFI_cdesc_t`: the descriptor that procedures with the binding label of C get
/// (Fortran 2018, 18.5.3).
#[repr(C)]
pub struct Standard {
    first: *mut c_void,
    element: usize,
    version: i32,
    rank: i8,
    attribute: i8,
    kind: i16,
    /// As many as `rank` says.
    dimensions: [StandardDimension; RANK_MAX],
}

#[repr(C)]
#[derive(Clone, Copy)]
struct StandardDimension {
    lower_bound: isize,
    extent: isize,
    /// In bytes.
    stride: isize,
}

impl Array for Standard {
    #[inline]
    fn first(&self) -> *mut c_void {
        self.first
    }

    #[inline]
    fn element(&self) -> usize {
        self.element
    }

    #[inline]
    fn dimensions(&self) -> usize {
        self.rank as usize
    }

    #[inline]
    fn dimension(&self, at: usize) -> (isize, isize) {
        let StandardDimension { extent, stride, .. } = self.dimensions[at];
        (extent, stride)
    }
}

/// The descriptor that gfortran, from release 9 on, passes to procedures without that label
/// (`gfc_array_descriptor_t`).
#[repr(C)]
pub struct Gfortran {
    first: *mut c_void,
    /// Added to the sum of indices times strides.
    offset: isize,
    element: usize,
    version: i32,
    rank: i8,
    kind: i8,
    attribute: i16,
    /// The unit of strides, in bytes.
    span: isize,
    /// As many as `rank` says.
    dimensions: [GfortranDimension; RANK_MAX],
}

#[repr(C)]
#[derive(Clone, Copy)]
struct GfortranDimension {
    stride: isize,
    lower_bound: isize,
    upper_bound: isize,
}

impl Array for Gfortran {
    #[inline]
    fn first(&self) -> *mut c_void {
        self.first
    }

    #[inline]
    fn element(&self) -> usize {
        self.element
    }

    #[inline]
    fn dimensions(&self) -> usize {
        self.rank as usize
    }

    #[inline]
    fn dimension(&self, at: usize) -> (isize, isize) {
        let GfortranDimension {
            stride,
            lower_bound,
            upper_bound,
        } = self.dimensions[at];
        let extent = upper_bound.wrapping_sub(lower_bound).wrapping_add(1);
        (extent, stride.wrapping_mul(self.span))
    }
}

#[cfg(test)]
impl Standard {
    /// Gives the descriptor another number of dimensions.
    pub fn set_rank(&mut self, rank: i8) {
        self.rank = rank;
    }

    /// An array of elements of this many bytes, with extents and with strides in bytes.
    pub fn of(first: *mut c_void, element: usize, of: &[(isize, isize)]) -> Standard {
        let none = StandardDimension {
            lower_bound: 0,
            extent: 0,
            stride: 0,
        };
        let mut dimensions = [none; RANK_MAX];
        for (dimension, (extent, stride)) in dimensions.iter_mut().zip(of) {
            (dimension.extent, dimension.stride) = (*extent, *stride);
        }
        Standard {
            first,
            element,
            version: 1,
            rank: of.len() as i8,
            attribute: 2,
            kind: 0,
            dimensions,
        }
    }
}

#[cfg(test)]
impl Gfortran {
    /// An array of elements of this many bytes, with extents and with strides in elements.
    pub fn of(first: *mut c_void, element: usize, of: &[(isize, isize)]) -> Gfortran {
        let none = GfortranDimension {
            stride: 0,
            lower_bound: 1,
            upper_bound: 0,
        };
        let mut dimensions = [none; RANK_MAX];
        for (dimension, (extent, stride)) in dimensions.iter_mut().zip(of) {
            (dimension.upper_bound, dimension.stride) = (*extent, *stride);
        }
        Gfortran {
            first,
            offset: 0,
            element,
            version: 0,
            rank: of.len() as i8,
            kind: 1,
            attribute: 0,
            span: element as isize,
            dimensions,
        }
    }
}
