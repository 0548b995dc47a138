#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows on a machine with an NVIDIA GPU that the CUDA backend is right, and how fast it is:
#   1. the contract of devices on CUDA, then all native tests, golden vectors among them, with CUDA taking part, then
#      the erasure coder's on CUDA
#   2. scalar, avx2, avx512 and cuda give identical chunks and digests on 1 GiB each of random, text, image, zero input
#   3. compute-sanitizer, memcheck, racecheck and synccheck, on smaller runs
#   4. a JVM chunks a file through JNI on the GPU and gets the CPU's chunks
#   5. fuzzing for a minute: any bytes, parameters and splits, every backend against the reference
#   6. a device that fails mid-stream: the same chunks, one warning
#   7. what one core does: scans beside a linear read, SHA-256 beside OpenSSL's
#   8. throughput, with the rate of a plain pinned copy from the same run; long chunks beside short ones
#   9. erasure coding: shards in the GPU's memory, with the rate of a copy there; shards from page-locked memory and
#      parity back there, with the rate of a plain pinned copy
# A step that fails doesn't end the others; the last lines say how each ended. Exit code: 0 if all passed.
# Bars and figures: tools/gpu-bench.sh.
# usage: tools/gpu-proof.sh [--quick] BUILD_DIR
#   --quick                  an eighth of the input in 2, a third of the time in 5, no step 4: less than 8 minutes on
#                            16 cores, the build included
#   BUILD_DIR                a CMake build of shredder-native/native with CUDA; where there is none it is made, for this
#                            machine's GPU, without a JDK
#   SHREDDER_COMMAND         the program `shredder` (default: bin/shredder of this tree; "none" leaves step 4 out)
#   SHREDDER_TEST_VECTORS    the folder testvectors (default: that of this tree)
#   SHREDDER_GTEST_SOURCE    for the build: GoogleTest's sources, if it is not installed (default: /usr/src/googletest)
#   NLOHMANN_JSON_INCLUDE    for the build: the folder above nlohmann/json.hpp, if it is not installed
set -uo pipefail

root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
quick=false
if [[ ${1:-} == --quick ]]; then
  quick=true
  shift
fi
build=${1:?usage: tools/gpu-proof.sh [--quick] BUILD_DIR}
command=${SHREDDER_COMMAND:-$root/bin/shredder}
if $quick; then command=none; fi
export SHREDDER_TEST_VECTORS=${SHREDDER_TEST_VECTORS:-$root/testvectors}
# Where the driver's libraries are not on the loader's path.
if [[ -d /usr/local/nvidia/lib64 ]]; then
  export LD_LIBRARY_PATH=/usr/local/nvidia/lib64:/usr/local/nvidia/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

outcomes=()
figures=()

# Runs a step: its name, then a command. Its outcome and its seconds go to the summary.
step() {
  local name=$1 begin=$SECONDS outcome=passed
  shift
  printf '\n== %s\n' "$name"
  "$@" || outcome=FAILED
  outcomes+=("$(printf '%-6s %4d s  %s' "$outcome" $((SECONDS - begin)) "$name")")
}

machine() {
  date -u +%F
  nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
  grep -m1 'model name' /proc/cpuinfo
  nproc
}

# For the GPU at hand alone, which takes a third of the time that all of them take.
build_here() {
  [[ -e $build/CMakeCache.txt ]] || {
    local capability
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
    cmake -S "$root/shredder-native/native" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSHREDDER_CUDA=ON \
      -DSHREDDER_JNI=OFF -DSHREDDER_WARNINGS_AS_ERRORS=OFF "-DSHREDDER_CUDA_ARCHITECTURES=$capability-real" \
      "-DSHREDDER_CUDA_TOOL_ARCHITECTURES=$capability-real" \
      ${SHREDDER_GTEST_SOURCE:+"-DSHREDDER_GTEST_SOURCE=$SHREDDER_GTEST_SOURCE"} \
      ${NLOHMANN_JSON_INCLUDE:+"-DNLOHMANN_JSON_INCLUDE=$NLOHMANN_JSON_INCLUDE"} >"$scratch/configure.log" 2>&1 || {
      tail -n 40 "$scratch/configure.log"
      return 1
    }
  }
  cmake --build "$build" --target all measuring >"$scratch/build.log" 2>&1 || {
    grep -E -A 8 'error|FAILED' "$scratch/build.log" | head -n 60
    return 1
  }
  tail -n 1 "$scratch/build.log"
}

contract() {
  timeout 180 "$build/tests/shredder_tests" --gtest_brief=1 --gtest_filter='*DeviceContract*cuda*'
}

coder() { timeout 300 "$build/tests/shredder_coding_tests" --gtest_brief=1; }

