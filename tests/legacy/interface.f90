! What a program of another interface's Fortran gets back, with that interface's constants.
program interface
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, size, failed, sent, received, requests(2), comm, flag_size
  integer :: statuses(MPI_STATUS_SIZE, 2), status(MPI_STATUS_SIZE), sums(2), length, idx, odd(MPI_STATUS_SIZE + 1)
  integer(kind=MPI_ADDRESS_KIND) :: value
  character(len=MPI_MAX_OBJECT_NAME) :: name
  logical :: flag
  failed = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  sent = rank
  call MPI_Irecv(received, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(sent, 1, MPI_INTEGER, mod(rank + 1, size), 5, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, statuses, ierr)
  call check(received == mod(rank + size - 1, size), 1)
  call check(statuses(MPI_SOURCE, 1) == received .and. statuses(MPI_TAG, 1) == 5, 2)
  call check(requests(1) == MPI_REQUEST_NULL, 3)
  call MPI_Recv(received, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierr)
  call check(status(MPI_SOURCE) == MPI_PROC_NULL, 4)
  call MPI_Recv(received, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  ! One of two statuses is not at a multiple of eight bytes.
  call MPI_Recv(received, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, odd, ierr)
  call MPI_Recv(received, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, odd(2), ierr)
  call check(odd(1 + MPI_SOURCE) == MPI_PROC_NULL, 12)
  sums = 1
  call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(sums(1) == size .and. sums(2) == size, 5)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_set_name(comm, 'a name', ierr)
  call MPI_Comm_get_name(comm, name, length, ierr)
  call check(name == 'a name' .and. length == 6, 6)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  call check(flag .and. value > 32766, 7)
  call MPI_Type_size(MPI_DOUBLE_PRECISION, flag_size, ierr)
  call check(flag_size == 8, 8)
  requests = MPI_REQUEST_NULL
  call MPI_Waitany(2, requests, idx, MPI_STATUS_IGNORE, ierr)
  call check(idx == MPI_UNDEFINED, 9)
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_Send(sent, 1, MPI_INTEGER, 99, 0, comm, ierr)
  call MPI_Error_class(ierr, idx, ierr)
  call check(idx == MPI_ERR_RANK, 10)
  call MPI_Comm_free(comm, ierr)
  call check(comm == MPI_COMM_NULL, 11)
  call MPI_Finalize(ierr)
  if (failed /= 0) stop 1
contains
  subroutine check(is_right, number)
    logical, intent(in) :: is_right
    integer, intent(in) :: number
    if (.not. is_right) then
      print *, 'check', number, 'failed'
      failed = 1
    end if
  end subroutine check
end program interface
