// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.ReduceSide;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * What a reduce task's output depends on beside its input and the {@link JobIdentity}: the reduce side's classes, and the
 * configuration that a map can't depend on but a reducer or output format can.
 */
public final class ReduceIdentity {

    private static final List<String> COUNTED_PREFIXES = List.of("mapreduce.output.", "mapreduce.reduce.");

    /** How a reduce task gets its input, and with how much of what. */
    private static final List<String> IGNORED_PREFIXES = List.of(
            "mapreduce.reduce.memory.",
            "mapreduce.reduce.cpu.",
            "mapreduce.reduce.resource.",
            "mapreduce.reduce.shuffle.",
            "mapreduce.reduce.merge.",
            "mapreduce.reduce.input.",
            "mapreduce.reduce.log.",
            "mapreduce.reduce.maxattempts",
            "mapreduce.reduce.speculative",
            "mapreduce.reduce.node-label-expression",
            FileOutputFormat.OUTDIR);

    private ReduceIdentity() {}

    /**
     * The identity of a job's reduce side.
     *
     * @throws IOException if the code of a class can't be read
     */
    public static Fingerprint of(JobContext job) throws IOException, ClassNotFoundException {
        Configuration conf = job.getConfiguration();
        CodeDigests code = new CodeDigests();
        Map<String, String> parts = new TreeMap<>();
        parts.put("class.reducer", described(code, ReduceSide.reducerClass(conf)));
        parts.put("class.outputformat", described(code, ReduceSide.outputFormatClass(conf)));
        parts.put("class.grouping", described(code, job.getGroupingComparator().getClass()));
        parts.put("class.key", described(code, job.getOutputKeyClass()));
        parts.put("class.value", described(code, job.getOutputValueClass()));
        for (Map.Entry<String, String> property : conf) {
            if (counts(property.getKey())) {
                String value = String.valueOf(conf.get(property.getKey()));
                parts.put("conf." + property.getKey(), ConfigurationFilter.counted(property.getKey(), value));
            }
        }
        StringBuilder text = new StringBuilder();
        parts.forEach(
                (name, value) -> text.append(name).append('\0').append(value).append('\0'));
        return Fingerprint.ofData(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static boolean counts(String key) {
        return COUNTED_PREFIXES.stream().anyMatch(key::startsWith)
                && IGNORED_PREFIXES.stream().noneMatch(key::startsWith);
    }

    private static String described(CodeDigests code, Class<?> type) throws IOException {
        return type.getName() + " from "
                + code.of(type).map(Fingerprint::toString).orElse("jdk");
    }
}
