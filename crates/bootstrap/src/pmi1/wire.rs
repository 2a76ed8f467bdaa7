//! The lines of PMI-1: `cmd=NAME key=value ...` and a newline.
//!
//! Launchers differ in the order of the words and in which ones they send, so a reply is read as
//! a map. Its keys and values have no spaces; a word without `=` belongs to the value before it,
//! as the texts of error messages do.

/// A reply, as its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reply(Vec<(String, String)>);

/// The longest line that is read, in bytes. Launchers send far less; what is longer is no PMI.
pub(super) const LINE_BYTES_MAX: usize = 1 << 20;

impl Reply {
    /// Reads a line, without its newline.
    pub(super) fn parse(line: &str) -> Reply {
        let mut words: Vec<(String, String)> = Vec::new();
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            match (word.split_once('='), words.last_mut()) {
                (Some((key, value)), _) => words.push((key.to_string(), value.to_string())),
                (None, Some((_, value))) => {
                    value.push(' ');
                    value.push_str(word);
                }
                (None, None) => {}
            }
        }
        Reply(words)
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
pub(super) fn take_line(bytes: &mut Vec<u8>) -> Option<String> {
    let end = bytes.iter().position(|&b| b == b'\n')?;
    let rest = bytes.split_off(end + 1);
    let line = std::mem::replace(bytes, rest);
    Some(
        String::from_utf8_lossy(&line[..end])
            .trim_end_matches('\r')
            .to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects_of_a_reply_read_alike() {
        for line in [
            "cmd=get_result rc=-1 msg=key_missing_not_found value=unknown",
            "rc=-1 cmd=get_result value=unknown msg=key_missing_not_found",
        ] {
            let reply = Reply::parse(line);
            assert_eq!(reply.get("cmd"), Some("get_result"));
            assert_eq!((reply.rc(), reply.get("value")), (-1, Some("unknown")));
        }
        assert_eq!(Reply::parse("cmd=barrier_out").rc(), 0);
        assert_eq!(Reply::parse("cmd=x value=a=b").get("value"), Some("a=b"));
        assert_eq!(
            Reply::parse("cmd=x msg=two words rc=1").get("msg"),
            Some("two words")
        );
    }

    #[test]
    fn lines_are_taken_one_by_one() {
        let mut bytes = b"one\ntwo\nthr".to_vec();
        assert_eq!(take_line(&mut bytes).as_deref(), Some("one"));
        assert_eq!(take_line(&mut bytes).as_deref(), Some("two"));
        assert_eq!(take_line(&mut bytes), None);
        assert_eq!(bytes, b"thr");
    }
}
