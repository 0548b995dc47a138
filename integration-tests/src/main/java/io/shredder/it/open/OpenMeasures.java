// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open;

import io.shredder.backup.server.NbdFuzz;
import io.shredder.backup.server.NbdTester;
import io.shredder.backup.server.Sites;
import io.shredder.it.agent.LongLink;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.open.export.OtherPrograms;
import io.shredder.it.open.export.ServedExport;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What an export promises, measured with real programs: an agent and {@code shredder-backup nbd} as processes, with
 * TLS between them, and clients of libnbd and QEMU.
 */
public final class OpenMeasures {
    private static final double LEAST_OF_RESTORE = 0.8;
    private static final double LEAST_WARM = 5_000;
    private static final double MOST_ANSWERS = 1.2;
    private static final double MOST_MIB = 400;
    private static final double MOST_GROWTH_MIB = 32;
    private static final int KILLS = 20;
    private static final int ROUNDS = 3;
    private static final int WARM_READS = 50_000;
    private static final int COLD_READS = 1_500;
    private static final int LONG_WAY_MS = 50;
    private static final long LONG_WAY_BYTES_PER_SECOND = 125_000_000;
    private static final long MIB = 1 << 20;
    private static final long SPEED_BYTES = 2000 * MIB;
    private static final long WARM_BYTES = 64 * MIB;

    private final Path program;
    private final Path folder;
    private final Consumer<Bar> bars;
    private final Sites sites;

    private OpenMeasures(Path program, Path folder, Consumer<Bar> bars, Sites sites) {
        this.program = program;
        this.folder = folder;
        this.bars = bars;
        this.sites = sites;
    }

    /**
     * Measures all, in a folder that is deleted in the end.
     *
     * @param root the checkout, built
     * @param requests of clients that say anything
     */
    public static void measure(Path root, Consumer<Bar> bars, int requests) throws IOException, InterruptedException {
        for (String program : List.of("nbdcopy", "nbdinfo", "qemu-img", "nbdkit")) {
            if (!OtherPrograms.has(program)) {
                bars.accept(Bar.notRun("backups opened at once", "needs " + program + ": tools/packages.sh open"));
                return;
            }
        }
        Path folder = Files.createTempDirectory(Files.createDirectories(root.resolve("target/bars")), "open");
        try (Sites sites = new Sites(folder)) {
            Path program = root.resolve("bin/shredder-backup");
            sites.startAsInstalled(program);
            sites.startAgent();
            sites.stayAtPort();
            OpenMeasures measures = new OpenMeasures(program, folder, bars, sites);
            measures.identical();
            measures.speed();
            measures.fuzzed(requests);
            measures.killed();
        } finally {
            new ProcessBuilder("rm", "-rf", folder.toString()).start().waitFor();
        }
    }

    private ServedExport serve(String name, String... options) throws IOException, InterruptedException {
        return ServedExport.start(command(name, options), socket(), log());
    }

    private List<String> command(String name, String... options) {
        List<String> words = new ArrayList<>(List.of("nbd", name, "--socket", socket().toString()));
        words.addAll(List.of(options));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(sites.words(words.toArray(String[]::new)));
        return command;
    }

    private Path socket() {
        return folder.resolve("nbd");
    }

    /** What all exports said. */
    private Path log() {
        return folder.resolve("exports.log");
    }

    private static boolean succeeds(String... words) throws IOException, InterruptedException {
        return OtherPrograms.run(words).code() == 0;
    }

    private void identical() throws IOException, InterruptedException {
        List<String> wrong = new ArrayList<>();
        Map<String, Path> images = new OpenImages(folder).make(OtherPrograms::must);
        for (Map.Entry<String, Path> each : images.entrySet()) {
            String name = each.getKey();
            if (!isBackedUp(name, each.getValue(), wrong)) {
                continue;
            }
            try (ServedExport served = serve(name)) {
                if (!holesAreSeen(served, each.getValue())) {
                    wrong.add(name + ": holes");
                }
                boolean large = Files.size(each.getValue()) > 100_000 * MIB;
                // Other programs compare by what both sides say of holes, so terabytes of nothing take a moment.
                Path copy = folder.resolve("copy");
                OtherPrograms.must("qemu-img", "convert", "-f", "raw", "-O", "qcow2", served.uri(), copy.toString());
                if (!succeeds(
                        "qemu-img",
                        "compare",
                        "-f",
                        "raw",
                        each.getValue().toString(),
                        "-F",
                        "qcow2",
                        copy.toString())) {
                    wrong.add(name + ": qemu-img");
                }
                Files.delete(copy);
                if (!large) {
                    compareCopies(served, name, each.getValue(), wrong);
                }
            }
            Files.delete(each.getValue());
        }
        bars.accept(Bar.holds(
                "nbdcopy, qemu-img, nbdkit read what was there",
                wrong.isEmpty(),
                wrong.isEmpty() ? String.join(", ", images.keySet()) : String.join(", ", wrong),
                "identical, holes seen"));
    }

