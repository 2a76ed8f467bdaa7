# The commands of docs/debugging.md, "Logs", and the one that misspells a parameter print what is shown
# there but for numbers, in some order, and lines that are not shown.
. "$SOURCES/tests/debug/common.sh"
mpicc "$SOURCES/examples/hello.c" -o hello

awk '/^## /{ own = /^## (Which transport|Logs)/ } own && /^```/{ block = !block; next } own && block' \
    "$SOURCES/docs/debugging.md" > session
[ "$(grep -c '^\$ .*base_verbos' session)" = 2 ] || fail "the commands are not there: $(cat session)"

plain()
{
    sed -E -e 's/[0-9]+/N/g' -e 's/\(lo\)|\([a-z]+N[a-z0-9]*\)/(DEVICE)/'
}

wanted=
while IFS= read -r line <&3; do
    case $line in
    '$ '*base_verbos*)
        wanted=1
        eval "${line#\$ }" > printed 2>&1 || true
        plain < printed > found
        ;;
    '$ '*) wanted= ;;
    ...) ;;
    *)
        if [ -n "$wanted" ] && ! grep -qxF "$(printf '%s\n' "$line" | plain)" found; then
            fail "not printed: $line
$(cat printed)"
        fi
        ;;
    esac
done 3< session
