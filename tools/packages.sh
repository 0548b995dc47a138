#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what a group of work needs and the machine lacks: tools/packages.sh GROUP ..., of build, check, demo, open,
# care, bars-open, deb, oci and peers.
# Debian 12 or later; as root, or through sudo. What is there already is left alone.
set -euo pipefail

declare -A PACKAGES=(
  [build]="ca-certificates git openjdk-17-jdk-headless maven cmake ninja-build g++ libgtest-dev nlohmann-json3-dev
           libbenchmark-dev libipsec-mb-dev libzstd-dev
           python3 python3-venv python3-pip procps
           qemu-utils"
  [check]="clang-format-14 clang-tidy-14 shellcheck file"
  [demo]="e2fsprogs dpkg sqlite3 util-linux"
  [open]="libnbd-bin nbdkit qemu-system-x86 qemu-utils libvirt-clients libvirt-daemon libvirt-daemon-driver-qemu
          qemu-guest-agent ovmf"
  [care]="prometheus chromium chromium-driver"
  [bars-open]="libnbd-bin nbdkit qemu-utils qemu-system-x86 bubblewrap e2fsprogs xfsprogs btrfs-progs ntfs-3g dosfstools
               mtools fdisk parted mmdebstrap syslinux extlinux socat sqlite3 libguestfs-tools"
  [deb]="debhelper asciidoctor zip lintian mmdebstrap ansible iproute2"
  [oci]="mmdebstrap dpkg-dev umoci jq bubblewrap iproute2 util-linux golang-go python3-jsonschema python3-yaml"
  [peers]="gcc libacl1-dev liblz4-dev libssl-dev libxxhash-dev libzstd-dev pkg-config python3-dev python3-venv"
)

missing_of() {
  local group package
  for group in "$@"; do
    [[ -n ${PACKAGES[$group]:-} ]] || { echo "packages: unknown group '$group'; take build, check, demo, open, care, bars-open, deb, oci or peers" >&2; exit 2; }
    for package in ${PACKAGES[$group]}; do
      [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
    done
  done
}

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo --non-interactive "$@"; fi
}

install_packages() {
  local log
  log=$(mktemp)
  if ! as_root env DEBIAN_FRONTEND=noninteractive sh -c '
      apt-get -qq -o Acquire::Retries=3 update &&
      apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"' sh "$@" \
      >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    echo "packages: could not install: $*; install them by hand as root and run again" >&2
    exit 1
  fi
  rm -f "$log"
}

main() {
  [[ $# -gt 0 ]] || { echo "usage: tools/packages.sh build|check|demo|open|care|bars-open|deb|oci|peers ..." >&2; exit 2; }
  command -v apt-get >/dev/null || {
    echo "packages: this machine has no apt-get; install by hand what tools/packages.sh lists for: $*" >&2
    exit 1
  }
  local names
  names=$(missing_of "$@")
  [[ -n $names ]] || return 0
  mapfile -t missing <<<"$names"
  echo "packages: installing ${missing[*]}"
  install_packages "${missing[@]}"
}

main "$@"
