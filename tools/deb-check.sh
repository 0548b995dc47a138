#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the packages of tools/deb.sh, as root, in clean roots of Debian 12 and 13 that mmdebstrap makes and
# .tools/deb-roots keeps (tools/packages.sh deb):
#   - lintian has nothing to say, each unit's exposure is at most 2.5, a second build gives the same bytes
#   - two machines go from nothing to a verified restore by the lines of docs/OPERATING-BACKUP.md, "In five minutes",
#     word by word, and how long that takes from the first apt-get on
#   - an upgrade keeps data and configuration; removing and purging leave repositories, certificates and keys
# With --machine, tools/deb-machine.sh proves the units, too: in a machine with systemd as its first process. With
# --ansible, packaging/ansible sets up two more such machines: it changes nothing the second time, and
# puts no configuration there that can't be read.
#   tools/deb-check.sh [--suite bookworm|trixie].. [--before FOLDER] [--machine] [--ansible]
#     --before FOLDER   packages of an older version, which are installed first; else the same ones under version 0
# Exit codes: 0 all worked, 1 something didn't, 2 wrong usage.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
readonly GUIDE=docs/OPERATING-BACKUP.md ROOTS=.tools/deb-roots DEBS=target/deb
readonly MOST_EXPOSURE=2.5 MOST_SECONDS=300 MOST_COMMANDS=8

usage() {
  echo "usage: tools/deb-check.sh [--suite bookworm|trixie].. [--before FOLDER] [--machine] [--ansible]" >&2
  exit 2
}

fail() {
  echo "deb-check: $*" >&2
  exit 1
}

# Whose network the machines have.
loopback=
suites=()
before=
machine=
ansible=
while (($#)); do
  case $1 in
    --suite) suites+=("${2:?deb-check: --suite needs a name}"); shift ;;
    --before) before=$(realpath "${2:?deb-check: --before needs a folder}"); shift ;;
    --machine) machine=yes ;;
    --ansible) ansible=yes ;;
    *) usage ;;
  esac
  shift
