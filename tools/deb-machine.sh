#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the packages of tools/deb.sh in a machine of its own, with systemd as its first process: Debian 12, made by
# mmdebstrap, booted by QEMU from a file system image; as root. Both daemons run there by their units, are set up by
# 'init', back an image up and restore it; a daemon that hangs is started again; a unit is kept from what it has no
# business with. Packages: mmdebstrap, qemu-system-x86, e2fsprogs. The console is kept in target/deb-machine.log.
#   tools/deb-machine.sh [--accel tcg|kvm]      tcg, the default, runs anywhere, in some minutes
# Exit codes: 0 all worked, 1 something didn't, 2 wrong usage.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
readonly ROOTS=.tools/deb-roots DEBS=target/deb LIMIT_SECONDS=1200

fail() {
  echo "deb-machine: $*" >&2
  exit 1
}

accelerator=tcg
case ${1:-} in
  '') ;;
  --accel) accelerator=${2:?deb-machine: --accel needs a name} ;;
  *) echo "usage: tools/deb-machine.sh [--accel tcg|kvm]" >&2; exit 2 ;;
esac
for program in mmdebstrap qemu-system-x86_64 mkfs.ext4; do
  command -v "$program" >/dev/null || fail "there is no $program: apt-get install mmdebstrap qemu-system-x86 e2fsprogs"
done
[[ $(id -u) == 0 ]] || fail "only root can make clean roots: run it as root"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
tarball=$ROOTS/machine.tar
mkdir -p $ROOTS "$root"
[[ -s $tarball ]] || mmdebstrap --quiet --variant=apt \
  --include=ca-certificates,systemd-sysv,dbus,linux-image-cloud-amd64,default-jre-headless bookworm "$tarball" http://deb.debian.org/debian
tar -xf "$tarball" -C "$root" --numeric-owner
mkdir "$root/srv/walk"
cp "$DEBS"/*.deb "$root/srv/walk/"
chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/srv \
  bash -euc 'dpkg -i /srv/walk/*.deb' >"$work/install.log" 2>&1 || { cat "$work/install.log" >&2; fail "the packages can't be installed"; }
rm "$root"/srv/walk/*.deb
echo '/dev/vda / ext4 defaults 0 1' >"$root/etc/fstab"
printf '127.0.0.1 localhost backup.example.org\n' >"$root/etc/hosts"
# Whoever waits for a login takes the console from the walk.
ln -s /dev/null "$root/etc/systemd/system/serial-getty@ttyS0.service"

cat >"$root/etc/systemd/system/walk.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/srv/walk/walk
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
ExecStopPost=/usr/bin/systemctl --no-block poweroff
[Install]
WantedBy=default.target
UNIT
cat >"$root/srv/walk/walk" <<'WALK'
#!/bin/bash
# What an operator does, and what goes wrong.
set -euo pipefail
export HOME=/srv/walk
trap 'echo "walk: failed in line $LINENO"; journalctl --no-pager -u "shredder-*" | tail -40' ERR
await() {
  for _ in {1..600}; do
    ! "$@" >/dev/null 2>&1 || return 0
    sleep 0.2
  done
  return 1
}
main_pid() { systemctl show -p MainPID --value "$1"; }
head -c 60000000 /dev/urandom >/srv/vm.img
backup-agent init --address backup.example.org
systemctl is-active shredder-backup-agent
[[ $(systemctl show -p StatusText --value shredder-backup-agent) == "listens on port 7420" ]]
backup-agent invite site1 >/srv/walk/invite &
await grep -q 'init --token' /srv/walk/invite
token=$(sed -n 's/.*init --token //p' /srv/walk/invite)
shredder-backup init --token "$token" --image vm=/srv/vm.img --paper /srv/walk/paper
wait
systemctl is-active shredder-backup-server
[[ $(systemctl is-enabled shredder-backup-server) == enabled ]]
runuser -u shredder-backup -- backup-server run nightly
shredder-backup restore vm --to /srv/restored.img
cmp /srv/vm.img /srv/restored.img
shredder-backup verify
# The daemon itself makes a backup, within its unit.
sed -i 's/schedule: .*/schedule: "* * * * *"/' /etc/shredder/backup-server.yaml
systemctl reload shredder-backup-server
before=$(shredder-backup list --json | grep -o '"vm"' | wc -l)
more() { (($(shredder-backup list --json | grep -o '"vm"' | wc -l) > before)); }
await more
echo "walk: both daemons work within their units"
# A daemon that hangs is ended and started again.
for unit in shredder-backup-agent shredder-backup-server; do
  mkdir -p "/etc/systemd/system/$unit.service.d"
  printf '[Service]\nWatchdogSec=6s\nRestartSec=1s\n' >"/etc/systemd/system/$unit.service.d/walk.conf"
  systemctl daemon-reload
  systemctl restart $unit
  sleep 8
  old=$(main_pid $unit)
  [[ $(systemctl show -p NRestarts --value $unit) == 0 ]]
  kill -STOP "$old"
  anew() { [[ $(main_pid $unit) != "$old" && $(main_pid $unit) != 0 && $(systemctl is-active $unit) == active ]]; }
  await anew
  echo "walk: $unit hung, and was started again"
done
await shredder-backup list
# Others' files, devices and kernels are none of a unit's business.
may_not() {
  local unit=$1
  shift
  systemd-run --quiet --wait --pipe $(systemctl show "$unit" -p User -p ProtectSystem -p ProtectHome -p PrivateTmp \
    -p NoNewPrivileges -p CapabilityBoundingSet -p RestrictNamespaces -p SystemCallFilter -p DevicePolicy |
    grep -v '=$' | sed 's/^SystemCallFilter=.*/SystemCallFilter=@system-service/; s/ .*//; s/^/-p /') "$@" >/dev/null 2>&1
}
for unit in shredder-backup-agent shredder-backup-server; do
  for command in "touch /etc/x" "cat /srv/walk/paper" "unshare --user true" "mount -t tmpfs tmpfs /mnt" "touch /usr/x"; do
    ! may_not $unit $command || { echo "walk: $unit may $command"; false; }
  done
  systemd-analyze security $unit --no-pager | grep Overall
done
echo "walk: everything works"
WALK
chmod +x "$root/srv/walk/walk"
ln -s /etc/systemd/system/walk.service "$root/etc/systemd/system/multi-user.target.wants/walk.service"
kernel=$(echo "$root"/boot/vmlinuz-*) initial=$(echo "$root"/boot/initrd.img-*)
cp "$kernel" "$work/kernel"
cp "$initial" "$work/initial"
mkfs.ext4 -q -d "$root" "$work/disk.img" 3g

readonly CONSOLE=target/deb-machine.log
timeout $LIMIT_SECONDS qemu-system-x86_64 -accel "$accelerator" -cpu max -m 2048 -smp 2 -nographic -no-reboot -nic none \
  -kernel "$work/kernel" -initrd "$work/initial" -append "root=/dev/vda rw console=ttyS0 quiet" \
  -drive "file=$work/disk.img,if=virtio,format=raw" </dev/null >$CONSOLE 2>&1 || :
{ grep -a '^walk:\|Overall' $CONSOLE || :; } | tr -d '\r' | sed 's/^/deb-machine: /'
grep -aq '^walk: everything works' $CONSOLE || { tail -60 $CONSOLE >&2; fail "something didn't work"; }
echo "deb-machine: everything works ($SECONDS s, $accelerator)"
