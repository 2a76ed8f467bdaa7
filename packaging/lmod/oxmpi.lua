local prefix = "/opt/oxmpi"

help([[
oxmpi, an MPI library behind the MPI 5.0 standard ABI.
mpicc, mpicxx and mpifort compile programs, mpirun starts them.
]])

whatis("Name: oxmpi")
whatis("Version: 0.1.0")
whatis("Category: MPI")
whatis("Description: MPI library behind the MPI 5.0 standard ABI")

-- One MPI at a time.
family("mpi")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("CPATH", pathJoin(prefix, "include"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib", "pkgconfig"))
prepend_path("MANPATH", pathJoin(prefix, "share", "man"))
-- What bash and fish complete; the system's own folders stay.
append_path("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
prepend_path("XDG_DATA_DIRS", pathJoin(prefix, "share"))
-- The colon at the end keeps the system's own pages.
append_path("MANPATH", "")

setenv("MPI_HOME", prefix)
setenv("OXMPI_DIR", prefix)