done
((${#suites[@]})) || suites=(bookworm trixie)
[[ $(id -u) == 0 ]] || fail "only root can make clean roots: run it as root"
for program in mmdebstrap lintian systemd-analyze unshare ip; do
  command -v "$program" >/dev/null || fail "there is no $program: tools/packages.sh deb"
done
[[ -z $ansible ]] || command -v ansible-playbook >/dev/null || fail "there is no ansible-playbook: tools/packages.sh deb"
compgen -G "$DEBS/*.deb" >/dev/null || fail "there are no packages: run ./run dist and tools/deb.sh first"
(cd $DEBS && sha256sum --quiet --check SHA256SUMS)

work=$(mktemp -d)
agents=()
end() {
  local agent name
  for agent in "${agents[@]}" $loopback; do kill "$agent" 2>/dev/null || :; done
  wait
  for name in backup source; do
    ! mountpoint -q "$work/$name" || umount --recursive --lazy "$work/$name"
  done
  rm -rf --one-file-system "$work"
}
trap end EXIT

# The root folder of a suite, as a tarball.
root_of() {
  local tarball=$ROOTS/$1.tar
  mkdir -p $ROOTS
  [[ -s $tarball ]] || mmdebstrap --quiet --variant=apt --include=ca-certificates "$1" "$tarball" http://deb.debian.org/debian
  echo "$tarball"
}

# new_machine NAME SUITE: a machine with the packages in /root.
new_machine() {
  local root=$work/$1
  mkdir "$root"
  tar -xf "$(root_of "$2")" -C "$root" --numeric-owner
  mount --make-private --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind --make-rslave /dev "$root/dev"
  cp /etc/resolv.conf "$root/etc/"
  echo "127.0.0.1 localhost $(uname -n) backup.example.org" >"$root/etc/hosts"
  # Nothing starts by being installed: there is no first process here.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
  cp "$DEBS"/*.deb "$root/root/"
  # As an installed Debian has done.
  on "$1" apt-get update >"$work/step.log" 2>&1 || { cat "$work/step.log" >&2; fail "apt-get update failed"; }
}

# on MACHINE COMMAND..: as its root.
on() { (exec_on "$@"); }

# The same in the place of this shell, so that a signal gets there. Only apt-get has a network; all else has a loopback
# of its own, where every port is free.
exec_on() {
  local network=(nsenter "--net=/proc/$loopback/ns/net")
  [[ "$*" != *apt-get* ]] || network=()
  exec "${network[@]}" chroot "$work/$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    "${@:2}" </dev/null
}

# The guide's lines for a machine.
lines_for() { sed -n "/^<!-- minutes $1 -->/,/^\`\`\`\$/{/^<!--/d; /^\`\`\`/d; p}" $GUIDE; }

image() {
  head -c 700000000 /dev/urandom
  head -c 300000000 /dev/zero
}

# What the two machines are told, a line at a time. invite waits for the other machine, and without a first process the
# agent is started as init says.
five_minutes() {
  local suite=$1 start line commands=0 token='' seconds
  new_machine backup "$suite"
  new_machine source "$suite"
  mkdir -p "$work/source/srv/images"
  image >"$work/source/srv/images/vm.img"
  start=$SECONDS
  while read -r line; do
    commands=$((commands + 1))
    case $line in
      "backup-agent init "*)
        on backup bash -euc "cd; $line" >"$work/init.txt"
        # shellcheck disable=SC2046 # Words.
        exec_on backup $(grep '^  backup-agent serve' "$work/init.txt") >"$work/agent.log" 2>&1 &
        agents+=($!)
        ;;
      "backup-agent invite "*)
        exec_on backup bash -euc "cd; exec $line" >"$work/invite.txt" &
        agents+=($!)
        until token=$(grep -o 'init --token .*' "$work/invite.txt"); do sleep 0.1; done
        token=${token#init --token }
        ;;
      *)
        on backup bash -euc "cd; $line" >"$work/step.log" 2>&1 || { cat "$work/step.log" >&2; fail "failed: $line"; }
        ;;
    esac
  done < <(lines_for backup)
  while read -r line; do
    commands=$((commands + 1))
    on source env TOKEN="$token" bash -euc "cd; $line" >"$work/step.log" 2>&1 ||
      { cat "$work/step.log" "$work/agent.log" >&2; fail "failed: $line"; }
  done < <(lines_for source)
  seconds=$((SECONDS - start))
  cmp "$work/source/srv/images/vm.img" "$work/source/srv/restored.img"
  ((commands <= MOST_COMMANDS && seconds <= MOST_SECONDS)) || fail "$commands commands and $seconds s are too much"
  echo "deb-check: $suite: a verified restore of 1 GB after $commands commands and $seconds s"
}

# play OPTION..: the example's site, on the two machines.
play() {
  nsenter "--net=/proc/$loopback/ns/net" ansible-playbook -u root -i "$work/inventory.yml" packaging/ansible/site.yml "$@" \
    >"$work/play.log" 2>&1
}

# Whether the last play changed a machine.
changed() { grep -q 'changed=[1-9]' "$work/play.log"; }

inventory() {
  cat <<END
all:
  vars: {shredder_packages: "$work/packages", ansible_connection: community.general.chroot}
  children:
    shredder_agents: {hosts: {backup.example.org: {ansible_host: "$work/backup"}}}
    shredder_sources:
      hosts: {site1.example.org: {ansible_host: "$work/source", shredder_images: {vm: /srv/images/vm.img}}}
END
}

by_ansible() {
  local suite=$1 name settings
  mkdir -p "$work/packages"
  cp $DEBS/shredder-{tools,backup-agent,backup-server}_*.deb "$work/packages"
  inventory >"$work/inventory.yml"
  for name in backup source; do
    new_machine $name "$suite"
    # What is downloaded before it needs no network then.
    on $name bash -euc 'cd /root; apt-get install --yes python3; apt-get install --yes --download-only ./shredder-*.deb' \
      >"$work/step.log" 2>&1 || { cat "$work/step.log" >&2; fail "the machines can't be prepared"; }
  done
  mkdir -p "$work/source/srv/images"
  image >"$work/source/srv/images/vm.img"
  play || { cat "$work/play.log" >&2; fail "Ansible failed"; }
  changed || { cat "$work/play.log" >&2; fail "Ansible changed nothing"; }
  # As its unit would.
  exec_on backup backup-agent serve --repo /var/lib/shredder-agent/repository --listen 0.0.0.0:7420 \
    --rights /etc/shredder/rights.yaml --cert /etc/shredder/agent.crt --key /etc/shredder/agent.key \
    --ca /etc/shredder/ca.crt >"$work/agent.log" 2>&1 &
  agents+=($!)
  on source bash -euc 'runuser -u shredder-backup -- backup-server run nightly
      shredder-backup restore vm --to /srv/restored.img' >"$work/step.log" 2>&1 || { cat "$work/step.log" "$work/agent.log" >&2; fail "what Ansible set up makes no backup"; }
  cmp "$work/source/srv/images/vm.img" "$work/source/srv/restored.img"
  play || { cat "$work/play.log" >&2; fail "Ansible failed the second time"; }
  ! changed || { cat "$work/play.log" >&2; fail "Ansible changed something the second time"; }
  settings='{"shredder_settings": {"jobs": {"nightly": {"schedule": "WHEN", "images": {"vm": {"file": "/srv/images/vm.img"}}}}}}'
  play -e "${settings/WHEN/15 1 * * *}" || { cat "$work/play.log" >&2; fail "Ansible writes no configuration"; }
  grep -q '15 1 \* \* \*' "$work/source/etc/shredder/backup-server.yaml"
  ! play -e "${settings/WHEN/61 1 * * *}" || fail "Ansible puts a configuration there that can't be read"
  on source backup-server check-config >"$work/step.log"
  echo "deb-check: $suite: Ansible sets both up, changes nothing twice, and keeps a wrong configuration away"
}

# Prints the packages of this that a machine has.
# shellcheck disable=SC2016 # It is dpkg-query that expands.
packages_on() { on "$1" dpkg-query -W -f='${Package}\n' 'shredder-*'; }

# packages_from MACHINE FOLDER: what of a folder in /root replaces them.
packages_from() {
  local package
  for package in $(packages_on "$1"); do
    (cd "$work/$1/root" && ls "./$2/${package}"_*.deb)
  done
}

# What an operator has, and what he has changed.
state_of() {
  (cd "$work/$1" && { find etc/shredder var/lib/shredder* etc/default/shredder* srv root/backup-key.txt -type f 2>/dev/null || :; } |
    LC_ALL=C sort | xargs -d '\n' sha256sum)
}

# The same packages under a version that is older than all.
older_packages() {
  local package folder
  if [[ -d $work/older ]]; then
    echo "$work/older" # Made for the suite before.
    return
  fi
  mkdir "$work/older"
  for package in "$DEBS"/*.deb; do
    folder=$work/unpacked
    rm -rf "$folder"
    dpkg-deb -R "$package" "$folder"
    sed -i -E 's/^Version: .*/Version: 0.0.1/; s/\(= [^)]*\)/(= 0.0.1)/' "$folder/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone -b "$folder" "$work/older" >/dev/null
  done
  echo "$work/older"
}

life() {
  local suite=$1 name options before_state old=${before:-}
  [[ -n $old ]] || old=$(older_packages)
  for name in backup source; do
    # What five_minutes installed is taken back to the older version: its data and configuration stay.
    rm -rf "$work/$name/root/older"
    cp -r "$old" "$work/$name/root/older"
    # shellcheck disable=SC2046 # Names without spaces.
    on "$name" env -C /root dpkg --force-downgrade -i $(packages_from "$name" older) \
      >"$work/step.log" 2>&1 || { cat "$work/step.log" >&2; fail "the older packages can't be installed"; }
    for options in "$work/$name"/etc/default/shredder-backup-*; do
      echo '# An operator was here.' >>"$options"
    done
  done
  for name in backup source; do
    before_state=$(state_of $name)
    # shellcheck disable=SC2046
    on $name env -C /root apt-get install --yes $(packages_from $name .) \
      >"$work/step.log" 2>&1 || { cat "$work/step.log" >&2; fail "the upgrade failed"; }
    [[ $(state_of $name) == "$before_state" ]] || fail "an upgrade changed: $(diff <(echo "$before_state") <(state_of $name))"
    on $name apt-get remove --yes shredder-tools >"$work/step.log" 2>&1
    [[ ! -e $work/$name/usr/bin/shredder-backup && ! -e $work/$name/usr/bin/backup-agent ]] || fail "a program outlived its removal"
    [[ $(state_of $name) == "$before_state" ]] || fail "a removal changed: $(diff <(echo "$before_state") <(state_of $name))"
    # shellcheck disable=SC2046
    on $name dpkg --purge $(packages_on $name) >"$work/step.log" 2>&1
    [[ $(state_of $name) == "$(grep -v ' etc/default/' <<<"$before_state")" ]] || fail "a purge took what is not the package's"
    [[ ! -e $work/$name/etc/default/shredder-backup-agent && ! -e $work/$name/etc/default/shredder-backup-server ]] || fail "a purge left options"
    # Its folders, with bytecode or quick starts within, are gone.
    [[ ! -e $work/$name/usr/share/shredder && ! -e $work/$name/var/cache/shredder ]] || fail "a purge left files of the package"
  done
  echo "deb-check: $suite: upgrade from $(dpkg-deb -f "$(echo "$old"/shredder-tools_*.deb)" Version), removal and purge keep what is the operator's"
}

take_down() {
  local name
  for name in "${agents[@]}"; do
    kill "$name" 2>/dev/null || :
    wait "$name" || :
  done
  agents=()
  for name in backup source; do
    umount --recursive --lazy "$work/$name"
    rm -rf --one-file-system "${work:?}/$name"
  done
}

check_lint() {
  local said
  said=$(lintian --fail-on error,warning "$DEBS"/*.deb 2>&1 | grep -E '^[EW]: ' || :)
  [[ -z $said ]] || fail "lintian says: $said"
  echo "deb-check: lintian has nothing to say; installed: $(for package in "$DEBS"/*.deb; do
    echo "$(dpkg-deb -f "$package" Package) $(dpkg-deb -f "$package" Installed-Size) KiB"; done | paste -sd, | sed 's/,/, /g')"
}

check_exposure() {
  local unit level
  for unit in packaging/systemd/*.service; do
    level=$(systemd-analyze security --offline=true "$unit" 2>/dev/null | sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p')
    awk "BEGIN {exit !(\"$level\" != \"\" && $level <= $MOST_EXPOSURE)}" || fail "$unit has an exposure of $level"
    echo "deb-check: ${unit##*/}: exposure $level"
  done
}

check_same_bytes() {
  cp $DEBS/SHA256SUMS "$work/first"
  tools/deb.sh >/dev/null
  cmp "$work/first" $DEBS/SHA256SUMS || fail "a second build gave other bytes"
  echo "deb-check: a second build gave the same bytes"
}

unshare --net sh -c 'ip link set lo up; exec sleep infinity' &
loopback=$!
check_lint
check_exposure
check_same_bytes
for suite in "${suites[@]}"; do
  five_minutes "$suite"
  life "$suite"
  take_down
  [[ -z $ansible ]] || { by_ansible "$suite"; take_down; }
done
[[ -z $machine ]] || tools/deb-machine.sh
echo "deb-check: everything works ($SECONDS s)"
