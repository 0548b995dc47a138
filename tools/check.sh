#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every check a change must pass besides its tests: tools/check.sh [--in-turn] [NAME..], or all but some:
# tools/check.sh [--in-turn] --but NAME.. One line per check; a failing one shows its output. The native ones run beside
# the others. --in-turn runs the long ones of them on one day in three, unless what they look at changed lately.
# Logs: target/checks.
# Exit code: 0 all clean, 1 something found, 2 unknown check.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. tools/environment.sh

readonly NATIVE_CHECKS=(clang-format one-file clang-tidy asan-ubsan tsan)
readonly LONG_CHECKS=(clang-tidy asan-ubsan tsan)
readonly TURN_DAYS=3
readonly LIGHT_CHECKS=(headers names binaries paths links wrap shell)
readonly ALL_CHECKS=("${LIGHT_CHECKS[@]}" spotless checkstyle compile architecture "${NATIVE_CHECKS[@]}")
readonly LOGS=target/checks
readonly NATIVE=shredder-native/native

# Every file of the project that git tracks or would track.
project_files() {
  git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while read -r f; do
    [[ ! -f $f ]] || echo "$f"
  done
}

# Prints what it was given and fails if there was anything: the shape of a check that lists offenders.
none_of() {
  local problem=$1 found
  found=$(cat)
  [[ -z $found ]] || { echo "$problem:"; echo "$found"; return 1; }
}

check_headers() {
  project_files '*.java' '*.cpp' '*.h' '*.hpp' '*.cu' '*.cuh' '*.c' '*.cmake' '*CMakeLists.txt' '*.sh' '*.py' '*.xml' \
    '*.yml' 'run' '.ci/run' 'bin/*' | while read -r f; do
    head -4 "$f" | grep -q 'SPDX-License-Identifier: Apache-2\.0' || echo "$f"
  done | none_of "no SPDX-License-Identifier: Apache-2.0 at the top of"
}

# grep that does not fail for finding nothing.
lines_with() { grep "$@" || [[ $? == 1 ]]; }

check_names() {
  project_files | lines_with -E \
    '(^|/)(utils?|common|misc|impl|managers?|helpers?)(/|\.|$)|[a-z](Utils?|Misc|Impl|Manager|Helpers?)\.[a-z]+$' |
    none_of "names that say nothing of what is inside"
}

# The documents' pictures are the one exception: PNG files, and small.
check_binaries() {
  project_files | lines_with -vE '^testvectors/|/src/test/resources/' | while read -r f; do
    [[ ! -s $f ]] || grep -qI . "$f" || small_picture "$f" || echo "$f"
  done | none_of "binary files (only testvectors, test resources and docs/pictures, PNG of up to 100 kB, may hold any)"
}

