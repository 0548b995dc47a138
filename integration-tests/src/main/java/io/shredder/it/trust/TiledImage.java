// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.ImageSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * An image as long as a disk that takes no place: random tiles of 1 MiB, one behind the other in an order that a seed
 * gives. Its list is as long as that of any image, its chunks are few. For any number of threads.
 */
final class TiledImage implements ImageSource {
    static final int TILE_BYTES = 1 << 20;

    private static final int TILES = 64;
    private static final int READ_BYTES = 4 << 20;

    private static final int STRETCHES = 200;

    private final long imageBytes;
    private final long seed;
    private final int changes;
    private final byte[][] tiles;

    private TiledImage(long imageBytes, long seed, int changes, byte[][] tiles) {
        this.imageBytes = imageBytes;
        this.seed = seed;
        this.changes = changes;
        this.tiles = tiles;
    }

    /** The same for the same seed. */
    static TiledImage of(long imageBytes, long seed) {
        Random random = new Random(seed);
        byte[][] tiles = new byte[TILES][TILE_BYTES];
        for (byte[] tile : tiles) {
            random.nextBytes(tile);
        }
        return new TiledImage(imageBytes, seed, 0, tiles);
    }

    /** This image, but one more of its two hundred stretches has its tiles in another order. */
    TiledImage changed() {
        return new TiledImage(imageBytes, seed, changes + 1, tiles);
    }

    private byte[] tile(long number) {
        long stretch = number * STRETCHES / (imageBytes / TILE_BYTES + 1);
        long order = stretch < changes ? seed + 1 + stretch : seed;
        return tiles[new SplittableRandom(order * 0x9E3779B97F4A7C15L + number).nextInt(TILES)];
    }

    @Override
    public long imageBytes() {
        return imageBytes;
    }

    @Override
    public Optional<Extent> nextData(long from) {
        return from < imageBytes ? Optional.of(new Extent(from, imageBytes - from)) : Optional.empty();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        long at = offset;
        while (into.hasRemaining()) {
            int within = (int) (at % TILE_BYTES);
            int count = Math.min(into.remaining(), TILE_BYTES - within);
            into.put(tile(at / TILE_BYTES), within, count);
            at += count;
        }
    }

    @Override
    public boolean readsAtOnce() {
        return true;
    }

    @Override
    public int readBytes() {
        return READ_BYTES;
    }

    @Override
    public void checkUnchanged() {}

    @Override
    public void close() {}
}
