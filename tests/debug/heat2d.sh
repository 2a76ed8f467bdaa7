# The commands of docs/debugging.md, "A bug, step by step", print what is shown there.
. "$SOURCES/tests/debug/common.sh"
cp "$SOURCES/examples/heat2d.c" .

# What differs from run to run: times, rates, addresses, numbers of frames, process ids.
plain()
{
    sed -E -e 's/0x[0-9a-f]+/ADDRESS/g' -e 's/^#[0-9]+ +/#N /' -e 's/\(process [0-9]+\)/(process ID)/' \
        -e 's/[0-9.]+ (s|ms|us)\b/TIME/g' -e 's/[0-9]+ million cells/N million cells/' \
        -e 's/[0-9]+ messages\/s/N messages\/s/'
}

# The lines of the section's blocks: commands and what they print.
awk '/^## /{ own = /^## A bug, step by step/ } own && /^```/{ block = !block; next } own && block' \
    "$SOURCES/docs/debugging.md" > session
[ "$(grep -c '^\$ ' session)" -ge 10 ] || fail "the section is not there: $(cat session)"

# Runs a command in this shell, and compares.
check()
{
    set +e
    eval "$1" > printed 2>&1
    set -e
    plain < printed > found
    if ! plain < shown | cmp -s - found; then
        fail "\$ $1 printed
$(cat printed)
and the document shows
$(cat shown)"
    fi
}

command=
while IFS= read -r line <&3; do
    case $line in
    '$ '*)
        [ -z "$command" ] || check "$command"
        command=${line#\$ }
        : > shown
        ;;
    *) printf '%s\n' "$line" >> shown ;;
    esac
done 3< session
check "$command"
