//! Reports the transport between each pair of processes, with the reasons for the choice: `mpirun
//! --explain`, `OXMPI_EXPLAIN=1`.
//!
//! Each process records what its frameworks have chosen, and the lanes of each peer. On request it
//! publishes that as its *account* (one line of JSON) through the launcher, which works even if
//! messages do not, and process 0 prints all accounts: as text for people ([`text`]), or as one
//! line of JSON with `--explain=json`.
//!
//! ```text
//! account: {"rank", "host", "pid", "frameworks": [CHOICE...], "devices": [DEVICE...],
//!          "ways": [WAY...]}
//! CHOICE:  {"framework", "chosen": [name...], "considered": [{"name", "verdict", "why"?}...]}
//! DEVICE:  {"component", "provider", "fabric", "domain", "endpoint", "contexts"}
//! WAY:     {"to": [rank...], "messages", "memory", "reads", "through"?, "reads_from", "windows",
//!          "considered": [CANDIDATE...]}
//! CANDIDATE: {"name", "reaches", "why"?, "exclusivity"?, "latency_us"?, "bandwidth_mb_s"?}
//! ```
//!
//! Peers that are reached alike share a way, so an account stays small in a large job.

mod text;

use base::Mutex;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use base::PeerId;
use bootstrap::Identity;
use btl::Reach;
use mca::{Choice, Framework, Registry, Verdict};
use serde_json::{json, Value};

/// Most peers for which a process reports what carried their messages.
const CARRIAGE_MAX: usize = 8;

/// Variable that asks for the report, for jobs of any launcher.
const VARIABLE: &str = "OXMPI_EXPLAIN";

/// Format of the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Nothing,
    Text,
    Json,
}

/// A device of libfabric that a component uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    component: &'static str,
    provider: String,
    fabric: String,
    domain: String,
    endpoint: &'static str,
    contexts: usize,
}

impl Device {
    /// Describes what `component` has opened: an endpoint of its own, or contexts of a scalable
    /// one.
    pub fn new(
        component: &'static str,
        info: &ofi::Info,
        is_scalable: bool,
        contexts: usize,
    ) -> Device {
        Device {
            component,
            provider: info.provider.clone(),
            fabric: info.fabric.clone(),
            domain: info.domain.clone(),
            endpoint: if is_scalable { "scalable" } else { "standard" },
            contexts,
        }
    }

    fn value(&self) -> Value {
        json!({
            "component": self.component,
            "provider": self.provider,
            "fabric": self.fabric,
            "domain": self.domain,
            "endpoint": self.endpoint,
            "contexts": self.contexts,
        })
    }
}

/// Choices of this process.
pub struct Explainer {
    mode: Mode,
    frameworks: Vec<Choice>,
    devices: Vec<Device>,
    /// How each peer is reached, and its windows: one clause.
    peers: Mutex<Vec<(bml::Choice, String)>>,
    /// Process 0 has reported for all.
    is_reported: AtomicBool,
}

impl Explainer {
    /// Returns an explainer of what the frameworks chose, and of the libfabric devices in use.
    pub fn new(
        registry: &Registry,
        mut frameworks: Vec<Choice>,
        devices: Vec<Device>,
    ) -> Explainer {
        for device in &devices {
            Framework::Mca.info(format_args!("{device:?}"));
        }
        frameworks.push(collectives(registry));
        frameworks.push(windows(registry));
        for choice in &frameworks {
            Framework::Mca.info(format_args!("{choice}"));
        }
        Explainer {
            mode: mode(environment::var(VARIABLE).as_deref()),
            frameworks,
            devices,
            peers: Mutex::default(),
            is_reported: AtomicBool::new(false),
        }
    }

    /// Records how a peer is reached, and what carries its windows.
    pub fn note(&self, choice: bml::Choice, windows: impl FnOnce() -> String) {
        if self.mode == Mode::Nothing {
            return;
        }
        let mut peers = self.peers.lock();
        peers.retain(|(known, _)| known.peer != choice.peer);
        peers.push((choice, windows()));
    }

    /// Returns this process's account; `None` where no report is wanted.
    pub fn account(&self, identity: &Identity) -> Option<String> {
        if self.mode == Mode::Nothing {
            return None;
        }
        self.is_reported.store(true, Ordering::Relaxed);
        let account = json!({
            "rank": identity.peer.0,
            "host": host(),
            "pid": std::process::id(),
            "frameworks": self.frameworks.iter().map(choice_value).collect::<Vec<_>>(),
            "devices": self.devices.iter().map(Device::value).collect::<Vec<_>>(),
            "ways": ways(&self.peers.lock()),
        });
        Some(account.to_string())
    }

    /// Prints what these processes chose, on standard error.
    pub fn report(&self, accounts: &[Vec<u8>]) {
        let parse = |bytes: &Vec<u8>| serde_json::from_slice(bytes).ok();
        let accounts: Vec<Value> = accounts.iter().filter_map(parse).collect();
        let report = match self.mode {
            Mode::Json => format!("{}\n", json!({ "oxmpi_explain": 1, "processes": accounts })),
            _ => text::render(&accounts),
        };
        print(report);
    }

