//! Names of the files that ranks' output is written to.
//!
//! A pattern is a file's name with `%r` for the rank (as wide as the last one's), `%g` for the
//! number of its program, `%h` for its host, `%p` for the number of its part of the job, counted
//! from 1, and `%%` for a percent sign. The files of processes that were spawned, whose ranks begin
//! at 0 again, have the number of the part at their end if `%p` is not in the pattern.

/// The source of output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writer<'a> {
    /// The rank.
    pub rank: u32,
    /// How many ranks there are.
    pub size: u32,
    /// The number of its program.
    pub app: u32,
    /// The name of its host.
    pub host: &'a str,
    /// The number of its part of the job, counted from 1.
    pub part: u32,
}

/// The patterns for standard output and error in a folder: `DIR/1/rank.0/stdout`.
pub(crate) fn in_folder(folder: &str) -> [Option<String>; 2] {
    let folder = plain(folder);
    ["stdout", "stderr"].map(|stream| Some(format!("{folder}/%p/rank.%r/{stream}")))
}

/// The patterns for standard output and error that open with a name: `NAME.0.out`.
pub(crate) fn beside(name: &str) -> [Option<String>; 2] {
    let name = plain(name);
    ["out", "err"].map(|stream| Some(format!("{name}.%r.{stream}")))
}

fn plain(name: &str) -> String {
    name.replace('%', "%%")
}

/// The name of the file that `pattern` means for a rank.
pub fn name_of(pattern: &str, writer: Writer) -> String {
    let mut name = String::new();
    let mut has_part = writer.part == 1;
    let mut letters = pattern.chars();
    let width = writer.size.saturating_sub(1).max(1).ilog10() as usize + 1;
    while let Some(letter) = letters.next() {
        match letter {
            '%' => match letters.next() {
                Some('r') => name.push_str(&format!("{:0width$}", writer.rank)),
                Some('g') => name.push_str(&writer.app.to_string()),
                Some('h') => name.push_str(writer.host),
                Some('p') => {
                    has_part = true;
                    name.push_str(&writer.part.to_string());
                }
                Some('%') => name.push('%'),
                Some(other) => name.extend(['%', other]),
                None => name.push('%'),
            },
            other => name.push(other),
        }
    }
    if !has_part {
        name.push_str(&format!(".{}", writer.part));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_a_file_of_its_own() {
        let writer = |rank, size| Writer {
            rank,
            size,
            app: 1,
            host: "n3",
            part: 1,
        };
        let spawned = Writer {
            part: 3,
            ..writer(0, 1)
        };
        let [out, err] = in_folder("a%b").map(Option::unwrap);
        assert_eq!(name_of(&out, writer(3, 11)), "a%b/1/rank.03/stdout");
        assert_eq!(name_of(&err, writer(3, 10)), "a%b/1/rank.3/stderr");
        assert_eq!(name_of(&out, spawned), "a%b/3/rank.0/stdout");
        let [out, err] = beside("log").map(Option::unwrap);
        assert_eq!(name_of(&out, writer(0, 1)), "log.0.out");
        assert_eq!(name_of(&out, spawned), "log.0.out.3");
        assert_eq!(name_of(&err, writer(7, 1001)), "log.0007.err");
        assert_eq!(name_of("%h-%g-%r.%x%", writer(2, 4)), "n3-1-2.%x%");
    }
}
