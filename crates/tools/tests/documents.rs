//! Documents name what exists: parameters, with values that they take, and options of `mpirun`
//! and `oxmpi_info`. Commands of `cargo xtask` are checked in the package `suites`.

use std::path::{Path, PathBuf};

use launch_plan::options;
use mca::{Framework, Registry, Sources};
use mpi_components::params;

/// Names that begin like a parameter of a framework and are something else.
const OTHERS: &[(&str, &str)] = &[
    ("btl_base_verbos", "a misspelling that is refused"),
    ("io_node_list", "a hint for files"),
    ("mpi_ext", "a module of Fortran"),
    ("mpi_f08", "a module of Fortran"),
    ("mpi_f08_ext", "a module of Fortran"),
];

/// Documents that speak of options of `cargo xtask` without naming it each time.
const OF_XTASK: &[&str] = &[
    "CONTRIBUTING.md",
    "docs/conformance.md",
    "docs/performance.md",
];

/// The code in a document: the text in backquotes, and the lines of blocks.
fn snippets(text: &str) -> Vec<String> {
    let (mut found, mut prose, mut is_block) = (Vec::new(), String::new(), false);
    for line in text.lines().chain([""]) {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            found.push(line.trim_start().trim_start_matches("$ ").to_string());
        } else if line.is_empty() {
            found.extend(prose.split('`').skip(1).step_by(2).map(str::to_string));
            prose.clear();
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    found
}

/// Whether a word stands for what the reader puts in its place: `NAME`, `<collective>`.
fn is_placeholder(word: &str) -> bool {
    let is_name = |c: char| c.is_ascii_uppercase() || "_.:=-,".contains(c);
    word.contains(['<', '{', '$', '[']) || word.contains("...") || word.chars().all(is_name)
}

/// The fault of a parameter, with the value that a document gives it.
fn fault_of_parameter(name: &str, value: Option<&str>) -> Option<String> {
    let is_other = |(other, _): &(&str, &str)| *other == name;
    if is_placeholder(name) || OTHERS.iter().any(is_other) {
        return None;
    }
    let absent = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let sources = Sources::new("/p", absent);
    let tables = params::all_tables();
    let value = value.filter(|value| !is_placeholder(value));
    // Of a name without a value, that it is known; the value may be wrong.
    let sources = sources.with_command_line([(name.to_string(), value.unwrap_or("0").to_string())]);
    let said = match Registry::load(&tables, &sources) {
        Ok(registry) => registry.report().join("; "),
        Err(errors) => errors.to_string(),
    };
    let is_unknown = said.contains("there is no parameter") || said.contains("only Open MPI has");
    (!said.is_empty() && (value.is_some() || is_unknown)).then_some(said)
}

/// The names in a snippet that begin as parameters do.
fn parameters(snippet: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = snippet.split(move |c: char| !(is_name(c) || "<>:/.-(".contains(c)));
    words.filter(move |word| {
        let begins = |framework: &&Framework| {
            let rest = word.strip_prefix(framework.name());
            rest.is_some_and(|rest| rest.len() > 1 && rest.starts_with('_'))
        };
        word.chars().all(is_name)
            && !word.ends_with('_')
            && Framework::ALL.iter().any(|f| begins(&f))
    })
}

/// The fault of an option of `mpirun`.
fn fault_of_option(word: &str) -> Option<String> {
    let name = word.split(['=', '[', ',']).next().unwrap_or(word);
    let name = name.trim_start_matches('-');
    (options::find(name).is_none()).then(|| format!("mpirun has no option {word}"))
}

/// The faults of a call of `mpirun`: of its options up to the program.
fn faults_of_call(words: &[&str]) -> Vec<String> {
    let (mut faults, mut at) = (Vec::new(), 0);
    while at < words.len() && words[at].starts_with('-') {
        let word = words[at];
        at += 1;
        faults.extend(fault_of_option(word));
        let row = options::find(word.trim_start_matches('-'));
        at += row.map_or(0, |row| row.values.len());
    }
    faults
}

/// Names of crates as code has them, and of targets of the fuzzer.
fn names_of_code() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names = Vec::new();
    for folder in ["crates", "fuzz/fuzz_targets"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        names.extend(paths.map(|path| {
            path.file_stem()
                .unwrap()
                .to_string_lossy()
                .replace('-', "_")
        }));
    }
    names
}

