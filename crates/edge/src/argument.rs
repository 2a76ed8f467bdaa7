//! Typed arguments: pointers of a caller, and values that are others in the standard.
//!
//! The unsafe constructors require what MPI requires of the caller; using the values needs no
//! `unsafe`. The standard library is what checks arguments: a null pointer stays one.
//!
//! | the caller's argument | here |
//! |---|---|
//! | a pointer to one value | [`In`], [`Out`] |
//! | an array and its length | [`List`] |
//! | a value that MPI writes, another in the standard | [`ValueOut`], [`ValueInOut`] |
//! | an array of such values | [`ValuesIn`], [`ValuesOut`], [`ValuesInOut`] |
//!
//! What MPI writes of converted values is stored in the caller's memory when the argument is
//! dropped, at the end of the statement of the call; what it does not write stays as it was.

/// A value that the caller gives behind a pointer, which in Fortran need be a multiple of nothing.
#[derive(Clone, Copy)]
pub struct In<T>(*const T);

impl<T: Copy> In<T> {
    /// # Safety
    /// A pointer that is not null points to a `T` as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(at: *const T) -> In<T> {
        In(at)
    }

    /// Returns the value; `None` for a null pointer.
    #[inline(always)]
    pub fn get(self) -> Option<T> {
        // SAFETY: it is not null, so it points to a value (`In::new`).
        (!self.0.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }
}

/// A slot for a value that the call gives, or replaces.
#[derive(Clone, Copy)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// # Safety
    /// A pointer that is not null points to a `T` as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(at: *mut T) -> Out<T> {
        Out(at)
    }

    /// Whether the caller passed a null pointer.
    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Returns the value; `None` for a null pointer.
    #[inline(always)]
    pub fn get(self) -> Option<T> {
        // SAFETY: a pointer that is not null points to a value (`Out::new`).
        unsafe { In::new(self.0) }.get()
    }

    /// Stores a value, unless the pointer is null.
    #[inline(always)]
    pub fn set(self, value: T) {
        if !self.is_null() {
            // SAFETY: it is not null, so it points to a value (`Out::new`).
            unsafe { self.0.write_unaligned(value) };
        }
    }
}

/// An array of the caller's; empty for a null pointer.
#[derive(Clone, Copy)]
pub struct List<T> {
    first: *mut T,
    length: usize,
}

impl<T: Copy> List<T> {
    /// # Safety
    /// A pointer that is not null points to this many `T` as long as the call takes, which are
    /// written where [`List::set`] is called.
    #[inline]
    pub unsafe fn new(first: *const T, length: usize) -> List<T> {
        List {
            first: first.cast_mut(),
            length: if first.is_null() { 0 } else { length },
        }
    }

    /// Whether the caller passed a null pointer.
    pub fn is_null(self) -> bool {
        self.first.is_null()
    }

    /// Returns the elements.
    pub fn iter(self) -> impl ExactSizeIterator<Item = T> {
        // SAFETY: the array has elements at these positions (`List::new`).
        (0..self.length).map(move |at| unsafe { self.first.add(at).read_unaligned() })
    }

    /// Returns the element at a position; `None` beyond the end.
    pub fn get(self, at: usize) -> Option<T> {
        self.slot(at).get()
    }

    /// Replaces the element at a position, if there is one.
    pub fn set(self, at: usize, value: T) {
        self.slot(at).set(value);
    }

    fn slot(self, at: usize) -> Out<T> {
        match at < self.length {
            // SAFETY: the array has an element at this position (`List::new`).
            true => unsafe { Out::new(self.first.add(at)) },
            false => Out(std::ptr::null_mut()),
        }
    }
}

/// A kind of value that is one in the caller's interface and another in the standard.
pub trait Form: Copy {
    /// A value of the standard.
    type Standard: Copy + PartialEq;
    /// A value of the caller's interface.
    type Native: Copy;
    /// A value that MPI never writes, in memory that it may or may not write.
    const UNWRITTEN: Self::Standard;
    /// Returns the standard's value.
    fn standard(self, native: Self::Native) -> Self::Standard;
    /// Returns the interface's value.
    fn native(self, standard: Self::Standard) -> Self::Native;
}

/// A value that MPI gives, or leaves alone.
pub struct ValueOut<F: Form> {
    form: F,
    at: Out<F::Native>,
    before: F::Standard,
    written: F::Standard,
}

impl<F: Form> ValueOut<F> {
    /// Returns the argument for a slot of the caller's.
    #[inline(always)]
    pub fn of(form: impl Into<F>, at: Out<F::Native>) -> Self {
        ValueOut {
            form: form.into(),
            at,
            before: F::UNWRITTEN,
            written: F::UNWRITTEN,
        }
    }

