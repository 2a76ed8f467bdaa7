//! Info objects: keys and values in the order in which they were set (MPI 5.0, 10).

use crate::{Class, Error};

/// An ordered set of (key, value) pairs. Both are text; a key is set once and may be overwritten.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Info {
    pairs: Vec<(String, String)>,
}

#[cfg(test)]
impl Info {
    /// Returns an info with these keys and values.
    pub fn of(pairs: &[(&str, &str)]) -> Info {
        let mut info = Info::new();
        for (key, value) in pairs {
            info.set(key, value).unwrap();
        }
        info
    }
}

impl Info {
    /// Bytes of a key with its closing zero (`MPI_MAX_INFO_KEY` of the ABI).
    pub const KEY_BYTES_MAX: usize = 256;
    /// Bytes of a value with its closing zero (`MPI_MAX_INFO_VAL` of the ABI).
    pub const VALUE_BYTES_MAX: usize = 1024;

    /// An info object without keys.
    pub fn new() -> Info {
        Info::default()
    }

    /// Sets a key, in its old position if it has one.
    ///
    /// # Errors
    /// `InfoKey` and `InfoValue` for text that is too long, and for an empty key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        check_key(key)?;
        if value.len() >= Info::VALUE_BYTES_MAX {
            let text = format!(
                "the value of info key `{key}` has {} bytes; MPI_MAX_INFO_VAL allows {}",
                value.len(),
                Info::VALUE_BYTES_MAX - 1
            );
            return Err(Error::new(Class::InfoValue, text));
        }
        match self.pairs.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value.to_owned(),
            None => self.pairs.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Removes a key.
    ///
    /// # Errors
    /// `InfoNokey` when it is not there, `InfoKey` when it cannot be a key.
    pub fn delete(&mut self, key: &str) -> Result<(), Error> {
        check_key(key)?;
        let at = self.pairs.iter().position(|(known, _)| known == key);
        let missing = || {
            let text = format!("the info object has no key `{key}`");
            Error::new(Class::InfoNokey, text)
        };
        self.pairs.remove(at.ok_or_else(missing)?);
        Ok(())
    }

    /// The value of a key, `None` when it is not there.
    ///
    /// # Errors
    /// `InfoKey` when it cannot be a key.
    pub fn get(&self, key: &str) -> Result<Option<&str>, Error> {
        check_key(key)?;
        let pair = self.pairs.iter().find(|(known, _)| known == key);
        Ok(pair.map(|(_, value)| value.as_str()))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The key at a position, by the order of setting.
    ///
    /// # Errors
    /// `Arg` when there are fewer.
    pub fn key(&self, position: usize) -> Result<&str, Error> {
        let beyond = || {
            let text = format!("n is {position}, but there are {} keys", self.pairs.len());
            Error::new(Class::Arg, text)
        };
        self.pairs
            .get(position)
            .map(|(key, _)| key.as_str())
            .ok_or_else(beyond)
    }

    /// Returns all pairs, in the order in which they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

fn check_key(key: &str) -> Result<(), Error> {
    if key.is_empty() || key.len() >= Info::KEY_BYTES_MAX {
        let text = format!(
            "an info key has {} bytes; it must have 1 to {} (MPI_MAX_INFO_KEY - 1)",
            key.len(),
            Info::KEY_BYTES_MAX - 1
        );
        return Err(Error::new(Class::InfoKey, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_their_place() {
        let mut info = Info::new();
        for (key, value) in [("b", "1"), ("a", "2"), ("b", "3")] {
            info.set(key, value).unwrap();
        }
        assert_eq!(info.iter().collect::<Vec<_>>(), [("b", "3"), ("a", "2")]);
        assert_eq!((info.key(1), info.len()), (Ok("a"), 2));
        assert_eq!(info.key(2).unwrap_err().class, Class::Arg);
        info.delete("b").unwrap();
        assert_eq!(info.get("b"), Ok(None));
        assert_eq!(info.delete("b").unwrap_err().class, Class::InfoNokey);
    }

    #[test]
    fn limits_are_those_of_the_standard() {
        let mut info = Info::new();
        let (key, value) = ("k".repeat(255), "v".repeat(1023));
        info.set(&key, &value).unwrap();
        assert_eq!(info.get(&key), Ok(Some(value.as_str())));
        let long = info.set("k", &"v".repeat(1024)).unwrap_err();
        assert_eq!(long.class, Class::InfoValue);
        for bad in ["", &"k".repeat(256)] {
            assert_eq!(info.set(bad, "v").unwrap_err().class, Class::InfoKey);
            assert_eq!(info.get(bad).unwrap_err().class, Class::InfoKey);
        }
    }
}