    /// Prints the choice of a window that was made after the report.
    pub fn report_window(&self, what: &str) {
        let report = match self.mode {
            Mode::Nothing => return,
            Mode::Text => format!("{what}\n"),
            Mode::Json => format!("{}\n", json!({ "oxmpi_explain": 1, "window": what })),
        };
        print(report);
    }

    /// Prints how processes access a file together.
    pub fn report_file(&self, what: &str) {
        let report = match self.mode {
            Mode::Nothing => return,
            Mode::Text => format!("{what}\n"),
            Mode::Json => format!("{}\n", json!({ "oxmpi_explain": 1, "file": what })),
        };
        print(report);
    }

    /// Prints what carried long messages of peers in the end, as was measured.
    pub fn report_carriage(&self, of: PeerId, accounts: &[(PeerId, String)]) {
        let mut report = String::new();
        for (peer, account) in accounts.iter().take(CARRIAGE_MAX) {
            let (of, peer) = (of.0, peer.0);
            report += &match self.mode {
                Mode::Nothing => return,
                Mode::Text => format!("rank {of}: messages of rank {peer}: {account}\n"),
                Mode::Json => {
                    let carriage = json!({ "rank": of, "of": peer, "by": account });
                    format!("{}\n", json!({ "oxmpi_explain": 1, "carriage": carriage }))
                }
            };
        }
        print(report);
    }

    /// Prints what carried long collectives of a communicator in the end, as was measured.
    pub fn report_collectives(&self, of: &str, account: &str) {
        let report = match self.mode {
            Mode::Nothing => return,
            Mode::Text => format!("{of}: collectives: {account}\n"),
            Mode::Json => {
                let collectives = json!({ "of": of, "by": account });
                format!(
                    "{}\n",
                    json!({ "oxmpi_explain": 1, "collectives": collectives })
                )
            }
        };
        print(report);
    }

    /// Whether a report is wanted.
    pub fn is_wanted(&self) -> bool {
        self.mode != Mode::Nothing
    }

    /// Prints what this process alone chose, if no other has reported it: processes of sessions
    /// never all meet.
    pub fn report_alone(&self, identity: &Identity) {
        if self.is_reported.load(Ordering::Relaxed) {
            return;
        }
        if let Some(account) = self.account(identity) {
            self.report(&[account.into_bytes()]);
        }
    }
}

/// Prints a text on standard error; a closed one is not an error.
fn print(text: String) {
    let text = base::system::plain(text);
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn mode(variable: Option<&str>) -> Mode {
    match variable {
        None | Some("" | "0" | "false" | "no") => Mode::Nothing,
        Some("json") => Mode::Json,
        Some(_) => Mode::Text,
    }
}

/// The framework whose choice needs no asking.
fn collectives(registry: &Registry) -> Choice {
    let tuned = (
        "tuned",
        Verdict::Priority(registry.int(coll_sm::TUNED_PRIORITY) as i32),
    );
    let settings = coll_sm::Settings::of(registry, true);
    let sm = match settings {
        Ok(settings) if settings.admitted => Verdict::Priority(settings.priority),
        _ => Verdict::NotAdmitted,
    };
    let sm_wins = settings.is_ok_and(|settings| settings.admitted && settings.is_enabled());
    let han_wins = crate::collectives::goes_by_nodes(registry).unwrap_or(false);
    let han = match han_wins || coll_sm::goes_by_nodes(registry).is_ok() {
        true => Verdict::Priority(registry.int(coll::HAN_PRIORITY) as i32),
        false => Verdict::NotAdmitted,
    };
    let winners = [("sm", sm_wins), ("han", han_wins), ("tuned", true)];
    Choice {
        framework: Framework::Coll,
        winners: winners
            .into_iter()
            .filter_map(|(name, wins)| wins.then_some(name))
            .collect(),
        considered: vec![("sm", sm), ("han", han), tuned],
    }
}

/// Returns the components that may serve windows, the best first; each window chooses among these.
fn windows(registry: &Registry) -> Choice {
    let list = registry.components(Framework::Osc, crate::windows::COMPONENTS);
    let admits = |name: &str| list.as_ref().is_ok_and(|list| list.admits(name));
    let verdict = |name: &&'static str| match admits(name) {
        true => Verdict::Priority(0),
        false => Verdict::NotAdmitted,
    };
    let known = crate::windows::COMPONENTS;
    Choice {
        framework: Framework::Osc,
        winners: known.iter().copied().filter(|name| admits(name)).collect(),
        considered: known.iter().map(|name| (*name, verdict(name))).collect(),
    }
}

