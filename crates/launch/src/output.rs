//! Merges the output of ranks line by line. No I/O.
//!
//! A line is printed when it is complete, when it is too long to buffer, or at the end of its
//! stream. If the reader may wait for its beginning (a prompt, a progress bar), an incomplete line
//! is printed when all ranks have been silent for [`PARTIAL_AFTER`], or its own for
//! [`PARTIAL_BESIDE_OTHERS`]: a rank that only waits for a core does not have its line broken by
//! those that print meanwhile. Time in which the reader is behind does not count: what ranks print
//! is held back then, and nobody waits for it. With tags each line begins with one; if another rank
//! prints in between, the incomplete line is ended with a line break and continued behind a new
//! tag. Output before the end of a line is never cut within a UTF-8 character.

pub mod files;
pub(crate) mod sink;

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use base::Instant;

use launch_plan::request::Tags;

pub(crate) use files::Files;

/// How long an unfinished line is buffered while nobody prints.
pub const PARTIAL_AFTER: Duration = Duration::from_millis(150);

/// How long an unfinished line is buffered while others print: a progress bar beside them still
/// moves, and a process that has lost its core for some turns of the scheduler is back.
const PARTIAL_BESIDE_OTHERS: Duration = Duration::from_secs(2);

/// Most bytes of an unfinished line that are buffered where somebody may wait for it.
const PARTIAL_BYTES_MAX: usize = 64 * 1024;

/// Most bytes of an unfinished line that are buffered where nobody waits for it.
const LINE_BYTES_MAX: usize = 1 << 20;

/// The lines of one kind of stream (standard output or error) of all ranks.
pub struct Merger {
    label: &'static str,
    tags: Tags,
    /// Whether somebody may wait for the beginning of a line.
    prompts: bool,
    /// The processes by their numbers in the job.
    lines: BTreeMap<u32, Line>,
    /// The process whose unfinished line is the last thing that went out.
    open: Option<u32>,
    /// When a process last printed.
    grown: Instant,
    /// When the reader was last behind.
    held: Instant,
}

/// The unfinished line of a process.
struct Line {
    bytes: Vec<u8>,
    /// When it last grew.
    since: Instant,
    /// The part that the process is in, counted from 1, and its rank there.
    writer: (u32, u32),
}

impl Merger {
    /// Returns a merger for `size` ranks; `label` is what tags call the stream. `prompts` says
    /// whether somebody may wait for the beginning of a line.
    pub fn new(label: &'static str, tags: Tags, prompts: bool, size: u32) -> Merger {
        let mut merger = Merger {
            label,
            tags,
            prompts,
            lines: BTreeMap::new(),
            open: None,
            grown: Instant::default(),
            held: Instant::default(),
        };
        merger.add(1, 0, size);
        merger
    }

    /// Adds the `size` processes of a part from number `first` on; parts are counted from 1.
    pub fn add(&mut self, part: u32, first: u32, size: u32) {
        for rank in 0..size {
            let line = Line {
                bytes: Vec::new(),
                since: Instant::default(),
                writer: (part, rank),
            };
            self.lines.insert(first + rank, line);
        }
    }

