//! Scripts that Debian's package manager runs when a package comes and goes: for alternatives, and
//! for the cache of the dynamic linker.

use crate::target::Target;

/// Returns the folder of the installation.
pub fn prefix(target: Target) -> String {
    format!("usr/lib/{}/oxmpi", target.libraries())
}

/// Programs that `/usr/bin` has links to, of the package `oxmpi`.
pub const PROGRAMS: &[&str] = &[
    "mpirun",
    "mpiexec",
    "oxmpi_info",
    "oxmpi-perf",
    "oxmpi-server",
];

/// Compiler wrappers that `/usr/bin` has links to, of the package `oxmpi-dev`.
pub const WRAPPERS: &[&str] = &[
    "mpicc", "mpicxx", "mpic++", "mpiCC", "mpifort", "mpif77", "mpif90",
];

/// The maker of the packages, by an address that receives nothing.
pub const MAINTAINER: &str = "The oxmpi developers <oxmpi@localhost>";

/// Below those of Debian's Open MPI, which stays the default where it is installed.
const PRIORITY: u32 = 45;

pub const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: oxmpi

Files: *
Copyright: 2026 The oxmpi developers
License: Apache-2.0 or Expat

License: Apache-2.0
 On Debian systems the text of the license is in
 /usr/share/common-licenses/Apache-2.0.

License: Expat
 Permission is hereby granted, free of charge, to any person obtaining a
 copy of this software and associated documentation files (the
 \"Software\"), to deal in the Software without restriction, including
 without limitation the rights to use, copy, modify, merge, publish,
 distribute, sublicense, and/or sell copies of the Software, and to
 permit persons to whom the Software is furnished to do so, subject to
 the following conditions:
 .
 The above copyright notice and this permission notice shall be included
 in all copies or substantial portions of the Software.
 .
 THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS
 OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
 MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
 IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
 CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
 TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
 SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
";

/// Returns the list of changes in Debian's form.
pub fn changelog() -> String {
    format!(
        "oxmpi ({}) unstable; urgency=low\n\n  * Packed from the sources; their CHANGELOG.md has \
         the changes.\n\n -- {MAINTAINER}  Wed, 01 Jan 2020 00:00:00 +0000\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the name in `/usr/bin` of a program whose plain name is an alternative.
pub fn own_name(program: &str) -> String {
    match program.starts_with("ox") {
        true => program.to_string(),
        false => format!("{program}.oxmpi"),
    }
}

/// Returns the files beside `control` of a package: name and text.
pub fn of(package: &str, target: Target) -> Vec<(&'static str, String)> {
    match package {
        "liboxmpi1" => vec![
            ("triggers", "activate-noawait ldconfig\n".to_string()),
            ("shlibs", shlibs()),
        ],
        "oxmpi" => alternatives("mpirun", &PROGRAMS[..2], None),
        _ => alternatives("mpi", WRAPPERS, Some(target)),
    }
}

fn shlibs() -> String {
    ["libmpi_abi", "libmpifort_abi", "liboxmpi_bml"]
        .iter()
        .map(|library| format!("{library} 1 liboxmpi1\n"))
        .collect()
}

/// Programs that bash completes.
const COMPLETED: [&str; 2] = ["mpirun", "mpiexec"];

/// The scripts that make and remove a group of alternatives, the first name of which is the
/// master; with those of the headers and libraries of a kind of machine.
fn alternatives(
    group: &str,
    names: &[&str],
    headers_of: Option<Target>,
) -> Vec<(&'static str, String)> {
    let mut install = format!(
        "update-alternatives \\\n  --install /usr/bin/{0} {group} /usr/bin/{0}.oxmpi {PRIORITY}",
        names[0]
    );
    for name in &names[1..] {
        let own = own_name(name);
        install.push_str(&format!(
            " \\\n  --slave /usr/bin/{name} {name} /usr/bin/{own}"
        ));
    }
    // What bash completes for a plain name goes where the name leads.
    for name in names.iter().filter(|name| COMPLETED.contains(name)) {
        let completions = format!("/usr/share/bash-completion/completions/{name}");
        install.push_str(&format!(
            " \\\n  --slave {completions} {name}.bash-completion {completions}.oxmpi"
        ));
    }
    let mut remove = format!(
        "  update-alternatives --remove {group} /usr/bin/{}.oxmpi\n",
        names[0]
    );
    let more = headers_of.map(headers).unwrap_or_default();
    if let Some(target) = headers_of {
        let (prefix, libraries) = (prefix(target), target.libraries());
        let folder = format!("/{prefix}/include");
        remove.push_str(&format!(
            "  update-alternatives --remove mpi-{libraries} {folder}\n"
        ));
        // Modules of further compilers, which `mpifort` makes there when root calls it.
        remove.push_str(&format!(
            "  find /{prefix}/share/oxmpi/fortran -mindepth 1 -maxdepth 1 -type d \\\n    \
             ! -name addresses ! -name gfortran_9_to_14 -exec rm -r {{}} + || true\n"
        ));
    }
    vec![
        (
            "postinst",
            format!("#!/bin/sh\nset -e\nif [ \"$1\" = configure ]; then\n{install}\n{more}fi\n"),
        ),
        (
            "prerm",
            format!("#!/bin/sh\nset -e\nif [ \"$1\" != upgrade ]; then\n{remove}fi\n"),
        ),
    ]
}

/// The lines for the group of alternatives by which Debian has the headers and libraries of one
/// MPI, for a kind of machine.
fn headers(target: Target) -> String {
    let (prefix, machine) = (prefix(target), target.libraries());
    let libraries = format!("/usr/lib/{machine}");
    let mut text = format!(
        "update-alternatives \\\n  --install /usr/include/{machine}/mpi mpi-{machine} \
         /{prefix}/include {PRIORITY} \\\n  \
         --slave {libraries}/libmpi.so libmpi.so-{machine} /{prefix}/lib/libmpi_abi.so"
    );
    for (name, own) in [
        ("mpi", "oxmpi"),
        ("mpi-c", "mpi-c"),
        ("mpi-cxx", "mpi-cxx"),
        ("mpi-fort", "mpi-fort"),
    ] {
        text.push_str(&format!(
            " \\\n  --slave {libraries}/pkgconfig/{name}.pc {name}.pc-{machine} \
             /{prefix}/lib/pkgconfig/{own}.pc"
        ));
    }
    text + "\n"
}
