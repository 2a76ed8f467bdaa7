//! Tests of the generated files against the tables, and of the header with compilers.

use std::path::Path;
use std::process::Command;

use super::forms::{self, Form};
use super::spec::Spec;
use super::{decode, entries, header, note, rust, scan};
use crate::fsio;

fn spec() -> Spec {
    Spec::read(&fsio::root().join("spec")).unwrap()
}

/// Declarations with everything that differs between functions.
const USES: &str = "
#include <mpi.h>
#if MPI_VERSION != 5 || MPI_SUBVERSION != 0 || MPI_ABI_VERSION != 1
#error the version is not for the preprocessor
#endif
int classify(int code);
int classify(int code)
{
    switch (code) {
    case MPI_ERR_COMM: return 1;
    case MPI_PROC_NULL: return 2;
    default: return MPI_COMM_WORLD == MPI_COMM_NULL;
    }
}
int status_is_eight_ints[sizeof(MPI_Status) == 8 * sizeof(int) ? 1 : -1];
int count_is_wide[sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8 ? 1 : -1];
int any[MPI_ANY_SOURCE == -1 && MPI_ANY_TAG == -2 && MPI_UNDEFINED == -32766 ? 1 : -1];
void *in_place(void);
void *in_place(void) { return MPI_IN_PLACE; }
int *unweighted(void);
int *unweighted(void) { return MPI_UNWEIGHTED; }
char ***argvs(void);
char ***argvs(void) { return MPI_ARGVS_NULL; }
MPI_Comm_copy_attr_function *dup_fn(void);
MPI_Comm_copy_attr_function *dup_fn(void) { return MPI_COMM_DUP_FN; }
MPI_Fint fortran(MPI_Datatype type);
MPI_Fint fortran(MPI_Datatype type) { return MPI_Type_c2f(PMPI_Type_f2c(MPI_Type_c2f(type))); }
int send(void);
int send(void) { return PMPI_Send_c(MPI_BOTTOM, 0, MPI_LONG_LONG_INT, 0, 0, MPI_COMM_SELF); }
";

#[test]
fn the_header_is_clean_in_old_and_new_c_and_cxx() {
    let folder = fsio::target_dir().join("header-test");
    let dialects = [
        ("gcc", "c", &["c89", "c99", "c11", "gnu17"][..]),
        ("g++", "cc", &["c++98", "c++11", "c++17"][..]),
    ];
    for (compiler, ext, standards) in dialects {
        let source = folder.join(format!("uses.{ext}"));
        fsio::write(&source, USES).unwrap();
        for standard in standards {
            assert_eq!(
                complaints(compiler, standard, &source),
                "",
                "{compiler} {standard}"
            );
        }
    }
}

fn complaints(compiler: &str, standard: &str, source: &Path) -> String {
    let run = Command::new(compiler)
        .arg(format!("-std={standard}"))
        .args([
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-fsyntax-only",
            "-I",
        ])
        .arg(fsio::root().join("include"))
        .arg(source)
        .output()
        .unwrap();
    String::from_utf8_lossy(&run.stderr).into_owned()
}

