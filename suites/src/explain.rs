//! Tests of the output of `mpirun --explain`, as text and as JSON, and of logs by framework.

use std::path::Path;

use serde_json::Value;

use super::ofi;
use super::programs::{self, compile, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{Job, Outcome};

/// A layer for messages that a job requests, and what must carry each pair then.
struct LayerCase {
    options: &'static [&'static str],
    layer: &'static str,
    lane: &'static str,
}

const LAYER_CASES: &[LayerCase] = &[
    LayerCase {
        options: &["--mca", "btl", "self,sm"],
        layer: "ob1",
        lane: "sm",
    },
    LayerCase {
        options: &["--mca", "btl", "^sm"],
        layer: "ob1",
        lane: "tcp",
    },
    // Whoever is more exclusive carries.
    LayerCase {
        options: &["--mca", "btl_tcp_exclusivity", "65536"],
        layer: "ob1",
        lane: "tcp",
    },
    LayerCase {
        options: ofi::MATCHING,
        layer: "cm",
        lane: "ofi",
    },
];

/// Explains jobs of three ranks, and lets ranks disagree.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let source = fsio::root().join("tests/environment/fail.c");
    let program = compile(world, &source, &[])?;
    let job = |options: &[&str]| {
        mpirun(world, 3, options)
            .arg(&program)
            .args(["none", "barrier"])
    };
    for case in LAYER_CASES {
        let options = [case.options, &["--explain=json"][..]].concat();
        let name = format!("who carries under {}", case.options.join(" "));
        tally.count(&name, succeed(&job(&options)).and_then(|o| judge(&o, case)));
    }
    let text = succeed(&job(&["--explain"])).and_then(|o| has_all_parts(&o.err));
    tally.count("the text", text);
    let by_variable = job(&[]).env("OXMPI_EXPLAIN", "1");
    tally.count(
        "asked by a variable",
        succeed(&by_variable).and_then(|o| has_all_parts(&o.err)),
    );
    let quiet = succeed(&job(&[])).and_then(|o| match o.err.is_empty() {
        true => Ok(()),
        false => Err(o.reason()),
    });
    tally.count("unasked", quiet);
    for [parameter, value] in [["coll_tuned_bcast_algorithm", "binomial"], ["pml", "cm"]] {
        let set = format!("OXMPI_MCA_{parameter}={value}");
        let provider = format!("OXMPI_MCA_{}=tcp;ofi_rxm", programs::PROVIDERS);
        let program = program.as_os_str();
        let odd = mpirun(world, 1, &["-x", &set, "-x", &provider])
            .arg(program)
            .args(["none", "barrier", ":", "-n", "2"])
            .arg(program)
            .args(["none", "barrier"]);
        tally.count(
            &format!("ranks that disagree on {parameter}"),
            refused(&odd, value),
        );
    }
    rules(world, &program, &mut tally)?;
    collectives(world, &mut tally)?;
    files(world, &mut tally)?;
    logs(world, &mut tally)?;
    Ok(tally)
}

/// Lines about `file_plans`, in this order, each once.
const FILES: &[&str] = &[
    "write without blocking: within the call: at most 65536 bytes",
    "read without blocking: within the call: at most 65536 bytes",
    "write without blocking: by threads: fbtl admits posix alone",
    "read without blocking: by threads: fbtl admits posix alone",
    "collective write without blocking: each process by itself: \
     the ranks' parts of the file do not interleave",
    "collective write: each process by itself: the ranks' parts of the file do not interleave",
    "collective read without blocking: each process by itself: \
     the ranks' parts of the file do not interleave",
    "write without blocking: by threads: the data has gaps in memory or in the file",
    "read without blocking: by threads: the data has gaps in memory or in the file",
    "collective write without blocking: through aggregators: rank 0, \
     2097152 bytes of the file, in 4 rounds of 524288 bytes",
    "collective write: through aggregators: rank 0, \
     2097152 bytes of the file, in 4 rounds of 524288 bytes",
    "collective read without blocking: each process by itself: \
     gaps that each rank reads along, with one copy less",
    "write without blocking: within the call: the representation converts",
    "collective write: each process by itself, within the call: the representation converts",
    "write without blocking: by threads: atomic mode",
    "read without blocking: by threads: atomic mode",
    "collective write without blocking: each process by itself: atomic mode",
    "collective write: each process by itself: atomic mode",
    "collective read without blocking: each process by itself: atomic mode",
];

