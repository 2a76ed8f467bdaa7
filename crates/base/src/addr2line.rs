//! Positions in code by function and line, where `addr2line` is installed and the program has
//! debugging information.

use std::process::{Command, Stdio};

/// Returns the names of addresses in a file, such as `main (heat.c:12)`: an empty text for each
/// that is not known, and fewer texts where none can be.
#[expect(
    clippy::disallowed_methods,
    reason = "a report waits for a program that only reads a file"
)]
pub fn lines_of(file: &str, addresses: &[u64]) -> Vec<String> {
    // The program is one of the caller's `PATH`.
    if environment::is_secure() {
        return Vec::new();
    }
    let mut command = Command::new("addr2line");
    command.args(["-C", "-f", "-s", "-e", file]);
    command.args(addresses.iter().map(|address| format!("{address:#x}")));
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let Ok(output) = command.output() else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let name = |pair: &[&str]| {
        let (function, place) = (pair[0], pair[1].split(" (").next().unwrap_or_default());
        match (function, place.starts_with("??")) {
            ("??", true) => String::new(),
            ("??", false) => place.to_string(),
            (function, true) => function.to_string(),
            (function, false) => format!("{function} ({place})"),
        }
    };
    lines.chunks_exact(2).map(name).collect()
}

/// Names an address by the symbol that its file exports for it, or else by file and address.
pub fn by_address(file: &str, symbol: &str, address: u64) -> String {
    let file = file.rsplit('/').next().unwrap_or_default();
    match (file, symbol) {
        ("", _) => String::new(),
        (file, "") => format!("{file}+{address:#x}"),
        (file, symbol) => format!("{symbol} ({file}+{address:#x})"),
    }
}
