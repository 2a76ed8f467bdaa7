//! Tests of the registry: precedence of sources, refused values, and ignored ones.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use mca::{Errors, Framework, Origin, Param, Registry, Sources, Value};

const BTL: &[Param] = &[
    Param::list("btl", "", 1, "transports to use"),
    Param::size(
        "btl_sm_eager_limit",
        4096,
        0..=1 << 20,
        4,
        "largest eager message, in bytes",
    ),
    Param::list("btl_tcp_if_include", "", 1, "interfaces to use"),
    Param::int(
        "btl_tcp_speed_<interface>",
        0,
        0..=1000,
        5,
        "speed of an interface",
    ),
];
const PML: &[Param] = &[
    Param::bool("pml_check", false, 7, "check harder"),
    Param::int("pml_depth", 4, -1..=64, 5, "depth of the pipeline"),
    Param::text("pml_note", "", 9, "a text"),
    Param::choice(
        "pml_mode",
        "fast",
        &["fast", "safe"],
        2,
        "how to go about it",
    ),
];
const TABLES: &[&[Param]] = &[BTL, PML];

const SYSTEM: &str = "/p/etc/oxmpi-mca-params.conf";
const OVERRIDE: &str = "/p/etc/oxmpi-mca-params-override.conf";
const USER: &str = "/someone/.oxmpi/mca-params.conf";

/// A world with these files and environment variables.
fn world(files: &[(&str, &str)], environment: &[(&str, &str)]) -> Sources {
    let files: HashMap<String, String> = owned(files).into_iter().collect();
    let read = move |path: &Path| {
        let content = files.get(path.to_str().unwrap_or_default());
        content
            .map(|text| text.clone().into_bytes())
            .ok_or(io::ErrorKind::NotFound.into())
    };
    let home = [("HOME".to_string(), "/someone".to_string())];
    Sources::new("/p", read)
        .with_environment(home)
        .with_environment(owned(environment))
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, text)| (name.to_string(), text.to_string()))
        .collect()
}

fn from_environment(environment: &[(&str, &str)]) -> Result<Registry, Errors> {
    Registry::load(TABLES, &world(&[], environment))
}

fn from_command_line(name: &str, text: &str) -> Result<Registry, Errors> {
    Registry::load(
        TABLES,
        &world(&[], &[]).with_command_line(owned(&[(name, text)])),
    )
}

/// The message of the only error.
fn only_error(result: Result<Registry, Errors>) -> String {
    let errors = result.err().expect("it was accepted").0;
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].to_string()
}

/// Every source that can set a parameter, lowest first, with the origin that it must show.
const LADDER: [(&str, &str); 7] = [
    ("system", "file /p/etc/oxmpi-mca-params.conf:2"),
    ("user", "file /someone/.oxmpi/mca-params.conf:2"),
    ("tune", "tune file /job.tune:2"),
    ("OMPI", "environment variable OMPI_MCA_btl_sm_eager_limit"),
    ("OXMPI", "environment variable OXMPI_MCA_btl_sm_eager_limit"),
    ("command line", "command line"),
    (
        "override",
        "override file /p/etc/oxmpi-mca-params-override.conf:2",
    ),
];

/// The world in which the sources of `mask` each set the same parameter to their own number.
fn ladder(mask: u32) -> Sources {
    let name = "btl_sm_eager_limit";
    let on = |at: usize| mask & (1 << at) != 0;
    let line = |at: usize| format!("# comment\n{name} = {}\n", at + 1);
    let (system, user, tune, last) = (line(0), line(1), line(2), line(6));
    let mut files = Vec::new();
    for (at, path, content) in [
        (0, SYSTEM, &system),
        (1, USER, &user),
        (2, "/job.tune", &tune),
        (6, OVERRIDE, &last),
    ] {
        if on(at) {
            files.push((path, content.as_str()));
        }
    }
    let mut environment = Vec::new();
    for (at, variable, text) in [
        (3, "OMPI_MCA_btl_sm_eager_limit", "4"),
        (4, "OXMPI_MCA_btl_sm_eager_limit", "5"),
    ] {
        if on(at) {
            environment.push((variable, text));
        }
    }
    let mut sources = world(&files, &environment);
    if on(2) {
        sources = sources.with_tune("/job.tune");
    }
    if on(5) {
        sources = sources.with_command_line(owned(&[(name, "6")]));
    }
    sources
}

