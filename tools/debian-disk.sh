#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the disk of a small Debian 12 that starts on any PC and says 'login:' on its serial console: a boot partition
# with SYSLINUX and a root of ext4; nothing is mounted. For boot tests and `./run bars open`.
# Packages: mmdebstrap, syslinux, extlinux, mtools, dosfstools, fdisk, e2fsprogs. Only root can make clean roots.
#   tools/debian-disk.sh [--packages NAME,...] [--service PROGRAM] FILE [MIB]
#     FILE        the disk, made anew
#     MIB         of the root partition, 1,500 by default
#     --packages  more of Debian's packages to have in it
#     --service   a program that is started with it, and writes to its serial console
# Exit codes: 0 made, 1 something is missing or failed, 2 wrong usage.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

fail() {
  echo "debian-disk: $*" >&2
  exit 1
}

usage() {
  echo "usage: tools/debian-disk.sh [--packages NAME,...] [--service PROGRAM] FILE [MIB]" >&2
  exit 2
}

packages='' service=''
while [[ ${1:-} == --* ]]; do
  case $1 in
    --packages) packages=${2:-} ;;
    --service) service=$(realpath "${2:-}") ;;
    *) usage ;;
  esac
  shift 2 || usage
done
(($# == 1 || $# == 2)) || usage
disk=$(realpath "$1") root_mib=${2:-1500}
[[ $root_mib =~ ^[0-9]{3,6}$ ]] || { echo "debian-disk: MIB must be 100 to 999999, not '$root_mib'" >&2; exit 2; }
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
readonly ROOTS=.tools/deb-roots BOOT_MIB=128
for program in mmdebstrap syslinux mcopy mkfs.vfat sfdisk mkfs.ext4; do
  command -v "$program" >/dev/null ||
    fail "there is no $program: apt-get install mmdebstrap syslinux extlinux mtools dosfstools fdisk e2fsprogs"
done
[[ $(id -u) == 0 ]] || fail "only root can make clean roots: run it as root"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
tarball=$ROOTS/disk${packages:+-${packages//,/-}}.tar root=$work/root
mkdir -p $ROOTS "$root"
if [[ ! -s $tarball ]]; then
  mmdebstrap --quiet --variant=apt \
    --include="systemd-sysv,dbus,udev,linux-image-cloud-amd64${packages:+,$packages}" bookworm $ROOTS/part-disk.tar \
    http://deb.debian.org/debian
  mv $ROOTS/part-disk.tar "$tarball"
fi
tar -xf "$tarball" -C "$root" --numeric-owner
echo guest >"$root/etc/hostname"
printf 'LABEL=root / ext4 defaults 0 1\n' >"$root/etc/fstab"
ln -sf /usr/lib/systemd/system/serial-getty@.service \
  "$root/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service"
if [[ -n $service ]]; then
  install -m 755 "$service" "$root/usr/local/sbin/service"
  printf '%s\n' '[Service]' ExecStart=/usr/local/sbin/service StandardOutput=file:/dev/console Restart=always \
    >"$root/etc/systemd/system/service.service"
  ln -sf /etc/systemd/system/service.service "$root/etc/systemd/system/multi-user.target.wants/service.service"
fi

# What the firmware reads: a FAT file system with boot loader, kernel and initial file system.
boot=$work/boot.img
truncate -s ${BOOT_MIB}M "$boot"
mkfs.vfat -n BOOT -h 2048 "$boot" >/dev/null
cat >"$work/syslinux.cfg" <<'CONFIG'
SERIAL 0 115200
DEFAULT debian
LABEL debian
  LINUX /vmlinuz
  INITRD /initrd.img
  APPEND root=LABEL=root rw console=ttyS0
CONFIG
cp "$root"/boot/vmlinuz-* "$work/vmlinuz"
cp "$root"/boot/initrd.img-* "$work/initrd.img"
MTOOLS_SKIP_CHECK=1 mcopy -i "$boot" "$work/vmlinuz" "$work/initrd.img" "$work/syslinux.cfg" ::/
mkfs.ext4 -q -L root -d "$root" "$work/root.img" "${root_mib}m" >/dev/null 2>&1

rm -f "$disk"
truncate -s $((BOOT_MIB + root_mib + 2))M "$disk"
sfdisk -q "$disk" <<TABLE
label: dos
start=1MiB, size=${BOOT_MIB}MiB, type=c, bootable
start=$((BOOT_MIB + 1))MiB, size=${root_mib}MiB, type=83
TABLE
mbr=$(find /usr/lib /usr/share -ipath '*linux*' -name mbr.bin -print -quit)
[[ -n $mbr ]] || fail "there is no mbr.bin: apt-get install extlinux"
dd if="$mbr" of="$disk" bs=440 count=1 conv=notrunc status=none
dd if="$boot" of="$disk" bs=1M seek=1 conv=notrunc,sparse status=none
syslinux --install --offset 1048576 "$disk"
dd if="$work/root.img" of="$disk" bs=1M seek=$((BOOT_MIB + 1)) conv=notrunc,sparse status=none
echo "debian-disk: $disk, $(du -m "$disk" | cut -f1) MB on disk"
