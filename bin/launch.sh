# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the programs in bin/, in a built checkout and in a distribution of it (tools/dist.sh): where that is, which
# Java, and what a module's class path is.

SHREDDER_ROOT=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# Under a C locale, Java takes no file name beyond ASCII.
[[ $(locale charmap 2>/dev/null) != ANSI_X3.4-1968 ]] || export LC_ALL=C.UTF-8

launch_error() {
  echo "${0##*/}: $*" >&2
  exit 1
}

is_distribution() { [[ -d $SHREDDER_ROOT/lib ]]; }

if is_distribution; then
  TO_MEND="let the user who runs this read it, or unpack the distribution again"
else
  TO_MEND="run ./run build again, as the user who runs this"
fi

# Java without enough file descriptors fails anywhere, and says nothing of them.
descriptors=$(ulimit -n)
[[ $descriptors == unlimited || $descriptors -ge 256 ]] ||
  launch_error "only $descriptors files may be open at once: raise the limit, such as by 'ulimit -n 1024' or a service's LimitNOFILE"

# Prints the java to use: JAVA_HOME's, else the PATH's.
find_java() {
  local java=${JAVA_HOME:+$JAVA_HOME/bin/java} release said
  if [[ -n $java ]]; then
    [[ -x $java ]] || launch_error "JAVA_HOME is $JAVA_HOME, where there is no bin/java: correct or unset it"
  else
    java=$(command -v java) || launch_error "no java found: install a Java 17 runtime or set JAVA_HOME"
  fi
  # Java takes a moment to say its version; the file beside it doesn't.
  release=$(readlink -f "$java")
  release=${release%/bin/java}/release
  said=
  [[ ! -r $release ]] || said=$(<"$release")
  if [[ ! $said =~ JAVA_VERSION=\"(1\.)?([0-9]+) ]]; then
    said=$("$java" -version 2>&1) || launch_error "$java does not run: ${said%%$'\n'*}"
    [[ $said =~ \ version\ \"(1\.)?([0-9]+) ]] || launch_error "$java does not say its version: install a Java 17 runtime or set JAVA_HOME"
  fi
  ((BASH_REMATCH[2] >= 17)) || launch_error "$java is Java ${BASH_REMATCH[2]}: install a Java 17 runtime or set JAVA_HOME to one"
  echo "$java"
}

# Prints a class path; Java would only say which class it misses.
check_readable() {
  local entries entry
  IFS=: read -r -a entries <<<"$1"
  for entry in "${entries[@]}"; do
    [[ -r $entry ]] || launch_error "can't read $entry: $TO_MEND"
  done
  echo "$1"
}

# Prints the class path of a module: in a distribution the jars that lib/MODULE.jars names, else the module's own, then
# what Maven wrote to its target/classpath.txt.
class_path() {
  local list=$SHREDDER_ROOT/lib/$1.jars built=$SHREDDER_ROOT/$1/target/classpath.txt names own native
  if is_distribution; then
    [[ -r $list ]] || launch_error "can't read $list: $TO_MEND"
    mapfile -t names <"$list"
    check_readable "$(IFS=:; echo "${names[*]/#/$SHREDDER_ROOT/lib/}")"
    return
  fi
  own=$(built_jar "$1" '')
  [[ -n $own && -r $built ]] || launch_error "$1 is not built: run ./run build first"
  native=$(built_jar "$1" -linux-x86_64)
  check_readable "$own${native:+:$native}:$(<"$built")"
}

# Prints a module's jar of a classifier, the newest one: another version's may still lie beside it.
built_jar() {
  local jar found=
  for jar in "$SHREDDER_ROOT/$1/target/$1"-[0-9]*"$2.jar"; do
    if [[ $jar =~ /$1-[0-9.]+(-SNAPSHOT)?$2\.jar$ && -e $jar && (-z $found || $jar -nt $found) ]]; then
      found=$jar
    fi
  done
  echo "$found"
}

# Prints the class path of an installed Hadoop's client, with the cluster's configuration; nothing if there is none.
installed_hadoop() {
  local hadoop=${HADOOP_HOME:+$HADOOP_HOME/bin/hadoop}
  [[ -n $hadoop ]] || hadoop=$(command -v hadoop) || return 0
  [[ -x $hadoop ]] || launch_error "there is no program $hadoop: correct or unset HADOOP_HOME"
  "$hadoop" classpath || launch_error "$hadoop can't tell its class path: correct its installation, or unset HADOOP_HOME"
}

# Prints the class path of a module that needs Hadoop's client: what the checkout was built with has it already.
class_path_with_hadoop() {
  local ours hadoop
  check_hadoop_conf
  ours=$(class_path "$1")
  if is_distribution; then
    hadoop=$(installed_hadoop)
    [[ -n $hadoop ]] || launch_error "this needs Hadoop's client: set HADOOP_HOME to where Hadoop is installed"
    echo "$ours:$hadoop"
  else
    echo "${HADOOP_CONF_DIR:+$HADOOP_CONF_DIR:}$ours${HADOOP_CLASSPATH:+:$HADOOP_CLASSPATH}"
  fi
}

# Becomes a program that says its version, by a module's jars alone.
say_version() {
  local java path
  java=$(find_java)
  path=$(class_path "$1")
  exec "$java" -cp "$path" io.shredder.release.Release "${0##*/}"
}

check_hadoop_conf() {
  [[ -z ${HADOOP_CONF_DIR:-} || -d $HADOOP_CONF_DIR ]] ||
    launch_error "HADOOP_CONF_DIR is $HADOOP_CONF_DIR, which is not a folder: correct or unset it"
}

# Prints where a quick start lies.
quick_start_folder() {
  if [[ $SHREDDER_ROOT == /usr/share/* ]]; then
    echo /var/cache/shredder/quick-start
  elif is_distribution; then
    echo "$SHREDDER_ROOT/lib/quick-start"
  else
    echo "$SHREDDER_ROOT/backup-server/target/quick-start"
  fi
}

# Sets start_options, and classes anew, to those of a quick start (shredder-quick-start), where one was made of just
# this class path.
use_quick_start() {
  local start entries entry
  start=$(quick_start_folder)
  # shellcheck disable=SC2034 # Used by those who source this.
  start_options=()
  [[ -r $start/of && $(<"$start/of") == "$classes" ]] || return 0
  IFS=: read -r -a entries <<<"$classes"
  for entry in "${entries[@]}"; do
    [[ ! $entry -nt $start/of ]] || return 0
  done
  # shellcheck disable=SC2034
  mapfile -t start_options <"$start/options"
  classes=$(<"$start/class-path")
}

# Whether an option, given as "NAME VALUE" or "NAME=VALUE", is among the words behind its name.
has_option() {
  local name=$1 word
  for word in "${@:2}"; do
    [[ $word != "$name" && $word != "$name="* ]] || return 0
  done
  return 1
}

# Prints how many cores a command may use, by the words behind its name: those of --threads, at most the machine's; for
# more than 32 it has no more memory.
cores_to_use() {
  local cores most=32 word before=
  cores=$(nproc)
  for word in "$@"; do
    [[ $word != --threads=* ]] || before=--threads word=${word#*=}
    [[ $before != --threads || ! $word =~ ^[1-9][0-9]{0,4}$ || $word -ge $cores ]] || cores=$word
    before=$word
  done
  echo $((cores < most ? cores : most))
}

# Prints options of a heap in MiB: its first size, its most, and its young part by the option that is named last.
# An -Xmx in SHREDDER_JAVA_OPTS caps all three, since Java does not start with a first size above the most.
heap_options() {
  local first=$1 most=$2 young=$3 option=$4 word number
  for word in ${SHREDDER_JAVA_OPTS:-}; do
    [[ $word =~ ^-Xmx0*([1-9][0-9]{0,11})([kKmMgG]?)$ ]] || continue
    number=${BASH_REMATCH[1]}
    case ${BASH_REMATCH[2]} in
      [kK]) most=$((number >> 10)) ;;
      [mM]) most=$number ;;
      [gG]) most=$((number << 10)) ;;
      *) most=$((number >> 20)) ;;
    esac
  done
  echo "-Xms$((first < most ? first : most))m -Xmx${most}m $option$((2 * young < most ? young : most / 2))m"
}

# Netty's memory: a single pool of blocks of 32 MiB, of which only what is used becomes resident, not zeroed first. Its
# blocks of 4 MiB would be given back, taken and zeroed again many times a second, and each pool of several would keep
# its own.
NETTY_JAVA_OPTS="--add-opens=java.base/java.nio=ALL-UNNAMED -Dio.netty.tryReflectionSetAccessible=true -Dio.netty.allocator.numDirectArenas=1 -Dio.netty.allocator.maxOrder=12 -Dio.netty.leakDetection.level=disabled"
# What the Java of a program of the backup starts with; SHREDDER_JAVA_OPTS comes behind and wins. The heavy work
# (cutting, digests, compression, seals, TLS) is in native libraries: a command that lasts seconds would only lose by
# compiling the rest to the last. Two cores have what keeps a command and an agent within 600 MB together; each further
# one has 32 MiB more (Cores.java says what for). From four cores on, Netty has several pools, for which threads don't
# wait.
cores=$(cores_to_use "$@")
pools=
if ((cores >= 4)); then
  pools=" -Dio.netty.allocator.numDirectArenas=$((cores / 4))"
fi
# Prints options of the heap for so many cores.
command_heap() {
  heap_options $((64 + 32 * $1)) $((128 + 32 * $1)) $((8 + 16 * $1)) -Xmn
}

# What opens a backup keeps chunks outside of the heap, which then need not grow with the cores.
open_heap() {
  command_heap $((cores < 3 ? cores : 3))
}

# shellcheck disable=SC2034 # Used by those who source this.
COMMAND_JAVA_OPTS="$(command_heap "$cores") -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xshare:auto $NETTY_JAVA_OPTS$pools"
# What a command gets besides that opens a repository's index itself, as an agent does: room for the filters, and to
# read its log without moving what was read.
# shellcheck disable=SC2034
INDEX_JAVA_OPTS=$(heap_options $((64 + 32 * cores)) $((320 + 32 * cores)) $((32 + 16 * cores)) -Xmn)
# The agent's heap is filters of its index above all, which stay: room for garbage in proportion to them would double
# what is resident. Each core beyond two has 32 MiB more, for what its threads have in hand. From four on, several
# threads collect, and the heap begins with most of that room: it would grow by one full collection after another, half
# a second of them. Nothing is compiled to the last: on 16 cores that took the agent 7 CPU seconds of a backup of 10 GB,
# and made it no quicker.
more=$((cores > 2 ? cores - 2 : 0))
collector=-XX:+UseSerialGC
if ((cores >= 4)); then
  collector=-XX:+UseParallelGC
fi
# shellcheck disable=SC2034
SERVICE_JAVA_OPTS="$(heap_options $((64 + 24 * more)) $((368 + 32 * more)) $((32 + 8 * more)) -XX:MaxNewSize=) -XX:MinHeapFreeRatio=5 -XX:MaxHeapFreeRatio=15 $collector -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xshare:auto $NETTY_JAVA_OPTS$pools"
