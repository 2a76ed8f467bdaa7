//! Parser for files of rules made of numbers, in which each list follows its length and comments
//! begin with `#`:
//!
//! ```text
//! 1              # collectives
//! 3              # the first is number 3, alltoall
//! 1              # communicator sizes
//! 64             # from 64 ranks on
//! 2              # message sizes
//! 0 3 0 0        # from 0 bytes on: algorithm 3, fan-out 0, segments of 0 bytes
//! 8192 2 0 0     # from 8 KiB on: algorithm 2
//! ```
//!
//! A file that begins with `rule-file-version-2` may have a fifth number in a rule, on its line:
//! how many requests are under way at once. The first size counts for smaller communicators too.
//! The fan-out is read and not used: no tree here has one.

use super::section::{algorithm, Refusal, Rule, Section, KNOWN};

const VERSION: &str = "rule-file-version-";

/// Most entries that a count reserves memory for before they are read.
const RESERVED_MAX: usize = 64;

/// Reads a file's content.
pub(super) fn parse(content: &str) -> Result<[Vec<Section>; KNOWN.len()], Refusal> {
    let mut words = Tokenizer::new(content);
    let version = version(&mut words)?;
    let mut sections = [const { Vec::new() }; KNOWN.len()];
    let mut seen = [false; KNOWN.len()];
    let collectives = words.number("the number of collectives")?;
    if collectives > KNOWN.len() {
        let text = format!("{collectives} collectives, but there are {}", KNOWN.len());
        return Err(words.refuse(&text));
    }
    for _ in 0..collectives {
        let id = words.number("the number of a collective")?;
        let Some(seen) = seen.get_mut(id) else {
            let last = KNOWN.len() - 1;
            let text = format!("no collective has the number {id}: they go from 0 to {last}");
            return Err(words.refuse(&text));
        };
        if std::mem::replace(seen, true) {
            let name = KNOWN[id].0;
            let text = format!("{name} (number {id}) again: put all its rules in one place");
            return Err(words.refuse(&text));
        }
        sections[id] = collective(&mut words, id, version)?;
    }
    match words.next() {
        None => Ok(sections),
        Some((line, word)) => {
            let text = format!("`{word}` follows the last rule: one of the counts is too small");
            Err((line, text))
        }
    }
}

/// Returns the version at the beginning of the file; 1 without one.
fn version(words: &mut Tokenizer) -> Result<u32, Refusal> {
    let Some((line, word)) = words.peek() else {
        return Ok(1);
    };
    let Some(number) = word.strip_prefix(VERSION) else {
        return Ok(1);
    };
    words.next();
    match number.parse() {
        Ok(version @ 1..=2) => Ok(version),
        _ => {
            let text = format!("`{word}` is a version that is not known: 1 and 2 are");
            Err((line, text))
        }
    }
}

fn collective(words: &mut Tokenizer, id: usize, version: u32) -> Result<Vec<Section>, Refusal> {
    let count = words.number("the number of communicator sizes")?;
    let mut read: Vec<(u32, Vec<Rule>)> = Vec::with_capacity(count.min(RESERVED_MAX));
    for _ in 0..count {
        let size = words.number("a communicator size")?;
        let Ok(size) = u32::try_from(size) else {
            return Err(words.refuse(&format!("no communicator has {size} ranks")));
        };
        if let Some((before, _)) = read.last().filter(|(before, _)| size <= *before) {
            let text = format!("communicator size {size} after {before}: sort them");
            return Err(words.refuse(&text));
        }
        read.push((size, rules(words, id, version)?));
    }
    // Each goes up to the next, the first also counts below it.
    let lasts = read.iter().skip(1).map(|(size, _)| size - 1);
    let lasts: Vec<u32> = lasts.chain([u32::MAX]).collect();
    let sections = read.into_iter().zip(lasts).enumerate();
    let section = |(at, ((size, rules), last))| Section {
        ranks: (if at == 0 { 0 } else { size }, last),
        rules,
    };
    Ok(sections.map(section).collect())
}

fn rules(words: &mut Tokenizer, id: usize, version: u32) -> Result<Vec<Rule>, Refusal> {
    let count = words.number("the number of message sizes")?;
    let mut rules: Vec<Rule> = Vec::with_capacity(count.min(RESERVED_MAX));
    for _ in 0..count {
        let bytes = words.number("a message size")?;
        match rules.last_mut() {
            None if bytes != 0 => {
                let text = format!("the first message size is {bytes}: begin with one of 0");
                return Err(words.refuse(&text));
            }
            None => {}
            Some(before) if bytes <= before.bytes.0 => {
                let text = format!("message size {bytes} after {}: sort them", before.bytes.0);
                return Err(words.refuse(&text));
            }
            Some(before) => before.bytes.1 = bytes - 1,
        }
        let number = words.number("an algorithm")?;
        let algorithm = algorithm(id, &number.to_string()).map_err(|text| words.refuse(&text))?;
        words.number("a fan-out")?;
        let segment = words.number("the bytes of a segment")?;
        let requests = match version > 1 && words.has_more_on_line() {
            true => words.number("the number of requests")?,
            false => 0,
        };
        rules.push(Rule {
            bytes: (bytes, usize::MAX),
            algorithm,
            segment,
            requests,
        });
    }
    Ok(rules)
}

/// Splits a file into words, each with its line.
struct Tokenizer<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    line: usize,
    rest: &'a str,
    /// Line of the previous word, for errors.
    last: usize,
}

impl<'a> Tokenizer<'a> {
    fn new(content: &'a str) -> Tokenizer<'a> {
        Tokenizer {
            lines: content.lines().enumerate(),
            line: 1,
            rest: "",
            last: 1,
        }
    }

    fn peek(&mut self) -> Option<(usize, &'a str)> {
        while self.rest.is_empty() {
            let (at, line) = self.lines.next()?;
            self.line = at + 1;
            self.rest = line.split('#').next().unwrap_or("").trim();
        }
        let word = self.rest.split_whitespace().next()?;
        Some((self.line, word))
    }

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let (line, word) = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start();
        self.last = line;
        Some((line, word))
    }

    fn has_more_on_line(&self) -> bool {
        !self.rest.is_empty()
    }

    fn number(&mut self, what: &str) -> Result<usize, Refusal> {
        let Some((line, word)) = self.next() else {
            let text = format!("the file ends where {what} should follow: a count is too great");
            return Err((self.last, text));
        };
        let parsed = match word.strip_prefix("0x") {
            Some(digits) => usize::from_str_radix(digits, 16).ok(),
            None => word.parse().ok(),
        };
        // `parse` accepts a plus sign, which no count has.
        let parsed = parsed.filter(|_| !word.contains('+'));
        parsed.ok_or_else(|| {
            (
                line,
                format!("`{word}` where {what} should be: give a number"),
            )
        })
    }

    fn refuse(&self, text: &str) -> Refusal {
        (self.last, text.to_string())
    }
}