    /// Takes in what a process printed; appends to `out` what can go out.
    pub fn push(&mut self, number: u32, bytes: &[u8], now: Instant, out: &mut Vec<u8>) {
        self.grown = now;
        let whole = bytes
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |last| last + 1);
        let (lines, rest) = bytes.split_at(whole);
        if !lines.is_empty() {
            let kept = self.take(number);
            self.emit(number, &kept, lines, out);
        }
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        line.bytes.extend_from_slice(rest);
        line.since = now;
        let max = match self.prompts {
            true => PARTIAL_BYTES_MAX,
            false => LINE_BYTES_MAX,
        };
        if line.bytes.len() > max {
            self.flush(number, out);
        }
    }

    fn take(&mut self, number: u32) -> Vec<u8> {
        let line = self.lines.get_mut(&number);
        line.map(|line| std::mem::take(&mut line.bytes))
            .unwrap_or_default()
    }

    /// The stream of a process has ended.
    pub fn close(&mut self, number: u32, out: &mut Vec<u8>) {
        let kept = self.take(number);
        if !kept.is_empty() {
            self.emit(number, &kept, &[], out);
        }
        if self.tags.is_any() && self.open == Some(number) {
            // The next tag must open a line.
            out.push(b'\n');
            self.open = None;
        }
    }

    /// The process of a stream that has ended will print no more.
    pub fn remove(&mut self, number: u32) {
        self.lines.remove(&number);
    }

    /// All streams have ended.
    pub fn close_all(&mut self, out: &mut Vec<u8>) {
        let numbers: Vec<u32> = self.lines.keys().copied().collect();
        numbers
            .into_iter()
            .for_each(|number| self.close(number, out));
    }

    /// Counts no silence until `now`: the reader is behind, and ranks may wait for it to print
    /// more.
    pub fn hold(&mut self, now: Instant) {
        self.held = now;
    }

    /// Lets go of unfinished lines that have waited long enough.
    pub fn tick(&mut self, now: Instant, out: &mut Vec<u8>) {
        let due = |line: &Line| self.due(line).is_some_and(|at| now >= at);
        let lines = self.lines.iter().filter(|(_, line)| due(line));
        let numbers: Vec<u32> = lines.map(|(number, _)| *number).collect();
        numbers
            .into_iter()
            .for_each(|number| self.flush(number, out));
    }

    /// When to call [`Merger::tick`] next.
    pub fn deadline(&self) -> Option<Instant> {
        self.lines.values().filter_map(|line| self.due(line)).min()
    }

    /// When an unfinished line is to go out.
    fn due(&self, line: &Line) -> Option<Instant> {
        let waits = self.prompts && whole_characters(&line.bytes) > 0;
        let since = |printed: Instant, limit| printed.max(self.held).after(limit);
        let beside = since(line.since, PARTIAL_BESIDE_OTHERS);
        waits.then(|| beside.min(since(self.grown, PARTIAL_AFTER)))
    }

    /// Lets the unfinished line of a process go, but for a character that has come in part.
    fn flush(&mut self, number: u32, out: &mut Vec<u8>) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        let rest = line.bytes.split_off(whole_characters(&line.bytes));
        let kept = std::mem::replace(&mut line.bytes, rest);
        if !kept.is_empty() {
            self.emit(number, &kept, &[], out);
        }
    }

    /// Puts out `head` and `tail`, one after the other, with tags where lines begin.
    fn emit(&mut self, number: u32, head: &[u8], tail: &[u8], out: &mut Vec<u8>) {
        if !self.tags.is_any() {
            out.extend_from_slice(head);
            out.extend_from_slice(tail);
            return;
        }
        let mut at_start = self.open != Some(number);
        if at_start && self.open.is_some() {
            out.push(b'\n');
        }
        let tag = self.tag(number);
        // The head has no newline but at its end: it is one line's beginning.
        for piece in [head]
            .into_iter()
            .chain(tail.split_inclusive(|&b| b == b'\n'))
        {
            if piece.is_empty() {
                continue;
            }
            if at_start {
                out.extend_from_slice(tag.as_bytes());
            }
            out.extend_from_slice(piece);
            at_start = piece.ends_with(b"\n");
        }
        self.open = (!at_start).then_some(number);
    }

    fn tag(&self, number: u32) -> String {
        let line = self.lines.get(&number);
        let (part, rank) = line.map_or((1, number), |line| line.writer);
        let mut tag = String::new();
        if self.tags.time {
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            tag.push_str(&time_of_day(since.unwrap_or_default()));
            tag.push(' ');
        }
        if self.tags.stream {
            tag.push_str(&format!("[{part},{rank}]<{}>:", self.label));
        } else if self.tags.rank {
            tag.push_str(&format!("[{rank}] "));
        }
        tag
    }
}

/// The length of `bytes` without a character of UTF-8 at their end that has come in part.
fn whole_characters(bytes: &[u8]) -> usize {
    let near = bytes.len().saturating_sub(3);
    let opens = |&at: &usize| bytes[at] & 0xc0 != 0x80;
    let Some(last) = (near..bytes.len()).rev().find(opens) else {
        return bytes.len();
    };
    let length = match bytes[last] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    match last + length > bytes.len() {
        true => last,
        false => bytes.len(),
    }
}

