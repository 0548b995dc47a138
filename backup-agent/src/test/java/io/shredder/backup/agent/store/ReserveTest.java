// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.index.IndexKey;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/COLLECTION.md, "A full disk": what the index writes at most before a collection has released anything. */
class ReserveTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final int FULL_TABLES = 2 * LogStructuredIndex.TABLE_ENTRIES;
    /** In the note of what is released. */
    private static final int GAP_BYTES = 16;

    /** The audit log's line, and what a file system adds. */
    private static final long OTHERS_BYTES = 512 << 10;

    @TempDir
    private Path folder;

    private static Fingerprint fingerprint(int number) {
        return Fingerprint.ofData(ByteBuffer.allocate(4).putInt(0, number));
    }

    private long bytes(boolean log) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".log") == log)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @InTurn(days = 3)
    @Test
    void theReserveHoldsARunOfTwoFullTablesAndTheLogOfARelease() throws IOException {
        assertReserveHolds(FULL_TABLES, 1 << 14);
    }

    @Test
    void ofAFewChunksItHoldsARunOfAllAndTheLogThatReleasesThem() throws IOException {
        assertReserveHolds(30_000, 1 << 14);
        assertThat(Repository.reserveBytes(30_000)).isLessThan(4 << 20);
    }

    /** @param released how many dead chunks are released together */
    private void assertReserveHolds(int chunks, int released) throws IOException {
        IndexKey key = IndexKey.random();
        LogStructuredIndex.create(folder, REPOSITORY, key);
        try (LogStructuredIndex index = LogStructuredIndex.open(folder, REPOSITORY, key, chunks)) {
            for (int i = 0; i < chunks; i++) {
                index.put(fingerprint(i), new ChunkLocation(1 + i / 1000, 64 + i, 40_000, 65_536));
            }
            index.commit(new ContainerPosition(1, 1));
        }
        long runBytes = bytes(false);
        long logBefore = bytes(true);
        try (LogStructuredIndex index = LogStructuredIndex.open(folder, REPOSITORY, key, chunks)) {
            for (int i = 0; i < released; i++) {
                index.remove(fingerprint(i));
            }
            index.commit(new ContainerPosition(1, 2));
        }
        long logBytes = bytes(true) - logBefore;
        assertThat(runBytes).as("the run was written").isGreaterThan(40L * chunks);
        assertThat(logBytes).as("the log was written").isGreaterThan(32L * released);
        assertThat(runBytes + logBytes + released * GAP_BYTES + OTHERS_BYTES)
                .isLessThanOrEqualTo(Repository.reserveBytes(chunks));
    }
}
