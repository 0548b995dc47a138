#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs what a built tree (./run build) runs with into target/dist/shredder-VERSION-linux-x86_64.tar.gz, with SHA256SUMS
# beside it and the unpacked folder: programs, jars, units, completion, documents, licences. It needs Java 17 and
# nothing of the tree. A commit gives the same bytes each time, on the same Debian and JDK. packaging/README.md says
# what is where.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17
# shellcheck source=../bin/launch.sh
. bin/launch.sh

# What only machines of other kinds need stays behind.
readonly LEFT_BEHIND='-(osx|windows|linux-aarch)[^/]*\.jar$'
readonly PROGRAMS=(backup-agent backup-server hdfs incoop shredder shredder-backup shredder-quick-start)
readonly COMPLETED=(backup-agent backup-server shredder shredder-backup)
readonly THIRD_PARTY=packaging/licences/THIRD-PARTY.md

fail() {
  echo "dist: $*" >&2
  exit 1
}

# Sets release, version and dist.
name_it() {
  local java core
  java=$(find_java)
  core=$(built_jar chunk-core '')
  [[ -n $core ]] || fail "nothing is built: run ./run build first"
  release=$("$java" -cp "$core" io.shredder.release.Release shredder)
  [[ $release == "shredder "*" ($(commit))" ]] || fail "what is built is $release, not what is checked out: run ./run build first"
  version=${release#* }
  version=${version% *}
  dist=target/dist/shredder-$version-linux-x86_64
}

# put_jars MODULE JAR..: copies the jars to lib and lists them for the module.
put_jars() {
  local list=$dist/lib/$1.jars jar
  shift
  for jar in "$@"; do
    if [[ $jar =~ $LEFT_BEHIND ]]; then
      continue
    fi
    local there=$dist/lib/${jar##*/}
    if [[ -e $there ]]; then
      cmp -s "$jar" "$there" || fail "two jars have the name ${jar##*/}: change one"
    else
      cp -L "$jar" "$there"
    fi
    echo "${jar##*/}" >>"$list"
  done
}

# put_module MODULE [PATTERN]: the jars of its class path, or those that fit.
put_module() {
  local classes jars jar chosen=()
  classes=$(class_path "$1")
  IFS=: read -r -a jars <<<"$classes"
  for jar in "${jars[@]}"; do
    [[ ! ${jar##*/} =~ ${2:-.} ]] || chosen+=("$jar")
  done
  put_jars "$1" "${chosen[@]}"
}

# Hadoop's own jars are left to the Hadoop that is there.
put_all_jars() {
  mkdir -p "$dist/lib"
  put_module backup-agent
  put_module backup-server
  put_module shredder-native
  put_module inc-hdfs '^(inc-hdfs|chunk-core|shredder-native|jcuda|picocli)-'
  put_module incoop-jobs '^(incoop-jobs|incoop-agent|chunk-core|picocli)-'
  put_jars hdfs-coder "$(built_jar hdfs-coder '')" "$(built_jar shredder-native '')" "$(built_jar shredder-native -linux-x86_64)"
}

# link_jars FOLDER MODULE..: the modules' jars once more, as links, so that one pattern copies them.
link_jars() {
  local folder=$dist/hadoop/$1 jar
  shift
  mkdir -p "$folder"
  for jar in $(cd "$dist/lib" && sort -u "${@/%/.jars}"); do
    ln -s "../../lib/$jar" "$folder/$jar"
  done
}

put_hadoop() {
  link_jars client inc-hdfs incoop-jobs
  link_jars coder hdfs-coder
  mkdir "$dist/hadoop/shellprofile.d"
  cp inc-hdfs/src/main/shellprofile.d/inc-hdfs.sh "$dist/hadoop/shellprofile.d/"
}

put_programs() {
  local program completions=$dist/share/bash-completion/completions
  mkdir -p "$dist/bin" "$completions" "$dist/systemd" "$dist/share/examples"
  cp bin/launch.sh "${PROGRAMS[@]/#/bin/}" "$dist/bin/"
  for program in "${COMPLETED[@]}"; do
    "$dist/bin/$program" generate-completion >"$completions/$program"
    bash -n "$completions/$program"
  done
  cp packaging/systemd/*.service "$dist/systemd/"
  cp packaging/*.yaml "$dist/share/examples/"
  cp -r packaging/prometheus packaging/grafana packaging/ansible "$dist/share/examples/"
}

# Where a file of the tree lies in the folder; nothing if it isn't there.
declare -A PLACE=(
  [CHANGELOG.md]=share/doc/CHANGELOG.md
  [docs/API.md]=share/doc/API.md
  [docs/OPERATING-BACKUP.md]=share/doc/OPERATING-BACKUP.md
  [docs/OPERATING-HADOOP.md]=share/doc/OPERATING-HADOOP.md
  [docs/OPERATING-POOLS.md]=share/doc/OPERATING-POOLS.md
  [docs/SECURITY.md]=share/doc/SECURITY.md
  [docs/COLLECTION.md]=share/doc/COLLECTION.md
  [docs/WHAT-IS-REUSED.md]=share/doc/WHAT-IS-REUSED.md
  [docs/WHAT-SURVIVES.md]=share/doc/WHAT-SURVIVES.md
  [inc-hdfs/README.md]=share/doc/inc-hdfs.md
  [incoop-jobs/README.md]=share/doc/incoop-jobs.md
  [inc-hdfs/src/main/resources/inc-hdfs-default.xml]=share/doc/inc-hdfs-default.xml
  [incoop-jobs/src/main/resources/incoop-default.xml]=share/doc/incoop-default.xml
  [packaging/README.md]=README.md
  [LICENSE]=LICENSE
  [$THIRD_PARTY]=THIRD-PARTY.md
)

# Copies a file to its place. Links of a document to what is not there become plain words, and pictures nothing.
put_document() {
  local page=$1 to=$dist/${PLACE[$1]} target file anchor commands=()
  mkdir -p "${to%/*}"
  while read -r target; do
    file=${target%%#*}
    anchor=${target#"$file"}
    if [[ -z $file || $target =~ ^[a-z]+: ]]; then
      continue
    fi
    file=$(realpath -m --relative-to=. "$(dirname "$page")/$file")
    if [[ -n ${PLACE[$file]:-} ]]; then
      file=$(realpath -m --relative-to="${to%/*}" "$dist/${PLACE[$file]}")
      commands+=(-e "s|\]\($target\)|]($file$anchor)|g")
    else
      commands+=(-e "s|!\[[^]]*\]\($target\)||g; s|\[([^]]*)\]\($target\)|\1|g")
    fi
  done < <([[ $page != *.md ]] || grep -oE '\]\([^) ]+\)' "$page" | sed -E 's/^\]\((.*)\)$/\1/' | sort -u)
  sed -E "${commands[@]}" -e '' "$page" >"$to"
}

put_documents() {
  local page
  for page in docs/formats/*.md docs/formats/*.json; do
    PLACE[$page]=share/doc/${page#docs/}
  done
  for page in packaging/*.yaml; do
    PLACE[$page]=share/examples/${page##*/}
  done
  for page in "${!PLACE[@]}"; do
    put_document "$page"
  done
}

# The list names what is in lib, and the texts that jars bring are put beside those that they lack.
put_licences() {
  local jar name listed packed folder=$dist/share/licences
  mkdir -p "$folder"
  cp packaging/licences/*.txt "$folder/"
  listed=$(sed -nE '/^\|---/,$s/^\| ([A-Za-z][^ ]*) \|.*/\1/p' "$THIRD_PARTY" | sort)
  packed=$(for jar in "$dist"/lib/*.jar; do
    name=$(sed -E 's/-[0-9][^/]*\.jar$//' <<<"${jar##*/}")
    [[ -n $(built_of_this "$name") ]] || echo "$name"
  done | sort)
  diff <(echo "$listed") <(echo "$packed") >&2 ||
    fail "$THIRD_PARTY and lib are not the same (< listed, > packed): list each jar with its licence, if that fits Apache-2.0"
  for jar in "$dist"/lib/*.jar; do
    name=$(sed -E 's/-[0-9][^/]*\.jar$//' <<<"${jar##*/}")
    [[ -z $(built_of_this "$name") ]] || continue
    extract_licences "$jar" "$folder/$name"
  done
}

# Prints something if a jar of this name is the project's own.
built_of_this() {
  local module
  for module in "$1" "incoop-jobs/${1#incoop-}"; do
    [[ ! -r $module/pom.xml ]] || echo "$module"
  done
}

# What is in lib, and in the native libraries, with digests and licences: a bill of materials.
put_sbom() {
  maven -q org.cyclonedx:cyclonedx-maven-plugin:makeAggregateBom >target/sbom.log 2>&1 || {
    cat target/sbom.log >&2
    fail "there is no bill of materials"
  }
  tools/sbom.py target/sbom.json "$dist/lib" "$version" "$(epoch)" "$dist/share/doc/sbom.cdx.json" \
    "libzstd=$(debian_version libzstd-dev)" "intel-ipsec-mb=$(debian_version libipsec-mb-dev)"
}

debian_version() { dpkg-query -W -f='${Version}' "$1" 2>/dev/null || echo unknown; }

epoch() { git log -1 --format=%ct 2>/dev/null || date +%s; }

# Copies licences and notices out of a jar, if it has any.
extract_licences() {
  local jar=$1 folder=$2 files
  files=$("$JAVA_HOME/bin/jar" -t -f "$jar" |
    grep -E '^META-INF/(license/|LICENSES?/)?[^/]*(LICEN[CS]E|NOTICE|AL2\.0|LGPL)[^/]*$' || true)
  [[ -n $files ]] || return 0
  mkdir -p "$folder"
  jar=$(realpath "$jar")
  # shellcheck disable=SC2086 # Names without spaces.
  (cd "$folder" && "$JAVA_HOME/bin/jar" -x -f "$jar" $files && mv $files . && rm -r META-INF)
}

# The same bytes from the same commit: order, times, owners and modes are fixed.
pack() {
  local tarball=$dist.tar.gz
  find "$dist" -type d -exec chmod 755 {} +
  find "$dist" -type f -exec chmod 644 {} +
  chmod 755 "${PROGRAMS[@]/#/$dist/bin/}"
  tar -C target/dist --sort=name --mtime="@$(epoch)" --owner=0 --group=0 --numeric-owner --format=gnu -cf - "${dist##*/}" |
    gzip -n -9 >"$tarball"
  (cd target/dist && sha256sum "${tarball##*/}" >SHA256SUMS)
  echo "dist: $tarball, $(($(stat -c %s "$tarball") >> 20)) MiB; unpacked $(du -sm "$dist" | cut -f1) MiB; $release"
}

name_it
rm -rf target/dist
mkdir -p "$dist"
put_all_jars
put_hadoop
put_programs
put_documents
put_licences
put_sbom
pack
