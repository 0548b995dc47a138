#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs './run bench backup --cores ...', './run bench dispersal', './run bars scale' and, with the object store that
# SHREDDER_S3_SERVER names there, './run bars store --only kills,speed', with QEMU in /usr/bin there './run bars open
# --only tracked', of a distribution (./run dist) with the programs that they measure and a Java runtime of their own
# into target/bench-kit.tar.xz, for a Linux machine that has neither a JDK nor Maven nor a network; with --peers also
# restic and rustic, as tools/peers/backup.sh left them in .tools/backup-peers, into target/bench-peers.tar.gz. There:
#   mkdir kit && tar xJf bench-kit.tar.xz -C kit && tar xzf bench-peers.tar.gz -C kit
#   kit/run bars scale --work /dev/shm/scale --budget 9m      # as often as it says that units are left
# It needs bash, coreutils, GNU tar, xz, cmp, setpriv and taskset, which every Debian has. docs/BENCHMARKS.md says more.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17
. tools/kit.sh
. bin/launch.sh

peers=
for word in "$@"; do
  case $word in
    --peers) peers=.tools/backup-peers/bin ;;
    *) echo "usage: tools/bench-kit.sh [--peers]" >&2; exit 2 ;;
  esac
done

# Only the engine on GPUs needs JCuda.
kit_begin bench-kit '^jcuda'
mkdir "$kit/bench"
cp "$(built_jar integration-tests '')" "$(built_jar backup-server -tests)" "$(built_jar backup-agent -tests)" "$kit/bench/"
for jar in "$kit"/bench/*-tests.jar; do
  zip -q -d "$jar" '*Test.class' '*Test$*.class' '*IT.class' '*IT$*.class'
done
# What the trials of 'bars store' compare with.
tr ':' '\n' <integration-tests/target/classpath.txt | grep -E '/(assertj-core|byte-buddy)-[0-9]' | xargs cp -t "$kit/bench/"
commit >"$kit/COMMIT"
kit_runtime

cat >"$kit/run" <<'SH'
#!/usr/bin/env bash
# Runs the bench with the runtime and the programs beside this file: 'run bench backup --cores ...', 'run bench
# dispersal', 'run bars scale', 'run bars store --only kills,speed' or 'run bars open --only tracked', options as with
# --help. Relative paths begin at this file's folder.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
JAVA_HOME=$PWD/jre
export JAVA_HOME PATH="$JAVA_HOME/bin:$PATH"

# The quick start is made as a build makes it, once this folder has its place.
if [[ ! -r place || $(<place) != "$PWD" ]]; then
  bin/shredder-quick-start || echo "run: no quick start, so commands start more slowly" >&2
  echo "$PWD" >place
fi

. bin/launch.sh
jars=("$PWD"/bench/*.jar)
classes=$(IFS=:; echo "${jars[*]}"):$(class_path backup-server)
case "${1:-} ${2:-}" in
  "bench backup" | "bench dispersal" | "bars scale" | "bars store" | "bars open") ;;
  *)
    echo "usage: run bench backup, bench dispersal, bars scale, bars store or bars open; each has --help" >&2
    exit 2
    ;;
esac
exec jre/bin/java -Xmx1g -cp "$classes" io.shredder.it.Measure "$@"
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
