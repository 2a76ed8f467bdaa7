! mpi_f08: sections with gaps as buffers of collectives that return before they have used them, of
! persistent ones, and of calls that cannot have them; constants; arrays that are not allocated; and
! arrays whose descriptor gfortran 12 leaves unset. Such calls were refused by an error that named
! MPI_Comm_call_errhandler, wrote to send buffers, or crashed.
program sections
  use mpi_f08
  implicit none
  integer :: rank, n
  type(MPI_Comm) :: d
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, d)
  call MPI_Comm_set_errhandler(d, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(d, rank)
  call MPI_Comm_size(d, n)
  call reductions()
  call exchanges()
  call persistent()
  call constants()
  call unallocated()
  call unset()
  call refused()
  call MPI_Comm_free(d)
  call MPI_Finalize()
contains
  subroutine reductions()
    integer, asynchronous :: a(30), b(20), c(0:3, 0:5)
    integer :: i
    logical :: flag
    type(MPI_Request) :: q(3)
    a = [(i, i=1,30)]
    b = -1
    c = rank
    call MPI_Iallreduce(a(1:30:3), b(1:20:2), 10, MPI_INTEGER, MPI_SUM, d, q(1))
    call MPI_Iallreduce(MPI_IN_PLACE, c(3:0:-2, ::2), 6, MPI_INTEGER, MPI_MAX, d, q(2))
    call MPI_Ireduce(a(2:30:3), a(3:30:3), 10, MPI_INTEGER, MPI_SUM, n - 1, d, q(3))
    ! What is not a buffer stays the program's.
    b(2:20:2) = 7
    call MPI_Waitall(3, q, MPI_STATUSES_IGNORE)
    call check(all(b(1:20:2) == n * [(i, i=1,30,3)]) .and. all(b(2:20:2) == 7), 'MPI_Iallreduce')
    call check(all(c(3:0:-2, ::2) == n - 1), 'MPI_Iallreduce in place')
    call check(all(c(0:2:2, :) == rank) .and. all(c(:, 1::2) == rank), 'gaps of a matrix')
    if (rank == n - 1) call check(all(a(3:30:3) == n * [(i, i=2,30,3)]), 'MPI_Ireduce')
    if (rank < n - 1) call check(all(a(3:30:3) == [(i, i=3,30,3)]), 'MPI_Ireduce elsewhere')
    b = 0
    call MPI_Iscan(a(1:30:3), b(20:1:-2), 10, MPI_INTEGER, MPI_SUM, d, q(1))
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(q(1), flag, MPI_STATUS_IGNORE)
    end do
    call check(all(b(20:1:-2) == (rank + 1) * [(i, i=1,30,3)]), 'MPI_Iscan before it is ended')
    b(20) = 4
    call MPI_Wait(q(1), MPI_STATUS_IGNORE)
    call check(b(20) == 4 .and. all(b(1:20:2) == 0), 'a buffer that was complete')
    b = 0
    call MPI_Ireduce_scatter_block(a(1:6*n:6), b(::10), 1, MPI_INTEGER, MPI_SUM, d, q(1))
    flag = .false.
    do while (.not. flag)
      call MPI_Test(q(1), flag, MPI_STATUS_IGNORE)
    end do
    call check(b(1) == n * (6 * rank + 1) .and. all(b(2:) == 0), 'MPI_Ireduce_scatter_block')
  end subroutine

  subroutine exchanges()
    integer, asynchronous :: a(2, 6), b(3, 12)
    integer :: i, counts(n), places(n)
    type(MPI_Request) :: q
    a = reshape([(i + 100*rank, i=1,12)], [2, 6])
    b = 0
    call MPI_Ialltoall(a(1, 1:n), 1, MPI_INTEGER, b(2, 1:2*n:2), 1, MPI_INTEGER, d, q)
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    call check(all(b(2, 1:2*n:2) == [(2*rank + 1 + 100*i, i=0,n-1)]), 'MPI_Ialltoall')
    call check(sum(b) == sum(b(2, 1:2*n:2)), 'gaps of MPI_Ialltoall')
    b = 0
    counts = 2
    places = [(2*i, i=0,n-1)]
    call MPI_Iallgatherv(a(2, 5:6), 2, MPI_INTEGER, b(1, 12:1:-2), counts, places, MPI_INTEGER, d, q)
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    call check(all(b(1, 12:14-4*n:-4) == [(10 + 100*i, i=0,n-1)]), 'MPI_Iallgatherv')
    call check(all(b(2:, :) == 0) .and. all(b(1, 1::2) == 0), 'gaps of MPI_Iallgatherv')
  end subroutine

  subroutine persistent()
    real(8), asynchronous :: a(5, 4), b(5, 4)
    type(MPI_Request) :: q
    integer :: round
    b = -1
    call MPI_Allreduce_init(a(1:5:2, :), b(2:4, 4:1:-1), 12, MPI_DOUBLE_PRECISION, MPI_SUM, d, &
      MPI_INFO_NULL, q)
    do round = 1, 3
      a = round
      b(1, :) = round
      call MPI_Start(q)
      call MPI_Wait(q, MPI_STATUS_IGNORE)
      call check(all(b(2:4, :) == n * round), 'MPI_Allreduce_init')
      call check(all(b(1, :) == round) .and. all(b(5, :) == -1), 'gaps of MPI_Allreduce_init')
    end do
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    call MPI_Request_free(q)
    call check(q == MPI_REQUEST_NULL, 'a persistent request is freed')
  end subroutine

  ! A send buffer may lie in memory that cannot be written.
  subroutine constants()
    integer, parameter :: a(6) = [1, 2, 3, 4, 5, 6]
    integer, asynchronous :: b(6)
    type(MPI_Request) :: q
    b = 0
    call MPI_Allreduce(a(1:6:2), b(1:6:2), 3, MPI_INTEGER, MPI_SUM, d)
    call MPI_Iallreduce(a(2:6:2), b(2:6:2), 3, MPI_INTEGER, MPI_SUM, d, q)
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    call check(all(b == n * a), 'constants')
  end subroutine

  subroutine unallocated()
    integer, allocatable :: a(:), m(:, :, :)
    integer, pointer :: p(:, :)
    integer :: b(3), code
    type(MPI_Request) :: q
    type(MPI_Datatype) :: pair
    nullify(p)
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, pair)
    call MPI_Type_commit(pair)
    call MPI_Send(a, 3, MPI_INTEGER, rank, 1, d, code)
    call is_buffer(code, 'MPI_Send of an array that is not allocated')
    call MPI_Send(a, 1, pair, rank, 1, d, code)
    call is_buffer(code, 'MPI_Send of a datatype with gaps')
    call MPI_Irecv(m, 3, MPI_INTEGER, rank, 1, d, q, code)
    call is_buffer(code, 'MPI_Irecv')
    call MPI_Bcast(p, 1, MPI_INTEGER, 0, d, code)
    call is_buffer(code, 'MPI_Bcast')
    call MPI_Allreduce(a, b, 3, MPI_INTEGER, MPI_SUM, d, code)
    call is_buffer(code, 'MPI_Allreduce')
    call MPI_Sendrecv(a, 0, MPI_INTEGER, rank, 1, p, 0, MPI_INTEGER, rank, 1, d, &
      MPI_STATUS_IGNORE, code)
    call check(code == MPI_SUCCESS, 'no elements')
    ! The root alone receives.
    if (rank == 0) allocate(a(n))
    call MPI_Gather(rank, 1, MPI_INTEGER, a, 1, MPI_INTEGER, 0, d, code)
    call check(code == MPI_SUCCESS, 'MPI_Gather')
    call MPI_Type_free(pair)
  end subroutine

  ! gfortran 12 does not set the unit of the strides of an array that such an assignment allocates.
  subroutine unset()
    integer :: a(20, 12), got(42), i
    integer, allocatable :: e(:), f(:, :)
    a = reshape([(i, i=1,240)], [20, 12])
    e = reshape(a(1:20:3, 1:12:2), [42])
    f = reshape(a(1:20:3, 1:12:2), [6, 7])
    got = 0
    call MPI_Sendrecv(e, 42, MPI_INTEGER, rank, 0, got, 42, MPI_INTEGER, rank, 0, d, &
      MPI_STATUS_IGNORE)
    call check(all(got == e), 'an array that an assignment has allocated')
    call MPI_Sendrecv(e(1:42:2), 21, MPI_INTEGER, rank, 0, got, 42, MPI_INTEGER, rank, 0, d, &
      MPI_STATUS_IGNORE)
    call check(all(got(:21) == e(1:42:2)), 'a section of it')
    call MPI_Allreduce(f, got, 42, MPI_INTEGER, MPI_MAX, d)
    call check(all(got == e), 'a matrix that an assignment has allocated')
  end subroutine

  ! The error names the call and the section, where the program has an argument.
  subroutine refused()
    integer :: a(9), code
    type(MPI_Request) :: q
    ! As a program that leaves errors to MPI.
    if (command_argument_count() > 0) call MPI_Comm_set_errhandler(d, MPI_ERRORS_ARE_FATAL)
    call MPI_Psend_init(a(1:9:2), 1, 5_MPI_COUNT_KIND, MPI_INTEGER, rank, 0, d, MPI_INFO_NULL, q, code)
    call is_buffer(code, 'MPI_Psend_init')
    call MPI_Send(a(1:9:2), 6, MPI_INTEGER, rank, 0, d, code)
    call is_buffer(code, 'MPI_Send of more than a section')
  end subroutine

  subroutine is_buffer(code, what)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    integer :: class
    call MPI_Error_class(code, class)
    call check(class == MPI_ERR_BUFFER, what)
  end subroutine

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (.not. is_right) then
      print *, 'rank', rank, what
      call MPI_Abort(MPI_COMM_WORLD, 3)
    end if
  end subroutine
end program
