// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.upload;

import com.sun.management.OperatingSystemMXBean;
import io.shredder.it.cluster.ClusterExtras;
import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.cluster.HdfsShell;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Medians;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;

/**
 * Uploads a set of files to a NameNode and three DataNodes of this machine, with {@code -copyFromLocal} and with
 * {@code -copyFromLocalGPU} on each backend in turn, in one warm JVM, each with as many threads.
 *
 * @param work a folder for inputs and daemons; what is measured is its disk or memory, too
 * @param backends as {@code -backend} takes them
 */
public record UploadBench(
        Path work, int files, long bytesEach, int threads, int replication, int rounds, List<String> backends) {
    private static final String PLAIN = "-copyFromLocal";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double TICKS_PER_SECOND = 100;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final List<String> DAEMON_JVM = List.of("-XX:TieredStopAtLevel=4", "-Xmx1g", "-XX:+UseSerialGC");

    /**
     * What one way of uploading took, medians of the rounds.
     *
     * @param rate millions of bytes a second
     * @param ratio its rate by that of {@code -copyFromLocal} in the same round
     * @param clientCpu seconds of this JVM for 10^9 bytes
     * @param machineCpu seconds of the whole machine for 10^9 bytes
     * @param busyCores how many cores of the machine were busy
     */
    public record Outcome(
            String way, double rate, double ratio, double clientCpu, double machineCpu, double busyCores) {}

    private record Took(double seconds, double clientCpu, double machineCpu) {}

    /** Measures; the folders of the daemons are gone afterwards, the inputs stay. */
    public List<Outcome> run() throws IOException, InterruptedException {
        List<Path> texts = UploadTexts.in(work.resolve("input"), files, bytesEach);
        Path hdfs = work.resolve("hdfs");
        Folders.delete(hdfs);
        Map<String, String> settings = Map.of("dfs.replication", String.valueOf(replication));
        var extras = ClusterExtras.of(settings).withJvm(DAEMON_JVM);
        try (var cluster = HadoopCluster.started(hdfs, HadoopCluster.Shape.HDFS, extras)) {
            var shell = new HdfsShell(cluster.clientConfiguration());
            return measure(shell, texts);
        } finally {
            Folders.delete(hdfs);
        }
    }

    /** All ways in turn, so that what else the machine does falls on all; a first file of each warms up. */
    private List<Outcome> measure(HdfsShell shell, List<Path> texts) throws IOException {
        Map<String, List<Took>> all = new LinkedHashMap<>();
        for (int round = 0; round <= rounds; round++) {
            for (List<String> way : ways()) {
                Took took = upload(shell, way, round == 0 ? texts.subList(0, Math.min(2, files)) : texts);
                if (round > 0) {
                    all.computeIfAbsent(String.join(" ", way), name -> new ArrayList<>())
                            .add(took);
                    System.err.printf(Locale.ROOT, "round %d %s: %.2f s%n", round, way, took.seconds());
                }
            }
        }
        List<Took> plain = all.values().iterator().next();
        List<Outcome> outcomes = new ArrayList<>();
        all.forEach((way, tooks) -> outcomes.add(outcome(way, tooks, plain)));
        return outcomes;
    }

    private List<List<String>> ways() {
        List<List<String>> ways = new ArrayList<>(List.of(List.of(PLAIN)));
        backends.forEach(backend -> ways.add(List.of("-copyFromLocalGPU", "-backend", backend)));
        return ways;
    }

    private Outcome outcome(String way, List<Took> tooks, List<Took> plain) {
        double gigabytes = files * bytesEach / 1e9;
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < tooks.size(); i++) {
            ratios.add(plain.get(i).seconds() / tooks.get(i).seconds());
        }
        return new Outcome(
                way,
                gigabytes * 1e3 / Medians.of(tooks.stream().map(Took::seconds).toList()),
                Medians.of(ratios),
                Medians.of(tooks.stream().map(Took::clientCpu).toList()) / gigabytes,
                Medians.of(tooks.stream().map(Took::machineCpu).toList()) / gigabytes,
                Medians.of(tooks.stream()
                        .map(took -> took.machineCpu() / took.seconds())
                        .toList()));
    }

    private Took upload(HdfsShell shell, List<String> way, List<Path> texts) throws IOException {
        shell.run("-mkdir", "/to");
        List<String> words = new ArrayList<>(way);
        words.addAll(List.of("-t", String.valueOf(threads)));
        texts.forEach(text -> words.add(text.toString()));
        words.add("/to");
        double client = clientCpu();
        double machine = machineCpu();
        long start = System.nanoTime();
        shell.run(words.toArray(String[]::new));
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        Took took = new Took(seconds, clientCpu() - client, machineCpu() - machine);
        requireSame(shell, texts.get(texts.size() - 1));
        shell.run("-rm", "-r", "-skipTrash", "/to");
        return took;
    }

    /** A rate of what is not the file's content would be worth nothing. */
    private static void requireSame(HdfsShell shell, Path text) throws IOException {
        try (FileSystem fs = FileSystem.newInstance(shell.conf());
                InputStream there = fs.open(new org.apache.hadoop.fs.Path("/to", String.valueOf(text.getFileName())));
                InputStream here = new BufferedInputStream(Files.newInputStream(text), BUFFER_BYTES)) {
            byte[] expected = new byte[BUFFER_BYTES];
            byte[] found = new byte[BUFFER_BYTES];
            int length;
            do {
                length = here.readNBytes(expected, 0, BUFFER_BYTES);
                int other = there.readNBytes(found, 0, BUFFER_BYTES);
                if (length != other || !java.util.Arrays.equals(expected, 0, length, found, 0, length)) {
                    throw new IOException("what was uploaded of " + text + " is not its content");
                }
            } while (length == BUFFER_BYTES);
        }
    }

    private static double clientCpu() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / NANOS_PER_SECOND;
    }

    /** Seconds that all cores were not idle, since the machine began. */
    private static double machineCpu() throws IOException {
        String[] words = Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split("\\s+", -1);
        // user, nice, system; then idle and waiting; then interrupts
        long ticks = Long.parseLong(words[1]) + Long.parseLong(words[2]) + Long.parseLong(words[3]);
        return (ticks + Long.parseLong(words[6]) + Long.parseLong(words[7])) / TICKS_PER_SECOND;
    }
}
