// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Manifest;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordFormats;
import io.shredder.hdfs.upload.UploadOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.shell.CommandFormat;

/**
 * How files are cut: as uploads are under the same options.
 *
 * @param params without segments
 * @param records that cuts move to the ends of
 * @param backend what the engine computes on
 */
public record ScanSettings(ChunkingParams params, RecordFormat records, ShredderOptions.Devices backend) {

    private static final String AVERAGE = "avg";

    /** Whether manifests are to be written; tasks read it. */
    public static final String WRITE_KEY = "inc-hdfs.scan.write";

    /** The file that has the plan; whoever makes splits reads it. */
    static final String PLAN_KEY = "inc-hdfs.scan.plan";

    /**
     * Takes the options of a command line, which tasks then find in the configuration.
     *
     * @throws IllegalArgumentException naming the value that can't be and what could
     */
    public static ScanSettings of(CommandFormat format, Configuration conf) {
        UploadOptions options = UploadOptions.of(format, conf);
        if (options.plan().params().hasSegments()) {
            throw new IllegalArgumentException(
                    "-blockAvg is for uploads: blocks of files that are there end where they end");
        }
        options.keep(format, conf);
        return of(options);
    }

    /**
     * The same for chunks of another average length, the shortest a quarter of it, the longest four times it.
     *
     * @param average as {@code -avg} takes it
     * @param conf has all other options
     */
    public static ScanSettings ofAverage(String average, Configuration conf) {
        CommandFormat format = new CommandFormat(0, 0);
        format.addOptionWithValue(AVERAGE);
        format.parse(new ArrayList<>(List.of("-" + AVERAGE, average)));
        return of(format, conf);
    }

    /** What {@link #of(CommandFormat, Configuration)} left in the configuration. */
    public static ScanSettings of(Configuration conf) {
        return of(UploadOptions.of(new CommandFormat(0, 0), conf));
    }

    private static ScanSettings of(UploadOptions options) {
        return new ScanSettings(options.plan().params(), options.records(), options.backend());
    }

    /** The records of one file. */
    public RecordFormat recordsOf(Path file) {
        return records.opaque(file).isPresent() ? RecordFormats.raw() : records;
    }

    /** Whether this file can be cut in parts. */
    public boolean cutsParts(Path file) {
        return cutsParts(params, recordsOf(file));
    }

    /** Whether files can be cut in parts: where a record ends is to be seen from what is right before it. */
    public static boolean cutsParts(ChunkingParams params, RecordFormat records) {
        return params.minBytes() >= ChunkingParams.WINDOW_BYTES
                && records.contextBytes().isPresent();
    }

    /** Whether a manifest has the chunks that a file would get. */
    boolean areOf(Path file, Manifest found) {
        return found.recordFormat().equals(recordsOf(file).manifestName())
                && found.params().minBytes() == params.minBytes()
                && found.params().maxBytes() == params.maxBytes()
                && found.params().averageBytes() == params.averageBytes()
                && found.params().digest() == params.digest();
    }
}