#[test]
fn of_every_set_of_sources_the_highest_wins_and_is_named() {
    for mask in 0u32..1 << LADDER.len() {
        let registry = Registry::load(TABLES, &ladder(mask)).unwrap();
        let value = registry.size("btl_sm_eager_limit");
        let origin = registry.origin("btl_sm_eager_limit").to_string();
        if mask == 0 {
            assert_eq!((value, origin.as_str()), (4096, "default"));
            continue;
        }
        let highest = mask.ilog2() as usize;
        assert_eq!(
            (value, origin.as_str()),
            (highest + 1, LADDER[highest].1),
            "mask {mask:07b}"
        );
        let denied = highest == 6 && mask & 0b0111110 != 0;
        assert_eq!(
            registry.warnings().len(),
            usize::from(denied),
            "mask {mask:07b}"
        );
    }
}

#[test]
fn a_rank_sees_what_its_launcher_was_given_with_the_same_precedence() {
    for mask in 0u32..1 << LADDER.len() {
        let launcher = ladder(mask);
        let registry = Registry::load(TABLES, &launcher).unwrap();
        let rank = ladder(mask & !(1 << 2) & !(1 << 5));
        let rank = rank.with_environment(launcher.forward().unwrap());
        let seen = Registry::load(TABLES, &rank).unwrap();
        assert_eq!(
            seen.size("btl_sm_eager_limit"),
            registry.size("btl_sm_eager_limit")
        );
        let (there, here) = (
            seen.origin("btl_sm_eager_limit"),
            registry.origin("btl_sm_eager_limit"),
        );
        match here {
            Origin::Tune(_) => assert_eq!(there, &Origin::Tune(None)),
            other => assert_eq!(there, other),
        }
    }
}

#[test]
fn every_type_is_read_and_found() {
    let registry = from_environment(&[
        ("OXMPI_MCA_btl", "tcp, self"),
        ("OXMPI_MCA_btl_sm_eager_limit", "32k"),
        ("OXMPI_MCA_pml_check", "yes"),
        ("OXMPI_MCA_pml_depth", "-1"),
        ("OMPI_MCA_pml_note", "a = b"),
        ("OMPI_MCA_pml_mode", "SAFE"),
        ("OXMPI_MCA_pml_base_verbose", "info"),
        ("MPIR_CVAR_DEBUG", "1"),
        ("PRTE_MCA_plm", "ssh"),
    ])
    .unwrap();
    assert_eq!(registry.list("btl"), ["tcp", "self"]);
    assert_eq!(registry.size("btl_sm_eager_limit"), 32768);
    assert!(registry.bool("pml_check"));
    assert_eq!(registry.int("pml_depth"), -1);
    assert_eq!(registry.text("pml_note"), "a = b");
    assert_eq!(registry.choice("pml_mode"), "safe");
    assert_eq!(registry.int("pml_base_verbose"), 40);
    assert!(registry.warnings().is_empty() && registry.notes().is_empty());
    let names: Vec<&str> = registry.rows().iter().map(|row| row.param.name).collect();
    assert!(
        names.is_sorted() && names.contains(&"btl_base_verbose"),
        "{names:?}"
    );
    let row = registry
        .rows()
        .iter()
        .find(|row| row.param.name == "pml_mode")
        .unwrap();
    assert_eq!((&row.value, row.param.level), (&Value::Choice("safe"), 2));
}

#[test]
fn a_bad_value_is_an_error_naming_source_and_what_is_allowed() {
    let cases = [
        ("btl_sm_eager_limit", "12abc", "from 0 to 1048576"),
        ("btl_sm_eager_limit", "2m", "from 0 to 1048576"),
        ("btl_sm_eager_limit", "", "from 0 to 1048576"),
        ("pml_check", "maybe", "true or false"),
        ("pml_depth", "65", "from -1 to 64"),
        ("pml_mode", "quick", "one of fast, safe"),
        ("btl_base_verbose", "loud", "none, error, component"),
    ];
    for (name, text, allowed) in cases {
        let message = only_error(from_command_line(name, text));
        for part in [name, &format!("{text:?}"), "from: command line", allowed] {
            assert!(message.contains(part), "{message} lacks {part}");
        }
    }
    let files = [(SYSTEM, "btl = sm\npml_depth = deep\n")];
    let message = only_error(Registry::load(TABLES, &world(&files, &[])));
    assert!(
        message.contains("/p/etc/oxmpi-mca-params.conf:2"),
        "{message}"
    );
    let message = only_error(from_environment(&[("OMPI_MCA_pml_depth", "deep")]));
    assert!(
        message.contains("environment variable OMPI_MCA_pml_depth"),
        "{message}"
    );
}

