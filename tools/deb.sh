#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes Debian packages of what ./run dist left in target/dist: target/deb/*.deb, with SHA256SUMS. A commit gives the
# same bytes each time, on the same Debian and JDK. What is packed is in packaging/debian; which package has which jar
# is found here: one that several need is in shredder-tools.
#   DEBFULLNAME, DEBEMAIL    who is named as the maintainer
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh
use_jdk17
# shellcheck source=../bin/launch.sh
. bin/launch.sh

readonly CODEGEN=info.picocli:picocli-codegen:4.7.7
readonly HOME_OF_ALL=usr/share/shredder
# Which lists of jars, and which programs, are in which package.
declare -A LISTS=(
  [shredder-tools]="shredder-native backup-agent"
  [shredder-hadoop]="inc-hdfs incoop-jobs hdfs-coder"
  [shredder-backup-agent]=""
  [shredder-backup-server]="backup-server"
)
declare -A PROGRAMS=(
  [shredder-tools]="launch.sh shredder backup-agent"
  [shredder-hadoop]="hdfs incoop"
  [shredder-backup-agent]=""
  [shredder-backup-server]="shredder-backup backup-server shredder-quick-start"
)
# Which are typed, and as what: hdfs is Hadoop's own name.
declare -A TYPED=(
  [shredder-tools]="shredder"
  [shredder-hadoop]="incoop hdfs=shredder-hdfs"
  [shredder-backup-agent]="backup-agent"
  [shredder-backup-server]="shredder-backup backup-server shredder-quick-start"
)
readonly PACKAGES=(shredder-tools shredder-hadoop shredder-backup-agent shredder-backup-server)

fail() {
  echo "deb: $*" >&2
  exit 1
}

for program in dh asciidoctor; do
  command -v "$program" >/dev/null || fail "there is no $program: tools/packages.sh deb"
done

# Prints the packages' version: a release's own, or how many commits lie behind it. They sort in this order.
version_of() {
  local release=$1 count
  if [[ $(git describe --tags --exact-match 2>/dev/null) == "$release" ]]; then
    echo "$release"
    return
  fi
  count=$(git rev-list --count "refs/tags/$release..HEAD" 2>/dev/null || git rev-list --count HEAD)
  echo "$release+$count.g$(git rev-parse --short=8 HEAD)"
}

# users_of JAR: the packages whose lists have it.
users_of() {
  local package list
  for package in "${PACKAGES[@]}"; do
    for list in ${LISTS[$package]}; do
      if grep -qxF -- "$1" "$dist/lib/$list.jars"; then
        echo "$package"
        break
      fi
    done
  done
}

put_jars() {
  local jar users
  for jar in "$dist"/lib/*.jar; do
    users=$(users_of "${jar##*/}")
    [[ -n $users ]] || fail "no package needs ${jar##*/}: give it to one"
    [[ $users != *$'\n'* ]] || users=shredder-tools
    echo "files/lib/${jar##*/} $HOME_OF_ALL/lib" >>"debian/$users.install"
  done
}