/// Every parameter that may be one of MPI's constants in the place of memory. The address is read
/// by nobody, but a compiler that takes an array for a promise of elements warns of it.
const SPECIAL: &str = "
#include <mpi.h>
int special(MPI_Comm *made, int *rank, MPI_Status *statuses, MPI_Request *requests);
int special(MPI_Comm *made, int *rank, MPI_Status *statuses, MPI_Request *requests)
{
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Info none = MPI_INFO_NULL;
    char *commands[1] = {0};
    int one = 1;
    MPI_Dist_graph_create_adjacent(w, 1, rank, MPI_UNWEIGHTED, 1, rank, MPI_UNWEIGHTED, none, 0,
                                   made);
    MPI_Dist_graph_create_adjacent(w, 0, rank, MPI_WEIGHTS_EMPTY, 0, rank, MPI_WEIGHTS_EMPTY, none,
                                   0, made);
    MPI_Dist_graph_create(w, 1, rank, &one, rank, MPI_UNWEIGHTED, none, 0, made);
    MPI_Dist_graph_neighbors(*made, 1, rank, MPI_UNWEIGHTED, 1, rank, MPI_UNWEIGHTED);
    MPI_Comm_spawn(commands[0], MPI_ARGV_NULL, 1, none, 0, w, made, MPI_ERRCODES_IGNORE);
    MPI_Comm_spawn_multiple(1, commands, MPI_ARGVS_NULL, &one, &none, 0, w, made,
                            MPI_ERRCODES_IGNORE);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    MPI_Waitall(1, requests, statuses);
    MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, rank, 1, MPI_INT, 0, w);
    MPI_Alltoallv(MPI_IN_PLACE, 0, 0, MPI_INT, rank, rank, rank, MPI_INT, w);
    MPI_Alltoallw(MPI_IN_PLACE, 0, 0, 0, rank, rank, rank, (MPI_Datatype *)commands, w);
    MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
    return MPI_Bcast(MPI_BOTTOM, 1, MPI_DATATYPE_NULL, 0, w);
}
";

#[test]
fn no_compiler_warns_of_the_constants_in_the_place_of_memory() {
    let folder = fsio::target_dir().join("header-test");
    for (compiler, ext) in [("gcc", "c"), ("g++", "cc")] {
        let source = folder.join(format!("special.{ext}"));
        fsio::write(&source, SPECIAL).unwrap();
        for level in ["-O0", "-O1", "-O2", "-O3", "-Os"] {
            let run = Command::new(compiler)
                .args([
                    level,
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-c",
                    "-o",
                    "/dev/null",
                    "-I",
                ])
                .arg(fsio::root().join("include"))
                .arg(&source)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&run.stderr);
            assert_eq!(said, "", "{compiler} {level}");
        }
    }
}

#[test]
fn every_function_is_declared_under_both_names() {
    let spec = spec();
    let (header, symbols) = (header::header(&spec).unwrap(), header::all_symbols(&spec));
    assert_eq!(spec.functions.len(), 662);
    for function in &spec.functions {
        for name in [function.name.clone(), format!("P{}", function.name)] {
            let declared =
                |line: &str| !line.starts_with('#') && line.contains(&format!(" {name}("));
            assert_eq!(
                header.lines().filter(|line| declared(line)).count(),
                1,
                "{name}"
            );
            assert_eq!(
                symbols.matches(&format!("(function){name} ")).count(),
                1,
                "{name}"
            );
        }
    }
    assert!(header.lines().all(|line| line.len() <= 100));
}

#[test]
fn a_call_that_fails_leaves_null_handles_where_it_would_have_made_some() {
    let spec = spec();
    let of = |name: &str| {
        let function = spec.functions.iter().find(|f| f.name == name).unwrap();
        entries::nulls(function)
    };
    let request = "args::nullify(request, MPI_REQUEST_NULL);";
    let comm = "args::nullify(newcomm, MPI_COMM_NULL);";
    for (name, nulls) in [
        ("MPI_Isend_c", request.to_string()),
        ("MPI_Comm_idup", format!("{comm} {request}")),
        ("MPI_Imrecv", request.to_string()),
        (
            "MPI_Type_dup",
            "args::nullify(newtype, MPI_DATATYPE_NULL);".to_string(),
        ),
        ("MPI_Wait", String::new()),
        ("MPI_Mrecv_c", String::new()),
        ("MPI_Type_commit", String::new()),
        ("MPI_Comm_free", String::new()),
        ("MPI_T_cvar_get_info", String::new()),
        ("MPI_Type_get_contents", String::new()),
    ] {
        assert_eq!(of(name), nulls, "{name}");
    }
}

