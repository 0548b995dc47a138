# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by tools/trials-kit.sh and tools/bench-kit.sh, in the checkout's folder: packs programs of the distribution
# (./run dist) with a Java runtime of their own, for a Linux machine that has neither a JDK nor Maven nor a network.

# kit_begin NAME LEFT_BEHIND: makes the folder target/NAME, which is $kit from then on, with the backup's programs and
# their jars, but those that fit the pattern.
kit_begin() {
  local dist module
  kit=target/$1
  dist=$(echo target/dist/shredder-*/)
  [[ -d $dist ]] || { echo "kit: there is no distribution: run ./run dist first" >&2; return 1; }
  rm -rf "$kit" "$kit.tar.xz"
  mkdir -p "$kit/lib" "$kit/bin"
  cp "$dist"/bin/{launch.sh,backup-agent,backup-server,shredder-backup,shredder-quick-start} "$kit/bin/"
  for module in backup-agent backup-server; do
    grep -vE "$2" "$dist/lib/$module.jars" >"$kit/lib/$module.jars"
    (cd "$dist/lib" && xargs -d '\n' cp -t "$OLDPWD/$kit/lib") <"$kit/lib/$module.jars"
  done
  # What only machines of other kinds need stays behind.
  zip -q -d "$kit"/lib/zstd-jni-*.jar 'aix/*' 'darwin/*' 'freebsd/*' 'win/*' 'linux/aarch64/*' 'linux/arm/*' 'linux/i386/*' \
    'linux/loongarch64/*' 'linux/mips64/*' 'linux/ppc64/*' 'linux/ppc64le/*' 'linux/riscv64/*' 'linux/s390x/*' 2>/dev/null || true
  zip -q -d "$kit"/lib/jna-*.jar 'com/sun/jna/[abdefgmostw]*-*/*' 'com/sun/jna/linux-[!x]*/*' 'com/sun/jna/linux-x86/*' 2>/dev/null || true
}

# kit_runtime: links a Java runtime of what the programs need. It is not compressed, as a JDK's is not: what a program
# loads would be inflated at each start. The whole is packed smaller for it, too.
kit_runtime() {
  local modules=java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.net
  modules+=,jdk.unsupported,jdk.jcmd
  # All of Java's security providers: it looks for one that is missing among the jars, and loads all that are there.
  modules+=,java.security.jgss,java.security.sasl,java.smartcardio,java.xml.crypto
  modules+=,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.security.jgss
  jlink --add-modules "$modules" \
    --strip-debug --no-man-pages --no-header-files --compress=0 --output "$kit/jre"
}

# kit_store_jars: has jars hold what they have as it is, so that the whole is packed a fifth smaller. Signed ones stay.
kit_store_jars() {
  local jar folder
  for jar in "$kit"/*/*.jar; do
    case ${jar##*/} in bcp* | bcutil* | AmazonCorretto*) continue ;; esac
    folder=$(mktemp -d)
    (cd "$folder" && jar -xf "$OLDPWD/$jar")
    jar --create --no-compress --no-manifest --file "$jar" -C "$folder" .
    rm -rf "$folder"
  done
}

# kit_pack TITLE: packs the folder and says how large it is.
kit_pack() {
  kit_store_jars
  tar -C "$kit" --sort=name --owner=0 --group=0 -cf - . | xz -T0 -3 >"$kit.tar.xz"
  echo "$1: $PWD/$kit.tar.xz, $(($(stat -c %s "$kit.tar.xz") >> 20)) MiB; unpacked $(du -sm "$kit" | cut -f1) MiB"
}
