//! Formats the accounts of all processes as text for people.
//!
//! ```text
//! 4 processes on 2 hosts: 0-1 on n01, 2-3 on n02
//! pml: ob1 (cm declined: no device that matches in hardware)
//! btl: sm, tcp, self (ofi declined: no device that it drives)
//!        0    1    2    3
//!   0  self   sm  tcp  tcp
//! ...
//! 0 to 1, 1 to 0: messages by sm, large ones read by the receiver over sm; single copies by cma,
//!   from 16384 bytes on
//!   windows: by loads and stores in memory that MPI has allocated; else by messages
//!   sm    exclusivity 65536, latency 0.1 us, 10000 MB/s
//!   tcp   exclusivity 100, latency 30 us, 1250 MB/s; could, but sm goes first
//!   self  exclusivity 65536, latency 0 us, 10000 MB/s; no: it is another process
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// Most processes for which a table of all pairs is written.
const TABLE_MAX: usize = 32;
/// Pairs that are listed one by one; of more, the number.
const PAIRS_MAX: usize = 8;

/// The text, in lines.
pub fn render(accounts: &[Value]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = processes(&mut out, accounts);
    let _ = frameworks(&mut out, accounts);
    if accounts.len() > 1 && accounts.len() <= TABLE_MAX {
        let _ = table(&mut out, accounts);
    }
    let _ = pairs(&mut out, accounts);
    out
}

fn processes(out: &mut String, accounts: &[Value]) -> std::fmt::Result {
    let mut hosts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for account in accounts {
        hosts
            .entry(text(&account["host"]))
            .or_default()
            .push(rank(account));
    }
    let each: Vec<String> = hosts
        .iter()
        .map(|(host, ranks)| format!("{} on {host}", ranges(ranks)))
        .collect();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (count, of) = (accounts.len(), hosts.len());
    let (many, hosts) = (if count == 1 { "" } else { "es" }, plural(of));
    writeln!(
        out,
        "{count} process{many} on {of} host{hosts}: {}",
        each.join(", ")
    )
}

/// Writes what each framework chose; processes that chose alike share a line.
fn frameworks(out: &mut String, accounts: &[Value]) -> std::fmt::Result {
    let mut lines: Vec<(String, Vec<u64>)> = Vec::new();
    for account in accounts {
        for choice in list(&account["frameworks"]) {
            gather(&mut lines, framework(choice), rank(account));
        }
        for each in list(&account["devices"]) {
            gather(&mut lines, device(each), rank(account));
        }
    }
    for (line, ranks) in lines {
        match ranks.len() == accounts.len() {
            true => writeln!(out, "{line}")?,
            false => writeln!(out, "{line} [rank {}]", ranges(&ranks))?,
        }
    }
    Ok(())
}

fn framework(choice: &Value) -> String {
    let chosen: Vec<&str> = list(&choice["chosen"]).iter().map(text).collect();
    let mut line = format!("{}: {}", text(&choice["framework"]), chosen.join(", "));
    let passed: Vec<String> = list(&choice["considered"])
        .iter()
        .filter(|each| !chosen.contains(&text(&each["name"])))
        .map(|each| {
            let (name, verdict) = (text(&each["name"]), text(&each["verdict"]));
            match each["why"].as_str() {
                Some(why) => format!("{name} {verdict}: {why}"),
                None => format!("{name} could, with priority {}", each["priority"]),
            }
        })
        .collect();
    if !passed.is_empty() {
        let _ = write!(line, " ({})", passed.join("; "));
    }
    line
}

/// A device of libfabric, and how it was opened.
fn device(device: &Value) -> String {
    let of = |name: &str| text(&device[name]);
    format!(
        "{}: provider {}, domain {} of fabric {}, {} endpoint, contexts: {}",
        of("component"),
        of("provider"),
        of("domain"),
        of("fabric"),
        of("endpoint"),
        device["contexts"]
    )
}

