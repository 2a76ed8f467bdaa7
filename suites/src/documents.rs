//! Documents name commands of `cargo xtask`, and options of them, that there are.

use clap::CommandFactory;

use crate::Command;

/// Documents that speak of options of commands without naming those each time.
const WITHOUT_COMMAND: &[&str] = &[
    "CONTRIBUTING.md",
    "docs/conformance.md",
    "docs/performance.md",
];

/// Long options of those documents that are other programs'.
const OTHERS: &[(&str, &str)] = &[
    ("--enable-strictmpi", "MPICH's configure"),
    ("--include-ignored", "cargo test"),
    ("--raw", "oxmpi-perf"),
];

/// The code in a document: the text in backquotes, and the lines of blocks.
fn snippets(text: &str) -> Vec<String> {
    let (mut found, mut prose, mut is_block) = (Vec::new(), String::new(), false);
    for line in text.lines().chain([""]) {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            let line = line.trim_start().trim_start_matches("$ ");
            found.push(line.split(" #").next().unwrap_or(line).to_string());
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

/// All commands: those that `xtask` passes on with the options that this package gives them.
fn all() -> clap::Command {
    let mut all = xtask::Command::command();
    for own in Command::command().get_subcommands() {
        all = all.mut_subcommand(own.get_name(), |_| own.clone());
    }
    all
}

/// Every command, and every command of a command.
fn every_command() -> Vec<clap::Command> {
    let all = all();
    let below = all
        .get_subcommands()
        .flat_map(clap::Command::get_subcommands);
    all.get_subcommands().chain(below).cloned().collect()
}

/// The command that these words begin with; they keep what follows its name.
fn command(words: &mut &[&str]) -> Result<clap::Command, String> {
    let mut command = all();
    while let Some((first, rest)) = words.split_first() {
        let below = command.find_subcommand(first).cloned();
        let takes_words = command.get_positionals().next().is_some();
        match below {
            Some(below) => (command, *words) = (below, rest),
            None if *first == "help" || first.starts_with('-') || takes_words => break,
            None => return Err(format!("there is no command `{first}`")),
        }
    }
    Ok(command)
}

fn has_option(command: &clap::Command, word: &str) -> bool {
    let name = word
        .split('=')
        .next()
        .unwrap_or(word)
        .trim_start_matches('-');
    let mut options = command
        .get_arguments()
        .filter_map(|argument| argument.get_long());
    name.is_empty() || name == "help" || options.any(|option| option == name)
}

fn faults(snippet: &str, may_lack_command: bool) -> Vec<String> {
    let words: Vec<&str> = snippet.split_whitespace().collect();
    let is_long = |word: &&&str| word.starts_with("--");
    let Some(at) = words.windows(2).position(|pair| pair == ["cargo", "xtask"]) else {
        let is_option = words.first().is_some_and(|word| word.starts_with("--"));
        let any = |word: &str| {
            let is_other = OTHERS.iter().any(|(other, _)| *other == word);
            is_other || every_command().iter().any(|one| has_option(one, word))
        };
        let words = words
            .iter()
            .filter(is_long)
            .filter(|_| is_option && may_lack_command);
        let wrong = words.filter(|word| !any(word));
        return wrong.map(|word| format!("no command has {word}")).collect();
    };
    let mut rest = &words[at + 2..];
    match command(&mut rest) {
        Ok(command) => {
            let wrong = rest
                .iter()
                .filter(is_long)
                .filter(|word| !has_option(&command, word));
            let name = command.get_name();
            wrong
                .map(|word| format!("`{name}` has no option {word}"))
                .collect()
        }
        Err(fault) => vec![fault],
    }
}

#[test]
fn documents_name_commands_that_there_are() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for path in xtask::gen::documents::paths(&root).unwrap() {
        let may_lack_command = WITHOUT_COMMAND.iter().any(|name| path.ends_with(name));
        for snippet in snippets(&std::fs::read_to_string(root.join(&path)).unwrap()) {
            let faults = faults(&snippet, may_lack_command).into_iter();
            found.extend(faults.map(|fault| format!("{}: `{snippet}`: {fault}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_a_document_misspells_is_found() {
    for wrong in [
        "cargo xtask tets",
        "cargo xtask test quikc",
        "cargo xtask test c rma_basic --ovr sm",
        "cargo xtask bench --suit sm",
        "X=1 cargo xtask gen --chekc",
        "--pateince 4",
    ] {
        assert!(!faults(wrong, true).is_empty(), "{wrong}");
    }
    for right in [
        "cargo xtask help",
        "cargo xtask test c rma_basic --over sm -n 2",
        "cargo xtask vm-rdma --only nfs",
        "X=1 cargo xtask gen --check",
        "--patience 4",
    ] {
        assert_eq!(faults(right, true), [""; 0], "{right}");
    }
}
