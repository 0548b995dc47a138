#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes container images of the packages that tools/deb.sh left in target/deb, as root, without any daemon
# (tools/packages.sh oci): tools/oci.sh [OUT] leaves in OUT (default target/oci), with SHA256SUMS,
#   shredder-backup-agent-VERSION.oci.tar    an archive in OCI's layout: the agent, and the keeper, which is its program
#   shredder-backup-server-VERSION.oci.tar   the daemon at the source site, shredder-backup, and qemu-nbd for qcow2
# An image for each role, as the two are on different sites and of different rights; one layer is in both: a small
# Debian with Java, and what the packages share. tools/oci-check.sh proves the images.
#
# A commit gives the same digests from the same Debian packages. Those are what the mirror has now, or had then:
#   SHREDDER_DEBIAN   where Debian's archives are (default http://deb.debian.org)
#   SHREDDER_DAY      such as 20261128T000000Z: as snapshot.debian.org had them at that time
#   SHREDDER_SOURCE   where the sources are, for the image's label (default https://shredder.invalid)
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
readonly DEBS=target/deb SUITE=bookworm
# Users have the same numbers in each version, since volumes outlive images.
readonly AGENT_ID=17420 KEEPER_ID=17422 SERVER_ID=17425

fail() {
  echo "oci: $*" >&2
  exit 1
}

