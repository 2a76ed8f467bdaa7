//! Tests of the program `oxmpi-perf`.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_oxmpi-perf"))
}

fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().expect("a program")
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The results of a short run.
fn results(arguments: &[&str]) -> Value {
    let short = ["--json", "-n", "200", "-w", "10", "-W", "8"];
    let output = run(&[arguments, &short].concat());
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr_of(&output)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Every test with every size has a row, and every row makes sense.
fn expect_rows(results: &Value, sizes: &[u64], tests: &[&str]) {
    let rows = results["results"].as_array().expect("rows");
    let row = |test: &str, bytes: u64| {
        let found = rows
            .iter()
            .find(|row| row["test"] == test && row["bytes"] == bytes);
        found.unwrap_or_else(|| panic!("no row of {test} with {bytes} bytes"))
    };
    for test in tests {
        let word = ["fadd_lat", "cswap_lat", "swap_lat", "fadd_rate"].contains(test);
        for &bytes in if word { &[8][..] } else { sizes } {
            let row = row(test, bytes);
            let number = |field: &str| row[field].as_f64().expect("a number");
            assert!(number("operations") >= 8.0, "{row}");
            assert!(number("min_us") > 0.0, "{row}");
            assert!(number("min_us") <= number("median_us"), "{row}");
            assert!(number("median_us") <= number("p99_us"), "{row}");
            assert!(number("p99_us") <= number("max_us"), "{row}");
            assert!(number("mb_per_s") > 0.0, "{row}");
        }
    }
}

const ALL: [&str; 10] = [
    "am_lat",
    "am_bw",
    "put_lat",
    "put_bw",
    "get_lat",
    "get_bw",
    "fadd_lat",
    "cswap_lat",
    "swap_lat",
    "fadd_rate",
];

#[test]
fn every_transport_is_measured() {
    for btl in ["self", "sm", "tcp"] {
        let results = results(&["--btl", btl, "-s", "8,5000"]);
        assert_eq!(results["btl"], btl);
        expect_rows(&results, &[8, 5000], &ALL);
    }
}

/// Where there is no libfabric the program says so, in one line.
#[test]
fn libfabric_is_measured_beside_itself() {
    for provider in ["shm", "tcp;ofi_rxm"] {
        let arguments = [
            "--btl",
            "ofi",
            "--provider",
            provider,
            "--raw",
            "-s",
            "8,5000",
        ];
        let first = run(&[&arguments[..], &["-n", "1"]].concat());
        if !first.status.success() && stderr_of(&first).contains("libfabric (") {
            println!("skipped: {}", stderr_of(&first));
            return;
        }
        let one_sided = results(&[&arguments[..4], &["--mca", "btl_ofi_mode", "0"]].concat());
        expect_rows(&one_sided, &[8, 4096], &ALL[2..]);
        assert!(one_sided["results"]
            .as_array()
            .is_some_and(|rows| rows.len() == 4 * 7 + 4));
        let results = results(&arguments);
        expect_rows(&results, &[8, 5000], &ALL);
        for row in results["results"].as_array().expect("rows") {
            assert!(
                row["raw_median_us"].as_f64().is_some_and(|us| us > 0.0),
                "{row}"
            );
            assert!(
                row["ratio_of_medians"].as_f64().is_some_and(|r| r > 0.0),
                "{row}"
            );
        }
    }
}

#[test]
fn the_sides_may_be_started_apart() {
    let mut listen = program();
    listen.args(["--listen", "-p", "0"]).stderr(Stdio::piped());
    let mut listen = listen.spawn().expect("a serving side");
    let mut line = String::new();
    let stderr = listen.stderr.take().expect("a pipe");
    BufReader::new(stderr).read_line(&mut line).expect("a line");
    let port = line.trim().rsplit(' ').next().expect("a port");
    let results = results(&["127.0.0.1", "-p", port, "-t", "am_lat,put_bw", "-s", "1:64"]);
    assert_eq!(results["btl"], "tcp");
    expect_rows(&results, &[1, 2, 4, 8, 16, 32, 64], &["am_lat", "put_bw"]);
    assert!(listen.wait().expect("an end").success());
}

#[test]
fn tables_and_pictures_are_made() {
    let folder = std::env::temp_dir().join(format!("oxmpi-perf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let picture = folder.join("figures.svg");
    let plot = picture.to_str().expect("a path");
    let output = run(&[
        "--btl",
        "self",
        "-s",
        "8,1K,128K",
        "-n",
        "100",
        "--plot",
        plot,
    ]);
    assert!(output.status.success(), "{}", stderr_of(&output));
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(
        table.contains("median us") && table.contains("am_bw"),
        "{table}"
    );
    assert!(table.contains("am_lat of 131072 bytes left out"), "{table}");
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("<polyline").count(), ALL.len());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn mistakes_are_reported() {
    let cases: [(&[&str], i32, &str); 7] = [
        (&["--btl", "ofi", "--provider", "none"], 1, "none"),
        (
            &["--mca", "btl_tcp_if_include", "nowhere0", "--btl", "tcp"],
            1,
            "nowhere0",
        ),
        (
            &["--mca", "btl_tcp_speed", "9", "--btl", "tcp"],
            1,
            "btl_tcp_speed",
        ),
        (&["127.0.0.1", "-p", "1"], 1, "port 1"),
        (
            &["--plot", "/nonexistent/x.svg", "--btl", "self", "-n", "1"],
            1,
            "/nonexistent/x.svg",
        ),
        (&["--raw"], 2, "--btl ofi"),
        (&["-s", "many"], 2, "many"),
    ];
    for (arguments, code, wanted) in cases {
        let output = run(arguments);
        let stderr = stderr_of(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(wanted), "{arguments:?}: {stderr}");
    }
    let help = run(&["--help"]);
    let text = String::from_utf8_lossy(&help.stdout);
    assert!(help.status.success() && text.contains("cswap_lat") && text.contains("EXAMPLES"));
}
