#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Types every command of the operator's guide (docs/OPERATING-BACKUP.md), in its order, on the machines that it names,
# with the daemons of ./run dist: installation, use, and each disaster. A machine is a folder; paths, host names and
# ports of the guide are put into it.
#   tools/guide.sh                 half a minute, after ./run dist; needs no root
#   tools/guide.sh --debian ROOT   as root, word by word: each machine is a chroot over this root folder of a Debian in
#                                  which section 1 was followed up to the link /opt/shredder; only systemctl and scp are
#                                  stood in for
# In the guide, a block ```sh below a line "walk MACHINE" in a comment of HTML is typed there; "walk MACHINE: COMMAND"
# is a step that readers don't see, such as a disaster or a comparison, and "walk MACHINE, refused: COMMAND" one that
# must fail. ", with PROGRAM" behind the machine leaves a step out where there is no such program. "every" is all
# machines, and "keepers" those of the keepers, where keeper1.example.org is the machine's own name. A comment may go on
# over several lines. Exit codes: 0 all worked, 1 something didn't, 2 wrong usage.
set -euo pipefail
REPOSITORY=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
readonly REPOSITORY GUIDE=docs/OPERATING-BACKUP.md KEEPERS=(keeper1 keeper2 keeper3)
readonly MACHINES=(ca backup other source new-source "${KEEPERS[@]}")
readonly LIMIT_SECONDS=60

debian=''
case ${1:-} in
  '') ;;
  --debian) debian=${2:?guide: --debian needs a folder} ;;
  *) echo "usage: tools/guide.sh [--debian ROOT]" >&2; exit 2 ;;
esac
dist=$(echo "$REPOSITORY"/target/dist/shredder-*/)
dist=${dist%/}
[[ -n $debian || -d $dist ]] || { echo "guide: there is no distribution: run ./run dist first" >&2; exit 1; }
work=$(mktemp -d)

# The folder that a machine's / is.
root_of() { echo "$work/machines/$1"; }

# Where a machine's agent listens.
port_of() {
  if [[ $1 == other ]]; then echo "$other_port"; else echo "$backup_port"; fi
}

# Some free port of the loopback address. The other end of the range than where the kernel takes its own.
free_port() {
  local port
  while :; do
    port=$((10240 + RANDOM % 20000))
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}

# The loopback address of a machine; other ones have an agent each, and share one.
address_of() {
  case $1 in
    keeper?) echo "127.0.0.1${1#keeper}" ;;
    *) echo 127.0.0.1 ;;
  esac
}

# Puts the guide's words into a machine; a chroot takes them as they are. A keeper's are those of the first.
placed() {
  local root=$1 machine=$2 own=keeper1
  [[ $machine != keeper? ]] || own=$machine
  if [[ -n $debian ]]; then
    sed "s#keeper1\.example\.org#$own.example.org#g"
  else
    sed -E -e "s#keeper1\.example\.org#$own.example.org#g" -e "s#keeper([123])\.example\.org#127.0.0.1\1#g" \
      -e "s#0\.0\.0\.0:7422#$(address_of "$machine"):$keeper_port#g" -e "s#:7422#:$keeper_port#g" \
      -e "s#qmp:/run/#qmp:$root/run/#g" \
      -e "s#/opt/shredder#$dist#g" -e "s#(^|[ =\"'>])/(etc|var|srv|usr/local)/#\1$root/\2/#g" \
      -e "s#backup\.example\.org:7420#localhost:$backup_port#g" -e "s#other\.example\.org:7420#localhost:$other_port#g" \
      -e "s#(backup|other)\.example\.org#localhost#g" -e "s#0\.0\.0\.0:7420#127.0.0.1:$(port_of "$machine")#g" \
      -e "s#127\.0\.0\.1:7421#127.0.0.1:$monitoring_port#g"
  fi
}

example_configuration() {
  cat <<'END'
version: 1
agent: {address: backup.example.org:7420, certificate: client-site1.crt, key: client-site1.key, authority: ca.crt}
repository-key: {file: backup.key, secret-file: backup.secret}
state: /var/lib/shredder-backup-server
monitoring: 127.0.0.1:7421
jobs:
  nightly:
    schedule: "30 2 * * *"
    images:
      vm: {file: /srv/images/vm.img}
END
}

