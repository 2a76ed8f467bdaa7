# Tools beside each other: each sees each call of what it wraps once, in the order of --tool, from C and
# from Fortran; one that does not load is an error before the job starts.
. "$SOURCES/tests/debug/common.sh"
tools=$SOURCES/tests/tool
# The loader fills tables for calls at first use or at the start, and pointers in data.
mpicc -shared -fPIC -DNAME=first "$tools/chained.c" -o first.so
mpicc -shared -fPIC -DNAME=second -DTABLE -fno-plt -Wl,-z,now "$tools/chained.c" -o second.so
mpicc -shared -fPIC -DNAME=third -DSOME "$tools/chained.c" -o libthird.so
mpicc "$tools/called.c" -o called
# Others look functions up while they run.
mpicc -shared -fPIC -DNAME=first -DLOOKUP=RTLD_NEXT "$tools/chained.c" -o next.so
mpicc -shared -fPIC -DNAME=second -DLOOKUP=RTLD_DEFAULT "$tools/chained.c" -o default.so
mpicc -shared -fPIC -DNAME=first -DLOOKUP=RTLD_NEXT -DPLAIN "$tools/chained.c" -o plain.so
mpicc -shared -fPIC -DNAME=second '-DLOOKUP=dlopen("libmpi_abi.so.1",RTLD_LAZY)' "$tools/chained.c" -o handle.so

# Prints what tools see of a call of each rank: seen CALL... -- of the first two, and of the third where
# it wraps the function.
seen()
{
    for call in "$@"; do
        echo "first $call"
        echo "second $call"
        case $call in Send | Finalize) echo "third $call" ;; esac
    done
}

# Runs a program with the three tools, or two other ones before the third, and compares.
all_see()
{
    rm -f out.*
    LD_LIBRARY_PATH=$PWD timeout -s KILL 60 mpirun -n 2 --output file=out:nocopy --tool "${pair:-./first.so,second.so}" \
        --tool libthird.so "$@" > said 2>&1 || fail "$*: $(cat said out.*)"
    seen Init Send Send Barrier Finalize | cmp - out.0.out || fail "$*, rank 0: $(cat said out.0.*)"
    seen Init Recv Recv Barrier Finalize | cmp - out.1.out || fail "$*, rank 1: $(cat said out.1.*)"
}

all_see ./called
for pair in next.so,default.so plain.so,handle.so; do
    all_see ./called
done
pair=
if command -v gfortran > fortran; then
    mpifort "$tools/called.f90" -o called_by_fortran
    all_see ./called_by_fortran
fi
# A script is no obstacle.
printf '#!/bin/sh\nexec ./called\n' > script
chmod +x script
all_see ./script

# Tools that do not load: no rank runs.
refused()
{
    tool=$1
    shift
    ! timeout -s KILL 60 mpirun -n 2 --tool "$tool" ./called > said 2>&1 || fail "$tool was taken: $(cat said)"
    [ "$(wc -l < said)" = 1 ] || fail "$tool: more than a line: $(cat said)"
    for part in "$@"; do
        grep -qF -e "$part" said || fail "$tool: no '$part' in: $(cat said)"
    done
}
echo junk > junk.so
mpicc -shared -fPIC -DNAME=lost "$tools/chained.c" -o liblost.so
mpicc -shared -fPIC -DNAME=user "$tools/chained.c" -Wl,--no-as-needed -L. -llost -o user.so
rm liblost.so
refused ./none.so "$PWD/none.so" "cannot open shared object file"
refused ./first.so,junk.so "$PWD/junk.so" "file too short"
refused user.so "$PWD/user.so" "it needs liblost.so"
refused first.so,first.so "wants each tool once"
refused "first.so," "libraries, separated by commas"
refused "a b.so" "without spaces"
# A tool that the loader does not find on the host of a rank.
! OXMPI_TOOLS=/none/there.so LD_PRELOAD=$PREFIX/lib/oxmpi/liboxmpi_interpose.so ./called > said 2>&1 ||
    fail "a tool that is not loaded was taken: $(cat said)"
grep -q "the tool /none/there.so is not loaded" said || fail "$(cat said)"
