use mca::{Framework, Sources};

use super::*;

const TABLE: &[Param] = &[
    Param::list("btl", "", 1, "transports to use"),
    Param::text(
        "btl_tcp_if_include",
        "",
        1,
        "interfaces, or networks as a.b.c.d/n",
    ),
    Param::choice(
        "btl_tcp_family",
        "any",
        &["any", "ipv4"],
        2,
        "address family",
    ),
    Param::size(
        "btl_sm_eager_limit",
        4096,
        0..=65536,
        4,
        "largest eager message, in bytes",
    ),
];

const COMPONENTS: &[Component] = &[
    Component {
        framework: Framework::Btl,
        name: "sm",
        description: "shared memory",
    },
    Component {
        framework: Framework::Btl,
        name: "tcp",
        description: "sockets",
    },
    Component {
        framework: Framework::Pml,
        name: "ob1",
        description: "matching over transports",
    },
];

fn ask(arguments: &str) -> Result<Request, clap::Error> {
    parse(
        format!("oxmpi_info {arguments}")
            .split_whitespace()
            .map(str::to_string),
    )
}

fn answer(arguments: &str) -> Result<String, Unknown> {
    let request = ask(arguments).unwrap();
    let absent = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    let sources = Sources::new("/p", absent).with_command_line(request.settings.clone());
    let registry = Registry::load(&[TABLE], &sources).unwrap();
    let general = [("path:prefix", "prefix", "/p".to_string())];
    let functions = ["MPI_Send", "MPI_Win_fence"];
    let facts = Facts {
        version: "1.2.3",
        general: &general,
        components: COMPONENTS,
        registry: &registry,
        functions: &functions,
    };
    report(&request, &facts)
}

fn lines(arguments: &str) -> Vec<String> {
    answer(arguments)
        .unwrap()
        .lines()
        .map(str::to_string)
        .collect()
}

#[test]
fn the_summary_has_the_installation_and_its_components() {
    let expected = [
        "               oxmpi: 1.2.3",
        "              prefix: /p",
        "             MCA btl: sm (shared memory)",
        "             MCA btl: tcp (sockets)",
        "             MCA pml: ob1 (matching over transports)",
    ];
    assert_eq!(lines(""), expected);
    let parsable = lines("--parsable");
    assert_eq!(parsable[0], "oxmpi:version:full:1.2.3");
    assert_eq!(parsable[3], "mca:btl:tcp:description:sockets");
}

#[test]
fn parameters_are_shown_by_component_and_level() {
    let shown = |arguments: &str| -> Vec<String> {
        let values = lines(arguments)
            .into_iter()
            .filter(|line| line.contains(":value:"));
        let names = values.filter(|line| !line.contains("enumerator"));
        names
            .map(|line| line.split(':').nth(4).unwrap().to_string())
            .collect()
    };
    assert_eq!(shown("--parsable --param btl tcp"), ["btl_tcp_if_include"]);
    let two = shown("--parseable --param btl tcp --level 2");
    assert_eq!(two, ["btl_tcp_family", "btl_tcp_if_include"]);
    assert_eq!(shown("--parsable --param btl base"), ["btl"]);
    assert_eq!(
        shown("--parsable --param btl"),
        ["btl", "btl_tcp_if_include"]
    );
    let both = shown("--parsable --level 9 --param btl sm --param pml");
    assert_eq!(both, ["btl_sm_eager_limit", "pml_base_verbose"]);
    let hint = "3 more above level 1; --level 9 shows all";
    assert_eq!(lines("--param btl").last().unwrap(), hint);
    assert!(shown("--parsable --all").contains(&"pml_base_verbose".to_string()));
    assert_eq!(
        shown("--parsable --all --level 1"),
        ["btl", "btl_tcp_if_include"]
    );
}

#[test]
fn a_parameter_shows_its_value_source_and_what_is_allowed() {
    let set = "--mca btl_tcp_family ipv4 --param all tcp --level 3";
    let expected = [
        "             MCA btl: btl_tcp_family = \"ipv4\", from: command line, \
         level 2 user/detail, choice",
        "                          address family",
        "                          allowed: one of any, ipv4",
        "             MCA btl: btl_tcp_if_include = \"\", from: default, \
         level 1 user/basic, string",
        "                          interfaces, or networks as a.b.c.d/n",
    ];
    assert_eq!(lines(set), expected);
    let parsable = lines("--parsable --param btl tcp --level 2 --mca btl_tcp_if_include fe80::1");
    for line in [
        "mca:btl:tcp:param:btl_tcp_family:source:default",
        "mca:btl:tcp:param:btl_tcp_family:enumerator:value:1:ipv4",
        "mca:btl:tcp:param:btl_tcp_if_include:value:\"fe80::1\"",
        "mca:btl:tcp:param:btl_tcp_if_include:type:string",
        "mca:btl:tcp:param:btl_tcp_if_include:level:1",
    ] {
        assert!(
            parsable.contains(&line.to_string()),
            "{parsable:?} lacks {line}"
        );
    }
}

#[test]
fn functions_are_counted_and_named() {
    let expected = [
        "api:functions:2",
        "api:function:MPI_Send",
        "api:function:MPI_Win_fence",
    ];
    assert_eq!(lines("--api --parsable"), expected);
    assert_eq!(lines("--api")[0], "       MPI functions: 2");
    assert_eq!(lines("--version"), ["               oxmpi: 1.2.3"]);
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    let message = answer("--param blt").unwrap_err().to_string();
    assert!(
        message.contains("framework \"blt\"; did you mean btl? "),
        "{message}"
    );
    let message = answer("--param btl openib").unwrap_err().to_string();
    assert!(
        message.contains("component \"openib\"; there are: all, base, sm, tcp"),
        "{message}"
    );
}

#[test]
fn bad_arguments_are_refused() {
    for arguments in [
        "--level 0",
        "--level ten",
        "--param",
        "--mca btl",
        "--what",
        "word",
    ] {
        let error = ask(arguments).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{arguments}: {error}");
    }
}
