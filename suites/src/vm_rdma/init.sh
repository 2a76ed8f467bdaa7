#!/bin/busybox sh
# The first process of the virtual machine: it makes the RDMA device, runs every file of /checks in
# the order of their names, and switches the machine off. Its lines for the host begin with @@.
/bin/busybox mkdir -p /applets /proc /sys /dev /tmp /run /root
/bin/busybox --install -s /applets
export PATH=/opt/oxmpi/bin:/usr/sbin:/usr/bin:/sbin:/bin:/applets HOME=/root

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/shm /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t devpts devpts /dev/pts
chmod 1777 /tmp /dev/shm
hostname vm
ulimit -l unlimited
# Libraries that lie where they are not looked for: one package's own, and ours, which lay elsewhere
# when the programs were linked.
/sbin/ldconfig /usr/lib/libpsm1 /opt/oxmpi/lib
. /etc/settings

# Whatever hangs: the machine does not outlive its time.
(sleep "$LIMIT"; echo "@@ late"; poweroff -f) &

failed() {
    echo "@@ broken $*"
    poweroff -f
}

for module in $(cat /modules/order); do
    insmod "/modules/$module" || failed "cannot load $module"
done
# By its path: this shell takes its own `ip` otherwise, which makes no pairs.
/bin/ip link set lo up || failed "no loopback"
/bin/ip link add veth0 type veth peer name veth1 || failed "no veth pair"
/bin/ip addr add 10.77.0.1/24 dev veth0 || failed "no address"
/bin/ip link set veth0 up && /bin/ip link set veth1 up || failed "the veth pair does not come up"
rdma link add rxe0 type rxe netdev veth0 || failed "no device rxe0"
echo "@@ up $(cut -d' ' -f1 /proc/uptime) $(rdma link show rxe0/1)"

for check in /checks/*; do
    name=${check##*/??-}
    echo "@@ begin $name"
    from=$(cut -d. -f1 /proc/uptime)
    timeout -k 5 "$CHECK_LIMIT" sh "$check" </dev/null 2>&1
    code=$?
    # The lines of a check may end anywhere; the mark has to begin one.
    echo
    echo "@@ end $name $code $(($(cut -d. -f1 /proc/uptime) - from))"
done
dmesg | grep -iE 'rxe|infiniband|segfault|oom' | tail -20
echo "@@ done"
poweroff -f