    /** One that can't be is a finding, and the others go on. */
    private boolean isBackedUp(String name, Path image, List<String> wrong) {
        try {
            sites.backUp(image, name);
            return true;
        } catch (IOException e) {
            wrong.add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void compareCopies(ServedExport served, String name, Path image, List<String> wrong)
            throws IOException, InterruptedException {
        Path copy = folder.resolve("copy");
        OtherPrograms.must("nbdcopy", served.uri(), copy.toString());
        if (Files.mismatch(copy, image) >= 0) {
            wrong.add(name + ": nbdcopy");
        }
        Files.delete(copy);
        OtherPrograms.must("nbdkit", "-U", "-", "nbd", "uri=" + served.uri(), "--run", "nbdcopy \"$uri\" " + copy);
        if (Files.mismatch(copy, image) >= 0) {
            wrong.add(name + ": nbdkit");
        }
        Files.delete(copy);
    }

    /** At most a sixteenth more is said to be data than the image's file has. */
    private boolean holesAreSeen(ServedExport served, Path image) throws IOException, InterruptedException {
        Path map = folder.resolve("map");
        Process asked = new ProcessBuilder("nbdinfo", "--map", "--totals", served.uri())
                .redirectOutput(map.toFile())
                .start();
        if (asked.waitFor() != 0) {
            return false;
        }
        long data = Files.readAllLines(map).stream()
                .filter(line -> line.contains("data"))
                .mapToLong(line -> Long.parseLong(line.strip().split("\\s+", -1)[0]))
                .sum();
        long stored = Folders.occupiedBytes(image);
        return data <= stored + stored / 16 + 8 * MIB;
    }

    private void speed() throws IOException, InterruptedException {
        Path image = folder.resolve("speed.img");
        Sites.random(image, new Random(1), SPEED_BYTES);
        sites.backUp(image, "speed");
        double restore = 0;
        double export = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Path restored = folder.resolve("restored");
            long beginNs = System.nanoTime();
            Sites.Result result = sites.server("restore", "speed", "--to", restored.toString(), "--force");
            restore = Math.max(restore, rate(SPEED_BYTES, beginNs));
            if (result.exitCode() != 0) {
                throw new IOException("restore: " + result.err());
            }
            Files.delete(restored);
            try (ServedExport served = serve("speed")) {
                long copyNs = System.nanoTime();
                OtherPrograms.must("nbdcopy", served.uri(), restored.toString());
                export = Math.max(export, rate(SPEED_BYTES, copyNs));
                bars.accept(Bar.atMost(
                        "resident memory of an export, round " + (round + 1),
                        ProcessMemory.mostResidentBytes(served.pid()) / (double) MIB,
                        MOST_MIB,
                        " MiB"));
            }
            Files.delete(restored);
        }
        bars.accept(Bar.atLeastTimes(
                "nbdcopy of all, beside restore",
                export / restore,
                LEAST_OF_RESTORE,
                String.format(Locale.ROOT, "(%.0f and %.0f MB/s)", export, restore)));
        try (ServedExport served = serve("speed", "--read-ahead", "off")) {
            RandomReads few = new RandomReads(served.socket(), 0, WARM_BYTES);
            few.run(WARM_READS, 1);
            bars.accept(
                    Bar.atLeast("random reads of 4 KiB, 32 in flight, warm", few.run(WARM_READS, 2), LEAST_WARM, "/s"));
        }
        cold(sites.port(), 0);
        InetSocketAddress agent = new InetSocketAddress(InetAddress.getLoopbackAddress(), sites.port());
        try (LongLink link = new LongLink(agent, LONG_WAY_MS, LONG_WAY_BYTES_PER_SECOND)) {
            cold(link.port(), LONG_WAY_MS);
        }
    }

    /** What the agent was asked is what the export says in the end. */
    private void cold(int port, int roundTripMs) throws IOException, InterruptedException {
        double rate;
        List<String> command = new ArrayList<>(command("speed", "--read-ahead", "off", "--cache", "16m"));
        command.set(command.indexOf("--agent") + 1, "127.0.0.1:" + port);
        try (ServedExport served = ServedExport.start(command, socket(), log())) {
            rate = new RandomReads(served.socket(), 0, SPEED_BYTES).run(COLD_READS, 3);
        }
        String last = Files.readAllLines(log()).stream()
                .filter(line -> line.contains(" answers of the agent"))
                .reduce((before, line) -> line)
                .orElse("");
        double answers = Double.parseDouble(last.replaceAll(".*; (\\d+) answers of the agent.*", "$1"));
        String way = roundTripMs == 0 ? "" : ", round trip of " + roundTripMs + " ms, 1 Gbit/s";
        bars.accept(Bar.atMost(
                "answers of the agent for each cold read" + way,
                answers / COLD_READS,
                MOST_ANSWERS,
                "",
                String.format(Locale.ROOT, "%.0f reads/s", rate)));
        if (roundTripMs > 0) {
            bars.accept(Bar.reported(
                    "round trips that a cold read waits for, 32 in flight" + way,
                    String.format(Locale.ROOT, "%.2f", RandomReads.IN_FLIGHT / rate / (roundTripMs / 1e3))));
        }
    }

    private static double rate(long bytes, long beginNs) {
        return bytes / 1e6 / ((System.nanoTime() - beginNs) / 1e9);
    }

    /** The first tenth is there to have everything loaded, and memory taken that is kept. */
    private void fuzzed(int requests) throws IOException, InterruptedException {
        Random random = new Random(requests);
        try (ServedExport served = serve("speed", "--cache", "16m")) {
            int sent = 0;
            double residentMib = 0;
            while (sent < requests && served.isAlive()) {
                sent += NbdFuzz.connection(new NbdTester(served.socket()), random, (int) SPEED_BYTES);
                if (residentMib == 0 && sent > requests / 10) {
                    residentMib = ProcessMemory.mostResidentBytes(served.pid()) / (double) MIB;
                }
            }
            double answered = new RandomReads(served.socket(), 0, WARM_BYTES).run(1_000, 4);
            bars.accept(Bar.holds(
                    "clients that say anything, " + requests + " requests",
                    served.isAlive() && answered > 0,
                    String.format(Locale.ROOT, "%d sent, then %.0f right answers a second", sent, answered),
                    "no crash"));
            bars.accept(Bar.atMost(
                    "memory that grew after the first tenth of them",
                    ProcessMemory.mostResidentBytes(served.pid()) / (double) MIB - residentMib,
                    MOST_GROWTH_MIB,
                    " MiB",
                    String.format(Locale.ROOT, "from %.0f", residentMib)));
        }
    }

    private void killed() throws IOException, InterruptedException {
        Path image = folder.resolve("speed.img");
        try (ServedExport served = serve("speed", "--cache", "16m")) {
            Path copy = folder.resolve("copy");
            int wrong = 0;
            int kills = 0;
            while (kills < KILLS) {
                Process reading = new ProcessBuilder("nbdcopy", served.uri(), copy.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                folder.resolve("programs.log").toFile()))
                        .start();
                while (kills < KILLS && !reading.waitFor(300, TimeUnit.MILLISECONDS)) {
                    sites.killAgent();
                    sites.startAgent();
                    kills++;
                }
                if (reading.waitFor() != 0 || Files.mismatch(copy, image) >= 0) {
                    wrong++;
                }
                Files.delete(copy);
            }
            bars.accept(Bar.holds(
                    "agent killed " + kills + " times while it reads", wrong == 0, wrong + " wrong", "0 wrong"));
        }
        damaged();
    }

    private void damaged() throws IOException, InterruptedException {
        sites.killAgent();
        try (var files = Files.walk(sites.repository().resolve("containers"))) {
            Path last = files.filter(Files::isRegularFile)
                    .max(java.util.Comparator.naturalOrder())
                    .orElseThrow();
            try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE)) {
                file.write(java.nio.ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), file.size() / 2);
            }
        }
        sites.startAgent();
        try (ServedExport served = serve("speed")) {
            boolean refused = !succeeds("nbdcopy", served.uri(), "null:");
            long lines = Files.readAllLines(log()).stream()
                    .filter(line -> line.matches(".*speed@\\d+: bytes .*containers/.*damaged at offset \\d+.*"))
                    .count();
            bars.accept(Bar.holds(
                    "damage in a container",
                    refused && lines > 0,
                    (refused ? "EIO, " : "no error, ") + lines + " ranges named with file and offset",
                    "EIO, named"));
        }
    }
}
