// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** One InputFormat's records, as a job has configured it. Stateless. */
public interface ChunkRecords {

    /** The record format that a manifest must name ({@code docs/formats/manifest.md}): equal names, equal records. */
    String recordFormat();

    /** Why this file can't be read in chunks, empty if it can; its name may make the InputFormat decompress it. */
    default Optional<String> refusal(Path file) {
        return Optional.empty();
    }

    /**
     * The bytes at the start of a file that every chunk needs in front of it to be read, such as those that name types
     * and codecs. The file's first chunk has them already, all of them.
     *
     * @throws io.shredder.chunk.DamagedDataException if the file does not begin as such files do
     * @throws IOException if it can't be read
     */
    default InputHeader header(Path file, Configuration conf) throws IOException {
        return InputHeader.NONE;
    }

    /** After how many records a fresh mapper takes over, counted from the start of each chunk: for NLineInputFormat. */
    default int recordsPerMapper() {
        return Integer.MAX_VALUE;
    }

    /** Options of the job that the InputFormat sets in each task as it opens its reader, before the mapper runs. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /** What is known of how the InputFormat's own reader reads a split. */
    default SplitReading splitReading() {
        return SplitReading.UNKNOWN;
    }

    /**
     * Opens a chunk.
     *
     * @param chunk stays the caller's
     * @param context of the task; its configuration is the job's
     * @return the chunk's records; the caller closes it, and need not initialize it
     */
    RecordReader<?, ?> open(ChunkInput chunk, TaskAttemptContext context) throws IOException, InterruptedException;
}
