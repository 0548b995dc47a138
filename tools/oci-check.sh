#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the images of tools/oci.sh and packaging/compose.yaml, as root, without Docker or Podman (tools/packages.sh
# oci):
#   - a second build gives the same bytes; the images have their labels and the bill of materials, no lists, no logs
#   - the Compose file is as the Compose Specification's schema has it, which is fetched, pinned, from Go's registry
#   - the guide's lines ("In containers") do what they say, word by word, from nothing to a verified restore of 64 MB;
#     both daemons are well by the file's own checks, and end with exit code 0 at SIGTERM
# Each container is a sandbox of bubblewrap: the unpacked image, which can't be written; the image's user, without
# capabilities and new privileges, its program the first process; the volumes and /tmp that the file names. The two
# share a loopback that nobody else has. The sandbox stands for what the file asks of an engine; an engine isn't tried.
#   tools/oci-check.sh [--once]    --once: without the second build
# Exit codes: 0 all worked, 1 something didn't, 2 wrong usage.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
readonly GUIDE=docs/OPERATING-BACKUP.md COMPOSE=packaging/compose.yaml OCI=target/oci
readonly SCHEMA=github.com/compose-spec/compose-go/v2@v2.16.2
readonly SCHEMA_SUM=h1:pTp1DqQwJzFd85GzlWsSszKA1ABrV/ySqsClujIcWA8=
readonly MOST_SECONDS=120

fail() {
  echo "oci-check: $*" >&2
  exit 1
}

twice=yes
case ${1:-} in
  '') ;;
  --once) twice= ;;
  *) echo "usage: tools/oci-check.sh [--once]" >&2; exit 2 ;;
esac
[[ $(id -u) == 0 ]] || fail "only root can unpack images with their users: run it as root"
for program in umoci jq bwrap setpriv nsenter unshare ip; do
  command -v "$program" >/dev/null || fail "there is no $program: tools/packages.sh oci"
done
compgen -G "$OCI/*.oci.tar" >/dev/null || fail "there are no images: run tools/oci.sh first"
(cd $OCI && sha256sum --quiet --check SHA256SUMS)

work=$(mktemp -d)
chmod 755 "$work"
declare -A running=()
loopback=
end() {
  local process
  for process in "${running[@]}" $loopback; do kill -KILL "$process" 2>/dev/null || :; done
  { wait; } 2>/dev/null
  rm -rf --one-file-system "$work"
}
trap end EXIT

# Leaves an image unpacked in $work/NAME, and checks what it is made of.
unpack() {
  local name=$1 archive layout=$work/$1.layout config
  archive=$(echo $OCI/"$name"-*.oci.tar)
  mkdir "$layout"
  tar -xf "$archive" -C "$layout"
  SHREDDER_VERSION=$(umoci list --layout "$layout")
  SHREDDER_VERSION=${SHREDDER_VERSION#"$name:"}
  export SHREDDER_VERSION
  umoci unpack --image "$layout:$name:$SHREDDER_VERSION" "$work/$name" 2>"$work/step.log" || { cat "$work/step.log" >&2; fail "$archive can't be unpacked"; }
  chmod 755 "$work/$name"
  # Engines make the place of their own file.
  touch "$work/$name/rootfs/etc/hosts"
  blob() { echo "$layout/blobs/${1/://}"; }
  config=$(blob "$(jq -r .config.digest "$(blob "$(jq -r '.manifests[0].digest' "$layout/index.json")")")")
  jq -e --arg revision "$(git rev-parse HEAD)" '.config.Labels | .["org.opencontainers.image.revision"] == $revision
    and .["org.opencontainers.image.licenses"] == "Apache-2.0" and (.["org.opencontainers.image.version"] | length > 0)
    and (.["org.opencontainers.image.source"] | length > 0)' "$config" >/dev/null || fail "$name lacks a label, or is of another commit"
  jq -e '.process.user.uid > 0 and .process.user.gid > 0' "$work/$name/config.json" >/dev/null || fail "$name runs as root"
  [[ -s $work/$name/rootfs/usr/share/doc/shredder-tools/sbom.cdx.json.gz ]] || fail "$name has no bill of materials"
  left=$(cd "$work/$name/rootfs" && find var/lib/apt/lists var/cache/apt var/log tmp -type f -size +0 2>/dev/null)
  [[ -z $left ]] || fail "$name has $left"
}

# Sets model, the Compose file as JSON.
read_compose() {
  local go answer schema
  go=$(command -v go || echo /usr/local/go/bin/go)
  mkdir "$work/go"
  answer=$(cd "$work/go" && GOMODCACHE=$work/go GOFLAGS=-modcacherw "$go" mod download -json "$SCHEMA" 2>&1) || fail "$answer"
  [[ $answer == *"\"Sum\": \"$SCHEMA_SUM\""* ]] || fail "$SCHEMA is not what is pinned"
  schema=$(sed -n 's/^\t"Dir": "\(.*\)",$/\1/p' <<<"$answer")/schema/compose-spec.json
  model=$(tools/compose-model.py "$schema" $COMPOSE)
  jq -e '[.services[] | .read_only and .cap_drop == ["ALL"] and .security_opt == ["no-new-privileges:true"]
    and .restart == "unless-stopped" and (.healthcheck.test | length > 1)] | all' <<<"$model" >/dev/null ||
    fail "a service in $COMPOSE lacks one of read_only, cap_drop, no-new-privileges, restart, healthcheck"
  # The schema must be able to say no.
  sed 's/read_only: true/read_only: [true]/' $COMPOSE >"$work/wrong.yaml"
  ! tools/compose-model.py "$schema" "$work/wrong.yaml" >/dev/null 2>&1 || fail "a wrong Compose file passed"
}

