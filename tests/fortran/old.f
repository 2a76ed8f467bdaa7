C     mpif.h: what old programs do, buffers of several types in one
C     unit among it.
      program old
      include 'mpif.h'
      integer ierr, rank, n, v(3), w(3), st(MPI_STATUS_SIZE), key, i
      integer reqs(2), left, right
      integer(kind=MPI_ADDRESS_KIND) val, at(2)
      double precision x(2), began
      logical flag
      call MPI_INIT(ierr)
      began = MPI_WTIME()
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
      right = mod(rank+1, n)
      left = mod(rank+n-1, n)
      v(1) = rank
      v(2) = 2
      v(3) = 3
      call MPI_SENDRECV(v, 3, MPI_INTEGER, right, 7, w, 3, MPI_INTEGER,
     &  left, 7, MPI_COMM_WORLD, st, ierr)
      call check(w(1) .eq. left .and. st(MPI_SOURCE) .eq. left, 1)
      call check(st(MPI_TAG) .eq. 7, 2)
      x(1) = rank
      x(2) = 1
      call MPI_ALLREDUCE(MPI_IN_PLACE, x, 2, MPI_DOUBLE_PRECISION,
     &  MPI_SUM, MPI_COMM_WORLD, ierr)
      call check(x(2) .eq. n .and. x(1) .eq. n*(n-1)/2, 3)
      call MPI_IRECV(w, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD,
     &  reqs(2), ierr)
      reqs(1) = MPI_REQUEST_NULL
      call MPI_SEND(rank, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD,
     &  ierr)
      call MPI_WAITANY(2, reqs, i, MPI_STATUS_IGNORE, ierr)
      call check(i .eq. 2 .and. w(1) .eq. left, 4)
      call MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, val, flag,
     &  ierr)
      call check(flag .and. val .ge. 32767, 5)
      call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, key, 0,
     &  ierr)
      call MPI_ATTR_PUT(MPI_COMM_SELF, key, -5, ierr)
      call MPI_ATTR_GET(MPI_COMM_SELF, key, i, flag, ierr)
      call check(flag .and. i .eq. -5, 6)
      call MPI_ATTR_DELETE(MPI_COMM_SELF, key, ierr)
      call MPI_KEYVAL_FREE(key, ierr)
      call MPI_GET_ADDRESS(v(1), at(1), ierr)
      call MPI_GET_ADDRESS(v(3), at(2), ierr)
      call check(MPI_AINT_DIFF(at(2), at(1)) .eq. 8, 7)
      call check(MPI_WTIME() .ge. began, 8)
      call bounds
      call MPI_FINALIZE(ierr)
      end

C     A structure whose bounds MPI_LB and MPI_UB give, and their names.
      subroutine bounds
      include 'mpif.h'
      integer lengths(3), places(3), types(3), made, at, length, ierr
      character*(MPI_MAX_OBJECT_NAME) name
      lengths = 1
      places = (/-4, 8, 32/)
      types = (/MPI_LB, MPI_INTEGER, MPI_UB/)
      call MPI_TYPE_STRUCT(3, lengths, places, types, made, ierr)
      call check(ierr .eq. MPI_SUCCESS, 9)
      call MPI_TYPE_LB(made, at, ierr)
      call check(at .eq. -4, 10)
      call MPI_TYPE_EXTENT(made, at, ierr)
      call check(at .eq. 36, 11)
      call MPI_TYPE_FREE(made, ierr)
      call MPI_TYPE_GET_NAME(MPI_UB, name, length, ierr)
      call check(name .eq. 'MPI_UB' .and. length .eq. 6, 12)
      end

      subroutine check(right, what)
      logical right
      integer what, ierr
      include 'mpif.h'
      if (right) return
      print *, 'wrong: ', what
      call MPI_ABORT(MPI_COMM_WORLD, 3, ierr)
      end
