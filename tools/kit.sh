# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by tools/trials-kit.sh and tools/bench-kit.sh, in the checkout's folder: packs programs of a built tree with a
# Java runtime of their own, for a Linux machine that has neither a JDK nor Maven nor a network.

# What only GPUs' pinned memory from Java, or machines of other kinds need, stays behind.
KIT_LEFT_BEHIND='jcuda|osx|windows|aarch|-tests\.jar|-sources\.jar'

# kit_begin NAME: makes an empty folder target/NAME, which is $kit from then on.
kit_begin() {
  kit=target/$1
  rm -rf "$kit" "$kit.tar.gz"
  mkdir -p "$kit/lib"
}

# kit_jars MORE_LEFT_BEHIND: copies the jars that backup-server runs with, but its own, to lib.
kit_jars() {
  local jars jar
  IFS=: read -r -a jars <<<"$(<backup-server/target/classpath.txt)"
  for jar in "${jars[@]}"; do
    [[ $jar =~ $KIT_LEFT_BEHIND || $jar =~ $1 ]] || cp -L "$jar" "$kit/lib/"
  done
  zip -q -d "$kit"/lib/zstd-jni-*.jar 'aix/*' 'darwin/*' 'freebsd/*' 'win/*' 'linux/aarch64/*' 'linux/arm/*' 'linux/i386/*' \
    'linux/loongarch64/*' 'linux/mips64/*' 'linux/ppc64/*' 'linux/ppc64le/*' 'linux/riscv64/*' 'linux/s390x/*' 2>/dev/null || true
  zip -q -d "$kit"/lib/jna-*.jar 'com/sun/jna/[abdefgmostw]*-*/*' 'com/sun/jna/linux-[!x]*/*' 'com/sun/jna/linux-x86/*' 2>/dev/null || true
}

# kit_own_jar MODULE: prints the jar that a module was built into.
kit_own_jar() {
  local jar
  for jar in "$1/target/$1"-[0-9]*.jar; do
    [[ $jar =~ -tests\.jar|-sources\.jar|-jobs\.jar|-linux-x86_64\.jar ]] || { echo "$jar"; return; }
  done
  echo "kit: $1 is not built: run ./run build first" >&2
  return 1
}

# kit_runtime MORE_MODULES: links a Java runtime of what the programs need.
kit_runtime() {
  jlink --add-modules "java.base,java.logging,java.management,java.naming,java.sql,java.xml,java.security.jgss,java.security.sasl,jdk.unsupported,jdk.crypto.ec,jdk.jcmd${1:+,$1}" \
    --strip-debug --no-man-pages --no-header-files --compress=2 --output "$kit/jre"
}

# kit_pack TITLE: packs the folder and says how large it is.
kit_pack() {
  tar -C "$kit" --sort=name --owner=0 --group=0 -cf - . | gzip -9 >"$kit.tar.gz"
  echo "$1: $PWD/$kit.tar.gz, $(($(stat -c %s "$kit.tar.gz") >> 20)) MiB; unpacked $(du -sm "$kit" | cut -f1) MiB"
}
