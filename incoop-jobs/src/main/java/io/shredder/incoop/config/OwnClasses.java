// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** A job's own mapper and input format, while ours stand in for them or before. */
public final class OwnClasses {

    private OwnClasses() {}

    /** What a job's own input format does at submission. */
    public interface AtSubmission<T> {
        T run() throws IOException, InterruptedException;
    }

    /** Shows the job's own mapper and input format meanwhile: MultipleInputs hands the mapper on to its splits. */
    public static <T> T showMeanwhile(Configuration conf, AtSubmission<T> action)
            throws IOException, InterruptedException {
        ReplacedClasses replaced = ReplacedClasses.of(conf);
        ReplacedClasses.StandIns ours = replaced.showOwn(conf);
        try {
            return action.run();
        } finally {
            replaced.replace(conf, ours);
        }
    }

    /** The mapper: of the package {@code mapreduce} or, in a job of the old API, of {@code mapred}. */
    public static Class<?> mapper(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(
                conf.get(IncoopKeys.MAPPER, ReplacedClasses.of(conf).mapper(conf)));
    }

    /** What runs the mapper; only in a job of the old API. */
    public static Class<?> mapRunner(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(conf.get(IncoopKeys.MAP_RUNNER, ReplacedClasses.mapRunner(conf)));
    }

    /** The input format, of the same API as the mapper. */
    public static Class<?> inputFormat(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(
                conf.get(IncoopKeys.INPUT_FORMAT, ReplacedClasses.of(conf).inputFormat(conf)));
    }
}
