//! Asks Flux for the hosts of its instance.

use std::cell::OnceCell;
use std::process::Command;

use launch_plan::allocation::{flux_hosts, FLUX_RESOURCES};

/// Returns a function that returns what `flux resource R` prints, or why it does not. It is run
/// once, at the first call.
pub fn resources() -> impl Fn() -> Result<String, String> {
    let resources = OnceCell::new();
    move || resources.get_or_init(ask).clone()
}

fn ask() -> Result<String, String> {
    let [program, arguments @ ..] = FLUX_RESOURCES;
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("{program} is not in PATH; -rmk user starts a job without Flux's hosts")
        }
        _ => error.to_string(),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let reason = complaint.lines().rfind(|line| !line.trim().is_empty());
    Err(reason.map_or_else(|| output.status.to_string(), |line| line.trim().to_string()))
}

/// Returns the hosts by the ranks of their brokers, from what [`resources`] returns.
pub(super) fn brokers(resources: &str) -> Result<Vec<String>, String> {
    let mut brokers = Vec::new();
    for host in flux_hosts(resources)? {
        brokers.resize(brokers.len().max(host.rank as usize), String::new());
        brokers.push(host.name);
    }
    Ok(brokers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_by_the_ranks_of_their_brokers() {
        let set = r#"{"version": 1, "execution": {"nodelist": ["n[1-2]"],
            "R_lite": [{"rank": "1,3", "children": {"core": "0"}}]}}"#;
        assert_eq!(brokers(set).unwrap(), ["", "n1", "", "n2"]);
    }
}
