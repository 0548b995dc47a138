// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.RegionSealer;
import io.shredder.backup.seal.RegionSealer.Effort;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.MemoryDigests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How fast all cores do what backups can't do without, each thread for itself: nobody waits, and nothing is looked up,
 * sent or kept. So no first backup can be faster than its sealing, and no verification faster than its digests.
 */
final class ComputingLimits {

    /** A region of a backup. */
    private static final int REGION_BYTES = 256 << 10;

    private static final int REGIONS = MachineLimits.PIECE_BYTES / REGION_BYTES;

    private final FileChannel image;
    private final long bytes;

    /** @param image stays the caller's */
    ComputingLimits(FileChannel image) throws IOException {
        this.image = image;
        this.bytes = image.size() / MachineLimits.PIECE_BYTES * MachineLimits.PIECE_BYTES;
    }

    /** Bytes a second that are compressed and sealed, as a first backup does it while chunks wait. */
    double sealing() throws IOException, InterruptedException {
        RepositoryKey key = RepositoryKey.generate(new SecureRandom());
        ChunkRef chunk =
                new ChunkRef(REGION_BYTES, Fingerprint.ofData(DigestAlgorithm.SHA_256, ByteBuffer.allocate(0)));
        ThreadLocal<RegionSealer> sealers = ThreadLocal.withInitial(() -> new RegionSealer(key, new SecureRandom()));
        return rate(piece -> {
            for (int i = 0; i < REGIONS; i++) {
                var unused =
                        sealers.get().seal(List.of(chunk), piece.slice(i * REGION_BYTES, REGION_BYTES), Effort.QUICK);
            }
        });
    }

    /** Bytes a second that are digested, as an agent does it with what it keeps. */
    double digesting() throws IOException, InterruptedException {
        int[] lengths = new int[REGIONS];
        Arrays.fill(lengths, REGION_BYTES);
        return rate(piece -> {
            var unused = MemoryDigests.of(DigestAlgorithm.SHA_256, piece, lengths);
        });
    }

    /** What is done with a MiB of the image. */
    @FunctionalInterface
    private interface Work {
        void run(ByteBuffer piece) throws IOException;
    }

    private double rate(Work work) throws IOException, InterruptedException {
        int pieces = Math.toIntExact(bytes / MachineLimits.PIECE_BYTES);
        return bytes / MachineLimits.seconds(pieces, number -> work.run(MachineLimits.read(image, number)));
    }

    /** Of an image's file: both, by their names. */
    static Map<String, Double> of(Path file) throws IOException, InterruptedException {
        try (var channel = FileChannel.open(file)) {
            var limits = new ComputingLimits(channel);
            return Map.of(LimitsUnit.SEALING, limits.sealing(), LimitsUnit.DIGESTING, limits.digesting());
        }
    }
}
