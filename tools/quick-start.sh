#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes backup-server/target/quick-start, with which bin/shredder-backup and bin/backup-server start in two thirds of
# the time: their classes, parsed ahead (JEP 310; which those are is seen by running each command once, on an agent of
# its own), and their libraries, unpacked. Without it everything works all the same. bin/launch.sh takes it for the
# class path that it was made of:
#
#   of          that class path          options   what Java is to be given
#   class-path  the one to use instead   *.so      the libraries that jars would unpack at each start
#
# The signed jars of AWS-LC and of Bouncy Castle (whose provider is not used) are checked here, once, and put beside as
# unsigned copies: Java would check their classes at each start, and parse them ahead never. A Java that takes signed
# providers only leaves AWS-LC's ciphers aside then, and uses its own.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17
# shellcheck source=../bin/launch.sh
. bin/launch.sh

start=$SHREDDER_ROOT/backup-server/target/quick-start
work=$(mktemp -d)
agent=
done=
end() {
  [[ -z $agent ]] || kill "$agent" 2>/dev/null || true
  [[ -n $done ]] || rm -rf "$start"
  rm -rf "$work"
}
trap end EXIT

rm -rf "$start"
mkdir "$work/start" "$work/unpacked"
classes=$(class_path backup-server)
java=$(find_java)
tools=$(dirname "$java")

# Prints the jar of the class path whose name fits.
jar_of() {
  local entries entry
  IFS=: read -r -a entries <<<"$classes"
  for entry in "${entries[@]}"; do
    # shellcheck disable=SC2053 # A pattern.
    [[ ${entry##*/} != $1 ]] || { echo "$entry"; return; }
  done
  echo "quick-start: no $1 in the class path" >&2
  return 1
}

# Unpacks the library of a jar.
unpack() {
  local jar library
  jar=$(jar_of "$1")
  library=$("$tools/jar" -t -f "$jar" | grep -x "$2")
  (cd "$work/unpacked" && "$tools/jar" -x -f "$jar" "$library")
  install -m 644 "$work/unpacked/$library" "$work/start"
}

unpack 'AmazonCorrettoCryptoProvider-*.jar' 'com/amazon/.*\.so'
unpack 'netty-tcnative-boringssl-static-*-linux-x86_64.jar' 'META-INF/native/.*\.so'
unpack 'shredder-native-*-linux-x86_64.jar' 'io/shredder/.*/libshredder\.so'
unpack 'zstd-jni-*.jar' 'linux/amd64/.*\.so'
unpack 'jna-*.jar' 'com/sun/jna/linux-x86-64/libjnidispatch\.so'

# Checks a jar's signature and puts an unsigned copy into the class path instead.
unsign() {
  local signed copy=$work/unsigned
  signed=$(jar_of "$1")
  "$tools/jarsigner" -verify "$signed" | grep -qx 'jar verified\.' || { echo "quick-start: the signature of $signed is not good" >&2; exit 1; }
  mkdir "$copy"
  (cd "$copy" && "$tools/jar" -x -f "$signed")
  find "$copy" -name '*.so' -delete
  rm -f "$copy"/META-INF/*.{SF,RSA,DSA,EC}
  sed -i '/^\r*$/q' "$copy/META-INF/MANIFEST.MF" # Behind the first empty line are the digests of files.
  "$tools/jar" -c -M -f "$work/start/${signed##*/}" -C "$copy" .
  rm -r "$copy"
  unsigned=${unsigned/"$signed"/"$start/${signed##*/}"}
}

unsigned=$classes
unsign 'AmazonCorrettoCryptoProvider-*.jar'
unsign 'bcprov-*.jar'

# The folder gets its place now: the archive of classes knows the paths of its jars.
mv "$work/start" "$start"
echo "$unsigned" >"$start/class-path"
cat >"$start/options" <<END
-Djava.library.path=$start
-Dcom.amazon.corretto.crypto.provider.useExternalLib=true
-Dshredder.library.path=$start/libshredder.so
-DZstdNativePath=$(echo "$start"/libzstd-jni-*.so)
-Djna.boot.library.path=$start
END
echo "$classes" >"$start/of"

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

# Runs a command of shredder-backup and notes, in the file, which classes it loads.
note() {
  SHREDDER_JAVA_OPTS="-Xshare:off -XX:DumpLoadedClassList=$work/classes-$1" bin/shredder-backup "${@:2}" >>"$work/log"
}
# shellcheck disable=SC2207 # identity prints words without spaces.
at_agent=(--agent "localhost:$(<"$work/port")" $(identity client-build))
seal=(--repository-key "$work/key" --secret-file "$work/secret" --state "$work/state")
cp bin/launch.sh "$work/image"
note first backup "$work/image" --name x "${seal[@]}" --cache "$work/cache" "${at_agent[@]}"
note second backup "$work/image" --name x "${seal[@]}" --cache "$work/cache" "${at_agent[@]}"
note restore restore x --to "$work/restored" "${seal[@]}" "${at_agent[@]}"
note verify verify "${at_agent[@]}"
note prune prune x --keep-last 1 --gc --json "${seal[@]:0:4}" "${at_agent[@]}"
cat >"$work/server.yaml" <<END
version: 1
state: $work/server-state
agent:
  address: localhost:$(<"$work/port")
  certificate: $work/certs/client-build.crt
  key: $work/certs/client-build.key
  authority: $work/certs/ca.crt
repository-key: {file: $work/key, secret-file: $work/secret}
jobs:
  all:
    images:
      y: {file: $work/image}
END
mkdir "$work/server-state"
SHREDDER_JAVA_OPTS="-Xshare:off -XX:DumpLoadedClassList=$work/classes-server" \
  bin/backup-server run all --config "$work/server.yaml" --json >>"$work/log"
kill "$agent"
wait "$agent"
agent=
note local restore x --to "$work/restored" --force "${seal[@]}" --repo "$work/repository"
awk '!seen[$0]++' "$work"/classes-* >"$work/classes"
"$java" -Xshare:dump -XX:ErrorFile="$work/crash" -XX:SharedClassListFile="$work/classes" -XX:SharedArchiveFile="$start/classes.jsa" \
  -cp "$(<"$start/class-path")" >>"$work/log" 2>&1 || { grep -v "^\[" "$work/log" | tail -5 >&2; exit 1; }
printf '%s\n' "-XX:SharedArchiveFile=$start/classes.jsa" '-Xlog:cds*=off' >>"$start/options"
done=yes
