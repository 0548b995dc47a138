// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.DiskImage;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.server.nbd.WritableVolume;
import io.shredder.backup.trial.TrialRun;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A guest writes, trims and flushes while the target is filled; then the power fails after any change to the disk, and
 * of what was not forced nothing is left, or all but a part of the last write, or any sectors. What was flushed must be
 * there; a sector that was written since may be old or new; all others are the backup's.
 */
class LivePowerLossTest {

    private static final long SEED = new Random().nextInt(1_000_000);
    private static final int SECTOR = 512;
    private static final UUID BOOT = new UUID(1, 1);
    private static final UUID NEXT_BOOT = new UUID(2, 2);

    @TempDir
    private Path folder;

    private sealed interface Event {}

    /** Bytes are being written from here on; none for a trim. */
    private record Writing(int offset, int length, byte[] bytes) implements Event {}

    private record Flushed() implements Event {}

    /** What each sector may hold. */
    private static final class Allowed {
        private final byte[] backup;
        private final List<List<byte[]>> values = new ArrayList<>();
        private final boolean[] isAny;

        Allowed(byte[] backup) {
            this.backup = backup;
            int sectors = (backup.length + SECTOR - 1) / SECTOR;
            isAny = new boolean[sectors];
            for (int i = 0; i < sectors; i++) {
                values.add(new ArrayList<>(List.of(sector(backup, i))));
            }
        }

        private static byte[] sector(byte[] image, int i) {
            return Arrays.copyOfRange(image, i * SECTOR, Math.min(image.length, (i + 1) * SECTOR));
        }

        void follow(Event event) {
            if (event instanceof Writing writing) {
                for (int at = writing.offset(); at < writing.offset() + writing.length(); at += SECTOR) {
                    if (writing.bytes().length == 0) {
                        isAny[at / SECTOR] = true;
                    } else {
                        int from = at - writing.offset();
                        values.get(at / SECTOR)
                                .add(Arrays.copyOfRange(
                                        writing.bytes(), from, Math.min(writing.length(), from + SECTOR)));
                    }
                }
            } else {
                for (int i = 0; i < values.size(); i++) {
                    List<byte[]> all = values.get(i);
                    values.set(i, new ArrayList<>(List.of(all.get(all.size() - 1))));
                }
            }
        }

        void check(byte[] left, String when) {
            assertThat(left).as(when).hasSize(backup.length);
            for (int i = 0; i < values.size(); i++) {
                byte[] found = sector(left, i);
                if (!isAny[i] && values.get(i).stream().noneMatch(value -> Arrays.equals(value, found))) {
                    throw new AssertionError(when + ": sector " + i + " is none of the "
                            + values.get(i).size() + " it may be, "
                            + (Arrays.equals(found, sector(backup, i)) ? "the backup's" : "another"));
                }
            }
        }
    }

    @Test
    void whatWasFlushedIsThereWhateverTheDiskLost() throws Exception {
        System.out.println("seed " + SEED);
        int lives = LongTests.count("live.lives", 3, 20);
        int whole = 0;
        for (int life = 0; life < lives; life++) {
            whole += lifeAndDeaths(life, new Random(SEED + life)) ? 1 : 0;
        }
        assertThat(whole).as("lives in which the target became whole").isPositive();
    }

    private boolean lifeAndDeaths(int life, Random random) throws Exception {
        byte[] backup = LiveTester.image(random, 300_000);
        Path lived = Files.createDirectory(folder.resolve("life-" + life));
        RecordedFiles files = new RecordedFiles(lived, 300);
        live(files, backup, random);
        List<DiskChange> changes = files.changes();
        DiskImage disk = new DiskImage();
        Allowed allowed = new Allowed(backup);
        boolean hasBegun = false;
        for (int i = 0; i < changes.size(); i++) {
            disk.apply(changes.get(i));
            if (changes.get(i) instanceof DiskChange.Mark mark) {
                hasBegun = true;
                allowed.follow((Event) mark.what());
            }
            if (hasBegun) {
                for (DiskImage.Loss loss : List.of(
                        DiskImage.Loss.ALL_UNFORCED, DiskImage.Loss.TORN_LAST_WRITE, DiskImage.Loss.ANY_UNFORCED)) {
                    die(
                            disk,
                            loss,
                            allowed,
                            new Random(random.nextLong()),
                            "life " + life + ", change " + i + " "
                                    + changes.get(i).getClass().getSimpleName() + ", " + loss);
                }
            }
        }
        boolean isWhole = Files.exists(lived.resolve("target"));
        TrialRun.deleteAll(lived);
        return isWhole;
    }

    private static LiveRestore open(Path root, byte[] backup, UUID boot) throws IOException {
        return LiveRestore.open(
                root.resolve("target"),
                new BytesVolume(backup),
                LiveTester.snapshot(backup, 1),
                new LiveRestore.Fill(0, line -> {
                    throw new AssertionError(line);
                }),
                boot);
    }

    private static void live(RecordedFiles files, byte[] backup, Random random) throws Exception {
        try (LiveRestore restore = open(files.root(), backup, BOOT)) {
            WritableVolume volume = restore.volume();
            int fillsFrom = random.nextInt(60);
            for (int i = 0; i < 120; i++) {
                if (i == fillsFrom) {
                    restore.startFilling();
                }
                int sectors = (backup.length + SECTOR - 1) / SECTOR;
                int offset = random.nextInt(sectors) * SECTOR;
                int most = Math.min(backup.length - offset, SECTOR * (1 + random.nextInt(40)));
                byte[] bytes = new byte[most];
                switch (random.nextInt(8)) {
                    case 0 -> {
                        files.mark(new Writing(offset, most, new byte[0]));
                        volume.trim(offset, most);
                    }
                    case 1 -> {
                        files.mark(new Writing(offset, most, bytes));
                        volume.zero(offset, most, random.nextBoolean());
                    }
                    case 2, 3 -> {
                        volume.flush();
                        files.mark(new Flushed());
                    }
                    default -> {
                        random.nextBytes(bytes);
                        files.mark(new Writing(offset, most, bytes));
                        volume.write(offset, ByteBuffer.wrap(bytes));
                    }
                }
            }
        }
    }

    private void die(DiskImage disk, DiskImage.Loss loss, Allowed allowed, Random random, String when)
            throws IOException {
        Path left = folder.resolve("left");
        disk.writeTo(left, loss, random);
        Path target = left.resolve("target");
        if (Files.exists(target)) {
            allowed.check(Files.readAllBytes(target), when + ", whole");
        } else {
            try (LiveRestore restore = open(left, allowed.backup, NEXT_BOOT)) {
                ByteBuffer read = ByteBuffer.allocate(allowed.backup.length);
                restore.volume().read(0, read);
                allowed.check(read.array(), when);
            }
        }
        TrialRun.deleteAll(left);
    }
}
