#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the peers that benchmarks hold our figures against, each where its toolchain is there.
# tools/peers/build.sh OUT_DIR leaves OUT_DIR/rust and OUT_DIR/go, or OUT_DIR/NAME.missing with one line that says why
# not. Versions are pinned by Cargo.lock and go.sum. Always exits with 0 but for a usage error: a missing peer is a row
# that says so.
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
[[ $# == 1 ]] || { echo "usage: tools/peers/build.sh OUT_DIR" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)

# peer NAME TOOL COMMAND...: runs the build; its last complaint is why the peer is missing.
peer() {
  local name=$1 tool=$2 log
  shift 2
  rm -f "$out/$name.missing"
  if ! command -v "$tool" >/dev/null; then
    rm -f "$out/$name"
    echo "no $tool" >"$out/$name.missing"
    return
  fi
  log=$out/$name.log
  "$@" >"$log" 2>&1 </dev/null && return
  rm -f "$out/$name"
  echo "$tool could not build it: $(grep -m1 -iE 'error|requires|forbidden' "$log" || tail -n 1 "$log")" >"$out/$name.missing"
}

build_rust() {
  cargo build --release --locked --manifest-path "$here/rust/Cargo.toml" --target-dir "$out/rust-target" &&
    cp "$out/rust-target/release/peers" "$out/rust"
}

build_go() { go build -C "$here/go" -mod=readonly -o "$out/go" .; }

peer rust cargo build_rust
peer go go build_go
