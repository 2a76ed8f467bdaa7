! What a program by mpi_f08 of Open MPI or of MPICH gets back, with its user functions, spawned
! ranks, sections of arrays and arguments that may lack.
module functions
  use mpi_f08
  implicit none
  integer, save :: raised = 0, freed = 0
contains
  subroutine add(in, inout, length, datatype) bind(C)
    use iso_c_binding
    type(c_ptr), value :: in, inout
    integer :: length, i
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(in, a, [length])
    call c_f_pointer(inout, b, [length])
    do i = 1, length
      b(i) = a(i) + b(i)
    end do
    if (datatype /= MPI_INTEGER) raised = -1000
  end subroutine

  subroutine on_error(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
    if (comm == MPI_COMM_WORLD) call MPI_Error_class(code, raised)
  end subroutine

  subroutine query(state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(state))
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_SOURCE = 0
    status%MPI_TAG = 5
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(state, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: ierror
    freed = int(state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program modern
  use functions
  implicit none
  integer :: rank, size, sent, got, n, failed, codes(1)
  character(len=255) :: own
  type(MPI_Status) :: status
  type(MPI_Request) :: request(2)
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler
  type(MPI_Comm) :: parent, child
  integer :: wide(12), grid(6, 4), i, column
  type(MPI_Datatype) :: pair
  failed = 0
  call MPI_Init()
  call MPI_Comm_get_parent(parent)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  if (parent /= MPI_COMM_NULL) then
    call MPI_Bcast(n, 1, MPI_INTEGER, 0, parent)
    call MPI_Send(n + 1, 1, MPI_INTEGER, 0, 3, parent)
    call MPI_Comm_disconnect(parent)
    call MPI_Finalize()
    stop
  end if
  sent = rank
  call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request(1))
  call MPI_Isend(sent, 1, MPI_INTEGER, mod(rank + 1, size), 7, MPI_COMM_WORLD, request(2))
  call MPI_Wait(request(1), status)
  call MPI_Wait(request(2), MPI_STATUS_IGNORE)
  if (status%MPI_TAG /= 7 .or. got /= mod(rank + size - 1, size)) call bad(1)
  call MPI_Get_count(status, MPI_INTEGER, n)
  if (n /= 1 .or. request(1) /= MPI_REQUEST_NULL) call bad(2)
  got = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (got /= size * (size + 1) / 2) call bad(3)
  call MPI_Op_create(add, .true., op)
  got = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, got, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
  if (got /= size * (size + 1) / 2 .or. raised < 0) call bad(4)
  call MPI_Comm_create_errhandler(on_error, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
  call MPI_Send(sent, 1, MPI_INTEGER, size + 5, 7, MPI_COMM_WORLD, n)
  if (raised /= MPI_ERR_RANK) call bad(5)
  call MPI_Grequest_start(query, release, cancel, 3_MPI_ADDRESS_KIND, request(1))
  call MPI_Grequest_complete(request(1))
  call MPI_Wait(request(1), status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  if (n /= 3 .or. freed /= 3 .or. status%MPI_TAG /= 5) call bad(6)
  call get_command_argument(0, own)
  call MPI_Comm_spawn(own, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, child, codes)
  n = 41
  if (rank == 0) then
    call MPI_Bcast(n, 1, MPI_INTEGER, MPI_ROOT, child)
    call MPI_Recv(got, 1, MPI_INTEGER, 0, 3, child, MPI_STATUS_IGNORE)
    if (got /= 42 .or. codes(1) /= MPI_SUCCESS) call bad(7)
  else
    call MPI_Bcast(n, 1, MPI_INTEGER, MPI_PROC_NULL, child)
  end if
  call MPI_Comm_disconnect(child)
  wide = [(100 * rank + i, i = 1, 12)]
  grid = -1
  call MPI_Sendrecv(wide(2:12:3), 4, MPI_INTEGER, mod(rank + 1, size), 8, grid(3, :), 4, &
                    MPI_INTEGER, mod(rank + size - 1, size), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  n = 100 * mod(rank + size - 1, size)
  if (any(grid(3, :) /= n + [2, 5, 8, 11]) .or. count(grid == -1) /= 20) call bad(8)
  call MPI_Allreduce(MPI_IN_PLACE, wide(1:12:2), 6, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (any(wide(1:12:2) /= [(size * i + 50 * size * (size - 1), i = 1, 12, 2)])) call bad(9)
  if (any(wide(2:12:2) /= [(100 * rank + i, i = 2, 12, 2)])) call bad(10)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  if (MPI_SUBARRAYS_SUPPORTED) then
    grid = reshape([(i, i = 1, 24)], [6, 4])
    column = mod(rank + size - 1, size)
    call MPI_Irecv(grid(2:6:2, 1:4:3), 3, pair, column, 9, MPI_COMM_WORLD, request(1))
    call MPI_Isend(wide(12:1:-2), 6, MPI_INTEGER, mod(rank + 1, size), 9, MPI_COMM_WORLD, &
                   request(2))
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    wide(1:6) = [(100 * column + i, i = 12, 2, -2)]
    if (any(reshape(grid(2:6:2, 1:4:3), [6]) /= wide(1:6))) call bad(11)
    if (any(grid(:, 2:3) /= reshape([(i, i = 7, 18)], [6, 2]))) call bad(12)
    if (any(grid(1:6:2, 1) /= [1, 3, 5])) call bad(13)
  end if
  call MPI_Type_free(pair)
  call MPI_Finalize()
  if (failed /= 0) stop 1
contains
  subroutine bad(which)
    integer :: which
    print *, 'check', which, 'failed on rank', rank
    failed = 1
  end subroutine
end program
