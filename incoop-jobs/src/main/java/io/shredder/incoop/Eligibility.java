// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.format.ChunkFormats;
import io.shredder.incoop.format.UnservedFormatException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;

/** What a job's configuration alone says about reuse. Whatever can't be reused safely runs plainly. */
final class Eligibility {

    private static final String NEW_API = "mapred.mapper.new-api";

    private Eligibility() {}

    /** Whether this is the configuration of a job about to be submitted, and not of, say, {@code mapred job -list}. */
    static boolean isJob(Configuration conf) {
        return conf.get(NEW_API) != null;
    }

    /** Why the job has to run plainly; empty if nothing in its configuration speaks against reuse. */
    static Optional<String> objection(Configuration conf) {
        String collector =
                conf.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, MapTask.MapOutputBuffer.class.getName());
        String shuffle = conf.get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, Shuffle.class.getName());
        if (!conf.getBoolean(NEW_API, false)) {
            return Optional.of("its mapper uses the old API (org.apache.hadoop.mapred)");
        }
        if (conf.getInt(MRJobConfig.NUM_REDUCES, 1) == 0) {
            return Optional.of("it has no reduce phase");
        }
        if (conf.getBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, false)) {
            return Optional.of(
                    "its intermediate data are encrypted (" + MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA + ")");
        }
        if (!collector.equals(MapTask.MapOutputBuffer.class.getName())) {
            return Optional.of("it brings a map output collector of its own, " + collector);
        }
        if (!shuffle.equals(Shuffle.class.getName())) {
            return Optional.of("it brings a shuffle plug-in of its own, " + shuffle);
        }
        return inputObjection(conf);
    }

    private static Optional<String> inputObjection(Configuration conf) {
        Class<?> input = conf.getClass(MRJobConfig.INPUT_FORMAT_CLASS_ATTR, TextInputFormat.class);
        try {
            ChunkFormats.find(input, conf);
            return Optional.empty();
        } catch (UnservedFormatException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
