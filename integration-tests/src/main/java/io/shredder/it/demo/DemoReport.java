// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.shredder.it.figures.Bar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What the demo measured. All times in seconds.
 *
 * @param commit the checkout's commit
 * @param machine processor, cores and memory
 * @param buildSeconds what building took before, 0 if nothing was built
 * @param inputSeconds what fetching and making the input took
 * @param totalSeconds everything, the build with it
 * @param shared what the second text has in common with the first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record DemoReport(
        String commit,
        String machine,
        double buildSeconds,
        double inputSeconds,
        double totalSeconds,
        List<Upload> uploads,
        Shared shared,
        List<Job> jobs,
        List<Backup> backups,
        List<Restore> restores,
        List<Bar> bars) {

    /** One {@code copyFromLocalGPU}; {@code equal}: HDFS gives back the source's bytes. */
    public record Upload(
            String text, long bytes, long chunks, long blocks, double seconds, String backend, boolean equal) {}

    /** What the second text shares with the first. */
    public record Shared(
            long chunks, long chunksTotal, long chunkBytes, long bytesTotal, long blocks, long blocksTotal) {
        /** The part of the bytes that lies in shared chunks, in percent. */
        public double percent() {
            return 100.0 * chunkBytes / bytesTotal;
        }
    }

    /**
     * One word count.
     *
     * @param mapsRun maps of chunks that ran; for a plain run its map tasks
     * @param mapsTotal maps of chunks in all; for a plain run its map tasks
     * @param mapTasks map tasks launched
     * @param partsSha256 one digest over all part files, names and bytes
     */
    public record Job(
            String text,
            boolean incremental,
            long mapsRun,
            long mapsTotal,
            long mapTasks,
            double seconds,
            String partsSha256) {}

    /** One backup. */
    public record Backup(
            String image, long bytesRead, long bytesSent, long newChunks, long knownChunks, double seconds) {
        /** Sent bytes of read bytes, in percent. */
        public double percentSent() {
            return 100.0 * bytesSent / bytesRead;
        }
    }

    /** One restore and its comparison with the source. */
    public record Restore(String image, String sourceSha256, String restoredSha256, double seconds) {
        public boolean identical() {
            return sourceSha256.equals(restoredSha256);
        }
    }

    /** Writes the report as JSON. */
    void write(Path file) throws IOException {
        mapper().writeValue(file.toFile(), this);
    }

    /** Reads what {@link #write} wrote. */
    public static DemoReport read(Path file) throws IOException {
        return mapper().readValue(file.toFile(), DemoReport.class);
    }

    private static ObjectMapper mapper() {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    }
}
