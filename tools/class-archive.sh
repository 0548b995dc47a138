#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes backup-server/target/shredder-backup.jsa: the classes of bin/shredder-backup, parsed ahead (JEP 310), so that a command starts sooner. Which
# classes those are is seen by running each command once, on an agent of its own. Without the archive everything works all the same.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17
# shellcheck source=../bin/launch.sh
. bin/launch.sh

archive=backup-server/target/shredder-backup.jsa
work=$(mktemp -d)
agent=
end() {
  [[ -z $agent ]] || kill "$agent" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

rm -f "$archive"
bin/backup-agent certs --out "$work/certs" --agent-host localhost --client build >"$work/log"
bin/shredder-backup key create "$work/key" --new-secret-file "$work/secret" >>"$work/log"
printf 'clients:\n  build:\n    rights: [append, restore, prune]\n' >"$work/rights.yaml"
identity() { echo "--cert $work/certs/$1.crt --key $work/certs/$1.key --ca $work/certs/ca.crt"; }
# shellcheck disable=SC2046 # identity prints several words.
bin/backup-agent serve --repo "$work/repository" --rights "$work/rights.yaml" --listen 127.0.0.1:0 --port-file "$work/port" \
  $(identity agent) >"$work/agent.log" 2>&1 &
agent=$!
until [[ -s $work/port ]]; do
  kill -0 "$agent" || { cat "$work/agent.log" >&2; exit 1; }
  sleep 0.1
done

# Runs a command of shredder-backup and notes which classes it loads.
note() {
  # shellcheck disable=SC2046
  SHREDDER_JAVA_OPTS="-Xshare:off -XX:DumpLoadedClassList=$work/classes-$1" bin/shredder-backup "$@" \
    --agent "localhost:$(<"$work/port")" $(identity client-build) >>"$work/log"
}
seal=(--repository-key "$work/key" --secret-file "$work/secret")
cp bin/launch.sh "$work/image"
note backup "$work/image" --name x "${seal[@]}" --cache "$work/cache"
mv "$work/classes-backup" "$work/classes-first"
note backup "$work/image" --name x "${seal[@]}" --cache "$work/cache"
note restore x --to "$work/restored" "${seal[@]}"
note verify
note prune x --keep-last 1 --gc
# Proxies of lambdas are left out: archiving them ends OpenJDK 17 with a crash.
cat "$work"/classes-* | grep -v '^@lambda' | awk '!seen[$0]++' >"$work/classes"
"$(find_java)" -Xshare:dump -XX:ErrorFile="$work/crash" -XX:SharedClassListFile="$work/classes" -XX:SharedArchiveFile="$archive" \
  -cp "$(class_path backup-server)" >>"$work/log" 2>&1 || { grep -v "^\[" "$work/log" | tail -5 >&2; exit 1; }
