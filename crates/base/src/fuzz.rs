//! What crates with fuzz targets share. A target takes any bytes and panics over a finding.

use std::path::Path;

/// A name, which is that of its corpus as well, and what takes the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Gives each target its corpus, which the project's folder `fuzz/` holds: what the fuzzers found
/// worth keeping goes through without a finding. Only for the project's own tests.
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
