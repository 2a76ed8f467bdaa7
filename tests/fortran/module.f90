! mpi: interfaces that old programs fit: any buffer, a scalar for an array that is not used.
program module_mpi
  use mpi
  implicit none
  integer :: ierr, rank, n, i, statuses(MPI_STATUS_SIZE, 2), requests(2), into(4)
  real :: x(2, 2)
  logical :: flag
  character(len=MPI_MAX_INFO_VAL) :: value
  integer :: info, length
  integer(kind=MPI_ADDRESS_KIND) :: at
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  x = rank
  call MPI_Irecv(into, 4, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(x(1, 1), 4, MPI_REAL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Testany(2, requests, i, flag, statuses(1, 1), ierr)
  call check(flag .and. i == 1 .and. statuses(MPI_SOURCE, 1) == MPI_PROC_NULL, 1)
  call MPI_Waitall(2, requests, statuses, ierr)
  call check(all(requests == MPI_REQUEST_NULL), 2)

  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Gatherv(rank, 1, MPI_INTEGER, into, 0, 0, MPI_INTEGER, n, MPI_COMM_WORLD, ierr)
  call check(ierr /= MPI_SUCCESS, 3)
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, ' key ', ' value ', ierr)
  length = 3
  call MPI_Info_get_string(info, 'key', length, value, flag, ierr)
  call check(flag .and. length == 5 .and. value(1:4) == 'val ', 4)
  length = 9
  call MPI_Info_get_string(info, 'key', length, value, flag, ierr)
  call check(flag .and. length == 5 .and. value == 'value', 5)
  call MPI_Info_free(info, ierr)
  call MPI_Alloc_mem(64_MPI_ADDRESS_KIND, MPI_INFO_NULL, at, ierr)
  call check(at /= 0, 6)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    integer, intent(in) :: what
    if (is_right) return
    print *, rank, 'wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
  end subroutine
end program