put_programs() {
  local package name typed
  for package in "${PACKAGES[@]}"; do
    for name in ${LISTS[$package]}; do
      echo "files/lib/$name.jars $HOME_OF_ALL/lib" >>"debian/$package.install"
    done
    for name in ${PROGRAMS[$package]}; do
      echo "files/bin/$name $HOME_OF_ALL/bin" >>"debian/$package.install"
    done
    for name in ${TYPED[$package]}; do
      typed=${name#*=} name=${name%=*}
      echo "$HOME_OF_ALL/bin/$name usr/bin/$typed" >>"debian/$package.links"
      [[ ! -r files/share/bash-completion/completions/$name ]] ||
        echo "files/share/bash-completion/completions/$name usr/share/bash-completion/completions" >>"debian/$package.install"
    done
  done
}

# The jars for a Hadoop are links to those that are there.
put_hadoop() {
  local folder jar
  echo "files/hadoop/shellprofile.d $HOME_OF_ALL/hadoop" >>debian/shredder-hadoop.install
  for folder in client coder; do
    for jar in "$dist/hadoop/$folder"/*.jar; do
      echo "$HOME_OF_ALL/lib/${jar##*/} $HOME_OF_ALL/hadoop/$folder/${jar##*/}" >>debian/shredder-hadoop.links
    done
  done
}

put_documents() {
  local unit
  printf 'files/share/doc/*\nfiles/share/licences\nfiles/THIRD-PARTY.md\n' >debian/shredder-tools.docs
  echo files/share/examples/ansible >debian/shredder-tools.examples
  printf 'files/share/examples/%s\n' backup-server.yaml compose.yaml prometheus grafana >debian/shredder-backup-server.examples
  printf 'files/share/examples/%s\n' rights.yaml keeper-rights.yaml agent-care.yaml >debian/shredder-backup-agent.examples
  for unit in agent keeper server; do
    sed -e "s|/opt/shredder/share/doc|/usr/share/doc/shredder-tools|; s|/opt/shredder/|/$HOME_OF_ALL/|" \
      -e 's|Copy to /etc/systemd/system; docs/OPERATING-BACKUP.md says how.|Options: /etc/default; OPERATING-BACKUP.md says which.|' \
      "files/systemd/shredder-backup-$unit.service" >"unit-$unit"
    ! grep -q /opt/ "unit-$unit" || fail "the unit of $unit still names /opt"
  done
  mv unit-agent debian/shredder-backup-agent.service
  mv unit-keeper debian/shredder-backup-agent.shredder-backup-keeper.service
  mv unit-server debian/shredder-backup-server.service
  mkdir -p debian/defaults
  mv debian/shredder-backup-agent.shredder-backup-keeper.default debian/defaults/shredder-backup-keeper
  echo "debian/defaults/shredder-backup-keeper etc/default" >>debian/shredder-backup-agent.install
}

# The manual, from what picocli knows of each command.
put_manual() {
  local jar java class_path page
  maven -q dependency:copy "-Dartifact=$CODEGEN" "-DoutputDirectory=$PWD/tools" >&2
  jar=$(echo tools/picocli-codegen-*.jar)
  class_path=$(cd "$root" && for module in shredder-native backup-agent backup-server incoop-jobs; do class_path "$module"; done | tr '\n' ':')
  java=$(find_java)
  "$java" -cp "$PWD/$jar:$class_path" "$root/packaging/ManPages.java" "$PWD/man" io.shredder.engine.cli.ShredderCommand \
    io.shredder.backup.agent.cli.AgentMain io.shredder.backup.server.cli.ShredderBackupMain \
    io.shredder.backup.server.cli.BackupServerMain io.shredder.incoop.cli.IncoopMain >man.log 2>&1 || { cat man.log >&2; fail "no manual pages"; }
  write_page shredder-hdfs "Hadoop's file system shell with uploads that are cut by content" "files/bin/hdfs" >man/shredder-hdfs.adoc
  write_page shredder-quick-start "have shredder-backup start sooner on this machine" "files/bin/shredder-quick-start" >man/shredder-quick-start.adoc
  asciidoctor -b manpage -a reproducible -a mansource=Shredder -a manmanual=Shredder man/*.adoc
  for page in man/*.1; do
    case ${page##*/} in
      backup-agent*) echo "$page" >>debian/shredder-backup-agent.manpages ;;
      shredder-backup* | backup-server* | shredder-quick-start*) echo "$page" >>debian/shredder-backup-server.manpages ;;
      incoop* | shredder-hdfs*) echo "$page" >>debian/shredder-hadoop.manpages ;;
      *) echo "$page" >>debian/shredder-tools.manpages ;;
    esac
  done
}

# write_page NAME WHAT SCRIPT: a page of a program that is a script, whose first comment says what it does.
write_page() {
  cat <<PAGE
= $1(1)
:doctype: manpage
:manmanual: Shredder
:mansource: Shredder

== Name

$1 - $2

== Synopsis

*$1* *--help*

== Description

$(sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$3" | sed '/^shellcheck/d')
PAGE
}

write_changelog() {
  cat <<CHANGES
shredder ($version) unstable; urgency=medium

  * /usr/share/doc/shredder-tools/CHANGELOG.md lists what has changed.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGES
}

root=$PWD
dist=$(echo "$root"/target/dist/shredder-*-linux-x86_64)
[[ -d $dist ]] || fail "there is no distribution: run ./run dist first"
release=${dist##*/shredder-}
release=${release%-linux-x86_64}
version=$(version_of "$release")
maintainer="${DEBFULLNAME:-Shredder developers} <${DEBEMAIL:-developers@shredder.invalid}>"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH

rm -rf target/deb
work=target/deb/shredder-$version
mkdir -p "$work"
cp -a packaging/debian "$work/debian"
cp -a "$dist" "$work/files"
cd "$work"
# Bash reads completions, it does not run them.
sed -i '1{/^#!/d}' files/share/bash-completion/completions/*
sed -i "s|@MAINTAINER@|$maintainer|" debian/control
write_changelog >debian/changelog
put_jars
put_programs
put_hadoop
put_documents
put_manual
dpkg-buildpackage --build=binary --no-sign --no-check-builddeps >../build.log 2>&1 || { tail -40 ../build.log >&2; fail "dpkg-buildpackage failed"; }
cd ..
rm -rf "shredder-$version" ./*.buildinfo ./*.changes
sha256sum ./*.deb >SHA256SUMS
for package in *.deb; do
  echo "deb: target/deb/$package, $(($(stat -c %s "$package") >> 10)) KiB, installed $(($(dpkg-deb -f "$package" Installed-Size) >> 10)) MiB"
done
