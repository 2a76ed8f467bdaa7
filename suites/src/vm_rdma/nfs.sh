# An NFS server and two hosts that have its folder mounted, on three sets of namespaces: a host has
# a network, a name, a boot id, a /tmp and a /dev/shm of its own.
set -e
mkdir -p /export /nfs /run/hosts /run/rpc_pipefs /var/lib/nfs/v4recovery
touch /var/lib/nfs/etab /var/lib/nfs/rmtab /var/lib/nfs/xtab
mount -t tmpfs -o size=1g tmpfs /export
chmod 777 /export
mount -t nfsd nfsd /proc/fs/nfsd
mount -t rpc_pipefs rpc_pipefs /run/rpc_pipefs

/bin/ip link add nfs0 type bridge
/bin/ip addr add 10.78.0.254/24 dev nfs0
/bin/ip link set nfs0 up

echo '/export *(rw,fsid=0,no_root_squash,no_subtree_check,insecure)' >/etc/exports
exportfs -ra
rpc.mountd --no-nfs-version 3
rpc.nfsd --no-nfs-version 3 --no-udp 4
# The server refuses opens for as long as clients of one before might come back: none does.
echo Y >/proc/fs/nfsd/v4_end_grace || true

for number in 1 2; do
    host=nfs$number
    unshare -n -u -i -m sleep 86400 &
    pid=$!
    echo $pid >/run/hosts/$host
    for try in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(readlink /proc/$pid/ns/net)" != "$(readlink /proc/1/ns/net)" ] && break
        sleep 0.1
    done
    /bin/ip link add $host type veth peer name eth0 netns $pid
    /bin/ip link set $host master nfs0 up
    printf '%08d-0000-4000-8000-000000000000\n' $number >/run/hosts/$host.boot
    nsenter -t $pid -n -u -i -m sh -e -c "
        hostname $host
        mount -t tmpfs tmpfs /tmp
        mount -t tmpfs tmpfs /dev/shm
        mount --bind /run/hosts/$host.boot /proc/sys/kernel/random/boot_id
        /bin/ip link set lo up
        /bin/ip addr add 10.78.0.$number/24 dev eth0
        /bin/ip link set eth0 up
        mount.nfs -o vers=4.2,nosharecache 10.78.0.254:/ /nfs
        echo $host >/nfs/$host"
done

# A host sees what the other has written.
nsenter -t $(cat /run/hosts/nfs1) -m grep -q nfs2 /nfs/nfs2
grep nfs /proc/$(cat /run/hosts/nfs1)/mounts

cat >/bin/agent <<'END'
#!/applets/sh
# Runs a command on a host, as ssh does.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
# Ranks wait for each other on few processors, which are slow.
export OXMPI_MCA_mpi_yield_when_idle=1
exec nsenter -t $(cat /run/hosts/$host) -n -u -i -m sh -c "$*"
END
chmod +x /bin/agent
