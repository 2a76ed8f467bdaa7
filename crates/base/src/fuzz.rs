//! Helpers shared by crates with fuzz targets. A target takes any bytes and panics on a finding.

use std::path::Path;

/// The name of a target, which is that of its corpus as well, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Runs each target on its corpus, which the project's folder `fuzz/` holds: the inputs that the
/// fuzzers found worth saving pass without a finding. Only for the project's own tests.
///
/// # Panics
/// When a corpus is not there or is empty, and as the target does.
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
