# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Adds -copyFromLocalGPU, -chunks, -chunkDiff, -verifyChunks and -sweepManifests to the file system shell of a stock
# Hadoop 3, has its -mv and -cp keep manifests, and adds what incremental jobs need to hadoop jar. To install: copy this
# file to $HADOOP_CONF_DIR/shellprofile.d/ and the jars to $HADOOP_HOME/share/hadoop/shredder/, or to a folder that
# SHREDDER_JARS names. docs/OPERATING-HADOOP.md says which jars.
#
# Hadoop's scripts source this file, call _inc_hdfs_hadoop_classpath when they build the class path, and call
# hdfs_subcommand_dfs, hadoop_subcommand_dfs, hadoop_subcommand_fs, hadoop_subcommand_shredder or
# hadoop_subcommand_incoop in place of their own case of that name.

hadoop_add_profile inc_hdfs

_inc_hdfs_jars() {
  echo "${SHREDDER_JARS:-${HADOOP_HOME}/share/hadoop/shredder}"
}

_inc_hdfs_hadoop_classpath() {
  local jars
  jars=$(_inc_hdfs_jars)
  if [[ -d $jars ]]; then
    hadoop_add_classpath "${jars}/*"
  fi
}

# Without the jars the stock shell runs, so that a half-done installation breaks nothing.
_inc_hdfs_shell() {
  local jars
  jars=$(_inc_hdfs_jars)
  if compgen -G "${jars}/inc-hdfs-*.jar" >/dev/null; then
    HADOOP_CLASSNAME=io.shredder.hdfs.IncFsShell
    if [[ -t 2 ]]; then
      hadoop_add_param HADOOP_OPTS shredder.progress -Dshredder.progress=true
    fi
  else
    hadoop_error "WARNING: no inc-hdfs jar in ${jars}: -copyFromLocalGPU is not available; install the jars or remove inc-hdfs.sh"
    # shellcheck disable=SC2034 # read by Hadoop's scripts
    HADOOP_CLASSNAME=org.apache.hadoop.fs.FsShell
  fi
}

hdfs_subcommand_dfs() {
  _inc_hdfs_shell
}

hadoop_subcommand_dfs() {
  _inc_hdfs_shell
}

hadoop_subcommand_fs() {
  _inc_hdfs_shell
}

hadoop_subcommand_shredder() {
  # shellcheck disable=SC2034 # read by Hadoop's scripts
  HADOOP_CLASSNAME=io.shredder.hdfs.HadoopShredder
}

hadoop_subcommand_incoop() {
  # shellcheck disable=SC2034 # read by Hadoop's scripts
  HADOOP_CLASSNAME=io.shredder.incoop.cli.IncoopMain
}
