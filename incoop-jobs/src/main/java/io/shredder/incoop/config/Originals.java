// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job's configuration held before we changed it, kept in the configuration itself, so that it comes along to the
 * tasks. The job's own code is shown the configuration as it was; a job that turns out to be plain becomes it again.
 */
public final class Originals {

    private static final Logger LOG = LoggerFactory.getLogger(Originals.class);
    private static final String VALUE = "incoop.job.original.";
    private static final String UNSET = "incoop.job.unset";

    private static final Set<String> OURS = Set.of(
            UNSET,
            IncoopKeys.MAPPER,
            IncoopKeys.MAP_RUNNER,
            IncoopKeys.INPUT_FORMAT,
            IncoopKeys.REDUCER,
            IncoopKeys.OUTPUT_FORMAT,
            IncoopKeys.PLAN_FILE,
            IncoopKeys.MEMO_OF_JOB);

    private Originals() {}

    /** Whether a key is none that a job could have set: it stands in its configuration while it is incremental. */
    public static boolean isOurs(String key) {
        return OURS.contains(key) || key.startsWith(VALUE);
    }

    /** What has to be known of a configuration before it is changed. */
    public static Map<String, String> before(Configuration conf) {
        Map<String, String> values = new HashMap<>();
        conf.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
        return values;
    }

    /**
     * Keeps what has been changed; what an earlier call has kept of a key stays.
     *
     * @param before of {@link #before}
     */
    public static void keep(Map<String, String> before, Configuration conf) {
        List<String> unset = new ArrayList<>(conf.getTrimmedStringCollection(UNSET));
        before(conf).forEach((key, value) -> {
            boolean kept = conf.getRaw(VALUE + key) != null || unset.contains(key);
            if (isOurs(key) || kept || Objects.equals(value, before.get(key))) {
                return;
            }
            if (before.containsKey(key)) {
                conf.set(VALUE + key, before.get(key));
            } else {
                unset.add(key);
            }
        });
        conf.setStrings(UNSET, unset.toArray(String[]::new));
    }

    /**
     * Makes a job plain again before it is submitted, and says why.
     *
     * @param why a {@link io.shredder.incoop.config.PlainRunException}, or a failure that a plain run does not meet
     */
    public static void runPlainly(Configuration conf, Exception why) {
        String reason = why.getMessage() == null ? why.toString() : why.getMessage();
        // Hadoop's remote exceptions bring the stack of the other side along.
        LOG.info("incoop: the job runs plainly: {}", reason.lines().findFirst().orElse(""));
        restore(conf);
    }

    /** A copy of a configuration as the job's own code would find it, with the credentials of a job's. */
    public static JobConf ownCopy(Configuration conf) {
        JobConf own = new JobConf(conf);
        restore(own);
        return own;
    }

    /** Makes a configuration what it was; nothing of ours stays in it. */
    public static void restore(Configuration conf) {
        for (String key : conf.getTrimmedStringCollection(UNSET)) {
            conf.unset(key);
        }
        Map<String, String> now = before(conf);
        now.forEach((key, value) -> {
            if (key.startsWith(VALUE)) {
                conf.set(key.substring(VALUE.length()), value);
            }
        });
        now.keySet().stream().filter(Originals::isOurs).forEach(conf::unset);
    }
}
