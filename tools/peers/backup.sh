#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds other people's backup programs from their registries: tools/peers/backup.sh OUT_DIR [NAME...]
# leaves OUT_DIR/bin/NAME, or OUT_DIR/NAME.missing with one line that says why not. NAME: restic kopia desync rustic
# borg. Versions are pinned; those in Go by the sum of their source, which pins what they need; rustic by its
# Cargo.lock. Always exits with 0 but for a usage error: a missing peer is a row that says so.
set -euo pipefail

[[ $# -ge 1 ]] || { echo "usage: tools/peers/backup.sh OUT_DIR [NAME...]" >&2; exit 2; }
mkdir -p "$1/bin"
out=$(cd "$1" && pwd)
shift
[[ $# -gt 0 ]] || set -- restic kopia desync rustic borg

declare -A GO_MODULES=(
  [restic]="github.com/restic/restic v0.19.1 h1:LQKkar5/gYxay1OCokAWPBNiLr1lTpt4fhdM4GWqSlY= ./cmd/restic"
  [kopia]="github.com/kopia/kopia v0.23.1 h1:0+V5Au8fD+190vQbklG0DaWD6I4clmbwlmJTqtI0y0Q= ."
  [desync]="github.com/folbricht/desync v1.0.0 h1:DTIJhsxqb/c4KOTeuOyWWK2mLz4OnamwquNju6tC2rI= ./cmd/desync"
)
RUSTIC=0.11.4
BORG=1.4.5

fail() {
  echo "error: $*" >&2
  return 1
}

# build_go NAME: a module's own source with its own go.sum, so that everything it needs is what its authors tested.
build_go() {
  local module version sum package answer
  read -r module version sum package <<<"${GO_MODULES[$1]}"
  command -v go || fail "no go" || return
  answer=$(cd "$out" && GOFLAGS=-mod=mod GONOSUMDB=$module go mod download -json "$module@$version") || fail "$answer" || return
  [[ $answer == *"\"Sum\": \"$sum\""* ]] || fail "$module@$version is not the source that is pinned" || return
  rm -rf "$out/$1-source"
  cp -R "$(sed -n 's/^\t"Dir": "\(.*\)",$/\1/p' <<<"$answer")" "$out/$1-source" || return
  chmod -R u+w "$out/$1-source"
  CGO_ENABLED=0 go build -C "$out/$1-source" -mod=readonly -trimpath -o "$out/bin/$1" "$package" || return
  rm -rf "$out/$1-source"
}

build_rustic() {
  command -v cargo || fail "no cargo" || return
  cargo install --locked --root "$out/rustic-root" --target-dir "$out/rustic-target" "rustic-rs@$RUSTIC" || return
  cp "$out/rustic-root/bin/rustic" "$out/bin/rustic" || return
  rm -rf "$out/rustic-target" "$out/rustic-root"
}

build_borg() {
  command -v python3 || fail "no python3" || return
  python3 -m venv "$out/borg-venv" || return
  "$out/borg-venv/bin/pip" install --quiet "borgbackup==$BORG" || return
  ln -sfn "$out/borg-venv/bin/borg" "$out/bin/borg"
}

# peer NAME COMMAND...: runs the build unless it is there; its last complaint is why the peer is missing.
peer() {
  local name=$1 log=$out/$1.log
  shift
  [[ ! -x $out/bin/$name ]] || return 0
  rm -f "$out/$name.missing"
  "$@" >"$log" 2>&1 </dev/null && return
  grep -m1 -iE 'error|requires|forbidden|not found' "$log" >"$out/$name.missing" || tail -n 1 "$log" >"$out/$name.missing"
}

for name in "$@"; do
  case $name in
    restic | kopia | desync) peer "$name" build_go "$name" ;;
    rustic | borg) peer "$name" "build_$name" ;;
    *) echo "peers: unknown peer '$name'" >&2; exit 2 ;;
  esac
done
