#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures and judges the engine on a machine with NVIDIA GPUs that may have neither Maven nor a JDK nor a network:
# ./run bars engine --gpu and ./run bench engine --gpu, on programs and classes that are there already.
# usage: tools/gpu-bench.sh BUILD_DIR [bars | bench | coding | pools | crypto | integrity | all] [OPTIONS of the bench]
#   coding                 what the erasure coder does on the first GPU, lines of JSON; needs no java, is part of all
#   pools                  GPU and cores in one engine: ./run bars pools --gpu --only engine
#   crypto                 ciphers and the index's encryption: ./run bench crypto --gpu
#   integrity              a store's write path with and without a GPU: ./run bench integrity --gpu, whose options
#                          follow. No part of all, as it also needs the backup's classes (below), taskset and setpriv
#   BUILD_DIR              a CMake build of shredder-native/native with CUDA, targets all and measuring
#   SHREDDER_JAVA          the java to run, of version 17 (default: java); its image needs the modules java.base,
#                          java.xml, java.logging and jdk.unsupported
#   SHREDDER_CLASS_PATH    classes of integration-tests, shredder-native and chunk-core, and the jars of Jackson (core,
#                          databind, annotations), picocli and slf4j-api (default: this tree's, built by ./run build);
#                          for crypto also classes and test classes of backup-agent and backup-server, and guava, jcuda
#                          and its natives; for integrity also those of backup-agent and backup-server, with
#                          lib/backup-server.jars of a distribution, and a java with the modules that tools/kit.sh names
#   SHREDDER_PEERS         what tools/peers/build.sh built (default: target/bench/peers)
# Leaves target/bars, target/bench/engine and target/bench/integrity below the working directory. Exit code: that of the
# first that failed.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
build=${1:?usage: tools/gpu-bench.sh BUILD_DIR [bars | bench | coding | pools | crypto | integrity | all] [OPTIONS]}
what=${2:-all}
shift $(($# < 2 ? $# : 2))
java=${SHREDDER_JAVA:-java}
class_path=${SHREDDER_CLASS_PATH:-}
if [[ -z $class_path && $what != coding ]]; then
  class_path=$root/integration-tests/target/classes:$(<"$root/integration-tests/target/classpath.txt")
fi
# Where the driver's libraries are not on the loader's path.
if [[ -d /usr/local/nvidia/lib64 ]]; then
  export LD_LIBRARY_PATH=/usr/local/nvidia/lib64:/usr/local/nvidia/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi

measure() {
  "$java" -Xmx1g -cp "$class_path" io.shredder.it.Measure "$@" --gpu --native "$build"
}

case $what in
  bars) measure bars engine ;;
  bench) measure bench engine --peers "${SHREDDER_PEERS:-target/bench/peers}" "$@" ;;
  pools) measure bars pools --only engine ;;
  crypto) measure bench crypto "$@" ;;
  integrity) measure bench integrity "$@" ;;
  coding) "$build/shredder_coding_gpu" ;;
  all)
    status=0
    "$build/shredder_coding_gpu" || status=$?
    measure bars engine || status=$?
    measure bars pools --only engine || status=$?
    measure bench engine --peers "${SHREDDER_PEERS:-target/bench/peers}" "$@" || status=$?
    exit "$status"
    ;;
  *)
    echo "gpu-bench: unknown word '$what': use bars, bench, coding, pools, crypto, integrity or all" >&2
    exit 2
    ;;
esac
