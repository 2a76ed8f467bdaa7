//! Helpers shared by crates with fuzz targets. A target takes any bytes and panics on a finding.

use std::path::{Path, PathBuf};

/// A fuzz target: its name, which is also that of its corpus, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Checks that a file of a target's corpus holds an input; writes it where the environment has
/// `CORPUS=write`. Only for the project's own tests.
///
/// # Panics
/// When the corpus lacks it.
pub fn keep(target: &str, name: &str, input: &[u8]) {
    let folder = corpora().join(target);
    let path = folder.join(name);
    if std::env::var_os("CORPUS").is_some_and(|how| how == "write") {
        std::fs::create_dir_all(&folder).expect("a folder for the corpus");
        std::fs::write(&path, input).expect("a file of the corpus");
    }
    let kept = std::fs::read(&path).expect("a file of the corpus");
    assert_eq!(kept, input, "{}", path.display());
}

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// Runs each target on the inputs of its corpus in the project's folder `fuzz/`. Only for the
/// project's own tests.
///
/// # Panics
/// When a corpus is missing or empty, or when a target panics.
pub fn replay(targets: &[Target]) {
    for (name, target) in targets {
        let files = std::fs::read_dir(corpora().join(name)).expect("a corpus");
        let mut count = 0;
        for file in files {
            target(&std::fs::read(file.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "the corpus of {name} is empty");
    }
}