/// Checks what is reported of accesses to a file.
fn files(world: &World, tally: &mut Tally) -> Result<(), String> {
    let source = fsio::root().join("tests/environment/file_plans.c");
    let program = compile(world, &source, &[])?;
    let path = fsio::target_dir().join("test/file_plans.data");
    let hints = fsio::target_dir().join("test/file_plans.hints");
    fsio::write(&hints, "cb_buffer_size 1048576\n")?;
    let job = |options: &[&str]| {
        let job = mpirun(world, 2, &[&["--explain"], options].concat());
        job.env("ROMIO_HINTS", &hints).arg(&program).arg(&path)
    };
    let start = format!("file `{}` (ufs): ", path.display());
    let plans = |outcome: &Outcome| -> Vec<String> {
        let lines = outcome.err.lines();
        let of_file = lines.filter_map(|line| line.strip_prefix(&start));
        of_file.map(str::to_string).collect()
    };
    let by_threads = succeed(&job(&["--mca", "fbtl", "posix"])).and_then(|outcome| {
        let plans = plans(&outcome);
        match plans == FILES {
            true => Ok(()),
            false => Err(plans.join("\n")),
        }
    });
    tally.count("how a file is accessed", by_threads);
    // Where the kernel lets it; otherwise the report has the reason.
    let by_ring = succeed(&job(&[])).and_then(|outcome| {
        let plans = plans(&outcome);
        let by = plans.get(2).and_then(|plan| plan.split_once(": by "));
        match by.map(|(_, by)| by) {
            Some("io_uring") => Ok(()),
            Some(by) if by.starts_with("threads: uring cannot be used: ") => Ok(()),
            _ => Err(plans.join("\n")),
        }
    });
    tally.count("what carries an access on", by_ring);
    Ok(())
}

/// A framework whose log a job shows, and what a line of it has.
struct LogCase {
    framework: &'static str,
    options: &'static [&'static str],
    /// The stem of its source in `tests/c`.
    program: &'static str,
    line: [&'static str; 2],
}

const LOG_CASES: &[LogCase] = &[
    LogCase {
        framework: "osc",
        options: &[],
        program: "rma_basic",
        line: ["] osc: window ", ": loads and stores (sm)"],
    },
    LogCase {
        framework: "osc",
        options: &["--mca", "btl", "tcp,self"],
        program: "rma_basic",
        line: [
            "] osc: window ",
            ": puts and gets by the transport (rdma) at ",
        ],
    },
    LogCase {
        framework: "mpool",
        options: &[],
        program: "alloc_mem",
        line: ["] mpool: mpool_hints is ignored: ", "`mpool=memkind`"],
    },
];

/// Checks that `FRAMEWORK_base_verbose` shows the log of a framework, and that no log is shown
/// unasked.
fn logs(world: &World, tally: &mut Tally) -> Result<(), String> {
    for case in LOG_CASES {
        let program = compile(
            world,
            &fsio::root().join(format!("tests/c/{}.c", case.program)),
            &[],
        )?;
        let lines = |options: &[&str]| {
            let outcome = succeed(&mpirun(world, 2, options).arg(&program))?;
            let all = outcome.err.lines();
            let is_wanted = |line: &&str| case.line.iter().all(|part| line.contains(part));
            Ok::<_, String>((all.filter(is_wanted).count(), outcome.err.clone()))
        };
        let verbosity = format!("{}_base_verbose", case.framework);
        let asked = [case.options, &["--mca", &verbosity, "20"]].concat();
        let shown = lines(&asked).and_then(|(found, text)| match found {
            1.. => Ok(()),
            _ => Err(format!("`{}` is not in: {text}", case.line.concat())),
        });
        let name = format!("{verbosity} {}", case.options.join(" "));
        tally.count(name.trim_end(), shown);
        let unasked = lines(case.options).and_then(|(found, text)| match found {
            0 => Ok(()),
            _ => Err(text),
        });
        tally.count(&format!("{} unasked", name.trim_end()), unasked);
    }
    Ok(())
}

/// Checks that ranks report at the end what carried long collectives, and why.
fn collectives(world: &World, tally: &mut Tally) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("benches/c/coll.c"), &["-O2"])?;
    let job = |options: &[&str]| {
        let job = mpirun(world, 2, &[options, &["--explain"]].concat());
        job.arg(&program).arg("bcast")
    };
    const FORBID: &[&str] = &["--mca", "coll_sm_single_copy", "never"];
    const FORCE: &[&str] = &["--mca", "coll_sm_single_copy", "always"];
    const BY_MESSAGES: &[&str] = &["--mca", "coll", "^sm", "--mca", TREE, "chain"];
    const TREE: &str = "coll_tuned_bcast_algorithm";
    let expected = [
        (FORBID, "collectives: all by slots (parameters forbid"),
        (
            FORCE,
            "collectives: 4 KiB and more by kernel copies (forced",
        ),
        (BY_MESSAGES, "by messages: "),
        (BY_MESSAGES, " bytes by pipeline"),
        // Measured, or with more ranks than cores by a fixed length.
        (&[][..], "kernel copies"),
    ];
    for (options, part) in expected {
        let named = succeed(&job(options)).and_then(|outcome| {
            let mut lines = outcome.err.lines();
            match lines.any(|line| line.contains("collectives: ") && line.contains(part)) {
                true => Ok(()),
                false => Err(format!("`{part}` is not in: {}", outcome.err)),
            }
        });
        let name = format!("what carries collectives {}", options.join(" "));
        tally.count(name.trim_end(), named);
    }
    Ok(())
}

