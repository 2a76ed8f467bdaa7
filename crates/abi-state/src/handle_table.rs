//! Tables of objects by handles.
//!
//! A handle is a number. Those of predefined objects are small and fixed by the ABI (MPI 5.0,
//! 20.3); every other one is made here and is larger than 0xFFF: a generation in the upper half,
//! then four bits for the kind of object, then its slot in a [`Table`]. So a handle that was freed,
//! that is of another kind, or that was never given, is distinguished from a good one and becomes
//! the error class of its kind.
//!
//! The 31-bit integers of the `MPI_X_toint` functions are made of slots, too.

use base::{Key, Slab};

use crate::args;
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::hooks;

/// Kinds of objects: the four bits in their handles, the error class of a bad one, and what it is
/// called.
pub trait Kind {
    /// Different for every kind; 0 to 15.
    const TAG: u64;
    /// The error class of a handle that names nothing.
    const CLASS: i32;
    /// The C type of the handle.
    const NAME: &'static str;
}

macro_rules! kinds {
    ($($kind:ident $tag:literal $class:ident $name:literal;)*) => {
        $(impl Kind for args::$kind {
            const TAG: u64 = $tag;
            const CLASS: i32 = $class;
            const NAME: &'static str = $name;
        }

        impl Handle for args::$kind {
            fn from_bits(bits: usize) -> Self {
                args::$kind(bits)
            }

            fn bits(self) -> usize {
                self.0
            }
        })*
    };
}

kinds! {
    Comm 1 MPI_ERR_COMM "MPI_Comm";
    Group 2 MPI_ERR_GROUP "MPI_Group";
    Datatype 3 MPI_ERR_TYPE "MPI_Datatype";
    Op 4 MPI_ERR_OP "MPI_Op";
    Request 5 MPI_ERR_REQUEST "MPI_Request";
    Message 6 MPI_ERR_REQUEST "MPI_Message";
    Errhandler 7 MPI_ERR_ERRHANDLER "MPI_Errhandler";
    Info 8 MPI_ERR_INFO "MPI_Info";
    Win 9 MPI_ERR_WIN "MPI_Win";
    File 10 MPI_ERR_FILE "MPI_File";
    Session 11 MPI_ERR_SESSION "MPI_Session";
    TCvarHandle 12 MPI_T_ERR_INVALID_HANDLE "MPI_T_cvar_handle";
    TPvarHandle 13 MPI_T_ERR_INVALID_HANDLE "MPI_T_pvar_handle";
    TPvarSession 14 MPI_T_ERR_INVALID_SESSION "MPI_T_pvar_session";
    TEventRegistration 15 MPI_T_ERR_INVALID_HANDLE "MPI_T_event_registration";
    TEventInstance 0 MPI_T_ERR_INVALID_HANDLE "MPI_T_event_instance";
}

/// A handle's type, such as [`args::Comm`].
pub trait Handle: Kind + Copy {
    /// The handle of these bits.
    fn from_bits(bits: usize) -> Self;
    /// Returns the handle's bits.
    fn bits(self) -> usize;
}

/// First bit of the kind in a handle, and so the number of bits that are left for the slot.
const KIND_SHIFT: u32 = 28;
const PLACE_MASK: u64 = (1 << KIND_SHIFT) - 1;
const KIND_MASK: u64 = 0xF << KIND_SHIFT;
/// Handles below this are the ABI's; so are the integers of `MPI_X_toint`.
const FIRST_FREE: usize = 0x1000;

/// The objects of one kind that the user has handles for.
pub struct Table<H, T> {
    slab: Slab<T>,
    handle: std::marker::PhantomData<fn(H)>,
}

impl<H, T> Default for Table<H, T> {
    fn default() -> Self {
        Table {
            slab: Slab::default(),
            handle: std::marker::PhantomData,
        }
    }
}

impl<H: Handle, T> Table<H, T> {
    /// Gives an object a handle. `MPI_ERR_NO_MEM` when there are 2^28 already.
    #[inline]
    pub fn insert(&mut self, object: T) -> Result<H, Failure> {
        let key = self.slab.insert(object);
        if key.index() as u64 > PLACE_MASK {
            self.slab.remove(key);
            return Err(full::<H>());
        }
        let bits = key.bits() | (H::TAG << KIND_SHIFT);
        // Of requests, of which there are many, hooks learn by the calls that start them.
        if H::TAG != <args::Request as Kind>::TAG {
            hooks::made(H::NAME, bits as usize);
        }
        Ok(H::from_bits(bits as usize))
    }

