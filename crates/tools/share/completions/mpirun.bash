# Made from the table of options; a test keeps it so.
_oxmpi_mpirun() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local info=oxmpi_info
    case $1 in */*) info=${1%/*}/oxmpi_info ;; esac
    COMPREPLY=()
    case $before in
        -n|--n|-np|--np|-c|--c) return ;;
        -app|--app|-configfile|--configfile) COMPREPLY=($(compgen -f -- "$word")); return ;;
        -wdir|--wdir|-wd|--wd) COMPREPLY=($(compgen -d -- "$word")); return ;;
        -path|--path) COMPREPLY=($(compgen -d -- "$word")); return ;;
        -abi|--abi) COMPREPLY=($(compgen -W 'ompi40 mpich12 standard' -- "$word")); return ;;
        -usize|--usize|-universe-size|--universe-size) return ;;
        -host|--host|-H|--H|-hosts|--hosts) return ;;
        -hostfile|--hostfile|-machinefile|--machinefile|-f|--f) COMPREPLY=($(compgen -f -- "$word")); return ;;
        -default-hostfile|--default-hostfile) COMPREPLY=($(compgen -f -- "$word")); return ;;
        -map-by|--map-by|-mapby|--mapby) COMPREPLY=($(compgen -W 'slot node package numa l3cache core hwthread seq rankfile' -- "$word")); return ;;
        -rank-by|--rank-by|-rankby|--rankby) COMPREPLY=($(compgen -W 'slot node fill span core' -- "$word")); return ;;
        -bind-to|--bind-to|-bindto|--bindto) COMPREPLY=($(compgen -W 'none core hwthread package numa' -- "$word")); return ;;
        -rankfile|--rankfile|-rf|--rf) COMPREPLY=($(compgen -f -- "$word")); return ;;
        -npernode|--npernode|-N|--N) return ;;
        -npersocket|--npersocket) return ;;
        -ppn|--ppn|-perhost|--perhost|-ppr|--ppr|-grr|--grr) return ;;
        -cpus-per-proc|--cpus-per-proc|-cpus-per-rank|--cpus-per-rank) return ;;
        -cpu-set|--cpu-set|-cpu-list|--cpu-list) return ;;
        -display|--display) COMPREPLY=($(compgen -W 'map allocation bind' -- "$word")); return ;;
        -output|--output) return ;;
        -output-filename|--output-filename|-output-directory|--output-directory) COMPREPLY=($(compgen -d -- "$word")); return ;;
        -outfile-pattern|--outfile-pattern) return ;;
        -errfile-pattern|--errfile-pattern) return ;;
        -stdin|--stdin) return ;;
        -x|--x|-set-env|--set-env) return ;;
        -env|--env) return ;;
        -unset-env|--unset-env) return ;;
        -genv|--genv) return ;;
        -envlist|--envlist) return ;;
        -genvlist|--genvlist) return ;;
        -mca|--mca|-gmca|--gmca|-omca|--omca|-gomca|--gomca|-prtemca|--prtemca) COMPREPLY=($(compgen -W "$("$info" --all --parsable 2>/dev/null | sed -n "s/^mca:[^:]*:[^:]*:param:\([^:]*\):value:.*/\1/p")" -- "$word")); return ;;
        -tune|--tune|-am|--am) return ;;
        -iface|--iface) return ;;
        -timeout|--timeout) return ;;
        -report-deadlock|--report-deadlock) return ;;
        -with-ft|--with-ft) return ;;
        -initial-errhandler|--initial-errhandler) return ;;
        -tool|--tool) return ;;
        -gdb|--gdb) return ;;
        -prefix|--prefix) COMPREPLY=($(compgen -d -- "$word")); return ;;
        -launch-agent|--launch-agent) COMPREPLY=($(compgen -f -- "$word")); return ;;
        -launcher-exec|--launcher-exec|-bootstrap-exec|--bootstrap-exec) return ;;
        -launcher|--launcher|-bootstrap|--bootstrap) return ;;
        -rmk|--rmk) return ;;
        -name-server|--name-server|-ompi-server|--ompi-server|-nameserver|--nameserver) return ;;
        -trace|--trace) COMPREPLY=($(compgen -f -- "$word")); return ;;
        -trace-records|--trace-records) return ;;
        -trace-keep|--trace-keep) return ;;
        -topolib|--topolib|-demux|--demux) return ;;
        -personality|--personality|-stream-buffering|--stream-buffering) return ;;
        -pmixmca|--pmixmca) return ;;
    esac
    case $word in
        -*) COMPREPLY=($(compgen -W '-n -np -c --app --configfile --wdir -wd --path --abi --usize --universe-size --host -H --hosts --hostfile --machinefile -f --default-hostfile --nolocal --skip-launch-node --map-by --mapby --rank-by --rankby --bind-to --bindto --rankfile -rf --npernode -N --pernode --npersocket --ppn --perhost --ppr --grr --bynode -rr --byslot --bycore --cpus-per-proc --cpus-per-rank --use-hwthread-cpus --cpu-set --cpu-list --bind-to-core --bind-to-socket --bind-to-none --oversubscribe --nooversubscribe --report-bindings --display-map --display-allocation --display --tag-output --prepend-rank -l --timestamp-output --output --output-filename --output-directory --outfile-pattern --errfile-pattern --merge-stderr-to-stdout --stdin -x --set-env --env --unset-env --genv --envlist --genvlist --envnone --genvnone --mca --gmca --omca --gomca --prtemca --tune -am --iface --timeout --report-deadlock --enable-recovery --continuous --disable-auto-cleanup --with-ft --initial-errhandler --tool --check --gdb --backtrace --stop-on-exec --stop-in-init --prefix --launch-agent --launcher-exec --bootstrap-exec --launcher --bootstrap --rmk --name-server --ompi-server --nameserver --explain --trace --trace-summary --trace-records --trace-keep -q --quiet -v --verbose --version -V --help -h -? --genvall --envall --allow-run-as-root --noprefix --disable-recovery --leave-session-attached --debug-daemons --enable-x --disable-x --novm --no-ready-msg --hetero-nodes --hybrid-hosts --pmi-port --topolib --demux --personality --stream-buffering --pmixmca --preload-binary --preload-files --xml --xterm --dvm --max-restarts' -- "$word")) ;;
        *) COMPREPLY=($(compgen -c -- "$word") $(compgen -f -- "$word")) ;;
    esac
}
case $BASH_SOURCE in
    *.oxmpi) complete -o filenames -F _oxmpi_mpirun mpirun.oxmpi mpiexec.oxmpi ;;
    *) complete -o filenames -F _oxmpi_mpirun mpirun mpiexec ;;
esac