# What each machine has before the guide begins: a root, and images at the source.
prepare() {
  keeper_port=$(free_port) backup_port=$(free_port) other_port=$(free_port) monitoring_port=$(free_port)
  local machine root
  for machine in "${MACHINES[@]}"; do
    root=$(root_of "$machine")
    mkdir -p "$root"
    if [[ -n $debian ]]; then
      mkdir -p "$work/changes/$machine" "$work/overlay/$machine"
      mount -t overlay overlay -o "lowerdir=$debian,upperdir=$work/changes/$machine,workdir=$work/overlay/$machine" "$root"
      mount -t proc proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount --make-rslave "$root/dev"
      {
        printf '127.0.0.1 localhost backup.example.org\n127.0.0.2 other.example.org\n'
        printf '127.0.0.1%d keeper%d.example.org\n' 1 1 2 2 3 3
      } >"$root/etc/hosts"
    fi
    mkdir -p "$root"/{etc/systemd/system,etc/default,var/lib,srv/images,usr/local/bin,tmp}
    { echo '#!/bin/sh'; echo "cat >\"\$1\" <<'END'"; example_configuration | placed "$root" "$machine"; echo END; } >"$root/tmp/editor"
    chmod 0755 "$root/tmp/editor"
  done
  head -c 6000000 /dev/urandom >"$(root_of source)/srv/images/vm.img"
}

# What each shell begins with: stands in for what needs another machine, an init system or root.
prelude() {
  local root=$1 machine=$2
  if [[ -z $debian ]]; then
    echo "machines='$work/machines' root='$root' address=$(address_of "$machine") agent_port=$(port_of "$machine")"
    echo "monitoring_port=$monitoring_port keeper_port=$keeper_port"
  else
    # All chroots share the loopback addresses; one reaches another's files by the root of this process.
    echo "machines=/proc/$$/root$work/machines root= address=$(address_of "$machine")"
    echo "agent_port=7420 monitoring_port=7421 keeper_port=7422"
    [[ $machine != other ]] || echo "address=127.0.0.2"
  fi
  echo "limit=$LIMIT_SECONDS"
  cat <<'END'
export EDITOR=$root/tmp/editor HOME=$root/tmp PATH=$root/usr/local/bin:$PATH
scp() {
  local words=("$@") word
  for word in "${words[@]:0:$#-1}"; do
    cp "${word/#ca.example.org:/$machines/ca}" "${words[-1]}"
  done
}
# What the next step on this machine begins with.
leave() {
  declare -p from agent key admin other keepers >"$root/tmp/left" 2>/dev/null || :
  echo "cd '$PWD' 2>/dev/null || cd /" >>"$root/tmp/left"
}
# The value of a key of a unit, a line each.
unit_value() {
  sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$root/etc/systemd/system/$1.service" | sed -n "s/^$2=-\{0,1\}//p" | unit_placed
}
service_start() {
  local unit=$1 user state port=$agent_port
  user=$(unit_value "$unit" User)
  state=$root/var/lib/$(unit_value "$unit" StateDirectory)
  mkdir -p -m 0700 "$state"
  chown "$user": "$state"
  (
    while read -r variable; do export "${variable//\"/}"; done < <(unit_value "$unit" Environment)
    file=$(unit_value "$unit" EnvironmentFile)
    if [[ -r $file ]]; then set -a; . "$file"; set +a; fi
    before=$(unit_value "$unit" ExecStartPre)
    # shellcheck disable=SC2086 # Words, as systemd splits them.
    [[ -z $before ]] || runuser -u "$user" -- $before >/dev/null
    command=$(unit_value "$unit" ExecStart)
    command=${command/\$AGENT_OPTIONS/${AGENT_OPTIONS:-}}
    command=${command/\${REPOSITORY\}/${REPOSITORY:-}}
    command=${command/\${LISTEN\}/${LISTEN:-}}
    # shellcheck disable=SC2086
    cd / && exec_as "$user" ${command/\$KEEPER_OPTIONS/${KEEPER_OPTIONS:-}} >>"$root/tmp/$unit.log" 2>&1 &
    echo $! >"$root/tmp/$unit.pid"
  )
  case $unit in
    *-keeper) port=$keeper_port ;;
    *-server) port=$monitoring_port address=127.0.0.1 ;;
  esac
  for ((i = 0; i < limit * 10; i++)); do
    kill -0 "$(<"$root/tmp/$unit.pid")" || { cat "$root/tmp/$unit.log"; return 1; }
    ! (: <"/dev/tcp/$address/$port") 2>/dev/null || return 0
    sleep 0.1
  done
  echo "$unit does not listen" && return 1
}
service_stop() {
  local pid
  pid=$(cat "$root/tmp/$1.pid" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || return 0
  for ((i = 0; i < limit * 10; i++)); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
  echo "$1 does not stop" && return 1
}
systemctl() {
  local verb=$1 unit=${!#}
  case $verb in
    enable | start) service_start "$unit" ;;
    stop) service_stop "$unit" ;;
    restart) service_stop "$unit" && service_start "$unit" ;;
    reload) kill -HUP "$(<"$root/tmp/$unit.pid")" ;;
    *) echo "the guide's walk knows no systemctl $verb" && return 1 ;;
  esac
}
END
  if [[ -n $debian ]]; then
    cat <<'END'