/// Row by row what carries messages from each process to each.
fn table(out: &mut String, accounts: &[Value]) -> std::fmt::Result {
    let ranks: Vec<u64> = accounts.iter().map(rank).collect();
    let lane = |account: &Value, to: u64| {
        let way = list(&account["ways"]).iter().find(|way| reaches(way, to));
        way.map_or("-".to_string(), |way| text(&way["messages"]).to_string())
    };
    let rows: Vec<Vec<String>> = accounts
        .iter()
        .map(|account| ranks.iter().map(|to| lane(account, *to)).collect())
        .collect();
    let width = rows.iter().flatten().map(String::len).max().unwrap_or(1);
    let cell = width.max(2) + 2;
    write!(out, "{:>5}", "")?;
    ranks
        .iter()
        .try_for_each(|rank| write!(out, "{rank:>cell$}"))?;
    writeln!(out)?;
    for (rank, row) in ranks.iter().zip(rows) {
        write!(out, "{rank:>5}")?;
        row.iter()
            .try_for_each(|lane| write!(out, "{lane:>cell$}"))?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the paths, each once, with the pairs that use it and what was considered.
fn pairs(out: &mut String, accounts: &[Value]) -> std::fmt::Result {
    let mut ways: Vec<(String, Vec<String>)> = Vec::new();
    for account in accounts {
        for way in list(&account["ways"]) {
            let to = list(&way["to"]).iter().filter_map(Value::as_u64);
            for to in to.filter(|to| *to != rank(account)) {
                gather(
                    &mut ways,
                    described(way),
                    format!("{} to {to}", rank(account)),
                );
            }
        }
    }
    for (way, pairs) in ways {
        let all = accounts.len() * accounts.len().saturating_sub(1);
        let shown = &pairs[..pairs.len().min(PAIRS_MAX)];
        match pairs.len() {
            count if count == all && count > 2 => write!(out, "every pair")?,
            count if count > PAIRS_MAX => {
                write!(out, "{} and {} more", shown.join(", "), count - PAIRS_MAX)?;
            }
            _ => write!(out, "{}", shown.join(", "))?,
        }
        write!(out, ": {way}")?;
    }
    Ok(())
}

fn described(way: &Value) -> String {
    let chosen = text(&way["messages"]);
    let memory = text(&way["memory"]);
    let mut large = match way["reads"].as_bool() {
        Some(true) => format!("large ones read by the receiver over {memory}"),
        _ if way["memory"].is_null() => "whatever their size".to_string(),
        _ => "large ones in fragments".to_string(),
    };
    if let Some(through) = way["through"].as_str() {
        let _ = write!(large, "; single copies by {through}");
        if let Some(bytes) = way["reads_from"].as_u64().filter(|bytes| *bytes > 0) {
            let _ = write!(large, ", from {bytes} bytes on");
        }
    }
    let mut out = format!("messages by {chosen}, {large}\n");
    if let Some(windows) = way["windows"].as_str() {
        let _ = writeln!(out, "  windows: {windows}");
    }
    for each in list(&way["considered"]) {
        let name = text(&each["name"]);
        let numbers = each["exclusivity"].as_u64().map(|exclusivity| {
            let (latency, bandwidth) = (&each["latency_us"], &each["bandwidth_mb_s"]);
            format!("exclusivity {exclusivity}, latency {latency} us, {bandwidth} MB/s")
        });
        let verdict = match each["why"].as_str() {
            Some(why) => Some(format!("no: {why}")),
            None if name == chosen || name == memory => None,
            None => Some(format!("could, but {chosen} goes first")),
        };
        let clauses: Vec<String> = numbers.into_iter().chain(verdict).collect();
        let _ = writeln!(out, "  {name:<5} {}", clauses.join("; "));
    }
    out
}

/// Adds to the members of a key, in the order in which keys came.
fn gather<M>(groups: &mut Vec<(String, Vec<M>)>, key: String, member: M) {
    match groups.iter_mut().find(|(known, _)| *known == key) {
        Some((_, members)) => members.push(member),
        None => groups.push((key, vec![member])),
    }
}

/// Numbers in rising order as `0-3,7`.
fn ranges(numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}

fn reaches(way: &Value, to: u64) -> bool {
    list(&way["to"])
        .iter()
        .any(|peer| peer.as_u64() == Some(to))
}

fn rank(account: &Value) -> u64 {
    account["rank"].as_u64().unwrap_or(0)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("nothing")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn account(rank: u32, host: &str, to: &[u32]) -> Value {
        json!({
            "rank": rank, "host": host, "pid": 1,
            "frameworks": [{ "framework": "pml", "chosen": ["ob1"], "considered": [
                { "name": "cm", "verdict": "declined", "why": "no device" },
                { "name": "ob1", "verdict": "usable", "priority": 20 }] }],
            "ways": [
                { "to": [rank], "messages": "self", "memory": "self", "reads": true,
                  "considered": [] },
                { "to": to, "messages": "tcp", "memory": "tcp", "reads": false,
                  "considered": [
                    { "name": "sm", "reaches": false, "why": "other host" },
                    { "name": "tcp", "reaches": true, "exclusivity": 100, "latency_us": 30.0,
                      "bandwidth_mb_s": 1250 }] }]
        })
    }

    #[test]
    fn a_job_is_reported_as_a_table_and_its_ways() {
        let report = render(&[account(0, "n01", &[1]), account(1, "n02", &[0])]);
        let expected = "2 processes on 2 hosts: 0 on n01, 1 on n02\n\
            pml: ob1 (cm declined: no device)\n\
            \x20         0     1\n\
            \x20   0  self   tcp\n\
            \x20   1   tcp  self\n\
            0 to 1, 1 to 0: messages by tcp, large ones in fragments\n\
            \x20 sm    no: other host\n\
            \x20 tcp   exclusivity 100, latency 30.0 us, 1250 MB/s\n";
        assert_eq!(report, expected);
    }

    #[test]
    fn the_report_says_how_memory_is_reached_and_why_not_better() {
        let mut reached = account(0, "n01", &[1]);
        reached["ways"][1]["reads"] = json!(true);
        reached["ways"][1]["through"] = json!("knem (cma: the kernel forbids it)");
        reached["ways"][1]["reads_from"] = json!(8192);
        reached["devices"] = json!([{ "component": "btl ofi", "provider": "shm", "fabric": "f",
            "domain": "d", "endpoint": "standard", "contexts": 1 }]);
        reached["ways"][1]["windows"] = json!("by messages: tcp does not write");
        let report = render(&[reached, account(1, "n01", &[0])]);
        let expected = "0 to 1: messages by tcp, large ones read by the receiver over tcp; \
             single copies by knem (cma: the kernel forbids it), from 8192 bytes on\n  \
             windows: by messages: tcp does not write\n";
        assert!(report.contains(expected), "{report}");
        let device = "btl ofi: provider shm, domain d of fabric f, standard endpoint, \
             contexts: 1 [rank 0]\n";
        assert!(report.contains(device), "{report}");
    }

    #[test]
    fn processes_that_chose_otherwise_are_named() {
        let mut other = account(1, "n01", &[0]);
        other["frameworks"][0]["chosen"] = json!(["cm"]);
        let report = render(&[account(0, "n01", &[1]), other]);
        assert!(
            report.contains("pml: ob1 (cm declined: no device) [rank 0]\n"),
            "{report}"
        );
        assert!(
            report.contains("pml: cm (ob1 could, with priority 20) [rank 1]\n"),
            "{report}"
        );
    }

    #[test]
    fn malformed_accounts_are_rendered_without_a_panic() {
        for odd in [json!(null), json!({"ways": 3, "rank": "x"}), json!([1])] {
            assert!(render(&[odd]).contains("1 process on 1 host"));
        }
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }
}