#[test]
fn a_bad_value_that_another_source_overrules_is_a_warning() {
    let files = [(SYSTEM, "pml_depth = deep\n")];
    let sources = world(&files, &[("OXMPI_MCA_pml_depth", "8")]);
    let registry = Registry::load(TABLES, &sources).unwrap();
    assert_eq!(registry.int("pml_depth"), 8);
    assert_eq!(registry.warnings().len(), 1);
    assert!(
        registry.warnings()[0].contains("\"deep\""),
        "{:?}",
        registry.warnings()
    );
}

#[test]
fn an_unknown_name_is_an_error_that_offers_the_nearest() {
    let meant = "did you mean btl_tcp_if_include?";
    let own = from_environment(&[("OXMPI_MCA_btl_tcp_if_inclde", "eth0")]);
    let message = only_error(own);
    assert!(message.contains(meant), "{message}");
    assert!(
        message.contains("variable OXMPI_MCA_btl_tcp_if_inclde"),
        "{message}"
    );
    let message = only_error(from_command_line("btl_tcp_if_inclde", "eth0"));
    assert!(
        message.contains(meant) && message.contains("command line"),
        "{message}"
    );
    let said = "there is no parameter btl_tcp_if_inclde (from: command line); did you mean \
                btl_tcp_if_include? `oxmpi_info --all` lists all parameters";
    assert_eq!(message, said);
    let message = only_error(from_command_line("btl_speed", "1"));
    assert!(message.contains("did you mean btl"), "{message}");
    let files = [(USER, "\nnothing_like_it = 1\n")];
    let message = only_error(Registry::load(TABLES, &world(&files, &[])));
    assert!(
        message.contains("mca-params.conf:2") && !message.contains("mean"),
        "{message}"
    );
}

#[test]
fn everything_wrong_is_reported_at_once() {
    let wrong = from_environment(&[
        ("OXMPI_MCA_pml_depth", "deep"),
        ("OXMPI_MCA_pml_chekc", "1"),
        ("OXMPI_MCA_", "1"),
    ]);
    let errors = wrong.err().unwrap();
    assert_eq!(errors.0.len(), 3, "{errors}");
    assert_eq!(errors.to_string().lines().count(), 3);
}

#[test]
fn settings_for_open_mpi_do_not_stop_us() {
    let registry = from_environment(&[
        ("OMPI_MCA_plm_lsf_args", "-v"),
        ("OMPI_MCA_orte_keep_fqdn_hostnames", "true"),
        ("OMPI_MCA_btl_vader_eager_limit", "8k"),
        ("OMPI_MCA_btl_tcp_if_inclde", "eth0"),
    ])
    .unwrap();
    assert_eq!(registry.size("btl_sm_eager_limit"), 8192);
    assert_eq!(registry.notes().len(), 2, "{:?}", registry.notes());
    assert_eq!(registry.warnings().len(), 1, "{:?}", registry.warnings());
    assert!(registry.warnings()[0].contains("did you mean btl_tcp_if_include?"));

    let registry = from_command_line("btl_openib_allow_ib", "1").unwrap();
    assert_eq!(registry.notes().len(), 1);
    assert!(from_environment(&[("OXMPI_MCA_btl_openib_allow_ib", "1")]).is_err());
}

#[test]
fn what_only_open_mpi_does_is_reported_and_its_protections_are_refused() {
    let registry = from_environment(&[
        ("OMPI_MCA_mpi_preconnect_all", "1"),
        ("OMPI_MCA_pml_v_vprotocol", ""),
        ("OMPI_MCA_io", "ompio"),
    ])
    .unwrap();
    let reported = registry.report();
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].starts_with("mpi_preconnect_all \"1\" (from: "),
        "{reported:?}"
    );
    assert!(
        reported[1]
            .contains("io (from: environment variable OMPI_MCA_io), pml_v_vprotocol (from: "),
        "{reported:?}"
    );
    let refused = [
        from_environment(&[("OMPI_MCA_pml_v_vprotocol", "pessimist")]),
        from_command_line("pml_v_vprotocol", "pessimist"),
    ];
    for result in refused {
        let message = only_error(result);
        assert!(message.contains("by `vprotocol`"), "{message}");
    }
}