of() { jq -r --arg service "$1" ".services[\$service] | $2" <<<"$model"; }

image_of() { of "$1" '.image | split(":")[0]'; }

# The volume of a service that NAME:FOLDER names; a new one is whose the image's folder is, as engines do.
volume() {
  local name=$1 place=$2
  if [[ ! -d $work/volumes/$name ]]; then
    mkdir -p "$work/volumes"
    cp -a --no-dereference "$place" "$work/volumes/$name"
  fi
  echo "$work/volumes/$name"
}

# Sets sandbox: what a container of a service begins with, but for its program. More volumes follow the service.
contain() {
  local service=$1 root user group mount from to mode
  shift
  root=$work/$(image_of "$service")/rootfs
  user=$(jq .process.user.uid "$root/../config.json") group=$(jq .process.user.gid "$root/../config.json")
  sandbox=(nsenter "--net=/proc/$loopback/ns/net" setpriv --reuid "$user" --regid "$group" --clear-groups --bounding-set=-all
    --no-new-privs bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --uid "$user" --gid "$group" --as-pid-1
    --ro-bind "$root" / --proc /proc --dev /dev --ro-bind "$work/hosts" /etc/hosts --clearenv --chdir /)
  while IFS='=' read -r from to; do sandbox+=(--setenv "$from" "$to"); done < <(jq -r '.process.env[]' "$root/../config.json")
  for mount in $(of "$service" '.tmpfs[]'); do sandbox+=(--perms 1777 --tmpfs "${mount%%:*}"); done
  for mount in $(of "$service" '.volumes[]') "$@"; do
    IFS=: read -r from to mode <<<"$mount"
    mkdir -p "$root$to"
    [[ $from == /* ]] || from=$(volume "$from" "$root$to")
    sandbox+=("--${mode:+ro-}bind" "$from" "$to")
  done
  id=$user
}

# What 'docker compose' is told in the guide, done here.
docker() {
  [[ $1 == compose ]] || fail "the guide has docker $*"
  case $2 in
    run) compose_run "${@:3}" ;;
    up) compose_up "${@:3}" ;;
    exec) compose_exec "${@:3}" ;;
    *) fail "the guide has docker $*" ;;
  esac
}

compose_run() {
  local program='' volumes=()
  while [[ $1 == --* ]]; do
    case $1 in
      --rm) ;;
      --entrypoint) program=$2; shift ;;
      --volume) volumes+=("$2"); shift ;;
      *) fail "the guide runs with $1" ;;
    esac
    shift
  done
  await_others "$1"
  contain "$1" "${volumes[@]}"
  [[ -n $program ]] || program=$(jq -r '.process.args[0]' "$work/$(image_of "$1")/config.json")
  "${sandbox[@]}" "$program" "${@:2}" </dev/null
}

# As depends_on has it.
await_others() {
  local other
  for other in $(of "$1" '.depends_on // {} | keys[]'); do await_health "$other"; done
}

await_health() {
  local start=$SECONDS
  until check_health "$1" 2>/dev/null; do
    kill -0 "${running[$1]}" 2>/dev/null || { cat "$work/$1.log" >&2; fail "$1 ended"; }
    ((SECONDS - start < MOST_SECONDS)) || { cat "$work/$1.log" >&2; fail "$1 is not well after $MOST_SECONDS s"; }
    sleep 0.2
  done
}

# The file's own check, in the container.
check_health() {
  local words
  mapfile -t words < <(of "$1" '.healthcheck.test[1:][]')
  compose_exec "$1" "${words[@]}"
}

compose_up() {
  local arguments process descriptors
  [[ $1 == --detach ]] || fail "the guide starts $1 in front"
  await_others "$2"
  contain "$2"
  mapfile -t arguments < <(jq -r '.process.args[]' "$work/$(image_of "$2")/config.json")
  descriptors=$(of "$2" .ulimits.nofile)
  (ulimit -n "$descriptors" && exec "${sandbox[@]}" "${arguments[@]}") </dev/null >"$work/$2.log" 2>&1 &
  running[$2]=$!
  until process=$(first_process "$2") && [[ $(readlink "/proc/$process/exe") =~ /(bash|java)$ ]]; do
    kill -0 "${running[$2]}" 2>/dev/null || { cat "$work/$2.log" >&2; fail "$2 ended"; }
    sleep 0.05
  done
}

# Prints the first process of a service's container: the only child of what bubblewrap leaves outside.
first_process() {
  local process=${running[$1]} child
  child=$(<"/proc/$process/task/$process/children") || return 1
  [[ -n $child ]] && echo "${child% }"
}

compose_exec() {
  local service=$1 process
  process=$(first_process "$service") || return 1
  contain "$service"
  nsenter --target "$process" --user --mount --pid --net --ipc --uts --root --wd --setuid "$id" --setgid "$id" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${@:2}" </dev/null
}

# Ends a service as an engine does, by SIGTERM to its first process.
stop() {
  local status=0
  kill -TERM "$(first_process "$1")"
  wait "${running[$1]}" || status=$?
  unset "running[$1]"
  [[ $status == 0 ]] || { cat "$work/$1.log" >&2; fail "$1 ended with $status at SIGTERM"; }
}

# The guide's lines, one at a time; invite waits for the other machine.
walk() {
  local line token=''
  while read -r line; do
    case $line in
      *" invite "*)
        eval "$line" >"$work/invite.txt" 2>"$work/invite.log" &
        running[invite]=$!
        until token=$(grep -o 'init --token .*' "$work/invite.txt"); do
          kill -0 "${running[invite]}" 2>/dev/null || { cat "$work"/*.log >&2; fail "failed: $line"; }
          sleep 0.1
        done
        TOKEN=${token#init --token }
        export TOKEN
        continue
        ;;
    esac
    eval "${line//\/srv\/restored/$work/restored}" >"$work/step.log" 2>&1 || { cat "$work/step.log" "$work"/*.log >&2; fail "failed: $line"; }
  done < <(sed -n "/^<!-- containers -->/,/^\`\`\`\$/{/^<!--/d; /^\`\`\`/d; p}" $GUIDE)
  wait "${running[invite]}"
  unset 'running[invite]'
}

# Nothing of an image can be written, and nobody is root.
try_to_write() {
  local service
  for service in agent server; do
    ! compose_exec "$service" bash -c 'echo x >/usr/x' 2>/dev/null || fail "$service can write to its image"
    ! compose_exec "$service" bash -c 'grep -q "^Cap...:.*[1-9a-f]" /proc/1/status' || fail "$service has capabilities"
    compose_exec "$service" bash -c 'grep -q "^NoNewPrivs:.1" /proc/1/status' || fail "$service may get new privileges"
    [[ $(compose_exec "$service" bash -c 'readlink /proc/1/exe') == */bin/java ]] || fail "the first process of $service isn't the daemon"
  done
}