    /// Returns where MPI writes.
    #[inline(always)]
    pub fn c(&mut self) -> *mut F::Standard {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => &mut self.written,
        }
    }
}

impl<F: Form + Default> ValueOut<F> {
    /// # Safety
    /// As [`Out::new`] says.
    #[inline(always)]
    pub unsafe fn new(at: *mut F::Native) -> Self {
        // SAFETY: the caller promises what it requires.
        Self::of(F::default(), unsafe { Out::new(at) })
    }
}

impl<F: Form> Drop for ValueOut<F> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.written != self.before {
            self.at.set(self.form.native(self.written));
        }
    }
}

/// A value that MPI changes.
pub struct ValueInOut<F: Form>(ValueOut<F>);

impl<F: Form> ValueInOut<F> {
    /// Returns the argument for a slot of the caller's.
    #[inline(always)]
    pub fn of(form: impl Into<F>, at: Out<F::Native>) -> Self {
        let mut value = ValueOut::of(form, at);
        if let Some(native) = value.at.get() {
            value.before = value.form.standard(native);
            value.written = value.before;
        }
        ValueInOut(value)
    }

    /// Returns where MPI reads and writes.
    #[inline(always)]
    pub fn c(&mut self) -> *mut F::Standard {
        self.0.c()
    }
}

impl<F: Form + Default> ValueInOut<F> {
    /// # Safety
    /// As [`Out::new`] says.
    #[inline(always)]
    pub unsafe fn new(at: *mut F::Native) -> Self {
        // SAFETY: the caller promises what it requires.
        Self::of(F::default(), unsafe { Out::new(at) })
    }
}

/// Values that MPI reads; `None` for a null pointer.
pub struct ValuesIn<F: Form>(Option<Vec<F::Standard>>);

impl<F: Form> ValuesIn<F> {
    /// Returns the argument for a list of the caller's.
    pub fn of(form: impl Into<F>, list: List<F::Native>) -> Self {
        let form = form.into();
        let values = || list.iter().map(|native| form.standard(native)).collect();
        ValuesIn((!list.is_null()).then(values))
    }

    /// Returns the standard's array.
    pub fn c(&self) -> *const F::Standard {
        self.0
            .as_ref()
            .map_or(std::ptr::null(), |list| list.as_ptr())
    }
}

impl<F: Form + Default> ValuesIn<F> {
    /// # Safety
    /// As [`List::new`] says; nothing is written.
    pub unsafe fn new(at: *const F::Native, length: usize) -> Self {
        // SAFETY: the caller promises what it requires.
        Self::of(F::default(), unsafe { List::new(at, length) })
    }
}

/// Values that MPI gives, or leaves alone.
pub struct ValuesOut<F: Form> {
    form: F,
    at: List<F::Native>,
    /// The values that the caller gave, where MPI may read them.
    before: Vec<F::Standard>,
    written: Vec<F::Standard>,
}

impl<F: Form> ValuesOut<F> {
    /// Returns the argument for a list of the caller's.
    pub fn of(form: impl Into<F>, at: List<F::Native>) -> Self {
        ValuesOut {
            form: form.into(),
            at,
            before: Vec::new(),
            written: vec![F::UNWRITTEN; at.length],
        }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut F::Standard {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => self.written.as_mut_ptr(),
        }
    }
}

impl<F: Form + Default> ValuesOut<F> {
    /// # Safety
    /// As [`List::new`] says.
    pub unsafe fn new(at: *mut F::Native, length: usize) -> Self {
        // SAFETY: the caller promises what it requires.
        Self::of(F::default(), unsafe { List::new(at, length) })
    }
}

impl<F: Form> Drop for ValuesOut<F> {
    fn drop(&mut self) {
        for (at, written) in self.written.iter().enumerate() {
            if *written != *self.before.get(at).unwrap_or(&F::UNWRITTEN) {
                self.at.set(at, self.form.native(*written));
            }
        }
    }
}

/// Values that MPI changes.
pub struct ValuesInOut<F: Form>(ValuesOut<F>);

impl<F: Form + Default> ValuesInOut<F> {
    /// # Safety
    /// As [`List::new`] says.
    pub unsafe fn new(at: *mut F::Native, length: usize) -> Self {
        // SAFETY: the caller promises what it requires.
        let mut values = unsafe { ValuesOut::<F>::new(at, length) };
        let form = values.form;
        values.before = values.at.iter().map(|at| form.standard(at)).collect();
        values.written.clone_from(&values.before);
        ValuesInOut(values)
    }

    /// Returns where MPI reads and writes.
    pub fn c(&mut self) -> *mut F::Standard {
        self.0.c()
    }
}
