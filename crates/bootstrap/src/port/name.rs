//! Names of ports: `oxmpi:ADDRESS:PORT,ADDRESS:PORT...#KEY`, the key in 64 hexadecimal digits.

use std::fmt::Write as _;
use std::net::SocketAddr;

/// Most bytes of a name, without the closing zero of C (`MPI_MAX_PORT_NAME`).
pub const NAME_BYTES_MAX: usize = 1023;

const PREFIX: &str = "oxmpi:";
const KEY_DIGITS: usize = 64;
/// Most characters of a malformed name in a message.
const SHOWN_MAX: usize = 64;

/// Where a port listens, and the key that lets a process in.
#[derive(Clone, PartialEq, Eq)]
pub struct PortName {
    /// Where it listens.
    pub addresses: Vec<SocketAddr>,
    /// The key that lets a process in.
    pub key: [u8; 32],
}

impl PortName {
    /// Returns the name as text, with as many addresses as it has room for.
    pub fn text(&self) -> String {
        let mut text = String::from(PREFIX);
        for (at, address) in self.addresses.iter().enumerate() {
            let part = match at {
                0 => address.to_string(),
                _ => format!(",{address}"),
            };
            if text.len() + part.len() + 1 + KEY_DIGITS <= NAME_BYTES_MAX {
                text.push_str(&part);
            }
        }
        text.push('#');
        for byte in self.key {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// Reads a name.
    ///
    /// # Errors
    /// One sentence for any other text, which does not show a key.
    pub fn parse(text: &str) -> Result<PortName, String> {
        let parse = || {
            let (addresses, digits) = text.strip_prefix(PREFIX)?.split_once('#')?;
            let addresses = addresses.split(',').map(|part| part.parse().ok());
            let digits = Some(digits).filter(|digits| {
                digits.len() == KEY_DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit())
            })?;
            let mut key = [0; 32];
            for (at, byte) in key.iter_mut().enumerate() {
                *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
            }
            Some(PortName {
                addresses: addresses.collect::<Option<Vec<SocketAddr>>>()?,
                key,
            })
        };
        parse().ok_or_else(|| {
            let shown = PortName::cut(text);
            format!("`{shown}` is not the name of a port (oxmpi:ADDRESS:PORT#KEY)")
        })
    }

    /// Returns the start of a text that may be a name, without what may be a key, for messages.
    pub(crate) fn cut(text: &str) -> String {
        let start = text.split('#').next().unwrap_or("");
        start.chars().take(SHOWN_MAX).collect()
    }

    /// Returns the name without its key, for messages.
    pub fn shown(&self) -> String {
        let first = self.addresses.first().map(SocketAddr::to_string);
        format!("{PREFIX}{}", first.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_back_as_it_went_and_fits() {
        let mut name = PortName {
            addresses: vec!["127.0.0.1:80".parse().unwrap(), "[::1]:81".parse().unwrap()],
            key: std::array::from_fn(|at| at as u8 + 200),
        };
        assert!(PortName::parse(&name.text()).unwrap() == name);
        name.addresses = (0..100)
            .map(|n| format!("10.0.0.{n}:65535").parse().unwrap())
            .collect();
        let text = name.text();
        assert!(text.len() <= NAME_BYTES_MAX, "{} bytes", text.len());
        assert!(PortName::parse(&text).unwrap().key == name.key);
    }

    #[test]
    fn what_is_no_name_is_refused_and_its_key_not_shown() {
        let good = PortName {
            addresses: vec!["127.0.0.1:80".parse().unwrap()],
            key: [0xab; 32],
        };
        let good = good.text();
        let cut = &good[..good.len() - 1];
        let signed = good.replacen("#ab", "#+b", 1);
        for bad in [
            "",
            "oxmpi:",
            "oxmpi:#",
            "x",
            cut,
            &signed,
            &good[1..],
            "oxmpi:host:1#00",
        ] {
            let error = PortName::parse(bad).err().expect(bad);
            assert!(!error.contains("abab"), "{error}");
        }
    }
}
