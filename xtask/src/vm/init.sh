#!/bin/busybox sh
# The first program of the virtual machine. It has the files of the machine that it runs on, to be read; what is
# written stays in memory, and below /tmp on a disk that is new.
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t devtmpfs dev /dev
for module in /modules/*; do insmod "$module"; done
mount -t 9p -o trans=virtio,version=9p2000.L,cache=loose,ro,msize=524288 host /host
mount -t tmpfs tmpfs /written
mkdir /written/files /written/work
mount -t overlay -o lowerdir=/host,upperdir=/written/files,workdir=/written/work overlay /machine
mount -t proc proc /machine/proc
mount -t sysfs sys /machine/sys
mount -t cgroup2 cgroup2 /machine/sys/fs/cgroup
mount -t ext4 /dev/vda /machine/tmp
chmod 1777 /machine/tmp
mount --move /dev /machine/dev
mkdir -p /machine/dev/shm
mount -t tmpfs -o mode=1777 tmpfs /machine/dev/shm
mount -t tmpfs tmpfs /machine/run
ifconfig lo 127.0.0.1 up
cp /command /machine/run/command
exec switch_root /machine /bin/sh -c 'sh /run/command < /dev/null; echo "the command ended with $?"; sync
    echo o > /proc/sysrq-trigger; while :; do :; done'
