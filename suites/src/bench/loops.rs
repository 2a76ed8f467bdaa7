//! Reference measurements of the suite `ofi`: loops over libfabric itself, which `oxmpi-perf --raw`
//! alternates with the transport, and libfabric's own `fi_pingpong`, if installed.

use std::time::Duration;

use serde_json::Value;

use super::cases::Loop;
use crate::peers::Peer;
use xtask::shell::{self, Job};

/// The sizes of `benches/c/pt2pt.c`, in groups: the loop posts fewer receives the larger the
/// largest message of a run is.
const LATENCY: [&str; 3] = ["1,8,64,512,1K,4K,16K", "64K,256K", "1M,4M"];
const BANDWIDTH: [&str; 3] = ["64,1K,4K,16K", "64K,256K", "1M,4M"];

/// The sizes of `benches/c/rma.c`.
const ACCESSES: [&str; 2] = ["4K,64K", "1M"];

/// Pending messages of a stream.
const WINDOW: &str = "32";

/// Values by what they are called and the size.
pub type Values = Vec<(String, u64, f64)>;

/// Runs a loop: microseconds one way, or MB/s, by size, under the name that the program uses.
pub fn measure(raw: &Loop, oxmpi: &Peer) -> Result<Values, String> {
    let groups: &[&str] = match raw.test {
        "am_lat" => &LATENCY,
        "am_bw" => &BANDWIDTH,
        _ => &ACCESSES,
    };
    let mut values = Vec::new();
    for sizes in groups {
        let answer = perf(oxmpi, raw.provider, raw.test, sizes)?;
        values.extend(read(&answer, raw.test, "raw_median_us")?);
    }
    Ok(values)
}

/// One run of a test of the transport: its values, and those of the loop.
pub fn transport(
    oxmpi: &Peer,
    provider: &str,
    test: &str,
    sizes: &str,
) -> Result<(Values, Values), String> {
    let answer = perf(oxmpi, provider, test, sizes)?;
    let own = read(&answer, test, "median_us")?;
    Ok((own, read(&answer, test, "raw_median_us")?))
}

fn perf(oxmpi: &Peer, provider: &str, test: &str, sizes: &str) -> Result<String, String> {
    let job = Job::new(oxmpi.prefix.join("bin/oxmpi-perf"))
        .args(["--btl", "ofi", "--raw", "--json", "-W", WINDOW])
        .args(["--provider", provider, "-t", test, "-s", sizes])
        .limit(Duration::from_secs(120));
    Ok(job.ok()?.out)
}

fn is_stream(test: &str) -> bool {
    test.ends_with("_bw")
}

/// Returns the name of a test's values, which is that of `pt2pt`.
fn name(test: &str) -> &'static str {
    if is_stream(test) {
        "bandwidth"
    } else {
        "latency"
    }
}

/// The values of one column; a stream's are made MB/s.
fn read(text: &str, test: &str, column: &str) -> Result<Values, String> {
    let answer: Value = serde_json::from_str(text).map_err(|why| format!("oxmpi-perf: {why}"))?;
    let rows = answer["results"].as_array().into_iter().flatten();
    let value = |row: &Value| {
        let (bytes, time) = (row["bytes"].as_u64()?, row[column].as_f64()?);
        let value = match is_stream(test) {
            true => bytes as f64 / time,
            false => time,
        };
        Some((name(test).to_string(), bytes, value))
    };
    let values: Option<Vec<_>> = rows.map(value).collect();
    values.ok_or(format!("oxmpi-perf measured no {column}"))
}

/// Runs `fi_pingpong` once for each size: microseconds one way. No values where it is not
/// installed, or does not do it.
pub fn pingpong(provider: &str, sizes: &str) -> Values {
    let mut values = Vec::new();
    if shell::find("fi_pingpong").is_none() {
        return values;
    }
    for size in sizes.split(',') {
        // The serving side needs a moment until it listens.
        let port = 20_000 + std::process::id() % 10_000;
        let both = format!(
            "fi_pingpong -e rdm -I 20000 -p '{provider}' -S {0} -B {port} > /dev/null & \
             sleep 0.3; \
             fi_pingpong -e rdm -I 20000 -p '{provider}' -S {0} -P {port} 127.0.0.1; \
             kill $! 2> /dev/null; wait",
            in_bytes(size)
        );
        let job = Job::new("sh").args(["-c", &both]);
        let outcome = job.limit(Duration::from_secs(20)).run();
        let time = outcome.ok().and_then(|outcome| of_pingpong(&outcome.out));
        values.extend(time.map(|time| ("latency".to_string(), in_bytes(size), time)));
    }
    values
}

/// `8`, `4K`.
fn in_bytes(size: &str) -> u64 {
    match size.strip_suffix('K') {
        Some(thousands) => thousands.parse().unwrap_or(0) << 10,
        None => size.parse().unwrap_or(0),
    }
}

/// The time in `fi_pingpong`'s table: the column `usec/xfer`.
fn of_pingpong(text: &str) -> Option<f64> {
    let mut lines = text.lines();
    let head = lines.find(|line| line.contains("usec/xfer"))?;
    let at = head
        .split_whitespace()
        .position(|word| word == "usec/xfer")?;
    lines.next()?.split_whitespace().nth(at)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_is_read_by_its_name() {
        let text = r#"{"results": [{"bytes": 1000, "median_us": 8.0, "raw_median_us": 2.0}]}"#;
        let of = |test, column| read(text, test, column).unwrap();
        let (own, raw) = ("median_us", "raw_median_us");
        assert_eq!(of("am_lat", raw), [("latency".to_string(), 1000, 2.0)]);
        assert_eq!(of("put_lat", own), [("latency".to_string(), 1000, 8.0)]);
        assert_eq!(of("am_bw", raw), [("bandwidth".to_string(), 1000, 500.0)]);
        let none = r#"{"results": [{"bytes": 8, "median_us": 9.0, "raw_median_us": null}]}"#;
        assert!(read(none, "am_lat", raw).is_err());
        assert!(read("", "am_lat", own).is_err());
    }

    #[test]
    fn the_time_of_fi_pingpong_is_found_by_its_heading() {
        let text =
            "bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec\n\
                    64      20k     =20k     2.4m        0.05s     54.56       1.17       0.85\n";
        assert_eq!(of_pingpong(text), Some(1.17));
        assert_eq!(of_pingpong("no such provider\n"), None);
        assert_eq!((in_bytes("64"), in_bytes("16K")), (64, 16384));
    }
}
