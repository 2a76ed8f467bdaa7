//! Finds the packages that a change can affect: their tests, their lints, their documentation.
//!
//! The changes come from git: the commits since the branch left `main`, and what is not committed
//! yet. The packages that depend on them come from Cargo. The selection between the two is a
//! function of the paths and the graph alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::comments;
use xtask::fsio;
use xtask::shell::{cargo, Job};

/// The branches that a change is compared with, the first that is there.
const MAIN: &[&str] = &["origin/main", "main"];

/// Files that every package is built by.
const EVERYTHING: &[&str] = &["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo/"];

/// Files outside a package that its tests read: the start of the path, and the package.
const READ_BY: &[(&str, &str)] = &[
    ("docs/collectives", "oxmpi-coll"),
    ("crates/tools/share/completions/", "oxmpi-launch-plan"),
    ("crates/tools/share/man/", "oxmpi-launch-plan"),
    ("docs/mpirun.md", "oxmpi-launch-plan"),
    ("docs/wireup", "oxmpi-launch-tree"),
    ("fuzz/corpus/", "oxmpi-base"),
    ("include/", "oxmpi-abi"),
    ("include/", "oxmpi-bml-c"),
    ("spec/", "oxmpi-abi"),
    ("spec/", "oxmpi-suites"),
    ("spec/", "xtask"),
    ("docs/results.tsv", "oxmpi-suites"),
    ("tests/", "oxmpi-suites"),
    ("tests/c/", "oxmpi-abi"),
];

/// A package of the workspace.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// The package's folder, from the root.
    pub folder: String,
    /// The packages of the workspace that it is built from.
    pub built_from: BTreeSet<String>,
    /// The packages that its tests are built from, too.
    pub tested_with: BTreeSet<String>,
}

/// The packages of the workspace by their names.
pub type Graph = BTreeMap<String, Package>;

/// Packages to test after a change.
#[derive(Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every package.
    All,
    /// These packages, perhaps none.
    Packages(BTreeSet<String>),
}

/// Returns the packages whose tests the changes of this checkout can affect.
pub fn to_test() -> Result<Selection, String> {
    Ok(select(&graph()?, &changed()?.code))
}

/// Returns the packages in which the changes can bring warnings: of comments, which are read too,
/// in their own packages alone.
pub fn to_lint() -> Result<Selection, String> {
    let (graph, changed) = (graph()?, changed()?);
    Ok(match select(&graph, &changed.code) {
        Selection::All => Selection::All,
        Selection::Packages(found) => {
            let of_comments = owners(&graph, &changed.comments);
            Selection::Packages(found.into_iter().chain(of_comments).collect())
        }
    })
}

/// Returns the packages whose own files differ. Links to what these document are left to the
/// wider tiers.
pub fn to_document() -> Result<Selection, String> {
    let (graph, changed) = (graph()?, changed()?);
    let paths = [changed.code, changed.comments].concat();
    Ok(Selection::Packages(owners(&graph, &paths).collect()))
}

fn owners<'a>(graph: &'a Graph, paths: &'a [String]) -> impl Iterator<Item = String> + 'a {
    let owner = |path: &String| owner(graph, path).map(str::to_string);
    paths.iter().filter_map(owner)
}

/// Returns the packages that have one of the paths, or whose tests depend on such a package.
pub fn select(graph: &Graph, changed: &[String]) -> Selection {
    let is_everything = |path: &String| {
        EVERYTHING
            .iter()
            .any(|name| path == name || (name.ends_with('/') && path.starts_with(name)))
    };
    if changed.iter().any(is_everything) {
        return Selection::All;
    }
    let mut built: BTreeSet<&str> = changed
        .iter()
        .flat_map(|path| of_path(graph, path))
        .collect();
    // Each round adds the packages that are built from one of those found.
    loop {
        let found = graph
            .iter()
            .filter(|(name, package)| {
                !built.contains(name.as_str()) && uses(&package.built_from, &built)
            })
            .map(|(name, _)| name.as_str())
            .collect::<Vec<&str>>();
        if found.is_empty() {
            break;
        }
        built.extend(found);
    }
    let is_affected = |(name, package): &(&String, &Package)| {
        built.contains(name.as_str()) || uses(&package.tested_with, &built)
    };
    let affected = graph.iter().filter(is_affected);
    Selection::Packages(affected.map(|(name, _)| name.clone()).collect())
}

