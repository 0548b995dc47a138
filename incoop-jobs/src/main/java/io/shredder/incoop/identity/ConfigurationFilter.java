// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.incoop.config.Originals;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which configuration keys can't change what a map, or a reduce task, computes: where things lie, who runs the job,
 * when, and with how much memory. Every other key counts; one too many only costs a run, one too few gives wrong
 * results.
 *
 * <p>No key is left out for its prefix alone, since a job may call its options as it likes. A key is left out if
 * Hadoop's own files name it ({@link HadoopKeys}) and a rule here says that it changes nothing, or if it is one of the
 * keys, each spelled out, that Hadoop's submission sets by itself.
 */
final class ConfigurationFilter {

    /** Rules for keys that Hadoop's own files name. */
    private static final List<String> NAMED_WITHOUT_EFFECT = List.of(
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
            "httpfs.",
            "hadoop.",
            "adl.",
            "tfile.",
            "security.",
            "mapreduce.jobhistory.",
            "mapreduce.cluster.",
            "mapreduce.shuffle.",
            "mapreduce.client.",
            "mapreduce.am.",
            "mapreduce.app-submission.",
            "mapreduce.fileoutputcommitter.",
            "io.file.buffer.size",
            "io.seqfile.local.dir",
            // Who, when, where.
            "mapreduce.framework.name",
            "mapreduce.job.acl-",
            "mapreduce.job.am.node-label-expression",
            "mapreduce.job.cache.limit.",
            "mapreduce.job.committer.setup.cleanup.needed",
            "mapreduce.job.complete.cancel.delegation.tokens",
            "mapreduce.job.counters.max",
            "mapreduce.job.emit-timeline-data",
            "mapreduce.job.end-notification.",
            "mapreduce.job.hdfs-servers",
            "mapreduce.job.log4j-properties-file",
            "mapreduce.job.maps",
            "mapreduce.job.max.map",
            "mapreduce.job.maxtaskfailures.per.tracker",
            "mapreduce.job.node-label-expression",
            "mapreduce.job.queuename",
            "mapreduce.job.redacted-properties",
            "mapreduce.job.reducer.",
            "mapreduce.job.running.",
            "mapreduce.job.sharedcache.mode",
            "mapreduce.job.speculative.",
            "mapreduce.job.split.metainfo.maxsize",
            "mapreduce.job.token.tracking.ids",
            "mapreduce.job.ubertask.",
            "mapreduce.input.fileinputformat.list-status.num-threads",
            "mapreduce.input.fileinputformat.split.minsize",
            // With how much of what, and how often.
            "mapreduce.map.cpu.vcores",
            "mapreduce.map.log.level",
            "mapreduce.map.maxattempts",
            "mapreduce.map.memory.mb",
            "mapreduce.map.node-label-expression",
            "mapreduce.map.speculative",
            "mapreduce.reduce.cpu.vcores",
            "mapreduce.reduce.input.",
            "mapreduce.reduce.log.level",
            "mapreduce.reduce.maxattempts",
            "mapreduce.reduce.memory.mb",
            "mapreduce.reduce.merge.",
            "mapreduce.reduce.node-label-expression",
            "mapreduce.reduce.shuffle.",
            "mapreduce.reduce.speculative",
            "mapreduce.task.io.sort.factor",
            "mapreduce.task.io.sort.mb",
            "mapreduce.task.profile",
            "mapreduce.task.stuck.timeout-ms",
            "mapreduce.task.timeout",
            // How Hadoop brings a reduce task its input: ours, and what stands in its place.
            "mapreduce.job.reduce.shuffle.consumer.plugin.class",
            "mapreduce.job.reduce.slowstart.completedmaps",
            // Ours.
            "incoop.");

    /** Named, and under a prefix from above, but a map may see them. */
    private static final Set<String> NAMED_WITH_EFFECT = Set.of(
            "hadoop.util.hash.type",
            // Whether a program that the job starts can be part of a result.
            "incoop.programs.ignore.task",
            // Configuration.getPassword reads values from there.
            "hadoop.security.credential.provider.path",
            "hadoop.security.credential.clear-text-fallback",
            "hadoop.security.credstore.java-keystore-provider.password-file",
            // What a task's JVM finds on its class path; the options and environment of a master that runs the tasks
            // itself.
            "yarn.application.classpath",
            "yarn.app.mapreduce.am.admin-command-opts",
            "yarn.app.mapreduce.am.admin.user.env",
            "yarn.app.mapreduce.am.command-opts",
            "yarn.app.mapreduce.am.env");

