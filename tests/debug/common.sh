# Shared by the scripts of this folder. PREFIX is the installation, SOURCES this project's root; a
# script runs in a folder of its own, which is removed.
set -eu
PATH=$PREFIX/bin:$PATH
export DEBUGINFOD_URLS=

fail()
{
    echo "$*"
    exit 1
}

# Waits until a command succeeds, for 20 seconds at most.
until_true()
{
    for _ in $(seq 200); do
        if "$@" > /dev/null 2>&1; then return 0; fi
        sleep .1
    done
    fail "never true: $*"
}

# Prints the program's process ids, by rank: pids FILE, where ranks have written "rank pid".
pid_of()
{
    sed -n "s/^$1 \([0-9]*\)$/\1/p" "$2"
}
