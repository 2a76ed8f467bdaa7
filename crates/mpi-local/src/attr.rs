//! Attributes: values that a program caches on an object (MPI 5.0, 7.7).
//!
//! A [`Keyval`] names an attribute and holds the program's functions for copying and deleting
//! it. [`Attributes`] are the values on one object, in the order in which they were set. The
//! functions run in two steps, so that no lock is held meanwhile: the caller takes a copy of the
//! attributes out of wherever they live, runs [`copy_all`] or [`delete_all`], and puts the
//! result back.
//!
//! An object is identified by the handle that the program knows it by.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Weak};

use crate::{Class, Error};

/// The program's functions behind a keyval. An error is the code that the function returned.
pub trait Functions: Send + Sync {
    /// The value for the copy of an object, `None` when the copy is to have none.
    fn copy(&self, object: usize, keyval: i32, value: &Value) -> Result<Option<Value>, i32>;

    /// The value is about to go.
    fn delete(&self, object: usize, keyval: i32, value: &Value) -> Result<(), i32>;
}

/// The value of an attribute: each language reads what the other stored in its own form (MPI 5.0,
/// 19.3.7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A pointer that C stored. Fortran reads it as a number.
    Pointer(usize),
    /// A number that Fortran stored. C reads the address of it.
    Number(Arc<i64>),
}

impl Value {
    /// A number that Fortran stores.
    pub fn number(number: i64) -> Value {
        Value::Number(Arc::new(number))
    }

    /// Returns what C reads. The address of a number is good as long as the attribute has it.
    pub fn for_c(&self) -> usize {
        match self {
            Value::Pointer(pointer) => *pointer,
            Value::Number(number) => Arc::as_ptr(number) as usize,
        }
    }

    /// Returns what Fortran reads.
    pub fn for_fortran(&self) -> i64 {
        match self {
            Value::Pointer(pointer) => *pointer as i64,
            Value::Number(number) => **number,
        }
    }
}

/// The name of an attribute.
pub struct Keyval {
    number: i32,
    functions: Box<dyn Functions>,
}

/// The values of one object.
#[derive(Clone, Default)]
pub struct Attributes {
    values: Vec<(Arc<Keyval>, Value)>,
}

impl Keyval {
    /// The number that the program knows it by.
    pub fn number(&self) -> i32 {
        self.number
    }

    /// Runs the function that deletes a value.
    ///
    /// # Errors
    /// The code that the function returned.
    pub fn delete(&self, object: usize, value: &Value) -> Result<(), Error> {
        let run = self.functions.delete(object, self.number, value);
        run.map_err(|code| refused("delete", self.number, code))
    }
}

impl Attributes {
    /// Stores a value, in its old position if the attribute was set before.
    pub fn set(&mut self, keyval: Arc<Keyval>, value: Value) {
        match self
            .values
            .iter_mut()
            .find(|(known, _)| known.number == keyval.number)
        {
            Some((_, old)) => *old = value,
            None => self.values.push((keyval, value)),
        }
    }

    /// The value of an attribute.
    pub fn get(&self, keyval: i32) -> Option<Value> {
        let entry = self.values.iter().find(|(known, _)| known.number == keyval);
        entry.map(|(_, value)| value.clone())
    }

    /// Takes a value away. Its function has been run by then.
    pub fn remove(&mut self, keyval: i32) {
        self.values.retain(|(known, _)| known.number != keyval);
    }

    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// The attributes of the copy of an object, as the copy functions want them, in the order of
/// setting. When one fails, those copied so far are deleted again.
///
/// # Errors
/// The code of the copy function that failed.
pub fn copy_all(from: &Attributes, object: usize) -> Result<Attributes, Error> {
    let mut copies = Attributes::default();
    for (keyval, value) in &from.values {
        match keyval.functions.copy(object, keyval.number, value) {
            Ok(Some(value)) => copies.set(keyval.clone(), value),
            Ok(None) => {}
            Err(code) => {
                let error = refused("copy", keyval.number, code);
                // The first error is the one to report.
                let _ = delete_all(&copies, object);
                return Err(error);
            }
        }
    }
    Ok(copies)
}

/// Runs the delete function of every attribute, the last set first (MPI 5.0, 11.2.2 asks for that
/// order in `MPI_Finalize`). All run, whatever they return.
///
/// # Errors
/// The code of the first function that failed.
pub fn delete_all(attributes: &Attributes, object: usize) -> Result<(), Error> {
    let mut outcome = Ok(());
    for (keyval, value) in attributes.values.iter().rev() {
        outcome = outcome.and(keyval.delete(object, value));
    }
    outcome
}

/// The keyvals of one kind of object.
///
/// A freed keyval stays known as long as an object has a value for it.
#[derive(Default)]
pub struct Keyvals {
    known: BTreeMap<i32, KeyvalState>,
}

enum KeyvalState {
    Live(Arc<Keyval>),
    Freed(Weak<Keyval>),
}

impl Keyvals {
    /// Makes a keyval of this number, which none has yet.
    pub fn insert(&mut self, number: i32, functions: Box<dyn Functions>) {
        self.known.retain(|_, state| match state {
            KeyvalState::Live(_) => true,
            KeyvalState::Freed(keyval) => keyval.strong_count() > 0,
        });
        let keyval = Arc::new(Keyval { number, functions });
        self.known.insert(number, KeyvalState::Live(keyval));
    }

