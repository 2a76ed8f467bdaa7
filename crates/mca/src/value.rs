//! Values of parameters, and their parsers.
//!
//! Reading is strict: text that follows a number, a value that does not fit and a word that is
//! not in the list are refused, never cut, wrapped or turned into 0.

use std::fmt;

use crate::verbosity::WORDS;
use crate::Kind;

/// The value of a parameter, of the type that its [`Kind`] declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A [`Kind::Bool`].
    Bool(bool),
    /// A [`Kind::Int`] or [`Kind::Verbosity`].
    Int(i64),
    /// A [`Kind::Size`].
    Size(usize),
    /// A [`Kind::Text`].
    Text(String),
    /// A [`Kind::Choice`]: the word as it was declared.
    Choice(&'static str),
    /// A [`Kind::List`]: the words, without blanks around them and without empty ones.
    List(Vec<String>),
}

impl Value {
    /// The value unless one is set.
    pub fn default_of(kind: &Kind) -> Value {
        match *kind {
            Kind::Bool { default } => Value::Bool(default),
            Kind::Int { default, .. } | Kind::Verbosity { default } => Value::Int(default),
            Kind::Size { default, .. } => Value::Size(default),
            Kind::Text { default } => Value::Text(default.to_string()),
            Kind::Choice { default, .. } => Value::Choice(default),
            Kind::List { default } => Value::List(words(default)),
        }
    }

    /// Reads `text` as a value of `kind`, or `None` when it is not one.
    pub fn parse(kind: &Kind, text: &str) -> Option<Value> {
        let text = text.trim();
        match *kind {
            Kind::Bool { .. } => parse_bool(text).map(Value::Bool),
            Kind::Int { min, max, .. } => {
                let number = i64::try_from(parse_number(text)?).ok()?;
                (min <= number && number <= max).then_some(Value::Int(number))
            }
            Kind::Size { min, max, .. } => {
                let number = usize::try_from(parse_number(text)?).ok()?;
                (min <= number && number <= max).then_some(Value::Size(number))
            }
            Kind::Text { .. } => Some(Value::Text(text.to_string())),
            Kind::Choice { allowed, .. } => {
                let word = allowed
                    .iter()
                    .find(|word| word.eq_ignore_ascii_case(text))?;
                Some(Value::Choice(word))
            }
            Kind::List { .. } => Some(Value::List(words(text))),
            Kind::Verbosity { .. } => parse_verbosity(text).map(Value::Int),
        }
    }
}

/// Reads a verbosity: a number from -1 to 100 or one of [`WORDS`].
fn parse_verbosity(text: &str) -> Option<i64> {
    if let Some((_, number)) = WORDS
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text))
    {
        return Some(*number);
    }
    let number = i64::try_from(parse_number(text)?).ok()?;
    (-1..=100).contains(&number).then_some(number)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Size(value) => write!(f, "{value}"),
            Value::Text(value) => f.write_str(value),
            Value::Choice(value) => f.write_str(value),
            Value::List(value) => f.write_str(&value.join(",")),
        }
    }
}

fn parse_bool(text: &str) -> Option<bool> {
    const TRUE: [&str; 7] = ["1", "true", "t", "yes", "y", "on", "enabled"];
    const FALSE: [&str; 7] = ["0", "false", "f", "no", "n", "off", "disabled"];
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    match (is(&TRUE), is(&FALSE)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// A decimal or `0x` number with an optional sign and an optional suffix k, m or g.
///
/// A leading zero is refused: in Open MPI's files it means octal, to most people it does not.
pub(crate) fn parse_number(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, shift) = match digits.bytes().last()?.to_ascii_lowercase() {
        b'k' => (&digits[..digits.len() - 1], 10),
        b'm' => (&digits[..digits.len() - 1], 20),
        b'g' => (&digits[..digits.len() - 1], 30),
        _ => (digits, 0),
    };
    let (digits, radix) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(rest) => (rest, 16),
        None => (digits, 10),
    };
    let octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    if digits.is_empty() || octal || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let number = i128::from(u64::from_str_radix(digits, radix).ok()?) << shift;
    Some(if negative { -number } else { number })
}

