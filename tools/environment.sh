# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by ./run and tools/check.sh: the JDK, Maven's manner and the CUDA toolkit. Installs nothing but the toolkit.

# Prints the home of a JDK 17, whatever `java` is the machine's default.
find_jdk17() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [[ -x $home/bin/javac && -r $home/release ]] || continue
    grep -q '^JAVA_VERSION="17[."]' "$home/release" && { readlink -f "$home"; return 0; }
  done
  echo "shredder: no JDK 17 found; run ./run setup, or set JAVA_HOME to one" >&2
  return 1
}

use_jdk17() {
  JAVA_HOME=$(find_jdk17) || exit 1
  export JAVA_HOME PATH="$JAVA_HOME/bin:$PATH"
}

# Prints the commit that is checked out, with a plus sign if there are changes.
commit() {
  git describe --always --abbrev=12 --dirty=+ '--exclude=*' 2>/dev/null || echo unknown
}

# Maven without colour, prompts or progress, four modules at once, as tests often wait, and patient with a registry
# that stumbles.
maven() {
  mvn -B -ntp -T4 -Dstyle.color=never "-Dshredder.cuda=${SHREDDER_CUDA:-AUTO}" "-Dshredder.commit=$(commit)" -Dmaven.wagon.http.retryHandler.count=5 \
    -Daether.connector.http.retryHandler.count=5 "$@" </dev/null
}

# Sets SHREDDER_CUDA to ON when the CUDA compiler is at hand. Without it the build is for the CPU only, except under CI,
# where a CUDA source that no longer compiles must not pass.
use_cuda() {
  [[ -z ${SHREDDER_CUDA:-} ]] || return 0
  if tools/cuda-toolkit.sh >/dev/null; then
    export SHREDDER_CUDA=ON
  elif [[ -n ${CI:-} ]]; then
    echo "shredder: CI needs the CUDA toolkit and tools/cuda-toolkit.sh could not get it" >&2
    exit 1
  else
    echo "shredder: no CUDA toolkit; building for the CPU only"
    export SHREDDER_CUDA=OFF
  fi
}

# The same for tests, which run nothing of CUDA without a GPU, unless somebody asks for it by SHREDDER_CUDA.
use_cuda_for_tests() {
  if [[ -z ${SHREDDER_CUDA:-} ]] && ! command -v nvidia-smi >/dev/null; then
    echo "shredder: no GPU; testing what is built for the CPU only (SHREDDER_CUDA=ON builds CUDA, too)"
    export SHREDDER_CUDA=OFF
  fi
  use_cuda
}