fn uses(packages: &BTreeSet<String>, built: &BTreeSet<&str>) -> bool {
    packages.iter().any(|name| built.contains(name.as_str()))
}

/// Returns the package in whose folder the path is.
fn owner<'a>(graph: &'a Graph, path: &str) -> Option<&'a str> {
    let holds = |package: &Package| {
        let rest = path.strip_prefix(package.folder.as_str());
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let holding = graph.iter().filter(|(_, package)| holds(package));
    let inmost = holding.max_by_key(|(_, package)| package.folder.len());
    inmost.map(|(name, _)| name.as_str())
}

/// Returns the package in whose folder the path is, and those whose tests read it.
fn of_path<'a>(graph: &'a Graph, path: &str) -> Vec<&'a str> {
    let readers = READ_BY.iter().filter(|(start, _)| path.starts_with(start));
    let readers = readers.filter_map(|(_, name)| graph.get_key_value(*name));
    let readers = readers.map(|(name, _)| name.as_str());
    owner(graph, path).into_iter().chain(readers).collect()
}

/// The paths that differ from `main`, from the root: committed, not committed, and new.
struct Changed {
    /// Files that differ in more than comments.
    code: Vec<String>,
    /// Files that differ in comments alone.
    comments: Vec<String>,
}

fn changed() -> Result<Changed, String> {
    let git = |args: &[&str]| Job::new("git").args(args).ok().map(|outcome| outcome.out);
    let base = MAIN
        .iter()
        .find_map(|main| git(&["merge-base", "HEAD", main]).ok());
    // A clone of one branch has no `main`: then what is not committed counts alone.
    let base = base.unwrap_or_else(|| "HEAD".to_string());
    let base = base.trim();
    let differ = git(&["diff", "--name-only", "--no-renames", base, "--"])?;
    let new = git(&["ls-files", "--others", "--exclude-standard"])?;
    let is_of_comments = |path: &String| {
        let before = git(&["show", &format!("{base}:{path}")]);
        let after = fsio::read(&fsio::root().join(path));
        let pair = before.ok().zip(after.ok());
        pair.is_some_and(|(before, after)| comments::differ_alone(path, &before, &after))
    };
    let differ = differ.lines().map(str::to_string);
    let (comments, mut code): (Vec<String>, Vec<String>) = differ.partition(is_of_comments);
    code.extend(new.lines().map(str::to_string));
    Ok(Changed { code, comments })
}

fn graph() -> Result<Graph, String> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1"];
    let metadata = Job::new(cargo()).args(arguments).ok()?.out;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| format!("metadata: {error}"))?;
    parse(&metadata, &fsio::root())
}

