//! Tests of the program `oxmpi_info`: exit codes, both outputs, and invalid environments.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxmpi_info"));
    for (variable, _) in std::env::vars().filter(|(variable, _)| variable.contains("MPI_MCA")) {
        command.env_remove(variable);
    }
    command
        .env_remove("HOME")
        .envs(environment.iter().copied())
        .args(arguments);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_parameter_of_the_environment_is_shown_with_its_source() {
    let arguments = ["--param", "btl", "base", "--level", "9", "--parsable"];
    let output = run(&arguments, &[("OMPI_MCA_btl_base_verbose", "info")]);
    assert!(output.status.success());
    let stdout = text(&output.stdout);
    let key = "mca:btl:base:param:btl_base_verbose";
    assert!(stdout.contains(&format!("{key}:value:40\n")), "{stdout}");
    let source = format!("{key}:source:environment variable OMPI_MCA_btl_base_verbose\n");
    assert!(stdout.contains(&source), "{stdout}");
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn a_wrong_environment_and_wrong_arguments_end_with_2_and_a_reason() {
    let wrong = [
        ("OXMPI_MCA_btl_base_verbos", "1"),
        ("OXMPI_MCA_pml_base_verbose", "loud"),
    ];
    let output = run(&[], &wrong);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    assert!(
        stderr.contains("did you mean btl_base_verbose?"),
        "{stderr}"
    );
    for arguments in [
        &["--param", "blt"][..],
        &["--levl", "3"],
        &["--level", "10"],
    ] {
        let output = run(arguments, &[]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_typing_error_in_open_mpis_variables_is_a_warning() {
    let output = run(&["--version"], &[("OMPI_MCA_btl_base_verbos", "1")]);
    assert!(output.status.success());
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("did you mean btl_base_verbose?"),
        "{stderr}"
    );
    assert!(text(&output.stdout).contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxmpi_info"));
    command
        .arg("--all")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}