#[test]
fn both_widths_of_a_count_reach_one_call() {
    let spec = spec();
    let mut calls = scan::calls(&fsio::root().join("crates/abi/src/calls")).unwrap();
    let text = entries::entries(&spec, &calls).unwrap();
    for row in [
        "move || decode::send(buf, i64::from(count), datatype, dest, tag, comm))",
        "move || decode::ssend(buf, count, datatype, dest, tag, comm))",
        "wall::call(&\"MPI_Type_size\", On::Nothing, move || decode::type_size(",
        "type_size(datatype, IntPtr::narrow(size)))",
        "type_size(datatype, IntPtr::wide(size)))",
        "decode::alltoallv(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtype,",
        "decode::ialltoallv(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtype,",
        "op, \"op\").and_then(|()| decode::op_create(user_fn, commute, op)).inspect_err(",
        "|| args::require(op, \"op\").and_then(|()| decode::op_create_c(user_fn, commute, op))",
        "::win_fence(assert, win))",
        "wall::tool(\"MPI_T_finalize\", || calls::",
        "wall::value(\"MPI_Comm_toint\", || calls::",
        "entry!(MPI_Pcontrol PMPI_Pcontrol(level: i32) -> i32 {",
    ] {
        assert!(text.contains(row), "{row}");
    }
    calls.remove("win_fence");
    let why = entries::entries(&spec, &calls).unwrap_err();
    assert!(why.starts_with("MPI_Win_fence: no file"), "{why}");
}

/// Checks that hooks learn each side of a call: what it sends, what it receives, and its requests.
#[test]
fn a_note_has_both_sides_of_a_call() {
    let spec = spec();
    let of = |name: &str| {
        let function = spec.functions.iter().find(|function| function.name == name);
        note::note(function.expect("a row of the table"))
    };
    let side = |peer: &str, tag: &str, elements: [&str; 3]| {
        let [count, datatype, buffer] = elements;
        format!(
            "hooks::Side {{ peer: {peer}, tag{tag}, count: {count} as i64, \
             datatype: {datatype}, buffer: {buffer} as usize, ..hooks::Side::NONE }}"
        )
    };
    let exchange = of("MPI_Sendrecv").expect("a note");
    let sent = side("dest", ": sendtag", ["sendcount", "sendtype", "sendbuf"]);
    let received = side("source", ": recvtag", ["recvcount", "recvtype", "recvbuf"]);
    assert!(exchange.contains(&format!("role: hooks::Role::Exchanges, sent: {sent}")));
    assert!(exchange.contains(&format!("received: {received}, statuses: status")));
    let send = of("MPI_Isend").expect("a note");
    assert!(send.contains("sent: hooks::Side { peer: dest, tag, count: count as i64, datatype"));
    assert!(send.contains("requests: hooks::Requests::one(request)"));
    assert!(!send.contains("received"));
    let receive = of("MPI_Recv").expect("a note");
    assert!(receive.contains("received: hooks::Side { peer: source, tag, count"));
    assert!(!receive.contains("sent"));
    let blocks = of("MPI_Neighbor_alltoallw_c").expect("a note");
    assert!(
        blocks.contains("neighbours: true, sent: hooks::Side { counts: IntPtr::wide(sendcounts)")
    );
    assert!(blocks.contains("counts: IntPtr::wide(recvcounts), types: recvtypes, buffer"));
    let blocks = of("MPI_Gatherv").expect("a note");
    assert!(
        blocks.contains("received: hooks::Side { peer: root, counts: IntPtr::narrow(recvcounts)")
    );
    let all = of("MPI_Waitall").expect("a note");
    assert!(
        !all.contains("Side"),
        "the count is that of requests: {all}"
    );
    assert!(all.contains("several(array_of_requests, count as i64)"));
    assert_eq!(of("MPI_Comm_rank"), None);
}

