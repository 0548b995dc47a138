// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Writes runs of any number of entries straight into a repository's index, as merges would have left them. There are
 * two runs, the newer almost half as large as the older, so that the next table makes the index join all. The
 * containers that the entries name are not there.
 */
public final class LargeIndex {

    private static final int EVERY_THIRD = 3;
    private static final int ENTRIES_A_CONTAINER = 1000;
    private static final int CHUNK_BYTES = 65_536;

    private LargeIndex() {}

    /** Opens the index of a repository that nobody has open. */
    static FingerprintIndex open(Path repository) throws IOException {
        return LogStructuredIndex.open(files(repository), LogStructuredIndex.TABLE_ENTRIES, Runnable::run);
    }

    private static IndexFiles files(Path repository) throws IOException {
        UUID id = FileHeader.read(
                        ByteBuffer.wrap(Files.readAllBytes(repository.resolve("repository"))),
                        FileHeader.REPOSITORY_MAGIC,
                        "repository")
                .repository();
        IndexKey key = IndexKeyFile.read(repository.resolveSibling(repository.getFileName() + ".index-key"));
        Sealing.Kind aes = Sealing.Kind.AES_256_GCM;
        return new IndexFiles(new DiskFolder(repository.resolve("index")), id, key, aes, aes);
    }

    /** Fills the index of a repository that nobody has open. */
    public static void fill(Path repository, long entries) throws IOException {
        IndexFiles files = files(repository);
        IndexManifestFile manifest = IndexManifestFile.open(files);
        int last = manifest.current().lastRun();
        CompletableFuture<RunManifest> older =
                CompletableFuture.supplyAsync(() -> write(files, last + 1, entries, false));
        CompletableFuture<RunManifest> newer =
                CompletableFuture.supplyAsync(() -> write(files, last + 2, entries, true));
        List<RunManifest> runs = List.of(newer.join(), older.join());
        manifest.publish(current ->
                current.flushed(current.covered(), entries, current.firstLog()).withRuns(last + 2, runs));
    }

    private static RunManifest write(IndexFiles files, int number, long entries, boolean thirds) {
        long[] next = {0};
        EntrySource source = () -> {
            while (next[0] < entries && (next[0] % EVERY_THIRD == 0) != thirds) {
                next[0]++;
            }
            return next[0] < entries ? entry(next[0]++, entries) : null;
        };
        long most = thirds ? entries / EVERY_THIRD + 1 : entries - entries / EVERY_THIRD;
        try {
            Run run = new RunWriter(files, number).write(source, most);
            if (run == null) {
                throw new IllegalArgumentException(entries + " entries are too few");
            }
            RunManifest written = run.manifest();
            run.release();
            return written;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static @Nullable IndexEntry entry(long number, long entries) {
        int container = 1 + (int) (number / ENTRIES_A_CONTAINER);
        int offset = (int) (number % ENTRIES_A_CONTAINER) * CHUNK_BYTES;
        return new IndexEntry(key(number, entries), new ChunkLocation(container, offset, CHUNK_BYTES, CHUNK_BYTES));
    }

    /** The entry's fingerprint: spread evenly over all, in the order of the numbers. */
    public static Fingerprint key(long number, long entries) {
        return fingerprint(number, entries, 0);
    }

    /** A fingerprint that no entry has, beside that of this number. */
    public static Fingerprint absent(long number, long entries) {
        return fingerprint(number, entries, 1);
    }

    private static Fingerprint fingerprint(long number, long entries, int kind) {
        long step = Long.divideUnsigned(-1L, entries);
        long spread = Long.remainderUnsigned(mix(number + kind * 0x5851F42D4C957F2DL), step);
        ByteBuffer bytes = ByteBuffer.allocate(Fingerprint.BYTES);
        bytes.putLong(number * step + spread)
                .putLong(mix(number))
                .putLong(mix(~number))
                .putLong(kind);
        return Fingerprint.read(bytes.flip());
    }

    /** SplitMix64's finalizer. */
    private static long mix(long value) {
        long z = value * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
