// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.config.ReduceSide;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;

/**
 * What a reduce task's output depends on beside its input and the {@link JobIdentity}: the reduce side's classes, and
 * the configuration that a map can't depend on but a reducer or output format can.
 */
public final class ReduceIdentity {

    /**
     * Keys of Hadoop's, each spelled out, that only reduce tasks look at; others that begin so may be a mapper's own.
     * How a reduce task gets its input, and with how much of what, counts for nobody
     * ({@link ConfigurationFilter#isWithoutEffect}).
     */
    private static final Set<String> REDUCE_SIDE = Set.of(
            "mapreduce.admin.reduce.child.java.opts",
            "mapreduce.output.fileoutputformat.compress",
            "mapreduce.output.fileoutputformat.compress.codec",
            "mapreduce.output.fileoutputformat.compress.type",
            "mapreduce.reduce.debug.script",
            "mapreduce.reduce.env",
            "mapreduce.reduce.java.opts",
            "mapreduce.reduce.markreset.buffer.percent",
            "mapreduce.reduce.markreset.buffer.size",
            "mapreduce.reduce.skip.maxgroups",
            "mapreduce.reduce.skip.proc-count.auto-incr");

    /** Where the output goes, and whose classes, named by themselves, or ours in their places, give it. */
    private static final Set<String> IN_ITS_PLACE = Set.of(
            "mapreduce.output.fileoutputformat.outputdir",
            "mapred.output.committer.class",
            "mapred.output.format.class",
            "mapred.reducer.class",
            "mapred.reducer.new-api",
            "mapreduce.job.outputformat.class",
            "mapreduce.job.reduce.class");

    /** Of these, those that a map without reducers behind it looks at as it writes its part file. */
    private static final String OF_OUTPUT = "mapreduce.output.fileoutputformat.";

    private ReduceIdentity() {}

    /**
     * The identity of what gives a job without reducers its part files, beside its mapper.
     *
     * @throws IOException if the code of a class can't be read
     */
    public static Fingerprint ofMapOnly(JobContext job) throws IOException, ClassNotFoundException {
        Configuration conf = job.getConfiguration();
        CodeDigests code = new CodeDigests();
        SortedMap<String, String> parts = new TreeMap<>();
        parts.put("class.outputformat", code.described(MapOnly.outputFormatClass(conf)));
        addConfiguration(parts, conf, code, OF_OUTPUT);
        return digest(parts);
    }

    /**
     * The identity of a job's reduce side.
     *
     * @throws IOException if the code of a class can't be read
     */
    public static Fingerprint of(JobContext job) throws IOException, ClassNotFoundException {
        return digest(parts(job));
    }

    private static Fingerprint digest(SortedMap<String, String> parts) {
        StringBuilder text = new StringBuilder();
        parts.forEach(
                (name, value) -> text.append(name).append('\0').append(value).append('\0'));
        return Fingerprint.ofData(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static SortedMap<String, String> parts(JobContext job) throws IOException, ClassNotFoundException {
        Configuration conf = job.getConfiguration();
        CodeDigests code = new CodeDigests();
        SortedMap<String, String> parts = new TreeMap<>();
        parts.put("class.reducer", code.described(ReduceSide.reducerClass(conf)));
        parts.put("class.outputformat", code.described(ReduceSide.outputFormatClass(conf)));
        parts.put("class.grouping", code.described(job.getGroupingComparator().getClass()));
        parts.put("class.key", code.described(job.getOutputKeyClass()));
        parts.put("class.value", code.described(job.getOutputValueClass()));
        addConfiguration(parts, conf, code, "");
        return parts;
    }

    private static void addConfiguration(
            SortedMap<String, String> parts, Configuration conf, CodeDigests code, String prefix) throws IOException {
        for (Map.Entry<String, String> property : conf) {
            String key = property.getKey();
            if (counts(key) && key.startsWith(prefix)) {
                addValue(parts, key, ConfigurationFilter.counted(key, String.valueOf(conf.get(key))), conf, code);
            }
        }
    }

    private static void addValue(
            SortedMap<String, String> parts, String key, String value, Configuration conf, CodeDigests code)
            throws IOException {
        // What counts for nothing is as good as not set.
        if (value.isEmpty()) {
            return;
        }
        parts.put("conf." + key, value);
        Optional<Class<?>> named = NamedCode.of(value, conf);
        if (named.isPresent()) {
            parts.put("code." + key, code.described(named.get()));
        }
    }

    /** Whether a key is one of the reduce side, and no map's. */
    static boolean isOfReduceSide(String key) {
        return REDUCE_SIDE.contains(key) || IN_ITS_PLACE.contains(key);
    }

    private static boolean counts(String key) {
        return REDUCE_SIDE.contains(key) && !ConfigurationFilter.isWithoutEffect(key);
    }
}
