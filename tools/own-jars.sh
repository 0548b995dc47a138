#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Brings the jars of others that the backup's programs start with from the builder's Maven repository, which is in a
# home folder, to target/jars: services run as users who can't look into homes. Linked where that can be done, else
# copied; each module's class path then names them there.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

# Prints where a jar is from now on.
own() {
  local jar=$1 here=$PWD/target/jars/${1##*/}
  if [[ $jar == "$PWD"/* ]]; then
    echo "$jar"
    return
  fi
  if [[ ! $jar -ef $here ]] && ! cmp -s "$jar" "$here"; then
    [[ -z ${taken[$here]:-} ]] || { echo "own-jars: $jar and ${taken[$here]} have the same name: change one" >&2; exit 1; }
    ln -f "$jar" "$here" 2>/dev/null || cp --force "$jar" "$here"
  fi
  echo "$here"
}

declare -A taken=()
mkdir -p target/jars
for list in backup-agent/target/classpath.txt backup-agent/target/hadoop-classpath.txt backup-server/target/classpath.txt; do
  IFS=: read -r -a jars < <(cat "$list"; echo)
  owned=()
  for jar in "${jars[@]}"; do
    here=$(own "$jar")
    taken[$here]=$jar
    owned+=("$here")
  done
  (IFS=:; echo -n "${owned[*]}") >"$list.new"
  mv "$list.new" "$list"
done