fn faults(snippet: &str, is_of_xtask: bool) -> Vec<String> {
    let mut faults = Vec::new();
    // `$(COMMAND)` gives a number wherever documents have it.
    let plain = match (snippet.find("$("), snippet.find(')')) {
        (Some(from), Some(to)) if from < to => {
            format!("{}1{}", &snippet[..from], &snippet[to + 1..])
        }
        _ => snippet.to_string(),
    };
    let words: Vec<&str> = plain.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        if *word == "--mca" && at + 1 < words.len() {
            faults.extend(fault_of_parameter(
                words[at + 1],
                words.get(at + 2).copied(),
            ));
        }
    }
    let code = names_of_code();
    for name in parameters(snippet) {
        let is_other = code.iter().any(|other| other == name)
            || mpit::performance::ALL.iter().any(|one| one.name == name);
        if !is_other {
            faults.extend(fault_of_parameter(name, None));
        }
    }
    match words.split_first() {
        Some((&("mpirun" | "mpiexec"), rest)) => faults.extend(faults_of_call(rest)),
        Some((&"oxmpi_info", rest)) => {
            let end = rest.iter().position(|word| word.starts_with(['|', '>']));
            let given = rest[..end.unwrap_or(rest.len())].iter();
            let given: Vec<String> = given.map(|word| word.replace("PID", "1")).collect();
            let all = ["oxmpi_info".to_string()].into_iter().chain(given);
            faults.extend(tools::info::parse(all).err().map(|error| error.to_string()));
        }
        Some((first, _)) if first.starts_with("--") && first.len() > 2 && !is_of_xtask => {
            faults.extend(faults_of_call(&words));
        }
        _ => {}
    }
    faults
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
    ];
    let mut paths: Vec<PathBuf> = names.iter().map(|name| root.join(name)).collect();
    let entries = std::fs::read_dir(root.join("docs")).unwrap();
    paths.extend(entries.map(|entry| entry.unwrap().path()));
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "md"));
    paths.sort();
    paths
}

#[test]
fn documents_name_parameters_and_options_that_there_are() {
    let mut found = Vec::new();
    for path in documents() {
        let is_of_xtask = OF_XTASK.iter().any(|name| path.ends_with(name));
        for snippet in snippets(&std::fs::read_to_string(&path).unwrap()) {
            let name = path.file_name().unwrap().to_string_lossy();
            let faults = faults(&snippet, is_of_xtask).into_iter();
            found.extend(faults.map(|fault| format!("{name}: `{snippet}`: {fault}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_a_document_misspells_is_found() {
    for wrong in [
        "osc_bse_verbose",
        "--mca osc_base_vebose 20",
        "--mca coll_base_verbose loud",
        "plm_base_verbose",
        "mpirun --tag-ouput -n 2 ./a",
        "mpirun --mca btl tcp,self --explian ./a",
        "--explian",
        "oxmpi_info --parm btl",
    ] {
        assert!(!faults(wrong, false).is_empty(), "{wrong}");
    }
    for right in [
        "osc_base_verbose",
        "--mca NAME VALUE",
        "--mca btl_tcp_latency_eth0 5",
        "mpirun --mca btl tcp,self -n 2 ./a --its-own",
        "patchelf --remove-rpath",
        "pml_monitoring_messages_count",
    ] {
        assert_eq!(faults(right, false), [""; 0], "{right}");
    }
    assert_eq!(snippets("a `b\nc` d\n```\n$ e `f\n```\n"), ["e `f", "b\nc"]);
}
