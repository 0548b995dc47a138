#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds other people's erasure coders from their registries: tools/peers/coding.sh OUT_DIR [NAME...] leaves
# OUT_DIR/bin/NAME, which takes requests (shredder-native/native/measure/coding_requests.h), or OUT_DIR/NAME.missing
# with one line that says why not. NAME: isal jerasure go rust. Versions are pinned: those of Debian's packages below,
# in Go by go.sum, in Rust by Cargo.lock. Packages are unpacked in OUT_DIR, not installed. Always exits with 0 but for a
# usage error: a missing peer is a row that says so.
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
[[ $# -ge 1 ]] || { echo "usage: tools/peers/coding.sh OUT_DIR [NAME...]" >&2; exit 2; }
mkdir -p "$1/bin"
out=$(cd "$1" && pwd)
shift
[[ $# -gt 0 ]] || set -- isal jerasure go rust

native=$here/../../shredder-native/native
# Debian 12 has ISA-L 2.30, which knows no GFNI; that of Debian 13 runs on both.
ISAL=(trixie libisal2=2.31.1-1.1 libisal-dev=2.31.1-1.1)
JERASURE_VERSION=2.0.0+2017.04.10.git.de1739cc84-2
GF_COMPLETE_VERSION=1.0.2+2017.04.10.git.ea75cdf-9
JERASURE=(bookworm "libjerasure2=$JERASURE_VERSION" "libjerasure-dev=$JERASURE_VERSION"
  "libgf-complete1=$GF_COMPLETE_VERSION" "libgf-complete-dev=$GF_COMPLETE_VERSION")

fail() {
  echo "error: $*" >&2
  return 1
}

# debian NAME SUITE PACKAGE=VERSION...: unpacks packages into OUT_DIR/NAME-root, by apt with lists of its own.
debian() {
  local name=$1 suite=$2 apt=$out/$1-apt package
  shift 2
  command -v apt-get || fail "no apt-get" || return
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$out/$name-root"
  cat >"$apt/suite.sources" <<SOURCES
Types: deb
URIs: http://deb.debian.org/debian
Suites: $suite
Components: main
Architectures: amd64
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
  local options=(-qq -o "Dir::State=$apt/state" -o "Dir::State::status=/dev/null" -o "Dir::Cache=$apt/cache"
    -o "Dir::Etc::sourcelist=$apt/suite.sources" -o "Dir::Etc::sourceparts=-" -o "Acquire::Retries=3"
    -o "APT::Sandbox::User=")
  apt-get "${options[@]}" update || return
  (cd "$apt" && apt-get "${options[@]}" download "$@") || return
  for package in "$apt"/*.deb; do
    dpkg -x "$package" "$out/$name-root" || return
  done
  rm -rf "$apt"
}

# compile NAME LIBRARY...: our program of that name with the unpacked libraries, which it finds where they are.
compile() {
  local name=$1 root=$out/$1-root/usr
  shift
  command -v g++ || fail "no g++" || return
  g++ -std=c++20 -O2 -Wall -Wextra -I "$native" -isystem "$root/include" -isystem "$root/include/jerasure" \
    -o "$out/bin/$name.new" "$here/coding/cpp/$name.cpp" "$native/measure/coding_requests.cpp" \
    "$native/measure/coding_cells.cpp" -L "$root/lib/x86_64-linux-gnu" \
    "-Wl,--disable-new-dtags,-rpath,$root/lib/x86_64-linux-gnu" "$@" || return
  mv "$out/bin/$name.new" "$out/bin/$name"
}

build_isal() {
  [[ -d $out/isal-root ]] || debian isal "${ISAL[@]}" || { rm -rf "$out/isal-root"; return 1; }
  compile isal -lisal
}

build_jerasure() {
  [[ -d $out/jerasure-root ]] || debian jerasure "${JERASURE[@]}" || { rm -rf "$out/jerasure-root"; return 1; }
  compile jerasure -lJerasure -lgf_complete
}

build_go() {
  command -v go || fail "no go" || return
  CGO_ENABLED=0 go build -C "$here/coding/go" -mod=readonly -trimpath -o "$out/bin/go" .
}

build_rust() {
  command -v cargo || fail "no cargo" || return
  cargo build --release --locked --manifest-path "$here/coding/rust/Cargo.toml" --target-dir "$out/rust-target" &&
    cp "$out/rust-target/release/coding" "$out/bin/rust"
}

# What one of our programs is made of; a program that is older is built again.
sources() {
  find "$here/coding.sh" "$here/coding" "$native/measure/coding_requests.cpp" "$native/measure/coding_requests.h" \
    "$native/measure/coding_cells.cpp" "$native/measure/coding_cells.h" -type f "$@"
}

# peer NAME: builds it unless it is there; its last complaint is why it is missing.
peer() {
  local name=$1 log=$out/$1.log
  [[ ! -x $out/bin/$name || -n $(sources -newer "$out/bin/$name") ]] || return 0
  rm -f "$out/$name.missing" "$out/bin/$name"
  "build_$name" >"$log" 2>&1 </dev/null && return
  rm -f "$out/bin/$name"
  grep -m1 -iE 'error|^E:|requires|forbidden|not found' "$log" >"$out/$name.missing" ||
    tail -n 1 "$log" >"$out/$name.missing"
}

for name in "$@"; do
  case $name in
    isal | jerasure | go | rust) peer "$name" ;;
    *) echo "peers: unknown peer '$name'" >&2; exit 2 ;;
  esac
done