#[test]
fn components_that_are_passed_over_are_reported() {
    let known = ["self", "sm", "tcp"];
    let reported = |list| {
        let mut registry = from_environment(&[("OMPI_MCA_btl", list)]).unwrap();
        registry.warn_of_foreign_components(Framework::Btl, &known);
        registry.report()
    };
    let lines = reported("openib,vader,self");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("btl asks for openib (from: "),
        "{lines:?}"
    );
    assert!(reported("^openib,tcp").is_empty() && reported("vader,tcp").is_empty());
}

#[test]
fn component_lists_say_where_they_came_from_and_pass_over_open_mpis_own() {
    let known = ["self", "sm", "tcp"];
    let admitted = |registry: &Registry| -> Vec<&str> {
        let list = registry.components(Framework::Btl, &known).unwrap();
        known.into_iter().filter(|name| list.admits(name)).collect()
    };
    assert_eq!(admitted(&Registry::new(TABLES)), known);
    assert_eq!(
        admitted(&from_environment(&[("OMPI_MCA_btl", "openib,vader,self")]).unwrap()),
        ["self", "sm"]
    );
    assert_eq!(
        admitted(&from_environment(&[("OMPI_MCA_btl", "^openib,tcp")]).unwrap()),
        ["self", "sm"]
    );
    assert_eq!(
        admitted(&from_environment(&[("OMPI_MCA_btl", "uct")]).unwrap()),
        known
    );
    assert_eq!(
        admitted(&from_command_line("btl", "^openib").unwrap()),
        known
    );
    for (text, part) in [
        ("openib,self", "no component \"openib\""),
        ("tcp,^sm", "`^`"),
    ] {
        let error = from_command_line("btl", text)
            .unwrap()
            .components(Framework::Btl, &known)
            .unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains(part) && message.contains("command line"),
            "{message}"
        );
    }
    let typing_error = from_environment(&[("OMPI_MCA_btl", "tpc")]).unwrap();
    assert!(typing_error.components(Framework::Btl, &known).is_err());
}

#[test]
fn two_values_on_one_command_line_are_an_error_and_the_same_twice_is_not() {
    let twice = |second| {
        let settings = owned(&[("btl", "tcp,self"), ("btl", second)]);
        Registry::load(TABLES, &world(&[], &[]).with_command_line(settings))
    };
    assert!(twice("tcp,self").is_ok());
    let message = only_error(twice("sm,self"));
    assert!(
        message.contains("\"tcp,self\"") && message.contains("\"sm,self\""),
        "{message}"
    );
}

#[test]
fn tune_files_export_variables_and_the_left_one_wins() {
    let files = [
        ("/a", "--mca btl tcp,self -x A=1\npml_depth = 1\n"),
        ("/b", "pml_depth = 2\npml_note = b\n-x B\n"),
    ];
    let launcher = world(&files, &[]).with_tune("/a, /b");
    let registry = Registry::load(TABLES, &launcher).unwrap();
    assert_eq!(
        (registry.int("pml_depth"), registry.text("pml_note")),
        (1, "b")
    );
    let forwarded = launcher.forward().unwrap();
    assert!(
        forwarded.contains(&("A".to_string(), "1".to_string())),
        "{forwarded:?}"
    );
    assert_eq!(launcher.exported_names().unwrap(), ["B"]);
    let rank = Registry::load(TABLES, &world(&[], &[]).with_environment(forwarded)).unwrap();
    assert_eq!((rank.int("pml_depth"), rank.text("pml_note")), (1, "b"));
    assert_eq!(rank.list("btl"), ["tcp", "self"]);

    let message = only_error(Registry::load(TABLES, &world(&files, &[]).with_tune("/c")));
    assert!(message.contains("/c"), "{message}");
    let wrong = world(&[("/a", "what is this")], &[]).with_tune("/a");
    assert!(wrong.forward().unwrap_err().to_string().contains("/a:1"));
}

#[test]
fn a_launcher_within_a_rank_listens_to_its_own_command_line() {
    let sources = world(
        &[],
        &[("OXMPI_MCACMD_btl", "sm"), ("OXMPI_MCACMD_pml_depth", "7")],
    );
    let sources = sources.with_command_line(owned(&[("btl", "tcp")]));
    let registry = Registry::load(TABLES, &sources).unwrap();
    assert_eq!(
        (registry.list("btl"), registry.int("pml_depth")),
        (&["tcp".to_string()][..], 7)
    );
}

