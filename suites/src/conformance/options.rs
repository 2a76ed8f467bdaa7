//! Which tests of the suite run, on which library, and how.

use std::path::PathBuf;
use std::time::Duration;

use xtask::shell;

/// The key of the library under test.
pub const OURS: &str = "oxmpi";

/// Which of the tests that make or move much data, and of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    With,
    Without,
    Alone,
}

/// Selection of the tests, and how they are run.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Run on this library
    #[arg(long, value_name = "KEY", default_value = OURS)]
    pub peer: String,
    /// Only this folder
    #[arg(long, value_name = "NAME")]
    pub folder: Option<String>,
    /// Only tests whose name has this text
    #[arg(long, value_name = "TEXT")]
    pub test: Option<String>,
    /// Leave out tests that want more ranks
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub ranks: usize,
    /// Leave out tests that want more memory
    #[arg(long, value_name = "GIB", default_value_t = 2.0)]
    pub memory: f64,
    /// Run tests that make much data of many types as well
    #[arg(long)]
    pub long: bool,
    #[arg(skip = Bulk::With)]
    pub bulk: Bulk,
    /// Run N tests at a time
    #[arg(long, value_name = "N", default_value_t = shell::processors())]
    pub jobs: usize,
    /// Let a test take FACTOR times as long as its limit
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub patience: f64,
    /// Run on the installation at DIR
    #[arg(long, value_name = "DIR", value_parser = xtask::folder)]
    pub prefix: Option<PathBuf>,
    /// Set a parameter of oxmpi
    #[arg(long, num_args = 2, value_names = ["NAME", "VALUE"])]
    pub mca: Vec<String>,
    /// How long tests are begun; those that come later fail.
    #[arg(skip = Duration::MAX)]
    pub begun_within: Duration,
    /// Print each test
    #[arg(long)]
    pub verbose: bool,
}

impl Options {
    /// Returns the name of the file of results: the library's key, and with parameters these too.
    pub fn kept_as(&self) -> String {
        let mut name = self.peer.clone();
        for parameter in self.mca.chunks(2) {
            name += &format!(" {}", parameter.join("="));
        }
        let plain = |letter: char| letter.is_alphanumeric() || "_-=,.".contains(letter);
        name.replace(|letter| !plain(letter), "_")
    }
}

impl Default for Options {
    fn default() -> Options {
        xtask::usual()
    }
}
