#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the CUDA compiler, from NVIDIA's wheels on PyPI, into .tools/cuda and prints its root, for SHREDDER_NVCC.
# Neither a GPU nor a driver is needed. What is there already is left alone. Exit code: 0 there, 1 not to be had.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

readonly TARGET=$PWD/.tools/cuda
readonly TOOLKIT=$TARGET/nvidia/cu13
readonly WHEELS=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85)

# The wheels that are installed, in a file written last: a broken install is done again.
readonly STAMP=$TARGET/installed.txt

installed() {
  [[ -x $TOOLKIT/bin/nvcc && -r $STAMP && $(cat "$STAMP") == "${WHEELS[*]}" ]]
}

install() {
  local pip=(python3 -m pip) fresh=$TARGET.new.$$
  "${pip[@]}" --version >/dev/null 2>&1 || {
    echo "cuda-toolkit: python3 has no pip: run tools/packages.sh build" >&2
    return 1
  }
  rm -rf "$fresh"
  mkdir -p "$fresh"
  if ! "${pip[@]}" install --quiet --disable-pip-version-check --no-deps --no-compile --only-binary=:all: \
    --root-user-action=ignore --retries 3 --target "$fresh" "${WHEELS[@]}" >&2; then
    rm -rf "$fresh"
    echo "cuda-toolkit: could not get ${WHEELS[*]} from PyPI" >&2
    return 1
  fi
  ln -s lib "$fresh/nvidia/cu13/lib64" # where nvcc looks for the run-time library
  echo "${WHEELS[*]}" >"$fresh/installed.txt"
  rm -rf "$TARGET"
  mv "$fresh" "$TARGET"
}

installed || install
"$TOOLKIT/bin/nvcc" --version >/dev/null
echo "$TOOLKIT"
