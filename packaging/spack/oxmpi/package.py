# Spack's recipe for oxmpi. It provides `mpi`, so that `spack install hdf5 ^oxmpi` builds on it.

import os

from spack.package import *


class Oxmpi(Package):
    """An MPI library written in Rust, behind the MPI 5.0 standard ABI: programs that were compiled
    against libmpi_abi.so.1, by whichever MPI's compiler wrapper, run on it unchanged."""

    # Where the sources are: the path or the address of a clone.
    git = "file:///opt/src/oxmpi"

    license("Apache-2.0 OR MIT")

    version("main", branch="main")

    variant("fortran", default=True, description="Make the modules of Fortran")

    provides("mpi@:5.0")

    depends_on("c", type=("build", "run"))
    depends_on("cxx", type="run")
    depends_on("fortran", type=("build", "run"), when="+fortran")
    depends_on("rust@1.89:", type="build")

    def install(self, spec, prefix):
        cargo = which("cargo", required=True)
        cargo("xtask", "install", "--prefix", prefix)

    def setup_run_environment(self, env):
        env.set("MPICC", join_path(self.prefix.bin, "mpicc"))
        env.set("MPICXX", join_path(self.prefix.bin, "mpicxx"))
        env.set("MPIF77", join_path(self.prefix.bin, "mpif77"))
        env.set("MPIF90", join_path(self.prefix.bin, "mpif90"))

    def setup_dependent_build_environment(self, env, dependent_spec):
        self.setup_run_environment(env)
        # The wrappers call Spack's compilers, which call those that it has chosen.
        env.set("OXMPI_CC", os.environ.get("SPACK_CC", "cc"))
        env.set("OXMPI_CXX", os.environ.get("SPACK_CXX", "c++"))
        env.set("OXMPI_FC", os.environ.get("SPACK_FC", "gfortran"))

    def setup_dependent_package(self, module, dependent_spec):
        self.spec.mpicc = join_path(self.prefix.bin, "mpicc")
        self.spec.mpicxx = join_path(self.prefix.bin, "mpicxx")
        self.spec.mpif77 = join_path(self.prefix.bin, "mpif77")
        self.spec.mpifc = join_path(self.prefix.bin, "mpifort")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_hello(self):
        mpicc = Executable(join_path(self.prefix.bin, "mpicc"))
        mpirun = Executable(join_path(self.prefix.bin, "mpirun"))
        with working_dir("spack-check", create=True):
            mpicc(join_path(self.stage.source_path, "examples", "hello.c"), "-o", "hello")
            mpirun("-n", "2", "./hello")
