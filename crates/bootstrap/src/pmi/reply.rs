//! Parser of launchers' replies in both protocols: words `key=value`.
//!
//! Launchers differ in the order of the words and in which ones they send, so a reply is read as
//! a map. In PMI-1 it is a line with words separated by spaces; a word without `=` belongs to the
//! value before it, as in the texts of error messages. In PMI-2 it is a message whose length is in
//! the six characters before it, and each word ends with a semicolon.

use super::link::REPLY_BYTES_MAX;

/// A reply, as its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reply(Vec<(String, String)>);

impl Reply {
    /// Reads a line of PMI-1, without its newline.
    pub(super) fn of_line(line: &str) -> Reply {
        Reply::of_pairs(line.split(' ').filter(|word| !word.is_empty()), ' ')
    }

    /// Reads a message of PMI-2, without its length.
    pub(super) fn of_message(message: &str) -> Reply {
        Reply::of_pairs(message.split(';').filter(|word| !word.is_empty()), ';')
    }

    fn of_pairs<'a>(all: impl Iterator<Item = &'a str>, parted_by: char) -> Reply {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for word in all {
            match (word.split_once('='), pairs.last_mut()) {
                (Some((key, value)), _) => pairs.push((key.to_string(), value.to_string())),
                (None, Some((_, value))) => {
                    value.push(parted_by);
                    value.push_str(word);
                }
                (None, None) => {}
            }
        }
        Reply(pairs)
    }

    /// The value of `key`.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, value)| value.as_str())
    }

    /// The value of `key` as a number.
    pub(super) fn number(&self, key: &str) -> Option<i64> {
        self.get(key)?.parse().ok()
    }

    /// The return code; 0 where the launcher leaves it out.
    pub(super) fn rc(&self) -> i64 {
        self.number("rc").unwrap_or(0)
    }
}

/// Takes the first line off `bytes`, without its newline; `None` when it is not whole yet.
pub(super) fn take_line(bytes: &mut Vec<u8>) -> Result<Option<String>, String> {
    let Some(end) = bytes.iter().position(|&b| b == b'\n') else {
        return Ok(None);
    };
    let line = take(bytes, end + 1);
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_string()))
}

/// How many characters hold the length of a message.
const LENGTH_BYTES: usize = 6;

/// Takes the first message off `bytes`, without its length; `None` when it is not whole yet.
/// Launchers pad the length with spaces, some on its left and some on its right.
pub(super) fn take_message(bytes: &mut Vec<u8>) -> Result<Option<String>, String> {
    let Some(head) = bytes.get(..LENGTH_BYTES) else {
        return Ok(None);
    };
    let length_text = String::from_utf8_lossy(head).into_owned();
    let length = length_text.trim().parse::<usize>();
    let length = match length {
        Ok(length) if length <= REPLY_BYTES_MAX => length,
        _ => {
            return Err(format!(
                "{length_text:?} instead of the length of a message"
            ))
        }
    };
    if bytes.len() < LENGTH_BYTES + length {
        return Ok(None);
    }
    take(bytes, LENGTH_BYTES);
    Ok(Some(take(bytes, length)))
}

/// `text` as a message.
pub(super) fn message(text: &str) -> Vec<u8> {
    format!("{:>LENGTH_BYTES$}{text}", text.len()).into_bytes()
}

fn take(bytes: &mut Vec<u8>, count: usize) -> String {
    let rest = bytes.split_off(count);
    let taken = std::mem::replace(bytes, rest);
    String::from_utf8_lossy(&taken).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects_of_a_line_read_alike() {
        for line in [
            "cmd=get_result rc=-1 msg=key_missing_not_found value=unknown",
            "rc=-1 cmd=get_result value=unknown msg=key_missing_not_found",
        ] {
            let reply = Reply::of_line(line);
            assert_eq!(reply.get("cmd"), Some("get_result"));
            assert_eq!((reply.rc(), reply.get("value")), (-1, Some("unknown")));
        }
        assert_eq!(Reply::of_line("cmd=barrier_out").rc(), 0);
        assert_eq!(Reply::of_line("cmd=x value=a=b").get("value"), Some("a=b"));
        let reply = Reply::of_line("cmd=x msg=two words rc=1");
        assert_eq!(reply.get("msg"), Some("two words"));
    }

    #[test]
    fn lines_are_taken_one_by_one() {
        let mut bytes = b"one\ntwo\r\nthr".to_vec();
        assert_eq!(take_line(&mut bytes), Ok(Some("one".into())));
        assert_eq!(take_line(&mut bytes), Ok(Some("two".into())));
        assert_eq!(take_line(&mut bytes), Ok(None));
        assert_eq!(bytes, b"thr");
    }

    #[test]
    fn messages_are_taken_with_either_padding() {
        let mut bytes = b"    12cmd=a;rc=-1;12    cmd=b;rc= 2;1".to_vec();
        let reply = Reply::of_message(&take_message(&mut bytes).unwrap().unwrap());
        assert_eq!((reply.get("cmd"), reply.rc()), (Some("a"), -1));
        assert_eq!(take_message(&mut bytes), Ok(Some("cmd=b;rc= 2;".into())));
        assert_eq!(take_message(&mut bytes), Ok(None));
        assert_eq!(bytes, b"1");
        let mut cut = message("cmd=c;value=two words;");
        assert!(cut.starts_with(b"    22cmd"));
        let last = cut.pop();
        assert_eq!(take_message(&mut cut), Ok(None));
        cut.extend(last);
        let reply = Reply::of_message(&take_message(&mut cut).unwrap().unwrap());
        assert_eq!(reply.get("value"), Some("two words"));
    }

    #[test]
    fn what_is_no_length_is_refused() {
        for bytes in [
            "HTTP/1.1 400",
            "      cmd=",
            "-00001x",
            "1 2   x",
            "9999999",
        ] {
            let mut bytes = bytes.as_bytes().to_vec();
            let answer = take_message(&mut bytes);
            // A number of six digits is a length, though nothing of it has come.
            assert!(
                answer.is_err() || bytes.starts_with(b"999999"),
                "{answer:?}"
            );
        }
    }

    proptest::proptest! {
        /// Taking ends for every input, and removes what it returns.
        #[test]
        fn any_bytes_end(mut bytes in proptest::collection::vec(0u8..128, 0..60)) {
            let before = bytes.len();
            if let Ok(Some(text)) = take_message(&mut bytes) {
                proptest::prop_assert_eq!(bytes.len() + text.len() + 6, before);
                let _ = Reply::of_message(&text).number("rc");
            }
        }
    }
}
