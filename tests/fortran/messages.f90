! mpi_f08: messages, sections, collectives in place, statuses, texts, large counts.
program messages
  use mpi_f08
  implicit none
  integer :: rank, n, a(10,4), b(10,4), i, c, s(4), right, left, ierr
  type(MPI_Status) :: st
  type(MPI_Request) :: rq(2)
  type(MPI_Comm) :: d
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=4) :: short
  logical :: flag
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  call MPI_Comm_dup(MPI_COMM_WORLD, d)
  call check(d /= MPI_COMM_WORLD .and. .not. d == MPI_COMM_NULL, 'handles differ')
  right = mod(rank + 1, n)
  left = mod(rank + n - 1, n)

  ! 13 of 20 elements of a section, to a section that goes backward.
  a = reshape([(i + 100*rank, i=1,40)], [10,4])
  b = -1
  call MPI_Isend(a(1:9:2,:), 13, MPI_INTEGER, right, 5, d, rq(1))
  call MPI_Recv(b(10:2:-2,:), 20, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, d, st)
  call MPI_Wait(rq(1), MPI_STATUS_IGNORE)
  call MPI_Get_count(st, MPI_INTEGER, c)
  call check(c == 13 .and. st%MPI_SOURCE == left .and. st%MPI_TAG == 5, 'the status')
  call check(all(b(10:2:-2,1) == [1,3,5,7,9] + 100*left), 'the first column')
  call check(all(b(10:6:-2,3) == [21,23,25] + 100*left), 'the last elements')
  call check(all(b(1:9:2,:) == -1) .and. all(b(:,4) == -1) .and. b(4,3) == -1, 'the gaps')

  s = rank
  call MPI_Allreduce(MPI_IN_PLACE, s, 4, MPI_INTEGER, MPI_SUM, d)
  call check(all(s == n*(n-1)/2), 'a reduction in place')
  s = rank + 1
  call MPI_Bcast(s(1:4:2), 2, MPI_INTEGER, 0, d)
  call check(all(s == [1, rank+1, 1, rank+1]), 'a broadcast of a section')
  b = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, b(1:9:3,2:3), 6, MPI_INTEGER, MPI_SUM, d)
  call check(all(b(1:9:3,2:3) == n*(n+1)/2) .and. b(2,2) == rank+1, 'a reduction of a section')

  call MPI_Isend(a(1:3,1), 3_MPI_COUNT_KIND, MPI_INTEGER, right, 1, d, rq(1))
  call MPI_Irecv(b(1:5:2,1), 3, MPI_INTEGER, left, 1, d, rq(2), ierr)
  call MPI_Waitall(2, rq, MPI_STATUSES_IGNORE)
  call check(all(b(1:5:2,1) == [1,2,3] + 100*left), 'a large count')
  call check(all([(rq(i) == MPI_REQUEST_NULL, i=1,2)]), 'complete requests')

  call MPI_Irecv(s, 1, MPI_INTEGER, left, 2, d, rq(2))
  rq(1) = MPI_REQUEST_NULL
  call MPI_Send(rank, 1, MPI_INTEGER, right, 2, d)
  call MPI_Waitany(2, rq, i, st)
  call check(i == 2 .and. s(1) == left, 'positions count from 1')
  call MPI_Testall(2, rq, flag, MPI_STATUSES_IGNORE)
  call check(flag, 'LOGICAL')

  call MPI_Comm_set_name(d, 'a name   ')
  call MPI_Comm_get_name(d, name, c)
  call check(name == 'a name' .and. c == 6 .and. name(7:) == ' ', 'a text')
  call MPI_Comm_get_name(d, short, c)
  call check(short == 'a na', 'a text that is cut')

  ! A call with partitions uses its memory before it is complete, so that it cannot copy.
  call MPI_Comm_set_errhandler(d, MPI_ERRORS_RETURN)
  call MPI_Precv_init(b(1:9:3,:), 1, 12_MPI_COUNT_KIND, MPI_INTEGER, left, 1, d, MPI_INFO_NULL, rq(1), ierr)
  call check(ierr == MPI_ERR_BUFFER, 'a section that is refused')
  call MPI_Comm_free(d)
  call MPI_Sizeof(name(1:5), c)
  call check(c == 5, 'MPI_Sizeof')
  call MPI_Finalize(ierr)
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    print *, rank, 'wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3)
  end subroutine
end program
