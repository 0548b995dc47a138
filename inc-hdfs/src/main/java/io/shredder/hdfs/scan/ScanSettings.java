// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Backend;
import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordFormats;
import io.shredder.hdfs.upload.UploadOptions;
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
record ScanSettings(ChunkingParams params, RecordFormat records, Backend backend) {

    /** Whether manifests are to be written; tasks read it. */
    static final String WRITE_KEY = "inc-hdfs.scan.write";

    /** How many groups of files are told apart; 0 if what they share isn't asked for. */
    static final String GROUPS_KEY = "inc-hdfs.scan.groups";

    /** All chunks, in a sample. */
    static final int ALL = 10_000;

    /** Of how many of {@link #ALL} chunks is asked what is shared. */
    static final String SAMPLE_KEY = "inc-hdfs.scan.sample";

    /** Where the reduces write chunks for that. */
    static final String CHUNKS = "chunks";

    /** The file that has the plan; whoever makes splits reads it. */
    static final String PLAN_KEY = "inc-hdfs.scan.plan";

    /**
     * Takes the options of a command line, which tasks then find in the configuration.
     *
     * @throws IllegalArgumentException naming the value that can't be and what could
     */
    static ScanSettings of(CommandFormat format, Configuration conf) {
        UploadOptions options = UploadOptions.of(format, conf);
        if (options.plan().params().hasSegments()) {
            throw new IllegalArgumentException(
                    "-blockAvg is for uploads: blocks of files that are there end where they end");
        }
        options.keep(format, conf);
        return of(options);
    }

    /** What {@link #of(CommandFormat, Configuration)} left in the configuration. */
    static ScanSettings of(Configuration conf) {
        return of(UploadOptions.of(new CommandFormat(0, 0), conf));
    }

    private static ScanSettings of(UploadOptions options) {
        return new ScanSettings(options.plan().params(), options.records(), options.backend());
    }

    /** The records of one file. */
    RecordFormat recordsOf(Path file) {
        return records.opaque(file).isPresent() ? RecordFormats.raw() : records;
    }

    /** Whether this file can be cut in parts. */
    boolean cutsParts(Path file) {
        return RangeChunker.cutsParts(params, recordsOf(file));
    }
}