/// A time since the epoch as `YYYY-MM-DDTHH:MM:SS.mmmZ`.
fn time_of_day(since: Duration) -> String {
    let (days, rest) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Civil date from days, in eras of 400 years that begin in March.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let milli = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Tags = Tags {
        stream: false,
        rank: false,
        time: false,
    };
    const STREAM: Tags = Tags {
        stream: true,
        rank: false,
        time: false,
    };

    fn at(millis: u64) -> Instant {
        Instant(millis * 1_000_000)
    }

    fn run(tags: Tags, pushes: &[(u32, &str)]) -> (Merger, String) {
        let mut merger = Merger::new("stdout", tags, true, 4);
        let mut out = Vec::new();
        for (rank, text) in pushes {
            merger.push(*rank, text.as_bytes(), at(0), &mut out);
        }
        (merger, String::from_utf8(out).unwrap())
    }

    #[test]
    fn lines_of_ranks_do_not_mix() {
        let (_, out) = run(
            NONE,
            &[(0, "a"), (1, "x\ny"), (0, "b\nc"), (1, "z\n"), (0, "\n")],
        );
        assert_eq!(out, "x\nab\nyz\nc\n");
    }

    #[test]
    fn each_line_has_its_tag_once() {
        let (_, out) = run(
            STREAM,
            &[(0, "a"), (1, "x\ny"), (0, "b\nc\n\n"), (1, "z\n")],
        );
        let expected = "[1,1]<stdout>:x\n[1,0]<stdout>:ab\n[1,0]<stdout>:c\n[1,0]<stdout>:\n\
                        [1,1]<stdout>:yz\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn a_prompt_goes_out_after_a_while_and_is_continued_without_a_tag() {
        let mut merger = Merger::new("stdout", STREAM, true, 2);
        let mut out = Vec::new();
        merger.push(0, b"n? ", at(0), &mut out);
        assert_eq!(merger.deadline(), Some(at(150)));
        merger.tick(at(149), &mut out);
        assert!(out.is_empty());
        merger.tick(at(150), &mut out);
        merger.push(0, b"ok", at(200), &mut out);
        merger.push(1, b"x\n", at(200), &mut out);
        merger.push(0, b"!\n", at(210), &mut out);
        let expected = "[1,0]<stdout>:n? \n[1,1]<stdout>:x\n[1,0]<stdout>:ok!\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(merger.deadline(), None);
    }

    #[test]
    fn a_line_is_not_broken_by_others_that_print_for_two_seconds() {
        let mut merger = Merger::new("stdout", NONE, true, 2);
        let mut out = Vec::new();
        merger.push(0, b"12", at(0), &mut out);
        for time in (0..2000).step_by(100) {
            merger.tick(at(time), &mut out);
            merger.push(1, b"7\n", at(time), &mut out);
        }
        assert_eq!(out, b"7\n".repeat(20));
        assert_eq!(merger.deadline(), Some(at(2000)));
        merger.tick(at(2000), &mut out);
        merger.push(0, b"3\n", at(2000), &mut out);
        assert!(out.ends_with(b"7\n123\n"));
    }

    #[test]
    fn a_line_is_not_broken_while_the_reader_is_behind() {
        let mut merger = Merger::new("stdout", NONE, true, 2);
        let mut out = Vec::new();
        merger.push(0, b"12", at(0), &mut out);
        for time in (0..=5000).step_by(100) {
            merger.hold(at(time));
            merger.tick(at(time), &mut out);
        }
        assert!(out.is_empty());
        assert_eq!(merger.deadline(), Some(at(5150)));
        merger.push(0, b"3\n", at(5100), &mut out);
        assert_eq!(out, b"123\n");
    }

    #[test]
    fn what_nobody_waits_for_goes_out_in_whole_lines() {
        let mut merger = Merger::new("stdout", STREAM, false, 2);
        let mut out = Vec::new();
        for (rank, text) in [(0, "ab"), (1, "xy"), (0, "cd"), (1, "z\n"), (0, "\n")] {
            merger.push(rank, text.as_bytes(), at(0), &mut out);
            merger.tick(at(1000), &mut out);
            assert_eq!(merger.deadline(), None);
        }
        let expected = "[1,1]<stdout>:xyz\n[1,0]<stdout>:abcd\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn no_character_is_broken() {
        let mut merger = Merger::new("stdout", STREAM, true, 2);
        let mut out = Vec::new();
        merger.push(0, b"cd\xe2\x82", at(0), &mut out);
        merger.tick(at(150), &mut out);
        assert_eq!(merger.deadline(), None);
        merger.push(1, b"x\n", at(160), &mut out);
        merger.push(0, b"\xac\n", at(170), &mut out);
        let expected = "[1,0]<stdout>:cd\n[1,1]<stdout>:x\n[1,0]<stdout>:\u{20ac}\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        for (bytes, whole) in [
            (&b"a"[..], 1),
            (b"a\xc3", 1),
            (b"a\xc3\xa9", 3),
            (b"a\xf0\x9f\x98", 1),
            (b"\xf0\x9f\x98\x80", 4),
            // Another encoding: nothing of it is buffered for long.
            (b"\xa9\xa9\xa9\xa9", 4),
            (b"\xff", 1),
            (b"", 0),
        ] {
            assert_eq!(whole_characters(bytes), whole, "{bytes:x?}");
        }
    }

    #[test]
    fn the_end_of_a_stream_lets_its_last_words_out_unchanged() {
        let (mut merger, mut out) = run(NONE, &[(2, "no newline")]);
        assert_eq!(out, "");
        let mut bytes = Vec::new();
        merger.close(2, &mut bytes);
        out.push_str(std::str::from_utf8(&bytes).unwrap());
        assert_eq!(out, "no newline");
    }

    #[test]
    fn an_endless_line_is_not_kept() {
        let (_, out) = run(NONE, &[(0, &"x".repeat(PARTIAL_BYTES_MAX + 1))]);
        assert_eq!(out.len(), PARTIAL_BYTES_MAX + 1);
    }

    #[test]
    fn times_of_day() {
        assert_eq!(time_of_day(Duration::ZERO), "1970-01-01T00:00:00.000Z");
        let leap = Duration::from_millis(1_709_210_096_789);
        assert_eq!(time_of_day(leap), "2024-02-29T12:34:56.789Z");
        let last = Duration::from_secs(1_767_225_599);
        assert_eq!(time_of_day(last), "2025-12-31T23:59:59.000Z");
    }
}
