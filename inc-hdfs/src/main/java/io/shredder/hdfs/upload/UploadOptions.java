// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordFormats;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.shell.CommandFormat;

/**
 * What was asked for on the command line and in {@code inc-hdfs-site.xml}, validated as a whole.
 *
 * @param plan chunks, segments and blocks
 * @param records what the cuts move to the ends of
 * @param backend what the engine computes on
 * @param threads how many segments are digested and written at once, at least 1
 * @param bufferBytes all memory for bytes between the engine and HDFS, at least 1
 * @param lazyPersist whether DataNodes may take their time to write to disk what they acknowledge, with one replica
 */
public record UploadOptions(
        BlockPlan plan,
        RecordFormat records,
        ShredderOptions.Devices backend,
        int threads,
        long bufferBytes,
        boolean lazyPersist) {

    private static final int MOST_THREADS = 256;
    private static final int LEAST_FOR_BUFFERS = 4;

    /**
     * Reads the options from a parsed {@code format}, and from {@code conf} what it does not say.
     *
     * @param format must know {@link UploadSetting#options} and {@code l}
     * @throws IllegalArgumentException naming the value that can't be and what could
     */
    public static UploadOptions of(CommandFormat format, Configuration conf) {
        UploadSettings settings = new UploadSettings(format, conf);
        ChunkingParams params = params(settings);
        return new UploadOptions(
                BlockPlan.of(params, conf),
                RecordFormats.find(settings.text(UploadSetting.INPUT_FORMAT), conf),
                ShredderOptions.Devices.parse(settings.text(UploadSetting.BACKEND)),
                settings.count(UploadSetting.THREADS, MOST_THREADS),
                settings.bytes(UploadSetting.BUFFER),
                format.getOpt("l"));
    }

    /** Writes them where {@link #of} finds them without a command line, such as in a task. */
    public void keep(CommandFormat format, Configuration conf) {
        UploadSettings settings = new UploadSettings(format, conf);
        ChunkingParams params = plan.params();
        conf.set(UploadSetting.INPUT_FORMAT.key(), settings.text(UploadSetting.INPUT_FORMAT));
        conf.setLong(UploadSetting.AVERAGE.key(), params.averageBytes());
        conf.setLong(UploadSetting.MIN.key(), params.minBytes());
        conf.setLong(UploadSetting.MAX.key(), params.maxBytes());
        conf.set(UploadSetting.DIGEST.key(), params.digest().optionName());
        conf.set(UploadSetting.BACKEND.key(), settings.text(UploadSetting.BACKEND));
    }

    /** The same for a file of other records. */
    public UploadOptions with(RecordFormat other) {
        return new UploadOptions(plan, other, backend, threads, bufferBytes, lazyPersist);
    }

    /**
     * What each of so many files gets that are copied at once: a share of threads, rounded up, and of memory. What is
     * held back at the ends of blocks is part of that, but leaves a quarter for buffers.
     */
    public UploadOptions sharedBy(int files) {
        long share = bufferBytes / files;
        long buffers = Math.max(share - plan.heldBytes(), Math.max(1, share / LEAST_FOR_BUFFERS));
        return new UploadOptions(plan, records, backend, (threads + files - 1) / files, buffers, lazyPersist);
    }

    private static ChunkingParams params(UploadSettings settings) {
        long average = settings.bytes(UploadSetting.AVERAGE);
        ChunkingParams.Builder params = ChunkingParams.builder()
                .averageBytes(average)
                .minBytes(settings.bytesBeside(UploadSetting.AVERAGE, UploadSetting.MIN, average / 4))
                .maxBytes(settings.bytesBeside(UploadSetting.AVERAGE, UploadSetting.MAX, average * 4))
                .digest(DigestAlgorithm.parse(settings.text(UploadSetting.DIGEST)));
        if (settings.text(UploadSetting.BLOCK_AVERAGE).isEmpty()) {
            settings.refuseWithout(UploadSetting.BLOCK_AVERAGE, UploadSetting.BLOCK_MIN, UploadSetting.BLOCK_MAX);
            return params.build();
        }
        long blockAverage = settings.bytes(UploadSetting.BLOCK_AVERAGE);
        return params.segments(
                        blockAverage,
                        settings.bytesBeside(UploadSetting.BLOCK_AVERAGE, UploadSetting.BLOCK_MIN, blockAverage / 4),
                        settings.bytesBeside(UploadSetting.BLOCK_AVERAGE, UploadSetting.BLOCK_MAX, blockAverage * 4))
                .build();
    }
}