#[test]
fn files_that_cannot_be_read_are_reported_unless_they_are_not_for_us() {
    let failing = |kind: io::ErrorKind, failing_path: &'static str| {
        let read = move |path: &Path| {
            let at_fault = path.to_str() == Some(failing_path);
            Err(if at_fault {
                kind
            } else {
                io::ErrorKind::NotFound
            }
            .into())
        };
        let home = [("HOME".to_string(), "/someone".to_string())];
        Registry::load(TABLES, &Sources::new("/p", read).with_environment(home))
    };
    assert!(failing(io::ErrorKind::PermissionDenied, USER).is_ok());
    assert!(failing(io::ErrorKind::NotADirectory, SYSTEM).is_ok());
    assert!(only_error(failing(io::ErrorKind::PermissionDenied, OVERRIDE)).contains(OVERRIDE));
    assert!(only_error(failing(io::ErrorKind::IsADirectory, USER)).contains(USER));
    let binary = Sources::new("/p", |_: &Path| Ok(vec![0xff, 0xfe]));
    let errors = Registry::load(TABLES, &binary).err().unwrap();
    assert!(errors.to_string().contains("UTF-8"), "{errors}");
}

#[test]
#[should_panic(expected = "no table declares the parameter btl_nothing")]
fn asking_for_an_undeclared_name_is_an_error_of_the_program() {
    Registry::new(TABLES).bool("btl_nothing");
}

#[test]
#[should_panic(expected = "pml_depth is declared as int")]
fn asking_for_another_type_is_an_error_of_the_program() {
    Registry::new(TABLES).size("pml_depth");
}

#[test]
#[should_panic(expected = "parameter btl is declared twice")]
fn declaring_a_name_twice_is_an_error_of_the_program() {
    Registry::new(&[BTL, BTL]);
}

#[test]
fn a_family_covers_names_that_begin_alike() {
    let registry = from_environment(&[
        ("OMPI_MCA_btl_tcp_speed_eth0", "10"),
        ("OXMPI_MCA_btl_tcp_speed_eth0", "20"),
        ("OXMPI_MCA_btl_tcp_speed_Eth1:0", "30"),
    ])
    .unwrap();
    let members: Vec<_> = registry.members("btl_tcp_speed_<interface>").collect();
    let expected = [("Eth1:0", &Value::Int(30)), ("eth0", &Value::Int(20))];
    assert_eq!(members, expected);
    assert_eq!(registry.int("btl_tcp_speed_eth0"), 20);
    assert_eq!(registry.int("btl_tcp_speed_<interface>"), 0);
    assert!(registry.warnings().is_empty() && registry.notes().is_empty());
    let names: Vec<String> = registry
        .rows()
        .iter()
        .map(|row| row.name().into())
        .collect();
    assert!(names.is_sorted(), "{names:?}");

    let bad = from_environment(&[("OXMPI_MCA_btl_tcp_speed_eth0", "fast")])
        .err()
        .unwrap();
    let bad = bad.to_string();
    assert!(
        bad.contains("btl_tcp_speed_eth0") && bad.contains("from 0 to 1000"),
        "{bad}"
    );
    let nameless = from_environment(&[("OXMPI_MCA_btl_tcp_speed_", "1")])
        .err()
        .unwrap();
    assert!(
        nameless.to_string().contains("btl_tcp_speed_"),
        "{nameless}"
    );
    assert!(Registry::new(TABLES)
        .members("btl_tcp_speed_<interface>")
        .next()
        .is_none());
}

#[test]
fn what_open_mpi_s_launcher_sets_is_no_wish_of_the_user() {
    let set = [
        ("OMPI_MCA_initial_wdir", "/w"),
        ("OMPI_MCA_PREFIXES", "mca,opal"),
        ("OMPI_MCA_num_procs", "2"),
        ("OMPI_MCA_cpu_type", "x86_64"),
        ("OMPI_MCA_ess_base_jobid", "7"),
        ("OMPI_MCA_orte_hnp_uri", "7.0;tcp://h:1"),
    ];
    let registry = Registry::load(TABLES, &world(&[], &set)).unwrap();
    assert_eq!(registry.report(), [""; 0]);
    // What the user asks for is seen beside it, and where another launcher is at work.
    let strange = [("OMPI_MCA_no_such_thing", "1")];
    let mixed = [&set[..], &strange[..]].concat();
    let registry = Registry::load(TABLES, &world(&[], &mixed)).unwrap();
    assert_eq!(registry.report().len(), 1, "{:?}", registry.report());
    let registry = Registry::load(TABLES, &world(&[], &set[1..])).unwrap();
    assert!(registry.report().len() > 1, "{:?}", registry.report());
}
