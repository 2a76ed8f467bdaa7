//! One Rust file: its text, and its code, which is the text with comments and literals blanked, so
//! that rules can search it for braces and words.

use std::path::PathBuf;

pub struct Source {
    pub path: PathBuf,
    pub text: String,
    /// `text` with every character of a comment, string or character literal made a space; lines
    /// stay lines.
    pub masked: String,
}

pub struct Function<'a> {
    pub name: &'a str,
    /// The line of its `fn`, from 1.
    pub line: usize,
    /// From the line of its `fn` to that of its closing brace.
    pub lines: usize,
}

impl Source {
    pub fn new(path: PathBuf, text: String) -> Source {
        let masked = mask(&text);
        Source { path, text, masked }
    }

    /// Whether the whole file is for tests.
    pub fn is_test(&self) -> bool {
        let part = |name: &str| self.path.components().any(|part| part.as_os_str() == name);
        part("tests") || part("benches") || self.path.ends_with("tests.rs")
    }

    /// Every function with a body, nested ones too.
    pub fn functions(&self) -> Vec<Function<'_>> {
        let mut functions = Vec::new();
        let bytes = self.masked.as_bytes();
        for (at, _) in self.masked.match_indices("fn ") {
            let before = at.checked_sub(1).map_or(b' ', |at| bytes[at]);
            let name = word(&self.masked[at + 3..]);
            if is_word(before) || name.is_empty() {
                continue;
            }
            if let Some(end) = body_end(bytes, at) {
                let line = newlines(&bytes[..at]) + 1;
                functions.push(Function {
                    name,
                    line,
                    lines: newlines(&bytes[at..end]) + 1,
                });
            }
        }
        functions
    }
}

/// Where the body of the function at `start` closes; `None` for a declaration without a body.
fn body_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut nested = 0usize;
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'(' | b'[' if depth == 0 => nested += 1,
            b')' | b']' if depth == 0 => nested = nested.saturating_sub(1),
            b';' if depth == 0 && nested == 0 => return None,
            b'{' if depth > 0 || nested == 0 => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn word(text: &str) -> &str {
    let end = text
        .bytes()
        .position(|byte| !is_word(byte))
        .unwrap_or(text.len());
    &text[..end]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Kinds of text.
enum Piece {
    Code,
    LineComment,
    BlockComment,
    /// A string, with the number of `#` where it is raw.
    Text(Option<usize>),
    Character,
}

/// Blanks comments and literals. Bytes of longer characters outside them become spaces too, so that
/// a place in the result may be cut anywhere.
fn mask(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    while out.len() < bytes.len() {
        let at = out.len();
        let (piece, opening) = piece_at(bytes, at);
        let end = match piece {
            Piece::Code => at,
            Piece::LineComment => find(bytes, at, b"\n"),
            Piece::BlockComment => comment_end(bytes, at),
            Piece::Text(Some(hashes)) => {
                let closing = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
                find(bytes, at + opening, &closing) + closing.len()
            }
            Piece::Text(None) => escaped_end(bytes, at + opening, b'"'),
            Piece::Character => escaped_end(bytes, at + opening, b'\''),
        };
        let blank = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
        out.extend(bytes[at..end.min(bytes.len())].iter().map(blank));
        if matches!(piece, Piece::Code) {
            out.push(if bytes[at].is_ascii() {
                bytes[at]
            } else {
                b' '
            });
        }
    }
    out.into_iter().map(char::from).collect()
}

/// The piece that starts at `at`, and the length of its opening.
fn piece_at(bytes: &[u8], at: usize) -> (Piece, usize) {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        return (Piece::LineComment, 2);
    }
    if rest.starts_with(b"/*") {
        return (Piece::BlockComment, 2);
    }
    if rest[0] == b'"' {
        return (Piece::Text(None), 1);
    }
    let starts_word = at == 0 || !is_word(bytes[at - 1]) || bytes[at - 1] == b'b';
    if rest[0] == b'r' && starts_word {
        let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
        if rest.get(1 + hashes) == Some(&b'"') {
            return (Piece::Text(Some(hashes)), 2 + hashes);
        }
    }
    if rest[0] == b'\'' && is_character(rest) {
        return (Piece::Character, 1);
    }
    (Piece::Code, 0)
}

/// Whether a quote opens a character literal and not a lifetime.
fn is_character(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(byte) if byte.is_ascii() => rest.get(2) == Some(&b'\''),
        Some(_) => true,
        None => false,
    }
}

fn comment_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth == 1 => return at + 2,
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

fn escaped_end(bytes: &[u8], start: usize, closing: u8) -> usize {
    let mut at = start;
    while at < bytes.len() && bytes[at] != closing {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn find(bytes: &[u8], start: usize, what: &[u8]) -> usize {
    let found = bytes[start..]
        .windows(what.len())
        .position(|window| window == what);
    found.map_or(bytes.len(), |found| start + found)
}