#[test]
fn arguments_are_decoded_once_for_both_widths() {
    let spec = spec();
    let mut calls = scan::Calls::new();
    for name in ["send", "alltoall", "op_create", "op_create_c", "win_fence"] {
        calls.insert(name.to_string(), "some".to_string());
    }
    let text = decode::decode(&spec, &calls).unwrap();
    for row in [
        "decode!(ssend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, \
         comm: Comm) {\n    calls::some::send(SendMode::Synchronous, \
         Elements::new(buf, count, datatype), dest, tag, comm)\n});",
        "decode!(alltoallv(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr,",
        "calls::coll::run(comm, |comm| calls::some::alltoall(comm, Listed::new(sendbuf, \
         OpenCounts::new(sendcounts, \"sendcounts\"), OpenCounts::new(sdispls, \"sdispls\"), \
         sendtype), Listed::new(recvbuf,",
        "calls::coll::start(comm, Out::new(request, \"request\"), |comm| calls::some::alltoall(",
        "calls::coll::keep(comm, info, Out::new(request, \"request\"), |comm| ",
        "decode!(op_create(user_fn: UserFunction, commute: i32, op: *mut Op) {",
        "decode!(op_create_c(user_fn: UserFunctionC, commute: i32, op: *mut Op) {",
    ] {
        assert!(text.contains(row), "{row}");
    }
    // What shares a row with its small form, nobody wrote, or needs no decoding has none.
    for name in ["send_c", "recv", "win_fence"] {
        assert!(!text.contains(&format!("decode!({name}(")), "{name}");
    }
}

#[test]
fn types_of_c_have_types_of_rust() {
    for (c, expected) in [
        ("const void*", "*const c_void"),
        ("const int[]", "*const i32"),
        ("int[][3]", "*mut [i32; 3]"),
        ("char**[]", "*mut *mut *mut std::ffi::c_char"),
        ("char*[]", "*mut *mut std::ffi::c_char"),
        ("const MPI_Status*", "*const Status"),
        ("MPI_T_pvar_session*", "*mut TPvarSession"),
        ("MPI_User_function_c*", "UserFunctionC"),
        ("MPI_Aint", "i64"),
    ] {
        assert_eq!(rust::ty(c).as_deref(), Ok(expected));
    }
    assert!(rust::ty("float").is_err());
    assert_eq!(rust::snake("MPI_T_cvar_get_info"), "t_cvar_get_info");
    assert_eq!(rust::ident("type"), "type_");
}

#[test]
fn a_form_is_made_of_the_act_that_it_is_a_form_of() {
    let spec = spec();
    let of = |name: &str| {
        let function = spec.functions.iter().find(|f| f.name == name).unwrap();
        forms::of(function)
    };
    for (name, call, form) in [
        ("MPI_Barrier", "barrier", Form::Collective("run")),
        ("MPI_Iscan_c", "scan_c", Form::Collective("start")),
        ("MPI_Scan_init", "scan", Form::Collective("keep")),
        ("MPI_Allgatherv_c", "allgather_c", Form::Collective("run")),
        ("MPI_Gatherv", "gatherv", Form::Collective("run")),
        (
            "MPI_Ineighbor_alltoallw",
            "neighbor_alltoall",
            Form::Collective("start"),
        ),
        ("MPI_Reduce_local", "reduce_local", Form::Plain),
        ("MPI_Rsend", "send", Form::Send("Ready")),
        ("MPI_Ibsend_c", "isend_c", Form::Send("Buffered")),
        ("MPI_Ssend_init", "send_init", Form::Send("Synchronous")),
        ("MPI_Isendrecv", "isendrecv", Form::Plain),
        ("MPI_Psend_init", "psend_init", Form::Plain),
        ("MPI_Comm_idup", "comm_idup", Form::Plain),
    ] {
        assert_eq!(of(name), (call.to_string(), form), "{name}");
    }
}

/// The typed values that a function's call gets.
fn values(name: &str) -> String {
    let spec = spec();
    let function = spec.functions.iter().find(|f| f.name == name).unwrap();
    let poly = vec![false; function.params.len()];
    let arguments = decode::arguments(function, &poly);
    let values: Vec<String> = arguments.into_iter().map(|a| a.value).collect();
    values.join(", ")
}

