# Loads the MPI library that the first argument names while it runs, as mpi4py does, and initialises it.
import ctypes
import sys
import time

mpi = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
mpi.MPI_Init(None, None)
time.sleep(1)
mpi.MPI_Finalize()