fn choice_value(choice: &Choice) -> Value {
    let considered = choice.considered.iter().map(|(name, verdict)| {
        let (word, why) = match verdict {
            Verdict::Priority(priority) => {
                return json!({ "name": name, "verdict": "usable", "priority": priority });
            }
            Verdict::NotAdmitted => ("excluded", "not in the component list"),
            Verdict::Declined(why) => ("declined", why.as_str()),
            Verdict::Failed(why) => ("failed", why.as_str()),
        };
        json!({ "name": name, "verdict": word, "why": why })
    });
    json!({
        "framework": choice.framework.name(),
        "chosen": choice.winners,
        "considered": considered.collect::<Vec<_>>(),
    })
}

/// Returns the paths to peers; peers that are reached alike share one.
fn ways(peers: &[(bml::Choice, String)]) -> Vec<Value> {
    let mut ways: Vec<(Value, Vec<u32>)> = Vec::new();
    for (choice, windows) in peers {
        let way = json!({
            "messages": choice.lane,
            "memory": choice.memory,
            "reads": choice.reads,
            "through": choice.through,
            "reads_from": choice.reads_from,
            "windows": windows,
            "considered": choice.considered.iter().map(considered_value).collect::<Vec<_>>(),
        });
        match ways.iter_mut().find(|(known, _)| *known == way) {
            Some((_, to)) => to.push(choice.peer.0),
            None => ways.push((way, vec![choice.peer.0])),
        }
    }
    let with_peers = |(mut way, mut to): (Value, Vec<u32>)| {
        to.sort_unstable();
        way["to"] = json!(to);
        way
    };
    ways.into_iter().map(with_peers).collect()
}

fn considered_value(considered: &bml::Considered) -> Value {
    let mut value = json!({ "name": considered.name, "reaches": true });
    if let Reach::Unreachable(why) = &considered.reach {
        value["reaches"] = json!(false);
        value["why"] = json!(why);
    }
    if let Some(facts) = considered.facts {
        value["exclusivity"] = json!(facts.exclusivity);
        value["latency_us"] = json!(f64::from(facts.latency_ns) / 1000.0);
        value["bandwidth_mb_s"] = json!(facts.bandwidth_mbps);
    }
    value
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
    name.map_or_else(|_| "?".into(), |name| name.trim().to_string())
}

#[cfg(test)]
mod tests {
    use bml::{Considered, Facts};

    use super::*;

    fn choice(peer: u32, lane: &'static str, why: &str) -> bml::Choice {
        let facts = Facts {
            exclusivity: 100,
            latency_ns: 1500,
            bandwidth_mbps: 1250,
        };
        bml::Choice {
            peer: PeerId(peer),
            lane: Some(lane),
            memory: Some(lane),
            reads: false,
            through: None,
            reads_from: 0,
            considered: vec![
                Considered {
                    name: lane,
                    reach: Reach::Reachable,
                    facts: Some(facts),
                },
                Considered {
                    name: "self",
                    reach: Reach::Unreachable(why.into()),
                    facts: None,
                },
            ],
        }
    }

    #[test]
    fn the_variable_selects_the_format() {
        for word in ["", "0", "false", "no"] {
            assert_eq!(mode(Some(word)), Mode::Nothing, "{word}");
        }
        assert_eq!(mode(None), Mode::Nothing);
        assert_eq!(mode(Some("1")), Mode::Text);
        assert_eq!(mode(Some("json")), Mode::Json);
    }

    #[test]
    fn peers_that_are_reached_alike_share_a_way() {
        let ways = ways(&[
            (choice(2, "tcp", "no"), "by messages".into()),
            (choice(0, "sm", "no"), "by messages".into()),
            (choice(1, "tcp", "no"), "by messages".into()),
        ]);
        assert_eq!(ways.len(), 2);
        assert_eq!(ways[0]["to"], json!([1, 2]));
        assert_eq!(ways[0]["messages"], "tcp");
        assert_eq!(ways[0]["windows"], "by messages");
        assert_eq!(ways[0]["considered"][0]["latency_us"], 1.5);
        assert_eq!(ways[0]["considered"][1]["why"], "no");
        assert_eq!(ways[1]["to"], json!([0]));
    }

    #[test]
    fn verdicts_come_with_their_reasons() {
        let value = choice_value(&Choice {
            framework: Framework::Btl,
            winners: vec!["tcp"],
            considered: vec![
                ("tcp", Verdict::Priority(100)),
                ("sm", Verdict::Failed("no memory".into())),
                ("ofi", Verdict::Declined("no device".into())),
                ("self", Verdict::NotAdmitted),
            ],
        });
        assert_eq!(value["chosen"], json!(["tcp"]));
        let words: Vec<&Value> = (0..4)
            .map(|at| &value["considered"][at]["verdict"])
            .collect();
        assert_eq!(words, ["usable", "failed", "declined", "excluded"]);
        assert_eq!(value["considered"][1]["why"], "no memory");
        assert_eq!(value["considered"][0]["priority"], 100);
    }
}
