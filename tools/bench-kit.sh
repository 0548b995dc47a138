#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs './run bench backup --cores ...' and './run bars scale' of a built tree (./run build) with the programs that
# they measure and a Java runtime of their own into target/bench-kit.tar.gz, for a Linux machine that has neither a JDK
# nor Maven nor a network; with --peers also restic and rustic, as tools/peers/backup.sh left them in
# .tools/backup-peers, into target/bench-peers.tar.gz. There:
#   mkdir kit && tar xzf bench-kit.tar.gz -C kit && tar xzf bench-peers.tar.gz -C kit
#   kit/run bars scale --work /dev/shm/scale --budget 9m      # as often as it says that units are left
# It needs bash, coreutils, GNU tar, cmp, setpriv and taskset, which every Debian has. docs/BENCHMARKS.md says more.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17
. tools/kit.sh

peers=
for word in "$@"; do
  case $word in
    --peers) peers=.tools/backup-peers/bin ;;
    *) echo "usage: tools/bench-kit.sh [--peers]" >&2; exit 2 ;;
  esac
done

kit_begin bench-kit
mkdir -p "$kit/bin" "$kit/tools" "$kit/backup-server/target" "$kit/backup-agent/target" "$kit/bench"
kit_jars "^$PWD/backup-agent/"
cp -L "$(kit_own_jar backup-server)" "$kit/backup-server/target/"
cp -L "$(kit_own_jar backup-agent)" "$kit/backup-agent/target/"
cp bin/launch.sh bin/shredder-backup bin/backup-server bin/backup-agent "$kit/bin/"
cp tools/quick-start.sh "$kit/tools/"
cp "$(kit_own_jar integration-tests)" "$kit/bench/"
git describe --always --abbrev=12 --dirty=+ '--exclude=*' >"$kit/COMMIT"
kit_runtime jdk.jartool

# quick-start.sh sources this in a checkout to find a JDK.
cat >"$kit/tools/environment.sh" <<'SH'
# shellcheck shell=bash
use_jdk17() {
  JAVA_HOME=$PWD/jre
  export JAVA_HOME PATH="$JAVA_HOME/bin:$PATH"
}
SH

cat >"$kit/run" <<'SH'
#!/usr/bin/env bash
# Runs the bench with the runtime and the programs beside this file: 'run bench backup --cores ...' or 'run bars scale',
# options as with --help. Relative paths begin at this file's folder.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
. tools/environment.sh
use_jdk17

# Class paths are written once this folder has its place, and the quick start is made as a build makes it.
if [[ ! -r place || $(<place) != "$PWD" ]]; then
  others=$(printf '%s:' "$PWD"/lib/*.jar)
  others=${others%:}
  echo -n "$others" >backup-agent/target/classpath.txt
  echo -n "$(echo "$PWD"/backup-agent/target/backup-agent-*.jar):$others" >backup-server/target/classpath.txt
  tools/quick-start.sh || echo "run: no quick start, so commands start more slowly" >&2
  echo "$PWD" >place
fi

classes=$(echo "$PWD"/bench/*.jar):$(echo "$PWD"/backup-server/target/backup-server-*.jar):$(<backup-server/target/classpath.txt)
case "${1:-} ${2:-}" in
  "bench backup") main=bench.BackupMain options=("${@:3}") ;;
  "bars scale") main=bars.BarsMain options=("${@:2}") ;;
  *) echo "usage: run bench backup --cores 1,2,..., or run bars scale; with --help for options" >&2; exit 2 ;;
esac
exec jre/bin/java -Xmx1g -cp "$classes" "io.shredder.it.$main" "${options[@]}"
SH
chmod +x "$kit/run"
kit_pack 'bench kit'

if [[ -n $peers ]]; then
  found=()
  for program in restic rustic; do
    if [[ -x $peers/$program ]]; then
      found+=("$program")
    else
      echo "bench kit: no $program in $peers: tools/peers/backup.sh .tools/backup-peers $program builds it" >&2
    fi
  done
  packed=$(mktemp -d)
  trap 'rm -rf "$packed"' EXIT
  mkdir -p "$packed/$peers"
  for program in "${found[@]}"; do
    cp -L "$peers/$program" "$packed/$peers/"
    strip "$packed/$peers/$program" 2>/dev/null || true
  done
  tar -C "$packed" -cf - . | gzip -9 >target/bench-peers.tar.gz
  echo "bench peers: $PWD/target/bench-peers.tar.gz, $(($(stat -c %s target/bench-peers.tar.gz) >> 20)) MiB: ${found[*]:-none}"
fi
