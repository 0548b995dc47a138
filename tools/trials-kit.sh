#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the trials of a built tree (./run dist) with a Java runtime of their own into target/trials-kit.tar.xz, for a
# Linux machine that has neither a JDK nor Maven nor a network. There:
#   mkdir kit && tar xJf trials-kit.tar.xz -C kit && kit/trials --work /dev/shm/trials --budget 9m
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17
. tools/kit.sh
. bin/launch.sh

# Nor are daemons' monitoring and timetables needed.
kit_begin trials-kit '^(jcuda|prometheus|micrometer|cron-utils)'
cp "$(built_jar integration-tests '')" "$(built_jar backup-agent -tests)" "$(built_jar backup-server -tests)" "$kit/lib/"
cp -L "$(tr : '\n' <integration-tests/target/classpath.txt | grep '/assertj-core-')" "$kit/lib/"
kit_runtime

cat >"$kit/trials" <<'SH'
#!/bin/sh
# Runs the trials with the runtime and the jars beside this file; options as in './run trials --help'.
here=$(cd "$(dirname "$0")" && pwd)
[ -e "$here/jre/lib/server/classes.jsa" ] || "$here/jre/bin/java" -Xshare:dump >/dev/null 2>&1
path=
for jar in "$here"/lib/*.jar; do path=$path${path:+:}$jar; done
exec "$here/jre/bin/java" -Xmx4g -cp "$path" io.shredder.it.Measure trials "$@"
SH
chmod +x "$kit/trials"
kit_pack 'trials kit'
