#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the trials of a built tree (./run build) with a Java runtime of their own into target/trials-kit.tar.gz, for a Linux machine that has neither a
# JDK nor Maven nor a network. There:  mkdir kit && tar xzf trials-kit.tar.gz -C kit && kit/trials --work /dev/shm/trials --budget 9m
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17

kit=target/trials-kit
rm -rf "$kit" "$kit.tar.gz"
mkdir -p "$kit/lib"

# What only daemons' monitoring and timetables, GPUs, or machines of other kinds need, stays behind.
left_behind='jcuda|prometheus|micrometer|cron-utils|jakarta|osx|windows|aarch'
IFS=: read -r -a jars <<<"$(<backup-server/target/classpath.txt)"
for jar in backup-server/target/backup-server-[0-9]*.jar "${jars[@]}"; do
  [[ $jar =~ $left_behind|-tests\.jar|-sources\.jar ]] || cp -L "$jar" "$kit/lib/"
done
tests=$(mktemp -d)
trap 'rm -rf "$tests"' EXIT
cp -r backup-agent/target/test-classes/. backup-server/target/test-classes/. "$tests"
rm -f "$tests"/*.xml
jar --create --file "$kit/lib/trials.jar" -C "$tests" .
cp -L "$(tr : '\n' <backup-agent/target/test-classpath.txt | grep 'assertj-core')" "$kit/lib/"
zip -q -d "$kit"/lib/zstd-jni-*.jar 'aix/*' 'darwin/*' 'freebsd/*' 'win/*' 'linux/aarch64/*' 'linux/arm/*' 'linux/i386/*' \
  'linux/loongarch64/*' 'linux/mips64/*' 'linux/ppc64/*' 'linux/ppc64le/*' 'linux/riscv64/*' 'linux/s390x/*' 2>/dev/null || true

jlink --add-modules java.base,java.logging,java.management,java.naming,java.sql,java.xml,java.security.jgss,java.security.sasl,jdk.unsupported,jdk.crypto.ec,jdk.jcmd \
  --strip-debug --no-man-pages --no-header-files --compress=2 --output "$kit/jre"

cat >"$kit/trials" <<'SH'
#!/bin/sh
# Runs the trials with the runtime and the jars beside this file; options as in './run trials --help'.
here=$(cd "$(dirname "$0")" && pwd)
[ -e "$here/jre/lib/server/classes.jsa" ] || "$here/jre/bin/java" -Xshare:dump >/dev/null 2>&1
path=
for jar in "$here"/lib/*.jar; do path=$path${path:+:}$jar; done
exec "$here/jre/bin/java" -Xmx4g -cp "$path" io.shredder.backup.server.TrialsMain "$@"
SH
chmod +x "$kit/trials"
tar -C "$kit" -czf "$kit.tar.gz" .
echo "trials kit: $PWD/$kit.tar.gz, $(($(stat -c %s "$kit.tar.gz") >> 20)) MiB; unpacked $(du -sm "$kit" | cut -f1) MiB"