small_picture() {
  [[ $1 == docs/pictures/*.png && $(stat -c %s "$1") -le 100000 && $(head -c 4 "$1" | tail -c 3) == PNG ]]
}

check_paths() {
  { git grep -nIE --untracked '(^|[^[:alnum:]_.$}/])/(home|root|work|Users|tmp/w)/' -- ':!tools/check.sh' || [[ $? == 1 ]]; } |
    none_of "absolute paths of one machine"
}

# Relative links of every Markdown file lead to a file or folder that exists.
check_links() {
  project_files '*.md' | while read -r page; do
    lines_with -oE '\]\([^) ]+\)|^\[[^]]+\]: [^ ]+' "$page" | sed -E 's/^\]\((.*)\)$/\1/; s/^\[.*\]: //; s/#.*//' |
      while read -r target; do
        [[ -z $target || $target =~ ^[a-z]+: || -e $(dirname "$page")/$target ]] || echo "$page -> $target"
      done
  done | none_of "links that lead nowhere"
}

# Prose of Markdown has lines of at most 120 characters. Tables, code, comments and what can't be broken may be longer.
long_markdown_lines() {
  project_files '*.md' | while read -r page; do
    sed -E '/^ *\x60{3}/,/^ *\x60{3}/s/.*//' "$page" | lines_with -nE '.{121}' |
      lines_with -vE '^[0-9]+:( {4,}| *\||<!--)|[^ ]{80}' | sed "s#^\([0-9]*\):.*#$page:\1#"
  done
}

# So have comments in whatever checkstyle doesn't read and clang-format doesn't hold to its own width.
long_comment_lines() {
  project_files '*.sh' 'run' '.ci/run' 'bin/*' '*.c' '*.cu' '*.cuh' '*.cmake' '*CMakeLists.txt' '*.py' '*.yml' '*.yaml' \
    '*.xml' '*.service' '*.timer' '*.properties' | while read -r f; do
    lines_with -nE '^.{121}' "$f" | lines_with -E '^[0-9]+: *(#|//|/?\*|<!--)' | lines_with -vE '[^ ]{80}' |
      sed "s#^\([0-9]*\):.*#$f:\1#"
  done
}

check_wrap() {
  local LC_ALL=C.UTF-8
  { long_markdown_lines; long_comment_lines; } | none_of "lines of prose with more than 120 characters"
}

check_shell() {
  project_files 'run' '.ci/run' '*.sh' 'bin/*' | while read -r f; do
    [[ $f != *.sh && $(head -c 2 "$f") != '#!' ]] || echo "$f"
  done | xargs -r -d '\n' shellcheck --severity=style --external-sources --source-path=SCRIPTDIR:.
}

check_spotless() { maven -q spotless:check; }

check_checkstyle() { maven -q checkstyle:check; }

# Error Prone, NullAway, -Xlint -Werror and the enforcer's rules all run inside the build. All is compiled anew: what
# ./run test compiled has seen no Error Prone.
check_compile() {
  rm -rf ./*/target/classes ./*/*/target/classes
  maven -q package -DskipTests
}

# The module edges that Maven can't see.
check_architecture() {
  maven -q package -Dtest='*ArchitectureTest' -Dsurefire.failIfNoSpecifiedTests=false -Dexec.skip=true
}

host_sources() { project_files "$NATIVE/*.cpp" "$NATIVE/*.h" "$NATIVE/*.hpp"; }

check_clang-format() { host_sources | xargs -r -d '\n' clang-format-14 --dry-run --Werror; }

# Batches of sources make one file in clang-tidy's, the sanitizers' and the tests' builds. A new source moves the
# batches' ends, so that no two sources of a library or program may give one name to two things.
check_one-file() {
  [[ -d $NATIVE ]] || return 0
  cmake -S "$NATIVE" -B target/one-file -G Ninja -DCMAKE_BUILD_TYPE=Debug -DSHREDDER_CUDA=OFF \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0
  python3 -c 'import json, sys; print(*(source["command"] + " -fsyntax-only" for source in json.load(sys.stdin)
      if "/Unity/" in source["file"]), sep="\n")' <target/one-file/compile_commands.json |
    xargs -r -d '\n' -P "$(nproc)" -n 1 bash -c
}

check_clang-tidy() {
  [[ -d $NATIVE ]] || return 0
  # Some sources make one file, so that what they include is read once.
  cmake -S "$NATIVE" -B target/clang-tidy -G Ninja -DSHREDDER_CUDA=OFF -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=16
  python3 -c 'import json, sys; print(*sorted({entry["file"] for entry in json.load(sys.stdin)}), sep="\n")' \
      <target/clang-tidy/compile_commands.json | lines_with -v '/googletest/' |
    xargs -r -d '\n' -P "$(nproc)" -n 1 clang-tidy-14 -p target/clang-tidy "--config-file=$NATIVE/.clang-tidy" \
      --checks=-bugprone-suspicious-include --quiet 2>&1 | lines_with -v "warnings generated\.$"
}

