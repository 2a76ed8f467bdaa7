# Ranks that are stopped at their start and in MPI_Init go on by SIGCONT and by gdb, which finds a rank
# at its first instruction; mpirun --gdb shows ranks in tmux, and says what it lacks.
. "$SOURCES/tests/debug/common.sh"
mpicc -g "$SOURCES/tests/debug/sleeper.c" -o sleeper

stopped() { sed -n "s/.*rank $1: process \([0-9]*\) is stopped.*/\1/p" err; }

mpirun -n 2 --stop-on-exec=1 ./sleeper > out 2> err &
until_true grep -q 'rank 1: process' err
pid=$(stopped 1)
timeout -s KILL 60 gdb -q -batch -iex 'set debuginfod enabled off' -p "$pid" -ex 'break main' \
    -ex 'handle SIGSTOP nostop noprint nopass' -ex continue -ex 'print argc' -ex delete -ex detach > gdb.out 2>&1
grep -q 'Breakpoint 1, main' gdb.out || fail "$(cat gdb.out)"
# A debugger that detaches leaves a rank stopped that it has found so.
kill -CONT "$pid"
wait
[ "$(wc -l < out)" = 2 ] || fail "$(cat out err)"

mpirun -n 3 --stop-in-init=0,2 ./sleeper > out 2> err &
until_true sh -c '[ $(grep -c "is stopped in MPI_Init" err) = 2 ]'
[ ! -s out ] || fail "a rank has passed MPI_Init: $(cat out)"
kill -CONT "$(stopped 0)" "$(stopped 2)"
wait
[ "$(wc -l < out)" = 3 ] || fail "$(cat out err)"

unset DISPLAY TMUX
mpirun -n 2 --gdb 0 ./sleeper > out 2> err &
until_true grep -q 'gdb is at process' err
session=$(sed -n 's/.*`tmux attach -t \([^`]*\)`.*/\1/p' err)
shows() { tmux capture-pane -p -t "$session" | grep -q "$1"; }
until_true shows '(gdb)'
tmux send-keys -t "$session" 'continue' Enter
wait
[ "$(wc -l < out)" = 2 ] || fail "$(cat out err)"
# The terminals end with the job, and the debuggers in them; also where it is ended.
left() { tmux has-session -t "$session" 2> /dev/null || pgrep -f "gdb -q -p $pid " > /dev/null; }
none_left() { ! left; }
pid=$(sed -n 's/.*gdb is at process \([0-9]*\),.*/\1/p' err)
until_true none_left
mpirun -n 2 --gdb all ./sleeper > out 2> err &
launcher=$!
until_true sh -c '[ $(grep -c "gdb is at process" err) = 2 ]'
session=$(sed -n 's/.*rank 0.*`tmux attach -t \([^`]*\)`.*/\1/p' err)
pid=$(sed -n 's/.*rank 1: gdb is at process \([0-9]*\),.*/\1/p' err)
until_true left
kill -TERM "$launcher"
wait
until_true none_left

mkdir bare
ln -s "$(command -v gdb)" bare/gdb
refused() { if env PATH="$1" "$PREFIX/bin/mpirun" -n 2 --gdb 0 ./sleeper > out 2> err; then fail 'not refused'; fi; }
refused "$PWD/bare"
grep -q 'no tmux on PATH.*--stop-on-exec' err || fail "$(cat err)"
refused /nowhere
grep -q 'there is no gdb on PATH' err || fail "$(cat err)"
mpirun -n 2 --gdb 2 ./sleeper > out 2> err && fail 'a rank too many is not refused'
grep -q 'ranks below 2' err || fail "$(cat err)"
