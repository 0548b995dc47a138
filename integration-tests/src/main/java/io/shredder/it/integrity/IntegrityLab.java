// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.corpus.Folders;
import io.shredder.it.corpus.SeededBytes;
import io.shredder.it.figures.Row;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.programs.NativePrograms;
import io.shredder.it.scale.HeldLink;
import io.shredder.it.scale.OwnProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Runs cells: a fresh store, and a client that writes to it, each in a process of its own on cores of its own, where
 * there are two or more. For one thread.
 */
final class IntegrityLab {
    /** The paper's, and what its two ways of cutting are compared at. */
    static final int USUAL_BLOCK_BYTES = 1 << 20;

    private static final long WARM_UP_BYTES = 16 << 20;
    private static final String MEMORY = "-Xmx256m";

    private final Place place;
    private final ProcessorSet clientCores;
    private final ProcessorSet storeCores;
    private final Path certificates;
    private final Path warmUp;

    /**
     * Where it works.
     *
     * @param work folder of files and stores, best in memory
     * @param javaOptions of client and store besides
     * @param children who starts programs
     */
    record Place(Path work, List<String> javaOptions, Children children) {
        Place {
            javaOptions = List.copyOf(javaOptions);
        }
    }

    /**
     * Makes what all runs need.
     *
     * @param cores of the client; the store has the others, and all if there are none
     */
    IntegrityLab(Place place, int cores) throws IOException, InterruptedException {
        this.place = place;
        ProcessorSet all = ProcessorSet.all();
        this.clientCores = all.first(cores);
        this.storeCores =
                cores == all.count() ? all : new ProcessorSet(all.cores().subList(cores, all.count()));
        this.certificates = place.work().resolve("certificates");
        StoreSite.certify(certificates, place.children());
        this.warmUp = file("warm-up", 0, WARM_UP_BYTES);
    }

    Path work() {
        return place.work();
    }

    ProcessorSet clientCores() {
        return clientCores;
    }

    /** In words, for the report's heading. */
    String division() {
        return clientCores.count() == storeCores.count() && clientCores.equals(storeCores)
                ? "client and store share all " + clientCores.count() + " cores"
                : "client on " + cores(clientCores) + ", store and relay on " + cores(storeCores);
    }

    private static String cores(ProcessorSet set) {
        return set.count() == 1 ? "1 core" : set.count() + " cores";
    }

    /** A file that a seed decides. */
    Path file(String name, long seed, long bytes) throws IOException {
        Path file = place.work().resolve(name);
        try (OutputStream out = Files.newOutputStream(file)) {
            SeededBytes.write(out, seed, 0, bytes);
        }
        return file;
    }

    /** A link of a rate, to be closed by the caller; empty for one without a limit. */
    Optional<HeldLink> link(LinkRate rate) throws IOException, InterruptedException {
        if (!rate.isLimited()) {
            return Optional.empty();
        }
        var tools = new HeldLink.Tools(place.work(), place.children(), storeCores.prefix());
        return Optional.of(HeldLink.of(rate.gbit(), false, tools));
    }

    /** Runs cells against a store that is empty at first; a row for each, in their order. */
    List<Row> run(List<WriteJob.Cell> cells, DigestAlgorithm digest, Optional<HeldLink> link)
            throws IOException, InterruptedException {
        Path folder = place.work().resolve("store");
        Folders.delete(folder);
        try (var site = new StoreSite(folder, certificates, place.javaOptions(), storeCores, place.children())) {
            int port = link.isPresent() ? link.get().to(site.port()) : site.port();
            var job = new WriteJob(
                    port,
                    certificates.toString(),
                    site.pid(),
                    site.containers().toString(),
                    clientCores.count(),
                    digest,
                    warmUp.toString(),
                    cells);
            return write(job, folder);
        } finally {
            Folders.delete(folder);
        }
    }

    private List<Row> write(WriteJob job, Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("job.json");
        new ObjectMapper().writeValue(file.toFile(), job);
        var options = new ArrayList<>(List.of("-Xmx1g", "-XX:MaxDirectMemorySize=2g", "-XX:+UseSerialGC"));
        options.addAll(StoreSite.nettyOptions(clientCores.count()));
        options.addAll(place.javaOptions());
        Path log = folder.resolve("writer.log");
        Child writer = start("writer", options, StoreWriter.class, List.of(file.toString()), log);
        writer.waitForSuccess();
        List<Row> rows = NativePrograms.parse(Files.readString(log, StandardCharsets.UTF_8))
                .rows();
        if (rows.size() != job.cells().size()) {
            throw new IOException("the writer told of " + rows.size() + " cells in place of "
                    + job.cells().size() + ":\n" + writer.logTail());
        }
        return rows;
    }

    /** Starts a neighbour on the client's cores. */
    Child neighbour(Class<?> program, List<String> arguments, Path log) throws IOException, InterruptedException {
        return start("neighbour", List.of(MEMORY, "-XX:+UseSerialGC"), program, arguments, log);
    }

    private Child start(String name, List<String> options, Class<?> program, List<String> arguments, Path log)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(clientCores.prefix());
        words.addAll(OwnProgram.words(program, options, arguments));
        return place.children().start(new Command(name, words, Map.of(), place.work(), log));
    }

    /** Who can be measured here, in the tables' order: one thread by itself only where there are more. */
    List<Variant> variants(boolean gpu) {
        return Arrays.stream(Variant.values())
                .filter(variant ->
                        (variant != Variant.GPU || gpu) && (variant != Variant.CPU_1 || clientCores.count() > 1))
                .toList();
    }

    /**
     * Fails unless all that name blocks by contents sent the same ones of the same files, and the store keeps as
     * much of them: so the oracle's replay was of this very input.
     *
     * @param rows of one workload and one way of cutting
     */
    static void requireSameStored(List<Row> rows) throws IOException {
        List<Row> addressed =
                rows.stream().filter(row -> row.json().has("sent")).toList();
        for (Row row : addressed) {
            String stored = stored(row);
            String first = stored(addressed.get(0));
            if (!stored.equals(first)) {
                throw new IOException(row.name() + ": " + stored + "; but "
                        + addressed.get(0).name() + ": " + first + ": the store must be given the same blocks");
            }
        }
    }

    /** In each pass. */
    private static String stored(Row row) {
        return String.format(
                Locale.ROOT,
                "%.0f bytes sent (%s), %.0f kept",
                row.number("sentBytes"),
                row.text("sent"),
                row.number("storedBytes") / row.number("passes"));
    }
}
