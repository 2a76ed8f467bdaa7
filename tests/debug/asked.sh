# SIGUSR1 again and again, faster than ranks answer, is answered: by a report each time that they have
# been asked twice, not by none.
. "$SOURCES/tests/debug/common.sh"
mpicc "$SOURCES/tests/waits/wrong.c" -o wrong
# Rank 3 sleeps outside of MPI, so each of the two questions takes its full second.
mpirun -n 4 --timeout 60 --report-deadlock 100 ./wrong sleeper > said 2>&1 &
launcher=$!
sleep 1
for _ in $(seq 45); do
    kill -USR1 $launcher
    sleep .1
done
# The last one was a tenth of a second ago.
reports=$(grep -c "^mpirun: culprit: rank 3" said || true)
kill -TERM $launcher
wait $launcher || true
[ "$reports" -ge 1 ] && [ "$reports" -le 6 ] || fail "$reports reports of 45 signals: $(cat said)"
