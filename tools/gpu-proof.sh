#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows on a machine with an NVIDIA GPU that the CUDA backend is right, and how fast it is:
#   1. the native tests, golden vectors among them, with the CUDA backend taking part
#   2. scalar, avx2, avx512 and cuda give identical chunks and digests on 1 GiB each of random, text, image and zero input
#   3. compute-sanitizer, memcheck and racecheck, on smaller runs
#   4. a JVM chunks a file through JNI on the GPU and gets the CPU's chunks
#   5. fuzzing for a minute: any bytes, parameters and splits, every backend against the reference
#   6. a device that fails mid-stream: the same chunks, one warning
#   7. throughput, with the rate of a plain pinned copy from the same run
# Bars and figures: tools/gpu-bench.sh.
# usage: tools/gpu-proof.sh BUILD_DIR
#   BUILD_DIR                a CMake build of shredder-native/native with CUDA
#   SHREDDER_COMMAND         the program `shredder` (default: bin/shredder of this tree; "none" leaves step 4 out)
#   SHREDDER_TEST_VECTORS    the folder testvectors (default: that of this tree)
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
build=${1:?usage: tools/gpu-proof.sh BUILD_DIR}
command=${SHREDDER_COMMAND:-$root/bin/shredder}
export SHREDDER_TEST_VECTORS=${SHREDDER_TEST_VECTORS:-$root/testvectors}
# Where the driver's libraries are not on the loader's path.
if [[ -d /usr/local/nvidia/lib64 ]]; then
  export LD_LIBRARY_PATH=/usr/local/nvidia/lib64:/usr/local/nvidia/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi

step() { printf '\n== %s\n' "$*"; }

sanitize() {
  local tool=$1
  shift
  compute-sanitizer --tool "$tool" --error-exitcode 9 "$@" >"$scratch/$tool.log" 2>&1 || {
    tail -n 40 "$scratch/$tool.log"
    return 1
  }
  grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$scratch/$tool.log"
}

jvm_agrees() {
  local file=$1
  "$command" chunk --backend cuda "$file" >"$scratch/cuda.txt"
  "$command" chunk --backend scalar "$file" >"$scratch/scalar.txt"
  cmp "$scratch/cuda.txt" "$scratch/scalar.txt"
  echo "JVM: $(wc -l <"$scratch/cuda.txt") chunks of $(stat -c %s "$file") bytes, the same on cuda and scalar"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

step "machine"
date -u +%F
nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
grep -m1 'model name' /proc/cpuinfo
nproc

step "1. native tests"
"$build/tests/shredder_tests" --gtest_brief=1

step "2. backends compared, 1 GiB an input"
"$build/shredder_check" 1024

step "3. compute-sanitizer"
for tool in memcheck racecheck; do
  SHREDDER_BACKEND=cuda sanitize "$tool" "$build/tests/shredder_tests" \
    --gtest_filter='GoldenVectorsTest.*:SplitTest.a*:Sha256Test.*:*Blake3Test*:*DeviceContract*'
  sanitize "$tool" "$build/shredder_check" 16 random image zero
done

if [[ $command != none ]]; then
  step "4. a JVM on the GPU"
  "$command" devices
  "$command" --version
  cat "$build/shredder_check" "$build/libshredder.so" >"$scratch/input"
  head -c 300000000 /dev/urandom >>"$scratch/input"
  head -c 50000000 /dev/zero >>"$scratch/input"
  jvm_agrees "$scratch/input"
fi

step "5. fuzzing"
"$build/fuzz/shredder_fuzz" 60

step "6. a device fails"
row=backend=cuda,bytes=2G,repeat=1
checksum() { sed 's/.*"checksum":"\([0-9a-f]*\)".*/\1/'; }
expected=$("$build/shredder_rates" "$row" | checksum)
for fault in 0:scan:5 0:candidates:7 0:digest:3 0:finish:9; do
  found=$(SHREDDER_INJECT_FAULT=$fault "$build/shredder_rates" "$row" 2>"$scratch/warnings" | checksum)
  [[ $found == "$expected" && $(wc -l <"$scratch/warnings") == 1 ]] || {
    echo "fault $fault: checksum $found, expected $expected; warnings:" && cat "$scratch/warnings"
    exit 1
  }
  cat "$scratch/warnings"
done
echo "faults: 4 of 4 runs gave the chunks of a run without a fault"

step "7. throughput"
"$build/shredder_transfer"
rows=()
for average in 8K 64K; do
  for digest in none sha256; do
    rows+=("backend=cuda,bytes=16G,average=$average,digest=$digest" "backend=cpu,bytes=8G,average=$average,digest=$digest")
  done
done
"$build/shredder_rates" "${rows[@]}"
step "done"
