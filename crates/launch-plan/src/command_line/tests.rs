use std::time::Duration;

use super::*;
use crate::allocation::BatchSystem;
use crate::request::Allocations;
use crate::request::{Change, Inherit};

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

fn run(line: &str) -> Request {
    match parse(&words(line), &|_| None) {
        Ok(Parsed::Run(request)) => *request,
        other => panic!("{line}: {other:?}"),
    }
}

fn error(line: &str) -> String {
    parse(&words(line), &|_| None).expect_err(line).to_string()
}

#[test]
fn every_spelling_of_the_count() {
    for option in ["-n 3", "-np 3", "-c 3", "--n 3", "--np 3", "-n=3", "--np=3"] {
        let request = run(&format!("{option} prog -n 7 --help"));
        assert_eq!(request.apps[0].count, Some(3), "{option}");
        assert_eq!(request.apps[0].arguments, ["-n", "7", "--help"]);
    }
    assert_eq!(run("prog").apps[0].count, None);
}

#[test]
fn programs_are_parted_by_colons_and_keep_their_own_options() {
    let request =
        run("--tag-output -x A=1 -n 2 a x : --wdir /tmp -env B 2 b : -mca btl tcp,self -n 3 c");
    let [a, b, c] = &request.apps[..] else {
        panic!("{request:?}")
    };
    assert_eq!((a.program.to_str(), a.count), (Some("a"), Some(2)));
    let set = |name: &str, value: &str| (name.into(), Change::Set(value.into()));
    assert_eq!(a.env, [set("A", "1")]);
    assert_eq!(
        (b.directory.as_deref(), b.count),
        (Some("/tmp".as_ref()), None)
    );
    assert_eq!(b.env, [set("B", "2")]);
    assert_eq!((c.env.len(), c.count), (0, Some(3)));
    assert_eq!(
        request.parameters,
        [("btl".to_string(), "tcp,self".to_string())]
    );
    assert!(request.output.tags.stream);
}

/// A value that is no text was refused, though the environment has any bytes but zero.
#[test]
fn variables_and_folders_may_have_any_bytes() {
    let words = [
        &b"-x"[..],
        b"A=\xff=",
        b"-genv",
        b"B\xfe",
        b"\xfd",
        b"--wdir=/\xfc",
        b"-envlist",
        b"C,\xfb",
        b"prog",
    ];
    let words = words.map(|word| OsStr::from_bytes(word).to_os_string());
    let Ok(Parsed::Run(request)) = parse(&words, &|_| None) else {
        panic!("{words:?}")
    };
    let os = |bytes| OsStr::from_bytes(bytes).to_os_string();
    let app = &request.apps[0];
    assert_eq!(app.env, [("A".into(), Change::Set(os(b"\xff=")))]);
    assert_eq!(request.env, [(os(b"B\xfe"), os(b"\xfd"))]);
    assert_eq!(app.directory, Some(os(b"/\xfc")));
    let only = Inherit::Only(vec!["C".into(), os(b"\xfb")]);
    assert_eq!(
        (&app.inherit, app.program.to_str()),
        (&Some(only), Some("prog"))
    );
    let bad = [&b"--hostfile"[..], b"\xff", b"prog"].map(os);
    let said = parse(&bad, &|_| None).expect_err("no text").to_string();
    assert!(
        said.contains("--hostfile") && said.contains("UTF-8"),
        "{said}"
    );
}

#[test]
fn wrong_words_are_refused_with_what_would_be_right() {
    for (line, parts) in [
        ("-n 0 prog", &["-n", "at least 1", "\"0\""][..]),
        ("-n abc prog", &["-n", "whole number", "\"abc\""]),
        ("-n -3 prog", &["\"-3\""]),
        ("-np 2.5 prog", &["-np", "\"2.5\""]),
        (
            "--tag-ouput prog",
            &["--tag-ouput", "did you mean --tag-output"],
        ),
        ("--xyzzy prog", &["unknown option --xyzzy"]),
        ("-n", &["-n wants a value"]),
        ("--mca btl", &["--mca wants a name and a value"]),
        ("", &["no program"]),
        ("-n 2", &["no program"]),
        ("a : -n 2", &["no program"]),
        ("--timeout x prog", &["--timeout", "seconds"]),
        (
            "--bind-to moon prog",
            &["--bind-to", "none or one of", "hwthread"],
        ),
        ("--map-by moon prog", &["--map-by", "moon"]),
        ("--output tag,moon prog", &["--output", "\"moon\""]),
        ("-x =3 prog", &["-x", "name of a variable"]),
        ("--stdin all prog", &["--stdin", "a rank or none"]),
        (
            "--mca=btl tcp prog",
            &["unknown option --mca=btl", "did you mean --mca"],
        ),
    ] {
        let said = error(line);
        assert!(
            parts.iter().all(|part| said.contains(part)),
            "{line}: {said}"
        );
        assert!(!said.contains('\n'), "{line}: one line");
    }
}

