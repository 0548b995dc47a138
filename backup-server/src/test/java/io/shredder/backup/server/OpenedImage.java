// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.reader.ImageExtent;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A snapshot of a test's agent, opened, beside the image that it was made of. */
final class OpenedImage implements AutoCloseable {

    private final byte[] image;
    private final SnapshotReader reader;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    /** Opens the latest snapshot of a series. */
    OpenedImage(Sites sites, String name, Path image, long cacheBytes) throws IOException {
        this.image = Files.readAllBytes(image);
        RepositoryKey key = sites.key();
        ReaderOptions options = new ReaderOptions(cacheBytes, 4 << 20, Duration.ofSeconds(60), Cores.all());
        AgentClient client = sites.connect();
        this.reader = new SnapshotReader(
                client, sites::connect, key, SnapshotChoice.parse(name).find(client), options, lines::add);
    }

    /** Writes an image of some megabytes: holes at both ends and between, runs of one byte, and a length like none. */
    static Path write(Path file, Random random) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            // Chunks are of 1 MiB at most in these tests: what is twice as long has a chunk of nothing but zeros.
            long at = (2 << 20) + random.nextInt(1 << 20);
            for (int piece = 0; piece < 6; piece++) {
                byte[] bytes = new byte[1 + random.nextInt(1 << 20)];
                if (piece % 3 == 2) {
                    Arrays.fill(bytes, (byte) 0xFF);
                } else {
                    random.nextBytes(bytes);
                }
                out.write(ByteBuffer.wrap(bytes), at);
                at += bytes.length + (piece % 2 == 0 ? (2 << 20) + random.nextInt(2 << 20) : 0);
            }
            out.write(ByteBuffer.wrap(new byte[1]), at + (2 << 20) + random.nextInt(9_999));
        }
        return file;
    }

    SnapshotReader reader() {
        return reader;
    }

    /** What was said of damage. */
    List<String> lines() {
        return lines;
    }

    byte[] image() {
        return image;
    }

    byte[] read(long offset, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        reader.read(offset, into);
        assertThat(into.hasRemaining()).isFalse();
        return into.array();
    }

    /** Reads somewhere, and compares. */
    void checkRead(Random random) throws IOException {
        int offset = random.nextInt(image.length);
        int most = random.nextInt(4) == 0 ? 1 << 20 : 1 << 14;
        int bytes = random.nextInt(Math.min(most, image.length - offset) + 1);
        assertThat(read(offset, bytes))
                .as("%d bytes at %d", bytes, offset)
                .isEqualTo(Arrays.copyOfRange(image, offset, offset + bytes));
    }

    void checkAll() throws IOException {
        assertThat(Arrays.mismatch(read(0, image.length), image)).isNegative();
    }

    /** Extents cover all, neighbours differ, and holes are zeros. */
    List<ImageExtent> checkExtents() throws IOException {
        List<ImageExtent> extents = reader.extents(0, reader.size(), Integer.MAX_VALUE);
        long at = 0;
        for (int i = 0; i < extents.size(); i++) {
            ImageExtent extent = extents.get(i);
            assertThat(extent.offset()).isEqualTo(at);
            if (i > 0) {
                assertThat(extent.isHole()).isNotEqualTo(extents.get(i - 1).isHole());
            }
            if (extent.isHole()) {
                for (long zero = extent.offset(); zero < extent.end(); zero++) {
                    assertThat(image[(int) zero]).isZero();
                }
            }
            at = extent.end();
        }
        assertThat(at).isEqualTo(image.length);
        return extents;
    }

    @Override
    public void close() {
        reader.close();
    }
}
