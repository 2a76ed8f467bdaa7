//! Published names at a PMIx server (PMIx 4.1, 7.1 to 7.3).

use std::ffi::CString;
use std::ptr;

use super::data::{digest, directive, terminated, ByteObject, Data, Entry, Proc, Value, STRING};
use super::sys::{check, taken_text, Session, ERR_NOT_FOUND, ERR_NOT_SUPPORTED};
use crate::names::{Answer, Question};

impl Session {
    /// Asks the server about a published name, which all jobs of the server find. `None` where it
    /// keeps none. An error is the request and the status.
    pub(super) fn ask_names(
        &self,
        question: &Question,
    ) -> Result<Option<Answer>, (&'static str, i32)> {
        let answered = match question {
            Question::Publish { service, port } => self.publish_name(service, port),
            Question::LookUp { service } => self.look_up_name(service),
            Question::Withdraw { service, .. } => self.unpublish_name(service),
        };
        let request = match question {
            Question::Publish { .. } => "publishing a name",
            Question::LookUp { .. } => "looking up a name",
            Question::Withdraw { .. } => "withdrawing a name",
        };
        match answered {
            Ok(answer) => Ok(Some(answer)),
            Err(ERR_NOT_SUPPORTED) => Ok(None),
            Err(status) => Err((request, status)),
        }
    }

    /// Publishes a name that is not published yet: servers take any number of values for a key.
    fn publish_name(&self, service: &str, port: &str) -> Result<Answer, i32> {
        if self.look_up_name(service)? != Answer::Unknown {
            return Ok(Answer::Taken);
        }
        let (key, port) = (key(service), terminated(port));
        let mut info = directive(&key, STRING, 0);
        let bytes = port.as_ptr().cast_mut();
        info.value.data = Data {
            bytes: ByteObject { bytes, size: 0 },
        };
        // SAFETY: one info with a terminated text, which the library copies.
        check(unsafe { (self.library().publish)(&info, 1) })?;
        Ok(Answer::Done)
    }

    fn look_up_name(&self, service: &str) -> Result<Answer, i32> {
        let info = directive(&key(service), STRING, 0);
        let mut entry = Entry {
            publisher: Proc::none(),
            key: info.key,
            value: Value {
                kind: 0,
                data: Data { widest: [0; 3] },
            },
        };
        // SAFETY: one entry with a terminated key and no value, which the library fills in.
        let status = unsafe { (self.library().look_up)(&mut entry, 1, ptr::null(), 0) };
        match check(status) {
            Err(ERR_NOT_FOUND) => return Ok(Answer::Unknown),
            answer => answer?,
        }
        // SAFETY: the library has made the value for its caller.
        let port = unsafe { taken_text(&mut entry.value) };
        Ok(port.map_or(Answer::Unknown, Answer::Found))
    }

    fn unpublish_name(&self, service: &str) -> Result<Answer, i32> {
        let key = key(service);
        let mut keys = [key.as_ptr().cast_mut(), ptr::null_mut()];
        // SAFETY: a list of one terminated key that ends with null, which the library reads.
        check(unsafe { (self.library().unpublish)(keys.as_mut_ptr(), ptr::null(), 0) })?;
        Ok(Answer::Done)
    }
}

/// Returns the key of a service: names may be longer than keys.
fn key(service: &str) -> CString {
    terminated(&format!("oxmpi.name.{:032x}", digest(service.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::super::data::KEY_BYTES;
    use super::*;

    #[test]
    fn keys_of_services_differ_and_fit() {
        let long = "x".repeat(5000);
        let keys = [
            key("user:a"),
            key("job:a"),
            key(&long),
            key(&(long.clone() + "x")),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(key.as_bytes().len() < KEY_BYTES);
            assert!(!keys[..at].contains(key));
        }
    }
}
