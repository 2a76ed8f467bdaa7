//! Loops over libfabric itself, as `oxmpi-perf --raw` runs them beside the transport.

use std::time::Duration;

use serde_json::Value;

use super::cases::Loop;
use crate::peers::Peer;
use crate::shell::Job;

/// The sizes of `benches/c/pt2pt.c`, in groups: the loop posts fewer receives the larger the
/// largest message of a run is.
const SIZES: [&str; 3] = ["1,8,64,512,1K,4K,16K", "64K,256K", "1M,4M"];

/// Messages under way in a stream.
const WINDOW: &str = "32";

/// One run: microseconds one way, or MB/s, by size, under the name that `pt2pt` uses.
pub fn measure(raw: &Loop, oxmpi: &Peer) -> Result<Vec<(String, u64, f64)>, String> {
    let mut values = Vec::new();
    for sizes in SIZES {
        let job = Job::new(oxmpi.prefix.join("bin/oxmpi-perf"))
            .args(["--btl", "ofi", "--raw", "--json", "-W", WINDOW])
            .args(["--provider", raw.provider, "-t", raw.test, "-s", sizes])
            .limit(Duration::from_secs(120));
        values.extend(read(&job.ok()?.out, raw.test)?);
    }
    Ok(values)
}

fn read(text: &str, test: &str) -> Result<Vec<(String, u64, f64)>, String> {
    let answer: Value = serde_json::from_str(text).map_err(|why| format!("oxmpi-perf: {why}"))?;
    let rows = answer["results"].as_array().into_iter().flatten();
    let value = |row: &Value| {
        let (bytes, time) = (row["bytes"].as_u64()?, row["raw_median_us"].as_f64()?);
        Some(match test {
            "am_bw" => ("bandwidth".to_string(), bytes, bytes as f64 / time),
            _ => ("latency".to_string(), bytes, time),
        })
    };
    let values: Option<Vec<_>> = rows.map(value).collect();
    values.ok_or("oxmpi-perf measured no loop over libfabric".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_is_read_and_nothing_else() {
        let text = r#"{"results": [{"bytes": 1000, "median_us": 9.0, "raw_median_us": 2.0}]}"#;
        let of = |test| read(text, test).unwrap();
        assert_eq!(of("am_lat"), [("latency".to_string(), 1000, 2.0)]);
        assert_eq!(of("am_bw"), [("bandwidth".to_string(), 1000, 500.0)]);
        let none = r#"{"results": [{"bytes": 8, "median_us": 9.0, "raw_median_us": null}]}"#;
        assert!(read(none, "am_lat").is_err());
        assert!(read("", "am_lat").is_err());
    }
}