# In shards side by side: most tests use one core or two. Tests of memory have the process to themselves.
native_tests() {
  local shards=8 shard failed=0 pids=()
  for ((shard = 0; shard < shards; shard++)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard timeout 400 "$build/tests/shredder_tests" --gtest_brief=1 \
      --gtest_filter=-'MemoryTest.*' >"$scratch/shard-$shard.log" 2>&1 &
    pids+=($!)
  done
  for ((shard = 0; shard < shards; shard++)); do
    wait "${pids[shard]}" || {
      failed=1
      grep -v SHREDDER_TEST_SEED "$scratch/shard-$shard.log" | tail -n 40
    }
  done
  timeout 200 "$build/tests/shredder_tests" --gtest_brief=1 --gtest_filter='MemoryTest.*' || failed=1
  cat "$scratch"/shard-*.log | grep -E 'PASSED|FAILED' | sort | uniq -c
  return $failed
}

compare_backends() { "$build/shredder_check" "$($quick && echo 128 || echo 1024)"; }

# A tool's runs, one after the other; what it found is the last thing in its log.
sanitize() {
  local tool=$1
  {
    SHREDDER_BACKEND=cuda compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/tests/shredder_tests" \
      --gtest_filter='GoldenVectorsTest.*:SplitTest.a*:Sha256Test.*:*Blake3Test*:*DeviceContract*cuda*' &&
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/shredder_check" 16 random image zero &&
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/tests/shredder_coding_tests" \
        --gtest_filter='GpuCodingTest.everySmall*:GpuCodingTest.all*:ResidentMatrixTest.everyFigure*:*.everyTransform*'
  } >"$scratch/$tool.log" 2>&1
}

# The tools slow programs down on one core each, so they go side by side.
sanitize_all() {
  local tools=(memcheck racecheck synccheck) pids=() i failed=0
  for i in "${!tools[@]}"; do
    sanitize "${tools[i]}" &
    pids+=($!)
  done
  for i in "${!tools[@]}"; do
    wait "${pids[i]}" || {
      failed=1
      tail -n 40 "$scratch/${tools[i]}.log"
    }
    echo "${tools[i]}: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$scratch/${tools[i]}.log" | tr '\n' ' ')"
  done
  return $failed
}

jvm_agrees() {
  local file=$scratch/input
  cat "$build/shredder_check" "$build/libshredder.so" >"$file"
  head -c 300000000 /dev/urandom >>"$file"
  head -c 50000000 /dev/zero >>"$file"
  "$command" devices && "$command" --version &&
    "$command" chunk --backend cuda "$file" >"$scratch/cuda.txt" &&
    "$command" chunk --backend scalar "$file" >"$scratch/scalar.txt" &&
    cmp "$scratch/cuda.txt" "$scratch/scalar.txt" || return 1
  echo "JVM: $(wc -l <"$scratch/cuda.txt") chunks of $(stat -c %s "$file") bytes, the same on cuda and scalar"
}

fuzz() { "$build/fuzz/shredder_fuzz" "$($quick && echo 20 || echo 60)"; }

checksum() { sed 's/.*"checksum":"\([0-9a-f]*\)".*/\1/'; }

devices_fail() {
  local row=backend=cuda,bytes=2G,repeat=1 expected found fault
  expected=$("$build/shredder_rates" "$row" | checksum)
  [[ $expected =~ ^[0-9a-f]{16}$ ]] || return 1
  for fault in 0:scan:5 0:candidates:7 0:digest:3 0:finish:9; do
    found=$(SHREDDER_INJECT_FAULT=$fault "$build/shredder_rates" "$row" 2>"$scratch/warnings" | checksum)
    [[ $found == "$expected" && $(wc -l <"$scratch/warnings") == 1 ]] || {
      echo "fault $fault: checksum $found, expected $expected; warnings:" && cat "$scratch/warnings"
      return 1
    }
    cat "$scratch/warnings"
  done
  echo "faults: 4 of 4 runs gave the chunks of a run without a fault"
}

# Prints lines of JSON, and keeps of each its name and its rate for the summary.
kept() {
  tee "$scratch/lines" || return 1
  mapfile -t -O "${#figures[@]}" figures < <(sed -n \
    's/.*"name":"\([^"]*\)".*"gbPerSecond":\([0-9.e+-]*\).*/\2 GB\/s  \1/p' "$scratch/lines")
  ! grep -q '"error"' "$scratch/lines"
}

one_core() {
  local names=linear-read,read-in-scan-order,scan-avx2,scan-avx2-gfni,scan-avx512,scan-avx512-without-gfni,cuts,cuts-sha256
  "$build/shredder_core_rates" --rounds 5 --bytes 512M \
    --only "$names,cuts-blake3,sha256-sha-instructions,sha256-avx512,openssl-sha256" >"$scratch/rates" || return 1
  kept <"$scratch/rates"
}

throughput() {
  local average digest rows=()
  "$build/shredder_transfer" || return 1
  for average in 8K 64K 1M; do
    for digest in none sha256 blake3; do
      rows+=("backend=cuda,bytes=16G,average=$average,digest=$digest" "backend=cpu,bytes=8G,average=$average,digest=$digest")
    done
  done
  "$build/shredder_rates" "${rows[@]}" >"$scratch/rates" || return 1
  kept <"$scratch/rates"
}

# One chunk of many buffers is one message: its digest must keep up with them.
long_chunks() {
  local backend max rows=()
  for backend in cpu cuda; do
    for max in 1M 1G; do
      rows+=("backend=$backend,bytes=3G,buffer=64K,average=64K,max=$max,source=copy,input=zero")
    done
  done
  "$build/shredder_rates" --interleave "${rows[@]}" >"$scratch/rates" || return 1
  kept <"$scratch/rates"
}

coding() {
  "$build/shredder_coding_gpu" >"$scratch/rates" || return 1
  kept <"$scratch/rates"
}

step "machine" machine
step "build" build_here
step "1. the contract of devices on CUDA" contract
step "1. native tests" native_tests
step "1. the coder on CUDA" coder
step "2. backends compared" compare_backends
step "3. compute-sanitizer" sanitize_all
if [[ $command != none ]]; then step "4. a JVM on the GPU" jvm_agrees; fi
step "5. fuzzing" fuzz
step "6. a device fails" devices_fail
step "7. one core" one_core
step "8. throughput" throughput
step "8. long chunks" long_chunks
step "9. erasure coding" coding

printf '\n== summary\n'
printf '%s\n' "${figures[@]}" "${outcomes[@]}"
echo "all: $SECONDS s"
[[ ! ${outcomes[*]} =~ FAILED ]]
