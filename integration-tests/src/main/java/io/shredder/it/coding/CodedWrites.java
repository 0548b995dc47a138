// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.figures.Medians;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * Writes an ordinary file into an erasure-coded directory, with one raw coder after the other. A program of its own,
 * started with the cluster's configuration, the library of the build that is measured, and the coders that compute
 * nothing; prints a row for each coder. The first file and the last of each are read back; the last stays.
 */
public final class CodedWrites {
    /** Shredder's. */
    public static final String RS_SHREDDER = "rs_shredder";

    /** The coders that write, in the order of the first round's turns. */
    public static final List<String> CODERS =
            List.of(RS_SHREDDER, NullCoders.DIRECT, NullCoders.ON_HEAP, HadoopCoders.RS_JAVA);

    /** The member of a row that has the CPU time of the writer's thread, of closing, too: seconds for 10^9 bytes. */
    public static final String CPU_PER_GB = "writerCpuPerGb";

    /** Which coders HDFS may use, the first that can be made: here always one. */
    static final String CODERS_PROPERTY = "io.erasurecode.codec.rs.rawcoders";

    static final Path FOLDER = new Path("/written");

    private static final int WARM_UPS = 2;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CodedWrites() {}

    /** The row of a coder. */
    public static String row(String coder) {
        return "write " + coder;
    }

    static Path file(String coder) {
        return new Path(FOLDER, coder);
    }

    /** Takes the length of a file in MiB, and the number of rounds. */
    public static void main(String[] args) throws IOException {
        long bytes = Long.parseLong(args[0]) << 20;
        int rounds = Integer.parseInt(args[1]);
        FileSystem reader = client(HadoopCoders.RS_JAVA);
        List<Writer> writers = new ArrayList<>();
        for (String coder : CODERS) {
            writers.add(new Writer(coder, client(coder), new StampedFile(file(coder), bytes)));
        }
        for (Writer writer : writers) {
            writer.warmUp();
            writer.file().check(reader);
        }
        for (int round = 0; round < rounds; round++) {
            for (int turn = 0; turn < writers.size(); turn++) {
                writers.get((round + turn) % writers.size()).measure();
            }
        }
        for (Writer writer : writers) {
            writer.file().check(reader);
            writer.print();
        }
    }

    private static FileSystem client(String coder) throws IOException {
        var conf = new HdfsConfiguration();
        conf.set(CODERS_PROPERTY, coder);
        return FileSystem.newInstance(conf);
    }

    /** A client with its coder, and what its rounds took. */
    private record Writer(
            String coder, FileSystem fs, StampedFile file, List<Double> roundSeconds, List<Double> cpuPerGb) {

        Writer(String coder, FileSystem fs, StampedFile file) {
            this(coder, fs, file, new ArrayList<>(), new ArrayList<>());
        }

        void warmUp() throws IOException {
            for (int i = 0; i < WARM_UPS; i++) {
                file.write(fs);
            }
        }

        void measure() throws IOException {
            fs.delete(file.path(), false);
            long cpuBegin = THREADS.getCurrentThreadCpuTime();
            long begin = System.nanoTime();
            file.write(fs);
            roundSeconds.add((System.nanoTime() - begin) / 1e9);
            cpuPerGb.add((double) (THREADS.getCurrentThreadCpuTime() - cpuBegin) / file.length());
        }

        void print() throws IOException {
            var row = new LinkedHashMap<String, Object>();
            row.put("name", row(coder));
            row.put("bytes", file.length());
            row.put("gbPerSecond", file.length() / Medians.of(roundSeconds) / 1e9);
            row.put(CPU_PER_GB, Medians.of(cpuPerGb));
            row.put("roundSeconds", roundSeconds);
            row.put("roundCpuPerGb", cpuPerGb);
            System.out.println(new ObjectMapper().writeValueAsString(row));
        }
    }
}