if [[ -n $twice ]]; then
  tools/oci.sh "$work/again" >"$work/step.log" 2>&1 || { cat "$work/step.log" >&2; fail "the second build failed"; }
  cmp $OCI/SHA256SUMS "$work/again/SHA256SUMS" || fail "two builds differ"
  rm -r "$work/again"
  echo "oci-check: a second build gives the same bytes"
fi
unpack shredder-backup-agent
unpack shredder-backup-server
SHREDDER_IMAGES=$work/images
export SHREDDER_IMAGES
read_compose
echo "oci-check: $COMPOSE is as the Compose Specification has it"
unshare --net bash -c 'ip link set lo up && exec sleep infinity' &
loopback=$!
echo "127.0.0.1 localhost agent server" >"$work/hosts"
mkdir "$work/images" "$work/restored"
chmod 777 "$work/restored"
{ head -c 48000000 /dev/urandom; head -c 16000000 /dev/zero; } >"$work/images/vm.img"
start=$SECONDS
walk
cmp "$work/images/vm.img" "$work/restored/vm.img"
await_health agent
await_health server
try_to_write
stop server
! check_health server 2>/dev/null || fail "the check of server holds though it has ended"
stop agent
echo "oci-check: the guide's lines gave a verified restore of 64 MB in $((SECONDS - start)) s; both ended with 0"
