// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.Backend;
import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordFormats;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * What was asked for on the command line, validated as a whole.
 *
 * @param plan chunks, segments and blocks
 * @param records what the cuts move to the ends of
 * @param backend what the engine computes on
 */
record UploadOptions(BlockPlan plan, RecordFormat records, Backend backend) {

    static final List<String> VALUE_OPTIONS =
            List.of("inputFormat", "avg", "min", "max", "blockAvg", "blockMin", "blockMax", "digest", "backend");

    private static final long DEFAULT_AVERAGE_BYTES = 1 << 20;
    private static final long DEFAULT_BLOCK_AVERAGE_BYTES = 32 << 20;

    /**
     * Reads the options from a parsed {@code format}.
     *
     * @throws IllegalArgumentException naming the value that can't be and what could
     */
    static UploadOptions of(CommandFormat format, Configuration conf) {
        long average = bytes(format, "avg", DEFAULT_AVERAGE_BYTES);
        long blockAverage = bytes(format, "blockAvg", DEFAULT_BLOCK_AVERAGE_BYTES);
        ChunkingParams params = ChunkingParams.builder()
                .averageBytes(average)
                .minBytes(bytes(format, "min", average / 4))
                .maxBytes(bytes(format, "max", average * 4))
                .segments(
                        blockAverage,
                        bytes(format, "blockMin", blockAverage / 4),
                        bytes(format, "blockMax", blockAverage * 4))
                .digest(DigestAlgorithm.parse(text(format, "digest", DigestAlgorithm.SHA_256.optionName())))
                .build();
        return new UploadOptions(
                BlockPlan.of(params, conf),
                RecordFormats.find(text(format, "inputFormat", "text"), conf),
                Backend.parse(text(format, "backend", Backend.AUTO.optionName())));
    }

    /** A CommandFormat gives null for an option that is not there, and an empty string for one without a value. */
    private static String text(CommandFormat format, String option, String whenAbsent) {
        String value = format.getOptValue(option);
        if (value == null) {
            return whenAbsent;
        }
        if (value.isEmpty()) {
            throw new IllegalArgumentException("-" + option + " needs a value: see -help copyFromLocalGPU");
        }
        return value;
    }

    private static long bytes(CommandFormat format, String option, long whenAbsent) {
        String value = text(format, option, Long.toString(whenAbsent));
        try {
            long bytes = TraditionalBinaryPrefix.string2long(value);
            if (bytes > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // the same refusal, below
        }
        throw new IllegalArgumentException(
                "-" + option + " " + value + " is not a size: use bytes, or a number with k, m or g such as 8m");
    }
}