[[ $# -le 1 && ${1:-} != -* ]] || { echo "usage: tools/oci.sh [OUT]" >&2; exit 2; }
[[ $(id -u) == 0 ]] || fail "only root can make clean roots: run it as root"
for program in mmdebstrap umoci dpkg-scanpackages jq; do
  command -v "$program" >/dev/null || fail "there is no $program: tools/packages.sh oci"
done
compgen -G "$DEBS/*.deb" >/dev/null || fail "there are no packages: run ./run dist and tools/deb.sh first"
(cd $DEBS && sha256sum --quiet --check SHA256SUMS)
mkdir -p "${1:-target/oci}"
out=$(cd "${1:-target/oci}" && pwd)
version=$(dpkg-deb -f $DEBS/shredder-tools_*.deb Version)
short=$(git rev-parse --short=8 HEAD)
[[ $version == *".g$short" || $(git describe --tags --exact-match 2>/dev/null) == "$version" ]] ||
  fail "the packages are $version, what is checked out is $short: run ./run dist and tools/deb.sh first"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)

# Other users read neither umask nor temporary folder of whoever builds.
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

# What apt takes packages from: Debian's archives, and ours.
write_sources() {
  local debian=${SHREDDER_DEBIAN:-http://deb.debian.org} main security until=''
  main=$debian/debian security=$debian/debian-security
  if [[ -n ${SHREDDER_DAY:-} ]]; then
    debian=${SHREDDER_DEBIAN:-http://snapshot.debian.org}
    main=$debian/archive/debian/$SHREDDER_DAY security=$debian/archive/debian-security/$SHREDDER_DAY
    until='[check-valid-until=no] '
  fi
  mkdir "$work/ours"
  cp $DEBS/*.deb "$work/ours/"
  (cd "$work/ours" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
  cat >"$work/sources" <<SOURCES
deb $until$main $SUITE main
deb $until$main $SUITE-updates main
deb $until$security $SUITE-security main
deb [trusted=yes] copy:$work/ours ./
SOURCES
}

# root_with TARBALL OPTION..: a root folder as a tarball, without manuals, translations and what only apt needs.
root_with() {
  local tarball=$1
  shift
  mmdebstrap --quiet --format=tar --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-include=/usr/share/doc/shredder-*' \
    "$@" --customize-hook="rm -rf \"\$1\"/etc/apt/sources.list \"\$1\"/var/lib/dpkg/*-old \"\$1\"/var/cache/debconf/*-old" \
    --customize-hook="rm -f \"\$1\"/etc/passwd- \"\$1\"/etc/group- \"\$1\"/etc/shadow- \"\$1\"/etc/gshadow- \"\$1\"/etc/.pwd.lock" \
    "$SUITE" "$tarball" - <"$work/sources" >"$work/root.log" 2>&1 || { tail -20 "$work/root.log" >&2; fail "mmdebstrap failed"; }
}

# Java's package wants the folder of its manual; its store of authorities has the time at which it was made.
make_base() {
  # shellcheck disable=SC2016 # mmdebstrap's.
  root_with "$work/base.tar" --variant=essential --essential-hook='mkdir -p "$1/usr/share/man/man1"' \
    --include=openjdk-17-jre-headless,systemd-standalone-sysusers,shredder-tools \
    --customize-hook="tools/oci-layer.py dates \"\$1/etc/ssl/certs/java/cacerts\" $SOURCE_DATE_EPOCH"
}

# make_role NAME PACKAGES: the layer of a role. Its users' numbers win over those of the package.
make_role() {
  local name=$1 packages=$2
  shift 2
  # shellcheck disable=SC2016 # mmdebstrap's.
  root_with "$work/$name-whole.tar" --variant=custom --setup-hook="tar -xf '$work/base.tar' --numeric-owner -C \"\$1\"" \
    --setup-hook="install -D -m 644 '$work/$name.users' \"\$1/etc/sysusers.d/$name.conf\"" \
    --include="$packages" "$@"
  tools/oci-layer.py difference "$work/base.tar" "$work/$name-whole.tar" "$work/$name.tar"
  rm "$work/$name-whole.tar"
}

# make_image NAME TITLE USER OPTION..: an archive of the base, the role's layer and what umoci config is told.
make_image() {
  local name=$1 title=$2 user=$3 image layout=$work/$1.layout archive
  shift 3
  # A plus sign can't stand in a tag.
  image=$layout:$name:${version//+/-}
  umoci init --layout "$layout"
  umoci new --image "$image"
  add_layer "$image" "$work/base.tar" "Debian $SUITE, Java and shredder-tools $version"
  add_layer "$image" "$work/$name.tar" "$name $version"
  umoci config --image "$image" --no-history --created "$created" --author "The Shredder developers" --os linux --architecture amd64 \
    --config.user "$user" --config.env PATH=/usr/sbin:/usr/bin:/sbin:/bin --config.env LANG=C.UTF-8 \
    --config.env SHREDDER_LOG_FORMAT=json --config.volume /etc/shredder --config.stopsignal SIGTERM \
    --config.label "org.opencontainers.image.title=$name" --config.label "org.opencontainers.image.description=$title" \
    --config.label "org.opencontainers.image.version=$version" --config.label "org.opencontainers.image.created=$created" \
    --config.label "org.opencontainers.image.revision=$(git rev-parse HEAD)" \
    --config.label "org.opencontainers.image.source=${SHREDDER_SOURCE:-https://shredder.invalid}" \
    --config.label org.opencontainers.image.licenses=Apache-2.0 "$@"
  umoci gc --layout "$layout"
  archive=$out/$name-$version.oci.tar
  tar -C "$layout" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -cf "$archive" .
  echo "oci: $archive, $(($(stat -c %s "$archive") >> 20)) MiB; unpacked $(unpacked "$work/base.tar" "$work/$name.tar") MiB;" \
    "$(jq -r '.manifests[0].digest' "$layout/index.json")"
}

add_layer() {
  umoci raw add-layer --image "$1" --history.created "$created" --history.created_by tools/oci.sh --history.comment "$3" "$2"
}

# Prints how much tarballs hold.
unpacked() { cat "$@" | tar -tvi --numeric-owner | awk '{ bytes += $3 } END { print int(bytes / 1048576) }'; }

write_users() {
  cat >"$work/shredder-backup-agent.users" <<USERS
# SPDX-License-Identifier: Apache-2.0
u shredder-agent $AGENT_ID "Shredder backup agent" /var/lib/shredder-agent
u shredder-keeper $KEEPER_ID "Shredder backup keeper" /var/lib/shredder-keeper
USERS
  cat >"$work/shredder-backup-server.users" <<USERS
# SPDX-License-Identifier: Apache-2.0
u shredder-backup $SERVER_ID "Shredder backup server" /var/lib/shredder-backup-server
USERS
}

# own FOLDER ID: has a role's root a folder that its user alone may use; a new volume there gets the same.
own() { echo "--customize-hook=install -d -m 700 -o $2 -g $2 \"\$1$1\""; }

rm -f "$out"/shredder-backup-*.oci.tar "$out/SHA256SUMS"
write_sources
write_users
make_base
make_role shredder-backup-agent shredder-backup-agent "$(own /etc/shredder $AGENT_ID)" "$(own /var/lib/shredder-agent $AGENT_ID)" \
  "$(own /var/lib/shredder-keeper $KEEPER_ID)"
make_role shredder-backup-server shredder-backup-server,qemu-utils "$(own /etc/shredder $SERVER_ID)" \
  "$(own /var/lib/shredder-backup-server $SERVER_ID)"

agent_command=(serve --repo /var/lib/shredder-agent/repository --listen 0.0.0.0:7420 --cert /etc/shredder/agent.crt
  --key /etc/shredder/agent.key --ca /etc/shredder/ca.crt --rights /etc/shredder/rights.yaml --monitoring 127.0.0.1:7424)
make_image shredder-backup-agent "Keeps deduplicated backups of disk images, which it can't read" $AGENT_ID:$AGENT_ID \
  --config.volume /var/lib/shredder-agent --config.exposedports 7420/tcp --config.entrypoint /usr/bin/backup-agent \
  "${agent_command[@]/#/--config.cmd=}"
make_image shredder-backup-server "Backs up disk images: sends what is new, restores bit for bit" $SERVER_ID:$SERVER_ID \
  --config.volume /var/lib/shredder-backup-server --config.entrypoint /usr/bin/backup-server --config.cmd serve
(cd "$out" && sha256sum ./*.oci.tar >SHA256SUMS)
