//! [`Datatype`]: a type map, with its size, bounds and the other properties that MPI defines, and
//! with the arguments of its constructor ([`Contents`]), among which are other datatypes.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};

use base::Mutex;

use crate::basic::{Basic, BASICS, FIRST_HANDLE, HANDLES};
use crate::combiner::Combiner;
use crate::layout::Layout;
use crate::reduce::kernels::{kernels, Kernels};
use crate::signature::Signature;
use crate::type_map::TypeMap;

/// An MPI datatype (MPI 5.0, chapter 5). All measures are in bytes.
///
/// The type map never changes; the name and whether the datatype was committed do. Share it by
/// `Arc`: a pending operation keeps it alive, so `MPI_Type_free` is dropping the handle's `Arc`.
pub struct Datatype {
    pub(crate) type_map: TypeMap,
    /// Most elements that are one contiguous run: any number where they follow each other without
    /// gaps, one where only the element itself has none.
    pub(crate) contiguous_max: i64,
    contents: Contents,
    predefined: Option<&'static Basic>,
    /// The loops that combine elements, where they have no gaps.
    pub(crate) kernels: Option<&'static Kernels>,
    /// Elements known not to overlap each other, nor any one itself.
    pub(crate) apart: AtomicI64,
    committed: AtomicBool,
    name: Mutex<String>,
}

/// The predefined datatypes, by their handles less the first one.
static PREDEFINED: LazyLock<Vec<Option<Arc<Datatype>>>> = LazyLock::new(|| {
    let mut table = vec![None; HANDLES];
    for row in BASICS {
        table[(row.handle - FIRST_HANDLE) as usize] = Some(Arc::new(Datatype::named(row)));
    }
    table
});

/// Returns the predefined datatype of an ABI handle value, `None` for any other value and for
/// `MPI_DATATYPE_NULL`.
#[inline]
pub fn predefined(handle: u32) -> Option<&'static Arc<Datatype>> {
    PREDEFINED
        .get(handle.wrapping_sub(FIRST_HANDLE) as usize)?
        .as_ref()
}

impl Datatype {
    fn named(row: &'static Basic) -> Datatype {
        let contents = Contents::new(Combiner::Named, vec![], vec![], vec![]);
        let datatype = Datatype::stands_for(row, TypeMap::basic(row), contents);
        datatype.set_name(row.name);
        datatype
    }

    /// A predefined datatype, perhaps under another constructor's name.
    pub(crate) fn stands_for(
        row: &'static Basic,
        type_map: TypeMap,
        contents: Contents,
    ) -> Datatype {
        let mut datatype = Datatype::derived(type_map, contents);
        datatype.predefined = Some(row);
        datatype.kernels = kernels(row);
        datatype.commit();
        datatype
    }

    pub(crate) fn derived(type_map: TypeMap, contents: Contents) -> Datatype {
        let contiguous_max = match *type_map.layout {
            Layout::Block { .. } if type_map.extent() != type_map.size => 1,
            Layout::Block { .. } | Layout::Empty => i64::MAX,
            _ => 0,
        };
        Datatype {
            contiguous_max,
            type_map,
            contents,
            predefined: None,
            kernels: None,
            apart: AtomicI64::new(0),
            committed: AtomicBool::new(false),
            name: Mutex::default(),
        }
    }

    /// Bytes of data in an element (`MPI_Type_size`).
    #[inline]
    pub fn size(&self) -> i64 {
        self.type_map.size
    }

    /// The lower bound.
    #[inline]
    pub fn lb(&self) -> i64 {
        self.type_map.lb
    }

    /// The upper bound.
    #[inline]
    pub fn ub(&self) -> i64 {
        self.type_map.ub
    }

    /// Bytes from one element to the next. May be negative.
    #[inline]
    pub fn extent(&self) -> i64 {
        self.type_map.ub - self.type_map.lb
    }

    /// The offset of the lowest byte of data.
    #[inline]
    pub fn true_lb(&self) -> i64 {
        self.type_map.true_lb
    }

    /// Bytes from the lowest to past the highest byte of data.
    #[inline]
    pub fn true_extent(&self) -> i64 {
        self.type_map.true_ub - self.type_map.true_lb
    }

    /// The strictest alignment of the basic elements.
    pub fn alignment(&self) -> i64 {
        self.type_map.align
    }

    /// Whether any count of elements is one contiguous run of memory.
    #[inline]
    pub fn is_dense(&self) -> bool {
        self.contiguous_max == i64::MAX
    }