/// Reads the graph from the output of `cargo metadata --no-deps` for the workspace at `root`.
fn parse(metadata: &Value, root: &Path) -> Result<Graph, String> {
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata lists no packages")?;
    let mut graph = Graph::new();
    for package_json in packages {
        let name = package_json["name"].as_str().unwrap_or_default();
        let manifest = Path::new(package_json["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().and_then(|at| at.strip_prefix(root).ok());
        let folder = folder.ok_or(format!("package `{name}` is not below {}", root.display()))?;
        let mut package = Package {
            folder: folder.to_string_lossy().into_owned(),
            ..Package::default()
        };
        for dependency in package_json["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let of_workspace = dependency["path"].as_str().is_some();
            if let (Some(other), true) = (dependency["name"].as_str(), of_workspace) {
                let of_tests = dependency["kind"] == "dev";
                let list = match of_tests {
                    true => &mut package.tested_with,
                    false => &mut package.built_from,
                };
                list.insert(other.to_string());
            }
        }
        graph.insert(name.to_string(), package);
    }
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// `base` under `engine` under `abi`; `engine` is tested with `sim`, which is on `base`.
    fn workspace() -> Graph {
        let package = |folder: &str, built: &[&str], tested: &[&str]| Package {
            folder: folder.to_string(),
            built_from: built.iter().map(|name| name.to_string()).collect(),
            tested_with: tested.iter().map(|name| name.to_string()).collect(),
        };
        Graph::from([
            ("base".into(), package("crates/base", &[], &[])),
            ("sim".into(), package("crates/base-sim", &["base"], &[])),
            (
                "engine".into(),
                package("crates/engine", &["base"], &["sim"]),
            ),
            ("oxmpi-abi".into(), package("crates/abi", &["engine"], &[])),
            ("alone".into(), package("alone", &[], &[])),
        ])
    }

    fn selected(changed: &[&str]) -> Selection {
        let changed: Vec<String> = changed.iter().map(|path| path.to_string()).collect();
        select(&workspace(), &changed)
    }

    fn these(names: &[&str]) -> Selection {
        Selection::Packages(names.iter().map(|name| name.to_string()).collect())
    }

    #[test]
    fn who_depends_on_a_change_is_tested_and_nobody_else() {
        assert_eq!(selected(&[]), these(&[]));
        assert_eq!(selected(&["README.md", "tests/hosts/rails"]), these(&[]));
        assert_eq!(selected(&["crates/abi/src/lib.rs"]), these(&["oxmpi-abi"]));
        assert_eq!(
            selected(&["crates/base/src/lib.rs"]),
            these(&["base", "engine", "oxmpi-abi", "sim"])
        );
        assert_eq!(
            selected(&["alone/Cargo.toml", "crates/abi/src/lib.rs"]),
            these(&["alone", "oxmpi-abi"])
        );
    }

    #[test]
    fn what_tests_are_built_with_affects_the_tests_alone() {
        // `engine` is tested with `sim`, but `abi` is not built from what `engine` is tested with.
        let changed = selected(&["crates/base-sim/src/lib.rs"]);
        assert_eq!(changed, these(&["engine", "sim"]));
    }

    #[test]
    fn files_of_the_workspace_affect_all() {
        for path in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"] {
            assert_eq!(selected(&["README.md", path]), Selection::All);
        }
        assert_eq!(selected(&["alone/Cargo.toml"]), these(&["alone"]));
    }

    #[test]
    fn whose_files_differ_is_documented() {
        let paths = ["crates/base/src/lib.rs", "include/mpi.h", "README.md"];
        let found = owners(&workspace(), &paths.map(str::to_string)).collect::<Vec<String>>();
        assert_eq!(found, ["base"]);
    }

    #[test]
    fn files_that_tests_read_affect_these() {
        assert_eq!(selected(&["include/mpi.h"]), these(&["oxmpi-abi"]));
    }

    #[test]
    fn packages_and_their_dependencies_are_read() {
        let metadata = json!({"packages": [
            {"name": "a", "manifest_path": "/w/crates/a/Cargo.toml", "dependencies": [
                {"name": "b", "kind": null, "path": "/w/b"},
                {"name": "c", "kind": "dev", "path": "/w/c"},
                {"name": "libc", "kind": null},
            ]},
        ]});
        let graph = parse(&metadata, Path::new("/w")).unwrap();
        assert_eq!(graph["a"].folder, "crates/a");
        assert!(graph["a"].built_from.iter().eq(["b"]));
        assert!(graph["a"].tested_with.iter().eq(["c"]));
        assert!(parse(&metadata, Path::new("/elsewhere")).is_err());
    }

    #[test]
    fn every_reader_is_a_package() {
        let graph = graph().unwrap();
        for (_, name) in READ_BY {
            assert!(graph.contains_key(*name), "{name}");
        }
        assert!(graph["oxmpi-abi"].built_from.contains("oxmpi-mpi"));
    }
}
