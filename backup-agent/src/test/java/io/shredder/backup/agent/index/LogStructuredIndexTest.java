// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Small tables, merged by the writer's own thread: every few commits make a run, and runs are joined. */
class LogStructuredIndexTest extends FingerprintIndexContract {

    static final UUID REPOSITORY = new UUID(1, 2);
    static final IndexKey KEY = IndexKey.of(new byte[] {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
        31, 32
    });
    private static final int TABLE_ENTRIES = 40;

    static IndexFiles files(IndexFolder folder) {
        return new IndexFiles(folder, REPOSITORY, KEY, Sealing.Kind.AES_256_GCM, Sealing.Kind.AES_256_GCM);
    }

    @Override
    protected void create(Path in) throws IOException {
        LogStructuredIndex.create(files(new DiskFolder(in)));
    }

    @Override
    protected LogStructuredIndex open(Path in) throws IOException {
        return LogStructuredIndex.open(files(new DiskFolder(in)), TABLE_ENTRIES, Runnable::run);
    }

    @Override
    protected Path crash(Path in) throws IOException {
        return CopiedFolders.copy(in, folder);
    }

    private static void putAndCommit(FingerprintIndex index, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            index.put(fingerprint(i), location(i));
        }
        index.commit(new ContainerPosition(1, to));
    }

    private long filesEndingIn(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).count();
        }
    }

    @Test
    void aCommitOfManyRecordsIsWholeAfterReopening() throws IOException {
        create(folder);
        int count = 3 * LogRecord.MAX_ENTRIES + 10;
        try (FingerprintIndex index = LogStructuredIndex.open(folder, REPOSITORY, KEY)) {
            putAndCommit(index, 0, count);
        }
        try (FingerprintIndex index = LogStructuredIndex.open(folder, REPOSITORY, KEY)) {
            assertThat(index.size()).isEqualTo(count);
            assertThat(index.find(fingerprint(count - 1))).contains(location(count - 1));
            assertThat(index.covered()).isEqualTo(new ContainerPosition(1, count));
        }
    }

    @Test
    void runsStayFewAndOldLogsGo() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            for (int i = 0; i < 100; i++) {
                putAndCommit(index, i * 50, i * 50 + 50);
                assertThat(filesEndingIn(".run")).isLessThanOrEqualTo(6);
                assertThat(filesEndingIn(".log")).isLessThanOrEqualTo(1);
            }
            assertThat(index.size()).isEqualTo(5000);
            assertThat(index.find(fingerprint(17))).contains(location(17));
        }
    }

    @Test
    void whatWasPutAndRemovedAgainTakesNoSpace() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            putAndCommit(index, 0, 1000);
            for (int i = 0; i < 1000; i++) {
                index.remove(fingerprint(i));
            }
            index.commit(new ContainerPosition(1, 2000));
            putAndCommit(index, 5000, 5100);
            assertThat(index.size()).isEqualTo(100);
        }
        try (Stream<Path> files = Files.list(folder)) {
            long bytes = files.mapToLong(file -> file.toFile().length()).sum();
            assertThat(bytes).isLessThan(30_000);
        }
    }

    @Test
    void manyRestartsDoNotPileUpSegments() throws IOException {
        create(folder);
        for (int i = 0; i < 30; i++) {
            try (FingerprintIndex index = open(folder)) {
                assertThat(index.size()).isEqualTo(i);
                putAndCommit(index, i, i + 1);
            }
            assertThat(filesEndingIn(".log")).isLessThanOrEqualTo(10);
        }
    }

    @InTurn(days = 3)
    @Test
    void anEntryTakesLessThanFiftyBytesOnDiskAndLessThanTwoInMemory() throws IOException {
        create(folder);
        int count = 300_000;
        try (LogStructuredIndex index = LogStructuredIndex.open(folder, REPOSITORY, KEY)) {
            for (int i = 0; i < count; i += 10_000) {
                putAndCommit(index, i, i + 10_000);
            }
            index.awaitMerges();
            assertThat(index.memoryBytes()).isLessThan(2L * count);
        }
        try (Stream<Path> files = Files.list(folder)) {
            long bytes = files.filter(file -> file.toString().endsWith(".run"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
            assertThat(bytes).isLessThan(50L * count);
        }
    }
}