/// Checks files of rules for collectives: ranks may have them in different folders and formats, but
/// their contents must be equal.
fn rules(world: &World, program: &Path, tally: &mut Tally) -> Result<(), String> {
    const PARAMETER: &str = "coll_tuned_dynamic_rules_filename";
    let file = |name: &str, text: &str| {
        let path = fsio::target_dir().join("test").join(name);
        fsio::write(&path, text).map(|()| format!("OXMPI_MCA_{PARAMETER}={}", path.display()))
    };
    let json = r#"{"collectives": {"bcast": [{"rules": [{"alg": "binomial"}]}]}}"#;
    let numbers = file("rules-numbers", "1 # collective\n7 1 1 1\n0 6 0 0\n")?;
    let json = file("rules-json", json)?;
    let other = file("rules-other", "1\n7 1 1 1\n0 1 0 0\n")?;
    let wrong = file("rules-wrong", "1\n7 1 1 1\n0 66 0 0\n")?;
    let job = |one: &str, two: &str| {
        let args = |set| {
            [
                "-n",
                "1",
                "-x",
                set,
                program.to_str().unwrap_or(""),
                "none",
                "barrier",
            ]
        };
        mpirun(world, 1, &[])
            .args(&args(one)[2..])
            .args([":"])
            .args(args(two))
    };
    tally.count(
        "rules in two formats",
        succeed(&job(&numbers, &json)).map(drop),
    );
    tally.count(
        "rules that differ",
        refused(&job(&numbers, &other), PARAMETER),
    );
    let answer = job(&wrong, &wrong).run().and_then(|outcome| {
        let is_refused = outcome
            .err
            .contains("rules-wrong:3: `66` is no algorithm of bcast");
        match outcome.code != 0 && !outcome.timed_out && is_refused {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    });
    tally.count("rules that are wrong", answer);
    Ok(())
}

fn succeed(job: &Job) -> Result<Outcome, String> {
    let outcome = job.run()?;
    match outcome.code {
        0 => Ok(outcome),
        _ => Err(outcome.reason()),
    }
}

/// Checks that each of three ranks is said to reach the two others as requested.
fn judge(outcome: &Outcome, case: &LayerCase) -> Result<(), String> {
    let line = outcome.err.lines().find(|line| line.starts_with('{'));
    let report: Value = line
        .and_then(|line| serde_json::from_str(line).ok())
        .ok_or(format!("no line of JSON: {}", outcome.reason()))?;
    for rank in 0..3u64 {
        let process = &report["processes"][rank as usize];
        let layer = &process["frameworks"][0]["chosen"][0];
        let device = &process["devices"][0];
        let is_reported = device["provider"] == "tcp;ofi_rxm"
            && device["endpoint"] == "standard"
            && device["domain"]
                .as_str()
                .is_some_and(|name| !name.is_empty());
        if (case.lane == "ofi") != is_reported {
            return Err(format!("rank {rank}: the device is {device}"));
        }
        let mut reached: Vec<u64> = Vec::new();
        for way in process["ways"].as_array().into_iter().flatten() {
            if way["messages"] == case.lane {
                let peers = way["to"].as_array().into_iter().flatten();
                reached.extend(peers.filter_map(Value::as_u64).filter(|peer| *peer != rank));
            }
        }
        reached.sort_unstable();
        let others: Vec<u64> = (0..3).filter(|peer| *peer != rank).collect();
        if process["rank"] != rank || layer != case.layer || reached != others {
            return Err(format!("rank {rank}: {process}"));
        }
    }
    Ok(())
}

fn has_all_parts(text: &str) -> Result<(), String> {
    let expected = [
        "3 processes on 1 host",
        "pml: ob1 (cm declined",
        "    1    sm  self    sm",
        "every pair: messages by sm",
        "could, but sm goes first",
    ];
    match expected.iter().find(|part| !text.contains(*part)) {
        None => Ok(()),
        Some(missing) => Err(format!("`{missing}` is not in: {text}")),
    }
}

/// A job whose ranks disagree ends with an error that names a rank and what it has.
fn refused(job: &Job, value: &str) -> Result<(), String> {
    let outcome = job.run()?;
    let named = outcome.err.contains("peer ") && outcome.err.contains(value);
    match outcome.code != 0 && !outcome.timed_out && named {
        true => Ok(()),
        false => Err(outcome.reason()),
    }
}
