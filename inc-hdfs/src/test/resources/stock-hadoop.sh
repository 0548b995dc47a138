# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What bin/hdfs and bin/hadoop of a Hadoop 3 installation do with a shell profile, and no more: collect profiles, build
# the class path, prefer a declared subcommand function to their own, run the class.
# usage: stock-hadoop.sh JARS NAME SUBCOMMAND ARGS..; SHELL_PROFILE names the profile
set -eu
CLASSPATH=$1
command=$2
subcommand=$3
shift 3
export HADOOP_HOME=${HADOOP_HOME:-/nonexistent}
HADOOP_SHELL_PROFILES=

hadoop_add_profile() { HADOOP_SHELL_PROFILES="$HADOOP_SHELL_PROFILES $1"; }
hadoop_add_classpath() { CLASSPATH="$CLASSPATH:$1"; }
hadoop_add_param() { eval "$1=\"\${$1} \$3\""; }
hadoop_error() { echo "$*" >&2; }

# shellcheck source=inc-hdfs/src/main/shellprofile.d/inc-hdfs.sh
. "$SHELL_PROFILE"

for profile in $HADOOP_SHELL_PROFILES; do
  "_${profile}_hadoop_classpath"
done
if declare -f "${command}_subcommand_$subcommand" >/dev/null; then
  "${command}_subcommand_$subcommand" "$@"
else
  hadoop_error "$command: no function for $subcommand"
  exit 1
fi
# shellcheck disable=SC2086 # Hadoop splits its options at spaces as well
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" ${HADOOP_OPTS:-} -cp "$CLASSPATH" "$HADOOP_CLASSNAME" "$@"
