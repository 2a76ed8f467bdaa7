# gdb starts mpirun, stops in MPIR_Breakpoint and reads the processes of two hosts, which are still in
# MPI_Init; and it attaches to an mpirun that runs.
. "$SOURCES/tests/debug/common.sh"
mpicc "$SOURCES/tests/debug/sleeper.c" -o sleeper
printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' > agent
chmod +x agent
touch hold
set -- --host n1:2,n2:2 --mca plm_rsh_agent "$PWD/agent" ./sleeper hold

cat > start.gdb <<EOF
set breakpoint pending on
set detach-on-fork on
break MPIR_Breakpoint
run $* > printed
source $SOURCES/tests/debug/proctable.gdb
shell cat printed | wc -l
shell rm hold
continue
EOF
timeout -s KILL 60 gdb -q -batch -iex 'set debuginfod enabled off' -x start.gdb \
    "$(command -v mpirun)" > gdb.out 2>&1 || fail "gdb on mpirun: $(cat gdb.out)"
for host in n1 n2; do
    [ "$(grep -c "^process $host .*sleeper [0-9]*$" gdb.out)" = 2 ] || fail "$(cat gdb.out)"
done
grep -q '^state 1$' gdb.out || fail "$(cat gdb.out)"
# None had printed while the launcher was held, all had at the end.
grep -q '^0$' gdb.out || fail "ranks have passed MPI_Init: $(cat gdb.out)"
[ "$(wc -l < printed)" = 4 ] || fail "$(cat gdb.out printed)"

touch hold
mpirun "$@" > printed 2>&1 &
launcher=$!
until_true sh -c '[ $(grep -c "^[0-3] [0-9]*$" printed) = 4 ]'
timeout -s KILL 60 gdb -q -batch -iex 'set debuginfod enabled off' -p $launcher \
    -x "$SOURCES/tests/debug/proctable.gdb" > gdb.out 2>&1 || fail "gdb on a running mpirun: $(cat gdb.out)"
for rank in 0 1 2 3; do
    grep -q "sleeper $(pid_of $rank printed)$" gdb.out || fail "rank $rank: $(cat gdb.out printed)"
done
rm hold
wait $launcher