fn words(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Param;

    fn size(text: &str) -> Option<Value> {
        Value::parse(&Param::size("btl_b", 1, 0..=1 << 40, 1, "h").kind, text)
    }

    #[test]
    fn numbers_have_suffixes_and_nothing_else_after_them() {
        assert_eq!(size("64"), Some(Value::Size(64)));
        assert_eq!(size(" 4k "), Some(Value::Size(4096)));
        assert_eq!(size("3M"), Some(Value::Size(3 << 20)));
        assert_eq!(size("1g"), Some(Value::Size(1 << 30)));
        assert_eq!(size("0x10"), Some(Value::Size(16)));
        assert_eq!(size("0"), Some(Value::Size(0)));
        let bad = [
            "", "k", "12abc", "4kb", "1 k", "-1", "--1", "010", "0x", "1.5", "one", "9e9",
        ];
        for text in bad
            .iter()
            .chain(&["18446744073709551616", "18446744073709551615g", "é", "+"])
        {
            assert_eq!(size(text), None, "{text:?} was read as a size");
        }
    }

    #[test]
    fn integers_keep_their_sign_and_their_range() {
        let kind = Param::int("btl_b", 0, -5..=2048, 1, "h").kind;
        assert_eq!(Value::parse(&kind, "-5"), Some(Value::Int(-5)));
        assert_eq!(Value::parse(&kind, "+2k"), Some(Value::Int(2048)));
        assert_eq!(Value::parse(&kind, "-6"), None);
        assert_eq!(Value::parse(&kind, "3k"), None);
    }

    #[test]
    fn switches_words_and_lists() {
        let switch = Param::bool("btl_b", true, 1, "h").kind;
        assert_eq!(Value::parse(&switch, "OFF"), Some(Value::Bool(false)));
        assert_eq!(Value::parse(&switch, "y"), Some(Value::Bool(true)));
        assert_eq!(Value::parse(&switch, "2"), None);
        assert_eq!(Value::parse(&switch, ""), None);
        let choice = Param::choice("btl_b", "file", &["memfd", "file"], 1, "h").kind;
        assert_eq!(Value::parse(&choice, "MemFD"), Some(Value::Choice("memfd")));
        assert_eq!(Value::parse(&choice, "mem"), None);
        let list = Param::list("btl_b", "", 1, "h").kind;
        let words = Value::List(vec!["eth0".into(), "10.0.0.0/8".into()]);
        assert_eq!(Value::parse(&list, " eth0,, 10.0.0.0/8 ,"), Some(words));
        assert_eq!(Value::parse(&list, ""), Some(Value::List(vec![])));
    }

    proptest! {
        #[test]
        fn any_text_is_a_value_or_refused_and_never_a_panic(text in ".{0,24}") {
            size(&text);
            prop_assert!(parse_bool(&text).is_none() || text.is_ascii());
        }

        #[test]
        fn a_shown_value_reads_back(number in 0usize..=1 << 40, flag: bool, shift in 0u32..3) {
            prop_assert_eq!(size(&Value::Size(number).to_string()), Some(Value::Size(number)));
            let suffixed = format!("{}{}", number >> 30, ["k", "M", "g"][shift as usize]);
            let meant = (number >> 30) << (10 * (shift + 1));
            prop_assert_eq!(size(&suffixed), Some(Value::Size(meant)));
            let kind = Kind::Bool { default: !flag };
            prop_assert_eq!(Value::parse(&kind, &flag.to_string()), Some(Value::Bool(flag)));
        }
    }

    #[test]
    fn verbosities_are_numbers_or_words() {
        for (text, number) in [
            ("40", 40),
            ("INFO", 40),
            ("max", 100),
            ("none", -1),
            ("-1", -1),
        ] {
            assert_eq!(parse_verbosity(text), Some(number), "{text}");
        }
        for text in ["101", "-2", "loud", "", "10x"] {
            assert_eq!(parse_verbosity(text), None, "{text}");
        }
    }
}