#[test]
fn what_scripts_say_for_other_launchers_is_accepted() {
    let request = run(
        "--oversubscribe --allow-run-as-root --map-by :OVERSUBSCRIBE --bind-to none -l \
         -genvall -ppn 2 --host localhost:2 -genv A 1 --timeout 2.5 prog",
    );
    assert_eq!(request.timeout, Some(Duration::from_millis(2500)));
    assert_eq!(request.env, [("A".into(), "1".into())]);
    assert!(request.output.tags.rank);
    assert_eq!(slots(&request.apps[0]), Some(2));
}

#[test]
fn help_and_version_are_printed_whatever_follows() {
    for line in [
        "--help",
        "-h",
        "-help all",
        "--version",
        "-V",
        "-n 2 --help",
    ] {
        assert!(
            matches!(parse(&words(line), &|_| None), Ok(Parsed::Print(_))),
            "{line}"
        );
    }
}

#[test]
fn an_option_that_stands_for_a_parameter_sets_it() {
    for (option, name, value) in [
        ("--iface eth0", "btl_tcp_if_include", "eth0"),
        (
            "--initial-errhandler mpi_errors_return",
            "mpi_initial_errhandler",
            "mpi_errors_return",
        ),
    ] {
        let request = run(&format!("{option} prog"));
        let expected = [(name.to_string(), value.to_string())];
        assert_eq!(request.parameters, expected, "{option}");
    }
}

#[test]
fn an_unknown_interface_is_refused() {
    let error_text = error("--abi ompi50 -n 1 sh");
    assert!(
        error_text.contains("ompi50") && error_text.contains("ompi40, mpich12"),
        "{error_text}"
    );
}

/// Tools that start jobs learn from this text which options they may use. Each line names a tool,
/// what it looks for, and whether that has to be there.
#[test]
fn tools_recognise_the_version_or_pass_by() {
    let text = options::VERSION.replace("{name}", "mpirun");
    // Horovod's runner: the first that is found decides, and Open MPI's options work here.
    let horovod = ["Open MPI", "OpenRTE", "IBM Spectrum MPI", "MPICH"];
    assert!(text.contains(horovod[0]));
    // CMake scripts add --oversubscribe by the same words; others give it to OpenRTE alone.
    assert!(!text.contains("OpenRTE") && options::find("oversubscribe").is_some());
    // Scripts that ask for Hydra pass -ppn, -hosts and -genv.
    assert!(text.contains("HYDRA") && options::find("genv").is_some());
    // Intel's, Slurm's and Spectrum's own options are not known here.
    for other in ["Intel(R) MPI", "IBM Spectrum MPI", "slurm", "MVAPICH"] {
        assert!(!text.contains(other), "{other}");
    }
    // The last word of the line that opens with the program's name is its version.
    let line = text.lines().find(|line| line.contains("mpirun")).unwrap();
    assert_eq!(line.split(' ').next_back(), Some(env!("CARGO_PKG_VERSION")));
    // "Open MPI" and a number: the dialect, of which the first is the older.
    let (_, after) = text.split_once("Open MPI ").unwrap();
    assert!(after.starts_with("4.1 "));
}

/// Hydra names what starts daemons, and whose allocation counts, by options and by variables.
#[test]
fn hydras_names_choose_among_batch_systems() {
    let with = |line: &str, name: &str, value: &str| {
        let variable = |asked: &str| (asked == name).then(|| value.to_string());
        match parse(&words(line), &variable) {
            Ok(Parsed::Run(request)) => *request,
            other => panic!("{line}: {other:?}"),
        }
    };
    let plm = |request: &Request| {
        let last = request.parameters.iter().rfind(|(name, _)| name == "plm");
        last.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    for name in ["HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP", "I_MPI_HYDRA_BOOTSTRAP"] {
        assert_eq!(plm(&with("prog", name, "slurm")), "slurm", "{name}");
        assert_eq!(plm(&with("-launcher pbs prog", name, "slurm")), "tm");
        let unknown = with("prog", name, "moon");
        assert_eq!((plm(&unknown), unknown.notes.len()), (String::new(), 1));
    }
    for name in ["HYDRA_RMK", "I_MPI_HYDRA_RMK"] {
        let only = with("prog", name, "lsf").allocations;
        assert_eq!(only, Allocations::Of(BatchSystem::Lsf), "{name}");
        let none = with("-rmk user prog", name, "lsf").allocations;
        assert_eq!(none, Allocations::OfNone);
    }
    assert_eq!(run("prog").allocations, Allocations::OfAll);
}
