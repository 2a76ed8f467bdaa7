! The calls of called.c, from Fortran.
program called
    use mpi
    implicit none
    integer :: rank, value, i, ierror
    value = 1
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    do i = 0, 1
        if (rank == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, ierror)
        if (rank == 1) call MPI_Recv(value, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
