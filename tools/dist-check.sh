#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that the tarball of ./run dist runs without the tree that it was made from: unpacks it in an empty folder and
# does there what users do (tools/dist-walk.sh), with an empty home and no variables.
#   tools/dist-check.sh                 the tree and Maven's repository are hidden from it (unshare), where the machine
#                                       lets folders be hidden
#   tools/dist-check.sh --debian ROOT   as root: in a chroot over this root folder of a Debian that has nothing but Java
#                                       (debootstrap --variant=minbase --include=openjdk-17-jre-headless bookworm ROOT)
# Hadoop's jars come from the tree's class path, in a folder of their own, as an installed Hadoop has them: its release
# is on no package registry. They are all that is taken besides the tarball, with the stock examples' jar.
# Exit codes: 0 all worked, 1 something didn't, 2 wrong usage.
set -euo pipefail
REPOSITORY=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$REPOSITORY"
. tools/environment.sh
use_jdk17

debian=''
case ${1:-} in
  '') ;;
  --debian) debian=$(realpath "${2:?dist-check: --debian needs a folder}") ;;
  *) echo "usage: tools/dist-check.sh [--debian ROOT]" >&2; exit 2 ;;
esac

tarball=$(echo target/dist/shredder-*.tar.gz)
[[ -r $tarball ]] || { echo "dist-check: there is no tarball: run ./run dist first" >&2; exit 1; }
(cd target/dist && sha256sum --quiet --check SHA256SUMS)
[[ $(tar -tzf "$tarball" | cut -d/ -f1 | sort -u) == "$(basename "$tarball" .tar.gz)" ]] || { echo "dist-check: $tarball has more than one folder" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# All that the walk is given; its names have spaces on purpose.
room=$work/room
mkdir -p "$room"/{home,"a place",hadoop/{bin,libexec,lib}}
tar -xzf "$tarball" -C "$room/a place"
# The bill of materials has each jar, with its digest.
diff <(cd "$room/a place"/*/lib && sha256sum -- *.jar | sed 's# # lib/#; s# ##2' | sort) \
  <(python3 -c 'import json, sys
for each in json.load(sys.stdin)["components"]:
    if "hashes" in each:
        print(each["hashes"][0]["content"], each["properties"][0]["value"])' <"$(echo "$room/a place"/*/share/doc/sbom.cdx.json)" | sort) >&2 ||
  { echo "dist-check: the bill of materials is not what is in lib (< there, > said)" >&2; exit 1; }
IFS=: read -r -a jars <integration-tests/target/classpath.txt || [[ -n ${jars[*]} ]]
for jar in "${jars[@]}"; do
  case $jar in
    "$REPOSITORY"/*/target/*.jar | */jcuda* | */picocli* | */logback* | */AmazonCorretto* | */netty-tcnative*) ;;
    # What measures needs these.
    */assertj-core-* | */byte-buddy-* | */jmh-core-* | */jopt-simple-* | */rocksdbjni-*) ;;
    *) cp -L "$jar" "$room/hadoop/lib/" ;;
  esac
done
cp integration-tests/target/apps/hadoop-mapreduce-examples-*.jar "$room/examples.jar"
cp inc-hdfs/src/test/resources/stock-hadoop.sh "$room/hadoop/libexec/"
cat >"$room/hadoop/bin/hadoop" <<'SH'
#!/usr/bin/env bash
# Stands in for the scripts of an installed Hadoop.
set -eu
HADOOP_HOME=$(cd "$(dirname "$0")/.." && pwd)
jars=${HADOOP_CONF_DIR:+$HADOOP_CONF_DIR:}$HADOOP_HOME/lib/*
if [[ $1 == classpath ]]; then
  echo "$jars"
else
  export HADOOP_HOME SHELL_PROFILE=$HADOOP_CONF_DIR/shellprofile.d/inc-hdfs.sh
  exec bash "$HADOOP_HOME/libexec/stock-hadoop.sh" "$jars" "${0##*/}" "$@"
fi
SH
chmod +x "$room/hadoop/bin/hadoop"
ln -s hadoop "$room/hadoop/bin/hdfs"
cp tools/dist-walk.sh "$room/"

words=(PATH=/usr/bin:/bin LANG=C.UTF-8)
if [[ -n $debian ]]; then
  mkdir -p "$work/changes" "$work/overlay" "$work/root"
  # shellcheck disable=SC2016 # The inner shell expands.
  unshare --mount bash -euc '
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/changes,workdir=$2/overlay" "$2/root"
    mount -t proc proc "$2/root/proc"
    mount --rbind /dev "$2/root/dev"
    mv "$2/room" "$2/root/room"
    echo "127.0.0.1 localhost $(uname -n)" >"$2/root/etc/hosts"
    cd /
    root=$2/root
    shift 2
    exec chroot "$root" /usr/bin/env -i HOME=/room/home "$@" /bin/bash /room/dist-walk.sh /room
  ' bash "$debian" "$work" "${words[@]}"
else
  kind=()
  [[ $(id -u) == 0 ]] || kind=(--user --map-root-user)
  hiding=(unshare --mount "${kind[@]}")
  hidden=("$REPOSITORY" "$HOME/.m2")
  if ! "${hiding[@]}" mount -t tmpfs tmpfs "$room/home" 2>/dev/null; then
    echo "dist-check: the tree is not hidden, since this machine allows nobody mounts of his own"
    hiding=()
    hidden=(/nonexistent /nonexistent)
  fi
  # shellcheck disable=SC2016
  "${hiding[@]}" bash -euc '
    for hidden in "$1" "$2"; do
      [[ ! -d $hidden ]] || mount -t tmpfs tmpfs "$hidden"
    done
    cd /
    shift 2
    exec env -i HOME="$1/home" "${@:2}" bash "$1/dist-walk.sh" "$1"
  ' bash "${hidden[@]}" "$room" "JAVA_HOME=$JAVA_HOME" "${words[@]}"
fi
echo "dist-check: everything works ($SECONDS s)"
