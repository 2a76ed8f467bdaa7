//! Tests of each rule on a small text that violates it and on one that does not.

use super::*;

fn faults(text: &str) -> Vec<(usize, String)> {
    faults_of("crates/x/src/a.rs", text)
}

fn faults_of(path: &str, text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    check(&Source::new(path.into(), text.to_string()), &mut found);
    found
        .into_iter()
        .map(|finding| (finding.line, finding.what))
        .collect()
}

fn function_of(lines: usize) -> String {
    let body = "    let _ = '{'; // }\n".repeat(lines - 2);
    format!("//! Story.\nfn long() {{\n{body}}}\n")
}

#[test]
fn a_clean_file_has_no_faults() {
    let text = "//! Story.\n\nstatic TABLE: &[u8] = &[1];\n\nfn main() {}\n";
    assert_eq!(faults(text), []);
}

#[test]
fn lengths_have_limits() {
    assert_eq!(faults(&function_of(70)), []);
    let found = faults(&function_of(71));
    assert_eq!(found, [(2, "`long` has 71 lines, over 70".to_string())]);
    assert_eq!(faults(&format!("//! {}\n", "é".repeat(96))), []);
    assert_eq!(faults(&format!("//! {}\n", "é".repeat(97)))[0].0, 1);
    let long = format!("//! Story.\n{}", "//\n".repeat(800));
    assert_eq!(faults(&long).len(), 1);
    assert_eq!(faults_of("crates/x/src/tests.rs", &long), []);
    assert!(too_long("x", CRATE_LINES_MAX).is_none());
    let what = too_long("x", CRATE_LINES_MAX + 1).unwrap().what;
    assert_eq!(
        what,
        "12001 lines without tests; the crate has at most 12000"
    );
    let (name, lines) = LONG_CRATES[0];
    assert!(too_long(name, lines).is_none() && too_long(name, lines + 1).is_some());
}

#[test]
fn braces_in_literals_do_not_count() {
    let text =
        "//! Story.\nfn a<'a>(x: &'a [u8; 2]) -> u8 { let s = \"}\\\"}\"; /* } /* } */ } */\n\
                let r = r#\"}\"}\"#; b'}' }\nfn b();\nfn c() {\n}\n";
    let source = Source::new("a.rs".into(), text.to_string());
    let found: Vec<_> = source
        .functions()
        .iter()
        .map(|f| (f.name, f.line, f.lines))
        .collect();
    assert_eq!(found, [("a", 2, 2), ("c", 5, 2)]);
}

#[test]
fn unfinished_work_and_lacking_stories_are_found() {
    let text = format!("//! Story.\n// {}: later\n", concat!("TO", "DO"));
    assert_eq!(faults(&text)[0].0, 2);
    assert_eq!(faults("fn main() {}\n")[0].0, 1);
}

#[test]
fn examples_are_found() {
    let example =
        |fence: &str| format!("//! Story.\n\n/// ```{fence}\n/// f();\n/// ```\nfn f() {{}}\n");
    assert!(has_example(&example("")) && has_example(&example("no_run")));
    assert!(!has_example(&example("text")) && !has_example("fn f() {}\n"));
    let closing = "//! ```text\n//! a\n//! ```\n//!\n//! b\n";
    assert!(!has_example(closing));
}

#[test]
fn a_crate_uses_only_what_is_below() {
    let uses = |what: &str| format!("[dependencies]\n{what}.workspace = true\n");
    assert_eq!(layers::faults("pml", &uses("base")), []);
    assert_eq!(layers::faults("pml", &uses("log")), []);
    for (name, used) in [("pml", "engine"), ("btl-sm", "btl-tcp"), ("base", "base")] {
        for uses in [
            uses(used),
            format!("[target.'cfg(unix)'.dependencies]\n{used} = {{ workspace = true }}\n"),
        ] {
            assert_eq!(layers::faults(name, &uses)[0].0, 2, "{name} {used}");
        }
    }
    let tests = uses("engine").replace("[dependencies]", "[dev-dependencies]");
    assert_eq!(layers::faults("pml", &tests), []);
    let by_path = "[dependencies]\nbase = { path = \"../base\" }\n";
    assert_eq!(layers::faults("pml", by_path)[0].0, 2);
}
