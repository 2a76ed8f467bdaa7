use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::command_line::{parse, Parsed};
use crate::topology::Topology;

fn world(env: &[(&str, &str)]) -> World {
    let path = ("PATH", "/usr/bin:/bin");
    World {
        env: env
            .iter()
            .chain([&path])
            .map(|(n, v)| (n.into(), v.into()))
            .collect(),
        topology: Topology::regular(1, 2, 1),
        host: "n1".to_string(),
        leads_here: |_| false,
        flux: Box::new(|| Err("no flux here".to_string())),
        prefix: PathBuf::from("/no/such/prefix"),
    }
}

fn plan(line: &str, env: &[(&str, &str)]) -> Result<Plan, Error> {
    let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    match parse(&words, &|_| None).unwrap() {
        Parsed::Run(request) => make(&request, &world(env), &|_| Ok(())),
        Parsed::Print(_) => unreachable!("no such line here"),
    }
}

#[test]
fn an_outer_launchers_variables_do_not_reach_the_ranks() {
    let outer = [
        ("PMI_FD", "7"),
        ("PMI_RANK", "5"),
        ("PMIX_NAMESPACE", "x"),
        ("OMPI_COMM_WORLD_SIZE", "64"),
        ("OXMPI_BOOT_FD", "9"),
        ("OMPI_MCA_btl", "tcp,self"),
        ("HOME", "/someone"),
    ];
    let plan = plan("-n 2 sh", &outer).unwrap();
    let env = &plan.apps[0].env;
    let has = |name: &str| env.contains_key(OsStr::new(name));
    assert!(outer[..5].iter().all(|(name, _)| !has(name)), "{env:?}");
    assert!(has("OMPI_MCA_btl") && has("HOME") && has("PATH"));
    let identity = plan.identity_env(1);
    assert!(identity.contains(&("PMI_RANK", "1".to_string())));
    assert!(identity.contains(&("OMPI_COMM_WORLD_SIZE", "2".to_string())));
    assert!(!identity
        .iter()
        .any(|(name, _)| *name == "PMI_FD" || *name == "PMI_PORT"));
}

#[test]
fn libfabric_learns_of_jobs_larger_than_it_assumes_unless_the_user_has_set_it() {
    let passed = |line: &str, env: &[(&str, &str)]| -> Vec<String> {
        let identity = plan(line, env).unwrap().identity_env(1);
        let of_fabric = |(name, _): &(&str, String)| *name == "FI_UNIVERSE_SIZE";
        identity
            .into_iter()
            .filter(of_fabric)
            .map(|(_, value)| value)
            .collect()
    };
    assert_eq!(passed("-n 256 sh", &[]), [""; 0]);
    assert_eq!(passed("-n 257 sh", &[]), ["257"]);
    assert_eq!(passed("-n 257 sh", &[("FI_UNIVERSE_SIZE", "9")]), [""; 0]);
}

#[test]
fn the_libraries_of_a_programs_interface_come_first() {
    let line = "--abi ompi40 -n 1 sh : --abi mpich12 -n 1 sh : -n 1 sh";
    let plan = plan(line, &[("LD_LIBRARY_PATH", "/mine")]).unwrap();
    let path = |at: usize| plan.apps[at].env[OsStr::new("LD_LIBRARY_PATH")].clone();
    assert!(path(0).to_string_lossy().ends_with("lib/ompi40:/mine"));
    assert!(path(1).to_string_lossy().ends_with("lib/mpich12:/mine"));
    assert_eq!(path(2), "/mine");
}

#[test]
fn variables_of_a_program_win_over_those_of_all() {
    let line = "-genv A all -x A=mine -x B -n 1 sh : -n 2 sh";
    let plan = plan(line, &[("B", "outer"), ("A", "outer")]).unwrap();
    let value = |app: usize, name: &str| plan.apps[app].env[OsStr::new(name)].clone();
    assert_eq!(
        (value(0, "A"), value(1, "A")),
        ("mine".into(), "all".into())
    );
    assert_eq!(value(0, "B"), "outer");
    let apps: Vec<u32> = plan.placements.iter().map(|place| place.app).collect();
    assert_eq!(apps, [0, 1, 1]);
}

