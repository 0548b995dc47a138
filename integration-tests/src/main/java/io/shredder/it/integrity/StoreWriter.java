// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.Logging;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.it.backup.ProcessorTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A client that writes what a {@link WriteJob} says: a program by itself, so that what it takes of the processors is
 * known. Prints a row of JSON for each cell: bytes and seconds of what was timed, CPU seconds of both sides meanwhile,
 * when that was, what was sent of all, and by how much the store's records grew.
 */
public final class StoreWriter {
    /** Fewer than a backup needs, whose cores also compress and seal what a connection is to carry. */
    private static final int CORES_A_CONNECTION = 2;

    private static final int MOST_FURTHER = 8;

    private final ObjectMapper mapper = new ObjectMapper();
    private final WriteJob job;
    private final AgentClient agent;
    private final Feeds feeds;

    private StoreWriter(WriteJob job, AgentClient agent, Feeds feeds) {
        this.job = job;
        this.agent = agent;
        this.feeds = feeds;
    }

    /**
     * Writes, and prints what came of it.
     *
     * @param args the job's file
     */
    public static void main(String[] args) throws IOException {
        Logging.setUp("ERROR");
        NativeCryptography.install();
        WriteJob job = new ObjectMapper().readValue(Path.of(args[0]).toFile(), WriteJob.class);
        try (AgentClient agent =
                        AgentClient.connect(new HostPort("127.0.0.1", job.port()), tls(Path.of(job.certificates())));
                Feeds feeds = new Feeds(job.digest(), job.cores())) {
            agent.allowConnections(Math.min(MOST_FURTHER, job.cores() / CORES_A_CONNECTION));
            new StoreWriter(job, agent, feeds).run();
        }
    }

    private static TlsFiles tls(Path folder) {
        return new TlsFiles(
                folder.resolve("client-" + StoreSite.CLIENT + ".crt"),
                folder.resolve("client-" + StoreSite.CLIENT + ".key"),
                folder.resolve("ca.crt"));
    }

    private void run() throws IOException {
        warmUp();
        for (WriteJob.Cell cell : job.cells()) {
            System.out.println(mapper.writeValueAsString(measure(cell)));
        }
    }

    /** Who writes how. */
    private record Kind(Variant variant, Cutting cutting) {}

    /** Engines are opened, code is loaded and memory is touched by whoever is first. */
    private void warmUp() throws IOException {
        Set<Kind> kinds = new LinkedHashSet<>();
        job.cells().forEach(cell -> kinds.add(new Kind(cell.variant(), cell.cutting())));
        Path file = Path.of(job.warmUp());
        for (Kind kind : kinds) {
            try (BlockFeed feed = feeds.of(kind.variant(), kind.cutting(), List.of(file))) {
                path(feed, kind.variant()).write(file);
            }
        }
    }

    private WritePath path(BlockFeed feed, Variant variant) {
        return new WritePath(agent, feed, variant.isAddressed(), job.digest());
    }

    private ObjectNode measure(WriteJob.Cell cell) throws IOException {
        List<Path> files = cell.files().stream().map(Path::of).toList();
        var clock = new Clock();
        long storedBefore = StoreSite.recordBytes(Path.of(job.containers()));
        WritePath.Written all = null;
        long bytes = 0;
        int passes = 0;
        try (BlockFeed feed = feeds.of(cell.variant(), cell.cutting(), files)) {
            while (passes < cell.passes() || clock.seconds < cell.seconds()) {
                WritePath path = path(feed, cell.variant());
                for (Path file : files.subList(0, cell.primed())) {
                    path.write(file);
                }
                long primedBytes = path.written().bytes();
                clock.start();
                for (Path file : files.subList(cell.primed(), files.size())) {
                    path.write(file);
                }
                clock.stop();
                all = path.written();
                passes++;
                bytes += all.bytes() - primedBytes;
                if (bytes > cell.mostBytes()) {
                    break;
                }
            }
        }
        if (all == null) {
            throw new IOException(cell.name() + " was to be written no times");
        }
        return row(cell, clock, bytes, all)
                .put("storedBytes", StoreSite.recordBytes(Path.of(job.containers())) - storedBefore);
    }

    /** Of the last pass it is told what was sent: all passes send the same. */
    private ObjectNode row(WriteJob.Cell cell, Clock clock, long bytes, WritePath.Written pass) {
        ObjectNode row = mapper.createObjectNode()
                .put("name", cell.name())
                .put("variant", cell.variant().word())
                .put("cutting", cell.cutting().title())
                .put("bytes", bytes)
                .put("seconds", clock.seconds)
                .put("clientCpuSeconds", clock.clientSeconds)
                .put("storeCpuSeconds", clock.storeSeconds)
                .put("passBytes", pass.bytes())
                .put("passBlocks", pass.blocks())
                .put("sentBlocks", pass.sentBlocks())
                .put("sentBytes", pass.sentBytes());
        if (cell.variant().isAddressed()) {
            row.put("sent", pass.sent());
        }
        row.set("windows", clock.windows);
        return row;
    }

    /** When was timed, and what both sides computed then. */
    private final class Clock {
        private final long self = ProcessHandle.current().pid();
        private final ArrayNode windows = mapper.createArrayNode();
        private double seconds;
        private double clientSeconds;
        private double storeSeconds;
        private long startNs;
        private long startMs;

        void start() {
            clientSeconds -= ProcessorTime.seconds(self);
            storeSeconds -= ProcessorTime.seconds(job.store());
            startMs = System.currentTimeMillis();
            startNs = System.nanoTime();
        }

        void stop() {
            seconds += (System.nanoTime() - startNs) / 1e9;
            windows.addArray().add(startMs).add(System.currentTimeMillis());
            clientSeconds += ProcessorTime.seconds(self);
            storeSeconds += ProcessorTime.seconds(job.store());
        }
    }
}