    /// The keyval of a number.
    ///
    /// # Errors
    /// `Keyval` when the number is unknown.
    pub fn get(&self, number: i32) -> Result<Arc<Keyval>, Error> {
        let keyval = match self.known.get(&number) {
            Some(KeyvalState::Live(keyval)) => Some(keyval.clone()),
            Some(KeyvalState::Freed(keyval)) => keyval.upgrade(),
            None => None,
        };
        keyval.ok_or_else(|| unknown(number))
    }

    /// Frees a keyval; values that objects have for it stay. "It is not erroneous to free an
    /// attribute key that is in use" (MPI 5.0, 7.7.2) holds also for one that was freed before:
    /// delete functions do so for each value that they see.
    ///
    /// # Errors
    /// `Keyval` when the number is unknown, or was freed before and no object has a value for it.
    pub fn free(&mut self, number: i32) -> Result<(), Error> {
        let state = self.known.get_mut(&number).ok_or_else(|| unknown(number))?;
        match state {
            KeyvalState::Live(keyval) => *state = KeyvalState::Freed(Arc::downgrade(keyval)),
            KeyvalState::Freed(keyval) if keyval.strong_count() > 0 => {}
            KeyvalState::Freed(_) => {
                let text = format!("attribute key {number} was freed before");
                return Err(Error::new(Class::Keyval, text));
            }
        }
        Ok(())
    }
}

fn unknown(number: i32) -> Error {
    let text = format!("{number} is not an attribute key for this kind of object");
    Error::new(Class::Keyval, text)
}

fn refused(function: &str, number: i32, code: i32) -> Error {
    let text = format!("the {function} function of attribute key {number} returned {code}");
    Error::user(code, text)
}

impl fmt::Debug for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self
            .values
            .iter()
            .map(|(keyval, value)| (keyval.number, value));
        f.debug_map().entries(pairs).finish()
    }
}

#[cfg(test)]
mod tests {
    use base::Mutex;

    use super::*;

    /// Copies even values, refuses those of 13, and writes down what is deleted.
    struct Watched(Arc<Mutex<Vec<usize>>>);

    impl Functions for Watched {
        fn copy(&self, _: usize, _: i32, value: &Value) -> Result<Option<Value>, i32> {
            match value.for_c() {
                13 => Err(20013),
                even if even % 2 == 0 => Ok(Some(Value::Pointer(even + 100))),
                _ => Ok(None),
            }
        }

        fn delete(&self, _: usize, _: i32, value: &Value) -> Result<(), i32> {
            let value = value.for_c();
            self.0.lock().push(value);
            if value == 7 {
                Err(20007)
            } else {
                Ok(())
            }
        }
    }

    fn keyvals(seen: &Arc<Mutex<Vec<usize>>>) -> Keyvals {
        let mut keyvals = Keyvals::default();
        for number in [1001, 1002, 1003] {
            keyvals.insert(number, Box::new(Watched(seen.clone())));
        }
        keyvals
    }

    #[test]
    fn copies_follow_the_functions_and_deletion_goes_backwards() {
        let seen = Arc::default();
        let keyvals = keyvals(&seen);
        let mut attributes = Attributes::default();
        for (number, value) in [(1001, 2), (1002, 7), (1003, 4)] {
            attributes.set(keyvals.get(number).unwrap(), Value::Pointer(value));
        }
        let copies = copy_all(&attributes, 0).unwrap();
        let values = [1001, 1002, 1003].map(|number| copies.get(number).map(|value| value.for_c()));
        assert_eq!(values, [Some(102), None, Some(104)]);
        assert_eq!(delete_all(&attributes, 0).unwrap_err().code(), 20007);
        assert_eq!(*seen.lock(), [4, 7, 2]);
    }

    #[test]
    fn a_copy_that_fails_undoes_the_others() {
        let seen = Arc::default();
        let keyvals = keyvals(&seen);
        let mut attributes = Attributes::default();
        attributes.set(keyvals.get(1001).unwrap(), Value::Pointer(2));
        attributes.set(keyvals.get(1002).unwrap(), Value::Pointer(13));
        assert_eq!(copy_all(&attributes, 0).unwrap_err().code(), 20013);
        assert_eq!(*seen.lock(), [102]);
    }

    #[test]
    fn a_freed_keyval_lives_as_long_as_its_values() {
        let mut keyvals = keyvals(&Arc::default());
        let mut attributes = Attributes::default();
        attributes.set(keyvals.get(1001).unwrap(), Value::Pointer(2));
        keyvals.free(1001).unwrap();
        keyvals.free(1001).unwrap();
        assert_eq!(keyvals.get(1001).unwrap().number(), 1001);
        attributes.remove(1001);
        assert_eq!(keyvals.free(1001).unwrap_err().class, Class::Keyval);
        assert_eq!(keyvals.get(1001).err().unwrap().class, Class::Keyval);
        assert_eq!(keyvals.get(5).err().unwrap().class, Class::Keyval);
    }
}
