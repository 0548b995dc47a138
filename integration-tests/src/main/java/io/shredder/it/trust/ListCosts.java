// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeySource;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageFormat;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Backend;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What the lists of snapshots cost, of images as long as disks: sessions as the programs run them, in this process, at
 * an agent as users start it. One thread.
 */
public final class ListCosts implements AutoCloseable {
    private static final String CLIENT = "disks";
    private static final SnapshotName SERIES = new SnapshotName("disk");

    private final TrustSite site;
    private final RepositoryKey key;
    private final SnapshotCaches caches;
    private final KnownCommits known;

    /** In a folder of its own. */
    public ListCosts(Path root, Path folder, Children children) throws IOException, InterruptedException {
        this.site = new TrustSite(
                root, folder, List.of(CLIENT), "others: {rights: [append, restore, prune]}\n", List.of(), children);
        this.key = new KeySource(
                        folder.resolve("site.key"), Optional.empty(), Optional.of(folder.resolve("site.secret")))
                .unlock();
        this.caches = SnapshotCaches.in(folder.resolve("caches"));
        this.known = KnownCommits.in(folder.resolve("state"));
    }

    /**
     * One backup.
     *
     * @param report what it said of itself
     * @param listBytes what its list takes at the agent
     */
    public record Night(BackupReport report, long listBytes) {
        /** What went over the wire, both ways. */
        public long wireBytes() {
            return report.sentBytes() + report.receivedBytes();
        }

        /** How many of a hundred pages of its list are the snapshot's before. */
        public double sharedPercent() {
            return 100.0 * report.sharedPages() / report.listPages();
        }
    }

    /** Backs up an image that is as long as this and changes nowhere, twice; returns the second night. */
    public Night unchanged(long imageBytes, long seed) throws IOException {
        TiledImage image = TiledImage.of(imageBytes, seed);
        backUp(image, ImageCuts.usual());
        return backUp(image, ImageCuts.usual());
    }

    /**
     * Backs up a sparse file with data in a hundred places, whose blocks of 4 KiB differ in {@code ownBytes} each and
     * are else alike.
     *
     * @param imageBytes as long as it looks
     * @param dataBytes that it has, in whole blocks
     */
    public Night sparse(long imageBytes, long dataBytes, int ownBytes, long seed) throws IOException {
        Path file = site.folder().resolve("sparse.img");
        writeSparse(file, imageBytes, dataBytes, ownBytes, new Random(seed));
        try (ImageSource image = ImageFormat.RAW.address(file.toString()).open()) {
            return backUp(image, ImageCuts.usual());
        } finally {
            Files.delete(file);
        }
    }

    private static void writeSparse(Path file, long imageBytes, long dataBytes, int ownBytes, Random random)
            throws IOException {
        int places = 100;
        byte[] block = new byte[4096];
        random.nextBytes(block);
        byte[] own = new byte[ownBytes];
        try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(imageBytes);
            for (int place = 0; place < places; place++) {
                image.seek(imageBytes / places * place / block.length * block.length);
                for (long written = 0; written < dataBytes / places; written += block.length) {
                    random.nextBytes(own);
                    System.arraycopy(own, 0, block, 0, ownBytes);
                    image.write(block);
                }
            }
        }
    }

    /** Backs up an image this often, each time with one part in 200 in another order; returns the last night. */
    public Night changing(long imageBytes, int snapshots, long seed) throws IOException {
        ImageCuts cuts =
                new ImageCuts(ChunkingParams.builder().averageBytes(16 << 10).build(), Optional.empty());
        TiledImage image = TiledImage.of(imageBytes, seed);
        Night last = backUp(image, cuts);
        for (int i = 1; i < snapshots; i++) {
            image = image.changed();
            last = backUp(image, cuts);
        }
        return last;
    }

    /** Marks what lives; returns the seconds. */
    public double mark() throws IOException {
        try (AgentClient agent = site.connect(CLIENT)) {
            long startNs = System.nanoTime();
            var step = agent.collect(new UpkeepRequest.Collect(true, true, 0));
            while (!step.done()) {
                step = agent.collect(new UpkeepRequest.Collect(false, true, 0));
            }
            return (System.nanoTime() - startNs) / 1e9;
        }
    }

    private Night backUp(ImageSource image, ImageCuts cuts) throws IOException {
        try (Shredder engine = Shredder.open(ShredderOptions.of(Backend.AUTO));
                AgentClient agent = site.connect(CLIENT)) {
            BackupReport report = new BackupSession(agent, engine, key, caches, known, false, Cores.all())
                    .run(image, SERIES, cuts, Remarks.none(), Pace.unlimited());
            System.out.println("  " + report);
            return new Night(report, listBytes(report.snapshot().id()));
        }
    }

    private long listBytes(long snapshot) throws IOException {
        Path repository = site.folder().resolve("repository");
        String name = String.format("%016d", snapshot);
        Path pages = repository.resolve("pages").resolve(name + ".pages");
        Path series = repository.resolve("snapshots").resolve(CLIENT).resolve(SERIES.value());
        return Files.size(series.resolve(name + ".snapshot")) + (Files.exists(pages) ? Files.size(pages) : 0);
    }

    @Override
    public void close() {
        site.close();
    }
}
