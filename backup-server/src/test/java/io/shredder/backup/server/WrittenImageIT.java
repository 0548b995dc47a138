// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.source.BytesImage;
import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An image that is written while it is backed up: that backup may mix what it read, later ones are exact. */
class WrittenImageIT {

    private static final int IMAGE_BYTES = 6 << 20;
    private static final int PAGE = 4096;
    private static final int STEP = 8 * PAGE;

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    /** Whose pages are written right after each was read for the first time. */
    private static final class WrittenImage extends BytesImage {
        private final BytesImage after;
        private final BitSet read = new BitSet();

        WrittenImage(byte[] before, byte[] after) {
            super(before, List.of(new Extent(0, before.length)), 1 << 20);
            this.after = still(after);
        }

        @Override
        public synchronized void read(ByteBuffer into, long offset) {
            long end = offset + into.remaining();
            for (long at = offset; at < end; ) {
                int page = (int) (at / PAGE);
                long next = Math.min(end, (page + 1L) * PAGE);
                ByteBuffer part = into.slice(into.position(), (int) (next - at));
                if (read.get(page)) {
                    after.read(part, at);
                } else {
                    super.read(part, at);
                }
                read.set(page);
                into.position(into.position() + part.capacity());
                at = next;
            }
        }
    }

    private static BytesImage still(byte[] bytes) {
        return new BytesImage(bytes, List.of(new Extent(0, bytes.length)), 1 << 20);
    }

    private void backUp(Shredder engine, ImageSource image) throws IOException {
        try (AgentClient agent = sites.connect()) {
            BackupSession session = new BackupSession(
                    agent,
                    engine,
                    sites.key(),
                    SnapshotCaches.in(folder.resolve("cache")),
                    KnownCommits.in(folder.resolve("state")),
                    false,
                    CoresShare.alone(new Cores(2)));
            session.run(image, new SnapshotName("vm"), ImageCuts.usual(), Remarks.none(), Pace.unlimited());
        }
    }

    /** Each of these pages is changed, every so many. */
    private byte[] changed(byte[] bytes, int first) {
        byte[] changed = bytes.clone();
        for (int at = first; at < bytes.length; at += STEP) {
            changed[at + random.nextInt(PAGE)] ^= 1;
        }
        return changed;
    }

    @Test
    void aBackupOfAQuietImageIsExactWhateverTheOneBeforeItSaw() throws Exception {
        byte[] first = Samples.randomBytes(random, IMAGE_BYTES);
        byte[] second = changed(first, 0);
        byte[] third = changed(second, 4 * PAGE);
        try (Shredder engine = Shredder.open(ShredderOptions.defaults())) {
            backUp(engine, still(first));
            backUp(engine, new WrittenImage(second, third));
            backUp(engine, still(third));
        }
        Path restored = folder.resolve("restored");
        assertThat(sites.here("restore", "vm", "--to", restored.toString()).exitCode())
                .isZero();
        assertThat(Files.readAllBytes(restored)).isEqualTo(third);
    }
}
