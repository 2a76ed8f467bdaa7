! mpi_ext, mpi_f08_ext: fault tolerance of communicators, in both kinds of modules.
subroutine old_module(failures)
  use mpi
  use mpi_ext
  implicit none
  integer, intent(inout) :: failures
  integer :: comm, shrunk, group, flag, acked, request, size, ierr
  logical :: is_revoked
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr)
  flag = 5
  call MPIX_Comm_agree(comm, flag, ierr)
  if (ierr /= MPI_SUCCESS .or. flag /= 5) failures = failures + 1
  call MPIX_Comm_iagree(comm, flag, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS .or. flag /= 5) failures = failures + 1
  call MPIX_Comm_get_failed(comm, group, ierr)
  call MPI_Group_size(group, size, ierr)
  if (size /= 0) failures = failures + 1
  call MPIX_Comm_ack_failed(comm, 1, acked, ierr)
  if (ierr /= MPI_SUCCESS .or. acked /= 0) failures = failures + 1
  call MPIX_Comm_failure_ack(comm, ierr)
  call MPIX_Comm_failure_get_acked(comm, group, ierr)
  call MPI_Group_size(group, size, ierr)
  if (size /= 0) failures = failures + 1
  call MPIX_Comm_revoke(comm, ierr)
  call MPIX_Comm_is_revoked(comm, is_revoked, ierr)
  if (.not. is_revoked) failures = failures + 1
  call MPI_Barrier(comm, ierr)
  if (ierr /= MPIX_ERR_REVOKED .or. ierr /= MPI_ERR_REVOKED) failures = failures + 1
  call PMPIX_Comm_shrink(comm, shrunk, ierr)
  call MPI_Barrier(shrunk, ierr)
  if (ierr /= MPI_SUCCESS) failures = failures + 1
  call MPI_Comm_free(shrunk, ierr)
  call MPI_Comm_free(comm, ierr)
end subroutine old_module

program extensions
  use mpi_f08
  use mpi_f08_ext
  implicit none
  type(MPI_Comm) :: comm, shrunk
  type(MPI_Group) :: group
  type(MPI_Request) :: request
  integer :: failures, size, ranks, ierr, code
  integer(kind=MPI_ADDRESS_KIND) :: ft
  logical :: is_revoked, is_set
  failures = 0
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call old_module(failures)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPIX_FT, ft, is_set)
  if (.not. is_set .or. ft < 0 .or. ft > 1) failures = failures + 1
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
  call MPIX_Comm_is_revoked(comm, is_revoked)
  if (is_revoked) failures = failures + 1
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPIX_Comm_revoke(comm)
  call MPIX_Comm_is_revoked(comm, is_revoked, ierr)
  if (.not. is_revoked .or. ierr /= MPI_SUCCESS) failures = failures + 1
  call MPI_Barrier(comm, code)
  if (code /= MPIX_ERR_REVOKED) failures = failures + 1
  call MPIX_Comm_ishrink(comm, shrunk, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Comm_size(shrunk, size)
  if (size /= ranks) failures = failures + 1
  call MPIX_Comm_get_failed(shrunk, group)
  call MPI_Group_size(group, size)
  if (size /= 0) failures = failures + 1
  call MPI_Group_free(group)
  call MPI_Comm_free(shrunk)
  call MPI_Comm_free(comm)
  if (failures /= 0) call MPI_Abort(MPI_COMM_WORLD, failures)
  call MPI_Finalize()
end program extensions