#[test]
fn what_cannot_run_is_refused_with_its_name_and_reason() {
    for (line, parts) in [
        (
            "-n 2 no-such-program",
            &["no-such-program", "not found on PATH"][..],
        ),
        ("-n 2 ./no-such-program", &["no-such-program", "not found"]),
        ("-n 2 /etc/passwd", &["/etc/passwd", "not executable"]),
        ("-n 2 /tmp", &["/tmp", "directory"]),
        ("-n 1 sh : -n 1 /etc/passwd", &["/etc/passwd"]),
        (
            "--wdir /no/such/place sh",
            &["working directory", "/no/such/place"],
        ),
        (
            "--wdir /etc/passwd sh",
            &["working directory", "/etc/passwd"],
        ),
        ("-H n2 sh", &["n2", "not this machine"]),
        (
            "--hostfile /no/such/file sh",
            &["host file", "/no/such/file"],
        ),
        ("--tune /no/such/file sh", &["/no/such/file"]),
        ("--stdin 4 -n 2 sh", &["--stdin", "below 2"]),
    ] {
        let said = plan(line, &[]).expect_err(line).to_string();
        assert!(
            parts.iter().all(|part| said.contains(part)),
            "{line}: {said}"
        );
        assert!(!said.contains('\n'), "{line}: one line");
    }
}

/// Scripts that were written for Open MPI name a program of the folder that they run in without a
/// path, as those of Fenix do.
#[test]
fn a_program_that_is_not_on_path_is_looked_for_in_the_working_directory() {
    let located = |name: &str, path: &str| {
        let file = "#!/bin/sh\n";
        let folder = std::env::temp_dir().join(format!("oxmpi-here-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("path")).unwrap();
        for (name, mode) in [("a", 0o755), ("path/a", 0o755), ("b", 0o755), ("c", 0o644)] {
            std::fs::write(folder.join(name), file).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(folder.join(name), mode).unwrap();
        }
        let there = folder.to_str().unwrap();
        let line = format!("--wdir {there} -x PATH={there}/{path} {name}");
        let found = plan(&line, &[]);
        let found = found.map(|plan| plan.apps[0].path.strip_prefix(&folder).unwrap().to_owned());
        std::fs::remove_dir_all(&folder).unwrap();
        found.map_err(|error| error.to_string())
    };
    assert_eq!(located("a", "path").unwrap(), Path::new("path/a"));
    assert_eq!(located("b", "path").unwrap(), Path::new("b"));
    let said = located("c", "path").unwrap_err();
    assert!(said.contains("the one here is not executable"), "{said}");
    assert!(located("d", "path")
        .unwrap_err()
        .contains("not found on PATH"));
}

#[test]
fn the_number_of_ranks_comes_from_count_hosts_or_processors() {
    assert_eq!(plan("-n 5 sh", &[]).unwrap().size(), 5);
    assert_eq!(plan("-H localhost:3 sh", &[]).unwrap().size(), 3);
    let size = plan("sh", &[]).unwrap().size();
    assert!((1..=2).contains(&size));
    assert_eq!(plan("-n 5 sh", &[]).unwrap().universe, 5);
}

#[test]
fn a_time_limit_comes_from_option_or_environment() {
    let env = [("MPIEXEC_TIMEOUT", "7")];
    assert_eq!(
        plan("sh", &env).unwrap().front.timeout,
        Some(Duration::from_secs(7))
    );
    assert_eq!(
        plan("--timeout 2 sh", &env).unwrap().front.timeout,
        Some(Duration::from_secs(2))
    );
    assert_eq!(plan("sh", &[]).unwrap().front.timeout, None);
    assert!(plan("sh", &[("MPIEXEC_TIMEOUT", "soon")]).is_err());
}
