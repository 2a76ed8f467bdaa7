//! Checks that crates of protocols and plans perform no I/O, read no clock and start no thread: the
//! time and the world are arguments there.

use syn::visit::{self, Visit};

use super::finding::Finding;
use super::layers;
use super::places::{leaves, paths};
use super::tree::Tree;

/// Paths that lead out of a process, to its clock or to another thread, by their last parts.
const IMPURE: &[&[&str]] = &[
    &["Instant", "now"],
    &["std", "time", "Instant"],
    &["SystemTime"],
    &["Monotonic"],
    &["std", "fs"],
    &["std", "net"],
    &["std", "os"],
    &["std", "process"],
    &["std", "thread"],
    &["sync", "thread"],
];

/// Checks a crate, if it is one of [`layers::PURE`].
pub fn check(tree: &Tree, found: &mut Vec<Finding>) {
    let name = tree
        .folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    if layers::PURE.contains(&name.as_ref()) {
        found.extend(faults(tree));
    }
}

fn faults(tree: &Tree) -> Vec<Finding> {
    let mut faults = Vec::new();
    for module in &tree.modules {
        let mut named = Named::default();
        module.items.iter().for_each(|item| named.visit_item(item));
        let impure = named.0.into_iter().filter(|(names, _)| is_impure(names));
        faults.extend(impure.map(|(names, line)| Finding {
            path: tree.files[module.file].clone(),
            line,
            what: format!(
                "`{}`: this crate performs no I/O, reads no clock and starts no thread",
                names.join("::")
            ),
        }));
    }
    faults
}

/// The paths that items name, with their lines.
#[derive(Default)]
struct Named(Vec<(Vec<String>, usize)>);

impl<'a> Visit<'a> for Named {
    fn visit_path(&mut self, path: &'a syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        let first = path.segments.first();
        let line = first.map_or(0, |part| part.ident.span().start().line);
        self.0.push((names.collect(), line));
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let line = item.use_token.span.start().line;
        let leaves = leaves(&item.tree).into_iter();
        self.0.extend(leaves.map(|names| (names, line)));
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.0.extend(paths(&call.tokens));
    }
}

/// Whether a path has one of [`IMPURE`] in it, or calls the system.
fn is_impure(names: &[String]) -> bool {
    let has = |parts: &&[&str]| {
        let mut windows = names.windows(parts.len());
        windows.any(|window| window.iter().zip(parts.iter()).all(|(a, b)| a == b))
    };
    let is_call = |name: &String| name.starts_with(|c: char| c.is_lowercase());
    let calls_system = names.first().is_some_and(|first| first == "libc")
        && names
            .last()
            .is_some_and(|last| is_call(last) && last != "libc");
    calls_system || IMPURE.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let tree = Tree::of_files(&[("lib.rs", text)]);
        faults(&tree).iter().map(|fault| fault.line).collect()
    }

    #[test]
    fn clocks_files_and_threads_are_found() {
        let clean = "use base::Instant;\nuse std::time::Duration;\n\
                     fn f(now: Instant) -> i32 { libc::EIO }\n\
                     #[cfg(test)]\nmod tests { fn f() { std::fs::read(p); } }\n";
        assert!(lines(clean).is_empty());
        for impure in [
            "fn f() {\n    let now = Instant::now();\n}\n",
            "fn f() {\n    std::thread::yield_now();\n}\n",
            "fn f() {\n    unsafe { libc::getpid() };\n}\n",
            "\nuse std::{fs::File, io};\n",
            "\nuse std::time::{Duration, Instant};\n",
            "\nuse base::Monotonic;\n",
        ] {
            assert_eq!(lines(impure), [2], "{impure}");
        }
    }
}