unit_placed() { sed "s#0\.0\.0\.0:742#$address:742#"; }
exec_as() { local user=$1; shift; exec setpriv --reuid "$user" --regid "$user" --init-groups "$@"; }
END
  else
    echo "unit_placed() { $(declare -f placed); debian= dist='$dist' backup_port=$backup_port other_port=$other_port"
    echo "  monitoring_port=$monitoring_port keeper_port=$keeper_port; $(declare -f port_of address_of)"
    echo "  placed '$root' $machine; }"
    cat <<'END'
useradd() { :; }
chown() { :; }
runuser() { shift 3; "$@"; }
exec_as() { shift; exec "$@"; }
backup-server() { command backup-server "$@" --config "$root/etc/shredder/backup-server.yaml"; }
END
  fi
}

# Whether a machine has a program.
there() {
  if [[ -n $debian ]]; then chroot "$1" sh -c "command -v $2" >/dev/null; else command -v "$2" >/dev/null; fi
}

# Runs a step in a shell of its own, which goes on where the last one on this machine ended.
step() {
  local machine=$1 line=$2 kind=$3 text=$4 program=$5 root
  root=$(root_of "$machine")
  if [[ -n $program ]] && ! there "$root" "$program"; then
    echo "$GUIDE:$line: $machine: left out, for want of $program"
    return
  fi
  {
    echo 'set -euo pipefail'
    prelude "$root" "$machine"
    echo "[[ ! -r \$root/tmp/left ]] || . \"\$root/tmp/left\""
    if [[ $kind == refused ]]; then
      echo "if ( $(placed "$root" "$machine" <<<"$text") ); then echo 'this worked, and should not have'; exit 1; fi"
    else
      placed "$root" "$machine" <<<"$text"
    fi
    echo 'leave'
  } >"$root/tmp/step"
  local start=$SECONDS enter=(env "PATH=$PATH")
  [[ -z $debian ]] || enter=(chroot "$root")
  if ! (cd / && "${enter[@]}" bash "$([[ -n $debian ]] || echo "$root")/tmp/step") >"$work/output" 2>&1 </dev/null; then
    echo "$GUIDE:$line: on $machine this does not work:" >&2
    echo "$text" >&2
    echo "it says:" >&2
    cat "$work/output" >&2
    exit 1
  fi
  echo "$GUIDE:$line: $machine: works ($((SECONDS - start)) s)"
}

walk() {
  local text more number=0 machine='' in_block='' first block on program=''
  local with='(, with ([a-z0-9_-]+))?' visible hidden
  visible="^<!-- walk ([a-z0-9-]+)$with -->\$" hidden="^<!-- walk ([a-z0-9-]+)$with(, refused)?: (.*) -->\$"
  while IFS= read -r text; do
    number=$((number + 1))
    while [[ -z $in_block && $text == '<!-- walk '* && $text != *' -->' ]] && IFS= read -r more; do
      number=$((number + 1)) text+=" $more"
    done
    if [[ -n $in_block ]]; then
      if [[ $text == '```' ]]; then
        on=("$machine")
        [[ $machine != every ]] || on=("${MACHINES[@]}")
        [[ $machine != keepers ]] || on=("${KEEPERS[@]}")
        for machine in "${on[@]}"; do step "$machine" "$first" shown "$block" "$program"; done
        in_block='' machine='' program=''
      else
        block+=$text$'\n'
      fi
    elif [[ $text =~ $visible ]]; then
      machine=${BASH_REMATCH[1]} program=${BASH_REMATCH[3]}
    elif [[ $text == '<!-- minutes '* || $text == '<!-- containers -->' ]]; then
      while IFS= read -r more && [[ $more != '```' ]]; do number=$((number + 1)); done
      number=$((number + 1)) # tools/deb-check.sh and tools/oci-check.sh type these blocks.
    elif [[ $text =~ $hidden ]]; then
      step "${BASH_REMATCH[1]}" "$number" "${BASH_REMATCH[4]:+refused}" "${BASH_REMATCH[5]}" "${BASH_REMATCH[3]}"
    elif [[ $text == '```sh' ]]; then
      [[ -n $machine ]] || { echo "$GUIDE:$number: no comment says on which machine this block is walked" >&2; exit 1; }
      in_block=yes block='' first=$((number + 1))
    fi
  done <"$REPOSITORY/$GUIDE"
}

end() {
  local status=$? file machine
  for file in "$work"/machines/*/tmp/*.pid; do
    [[ ! -r $file ]] || kill "$(<"$file")" 2>/dev/null || :
  done
  wait
  if [[ -n $debian ]]; then
    for machine in "${MACHINES[@]}"; do
      umount -l "$(root_of "$machine")"/{dev,proc} "$(root_of "$machine")" 2>/dev/null || :
    done
    rm -rf --one-file-system "$work"
  else
    rm -rf "$work"
  fi
  [[ $status != 0 ]] || echo "guide: every command works (${SECONDS} s)"
  exit "$status"
}

trap end EXIT
trap 'exit 1' INT TERM
prepare
walk
