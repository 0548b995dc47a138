// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every bit on disk is authenticated; damage names file and offset. -Dindex.flips=N tries so many random flips. */
class IndexDamageTest {

    private static final int FLIPS = Integer.getInteger("index.flips", 600);
    private static final int ENTRIES = 330;
    private static final IndexKey KEY = LogStructuredIndexTest.KEY;
    private static final UUID REPOSITORY = LogStructuredIndexTest.REPOSITORY;

    @TempDir
    private Path root;

    private Path whole;

    /** A run of 300 entries and a log of three commits of 10. */
    @BeforeEach
    void prepare() throws IOException {
        whole = Files.createDirectory(root.resolve("whole"));
        LogStructuredIndex.create(files(whole));
        try (LogStructuredIndex index = LogStructuredIndex.open(files(whole), 300, Runnable::run)) {
            for (int i = 0; i < ENTRIES; i++) {
                index.put(FingerprintIndexContract.fingerprint(i), FingerprintIndexContract.location(i));
                if (i + 1 >= 300 && (i + 1) % 10 == 0) {
                    index.commit(new ContainerPosition(1, i + 1));
                }
            }
        }
    }

    private static IndexFiles files(Path in) {
        return LogStructuredIndexTest.files(new DiskFolder(in));
    }

    private static List<Path> list(Path in) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.sorted().toList();
        }
    }

    private static Path only(Path in, String ending) throws IOException {
        return list(in).stream()
                .filter(file -> file.toString().endsWith(ending))
                .findFirst()
                .orElseThrow();
    }

    /** Opens and asks for everything; returns how many chunks there are. */
    private static long readAll(Path in) throws IOException {
        try (LogStructuredIndex index = LogStructuredIndex.open(in, REPOSITORY, KEY)) {
            for (int i = 0; i < 300; i++) {
                assertThat(index.find(FingerprintIndexContract.fingerprint(i)))
                        .contains(FingerprintIndexContract.location(i));
            }
            return index.size();
        }
    }

    @Test
    void everyFlippedBitIsFoundUnlessItLooksLikeATornLastCommit() throws IOException {
        assertThat(readAll(whole)).isEqualTo(ENTRIES);
        Random random = new Random(Samples.seed());
        List<Path> files = list(whole);
        assertThat(files).hasSize(3);
        long lastCommitAt = Files.size(only(whole, ".log")) - (24 + 8 + 10 * 48 + 16);
        for (int flip = 0; flip < FLIPS; flip++) {
            Path copy = CopiedFolders.copy(whole, root);
            Path file = copy.resolve(files.get(flip % files.size()).getFileName());
            byte[] bytes = Files.readAllBytes(file);
            int at = random.nextInt(bytes.length);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
            String when = "flip at " + at + " of " + file.getFileName();
            if (file.toString().endsWith(".log") && at >= lastCommitAt) {
                assertThat(readAll(copy)).as(when).isEqualTo(ENTRIES - 10);
            } else {
                assertThatThrownBy(() -> readAll(copy))
                        .as(when)
                        .isInstanceOfSatisfying(DamagedDataException.class, e -> assertThat(e.source())
                                .isEqualTo("index/" + file.getFileName()));
            }
            deleteAll(copy);
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        for (Path file : list(folder)) {
            Files.delete(file);
        }
        Files.delete(folder);
    }

    @InTurn(days = 3)
    @Test
    void aLogCutAnywhereKeepsItsWholeCommitsAndGoesOn() throws IOException {
        Path log = only(whole, ".log");
        byte[] bytes = Files.readAllBytes(log);
        int commitBytes = 24 + 8 + 10 * 48 + 16;
        int header = bytes.length - 3 * commitBytes;
        for (int length = header; length <= bytes.length; length += 7) {
            Path copy = CopiedFolders.copy(whole, root);
            Files.write(copy.resolve(log.getFileName()), Arrays.copyOf(bytes, length));
            assertThat(readAll(copy)).isEqualTo(300 + 10L * ((length - header) / commitBytes));
            try (LogStructuredIndex index = LogStructuredIndex.open(copy, REPOSITORY, KEY)) {
                index.put(FingerprintIndexContract.fingerprint(-5), FingerprintIndexContract.location(5));
                index.commit(new ContainerPosition(2, 1));
            }
            assertThat(readAll(copy)).isEqualTo(301 + 10L * ((length - header) / commitBytes));
        }
    }

    @Test
    void everyOtherFileCutOrLostIsRefusedByName() throws IOException {
        for (Path file : list(whole)) {
            byte[] bytes = Files.readAllBytes(file);
            int end = file.toString().endsWith(".log") ? LogSegment.HEADER_BYTES : bytes.length;
            for (int length = 0; length < end; length += Math.max(1, end / 50)) {
                Path copy = CopiedFolders.copy(whole, root);
                Files.write(copy.resolve(file.getFileName()), Arrays.copyOf(bytes, length));
                assertThatThrownBy(() -> readAll(copy))
                        .isInstanceOf(DamagedDataException.class)
                        .hasMessageContaining("index/" + file.getFileName());
            }
            Path copy = CopiedFolders.copy(whole, root);
            Files.delete(copy.resolve(file.getFileName()));
            assertThatThrownBy(() -> readAll(copy))
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessage("index/" + file.getFileName() + ": damaged at offset 0: the file is missing");
        }
    }

    @Test
    void aSegmentBeforeTheLastMayNotBeTorn() throws IOException {
        try (LogStructuredIndex index = LogStructuredIndex.open(whole, REPOSITORY, KEY)) {
            index.put(FingerprintIndexContract.fingerprint(-5), FingerprintIndexContract.location(5));
            index.commit(new ContainerPosition(2, 1));
        }
        Path log = only(whole, ".log");
        Files.write(log, Arrays.copyOf(Files.readAllBytes(log), (int) Files.size(log) - 1));
        assertThatThrownBy(() -> readAll(whole))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("index/" + log.getFileName());
    }

    @Test
    void aRunOfAnotherTimeCannotTakeTheNamedOnesPlace() throws IOException {
        Path other = Files.createDirectory(root.resolve("other"));
        LogStructuredIndex.create(files(other));
        try (LogStructuredIndex index = LogStructuredIndex.open(files(other), 300, Runnable::run)) {
            for (int i = 0; i < 300; i++) {
                index.put(FingerprintIndexContract.fingerprint(i), FingerprintIndexContract.location(i + 1));
            }
            index.commit(new ContainerPosition(1, 300));
        }
        Path run = only(whole, ".run");
        Files.write(run, Files.readAllBytes(only(other, ".run")));
        assertThatThrownBy(() -> readAll(whole))
                .hasMessage("index/" + run.getFileName() + ": damaged at offset 0: page 0 is not as it was sealed");
    }

    @Test
    void theWrongKeyAndTheWrongRepositorySaySo() {
        assertThatThrownBy(() -> LogStructuredIndex.open(whole, REPOSITORY, IndexKey.random()))
                .isInstanceOf(WrongIndexKeyException.class);
        assertThatThrownBy(() -> LogStructuredIndex.open(whole, new UUID(7, 7), KEY))
                .hasMessageContaining("it belongs to repository");
    }

    @Test
    void noFingerprintStandsInClearInAnyFile() throws IOException {
        for (Path file : list(whole)) {
            String bytes = new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
            for (int i = 0; i < ENTRIES; i++) {
                byte[] prefix =
                        Arrays.copyOf(FingerprintIndexContract.fingerprint(i).toBytes(), 8);
                assertThat(bytes).doesNotContain(new String(prefix, java.nio.charset.StandardCharsets.ISO_8859_1));
            }
        }
    }

    @Test
    void filesThatNothingNamesAreDeleted() throws IOException {
        Files.write(whole.resolve("000000ff.run"), new byte[5000]);
        Files.write(whole.resolve("000000ff.log"), new byte[50]);
        assertThat(readAll(whole)).isEqualTo(ENTRIES);
        assertThat(list(whole)).hasSize(3);
    }
}
