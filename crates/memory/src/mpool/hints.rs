//! Hints of users about the memory they want: `mpool=hugepage,page_size=2M`.

use std::fmt;

/// The source of memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Component {
    /// The C library's allocator.
    #[default]
    Default,
    /// Segments of huge pages.
    HugePage,
}

/// How parts of huge pages are given out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Algorithm {
    /// The first free block that fits.
    #[default]
    Basic,
    /// Powers of two.
    Bucket,
}

/// Properties of the requested memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hints {
    /// `mpool`: where it comes from.
    pub component: Component,
    /// `page_size`: the size of huge pages in bytes, a power of two.
    pub page_bytes: Option<usize>,
    /// `allocator`: how parts of huge pages are given out.
    pub algorithm: Algorithm,
}

/// A hint that is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadHints {
    hint: String,
}

impl fmt::Display for BadHints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "hint `{}` is not known; known are mpool=default, mpool=hugepage, page_size=BYTES \
             (a power of two, with K, M or G), allocator=basic, allocator=bucket",
            self.hint
        )
    }
}

impl std::error::Error for BadHints {}

impl Hints {
    /// Reads `key=value` pairs between commas. Nothing at all is the default.
    ///
    /// # Errors
    /// The first pair that is not understood.
    pub fn parse(text: &str) -> Result<Hints, BadHints> {
        let mut hints = Hints::default();
        let pairs = text.split(',').map(str::trim);
        for pair in pairs.filter(|pair| !pair.is_empty()) {
            hints.set(pair).ok_or_else(|| BadHints {
                hint: pair.to_owned(),
            })?;
        }
        Ok(hints)
    }

    fn set(&mut self, pair: &str) -> Option<()> {
        match pair.split_once('=')? {
            ("mpool", "default") => self.component = Component::Default,
            ("mpool", "hugepage") => self.component = Component::HugePage,
            ("allocator", "basic") => self.algorithm = Algorithm::Basic,
            ("allocator", "bucket") => self.algorithm = Algorithm::Bucket,
            ("page_size", size) => self.page_bytes = Some(page_size(size)?),
            _ => return None,
        }
        Some(())
    }
}

/// A power of two from one page to 64 GiB.
fn page_size(text: &str) -> Option<usize> {
    let letters = text.len()
        - text
            .trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .len();
    let (number, unit) = text.split_at(text.len() - letters);
    let unit = match unit.to_ascii_uppercase().as_str() {
        "" => 1,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        _ => return None,
    };
    let bytes = number.parse::<usize>().ok()?.checked_mul(unit)?;
    let fits = bytes.is_power_of_two() && bytes >= crate::page_bytes() && bytes <= 64 << 30;
    fits.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_and_strangers_named() {
        assert_eq!(Hints::parse(" "), Ok(Hints::default()));
        let hints = Hints::parse("mpool=hugepage, page_size=1G,allocator=bucket").unwrap();
        assert_eq!(hints.component, Component::HugePage);
        assert_eq!(hints.page_bytes, Some(1 << 30));
        assert_eq!(hints.algorithm, Algorithm::Bucket);
        let bad = [
            "mpool=memkind",
            "page_size=3M",
            "page_size=",
            "page_size=1",
            "huge",
            "page_size=é",
        ];
        for text in bad {
            let error = Hints::parse(text).unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")));
        }
    }
}