#[test]
fn strings_are_lists_by_how_they_end() {
    for (name, expected) in [
        (
            "MPI_Comm_spawn",
            "Text::new(command, \"command\"), Strings::new(argv, \"argv\"), maxprocs, info, root, \
             comm, Out::new(intercomm, \"intercomm\"), \
             OutList::new(array_of_errcodes, i64::from(maxprocs), \"array_of_errcodes\")",
        ),
        (
            "MPI_Comm_spawn_multiple",
            "count, TextList::new(array_of_commands, i64::from(count), \"array_of_commands\"), \
             StringsList::new(array_of_argv, i64::from(count), \"array_of_argv\"), \
             List::new(array_of_maxprocs, i64::from(count), \"array_of_maxprocs\"), \
             List::new(array_of_info, i64::from(count), \"array_of_info\"), root, comm, \
             Out::new(intercomm, \"intercomm\"), \
             OpenOutList::new(array_of_errcodes, \"array_of_errcodes\")",
        ),
    ] {
        assert_eq!(values(name), expected, "{name}");
    }
}

#[test]
fn a_typed_value_is_made_of_direction_kind_and_length() {
    for (name, expected) in [
        (
            "MPI_Reduce",
            "Elements::new(sendbuf, i64::from(count), datatype), \
             Elements::new(recvbuf, i64::from(count), datatype), op, root, comm",
        ),
        (
            "MPI_Psend_init",
            "Elements::new(buf, count, datatype), partitions, dest, tag, comm, info, \
             Out::new(request, \"request\")",
        ),
        (
            "MPI_Compare_and_swap",
            "Elements::new(origin_addr, 1, datatype), Elements::new(compare_addr, 1, datatype), \
             Elements::new(result_addr, 1, datatype), target_rank, target_disp, win",
        ),
        ("MPI_Buffer_attach_c", "Bytes::new(buffer, size)"),
        (
            "MPI_Testsome",
            "incount, InOutList::new(array_of_requests, i64::from(incount), \
             \"array_of_requests\"), Out::new(outcount, \"outcount\"), \
             OutList::new(array_of_indices, i64::from(incount), \"array_of_indices\"), \
             OutStatuses::new(array_of_statuses, i64::from(incount))",
        ),
        (
            "MPI_Info_get",
            "info, Text::new(key, \"key\"), valuelen, \
             OutText::new(value, i64::from(valuelen) + 1, \"value\"), Out::new(flag, \"flag\")",
        ),
        (
            "MPI_Info_get_string",
            "info, Text::new(key, \"key\"), InOut::new(buflen, \"buflen\"), \
             OutText::new(value, args::room(buflen), \"value\"), Out::new(flag, \"flag\")",
        ),
        (
            "MPI_Comm_get_name",
            "comm, OutText::new(comm_name, i64::from(MPI_MAX_OBJECT_NAME), \"comm_name\"), \
             Out::new(resultlen, \"resultlen\")",
        ),
        (
            "MPI_Cart_sub",
            "comm, OpenList::new(remain_dims, \"remain_dims\"), Out::new(newcomm, \"newcomm\")",
        ),
        (
            "MPI_Status_get_tag",
            "In::new(status, \"status\"), Out::new(tag, \"tag\")",
        ),
        (
            "MPI_Alloc_mem",
            "size, info, Out::new(baseptr.cast::<usize>(), \"baseptr\")",
        ),
        (
            "MPI_Reduce_scatter",
            "sendbuf, recvbuf, OpenList::new(recvcounts, \"recvcounts\"), datatype, op, comm",
        ),
        ("MPI_Pcontrol", "level"),
    ] {
        assert_eq!(values(name), expected, "{name}");
    }
}

#[test]
fn a_misspelled_call_is_an_error() {
    let misspelled = scan::Calls::from([("comm_rnak".to_string(), "comm".to_string())]);
    let text = scan::check_names(&spec(), &misspelled).unwrap_err();
    assert!(text.contains("calls::comm::comm_rnak"), "{text}");
}