    /// The object of a handle.
    #[inline]
    pub fn get(&self, handle: H) -> Result<&T, Failure> {
        let found = key(handle).and_then(|key| self.slab.get(key));
        found.ok_or_else(|| unknown(handle))
    }

    /// The object of a handle, to be changed.
    #[inline]
    pub fn get_mut(&mut self, handle: H) -> Result<&mut T, Failure> {
        let found = key(handle).and_then(|key| self.slab.get_mut(key));
        found.ok_or_else(|| unknown(handle))
    }

    /// Takes the object of a handle out; the handle names nothing from then on.
    #[inline]
    pub fn remove(&mut self, handle: H) -> Result<T, Failure> {
        let found = key(handle).and_then(|key| self.slab.remove(key));
        found.ok_or_else(|| unknown(handle))
    }

    /// All objects with their handles.
    pub fn iter(&self) -> impl Iterator<Item = (H, &T)> {
        let handle = |key: Key| H::from_bits((key.bits() | (H::TAG << KIND_SHIFT)) as usize);
        self.slab
            .iter()
            .map(move |(key, object)| (handle(key), object))
    }

    /// Takes all objects out; their handles name nothing from then on.
    pub fn take_all(&mut self) -> Vec<T> {
        let handles: Vec<H> = self.iter().map(|(handle, _)| handle).collect();
        let take = |handle| self.remove(handle).ok();
        handles.into_iter().filter_map(take).collect()
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.slab.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slab.is_empty()
    }

    /// Returns the integer for a handle (MPI 5.0, 20.4): a predefined one's own value, otherwise
    /// its slot and `FIRST_FREE`; 0, which no handle has, where the handle names nothing.
    pub fn to_int(&self, handle: H) -> i32 {
        if handle.bits() < FIRST_FREE {
            return handle.bits() as i32;
        }
        match self.get(handle) {
            Ok(_) => ((handle.bits() as u64 & PLACE_MASK) as usize + FIRST_FREE) as i32,
            Err(_) => 0,
        }
    }

    /// The handle for such an integer; one that names nothing where the integer is no such one.
    pub fn from_int(&self, int: i32) -> H {
        let Ok(value) = usize::try_from(int) else {
            return H::from_bits(0);
        };
        let Some(place) = value.checked_sub(FIRST_FREE) else {
            return H::from_bits(value);
        };
        match self.slab.key_at(place) {
            Some(key) => H::from_bits((key.bits() | (H::TAG << KIND_SHIFT)) as usize),
            None => H::from_bits(0),
        }
    }
}

#[inline]
fn key<H: Handle>(handle: H) -> Option<Key> {
    let bits = handle.bits() as u64;
    if bits & KIND_MASK != H::TAG << KIND_SHIFT {
        return None;
    }
    Some(Key::from_bits(bits & !KIND_MASK))
}

/// The failure for a handle that names nothing.
#[cold]
pub fn unknown<H: Handle>(handle: H) -> Failure {
    let bits = handle.bits();
    let text = match bits {
        0 => format!("a null pointer is no {}", H::NAME),
        predefined if predefined < FIRST_FREE => {
            format!("{predefined:#x} is {}", what_is(predefined, H::NAME))
        }
        _ => format!(
            "{bits:#x} is no {}: it was freed, or never was one",
            H::NAME
        ),
    };
    Failure::new(H::CLASS, text)
}

/// Describes a small handle that was passed where another was needed.
fn what_is(bits: usize, wanted: &str) -> String {
    const NULLS: &[usize] = &[
        0x20, 0x100, 0x108, 0x110, 0x118, 0x120, 0x128, 0x130, 0x140, 0x180, 0x200,
    ];
    match bits {
        null if NULLS.contains(&null) => format!("a null handle where {wanted} is needed"),
        _ => format!("not a valid {wanted}"),
    }
}

#[cold]
fn full<H: Handle>() -> Failure {
    Failure::new(
        MPI_ERR_NO_MEM,
        format!("more than 2^28 handles of type {}", H::NAME),
    )
}
