// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joining runs takes no second set of filters, and those who ask meanwhile get the same answers. */
class RunJoinMemoryTest {

    private static final int TABLE_ENTRIES = 60_000;

    @TempDir
    private Path folder;

    /** Fails to read filters of runs that are larger than a table, as long as one says so. */
    private static final class UnreadableFilters implements IndexFolder {

        private final IndexFolder disk;
        private boolean failing;

        private UnreadableFilters(IndexFolder disk) {
            this.disk = disk;
        }

        private record Watched(File file, UnreadableFilters folder) implements File {
            @Override
            public void read(ByteBuffer target, long offset) throws IOException {
                boolean ofJoined = file.size() > TABLE_ENTRIES * 60L;
                if (folder.failing && ofJoined && offset == RunLayout.PAGE_BYTES) {
                    throw new IOException("Input/output error");
                }
                file.read(target, offset);
            }

            @Override
            public long size() throws IOException {
                return file.size();
            }

            @Override
            public void write(ByteBuffer bytes, long offset) throws IOException {
                file.write(bytes, offset);
            }

            @Override
            public void truncate(long size) throws IOException {
                file.truncate(size);
            }

            @Override
            public void force() throws IOException {
                file.force();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        }

        @Override
        public List<String> names() throws IOException {
            return disk.names();
        }

        @Override
        public File create(String name) throws IOException {
            return new Watched(disk.create(name), this);
        }

        @Override
        public File open(String name) throws IOException {
            return new Watched(disk.open(name), this);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            disk.rename(from, to);
        }

        @Override
        public void delete(String name) throws IOException {
            disk.delete(name);
        }

        @Override
        public void force() throws IOException {
            disk.force();
        }
    }

    private LogStructuredIndex create(IndexFolder in) throws IOException {
        LogStructuredIndex.create(LogStructuredIndexTest.files(in));
        return LogStructuredIndex.open(LogStructuredIndexTest.files(in), TABLE_ENTRIES, Runnable::run);
    }

    private static void putTable(FingerprintIndex index, int table) throws IOException {
        int from = table * TABLE_ENTRIES;
        for (int i = from; i < from + TABLE_ENTRIES; i++) {
            index.put(FingerprintIndexContract.fingerprint(i), FingerprintIndexContract.location(i));
        }
        index.commit(new ContainerPosition(1, from + TABLE_ENTRIES));
    }

    private static void checkAnswers(FingerprintIndex index, int tables) throws IOException {
        for (int i = 0; i < tables * TABLE_ENTRIES; i += 17) {
            assertThat(index.find(FingerprintIndexContract.fingerprint(i)))
                    .contains(FingerprintIndexContract.location(i));
            assertThat(index.find(FingerprintIndexContract.fingerprint(-1 - i))).isEmpty();
        }
        List<Fingerprint> asked = IntStream.range(0, 1000)
                .mapToObj(i -> FingerprintIndexContract.fingerprint(i % 2 == 0 ? i : -i))
                .toList();
        List<java.util.Optional<ChunkLocation>> found = index.findAll(asked);
        for (int i = 0; i < asked.size(); i++) {
            assertThat(found.get(i).isPresent()).isEqualTo(i % 2 == 0);
        }
    }

    @InTurn(days = 3)
    @Test
    void filtersNeverTakeMoreThanThoseOfTheRunsThatAnswerAndOneTable() throws IOException {
        try (LogStructuredIndex index = create(new DiskFolder(folder))) {
            for (int tables = 1; tables <= 9; tables++) {
                putTable(index, tables - 1);
                long entries = (long) tables * TABLE_ENTRIES;
                assertThat(index.mostFilterBytes())
                        .as(tables + " tables")
                        .isLessThanOrEqualTo(Long.BYTES * (KeyFilter.words(entries) + 64L));
            }
            assertThat(9 * KeyFilter.words(TABLE_ENTRIES)).isGreaterThan(4 * FilterMemory.PIECE_WORDS);
            checkAnswers(index, 9);
        }
    }

    @Test
    void whoGoesThroughAllEntriesSeesThemAllThoughRunsAreJoinedAndFiltersGoMeanwhile() throws IOException {
        try (LogStructuredIndex index = create(new DiskFolder(folder))) {
            putTable(index, 0);
            Map<Fingerprint, ChunkLocation> seen = new HashMap<>();
            index.forEach((fingerprint, location) -> {
                if (seen.isEmpty()) {
                    joinWithAnother(index);
                }
                seen.put(fingerprint, location);
            });
            assertThat(seen).hasSize(TABLE_ENTRIES);
            assertThat(index.mostFilterBytes())
                    .isLessThanOrEqualTo(Long.BYTES * (KeyFilter.words(2L * TABLE_ENTRIES) + 64L));
            checkAnswers(index, 2);
        }
    }

    private static void joinWithAnother(LogStructuredIndex index) {
        try {
            putTable(index, 1);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @InTurn(days = 3)
    @Test
    void aRunWhoseFilterCanNotBeReadAnswersAndGetsItWithTheNextMerge() throws IOException {
        UnreadableFilters disk = new UnreadableFilters(new DiskFolder(folder));
        try (LogStructuredIndex index = create(disk)) {
            putTable(index, 0);
            putTable(index, 1);
            long withFilters = index.memoryBytes();
            assertThat(withFilters).isGreaterThan(Long.BYTES * (long) KeyFilter.words(2L * TABLE_ENTRIES));
            disk.failing = true;
            putTable(index, 2);
            assertThat(index.memoryBytes()).isLessThan(withFilters / 2);
            checkAnswers(index, 3);
            disk.failing = false;
            putTable(index, 3);
            assertThat(index.memoryBytes()).isGreaterThan(Long.BYTES * (long) KeyFilter.words(4L * TABLE_ENTRIES));
            checkAnswers(index, 4);
        }
    }
}