    /** Named by no default file. */
    private static final Set<String> UNNAMED_WITHOUT_EFFECT = Set.of(
            // Set by a submission: its place, its user, its files, which stand in the identity by their contents.
            "mapreduce.client.genericoptionsparser.used",
            "mapreduce.input.fileinputformat.inputdir",
            "mapreduce.input.fileinputformat.numinputfiles",
            "mapreduce.input.multipleinputs.dir.formats",
            "mapreduce.input.multipleinputs.dir.mappers",
            "mapreduce.job.cache.archives",
            "mapreduce.job.cache.archives.filesizes",
            "mapreduce.job.cache.archives.sharedcache.uploadpolicies",
            "mapreduce.job.cache.archives.timestamps",
            "mapreduce.job.cache.archives.visibilities",
            "mapreduce.job.cache.files",
            "mapreduce.job.cache.files.filesizes",
            "mapreduce.job.cache.files.sharedcache.uploadpolicies",
            "mapreduce.job.cache.files.timestamps",
            "mapreduce.job.cache.files.visibilities",
            "mapreduce.job.classpath.archives",
            "mapreduce.job.classpath.files",
            "mapreduce.job.credentials.binary",
            "mapreduce.job.dir",
            "mapreduce.job.id",
            "mapreduce.job.jar",
            "mapreduce.job.jobjar.sharedcache.uploadpolicy",
            "mapreduce.job.jobjar.visibility",
            "mapreduce.job.name",
            "mapreduce.job.priority",
            "mapreduce.job.reservation.id",
            "mapreduce.job.submithostaddress",
            "mapreduce.job.submithostname",
            "mapreduce.job.user.name",
            "mapreduce.job.working.dir",
            "tmparchives",
            "tmpfiles",
            "tmpjars",
            "user.name",
            // Hadoop's own, too: how large a split is (chunks are cut otherwise), memory, failures.
            "mapreduce.input.fileinputformat.split.maxsize",
            "mapreduce.local.map.tasks.maximum",
            "mapreduce.local.reduce.tasks.maximum",
            "mapreduce.map.failures.maxpercent",
            "mapreduce.map.resource.memory-mb",
            "mapreduce.map.resource.vcores",
            "mapreduce.reduce.failures.maxpercent",
            "mapreduce.reduce.resource.memory-mb",
            "mapreduce.reduce.resource.vcores",
            // Classes that stand in an identity by their names and their code, or ours in their places.
            "mapred.input.format.class",
            "mapred.map.runner.class",
            "mapreduce.job.inputformat.class",
            "mapreduce.job.map.class",
            // Set by our own submission.
            "incoop.job.recheck.fraction",
            "incoop.job.recheck.seed",
            "incoop.verify.mode",
            "incoop.verify.report",
            "incoop.verify.twin");

    /** What sets a JVM's memory, compiler and log. */
    private static final List<String> JVM_RESOURCES =
            List.of("-Xms", "-Xmx", "-Xmn", "-Xss", "-XX:", "-Xlog", "-Xint", "-Xcomp", "-Xshare:");

    private ConfigurationFilter() {}

    /** Whether a key counts for maps, and with them for all that is computed from their output. */
    static boolean counts(String key) {
        return !isWithoutEffect(key) && !ReduceIdentity.isOfReduceSide(key);
    }

    /** Whether a key changes nothing that any task computes. */
    static boolean isWithoutEffect(String key) {
        if (!HadoopKeys.isNamed(key)) {
            return UNNAMED_WITHOUT_EFFECT.contains(key) || Originals.isOurs(key);
        }
        return !NAMED_WITH_EFFECT.contains(key) && NAMED_WITHOUT_EFFECT.stream().anyMatch(key::startsWith);
    }

    /** A value as it counts: of the options for a JVM, those that set its memory, compiler and log don't. */
    static String counted(String key, String value) {
        if (!key.endsWith(".java.opts") && !key.endsWith("command-opts")) {
            return value;
        }
        return Arrays.stream(value.trim().split("\\s+"))
                .filter(option -> JVM_RESOURCES.stream().noneMatch(option::startsWith))
                .collect(Collectors.joining(" "));
    }
}
