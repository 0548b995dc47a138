// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.server.nbd.WritableVolume;
import io.shredder.backup.server.reader.DamagedRangeException;
import io.shredder.backup.server.reader.ImageExtent;
import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveRestoreTest {

    private static final UUID BOOT = new UUID(1, 1);
    private static final long SEED = new Random().nextInt(1_000_000);

    @TempDir
    private Path folder;

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    private LiveRestore open(BytesVolume backup) throws IOException {
        return LiveRestore.open(
                folder.resolve("target"),
                backup,
                LiveTester.snapshot(backup.bytes(), 3),
                new LiveRestore.Fill(0, lines::add),
                BOOT);
    }

    private static byte[] read(WritableVolume volume, long offset, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        volume.read(offset, into);
        return into.array();
    }

    /** Several guests, each with stripes of its own, against what they wrote; the target is filled behind them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void guestsReadWhatTheyWroteAndElseTheBackupWhileItIsFilled(int run) throws Exception {
        System.out.println("seed " + SEED);
        byte[] image = LiveTester.image(new Random(SEED + run), 6 << 20);
        byte[] model = image.clone();
        try (LiveRestore restore = open(new BytesVolume(image))) {
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> guests = new ArrayList<>();
            for (int guest = 0; guest < 3; guest++) {
                // Not at a block's border, so two guests share blocks.
                int from = guest * (2 << 20) + (guest == 0 ? 0 : 1_700);
                int to = guest == 2 ? image.length : (guest + 1) * (2 << 20) + 1_700;
                Random random = new Random(SEED + 10L * run + guest);
                guests.add(new Thread(() -> {
                    try {
                        use(restore.volume(), model, from, to, random);
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                }));
            }
            guests.forEach(Thread::start);
            Thread.sleep(run * 20L);
            restore.startFilling();
            for (Thread guest : guests) {
                guest.join();
            }
            assertThat(failures).isEmpty();
            assertThat(restore.awaitFilled()).isEqualTo(LiveState.WHOLE);
            assertThat(Arrays.mismatch(read(restore.volume(), 0, image.length), model))
                    .isNegative();
            restore.volume().write(5, ByteBuffer.wrap(new byte[] {1, 2}));
            model[5] = 1;
            model[6] = 2;
        }
        assertThat(Arrays.mismatch(Files.readAllBytes(folder.resolve("target")), model))
                .isNegative();
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("target"));
        }
        assertThat(lines).isEmpty();
    }

    private static void use(WritableVolume volume, byte[] model, int from, int to, Random random) throws IOException {
        for (int i = 0; i < 1_500; i++) {
            int offset = from + random.nextInt(to - from);
            int most = random.nextInt(20) == 0 ? 900_000 : 9_000;
            int bytes = Math.min(to - offset, 1 + random.nextInt(most));
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    byte[] written = new byte[bytes];
                    random.nextBytes(written);
                    volume.write(offset, ByteBuffer.wrap(written));
                    System.arraycopy(written, 0, model, offset, bytes);
                }
                case 3 -> {
                    volume.zero(offset, bytes, random.nextBoolean());
                    Arrays.fill(model, offset, offset + bytes, (byte) 0);
                }
                case 4 -> volume.flush();
                case 5 -> {
                    long at = offset;
                    for (ImageExtent extent : volume.extents(offset, bytes, 1 + random.nextInt(5))) {
                        assertThat(extent.offset()).isEqualTo(at);
                        at = extent.end();
                        for (long zero = extent.offset(); extent.isHole() && zero < at; zero++) {
                            assertThat(model[(int) zero]).as("hole at %d", zero).isZero();
                        }
                    }
                    assertThat(at).isBetween(offset + 1L, (long) offset + bytes);
                }
                default ->
                    assertThat(read(volume, offset, bytes))
                            .isEqualTo(Arrays.copyOfRange(model, offset, offset + bytes));
            }
        }
    }

    @Test
    void trimmedBlocksNeedNoBackup() throws Exception {
        byte[] image = LiveTester.image(new Random(SEED), 3 << 20);
        try (LiveRestore restore = open(new BytesVolume(image))) {
            restore.volume().trim(5, (2 << 20) + 5_000);
            assertThat(restore.presentBytes()).isEqualTo(2 << 20);
            assertThat(read(restore.volume(), 0, 4096)).isEqualTo(Arrays.copyOf(image, 4096));
            assertThat(read(restore.volume(), 4096, 2 << 20)).containsOnly(0);
        }
    }

    @Test
    void damageIsLeftOutUntilSomebodyWritesOverIt() throws Exception {
        Random random = new Random(SEED);
        byte[] image = new byte[4 << 20];
        random.nextBytes(image);
        BytesVolume backup = new BytesVolume(image);
        backup.damage(1_500_000, 1_510_000);
        try (LiveRestore restore = open(backup)) {
            WritableVolume volume = restore.volume();
            restore.startFilling();
            assertThat(restore.awaitFilled()).isEqualTo(LiveState.DAMAGED);
            int from = 1_500_000 / 4096 * 4096;
            int to = (1_510_000 + 4095) / 4096 * 4096;
            assertThat(restore.presentBytes()).isEqualTo(image.length - (to - from));
            assertThat(read(volume, 0, from)).isEqualTo(Arrays.copyOf(image, from));
            assertThat(read(volume, to, image.length - to)).isEqualTo(Arrays.copyOfRange(image, to, image.length));
            assertThatThrownBy(() -> read(volume, 1_505_000, 100)).isInstanceOf(DamagedRangeException.class);
            assertThatThrownBy(() -> volume.write(1_505_000, ByteBuffer.allocate(100)))
                    .isInstanceOf(DamagedRangeException.class);
            assertThat(folder.resolve("target")).doesNotExist();
            volume.write(from, ByteBuffer.allocate(to - from));
            TrialRun.await("all", 30_000, () -> restore.state() == LiveState.WHOLE);
            assertThat(folder.resolve("target")).hasSize(image.length);
        }
    }

    @Test
    void itGoesOnWithItsSnapshotAloneAndSaysWhatStandsInTheWay() throws Exception {
        byte[] image = LiveTester.image(new Random(SEED), 1 << 20);
        BytesVolume backup = new BytesVolume(image);
        Path target = folder.resolve("target");
        byte[] written = new byte[5_000];
        Arrays.fill(written, (byte) 7);
        try (LiveRestore restore = open(backup)) {
            restore.volume().write(70_001, ByteBuffer.wrap(written));
            assertThat(LiveRestore.begun(target).orElseThrow()).hasToString("vm@3");
            assertThatThrownBy(() -> open(backup).close()).hasMessageContaining("is in use");
        }
        byte[] other = new byte[image.length];
        assertThatThrownBy(() -> LiveRestore.open(
                                target,
                                new BytesVolume(other),
                                LiveTester.snapshot(other, 4),
                                new LiveRestore.Fill(0, lines::add))
                        .close())
                .hasMessageContaining("was begun with vm@3, not with vm@4");
        try (LiveRestore restore = open(backup)) {
            assertThat(read(restore.volume(), 70_001, 5_000)).isEqualTo(written);
        }
        Path data = folder.resolve("target.shredder-live");
        Path map = folder.resolve("target.shredder-live-map");
        Files.move(data, folder.resolve("away"));
        assertThatThrownBy(() -> open(backup).close()).hasMessageContaining(data + " is gone");
        Files.move(folder.resolve("away"), data);
        Files.move(map, folder.resolve("away"));
        assertThatThrownBy(() -> open(backup).close()).hasMessageContaining("is there without " + map);
        Files.move(folder.resolve("away"), map);
        Files.write(target, new byte[1]);
        assertThatThrownBy(() -> open(backup).close()).hasMessageContaining(target + " exists");
    }

    @Test
    void aRunThatDiedBeforeItRemovedTheMapIsEnded() throws Exception {
        byte[] image = LiveTester.image(new Random(SEED), 1 << 20);
        BytesVolume backup = new BytesVolume(image);
        Path map = folder.resolve("target.shredder-live-map");
        try (LiveRestore restore = open(backup)) {
            restore.volume().zero(0, image.length, true);
        }
        Files.move(folder.resolve("target.shredder-live"), folder.resolve("target"));
        assertThatThrownBy(() -> open(backup).close()).hasMessageContaining("is whole already");
        assertThat(map).doesNotExist();
        assertThatThrownBy(() -> open(backup).close()).hasMessageContaining("exists");
    }

    @Test
    void anImageOfNothingIsWholeAtOnce() throws Exception {
        try (LiveRestore restore = open(new BytesVolume(new byte[0]))) {
            restore.startFilling();
            assertThat(restore.awaitFilled()).isEqualTo(LiveState.WHOLE);
        }
        assertThat(folder.resolve("target")).isEmptyFile();
    }

    @Test
    void aRateIsKept() throws Exception {
        byte[] image = new byte[3 << 20];
        new Random(SEED).nextBytes(image);
        long beginNs = System.nanoTime();
        try (LiveRestore restore = LiveRestore.open(
                folder.resolve("target"),
                new BytesVolume(image),
                LiveTester.snapshot(image, 3),
                new LiveRestore.Fill(6 << 20, lines::add))) {
            assertThat(restore.awaitFilled()).isEqualTo(LiveState.WHOLE);
        }
        assertThat(System.nanoTime() - beginNs).isGreaterThan(480_000_000L);
    }
}
