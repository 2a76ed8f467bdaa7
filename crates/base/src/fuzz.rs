//! Helpers shared by crates with fuzz targets. A target takes any bytes and panics on a finding.

use std::path::Path;

/// A fuzz target: its name, which is also that of its corpus, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Runs each target on the inputs of its corpus in the project's folder `fuzz/`. Only for the
/// project's own tests.
///
/// # Panics
/// When a corpus is missing or empty, or when a target panics.
pub fn replay(targets: &[Target]) {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, target) in targets {
        let files = std::fs::read_dir(corpora.join(name)).expect("a corpus");
        let mut count = 0;
        for file in files {
            target(&std::fs::read(file.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "the corpus of {name} is empty");
    }
}
