// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which configuration keys can't change what a map computes: where things lie, who runs the job, when, and with how much
 * memory. Every other key counts; one too many only costs a run, one too few gives wrong results.
 */
final class ConfigurationFilter {

    private static final List<String> IGNORED_PREFIXES = List.of(
            // Hadoop's services, not its jobs.
            "dfs.",
            "fs.",
            "yarn.",
            "ipc.",
            "rpc.",
            "ha.",
            "net.",
            "nfs.",
            "ftp.",
            "file.",
            "zk-",
            "httpfs.",
            "hadoop.",
            "adl.",
            "s3.",
            "s3native.",
            "tfile.",
            "security.",
            "mapreduce.jobhistory.",
            "mapreduce.cluster.",
            "mapreduce.jobtracker.",
            "mapreduce.tasktracker.",
            "mapreduce.shuffle.",
            "mapreduce.client.",
            "mapreduce.am.",
            "mapreduce.app-submission.",
            "mapreduce.fileoutputcommitter.",
            // Who, when, where.
            "mapreduce.workflow.",
            "mapreduce.job.acl",
            "mapreduce.job.end-notification.",
            "mapreduce.job.token.",
            "mapreduce.job.cache.",
            "mapreduce.job.classpath.",
            "mapreduce.job.credentials.",
            "mapreduce.job.submithost",
            "mapreduce.job.hdfs-servers",
            "mapreduce.job.ubertask.",
            "mapreduce.job.speculative.",
            "mapreduce.job.counters.",
            "mapreduce.job.running.",
            "mapreduce.job.reducer.",
            "mapreduce.job.redacted-properties",
            // The reduce side reads memos; it does not make them.
            "mapreduce.reduce.",
            "mapreduce.output.fileoutputformat.",
            // Ours, and what we have put in the job's place: both stand in the identity by themselves.
            "incoop.");

    private static final Set<String> IGNORED = Set.of(
            "mapreduce.framework.name",
            "mapreduce.job.dir",
            "mapreduce.job.jar",
            "mapreduce.job.id",
            "mapreduce.job.name",
            "mapreduce.job.user.name",
            "mapreduce.job.working.dir",
            "mapreduce.job.queuename",
            "mapreduce.job.priority",
            "mapreduce.job.tags",
            "mapreduce.job.maps",
            "mapreduce.job.map.class",
            "mapreduce.job.inputformat.class",
            "mapreduce.job.reduce.class",
            "mapred.input.format.class",
            "mapred.map.runner.class",
            "mapred.reducer.class",
            "mapred.reducer.new-api",
            "mapred.output.format.class",
            "mapred.output.committer.class",
            "mapreduce.job.outputformat.class",
            "mapreduce.job.reduce.shuffle.consumer.plugin.class",
            "mapreduce.job.reduce.slowstart.completedmaps",
            "mapreduce.job.max.map",
            "mapreduce.job.maxtaskfailures.per.tracker",
            "mapreduce.job.split.metainfo.maxsize",
            "mapreduce.job.committer.setup.cleanup.needed",
            "mapreduce.job.complete.cancel.delegation.tokens",
            "mapreduce.job.log4j-properties-file",
            "mapreduce.job.sharedcache.mode",
            "mapreduce.job.reservation.id",
            "mapreduce.job.node-label-expression",
            "mapreduce.job.emit-timeline-data",
            "mapreduce.job.process-tree.class",
            "mapreduce.input.fileinputformat.inputdir",
            "mapreduce.input.fileinputformat.numinputfiles",
            "mapreduce.input.fileinputformat.split.minsize",
            "mapreduce.input.fileinputformat.split.maxsize",
            "mapreduce.input.fileinputformat.list-status.num-threads",
            "mapreduce.map.memory.mb",
            "mapreduce.map.cpu.vcores",
            "mapreduce.map.log.level",
            "mapreduce.map.maxattempts",
            "mapreduce.map.speculative",
            "mapreduce.map.failures.maxpercent",
            "mapreduce.map.node-label-expression",
            "mapreduce.map.resource.memory-mb",
            "mapreduce.map.resource.vcores",
            "mapreduce.task.timeout",
            "mapreduce.task.io.sort.mb",
            "mapreduce.task.io.sort.factor",
            "mapreduce.task.profile",
            "mapreduce.task.profile.maps",
            "mapreduce.task.profile.reduces",
            "mapreduce.task.profile.params",
            "mapreduce.task.stuck.timeout-ms",
            "mapreduce.local.map.tasks.maximum",
            "mapreduce.local.reduce.tasks.maximum",
            "tmpjars",
            "tmpfiles",
            "tmparchives",
            "user.name",
            "io.file.buffer.size");

    private ConfigurationFilter() {}

    static boolean counts(String key) {
        return !IGNORED.contains(key) && IGNORED_PREFIXES.stream().noneMatch(key::startsWith);
    }

    /** A value as it counts: of the options for a task's JVM, those that set its memory don't. */
    static String counted(String key, String value) {
        if (!key.endsWith(".java.opts")) {
            return value;
        }
        return Arrays.stream(value.trim().split("\\s+"))
                .filter(option -> !option.startsWith("-X"))
                .collect(Collectors.joining(" "));
    }
}
