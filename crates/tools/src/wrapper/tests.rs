//! Tests of the replies to the queries of build systems, against golden lines.
//!
//! The lines are a contract with CMake's FindMPI, Boost.Build, OpenFOAM, PETSc and rsmpi; a change
//! here breaks builds elsewhere.

use std::ffi::OsString;
use std::path::Path;

use super::conf::INSTALLED;
use super::modules::{name_of, own_flags};
use super::{decide, Act, Conf, Setup};

const COMPILE: &str = "-I/opt/ox/include";
const LINK: &str = "-L/opt/ox/lib -Wl,-rpath,/opt/ox/lib -Wl,--enable-new-dtags -lmpi_abi";

struct World {
    env: Vec<(&'static str, &'static str)>,
    programs: Vec<&'static str>,
    conf: Conf,
    prefix: &'static str,
}

impl World {
    fn plain() -> World {
        World {
            env: vec![],
            programs: vec!["gcc", "g++", "cc", "c++", "gfortran"],
            conf: Conf::default(),
            prefix: "/opt/ox",
        }
    }

    fn decide(&self, line: &str) -> Result<Act, String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap();
        let args: Vec<OsString> = words.map(OsString::from).collect();
        let setup = Setup {
            name,
            prefix: Path::new(self.prefix),
            conf: &self.conf,
            env: &|name| {
                self.env
                    .iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, v)| v.to_string())
            },
            fortran: &|compiler| match compiler[0].as_str() {
                "gfortran" => Ok(vec![
                    "-I/opt/ox/mods".into(),
                    "-fallow-argument-mismatch".into(),
                ]),
                _ => Ok(vec!["-I/opt/ox/mods".into()]),
            },
            is_program: &|name| self.programs.contains(&name),
        };
        decide(&setup, &args)
    }

    fn printed(&self, line: &str) -> String {
        match self.decide(line) {
            Ok(Act::Print(text)) => text,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn run(&self, line: &str) -> String {
        match self.decide(line) {
            Ok(Act::Run { command, .. }) => {
                let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
                words.join(" ")
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn questions_of_open_mpi() {
    let world = World::plain();
    for (question, answer) in [
        ("-showme:compile", COMPILE.to_string()),
        ("--showme:compile", COMPILE.to_string()),
        ("-showme:link", LINK.to_string()),
        ("--showme:link", LINK.to_string()),
        ("-showme:command", "gcc".to_string()),
        ("-showme:incdirs", "/opt/ox/include".to_string()),
        ("-showme:libdirs", "/opt/ox/lib".to_string()),
        ("-showme:libs", "mpi_abi".to_string()),
        ("-showme", format!("gcc {COMPILE} {LINK}")),
        ("--showme", format!("gcc {COMPILE} {LINK}")),
        ("-showme -c a.c", format!("gcc {COMPILE} -c a.c")),
        ("-showme a.c -o a", format!("gcc {COMPILE} a.c -o a {LINK}")),
    ] {
        assert_eq!(
            world.printed(&format!("mpicc {question}")),
            answer,
            "{question}"
        );
    }
    let version = format!("oxmpi {}", env!("CARGO_PKG_VERSION"));
    let c = world.printed("mpicc -showme:version");
    assert_eq!(c, format!("mpicc: {version} (Language: C)"));
    let cxx = world.printed("mpic++ --showme:version");
    assert_eq!(cxx, format!("mpic++: {version} (Language: C++)"));
    assert!(world.printed("mpicc -showme:help").contains("-showme:link"));
}

#[test]
fn questions_of_mpich() {
    let world = World::plain();
    for (question, answer) in [
        ("-show", format!("gcc {COMPILE} {LINK}")),
        ("-show -cc=", format!("{COMPILE} {LINK}")),
        ("-show -cc=clang", format!("clang {COMPILE} {LINK}")),
        ("-show -c a.c", format!("gcc {COMPILE} -c a.c")),
        ("-compile-info", format!("gcc {COMPILE}")),
        ("-compile_info", format!("gcc {COMPILE}")),
        ("-link-info", format!("gcc {LINK}")),
        ("-link_info", format!("gcc {LINK}")),
    ] {
        assert_eq!(
            world.printed(&format!("mpicc {question}")),
            answer,
            "{question}"
        );
    }
}

/// FindMPI takes a wrapper whose output holds one of these for one that failed.
#[test]
fn no_answer_looks_like_a_failure() {
    let world = World::plain();
    let failures = [
        "undefined reference",
        "unrecognized",
        "need to set",
        "command not found",
    ];
    for question in [
        "-showme:compile",
        "-showme:link",
        "-compile-info",
        "-link-info",
        "-show",
    ] {
        let answer = world.printed(&format!("mpicc {question}"));
        assert!(
            failures.iter().all(|failure| !answer.contains(failure)),
            "{answer}"
        );
    }
}

/// OpenFOAM takes what follows the last `-L` of the link line, and drops its last component.
#[test]
fn the_prefix_is_found_behind_the_last_library_folder() {
    let line = World::plain().printed("mpicc --showme:link");
    let (_, tail) = line.rsplit_once("-L").unwrap();
    let folder = tail.split(' ').next().unwrap();
    assert_eq!(Path::new(folder).parent().unwrap(), Path::new("/opt/ox"));
}

#[test]
fn every_name_has_its_language() {
    let world = World::plain();
    for name in ["mpicxx", "mpic++", "mpiCC", "mpicxx_abi", "mpic++_abi"] {
        assert_eq!(
            world.printed(&format!("{name} -showme:command")),
            "g++",
            "{name}"
        );
    }
    for name in ["mpicc", "mpicc_abi"] {
        assert_eq!(
            world.printed(&format!("{name} -showme:command")),
            "gcc",
            "{name}"
        );
    }
}

#[test]
fn the_library_is_linked_only_where_something_is_linked() {
    let world = World::plain();
    for (args, links) in [
        ("a.c", true),
        ("a.o b.o -o a", true),
        ("-shared -o liba.so a.o", true),
        ("-x c -", true),
        ("@objects", true),
        ("-c a.c", false),
        ("-c a.c -o a.o", false),
        ("-E a.c", false),
        ("-S a.c", false),
        ("-M a.c", false),
        ("-MD -MF a.d -c a.c", false),
        ("-fsyntax-only a.c", false),
        ("-r a.o b.o -o c.o", false),
        ("-v", false),
        ("--version", false),
        ("-dumpmachine", false),
        ("-print-prog-name=ld", false),
        ("-o a", false),
        ("-I include -L lib", false),
    ] {
        let tail = if links {
            format!(" {LINK}")
        } else {
            String::new()
        };
        let expected = format!("gcc {COMPILE} {args}{tail}");
        assert_eq!(world.run(&format!("mpicc {args}")), expected);
    }
}

#[test]
fn the_environment_names_the_compiler() {
    for (name, env, compiler) in [
        ("mpicc", vec![("MPICH_CC", "clang")], "clang"),
        ("mpicc", vec![("I_MPI_CC", "icx")], "icx"),
        ("mpicc", vec![("OMPI_CC", "ccache gcc-12")], "ccache gcc-12"),
        (
            "mpicc",
            vec![("MPICH_CC", "clang"), ("OXMPI_CC", "tcc")],
            "tcc",
        ),
        ("mpicc", vec![("MPICH_CXX", "clang++")], "gcc"),
        ("mpicxx", vec![("MPICH_CXX", "clang++")], "clang++"),
        ("mpicxx", vec![("OMPI_CXX", "g++-12")], "g++-12"),
        ("mpicxx", vec![("I_MPI_CXX", "icpx")], "icpx"),
    ] {
        let world = World {
            env,
            ..World::plain()
        };
        assert_eq!(world.printed(&format!("{name} -showme:command")), compiler);
    }
    let world = World {
        env: vec![("OXMPI_CC", "tcc")],
        ..World::plain()
    };
    assert_eq!(
        world.run("mpicc -cc=clang -c a.c"),
        format!("clang {COMPILE} -c a.c")
    );
}

#[test]
fn the_text_file_names_the_compiler_and_flags() {
    let text = "# ours\ncc = mycc -m64\n compile_flags = -DX -DY\nlink_flags=-lm\n";
    let conf = Conf::parse(text).unwrap();
    assert_eq!((conf.cc.as_str(), conf.cxx.as_str()), ("mycc -m64", "g++"));
    let world = World {
        conf: conf.clone(),
        programs: vec!["mycc"],
        ..World::plain()
    };
    let expected = format!("mycc -m64 {COMPILE} -DX -DY a.c {LINK} -lm");
    assert_eq!(world.run("mpicc a.c"), expected);
    assert_eq!(Conf::parse(INSTALLED), Ok(Conf::default()));
    assert_eq!(
        (Conf::default().cc.as_str(), Conf::default().cxx.as_str()),
        ("gcc", "g++")
    );
    let wrong = Conf::parse("\nc = gcc\n").unwrap_err();
    assert!(
        wrong.starts_with("line 2: ") && wrong.contains("c = gcc"),
        "{wrong}"
    );
    assert!(Conf::parse("gcc").is_err());
}

#[test]
fn a_compiler_that_is_not_there_gives_way_to_cc() {
    let world = World {
        programs: vec!["cc", "c++"],
        ..World::plain()
    };
    assert_eq!(world.printed("mpicc -showme:command"), "cc");
    assert_eq!(world.printed("mpicxx -showme:command"), "c++");
    let bare = World {
        programs: vec![],
        ..World::plain()
    };
    let text = bare.decide("mpicc a.c").unwrap_err();
    assert!(text.contains("`gcc`") && text.contains("`cc`"), "{text}");
}

#[test]
fn a_prefix_with_spaces_is_quoted_behind_the_flag() {
    let world = World {
        prefix: "/my files",
        ..World::plain()
    };
    assert_eq!(
        world.printed("mpicc -showme:compile"),
        "-I\"/my files/include\""
    );
    assert_eq!(
        world.printed("mpicc -showme:incdirs"),
        "\"/my files/include\""
    );
    assert!(world
        .printed("mpicc -showme:link")
        .starts_with("-L\"/my files/lib\" "));
    assert_eq!(world.run("mpicc -c a.c"), "gcc -I/my files/include -c a.c");
}

#[test]
fn unknown_or_missing_things_are_errors() {
    let world = World::plain();
    let unknown = world.decide("mpicc -showme:everything").unwrap_err();
    assert!(unknown.contains("-showme:everything") && unknown.contains("-showme:link"));
    assert!(world
        .decide("mpicc -static-mpi a.c")
        .unwrap_err()
        .contains("-static-mpi"));
    assert!(world.decide("mpicc -cc= a.c").unwrap_err().contains("-cc="));
    match world.decide("mpicc -echo -c a.c") {
        Ok(Act::Run { echo, command }) => assert!(echo && !command.contains(&"-echo".into())),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fortran_has_its_library_and_the_modules_of_its_compiler() {
    let mut world = World::plain();
    let compile = "-I/opt/ox/include -I/opt/ox/mods -fallow-argument-mismatch";
    let link = LINK.replace("-lmpi_abi", "-lmpifort_abi -lmpi_abi");
    for name in [
        "mpifort",
        "mpif90",
        "mpif77",
        "mpif95",
        "mpifc",
        "mpifort_abi",
    ] {
        let line = format!("{name} -c a.f90");
        assert_eq!(world.run(&line), format!("gfortran {compile} -c a.f90"));
        let line = format!("{name} a.f90");
        assert_eq!(world.run(&line), format!("gfortran {compile} a.f90 {link}"));
        let asked = world.printed(&format!("{name} -show"));
        assert_eq!(asked, format!("gfortran {compile} {link}"));
    }
    for (question, answer) in [
        ("-showme:compile", compile),
        ("-showme:link", &link),
        ("-showme:incdirs", "/opt/ox/include /opt/ox/mods"),
        ("-showme:libs", "mpifort_abi mpi_abi"),
    ] {
        assert_eq!(world.printed(&format!("mpifort {question}")), answer);
    }
    let version = world.printed("mpif77 -showme:version");
    assert!(version.ends_with("(Language: Fortran)"), "{version}");
    world.env.push(("OMPI_FC", "flang -O3"));
    let other = ("flang -O3 -I/opt/ox/include -I/opt/ox/mods -c a.f").to_string();
    assert_eq!(world.run("mpifort -c a.f"), other);
}

#[test]
fn without_a_fortran_compiler_the_error_names_what_to_install() {
    let mut world = World::plain();
    world.programs = vec!["gcc"];
    let text = world.decide("mpifort a.f90").unwrap_err();
    assert!(
        text.contains("install gfortran") && text.contains("OXMPI_FC"),
        "{text}"
    );
}

#[test]
fn integers_of_8_bytes_are_refused_with_the_option_that_makes_them() {
    let mut world = World::plain();
    for option in [
        "-fdefault-integer-8",
        "-i8",
        "-integer-size 64",
        "-s default64",
    ] {
        let text = world.decide(&format!("mpifort {option} -c a.f90"));
        let text = text.unwrap_err();
        assert!(
            text.contains(option) && text.contains("MPI_INTEGER8"),
            "{text}"
        );
        assert!(world.decide(&format!("mpicc {option} -c a.c")).is_ok());
    }
    for fine in ["-fdefault-real-8", "-s", "-integer-size 32"] {
        assert!(
            world.decide(&format!("mpifort {fine} -c a.f90")).is_ok(),
            "{fine}"
        );
    }
    world.env.push(("OMPI_FC", "gfortran -fdefault-integer-8"));
    assert!(world.decide("mpifort -c a.f90").is_err());
}

#[test]
fn gfortran_is_known_by_what_it_says_of_itself() {
    let debian = "GNU Fortran (Debian 12.2.0-14+deb12u1) 12.2.0";
    let flag = Some("-fallow-argument-mismatch".to_string());
    assert_eq!(own_flags(debian), flag);
    assert_eq!(own_flags("GNU Fortran (GCC) 9.4.0"), None);
    assert_eq!(own_flags("flang-new version 19.1.7"), None);
}

#[test]
fn compilers_that_read_each_others_modules_share_a_folder() {
    for version in ["9.4.0", "12.2.0", "14.2.0"] {
        let said = format!("GNU Fortran (Debian {version}-1) {version}");
        assert_eq!(name_of(&said), "gfortran_9_to_14");
    }
    let newer = "GNU Fortran (Debian 15.1.0-3) 15.1.0";
    assert_eq!(name_of(newer), "GNU_Fortran_Debian_15.1.0-3_15.1.0");
    let older = "GNU Fortran (GCC) 8.5.0";
    assert_eq!(name_of(older), "GNU_Fortran_GCC_8.5.0");
    let other = "flang-new version 19.1.7";
    assert_eq!(name_of(other), "flang-new_version_19.1.7");
}
