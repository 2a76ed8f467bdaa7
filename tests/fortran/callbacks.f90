! mpi_f08: procedures that MPI calls, and attributes.
module procedures
  use mpi_f08
  implicit none
  integer :: handled = 0, deleted = 0, asked = 0, freed = 0
contains
  subroutine add(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: x(:), y(:)
    call c_f_pointer(invec, x, [len])
    call c_f_pointer(inoutvec, y, [len])
    if (datatype == MPI_INTEGER) y = x + y
  end subroutine
  subroutine on_error(comm, code)
    type(MPI_Comm) :: comm
    integer :: code, class, size
    call MPI_Error_class(code, class)
    call MPI_Comm_size(comm, size)
    if (class == MPI_ERR_RANK .and. size > 0) handled = handled + 1
  end subroutine
  subroutine copy(comm, keyval, extra_state, old, new, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, old, new
    logical :: flag
    new = old + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete(comm, keyval, value, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra_state
    if (value == 49 .or. value == 42) deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    asked = int(extra_state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 5)
    call MPI_Status_set_cancelled(status, .false.)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine free_fn(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + 1
    extra_state = extra_state + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program callbacks
  use procedures
  implicit none
  integer :: key, same, rank, n, ierr, c
  integer(MPI_ADDRESS_KIND) :: v, state
  logical :: flag
  type(MPI_Op) :: op
  type(MPI_Comm) :: d
  type(MPI_Errhandler) :: eh
  type(MPI_Request) :: request
  type(MPI_Status) :: st
  integer :: a(3), b(3)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, n)

  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, v, flag)
  call check(flag .and. v >= 32767, 'MPI_TAG_UB is a number')
  call MPI_Comm_create_keyval(copy, delete, key, 7_MPI_ADDRESS_KIND)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, same, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 42_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, same, -1_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, d)
  call MPI_Comm_get_attr(d, key, v, flag)
  call check(flag .and. v == 49, 'the copy function')
  call MPI_Comm_get_attr(d, same, v, flag)
  call check(flag .and. v == -1, 'MPI_COMM_DUP_FN')
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
  call check(deleted == 1, 'the delete function')

  call MPI_Op_create(add, .true., op)
  a = [1, 2, 3]
  call MPI_Allreduce(a, b, 3, MPI_INTEGER, op, d)
  call check(all(b == n*a), 'an operation')
  call MPI_Op_commutative(op, flag)
  call check(flag, 'it commutes')
  call MPI_Op_free(op)

  call MPI_Comm_create_errhandler(on_error, eh)
  call MPI_Comm_set_errhandler(d, eh)
  call MPI_Errhandler_free(eh)
  call MPI_Send(a, 3, MPI_INTEGER, 99, 0, d, ierr)
  call MPI_Error_class(ierr, c)
  call check(c == MPI_ERR_RANK .and. handled == 1, 'an error handler')

  state = 11
  call MPI_Grequest_start(query, free_fn, cancel, state, request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, st)
  call MPI_Get_elements(st, MPI_INTEGER, c)
  call check(asked == 11 .and. freed == 1 .and. c == 5, 'a generalized request')

  call MPI_Comm_free(d)
  call check(deleted == 2, 'attributes go with the communicator')
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_free_keyval(same)
  call MPI_Finalize()
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    print *, rank, 'wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3)
  end subroutine
end program