    /// The table row, when the datatype is predefined.
    #[inline]
    pub fn predefined(&self) -> Option<&'static Basic> {
        self.predefined
    }

    /// The only predefined datatype among the elements, if there is only one (MPI 5.0, 12.3.4:
    /// required of derived datatypes by `MPI_Accumulate`). A pair type counts as one.
    pub fn element(&self) -> Option<&'static Basic> {
        self.type_map.element
    }

    /// Basic elements in one element of this datatype; a pair type has two.
    pub fn elements(&self) -> i64 {
        self.type_map.signature.elements()
    }

    /// Passes `visit` the basic elements of one element as runs, in type map order, until it
    /// returns false. The halves of a pair type come apart.
    pub fn basics(&self, visit: &mut dyn FnMut(&'static Basic, i64) -> bool) {
        self.type_map.signature.runs(0, visit);
    }

    /// The number of whole elements in `bytes` received bytes (`MPI_Get_count`), `None` for
    /// `MPI_UNDEFINED`: when the last one is incomplete.
    pub fn count_in(&self, bytes: i64) -> Option<i64> {
        match self.size() {
            0 => (bytes == 0).then_some(0),
            size => (bytes % size == 0).then_some(bytes / size),
        }
    }

    /// The number of basic elements in `bytes` received bytes (`MPI_Get_elements`), `None` for
    /// `MPI_UNDEFINED`: when the last one is incomplete.
    pub fn elements_in(&self, bytes: i64) -> Option<i64> {
        if self.size() == 0 {
            return (bytes == 0).then_some(0);
        }
        let whole = bytes / self.size();
        let (more, left) = self.type_map.signature.elements_in(bytes % self.size());
        if left != 0 {
            return None;
        }
        whole.checked_mul(self.elements())?.checked_add(more)
    }

    /// Returns the memory that `count` elements cover: the offset of the lowest byte from the
    /// buffer's address, and the bytes from there to past the highest. `None` when that does not
    /// fit.
    pub fn span(&self, count: i64) -> Option<(i64, i64)> {
        if count <= 0 || self.size() == 0 {
            return Some((0, 0));
        }
        let reach = self.extent().checked_mul(count - 1)?;
        let low = self.true_lb().checked_add(reach.min(0))?;
        let high = self.type_map.true_ub.checked_add(reach.max(0))?;
        Some((low, high.checked_sub(low)?))
    }

    /// The bytes of memory that `count` elements cover, for scratch buffers; see
    /// [`Buffer::over`](crate::Buffer::over).
    ///
    /// # Panics
    /// When that does not fit 63 bits, which no count that came with memory does.
    pub fn span_bytes(&self, count: usize) -> usize {
        let span = i64::try_from(count).ok().and_then(|count| self.span(count));
        span.expect("the elements fit the address space").1 as usize
    }

    /// Readies the datatype for communication. The program was made when the datatype was, so
    /// this only notes that it was asked for.
    pub fn commit(&self) {
        self.committed.store(true, Ordering::Release);
    }

    /// Whether the datatype may be used in communication.
    #[inline]
    pub fn is_committed(&self) -> bool {
        self.committed.load(Ordering::Acquire)
    }

    /// The name: that of the constant, or the one that was set, or empty.
    pub fn name(&self) -> String {
        self.name.lock().clone()
    }

    /// Sets the name.
    pub fn set_name(&self, name: &str) {
        *self.name.lock() = name.to_owned();
    }

    /// The constructor and its arguments.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.type_map.layout
    }

    pub(crate) fn signature(&self) -> &Signature {
        &self.type_map.signature
    }

    /// Returns the datatype, described as made by the `_c` form of its constructor.
    pub fn large(mut self) -> Datatype {
        let empty = Contents::new(Combiner::Named, vec![], vec![], vec![]);
        self.contents = std::mem::replace(&mut self.contents, empty).into_large();
        self
    }
}

/// The arguments of a constructor, in the order in which MPI 5.0, 5.1.13 lists them.
#[derive(Debug)]
pub struct Contents {
    /// The constructor.
    pub combiner: Combiner,
    /// Arguments of type `int`.
    pub integers: Vec<i64>,
    /// Arguments of type `MPI_Aint`.
    pub addresses: Vec<i64>,
    /// Arguments of type `MPI_Count`; only constructors of the `_c` form have any.
    pub counts: Vec<i64>,
    /// Arguments that are datatypes.
    pub datatypes: Vec<Arc<Datatype>>,
}

impl Contents {
    /// Returns the arguments of a constructor that is not of the `_c` form.
    pub(crate) fn new(
        combiner: Combiner,
        integers: Vec<i64>,
        addresses: Vec<i64>,
        datatypes: Vec<Arc<Datatype>>,
    ) -> Contents {
        Contents {
            combiner,
            integers,
            addresses,
            counts: Vec::new(),
            datatypes,
        }
    }

    /// Returns the arguments in the form of the constructor's `_c` function.
    pub(crate) fn into_large(mut self) -> Contents {
        let integers = std::mem::take(&mut self.integers);
        match self.combiner {
            Combiner::Subarray => {
                let last = integers.len() - 1;
                self.integers = vec![integers[0], integers[last]];
                self.counts = integers[1..last].to_vec();
            }
            Combiner::Darray => {
                let sizes = 3 + integers[2] as usize;
                self.integers = [&integers[..3], &integers[sizes..]].concat();
                self.counts = integers[3..sizes].to_vec();
            }
            Combiner::F90Real | Combiner::F90Complex | Combiner::F90Integer => {
                self.integers = integers;
            }
            _ => {
                self.counts = integers;
                self.counts.append(&mut self.addresses);
            }
        }
        self
    }
}

impl Drop for Datatype {
    /// A datatype made from a datatype made from ... may be a long chain: taken apart in a
    /// loop, since dropping it recursively could exhaust the stack.
    fn drop(&mut self) {
        let mut doomed = std::mem::take(&mut self.contents.datatypes);
        while let Some(datatype) = doomed.pop() {
            if let Some(mut last) = Arc::into_inner(datatype) {
                doomed.append(&mut last.contents.datatypes);
            }
        }
    }
}

impl fmt::Debug for Datatype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Datatype")
            .field("name", &self.name())
            .field("combiner", &self.contents.combiner)
            .field("size", &self.size())
            .field("lb", &self.lb())
            .field("extent", &self.extent())
            .finish_non_exhaustive()
    }
}