# The native tests once more, built by the preset of that name.
native_tests_under() {
  [[ -d $NATIVE ]] || return 0
  cd "$NATIVE"
  cmake --preset "$1"
  cmake --build --preset "$1"
  ctest --preset "$1"
}

check_asan-ubsan() { native_tests_under asan-ubsan; }

check_tsan() { native_tests_under tsan; }

# Runs one check in its own shell, its output kept, and prints the line.
run_check() {
  local name=$1 start=$SECONDS
  # In the background, since Bash ignores `set -e` inside a condition.
  "check_$name" >"$LOGS/$name.log" 2>&1 </dev/null &
  if wait $!; then
    printf 'ok    %-14s %4d s\n' "$name" $((SECONDS - start))
  else
    # In one piece: another lane prints, too.
    printf 'FAIL  %-14s %4d s\n%s\n' "$name" $((SECONDS - start)) "$(sed 's/^/      /' "$LOGS/$name.log")"
    return 1
  fi
}

# Runs checks one after the other; the exit code is how many failed.
run_lane() {
  local name failed=0
  for name in "$@"; do
    run_check "$name" || failed=$((failed + 1))
  done
  return "$failed"
}

is_one_of() {
  local name=$1 other
  shift
  for other in "$@"; do [[ $other != "$name" ]] || return 0; done
  return 1
}

require_known() {
  local name
  for name in "$@"; do
    is_one_of "$name" "${ALL_CHECKS[@]}" || { echo "check: unknown check '$name'; known: ${ALL_CHECKS[*]}" >&2; exit 2; }
  done
}

# Prints the checks that the arguments choose.
chosen() {
  local name
  if [[ ${1:-} == --but ]]; then
    shift
    require_known "$@"
    for name in "${ALL_CHECKS[@]}"; do
      is_one_of "$name" "$@" || echo "$name"
    done
  elif [[ $# == 0 ]]; then
    printf '%s\n' "${ALL_CHECKS[@]}"
  else
    require_known "$@"
    printf '%s\n' "$@"
  fi
}

# Whether the native sources changed within so many days, or nobody can tell.
native_changed_lately() {
  local shallow last
  shallow=$(git rev-parse --is-shallow-repository) && [[ $shallow == false ]] || return 0
  last=$(git log -1 --format=%ct -- "$NATIVE" testvectors) && [[ -n $last ]] || return 0
  (($(date +%s) - last < TURN_DAYS * 86400)) || [[ -n $(git status --porcelain -- "$NATIVE" testvectors) ]]
}

# Prints, of the checks named, those whose day it is; says which are left out.
in_turn() {
  local name place=0
  for name in "$@"; do
    if is_one_of "$name" "${LONG_CHECKS[@]}" && ((($(date +%s) / 86400 + place++) % TURN_DAYS != 0)); then
      echo "later $name: nothing native changed in $TURN_DAYS days, of which it runs on one" >&2
    else
      echo "$name"
    fi
  done
}

main() {
  local names name native_lane failed=0 checks=() native=() turns=
  if [[ ${1:-} == --in-turn ]]; then
    shift
    native_changed_lately || turns=yes
  fi
  names=$(chosen "$@")
  # shellcheck disable=SC2086 # Names are words.
  [[ -z $turns ]] || names=$(in_turn $names)
  for name in $names; do
    if is_one_of "$name" "${NATIVE_CHECKS[@]}"; then native+=("$name"); else checks+=("$name"); fi
  done
  tools/packages.sh build check
  use_jdk17
  use_cuda
  mkdir -p "$LOGS"
  run_lane "${native[@]}" &
  native_lane=$!
  run_lane "${checks[@]}" || failed=$?
  wait "$native_lane" || failed=$((failed + $?))
  echo "check: $((${#checks[@]} + ${#native[@]} - failed)) clean, $failed failed"
  [[ $failed == 0 ]]
}

main "$@"
