// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static io.shredder.it.exact.cases.JobCase.acme;

import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.ArrayList;
import java.util.List;

/** Jobs whose result hangs on options, on the process, or on the order of things. */
final class OptionJobs {
    private static final String CHANGED = "the option changed";

    /** A job's own options under names that Hadoop's services use, too, and Hadoop's that a job may read. */
    private static final List<String> KEYS = List.of(
            "net.acme.x",
            "hadoop.acme.x",
            "fs.acme.x",
            "dfs.acme.x",
            "file.acme.x",
            "security.acme.x",
            "yarn.acme.x",
            "ipc.acme.x",
            "s3.acme.x",
            "ha.acme.x",
            "incoop.acme.x",
            "mapreduce.client.acme.x",
            "mapreduce.reduce.acme.x",
            "mapreduce.job.acl.acme.x",
            "mapreduce.workflow.id",
            "mapreduce.job.tags",
            "mapreduce.job.queuename",
            "user.name",
            "io.file.buffer.size");

    private OptionJobs() {}

    static List<JobCase> cases() {
        var cases = new ArrayList<JobCase>();
        for (String key : KEYS) {
            cases.add(option(acme("option-" + key.replace('.', '-'), "options.OptionReader"), key));
        }
        for (String key : List.of("net.acme.x", "fs.acme.x", "mapreduce.map.acme.x", "mapreduce.job.tags")) {
            cases.add(option(acme("reducer-option-" + key.replace('.', '-'), "options.OptionInReducer"), key));
        }
        cases.addAll(wayToOptions());
        cases.addAll(process());
        return cases;
    }

    private static JobCase option(JobCase job, String key) {
        boolean isNumber = key.equals("io.file.buffer.size");
        String one = isNumber ? "4096" : "default";
        String other = isNumber ? "8192" : "other";
        JobCase first = job.given(now -> now.option("net.acme.which", key).option(key, one));
        return first.then(CHANGED, now -> now.option(key, other));
    }

    private static List<JobCase> wayToOptions() {
        return List.of(
                changed(acme("options-by-prefix", "options.OptionsByPrefix"), "hadoop.acme.y"),
                changed(acme("options-by-pattern", "options.OptionsByPattern"), "yarn.acme.y"),
                changed(acme("option-in-copy", "options.OptionInCopy"), "fs.acme.x"),
                changed(acme("option-in-cleanup", "options.OptionInCleanup"), "ha.acme.x"),
                changed(acme("option-in-thread", "options.OptionInThread"), "file.acme.x"),
                changed(acme("option-old-api", "oldapi.ConfigureAndClose"), "net.acme.tag"),
                changed(acme("job-name", "options.JobNameReader"), "net.acme.unused"),
                acme("input-path", "options.InputPathReader"),
                acme("sort-by-option", "order.ConfiguredSort")
                        .then(CHANGED, now -> now.option("fs.acme.order", "down")),
                acme("groups-by-option", "order.ConfiguredGroups")
                        .with(Trait.OWN_REDUCERS)
                        .then(CHANGED, now -> now.option("hadoop.acme.letters", "3")),
                acme("partitions-by-option", "order.ConfiguredPartitions")
                        .with(Trait.OWN_REDUCERS)
                        .then(CHANGED, now -> now.option("yarn.acme.shift", "1")),
                acme("combiner-by-option", "order.CombinerOption")
                        .then(CHANGED, now -> now.option("security.acme.least", "3")));
    }

    private static JobCase changed(JobCase job, String key) {
        return job.given(now -> now.option(key, "first")).then(CHANGED, now -> now.option(key, "other"));
    }

    private static List<JobCase> process() {
        return List.of(
                acme("secret", "options.SecretReader")
                        .given(now -> now.arguments("${input}", "${output}", "${local}/secret")
                                .onDisk("secret", "sesame"))
                        .then("the secret changed", now -> now.onDisk("secret", "simsim")),
                acme("system-property", "options.SystemPropertyReader")
                        .given(now -> now.property("acme.x", "first"))
                        .then("the property changed", now -> now.property("acme.x", "other")),
                acme("time-zone", "options.TimeZoneReader")
                        .given(now -> now.property("user.timezone", "UTC"))
                        .then("the time zone changed", now -> now.property("user.timezone", "Asia/Tokyo")),
                acme("language", "options.LocaleReader")
                        .given(now -> now.property("user.language", "en"))
                        .then("the language changed", now -> now.property("user.language", "tr")),
                acme("environment", "options.EnvironmentReader"),
                acme("charset", "options.CharsetReader")
                        .given(now -> now.option("mapreduce.map.java.opts", "-Xmx400m -Dfile.encoding=UTF-8"))
                        .then(
                                "the charset changed",
                                now -> now.option("mapreduce.map.java.opts", "-Xmx400m -Dfile.encoding=ISO-8859-1"))
                        .with(Trait.YARN_ONLY),
                acme("task-environment", "options.TaskEnvironmentReader")
                        .given(now -> now.option("mapreduce.map.env", "ACME_X=first"))
                        .then("the variable changed", now -> now.option("mapreduce.map.env", "ACME_X=other"))
                        .with(Trait.YARN_ONLY));
    }
}
